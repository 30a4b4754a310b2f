//! A sub-message field.
#![allow(unsafe_code)] // a nullable unique pointer

use crate::error::exhausted;
use crate::{Arena, ArenaError};
use core::marker::PhantomData;
use core::ops::Deref;

/// A message type: what an unset [`MessageField`] reads as.
///
/// # Safety
/// * All-zero bytes are a valid value of `Self`, its default.
/// * `Self` is not `Copy`, has no drop glue and at most the alignment 8.
pub unsafe trait DefaultInstance: Sized {
    /// The default value, somewhere in the program.
    fn default_instance<'x>() -> &'x Self
    where
        Self: 'x;
}

/// Says that a message's own lifetime is exactly `'a`.
///
/// Containers are covariant, so a place that they borrow could be filled with data that is shorter-lived than the place's type
/// promises. They therefore borrow places only of messages whose own lifetime is the borrow's: such a place is never read again
/// after the borrow.
///
/// ```compile_fail,E0277
/// # use buffa_arena::*;
/// fn f<'a, T>(place: &'a mut T) -> MessageField<'a, T> {
///     MessageField::new(place)
/// }
/// ```
/// ```compile_fail,E0597
/// # use buffa_arena::*;
/// # #[repr(C)] #[derive(Default)] struct Note<'a> { text: Str<'a> }
/// # unsafe impl DefaultInstance for Note<'_> {
/// #     fn default_instance<'x>() -> &'x Self where Self: 'x { &Note { text: Str::UNSET } }
/// # }
/// # unsafe impl<'a> LivesIn<'a> for Note<'a> {}
/// let mut place: Note<'static> = Note::default(); // promises text that lives for ever
/// {
///     let text = String::from("local");
///     let mut field = MessageField::new(&mut place); // so that this must not compile,
///     field.get_mut().unwrap().text = text.as_str().into();
/// }
/// println!("{}", place.text); // or else this would read freed memory
/// ```
///
/// # Safety
/// * Implemented as `unsafe impl<'a> LivesIn<'a> for Name<'a>` only.
pub unsafe trait LivesIn<'a>: DefaultInstance + 'a {}

/// A singular message field: unset, or the unique pointer to a message that lives as long as `'a`.
///
/// Dereferences to the message, or to its default instance when unset.
///
/// # Invariant
/// The pointer is null, or this is the only way to a live `T`.
#[repr(transparent)]
pub struct MessageField<'a, T> {
    // `*const` for covariance in T; it is unique like a Box.
    ptr: *const T,
    // A reference and not `T` itself: nothing is dropped, and the drop check need not look through the whole schema.
    data: PhantomData<&'a T>,
}

// SAFETY: a unique pointer, as Send as what it leads to.
unsafe impl<T: Send> Send for MessageField<'_, T> {}
// SAFETY: `&MessageField` gives out `&T` only.
unsafe impl<T: Sync> Sync for MessageField<'_, T> {}

impl<'a, T> MessageField<'a, T> {
    /// The unset field.
    pub const UNSET: MessageField<'a, T> = MessageField { ptr: core::ptr::null(), data: PhantomData };

    /// A field that holds the message at the caller's place.
    #[inline]
    pub const fn new(message: &'a mut T) -> MessageField<'a, T>
    where
        T: LivesIn<'a>,
    {
        // `&raw mut`, for a plain coercion to `*const` reborrows as shared, and nothing may be written through that.
        MessageField { ptr: &raw mut *message, data: PhantomData }
    }

    /// Moves `message` into `arena`.
    ///
    /// # Errors
    /// When the arena has no room.
    pub fn try_new_in(message: T, arena: &'a Arena<'_>) -> Result<MessageField<'a, T>, ArenaError> {
        // The place in the arena is never read but through this field, so any lifetime will do.
        arena.try_place(message).map(|place| MessageField { ptr: &raw mut *place, data: PhantomData })
    }

    /// [`MessageField::try_new_in`] for arenas that grow.
    ///
    /// # Panics
    /// When the arena has no room.
    pub fn new_in(message: T, arena: &'a Arena<'_>) -> MessageField<'a, T> {
        MessageField::try_new_in(message, arena).unwrap_or_else(|error| exhausted(error))
    }

    /// Whether a message is set.
    #[inline]
    pub const fn is_set(&self) -> bool {
        !self.ptr.is_null()
    }

    /// The message, if set.
    #[inline]
    pub const fn get(&self) -> Option<&T> {
        // SAFETY: null or a live message (invariant), borrowed from `self`.
        unsafe { self.ptr.as_ref() }
    }

    /// The message, if set, to be changed.
    #[inline]
    pub const fn get_mut(&mut self) -> Option<&mut T> {
        // SAFETY: null or the only way to a live message (invariant), which was stored as `&mut`.
        unsafe { self.ptr.cast_mut().as_mut() }
    }

    /// The message; a default one is placed in `arena` if unset.
    ///
    /// # Panics
    /// When the arena has no room.
    pub fn get_or_default(&mut self, arena: &'a Arena<'_>) -> &mut T
    where
        T: Default,
    {
        self.try_get_or_default(arena).unwrap_or_else(|error| exhausted(error))
    }

    /// [`MessageField::get_or_default`] for fixed arenas.
    ///
    /// # Errors
    /// When the arena has no room.
    pub fn try_get_or_default(&mut self, arena: &'a Arena<'_>) -> Result<&mut T, ArenaError>
    where
        T: Default,
    {
        if self.ptr.is_null() {
            self.ptr = &raw mut *arena.try_place(T::default())?;
        }
        // SAFETY: not null, and unique (invariant).
        Ok(unsafe { &mut *self.ptr.cast_mut() })
    }

    /// Moves `message` into `arena` and the field.
    ///
    /// # Panics
    /// When the arena has no room.
    pub fn set(&mut self, message: T, arena: &'a Arena<'_>) {
        *self = MessageField::new_in(message, arena);
    }

    /// Unsets the field and returns what it held.
    #[inline]
    pub fn take(&mut self) -> MessageField<'a, T> {
        core::mem::take(self)
    }

    /// Unsets the field.
    #[inline]
    pub fn clear(&mut self) {
        self.ptr = core::ptr::null();
    }
}

impl<T> Default for MessageField<'_, T> {
    #[inline]
    fn default() -> Self {
        MessageField::UNSET
    }
}

impl<'a, T: LivesIn<'a>> From<&'a mut T> for MessageField<'a, T> {
    #[inline]
    fn from(message: &'a mut T) -> Self {
        MessageField::new(message)
    }
}

impl<T: DefaultInstance> Deref for MessageField<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self.get() {
            Some(message) => message,
            None => T::default_instance(),
        }
    }
}

impl<T: PartialEq> PartialEq for MessageField<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: core::fmt::Debug> core::fmt::Debug for MessageField<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.get().fmt(f)
    }
}
