//! `UnknownFields`: runs of input bytes, joined where they touch.
#![allow(unsafe_code)] // `try_push_range`
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use buffa_arena::{Arena, ArenaError, Blob, UnknownFields};
use core::ops::Range;
use support::{Memory, Random, scaled};

/// Pushes `input[range]` as a decoder does: all pointers derived from that of the whole input.
fn push<'a>(
    unknown: &mut UnknownFields<'a>,
    input: &'a [u8],
    range: Range<usize>,
    arena: &'a Arena<'_>,
) -> Result<(), ArenaError> {
    assert!(range.start <= range.end && range.end <= input.len());
    let base = input.as_ptr();
    // SAFETY: both ends lie in the input, which lives as long as `'a`.
    unsafe { unknown.try_push_range(base, base.add(range.start), base.add(range.end), arena) }
}

fn concat(unknown: &UnknownFields<'_>) -> Vec<u8> {
    unknown.runs().iter().flat_map(|run| run.as_bytes()).copied().collect()
}

#[test]
fn runs_stay_in_order() {
    let mut memory = Memory::new(1024);
    let arena = Arena::from_buffer(memory.bytes());
    let mut unknown = UnknownFields::default();
    assert!(unknown.is_empty() && unknown.runs().is_empty());
    unknown.try_push_run(Blob::UNSET, &arena).unwrap();
    unknown.try_push_run(b"".into(), &arena).unwrap();
    assert_eq!((unknown.is_empty(), arena.allocated_bytes()), (true, 0), "nothing is stored for nothing");
    for run in [b"ab", b"cd", b"ef"] {
        unknown.try_push_run(run.into(), &arena).unwrap();
    }
    assert_eq!((unknown.runs().len(), concat(&unknown)), (3, b"abcdef".to_vec()));
    assert_eq!(format!("{unknown:?}"), r#"[b"ab", b"cd", b"ef"]"#);
    unknown.clear();
    assert!(unknown.is_empty());
    unknown.try_push_run(b"new".into(), &arena).unwrap();
    assert_eq!(concat(&unknown), b"new");
}

#[test]
fn touching_ranges_of_one_input_are_joined() {
    let mut memory = Memory::new(1024);
    let arena = Arena::from_buffer(memory.bytes());
    let input = *b"0123456789";
    let mut unknown = UnknownFields::EMPTY;
    for range in [0..2, 2..3, 3..3, 5..6, 6..10] {
        push(&mut unknown, &input, range, &arena).unwrap();
    }
    assert_eq!(unknown.runs(), [Blob::new(b"012"), Blob::new(b"56789")]);
    push(&mut unknown, &input, 2..4, &arena).unwrap();
    assert_eq!(unknown.runs().len(), 3, "a range that begins before the end of the latest run is a run of its own");
}

/// Two inputs can be neighbours in memory; a run may be joined only with a pointer that covers both parts.
#[test]
fn neighbouring_inputs_are_not_joined() {
    let mut memory = Memory::new(1024);
    let arena = Arena::from_buffer(memory.bytes());
    let bytes = *b"0123456789";
    let (left, right) = bytes.split_at(4);
    let mut unknown = UnknownFields::EMPTY;
    push(&mut unknown, left, 2..4, &arena).unwrap();
    push(&mut unknown, right, 0..3, &arena).unwrap();
    assert_eq!(unknown.runs(), [Blob::new(b"23"), Blob::new(b"456")]);
    // The whole covers the latest run, so that may be joined, with the pointer of the whole.
    push(&mut unknown, &bytes, 7..9, &arena).unwrap();
    assert_eq!(unknown.runs(), [Blob::new(b"23"), Blob::new(b"45678")]);
}

#[test]
fn ranges_agree_with_a_model() {
    for seed in 0..scaled(200, 2) as u64 {
        let mut random = Random::new(seed);
        let mut memory = Memory::new(16 << 10);
        let arena = Arena::from_buffer(memory.bytes());
        let inputs: [Vec<u8>; 2] = core::array::from_fn(|i| (0..50).map(|b| b + 100 * u8::try_from(i).unwrap()).collect());
        let (mut unknown, mut model, mut at) = (UnknownFields::EMPTY, Vec::new(), [0, 0]);
        for _ in 0..40 {
            let which = random.below(2);
            let input = &inputs[which];
            let from = (at[which] + random.below(2) * random.below(3)).min(input.len());
            let to = (from + random.below(4)).min(input.len());
            push(&mut unknown, input, from..to, &arena).unwrap();
            model.extend_from_slice(&input[from..to]);
            at[which] = to;
            assert_eq!(concat(&unknown), model);
        }
        assert!(unknown.runs().iter().all(|run| !run.is_empty()));
    }
}

#[test]
fn every_failed_push_changes_nothing() {
    let input = [7u8; 64];
    for limit in (0..scaled(600, 300)).step_by(scaled(8, 24)) {
        let mut memory = Memory::new(1024);
        let arena = Arena::from_buffer(memory.bytes());
        arena.set_limit(limit);
        let mut unknown = UnknownFields::EMPTY;
        let mut pushed = 0;
        for i in 0..12 {
            let before = unknown.runs().to_vec();
            match push(&mut unknown, &input, 4 * i..4 * i + 2, &arena) {
                Ok(()) => pushed += 1,
                Err(error) => assert_eq!((error, unknown.runs()), (ArenaError::Limit, before.as_slice())),
            }
        }
        assert_eq!(unknown.runs().len(), pushed);
        arena.set_limit(usize::MAX);
        push(&mut unknown, &input, 60..63, &arena).unwrap();
        assert_eq!(unknown.runs().len(), pushed + 1, "and it can be used on");
    }
}
