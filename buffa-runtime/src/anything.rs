//! A message without fields: everything is unknown to it.
#![allow(unsafe_code)] // implements `Message` by hand

use buffa_arena::{DefaultInstance, LivesIn, UnknownFields};
use buffa_tables::{Flags, NameRef, NameTable, Table, TableRef};

/// Checks the structure of any message and keeps all of it.
#[derive(Default)]
#[repr(C)]
pub(crate) struct Anything<'a> {
    unknown: UnknownFields<'a>,
}

static TABLE: Table<0, 0> = Table::new(size_of::<Anything<'static>>(), Flags::NONE, [], []);
static NAMES: NameTable = NameTable::new("", "", &[]);
static DEFAULT: Anything<'static> = Anything { unknown: UnknownFields::EMPTY };

// SAFETY: zero is the empty set of unknown fields; not `Copy`, no drop glue.
unsafe impl DefaultInstance for Anything<'_> {
    fn default_instance<'x>() -> &'x Self
    where
        Self: 'x,
    {
        &DEFAULT
    }
}

// SAFETY: in the form that the trait asks for.
unsafe impl<'a> LivesIn<'a> for Anything<'a> {}

// SAFETY: no entries; the struct is its unknown fields.
unsafe impl<'a> crate::Message<'a> for Anything<'a> {
    type With<'x> = Anything<'x>;
    const TABLE: TableRef = TABLE.table();
    const NAMES: NameRef = NAMES.names();
}
