//! Field kinds, modes and the fused op byte: the one list that every interpreter expands.

/// The six wire types of the encoding specification ("Message Structure").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum WireType {
    /// Base-128 varint.
    Varint = 0,
    /// Eight little-endian bytes.
    Fixed64 = 1,
    /// A length, then that many bytes.
    Len = 2,
    /// Start of a group (or of a DELIMITED message).
    StartGroup = 3,
    /// End of a group.
    EndGroup = 4,
    /// Four little-endian bytes.
    Fixed32 = 5,
}

/// What one value of a field occupies in the message struct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// One byte (`bool`).
    Byte,
    /// Four bytes, aligned to four.
    Word,
    /// Eight bytes, with the target's alignment of `u64`.
    Double,
    /// Pointer and length (`Str`, `Blob`).
    Slice,
    /// A message: behind a pointer, or inline as an array element or map value.
    Message,
    /// A map (`Repeated × Map` only).
    Map,
}

/// Expands `$then!` with the list of all kinds: `(NAME, Name, number, WireType, Storage)`.
macro_rules! for_each_kind {
    ($then:ident) => {
        $then! {
            (INT32, Int32, 0, Varint, Word, "`int32`"),
            (INT64, Int64, 1, Varint, Double, "`int64`"),
            (UINT32, Uint32, 2, Varint, Word, "`uint32`"),
            (UINT64, Uint64, 3, Varint, Double, "`uint64`"),
            (SINT32, Sint32, 4, Varint, Word, "`sint32`"),
            (SINT64, Sint64, 5, Varint, Double, "`sint64`"),
            (BOOL, Bool, 6, Varint, Byte, "`bool`"),
            (OPEN_ENUM, OpenEnum, 7, Varint, Word, "An enum that keeps unknown numbers in the field"),
            (CLOSED_ENUM, ClosedEnum, 8, Varint, Word, "An enum whose unknown numbers go to the unknown fields"),
            (FIXED32, Fixed32, 9, Fixed32, Word, "`fixed32`"),
            (FIXED64, Fixed64, 10, Fixed64, Double, "`fixed64`"),
            (SFIXED32, Sfixed32, 11, Fixed32, Word, "`sfixed32`"),
            (SFIXED64, Sfixed64, 12, Fixed64, Double, "`sfixed64`"),
            (FLOAT, Float, 13, Fixed32, Word, "`float`"),
            (DOUBLE, Double, 14, Fixed64, Double, "`double`"),
            (STRING, String, 15, Len, Slice, "`string` whose UTF-8 is verified"),
            (RAW_STRING, RawString, 16, Len, Slice, "`string` with `utf8_validation = NONE`, stored as bytes"),
            (BYTES, Bytes, 17, Len, Slice, "`bytes`"),
            (MESSAGE, Message, 18, Len, Message, "A length-prefixed message"),
            (GROUP, Group, 19, StartGroup, Message, "A group, or a message with `message_encoding = DELIMITED`"),
            (MAP, Map, 20, Len, Map, "A map; its aux names the table of the entry"),
        }
    };
}

