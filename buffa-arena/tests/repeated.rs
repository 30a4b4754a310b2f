//! `Repeated` and `RawRepeated`.
#![allow(unsafe_code)] // `RawRepeated::grow`
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use buffa_arena::{Arena, ArenaError, RawRepeated, Repeated, Str};
use core::mem::MaybeUninit;
use support::{Memory, Note, Tick, bytes_of, note, scaled};

#[test]
fn starts_empty() {
    let mut list = Repeated::<u64>::default();
    assert_eq!((list.pop(), list.len(), list.as_slice(), &list), (None, 0, &[][..], &Repeated::EMPTY));
    list.truncate(3);
    list.clear();
    let nowhere = Arena::from_buffer(&mut []);
    assert_eq!(list.try_make_mut(&nowhere), Ok(&mut [][..]));
    assert_eq!((list.try_reserve(0, &nowhere), list.try_push(1, &nowhere)), (Ok(()), Err(ArenaError::Full)));
    assert_eq!(format!("{list:?}"), "[]");
}

#[test]
fn works_like_a_vec() {
    let mut memory = Memory::new(4096);
    let arena = Arena::from_buffer(memory.bytes());
    let mut list = Repeated::EMPTY;
    list.push(1, &arena);
    list.extend([2, 3, 4], &arena);
    list.try_push(5, &arena).unwrap();
    assert_eq!(list, [1, 2, 3, 4, 5]);
    assert_eq!((list == [1, 2][..], list.first(), list.iter().sum()), (false, Some(&1), 15));
    assert_eq!(list.pop(), Some(5));
    list.make_mut(&arena)[0] = 9;
    list.truncate(usize::MAX);
    list.truncate(9);
    list.truncate(2);
    assert_eq!((&list[..], format!("{list:?}")), (&[9, 2][..], "[9, 2]".to_string()));
    let at = list.as_ptr();
    list.clear();
    list.push(7, &arena);
    assert_eq!((list.as_ptr(), (&list).into_iter().collect::<Vec<_>>()), (at, vec![&7]), "the room stays");
    assert_eq!(Repeated::copied(&[7], &arena).unwrap(), list);
}

#[test]
fn shared_arrays_are_copied_when_changed() {
    let mut memory = Memory::new(4096);
    let arena = Arena::from_buffer(memory.bytes());
    let shared = [1u16, 2, 3];
    let (mut a, mut b, mut c) = (Repeated::from(&shared), Repeated::from(&shared[..]), Repeated::from(&shared));
    assert_eq!((a.as_ptr(), b.as_ptr()), (shared.as_ptr(), shared.as_ptr()));
    assert_eq!((a.pop(), a.len(), arena.allocated_bytes()), (Some(3), 2, 0), "shrinking needs no copy");
    a.push(9, &arena);
    b.make_mut(&arena)[0] = 8;
    c.try_reserve(100, &arena).unwrap();
    assert_eq!((&a[..], &b[..], &c[..], shared), (&[1, 2, 9][..], &[8, 2, 3][..], &[1, 2, 3][..], [1, 2, 3]));
    let mut none = Repeated::<u16>::from(&[]);
    none.push(1, &arena);
    assert_eq!(none, [1]);
}

#[test]
fn shared_arrays_may_be_of_zero_size() {
    let mut list = Repeated::from(&[(), ()]);
    assert_eq!((list.len(), list.pop(), list.len()), (2, Some(()), 1));
}

#[test]
fn holds_messages_in_the_arena_or_at_the_callers_place() {
    let mut memory = Memory::new(4096);
    let arena = Arena::from_buffer(memory.bytes());
    let mut place = [note(1), note(2)];
    let at = place.as_ptr().addr();
    let mut list = Repeated::from(&mut place);
    list[0].id += 10;
    list[1].text = "written at the place".into();
    assert_eq!((list.as_ptr().addr(), list[0].id), (at, 11));
    list.push(note(3), &arena);
    list[2].tags.push("in the arena".into(), &arena);
    assert_ne!(list.as_ptr().addr(), at, "the place is full");
    assert_eq!(list.iter().map(|note| note.id).collect::<Vec<_>>(), [11, 2, 3]);
    assert_eq!((list[1].text.as_str(), list[2].tags[0].as_str()), ("written at the place", "in the arena"));
    list.iter_mut().for_each(|note| note.id = 0);
    let popped = list.pop().unwrap();
    assert_eq!((popped.tags.len(), list.len()), (1, 2));
    let mut none = Repeated::<Note<'_>>::from(&mut []);
    assert!(none.iter_mut().next().is_none());
    none.push(popped, &arena);
    assert_eq!(none[0].tags[0], "in the arena");
}

#[test]
fn the_newest_array_grows_in_place() {
    let mut memory = Memory::new(4096);
    let arena = Arena::from_buffer(memory.bytes());
    let mut list = Repeated::EMPTY;
    list.push(0u8, &arena);
    let at = list.as_ptr();
    list.extend(1..200, &arena);
    assert_eq!((list.as_ptr(), list.len()), (at, 200));
    assert!(arena.allocated_bytes() <= 400, "{arena:?}");
    arena.place(1u8);
    list.extend(200..=255, &arena);
    list.try_reserve(100, &arena).unwrap();
    assert_ne!(list.as_ptr(), at, "something stands behind it now");
    assert!((0..=255).eq(list.iter().copied()));
}

