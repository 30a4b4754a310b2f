//! The table of a message: header, entries, aux, and the checks that make holding one a proof.
#![allow(unsafe_code)] // entries and aux are reached by pointer arithmetic from the header

use crate::{Aux, AuxKind, FieldEntry, Kind, Mode, Op, Storage};

/// Properties of a message as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Flags(u16);

impl Flags {
    /// No property.
    pub const NONE: Flags = Flags(0);
    /// The synthetic entry of a map: key, value, no unknown fields.
    pub const MAP_ENTRY: Flags = Flags(1);
    /// `option message_set_wire_format = true`.
    pub const MESSAGE_SET: Flags = Flags(1 << 1);
    /// Declares extension ranges.
    pub const EXTENDABLE: Flags = Flags(1 << 2);
    /// Has a required field itself ([`Table::new`] sets it).
    pub const REQUIRED: Flags = Flags(1 << 3);
    /// A required field is reachable through the fields (itself included).
    pub const REQUIRED_DEEP: Flags = Flags(1 << 4);

    /// Both sets of properties.
    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Whether all of `other` are set.
    #[inline]
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// The raw bits.
    pub const fn bits(self) -> u16 {
        self.0
    }
}

/// The header of a table; its entries and aux stand directly behind it in memory.
///
/// Only reachable through a [`TableRef`], whose pointer may read the whole table.
#[derive(Debug)]
#[repr(C, align(8))]
pub struct MessageTable {
    size: u32,
    count: u16,
    dense: u16,
    aux_count: u16,
    flags: Flags,
    reserved: u32,
}

const _: () = assert!(size_of::<MessageTable>() == 16);

/// A complete table with `N` fields and `M` aux records, as a static.
///
/// # Invariants (checked by [`Table::new`]; kernels rely on them)
/// 1. Numbers are strictly ascending, in 1 ..= 2²⁹ − 1, and the wire type in each tag is the canonical one of its op.
/// 2. Each field lies inside the struct and is aligned for its storage.
/// 3. Each op that needs an aux has one of the right kind; a oneof's aux has its delta.
/// 4. `dense` counts the leading entries whose number is index + 1.
///
/// That the struct really has such a field there is what `unsafe impl Message` asserts.
#[repr(C)]
pub struct Table<const N: usize, const M: usize> {
    header: MessageTable,
    entries: [FieldEntry; N],
    aux: [Aux; M],
}

impl<const N: usize, const M: usize> Table<N, M> {
    /// Checks and assembles a table for a struct of `size` bytes.
    ///
    /// # Panics
    /// When an invariant does not hold; in a static that is a compile error.
    pub const fn new(size: usize, flags: Flags, entries: [FieldEntry; N], aux: [Aux; M]) -> Table<N, M> {
        assert!(size <= MAX_SIZE, "message struct too large");
        assert!(N <= u16::MAX as usize && M <= u16::MAX as usize, "too many fields");
        let (mut i, mut dense, mut last) = (0, 0, 0);
        let mut flags = flags;
        while i < N {
            let entry = entries[i];
            assert!(entry.number() > last, "field numbers must be strictly ascending");
            last = entry.number();
            if dense == i && last as usize == i + 1 {
                dense += 1;
            }
            let op = check(entry, &aux, size);
            if op.bits() >> 5 == Mode::Required as u8 {
                flags = flags.with(Flags::REQUIRED).with(Flags::REQUIRED_DEEP);
            }
            i += 1;
        }
        if flags.has(Flags::MAP_ENTRY) {
            assert!(N == 2 && dense == 2, "a map entry has the fields 1 and 2");
            assert!(matches!(entries[0].op().mode(), Mode::Always) && matches!(entries[1].op().mode(), Mode::Always));
            assert!(entries[0].offset() == 0, "the key stands first");
        } else {
            assert!(size >= size_of::<*const ()>(), "the unknown fields stand at offset 0");
        }
        #[expect(clippy::cast_possible_truncation, reason = "compared above")]
        let header =
            MessageTable { size: size as u32, count: N as u16, dense: dense as u16, aux_count: M as u16, flags, reserved: 0 };
        Table { header, entries, aux }
    }

    /// The reference that kernels take.
    pub const fn table(&'static self) -> TableRef {
        TableRef((self as *const Table<N, M>).cast())
    }
}

/// Struct sizes fit the positive half of 32 bits, so that sums of an offset and a size never wrap.
const MAX_SIZE: usize = i32::MAX as usize;

