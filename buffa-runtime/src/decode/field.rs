//! The parts of the loop: tags, varints, stores, sub-messages, array elements.
#![allow(unsafe_code)] // the kernel

use super::state::Decoder;
use super::utf8;
use crate::error::ErrorKind;
use crate::wire::{count32, load64};
use buffa_arena::{Blob, RawRepeated};
use buffa_tables::op::{always, oneof, repeated};
use buffa_tables::{FieldEntry, TableRef};

/// Strings up to this length are looked at word by word before the validator is asked.
const ASCII_UP_TO: usize = 128;
/// How many entries behind the predicted one are looked at before a binary search.
const SCAN: usize = 8;

/// A tag of more than two bytes.
///
/// # Safety
/// * Five bytes are readable at `p`.
#[cold]
#[inline(never)]
pub(super) unsafe fn long_tag(d: &mut Decoder<'_>, p: *const u8) -> (u32, *const u8) {
    let (mut tag, mut at) = (0u64, p);
    for shift in [0, 7, 14, 21, 28] {
        // SAFETY: the fifth byte at most.
        let byte = u64::from(unsafe { at.read() });
        // SAFETY: one past a readable byte.
        at = unsafe { at.add(1) };
        tag |= (byte & 0x7F) << shift;
        if byte < 0x80 {
            return match u32::try_from(tag) {
                Ok(tag) => (tag, at),
                Err(_) => (0, d.fail(ErrorKind::InvalidTag, p)),
            };
        }
    }
    (0, d.fail(ErrorKind::InvalidTag, p))
}

/// A varint of any length; the pointer is null after a failure.
///
/// # Safety
/// * Ten bytes are readable at `p`.
#[inline]
pub(super) unsafe fn varint(d: &mut Decoder<'_>, p: *const u8) -> (u64, *const u8) {
    // SAFETY: by contract.
    unsafe {
        let first = u64::from(p.read());
        if first < 0x80 { (first, p.add(1)) } else { long_varint(d, p) }
    }
}

/// A varint of more than two bytes: gathers the 7-bit groups of eight bytes at once.
///
/// ```text
///  0aaaaaaa 0bbbbbbb 0ccccccc 0ddddddd …   ─▶  14-bit pairs  ─▶  28-bit quads  ─▶  56 bits
/// ```
///
/// # Safety
/// * Ten bytes are readable at `p`.
#[inline(never)]
pub(super) unsafe fn long_varint(d: &mut Decoder<'_>, p: *const u8) -> (u64, *const u8) {
    // SAFETY: ten bytes are readable.
    let (value, end) = unsafe { swar_varint(p) };
    if end.is_null() { (0, d.fail(ErrorKind::InvalidVarint, p)) } else { (value, end) }
}

/// See [`long_varint`]; null if the varint takes more than ten bytes or 64 bits.
///
/// # Safety
/// * Ten bytes are readable at `p`.
#[inline]
pub(super) unsafe fn swar_varint(p: *const u8) -> (u64, *const u8) {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // SAFETY: ten bytes are readable.
    let word = unsafe { load64(p) };
    let stops = !word & HIGH;
    // All bits up to the first byte that ends the varint, less the continuation bits.
    let groups = word & (stops ^ stops.wrapping_sub(1)) & !HIGH;
    let pairs = groups & 0x007F_007F_007F_007F | (groups & 0x7F00_7F00_7F00_7F00) >> 1;
    let quads = pairs & 0x0000_3FFF_0000_3FFF | (pairs & 0x3FFF_0000_3FFF_0000) >> 2;
    let value = quads & 0x0FFF_FFFF | (quads & 0x0FFF_FFFF_0000_0000) >> 4;
    if stops != 0 {
        // SAFETY: at most eight bytes.
        return (value, unsafe { p.add(stops.trailing_zeros() as usize / 8 + 1) });
    }
    // SAFETY: ten bytes are readable.
    let (ninth, tenth) = unsafe { (u64::from(p.add(8).read()), u64::from(p.add(9).read())) };
    if ninth < 0x80 {
        // SAFETY: nine bytes.
        return (value | ninth << 56, unsafe { p.add(9) });
    }
    // The tenth byte has room for one bit.
    let end = if tenth > 1 { core::ptr::null() } else { p.wrapping_add(10) };
    (value | (ninth & 0x7F) << 56 | tenth << 63, end)
}

