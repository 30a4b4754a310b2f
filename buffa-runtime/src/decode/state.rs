//! What the decoder knows besides its position: limits, patch buffer, options, the first error.
#![allow(unsafe_code)] // pointer arithmetic inside the input and the patch buffer

use crate::error::{DecodeError, ErrorKind};
use crate::extension::ExtensionRegistry;
use crate::limits::{DecodeOptions, UnknownPolicy};
use crate::wire::SLOP;
use buffa_arena::{Arena, ArenaError};
use buffa_tables::TableRef;

/// Size of the patch buffer: the last bytes of the input, then as many zero bytes.
const PATCH: usize = 2 * SLOP;

/// # Invariants
/// 1. `SLOP` bytes are readable at every position before `end` that the loop reaches.
/// 2. The current frame ends at `frame_end`, a position relative to `end` also where it lies behind the buffer; `stop` is the smaller
///    of both.
/// 3. In the input `alias_end == end`; in the patch it is the input position that corresponds to `end`, the input's end.
/// 4. An end of input inside the patch is at `end`, so `frame_end ≤ end` there.
pub(super) struct Decoder<'d> {
    pub(super) stop: *const u8,
    pub(super) end: *const u8,
    pub(super) frame_end: *const u8,
    alias_end: *const u8,
    pub(super) arena: &'d Arena<'d>,
    pub(super) depth: u32,
    pub(super) unknown: UnknownPolicy,
    /// A map entry was dropped because its value is no number of its closed enum.
    pub(super) entry_rejected: bool,
    pub(super) partial: bool,
    /// The end-group tag that the current group waits for has just been read.
    ended: bool,
    error: Option<ErrorKind>,
    error_at: *const u8,
    pub(super) input: *const u8,
    input_end: *const u8,
    patch: *mut u8,
    pub(super) extensions: Option<&'d ExtensionRegistry<'d>>,
}

/// Merges `input` into the message at `msg`.
///
/// # Errors
/// The first fault in the input; what was merged before it stays.
///
/// # Safety
/// * `msg` points to a live, initialized message that `table` describes, and nothing else refers to it or to what it holds.
/// * `input` and `arena` outlive the message's contents.
pub(crate) unsafe fn merge(
    msg: *mut u8,
    table: TableRef,
    input: &[u8],
    arena: &Arena<'_>,
    options: &DecodeOptions<'_>,
    partial: bool,
) -> Result<(), DecodeError> {
    if input.len() > options.max_size {
        return Err(DecodeError::new(ErrorKind::TooLong, 0));
    }
    let outer = arena.limit();
    arena.set_limit(outer.min(arena.allocated_bytes().saturating_add(options.memory_for(input.len()))));
    let shape = Shape { depth: options.recursion, unknown: options.unknown, partial, extensions: options.extensions };
    // SAFETY: by contract.
    let result = unsafe { Decoder::decode(msg, table, input, arena, shape) };
    arena.set_limit(outer);
    result
}

/// Merges `input`, one or more fields of an extension, into the carrier at `msg`.
///
/// # Errors
/// As for [`merge`].
///
/// # Safety
/// * As for [`merge`].
pub(crate) unsafe fn decode_field(
    msg: *mut u8,
    table: TableRef,
    input: &[u8],
    arena: &Arena<'_>,
    shape: Shape<'_>,
) -> Result<(), DecodeError> {
    // SAFETY: by contract.
    unsafe { Decoder::decode(msg, table, input, arena, shape) }
}

/// What stays the same during a call, and is handed on when an extension is checked.
#[derive(Clone, Copy)]
pub(crate) struct Shape<'d> {
    pub(crate) depth: u32,
    pub(crate) unknown: UnknownPolicy,
    pub(crate) partial: bool,
    pub(crate) extensions: Option<&'d ExtensionRegistry<'d>>,
}

