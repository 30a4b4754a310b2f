//! The bump arena.
//!
//! ```text
//!   start            ptr                 end (soft: block end or byte limit)   block_end
//!   ├── allocations ──┼── free ───────────┼── beyond the limit ─────────────────┤
//! ```
//! Bumping upwards lets the newest allocation grow in place, which is what a decoder does with repeated fields.
#![allow(unsafe_code)] // hands out memory

use crate::error::{ArenaError, exhausted};
use crate::seed;
use crate::source::Source;
use core::cell::Cell;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// Bytes of the first block that an arena asks for.
const FIRST_BLOCK: usize = 1 << 10;
/// Blocks double up to this size.
const LARGEST_BLOCK: usize = 1 << 20;
/// Every allocation is aligned to this many bytes.
const ALIGN: usize = 8;
/// The empty block of an arena that has none, aligned like any other (`u64` would not do: on some targets its alignment is 4).
const NOWHERE: NonNull<u8> = NonNull::<Aligned>::dangling().cast();
#[repr(align(8))]
struct Aligned;
const _: () = assert!(align_of::<Aligned>() == ALIGN);

/// A bump allocator for messages and their parts; memory comes back all at once, by [`Arena::reset`] or drop.
///
/// Blocks never move, so what was allocated stays where it is until `reset`, which takes `&mut self` and therefore cannot run
/// while a message of this arena is alive. `Send`, not `Sync`: one thread at a time allocates.
///
/// ```compile_fail,E0505
/// # use buffa_arena::{Arena, Repeated};
/// let arena = Arena::from_buffer(&mut []);
/// let mut ids = Repeated::EMPTY;
/// ids.push(7, &arena);
/// drop(arena); // the message needs it
/// println!("{ids:?}");
/// ```
/// ```compile_fail,E0502
/// # use buffa_arena::{Arena, Str};
/// # let mut arena = Arena::from_buffer(&mut []);
/// let name = Str::copied("name", &arena);
/// arena.reset(); // so here
/// println!("{name:?}");
/// ```
/// ```compile_fail,E0277
/// fn share<T: Sync>(_: T) {}
/// share(buffa_arena::Arena::from_buffer(&mut []));
/// ```
///
/// # Invariants
/// 1. `start ≤ ptr ≤ end ≤ block_end`, all multiples of 8 and inside one block, which belongs to this arena alone.
/// 2. `ptr .. block_end` is referenced by nobody.
/// 3. `closed + (end - start) ≤ limit` unless `ptr == end`.
/// 4. `array`, if any, is the newest growable array; it begins in `start .. ptr`.
pub struct Arena<'b> {
    ptr: Cell<NonNull<u8>>,
    end: Cell<NonNull<u8>>,
    start: Cell<NonNull<u8>>,
    block_end: Cell<NonNull<u8>>,
    array: Cell<Option<NonNull<u8>>>,
    closed: Cell<usize>,
    capacity: Cell<usize>,
    limit: Cell<usize>,
    want: Cell<usize>,
    seed: Cell<u64>,
    source: Source<'b>,
}

/// A position in an arena.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    start: NonNull<u8>,
    ptr: NonNull<u8>,
}

// SAFETY: the pointers lead into blocks that this arena owns or borrows uniquely. The one source that must stay on its
// thread, a borrowed `Bump`, is only ever handed out inside `BumpArena`, which is not `Send` and lends the arena as `&Arena`.
unsafe impl Send for Arena<'_> {}

