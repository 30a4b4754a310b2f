//! Which fields have a type with names of its own.

use crate::fields::{Field, fields};
use buffa_tables::Kind;

/// Whether the field's names list the names of its type: messages, groups, enums, and maps with such a value.
pub(super) fn typed(field: &Field<'_>) -> bool {
    match field.op.kind() {
        Kind::Map => field.table().and_then(|entry| fields(entry).nth(1)).is_some_and(|value| has_names(value.op.kind())),
        kind => has_names(kind),
    }
}

fn has_names(kind: Kind) -> bool {
    matches!(kind, Kind::Message | Kind::Group | Kind::OpenEnum | Kind::ClosedEnum)
}
