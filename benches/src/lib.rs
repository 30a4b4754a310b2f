//! Timings of buffa beside its peers: one process, the same payloads, interleaved rounds.
//!
//! A [`set::Set`] holds payloads of one message type. Every library adds [`contestant::Entry`]s for a
//! set, [`verify`] makes sure that each one sees the same message, [`measure`] times them in turn
//! and [`report`] prints what came out. Adding a library is one module with one `entries` function,
//! called in [`entries`].

pub mod args;
pub mod contestant;
pub mod generate;
pub mod kind;
pub mod measure;
pub mod ours;
pub mod peers;
pub mod quiet;
pub mod report;
pub mod rng;
pub mod set;
pub mod verify;

use contestant::Entry;
use set::Set;

/// Everybody's entries for a set, ours first.
pub fn entries(set: &Set) -> Vec<Entry<'_>> {
    let mut entries = ours::entries(set);
    entries.extend(peers::entries(set));
    entries
}
