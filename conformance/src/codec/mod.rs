//! From bytes to bytes by every way that the runtime has; all must agree.
//!
//! The first way gives the answer. Another way that says anything else, or a law that does not hold, turns the answer into
//! [`Fault::Broken`], and with it the test into a failure.

mod fixed;
mod laws;
#[cfg(test)]
mod random;

#[cfg(feature = "alloc")]
mod heap;
#[cfg(feature = "std")]
mod io;
#[cfg(not(feature = "std"))]
mod none;
#[cfg(not(feature = "alloc"))]
use none as heap;
#[cfg(not(feature = "std"))]
use none as io;

use crate::messages::EXTENSIONS;
use buffa::{DecodeError, DecodeOptions, EncodeError, ErrorKind, Message};
use std::fmt;

/// The mode that this testee was built in.
pub(crate) const MODE: &str = match (cfg!(feature = "std"), cfg!(feature = "alloc")) {
    (true, _) => "std",
    (false, true) => "alloc",
    (false, false) => "fixed",
};

/// Decodes a payload and encodes the message.
pub(crate) type Codec = fn(&[u8]) -> Encoded;

/// A codec by one pair of entry points.
type Way = fn(&[u8], &DecodeOptions<'_>) -> Encoded;

/// A way with its name.
type Named = (&'static str, Way);

/// The encoded message, or why there is none.
pub(crate) type Encoded = Result<Vec<u8>, Fault>;

/// Why a message was not encoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The input was rejected.
    Parse { kind: ErrorKind, offset: usize },
    /// The message could not be encoded.
    Encode(EncodeError),
    /// The runtime contradicts itself.
    Broken(String),
}

impl From<DecodeError> for Fault {
    fn from(error: DecodeError) -> Fault {
        Fault::Parse { kind: error.kind(), offset: error.offset() }
    }
}

impl From<EncodeError> for Fault {
    fn from(error: EncodeError) -> Fault {
        Fault::Encode(error)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Parse { kind, offset } => write!(f, "{kind:?} at byte {offset}"),
            Fault::Encode(error) => write!(f, "{error}"),
            Fault::Broken(what) => f.write_str(what),
        }
    }
}

/// The codec of `M`.
pub(crate) fn run<M: Message<'static>>(input: &[u8]) -> Encoded {
    let options = DecodeOptions::new().extensions(&EXTENSIONS);
    let ways = [heap::ways::<M>(), fixed::ways::<M>(), io::ways::<M>()].concat();
    let mut answers = ways.iter().map(|&(name, way)| (name, way(input, &options)));
    let Some((first, answer)) = answers.next() else { return Err(Fault::Broken("no way at all".into())) };
    for (name, other) in answers {
        if other != answer {
            return Err(Fault::Broken(format!("{first} says {answer:02x?}, {name} says {other:02x?}")));
        }
    }
    laws::check::<M>(input, &options, &answer).map_err(Fault::Broken)?;
    answer
}

/// Encodes into a slice of exactly the length that the message says it takes.
pub(crate) fn encode<'a, M: Message<'a>>(message: &M) -> Encoded {
    let mut bytes = vec![0; message.encoded_len()?];
    let room = bytes.len();
    let written = message.encode_into(&mut bytes)?.len();
    if written != room {
        return Err(Fault::Broken(format!("encoded_len is {room}, encode_into wrote {written}")));
    }
    Ok(bytes)
}