impl<'b> Arena<'b> {
    /// An arena that takes blocks from the allocator as it grows; nothing is allocated yet.
    #[cfg(feature = "alloc")]
    pub fn new() -> Arena<'static> {
        Arena::with_source(Source::Owned(bumpalo::Bump::new()))
    }

    /// The same with a first block of at least `bytes`.
    #[cfg(feature = "alloc")]
    pub fn with_capacity(bytes: usize) -> Arena<'static> {
        let arena = Arena::new();
        arena.want.set(bytes.max(64).saturating_add(ALIGN - 1) & !(ALIGN - 1));
        arena
    }

    /// An arena over the blocks of an owned `Bump`, whose allocation limit (if it has one) then holds.
    #[cfg(feature = "alloc")]
    pub fn from_bump(bump: bumpalo::Bump) -> Arena<'static> {
        Arena::with_source(Source::Owned(bump))
    }

    /// An arena inside the caller's `Bump`, side by side with the caller's own allocations.
    #[cfg(feature = "alloc")]
    pub fn in_bump(bump: &'b bumpalo::Bump) -> crate::BumpArena<'b> {
        crate::BumpArena::new(Arena::with_source(Source::Borrowed(bump)))
    }

    /// An arena over a fixed buffer; needs no allocator and fails with [`ArenaError::Full`] when the buffer ends.
    ///
    /// Allocations are aligned to 8 bytes, and the last byte of the buffer is never used: a buffer that was itself placed in an
    /// arena then cannot end where an array of the inner arena ends, and [`Arena::try_extend`] cannot mistake one for the other.
    pub fn from_buffer(buffer: &'b mut [MaybeUninit<u8>]) -> Arena<'b> {
        let arena = Arena::with_source(Source::fixed());
        let skip = buffer.as_ptr().align_offset(ALIGN);
        if let Some(aligned) = buffer.get_mut(skip..) {
            let size = aligned.len().saturating_sub(1) & !(ALIGN - 1);
            arena.open(NonNull::from(aligned).cast(), size);
        }
        arena
    }

    fn with_source(source: Source<'b>) -> Arena<'b> {
        let nowhere = Cell::new(NOWHERE);
        Arena {
            ptr: nowhere.clone(),
            end: nowhere.clone(),
            start: nowhere.clone(),
            block_end: nowhere,
            array: Cell::new(None),
            closed: Cell::new(0),
            capacity: Cell::new(0),
            limit: Cell::new(usize::MAX),
            want: Cell::new(FIRST_BLOCK),
            seed: Cell::new(0),
            source,
        }
    }

    /// Takes `size` bytes, aligned to 8, not initialized.
    #[inline]
    pub fn try_alloc(&self, size: usize) -> Result<NonNull<u8>, ArenaError> {
        let ptr = self.ptr.get();
        // Both are multiples of 8: if `size` fits, so does `size` rounded up.
        if size <= self.end.get().addr().get() - ptr.addr().get() {
            // SAFETY: the rounded size fits below `end` (invariant 1), so the result stays in the block.
            self.ptr.set(unsafe { ptr.add(round_up(size)) });
            return Ok(ptr);
        }
        self.alloc_slow(size)
    }

    #[cold]
    #[inline(never)]
    fn alloc_slow(&self, size: usize) -> Result<NonNull<u8>, ArenaError> {
        let ptr = self.ptr.get();
        if size > isize::MAX as usize - ALIGN {
            return Err(ArenaError::Full);
        }
        let left = self.limit.get().saturating_sub(self.allocated_bytes());
        if size > left & !(ALIGN - 1) {
            return Err(ArenaError::Limit);
        }
        let size = round_up(size);
        let want = self.want.get().min(left & !(ALIGN - 1));
        let (block, bytes) = self.source.next_block(size, want).ok_or(ArenaError::Full)?;
        self.closed.set(self.closed.get() + (ptr.addr().get() - self.start.get().addr().get()));
        self.open(block, bytes);
        let want = bytes.saturating_mul(2).min(LARGEST_BLOCK);
        self.want.set(self.want.get().max(want));
        // SAFETY: the block has at least `size` bytes and the limit leaves that many.
        self.ptr.set(unsafe { block.add(size) });
        Ok(block)
    }

    fn open(&self, block: NonNull<u8>, bytes: usize) {
        let bytes = bytes & !(ALIGN - 1);
        self.start.set(block);
        self.ptr.set(block);
        self.array.set(None);
        // SAFETY: one past the end of the block is still in bounds for pointer arithmetic.
        self.block_end.set(unsafe { block.add(bytes) });
        self.capacity.set(self.capacity.get() + bytes);
        self.place_end();
    }

    /// Recomputes the soft end from block end and limit (invariant 3).
    fn place_end(&self) {
        let ptr = self.ptr.get();
        let room = self.block_end.get().addr().get() - ptr.addr().get();
        let left = self.limit.get().saturating_sub(self.allocated_bytes()) & !(ALIGN - 1);
        // SAFETY: at most `room` bytes behind `ptr`, hence inside the block.
        self.end.set(unsafe { ptr.add(room.min(left)) });
    }

    /// [`Arena::try_alloc`] for an array, which [`Arena::try_extend`] may grow as long as it is the newest allocation.
    #[inline]
    pub(crate) fn try_alloc_array(&self, size: usize) -> Result<NonNull<u8>, ArenaError> {
        let array = self.try_alloc(size)?;
        self.array.set(Some(array));
        Ok(array)
    }

    /// Grows an array from `old` to `new` bytes without moving it; `None` unless it is this arena's newest array, nothing was
    /// allocated after it and the block has room.
    ///
    /// The returned pointer has the same address as `ptr`.
    ///
    /// Neither an equal end address nor a place in the current block is proof enough. The blocks of two arenas can be neighbours,
    /// and a caller can lend parts of what the arena gave out: one of two halves whose padding hides the other half, or a buffer
    /// that another arena manages. So the array must be one made for growth, and whole: `old` bytes that end exactly at the top,
    /// which only multiples of 8 can.
    #[inline]
    pub fn try_extend(&self, ptr: NonNull<u8>, old: usize, new: usize) -> Option<NonNull<u8>> {
        let (array, top) = (self.array.get()?, self.ptr.get().addr().get());
        if array != ptr || old != top - array.addr().get() || new < old || new - old > self.end.get().addr().get() - top {
            return None;
        }
        // SAFETY: `old` leads from the array to the top, and `new - old` rounded up fits below `end`, as in `try_alloc`.
        self.ptr.set(unsafe { array.add(round_up(new)) });
        Some(array)
    }

    /// Takes `size` zeroed bytes, aligned to 8.
    #[inline]
    pub fn try_alloc_zeroed(&self, size: usize) -> Result<NonNull<u8>, ArenaError> {
        let ptr = self.try_alloc(size)?;
        // SAFETY: `size` fresh bytes.
        unsafe { ptr.as_ptr().write_bytes(0, size) };
        Ok(ptr)
    }

    /// Moves `value` into the arena. It is not dropped later, so it may have no drop glue.
    ///
    /// # Errors
    /// When the arena has no room.
    #[expect(clippy::mut_from_ref, reason = "each call gives out memory of its own")]
    pub fn try_place<T>(&self, value: T) -> Result<&mut T, ArenaError> {
        const { assert!(align_of::<T>() <= ALIGN && !core::mem::needs_drop::<T>()) }
        let ptr = self.try_alloc(size_of::<T>())?.cast::<T>();
        // SAFETY: fresh memory of the right size and alignment, referenced by nobody else.
        unsafe { ptr.write(value) };
        // SAFETY: just written; it lives until `reset`, which needs `&mut self`.
        Ok(unsafe { &mut *ptr.as_ptr() })
    }

    /// [`Arena::try_place`] for arenas that grow.
    ///
    /// # Panics
    /// When the arena has no room, as `Box::new` does.
    pub fn place<T>(&self, value: T) -> &mut T {
        self.try_place(value).unwrap_or_else(|error| exhausted(error))
    }

    /// Copies bytes into the arena.
    ///
    /// # Errors
    /// When the arena has no room.
    #[expect(clippy::mut_from_ref, reason = "each call gives out memory of its own")]
    pub fn try_copy(&self, bytes: &[u8]) -> Result<&mut [u8], ArenaError> {
        let ptr = self.try_alloc(bytes.len())?;
        // SAFETY: fresh memory of that length; the source cannot overlap it.
        unsafe { ptr.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        // SAFETY: initialized just now, unique, alive until `reset`.
        Ok(unsafe { core::slice::from_raw_parts_mut(ptr.as_ptr(), bytes.len()) })
    }

    /// Copies a string into the arena.
    ///
    /// # Errors
    /// When the arena has no room.
    pub fn try_copy_str(&self, text: &str) -> Result<&str, ArenaError> {
        // SAFETY: a copy of valid UTF-8.
        Ok(unsafe { core::str::from_utf8_unchecked(self.try_copy(text.as_bytes())?) })
    }

    /// [`Arena::try_copy_str`] for arenas that grow.
    ///
    /// # Panics
    /// When the arena has no room, as `String::from` does.
    pub fn copy_str(&self, text: &str) -> &str {
        self.try_copy_str(text).unwrap_or_else(|error| exhausted(error))
    }

    /// Forgets everything in the arena and keeps its largest block for reuse.
    pub fn reset(&mut self) {
        let used = self.allocated_bytes();
        let (mut block, mut bytes) = (self.start.get(), self.block_end.get().addr().get() - self.start.get().addr().get());
        if self.capacity.get() != bytes {
            if let Some(kept) = self.source.reset() {
                (block, bytes) = kept.unwrap_or((NOWHERE, 0));
            }
            // If the block that stays is too small for the same again, the next one shall not be.
            if bytes < used {
                self.want.set(used);
            }
        }
        self.closed.set(0);
        self.capacity.set(0);
        self.open(block, bytes);
    }

    /// Where the next allocation goes, for [`Arena::rewind`].
    pub fn mark(&self) -> Mark {
        Mark { start: self.start.get(), ptr: self.ptr.get() }
    }

    /// Takes back what was allocated since `mark`, unless a new block was begun.
    ///
    /// # Safety
    /// * `mark` is of this arena, which was not reset since, and nothing allocated since is used any more.
    pub unsafe fn rewind(&self, mark: Mark) {
        if self.start.get() == mark.start {
            debug_assert!(mark.ptr <= self.ptr.get());
            self.ptr.set(mark.ptr);
            if self.array.get().is_some_and(|array| array >= mark.ptr) {
                self.array.set(None);
            }
            self.place_end();
        }
    }

    /// Bytes handed out since the last reset, alignment included.
    pub fn allocated_bytes(&self) -> usize {
        self.closed.get() + (self.ptr.get().addr().get() - self.start.get().addr().get())
    }

    /// Bytes of all blocks that the arena fills or has filled since the last reset.
    pub fn capacity_bytes(&self) -> usize {
        self.capacity.get()
    }

    /// The most bytes that may be handed out between two resets (`usize::MAX`: no limit).
    pub fn limit(&self) -> usize {
        self.limit.get()
    }

    /// Sets [`Arena::limit`]; what is already allocated stays.
    pub fn set_limit(&self, bytes: usize) {
        self.limit.set(bytes);
        self.place_end();
    }

    /// The seed that map indices made in this arena hash with.
    pub fn hash_seed(&self) -> u64 {
        if self.seed.get() == 0 {
            // The arena's own address too, as there may be no block yet.
            let address = self.start.get().addr().get() ^ core::ptr::from_ref(self).addr().rotate_left(16);
            self.seed.set(seed::draw(address) | 1);
        }
        self.seed.get()
    }

    /// Sets the hash seed, for targets without a source of randomness of their own.
    pub fn set_hash_seed(&self, seed: u64) {
        self.seed.set(seed | 1);
    }
}

#[cfg(feature = "alloc")]
impl Default for Arena<'static> {
    fn default() -> Self {
        Arena::new()
    }
}

impl core::fmt::Debug for Arena<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Arena")
            .field("allocated", &self.allocated_bytes())
            .field("capacity", &self.capacity_bytes())
            .field("limit", &self.limit())
            .finish()
    }
}

#[inline]
const fn round_up(size: usize) -> usize {
    (size + (ALIGN - 1)) & !(ALIGN - 1)
}
