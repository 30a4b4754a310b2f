//! The size walk: encoded lengths without writing.
#![allow(unsafe_code)] // the kernel

use super::present::{bare, is_case, member, optional, present};
use super::run::sub_table;
use crate::error::EncodeError;
use crate::fields::Slice;
use crate::limits::{MAX_DEPTH, MAX_MESSAGE};
use crate::wire::{sign_extend, varint_len, zigzag32, zigzag64};
use buffa_arena::{RawRepeated, UnknownFields};
use buffa_tables::op::{self, always, explicit, implicit, oneof, packed as pack, repeated as each, required};
use buffa_tables::{Flags, TableRef};

/// Encoded length of the message at `msg`.
///
/// # Errors
/// When it is over 2 GiB − 1 or nested too deeply.
///
/// # Safety
/// * `msg` is a live message that `table` describes.
pub(crate) unsafe fn size(msg: *const u8, table: TableRef) -> Result<usize, EncodeError> {
    // SAFETY: by contract.
    unsafe { size_within(msg, table, MAX_DEPTH) }
}

/// The same for a message below which `depth` levels may follow.
///
/// # Safety
/// * As for [`size`].
pub(super) unsafe fn size_within(msg: *const u8, table: TableRef, depth: u32) -> Result<usize, EncodeError> {
    // SAFETY: by contract.
    let total = unsafe { walk(msg, table, depth) }?;
    usize::try_from(total).ok().filter(|&n| n <= MAX_MESSAGE).ok_or(EncodeError::TooLong)
}

