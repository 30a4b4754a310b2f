//! A nullable byte slice.
#![allow(unsafe_code)] // rebuilds the slice from pointer and length

use crate::{Arena, ArenaError};
use core::marker::PhantomData;
use core::mem::offset_of;
use core::ops::Deref;

/// A `bytes` field (or a string without UTF-8 validation), set or unset; the layout of [`Str`](crate::Str).
///
/// # Invariant
/// The pointer is null and the length 0, or both describe a live slice.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Blob<'a> {
    ptr: *const u8,
    len: usize,
    data: PhantomData<&'a [u8]>,
}

const _: () = assert!(offset_of!(Blob<'_>, ptr) == 0 && offset_of!(Blob<'_>, len) == size_of::<usize>());

// SAFETY: a shared slice by another layout.
unsafe impl Send for Blob<'_> {}
// SAFETY: as above.
unsafe impl Sync for Blob<'_> {}

impl<'a> Blob<'a> {
    /// The unset value.
    pub const UNSET: Blob<'static> = Blob { ptr: core::ptr::null(), len: 0, data: PhantomData };

    /// A value that borrows `bytes`.
    #[inline]
    pub const fn new(bytes: &'a [u8]) -> Blob<'a> {
        Blob { ptr: bytes.as_ptr(), len: bytes.len(), data: PhantomData }
    }

    /// The same from raw parts, for kernels that keep the provenance of a whole input.
    ///
    /// # Safety
    /// * `ptr` and `len` describe bytes that stay readable and unchanged for `'a`.
    #[inline]
    pub const unsafe fn from_raw(ptr: *const u8, len: usize) -> Blob<'a> {
        debug_assert!(!ptr.is_null() || len == 0);
        Blob { ptr, len, data: PhantomData }
    }

    /// Copies `bytes` into `arena`.
    ///
    /// # Errors
    /// When the arena has no room.
    pub fn copied(bytes: &[u8], arena: &'a Arena<'_>) -> Result<Blob<'a>, ArenaError> {
        Ok(Blob::new(arena.try_copy(bytes)?))
    }

    /// The bytes; empty when unset.
    #[inline]
    pub const fn as_bytes(&self) -> &'a [u8] {
        if self.ptr.is_null() {
            return &[];
        }
        // SAFETY: a non-null pointer and its length describe a live slice (invariant).
        unsafe { core::slice::from_raw_parts(self.ptr, self.len) }
    }

    /// The bytes, or `None` when unset.
    #[inline]
    pub const fn get(&self) -> Option<&'a [u8]> {
        if self.ptr.is_null() { None } else { Some(self.as_bytes()) }
    }

    /// The bytes as text, for strings whose UTF-8 was not verified.
    ///
    /// # Errors
    /// When they are not UTF-8.
    pub const fn to_str(&self) -> Result<&'a str, core::str::Utf8Error> {
        core::str::from_utf8(self.as_bytes())
    }

    /// Whether a value (maybe the empty one) is set.
    #[inline]
    pub const fn is_set(&self) -> bool {
        !self.ptr.is_null()
    }
}

impl Default for Blob<'_> {
    #[inline]
    fn default() -> Self {
        Blob::UNSET
    }
}

impl Deref for Blob<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<'a> From<&'a [u8]> for Blob<'a> {
    #[inline]
    fn from(bytes: &'a [u8]) -> Self {
        Blob::new(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Blob<'a> {
    #[inline]
    fn from(bytes: &'a [u8; N]) -> Self {
        Blob::new(bytes)
    }
}

impl<'a> From<&'a str> for Blob<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Blob::new(text.as_bytes())
    }
}

impl AsRef<[u8]> for Blob<'_> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialEq for Blob<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}
impl Eq for Blob<'_> {}

impl PartialEq<str> for Blob<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for Blob<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<[u8]> for Blob<'_> {
    fn eq(&self, other: &[u8]) -> bool {
        self.as_bytes() == other
    }
}

impl PartialEq<&[u8]> for Blob<'_> {
    fn eq(&self, other: &&[u8]) -> bool {
        self.as_bytes() == *other
    }
}

impl<const N: usize> PartialEq<&[u8; N]> for Blob<'_> {
    fn eq(&self, other: &&[u8; N]) -> bool {
        self.as_bytes() == *other
    }
}

impl PartialOrd for Blob<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Blob<'_> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl core::hash::Hash for Blob<'_> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl core::fmt::Debug for Blob<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "b\"{}\"", self.as_bytes().escape_ascii())
    }
}
