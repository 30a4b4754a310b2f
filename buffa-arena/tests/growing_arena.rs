//! Arenas that take blocks from an allocator.
#![cfg(feature = "alloc")]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use buffa_arena::{Arena, ArenaError, Repeated};
use bumpalo::Bump;
use support::{Note, note, scaled};

/// Allocates `count` times 1 KiB and checks that all stay where and what they are.
fn fill(arena: &Arena<'_>, count: usize) {
    let given: Vec<_> = (0..count).map(|i| (i, arena.place([i; 1024 / size_of::<usize>()]))).collect();
    assert!(given.iter().all(|(i, block)| block.iter().all(|n| n == i)));
}

#[test]
fn blocks_never_move() {
    fill(&Arena::new(), scaled(50, 8));
    fill(&Arena::default(), 5);
    fill(&Arena::from_bump(Bump::with_capacity(5000)), 20);
    let bump = Bump::new();
    fill(&Arena::in_bump(&bump), scaled(50, 8));
    let arena = Arena::new();
    let kept = arena.copy_str("kept");
    arena.try_alloc(3 << 20).unwrap();
    assert_eq!((kept, arena.copy_str("small again")), ("kept", "small again"));
}

#[test]
fn nothing_is_allocated_before_it_is_needed() {
    let arena = Arena::with_capacity(10_000);
    assert_eq!((arena.capacity_bytes(), arena.allocated_bytes()), (0, 0));
    arena.try_alloc(0).unwrap();
    assert_eq!(arena.capacity_bytes(), 0);
    arena.place(1u8);
    assert!(arena.capacity_bytes() >= 10_000);
}

#[test]
fn capacity_is_what_was_asked_for() {
    for bytes in [1, 100, 1001, 5000] {
        let arena = Arena::with_capacity(bytes);
        arena.place(0u8);
        assert!(arena.capacity_bytes() >= bytes.next_multiple_of(8), "{bytes}: {arena:?}");
    }
    let arena = Arena::with_capacity(usize::MAX);
    assert_eq!((*arena.place(7), arena.allocated_bytes()), (7, 8), "what cannot be had is not insisted on");
}

#[test]
fn reset_keeps_the_largest_block() {
    let mut arena = Arena::new();
    arena.reset();
    assert_eq!(arena.capacity_bytes(), 0);
    let mut capacities = Vec::new();
    for _ in 0..6 {
        fill(&arena, 20);
        arena.reset();
        assert_eq!(arena.allocated_bytes(), 0);
        capacities.push(arena.capacity_bytes());
    }
    assert!(capacities[0] > 1024 && capacities.is_sorted(), "{capacities:?}");
    assert!(capacities[3] >= 20 << 10 && capacities[3] == capacities[5], "the same again fits in one block: {capacities:?}");
}

/// A block that was never used, because the first allocation after a reset did not fit, is given back too.
#[test]
fn reset_gives_unused_blocks_back() {
    let bump = Bump::new();
    bump.set_allocation_limit(Some(100_000));
    let mut arena = Arena::from_bump(bump);
    while arena.capacity_bytes() < 60_000 {
        arena.try_alloc(arena.capacity_bytes() + 8).unwrap();
        arena.reset();
    }
}

/// Work that is larger than a block usually gets settles in one block all the same.
#[test]
fn large_work_settles() {
    let bump = Bump::new();
    let (mut owned, mut borrowed) = (Arena::new(), Arena::in_bump(&bump));
    let mut taken = Vec::new();
    for _ in 0..4 {
        for _ in 0..30 {
            owned.try_alloc(100_000).unwrap();
            borrowed.try_alloc(100_000).unwrap();
        }
        owned.reset();
        borrowed.reset();
        taken.push((owned.capacity_bytes(), bump.allocated_bytes()));
    }
    assert!(taken[2] == taken[3] && owned.capacity_bytes() >= 3_000_000, "{taken:?}");
    assert!(borrowed.capacity_bytes() >= 3_000_000);
}

#[test]
fn limits_hold_across_blocks() {
    let mut arena = Arena::new();
    for limit in [0, 8, 1000, 1024, 5000, 100_003] {
        arena.set_limit(limit);
        while arena.try_alloc(24).is_ok() {}
        assert_eq!((arena.try_alloc(24), arena.allocated_bytes()), (Err(ArenaError::Limit), limit / 24 * 24));
        arena.reset();
    }
    arena.set_limit(64);
    assert_eq!(arena.try_alloc(65), Err(ArenaError::Limit));
    arena.try_alloc(64).unwrap();
}

#[test]
fn the_limit_of_a_bump_holds() {
    let bump = Bump::new();
    bump.set_allocation_limit(Some(10_000));
    let mut arena = Arena::from_bump(bump);
    for _ in 0..3 {
        while arena.try_alloc(100).is_ok() {}
        assert_eq!(arena.try_alloc(100), Err(ArenaError::Full));
        assert!((1000..=10_000).contains(&arena.capacity_bytes()), "{arena:?}");
        arena.reset();
    }
}

#[test]
fn shares_the_bump_of_the_caller() {
    let bump = Bump::new();
    let mine = bump.alloc(1u64);
    let mut arena = Arena::in_bump(&bump);
    for round in 0..3 {
        let mut list = Repeated::EMPTY;
        for i in 0..300u64 {
            list.push(i, &arena);
            *bump.alloc(u64::MAX) = round;
        }
        *mine += round;
        assert!((0..300).eq(list.iter().copied()));
        arena.reset();
        assert_eq!(arena.allocated_bytes(), 0);
    }
    assert_eq!((*mine, format!("{arena:?}").contains("BumpArena")), (4, true));
}

/// The same work again and again settles in one block instead of taking more of the `Bump` each time.
#[test]
fn a_bump_arena_settles() {
    let bump = Bump::new();
    let mut arena = Arena::in_bump(&bump);
    let mut taken = Vec::new();
    for _ in 0..6 {
        fill(&arena, scaled(60, 12));
        arena.reset();
        taken.push(bump.allocated_bytes());
    }
    assert_eq!(taken[2], taken[5], "{taken:?}");
    assert!(arena.capacity_bytes() >= scaled(60, 12) << 10);
}

#[test]
fn arenas_move_with_their_blocks() {
    let arena = Arena::new();
    fill(&arena, 3);
    let boxed = Box::new(arena);
    let moved = std::thread::spawn(move || {
        fill(&boxed, 3);
        *boxed
    });
    let mut arena = moved.join().unwrap();
    fill(&arena, 3);
    arena.reset();
    fill(&arena, 3);
}

#[test]
fn messages_of_two_arenas_may_be_swapped() {
    let (one, two) = (Arena::new(), Arena::new());
    let (mut a, mut b): (Note<'_>, Note<'_>) = (note(1), note(2));
    a.child.get_or_default(&one).tags.push("one".into(), &one);
    b.child.get_or_default(&two).tags.push("two".into(), &two);
    core::mem::swap(&mut a, &mut b);
    core::mem::swap(&mut a.child, &mut b.child);
    a.child.get_or_default(&two).tags.push("both".into(), &two);
    assert_eq!((a.id, b.id, a.child.tags.len(), b.child.tags[0].as_str()), (2, 1, 2, "two"));
}

#[cfg(feature = "std")]
#[test]
fn seeds_differ_between_arenas() {
    let seeds: std::collections::HashSet<u64> = (0..8).map(|_| Arena::new().hash_seed()).collect();
    assert_eq!(seeds.len(), 8);
}
