//! Generic walks over messages: equality, deep copies, the required check, debug output.

mod clone;
mod debug;
mod eq;
mod required;
#[cfg(feature = "alloc")]
mod required_path;
mod types;

pub(crate) use clone::clone_into;
pub use debug::debug;
pub use eq::eq;
pub(crate) use required::is_initialized;
#[cfg(feature = "alloc")]
pub(crate) use required_path::missing_fields;
