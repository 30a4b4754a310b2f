//! `MessageField`: unset, in an arena, at the caller's place.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use buffa_arena::{Arena, ArenaError, DefaultInstance, MessageField};
use support::{Memory, Note, note};

#[test]
fn unset_reads_as_the_default() {
    let mut field = MessageField::<Note<'_>>::default();
    assert_eq!((field.is_set(), field.get()), (false, None));
    assert_eq!(field.get_mut(), None);
    assert!(core::ptr::eq(&raw const *field, Note::default_instance()));
    assert_eq!((field.child.child.id, &field), (0, &MessageField::UNSET));
    assert_eq!(format!("{field:?}"), "None");
}

#[test]
fn holds_a_message_in_the_arena() {
    let mut memory = Memory::new(1024);
    let arena = Arena::from_buffer(memory.bytes());
    let mut field = MessageField::new_in(note(1), &arena);
    field.get_mut().unwrap().child.set(note(2), &arena);
    assert_eq!((field.id, field.child.id, field.child.child.id), (1, 2, 0));
    assert_eq!(field.get_or_default(&arena).id, 1, "what is set stays");
    field.get_mut().unwrap().child.get_or_default(&arena).child.get_or_default(&arena).id = 3;
    assert_eq!(field.child.child.id, 3);
    field.set(note(4), &arena);
    assert_eq!((field.id, field.child.is_set()), (4, false));
}

#[test]
fn holds_a_message_at_the_callers_place() {
    let mut inner = note(1);
    let mut outer = Note { child: MessageField::new(&mut inner), ..note(2) };
    outer.child.get_mut().unwrap().id += 10;
    outer.child.get_mut().unwrap().text = "written through the field".into();
    let mut field = MessageField::from(&mut outer);
    let moved = field.take();
    assert_eq!((moved.child.id, moved.child.text.as_str(), field.is_set()), (11, "written through the field", false));
}

/// A place may be filled with what lives as long as the borrow, but is then lost to its owner (see the docs of `new`).
#[test]
fn a_place_takes_shorter_lived_data() {
    let mut place = Note::default();
    let text = String::from("local");
    let mut field = MessageField::new(&mut place);
    field.get_mut().unwrap().text = text.as_str().into();
    assert_eq!(field.text, "local");
}

#[test]
fn takes_clears_swaps() {
    let (mut memory, mut other) = (Memory::new(512), Memory::new(512));
    let (one, two) = (Arena::from_buffer(memory.bytes()), Arena::from_buffer(other.bytes()));
    let (mut a, mut b) = (MessageField::new_in(note(1), &one), MessageField::new_in(note(2), &two));
    core::mem::swap(&mut a, &mut b);
    core::mem::swap(a.get_mut().unwrap(), b.get_mut().unwrap());
    assert_eq!((a.id, b.id), (1, 2));
    a.get_mut().unwrap().child = b.take();
    assert_eq!((a.child.id, b.is_set()), (2, false));
    a.clear();
    assert_eq!((a.is_set(), a == b), (false, true));
}

#[test]
fn equality_tells_unset_from_default() {
    let mut memory = Memory::new(512);
    let arena = Arena::from_buffer(memory.bytes());
    let set = MessageField::new_in(Note::default(), &arena);
    assert_ne!(set, MessageField::UNSET);
    assert_eq!(set, MessageField::new_in(Note::default(), &arena));
    assert!(format!("{set:?}").starts_with("Some(Note"));
}

#[test]
fn a_full_arena_leaves_the_field_as_it_was() {
    let mut memory = Memory::new(size_of::<Note<'_>>() + 8);
    let arena = Arena::from_buffer(memory.bytes());
    let mut field = MessageField::try_new_in(note(1), &arena).unwrap();
    assert_eq!(MessageField::try_new_in(note(1), &arena), Err(ArenaError::Full));
    let child = &mut field.get_mut().unwrap().child;
    assert_eq!(child.try_get_or_default(&arena), Err(ArenaError::Full));
    assert!(!child.is_set());
    assert_eq!(field.try_get_or_default(&arena).unwrap().id, 1);
}

#[test]
#[should_panic(expected = "arena is full")]
fn new_in_panics_when_full() {
    MessageField::new_in(note(1), &Arena::from_buffer(&mut []));
}

#[test]
#[should_panic(expected = "arena is full")]
fn get_or_default_panics_when_full() {
    let mut field = MessageField::<Note<'_>>::UNSET;
    field.get_or_default(&Arena::from_buffer(&mut []));
}
