//! Repeated scalars: one record each, or one packed run.
#![allow(unsafe_code)] // the kernel

use super::out::{Mode, Out, SLACK, put_tag};
use super::run::{patch, put_double, put_word};
use crate::error::EncodeError;
use crate::limits::MAX_MESSAGE;
use crate::wire::{put_varint, sign_extend, varint_len, zigzag32, zigzag64};
use buffa_arena::RawRepeated;
use buffa_tables::op::{packed as pack, repeated as each};

/// Elements that one check makes room for.
const CHUNK: usize = 64;

/// Writes one record per element.
///
/// # Safety
/// * `src` is a repeated field with this op and tag in a live message; `p` is the position of `out`.
#[inline(never)]
pub(super) unsafe fn scalars(out: &mut Out, mut p: *mut u8, src: *const u8, op: u8, tag: u32) -> *mut u8 {
    // SAFETY: the op names the type of the array's elements; SLACK bytes hold a tag and a value.
    unsafe {
        let array = src.cast::<RawRepeated>().read();
        let word = |i: usize| array.ptr.cast::<u32>().add(i).read();
        let double = |i: usize| array.ptr.cast::<u64>().add(i).read();
        for i in 0..array.len as usize {
            p = out.need(p, SLACK);
            if p.is_null() {
                return p;
            }
            p = put_tag(p, tag);
            p = match op {
                each::INT32 | each::OPEN_ENUM | each::CLOSED_ENUM => put_varint(p, sign_extend(word(i))),
                each::UINT32 => put_varint(p, u64::from(word(i))),
                each::SINT32 => put_varint(p, u64::from(zigzag32(word(i)))),
                each::INT64 | each::UINT64 => put_varint(p, double(i)),
                each::SINT64 => put_varint(p, zigzag64(double(i))),
                each::BOOL => put_varint(p, u64::from(array.ptr.add(i).read())),
                each::FIXED32 | each::SFIXED32 | each::FLOAT => put_word(p, word(i)),
                _ => put_double(p, double(i)),
            };
        }
    }
    p
}

/// Writes one packed record; nothing for an empty array.
///
/// # Safety
/// * As for [`scalars`].
#[inline(never)]
pub(super) unsafe fn packed(out: &mut Out, p: *mut u8, src: *const u8, op: u8, tag: u32) -> *mut u8 {
    // SAFETY: the op names the type of the array's elements.
    unsafe {
        let array = src.cast::<RawRepeated>().read();
        if array.len == 0 {
            return p;
        }
        match op {
            pack::INT32 | pack::OPEN_ENUM | pack::CLOSED_ENUM => varints::<u32>(out, p, tag, &array, sign_extend),
            pack::UINT32 => varints::<u32>(out, p, tag, &array, u64::from),
            pack::SINT32 => varints::<u32>(out, p, tag, &array, |v| u64::from(zigzag32(v))),
            pack::INT64 | pack::UINT64 => varints::<u64>(out, p, tag, &array, |v| v),
            pack::SINT64 => varints::<u64>(out, p, tag, &array, zigzag64),
            pack::BOOL => varints::<u8>(out, p, tag, &array, u64::from),
            pack::FIXED32 | pack::SFIXED32 | pack::FLOAT => fixed(out, p, tag, &array, 4),
            _ => fixed(out, p, tag, &array, 8),
        }
    }
}

/// # Safety
/// * `array` is a non-empty array of elements of `size` bytes, 4 or 8.
unsafe fn fixed(out: &mut Out, p: *mut u8, tag: u32, array: &RawRepeated, size: usize) -> *mut u8 {
    let bytes = (array.len as usize).saturating_mul(size);
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
            p = if size == 4 {
                put_word(p, array.ptr.cast::<u32>().add(i).read())
            } else {
                put_double(p, array.ptr.cast::<u64>().add(i).read())
            };
        }
    }
    p
}

/// Writes a packed run of varints: the length is guessed from the count and patched.
///
/// # Safety
/// * `array` is a non-empty array of elements of type `T`.
unsafe fn varints<T: Copy>(out: &mut Out, p: *mut u8, tag: u32, array: &RawRepeated, convert: impl Fn(T) -> u64) -> *mut u8 {
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
        let mut gap = if count < CHUNK { 1 } else { 2 };
        let offset = p.addr() - out.base.addr() + gap;
        p = p.add(gap);
        let mut i = 0;
        while i < count {
            let chunk = (count - i).min(CHUNK);
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
