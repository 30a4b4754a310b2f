//! Every way to decode; all must agree.

use crate::encoders::{Done, observe};
use crate::guard::Guarded;
use crate::{hex, naive};
use buffa::{Arena, BumpArena, DecodeError, DecodeOptions, ErrorKind, Message, Owned};
use bytes::{Buf, Bytes};
use core::mem::MaybeUninit;

/// What a decoder made of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Done(Done),
    Failed(ErrorKind, usize, Option<String>),
}

/// How much is run.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'r> {
    pub options: DecodeOptions<'r>,
    /// At how many field boundaries the input is split for two merge calls.
    pub splits: usize,
    /// Also through the ways that are the same code in another wrapping.
    pub all: bool,
}

impl Setup<'_> {
    pub const fn new() -> Setup<'static> {
        Setup { options: DecodeOptions::new(), splits: usize::MAX, all: true }
    }
}

/// The outcome of one engine.
#[derive(Debug)]
struct Run {
    engine: &'static str,
    /// Whether it checks required fields.
    checks: bool,
    compare: Compare,
    outcome: Outcome,
}

/// What must be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    All,
    /// All but the offset of an error: it counts from somewhere else.
    NoOffset,
    /// The message, but not how its unknown fields lie in runs; that both fail, but not why: at the end of a frame the reason may
    /// depend on the bytes behind, which a split takes away.
    Message,
}

impl Compare {
    fn same(self, expected: &Outcome, outcome: &Outcome) -> bool {
        match (self, expected, outcome) {
            (Compare::NoOffset, Outcome::Failed(kind, ..), Outcome::Failed(other, ..)) => kind == other,
            (Compare::Message, Outcome::Failed(..), Outcome::Failed(..)) => true,
            (Compare::Message, Outcome::Done(a), Outcome::Done(b)) => {
                a.encoded == b.encoded && a.sorted == b.sorted && a.missing == b.missing
            }
            (_, expected, outcome) => expected == outcome,
        }
    }
}

/// Runs every engine, compares them, and returns what they agree on: the outcome without the check of required fields, and the
/// number of engines.
pub fn agree<M: Message<'static>>(input: &[u8], setup: &Setup<'_>) -> (Outcome, usize) {
    let runs = run_all::<M>(input, setup);
    let base = runs[0].outcome.clone();
    let strict = match &base {
        Outcome::Done(done) if !done.missing.is_empty() => {
            Outcome::Failed(ErrorKind::MissingRequired, 0, Some(done.missing.clone()))
        }
        other => other.clone(),
    };
    for run in &runs {
        let expected = if run.checks { &strict } else { &base };
        assert!(
            run.compare.same(expected, &run.outcome),
            "{} disagrees on {}\n{}: {:?}\nhere: {:?}",
            run.engine,
            hex::print(input),
            runs[0].engine,
            expected,
            run.outcome
        );
    }
    if let Outcome::Done(done) = &base {
        decode_again::<M>(done, setup);
    }
    (base, runs.len())
}

/// What was encoded decodes to an equal message, in both orders of maps.
fn decode_again<M: Message<'static>>(done: &Done, setup: &Setup<'_>) {
    let arena = Arena::new();
    let first = M::With::decode_partial(&done.encoded, &arena, &setup.options).unwrap();
    let second = M::With::decode_partial(&done.sorted, &arena, &setup.options).unwrap();
    assert!(first.try_encode_to_vec().unwrap() == done.encoded, "encoding {} is not stable", hex::print(&done.encoded));
    let nan = done.debug.contains("NaN");
    assert!(
        nan || buffa::__rt::eq(&first, &second),
        "deterministic encoding of {} is another message",
        hex::print(&done.encoded)
    );
}

fn outcome<'a, M: Message<'a>>(result: Result<&M, DecodeError>) -> Outcome {
    match result {
        Ok(message) => Outcome::Done(observe(message)),
        Err(error) => Outcome::Failed(error.kind(), error.offset(), error.missing_fields().map(String::from)),
    }
}

fn run_all<M: Message<'static>>(input: &[u8], setup: &Setup<'_>) -> Vec<Run> {
    let options = &setup.options;
    let guarded = Guarded::copy_of(input);
    let mut runs = Vec::new();
    let mut add = |engine, checks, outcome| runs.push(Run { engine, checks, compare: Compare::All, outcome });
    {
        let arena = Arena::new();
        add("decode_partial", false, outcome(M::With::decode_partial(&guarded, &arena, options).as_ref().map_err(Clone::clone)));
        add("decode_with", true, outcome(M::With::decode_with(&guarded, &arena, options).as_ref().map_err(Clone::clone)));
        add("decode_in", true, outcome(M::With::decode_in(&guarded, &arena, options).map(|message| &*message)));
        let mut message = M::With::default();
        let merged = message.merge_with(&guarded, &arena, options);
        add("merge_with", false, outcome(merged.map(|()| &message)));
    }
    {
        // Used memory, so that whatever is not zeroed shows.
        let mut arena = Arena::with_capacity(1 << 15);
        arena.try_copy(&[0xFF; 1 << 14]).unwrap();
        arena.reset();
        add("decode, used arena", true, outcome(M::With::decode_with(&guarded, &arena, options).as_ref().map_err(Clone::clone)));
    }
    {
        let mut buffer = vec![MaybeUninit::uninit(); (1 << 16) + 32 * input.len()];
        let arena = Arena::from_buffer(&mut buffer);
        add(
            "decode_with, fixed arena",
            true,
            outcome(M::With::decode_with(&guarded, &arena, options).as_ref().map_err(Clone::clone)),
        );
    }
    add("Owned::decode", true, owned(Owned::<M>::decode(&guarded, options)));
    add("Owned::decode_bytes", true, owned(Owned::<M>::decode_bytes(Bytes::copy_from_slice(input), options)));
    if setup.all {
        more::<M>(input, &guarded, options, &mut runs);
    }
    splits::<M>(&guarded, setup, &mut runs);
    runs
}

