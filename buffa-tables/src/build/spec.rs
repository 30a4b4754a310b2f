//! The input of the builder: what is known about a message before it has a layout.

use crate::{Flags, Kind, Mode, Op};
use alloc::vec::Vec;

/// One message: its fields in any order.
#[derive(Clone, Debug)]
pub struct MessageSpec {
    /// The fields; the indices of this list are what a [`super::Layout`] refers to.
    pub fields: Vec<FieldSpec>,
    /// How many oneofs the fields may refer to (synthetic ones left out).
    pub oneofs: usize,
    /// [`Flags::EXTENDABLE`], [`Flags::MESSAGE_SET`] and [`Flags::REQUIRED_DEEP`] where they hold.
    pub flags: Flags,
}

/// One field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldSpec {
    /// The field number.
    pub number: u32,
    /// Type of one value; [`Kind::Map`] for a map.
    pub kind: Kind,
    /// Cardinality and presence; [`Mode::Repeated`] for a map, [`Mode::Oneof`] for a member of a oneof.
    pub mode: Mode,
    /// The oneof that the field is a member of.
    pub oneof: Option<usize>,
    /// What the type of the field refers to.
    pub sub: Sub,
}

/// What the type of a field refers to. Two fields with equal `Sub` can share an aux.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sub {
    /// Nothing: numbers, strings, bytes and open enums (whose numbers a table need not know).
    None,
    /// The message with this id (an id is whatever the caller numbers its messages with).
    Message(usize),
    /// The closed enum with this id.
    Enum(usize),
    /// A map.
    Map(MapSpec),
}

/// Key and value of a map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MapSpec {
    /// Kind of the key: an integer, `bool` or string. As a number, since kinds have no hash.
    pub key: KindKey,
    /// Kind of the value.
    pub value: KindKey,
    /// Message id of the value, where it is a message.
    pub message: Option<usize>,
    /// Enum id of the value, where it is a closed enum.
    pub closed_enum: Option<usize>,
}

/// A [`Kind`] that can be hashed, so that equal maps are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindKey(pub Kind);

impl core::hash::Hash for KindKey {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.0 as u8).hash(state);
    }
}

impl MapSpec {
    /// A map from `key` to `value`; `sub` is what the value's type refers to.
    pub fn new(key: Kind, value: Kind, sub: Sub) -> MapSpec {
        let (message, closed_enum) = match sub {
            Sub::Message(id) => (Some(id), None),
            Sub::Enum(id) => (None, Some(id)),
            Sub::None | Sub::Map(_) => (None, None),
        };
        MapSpec { key: KindKey(key), value: KindKey(value), message, closed_enum }
    }

    /// What the value's type refers to.
    pub fn value_sub(self) -> Sub {
        match (self.message, self.closed_enum) {
            (Some(id), _) => Sub::Message(id),
            (None, Some(id)) => Sub::Enum(id),
            (None, None) => Sub::None,
        }
    }

    fn is_valid(self) -> bool {
        let key = !matches!(
            self.key.0,
            Kind::Float
                | Kind::Double
                | Kind::Bytes
                | Kind::Message
                | Kind::Group
                | Kind::Map
                | Kind::OpenEnum
                | Kind::ClosedEnum
        );
        let value = match self.value.0 {
            Kind::Message => self.message.is_some() && self.closed_enum.is_none(),
            Kind::ClosedEnum => self.closed_enum.is_some() && self.message.is_none(),
            Kind::Group | Kind::Map => false,
            _ => self.message.is_none() && self.closed_enum.is_none(),
        };
        key && value
    }
}

impl FieldSpec {
    /// The fused op.
    pub fn op(&self) -> Op {
        Op::new(self.kind, self.mode)
    }

    /// Whether `sub` is what the kind needs.
    pub(super) fn sub_fits(&self) -> bool {
        match (self.kind, self.sub) {
            (Kind::Message | Kind::Group, Sub::Message(_)) | (Kind::ClosedEnum, Sub::Enum(_)) => true,
            (Kind::Map, Sub::Map(map)) => map.is_valid(),
            (Kind::Message | Kind::Group | Kind::ClosedEnum | Kind::Map, _) => false,
            (_, sub) => sub == Sub::None,
        }
    }
}
