//! Sizes and offsets on one target: what `#[repr(C)]` does, computed.

use super::class::bytes_of;
use super::{AlignClass, BuildError, MapSpec, Member, MessageSpec, Target};
use crate::Mode;
use alloc::vec::Vec;

/// Where everything of one struct is on one target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offsets {
    /// Size of the struct.
    pub size: usize,
    /// Its alignment.
    pub align: usize,
    /// Offset of each member, in the order of [`super::Layout::members`].
    pub members: Vec<usize>,
    /// Offset of each field, in the order of the spec; of a oneof member that of its payload.
    pub fields: Vec<usize>,
}

/// Where everything of one map entry is on one target; the key is at offset 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapOffsets {
    /// Size of the entry.
    pub size: usize,
    /// Offset of the value.
    pub value: usize,
}

impl Offsets {
    pub(super) fn of_members(
        spec: &MessageSpec,
        members: &[Member],
        oneofs: &[AlignClass],
        target: Target,
    ) -> Result<Offsets, BuildError> {
        let mut payloads = alloc::vec![0_usize; oneofs.len()];
        for field in &spec.fields {
            if let Some(oneof) = field.oneof {
                payloads[oneof] = payloads[oneof].max(bytes_of(field.kind, field.mode, target));
            }
        }
        let mut place = Place { end: target.pointer, align: target.pointer };
        let mut result = Offsets { size: 0, align: 0, members: Vec::new(), fields: alloc::vec![0; spec.fields.len()] };
        let mut oneof_offsets = alloc::vec![0_usize; oneofs.len()];
        for &member in members {
            let offset = match member {
                Member::Field(index) => {
                    let field = &spec.fields[index];
                    let align = AlignClass::of(field.kind, field.mode).bytes(target);
                    let offset = place.next(bytes_of(field.kind, field.mode, target), align);
                    result.fields[index] = offset;
                    offset
                }
                Member::Oneof(oneof) => {
                    let align = oneofs[oneof].bytes(target);
                    let offset = place.next(align + round_up(payloads[oneof], align), align);
                    oneof_offsets[oneof] = offset;
                    offset
                }
            };
            result.members.push(offset);
        }
        for (index, field) in spec.fields.iter().enumerate() {
            if let Some(oneof) = field.oneof {
                // The payload stands one alignment behind the case, see `Aux::in_oneof`.
                result.fields[index] = oneof_offsets[oneof] + oneofs[oneof].bytes(target);
            }
        }
        result.align = place.align;
        result.size = round_up(place.end, place.align);
        if i32::try_from(result.size).is_err() { Err(BuildError::TooLarge) } else { Ok(result) }
    }
}

impl MapOffsets {
    /// Lays out an entry; `message` is size and alignment of the value where it is a message.
    pub fn new(map: MapSpec, message: Option<(usize, usize)>, target: Target) -> MapOffsets {
        let mut place = Place { end: 0, align: 1 };
        place.next(bytes_of(map.key.0, Mode::Always, target), AlignClass::of(map.key.0, Mode::Always).bytes(target));
        let (bytes, align) = message.unwrap_or_else(|| {
            (bytes_of(map.value.0, Mode::Always, target), AlignClass::of(map.value.0, Mode::Always).bytes(target))
        });
        let value = place.next(bytes, align);
        MapOffsets { size: round_up(place.end, place.align), value }
    }
}

/// The end of a struct under construction.
struct Place {
    end: usize,
    align: usize,
}

impl Place {
    /// Appends a member and returns its offset. At most 65535 members of at most a few dozen bytes: no overflow.
    fn next(&mut self, bytes: usize, align: usize) -> usize {
        let offset = round_up(self.end, align);
        self.end = offset + bytes;
        self.align = self.align.max(align);
        offset
    }
}

fn round_up(n: usize, align: usize) -> usize {
    n.div_ceil(align) * align
}