impl<'d> Decoder<'d> {
    /// # Safety
    /// * As for [`merge`].
    pub(super) unsafe fn decode(
        msg: *mut u8,
        table: TableRef,
        input: &'d [u8],
        arena: &'d Arena<'_>,
        shape: Shape<'d>,
    ) -> Result<(), DecodeError> {
        let mut patch = [0u8; PATCH];
        let range = input.as_ptr_range();
        let mut d = Decoder {
            stop: range.start,
            end: range.start,
            frame_end: range.start,
            alias_end: range.start,
            arena,
            depth: shape.depth,
            unknown: shape.unknown,
            entry_rejected: false,
            partial: shape.partial,
            ended: false,
            error: None,
            error_at: range.start,
            input: range.start,
            input_end: range.end,
            patch: patch.as_mut_ptr(),
            extensions: shape.extensions,
        };
        let p = if input.len() > SLOP {
            // SAFETY: inside the input.
            d.end = unsafe { range.end.sub(SLOP) };
            d.alias_end = d.end;
            d.frame_end = range.end;
            d.stop = d.end;
            range.start
        } else {
            // SAFETY: at most SLOP bytes, into the fresh patch buffer.
            unsafe { d.patch.copy_from_nonoverlapping(range.start, input.len()) };
            // SAFETY: inside the patch buffer, with SLOP bytes behind it.
            d.end = unsafe { d.patch.add(input.len()) };
            d.alias_end = range.end;
            d.frame_end = d.end;
            d.stop = d.end;
            d.patch.cast_const()
        };
        // SAFETY: the state describes the input; the rest is the caller's contract.
        let p = unsafe { super::run::run(&mut d, p, msg, table, 0) };
        if p.is_null() { Err(d.into_error()) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn into_error(self) -> DecodeError {
        DecodeError::new(self.error.unwrap_or(ErrorKind::Truncated), self.error_at.addr() - self.input.addr())
    }

    /// Position in the input of the position `p` (in the input or in the patch).
    #[inline]
    pub(super) fn alias(&self, p: *const u8) -> *const u8 {
        // In the input both ends are equal, and this is `p`. `wrapping_`: p may be past the end by an over-read that the next limit
        // check reports.
        self.alias_end.wrapping_offset(distance(self.end, p))
    }

    /// Bytes of the frame that are left at `p`; negative if `p` is past its end.
    #[inline]
    pub(super) fn remaining(&self, p: *const u8) -> isize {
        distance(p, self.frame_end)
    }

    /// The length `len`, which was read before `p`, if that many bytes of the frame are left at `p`.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "what is left of a frame is an `isize`")]
    pub(super) fn length(&self, len: u64, p: *const u8) -> Option<usize> {
        let remaining = self.remaining(p);
        if remaining < 0 || len > remaining as u64 { None } else { Some(len as usize) }
    }

    /// Begins a frame of `len` bytes at `p` and returns what [`Decoder::pop`] needs.
    #[inline]
    pub(super) fn push(&mut self, p: *const u8, len: usize) -> isize {
        debug_assert!(isize::try_from(len).is_ok_and(|len| len <= self.remaining(p)));
        let frame_end = p.wrapping_add(len);
        let delta = distance(frame_end, self.frame_end);
        self.set_frame(frame_end);
        delta
    }

    /// Ends a frame.
    #[inline]
    pub(super) fn pop(&mut self, delta: isize) {
        self.set_frame(self.frame_end.wrapping_offset(delta));
    }

    #[inline]
    fn set_frame(&mut self, frame_end: *const u8) {
        self.frame_end = frame_end;
        self.stop = if frame_end < self.end { frame_end } else { self.end };
    }

    /// Whether a value that was read up to `p` takes bytes from behind its frame.
    #[inline]
    pub(super) fn cut(&self, p: *const u8) -> bool {
        p > self.frame_end
    }

    /// At `stop` or past it: the end of the frame, a fault, or the switch to the patch buffer.
    ///
    /// # Safety
    /// * `p ≥ self.stop`, reached by reading at most SLOP bytes from a position before `end`, or by skipping bytes of the frame.
    #[inline]
    pub(super) unsafe fn at_stop(&mut self, p: *const u8) -> AtStop {
        if p == self.frame_end {
            return AtStop::FrameEnd;
        }
        if self.cut(p) {
            self.fail(ErrorKind::Truncated, p);
            return AtStop::Failed;
        }
        // SAFETY: end ≤ p < frame_end, so there is more of the frame behind `end`.
        AtStop::Continue(unsafe { self.switch(distance(self.end, p)) })
    }

    /// Continues in the patch buffer, `over` bytes behind its start.
    ///
    /// # Safety
    /// * `0 ≤ over`, and the frame goes on there: hence `end` is in the input (invariant 4), SLOP bytes before its end.
    #[cold]
    unsafe fn switch(&mut self, over: isize) -> *const u8 {
        debug_assert!(self.end == self.alias_end && 0 <= over && over < SLOP as isize);
        // SAFETY: SLOP bytes are left in the input, and the patch is larger.
        unsafe { self.patch.copy_from_nonoverlapping(self.end, SLOP) };
        // What was before the input's end is now before the patch's.
        let frame_end = self.patch.wrapping_offset(distance(self.end, self.frame_end)).cast_const();
        // SAFETY: inside the patch.
        self.end = unsafe { self.patch.add(SLOP) };
        self.alias_end = self.input_end;
        self.set_frame(frame_end);
        // SAFETY: over ≤ SLOP.
        unsafe { self.patch.offset(over) }
    }

    /// The end of the input, up to where bytes are readable.
    pub(super) fn input_end(&self) -> *const u8 {
        self.input_end
    }

    /// The group that is being decoded has ended.
    #[inline]
    pub(super) fn end_group(&mut self) {
        self.ended = true;
    }

    /// Whether it has; asks once.
    #[inline]
    pub(super) fn group_ended(&mut self) -> bool {
        core::mem::take(&mut self.ended)
    }

    /// Records the first error; the null pointer is what kernels return then.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, kind: ErrorKind, p: *const u8) -> *const u8 {
        self.error = Some(kind);
        let at = self.alias(p);
        debug_assert!(at.addr() >= self.input.addr(), "a position of the other buffer");
        self.error_at = if at.addr() > self.input_end.addr() { self.input_end } else { at };
        core::ptr::null()
    }

    /// Takes over the error of a nested decoder whose input starts at `at`.
    #[cold]
    pub(super) fn fail_nested(&mut self, error: &DecodeError, at: *const u8) -> *const u8 {
        self.error = Some(error.kind());
        self.error_at = at.wrapping_add(error.offset());
        core::ptr::null()
    }

    /// The same for a refused allocation.
    #[cold]
    #[inline(never)]
    pub(super) fn fail_arena(&mut self, error: ArenaError, p: *const u8) -> *const u8 {
        let kind = if error == ArenaError::Limit { ErrorKind::MemoryLimit } else { ErrorKind::ArenaFull };
        self.fail(kind, p)
    }

    pub(super) fn shape(&self) -> Shape<'d> {
        Shape { depth: self.depth, unknown: self.unknown, partial: self.partial, extensions: self.extensions }
    }
}

/// Outcome of [`Decoder::at_stop`].
pub(super) enum AtStop {
    FrameEnd,
    Failed,
    Continue(*const u8),
}

/// `to - from` in bytes, between positions of one buffer.
#[inline]
fn distance(from: *const u8, to: *const u8) -> isize {
    to.addr().wrapping_sub(from.addr()) as isize
}
