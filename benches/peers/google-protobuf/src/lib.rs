//! The benchmark messages as Google's protobuf 4.36 (upb kernel) generates them.

#![allow(clippy::all)] // the peer's generator wrote the code

pub use protobuf;

/// The compiler that built the runtime's C: clang's output is 1.1 to 1.6 times as fast as gcc's.
pub const C_COMPILER: &str = env!("PEER_C_COMPILER");

/// The generated messages.
pub mod messages {
    include!(concat!(env!("OUT_DIR"), "/protobuf_generated/generated.rs"));
}
