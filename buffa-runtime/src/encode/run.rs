//! The walk.
//!
//! ```text
//! for each entry, ascending by number:
//!     absent (by the op's kind of presence)?  next
//!     make room, write tag and value
//! then the unknown fields, as they came
//! ```
#![allow(unsafe_code)] // the kernel

use super::out::{Mode, Out, SLACK, put_tag};
use super::present::{bare, is_case, member, optional, present};
use super::{repeated, size, sorted};
use crate::error::EncodeError;
use crate::fields::Slice;
use crate::limits::MAX_MESSAGE;
use crate::wire::{put_varint, sign_extend, varint_len, zigzag32, zigzag64};
use buffa_arena::{RawMap, RawRepeated, UnknownFields};
use buffa_tables::op::{self, always, explicit, implicit, oneof, packed as pack, repeated as each, required};
use buffa_tables::{Flags, TableRef};

/// Writes the message at `msg` behind `p`; null after a failure.
///
/// The arms decide whether a field is present and load its value; what they load is written in one of five places behind the
/// match, which keeps the walk small.
///
/// # Safety
/// * `p` is the position of `out`.
/// * `msg` is a live message that `table` describes, which nothing changes meanwhile.
pub(super) unsafe fn run(out: &mut Out, mut p: *mut u8, msg: *const u8, table: TableRef) -> *mut u8 {
    let mut at = table.entries_ptr();
    // SAFETY: one block, one proof. Reads: a TableRef is valid, so `msg + offset` is a field of the type that its op names, and
    // entry and aux indices are in range; pointers in fields are null or lead to live messages and arrays of the types that the
    // table names. Writes: `need` has made room for at least SLACK bytes, of which tag and varint take at most 20; strings and
    // packed runs ask for their own.
    unsafe {
        let end = at.add(table.count());
        'entries: while at != end {
            let entry = at.read();
            at = at.add(1);
            let mut src = msg.add(usize::from(entry.offset()));
            let mut aux_index = usize::from(entry.aux());
            let mut op = entry.op().bits();
            let tag = entry.tag();

            macro_rules! done {
                ($p:expr) => {{
                    p = $p;
                    if p.is_null() {
                        return p;
                    }
                    continue 'entries;
                }};
            }
            macro_rules! room {
                () => {
                    p = out.need(p, SLACK);
                    if p.is_null() {
                        return p;
                    }
                };
            }

            let body: *const u8;
            'message: {
                let slice: Slice;
                'slice: {
                    let double: u64;
                    'double: {
                        let word: u32;
                        'word: {
                            let value: u64;
                            'varint: {
                                macro_rules! varint {
                                    ($v:expr) => {{
                                        value = $v;
                                        break 'varint;
                                    }};
                                }
                                macro_rules! word {
                                    ($v:expr) => {{
                                        word = $v;
                                        break 'word;
                                    }};
                                }
                                macro_rules! double {
                                    ($v:expr) => {{
                                        double = $v;
                                        break 'double;
                                    }};
                                }
                                macro_rules! slice {
                                    ($v:expr) => {{
                                        slice = $v;
                                        break 'slice;
                                    }};
                                }
                                macro_rules! message {
                                    ($v:expr) => {{
                                        body = $v;
                                        break 'message;
                                    }};
                                }
                                macro_rules! messages {
                                    () => {
                                        done!(messages(out, p, src, sub_table(table, aux_index), tag))
                                    };
                                }
                                macro_rules! map {
                                    () => {
                                        done!(map(out, p, src, sub_table(table, aux_index), tag))
                                    };
                                }
                                macro_rules! slices {
                                    () => {
                                        done!(slices(out, p, src, tag))
                                    };
                                }
                                macro_rules! groups {
                                    () => {
                                        done!(groups(out, p, src, op, table, aux_index, tag))
                                    };
                                }
                                macro_rules! scalars {
                                    () => {
                                        done!(repeated::scalars(out, p, src, op, tag))
                                    };
                                }
                                macro_rules! packed {
                                    () => {
                                        done!(repeated::packed(out, p, src, op, tag))
                                    };
                                }
                                'op: loop {
                                    macro_rules! wide {
                                        () => {{
                                            // Its offset is its aux index; op and offset stand there.
                                            aux_index = usize::from(entry.offset());
                                            let aux = table.aux_unchecked(aux_index);
                                            src = msg.add(aux.offset() as usize);
                                            op = aux.op().bits();
                                            continue 'op;
                                        }};
                                    }
                                    present!(
                                        op, src, table, aux_index, tag, 'entries;
                                        varint, word, double, slice, message;
                                        messages, map, slices, groups, scalars, packed, wide
                                    )
                                }
                            }
                            room!();
                            p = put_varint(put_tag(p, tag), value);
                            continue 'entries;
                        }
                        room!();
                        p = put_word(put_tag(p, tag), word);
                        continue 'entries;
                    }
                    room!();
                    p = put_double(put_tag(p, tag), double);
                    continue 'entries;
                }
                done!(put_slice(out, p, tag, slice));
            }
            // The member of a oneof that is the case but holds no message encodes as an empty one.
            if body.is_null() {
                room!();
                p = put_varint(put_tag(p, tag), 0);
            } else {
                done!(message(out, p, body, sub_table(table, aux_index), tag, &mut 1));
            }
        }
        if !table.flags().has(Flags::MAP_ENTRY) {
            let unknown = &*msg.cast::<UnknownFields<'_>>();
            for run in unknown.runs() {
                p = out.raw(p, run.as_ptr(), run.len());
                if p.is_null() {
                    return p;
                }
            }
        }
    }
    p
}

