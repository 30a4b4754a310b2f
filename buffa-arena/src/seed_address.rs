//! Hash seeds without an operating system.

/// A seed made of an address. Where addresses are fixed (firmware), call `Arena::set_hash_seed` with a random number if keys
/// come from an attacker.
pub(crate) fn draw(address: usize) -> u64 {
    (address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x2545_F491_4F6C_DD1D
}
