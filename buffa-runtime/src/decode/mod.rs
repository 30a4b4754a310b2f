//! The decoder: one non-generic loop over any message's table.
//!
//! ```text
//!  input   ├──────────────── fast ────────────────┤── last 16 bytes ──┤
//!                                             end ▲                   ▲ input end
//!  patch                                          ├── copy of them ───┤── 16 zero bytes ──┤
//! ```
//! While `p < end`, sixteen bytes are readable at `p`: one check covers a tag (≤ 5 bytes) and a varint (≤ 10). When `p` passes
//! `end`, the last sixteen bytes continue in the patch buffer. Frames (sub-messages) keep their end relative to `end`, so
//! they do not notice the switch. Strings are never taken from the patch: their position is mapped back into the input.

mod field;
mod map;
mod packed;
mod run;
mod state;
mod unknown;
mod unpacked;
#[cfg(feature = "std")]
#[path = "utf8_simd.rs"]
mod utf8;
#[cfg(not(feature = "std"))]
#[path = "utf8_core.rs"]
mod utf8;

pub(crate) use state::{Shape, decode_field, merge};
pub(crate) use unknown::{group_len, split_first};
