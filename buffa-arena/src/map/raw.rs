//! The part of a map that does not depend on its types: what kernels read and write.
#![allow(unsafe_code)] // entries and index behind pointers

use super::RawKey;
use crate::{Arena, ArenaError, RawRepeated};

/// Maps up to this many entries are scanned; larger ones get an index.
const SCAN_LIMIT: u32 = 12;

/// ```text
///  entries ──▶ [key|value][key|value] …           insertion order, `len` of `cap`
///  index   ──▶ [seed u64][mask u32][0][slot u32 × (mask + 1)]   slot = entry index + 1, 0 = free; null while small
/// ```
///
/// # Invariants
/// 1. `entries`, `len`, `cap` are those of a [`RawRepeated`] of entries; no two entries have equal keys.
/// 2. `index` is null, or it holds every entry and nothing else, with at least half of its slots free.
/// 3. `index` is null only while `len ≤ SCAN_LIMIT`. Speed depends on it, safety does not.
#[derive(Debug)]
#[repr(C)]
pub struct RawMap {
    pub(crate) entries: RawRepeated,
    pub(crate) index: *mut Index,
}

/// Header of an index; the slots stand behind it.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Index {
    seed: u64,
    mask: u32,
    reserved: u32,
}

impl RawMap {
    /// Number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len as usize
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.len == 0
    }

    /// Whether the next entry needs more room.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.entries.len == self.entries.cap
    }

    /// The first entry.
    #[inline]
    pub fn entries_ptr(&self) -> *mut u8 {
        self.entries.ptr
    }

    /// A place for one more entry of `size` bytes behind the last, zeroed; it does not count until [`RawMap::commit`].
    /// `expected` is how many entries are likely to follow, itself included.
    ///
    /// # Errors
    /// When the arena has no room.
    ///
    /// # Safety
    /// * `size` is the size of this map's entries.
    #[inline]
    pub unsafe fn slot(&mut self, size: usize, expected: usize, arena: &Arena<'_>) -> Result<*mut u8, ArenaError> {
        if self.entries.len == self.entries.cap {
            // SAFETY: invariant 1.
            unsafe { self.entries.grow(size, expected.max(1), arena) }?;
        }
        // SAFETY: there is room for one more entry.
        let slot = unsafe { self.entries.ptr.add(self.entries.len as usize * size) };
        // SAFETY: as above.
        unsafe { slot.write_bytes(0, size) };
        Ok(slot)
    }

    /// Takes the entry in the slot into the map; if an earlier entry has an equal key, the new one replaces it (last one wins).
    ///
    /// # Errors
    /// When the arena has no room for the index; then the map is as before.
    ///
    /// # Safety
    /// * The slot that [`RawMap::slot`] gave, with this `size`, holds a complete entry.
    /// * `key` reads the key of the entry it is given.
    pub unsafe fn commit(
        &mut self,
        size: usize,
        key: unsafe fn(*const u8) -> RawKey<'static>,
        arena: &Arena<'_>,
    ) -> Result<(), ArenaError> {
        let len = self.entries.len;
        // SAFETY: the slot stands at `len`.
        let slot = unsafe { self.entries.ptr.add(len as usize * size) };
        // SAFETY: it holds a complete entry.
        let new = unsafe { key(slot) };
        // SAFETY: as the caller promises.
        if let Some(at) = unsafe { self.find(size, key, new) } {
            // SAFETY: two different entries of `size` bytes.
            unsafe { self.entries.ptr.add(at * size).copy_from_nonoverlapping(slot, size) };
            return Ok(());
        }
        // A map that shrank below the limit keeps its index, which must then know the new entry too.
        if len >= SCAN_LIMIT || !self.index.is_null() {
            // SAFETY: as the caller promises.
            unsafe { self.index_next(size, key, new, arena) }?;
        }
        self.entries.len = len + 1;
        Ok(())
    }

    /// Makes the index that a map of this many entries has, for entries that were copied from another map.
    ///
    /// # Errors
    /// When the arena has no room; then the map must not be used as one.
    ///
    /// # Safety
    /// * The map has no index; `len` entries of `size` bytes are complete, with keys that `key` reads and that differ.
    pub unsafe fn index_all(
        &mut self,
        size: usize,
        key: unsafe fn(*const u8) -> RawKey<'static>,
        arena: &Arena<'_>,
    ) -> Result<(), ArenaError> {
        // SAFETY: by contract.
        if self.entries.len > SCAN_LIMIT { unsafe { self.rebuild(size, key, arena) } } else { Ok(()) }
    }

    /// Position of the entry whose key equals `wanted`.
    ///
    /// # Safety
    /// * `size` is the size of this map's entries, and `key` reads the key of one.
    pub unsafe fn find(&self, size: usize, key: unsafe fn(*const u8) -> RawKey<'static>, wanted: RawKey<'_>) -> Option<usize> {
        // SAFETY: null or a live index (invariant 2).
        let Some(index) = (unsafe { self.index.as_ref() }) else {
            // SAFETY: every position below `len` holds an entry.
            return (0..self.len()).find(|&i| unsafe { key(self.entries.ptr.add(i * size)) } == wanted);
        };
        // SAFETY: the hash is of the wanted key.
        unsafe { self.probe(index.mask, wanted.hash(index.seed), |i| key(self.entries.ptr.add(i * size)) == wanted) }.ok()
    }

    /// Walks the slots from `hash` on: the first entry that `equal` accepts, or the free slot that ends the walk.
    ///
    /// # Safety
    /// * There is an index, and `mask` is its mask.
    unsafe fn probe(&self, mask: u32, hash: u64, equal: impl Fn(usize) -> bool) -> Result<usize, *mut u32> {
        #[expect(clippy::cast_possible_truncation, reason = "the mask takes the low bits")]
        let mut at = hash as u32 & mask;
        loop {
            // SAFETY: `at ≤ mask`, and mask + 1 slots stand behind the header.
            let slot = unsafe { self.index.add(1).cast::<u32>().add(at as usize) };
            // SAFETY: all slots are initialized.
            match unsafe { slot.read() } {
                0 => return Err(slot),
                entry if equal(entry as usize - 1) => return Ok(entry as usize - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Enters the entry at position `len`, whose key is new, into the index, which is made or doubled as needed.
    ///
    /// # Safety
    /// * As for [`RawMap::commit`].
    #[cold]
    #[inline(never)]
    unsafe fn index_next(
        &mut self,
        size: usize,
        key: unsafe fn(*const u8) -> RawKey<'static>,
        new: RawKey<'_>,
        arena: &Arena<'_>,
    ) -> Result<(), ArenaError> {
        let len = self.entries.len;
        // SAFETY: null or a live index (invariant 2).
        let full = unsafe { self.index.as_ref() }.is_none_or(|index| len > index.mask / 2);
        if full {
            // SAFETY: `len` entries are complete.
            unsafe { self.rebuild(size, key, arena) }?;
        }
        // SAFETY: there is an index now, and `len < slots / 2`.
        let (seed, mask) = unsafe { ((*self.index).seed, (*self.index).mask) };
        // SAFETY: `mask` is that of the index.
        if let Err(slot) = unsafe { self.probe(mask, new.hash(seed), |_| false) } {
            // SAFETY: a slot of the index.
            unsafe { slot.write(len + 1) };
        }
        Ok(())
    }

    /// Makes an index with room for the capacity of the entries and enters the first `len` of them.
    ///
    /// # Safety
    /// * As for [`RawMap::find`].
    unsafe fn rebuild(
        &mut self,
        size: usize,
        key: unsafe fn(*const u8) -> RawKey<'static>,
        arena: &Arena<'_>,
    ) -> Result<(), ArenaError> {
        let entries = self.entries.cap.max(self.entries.len + 1);
        let slots = entries.checked_next_power_of_two().and_then(|n| n.checked_mul(2)).ok_or(ArenaError::Full)?;
        let bytes = (slots as usize).checked_mul(4).and_then(|n| n.checked_add(size_of::<Index>())).ok_or(ArenaError::Full)?;
        let index = arena.try_alloc_zeroed(bytes)?.cast::<Index>().as_ptr();
        let seed = arena.hash_seed();
        // SAFETY: fresh memory, large enough for the header and the slots.
        unsafe { index.write(Index { seed, mask: slots - 1, reserved: 0 }) };
        self.index = index;
        // SAFETY: as the caller promises; the slots are zero, and twice as many as the entries at least.
        unsafe { self.enter_all(size, key) };
        Ok(())
    }

    /// Enters the first `len` entries into the index again, after positions changed. Needs no memory.
    ///
    /// # Safety
    /// * As for [`RawMap::find`]; there is an index with at least twice as many slots as there are entries.
    pub(crate) unsafe fn reindex(&mut self, size: usize, key: unsafe fn(*const u8) -> RawKey<'static>) {
        // SAFETY: there is an index.
        let slots = unsafe { (*self.index).mask } as usize + 1;
        // SAFETY: so many slots stand behind the header.
        unsafe { self.index.add(1).cast::<u32>().write_bytes(0, slots) };
        // SAFETY: as the caller promises; the slots are zero now.
        unsafe { self.enter_all(size, key) };
    }

    /// Enters the first `len` entries into the index.
    ///
    /// # Safety
    /// * As for [`RawMap::reindex`], and all slots are free.
    unsafe fn enter_all(&mut self, size: usize, key: unsafe fn(*const u8) -> RawKey<'static>) {
        // SAFETY: there is an index.
        let (seed, mask) = unsafe { ((*self.index).seed, (*self.index).mask) };
        for i in 0..self.entries.len {
            // SAFETY: position `i` is below `len`.
            let entry = unsafe { self.entries.ptr.add(i as usize * size) };
            // SAFETY: the entry is complete.
            let hash = unsafe { key(entry) }.hash(seed);
            // SAFETY: `mask` is that of the index, which has free slots.
            if let Err(slot) = unsafe { self.probe(mask, hash, |_| false) } {
                // SAFETY: a slot of the index.
                unsafe { slot.write(i + 1) };
            }
        }
    }
}
