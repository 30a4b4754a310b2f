//! What holds for every container: size, zero bytes as default, covariance, threads.
#![allow(unsafe_code)] // values from zero bytes
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![allow(dead_code, reason = "Rust 1.85 does not see uses in `const _`")]

mod support;

use buffa_arena::*;
use support::{Note, zeroed};

const WORD: usize = size_of::<usize>();
const _: () = assert!(size_of::<Str<'_>>() == 2 * WORD && size_of::<Blob<'_>>() == 2 * WORD);
const _: () = assert!(size_of::<Repeated<'_, Note<'_>>>() == WORD + 8 && size_of::<RawRepeated>() == WORD + 8);
const _: () = assert!(size_of::<Map<'_, Str<'_>, Note<'_>>>() == 2 * WORD + 8 && size_of::<RawMap>() == 2 * WORD + 8);
const _: () = assert!(size_of::<MessageField<'_, Note<'_>>>() == WORD && size_of::<UnknownFields<'_>>() == WORD);
const _: () = assert!(size_of::<EnumValue<Color>>() == 4 && size_of::<Optional<bool>>() == 2 && size_of::<Optional<i32>>() == 8);
const _: () = assert!(size_of::<Optional<i64>>() == align_of::<i64>() + 8);
const _: () = assert!(!core::mem::needs_drop::<Note<'_>>() && !core::mem::needs_drop::<UnknownFields<'_>>());
const _: () = assert!(size_of::<ArenaError>() == 1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
enum Color {
    Red = 0,
    Blue = 7,
}

// SAFETY: `repr(i32)`, and the numbers are those of the declaration.
unsafe impl Enum for Color {
    fn is_declared(number: i32) -> bool {
        matches!(number, 0 | 7)
    }
}

#[test]
fn zero_bytes_are_the_default() {
    // SAFETY: here and below, what this test is about.
    assert_eq!(unsafe { zeroed::<Str<'_>>() }.get(), None);
    // SAFETY: as above.
    assert_eq!(unsafe { zeroed::<Blob<'_>>() }.get(), None);
    // SAFETY: as above.
    assert_eq!(unsafe { zeroed::<Optional<Color>>() }, Optional::Unset);
    // SAFETY: as above.
    assert_eq!(unsafe { zeroed::<EnumValue<Color>>() }, Color::Red);
    // SAFETY: as above.
    assert!(!unsafe { zeroed::<MessageField<'_, Note<'_>>>() }.is_set());
    // SAFETY: as above.
    let (list, map) = unsafe { (zeroed::<Repeated<'_, u64>>(), zeroed::<Map<'_, Str<'_>, Note<'_>>>()) };
    assert!(list.as_slice().is_empty() && map.entries().is_empty() && map.get("key").is_none());
    // SAFETY: as above.
    let unknown = unsafe { zeroed::<UnknownFields<'_>>() };
    assert!(unknown.is_empty() && unknown.runs().is_empty());
    // SAFETY: as above.
    assert_eq!(unsafe { zeroed::<Note<'_>>() }, Note::default());
    assert_eq!(Note::default_instance(), &Note::default());
}

#[test]
fn zero_bytes_can_be_used() {
    let mut memory = support::Memory::new(4096);
    let arena = Arena::from_buffer(memory.bytes());
    // SAFETY: all-zero bytes are the default of a message.
    let mut note = unsafe { zeroed::<Note<'_>>() };
    note.tags.push("a".into(), &arena);
    note.scores.insert(1, 2, &arena);
    note.child.get_or_default(&arena).id = 3;
    note.seen.set(4);
    assert_eq!((note.tags[0].as_str(), note.scores.get(&1), note.child.id, note.seen.get()), ("a", Some(&2), 3, Some(4)));
}

/// Compiles only if every container is covariant in its lifetime and in what it holds.
#[expect(clippy::type_complexity, reason = "one of each")]
fn shorten<'s, 'long: 's>(
    all: (
        Str<'long>,
        Blob<'long>,
        Repeated<'long, Str<'long>>,
        Map<'long, Str<'long>, Note<'long>>,
        MessageField<'long, Note<'long>>,
        UnknownFields<'long>,
        Optional<Str<'long>>,
        Note<'long>,
    ),
) -> (
    Str<'s>,
    Blob<'s>,
    Repeated<'s, Str<'s>>,
    Map<'s, Str<'s>, Note<'s>>,
    MessageField<'s, Note<'s>>,
    UnknownFields<'s>,
    Optional<Str<'s>>,
    Note<'s>,
) {
    all
}

fn shorten_ref<'s>(note: &'s Note<'static>, arena: &'s Arena<'static>) -> (&'s Note<'s>, &'s Arena<'s>) {
    (note, arena)
}

#[test]
fn lifetimes_shorten() {
    let text = String::from("short-lived");
    let mut note = shorten(Default::default()).7;
    note.text = text.as_str().into();
    let mut arena = Arena::from_buffer(&mut []);
    assert_eq!(shorten_ref(Note::default_instance(), &arena).1.capacity_bytes(), 0);
    arena.reset();
    assert_eq!(note.text, "short-lived");
}

const fn threads<T: Send + Sync>() {}
const fn sends<T: Send>() {}
const _: () = {
    threads::<Note<'_>>();
    threads::<(Str<'_>, Blob<'_>, UnknownFields<'_>, EnumValue<Color>)>();
    threads::<Map<'_, Str<'_>, MessageField<'_, Note<'_>>>>();
    sends::<Arena<'_>>();
};

#[test]
fn messages_cross_threads_while_their_arena_works() {
    let mut memory = support::Memory::new(8192);
    let arena = Arena::from_buffer(memory.bytes());
    let mut note = Note::default();
    note.child.get_or_default(&arena).id = 1;
    note.scores.insert(1, 1, &arena);
    let note = std::thread::scope(|scope| {
        let there = scope.spawn(move || {
            note.child.get_mut().unwrap().id += 1;
            *note.scores.get_mut(&1).unwrap() += 2;
            note
        });
        for i in 0..20 {
            arena.place([i; 5]);
        }
        there.join().unwrap()
    });
    assert_eq!((note.child.id, note.scores.get(&1)), (2, Some(&3)));
}

#[test]
fn arenas_cross_threads_with_their_memory() {
    let mut memory = support::Memory::new(256);
    let mut arena = Arena::from_buffer(memory.bytes());
    arena.place(1u64);
    let arena = std::thread::scope(|scope| {
        let there = scope.spawn(move || {
            arena.reset();
            arena.place(2u64);
            arena
        });
        there.join().unwrap()
    });
    assert_eq!(arena.allocated_bytes(), 8);
}
