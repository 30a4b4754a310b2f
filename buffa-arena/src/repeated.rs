//! Repeated fields.
#![allow(unsafe_code)] // an array behind a pointer, grown in place where possible

use crate::error::exhausted;
use crate::{Arena, ArenaError, LivesIn};
use core::marker::PhantomData;
use core::mem::offset_of;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

/// The part of [`Repeated`] that does not depend on the element type: what kernels read and write.
///
/// ```text
///  ptr ──▶ [element 0][element 1] … [element len-1][free …]      cap = 0 with len > 0: a borrowed, shared array
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawRepeated {
    /// First element; null or dangling when `cap` and `len` are 0.
    pub ptr: *mut u8,
    /// Number of elements.
    pub len: u32,
    /// Number of elements that fit, or 0 for a shared array.
    pub cap: u32,
}

const _: () = assert!(size_of::<RawRepeated>() == size_of::<*mut u8>() + 8);

impl RawRepeated {
    /// Makes room for at least `additional` more elements of `size` bytes; doubles at least, so that pushing is linear, unless
    /// only less is left.
    ///
    /// # Errors
    /// When the arena has no room, or the array would pass 2³² − 1 elements or the address space; then nothing changed.
    ///
    /// # Safety
    /// * `ptr`, `len`, `cap` describe an array of elements of `size` bytes as drawn above, whose memory is this field's alone if
    ///   `cap` is not 0, and `size` is not 0.
    #[cold]
    #[inline(never)]
    pub unsafe fn grow(&mut self, size: usize, additional: usize, arena: &Arena<'_>) -> Result<(), ArenaError> {
        let len = self.len as usize;
        let needed = len.checked_add(additional).ok_or(ArenaError::Full)?.max(1);
        let doubled = len.saturating_mul(2);
        // SAFETY: as the caller promises, and `needed` is at least `len`.
        match unsafe { self.grow_to(size, needed.max(doubled), arena) } {
            // SAFETY: as above; the first attempt changed nothing.
            Err(_) if doubled > needed => unsafe { self.grow_to(size, needed, arena) },
            done => done,
        }
    }

    /// Makes room for exactly `count` elements in an array that has none: what a decoder does that has counted them. Cheaper than
    /// [`RawRepeated::grow`], which must look at what is there.
    ///
    /// # Errors
    /// As for [`RawRepeated::grow`].
    ///
    /// # Safety
    /// * `len` and `cap` are 0; `size` is the size of an element; neither `size` nor `count` is 0.
    #[inline]
    pub unsafe fn begin(&mut self, size: usize, count: usize, arena: &Arena<'_>) -> Result<(), ArenaError> {
        debug_assert!(self.len == 0 && self.cap == 0 && size != 0 && count != 0);
        let cap = u32::try_from(count).map_err(|_| ArenaError::Full)?;
        let bytes = count.checked_mul(size).ok_or(ArenaError::Full)?;
        (self.ptr, self.cap) = (arena.try_alloc_array(bytes)?.as_ptr(), cap);
        Ok(())
    }

    /// Makes room for `cap` elements, or a few more if they fit in the bytes that rounding up takes anyway: an array can grow in
    /// place only while its bytes are a multiple of 8, see [`Arena::try_extend`].
    ///
    /// # Safety
    /// * As for [`RawRepeated::grow`], and `cap` is at least `len` and not 0.
    unsafe fn grow_to(&mut self, size: usize, cap: usize, arena: &Arena<'_>) -> Result<(), ArenaError> {
        debug_assert!(size != 0 && cap != 0 && cap >= self.len as usize);
        let bytes = cap.checked_mul(size).filter(|&n| n <= isize::MAX as usize - 7).ok_or(ArenaError::Full)?;
        let room = u32::try_from(bytes.next_multiple_of(8) / size).or(u32::try_from(cap)).map_err(|_| ArenaError::Full)?;
        let bytes = room as usize * size;
        let same = match NonNull::new(self.ptr) {
            Some(ptr) if self.cap != 0 => arena.try_extend(ptr, self.cap as usize * size, bytes),
            _ => None,
        };
        let place = match same {
            Some(same) => same,
            None => arena.try_alloc_array(bytes)?,
        };
        if same.is_none() && self.len != 0 {
            // SAFETY: `len` elements are initialized at the old place; the new one is fresh and has room for `cap ≥ len`.
            unsafe { place.as_ptr().copy_from_nonoverlapping(self.ptr, self.len as usize * size) };
        }
        (self.ptr, self.cap) = (place.as_ptr(), room);
        Ok(())
    }
}