/// Checks invariants 1–3 of one entry and returns its real op. Runs in the compiler for every field of every schema, hence the
/// precomputed [`SHAPES`].
const fn check(entry: FieldEntry, aux: &[Aux], size: usize) -> Op {
    let wide = entry.op().bits() == Op::WIDE.bits();
    let (op, offset, index) = if wide {
        let index = entry.offset() as usize;
        assert!(index < aux.len(), "wide entry without aux");
        (aux[index].op(), aux[index].offset() as usize, index)
    } else {
        (entry.op(), entry.offset() as usize, entry.aux() as usize)
    };
    let shape = SHAPES[op.bits() as usize];
    assert!(shape.align != 0, "no such op");
    assert!(entry.tag() & 7 == shape.wire, "wire type is not the canonical one");
    assert!(offset % shape.align == 0, "field is not aligned");
    assert!(offset <= size && shape.bytes <= size - offset, "field lies outside the struct");
    if wide || entry.aux() != FieldEntry::NO_AUX {
        assert!(index < aux.len(), "aux index out of range");
        let aux = &aux[index];
        assert!(!shape.table || matches!(aux.kind(), AuxKind::Message), "needs a sub-table");
        assert!(!shape.numbers || matches!(aux.kind(), AuxKind::Enum), "needs an enum table");
        if shape.oneof {
            let delta = aux.delta() as usize;
            assert!(delta >= 4 && delta <= offset && (offset - delta) % 4 == 0, "no room for the case of the oneof");
        }
    } else {
        assert!(!shape.table, "needs a sub-table");
        assert!(!shape.numbers, "needs an enum table");
        assert!(!shape.oneof, "a oneof member needs an aux");
    }
    op
}

/// What an op asks of its entry.
#[derive(Clone, Copy)]
struct Shape {
    wire: u32,
    bytes: usize,
    /// 0: no such op.
    align: usize,
    table: bool,
    numbers: bool,
    oneof: bool,
}

/// The shape of each op byte.
static SHAPES: [Shape; 256] = {
    let none = Shape { wire: 0, bytes: 0, align: 0, table: false, numbers: false, oneof: false };
    let mut shapes = [none; 256];
    let mut bits = 0u8;
    while bits < u8::MAX {
        if let Some(op) = Op::from_bits(bits) {
            let (kind, mode) = (op.kind(), op.mode());
            let (bytes, align) = extent(kind, mode);
            shapes[bits as usize] = Shape {
                wire: op.wire_type() as u32,
                bytes,
                align,
                table: matches!(kind, Kind::Message | Kind::Group | Kind::Map),
                numbers: matches!(kind, Kind::ClosedEnum),
                oneof: matches!(mode, Mode::Oneof),
            };
        }
        bits += 1;
    }
    shapes
};

const POINTER: usize = size_of::<*const ()>();

/// Size and alignment of what a field occupies. An inline message (map value) counts as empty: its size is its table's.
pub(crate) const fn extent(kind: Kind, mode: Mode) -> (usize, usize) {
    let (bytes, align) = match kind.storage() {
        Storage::Byte => (1, 1),
        Storage::Word => (4, 4),
        Storage::Double => (8, align_of::<u64>()),
        Storage::Slice => (2 * POINTER, POINTER),
        Storage::Message => (POINTER, POINTER),
        Storage::Map => return (2 * POINTER + 8, POINTER),
    };
    match (mode, kind.storage()) {
        (Mode::Repeated | Mode::Packed, _) => (POINTER + 8, POINTER),
        (Mode::Explicit | Mode::Required, Storage::Byte | Storage::Word | Storage::Double) => (bytes + align, align),
        (Mode::Always, Storage::Message) => (0, POINTER),
        _ => (bytes, align),
    }
}

/// A table that exists, hence is valid: header, entries and aux stay readable and unchanged for the life of the program
/// (or for as long as whoever built a dynamic table promises).
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct TableRef(*const MessageTable);

// SAFETY: what it points to is never written.
unsafe impl Sync for TableRef {}
// SAFETY: as above.
unsafe impl Send for TableRef {}

impl TableRef {
    /// The pointer, with provenance over the whole table.
    pub const fn as_ptr(self) -> *const MessageTable {
        self.0
    }

    /// The reverse of [`TableRef::as_ptr`].
    ///
    /// # Safety
    /// * `pointer` came from [`TableRef::as_ptr`], or leads to a table with the same layout that passed the checks of
    ///   [`Table::new`] and outlives every use of the result.
    pub const unsafe fn from_ptr(pointer: *const MessageTable) -> TableRef {
        TableRef(pointer)
    }

    #[inline]
    fn header(&self) -> &MessageTable {
        // SAFETY: a TableRef points to a live table.
        unsafe { &*self.0 }
    }

    /// Size of the struct in bytes.
    #[inline]
    pub fn size(self) -> usize {
        self.header().size as usize
    }

    /// Number of entries whose number is their index + 1.
    #[inline]
    pub fn dense(self) -> u32 {
        u32::from(self.header().dense)
    }

