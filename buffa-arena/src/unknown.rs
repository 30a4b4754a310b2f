//! Unknown fields, kept as they came.
#![allow(unsafe_code)] // one pointer to a growable array of byte ranges

use crate::{Arena, ArenaError, Blob, RawRepeated};
use core::marker::PhantomData;

/// The fields of a message that its schema does not know (extensions among them): ranges of the input, in order.
///
/// One pointer; null when there are none. Each run holds one or more whole fields, tag included.
///
/// # Invariant
/// The pointer is null, or this is the only way to an array header in an arena.
#[repr(transparent)]
pub struct UnknownFields<'a> {
    runs: *const RawRepeated,
    data: PhantomData<Blob<'a>>,
}

// SAFETY: unique like a Box; the runs are shared slices.
unsafe impl Send for UnknownFields<'_> {}
// SAFETY: `&UnknownFields` only reads.
unsafe impl Sync for UnknownFields<'_> {}

impl<'a> UnknownFields<'a> {
    /// No unknown fields.
    pub const EMPTY: UnknownFields<'a> = UnknownFields { runs: core::ptr::null(), data: PhantomData };

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.runs().is_empty()
    }

    /// The byte ranges, in order. Concatenated they are what an encoder writes.
    #[inline]
    pub fn runs(&self) -> &[Blob<'a>] {
        // SAFETY: null or a live header (invariant).
        match unsafe { self.runs.as_ref() } {
            // SAFETY: the header describes `len` initialized runs.
            Some(raw) if raw.len != 0 => unsafe { core::slice::from_raw_parts(raw.ptr.cast(), raw.len as usize) },
            _ => &[],
        }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.runs = core::ptr::null();
    }

    /// Appends whole, well-formed fields; the caller checks that they are (the runtime's `UnknownFieldsExt` does).
    ///
    /// # Errors
    /// When the arena has no room.
    pub fn try_push_run(&mut self, run: Blob<'a>, arena: &'a Arena<'_>) -> Result<(), ArenaError> {
        if run.is_empty() {
            return Ok(());
        }
        if self.runs.is_null() {
            self.runs = arena.try_alloc_zeroed(size_of::<RawRepeated>())?.as_ptr().cast();
        }
        // SAFETY: not null, and the only way to the header (invariant).
        let raw = unsafe { &mut *self.runs.cast_mut() };
        if raw.len == raw.cap {
            // SAFETY: the header describes an array of `Blob`s of its own.
            unsafe { raw.grow(size_of::<Blob<'_>>(), 1, arena) }?;
        }
        // SAFETY: there is room for one more.
        unsafe { raw.ptr.cast::<Blob<'a>>().add(raw.len as usize).write(run) };
        raw.len += 1;
        Ok(())
    }

    /// Appends the bytes `input[from .. to]`, joined to the latest run if that ends where these begin.
    ///
    /// # Errors
    /// When the arena has no room.
    ///
    /// # Safety
    /// * `from .. to` lies in the live input that starts at `input`, which `'a` borrows.
    pub unsafe fn try_push_range(
        &mut self,
        input: *const u8,
        from: *const u8,
        to: *const u8,
        arena: &'a Arena<'_>,
    ) -> Result<(), ArenaError> {
        debug_assert!(input <= from && from <= to);
        // SAFETY: null or the only way to a live header (invariant).
        if let Some(raw) = unsafe { self.runs.cast_mut().as_mut() } {
            if let Some(last) = raw.len.checked_sub(1) {
                // SAFETY: `last` is in range.
                let last = unsafe { &mut *raw.ptr.cast::<Blob<'a>>().add(last as usize) };
                let start = last.as_ptr();
                // Only a run of this very input may be joined: two inputs can be neighbours in memory. The joined range is
                // derived from `input`, whose provenance covers both parts; that of the older run may not.
                if start.addr() >= input.addr() && start.addr() + last.len() == from.addr() {
                    // SAFETY: both ends lie in the live input.
                    let whole = unsafe { input.add(start.addr() - input.addr()) };
                    // SAFETY: `start .. to` lies in the input.
                    *last = unsafe { Blob::from_raw(whole, to.addr() - start.addr()) };
                    return Ok(());
                }
            }
        }
        // SAFETY: by contract `from .. to` is a range of the input.
        self.try_push_run(unsafe { Blob::from_raw(from, to.addr() - from.addr()) }, arena)
    }
}

impl Default for UnknownFields<'_> {
    #[inline]
    fn default() -> Self {
        UnknownFields::EMPTY
    }
}

impl core::fmt::Debug for UnknownFields<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.runs().fmt(f)
    }
}
