//! `Map` and `RawMap`.
#![allow(unsafe_code)] // the raw face
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics, and one key type does on purpose")]

mod support;

use buffa_arena::{Arena, ArenaError, Blob, Map, MapEntry, MapKey, MessageField, RawKey, RawMap, RawRepeated, Str};
use core::cell::Cell;
use support::{Memory, Note, note, scaled};

#[test]
fn starts_empty() {
    let mut map = Map::<Str<'_>, i32>::default();
    let nowhere = Arena::from_buffer(&mut []);
    assert_eq!((map.len(), map.is_empty(), map.entries(), map.iter().len()), (0, true, &[][..], 0));
    assert_eq!((map.get("a"), map.contains_key("a"), map.keys().len(), map.values().len()), (None, false, 0, 0));
    assert!(map.get_mut("a").is_none() && map.iter_mut().next().is_none());
    assert_eq!(map.remove("a", &nowhere), None);
    map.clear();
    assert_eq!((&map, format!("{map:?}")), (&Map::EMPTY, "{}".to_string()));
}

#[test]
fn keeps_order_and_the_last_value() {
    let mut memory = Memory::new(4096);
    let arena = Arena::from_buffer(memory.bytes());
    let mut map = Map::<Str<'_>, _>::EMPTY;
    map.insert("one".into(), 1, &arena);
    map.insert(Str::from("two"), 0, &arena);
    map.insert(Str::UNSET, 3, &arena);
    map.insert(Str::from("two"), 2, &arena);
    assert_eq!((map.len(), map.get("two"), map.get(""), map.get(&Str::from("one"))), (3, Some(&2), Some(&3), Some(&1)));
    assert!(map.keys().map(|key| key.as_str()).eq(["one", "two", ""]) && map.values().copied().rev().eq([3, 2, 1]));
    *map.get_mut("one").unwrap() = 10;
    map.iter_mut().for_each(|(_, value)| *value += 1);
    assert_eq!(format!("{map:?}"), r#"{"one": 11, "two": 3, "": 4}"#);
    assert_eq!(map.entries()[1], MapEntry { key: "two".into(), value: 3 });
    assert_eq!((map.remove("one", &arena), map.remove("one", &arena)), (Some(11), None));
    assert!(map.iter().map(|(key, &value)| (key.as_str(), value)).eq([("two", 3), ("", 4)]));
    map.clear();
    assert_eq!((map.len(), map.get("two")), (0, None));
}

#[test]
fn takes_every_kind_of_key() {
    fn check<K: MapKey + core::fmt::Debug>(keys: [K; 2], raw: [RawKey<'_>; 2]) {
        let mut memory = Memory::new(256);
        let arena = Arena::from_buffer(memory.bytes());
        let mut map = Map::EMPTY;
        for (i, key) in keys.into_iter().enumerate() {
            assert_eq!(MapKey::raw(&key), raw[i]);
            map.insert(key, i, &arena);
        }
        assert_eq!((map.get(&keys[0]), map.get(&keys[1])), (Some(&0), Some(&1)));
    }
    check([false, true], [RawKey::Word(0), RawKey::Word(1)]);
    check([i32::MIN, -1], [RawKey::Word(1 << 31), RawKey::Word(u32::MAX)]);
    check([0, u32::MAX], [RawKey::Word(0), RawKey::Word(u32::MAX)]);
    check([i64::MIN, -1], [RawKey::Double(1 << 63), RawKey::Double(u64::MAX)]);
    check([0, u64::MAX], [RawKey::Double(0), RawKey::Double(u64::MAX)]);
    check([Str::UNSET, "a\0".into()], [RawKey::Bytes(b""), RawKey::Bytes(b"a\0")]);
    check([Blob::UNSET, b"\xFF".into()], [RawKey::Bytes(b""), RawKey::Bytes(b"\xFF")]);
}

#[test]
fn blob_keys_are_found_by_text_and_bytes() {
    let mut memory = Memory::new(256);
    let arena = Arena::from_buffer(memory.bytes());
    let mut map = Map::<Blob<'_>, _>::EMPTY;
    map.insert("text".into(), 1, &arena);
    map.insert(b"\xFF".into(), 2, &arena);
    assert_eq!(
        (map.get("text"), map.get(&b"text"[..]), map.get(&b"\xFF"[..]), map.get("")),
        (Some(&1), Some(&1), Some(&2), None)
    );
}

#[test]
fn equality_ignores_order() {
    let mut memory = Memory::new(16 << 10);
    let arena = Arena::from_buffer(memory.bytes());
    let (mut up, mut down) = (Map::EMPTY, Map::EMPTY);
    for i in 0..40 {
        up.insert(i, i, &arena);
        down.insert(39 - i, 39 - i, &arena);
    }
    assert_eq!(up, down);
    down.insert(7, 0, &arena);
    assert_ne!(up, down);
    down.remove(&7, &arena);
    assert_ne!(up, down);
    down.insert(99, 7, &arena);
    assert_ne!(up, down);
}

#[test]
fn finds_with_and_without_index() {
    for count in [1, 11, 12, 13, 14, scaled(5000, 40)] {
        let mut memory = Memory::new(1 << 20);
        let arena = Arena::from_buffer(memory.bytes());
        let names: Vec<String> = (0..count).map(|i| format!("key {i}")).collect();
        let mut map = Map::<Str<'_>, _>::EMPTY;
        for (i, name) in names.iter().enumerate() {
            assert_eq!(map.get(name.as_str()), None);
            map.insert(name.as_str().into(), i, &arena);
            map.insert(names[i / 2].as_str().into(), i / 2, &arena);
        }
        assert_eq!((map.len(), map.get("key"), map.get("")), (count, None, None));
        assert!(names.iter().enumerate().all(|(i, name)| map.get(name.as_str()) == Some(&i)));
        assert!(map.values().copied().eq(0..count));
    }
}

/// An index outlives the shrinking of its map below the size that needs one.
#[test]
fn shrinks_and_grows_again() {
    let mut memory = Memory::new(64 << 10);
    let arena = Arena::from_buffer(memory.bytes());
    let mut map = Map::EMPTY;
    for round in 0..2 {
        for i in 0..30 {
            map.insert(i, round, &arena);
        }
        let allocated = arena.allocated_bytes();
        for i in 0..25 {
            assert_eq!(map.remove(&i, &arena), Some(round));
        }
        assert_eq!((map.len(), arena.allocated_bytes()), (5, allocated), "removal needs no memory");
        map.insert(100, 1, &arena);
        map.insert(100, 2, &arena);
        assert_eq!((map.len(), map.get(&100), map.get(&3), map.get(&27)), (6, Some(&2), None, Some(&round)));
        map.remove(&100, &arena);
    }
    map.clear();
    assert_eq!(map.get(&27), None);
    for i in 0..13 {
        map.insert(i, 0, &arena);
    }
    assert_eq!((map.len(), map.get(&27)), (13, None));
}

#[test]
fn values_may_be_messages() {
    let mut memory = Memory::new(16 << 10);
    let arena = Arena::from_buffer(memory.bytes());
    let mut map = Map::EMPTY;
    for i in 0..20 {
        map.insert(i, note(i), &arena);
        map.get_mut(&(i / 2)).unwrap().tags.push("visited".into(), &arena);
    }
    let removed: Note<'_> = map.remove(&0, &arena).unwrap();
    assert_eq!((removed.tags.len(), map.get(&9).unwrap().tags.len(), map.get(&19).unwrap().id), (2, 2, 19));
}

#[test]
fn every_failed_allocation_changes_nothing() {
    for limit in (0..scaled(1800, 700)).step_by(scaled(8, 232)) {
        let mut memory = Memory::new(8192);
        let arena = Arena::from_buffer(memory.bytes());
        arena.set_limit(limit);
        let mut map = Map::EMPTY;
        let mut model = Vec::new();
        for i in 0..40 {
            let key = (i * 7) % 31;
            match map.try_insert(key, i, &arena) {
                Ok(()) => match model.iter_mut().find(|(old, _)| *old == key) {
                    Some(entry) => entry.1 = i,
                    None => model.push((key, i)),
                },
                Err(error) => assert_eq!(error, ArenaError::Limit),
            }
            assert!(map.iter().map(|(&key, &value)| (key, value)).eq(model.iter().copied()));
            assert!(model.iter().all(|(key, value)| map.get(key) == Some(value)));
        }
        assert!((31..99).all(|key| map.get(&key).is_none()));
        arena.set_limit(usize::MAX);
        map.insert(99, 0, &arena);
        assert_eq!(map.get(&99), Some(&0), "and it can be used on");
    }
}

#[test]
#[should_panic(expected = "arena is full")]
fn insert_panics_when_full() {
    Map::default().insert(1, 1, &Arena::from_buffer(&mut []));
}

/// A key type from elsewhere may panic at any time; no value may be reachable twice afterwards.
#[test]
fn panicking_keys_do_no_harm() {
    thread_local!(static FUSE: Cell<u32> = const { Cell::new(u32::MAX) });
    #[derive(Clone, Copy, PartialEq, Eq)]
    struct Fused(u32);
    impl MapKey for Fused {
        fn raw(&self) -> RawKey<'_> {
            let left = FUSE.get();
            FUSE.set(left.wrapping_sub(1));
            if left == 0 { panic!("burnt") } else { RawKey::Word(self.0) }
        }
    }
    for fuse in (0..60).step_by(scaled(1, 19)) {
        for remove in [false, true] {
            let mut memory = Memory::new(16 << 10);
            let arena = Arena::from_buffer(memory.bytes());
            let mut map = Map::EMPTY;
            for i in 0..16 {
                map.insert(Fused(i), MessageField::new_in(note(0), &arena), &arena);
            }
            FUSE.set(fuse);
            let act = || match remove {
                true => drop(map.remove(&Fused(3), &arena)),
                false => map.insert(Fused(99), MessageField::new_in(note(0), &arena), &arena),
            };
            let _ = std::panic::catch_unwind(core::panic::AssertUnwindSafe(act));
            FUSE.set(u32::MAX);
            let mut values: Vec<_> = map.iter_mut().map(|(_, value)| value.get_mut().unwrap()).collect();
            values.iter_mut().for_each(|value| value.id += 1);
            assert!(values.iter().all(|value| value.id == 1));
            for i in 0..40 {
                map.insert(Fused(i), MessageField::UNSET, &arena);
            }
            assert!((0..40).all(|i| map.get(&Fused(i)).is_some_and(|value| !value.is_set())));
        }
    }
}

/// What a kernel does: a slot, filled by offsets, then committed.
#[test]
fn fills_raw() {
    type Entry<'a> = MapEntry<Str<'a>, u64>;
    unsafe fn key(entry: *const u8) -> RawKey<'static> {
        // SAFETY: an entry of this test, whose keys are literals.
        RawKey::Bytes(unsafe { (*entry.cast::<Entry<'static>>()).key }.get().unwrap_or_default().as_bytes())
    }
    let mut memory = Memory::new(16 << 10);
    let arena = Arena::from_buffer(memory.bytes());
    let mut map = Map::<Str<'_>, u64>::EMPTY;
    let raw = (&raw mut map).cast::<RawMap>();
    let keys: Vec<&'static str> = "a b c d e f g h i j k l m n o p q r s a b c p q".split(' ').collect();
    for (i, &name) in keys.iter().enumerate() {
        // SAFETY: `Map` has the layout of `RawMap`, and nobody else uses it meanwhile.
        let raw = unsafe { &mut *raw };
        // SAFETY: the size of the entries.
        let slot = unsafe { raw.slot(size_of::<Entry<'_>>(), 24 - i, &arena) }.unwrap().cast::<Entry<'_>>();
        // SAFETY: a slot is a zeroed entry.
        assert_eq!(unsafe { ((*slot).key.get(), (*slot).value) }, (None, 0));
        // SAFETY: as above.
        unsafe { slot.write(MapEntry { key: name.into(), value: i as u64 }) };
        // SAFETY: the slot is complete, and `key` reads such entries.
        unsafe { raw.commit(size_of::<Entry<'_>>(), key, &arena) }.unwrap();
        // SAFETY: as above.
        let at = unsafe { raw.find(size_of::<Entry<'_>>(), key, RawKey::Bytes(name.as_bytes())) };
        assert_eq!(at, keys.iter().position(|&other| other == name));
        assert_eq!((raw.is_empty(), raw.entries_ptr().is_null()), (false, false));
    }
    assert!(map.keys().map(|key| key.as_str()).eq(keys[..19].iter().copied()));
    assert_eq!((map.len(), map.get("a"), map.get("d"), map.get("q")), (19, Some(&19), Some(&3), Some(&23)));
}

/// What a clone does: entries copied as they are, then indexed at once.
#[test]
fn indexes_copied_entries() {
    type Entry = MapEntry<u32, u32>;
    unsafe fn key(entry: *const u8) -> RawKey<'static> {
        // SAFETY: an entry of this test.
        RawKey::Word(unsafe { (*entry.cast::<Entry>()).key })
    }
    for count in [0, 1, 12, 13, 40] {
        let mut memory = Memory::new(4096);
        let arena = Arena::from_buffer(memory.bytes());
        let mut map = Map::<u32, u32>::EMPTY;
        let raw = (&raw mut map).cast::<RawMap>();
        let entries: Vec<Entry> = (0..count).map(|i| MapEntry { key: i * i, value: i }).collect();
        let copy = arena.try_copy(&[0; 8 * 40]).unwrap().as_mut_ptr().cast::<Entry>();
        // SAFETY: room for 40 entries.
        unsafe { copy.copy_from_nonoverlapping(entries.as_ptr(), entries.len()) };
        let header = RawRepeated { ptr: copy.cast(), len: count, cap: count };
        // SAFETY: a map begins like an array, and these are its entries.
        unsafe { raw.cast::<RawRepeated>().write(header) };
        // SAFETY: no index yet, `count` entries with different keys.
        unsafe { (*raw).index_all(size_of::<Entry>(), key, &arena) }.unwrap();
        assert!((0..count).all(|i| map.get(&(i * i)) == Some(&i)) && map.get(&2).is_none());
        map.insert(2, 0, &arena);
        assert_eq!((map.len(), map.get(&2)), (entries.len() + 1, Some(&0)));
    }
}

/// A slot that is never committed does not exist.
#[test]
fn abandoned_slots_do_not_count() {
    let mut memory = Memory::new(1024);
    let arena = Arena::from_buffer(memory.bytes());
    let mut map = Map::<i32, i32>::EMPTY;
    map.insert(1, 1, &arena);
    // SAFETY: same layout; the size of the entries.
    unsafe { (*(&raw mut map).cast::<RawMap>()).slot(8, 1, &arena) }.unwrap();
    map.insert(2, 2, &arena);
    assert_eq!(format!("{map:?}"), "{1: 1, 2: 2}");
}
