//! The benchmark messages as buffa 0.9.2 generates them: unrolled code per message.

#![allow(clippy::all, non_camel_case_types, unused_imports)] // the peer's generator wrote the code

pub use buffa;

/// Default settings; owned messages, views and lazy views.
pub mod plain {
    include!(concat!(env!("OUT_DIR"), "/plain/bench.mod.rs"));
}

/// Unknown fields dropped, `bytes` fields as `bytes::Bytes`, oneof messages inline.
pub mod lean {
    include!(concat!(env!("OUT_DIR"), "/lean/bench.mod.rs"));
}
