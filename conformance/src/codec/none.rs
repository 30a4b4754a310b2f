//! Ways of a feature that this mode does not have.

use super::Named;

/// None.
#[expect(clippy::extra_unused_type_parameters, reason = "the signature of the modules that this stands in for")]
pub(super) fn ways<M>() -> Vec<Named> {
    Vec::new()
}
