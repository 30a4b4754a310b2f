//! The benchmark messages as prost 0.14 generates them.

#![allow(clippy::all)] // the peer's generator wrote the code

pub use prost;

/// Default settings.
pub mod plain {
    include!(concat!(env!("OUT_DIR"), "/plain/bench.rs"));
}

/// `bytes` fields are `bytes::Bytes`: no copy when the input is `Bytes` too.
pub mod bytes {
    include!(concat!(env!("OUT_DIR"), "/bytes/bench.rs"));
}
