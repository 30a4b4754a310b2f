//! Alignment without naming a target.

use super::Target;
use crate::{Kind, Mode, Storage};

/// What a member's alignment depends on. On every supported target byte < word ≤ pointer ≤ double.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AlignClass {
    /// One byte.
    Byte,
    /// Four bytes.
    Word,
    /// That of a pointer.
    Pointer,
    /// That of `u64`.
    Double,
}

impl AlignClass {
    /// The class of a field of this kind and mode.
    pub fn of(kind: Kind, mode: Mode) -> AlignClass {
        match (mode, kind.storage()) {
            (Mode::Repeated | Mode::Packed, _) => AlignClass::Pointer,
            (_, Storage::Byte) => AlignClass::Byte,
            (_, Storage::Word) => AlignClass::Word,
            (_, Storage::Double) => AlignClass::Double,
            (_, Storage::Slice | Storage::Message | Storage::Map) => AlignClass::Pointer,
        }
    }

    /// Bytes on `target`.
    pub fn bytes(self, target: Target) -> usize {
        match self {
            AlignClass::Byte => 1,
            AlignClass::Word => 4,
            AlignClass::Pointer => target.pointer,
            AlignClass::Double => target.align_u64,
        }
    }

    /// Position in the struct: see the order in [`super`].
    pub(super) fn rank(self) -> u8 {
        match self {
            AlignClass::Pointer => 0,
            AlignClass::Double => 1,
            AlignClass::Word => 2,
            AlignClass::Byte => 3,
        }
    }
}

/// Bytes of a field of this kind and mode on `target`; the twin of `message::extent`, which only knows its own target.
/// An inline message (map value) counts as empty: its size is its table's.
pub(super) fn bytes_of(kind: Kind, mode: Mode, target: Target) -> usize {
    let bytes = match kind.storage() {
        Storage::Byte => 1,
        Storage::Word => 4,
        Storage::Double => 8,
        Storage::Slice => 2 * target.pointer,
        Storage::Message => target.pointer,
        Storage::Map => return 2 * target.pointer + 8,
    };
    match (mode, kind.storage()) {
        (Mode::Repeated | Mode::Packed, _) => target.pointer + 8,
        (Mode::Explicit | Mode::Required, Storage::Byte | Storage::Word | Storage::Double) => {
            bytes + AlignClass::of(kind, mode).bytes(target)
        }
        (Mode::Always, Storage::Message) => 0,
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Op, message::extent};

    #[test]
    fn agrees_with_the_checks_of_the_table() {
        for &kind in Kind::ALL {
            for &mode in Mode::ALL {
                if Op::allowed(kind, mode) {
                    let ours = (bytes_of(kind, mode, Target::HOST), AlignClass::of(kind, mode).bytes(Target::HOST));
                    assert_eq!(ours, extent(kind, mode), "{kind:?} {mode:?}");
                }
            }
        }
    }
}