macro_rules! define_kind {
    ($(($upper:ident, $name:ident, $n:literal, $wire:ident, $storage:ident, $doc:literal)),* $(,)?) => {
        /// The declared type of a field, as far as coding and storage can tell types apart.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Kind { $(#[doc = concat!($doc, ".")] $name = $n),* }

        impl Kind {
            /// Every kind, ascending by number.
            pub const ALL: &'static [Kind] = &[$(Kind::$name),*];

            /// The wire type of one value outside a packed run.
            pub const fn wire_type(self) -> WireType {
                match self { $(Kind::$name => WireType::$wire),* }
            }

            /// What one value occupies in memory.
            pub const fn storage(self) -> Storage {
                match self { $(Kind::$name => Storage::$storage),* }
            }

            pub(crate) const fn from_bits(bits: u8) -> Option<Kind> {
                match bits { $($n => Some(Kind::$name),)* _ => None }
            }
        }

        /// The op bytes, one module per mode, to be used as match patterns.
        pub mod op {
            /// Bare scalar or string; default value means absent.
            pub mod implicit { $(#[doc = concat!("Implicit presence: ", $doc, ".")] pub const $upper: u8 = $n;)* }
            /// `Optional<scalar>`, nullable string, nullable message pointer.
            pub mod explicit { $(#[doc = concat!("Explicit presence: ", $doc, ".")] pub const $upper: u8 = 1 << 5 | $n;)* }
            /// Stored like `explicit`; must be present.
            pub mod required { $(#[doc = concat!("Required: ", $doc, ".")] pub const $upper: u8 = 2 << 5 | $n;)* }
            /// Payload of a oneof; aux tells where its case is.
            pub mod oneof { $(#[doc = concat!("Oneof member: ", $doc, ".")] pub const $upper: u8 = 3 << 5 | $n;)* }
            /// `Repeated`, written one record per element (a map is `repeated::MAP`).
            pub mod repeated { $(#[doc = concat!("Repeated: ", $doc, ".")] pub const $upper: u8 = 4 << 5 | $n;)* }
            /// `Repeated`, written as one packed record.
            pub mod packed { $(#[doc = concat!("Packed: ", $doc, ".")] pub const $upper: u8 = 5 << 5 | $n;)* }
            /// Key or value of a map entry: bare, messages inline, always written.
            pub mod always { $(#[doc = concat!("Map entry member: ", $doc, ".")] pub const $upper: u8 = 6 << 5 | $n;)* }
            /// The real op and offset stand in the aux whose index is in the entry's offset.
            pub const WIDE: u8 = 0xFF;
        }
    };
}
for_each_kind!(define_kind);

impl Kind {
    /// Whether `repeated` fields of this kind may be packed.
    pub const fn is_packable(self) -> bool {
        matches!(self.wire_type(), WireType::Varint | WireType::Fixed32 | WireType::Fixed64)
    }
}

/// Cardinality and presence of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Mode {
    /// Singular, absent when it holds the default value.
    Implicit = 0,
    /// Singular with presence.
    Explicit = 1,
    /// Singular with presence; a message without it is not initialized.
    Required = 2,
    /// Member of a oneof.
    Oneof = 3,
    /// Repeated, one record per element.
    Repeated = 4,
    /// Repeated, one record for all elements.
    Packed = 5,
    /// Key or value of a map entry.
    Always = 6,
}

impl Mode {
    /// Every mode, ascending by number.
    pub const ALL: &'static [Mode] =
        &[Mode::Implicit, Mode::Explicit, Mode::Required, Mode::Oneof, Mode::Repeated, Mode::Packed, Mode::Always];
}

/// Kind and mode in one byte.
///
/// ```text
///  7   5 4       0
/// ┌─────┬─────────┐
/// │mode │  kind   │   0xFF = wide: see the aux
/// └─────┴─────────┘
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Op(u8);

impl Op {
    /// The escape op.
    pub const WIDE: Op = Op(op::WIDE);

    /// Fuses kind and mode.
    pub const fn new(kind: Kind, mode: Mode) -> Op {
        Op((mode as u8) << 5 | kind as u8)
    }

    /// The byte, to be matched against [`op`].
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Checks a byte; `None` if it is no op (the escape included).
    pub const fn from_bits(bits: u8) -> Option<Op> {
        let (Some(kind), Some(mode)) = (Kind::from_bits(bits & 31), Op::mode_bits(bits >> 5)) else { return None };
        if Op::allowed(kind, mode) { Some(Op(bits)) } else { None }
    }

    /// The kind; [`Kind::Int32`] for the escape op, which has none.
    pub const fn kind(self) -> Kind {
        match Kind::from_bits(self.0 & 31) {
            Some(kind) => kind,
            None => Kind::Int32,
        }
    }

    /// The mode; [`Mode::Always`] for the escape op, which has none.
    pub const fn mode(self) -> Mode {
        match Op::mode_bits(self.0 >> 5) {
            Some(mode) => mode,
            None => Mode::Always,
        }
    }

    /// The wire type in the canonical tag.
    pub const fn wire_type(self) -> WireType {
        match self.mode() {
            Mode::Packed => WireType::Len,
            _ => self.kind().wire_type(),
        }
    }

    /// Whether the combination means anything: maps are repeated, only numbers are packed, implicit fields are no messages,
    /// closed enums have presence (an implicit one would need a zero value).
    pub const fn allowed(kind: Kind, mode: Mode) -> bool {
        match mode {
            Mode::Repeated => true,
            Mode::Packed => kind.is_packable(),
            Mode::Implicit => !matches!(kind, Kind::Map | Kind::Message | Kind::Group | Kind::ClosedEnum),
            Mode::Explicit | Mode::Required | Mode::Oneof => !matches!(kind, Kind::Map),
            Mode::Always => !matches!(kind, Kind::Map),
        }
    }

    const fn mode_bits(bits: u8) -> Option<Mode> {
        match bits {
            0 => Some(Mode::Implicit),
            1 => Some(Mode::Explicit),
            2 => Some(Mode::Required),
            3 => Some(Mode::Oneof),
            4 => Some(Mode::Repeated),
            5 => Some(Mode::Packed),
            6 => Some(Mode::Always),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_round_trips() {
        for &kind in Kind::ALL {
            for &mode in Mode::ALL {
                let op = Op::new(kind, mode);
                assert_eq!((op.kind(), op.mode()), (kind, mode));
                assert_eq!(Op::from_bits(op.bits()).is_some(), Op::allowed(kind, mode));
            }
        }
        assert_eq!(Op::from_bits(op::WIDE), None);
        assert_eq!(Op::new(Kind::Double, Mode::Packed).bits(), op::packed::DOUBLE);
        assert_eq!(Op::new(Kind::String, Mode::Oneof).bits(), op::oneof::STRING);
    }
}
