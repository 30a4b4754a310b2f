//! Complete tables in memory, for messages that are known at run time only.
//!
//! Invariants 1 to 4 of [`crate::Table`] hold by construction: [`Layout::new`] checks numbers, ops and references, the offsets
//! come from [`Offsets`], which computes what `Table::new` only compares.
#![allow(unsafe_code)] // writes headers, entries and aux records side by side, as a static `Table` has them

use super::{AuxBase, AuxPlan, BuildError, Layout, MapOffsets, MapSpec, MessageSpec, Offsets, Sub, Target, required_deep};
use crate::{Aux, EnumTable, FieldEntry, Flags, Kind, MessageTable, Mode, Op, TableRef};
use alloc::vec::Vec;

/// The numbers of a closed enum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumSpec {
    /// The first declared value.
    pub default: i32,
    /// All declared numbers, in any order; doubles (aliases) are fine.
    pub numbers: Vec<i32>,
}

/// The tables of a set of messages that refer to each other by index. Dropping it frees them.
pub struct Tables {
    /// Address of the table of each message; they lie in `memory`.
    tables: Vec<TableRef>,
    layouts: Vec<Layout>,
    offsets: Vec<Offsets>,
    /// Never touched again once the tables are written: their pointers were derived from it.
    memory: Vec<u64>,
    enums: Vec<EnumTable>,
    /// The numbers outside of the dense ranges of the enums.
    numbers: Vec<i32>,
}

/// The bytes of a [`MessageTable`], whose fields are its own.
#[repr(C, align(8))]
struct Header {
    size: u32,
    count: u16,
    dense: u16,
    aux_count: u16,
    flags: u16,
    reserved: u32,
}

const _: () = assert!(size_of::<Header>() == size_of::<MessageTable>() && align_of::<Header>() == align_of::<MessageTable>());
const _: () = assert!(align_of::<Aux>() <= 8 && align_of::<FieldEntry>() == 8);

impl Tables {
    /// Lays out all messages for this target and writes their tables. [`Sub::Message`] and [`Sub::Enum`] are indices into the
    /// two lists.
    ///
    /// # Errors
    /// See [`BuildError`].
    pub fn new(messages: &[MessageSpec], enums: &[EnumSpec]) -> Result<Tables, BuildError> {
        let mut layouts = Vec::with_capacity(messages.len());
        let mut offsets = Vec::with_capacity(messages.len());
        for message in messages {
            check_references(message, messages.len(), enums.len())?;
            let layout = Layout::new(message)?;
            offsets.push(layout.offsets(message, Target::HOST)?);
            layouts.push(layout);
        }
        // First all places, then all contents: tables refer to each other in cycles.
        let (places, words) = places(&layouts);
        let mut memory: Vec<u64> = alloc::vec![0; words];
        let base = memory.as_mut_ptr();
        let (enums, numbers) = enum_tables(enums)?;
        let deep = required_deep(messages);
        let writer = Writer { base, places: &places, layouts: &layouts, offsets: &offsets, enums: &enums, deep: &deep };
        let mut tables = Vec::with_capacity(messages.len());
        for (id, message) in messages.iter().enumerate() {
            writer.message(id, message)?;
            tables.push(writer.reference(places[id].table));
        }
        Ok(Tables { tables, layouts, offsets, memory, enums, numbers })
    }

    /// The table of a message.
    ///
    /// # Safety
    /// * The result is not used once `self` is dropped.
    ///
    /// # Panics
    /// When there is no such message.
    pub unsafe fn table(&self, message: usize) -> TableRef {
        self.tables[message]
    }

    /// The layout of a message.
    ///
    /// # Panics
    /// When there is no such message.
    pub fn layout(&self, message: usize) -> &Layout {
        &self.layouts[message]
    }

    /// Size and offsets of a message.
    ///
    /// # Panics
    /// When there is no such message.
    pub fn offsets(&self, message: usize) -> &Offsets {
        &self.offsets[message]
    }

    /// Bytes that the tables take.
    pub fn bytes(&self) -> usize {
        self.memory.len() * 8 + self.enums.len() * size_of::<EnumTable>() + self.numbers.len() * 4
    }
}

// SAFETY: read-only after construction; all pointers lead into memory that `self` owns.
unsafe impl Send for Tables {}
// SAFETY: as above.
unsafe impl Sync for Tables {}

