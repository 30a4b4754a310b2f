//! Extensions: typed access to fields that stand among the unknown ones, and their checks while decoding.
//!
//! An extension is described by the table of a [`Carrier`], a message of one field. Reading one decodes the unknown fields with
//! its number through that table; so every kind, packed or not, goes through the one decoder.

mod carrier;
mod info;
mod item;
mod registry;
mod required;
mod value;

pub use carrier::{Carrier, FieldFamily};
pub use info::{Extension, ExtensionInfo};
pub use registry::ExtensionRegistry;
pub(crate) use required::missing;
pub(crate) use value::{clear, get, has, set};
