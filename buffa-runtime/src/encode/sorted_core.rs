//! Map entries by ascending key without memory to sort in: the next larger key is searched for each entry.
//!
//! Quadratic in the number of entries; builds with an allocator sort instead.
#![allow(unsafe_code)] // the kernel

use super::order::KeyOrder;
use super::out::Out;
use super::run::message;
use buffa_arena::RawMap;
use buffa_tables::TableRef;

/// Writes the entries of `map` by ascending key.
///
/// # Safety
/// * As for [`run`](super::run::run); `entry` describes the entries of `map`.
#[inline(never)]
pub(super) unsafe fn entries(out: &mut Out, mut p: *mut u8, map: &RawMap, entry: TableRef, tag: u32) -> *mut u8 {
    // SAFETY: by contract.
    let keys = unsafe { KeyOrder::new(map, entry) };
    let mut gap = 1;
    let mut last = None;
    for _ in 0..map.len() {
        // Keys of a map are all different, so "greater than the last" leaves exactly the entries that are still to come.
        let larger = (0..map.len()).filter(|&i| last.is_none_or(|last| keys.compare(i, last).is_gt()));
        let Some(i) = larger.min_by(|&a, &b| keys.compare(a, b)) else { break };
        // SAFETY: the position of an entry.
        p = unsafe { message(out, p, keys.entry(i), entry, tag, &mut gap) };
        if p.is_null() {
            return p;
        }
        last = Some(i);
    }
    p
}
