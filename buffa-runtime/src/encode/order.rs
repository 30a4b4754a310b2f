//! The order of map keys in deterministic output: numbers by value, strings by bytes.
#![allow(unsafe_code)] // reads keys of entries

use crate::fields::{KeyOf, key_of};
use buffa_arena::{RawKey, RawMap};
use buffa_tables::{Kind, TableRef};
use core::cmp::Ordering;

/// Compares entries of one map by key.
pub(super) struct KeyOrder<'m> {
    map: &'m RawMap,
    size: usize,
    key: KeyOf,
    signed: bool,
}

impl<'m> KeyOrder<'m> {
    /// # Safety
    /// * `entry` describes the entries of `map`.
    pub(super) unsafe fn new(map: &'m RawMap, entry: TableRef) -> KeyOrder<'m> {
        let signed = entry.entries().first().is_some_and(|key| {
            matches!(key.op().kind(), Kind::Int32 | Kind::Int64 | Kind::Sint32 | Kind::Sint64 | Kind::Sfixed32 | Kind::Sfixed64)
        });
        KeyOrder { map, size: entry.size(), key: key_of(entry), signed }
    }

    /// The entry at position `i`, which is below the map's length.
    pub(super) fn entry(&self, i: usize) -> *const u8 {
        debug_assert!(i < self.map.len());
        self.map.entries_ptr().wrapping_add(i * self.size)
    }

    /// Orders the entries at two positions below the map's length.
    pub(super) fn compare(&self, a: usize, b: usize) -> Ordering {
        // SAFETY: entries of the map, whose keys `key` reads.
        let (a, b) = unsafe { ((self.key)(self.entry(a)), (self.key)(self.entry(b))) };
        match (a, b) {
            (RawKey::Word(a), RawKey::Word(b)) if self.signed => (a as i32).cmp(&(b as i32)),
            (RawKey::Double(a), RawKey::Double(b)) if self.signed => (a as i64).cmp(&(b as i64)),
            (RawKey::Word(a), RawKey::Word(b)) => a.cmp(&b),
            (RawKey::Double(a), RawKey::Double(b)) => a.cmp(&b),
            (RawKey::Bytes(a), RawKey::Bytes(b)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    }
}
