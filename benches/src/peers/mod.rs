//! The libraries that ours is compared with, each in its best documented use.

mod google;
mod prost;
mod quick;
mod unrolled;

use crate::contestant::Entry;
use crate::set::Set;

pub use peer_google_protobuf::C_COMPILER;

/// Every peer's entries for a set.
pub fn entries(set: &Set) -> Vec<Entry<'_>> {
    [prost::entries, unrolled::entries, google::entries, quick::entries].iter().flat_map(|entries| entries(set)).collect()
}
