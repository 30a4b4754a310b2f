//! The table format of buffa: the schema of a message as data.
//!
//! ```text
//!  MessageTable (16 B)          FieldEntry × count (8 B each)        Aux × aux_count (16 B each)
//! ┌──────┬───────┬──────┬─────┐┌─────────┬────────┬─────┬────┐ …    ┌─────────────┬───┬───┬───┬────────┐
//! │ size │ count │dense │flags││   tag   │ offset │ aux │ op │      │ table/enum  │ K │op │ Δ │ offset │
//! └──────┴───────┴──────┴─────┘└─────────┴────────┴─────┴────┘      └─────────────┴───┴───┴───┴────────┘
//! ```
//!
//! * [`Kind`] × [`Mode`] name how a field is coded and stored; [`Op`] fuses both into one byte.
//! * [`FieldEntry`] is eight bytes per field; [`Aux`] exists only where a field needs more.
//! * [`Table::new`] is `const` and checks every invariant that it can see, so an invalid table does not compile.
//! * [`TableRef`] is what kernels take: a pointer that may reach the whole table.
//!
//! Names are kept apart in [`NameTable`], which the binary codec never touches.
#![no_std]
#[cfg(feature = "alloc")]
extern crate alloc;

mod aux;
#[cfg(feature = "alloc")]
pub mod build;
pub mod dump;
mod entry;
mod enums;
mod kind;
mod message;
mod names;

pub use aux::{Aux, AuxKind};
pub use entry::FieldEntry;
pub use enums::EnumTable;
pub use kind::{Kind, Mode, Op, Storage, WireType, op};
pub use message::{Flags, MessageTable, Table, TableRef};
pub use names::{NameRef, NameTable};
