//! Hash seeds with the operating system's randomness.

use core::hash::{BuildHasher, Hasher};
use std::hash::RandomState;

/// A seed that an attacker cannot know.
pub(crate) fn draw(address: usize) -> u64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_usize(address);
    hasher.finish()
}
