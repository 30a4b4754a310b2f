//! Explicit presence of scalars and enums.

/// A scalar or enum with explicit presence; a real enum, so that it can be matched.
///
/// The layout is fixed (`repr(C, u8)`): a tag byte, then the value at its alignment. All-zero bytes are `Unset`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(C, u8)]
pub enum Optional<T> {
    /// Not present.
    #[default]
    Unset = 0,
    /// Present, even if it equals the default value.
    Set(T) = 1,
}

impl<T> Optional<T> {
    /// The value as an `Option`.
    #[inline]
    pub fn get(self) -> Option<T> {
        self.into()
    }

    /// The value by reference.
    #[inline]
    pub const fn as_ref(&self) -> Option<&T> {
        match self {
            Optional::Unset => None,
            Optional::Set(value) => Some(value),
        }
    }

    /// The value by unique reference.
    #[inline]
    pub const fn as_mut(&mut self) -> Option<&mut T> {
        match self {
            Optional::Unset => None,
            Optional::Set(value) => Some(value),
        }
    }

    /// Whether a value is present.
    #[inline]
    pub const fn is_set(&self) -> bool {
        matches!(self, Optional::Set(_))
    }

    /// The value, or `default` when unset.
    #[inline]
    pub fn unwrap_or(self, default: T) -> T {
        self.get().unwrap_or(default)
    }

    /// The value, or the type's default when unset.
    #[inline]
    pub fn unwrap_or_default(self) -> T
    where
        T: Default,
    {
        self.get().unwrap_or_default()
    }

    /// Sets the value.
    #[inline]
    pub fn set(&mut self, value: T) {
        *self = Optional::Set(value);
    }

    /// Unsets the value and returns what it was.
    #[inline]
    pub fn take(&mut self) -> Option<T> {
        core::mem::replace(self, Optional::Unset).get()
    }
}

impl<T> From<T> for Optional<T> {
    #[inline]
    fn from(value: T) -> Self {
        Optional::Set(value)
    }
}

impl<T> From<Option<T>> for Optional<T> {
    #[inline]
    fn from(value: Option<T>) -> Self {
        match value {
            Some(value) => Optional::Set(value),
            None => Optional::Unset,
        }
    }
}

impl<T> From<Optional<T>> for Option<T> {
    #[inline]
    fn from(value: Optional<T>) -> Self {
        match value {
            Optional::Set(value) => Some(value),
            Optional::Unset => None,
        }
    }
}
