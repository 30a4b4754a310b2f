//! Unknown fields, field by field.

use crate::decode::{group_len, split_first};
use crate::error::{DecodeError, ErrorKind};
use crate::wire::varint_slice;
use buffa_arena::{Arena, ArenaError, UnknownFields};

/// One unknown field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownField<'a> {
    /// The field number.
    pub number: u32,
    /// The value.
    pub value: UnknownValue<'a>,
    /// The whole field, tag included.
    pub bytes: &'a [u8],
}

/// The value of an unknown field, by wire type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownValue<'a> {
    /// Wire type 0.
    Varint(u64),
    /// Wire type 1.
    Fixed64(u64),
    /// Wire type 2.
    LengthDelimited(&'a [u8]),
    /// Wire types 3 and 4: the content between start and end tag.
    Group(&'a [u8]),
    /// Wire type 5.
    Fixed32(u32),
}

/// Reading and adding unknown fields one by one.
pub trait UnknownFieldsExt<'a> {
    /// The fields, in order.
    fn fields(&self) -> impl Iterator<Item = UnknownField<'a>>;

    /// Appends the fields in `bytes`.
    ///
    /// # Errors
    /// When `bytes` are not whole, well-formed fields, or the arena has no room.
    fn append(&mut self, bytes: &'a [u8], arena: &'a Arena<'_>) -> Result<(), DecodeError>;
}

impl<'a> UnknownFieldsExt<'a> for UnknownFields<'a> {
    fn fields(&self) -> impl Iterator<Item = UnknownField<'a>> {
        self.runs().iter().flat_map(|run| split(run.as_bytes()))
    }

    fn append(&mut self, bytes: &'a [u8], arena: &'a Arena<'_>) -> Result<(), DecodeError> {
        let mut check = crate::anything::Anything::default();
        crate::Message::merge(&mut check, bytes, arena)?;
        self.try_push_run(bytes.into(), arena).map_err(|error| {
            let kind = if error == ArenaError::Limit { ErrorKind::MemoryLimit } else { ErrorKind::ArenaFull };
            DecodeError::new(kind, 0)
        })
    }
}

fn split<'a>(run: &'a [u8]) -> impl Iterator<Item = UnknownField<'a>> {
    let mut rest = run;
    core::iter::from_fn(move || {
        let (tag, len) = split_first(rest)?;
        let (bytes, next) = rest.split_at_checked(len)?;
        rest = next;
        let content = bytes.get(varint_slice(bytes)?.1..)?;
        let value = match tag & 7 {
            0 => UnknownValue::Varint(varint_slice(content)?.0),
            1 => UnknownValue::Fixed64(u64::from_le_bytes(content.try_into().ok()?)),
            2 => UnknownValue::LengthDelimited(content.get(varint_slice(content)?.1..)?),
            3 => UnknownValue::Group(content.get(..group_len(content)?.0)?),
            _ => UnknownValue::Fixed32(u32::from_le_bytes(content.try_into().ok()?)),
        };
        Some(UnknownField { number: tag >> 3, value, bytes })
    })
}
