//! Google's protobuf 4.36: upb messages behind Rust wrappers. It can only encode to a new `Vec`.

use bytes::Bytes;
use peer_google_protobuf::messages;
use peer_google_protobuf::protobuf::Message;

use crate::contestant::{Entry, Op, decode_all, fresh, reused, to_vec, verified};
use crate::kind::{Kind, for_each_message};
use crate::set::Set;

const LIBRARY: &str = "protobuf";

macro_rules! entries {
    ($($message:ident $name:literal,)*) => {
        pub(super) fn entries(set: &Set) -> Vec<Entry<'_>> {
            match set.kind {
                $(Kind::$message => entries_of::<messages::$message>(set),)*
            }
        }
    };
}
for_each_message!(entries);

/// A message in repeated use. Its arena grows with every parse and is freed only with the message.
#[derive(Default)]
struct Worn<M> {
    message: M,
    uses: u32,
}

/// After so many parses a new message takes over; 4 to 64 measured alike, without end is far slower.
const USES: u32 = 16;

fn entries_of<'a, M: Message + 'a>(set: &'a Set) -> Vec<Entry<'a>> {
    let payloads = &set.payloads[..];
    let parse = |payload: &'a Bytes| M::parse(payload);
    let serialize = |message: &M| verified(message.serialize());
    let parse_again = |Worn { message, uses }: &mut Worn<M>, payload: &'a Bytes| {
        if *uses == USES {
            (*message, *uses) = (M::default(), 0);
        }
        *uses += 1;
        message.clear_and_parse(payload)
    };
    let again = move |worn: &mut Worn<M>, payload: &'a Bytes| parse_again(worn, payload).map(|()| serialize(&worn.message));
    let messages = decode_all(payloads, parse);
    vec![
        Entry::new(LIBRARY, "", Op::Decode, fresh(payloads, parse, serialize)),
        Entry::new(LIBRARY, "reused 16x", Op::Decode, reused(payloads, Worn::default(), parse_again, again)),
        Entry::new(LIBRARY, "", Op::ToVec, to_vec(messages, serialize)),
    ]
}
