//! From a spec to member order, entries and aux records.

use super::aux_plan::{AuxTable, base_of};
use super::{AlignClass, AuxBase, AuxPlan, BuildError, FieldSpec, MapSpec, MessageSpec, Offsets, Target};
use crate::{FieldEntry, Mode, Op};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// One member of the struct behind `__unknown`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member {
    /// The field at this index of the spec.
    Field(usize),
    /// The oneof with this index.
    Oneof(usize),
}

/// One entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryPlan {
    /// Index of the field in the spec.
    pub field: usize,
    /// Its op (the real one, also where the entry is wide).
    pub op: Op,
    /// Index of its aux.
    pub aux: Option<u16>,
    /// Whether op and offset stand in the aux.
    pub wide: bool,
}

/// Everything about a message's struct and table that holds on every target.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The struct behind `__unknown`, in memory order.
    pub members: Vec<Member>,
    /// The entries, ascending by number.
    pub entries: Vec<EntryPlan>,
    /// The aux records.
    pub aux: Vec<AuxPlan>,
    /// The maps that need an entry table, equal ones once; with the index of the first field of each.
    pub maps: Vec<(MapSpec, usize)>,
    /// Alignment of each oneof's enum.
    pub oneofs: Vec<AlignClass>,
    /// How many leading entries have the number index + 1.
    pub dense: usize,
}

impl Layout {
    /// Checks a spec and lays it out.
    ///
    /// # Errors
    /// When the spec contradicts itself or outgrows what a table can express; see [`BuildError`].
    pub fn new(spec: &MessageSpec) -> Result<Layout, BuildError> {
        let order = by_number(spec)?;
        let oneofs = oneof_classes(spec)?;
        let members = member_order(spec, &order, &oneofs);
        let offsets = Offsets::of_members(spec, &members, &oneofs, Target::BITS_64)?;

        let mut maps = Vec::new();
        let mut map_index = BTreeMap::new();
        let mut aux = AuxTable::default();
        let mut entries: Vec<EntryPlan> = Vec::with_capacity(order.len());
        let mut wide = Vec::new();
        let mut bases = Vec::with_capacity(order.len());
        for &index in &order {
            let field = &spec.fields[index];
            let base = base_of(field, |map| {
                *map_index.entry(map_key(map)).or_insert_with(|| {
                    maps.push((map, index));
                    maps.len() - 1
                })
            });
            bases.push(base);
            let oneof = field.oneof.map(|oneof| (oneof, oneofs[oneof]));
            let mut entry = EntryPlan { field: index, op: field.op(), aux: None, wide: false };
            let mut fits = offsets.fields[index] <= usize::from(u16::MAX);
            if fits && (base != AuxBase::None || oneof.is_some()) {
                entry.aux = aux.narrow(base, oneof).and_then(|index| u16::try_from(index).ok());
                fits = entry.aux.is_some();
            }
            if !fits {
                entry.wide = true;
                wide.push(entries.len());
            }
            entries.push(entry);
        }
        for position in wide {
            let entry = &mut entries[position];
            let index = aux.wide(bases[position], spec.fields[entry.field].oneof, entry.op, entry.field);
            entry.aux = Some(u16::try_from(index).map_err(|_| BuildError::TooManyAux(index + 1))?);
        }
        let dense = (1..).zip(&order).take_while(|&(number, &index)| spec.fields[index].number == number).count();
        Ok(Layout { members, entries, aux: aux.finish()?, maps, oneofs, dense })
    }

    /// What `target` makes of this layout.
    ///
    /// # Errors
    /// [`BuildError::TooLarge`].
    pub fn offsets(&self, spec: &MessageSpec, target: Target) -> Result<Offsets, BuildError> {
        Offsets::of_members(spec, &self.members, &self.oneofs, target)
    }
}

/// A map's identity as something ordered.
fn map_key(map: MapSpec) -> (u8, u8, Option<usize>, Option<usize>) {
    (map.key.0 as u8, map.value.0 as u8, map.message, map.closed_enum)
}

/// Checks every field; returns their indices, ascending by number.
fn by_number(spec: &MessageSpec) -> Result<Vec<usize>, BuildError> {
    if spec.fields.len() > usize::from(u16::MAX) {
        return Err(BuildError::TooManyFields(spec.fields.len()));
    }
    for field in &spec.fields {
        check(spec, field)?;
    }
    let mut order: Vec<usize> = (0..spec.fields.len()).collect();
    order.sort_by_key(|&index| spec.fields[index].number);
    for pair in order.windows(2) {
        if spec.fields[pair[0]].number == spec.fields[pair[1]].number {
            return Err(BuildError::DuplicateNumber(spec.fields[pair[0]].number));
        }
    }
    Ok(order)
}

fn check(spec: &MessageSpec, field: &FieldSpec) -> Result<(), BuildError> {
    let number = field.number;
    if number == 0 || number > FieldEntry::MAX_NUMBER {
        return Err(BuildError::NumberOutOfRange(number));
    }
    // `Always` is for the entries of maps, which this builder makes itself.
    if field.mode == Mode::Always || !Op::allowed(field.kind, field.mode) {
        return Err(BuildError::BadOp(number));
    }
    if field.oneof.is_some() != (field.mode == Mode::Oneof) || field.oneof.is_some_and(|oneof| oneof >= spec.oneofs) {
        return Err(BuildError::BadOneof(number));
    }
    if field.sub_fits() { Ok(()) } else { Err(BuildError::BadSub(number)) }
}

/// The alignment of each oneof's enum: its case is a `u32`, so at least a word.
fn oneof_classes(spec: &MessageSpec) -> Result<Vec<AlignClass>, BuildError> {
    let mut classes: Vec<Option<AlignClass>> = alloc::vec![None; spec.oneofs];
    for field in &spec.fields {
        if let Some(oneof) = field.oneof {
            let class = AlignClass::of(field.kind, field.mode).max(AlignClass::Word);
            classes[oneof] = classes[oneof].max(Some(class));
        }
    }
    classes.into_iter().enumerate().map(|(index, class)| class.ok_or(BuildError::EmptyOneof(index))).collect()
}

/// See the order in [`super`]. A oneof counts with the number of its first member.
fn member_order(spec: &MessageSpec, order: &[usize], oneofs: &[AlignClass]) -> Vec<Member> {
    let mut seen = alloc::vec![false; oneofs.len()];
    let mut members = Vec::with_capacity(order.len());
    for &index in order {
        let field = &spec.fields[index];
        match field.oneof {
            None => members.push((AlignClass::of(field.kind, field.mode).rank(), Member::Field(index))),
            Some(oneof) if !seen[oneof] => {
                seen[oneof] = true;
                members.push((oneofs[oneof].rank(), Member::Oneof(oneof)));
            }
            Some(_) => {}
        }
    }
    members.sort_by_key(|&(rank, _)| rank); // stable: numbers stay ascending inside a class
    members.into_iter().map(|(_, member)| member).collect()
}