/// Writes a string or bytes field.
///
/// # Safety
/// * `p` is the position of `out`, `slice` the value of a live message.
#[inline(always)]
unsafe fn put_slice(out: &mut Out, p: *mut u8, tag: u32, slice: Slice) -> *mut u8 {
    let p = out.need(p, SLACK);
    if p.is_null() {
        return p;
    }
    // SAFETY: there is room for tag and length; `raw` makes room for the bytes.
    unsafe { out.raw(put_varint(put_tag(p, tag), slice.len as u64), slice.ptr, slice.len) }
}

/// Writes the elements of a repeated string or bytes field.
///
/// # Safety
/// * As for [`run`]; `src` is the field.
#[inline(never)]
unsafe fn slices(out: &mut Out, mut p: *mut u8, src: *const u8, tag: u32) -> *mut u8 {
    // SAFETY: by contract.
    unsafe {
        let array = src.cast::<RawRepeated>().read();
        for i in 0..array.len as usize {
            p = put_slice(out, p, tag, array.ptr.cast::<Slice>().add(i).read());
            if p.is_null() {
                return p;
            }
        }
    }
    p
}

/// Writes the elements of a repeated message field.
///
/// # Safety
/// * As for [`run`]; `src` is the field and `sub` describes its elements.
#[inline(never)]
unsafe fn messages(out: &mut Out, mut p: *mut u8, src: *const u8, sub: TableRef, tag: u32) -> *mut u8 {
    let mut gap = 1;
    // SAFETY: by contract.
    unsafe {
        let array = src.cast::<RawRepeated>().read();
        for i in 0..array.len as usize {
            p = message(out, p, array.ptr.add(i * sub.size()), sub, tag, &mut gap);
            if p.is_null() {
                return p;
            }
        }
    }
    p
}

/// Writes the entries of a map.
///
/// # Safety
/// * As for [`run`]; `src` is the map and `entry` describes its entries.
#[inline(never)]
unsafe fn map(out: &mut Out, p: *mut u8, src: *const u8, entry: TableRef, tag: u32) -> *mut u8 {
    // SAFETY: by contract.
    unsafe {
        let map = &*src.cast::<RawMap>();
        // The fields of a map begin like those of a `RawRepeated`, and its entries encode like messages, but an entry is no level of
        // nesting of its own.
        out.depth += 1;
        let end = if out.deterministic && map.len() > 1 {
            sorted::entries(out, p, map, entry, tag)
        } else {
            messages(out, p, src, entry, tag)
        };
        out.depth -= 1;
        end
    }
}

/// The table of the sub-message or map entry.
///
/// # Safety
/// * The aux index belongs to an entry of such a kind.
#[inline]
pub(super) unsafe fn sub_table(table: TableRef, aux_index: usize) -> TableRef {
    // SAFETY: invariant 3 of `Table`.
    unsafe { table.aux_unchecked(aux_index).table_unchecked() }
}

/// Writes four little-endian bytes.
///
/// # Safety
/// * Four bytes are writable at `p`.
#[inline]
pub(super) unsafe fn put_word(p: *mut u8, v: u32) -> *mut u8 {
    // SAFETY: by contract.
    unsafe { p.cast::<u32>().write_unaligned(v.to_le()) };
    // SAFETY: by contract.
    unsafe { p.add(4) }
}

/// Writes eight little-endian bytes.
///
/// # Safety
/// * Eight bytes are writable at `p`.
#[inline]
pub(super) unsafe fn put_double(p: *mut u8, v: u64) -> *mut u8 {
    // SAFETY: by contract.
    unsafe { p.cast::<u64>().write_unaligned(v.to_le()) };
    // SAFETY: by contract.
    unsafe { p.add(8) }
}

