//! One field in eight bytes.

use crate::{Op, WireType};

/// Where a field lives and how it is coded; loaded as one 64-bit word.
///
/// ```text
///  byte 0        4       6     7
/// ┌─────────────┬───────┬─────┬────┐
/// │ tag  u32    │offset │ aux │ op │   tag = number << 3 | canonical wire type
/// └─────────────┴───────┴─────┴────┘   aux = index into the aux array, 0xFF none
/// ```
///
/// A field whose offset or aux index does not fit is *wide*: `op` is the escape, `offset` holds the aux index (16 bits)
/// and the aux holds the real offset (32 bits) and op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(8))]
pub struct FieldEntry {
    tag: u32,
    offset: u16,
    aux: u8,
    op: Op,
}

const _: () = assert!(size_of::<FieldEntry>() == 8 && align_of::<FieldEntry>() == 8);

impl FieldEntry {
    /// The `aux` of a field that has none.
    pub const NO_AUX: u8 = 0xFF;
    /// The largest field number of the specification, 2²⁹ − 1.
    pub const MAX_NUMBER: u32 = (1 << 29) - 1;

    /// A field without aux. The table that takes the entry checks all values.
    ///
    /// # Panics
    /// When `offset` does not fit sixteen bits (at compile time, in generated code).
    pub const fn new(number: u32, op: Op, offset: usize) -> FieldEntry {
        FieldEntry::with_aux(number, op, offset, FieldEntry::NO_AUX)
    }

    /// A field whose aux stands at index `aux`.
    ///
    /// # Panics
    /// When `offset` does not fit sixteen bits (at compile time, in generated code).
    pub const fn with_aux(number: u32, op: Op, offset: usize, aux: u8) -> FieldEntry {
        assert!(offset <= u16::MAX as usize, "offset needs a wide entry");
        FieldEntry { tag: tag(number, op.wire_type()), offset: low16(offset), aux, op }
    }

    /// A wide field: `op` gives the wire type, the aux at index `aux` everything else.
    pub const fn wide(number: u32, op: Op, aux: u16) -> FieldEntry {
        FieldEntry { tag: tag(number, op.wire_type()), offset: aux, aux: FieldEntry::NO_AUX, op: Op::WIDE }
    }

    /// `number << 3 | canonical wire type`.
    #[inline]
    pub const fn tag(self) -> u32 {
        self.tag
    }

    /// The field number.
    #[inline]
    pub const fn number(self) -> u32 {
        self.tag >> 3
    }

    /// Offset of the field in the struct; the aux index of a wide field.
    #[inline]
    pub const fn offset(self) -> u16 {
        self.offset
    }

    /// Index of the aux, or [`FieldEntry::NO_AUX`].
    #[inline]
    pub const fn aux(self) -> u8 {
        self.aux
    }

    /// Kind and mode.
    #[inline]
    pub const fn op(self) -> Op {
        self.op
    }
}

const fn tag(number: u32, wire: WireType) -> u32 {
    assert!(number >= 1 && number <= FieldEntry::MAX_NUMBER, "field number out of range");
    number << 3 | wire as u32
}

#[expect(clippy::cast_possible_truncation, reason = "the caller compared with u16::MAX")]
const fn low16(n: usize) -> u16 {
    n as u16
}
