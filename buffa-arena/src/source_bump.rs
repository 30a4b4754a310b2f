//! Where blocks come from: a bump allocator of our own, the caller's, or only the caller's buffer.

use crate::Arena;
use bumpalo::Bump;
use core::alloc::Layout;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Deref;
use core::ptr::NonNull;

/// Supplier of blocks.
pub(crate) enum Source<'b> {
    Owned(Bump),
    Borrowed(&'b Bump),
    Fixed(PhantomData<&'b mut [MaybeUninit<u8>]>),
}

impl<'b> Source<'b> {
    pub(crate) const fn fixed() -> Source<'b> {
        Source::Fixed(PhantomData)
    }

    /// A block of at least `need` bytes, aligned to 8; `want` is what would be convenient.
    #[cold]
    pub(crate) fn next_block(&self, need: usize, want: usize) -> Option<(NonNull<u8>, usize)> {
        let bump = match self {
            Source::Owned(bump) => {
                // What is left of the current chunk serves nobody else. Eight bytes stay for bumpalo's own alignment.
                let left = bump.chunk_capacity().saturating_sub(8) & !7;
                if left >= need.max(64) {
                    return take(bump, left);
                }
                bump
            }
            Source::Borrowed(bump) => bump,
            Source::Fixed(_) => return None,
        };
        take(bump, need.max(want)).or_else(|| take(bump, need))
    }

    /// Frees all blocks but the largest and returns that one; `None` if blocks are not this source's to free.
    pub(crate) fn reset(&mut self) -> Option<Option<(NonNull<u8>, usize)>> {
        let Source::Owned(bump) = self else { return None };
        bump.reset();
        let left = bump.chunk_capacity().saturating_sub(8) & !7;
        Some(if left == 0 { None } else { take(bump, left) })
    }
}

fn take(bump: &Bump, size: usize) -> Option<(NonNull<u8>, usize)> {
    let layout = Layout::from_size_align(size, 8).ok()?;
    Some((bump.try_alloc_layout(layout).ok()?, size))
}

/// An [`Arena`] inside the caller's own [`Bump`]; used as `&Arena` through `Deref`.
///
/// It is a type of its own because it must stay on its thread (a `Bump` can be used from one thread only), while an
/// [`Arena`] may move to another.
///
/// ```compile_fail,E0277
/// fn send<T: Send>(_: T) {}
/// let bump = bumpalo::Bump::new();
/// send(buffa_arena::Arena::in_bump(&bump));
/// ```
///
/// For the same reason nothing gives out `&mut Arena`, by which the arena could be swapped for another.
///
/// ```compile_fail,E0596
/// # use buffa_arena::Arena;
/// let (bump, mut other) = (bumpalo::Bump::new(), Arena::new());
/// let mut arena = Arena::in_bump(&bump);
/// core::mem::swap(&mut other, &mut *arena);
/// ```
#[derive(Debug)]
pub struct BumpArena<'b> {
    arena: Arena<'b>,
    not_send: PhantomData<*const ()>,
}

impl<'b> BumpArena<'b> {
    pub(crate) fn new(arena: Arena<'b>) -> BumpArena<'b> {
        BumpArena { arena, not_send: PhantomData }
    }

    /// Forgets everything in the arena; its latest block is reused, earlier ones stay with the `Bump` until that is reset. The
    /// next block is large enough for what was allocated up to now, so that a repeated workload settles in one block.
    pub fn reset(&mut self) {
        self.arena.reset();
    }
}

impl<'b> Deref for BumpArena<'b> {
    type Target = Arena<'b>;

    fn deref(&self) -> &Arena<'b> {
        &self.arena
    }
}
