//! Arenas to run a test in, of every source.

use super::Memory;
use buffa_arena::Arena;

/// Runs `test` with two arenas of `bytes` each whose blocks are neighbours, with two that grow, and with two inside one `Bump`.
pub(crate) fn with_arenas(bytes: usize, mut test: impl FnMut([&Arena<'_>; 2])) {
    let mut memory = Memory::new(2 * bytes);
    let (low, high) = memory.bytes().split_at_mut(bytes);
    test([&Arena::from_buffer(low), &Arena::from_buffer(high)]);
    test([&Arena::new(), &Arena::with_capacity(bytes)]);
    let bump = bumpalo::Bump::new();
    test([&Arena::in_bump(&bump), &Arena::in_bump(&bump)]);
}
