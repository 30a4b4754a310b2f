//! Where blocks come from when there is no allocator: nowhere, beyond the caller's buffer.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// The caller's buffer is the only block.
pub(crate) struct Source<'b>(PhantomData<&'b mut [MaybeUninit<u8>]>);

impl<'b> Source<'b> {
    pub(crate) const fn fixed() -> Source<'b> {
        Source(PhantomData)
    }

    /// A block of at least `need` bytes, aligned to 8; `want` is what would be convenient.
    pub(crate) fn next_block(&self, _need: usize, _want: usize) -> Option<(NonNull<u8>, usize)> {
        None
    }

    /// Frees all blocks but the largest and returns that one; `None` if blocks are not this source's to free.
    pub(crate) fn reset(&mut self) -> Option<Option<(NonNull<u8>, usize)>> {
        None
    }
}
