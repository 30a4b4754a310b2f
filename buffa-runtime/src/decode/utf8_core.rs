//! UTF-8 validation by `core`.

/// Whether `bytes`, which are not all ASCII or long, are UTF-8.
#[cold]
#[inline(never)]
pub(super) fn validate(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_ok()
}