impl core::fmt::Debug for Tables {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Tables").field("tables", &self.tables).field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

/// Every id in the spec is an index of its list.
fn check_references(message: &MessageSpec, messages: usize, enums: usize) -> Result<(), BuildError> {
    for field in &message.fields {
        let (sub, number) = match field.sub {
            Sub::Map(map) => (map.value_sub(), field.number),
            sub => (sub, field.number),
        };
        let known = match sub {
            Sub::Message(id) => id < messages,
            Sub::Enum(id) => id < enums,
            Sub::None | Sub::Map(_) => true,
        };
        if !known {
            return Err(BuildError::BadSub(number));
        }
    }
    Ok(())
}

/// Where the tables of one message stand, in words from the base.
struct Place {
    table: usize,
    maps: Vec<usize>,
}

/// Places for all tables, and how many words they take.
fn places(layouts: &[Layout]) -> (Vec<Place>, usize) {
    let mut end = 0;
    let mut place = |entries: usize, aux: usize| {
        let at = end;
        end += (size_of::<Header>() + entries * size_of::<FieldEntry>() + aux * size_of::<Aux>()).div_ceil(8);
        at
    };
    let mut places = Vec::with_capacity(layouts.len());
    for layout in layouts {
        let table = place(layout.entries.len(), layout.aux.len());
        let maps = layout.maps.iter().map(|(map, _)| place(2, usize::from(map.value_sub() != Sub::None))).collect();
        places.push(Place { table, maps });
    }
    (places, end)
}

/// The tables of the closed enums, and the memory that they refer to.
fn enum_tables(specs: &[EnumSpec]) -> Result<(Vec<EnumTable>, Vec<i32>), BuildError> {
    let sorted: Vec<Vec<i32>> = specs
        .iter()
        .map(|spec| {
            let mut numbers = spec.numbers.clone();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        })
        .collect();
    let mut all: Vec<i32> = Vec::with_capacity(sorted.iter().map(Vec::len).sum());
    let mut ranges = Vec::with_capacity(specs.len());
    for numbers in &sorted {
        let dense = longest_run(numbers);
        let begin = all.len();
        all.extend(numbers[..dense.start].iter().chain(&numbers[dense.end..]));
        let low = numbers.get(dense.start).copied().unwrap_or(0);
        ranges.push((low, u32::try_from(dense.len()).map_err(|_| BuildError::TooLarge)?, begin, all.len() - begin));
    }
    let start: *const i32 = all.as_ptr();
    let mut tables = Vec::with_capacity(specs.len());
    for (index, (spec, (low, dense, begin, len))) in specs.iter().zip(ranges).enumerate() {
        if sorted[index].binary_search(&spec.default).is_err() {
            return Err(BuildError::BadEnum(index));
        }
        // SAFETY: `begin + len` numbers are in `all`, which lives as long as the tables and is not touched any more.
        let sparse: &'static [i32] = unsafe { core::slice::from_raw_parts(start.add(begin), len) };
        tables.push(EnumTable::new(spec.default, low, dense, sparse));
    }
    Ok((tables, all))
}

/// The longest run of consecutive numbers in an ascending list, as a range of indices.
pub fn longest_run(ascending: &[i32]) -> core::ops::Range<usize> {
    let (mut best, mut begin) = (0..0, 0);
    for at in 1..=ascending.len() {
        let continues = ascending.get(at).is_some_and(|&number| ascending[at - 1].checked_add(1) == Some(number));
        if !continues {
            if at - begin > best.len() {
                best = begin..at;
            }
            begin = at;
        }
    }
    best
}

struct Writer<'w> {
    base: *mut u64,
    places: &'w [Place],
    layouts: &'w [Layout],
    offsets: &'w [Offsets],
    enums: &'w [EnumTable],
    deep: &'w [bool],
}