/// The entry with the tag's number behind the dense ones: first a few behind the one that was found last, fields being mostly
/// sent in order and some left out, then anywhere.
///
/// # Safety
/// * `*next ≤ table.count()`.
#[inline]
pub(super) unsafe fn find_sparse(table: TableRef, tag: u32, next: &mut usize) -> Option<FieldEntry> {
    let count = table.count();
    let mut at = *next;
    if at < count {
        // SAFETY: below `count`.
        let guess = unsafe { table.entries_ptr().add(at).read() };
        if guess.tag() == tag {
            *next = at + 1;
            return Some(guess);
        }
    }
    let last = count.min(at + SCAN);
    while at < last {
        // SAFETY: below `count`.
        let entry = unsafe { table.entries_ptr().add(at).read() };
        if entry.tag() >= tag & !7 {
            if entry.number() != tag >> 3 {
                break;
            }
            *next = at + 1;
            return Some(entry);
        }
        at += 1;
    }
    search(table, tag, next)
}

#[cold]
#[inline(never)]
fn search(table: TableRef, tag: u32, next: &mut usize) -> Option<FieldEntry> {
    let at = table.find(tag >> 3)?;
    *next = at + 1;
    table.entries().get(at).copied()
}

/// Whether the closed enum of the field declares the number.
///
/// # Safety
/// * The entry with this aux index is of kind `ClosedEnum`.
#[inline]
pub(super) unsafe fn declared(table: TableRef, aux_index: usize, number: u32) -> bool {
    // SAFETY: invariant 3 of `Table`.
    unsafe { table.aux_unchecked(aux_index) }.enum_table().is_some_and(|numbers| numbers.contains(number as i32))
}

/// A scalar as it lies in a struct.
pub(super) trait Value: Copy {
    /// # Safety
    /// * `dst` is a field of this storage.
    #[inline]
    unsafe fn store(dst: *mut u8, value: Self) {
        // SAFETY: by contract.
        unsafe { dst.cast::<Self>().write(value) };
    }

    /// # Safety
    /// * `dst` is an `Optional` of this storage: a tag byte, then the value at its alignment.
    #[inline]
    unsafe fn store_optional(dst: *mut u8, value: Self) {
        // SAFETY: by contract.
        unsafe { dst.write(1) };
        // SAFETY: by contract.
        unsafe { dst.add(align_of::<Self>()).cast::<Self>().write(value) };
    }
}
impl Value for u32 {}
impl Value for u64 {}
impl Value for bool {}

/// Writes a value of whatever type.
///
/// # Safety
/// * `dst` is a field of type `T`.
#[inline]
pub(super) unsafe fn write<T>(dst: *mut u8, value: T) {
    // SAFETY: by contract.
    unsafe { dst.cast::<T>().write(value) };
}

/// Makes `number` the case of the oneof whose payload, already written, is at `dst`.
///
/// # Safety
/// * `dst` is the payload of the oneof member whose aux index this is.
#[inline]
pub(super) unsafe fn set_case(dst: *mut u8, table: TableRef, aux_index: usize, number: u32) {
    // SAFETY: invariant 3 of `Table`: the case stands `delta` bytes before the payload.
    unsafe {
        let delta = table.aux_unchecked(aux_index).delta();
        dst.sub(usize::from(delta)).cast::<u32>().write(number);
    }
}

/// Whether the string at `p`, whose tag starts at `start`, is UTF-8.
///
/// # Safety
/// * `len` bytes of the frame are left at `p`, and 16 bytes are readable at `start ≤ p`.
#[inline]
pub(super) unsafe fn utf8(d: &Decoder<'_>, start: *const u8, p: *const u8, len: usize) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // SAFETY: words of the string are read, but for the first branch, where the word ends at most 16 bytes behind `start`.
    unsafe {
        if len <= 8 {
            if p.addr() - start.addr() <= 8 {
                // The bytes behind the string are shifted out; `len` 0 shifts by 64, which `checked_shr` turns into 0.
                let mask = u64::MAX.checked_shr(64 - 8 * count32(len)).unwrap_or(0);
                if load64(p) & mask & HIGH == 0 {
                    return true;
                }
            }
        } else if len <= 16 {
            if (load64(p) | load64(p.add(len - 8))) & HIGH == 0 {
                return true;
            }
        } else if len <= ASCII_UP_TO {
            // Two words a step, the last two overlapping.
            let last = len - 16;
            let mut seen = load64(p.add(last)) | load64(p.add(last + 8));
            let mut at = 0;
            while at < last {
                seen |= load64(p.add(at)) | load64(p.add(at + 8));
                at += 16;
            }
            if seen & HIGH == 0 {
                return true;
            }
        }
        utf8::validate(core::slice::from_raw_parts(d.alias(p), len))
    }
}

