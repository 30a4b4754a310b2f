//! What a field needs beyond its eight bytes.
#![allow(unsafe_code)] // raw pointers inside statics need `Sync`

use crate::{EnumTable, Op, TableRef};

/// What the pointer of an [`Aux`] points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum AuxKind {
    /// Nothing (a scalar in a oneof, a wide scalar).
    None = 0,
    /// The table of the sub-message or of the map entry.
    Message = 1,
    /// The numbers of a closed enum.
    Enum = 2,
}

/// Sixteen bytes (twelve on 32-bit targets) for a field that has a sub-table, a closed enum, a oneof case or a wide offset.
///
/// `delta` is the distance from a oneof's case to its payload: case = field offset − delta. Identical records may be shared.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Aux {
    pointer: *const (),
    kind: AuxKind,
    op: Op,
    delta: u16,
    offset: u32,
}

const _: () = assert!(size_of::<Aux>() == size_of::<*const ()>() + 8);

// SAFETY: an Aux is read-only after construction and its pointer leads to statics (or to tables kept alive by whoever built it),
// which are themselves read-only.
unsafe impl Sync for Aux {}
// SAFETY: as above; nothing in it is tied to a thread.
unsafe impl Send for Aux {}

impl Aux {
    /// For a sub-message or a map.
    pub const fn message(table: TableRef) -> Aux {
        Aux { pointer: table.as_ptr().cast(), kind: AuxKind::Message, op: Op::WIDE, delta: 0, offset: 0 }
    }

    /// For a closed enum.
    pub const fn closed_enum(table: &'static EnumTable) -> Aux {
        Aux { pointer: (table as *const EnumTable).cast(), kind: AuxKind::Enum, op: Op::WIDE, delta: 0, offset: 0 }
    }

    /// For a member of a oneof that has neither table nor closed enum, or for a wide scalar.
    pub const fn none() -> Aux {
        Aux { pointer: core::ptr::null(), kind: AuxKind::None, op: Op::WIDE, delta: 0, offset: 0 }
    }

    /// The same for a member of a oneof whose enum has alignment `align`: in a `#[repr(C, u32)]` enum the payload stands
    /// `max(4, payload alignment)` bytes behind the tag, and that is the alignment of the enum.
    pub const fn in_oneof(self, align: usize) -> Aux {
        assert!(align >= 4 && align <= 16, "a oneof enum is aligned to 4, 8 or 16 bytes");
        #[expect(clippy::cast_possible_truncation, reason = "at most 16")]
        let delta = align as u16;
        Aux { delta, ..self }
    }

    /// The same for a wide field.
    pub const fn wide(self, op: Op, offset: usize) -> Aux {
        assert!(offset <= u32::MAX as usize, "offset does not fit 32 bits");
        #[expect(clippy::cast_possible_truncation, reason = "compared just above")]
        let offset = offset as u32;
        Aux { op, offset, ..self }
    }

    /// What the pointer points to.
    #[inline]
    pub const fn kind(&self) -> AuxKind {
        self.kind
    }

    /// The sub-table, if there is one.
    #[inline]
    pub const fn table(&self) -> Option<TableRef> {
        match self.kind {
            // SAFETY: only `Aux::message` makes this kind, from a TableRef.
            AuxKind::Message => Some(unsafe { TableRef::from_ptr(self.pointer.cast()) }),
            _ => None,
        }
    }

    /// The sub-table, unchecked.
    ///
    /// # Safety
    /// * `self.kind()` is [`AuxKind::Message`].
    #[inline]
    pub const unsafe fn table_unchecked(&self) -> TableRef {
        debug_assert!(matches!(self.kind, AuxKind::Message));
        // SAFETY: by contract the pointer came from a TableRef.
        unsafe { TableRef::from_ptr(self.pointer.cast()) }
    }

    /// The closed enum's table, if there is one.
    #[inline]
    pub const fn enum_table(&self) -> Option<&EnumTable> {
        match self.kind {
            // SAFETY: only `Aux::closed_enum` makes this kind, from a reference to a static.
            AuxKind::Enum => Some(unsafe { &*self.pointer.cast::<EnumTable>() }),
            _ => None,
        }
    }

    /// Distance from the case of the oneof to the payload, 0 outside a oneof.
    #[inline]
    pub const fn delta(&self) -> u16 {
        self.delta
    }

    /// The op of a wide field.
    #[inline]
    pub const fn op(&self) -> Op {
        self.op
    }

    /// The offset of a wide field.
    #[inline]
    pub const fn offset(&self) -> u32 {
        self.offset
    }
}
