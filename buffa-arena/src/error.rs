//! Why an arena did not give memory.

/// An allocation that an arena refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArenaError {
    /// The fixed buffer (or the allocator behind the arena) has no room left.
    Full,
    /// The arena's byte limit would be exceeded.
    Limit,
}

impl core::fmt::Display for ArenaError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            ArenaError::Full => "arena is full",
            ArenaError::Limit => "arena byte limit reached",
        })
    }
}

impl core::error::Error for ArenaError {}

/// For the infallible twins of the `try_` methods, which treat exhaustion as `Vec` treats a failed allocation.
#[cold]
#[inline(never)]
#[expect(clippy::panic, reason = "documented on every method that calls it; the codec uses the fallible twins")]
pub(crate) fn exhausted(error: ArenaError) -> ! {
    panic!("{error}")
}
