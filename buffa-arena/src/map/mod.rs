//! Map fields: entries in insertion order, found by scanning while few and through a hash index when many.

mod key;
mod raw;
mod typed;

pub use key::{LookupKey, MapKey, RawKey};
pub use raw::RawMap;
pub use typed::{Map, MapEntry};
