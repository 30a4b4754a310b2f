//! The typed face of a map.
#![allow(unsafe_code)] // entries behind a pointer

use super::{LookupKey, MapKey, RawKey, RawMap};
use crate::error::exhausted;
use crate::{Arena, ArenaError, RawRepeated};
use core::marker::PhantomData;
use core::mem::offset_of;

/// One entry of a map; the layout that the entry's table describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct MapEntry<K, V> {
    /// The key.
    pub key: K,
    /// The value, inline even if it is a message.
    pub value: V,
}

/// A `map<K, V>` field: entries in insertion order, the last of equal keys wins, lookup in O(1) expected time.
///
/// Keys are hashed with a secret seed, so that input cannot make it slow.
///
/// # Invariant
/// The layout and the invariants of [`RawMap`], with entries of type `MapEntry<K, V>` that are this field's alone.
#[repr(C)]
pub struct Map<'a, K, V> {
    // The fields of RawMap; `*const` for covariance in K and V.
    entries: *const MapEntry<K, V>,
    len: u32,
    cap: u32,
    index: *const super::raw::Index,
    // A reference, as in `Repeated`.
    data: PhantomData<&'a MapEntry<K, V>>,
}

const _: () = assert!(
    size_of::<Map<'static, i32, i32>>() == size_of::<RawMap>()
        && offset_of!(Map<'static, i32, i32>, entries) == offset_of!(RawMap, entries.ptr)
        && offset_of!(Map<'static, i32, i32>, len) == offset_of!(RawMap, entries.len)
        && offset_of!(Map<'static, i32, i32>, cap) == offset_of!(RawMap, entries.cap)
        && offset_of!(Map<'static, i32, i32>, index) == offset_of!(RawMap, index)
);

// SAFETY: owns its entries like a Vec; the index is only changed through `&mut`.
unsafe impl<K: Send, V: Send> Send for Map<'_, K, V> {}
// SAFETY: `&Map` gives out shared references only.
unsafe impl<K: Sync, V: Sync> Sync for Map<'_, K, V> {}

impl<'a, K, V> Map<'a, K, V> {
    /// No entries.
    pub const EMPTY: Map<'a, K, V> =
        Map { entries: core::ptr::null(), len: 0, cap: 0, index: core::ptr::null(), data: PhantomData };

    /// Number of entries.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entries in insertion order.
    #[inline]
    pub const fn entries(&self) -> &[MapEntry<K, V>] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: `len` entries are initialized.
        unsafe { core::slice::from_raw_parts(self.entries, self.len as usize) }
    }

    /// Keys and values in insertion order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &V)> + DoubleEndedIterator {
        self.entries().iter().map(|entry| (&entry.key, &entry.value))
    }

    /// Keys and values in insertion order, the values to be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&K, &mut V)> + DoubleEndedIterator {
        let entries: &mut [MapEntry<K, V>] = match self.len {
            0 => &mut [],
            // SAFETY: `len` entries are initialized and this field's alone.
            len => unsafe { core::slice::from_raw_parts_mut(self.entries.cast_mut(), len as usize) },
        };
        entries.iter_mut().map(|entry| (&entry.key, &mut entry.value))
    }

    /// The keys in insertion order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + DoubleEndedIterator {
        self.entries().iter().map(|entry| &entry.key)
    }

    /// The values in insertion order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + DoubleEndedIterator {
        self.entries().iter().map(|entry| &entry.value)
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        (self.len, self.index) = (0, core::ptr::null());
    }

    fn raw(&self) -> RawMap {
        let entries = RawRepeated { ptr: self.entries.cast_mut().cast(), len: self.len, cap: self.cap };
        RawMap { entries, index: self.index.cast_mut() }
    }

    fn store(&mut self, raw: &RawMap) {
        (self.entries, self.len, self.cap) = (raw.entries.ptr.cast(), raw.entries.len, raw.entries.cap);
        self.index = raw.index;
    }
}

impl<'a, K: MapKey, V> Map<'a, K, V> {
    /// The value for `key`: `map.get("name")`, `map.get(&7)`.
    pub fn get<Q: LookupKey<K> + ?Sized>(&self, key: &Q) -> Option<&V> {
        self.entries().get(self.find(key.raw())?).map(|entry| &entry.value)
    }

    /// The value for `key`, to be changed.
    pub fn get_mut<Q: LookupKey<K> + ?Sized>(&mut self, key: &Q) -> Option<&mut V> {
        let at = self.find(key.raw())?;
        // SAFETY: `at` is the position of an entry, which is this field's alone.
        Some(unsafe { &mut (*self.entries.cast_mut().add(at)).value })
    }

