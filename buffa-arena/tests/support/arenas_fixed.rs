//! Arenas to run a test in, without an allocator.

use super::Memory;
use buffa_arena::Arena;

/// Runs `test` with two arenas of `bytes` each; their blocks are neighbours.
pub(crate) fn with_arenas(bytes: usize, mut test: impl FnMut([&Arena<'_>; 2])) {
    let mut memory = Memory::new(2 * bytes);
    let (low, high) = memory.bytes().split_at_mut(bytes);
    test([&Arena::from_buffer(low), &Arena::from_buffer(high)]);
}
