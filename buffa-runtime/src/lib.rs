//! Table-driven Protocol Buffers.
//!
//! Generated code is data: one `#[repr(C)]` struct with public fields and one compact table per message. One decoder and one encoder
//! interpret the tables; nothing is compiled per message.
//!
//! ```
//! use buffa::{Arena, Message};
//! use buffa::descriptor::FileDescriptorProto;
//!
//! let file = FileDescriptorProto { name: "a.proto".into(), package: "a".into(), ..Default::default() };
//! let bytes = file.encode_to_vec();
//! let arena = Arena::new();
//! let back = FileDescriptorProto::decode(&bytes, &arena)?;
//! assert_eq!(&*back.name, "a.proto");
//! assert_eq!(back, file);
//! # Ok::<(), buffa::DecodeError>(())
//! ```
//!
//! | feature | adds |
//! |---|---|
//! | none | `core` only: decode, merge and encode with a fixed arena |
//! | `alloc` | growing arenas, `Vec` output, [`Owned`], `bytes` |
//! | `std` (default) | `std::io`, SIMD detection, random hash seeds |
//! | `descriptor` | the types of `descriptor.proto` and `plugin.proto` |
#![no_std]
#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;
// Generated code says `::buffa`, also inside this crate.
#[allow(unused_extern_crates, reason = "only the `descriptor` feature has generated code")]
extern crate self as buffa;

mod anything;
mod decode;
#[cfg(feature = "descriptor")]
pub mod descriptor;
mod encode;
mod enum_type;
mod error;
mod extension;
mod fields;
#[cfg(feature = "std")]
mod io;
pub mod limits;
mod message;
#[cfg(feature = "alloc")]
mod owned;
#[doc(hidden)]
pub mod rt;
mod unknown;
mod walk;
mod wire;
pub mod wkt;

#[doc(hidden)]
pub use rt as __rt;

#[cfg(feature = "alloc")]
pub use buffa_arena::BumpArena;
pub use buffa_arena::{
    Arena, ArenaError, Blob, Enum, EnumValue, Map, MapEntry, MessageField, Optional, Repeated, Str, UnknownFields,
};
pub use enum_type::EnumType;
pub use error::{DecodeError, EncodeError, ErrorKind};
pub use extension::{Extension, ExtensionInfo, ExtensionRegistry};
#[cfg(feature = "std")]
pub use io::{read_delimited, read_message, write_delimited, write_message};
pub use limits::{DecodeOptions, UnknownPolicy};
pub use message::Message;
#[cfg(feature = "alloc")]
pub use owned::Owned;
pub use unknown::{UnknownField, UnknownFieldsExt, UnknownValue};

/// Includes the code that `buffa_codegen::build` generated for a package: `buffa::include_proto!("tutorial")`.
///
/// The empty package is `"_"`.
#[macro_export]
macro_rules! include_proto {
    ($package:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $package, ".rs"));
    };
}
