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
use super::{size, sorted};
use crate::error::EncodeError;
use crate::fields::Slice;
use crate::limits::MAX_MESSAGE;
use crate::wire::{put_varint, sign_extend, varint_len, zigzag32, zigzag64};
use buffa_arena::{RawMap, RawRepeated, UnknownFields};
use buffa_tables::op::{WIDE, always, explicit, implicit, oneof, packed, repeated, required};
use buffa_tables::{Flags, TableRef};

/// Writes the message at `msg` behind `p`; null after a failure.
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
        while at != end {
            let entry = at.read();
            at = at.add(1);
            let mut src = msg.add(usize::from(entry.offset()));
            let mut aux_index = usize::from(entry.aux());
            let mut op = entry.op().bits();
            if op == WIDE {
                aux_index = usize::from(entry.offset());
                let aux = table.aux_unchecked(aux_index);
                src = msg.add(aux.offset() as usize);
                op = aux.op().bits();
            }
            let tag = entry.tag();

            macro_rules! room {
                ($n:expr) => {
                    p = out.need(p, $n);
                    if p.is_null() {
                        return p;
                    }
                };
            }
            macro_rules! emit {
                (varint $v:expr) => {{
                    room!(SLACK);
                    p = put_varint(put_tag(p, tag), $v);
                }};
                (fixed $v:expr) => {{
                    room!(SLACK);
                    p = put_tag(p, tag);
                    p = put_fixed(p, $v);
                }};
            }
            // The value codings: how a loaded value is written.
            macro_rules! write_value {
                (i32 $v:expr) => { emit!(varint sign_extend($v)) };
                (u32 $v:expr) => { emit!(varint u64::from($v)) };
                (u64 $v:expr) => { emit!(varint $v) };
                (z32 $v:expr) => { emit!(varint u64::from(zigzag32($v))) };
                (z64 $v:expr) => { emit!(varint zigzag64($v)) };
                (bool $v:expr) => { emit!(varint u64::from($v)) };
                (f32 $v:expr) => { emit!(fixed $v) };
                (f64 $v:expr) => { emit!(fixed $v) };
            }
            macro_rules! load {
                (i32 $p:expr) => {
                    $p.cast::<u32>().read()
                };
                (u32 $p:expr) => {
                    $p.cast::<u32>().read()
                };
                (z32 $p:expr) => {
                    $p.cast::<u32>().read()
                };
                (f32 $p:expr) => {
                    $p.cast::<u32>().read()
                };
                (u64 $p:expr) => {
                    $p.cast::<u64>().read()
                };
                (z64 $p:expr) => {
                    $p.cast::<u64>().read()
                };
                (f64 $p:expr) => {
                    $p.cast::<u64>().read()
                };
                (bool $p:expr) => {
                    $p.read()
                };
            }
            // Presence: implicit = not zero, optional = the flag byte, member = the oneof's case.
            macro_rules! bare { ($c:tt) => {{ let v = load!($c src); if v != 0 { write_value!($c v); } }}; }
            macro_rules! optional { ($c:tt) => {{ if src.read() != 0 { let v = load!($c src.add(align!($c))); write_value!($c v); } }}; }
            macro_rules! member { ($c:tt) => {{ if is_case(src, table, aux_index, tag) { let v = load!($c src); write_value!($c v); } }}; }
            macro_rules! entry_value { ($c:tt) => {{ let v = load!($c src); write_value!($c v); }}; }
            macro_rules! align {
                (bool) => {
                    1
                };
                (u64) => {
                    align_of::<u64>()
                };
                (z64) => {
                    align_of::<u64>()
                };
                (f64) => {
                    align_of::<u64>()
                };
                ($c:tt) => {
                    4
                };
            }
            macro_rules! width {
                (bool) => {
                    1
                };
                (u64) => {
                    8
                };
                (z64) => {
                    8
                };
                (f64) => {
                    8
                };
                ($c:tt) => {
                    4
                };
            }
            macro_rules! slice {
                ($slice:expr) => {{
                    let slice: Slice = $slice;
                    room!(SLACK);
                    p = put_varint(put_tag(p, tag), slice.len as u64);
                    p = out.raw(p, slice.ptr, slice.len);
                    if p.is_null() {
                        return p;
                    }
                }};
            }
            macro_rules! elements {
                ($c:tt) => {{
                    let array = src.cast::<RawRepeated>().read();
                    let size = width!($c);
                    for i in 0..array.len as usize {
                        let v = load!($c array.ptr.cast_const().add(i * size));
                        write_value!($c v);
                    }
                }};
            }
            macro_rules! sub {
                ($body:expr) => {{
                    let body: *const u8 = $body;
                    if !body.is_null() {
                        p = message(out, p, body, sub_table(table, aux_index), tag, &mut 1);
                        if p.is_null() {
                            return p;
                        }
                    }
                }};
            }
            macro_rules! group {
                ($body:expr) => {{
                    let body: *const u8 = $body;
                    if !body.is_null() {
                        p = group(out, p, body, sub_table(table, aux_index), tag);
                        if p.is_null() {
                            return p;
                        }
                    }
                }};
            }
            macro_rules! run_of {
                ($convert:expr, $t:ty) => {{
                    let array = src.cast::<RawRepeated>().read();
                    if array.len != 0 {
                        p = packed_varints::<$t>(out, p, tag, &array, $convert);
                        if p.is_null() {
                            return p;
                        }
                    }
                }};
            }

            match op {
                implicit::INT32 | implicit::OPEN_ENUM => bare!(i32),
                implicit::UINT32 => bare!(u32),
                implicit::INT64 | implicit::UINT64 => bare!(u64),
                implicit::SINT32 => bare!(z32),
                implicit::SINT64 => bare!(z64),
                implicit::BOOL => bare!(bool),
                implicit::FIXED32 | implicit::SFIXED32 | implicit::FLOAT => bare!(f32),
                implicit::FIXED64 | implicit::SFIXED64 | implicit::DOUBLE => bare!(f64),

                explicit::INT32
                | explicit::OPEN_ENUM
                | explicit::CLOSED_ENUM
                | required::INT32
                | required::OPEN_ENUM
                | required::CLOSED_ENUM => optional!(i32),
                explicit::UINT32 | required::UINT32 => optional!(u32),
                explicit::INT64 | explicit::UINT64 | required::INT64 | required::UINT64 => optional!(u64),
                explicit::SINT32 | required::SINT32 => optional!(z32),
                explicit::SINT64 | required::SINT64 => optional!(z64),
                explicit::BOOL | required::BOOL => optional!(bool),
                explicit::FIXED32
                | explicit::SFIXED32
                | explicit::FLOAT
                | required::FIXED32
                | required::SFIXED32
                | required::FLOAT => optional!(f32),
                explicit::FIXED64
                | explicit::SFIXED64
                | explicit::DOUBLE
                | required::FIXED64
                | required::SFIXED64
                | required::DOUBLE => optional!(f64),

                oneof::INT32 | oneof::OPEN_ENUM | oneof::CLOSED_ENUM => member!(i32),
                oneof::UINT32 => member!(u32),
                oneof::INT64 | oneof::UINT64 => member!(u64),
                oneof::SINT32 => member!(z32),
                oneof::SINT64 => member!(z64),
                oneof::BOOL => member!(bool),
                oneof::FIXED32 | oneof::SFIXED32 | oneof::FLOAT => member!(f32),
                oneof::FIXED64 | oneof::SFIXED64 | oneof::DOUBLE => member!(f64),

                always::INT32 | always::OPEN_ENUM | always::CLOSED_ENUM => entry_value!(i32),
                always::UINT32 => entry_value!(u32),
                always::INT64 | always::UINT64 => entry_value!(u64),
                always::SINT32 => entry_value!(z32),
                always::SINT64 => entry_value!(z64),
                always::BOOL => entry_value!(bool),
                always::FIXED32 | always::SFIXED32 | always::FLOAT => entry_value!(f32),
                always::FIXED64 | always::SFIXED64 | always::DOUBLE => entry_value!(f64),

                implicit::STRING | implicit::RAW_STRING | implicit::BYTES => {
                    let v = src.cast::<Slice>().read();
                    if v.len != 0 {
                        slice!(v);
                    }
                }
                explicit::STRING
                | explicit::RAW_STRING
                | explicit::BYTES
                | required::STRING
                | required::RAW_STRING
                | required::BYTES => {
                    let v = src.cast::<Slice>().read();
                    if !v.ptr.is_null() {
                        slice!(v);
                    }
                }
                oneof::STRING | oneof::RAW_STRING | oneof::BYTES => {
                    if is_case(src, table, aux_index, tag) {
                        slice!(src.cast::<Slice>().read());
                    }
                }
                always::STRING | always::RAW_STRING | always::BYTES => slice!(src.cast::<Slice>().read()),
                repeated::STRING | repeated::RAW_STRING | repeated::BYTES => {
                    let array = src.cast::<RawRepeated>().read();
                    for i in 0..array.len as usize {
                        slice!(array.ptr.cast::<Slice>().add(i).read());
                    }
                }

                explicit::MESSAGE | required::MESSAGE => sub!(src.cast::<*const u8>().read()),
                always::MESSAGE => sub!(src),
                explicit::GROUP | required::GROUP => group!(src.cast::<*const u8>().read()),
                always::GROUP => group!(src),
                // A member that is the case but holds no message encodes as an empty one.
                oneof::MESSAGE => {
                    if is_case(src, table, aux_index, tag) {
                        let body = src.cast::<*const u8>().read();
                        p = if body.is_null() {
                            empty_message(out, p, tag)
                        } else {
                            message(out, p, body, sub_table(table, aux_index), tag, &mut 1)
                        };
                        if p.is_null() {
                            return p;
                        }
                    }
                }
                oneof::GROUP => {
                    if is_case(src, table, aux_index, tag) {
                        let body = src.cast::<*const u8>().read();
                        p = if body.is_null() {
                            empty_group(out, p, tag)
                        } else {
                            group(out, p, body, sub_table(table, aux_index), tag)
                        };
                        if p.is_null() {
                            return p;
                        }
                    }
                }
                repeated::MESSAGE => {
                    let array = src.cast::<RawRepeated>().read();
                    let sub = sub_table(table, aux_index);
                    let mut gap = 1;
                    for i in 0..array.len as usize {
                        p = message(out, p, array.ptr.add(i * sub.size()), sub, tag, &mut gap);
                        if p.is_null() {
                            return p;
                        }
                    }
                }
                repeated::GROUP => {
                    let array = src.cast::<RawRepeated>().read();
                    let sub = sub_table(table, aux_index);
                    for i in 0..array.len as usize {
                        group!(array.ptr.add(i * sub.size()));
                    }
                }
                repeated::MAP => {
                    let map = &*src.cast::<RawMap>();
                    let entry = sub_table(table, aux_index);
                    p = if out.deterministic && map.len() > 1 {
                        sorted::entries(out, p, map, entry, tag)
                    } else {
                        entries(out, p, map, entry, tag)
                    };
                    if p.is_null() {
                        return p;
                    }
                }

                repeated::INT32 | repeated::OPEN_ENUM | repeated::CLOSED_ENUM => elements!(i32),
                repeated::UINT32 => elements!(u32),
                repeated::INT64 | repeated::UINT64 => elements!(u64),
                repeated::SINT32 => elements!(z32),
                repeated::SINT64 => elements!(z64),
                repeated::BOOL => elements!(bool),
                repeated::FIXED32 | repeated::SFIXED32 | repeated::FLOAT => elements!(f32),
                repeated::FIXED64 | repeated::SFIXED64 | repeated::DOUBLE => elements!(f64),

                packed::INT32 | packed::OPEN_ENUM | packed::CLOSED_ENUM => run_of!(sign_extend, u32),
                packed::UINT32 => run_of!(u64::from, u32),
                packed::INT64 | packed::UINT64 => run_of!(|v| v, u64),
                packed::SINT32 => run_of!(|v| u64::from(zigzag32(v)), u32),
                packed::SINT64 => run_of!(zigzag64, u64),
                packed::BOOL => run_of!(u64::from, u8),
                packed::FIXED32 | packed::SFIXED32 | packed::FLOAT => {
                    p = packed_fixed::<4>(out, p, tag, src);
                    if p.is_null() {
                        return p;
                    }
                }
                packed::FIXED64 | packed::SFIXED64 | packed::DOUBLE => {
                    p = packed_fixed::<8>(out, p, tag, src);
                    if p.is_null() {
                        return p;
                    }
                }
                // Invariant 1 of `Table`: an entry's op is one of the above.
                _ => core::hint::unreachable_unchecked(),
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

/// The table of the sub-message or map entry.
///
/// # Safety
/// * The aux index belongs to an entry of such a kind.
#[inline(always)]
pub(super) unsafe fn sub_table(table: TableRef, aux_index: usize) -> TableRef {
    // SAFETY: invariant 3 of `Table`.
    unsafe { table.aux_unchecked(aux_index).table_unchecked() }
}

/// Whether the member with this tag, whose payload is at `src`, is the case of its oneof.
///
/// # Safety
/// * The aux index belongs to that member.
#[inline(always)]
pub(super) unsafe fn is_case(src: *const u8, table: TableRef, aux_index: usize, tag: u32) -> bool {
    // SAFETY: invariant 3 of `Table`.
    unsafe { src.sub(usize::from(table.aux_unchecked(aux_index).delta())).cast::<u32>().read() == tag >> 3 }
}

/// Writes four or eight little-endian bytes.
trait Fixed: Copy {
    /// # Safety
    /// * The bytes are writable at `p`.
    unsafe fn put(self, p: *mut u8) -> *mut u8;
}
impl Fixed for u32 {
    #[inline(always)]
    unsafe fn put(self, p: *mut u8) -> *mut u8 {
        // SAFETY: by contract.
        unsafe { p.cast::<u32>().write_unaligned(self.to_le()) };
        // SAFETY: by contract.
        unsafe { p.add(4) }
    }
}
impl Fixed for u64 {
    #[inline(always)]
    unsafe fn put(self, p: *mut u8) -> *mut u8 {
        // SAFETY: by contract.
        unsafe { p.cast::<u64>().write_unaligned(self.to_le()) };
        // SAFETY: by contract.
        unsafe { p.add(8) }
    }
}

/// # Safety
/// * Eight bytes are writable at `p`.
#[inline(always)]
unsafe fn put_fixed(p: *mut u8, v: impl Fixed) -> *mut u8 {
    // SAFETY: by contract.
    unsafe { v.put(p) }
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
#[inline(always)]
unsafe fn patch(out: &mut Out, offset: usize, end: *mut u8, gap: &mut usize) -> *mut u8 {
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
        length_at.add(width).copy_from(length_at.add(*gap), len);
        // The length is written apart, because a varint write may touch ten bytes.
        let mut bytes = [0u8; 10];
        put_varint(bytes.as_mut_ptr(), len as u64);
        length_at.copy_from_nonoverlapping(bytes.as_ptr(), width);
        *gap = width;
        length_at.add(width + len)
    }
}

/// # Safety
/// * `p` is the position of `out`.
#[cold]
unsafe fn empty_message(out: &mut Out, p: *mut u8, tag: u32) -> *mut u8 {
    let p = out.need(p, SLACK);
    // SAFETY: there is room.
    if p.is_null() { p } else { unsafe { put_varint(put_tag(p, tag), 0) } }
}

/// # Safety
/// * `p` is the position of `out`.
#[cold]
unsafe fn empty_group(out: &mut Out, p: *mut u8, tag: u32) -> *mut u8 {
    let p = out.need(p, SLACK);
    // SAFETY: there is room.
    if p.is_null() { p } else { unsafe { put_tag(put_tag(p, tag), tag + 1) } }
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

/// Writes the entries of a map in their order.
///
/// # Safety
/// * As for [`run`]; `entry` describes the entries of `map`.
#[inline(never)]
unsafe fn entries(out: &mut Out, mut p: *mut u8, map: &RawMap, entry: TableRef, tag: u32) -> *mut u8 {
    let mut gap = 1;
    for i in 0..map.len() {
        // SAFETY: the position of an entry.
        p = unsafe { message(out, p, map.entries_ptr().add(i * entry.size()), entry, tag, &mut gap) };
        if p.is_null() {
            return p;
        }
    }
    p
}

/// Writes a packed run of fixed-width elements.
///
/// # Safety
/// * `src` is a `Repeated` of elements of `N` bytes.
#[inline(never)]
unsafe fn packed_fixed<const N: usize>(out: &mut Out, p: *mut u8, tag: u32, src: *const u8) -> *mut u8 {
    // SAFETY: by contract.
    let array = unsafe { src.cast::<RawRepeated>().read() };
    let bytes = (array.len as usize).saturating_mul(N);
    if bytes == 0 {
        return p;
    }
    if bytes > MAX_MESSAGE {
        return out.fail(EncodeError::TooLong);
    }
    let mut p = out.need(p, SLACK);
    if p.is_null() {
        return p;
    }
    // SAFETY: there is room for tag and length; the array has `bytes` bytes.
    unsafe {
        p = put_varint(put_tag(p, tag), bytes as u64);
        if cfg!(target_endian = "little") {
            return out.raw(p, array.ptr, bytes);
        }
        for i in 0..array.len as usize {
            p = out.need(p, SLACK);
            if p.is_null() {
                return p;
            }
            p = if N == 4 { array.ptr.cast::<u32>().add(i).read().put(p) } else { array.ptr.cast::<u64>().add(i).read().put(p) };
        }
    }
    p
}

/// Writes a packed run of varints: the length is guessed from the count and patched.
///
/// # Safety
/// * `array` has elements of type `T`.
#[inline(always)]
unsafe fn packed_varints<T: Copy>(
    out: &mut Out,
    p: *mut u8,
    tag: u32,
    array: &RawRepeated,
    convert: impl Fn(T) -> u64,
) -> *mut u8 {
    let count = array.len as usize;
    let mut p = out.need(p, SLACK);
    if p.is_null() {
        return p;
    }
    // SAFETY: the array has `count` elements; each chunk asks for the ten bytes that each of its elements may take.
    unsafe {
        p = put_tag(p, tag);
        let value = |i: usize| convert(array.ptr.cast::<T>().add(i).read());
        if out.mode == Mode::Exact {
            let len: usize = (0..count).map(|i| varint_len(value(i))).sum();
            p = put_varint(p, len as u64);
            for i in 0..count {
                p = out.need(p, SLACK);
                if p.is_null() {
                    return p;
                }
                p = put_varint(p, value(i));
            }
            return p;
        }
        let mut gap = if count < 64 { 1 } else { 2 };
        let offset = p.addr() - out.base.addr() + gap;
        p = p.add(gap);
        let mut i = 0;
        while i < count {
            let chunk = (count - i).min(64);
            p = out.need(p, chunk * 10 + SLACK);
            if p.is_null() {
                return p;
            }
            for j in i..i + chunk {
                p = put_varint(p, value(j));
            }
            i += chunk;
        }
        patch(out, offset, p, &mut gap)
    }
}
