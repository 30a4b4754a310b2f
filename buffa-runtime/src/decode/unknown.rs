//! Fields that the table does not know: skipped, kept or refused; and fields sent with another wire type.
#![allow(unsafe_code)] // the kernel

use super::field::{long_tag, long_varint};
use super::packed;
use super::state::{AtStop, Decoder};
use crate::error::ErrorKind;
use crate::limits::UnknownPolicy;
use crate::wire::{low32, put_varint, varint_len};
use buffa_arena::{Arena, ArenaError, Blob, UnknownFields};
use buffa_tables::{FieldEntry, Flags, Mode, Op, TableRef, WireType};

/// No entry has the tag's number. Returns the position behind the field, or behind the end of the current group
/// ([`Decoder::group_ended`]), or null.
///
/// # Safety
/// * As for [`run`](super::run::run); the tag starts at `start`, its value at `p`.
#[cold]
#[inline(never)]
pub(super) unsafe fn no_entry(
    d: &mut Decoder<'_>,
    start: *const u8,
    p: *const u8,
    tag: u32,
    msg: *mut u8,
    table: TableRef,
    group: u32,
) -> *const u8 {
    if tag & 7 == WireType::EndGroup as u32 {
        if tag >> 3 == group && group != 0 {
            d.end_group();
            return p;
        }
        return d.fail(ErrorKind::InvalidGroup, start);
    }
    let begin = d.alias(start);
    // SAFETY: by contract.
    let end = unsafe { skip(d, start, p, tag) };
    if end.is_null() {
        return end;
    }
    // SAFETY: by contract, and `skip` checked that the field lies in the frame.
    unsafe { keep(d, begin, end, tag >> 3, msg, table) }
}

/// The entry has the tag's number but another wire type: packed and unpacked are both accepted for either declaration, anything
/// else is an unknown field.
///
/// # Safety
/// * As for [`no_entry`]; `entry` is the entry with the tag's number.
#[cold]
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "the state of the loop")]
pub(super) unsafe fn mismatch(
    d: &mut Decoder<'_>,
    start: *const u8,
    p: *const u8,
    tag: u32,
    entry: FieldEntry,
    msg: *mut u8,
    table: TableRef,
    group: u32,
) -> *const u8 {
    let wide = entry.op() == Op::WIDE;
    let aux_index = usize::from(if wide { entry.offset() } else { u16::from(entry.aux()) });
    let (op, offset) = if wide {
        // SAFETY: a wide entry's offset is an aux index in range.
        let aux = unsafe { table.aux_unchecked(aux_index) };
        (aux.op(), aux.offset() as usize)
    } else {
        (entry.op(), usize::from(entry.offset()))
    };
    let wire = tag & 7;
    let repeated = matches!(op.mode(), Mode::Repeated | Mode::Packed) && op.kind().is_packable();
    // SAFETY: the field is a `Repeated` of the op's kind in `msg`; the rest is this function's contract.
    unsafe {
        if repeated && wire == WireType::Len as u32 {
            let (len, q) = match length(d, start, p) {
                Some(found) => found,
                None => return core::ptr::null(),
            };
            return packed::elements(d, q, len, msg.add(offset).cast(), op.bits(), table, aux_index, msg, tag >> 3);
        }
        if repeated && wire == op.kind().wire_type() as u32 {
            return packed::one(d, start, p, msg.add(offset).cast(), op.kind(), table, aux_index, msg);
        }
        no_entry(d, start, p, tag, msg, table, group)
    }
}

/// A number that its closed enum does not declare: in a field it is kept as an unknown field, in a map entry it makes the whole
/// entry an unknown field of the message around it.
///
/// # Safety
/// * As for [`no_entry`]; the field is `start .. p`.
#[cold]
#[inline(never)]
pub(super) unsafe fn rejected_number(
    d: &mut Decoder<'_>,
    start: *const u8,
    p: *const u8,
    msg: *mut u8,
    table: TableRef,
) -> *const u8 {
    if d.cut(p) {
        return d.fail(ErrorKind::Truncated, start);
    }
    if table.flags().has(Flags::MAP_ENTRY) {
        d.entry_rejected = true;
        return p;
    }
    // SAFETY: the field lies in the frame.
    unsafe { keep(d, d.alias(start), p, 0, msg, table) }
}

