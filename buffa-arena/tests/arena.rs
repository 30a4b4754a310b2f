//! `Arena` over a fixed buffer, and what all arenas have in common.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use buffa_arena::{Arena, ArenaError, Map, Repeated};
use support::{Memory, with_arenas};

#[test]
fn any_buffer_will_do() {
    let mut memory = Memory::new(64);
    for from in 0..16 {
        for len in 0..40 {
            let buffer = &mut memory.bytes()[from..from + len];
            let ends = buffer.as_ptr_range();
            let (first, last) = (ends.start.addr(), ends.end.addr());
            let arena = Arena::from_buffer(buffer);
            let mut count = 0;
            while let Ok(place) = arena.try_alloc(8) {
                let at = place.addr().get();
                assert!(at % 8 == 0 && first <= at && at + 8 <= last);
                count += 1;
            }
            assert_eq!(count, len.saturating_sub(1 + first.next_multiple_of(8) - first) / 8, "{from} {len}");
            assert_eq!((arena.capacity_bytes(), arena.allocated_bytes()), (8 * count, 8 * count));
        }
    }
}

#[test]
fn what_is_placed_stays() {
    with_arenas(2048, |[arena, _]| {
        let number = arena.place(7u64);
        let byte = arena.try_place(1u8).unwrap();
        let text = arena.copy_str("text");
        let bytes = arena.try_copy(&[1, 2, 3]).unwrap();
        let zero = arena.try_alloc_zeroed(5).unwrap();
        (*number, *byte, bytes[0]) = (8, 2, 9);
        assert_eq!((*number, *byte, text, &*bytes, zero.addr().get() % 8), (8, 2, "text", &[9, 2, 3][..], 0));
        assert_eq!((arena.try_copy_str("ü").unwrap(), arena.allocated_bytes()), ("ü", 48));
    });
}

#[test]
fn nothing_takes_nothing() {
    #[repr(align(8))]
    struct Aligned;
    with_arenas(64, |[arena, _]| {
        arena.place(());
        assert_eq!(core::ptr::from_ref(arena.place(Aligned)).addr() % 8, 0);
        assert_eq!((arena.copy_str(""), arena.try_copy(&[]).unwrap().len()), ("", 0));
        assert_eq!((arena.try_alloc(0).unwrap().addr().get() % 8, arena.allocated_bytes()), (0, 0));
    });
    let arena = Arena::from_buffer(&mut []);
    arena.place(());
    assert_eq!(arena.try_alloc(1), Err(ArenaError::Full));
}

#[test]
fn absurd_sizes_are_refused() {
    with_arenas(64, |[arena, _]| {
        for size in [usize::MAX, usize::MAX - 7, isize::MAX as usize + 1, isize::MAX as usize, isize::MAX as usize - 7] {
            assert_eq!(arena.try_alloc(size), Err(ArenaError::Full), "{size}");
        }
        arena.set_limit(1000);
        assert_eq!(arena.try_alloc(isize::MAX as usize - 8), Err(ArenaError::Limit));
        assert_eq!((arena.allocated_bytes(), *arena.place(1)), (0, 1));
    });
}

#[test]
fn the_limit_can_be_moved() {
    with_arenas(256, |[arena, _]| {
        assert_eq!(arena.limit(), usize::MAX);
        arena.set_limit(20);
        assert_eq!((arena.try_alloc(17), arena.limit()), (Err(ArenaError::Limit), 20));
        arena.try_alloc(9).unwrap();
        assert_eq!(arena.try_alloc(1), Err(ArenaError::Limit));
        arena.set_limit(24);
        arena.try_alloc(1).unwrap();
        arena.set_limit(0);
        assert_eq!((arena.try_alloc(1), arena.try_alloc(0).is_ok()), (Err(ArenaError::Limit), true));
        arena.set_limit(usize::MAX);
        arena.try_alloc(200).unwrap();
        assert_eq!(arena.allocated_bytes(), 224);
    });
}