/// The same decoder in other wrappings.
fn more<M: Message<'static>>(input: &[u8], guarded: &Guarded, options: &DecodeOptions<'_>, runs: &mut Vec<Run>) {
    let mut add = |engine, checks, compare, outcome| runs.push(Run { engine, checks, compare, outcome });
    {
        let arena = Arena::new();
        // The copy is made and gone before the message is looked at.
        let copied = M::With::decode_copied(&Vec::from(input), &arena, options);
        add("decode_copied", true, Compare::All, outcome(copied.as_ref().map_err(Clone::clone)));
        let mut message = M::With::default();
        let merged = message.merge_copied(&Vec::from(input), &arena, options);
        add("merge_copied", false, Compare::All, outcome(merged.map(|()| &message)));
        // A deep copy outlives what it was copied from.
        if let Ok(copy) = copied.map(|message| message.clone_in(&arena).unwrap()) {
            add("clone_in", true, Compare::All, outcome(Ok(&copy)));
        }
    }
    {
        let bump = bumpalo::Bump::new();
        let arena: BumpArena<'_> = Arena::in_bump(&bump);
        add(
            "decode_with, caller's bump",
            true,
            Compare::All,
            outcome(M::With::decode_with(guarded, &arena, options).as_ref().map_err(Clone::clone)),
        );
    }
    {
        let arena = Arena::new();
        let prefixed = Guarded::copy_of(&[hex::varint(input.len() as u64), input.to_vec()].concat());
        let found = M::With::decode_length_delimited(&prefixed, &arena, options);
        if let Ok((_, used)) = &found {
            assert_eq!(*used, prefixed.len(), "decode_length_delimited counts its bytes");
        }
        let found = found.map(|(message, _)| message);
        add("decode_length_delimited", true, Compare::NoOffset, outcome(found.as_ref().map_err(Clone::clone)));
        let found = buffa::read_delimited::<M>(&mut Slow(&prefixed), options).map(|found| found.unwrap());
        add("read_delimited", true, Compare::NoOffset, owned(found));
    }
    add("read_message", true, Compare::All, owned(buffa::read_message::<M>(Slow(input), options)));
    let (first, second) = input.split_at(input.len() / 2);
    let all = Buf::chain(first, second).copy_to_bytes(input.len());
    add("Owned::decode_bytes, from a chain", true, Compare::All, owned(Owned::<M>::decode_bytes(all, options)));
    if let Ok(first) = Owned::<M>::decode(input, options) {
        let copy = first.clone();
        assert!(copy == first || format!("{first:?}").contains("NaN"), "a clone differs");
        drop(first);
        add("Owned::clone", true, Compare::All, owned(Ok(copy)));
    }
}

/// Two merge calls are one on the concatenation.
fn splits<M: Message<'static>>(guarded: &Guarded, setup: &Setup<'_>, runs: &mut Vec<Run>) {
    let (fields, _) = naive::fields(guarded, 100);
    let step = (fields.len() / setup.splits.max(1)).max(1);
    for field in fields.iter().step_by(step).take(setup.splits) {
        let arena = Arena::new();
        let mut message = M::With::default();
        let (first, second) = guarded.split_at(field.to);
        let merged = message.merge_with(first, &arena, &setup.options);
        let outcome = match merged {
            Err(error) => outcome(Err::<&M::With<'_>, _>(error)),
            Ok(()) => match outcome(message.merge_with(second, &arena, &setup.options).map(|()| &message)) {
                Outcome::Failed(kind, offset, path) => Outcome::Failed(kind, offset + field.to, path),
                done => done,
            },
        };
        runs.push(Run { engine: "merge in two", checks: false, compare: Compare::Message, outcome });
    }
}

fn owned<M: Message<'static>>(result: Result<Owned<M>, DecodeError>) -> Outcome {
    outcome(result.as_ref().map(Owned::get).map_err(Clone::clone))
}

/// A reader that yields one byte at a time.
struct Slow<'s>(&'s [u8]);

impl std::io::Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        match (self.0.split_first(), out.first_mut()) {
            (Some((byte, rest)), Some(place)) => {
                *place = *byte;
                self.0 = rest;
                Ok(1)
            }
            _ => Ok(0),
        }
    }
}
