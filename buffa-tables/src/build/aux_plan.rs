//! Which aux records a table gets, and who shares them.

use super::{AlignClass, BuildError, FieldSpec, Sub};
use crate::Op;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// What the pointer of an aux leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AuxBase {
    /// Nothing.
    None,
    /// The table of the message with this id.
    Message(usize),
    /// The numbers of the closed enum with this id.
    Enum(usize),
    /// The entry table of the map at this index of [`super::Layout::maps`].
    Map(usize),
}

/// One aux record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuxPlan {
    /// What it points to.
    pub base: AuxBase,
    /// For members of a oneof: a oneof whose alignment gives the distance from case to payload. Oneofs with the same
    /// [`AlignClass`] share records, so this is only the first of them.
    pub oneof: Option<usize>,
    /// For a wide field: its op, and its index in the spec.
    pub wide: Option<(Op, usize)>,
}

/// The largest aux index that fits the byte in an entry.
const MAX_NARROW: usize = 254;

/// Hands out aux indices: shared records for the narrow fields first, then one record per wide field.
#[derive(Default)]
pub(super) struct AuxTable {
    plans: Vec<AuxPlan>,
    shared: BTreeMap<(AuxBase, Option<AlignClass>), usize>,
}

impl AuxTable {
    /// The index of a shared record, or `None` if the byte of an entry could not hold it.
    pub(super) fn narrow(&mut self, base: AuxBase, oneof: Option<(usize, AlignClass)>) -> Option<usize> {
        let key = (base, oneof.map(|(_, class)| class));
        if let Some(&index) = self.shared.get(&key) {
            return Some(index);
        }
        let index = self.plans.len();
        if index > MAX_NARROW {
            return None;
        }
        self.plans.push(AuxPlan { base, oneof: oneof.map(|(oneof, _)| oneof), wide: None });
        self.shared.insert(key, index);
        Some(index)
    }

    /// The index of a record of its own.
    pub(super) fn wide(&mut self, base: AuxBase, oneof: Option<usize>, op: Op, field: usize) -> usize {
        self.plans.push(AuxPlan { base, oneof, wide: Some((op, field)) });
        self.plans.len() - 1
    }

    pub(super) fn finish(self) -> Result<Vec<AuxPlan>, BuildError> {
        if self.plans.len() > usize::from(u16::MAX) { Err(BuildError::TooManyAux(self.plans.len())) } else { Ok(self.plans) }
    }
}

/// What the aux of a field points to; maps get their index from `map`.
pub(super) fn base_of(field: &FieldSpec, map: impl FnOnce(super::MapSpec) -> usize) -> AuxBase {
    match field.sub {
        Sub::None => AuxBase::None,
        Sub::Message(id) => AuxBase::Message(id),
        Sub::Enum(id) => AuxBase::Enum(id),
        Sub::Map(spec) => AuxBase::Map(map(spec)),
    }
}
