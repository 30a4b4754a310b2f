//! The benchmark messages as quick-protobuf 0.8 generates them, a module per schema.
//!
//! Strings, bytes and packed fixed-width fields borrow from the input. The last is undefined
//! behaviour in the peer: `BytesReader::read_packed_fixed` makes a `&[f64]` of bytes that need not be
//! aligned. Builds with debug assertions abort on it.

#![allow(clippy::all, nonstandard_style, unused_imports, unused_variables)] // the peer's generator wrote the code

pub use quick_protobuf;

include!(concat!(env!("OUT_DIR"), "/modules.rs"));
