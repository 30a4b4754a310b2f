//! Ways that need an allocator: growing arenas, `Owned`, vectors and `bytes`.

use super::{Encoded, Fault, Named};
use buffa::{Arena, DecodeOptions, Message, Owned};
use bytes::{Buf, Bytes, BytesMut};

/// All of them; the first is what most users call.
pub(super) fn ways<M: Message<'static>>() -> Vec<Named> {
    vec![
        ("decode_with, encode_to_vec", arena::<M>),
        ("encode_append", append::<M>),
        ("encode into BytesMut", buf_mut::<M>),
        ("encode_length_delimited", delimited::<M>),
        ("an arena in a bump", bump::<M>),
        ("Owned of a copy", owned_copy::<M>),
        ("Owned of bytes", owned_bytes::<M>),
        ("Owned of chained buffers", chained::<M>),
        ("a cloned Owned", owned_clone::<M>),
        ("merge by edit", edit::<M>),
    ]
}

fn arena<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let arena = Arena::new();
    Ok(M::With::decode_with(input, &arena, options)?.encode_to_vec())
}

fn append<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    const BEFORE: &[u8] = b"before";
    let arena = Arena::new();
    let mut bytes = BEFORE.to_vec();
    M::With::decode_with(input, &arena, options)?.encode_append(&mut bytes)?;
    bytes.strip_prefix(BEFORE).map(Vec::from).ok_or_else(|| Fault::Broken("encode_append changed what was there".into()))
}

fn buf_mut<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let arena = Arena::new();
    let mut bytes = BytesMut::new();
    M::With::decode_with(input, &arena, options)?.encode(&mut bytes)?;
    Ok(bytes.to_vec())
}

fn delimited<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let arena = Arena::new();
    let message = M::With::decode_with(input, &arena, options)?;
    let mut bytes = Vec::new();
    message.encode_length_delimited(&mut bytes)?;
    let head = super::laws::varint(message.encoded_len()?);
    bytes
        .strip_prefix(head.as_slice())
        .map(Vec::from)
        .ok_or_else(|| Fault::Broken("encode_length_delimited: wrong length".into()))
}

fn bump<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let bump = bumpalo::Bump::new();
    let arena = Arena::in_bump(&bump);
    Ok(M::With::decode_with(input, &arena, options)?.try_encode_to_vec()?)
}

fn owned_copy<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let owned = {
        let gone = input.to_vec();
        Owned::<M>::decode(&gone, options)?
    };
    Ok(owned.get().encode_to_vec())
}

fn owned_bytes<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let owned = Box::new(Owned::<M>::decode_bytes(Bytes::copy_from_slice(input), options)?);
    Ok(owned.get().encode_to_vec())
}

/// `decode_from_buf` takes no options: without a registry it may accept more, but never encode anything else.
fn chained<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    arena::<M>(input, options)?;
    let (front, back) = input.split_at(input.len() / 2);
    let owned = M::decode_from_buf(front.chain(back))?;
    Ok(owned.get().encode_to_vec())
}

fn owned_clone<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let copy = {
        let owned = Owned::<M>::decode_bytes(Bytes::copy_from_slice(input), options)?;
        let copy = owned.clone();
        if copy != owned && !has_nan(input) {
            return Err(Fault::Broken("a clone differs from its original".into()));
        }
        copy
    };
    Ok(copy.get().encode_to_vec())
}

fn edit<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let mut owned = Owned::<M>::new();
    owned.edit(|message, arena| message.merge_copied(input, arena, options))?;
    owned.get().check_required()?;
    Ok(owned.get().encode_to_vec())
}

/// Whether the input may hold a NaN, which is not equal to itself: the exponent's bits are all set somewhere.
fn has_nan(input: &[u8]) -> bool {
    input.windows(2).any(|pair| {
        let [low, high] = pair else { return false };
        high & 0x7F == 0x7F && low & 0x80 != 0
    })
}
