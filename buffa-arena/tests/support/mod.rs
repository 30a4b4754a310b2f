//! What the tests share: messages as the generator would write them, memory, random numbers.
#![allow(unsafe_code)] // messages vouch for their layout; memory is seen as bytes
#![allow(dead_code, unused_imports, reason = "each test file uses a part")]

#[cfg_attr(feature = "alloc", path = "arenas_bump.rs")]
#[cfg_attr(not(feature = "alloc"), path = "arenas_fixed.rs")]
mod arenas;

pub(crate) use arenas::with_arenas;

use buffa_arena::{DefaultInstance, LivesIn, Map, MessageField, Optional, Repeated, Str};
use core::mem::MaybeUninit;

/// A message with a field of every sort.
#[repr(C)]
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Note<'a> {
    pub(crate) text: Str<'a>,
    pub(crate) tags: Repeated<'a, Str<'a>>,
    pub(crate) child: MessageField<'a, Note<'a>>,
    pub(crate) scores: Map<'a, i32, i32>,
    pub(crate) seen: Optional<i64>,
    pub(crate) id: i32,
}

// SAFETY: every field is zero by default, none is `Copy` with drop glue, and no alignment passes 8.
unsafe impl DefaultInstance for Note<'_> {
    fn default_instance<'x>() -> &'x Self
    where
        Self: 'x,
    {
        static DEFAULT: Note<'static> = Note {
            text: Str::UNSET,
            tags: Repeated::EMPTY,
            child: MessageField::UNSET,
            scores: Map::EMPTY,
            seen: Optional::Unset,
            id: 0,
        };
        &DEFAULT
    }
}
// SAFETY: of the one form that the trait allows.
unsafe impl<'a> LivesIn<'a> for Note<'a> {}

/// A message of four bytes, so that arrays of it end in padding; the pointers of a 32-bit target make such messages.
#[repr(C)]
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tick<'a> {
    pub(crate) n: u32,
    life: core::marker::PhantomData<Str<'a>>,
}

impl Tick<'_> {
    pub(crate) const fn new(n: u32) -> Self {
        Tick { n, life: core::marker::PhantomData }
    }
}

// SAFETY: zero is the default; not `Copy`, no drop glue, alignment 4.
unsafe impl DefaultInstance for Tick<'_> {
    fn default_instance<'x>() -> &'x Self
    where
        Self: 'x,
    {
        static DEFAULT: Tick<'static> = Tick::new(0);
        &DEFAULT
    }
}
// SAFETY: of the one form that the trait allows.
unsafe impl<'a> LivesIn<'a> for Tick<'a> {}

pub(crate) fn note(id: i32) -> Note<'static> {
    Note { id, ..Note::default() }
}

/// Memory for a fixed arena: `bytes` rounded up to whole words, aligned to 8.
pub(crate) struct Memory(Box<[MaybeUninit<u64>]>);

impl Memory {
    pub(crate) fn new(bytes: usize) -> Memory {
        Memory(Box::new_uninit_slice(bytes.div_ceil(8)))
    }

    pub(crate) fn bytes(&mut self) -> &mut [MaybeUninit<u8>] {
        bytes_of(&mut self.0)
    }
}

/// The same memory as single bytes.
pub(crate) fn bytes_of(words: &mut [MaybeUninit<u64>]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same bytes, which need not be initialized.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len() * 8) }
}

/// What `T` is when all its bytes are zero.
///
/// # Safety
/// * All-zero bytes are a valid `T`.
pub(crate) unsafe fn zeroed<T>() -> T {
    // SAFETY: by contract.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

/// Miri is some hundred times slower.
pub(crate) const fn scaled(full: usize, under_miri: usize) -> usize {
    if cfg!(miri) { under_miri } else { full }
}

/// xorshift64*, seeded, so that a failure can be repeated.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from((self.next() >> 16) % end as u64).unwrap_or_default()
    }
}