/// Elements of one packed run that their closed enum does not declare: each gets a tag of its own, all together are one run of unknown
/// fields. (A run for each, of 16 bytes beside the field's own memory, made two megabytes of new enum numbers pass the memory limit.)
pub(super) struct Rejected {
    start: *mut u8,
    len: usize,
}

/// Bytes of an element as a field of its own.
pub(super) fn rejected_len(number: u32, value: u64) -> usize {
    varint_len(u64::from(number) << 3) + varint_len(value)
}

impl Rejected {
    /// Room for `room` bytes of fields.
    pub(super) fn new(room: usize, arena: &Arena<'_>) -> Result<Rejected, ArenaError> {
        Ok(Rejected { start: arena.try_alloc(room)?.as_ptr(), len: 0 })
    }

    /// Appends an element.
    ///
    /// # Safety
    /// * There is room for its [`rejected_len`].
    pub(super) unsafe fn push(&mut self, number: u32, value: u64) {
        let mut field = [0u8; 20];
        // SAFETY: two varints of at most ten bytes.
        unsafe { put_varint(put_varint(field.as_mut_ptr(), u64::from(number) << 3), value) };
        let len = rejected_len(number, value);
        // SAFETY: by contract; the field is `len` bytes long.
        unsafe { self.start.add(self.len).copy_from_nonoverlapping(field.as_ptr(), len) };
        self.len += len;
    }