impl Writer<'_> {
    /// The table at a place, written or about to be.
    fn reference(&self, place: usize) -> TableRef {
        // SAFETY: the place is inside the memory; the tables are complete before anybody can get hold of one.
        unsafe { TableRef::from_ptr(self.base.add(place).cast::<MessageTable>()) }
    }

    fn message(&self, id: usize, spec: &MessageSpec) -> Result<(), BuildError> {
        let (layout, offsets) = (&self.layouts[id], &self.offsets[id]);
        let mut flags = spec.flags;
        if spec.fields.iter().any(|field| field.mode == Mode::Required) {
            flags = flags.with(Flags::REQUIRED);
        }
        if self.deep[id] {
            flags = flags.with(Flags::REQUIRED_DEEP);
        }
        let entries = layout.entries.iter().map(|entry| {
            let number = spec.fields[entry.field].number;
            match (entry.aux, entry.wide) {
                (Some(aux), true) => FieldEntry::wide(number, entry.op, aux),
                (Some(aux), false) => {
                    // A narrow aux index fits its byte (see `aux_plan`).
                    let aux = u8::try_from(aux).unwrap_or(FieldEntry::NO_AUX);
                    FieldEntry::with_aux(number, entry.op, offsets.fields[entry.field], aux)
                }
                (None, _) => FieldEntry::new(number, entry.op, offsets.fields[entry.field]),
            }
        });
        let aux = layout.aux.iter().map(|plan| self.aux(id, plan));
        self.table(self.places[id].table, offsets.size, flags, layout.dense, entries, aux)?;
        for (&(map, _), &place) in layout.maps.iter().zip(&self.places[id].maps) {
            self.map(place, map)?;
        }
        Ok(())
    }

    fn aux(&self, id: usize, plan: &AuxPlan) -> Aux {
        let mut aux = match plan.base {
            AuxBase::None => Aux::none(),
            AuxBase::Message(sub) => Aux::message(self.reference(self.places[sub].table)),
            AuxBase::Enum(sub) => self.closed_enum(sub),
            AuxBase::Map(index) => Aux::message(self.reference(self.places[id].maps[index])),
        };
        if let Some(oneof) = plan.oneof {
            aux = aux.in_oneof(self.layouts[id].oneofs[oneof].bytes(Target::HOST));
        }
        if let Some((op, field)) = plan.wide {
            aux = aux.wide(op, self.offsets[id].fields[field]);
        }
        aux
    }

    fn closed_enum(&self, id: usize) -> Aux {
        let table: *const EnumTable = &raw const self.enums[id];
        // SAFETY: the enum tables live as long as the message tables, at the same address.
        Aux::closed_enum(unsafe { &*table })
    }

    fn map(&self, place: usize, map: MapSpec) -> Result<(), BuildError> {
        let inline = map.message.map(|id| (self.offsets[id].size, self.offsets[id].align));
        let offsets = MapOffsets::new(map, inline, Target::HOST);
        if i32::try_from(offsets.size).is_err() {
            return Err(BuildError::TooLarge);
        }
        let deep = map.message.is_some_and(|id| self.deep[id]);
        let flags = if deep { Flags::MAP_ENTRY.with(Flags::REQUIRED_DEEP) } else { Flags::MAP_ENTRY };
        let aux = match map.value_sub() {
            Sub::Message(id) => Some(Aux::message(self.reference(self.places[id].table))),
            Sub::Enum(id) => Some(self.closed_enum(id)),
            Sub::None | Sub::Map(_) => None,
        };
        let op = |kind: Kind| Op::new(kind, Mode::Always);
        let value = match aux {
            Some(_) => FieldEntry::with_aux(2, op(map.value.0), offsets.value, 0),
            None => FieldEntry::new(2, op(map.value.0), offsets.value),
        };
        let entries = [FieldEntry::new(1, op(map.key.0), 0), value];
        self.table(place, offsets.size, flags, 2, entries.into_iter(), aux.into_iter())
    }

    /// Writes header, entries and aux records at a place that was made for as many of them.
    fn table(
        &self,
        place: usize,
        size: usize,
        flags: Flags,
        dense: usize,
        entries: impl ExactSizeIterator<Item = FieldEntry>,
        aux: impl ExactSizeIterator<Item = Aux>,
    ) -> Result<(), BuildError> {
        let narrow = |n: usize| u16::try_from(n).map_err(|_| BuildError::TooManyFields(n));
        let header = Header {
            size: u32::try_from(size).map_err(|_| BuildError::TooLarge)?,
            count: narrow(entries.len())?,
            dense: narrow(dense)?,
            aux_count: narrow(aux.len())?,
            flags: flags.bits(),
            reserved: 0,
        };
        // SAFETY: the place is inside the memory and has room for the header, aligned to 8 like all of it.
        let mut at = unsafe {
            let start = self.base.add(place).cast::<Header>();
            start.write(header);
            start.add(1).cast::<FieldEntry>()
        };
        for entry in entries {
            // SAFETY: `places` counted this entry.
            at = unsafe {
                at.write(entry);
                at.add(1)
            };
        }
        let mut at = at.cast::<Aux>();
        for aux in aux {
            // SAFETY: `places` counted this record; entries keep the alignment of 8.
            at = unsafe {
                at.write(aux);
                at.add(1)
            };
        }
        Ok(())
    }
}