#[test]
fn arrays_stop_growing_in_place_at_the_limit() {
    let mut memory = Memory::new(256);
    let arena = Arena::from_buffer(memory.bytes());
    arena.set_limit(64);
    let mut list = Repeated::EMPTY;
    while list.try_push(1u64, &arena).is_ok() {}
    assert_eq!((list.len(), arena.allocated_bytes()), (8, 64));
}

#[test]
fn extends_only_its_newest_array() {
    let mut memory = Memory::new(256);
    let arena = Arena::from_buffer(memory.bytes());
    let place = arena.try_alloc(8).unwrap();
    assert_eq!(arena.try_extend(place, 8, 16), None, "not made to grow");
    let mut list = Repeated::EMPTY;
    list.push(1u64, &arena);
    let array = core::ptr::NonNull::from(&list[0]).cast::<u8>();
    for (old, new) in
        [(0, 8), (7, 16), (16, 24), (8, 7), (8, 0), (8, 1000), (8, usize::MAX), (usize::MAX, usize::MAX), (usize::MAX, 8)]
    {
        assert_eq!(arena.try_extend(array, old, new), None, "{old} {new}");
    }
    assert_eq!(arena.allocated_bytes(), 16);
    assert_eq!((arena.try_extend(array, 8, 8), arena.try_extend(array, 8, 13)), (Some(array), Some(array)));
    assert_eq!((arena.allocated_bytes(), arena.try_extend(array, 8, 16)), (24, None));
}

#[test]
fn reset_starts_over() {
    let mut memory = Memory::new(128);
    let mut arena = Arena::from_buffer(memory.bytes());
    assert_eq!(arena.try_extend(core::ptr::NonNull::dangling(), 0, 8), None);
    let mut first = None;
    for round in 0..3u8 {
        let mut list = Repeated::EMPTY;
        while list.try_push(round, &arena).is_ok() {}
        assert_eq!((list.len(), list.iter().all(|&byte| byte == round)), (120, true));
        assert_eq!(*first.get_or_insert(list.as_ptr().addr()), list.as_ptr().addr());
        arena.reset();
        assert_eq!((arena.allocated_bytes(), arena.capacity_bytes()), (0, 120));
    }
    arena.set_limit(10);
    arena.reset();
    assert_eq!((arena.limit(), arena.try_alloc(9)), (10, Err(ArenaError::Limit)), "the limit stays");
}

#[test]
fn hash_seeds() {
    let mut memory = Memory::new(4096);
    let mut arena = Arena::from_buffer(memory.bytes());
    let drawn = arena.hash_seed();
    assert_eq!((drawn == 0, arena.hash_seed()), (false, drawn));
    let mut map = Map::EMPTY;
    for i in 0..20 {
        arena.set_hash_seed(1 << i);
        map.insert(i, i, &arena);
        assert!((0..=i).all(|key| map.get(&key) == Some(&key)), "an index keeps the seed it was made with");
    }
    arena.set_hash_seed(6);
    arena.reset();
    assert_eq!(arena.hash_seed(), 7);
}

#[test]
fn shows_its_numbers() {
    let mut memory = Memory::new(64);
    let arena = Arena::from_buffer(memory.bytes());
    arena.place(1u32);
    arena.set_limit(32);
    assert_eq!(format!("{arena:?}"), "Arena { allocated: 8, capacity: 56, limit: 32 }");
    assert_eq!(ArenaError::Full.to_string(), "arena is full");
    assert_eq!(ArenaError::Limit.to_string(), "arena byte limit reached");
    let _: &dyn core::error::Error = &ArenaError::Full;
}

#[test]
#[should_panic(expected = "arena is full")]
fn place_panics_when_full() {
    Arena::from_buffer(&mut []).place(1);
}

#[test]
#[should_panic(expected = "arena byte limit reached")]
fn copy_str_panics_at_the_limit() {
    let arena = Arena::from_buffer(&mut []);
    arena.set_limit(0);
    arena.copy_str("a");
}
