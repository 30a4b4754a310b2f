//! What must hold between the results of different inputs, options and buffers. Needs no allocator in the runtime.

use super::fixed::{decode, decode_in, is_full};
use super::{Encoded, Fault, encode};
use buffa::{Arena, DecodeOptions, EncodeError, ErrorKind, Message, UnknownPolicy};
use std::mem::MaybeUninit;

/// Room for the message of any test.
const ROOM: usize = 64 << 10;

/// Of the places to cut and the sizes of buffers, every one is tried; under Miri, which is slow and sees more, some.
const STRIDE: usize = if cfg!(miri) { 31 } else { 1 };

/// Checks every law on `input`, for which `answer` is known.
pub(super) fn check<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>, answer: &Encoded) -> Result<(), String> {
    small_arenas::<M>(input, options, answer)?;
    let Ok(bytes) = answer else { return Ok(()) };
    let again = decode::<M>(bytes, options);
    if again != *answer {
        return Err(format!("encoded {bytes:02x?}, which then gives {again:02x?}"));
    }
    split::<M>(input, options, bytes)?;
    unknown::<M>(input, options, bytes)?;
    encoders::<M>(input, options, bytes).unwrap_or_else(|fault| Err(fault.to_string()))
}

/// An arena that is too small gives an error, whenever it ends; any other gives the answer.
fn small_arenas<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>, answer: &Encoded) -> Result<(), String> {
    let mut room = [MaybeUninit::uninit(); ROOM];
    for size in (0..ROOM).step_by(40 * STRIDE) {
        let small = decode_in::<M>(&mut room[..size], input, options);
        match &small {
            Err(fault) if is_full(fault) => {}
            _ if small == *answer => return Ok(()),
            _ => return Err(format!("an arena of {size} bytes gives {small:02x?}")),
        }
    }
    Err("the message fits no arena".into())
}

/// Decoding a whole is decoding its front and merging its back, wherever it is cut between two fields.
fn split<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>, bytes: &[u8]) -> Result<(), String> {
    for cut in (0..=input.len()).step_by(STRIDE) {
        let (front, back) = input.split_at(cut);
        let mut room = [MaybeUninit::uninit(); ROOM];
        let arena = Arena::from_buffer(&mut room);
        // Where the front is not a message, the cut is inside a field.
        let Ok(mut message) = M::With::decode_partial(front, &arena, options) else { continue };
        let merged = match message.merge_with(back, &arena, options) {
            Ok(()) => encode(&message),
            Err(error) => Err(error.into()),
        };
        if merged.as_deref() != Ok(bytes) {
            return Err(format!("cut at byte {cut} and merged: {merged:02x?}"));
        }
    }
    Ok(())
}

/// Discarding unknown fields leaves none, and forbidding them only matters if there are some.
fn unknown<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>, bytes: &[u8]) -> Result<(), String> {
    let strict = options.unknown(UnknownPolicy::Error);
    let known = match decode::<M>(input, &options.unknown(UnknownPolicy::Discard)) {
        Ok(known) => known,
        Err(fault) => return Err(format!("without unknown fields: {fault}")),
    };
    match decode::<M>(input, &strict) {
        Ok(all) if all == bytes && known == bytes => {}
        // Equal where the unknown ones were in map entries, which cannot keep them.
        Err(Fault::Parse { kind: ErrorKind::UnknownField, .. }) if known.len() <= bytes.len() => {}
        other => return Err(format!("forbidding unknown fields gives {other:02x?}, discarding them {known:02x?}")),
    }
    match decode::<M>(&known, &strict) {
        Ok(all) if all == known => Ok(()),
        other => Err(format!("discarding unknown fields gives {known:02x?}, which gives {other:02x?}")),
    }
}

/// Every room for the output that is too small is an error, and sorted maps change the order alone.
fn encoders<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>, bytes: &[u8]) -> Result<Result<(), String>, Fault> {
    let mut room = [MaybeUninit::uninit(); ROOM];
    let arena = Arena::from_buffer(&mut room);
    let message = M::With::decode_with(input, &arena, options)?;
    let needed = bytes.len();
    let mut buffer = vec![0; needed + 64];
    for size in (0..buffer.len()).step_by(STRIDE) {
        let written = message.encode_into(&mut buffer[..size]);
        let expected = if size < needed { Err(EncodeError::BufferTooSmall { needed }) } else { Ok(bytes) };
        if written != expected {
            return Ok(Err(format!("encode_into {size} bytes gives {written:02x?}")));
        }
    }
    let sorted = message.encode_into_deterministic(&mut buffer)?.to_vec();
    let again = M::With::decode_with(&sorted, &arena, options)?;
    let again = again.encode_into_deterministic(&mut buffer)?;
    if sorted.len() != needed || again != sorted {
        return Ok(Err(format!("sorted: {sorted:02x?}, and again: {again:02x?}")));
    }
    Ok(Ok(()))
}

/// A length as a varint.
pub(super) fn varint(len: usize) -> Vec<u8> {
    varint64(len as u64)
}

/// A number as a varint.
pub(super) fn varint64(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}