#[test]
fn growth_takes_what_is_left_when_doubling_does_not_fit() {
    let mut memory = Memory::new(800);
    let arena = Arena::from_buffer(memory.bytes());
    let mut list = Repeated::EMPTY;
    while list.try_push(list.len(), &arena).is_ok() {}
    assert_eq!((list.len() * size_of::<usize>(), arena.allocated_bytes()), (arena.capacity_bytes(), arena.capacity_bytes()));
    assert!((0..list.len()).eq(list.iter().copied()));
}

/// Ledger 10: an equal end address proves nothing, since the blocks of two arenas can be neighbours.
#[test]
fn arrays_of_a_neighbouring_arena_are_not_grown_in_place() {
    for lower_owns in [true, false] {
        let mut memory = Memory::new(512);
        let (low, high) = memory.bytes().split_at_mut(128);
        let (low, high) = (Arena::from_buffer(low), Arena::from_buffer(high));
        let (owner, other) = if lower_owns { (&low, &high) } else { (&high, &low) };
        owner.set_limit(120);
        let mut list = Repeated::EMPTY;
        while list.try_push(list.len(), owner).is_ok() {}
        let (at, len) = (list.as_ptr(), list.len());
        // The array of the upper arena begins where a full lower arena has its top.
        while !lower_owns && other.try_alloc(8).is_ok() {}
        assert_eq!(list.try_push(len, other).is_ok(), lower_owns);
        assert_eq!((list.as_ptr() != at, owner.allocated_bytes()), (lower_owns, 120));
        let _ = (owner.try_alloc(8), other.try_copy(&[0xFF; 8]));
        assert!((0..list.len()).eq(list.iter().copied()));
    }
}

/// Two messages of four bytes fill one allocation of eight: the first may not grow over the second.
#[test]
fn places_are_not_grown_over_their_neighbours() {
    let mut memory = Memory::new(256);
    let arena = Arena::from_buffer(memory.bytes());
    let (left, right) = arena.place([Tick::new(1), Tick::new(2)]).split_at_mut(1);
    let (mut left, mut right) = (Repeated::from(left), Repeated::from(right));
    left.push(Tick::new(3), &arena);
    right.push(Tick::new(4), &arena);
    assert_eq!((&left[..], &right[..]), (&[Tick::new(1), Tick::new(3)][..], &[Tick::new(2), Tick::new(4)][..]));
    // The same with halves of an array that was made to grow.
    let mut four = Repeated::EMPTY;
    four.extend((0..4).map(Tick::new), &arena);
    let (left, right) = four.split_at_mut(3);
    let mut left = Repeated::from(left);
    left.push(Tick::new(9), &arena);
    assert_eq!((left.len(), right[0].n), (4, 3));
}

/// An arena inside a buffer that is the newest array of another: the outer one may not grow what the inner one gave out, or the
/// inner one's claim to its buffer would be lost.
#[test]
fn arrays_of_an_inner_arena_are_not_grown_by_the_outer() {
    let mut memory = Memory::new(1024);
    let outer = Arena::from_buffer(memory.bytes());
    let placed = outer.place([MaybeUninit::<u64>::uninit(); 8]);
    check(bytes_of(placed), &outer);
    let mut array = Repeated::EMPTY;
    array.push([MaybeUninit::<u64>::uninit(); 8], &outer);
    check(bytes_of(&mut array.make_mut(&outer)[0]), &outer);

    fn check(buffer: &mut [MaybeUninit<u8>], outer: &Arena<'_>) {
        let mut inner = Arena::from_buffer(buffer);
        let mut list = Repeated::EMPTY;
        while list.try_push(7u64, &inner).is_ok() {}
        for _ in 0..9 {
            list.push(7, outer);
        }
        list.make_mut(outer).fill(8);
        assert!(list.iter().all(|&n| n == 8));
        inner.reset();
        assert_eq!(inner.try_copy(&[1; 16]).unwrap()[15], 1);
    }
}

#[test]
fn every_failed_allocation_changes_nothing() {
    for limit in (0..scaled(2000, 300)).step_by(scaled(8, 40)) {
        let mut memory = Memory::new(8192);
        let arena = Arena::from_buffer(memory.bytes());
        arena.set_limit(limit);
        let shared = [1u32, 2, 3];
        let (mut list, mut shares) = (Repeated::EMPTY, Repeated::from(&shared));
        for i in 0..100u32 {
            let before = list.to_vec();
            match i % 3 {
                0 => match list.try_reserve(i as usize, &arena) {
                    Ok(()) => assert_eq!(list, before[..]),
                    Err(error) => assert_eq!((error, &list[..]), (ArenaError::Limit, &before[..])),
                },
                _ => match list.try_push(i, &arena) {
                    Ok(()) => assert_eq!(list.split_last(), Some((&i, &before[..]))),
                    Err(error) => assert_eq!((error, &list[..]), (ArenaError::Limit, &before[..])),
                },
            }
        }
        if shares.try_make_mut(&arena).is_err() {
            assert_eq!((&shares[..], shares.as_ptr()), (&shared[..], shared.as_ptr()));
        }
        arena.set_limit(usize::MAX);
        list.push(0, &arena);
        shares.push(4, &arena);
        assert_eq!(shares, [1, 2, 3, 4]);
    }
}

