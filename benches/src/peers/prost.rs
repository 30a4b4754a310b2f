//! prost 0.14: owned messages, plain and with `bytes::Bytes` for bytes fields.

use peer_prost::prost::Message;
use peer_prost::{bytes, plain};

use crate::contestant::{Entry, Op, decode_all, fresh, into_buffer, reused, to_vec, verified};
use crate::kind::{Kind, for_each_message};
use crate::set::Set;

const LIBRARY: &str = "prost";

macro_rules! entries {
    ($($message:ident $name:literal,)*) => {
        pub(super) fn entries(set: &Set) -> Vec<Entry<'_>> {
            match set.kind {
                $(Kind::$message => entries_of::<plain::$message, bytes::$message>(set),)*
            }
        }
    };
}
for_each_message!(entries);

fn entries_of<'a, M, B>(set: &'a Set) -> Vec<Entry<'a>>
where
    M: Message + Default + 'a,
    B: Message + Default + 'a,
{
    let payloads = &set.payloads[..];
    let messages = || decode_all(payloads, |p| M::decode(&p[..]));
    let merge = |message: &mut M, payload: &'a ::bytes::Bytes| {
        message.clear();
        message.merge(&payload[..])
    };
    let again = move |message: &mut M, payload: &'a ::bytes::Bytes| merge(message, payload).map(|()| message.encode_to_vec());
    let encode = |message: &M, buffer: &mut Vec<u8>| {
        buffer.clear();
        verified(message.encode(buffer));
    };
    vec![
        Entry::new(LIBRARY, "", Op::Decode, fresh(payloads, |p| M::decode(&p[..]), M::encode_to_vec)),
        Entry::new(LIBRARY, "reused", Op::Decode, reused(payloads, M::default(), merge, again)),
        Entry::new(LIBRARY, "bytes", Op::Decode, fresh(payloads, |p| B::decode(p.clone()), B::encode_to_vec)),
        Entry::new(LIBRARY, "", Op::ToVec, to_vec(messages(), M::encode_to_vec)),
        Entry::new(
            LIBRARY,
            "",
            Op::IntoBuffer,
            into_buffer(messages(), Vec::new(), move |message, buffer| {
                encode(message, buffer);
                buffer
            }),
        ),
    ]
}
