//! `Str` and `Blob`: unset, empty, set.
#![allow(unsafe_code)] // `Blob::from_raw`
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use buffa_arena::{Arena, ArenaError, Blob, Str};
use std::collections::{BTreeSet, HashMap, HashSet};

const GREETING: Str<'static> = Str::new("hello");

#[test]
fn strings_are_unset_empty_or_set() {
    let (unset, empty, set) = (Str::default(), Str::from(""), GREETING);
    assert_eq!((unset.is_set(), unset.get(), unset.as_str(), unset.len()), (false, None, "", 0));
    assert_eq!((empty.is_set(), empty.get(), empty.as_str(), empty.len()), (true, Some(""), "", 0));
    assert_eq!((set.is_set(), set.get(), set.as_str(), set.len()), (true, Some("hello"), "hello", 5));
    assert_eq!(unset, empty, "presence is not part of the value");
    assert!(set == "hello" && set == *"hello" && set != empty && empty < set && set > Str::from("he"));
    assert_eq!(format!("{set} {set:?} {unset:?}"), "hello \"hello\" \"\"");
    assert_eq!((set.as_ref(), set.to_uppercase()), ("hello", "HELLO".to_string()));
}

#[test]
fn strings_are_found_by_str() {
    let map = HashMap::from([(GREETING, 1)]);
    assert_eq!((map.get("hello"), map.get("hell")), (Some(&1), None));
    assert_eq!(BTreeSet::from([Str::from("b"), Str::from("a"), Str::UNSET]).first().unwrap().get(), None);
    assert_eq!(HashSet::from([Str::UNSET, "".into(), GREETING]).len(), 2);
}

#[test]
fn strings_outlive_the_field() {
    let text = String::from("kept");
    let kept = {
        let field = Str::from(text.as_str());
        field.as_str()
    };
    assert_eq!(kept, "kept");
}

#[test]
fn blobs_are_unset_empty_or_set() {
    let (unset, empty, set) = (Blob::default(), Blob::from(b""), Blob::from(b"a\0\xff"));
    assert_eq!((unset.is_set(), unset.get(), unset.as_bytes()), (false, None, &[][..]));
    assert_eq!((empty.is_set(), empty.get(), empty.as_bytes()), (true, Some(&[][..]), &[][..]));
    assert_eq!((set.is_set(), set.get(), &set[1..]), (true, Some(&b"a\0\xff"[..]), &b"\0\xff"[..]));
    assert_eq!(unset, empty, "presence is not part of the value");
    let slice = &b"a\0\xff"[..];
    assert!(set == b"a\0\xff" && set == slice && set == *slice && empty < set);
    assert_eq!(format!("{set:?}"), r#"b"a\x00\xff""#);
    assert_eq!((set.as_ref().len(), Blob::from("text"), Blob::from(&b"x"[..])), (3, Blob::new(b"text"), Blob::from("x")));
    assert_eq!(HashSet::from([unset, empty, set]).len(), 2);
    assert!(Blob::from("text") == "text" && Blob::from("text") == *"text" && set != "a");
    assert_eq!((Blob::from("text").to_str(), unset.to_str(), set.to_str().is_err()), (Ok("text"), Ok(""), true));
}

#[test]
fn raw_blobs_keep_their_pointer() {
    let input = *b"0123456789";
    // SAFETY: a part of the live input.
    let blob = unsafe { Blob::from_raw(input.as_ptr().wrapping_add(3), 4) };
    assert_eq!(blob, b"3456");
    // SAFETY: null with length 0 is the unset value.
    assert!(!unsafe { Blob::from_raw(core::ptr::null(), 0) }.is_set());
}

#[test]
fn copies_live_in_the_arena() {
    let mut memory = support::Memory::new(33);
    let arena = Arena::from_buffer(memory.bytes());
    let (text, bytes, empty);
    {
        let short = String::from("grün");
        text = Str::copied(&short, &arena).unwrap();
        bytes = Blob::copied(short.as_bytes(), &arena).unwrap();
        empty = Str::copied("", &arena).unwrap();
    }
    assert_eq!((text.as_str(), bytes.as_bytes(), empty.get()), ("grün", "grün".as_bytes(), Some("")));
    assert_eq!(Str::copied(&"x".repeat(17), &arena), Err(ArenaError::Full));
    arena.set_limit(20);
    assert_eq!(Blob::copied(&[0; 9], &arena), Err(ArenaError::Limit));
    assert_eq!(arena.allocated_bytes(), 16);
}
