//! The encoder: one non-generic walk over any message's table, forward in one pass.
//!
//! ```text
//!  sub-message:  tag │ gap │ body …            the gap is one byte, or what the previous sibling's length took
//!                      ▲ length, patched in when the body is written; a wrong guess moves the body once
//! ```
//! Where the output cannot be patched or must fit exactly ([`Mode::Exact`](out::Mode)), lengths come from the size walk ([`size`])
//! instead.

#[cfg(feature = "alloc")]
mod buf_mut;
mod order;
mod out;
mod present;
mod repeated;
mod run;
mod size;
#[cfg(feature = "alloc")]
#[path = "sorted_alloc.rs"]
mod sorted;
#[cfg(not(feature = "alloc"))]
#[path = "sorted_core.rs"]
mod sorted;
#[cfg(feature = "alloc")]
mod to_vec;

#[cfg(feature = "alloc")]
pub(crate) use buf_mut::to_buf_mut;
pub(crate) use out::to_slice;
pub(crate) use size::size;
#[cfg(feature = "alloc")]
pub(crate) use to_vec::{append, to_vec};
