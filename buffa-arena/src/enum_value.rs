//! Enum fields.
#![allow(unsafe_code)] // turns a checked number into the enum

use core::marker::PhantomData;

/// A generated enum.
///
/// # Safety
/// * `Self` is `#[repr(i32)]` and has exactly the discriminants for which [`Enum::is_declared`] answers `true`.
pub unsafe trait Enum: Copy + Eq + 'static {
    /// Whether the enum declares `number`.
    fn is_declared(number: i32) -> bool;

    /// The value with this number, if the enum declares it.
    #[inline]
    fn from_i32(number: i32) -> Option<Self> {
        const { assert!(size_of::<Self>() == 4) }
        // SAFETY: four bytes, and `number` is a discriminant (contract of the trait).
        Self::is_declared(number).then(|| unsafe { core::mem::transmute_copy(&number) })
    }

    /// The number of this value.
    #[inline]
    fn to_i32(self) -> i32 {
        const { assert!(size_of::<Self>() == 4) }
        // SAFETY: a `repr(i32)` enum is an initialized `i32`.
        unsafe { core::mem::transmute_copy(&self) }
    }
}

/// A field of an open enum: any number, known or not.
#[repr(transparent)]
pub struct EnumValue<E> {
    number: i32,
    values: PhantomData<fn() -> E>,
}

impl<E: Enum> EnumValue<E> {
    /// Any number.
    #[inline]
    pub const fn from_i32(number: i32) -> EnumValue<E> {
        EnumValue { number, values: PhantomData }
    }

    /// The number.
    #[inline]
    pub const fn to_i32(self) -> i32 {
        self.number
    }

    /// The declared value, or the number that has none.
    ///
    /// # Errors
    /// The number itself, when the enum does not declare it.
    #[inline]
    pub fn get(self) -> Result<E, i32> {
        E::from_i32(self.number).ok_or(self.number)
    }

    /// The declared value, if the enum has one for the number.
    #[inline]
    pub fn known(self) -> Option<E> {
        E::from_i32(self.number)
    }
}

impl<E> Clone for EnumValue<E> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for EnumValue<E> {}

impl<E> Default for EnumValue<E> {
    /// Number 0, which an open enum always declares first.
    #[inline]
    fn default() -> Self {
        EnumValue { number: 0, values: PhantomData }
    }
}

impl<E> PartialEq for EnumValue<E> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
impl<E> Eq for EnumValue<E> {}

impl<E: Enum> PartialEq<E> for EnumValue<E> {
    #[inline]
    fn eq(&self, other: &E) -> bool {
        self.number == other.to_i32()
    }
}

impl<E> core::hash::Hash for EnumValue<E> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<E: Enum> From<E> for EnumValue<E> {
    #[inline]
    fn from(value: E) -> Self {
        EnumValue::from_i32(value.to_i32())
    }
}

impl<E: Enum + core::fmt::Debug> core::fmt::Debug for EnumValue<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.get() {
            Ok(value) => value.fmt(f),
            Err(number) => number.fmt(f),
        }
    }
}
