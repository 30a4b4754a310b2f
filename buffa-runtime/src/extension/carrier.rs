//! What holds the value of an extension while it is decoded or encoded.
#![allow(unsafe_code)] // promises about layouts

use buffa_arena::{Blob, Enum, EnumValue, MessageField, Optional, Repeated, Str, UnknownFields};

/// A message of one field: what holds the value of an extension while it is decoded or encoded.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Carrier<'a, V> {
    pub(super) unknown: UnknownFields<'a>,
    /// The value; tables take its offset.
    pub value: V,
}

/// A type with its data's lifetime exchanged.
///
/// # Safety
/// * `In<'x>` is `Self` with every lifetime of data replaced by `'x`.
/// * All-zero bytes are a valid value.
pub unsafe trait FieldFamily {
    /// The type with data that lives for `'x`.
    type In<'x>: 'x;
}

macro_rules! plain {
    ($($type:ty),*) => {$(
        // SAFETY: no lifetime inside, and zero is a value.
        unsafe impl FieldFamily for $type {
            type In<'x> = $type;
        }
    )*};
}
plain!(bool, i32, u32, i64, u64, f32, f64);

// SAFETY: no lifetime inside; zero is a number.
unsafe impl<E: Enum> FieldFamily for EnumValue<E> {
    type In<'x> = EnumValue<E>;
}
// SAFETY: one lifetime.
unsafe impl FieldFamily for Str<'_> {
    type In<'x> = Str<'x>;
}
// SAFETY: one lifetime.
unsafe impl FieldFamily for Blob<'_> {
    type In<'x> = Blob<'x>;
}
// SAFETY: the inner family's; zero is `Unset`.
unsafe impl<T: FieldFamily> FieldFamily for Optional<T> {
    type In<'x> = Optional<T::In<'x>>;
}
// SAFETY: one lifetime and the inner family's; zero is empty.
unsafe impl<T: FieldFamily> FieldFamily for Repeated<'_, T> {
    type In<'x> = Repeated<'x, T::In<'x>>;
}
// SAFETY: one lifetime and the inner family's; zero is unset.
unsafe impl<T: FieldFamily> FieldFamily for MessageField<'_, T> {
    type In<'x> = MessageField<'x, T::In<'x>>;
}
