//! Memory whose end is followed by a page that nobody may touch: reading or writing one byte too far kills the test.
#![allow(unsafe_code, reason = "maps pages")]

use core::ops::{Deref, DerefMut};

/// Bytes that end exactly where an unmapped page begins.
pub struct Guarded {
    map: *mut u8,
    mapped: usize,
    at: *mut u8,
    len: usize,
}

impl Guarded {
    /// `len` zero bytes.
    pub fn zeroed(len: usize) -> Guarded {
        const PAGE: usize = 4096;
        let pages = len.div_ceil(PAGE) * PAGE;
        let mapped = pages + PAGE;
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh private mapping.
        let map = unsafe { libc::mmap(core::ptr::null_mut(), mapped, access, kind, -1, 0) };
        assert!(map != libc::MAP_FAILED, "no memory");
        let map = map.cast::<u8>();
        // SAFETY: the last page of the mapping.
        let guarded = unsafe { libc::mprotect(map.add(pages).cast(), PAGE, libc::PROT_NONE) };
        assert_eq!(guarded, 0, "the page is not protected");
        // SAFETY: inside the mapping.
        Guarded { map, mapped, at: unsafe { map.add(pages - len) }, len }
    }

    /// A copy of the bytes.
    pub fn copy_of(bytes: &[u8]) -> Guarded {
        let mut guarded = Guarded::zeroed(bytes.len());
        guarded.copy_from_slice(bytes);
        guarded
    }
}

impl Deref for Guarded {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: `len` readable bytes that this value owns.
        unsafe { core::slice::from_raw_parts(self.at, self.len) }
    }
}

impl DerefMut for Guarded {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: `len` writable bytes that this value owns.
        unsafe { core::slice::from_raw_parts_mut(self.at, self.len) }
    }
}

impl AsRef<[u8]> for Guarded {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping that `zeroed` made.
        unsafe { libc::munmap(self.map.cast(), self.mapped) };
    }
}

// SAFETY: plain memory with one owner.
unsafe impl Send for Guarded {}
// SAFETY: shared access only reads.
unsafe impl Sync for Guarded {}
