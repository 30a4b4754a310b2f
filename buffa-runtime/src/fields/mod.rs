//! The fields of a message in memory, as every engine but the two hot loops sees them.

mod items;
mod key;

pub(crate) use items::{Field, Items, Slice, fields};
pub(crate) use key::{KeyOf, key_of};