    /// Makes them unknown fields of `msg`.
    ///
    /// # Safety
    /// * `msg` is a live message that is no map entry; its contents live as long as the arena.
    pub(super) unsafe fn keep(self, msg: *mut u8, arena: &Arena<'_>) -> Result<(), ArenaError> {
        // SAFETY: `len` bytes are written, and nobody else has them.
        let run = unsafe { Blob::from_raw(self.start, self.len) };
        // SAFETY: such a message begins with its unknown fields.
        unsafe { (*msg.cast::<UnknownFields<'_>>()).try_push_run(run, arena) }
    }
}

/// Handles the unknown field `begin .. end` (`begin` in the input, `end` in the current buffer) as the options say.
///
/// # Safety
/// * `msg` is the live message that `table` describes; the field lies in the frame.
pub(super) unsafe fn keep(
    d: &mut Decoder<'_>,
    begin: *const u8,
    end: *const u8,
    number: u32,
    msg: *mut u8,
    table: TableRef,
) -> *const u8 {
    // What the registry knows is not unknown, whatever the options say of unknown fields.
    let mut known = false;
    if let (Some(registry), true) = (d.extensions, table.flags().has(Flags::EXTENDABLE)) {
        let end_alias = d.alias(end);
        // SAFETY: `begin .. end` lies in the input.
        let field = unsafe { core::slice::from_raw_parts(begin, end_alias.addr() - begin.addr()) };
        match registry.check(table, number, field, d.arena, d.shape()) {
            Ok(found) => known = found,
            Err(error) => return d.fail_nested(&error, begin),
        }
    }
    if d.unknown == UnknownPolicy::Error && !known {
        return d.fail(ErrorKind::UnknownField, end);
    }
    // Map entries have no room for unknown fields; like every implementation, this one drops them.
    if d.unknown == UnknownPolicy::Discard && !known || table.flags().has(Flags::MAP_ENTRY) {
        return end;
    }
    // SAFETY: a message that is no map entry begins with its unknown fields; the range lies in the input.
    let pushed = unsafe { (*msg.cast::<UnknownFields<'_>>()).try_push_range(d.input, begin, d.alias(end), d.arena) };
    match pushed {
        Ok(()) => end,
        Err(error) => d.fail_arena(error, end),
    }
}

/// A length at `p` that fits the frame, and the position behind it.
///
/// # Safety
/// * Ten bytes are readable at `p`.
unsafe fn length(d: &mut Decoder<'_>, start: *const u8, p: *const u8) -> Option<(usize, *const u8)> {
    // SAFETY: by contract.
    let (len, p) = unsafe { long_varint(d, p) };
    if p.is_null() {
        return None;
    }
    let Some(len) = d.length(len, p) else {
        d.fail(ErrorKind::Truncated, start);
        return None;
    };
    Some((len, p))
}

/// The position behind the value of `tag` at `p`, inside the frame.
///
/// # Safety
/// * 16 bytes are readable at `start`, where the tag stands; `p` is behind the tag.
unsafe fn skip(d: &mut Decoder<'_>, start: *const u8, p: *const u8, tag: u32) -> *const u8 {
    if tag >> 3 == 0 {
        return d.fail(ErrorKind::InvalidTag, start);
    }
    // SAFETY: tag and value take at most 15 of the readable bytes; a length-delimited value is compared with the frame.
    let end = unsafe {
        match tag & 7 {
            0 => long_varint(d, p).1,
            1 => p.add(8),
            2 => match length(d, start, p) {
                Some((len, p)) => p.add(len),
                None => return core::ptr::null(),
            },
            3 => return skip_group(d, p, tag >> 3),
            5 => p.add(4),
            _ => return d.fail(ErrorKind::InvalidTag, start),
        }
    };
    if !end.is_null() && d.cut(end) {
        return d.fail(ErrorKind::Truncated, start);
    }
    end
}

/// The position behind the end of group `number`, whose content is at `p`.
///
/// # Safety
/// * `p` is a position in the frame.
unsafe fn skip_group(d: &mut Decoder<'_>, mut p: *const u8, number: u32) -> *const u8 {
    if d.depth == 0 {
        return d.fail(ErrorKind::TooDeep, p);
    }
    d.depth -= 1;
    loop {
        if p >= d.stop {
            // SAFETY: `p` was reached by a skip inside the frame.
            match unsafe { d.at_stop(p) } {
                AtStop::Continue(q) => p = q,
                AtStop::FrameEnd => return d.fail(ErrorKind::InvalidGroup, p),
                AtStop::Failed => return core::ptr::null(),
            }
        }
        let start = p;
        let tag;
        // SAFETY: before `stop`, 16 bytes are readable.
        (tag, p) = unsafe { long_tag(d, p) };
        if p.is_null() {
            return p;
        }
        if tag & 7 == WireType::EndGroup as u32 {
            d.depth += 1;
            if tag >> 3 != number {
                return d.fail(ErrorKind::InvalidGroup, start);
            }
            return if d.cut(p) { d.fail(ErrorKind::Truncated, start) } else { p };
        }
        // SAFETY: as above.
        p = unsafe { skip(d, start, p, tag) };
        if p.is_null() {
            return p;
        }
    }
}

/// Number and wire type of the field that a range of unknown bytes begins with, and the bytes it takes.
pub(crate) fn split_first(bytes: &[u8]) -> Option<(u32, usize)> {
    let (tag, tag_len) = crate::wire::varint_slice(bytes)?;
    let tag = low32(tag);
    let rest = bytes.get(tag_len..)?;
    let len = match tag & 7 {
        0 => crate::wire::varint_slice(rest)?.1,
        1 => 8,
        2 => {
            let (len, len_len) = crate::wire::varint_slice(rest)?;
            len_len.checked_add(usize::try_from(len).ok()?)?
        }
        3 => group_len(rest)?.1,
        5 => 4,
        _ => return None,
    };
    let whole = tag_len.checked_add(len)?;
    (whole <= bytes.len()).then_some((tag, whole))
}

/// Bytes of a group's content, and of content and end tag. The decoder has matched starts and ends; counting them is enough here, and
/// needs no recursion.
pub(crate) fn group_len(bytes: &[u8]) -> Option<(usize, usize)> {
    let (mut at, mut open) = (0usize, 1usize);
    loop {
        let rest = bytes.get(at..)?;
        let (tag, tag_len) = crate::wire::varint_slice(rest)?;
        match low32(tag) & 7 {
            3 => (open, at) = (open + 1, at + tag_len),
            4 if open == 1 => return Some((at, at + tag_len)),
            4 => (open, at) = (open - 1, at + tag_len),
            _ => at = at.checked_add(split_first(rest)?.1)?,
        }
    }
}
