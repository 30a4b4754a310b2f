//! Every way to encode a message; all must give the same bytes.

use crate::guard::Guarded;
use crate::hex;
use buffa::{EncodeError, Message};
use bytes::{BufMut, BytesMut};

/// What a decoded message is, as far as it can be observed without knowing its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// The message encoded again.
    pub encoded: Vec<u8>,
    /// The same with maps in order.
    pub sorted: Vec<u8>,
    /// The debug output.
    pub debug: String,
    /// Paths of missing required fields.
    pub missing: String,
}

/// Encodes in every way and compares.
pub fn observe<'a, M: Message<'a>>(message: &M) -> Done {
    let encoded = message.try_encode_to_vec().unwrap();
    let same = |other: &[u8], way: &str| {
        assert!(other == encoded, "{way}: {}\nencode_to_vec: {}", hex::print(other), hex::print(&encoded));
    };
    let len = message.encoded_len().unwrap();
    assert_eq!(len, encoded.len(), "encoded_len of {}", hex::print(&encoded));

    // Exactly as much room as it takes, before a forbidden page; one byte less; a lot more.
    let mut exact = Guarded::zeroed(len);
    same(message.encode_into(&mut exact).unwrap(), "encode_into, exact room");
    if let Some(less) = len.checked_sub(1) {
        let mut small = Guarded::zeroed(less);
        assert_eq!(message.encode_into(&mut small).unwrap_err(), EncodeError::BufferTooSmall { needed: len });
        assert_eq!(message.encode(&mut &mut small[..]).unwrap_err(), EncodeError::BufferTooSmall { needed: len });
        assert!(small.iter().all(|&byte| byte == 0) || less > 0, "nothing is promised about the buffer itself");
    }
    let mut roomy = vec![0xAA; len + 100];
    same(message.encode_into(&mut roomy).unwrap(), "encode_into, more room");

    let mut vec = vec![1, 2, 3];
    message.encode_append(&mut vec).unwrap();
    assert_eq!(vec[..3], [1, 2, 3], "encode_append changed what was there");
    same(&vec[3..], "encode_append");
    let mut buf = BytesMut::new();
    message.encode(&mut buf).unwrap();
    same(&buf, "encode into BytesMut");
    let (mut first, mut second) = (Guarded::zeroed(len / 2), Guarded::zeroed(len - len / 2));
    message.encode(&mut (&mut first[..]).chain_mut(&mut second[..])).unwrap();
    same(&[&first[..], &second[..]].concat(), "encode into a chain");
    let mut written = Vec::new();
    buffa::write_message(message, &mut written).unwrap();
    same(&written, "write_message");

    let prefixed = [hex::varint(len as u64), encoded.clone()].concat();
    let mut delimited = Guarded::zeroed(prefixed.len());
    assert!(message.encode_length_delimited_into(&mut delimited).unwrap() == prefixed, "encode_length_delimited_into");
    let mut delimited = Vec::new();
    message.encode_length_delimited(&mut delimited).unwrap();
    assert!(delimited == prefixed, "encode_length_delimited");
    let mut delimited = Vec::new();
    buffa::write_delimited(message, &mut delimited).unwrap();
    assert!(delimited == prefixed, "write_delimited");

    let sorted = message.encode_deterministic().unwrap();
    assert_eq!(sorted.len(), len, "encode_deterministic has another length");
    let mut exact = Guarded::zeroed(len);
    assert!(message.encode_into_deterministic(&mut exact).unwrap() == sorted, "encode_into_deterministic");

    let missing = message.missing_fields();
    assert_eq!(message.is_initialized(), missing.is_empty(), "is_initialized and missing_fields {missing:?}");
    Done { encoded, sorted, debug: debug(message), missing }
}

/// The debug output of any message.
pub fn debug<'a, M: Message<'a>>(message: &M) -> String {
    struct Show<'m, M>(&'m M);
    impl<'a, M: Message<'a>> core::fmt::Debug for Show<'_, M> {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            buffa::__rt::debug(self.0, f)
        }
    }
    format!("{:?}", Show(message))
}
