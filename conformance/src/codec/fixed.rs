//! Ways that need no allocator: an arena in a fixed buffer, `encode_into`.

use super::{Encoded, Fault, Named, encode};
use buffa::{Arena, ArenaError, DecodeOptions, ErrorKind, Message};
use std::mem::MaybeUninit;

/// Room for the message of any test.
const ROOM: usize = 64 << 10;

/// All of them.
pub(super) fn ways<M: Message<'static>>() -> Vec<Named> {
    vec![
        ("decode_with in a fixed buffer", decode::<M>),
        ("decode_copied", copied::<M>),
        ("decode_length_delimited", delimited::<M>),
        ("merge into a default message", merge::<M>),
        ("clone_in another arena", clone::<M>),
    ]
}

pub(super) fn decode<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    decode_in::<M>(&mut [MaybeUninit::uninit(); ROOM], input, options)
}

/// The same in a buffer that may be too small.
pub(super) fn decode_in<M: Message<'static>>(room: &mut [MaybeUninit<u8>], input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let arena = Arena::from_buffer(room);
    encode(&M::With::decode_with(input, &arena, options)?)
}

fn copied<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let mut room = [MaybeUninit::uninit(); ROOM];
    let arena = Arena::from_buffer(&mut room);
    let message = {
        let gone = input.to_vec();
        M::With::decode_copied(&gone, &arena, options)?
    };
    encode(&message)
}

fn delimited<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let mut room = [MaybeUninit::uninit(); ROOM];
    let arena = Arena::from_buffer(&mut room);
    let mut stream = super::laws::varint(input.len());
    let head = stream.len();
    stream.extend_from_slice(input);
    let end = stream.len();
    stream.extend_from_slice(b"next");
    // Offsets count from the start of the stream. A missing field has no position.
    let (message, read) = M::With::decode_length_delimited(&stream, &arena, options).map_err(|error| match error.kind() {
        ErrorKind::MissingRequired => Fault::from(error),
        kind => Fault::Parse { kind, offset: error.offset() - head },
    })?;
    if read != end {
        return Err(Fault::Broken(format!("decode_length_delimited read {read} of {end} bytes")));
    }
    let mut buffer = vec![0; end + ROOM];
    let written = message.encode_length_delimited_into(&mut buffer)?;
    let head = super::laws::varint(message.encoded_len()?);
    match written.strip_prefix(head.as_slice()) {
        Some(body) => Ok(body.to_vec()),
        None => Err(Fault::Broken("encode_length_delimited_into wrote a wrong length".into())),
    }
}

fn merge<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let mut room = [MaybeUninit::uninit(); ROOM];
    let arena = Arena::from_buffer(&mut room);
    let mut message = M::With::default();
    message.merge_with(input, &arena, options)?;
    message.check_required()?;
    encode(&message)
}

fn clone<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let mut target = [MaybeUninit::uninit(); ROOM];
    let target = Arena::from_buffer(&mut target);
    let mut room = [MaybeUninit::uninit(); ROOM];
    let copy = {
        let gone = input.to_vec();
        let arena = Arena::from_buffer(&mut room);
        let message = M::With::decode_with(&gone, &arena, options)?;
        message.clone_in(&target).map_err(|error: ArenaError| Fault::Broken(format!("clone_in: {error:?}")))?
    };
    // What the copy should not depend on.
    room.fill(MaybeUninit::new(0xA5));
    encode(&copy)
}

/// Whether a fault only says that the buffer was too small.
pub(super) fn is_full(fault: &Fault) -> bool {
    matches!(fault, Fault::Parse { kind: ErrorKind::ArenaFull, .. })
}
