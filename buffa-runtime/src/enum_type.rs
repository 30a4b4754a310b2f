//! What generated enums tell about themselves.

use buffa_arena::Enum;
use buffa_tables::{EnumTable, NameRef};

/// A generated enum with its table and names.
pub trait EnumType: Enum {
    /// The declared numbers.
    const TABLE: &'static EnumTable;
    /// The names; linked only where they are asked for.
    const NAMES: NameRef;

    /// The proto name of the value, e.g. `"MOBILE"`.
    fn proto_name(self) -> &'static str {
        Self::NAMES.value_name(self.to_i32()).unwrap_or_default()
    }
}