/// Writes a length-prefixed message. `gap` is the number of bytes guessed for the length, and what it took afterwards.
///
/// # Safety
/// * As for [`run`].
pub(super) unsafe fn message(out: &mut Out, p: *mut u8, body: *const u8, table: TableRef, tag: u32, gap: &mut usize) -> *mut u8 {
    if out.depth == 0 {
        return out.fail(EncodeError::TooDeep);
    }
    let p = out.need(p, SLACK);
    if p.is_null() {
        return p;
    }
    out.depth -= 1;
    // SAFETY: SLACK bytes are writable at `p`; the body begins at most 15 bytes behind it.
    let end = unsafe {
        let length_at = put_tag(p, tag);
        if out.mode == Mode::Exact {
            match size::size_within(body, table, out.depth) {
                Ok(len) => run(out, put_varint(length_at, len as u64), body, table),
                Err(error) => out.fail(error),
            }
        } else {
            let start = length_at.add(*gap);
            let offset = start.addr() - out.base.addr();
            let end = run(out, start, body, table);
            if end.is_null() { end } else { patch(out, offset, end, gap) }
        }
    };
    out.depth += 1;
    end
}

/// Writes the length of the body `base + offset .. end` into the gap before it, moving the body if the gap has the wrong size.
///
/// # Safety
/// * The body is written, with `gap` bytes of room before it.
#[inline]
pub(super) unsafe fn patch(out: &mut Out, offset: usize, end: *mut u8, gap: &mut usize) -> *mut u8 {
    // SAFETY: `offset` is inside the buffer, which may have moved since.
    let start = unsafe { out.base.add(offset) };
    let len = end.addr() - start.addr();
    if *gap == 1 && len < 0x80 {
        // SAFETY: the gap is one byte.
        unsafe { start.sub(1).write(crate::wire::low8(len as u64)) };
        return end;
    }
    if *gap == 2 && (0x80..0x4000).contains(&len) {
        // SAFETY: the gap is two bytes.
        unsafe {
            start.sub(2).write(crate::wire::low8(len as u64) | 0x80);
            start.sub(1).write(crate::wire::low8((len >> 7) as u64));
        }
        return end;
    }
    // SAFETY: by contract.
    unsafe { refit(out, offset, end, len, gap) }
}

/// # Safety
/// * As for [`patch`].
#[cold]
#[inline(never)]
unsafe fn refit(out: &mut Out, offset: usize, end: *mut u8, len: usize, gap: &mut usize) -> *mut u8 {
    if len > MAX_MESSAGE {
        return out.fail(EncodeError::TooLong);
    }
    let end = out.need(end, SLACK);
    if end.is_null() {
        return end;
    }
    let width = varint_len(len as u64);
    // SAFETY: the body is `len` bytes; with the room just made it may move up by four, and down into its gap.
    unsafe {
        let length_at = out.base.add(offset - *gap);
        if width != *gap {
            length_at.add(width).copy_from(length_at.add(*gap), len);
        }
        // The length is written apart, because a varint write may touch ten bytes.
        let mut bytes = [0u8; 10];
        put_varint(bytes.as_mut_ptr(), len as u64);
        length_at.copy_from_nonoverlapping(bytes.as_ptr(), width);
        *gap = width;
        length_at.add(width + len)
    }
}

/// Writes the groups of a group field.
///
/// # Safety
/// * As for [`run`]; `src` is the field with this op, aux and tag.
#[inline(never)]
unsafe fn groups(out: &mut Out, mut p: *mut u8, src: *const u8, op: u8, table: TableRef, aux_index: usize, tag: u32) -> *mut u8 {
    // SAFETY: by contract.
    unsafe {
        let sub = sub_table(table, aux_index);
        if op == oneof::GROUP && !is_case(src, table, aux_index, tag) {
            return p;
        }
        if op == each::GROUP {
            let array = src.cast::<RawRepeated>().read();
            for i in 0..array.len as usize {
                p = group(out, p, array.ptr.add(i * sub.size()), sub, tag);
                if p.is_null() {
                    return p;
                }
            }
            return p;
        }
        let body = if op == always::GROUP { src } else { src.cast::<*const u8>().read() };
        if !body.is_null() {
            return group(out, p, body, sub, tag);
        }
        if op != oneof::GROUP {
            return p;
        }
        // The case of its oneof, but holding no message: an empty group.
        let p = out.need(p, SLACK);
        if p.is_null() { p } else { put_tag(put_tag(p, tag), tag + 1) }
    }
}

/// Writes a group: start tag, body, end tag (whose wire type is one more).
///
/// # Safety
/// * As for [`run`].
unsafe fn group(out: &mut Out, p: *mut u8, body: *const u8, table: TableRef, tag: u32) -> *mut u8 {
    if out.depth == 0 {
        return out.fail(EncodeError::TooDeep);
    }
    let p = out.need(p, SLACK);
    if p.is_null() {
        return p;
    }
    out.depth -= 1;
    // SAFETY: there is room for a tag.
    let p = unsafe { run(out, put_tag(p, tag), body, table) };
    out.depth += 1;
    if p.is_null() {
        return p;
    }
    let p = out.need(p, SLACK);
    // SAFETY: there is room for a tag.
    if p.is_null() { p } else { unsafe { put_tag(p, tag + 1) } }
}
