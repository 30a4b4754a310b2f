//! Reading, setting and clearing extensions.
#![allow(unsafe_code)] // runs kernels on carriers

use super::item::{fields, payload};
use super::{Carrier, ExtensionInfo, FieldFamily};
use crate::EncodeError;
use crate::decode::{Shape, decode_field};
use crate::error::{DecodeError, ErrorKind};
use crate::limits::{DEFAULT_RECURSION, DecodeOptions, UnknownPolicy};
use crate::wire::{put_varint, varint_slice};
use buffa_arena::{Arena, ArenaError, UnknownFields};
use buffa_tables::{Flags, TableRef};
use core::mem::MaybeUninit;

/// Whether the unknown fields hold the extension. A number that a closed enum does not declare does not count.
pub(crate) fn has(info: &ExtensionInfo, unknown: &UnknownFields<'_>) -> bool {
    let mut all = unknown.runs().iter().flat_map(|run| fields(run.as_bytes()));
    all.any(|(number, field)| payload(info, number, field).is_some_and(|bytes| info.has_value(bytes)))
}

/// Decodes the extension into a carrier.
///
/// # Errors
/// When its bytes are malformed for its type, or the arena has no room.
pub(crate) fn get<'a, V: FieldFamily>(
    info: &ExtensionInfo,
    unknown: &UnknownFields<'a>,
    arena: &'a Arena<'_>,
) -> Result<V::In<'a>, DecodeError> {
    let bytes = unknown.runs().iter().map(|run| run.len()).fold(0, usize::saturating_add);
    let outer = arena.limit();
    arena.set_limit(outer.min(arena.allocated_bytes().saturating_add(DecodeOptions::new().memory_for(bytes))));
    let result = get_within::<V>(info, unknown, arena);
    arena.set_limit(outer);
    result
}

fn get_within<'a, V: FieldFamily>(
    info: &ExtensionInfo,
    unknown: &UnknownFields<'a>,
    arena: &'a Arena<'_>,
) -> Result<V::In<'a>, DecodeError> {
    let mut carrier = MaybeUninit::<Carrier<'a, V::In<'a>>>::zeroed();
    // SAFETY: a zeroed carrier, which the extension's table describes; bytes and arena live for `'a`.
    unsafe { fill(carrier.as_mut_ptr().cast(), info, unknown, arena) }?;
    // SAFETY: zeroed memory is a valid carrier (contract of FieldFamily), and the decoder kept it valid.
    Ok(unsafe { carrier.assume_init() }.value)
}

/// Merges the extension's fields into a carrier. What they hold is kept whole, unknown fields and further extensions included.
///
/// # Errors
/// When the bytes are malformed for the extension's type, or the arena has no room.
///
/// # Safety
/// * `carrier` is a live carrier of the extension, used by nobody else; the bytes and `arena` outlive it.
pub(super) unsafe fn fill(
    carrier: *mut u8,
    info: &ExtensionInfo,
    unknown: &UnknownFields<'_>,
    arena: &Arena<'_>,
) -> Result<(), DecodeError> {
    let shape = Shape { depth: DEFAULT_RECURSION, unknown: UnknownPolicy::Keep, partial: true, extensions: None };
    for (number, field) in unknown.runs().iter().flat_map(|run| fields(run.as_bytes())) {
        let Some(bytes) = payload(info, number, field) else { continue };
        let (target, table) = match (info.extendee.flags().has(Flags::MESSAGE_SET), info.message_table()) {
            // An item of a message set has no tag of its own: its body merges into the message behind the field.
            // SAFETY: by contract.
            (true, Some(table)) => (unsafe { message_in(carrier, info.table, table, arena) }?, table),
            _ => (carrier, info.table),
        };
        // SAFETY: the target is live, described by the table, and this function's alone.
        unsafe { decode_field(target, table, bytes, arena, shape) }?;
    }
    Ok(())
}

/// The message that a carrier holds, made if absent.
///
/// # Safety
/// * `carrier` is a carrier that `carrier_table` describes, whose value is a message field of messages like `table`.
unsafe fn message_in(
    carrier: *mut u8,
    carrier_table: TableRef,
    table: TableRef,
    arena: &Arena<'_>,
) -> Result<*mut u8, DecodeError> {
    let offset = carrier_table.entries().first().map_or(0, |entry| usize::from(entry.offset()));
    // SAFETY: a nullable message pointer stands there.
    unsafe {
        let place = carrier.add(offset).cast::<*mut u8>();
        if place.read().is_null() {
            place.write(arena.try_alloc_zeroed(table.size()).map_err(no_room)?.as_ptr());
        }
        Ok(place.read())
    }
}

