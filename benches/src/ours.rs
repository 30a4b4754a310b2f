//! Ours: messages in an arena that is reset between decodes, and messages that own their memory.

use std::hint::black_box;

use buffa::{Arena, DecodeError, DecodeOptions, Message, Owned};
use bytes::Bytes;

use crate::contestant::{Entry, OURS, Op, decode_all, fresh, into_buffer, reused, to_vec, verified};
use crate::kind::{Kind, for_each_message};
use crate::set::Set;

/// The benchmark messages as `buffa-codegen` generates them.
#[allow(missing_docs, clippy::all)] // generated, and without the comments of the schemas
pub mod bench {
    buffa::include_proto!("bench");
}

macro_rules! entries {
    ($($message:ident $name:literal,)*) => {
        /// Our entries for a set.
        pub fn entries(set: &Set) -> Vec<Entry<'_>> {
            match set.kind {
                $(Kind::$message => entries_of::<bench::$message<'static>>(set),)*
            }
        }
    };
}
for_each_message!(entries);

fn entries_of<'a, M: Message<'static> + 'a>(set: &'a Set) -> Vec<Entry<'a>> {
    let payloads = &set.payloads[..];
    let owned = |payload: &'a Bytes| Owned::<M>::decode(payload, &DecodeOptions::new());
    let shared = |payload: &'a Bytes| Owned::<M>::decode_bytes(payload.clone(), &DecodeOptions::new());
    let messages = || decode_all(payloads, owned);
    // Room behind the message lets the encoder store whole words up to its end.
    let room = vec![0; payloads.iter().map(Bytes::len).max().unwrap_or(0) + 64];
    vec![
        Entry::new(OURS, "arena", Op::Decode, reused(payloads, Arena::new(), in_arena::<M>, in_arena_and_back::<M>)),
        Entry::new(OURS, "owned", Op::Decode, fresh(payloads, owned, encode)),
        Entry::new(OURS, "owned, shared input", Op::Decode, fresh(payloads, shared, encode)),
        Entry::new(OURS, "", Op::ToVec, to_vec(messages(), encode)),
        Entry::new(
            OURS,
            "",
            Op::IntoBuffer,
            into_buffer(messages(), room, |message, room: &mut Vec<u8>| encode_into(message, room)),
        ),
        Entry::new(OURS, "append", Op::IntoBuffer, into_buffer(messages(), Vec::new(), append)),
    ]
}

fn in_arena<M: Message<'static>>(arena: &mut Arena<'static>, payload: &Bytes) -> Result<(), DecodeError> {
    arena.reset();
    black_box(M::With::decode_in(payload, arena, &DecodeOptions::new())?);
    Ok(())
}

fn in_arena_and_back<M: Message<'static>>(arena: &mut Arena<'static>, payload: &Bytes) -> Result<Vec<u8>, DecodeError> {
    arena.reset();
    Ok(M::With::decode_in(payload, arena, &DecodeOptions::new())?.encode_to_vec())
}

fn encode<M: Message<'static>>(message: &Owned<M>) -> Vec<u8> {
    message.get().encode_to_vec()
}

fn encode_into<'b, M: Message<'static>>(message: &Owned<M>, room: &'b mut [u8]) -> &'b [u8] {
    verified(message.get().encode_into(room))
}

fn append<'b, M: Message<'static>>(message: &Owned<M>, buffer: &'b mut Vec<u8>) -> &'b [u8] {
    buffer.clear();
    verified(message.get().encode_append(buffer));
    buffer
}
