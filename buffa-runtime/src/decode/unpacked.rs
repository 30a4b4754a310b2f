//! Repeated scalars, one record per element.
#![allow(unsafe_code)] // the kernel

use super::field::{self, Value};
use super::state::Decoder;
use super::unknown;
use crate::wire::{load32, load64, low32, unzigzag32, unzigzag64};
use buffa_arena::RawRepeated;
use buffa_tables::TableRef;
use buffa_tables::op::repeated as op;

/// Appends the element at `p`, behind the tag at `start`, and those with the same tag that follow.
///
/// # Safety
/// * As for [`run`](super::run::run); `array` is the repeated field of `msg` with this op, aux and tag.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "the state of the loop")]
pub(super) unsafe fn elements(
    d: &mut Decoder<'_>,
    mut start: *const u8,
    mut p: *const u8,
    array: *mut RawRepeated,
    op: u8,
    table: TableRef,
    aux_index: usize,
    msg: *mut u8,
    tag: u32,
) -> *const u8 {
    // SAFETY: tag and value take at most 15 of the 16 bytes that are readable at the tag; the op names the element type.
    unsafe {
        match op {
            op::INT32 | op::UINT32 | op::OPEN_ENUM => varints(d, p, array, tag, low32),
            op::INT64 | op::UINT64 => varints(d, p, array, tag, |v| v),
            op::SINT32 => varints(d, p, array, tag, |v| unzigzag32(low32(v))),
            op::SINT64 => varints(d, p, array, tag, unzigzag64),
            op::BOOL => varints(d, p, array, tag, |v| v != 0),
            op::FIXED32 | op::SFIXED32 | op::FLOAT => each(d, p, array, tag, |_, p| (load32(p), p.add(4))),
            op::FIXED64 | op::SFIXED64 | op::DOUBLE => each(d, p, array, tag, |_, p| (load64(p), p.add(8))),
            _ => loop {
                let (value, q) = field::varint(d, p);
                if q.is_null() {
                    return q;
                }
                p = if field::declared(table, aux_index, low32(value)) {
                    field::push(d, array, low32(value), q)
                } else {
                    unknown::rejected_number(d, start, q, msg, table)
                };
                if p.is_null() {
                    return p;
                }
                match field::same_tag(d, p, tag) {
                    Some(q) => (start, p) = (p, q),
                    None => return p,
                }
            },
        }
    }
}

/// # Safety
/// * As for [`elements`].
#[inline]
unsafe fn varints<T: Value>(
    d: &mut Decoder<'_>,
    p: *const u8,
    array: *mut RawRepeated,
    tag: u32,
    convert: impl Fn(u64) -> T,
) -> *const u8 {
    // SAFETY: by contract.
    unsafe {
        each(d, p, array, tag, |d, p| {
            let (value, p) = field::varint(d, p);
            (convert(value), p)
        })
    }
}

/// Parses and appends elements as long as the tag repeats.
///
/// # Safety
/// * As for [`elements`].
#[inline]
unsafe fn each<T: Value>(
    d: &mut Decoder<'_>,
    mut p: *const u8,
    array: *mut RawRepeated,
    tag: u32,
    parse: impl Fn(&mut Decoder<'_>, *const u8) -> (T, *const u8),
) -> *const u8 {
    // SAFETY: by contract.
    unsafe {
        loop {
            let (value, q) = parse(d, p);
            if q.is_null() {
                return q;
            }
            p = field::push(d, array, value, q);
            if p.is_null() {
                return p;
            }
            match field::same_tag(d, p, tag) {
                Some(q) => p = q,
                None => return p,
            }
        }
    }
}