/// The position behind the tag at `p`, if it is `tag` again and the frame goes on. Knows tags of one and two bytes; a longer one
/// goes through the loop.
///
/// # Safety
/// * `p` is a position in the frame.
#[inline]
pub(super) unsafe fn same_tag(d: &Decoder<'_>, p: *const u8, tag: u32) -> Option<*const u8> {
    if p >= d.stop {
        return None;
    }
    // SAFETY: before `stop`, 16 bytes are readable.
    unsafe {
        let first = u32::from(p.read());
        if first < 0x80 {
            return (first == tag).then(|| p.add(1));
        }
        // A second byte with its continuation bit makes `two` larger than any tag of two bytes.
        let two = first & 0x7F | u32::from(p.add(1).read()) << 7;
        (two == tag && two < 0x4000).then(|| p.add(2))
    }
}

/// How many elements the array at hand will get: one, and the length-delimited ones with the same tag that follow at `q`.
///
/// # Safety
/// * `q` is a position in the frame or past its end.
#[cold]
#[inline(never)]
pub(super) unsafe fn count_run(d: &Decoder<'_>, mut q: *const u8, tag: u32) -> usize {
    let mut count = 1;
    // SAFETY: `same_tag` reads before `stop` only; behind its tag of at most two bytes, two more are readable.
    unsafe {
        while let Some(at) = same_tag(d, q, tag) {
            let first = usize::from(at.read());
            let (len, at) = if first < 0x80 {
                (first, at.add(1))
            } else {
                let second = usize::from(at.add(1).read());
                if second >= 0x80 {
                    break;
                }
                (first & 0x7F | second << 7, at.add(2))
            };
            if d.remaining(at) < len as isize {
                break;
            }
            count += 1;
            q = at.add(len);
        }
    }
    count
}

/// Makes room for `count` more elements of `size` bytes.
///
/// # Safety
/// * `array` is a `Repeated` of elements of that size, which is not 0.
#[inline]
pub(super) unsafe fn room(
    d: &Decoder<'_>,
    array: *mut RawRepeated,
    size: usize,
    count: usize,
) -> Result<(), buffa_arena::ArenaError> {
    // SAFETY: by contract.
    unsafe {
        let array = &mut *array;
        if array.len | array.cap == 0 { array.begin(size, count, d.arena) } else { array.grow(size, count, d.arena) }
    }
}

/// Appends a scalar that was parsed up to `p`; returns `p`, or null after a failure.
///
/// # Safety
/// * `array` is a `Repeated` of elements like `T`.
#[inline]
pub(super) unsafe fn push<T: Value>(d: &mut Decoder<'_>, array: *mut RawRepeated, value: T, p: *const u8) -> *const u8 {
    // SAFETY: by contract; after `grow` there is room for one more.
    unsafe {
        if d.cut(p) {
            return d.fail(ErrorKind::Truncated, p);
        }
        if (*array).len >= (*array).cap {
            if let Err(error) = (*array).grow(size_of::<T>(), 1, d.arena) {
                return d.fail_arena(error, p);
            }
        }
        (*array).ptr.cast::<T>().add((*array).len as usize).write(value);
        (*array).len += 1;
    }
    p
}

/// Appends a string; `p` is the position behind it.
///
/// # Safety
/// * `array` is a `Repeated` of strings or bytes.
#[inline]
pub(super) unsafe fn push_slice(
    d: &mut Decoder<'_>,
    array: *mut RawRepeated,
    slice: Blob<'_>,
    p: *const u8,
    tag: u32,
) -> *const u8 {
    // SAFETY: by contract; after `grow` there is room for one more.
    unsafe {
        if (*array).len >= (*array).cap {
            let expected = count_run(d, p, tag);
            if let Err(error) = room(d, array, size_of::<Blob<'_>>(), expected) {
                return d.fail_arena(error, p);
            }
        }
        (*array).ptr.cast::<Blob<'_>>().add((*array).len as usize).write(slice);
        (*array).len += 1;
    }
    p
}

/// Appends a default message; null after a failure. The body of the message takes `len` bytes at `p`.
///
/// # Safety
/// * `array` is a `Repeated` of messages that `sub` describes; `len` bytes of the frame are left at `p`.
#[inline]
pub(super) unsafe fn new_element(
    d: &mut Decoder<'_>,
    array: *mut RawRepeated,
    sub: TableRef,
    p: *const u8,
    len: usize,
    tag: u32,
) -> *mut u8 {
    let size = sub.size();
    // SAFETY: by contract; after `grow` there is room for one more.
    unsafe {
        if (*array).len >= (*array).cap {
            let expected = count_run(d, p.wrapping_add(len), tag);
            if let Err(error) = room(d, array, size, expected) {
                return d.fail_arena(error, p).cast_mut();
            }
        }
        let element = (*array).ptr.add((*array).len as usize * size);
        zero(element, size);
        (*array).len += 1;
        element
    }
}

