//! Layout and table construction from a schema: the one place that decides how a message looks in memory.
//!
//! ```text
//! MessageSpec ──Layout::new──▶ Layout (member order, entries, aux plan) ──Layout::offsets(target)──▶ Offsets ──▶ Tables
//! ```
//!
//! The code generator prints a [`Layout`] as a struct and a static table; reflection turns the same [`Layout`] into a table in
//! memory. Everything in a layout is independent of the target, so one generated file serves 32- and 64-bit programs;
//! [`Offsets`] is what one target makes of it.
//!
//! # Order of members
//! `__unknown` stands first, at offset 0. Then come the oneofs and the fields outside of oneofs, by [`AlignClass`] (pointers,
//! doubles, words, bytes), and inside a class by field number, because the low numbers are the ones that schemas use most.
//! Pointers precede doubles so that a 32-bit target with 8-byte alignment of `u64` pays at most one gap.

mod aux_plan;
mod class;
mod error;
mod layout;
mod offsets;
mod required;
mod spec;
mod tables;
mod target;
#[cfg(test)]
mod tests;

pub use aux_plan::{AuxBase, AuxPlan};
pub use class::AlignClass;
pub use error::BuildError;
pub use layout::{EntryPlan, Layout, Member};
pub use offsets::{MapOffsets, Offsets};
pub use required::required_deep;
pub use spec::{FieldSpec, MapSpec, MessageSpec, Sub};
pub use tables::{EnumSpec, Tables, longest_run};
pub use target::Target;
