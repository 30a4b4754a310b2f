//! A nullable string slice.
#![allow(unsafe_code)] // rebuilds the slice from pointer and length

use crate::{Arena, ArenaError};
use core::marker::PhantomData;
use core::mem::offset_of;
use core::ops::Deref;

/// A `string` field: valid UTF-8 in an input buffer, an arena or the program, or unset.
///
/// Dereferences to `str` (`""` when unset). Fields with explicit presence tell unset (`Str::default()`) from empty (`"".into()`);
/// fields with implicit presence treat both alike.
///
/// # Invariant
/// The pointer is null and the length 0, or both describe a live `str`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Str<'a> {
    ptr: *const u8,
    len: usize,
    data: PhantomData<&'a str>,
}

const _: () = assert!(offset_of!(Str<'_>, ptr) == 0 && offset_of!(Str<'_>, len) == size_of::<usize>());

// SAFETY: a shared slice by another layout.
unsafe impl Send for Str<'_> {}
// SAFETY: as above.
unsafe impl Sync for Str<'_> {}

impl<'a> Str<'a> {
    /// The unset string.
    pub const UNSET: Str<'static> = Str { ptr: core::ptr::null(), len: 0, data: PhantomData };

    /// A string that borrows `text`.
    #[inline]
    pub const fn new(text: &'a str) -> Str<'a> {
        Str { ptr: text.as_ptr(), len: text.len(), data: PhantomData }
    }

    /// Copies `text` into `arena`.
    ///
    /// # Errors
    /// When the arena has no room.
    pub fn copied(text: &str, arena: &'a Arena<'_>) -> Result<Str<'a>, ArenaError> {
        Ok(Str::new(arena.try_copy_str(text)?))
    }

    /// The string; `""` when unset.
    #[inline]
    pub const fn as_str(&self) -> &'a str {
        if self.ptr.is_null() {
            return "";
        }
        // SAFETY: a non-null pointer and its length describe a live `str` (invariant).
        unsafe { core::str::from_utf8_unchecked(core::slice::from_raw_parts(self.ptr, self.len)) }
    }

    /// The string, or `None` when unset.
    #[inline]
    pub const fn get(&self) -> Option<&'a str> {
        if self.ptr.is_null() { None } else { Some(self.as_str()) }
    }

    /// Whether a value (maybe the empty string) is set.
    #[inline]
    pub const fn is_set(&self) -> bool {
        !self.ptr.is_null()
    }
}

impl Default for Str<'_> {
    #[inline]
    fn default() -> Self {
        Str::UNSET
    }
}

impl Deref for Str<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<'a> From<&'a str> for Str<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Str::new(text)
    }
}

impl AsRef<str> for Str<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl core::borrow::Borrow<str> for Str<'_> {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}
impl Eq for Str<'_> {}

impl PartialEq<str> for Str<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Str<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialOrd for Str<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Str<'_> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl core::hash::Hash for Str<'_> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl core::fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(self.as_str(), f)
    }
}

impl core::fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self.as_str(), f)
    }
}