/// Sums of 64 bits cannot wrap: a field has fewer than 2³² elements, each of less than 2³¹ bytes after its own check.
///
/// # Safety
/// * As for [`size`].
unsafe fn walk(msg: *const u8, table: TableRef, depth: u32) -> Result<u64, EncodeError> {
    let mut total = 0u64;
    // SAFETY: a TableRef is valid, so `msg + offset` is a field of the type that its op names, and aux indices are in range; pointers
    // in fields are null or lead to live messages and arrays of the types that the table names.
    unsafe {
        'entries: for &entry in table.entries() {
            let mut src = msg.add(usize::from(entry.offset()));
            let mut aux_index = usize::from(entry.aux());
            let mut op = entry.op().bits();
            let tag = entry.tag();
            let tag_len = varint_len(u64::from(tag)) as u64;

            macro_rules! next {
                ($len:expr) => {{
                    total += $len;
                    continue 'entries;
                }};
            }
            macro_rules! varint {
                ($v:expr) => {
                    next!(tag_len + varint_len($v) as u64)
                };
            }
            macro_rules! word {
                ($v:expr) => {{
                    $v;
                    next!(tag_len + 4)
                }};
            }
            macro_rules! double {
                ($v:expr) => {{
                    $v;
                    next!(tag_len + 8)
                }};
            }
            macro_rules! slice {
                ($v:expr) => {
                    next!(tag_len + delimited($v.len as u64)?)
                };
            }
            macro_rules! message {
                ($v:expr) => {{
                    let body: *const u8 = $v;
                    next!(tag_len + delimited(below(body, sub_table(table, aux_index), depth)?)?)
                }};
            }
            macro_rules! messages {
                () => {
                    messages!(depth)
                };
                ($depth:expr) => {{
                    let array = src.cast::<RawRepeated>().read();
                    let sub = sub_table(table, aux_index);
                    for i in 0..array.len as usize {
                        total += tag_len + delimited(below(array.ptr.add(i * sub.size()), sub, $depth)?)?;
                    }
                    continue 'entries;
                }};
            }
            // The entries of a map encode like messages, and its fields begin like those of a `RawRepeated`. An entry is no level of
            // nesting of its own, neither here nor for the decoder.
            macro_rules! map {
                () => {
                    messages!(depth + 1)
                };
            }
            macro_rules! slices {
                () => {{
                    let array = src.cast::<RawRepeated>().read();
                    for i in 0..array.len as usize {
                        total += tag_len + delimited(array.ptr.cast::<Slice>().add(i).read().len as u64)?;
                    }
                    continue 'entries;
                }};
            }
            macro_rules! groups {
                () => {
                    next!(groups(src, op, table, aux_index, tag, depth)?)
                };
            }
            macro_rules! scalars {
                () => {{
                    let array = src.cast::<RawRepeated>().read();
                    next!(scalars(&array, op & 31) + u64::from(array.len) * tag_len)
                }};
            }
            macro_rules! packed {
                () => {{
                    let array = src.cast::<RawRepeated>().read();
                    if array.len == 0 {
                        continue 'entries;
                    }
                    next!(tag_len + delimited(scalars(&array, op & 31))?)
                }};
            }
            'op: loop {
                macro_rules! wide {
                    () => {{
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
        if !table.flags().has(Flags::MAP_ENTRY) {
            let unknown = &*msg.cast::<UnknownFields<'_>>();
            total += unknown.runs().iter().map(|run| run.len() as u64).sum::<u64>();
        }
    }
    Ok(total)
}

/// Length of a message one level below; null counts as empty.
///
/// # Safety
/// * `body` is null or a live message that `table` describes.
unsafe fn below(body: *const u8, table: TableRef, depth: u32) -> Result<u64, EncodeError> {
    let Some(depth) = depth.checked_sub(1) else { return Err(EncodeError::TooDeep) };
    // SAFETY: by contract.
    if body.is_null() { Ok(0) } else { unsafe { walk(body, table, depth) } }
}

/// Length of a group field, start and end tags included.
///
/// # Safety
/// * `src` is the field with this op, aux and tag in a live message.
#[cold]
#[inline(never)]
unsafe fn groups(src: *const u8, op: u8, table: TableRef, aux_index: usize, tag: u32, depth: u32) -> Result<u64, EncodeError> {
    let tags = 2 * varint_len(u64::from(tag)) as u64;
    // SAFETY: by contract.
    unsafe {
        let sub = sub_table(table, aux_index);
        match op {
            each::GROUP => {
                let array = src.cast::<RawRepeated>().read();
                let mut total = 0;
                for i in 0..array.len as usize {
                    total += tags + below(array.ptr.add(i * sub.size()), sub, depth)?;
                }
                Ok(total)
            }
            oneof::GROUP if !is_case(src, table, aux_index, tag) => Ok(0),
            always::GROUP => Ok(tags + below(src, sub, depth)?),
            _ => {
                let body = src.cast::<*const u8>().read();
                if body.is_null() && op != oneof::GROUP { Ok(0) } else { Ok(tags + below(body, sub, depth)?) }
            }
        }
    }
}

/// Length of all elements of a scalar array of this kind, tags not counted.
///
/// # Safety
/// * `array` has elements of the kind.
#[inline(never)]
unsafe fn scalars(array: &RawRepeated, kind: u8) -> u64 {
    let count = array.len as usize;
    // SAFETY: by contract.
    let word = |i: usize| unsafe { array.ptr.cast::<u32>().add(i).read() };
    // SAFETY: by contract.
    let double = |i: usize| unsafe { array.ptr.cast::<u64>().add(i).read() };
    let sum = |len: &dyn Fn(usize) -> usize| (0..count).map(|i| len(i) as u64).sum();
    // The kind's bits are those of its op with implicit presence.
    match kind {
        implicit::INT32 | implicit::OPEN_ENUM | implicit::CLOSED_ENUM => sum(&|i| varint_len(sign_extend(word(i)))),
        implicit::UINT32 => sum(&|i| varint_len(u64::from(word(i)))),
        implicit::SINT32 => sum(&|i| varint_len(u64::from(zigzag32(word(i))))),
        implicit::INT64 | implicit::UINT64 => sum(&|i| varint_len(double(i))),
        implicit::SINT64 => sum(&|i| varint_len(zigzag64(double(i)))),
        implicit::BOOL => count as u64,
        implicit::FIXED32 | implicit::SFIXED32 | implicit::FLOAT => 4 * count as u64,
        _ => 8 * count as u64,
    }
}

fn delimited(len: u64) -> Result<u64, EncodeError> {
    if len > MAX_MESSAGE as u64 {
        return Err(EncodeError::TooLong);
    }
    Ok(varint_len(len) as u64 + len)
}