    /// Number of fields.
    #[inline]
    pub fn count(self) -> usize {
        usize::from(self.header().count)
    }

    /// Properties of the message.
    #[inline]
    pub fn flags(self) -> Flags {
        self.header().flags
    }

    /// The first entry; [`TableRef::count`] of them follow each other.
    #[inline]
    pub const fn entries_ptr(self) -> *const FieldEntry {
        // SAFETY: the entries stand directly behind the header (`Table` is repr(C), both are aligned to 8).
        unsafe { self.0.add(1).cast() }
    }

    /// The entries, ascending by number.
    #[inline]
    pub fn entries<'t>(self) -> &'t [FieldEntry] {
        // SAFETY: `count` entries stand behind the header.
        unsafe { core::slice::from_raw_parts(self.entries_ptr(), self.count()) }
    }

    /// The aux records.
    #[inline]
    pub fn aux<'t>(self) -> &'t [Aux] {
        let count = usize::from(self.header().aux_count);
        // SAFETY: `aux_count` records stand behind the entries, whose size keeps the alignment of 8.
        unsafe { core::slice::from_raw_parts(self.entries_ptr().add(self.count()).cast(), count) }
    }

    /// The aux record at `index`, unchecked.
    ///
    /// # Safety
    /// * `index` is the aux index of an entry of this table whose op needs an aux (invariant 3 of [`Table`]).
    #[inline]
    pub unsafe fn aux_unchecked<'t>(self, index: usize) -> &'t Aux {
        debug_assert!(index < usize::from(self.header().aux_count));
        // SAFETY: by contract the index is in range.
        unsafe { &*self.entries_ptr().add(self.count()).cast::<Aux>().add(index) }
    }

    /// Position of the entry with this field number.
    pub fn find(self, number: u32) -> Option<usize> {
        if number.wrapping_sub(1) < self.dense() {
            return Some(number as usize - 1);
        }
        self.entries().binary_search_by_key(&number, |entry| entry.number()).ok()
    }

    /// Bytes of the whole table: header, entries and aux.
    pub fn bytes(self) -> usize {
        size_of::<MessageTable>() + size_of_val(self.entries()) + size_of_val(self.aux())
    }
}

impl core::fmt::Debug for TableRef {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TableRef").field("size", &self.size()).field("fields", &self.count()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op;

    const I32: Op = Op::new(Kind::Int32, Mode::Implicit);

    #[test]
    fn a_table_reads_back() {
        static T: Table<3, 1> = Table::new(
            40,
            Flags::NONE,
            [
                FieldEntry::new(1, I32, 8),
                FieldEntry::new(2, Op::new(Kind::Bool, Mode::Implicit), 12),
                FieldEntry::with_aux(9, Op::new(Kind::Message, Mode::Explicit), 16, 0),
            ],
            [Aux::message(T.table())],
        );
        let table = T.table();
        assert_eq!((table.size(), table.count(), table.dense()), (40, 3, 2));
        assert_eq!(table.aux()[0].table(), Some(table));
        assert_eq!(table.find(9), Some(2));
        assert_eq!(table.find(2), Some(1));
        assert_eq!(table.find(3), None);
        assert_eq!(table.find(0), None);
        assert_eq!(table.entries()[0].op().bits(), op::implicit::INT32);
        assert_eq!(table.bytes(), 16 + 24 + size_of::<Aux>());
    }

    macro_rules! rejects {
        ($name:ident, $message:literal, $build:expr) => {
            #[test]
            #[should_panic(expected = $message)]
            fn $name() {
                core::hint::black_box(&$build);
            }
        };
    }
    rejects!(descending, "ascending", Table::new(32, Flags::NONE, [FieldEntry::new(2, I32, 8), FieldEntry::new(1, I32, 12)], []));
    rejects!(outside, "outside", Table::new(10, Flags::NONE, [FieldEntry::new(2, I32, 8)], []));
    rejects!(unaligned, "aligned", Table::new(32, Flags::NONE, [FieldEntry::new(2, I32, 9)], []));
    rejects!(
        no_sub_table,
        "sub-table",
        Table::new(32, Flags::NONE, [FieldEntry::new(2, Op::new(Kind::Message, Mode::Explicit), 8)], [])
    );
    rejects!(no_case, "oneof", Table::new(32, Flags::NONE, [FieldEntry::new(2, Op::new(Kind::Int32, Mode::Oneof), 8)], []));
    rejects!(
        packed_string,
        "no such op",
        Table::new(32, Flags::NONE, [FieldEntry::new(2, Op::new(Kind::String, Mode::Packed), 8)], [])
    );
    rejects!(number_zero, "number out of range", FieldEntry::new(0, I32, 8));
    rejects!(number_too_large, "number out of range", FieldEntry::new(1 << 29, I32, 8));
}
