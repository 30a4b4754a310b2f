//! UTF-8 validation with SIMD for long strings.

/// From this length on SIMD wins.
const SIMD_FROM: usize = 64;

/// Whether `bytes`, which are not all ASCII or long, are UTF-8.
#[cold]
#[inline(never)]
pub(super) fn validate(bytes: &[u8]) -> bool {
    if bytes.len() >= SIMD_FROM { simdutf8::basic::from_utf8(bytes).is_ok() } else { core::str::from_utf8(bytes).is_ok() }
}
