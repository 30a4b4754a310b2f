//! Map entries by ascending key, sorted in a vector of positions.
#![allow(unsafe_code)] // the kernel

use super::order::KeyOrder;
use super::out::Out;
use super::run::message;
use alloc::vec::Vec;
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
    let mut positions: Vec<usize> = (0..map.len()).collect();
    positions.sort_unstable_by(|&a, &b| keys.compare(a, b));
    let mut gap = 1;
    for i in positions {
        // SAFETY: the position of an entry.
        p = unsafe { message(out, p, keys.entry(i), entry, tag, &mut gap) };
        if p.is_null() {
            return p;
        }
    }
    p
}