pub(super) fn no_room(error: ArenaError) -> DecodeError {
    DecodeError::new(if error == ArenaError::Limit { ErrorKind::MemoryLimit } else { ErrorKind::ArenaFull }, 0)
}

/// Removes the extension's fields.
///
/// # Errors
/// When the arena has no room for the rest.
pub(crate) fn clear<'a>(info: &ExtensionInfo, unknown: &mut UnknownFields<'a>, arena: &'a Arena<'_>) -> Result<(), ArenaError> {
    if !has(info, unknown) {
        return Ok(());
    }
    let mut rest = UnknownFields::EMPTY;
    for run in unknown.runs() {
        let bytes: &'a [u8] = run.as_bytes();
        let mut kept = 0;
        let mut at = 0;
        for (number, field) in fields(bytes) {
            if payload(info, number, field).is_some() {
                rest.try_push_run(bytes.get(kept..at).unwrap_or_default().into(), arena)?;
                kept = at + field.len();
            }
            at += field.len();
        }
        rest.try_push_run(bytes.get(kept..).unwrap_or_default().into(), arena)?;
    }
    *unknown = rest;
    Ok(())
}

/// Replaces the extension's fields by the encoding of `value`.
///
/// # Errors
/// When the value is too long or too deep, or the arena has no room.
pub(crate) fn set<'a, V: FieldFamily>(
    info: &ExtensionInfo,
    unknown: &mut UnknownFields<'a>,
    value: V::In<'a>,
    arena: &'a Arena<'_>,
) -> Result<(), EncodeError> {
    let carrier = Carrier { unknown: UnknownFields::EMPTY, value };
    let source = (&raw const carrier).cast::<u8>();
    let in_set = info.extendee.flags().has(Flags::MESSAGE_SET);
    // SAFETY: a live carrier that the table describes.
    let len = unsafe { crate::encode::size(source, info.table) }?;
    // An item is group start (1), type id (1 + 5), the field with the tag exchanged (at most as long), group end (1).
    let room = |_| EncodeError::BufferTooSmall { needed: len };
    let place = arena.try_alloc(len + 16).map_err(room)?.as_ptr().cast::<MaybeUninit<u8>>();
    // SAFETY: fresh memory of that size.
    let buffer = unsafe { core::slice::from_raw_parts_mut(place, len + 16) };
    let from = 8;
    let body = buffer.get_mut(from..).unwrap_or_default();
    // SAFETY: a live carrier that the table describes.
    let written = unsafe { crate::encode::to_slice(source, info.table, body, false) }?;
    // SAFETY: the encoder has written these bytes, which nobody changes any more.
    let encoded: &'a [u8] = unsafe { core::slice::from_raw_parts(place.cast::<u8>().add(from), written) };
    clear(info, unknown, arena).map_err(room)?;
    if !in_set || encoded.is_empty() {
        return unknown.try_push_run(encoded.into(), arena).map_err(room);
    }
    // Exchange the tag: `number, LEN` becomes `3, LEN` inside an item that carries the number as its type id.
    let tag_len = varint_slice(encoded).map_or(0, |(_, n)| n);
    let rest = encoded.get(tag_len..).unwrap_or_default();
    let mut head = [0u8; 16];
    // SAFETY: two bytes, a varint of at most five, one byte: they fit.
    let head_len = unsafe {
        let start = head.as_mut_ptr();
        start.write(0x0B);
        start.add(1).write(0x10);
        let end = put_varint(start.add(2), u64::from(info.number()));
        end.write(0x1A);
        end.addr() + 1 - start.addr()
    };
    let item = arena.try_alloc(head_len + rest.len() + 1).map_err(room)?.as_ptr();
    // SAFETY: fresh memory of the sum of the three lengths.
    let item: &'a [u8] = unsafe {
        item.copy_from_nonoverlapping(head.as_ptr(), head_len);
        item.add(head_len).copy_from_nonoverlapping(rest.as_ptr(), rest.len());
        item.add(head_len + rest.len()).write(0x0C);
        core::slice::from_raw_parts(item, head_len + rest.len() + 1)
    };
    unknown.try_push_run(item.into(), arena).map_err(room)
}
