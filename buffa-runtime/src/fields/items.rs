//! What a field holds: a number of values, side by side.
#![allow(unsafe_code)] // reads messages through their tables

use buffa_arena::RawRepeated;
use buffa_tables::{Aux, FieldEntry, Kind, Mode, Op, Storage, TableRef};

/// A string or bytes value, as it lies in a struct (the layout of `Str` and `Blob`).
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Slice {
    pub(crate) ptr: *const u8,
    pub(crate) len: usize,
}

impl Slice {
    /// # Safety
    /// * The slice is one of a live message.
    pub(crate) unsafe fn bytes<'a>(self) -> &'a [u8] {
        // SAFETY: null and empty, or a live slice (invariant of `Str` and `Blob`).
        if self.ptr.is_null() { &[] } else { unsafe { core::slice::from_raw_parts(self.ptr, self.len) } }
    }
}

/// A field of a live message.
#[derive(Clone, Copy)]
pub(crate) struct Field<'t> {
    pub(crate) tag: u32,
    pub(crate) op: Op,
    pub(crate) offset: usize,
    pub(crate) aux: Option<&'t Aux>,
}

/// The fields that a table describes, ascending by number, wide ones resolved.
pub(crate) fn fields<'t>(table: TableRef) -> impl Iterator<Item = Field<'t>> {
    let aux = table.aux::<'t>();
    table.entries().iter().map(move |entry| {
        let wide = entry.op() == Op::WIDE;
        let position = if wide { usize::from(entry.offset()) } else { usize::from(entry.aux()) };
        let none = !wide && entry.aux() == FieldEntry::NO_AUX;
        let aux = if none { None } else { aux.get(position) };
        let (op, offset) = match aux {
            Some(aux) if wide => (aux.op(), aux.offset() as usize),
            _ => (entry.op(), usize::from(entry.offset())),
        };
        Field { tag: entry.tag(), op, offset, aux }
    })
}

/// `count` values from `ptr` on, `stride` bytes apart. A message value is the message itself; null for the member of a oneof
/// that is the case but holds no message.
#[derive(Clone, Copy)]
pub(crate) struct Items {
    pub(crate) ptr: *const u8,
    pub(crate) count: usize,
    pub(crate) stride: usize,
}

impl Items {
    /// The value at position `i < count`.
    pub(crate) fn at(&self, i: usize) -> *const u8 {
        debug_assert!(i < self.count);
        self.ptr.wrapping_add(i * self.stride)
    }

    /// All values.
    pub(crate) fn iter(self) -> impl Iterator<Item = *const u8> {
        (0..self.count).map(move |i| self.at(i))
    }
}

impl<'t> Field<'t> {
    pub(crate) fn number(&self) -> u32 {
        self.tag >> 3
    }

    /// The table of the sub-message or map entry.
    pub(crate) fn table(&self) -> Option<TableRef> {
        self.aux.and_then(Aux::table)
    }

    /// What the field holds in `msg`: nothing if it is not present.
    ///
    /// # Safety
    /// * `msg` is a live message that the field's table describes.
    pub(crate) unsafe fn items(&self, msg: *const u8) -> Items {
        let kind = self.op.kind();
        let src = msg.wrapping_add(self.offset);
        let nothing = Items { ptr: src, count: 0, stride: 0 };
        let single = |ptr| Items { ptr, count: 1, stride: 0 };
        // SAFETY: a TableRef is valid: the field is there, with the type that its op names.
        unsafe {
            match self.op.mode() {
                Mode::Repeated | Mode::Packed => {
                    // The fields of a map begin like those of a `RawRepeated`.
                    let array = src.cast::<RawRepeated>().read();
                    Items { ptr: array.ptr, count: array.len as usize, stride: self.stride() }
                }
                Mode::Implicit if is_zero(src, kind) => nothing,
                Mode::Explicit | Mode::Required if !is_set(src, kind) => nothing,
                Mode::Explicit | Mode::Required => single(match kind.storage() {
                    Storage::Byte => src.add(1),
                    Storage::Word => src.add(4),
                    Storage::Double => src.add(align_of::<u64>()),
                    Storage::Message => src.cast::<*const u8>().read(),
                    Storage::Slice | Storage::Map => src,
                }),
                Mode::Oneof if !self.is_case(src) => nothing,
                Mode::Oneof if kind.storage() == Storage::Message => single(src.cast::<*const u8>().read()),
                _ => single(src),
            }
        }
    }

    /// # Safety
    /// * `src` is this field, a member of a oneof, in a live message.
    unsafe fn is_case(&self, src: *const u8) -> bool {
        let delta = self.aux.map_or(0, Aux::delta);
        // SAFETY: invariant 3 of `Table`: the case stands `delta` bytes before the payload.
        unsafe { src.sub(usize::from(delta)).cast::<u32>().read() == self.number() }
    }

    /// Bytes from one element of a repeated field to the next.
    pub(crate) fn stride(&self) -> usize {
        match self.op.kind().storage() {
            Storage::Byte => 1,
            Storage::Word => 4,
            Storage::Double => 8,
            Storage::Slice => size_of::<Slice>(),
            Storage::Message | Storage::Map => self.table().map_or(0, TableRef::size),
        }
    }
}

/// # Safety
/// * `src` is a bare value of this kind.
unsafe fn is_zero(src: *const u8, kind: Kind) -> bool {
    // SAFETY: by contract.
    unsafe {
        match kind.storage() {
            Storage::Byte => src.read() == 0,
            Storage::Word => src.cast::<u32>().read() == 0,
            Storage::Double => src.cast::<u64>().read() == 0,
            Storage::Slice => src.cast::<Slice>().read().len == 0,
            Storage::Message | Storage::Map => src.cast::<*const u8>().read().is_null(),
        }
    }
}

/// # Safety
/// * `src` is a field of this kind with explicit presence.
unsafe fn is_set(src: *const u8, kind: Kind) -> bool {
    // SAFETY: by contract: a flag byte, or a pointer that is null when unset.
    unsafe {
        match kind.storage() {
            Storage::Byte | Storage::Word | Storage::Double => src.read() != 0,
            Storage::Slice | Storage::Message | Storage::Map => !src.cast::<*const u8>().read().is_null(),
        }
    }
}