/// The message of a singular field, made if absent; null after a failure.
///
/// # Safety
/// * `dst` is a `MessageField` of messages that `sub` describes.
#[inline]
pub(super) unsafe fn pointer(d: &mut Decoder<'_>, dst: *mut u8, sub: TableRef, p: *const u8) -> *mut u8 {
    // SAFETY: by contract.
    unsafe {
        let field = dst.cast::<*mut u8>();
        let present = field.read();
        if !present.is_null() {
            return present;
        }
        match d.arena.try_alloc(sub.size()) {
            Ok(fresh) => {
                zero(fresh.as_ptr(), sub.size());
                field.write(fresh.as_ptr());
                fresh.as_ptr()
            }
            Err(error) => d.fail_arena(error, p).cast_mut(),
        }
    }
}

/// Zeroes a message. Most are small, and a call of `memset` costs more than the overlapping stores that they take.
///
/// # Safety
/// * `size` bytes are writable at `p`, which is aligned to 8.
#[inline]
unsafe fn zero(p: *mut u8, size: usize) {
    // SAFETY: every store lies in the `size` bytes.
    unsafe {
        let store = |at: usize| p.add(at).cast::<u128>().write_unaligned(0);
        match size {
            0..16 => p.write_bytes(0, size),
            16..33 => {
                store(0);
                store(size - 16);
            }
            33..65 => {
                store(0);
                store(16);
                store(size - 32);
                store(size - 16);
            }
            _ => p.write_bytes(0, size),
        }
    }
}

/// The same for a member of a oneof: merges into the message if it is the current case, otherwise begins a new one.
///
/// # Safety
/// * `dst` is the payload of the member `number`, a `MessageField` of messages that `sub` describes.
#[inline(never)]
pub(super) unsafe fn member_pointer(
    d: &mut Decoder<'_>,
    dst: *mut u8,
    table: TableRef,
    aux_index: usize,
    sub: TableRef,
    number: u32,
    p: *const u8,
) -> *mut u8 {
    // SAFETY: by contract; the payload is read as a pointer only if the case says that it is one.
    unsafe {
        let field = dst.cast::<*mut u8>();
        let case = dst.sub(usize::from(table.aux_unchecked(aux_index).delta())).cast::<u32>();
        if case.read() == number && !field.read().is_null() {
            return field.read();
        }
        match d.arena.try_alloc_zeroed(sub.size()) {
            Ok(fresh) => {
                field.write(fresh.as_ptr());
                case.write(number);
                fresh.as_ptr()
            }
            Err(error) => d.fail_arena(error, p).cast_mut(),
        }
    }
}

/// Merges the `len` bytes at `p` into the message `target`.
///
/// # Safety
/// * `target` is a live message that `sub` describes; `len` bytes of the frame are left at `p`.
#[inline]
pub(super) unsafe fn message(d: &mut Decoder<'_>, p: *const u8, len: usize, target: *mut u8, sub: TableRef) -> *const u8 {
    if d.depth == 0 {
        return d.fail(ErrorKind::TooDeep, p);
    }
    d.depth -= 1;
    let delta = d.push(p, len);
    // SAFETY: by contract.
    let end = unsafe { super::run::run(d, p, target, sub, 0) };
    d.pop(delta);
    d.depth += 1;
    end
}

/// Merges the group at `p`, whose start tag was read, into the field at `dst`.
///
/// # Safety
/// * `dst` is a group field with this op and aux.
#[inline(never)]
pub(super) unsafe fn group(
    d: &mut Decoder<'_>,
    p: *const u8,
    dst: *mut u8,
    op: u8,
    table: TableRef,
    aux_index: usize,
    number: u32,
) -> *const u8 {
    if d.depth == 0 {
        return d.fail(ErrorKind::TooDeep, p);
    }
    d.depth -= 1;
    // SAFETY: by contract; the aux of a group field names its table.
    let end = unsafe {
        let sub = table.aux_unchecked(aux_index).table_unchecked();
        let target = match op {
            always::GROUP => dst,
            oneof::GROUP => member_pointer(d, dst, table, aux_index, sub, number, p),
            // No tag is that one: groups have no length to hop over, so the run is not counted.
            repeated::GROUP => new_element(d, dst.cast(), sub, p, 0, u32::MAX),
            _ => pointer(d, dst, sub, p),
        };
        if target.is_null() {
            return core::ptr::null();
        }
        super::run::run(d, p, target, sub, number)
    };
    d.depth += 1;
    end
}