    /// Whether there is an entry for `key`.
    pub fn contains_key<Q: LookupKey<K> + ?Sized>(&self, key: &Q) -> bool {
        self.find(key.raw()).is_some()
    }

    /// Sets the value for `key`.
    ///
    /// # Panics
    /// When the arena has no room.
    pub fn insert(&mut self, key: K, value: V, arena: &'a Arena<'_>) {
        self.try_insert(key, value, arena).unwrap_or_else(|error| exhausted(error));
    }

    /// Sets the value for `key`; an entry that exists keeps its position.
    ///
    /// # Errors
    /// When the arena has no room; then nothing changed.
    pub fn try_insert(&mut self, key: K, value: V, arena: &'a Arena<'_>) -> Result<(), ArenaError> {
        const {
            let fits = size_of::<MapEntry<K, V>>() != 0 && align_of::<MapEntry<K, V>>() <= 8;
            assert!(fits && !core::mem::needs_drop::<MapEntry<K, V>>());
        }
        let size = size_of::<MapEntry<K, V>>();
        let mut raw = self.raw();
        // SAFETY: entries are of that size.
        let slot = unsafe { raw.slot(size, 1, arena) }?;
        // SAFETY: the slot is of that type, and alone.
        unsafe { slot.cast::<MapEntry<K, V>>().write(MapEntry { key, value }) };
        self.store(&raw);
        // SAFETY: the slot is complete, and `read_key` reads such an entry.
        unsafe { raw.commit(size, read_key::<K, V>, arena) }?;
        self.store(&raw);
        Ok(())
    }

    /// Removes the entry for `key` and returns its value; the order of the others stays. Linear in the number of entries.
    ///
    /// # Errors
    /// None at present: a large map's index is refilled where it stands.
    pub fn try_remove<Q: LookupKey<K> + ?Sized>(&mut self, key: &Q, _arena: &'a Arena<'_>) -> Result<Option<V>, ArenaError> {
        let Some(at) = self.find(key.raw()) else { return Ok(None) };
        // SAFETY: `at` is the position of an entry.
        let place = unsafe { self.entries.cast_mut().add(at) };
        // SAFETY: the entry is complete, and overwritten or beyond `len` before anybody can read it again.
        let entry = unsafe { place.read() };
        // SAFETY: the entries behind it move down by one.
        unsafe { place.copy_from(place.add(1), self.len() - at - 1) };
        // A key type from elsewhere may panic while it is hashed; the map must be sound (if slow) then.
        let index = core::mem::replace(&mut self.index, core::ptr::null());
        self.len -= 1;
        if !index.is_null() {
            let mut raw = RawMap { index: index.cast_mut(), ..self.raw() };
            // SAFETY: the entries below `len` are complete; the index held even one more.
            unsafe { raw.reindex(size_of::<MapEntry<K, V>>(), read_key::<K, V>) };
            self.index = index;
        }
        Ok(Some(entry.value))
    }

    /// [`Map::try_remove`] for arenas that grow.
    pub fn remove<Q: LookupKey<K> + ?Sized>(&mut self, key: &Q, arena: &'a Arena<'_>) -> Option<V> {
        self.try_remove(key, arena).unwrap_or_else(|error| exhausted(error))
    }

    fn find(&self, key: RawKey<'_>) -> Option<usize> {
        // SAFETY: entries are of that size and type.
        unsafe { self.raw().find(size_of::<MapEntry<K, V>>(), read_key::<K, V>, key) }
    }
}

/// Reads the key of an entry; `'static` stands for "as long as the entry", which the caller does not outlive.
///
/// # Safety
/// * `entry` points to a complete `MapEntry<K, V>`.
unsafe fn read_key<K: MapKey, V>(entry: *const u8) -> RawKey<'static> {
    // SAFETY: by contract.
    let key = unsafe { &(*entry.cast::<MapEntry<K, V>>()).key };
    // SAFETY: only the lifetime changes; see above.
    unsafe { core::mem::transmute::<RawKey<'_>, RawKey<'static>>(key.raw()) }
}

impl<K, V> Default for Map<'_, K, V> {
    #[inline]
    fn default() -> Self {
        Map::EMPTY
    }
}

impl<K: MapKey, V: PartialEq> PartialEq for Map<'_, K, V> {
    /// Equal sets of entries, in whatever order.
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: core::fmt::Debug, V: core::fmt::Debug> core::fmt::Debug for Map<'_, K, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
