//! Builds in temporary directories, with the embedded protoc, stand-ins for other compilers, and none.
#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg_attr(not(feature = "protoc"), allow(dead_code, unused_imports))] // most tests need the embedded protoc

mod compilers;
#[cfg(feature = "protoc")]
mod outputs;
mod support;
