//! What can be wrong with a message spec.

use core::fmt;

/// Why a layout or a table cannot be built. Numbers are field numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// More fields than the sixteen bits of a table header can count.
    TooManyFields(usize),
    /// More aux records than a table can index.
    TooManyAux(usize),
    /// A number outside 1 ..= 2²⁹ − 1.
    NumberOutOfRange(u32),
    /// Two fields have this number.
    DuplicateNumber(u32),
    /// Kind and mode of this field do not go together, e.g. a packed string.
    BadOp(u32),
    /// This field names a oneof that does not exist, or is in a oneof without [`crate::Mode::Oneof`], or the reverse.
    BadOneof(u32),
    /// This field has no sub-message, enum or map spec although its kind needs one, or has one that its kind cannot have.
    BadSub(u32),
    /// The enum with this id does not declare its default.
    BadEnum(usize),
    /// A oneof without members.
    EmptyOneof(usize),
    /// The struct would be larger than 2³¹ − 1 bytes.
    TooLarge,
}

impl fmt::Display for BuildError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BuildError::TooManyFields(n) => write!(out, "{n} fields are more than a table can hold (65535)"),
            BuildError::TooManyAux(n) => write!(out, "{n} aux records are more than a table can hold (65535)"),
            BuildError::NumberOutOfRange(n) => write!(out, "field number {n} is outside 1 to 536870911"),
            BuildError::DuplicateNumber(n) => write!(out, "two fields have the number {n}"),
            BuildError::BadOp(n) => write!(out, "type and cardinality of field {n} do not go together"),
            BuildError::BadOneof(n) => write!(out, "field {n} and its oneof do not go together"),
            BuildError::BadSub(n) => write!(out, "field {n} lacks the message, enum or map that its type needs"),
            BuildError::BadEnum(n) => write!(out, "enum {n} does not declare its default"),
            BuildError::EmptyOneof(n) => write!(out, "oneof {n} has no members"),
            BuildError::TooLarge => write!(out, "the message struct would be larger than 2147483647 bytes"),
        }
    }
}

impl core::error::Error for BuildError {}
