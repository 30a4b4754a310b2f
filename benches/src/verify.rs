//! The check before the clock: a contestant must see the message that prost sees.

use peer_prost::plain;
use peer_prost::prost::Message;

use crate::contestant::Entry;
use crate::kind::{Kind, for_each_message};
use crate::set::Set;

/// Compares every message of the set as `entry` decodes and re-encodes it with prost's reading of it.
///
/// Where the encoding is unique (no map, whose entries may come in any order) the bytes must be
/// prost's too.
pub fn check(set: &Set, entry: &mut Entry<'_>) -> Result<(), String> {
    for (index, payload) in set.payloads.iter().enumerate() {
        let output = entry.contestant.witness(index)?;
        same(set.kind, payload, &output).map_err(|why| format!("message {index}: {why}"))?;
    }
    Ok(())
}

/// Bytes of all messages when encoded; less than in the payloads if those spell defaults out.
pub fn encoded_bytes(set: &Set) -> Result<usize, String> {
    set.payloads.iter().map(|payload| encoded_len(set.kind, payload)).sum()
}

macro_rules! dispatch {
    ($($message:ident $name:literal,)*) => {
        fn same(kind: Kind, payload: &[u8], output: &[u8]) -> Result<(), String> {
            match kind {
                $(Kind::$message => same_message::<plain::$message>(kind, payload, output),)*
            }
        }

        fn encoded_len(kind: Kind, payload: &[u8]) -> Result<usize, String> {
            match kind {
                $(Kind::$message => read::<plain::$message>(payload).map(|m| m.encoded_len()),)*
            }
        }
    };
}
for_each_message!(dispatch);

fn same_message<M: Message + Default + PartialEq>(kind: Kind, payload: &[u8], output: &[u8]) -> Result<(), String> {
    let expected = read::<M>(payload)?;
    if read::<M>(output)? != expected {
        return Err("another message came out".into());
    }
    if !kind.has_map() && output != expected.encode_to_vec() {
        return Err("the same message came out in other bytes".into());
    }
    Ok(())
}

fn read<M: Message + Default>(bytes: &[u8]) -> Result<M, String> {
    M::decode(bytes).map_err(|error| format!("prost cannot read it: {error}"))
}

#[cfg(test)]
mod tests {
    use peer_prost::prost::Message;

    use super::{check, plain};
    use crate::contestant::{Entry, Op, fresh};
    use crate::kind::Kind;
    use crate::set::Set;

    #[test]
    fn everybody_agrees() {
        for &kind in Kind::ALL {
            // Debug builds abort on quick-protobuf's misaligned slices.
            if cfg!(debug_assertions) && matches!(kind, Kind::PackedTile | Kind::ColumnBatch) {
                continue;
            }
            let set = Set::generated(kind);
            for mut entry in crate::entries(&set) {
                assert_eq!(check(&set, &mut entry), Ok(()), "{} {}", entry.label(), kind.name());
            }
        }
    }

    #[test]
    fn a_changed_message_is_caught() {
        let set = Set::generated(Kind::ApiResponse);
        let encode = |message: &plain::ApiResponse| {
            let cached = !message.cached;
            plain::ApiResponse { cached, ..message.clone() }.encode_to_vec()
        };
        let liar = fresh(&set.payloads, |payload| plain::ApiResponse::decode(&payload[..]), encode);
        let result = check(&set, &mut Entry::new("liar", "", Op::Decode, liar));
        assert_eq!(result, Err("message 0: another message came out".into()));
    }
}