/// A `repeated` field: an array in an arena, or borrowed from the caller. Dereferences to `[T]`.
///
/// What it holds lives as long as the field says, wherever it was allocated:
///
/// ```compile_fail,E0597
/// # use buffa_arena::{Arena, Repeated};
/// let mut ids: Repeated<'static, u32> = Repeated::EMPTY;
/// let arena = Arena::from_buffer(&mut []);
/// ids.push(7, &arena); // not for 'static
/// ```
///
/// # Invariants
/// 1. `len` elements at `ptr` are initialized; `ptr` is aligned and not null if `len` is not 0.
/// 2. `cap != 0`: the memory of `cap` elements is reachable only through this field.
/// 3. `cap == 0` and `len != 0`: the array is shared, and `T` is `Copy`.
#[repr(C)]
pub struct Repeated<'a, T> {
    // `*const` for covariance in T.
    ptr: *const T,
    len: u32,
    cap: u32,
    // A reference and not `T` itself: nothing is dropped, and the drop check need not look through the whole schema.
    data: PhantomData<&'a T>,
}

const _: () = assert!(
    size_of::<Repeated<'static, u64>>() == size_of::<RawRepeated>()
        && offset_of!(Repeated<'static, u64>, ptr) == offset_of!(RawRepeated, ptr)
        && offset_of!(Repeated<'static, u64>, len) == offset_of!(RawRepeated, len)
        && offset_of!(Repeated<'static, u64>, cap) == offset_of!(RawRepeated, cap)
);

// SAFETY: owns its elements like a Vec, or shares them like a slice.
unsafe impl<T: Send + Sync> Send for Repeated<'_, T> {}
// SAFETY: `&Repeated` gives out `&[T]` only.
unsafe impl<T: Sync> Sync for Repeated<'_, T> {}

impl<'a, T> Repeated<'a, T> {
    /// No elements.
    pub const EMPTY: Repeated<'a, T> = Repeated { ptr: core::ptr::null(), len: 0, cap: 0, data: PhantomData };

    /// The elements.
    #[inline]
    pub const fn as_slice(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: invariant 1.
        unsafe { core::slice::from_raw_parts(self.ptr, self.len as usize) }
    }

    /// The elements, to be changed; a shared array is copied into `arena` first.
    ///
    /// # Errors
    /// When the arena has no room.
    pub fn try_make_mut(&mut self, arena: &'a Arena<'_>) -> Result<&mut [T], ArenaError> {
        if self.cap == 0 {
            if self.len == 0 {
                return Ok(&mut []);
            }
            self.grow(0, arena)?;
        }
        // SAFETY: `cap` is not 0 now, so the elements are this field's alone (invariant 2).
        Ok(unsafe { core::slice::from_raw_parts_mut(self.ptr.cast_mut(), self.len as usize) })
    }

    /// [`Repeated::try_make_mut`] for arenas that grow.
    ///
    /// # Panics
    /// When the arena has no room.
    pub fn make_mut(&mut self, arena: &'a Arena<'_>) -> &mut [T] {
        self.try_make_mut(arena).unwrap_or_else(|error| exhausted(error))
    }

    /// Appends `value`.
    ///
    /// # Panics
    /// When the arena has no room, as `Vec::push` does.
    #[inline]
    pub fn push(&mut self, value: T, arena: &'a Arena<'_>) {
        self.try_push(value, arena).unwrap_or_else(|error| exhausted(error));
    }

    /// Appends `value`.
    ///
    /// # Errors
    /// When the arena has no room; then nothing changed.
    #[inline]
    pub fn try_push(&mut self, value: T, arena: &'a Arena<'_>) -> Result<(), ArenaError> {
        if self.len >= self.cap {
            self.grow(1, arena)?;
        }
        // SAFETY: there is room for one more element, and the memory is this field's alone (invariant 2).
        unsafe { self.ptr.cast_mut().add(self.len as usize).write(value) };
        self.len += 1;
        Ok(())
    }

    /// Appends every value of `values`.
    ///
    /// # Panics
    /// When the arena has no room.
    pub fn extend(&mut self, values: impl IntoIterator<Item = T>, arena: &'a Arena<'_>) {
        for value in values {
            self.push(value, arena);
        }
    }

    /// Makes room for `additional` more elements.
    ///
    /// # Errors
    /// When the arena has no room; then nothing changed.
    pub fn try_reserve(&mut self, additional: usize, arena: &'a Arena<'_>) -> Result<(), ArenaError> {
        let free = self.cap.saturating_sub(self.len) as usize;
        if additional > free { self.grow(additional, arena) } else { Ok(()) }
    }

    /// Removes the last element and returns it.
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: the element was initialized. If the array is shared, T is `Copy` (invariant 3); if not, nothing reads it again.
        Some(unsafe { self.ptr.add(self.len as usize).read() })
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        if let Ok(len) = u32::try_from(len) {
            self.len = self.len.min(len);
        }
    }

    /// Removes all elements; the room stays.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    fn grow(&mut self, additional: usize, arena: &'a Arena<'_>) -> Result<(), ArenaError> {
        const { assert!(size_of::<T>() != 0 && align_of::<T>() <= 8 && !core::mem::needs_drop::<T>()) }
        let mut raw = RawRepeated { ptr: self.ptr.cast_mut().cast(), len: self.len, cap: self.cap };
        // SAFETY: the invariants are those that `RawRepeated::grow` asks for.
        unsafe { raw.grow(size_of::<T>(), additional, arena) }?;
        (self.ptr, self.cap) = (raw.ptr.cast(), raw.cap);
        Ok(())
    }
}

impl<'a, T: Copy> Repeated<'a, T> {
    /// Copies `values` into `arena`.
    ///
    /// # Errors
    /// When the arena has no room.
    pub fn copied(values: &[T], arena: &'a Arena<'_>) -> Result<Repeated<'a, T>, ArenaError> {
        let mut copy = Repeated::EMPTY;
        copy.try_reserve(values.len(), arena)?;
        for &value in values {
            copy.try_push(value, arena)?;
        }
        Ok(copy)
    }
}

