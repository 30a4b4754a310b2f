//! What is timed: one library doing one operation on one set, behind one small trait.

use std::fmt::Debug;
use std::hint::black_box;

use bytes::Bytes;

/// What a contestant does with each message of its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Parse and validate everything, into a new message or a reused one.
    Decode,
    /// Parse one level; nested messages stay bytes, unchecked.
    Lazy,
    /// Encode into a new `Vec`.
    ToVec,
    /// Encode into a buffer that already has the room.
    IntoBuffer,
}

impl Op {
    pub const ALL: &[Op] = &[Op::Decode, Op::Lazy, Op::ToVec, Op::IntoBuffer];

    pub fn name(self) -> &'static str {
        match self {
            Op::Decode => "decode",
            Op::Lazy => "lazy",
            Op::ToVec => "to_vec",
            Op::IntoBuffer => "into_buffer",
        }
    }

    pub fn describe(self) -> &'static str {
        match self {
            Op::Decode => "decode (everything parsed and checked)",
            Op::Lazy => "decode lazily (one level, nested messages unchecked)",
            Op::ToVec => "encode to a new Vec",
            Op::IntoBuffer => "encode into a reused buffer",
        }
    }
}

/// One library's way of doing one operation on the messages of one set.
pub trait Contestant {
    /// Does it to every message of the set, `passes` times over. This is what is timed.
    fn run(&mut self, passes: u32);

    /// Does it to one message and returns the encoded form of what it saw, for the check.
    fn witness(&mut self, index: usize) -> Result<Vec<u8>, String>;
}

/// A contestant with its name and place in the report.
pub struct Entry<'a> {
    pub library: &'static str,
    /// How the library was used: "view", "reused", or empty for its plain way.
    pub way: &'static str,
    pub op: Op,
    /// Something a reader of the numbers must know.
    pub caveat: Option<&'static str>,
    pub contestant: Box<dyn Contestant + 'a>,
}

impl<'a> Entry<'a> {
    pub fn new(library: &'static str, way: &'static str, op: Op, contestant: impl Contestant + 'a) -> Self {
        Entry { library, way, op, caveat: None, contestant: Box::new(contestant) }
    }

    pub fn with_caveat(mut self, caveat: Option<&'static str>) -> Self {
        self.caveat = caveat;
        self
    }

    pub fn is_ours(&self) -> bool {
        self.library == OURS
    }

    pub fn label(&self) -> String {
        format!("{} {}", self.library, self.way).trim_end().to_owned()
    }
}

/// The library name of our own entries.
pub const OURS: &str = "ours";

/// Decodes into a new value each time and drops it; `encode` is for the check.
pub fn fresh<'a, M, X: Debug>(
    payloads: &'a [Bytes],
    decode: impl Fn(&'a Bytes) -> Result<M, X>,
    encode: impl Fn(&M) -> Vec<u8>,
) -> impl Contestant {
    Fresh { payloads, decode, encode }
}

struct Fresh<'a, D, E> {
    payloads: &'a [Bytes],
    decode: D,
    encode: E,
}

impl<'a, M, X, D, E> Contestant for Fresh<'a, D, E>
where
    X: Debug,
    D: Fn(&'a Bytes) -> Result<M, X>,
    E: Fn(&M) -> Vec<u8>,
{
    fn run(&mut self, passes: u32) {
        for _ in 0..passes {
            for payload in self.payloads {
                black_box(&verified((self.decode)(black_box(payload))));
            }
        }
    }

    fn witness(&mut self, index: usize) -> Result<Vec<u8>, String> {
        Ok((self.encode)(&said((self.decode)(&self.payloads[index]))?))
    }
}

/// Decodes into something that outlives the message: a cleared message, an arena that was reset.
///
/// `witness` decodes in the same way and encodes what it got.
pub fn reused<'a, S, X: Debug>(
    payloads: &'a [Bytes],
    state: S,
    decode: impl Fn(&mut S, &'a Bytes) -> Result<(), X>,
    witness: impl Fn(&mut S, &'a Bytes) -> Result<Vec<u8>, X>,
) -> impl Contestant {
    Reused { payloads, state, decode, witness }
}

struct Reused<'a, S, D, W> {
    payloads: &'a [Bytes],
    state: S,
    decode: D,
    witness: W,
}

impl<'a, S, X, D, W> Contestant for Reused<'a, S, D, W>
where
    X: Debug,
    D: Fn(&mut S, &'a Bytes) -> Result<(), X>,
    W: Fn(&mut S, &'a Bytes) -> Result<Vec<u8>, X>,
{
    fn run(&mut self, passes: u32) {
        for _ in 0..passes {
            for payload in self.payloads {
                verified((self.decode)(&mut self.state, black_box(payload)));
                black_box(&mut self.state);
            }
        }
    }

    fn witness(&mut self, index: usize) -> Result<Vec<u8>, String> {
        said((self.witness)(&mut self.state, &self.payloads[index]))
    }
}

/// Encodes decoded messages, each into a new `Vec`.
pub fn to_vec<M>(messages: Vec<M>, encode: impl Fn(&M) -> Vec<u8>) -> impl Contestant {
    ToVec { messages, encode }
}

struct ToVec<M, E> {
    messages: Vec<M>,
    encode: E,
}

impl<M, E: Fn(&M) -> Vec<u8>> Contestant for ToVec<M, E> {
    fn run(&mut self, passes: u32) {
        for _ in 0..passes {
            for message in &self.messages {
                black_box((self.encode)(black_box(message)));
            }
        }
    }

    fn witness(&mut self, index: usize) -> Result<Vec<u8>, String> {
        Ok((self.encode)(at(&self.messages, index)?))
    }
}

/// Encodes decoded messages into one buffer, over and over.
///
/// `encode` overwrites what the buffer holds and returns the encoded bytes in it.
pub fn into_buffer<M, B>(messages: Vec<M>, buffer: B, encode: impl for<'b> Fn(&M, &'b mut B) -> &'b [u8]) -> impl Contestant {
    IntoBuffer { messages, buffer, encode }
}

struct IntoBuffer<M, B, E> {
    messages: Vec<M>,
    buffer: B,
    encode: E,
}

impl<M, B, E: for<'b> Fn(&M, &'b mut B) -> &'b [u8]> Contestant for IntoBuffer<M, B, E> {
    fn run(&mut self, passes: u32) {
        for _ in 0..passes {
            for message in &self.messages {
                black_box((self.encode)(black_box(message), &mut self.buffer));
            }
        }
    }

    fn witness(&mut self, index: usize) -> Result<Vec<u8>, String> {
        Ok((self.encode)(at(&self.messages, index)?, &mut self.buffer).to_vec())
    }
}

/// Decodes every payload, for the encoders, up to the first that fails (which the check then reports).
pub fn decode_all<'a, M, X>(payloads: &'a [Bytes], decode: impl Fn(&'a Bytes) -> Result<M, X>) -> Vec<M> {
    payloads.iter().map_while(|payload| decode(payload).ok()).collect()
}

/// The result of a call that the check has seen succeed on this very input.
#[expect(clippy::panic, reason = "a failure here is a bug of the harness")]
pub fn verified<T, X: Debug>(result: Result<T, X>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("failed while timed, though it passed the check: {error:?}"),
    }
}

fn at<M>(messages: &[M], index: usize) -> Result<&M, String> {
    messages.get(index).ok_or_else(|| format!("payload {} did not decode", messages.len()))
}

fn said<T, X: Debug>(result: Result<T, X>) -> Result<T, String> {
    result.map_err(|error| format!("{error:?}"))
}
