//! The arena of buffa and the containers that live in it.
//!
//! Every container here obeys the same four rules, on which decoder and generated code rely:
//!
//! 1. **All-zero bytes are its default value.** A message is created by zeroing memory.
//! 2. **Covariant in `'a`**, the lifetime of the data: input buffer, arena or stack.
//! 3. **No drop glue.** An arena is freed as a whole.
//! 4. **No interior mutability**, so that messages are `Send + Sync`. What allocates takes `&'a Arena`.
#![no_std]
#[cfg(feature = "std")]
extern crate std;

mod arena;
mod blob;
mod enum_value;
mod error;
mod map;
mod message_field;
mod optional;
mod repeated;
#[cfg(not(feature = "std"))]
#[path = "seed_address.rs"]
mod seed;
#[cfg(feature = "std")]
#[path = "seed_random.rs"]
mod seed;
#[cfg(feature = "alloc")]
#[path = "source_bump.rs"]
mod source;
#[cfg(not(feature = "alloc"))]
#[path = "source_fixed.rs"]
mod source;
mod str;
mod unknown;

pub use arena::{Arena, Mark};
pub use blob::Blob;
pub use enum_value::{Enum, EnumValue};
pub use error::ArenaError;
pub use map::{LookupKey, Map, MapEntry, MapKey, RawKey, RawMap};
pub use message_field::{DefaultInstance, LivesIn, MessageField};
pub use optional::Optional;
pub use repeated::{RawRepeated, Repeated};
#[cfg(feature = "alloc")]
pub use source::BumpArena;
pub use str::Str;
pub use unknown::UnknownFields;
