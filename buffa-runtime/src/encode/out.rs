//! Where encoded bytes go: a slice, or a buffer that grows.
#![allow(unsafe_code)] // writes through raw pointers

use crate::error::EncodeError;
use crate::limits::{MAX_DEPTH, MAX_MESSAGE};
use crate::wire::{low8, put_varint};
use buffa_tables::TableRef;

/// Bytes that every `need` asks for on top: room for a tag, a varint and a wide copy that overshoots.
pub(super) const SLACK: usize = 32;
/// Size of the scratch buffer of the exact mode.
const SCRATCH: usize = 2 * SLACK;

/// How lengths of sub-messages are found and what happens at the end of the buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Guess and patch; give up when the slice has less than `SLACK` bytes of room.
    Slice,
    /// Guess and patch; make room.
    #[allow(dead_code, reason = "only builds with an allocator construct it")]
    Grow,
    /// Compute lengths first; the last bytes of the slice are written through the scratch buffer, so that not a byte of room is
    /// needed beyond the message.
    Exact,
}

/// # Invariants
/// 1. `base ≤ p ≤ end`, one buffer that this encoder alone writes, where `p` is the position that kernels hand around.
/// 2. In the scratch buffer, `base .. end` is that buffer, and `real .. real_end` the free part of the slice.
pub(super) struct Out {
    pub(super) base: *mut u8,
    pub(super) end: *mut u8,
    pub(super) mode: Mode,
    pub(super) deterministic: bool,
    pub(super) depth: u32,
    pub(super) error: Option<EncodeError>,
    /// Makes room: gets the context, the bytes written so far and the bytes needed behind them.
    grow: Option<Grow>,
    context: *mut (),
    scratch: *mut u8,
    in_scratch: bool,
    real: *mut u8,
    real_end: *mut u8,
}

/// Returns the new start and end of the buffer, of which the first `used` bytes are kept; `None` if there is no memory.
pub(super) type Grow = unsafe fn(context: *mut (), used: usize, need: usize) -> Option<(*mut u8, *mut u8)>;

impl Out {
    #[allow(dead_code, reason = "only builds with an allocator use it")]
    pub(super) fn growing(base: *mut u8, end: *mut u8, grow: Grow, context: *mut (), deterministic: bool) -> Out {
        Out { mode: Mode::Grow, grow: Some(grow), context, ..Out::slice(base, end, Mode::Grow, deterministic) }
    }

    pub(super) fn slice(base: *mut u8, end: *mut u8, mode: Mode, deterministic: bool) -> Out {
        Out {
            base,
            end,
            mode,
            deterministic,
            depth: MAX_DEPTH,
            error: None,
            grow: None,
            context: core::ptr::null_mut(),
            scratch: core::ptr::null_mut(),
            in_scratch: false,
            real: core::ptr::null_mut(),
            real_end: core::ptr::null_mut(),
        }
    }

    /// Makes sure that `n` bytes (at most `SLACK` in the exact mode) are writable at the result, which continues `p`; null if
    /// there is no room.
    #[inline]
    pub(super) fn need(&mut self, p: *mut u8, n: usize) -> *mut u8 {
        if n <= self.end.addr() - p.addr() { p } else { self.need_slow(p, n) }
    }

    #[cold]
    #[inline(never)]
    fn need_slow(&mut self, p: *mut u8, n: usize) -> *mut u8 {
        match self.mode {
            Mode::Slice => self.fail(EncodeError::BufferTooSmall { needed: 0 }),
            Mode::Grow => {
                let used = p.addr() - self.base.addr();
                if used > MAX_MESSAGE || n > MAX_MESSAGE + SLACK {
                    return self.fail(EncodeError::TooLong);
                }
                let Some(grow) = self.grow else { return core::ptr::null_mut() };
                // SAFETY: `context` is what `grow` was paired with, and `used` bytes are written.
                let Some((base, end)) = (unsafe { grow(self.context, used, n) }) else {
                    return self.fail(EncodeError::TooLong);
                };
                (self.base, self.end) = (base, end);
                // SAFETY: the buffer holds `used` bytes and room behind them.
                unsafe { base.add(used) }
            }
            Mode::Exact => {
                debug_assert!(n <= SCRATCH);
                if !self.flush(p) {
                    return core::ptr::null_mut();
                }
                (self.base, self.in_scratch) = (self.scratch, true);
                // SAFETY: one past the scratch buffer.
                self.end = unsafe { self.scratch.add(SCRATCH) };
                self.scratch
            }
        }
    }

    /// Takes note that everything up to `p` is written, copying it from the scratch buffer if it is there.
    fn flush(&mut self, p: *mut u8) -> bool {
        if !self.in_scratch {
            (self.real, self.real_end) = (p, self.end);
            return true;
        }
        let n = p.addr() - self.base.addr();
        if n > self.real_end.addr() - self.real.addr() {
            self.fail(EncodeError::BufferTooSmall { needed: 0 });
            return false;
        }
        // SAFETY: `n` bytes of scratch are written and as many are free in the slice.
        unsafe { self.real.copy_from_nonoverlapping(self.base, n) };
        // SAFETY: as above.
        self.real = unsafe { self.real.add(n) };
        true
    }

    /// Copies `n` bytes from `source` to `p`.
    ///
    /// # Safety
    /// * `n` bytes are readable at `source`, outside the output.
    #[inline(always)]
    pub(super) unsafe fn raw(&mut self, p: *mut u8, source: *const u8, n: usize) -> *mut u8 {
        if n.wrapping_add(SLACK) > self.end.addr() - p.addr() || n > MAX_MESSAGE {
            // SAFETY: by contract.
            return unsafe { self.raw_slow(p, source, n) };
        }
        // SAFETY: `n` bytes and SLACK are writable at `p`.
        unsafe { copy_short(p, source, n) }
    }

