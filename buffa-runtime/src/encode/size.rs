//! The size walk: encoded lengths without writing.
#![allow(unsafe_code)] // the kernel

use crate::error::EncodeError;
use crate::fields::{Field, Slice, fields};
use crate::limits::{MAX_DEPTH, MAX_MESSAGE};
use crate::wire::{sign_extend, varint_len, zigzag32, zigzag64};
use buffa_arena::UnknownFields;
use buffa_tables::{Flags, Kind, Mode, TableRef};

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
    for field in fields(table) {
        // SAFETY: by contract.
        let items = unsafe { field.items(msg) };
        if items.count == 0 {
            continue;
        }
        let tag = varint_len(u64::from(field.tag)) as u64;
        let mut values = 0u64;
        for value in items.iter() {
            // SAFETY: a value of the field.
            values += unsafe { value_size(value, &field, tag, depth) }?;
        }
        total += if field.op.mode() == Mode::Packed { tag + delimited(values)? } else { values + tag * items.count as u64 };
    }
    if !table.flags().has(Flags::MAP_ENTRY) {
        // SAFETY: such a message begins with its unknown fields.
        let unknown = unsafe { &*msg.cast::<UnknownFields<'_>>() };
        total += unknown.runs().iter().map(|run| run.len() as u64).sum::<u64>();
    }
    Ok(total)
}

/// Length of one value, its tag not counted (but the end tag of a group, which is as long as the start tag).
///
/// # Safety
/// * `value` is one of the field's items.
unsafe fn value_size(value: *const u8, field: &Field<'_>, tag: u64, depth: u32) -> Result<u64, EncodeError> {
    // SAFETY: by contract.
    unsafe {
        let word = || value.cast::<u32>().read();
        let double = || value.cast::<u64>().read();
        Ok(match field.op.kind() {
            Kind::Int32 | Kind::OpenEnum | Kind::ClosedEnum => varint_len(sign_extend(word())) as u64,
            Kind::Uint32 => varint_len(u64::from(word())) as u64,
            Kind::Sint32 => varint_len(u64::from(zigzag32(word()))) as u64,
            Kind::Int64 | Kind::Uint64 => varint_len(double()) as u64,
            Kind::Sint64 => varint_len(zigzag64(double())) as u64,
            Kind::Bool => 1,
            Kind::Fixed32 | Kind::Sfixed32 | Kind::Float => 4,
            Kind::Fixed64 | Kind::Sfixed64 | Kind::Double => 8,
            Kind::String | Kind::RawString | Kind::Bytes => delimited(value.cast::<Slice>().read().len as u64)?,
            kind @ (Kind::Message | Kind::Group | Kind::Map) => {
                let Some(depth) = depth.checked_sub(1) else { return Err(EncodeError::TooDeep) };
                let len = match field.table() {
                    Some(table) if !value.is_null() => walk(value, table, depth)?,
                    _ => 0,
                };
                if kind == Kind::Group { len + tag } else { delimited(len)? }
            }
        })
    }
}

fn delimited(len: u64) -> Result<u64, EncodeError> {
    if len > MAX_MESSAGE as u64 {
        return Err(EncodeError::TooLong);
    }
    Ok(varint_len(len) as u64 + len)
}