impl<T> Default for Repeated<'_, T> {
    #[inline]
    fn default() -> Self {
        Repeated::EMPTY
    }
}

impl<T> Deref for Repeated<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: crate::DefaultInstance> DerefMut for Repeated<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: messages are not `Copy` (contract of DefaultInstance), so the array is not shared (invariant 3).
        unsafe { core::slice::from_raw_parts_mut(self.ptr.cast_mut(), self.len as usize) }
    }
}

impl<'a, T: Copy> From<&'a [T]> for Repeated<'a, T> {
    /// Borrows `values`; nothing is copied until the field is changed.
    ///
    /// # Panics
    /// When there are more than 2³² − 1 values, which no message can hold.
    fn from(values: &'a [T]) -> Self {
        let Ok(len) = u32::try_from(values.len()) else { exhausted(ArenaError::Limit) };
        Repeated { ptr: values.as_ptr(), len, cap: 0, data: PhantomData }
    }
}

impl<'a, T: Copy, const N: usize> From<&'a [T; N]> for Repeated<'a, T> {
    fn from(values: &'a [T; N]) -> Self {
        Repeated::from(values.as_slice())
    }
}

impl<'a, T: LivesIn<'a>> From<&'a mut [T]> for Repeated<'a, T> {
    /// Holds the messages at the caller's place.
    ///
    /// # Panics
    /// When there are more than 2³² − 1 values, which no message can hold.
    fn from(messages: &'a mut [T]) -> Self {
        let Ok(len) = u32::try_from(messages.len()) else { exhausted(ArenaError::Limit) };
        Repeated { ptr: messages.as_mut_ptr(), len, cap: len, data: PhantomData }
    }
}

impl<'a, T: LivesIn<'a>, const N: usize> From<&'a mut [T; N]> for Repeated<'a, T> {
    fn from(messages: &'a mut [T; N]) -> Self {
        Repeated::from(messages.as_mut_slice())
    }
}

impl<'s, T> IntoIterator for &'s Repeated<'_, T> {
    type Item = &'s T;
    type IntoIter = core::slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl<T: PartialEq> PartialEq for Repeated<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: PartialEq> PartialEq<[T]> for Repeated<'_, T> {
    fn eq(&self, other: &[T]) -> bool {
        self.as_slice() == other
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for Repeated<'_, T> {
    fn eq(&self, other: &[T; N]) -> bool {
        self.as_slice() == other
    }
}

impl<T: core::fmt::Debug> core::fmt::Debug for Repeated<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}