    /// # Safety
    /// * As for [`Out::raw`].
    #[cold]
    #[inline(never)]
    unsafe fn raw_slow(&mut self, p: *mut u8, source: *const u8, n: usize) -> *mut u8 {
        if n > MAX_MESSAGE {
            return self.fail(EncodeError::TooLong);
        }
        if self.mode != Mode::Exact {
            let p = self.need(p, n + SLACK);
            // SAFETY: there is room now.
            return if p.is_null() { p } else { unsafe { copy_short(p, source, n) } };
        }
        if !self.flush(p) {
            return core::ptr::null_mut();
        }
        if n > self.real_end.addr() - self.real.addr() {
            return self.fail(EncodeError::BufferTooSmall { needed: 0 });
        }
        // SAFETY: `n` bytes are free in the slice.
        unsafe { self.real.copy_from_nonoverlapping(source, n) };
        // SAFETY: as above.
        self.real = unsafe { self.real.add(n) };
        (self.base, self.end, self.in_scratch) = (self.real, self.real_end, false);
        self.real
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, error: EncodeError) -> *mut u8 {
        self.error = Some(error);
        core::ptr::null_mut()
    }
}

/// Writes a tag; ten bytes are writable at `p`.
///
/// # Safety
/// * Ten bytes are writable at `p`.
#[inline]
pub(super) unsafe fn put_tag(p: *mut u8, tag: u32) -> *mut u8 {
    // SAFETY: by contract.
    unsafe {
        if tag < 0x80 {
            p.write(low8(u64::from(tag)));
            p.add(1)
        } else if tag < 0x4000 {
            p.write(low8(u64::from(tag)) | 0x80);
            p.add(1).write(low8(u64::from(tag >> 7)));
            p.add(2)
        } else {
            put_varint(p, u64::from(tag))
        }
    }
}

/// Copies `n` bytes with few, overlapping moves when they are few.
///
/// # Safety
/// * `n` bytes are readable at `source` and writable at `p`, and do not overlap.
#[inline(always)]
unsafe fn copy_short(p: *mut u8, source: *const u8, n: usize) -> *mut u8 {
    // SAFETY: every move lies in the `n` bytes.
    unsafe {
        if n > 32 {
            p.copy_from_nonoverlapping(source, n);
        } else if n >= 16 {
            move_ends::<u128>(p, source, n);
        } else if n >= 8 {
            move_ends::<u64>(p, source, n);
        } else if n >= 4 {
            move_ends::<u32>(p, source, n);
        } else if n != 0 {
            p.write(source.read());
            p.add(n / 2).write(source.add(n / 2).read());
            p.add(n - 1).write(source.add(n - 1).read());
        }
        p.add(n)
    }
}

/// # Safety
/// * `size_of::<T>() ≤ n ≤ 2 × size_of::<T>()`; otherwise as for [`copy_short`].
#[inline(always)]
unsafe fn move_ends<T: Copy>(p: *mut u8, source: *const u8, n: usize) {
    let last = n - size_of::<T>();
    // SAFETY: by contract.
    unsafe {
        let (first, second) = (source.cast::<T>().read_unaligned(), source.add(last).cast::<T>().read_unaligned());
        p.cast::<T>().write_unaligned(first);
        p.add(last).cast::<T>().write_unaligned(second);
    }
}

/// Encodes `msg` into `buffer` and returns the bytes used. Tries the fast way, which wants some room behind the message; without it
/// the message is measured and written exactly.
///
/// # Errors
/// [`EncodeError::BufferTooSmall`] with the length of the message, if that is more than the buffer's.
///
/// # Safety
/// * `msg` is a live message that `table` describes.
pub(crate) unsafe fn to_slice(
    msg: *const u8,
    table: TableRef,
    buffer: &mut [core::mem::MaybeUninit<u8>],
    deterministic: bool,
) -> Result<usize, EncodeError> {
    // Asked first: looking at the slice again would end what the pointers made from it may do.
    let room = buffer.len();
    let range = buffer.as_mut_ptr_range();
    let (base, end) = (range.start.cast::<u8>(), range.end.cast::<u8>());
    let mut out = Out::slice(base, end, Mode::Slice, deterministic);
    // SAFETY: by contract.
    let p = unsafe { super::run::run(&mut out, base, msg, table) };
    if !p.is_null() {
        let used = p.addr() - base.addr();
        return if used > MAX_MESSAGE { Err(EncodeError::TooLong) } else { Ok(used) };
    }
    match out.error {
        Some(EncodeError::BufferTooSmall { .. }) => {}
        error => return Err(error.unwrap_or(EncodeError::TooLong)),
    }
    // SAFETY: by contract.
    let needed = unsafe { super::size::size(msg, table) }?;
    if needed > room {
        return Err(EncodeError::BufferTooSmall { needed });
    }
    let mut scratch = [0u8; SCRATCH];
    let mut out = Out { scratch: scratch.as_mut_ptr(), ..Out::slice(base, end, Mode::Exact, deterministic) };
    // SAFETY: by contract.
    let p = unsafe { super::run::run(&mut out, base, msg, table) };
    if p.is_null() || !out.flush(p) {
        return Err(out.error.unwrap_or(EncodeError::BufferTooSmall { needed }));
    }
    Ok(out.real.addr() - base.addr())
}