#[test]
fn absurd_sizes_are_refused() {
    let mut memory = Memory::new(256);
    let arena = Arena::from_buffer(memory.bytes());
    let mut list = Repeated::EMPTY;
    list.push(1u64, &arena);
    for additional in [usize::MAX, usize::MAX - 1, isize::MAX as usize, usize::MAX / 8, u32::MAX as usize, u32::MAX as usize - 1]
    {
        assert_eq!(list.try_reserve(additional, &arena), Err(ArenaError::Full), "{additional}");
    }
    assert_eq!((&list[..], arena.allocated_bytes()), (&[1][..], 8));
    list.push(2, &arena);
    assert_eq!(list, [1, 2]);
}

#[test]
#[should_panic(expected = "arena is full")]
fn push_panics_when_full() {
    Repeated::default().push(1, &Arena::from_buffer(&mut []));
}

#[test]
#[should_panic(expected = "arena is full")]
fn make_mut_panics_when_full() {
    Repeated::from(&[1]).make_mut(&Arena::from_buffer(&mut []));
}

#[test]
fn copied_reports_a_full_arena() {
    let mut memory = Memory::new(64);
    let arena = Arena::from_buffer(memory.bytes());
    assert_eq!(Repeated::copied(&[0u8; 64], &arena), Err(ArenaError::Full));
    assert_eq!(Repeated::copied(&[Str::from("a"); 2], &arena).unwrap()[1], "a");
}

/// What a kernel does: the field by its raw layout, elements by size.
#[test]
fn grows_raw() {
    for size in 1..=24 {
        let mut memory = Memory::new(1024);
        let arena = Arena::from_buffer(memory.bytes());
        let mut raw = RawRepeated { ptr: core::ptr::null_mut(), len: 0, cap: 0 };
        for i in 0..10u8 {
            if raw.len == raw.cap {
                // SAFETY: the array is this test's alone, its elements are of `size` bytes.
                unsafe { raw.grow(size, 1, &arena) }.unwrap();
                assert!(raw.cap > raw.len);
            }
            // SAFETY: there is room for one more.
            let place = unsafe { raw.ptr.add(raw.len as usize * size) };
            // SAFETY: as above.
            unsafe { place.write_bytes(i, size) };
            raw.len += 1;
        }
        // SAFETY: ten elements are initialized.
        let bytes = unsafe { core::slice::from_raw_parts(raw.ptr, 10 * size) };
        assert!(bytes.chunks(size).enumerate().all(|(i, chunk)| chunk.iter().all(|&b| usize::from(b) == i)));
    }
}

#[test]
fn begins_raw_with_exactly_the_count() {
    let mut memory = Memory::new(128);
    let arena = Arena::from_buffer(memory.bytes());
    let mut raw = RawRepeated { ptr: core::ptr::null_mut(), len: 0, cap: 0 };
    for (size, count) in [(8, usize::MAX), (usize::MAX / 2, 3), (1, u32::MAX as usize), (4, 31), (121, 1)] {
        // SAFETY: the array has no elements and no room.
        assert_eq!(unsafe { raw.begin(size, count, &arena) }, Err(ArenaError::Full), "{size} {count}");
        assert_eq!((raw.ptr.is_null(), raw.len, raw.cap, arena.allocated_bytes()), (true, 0, 0, 0));
    }
    // SAFETY: as above.
    unsafe { raw.begin(4, 6, &arena) }.unwrap();
    assert_eq!((raw.len, raw.cap, arena.allocated_bytes()), (0, 6, 24));
    let at = raw.ptr;
    raw.len = 6;
    // SAFETY: the elements are bytes to be copied, initialized or not.
    unsafe { raw.grow(4, 1, &arena) }.unwrap();
    assert_eq!((raw.ptr, raw.cap, arena.allocated_bytes()), (at, 12, 48), "it grows in place like any other");
}

#[test]
fn the_raw_layout_is_that_of_the_field() {
    let mut memory = Memory::new(256);
    let arena = Arena::from_buffer(memory.bytes());
    let mut list = Repeated::<u64>::EMPTY;
    let raw = (&raw mut list).cast::<RawRepeated>();
    // SAFETY: same layout; the array is the field's alone.
    unsafe { (*raw).grow(8, 3, &arena) }.unwrap();
    // SAFETY: room for three.
    unsafe { (*raw).ptr.cast::<[u64; 3]>().write([1, 2, 3]) };
    // SAFETY: three are initialized.
    unsafe { (*raw).len = 3 };
    list.push(4, &arena);
    assert_eq!(list, [1, 2, 3, 4]);
}
