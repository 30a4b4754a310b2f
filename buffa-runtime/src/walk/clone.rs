//! Deep copies.
#![allow(unsafe_code)] // reads and writes messages through their tables

use crate::fields::{Slice, fields, key_of};
use crate::wire::count32;
use buffa_arena::{Arena, ArenaError, Blob, RawMap, RawRepeated, UnknownFields};
use buffa_tables::{Flags, Kind, Mode, Storage, TableRef};

/// Copies `source` into `target`, strings included, so that `target` depends on `arena` alone.
///
/// # Errors
/// When the arena has no room; `target` is then a valid message with part of the copy.
///
/// # Safety
/// * `source` is a live message and `target` a zeroed one that nobody else uses; `table` describes both.
/// * `arena` outlives `target`'s contents.
pub(crate) unsafe fn clone_into(
    source: *const u8,
    target: *mut u8,
    table: TableRef,
    arena: &Arena<'_>,
) -> Result<(), ArenaError> {
    for field in fields(table) {
        let (kind, mode) = (field.op.kind(), field.op.mode());
        // SAFETY: a TableRef is valid: the field is in both messages, with the type that its op names. Bits of scalars are copied
        // as they are; what holds a pointer is written only with a pointer into `arena`.
        unsafe {
            let items = field.items(source);
            if items.count == 0 {
                continue;
            }
            let dst = target.add(field.offset);
            match (mode, kind.storage()) {
                (Mode::Repeated | Mode::Packed, storage) => {
                    let bytes = items.count.checked_mul(items.stride).ok_or(ArenaError::Full)?;
                    let fresh = arena.try_alloc_zeroed(bytes)?.as_ptr();
                    match storage {
                        Storage::Byte | Storage::Word | Storage::Double => fresh.copy_from_nonoverlapping(items.ptr, bytes),
                        Storage::Slice => {
                            for i in 0..items.count {
                                copy_slice(items.at(i), fresh.add(i * items.stride), arena)?;
                            }
                        }
                        Storage::Message | Storage::Map => {
                            if let Some(sub) = field.table() {
                                for i in 0..items.count {
                                    clone_into(items.at(i), fresh.add(i * items.stride), sub, arena)?;
                                }
                            }
                        }
                    }
                    // Array and map both begin with pointer, length and capacity.
                    let count = count32(items.count);
                    dst.cast::<RawRepeated>().write(RawRepeated { ptr: fresh, len: count, cap: count });
                    if kind == Kind::Map {
                        if let Some(entry) = field.table() {
                            (*dst.cast::<RawMap>()).index_all(entry.size(), key_of(entry), arena)?;
                        }
                    }
                    continue;
                }
                (Mode::Always, Storage::Message) => {
                    if let Some(sub) = field.table() {
                        clone_into(items.ptr, dst, sub, arena)?;
                    }
                }
                (_, Storage::Message) => {
                    if let (Some(sub), false) = (field.table(), items.ptr.is_null()) {
                        let fresh = arena.try_alloc_zeroed(sub.size())?.as_ptr();
                        clone_into(items.ptr, fresh, sub, arena)?;
                        dst.cast::<*mut u8>().write(fresh);
                    }
                }
                (_, Storage::Slice) => copy_slice(items.ptr, dst, arena)?,
                (Mode::Explicit | Mode::Required, storage) => {
                    dst.write(1);
                    let value = dst.add(items.ptr.addr() - source.addr() - field.offset);
                    copy_scalar(items.ptr, value, storage);
                }
                (_, storage) => copy_scalar(items.ptr, dst, storage),
            }
            if mode == Mode::Oneof {
                let delta = field.aux.map_or(0, |aux| aux.delta());
                dst.sub(usize::from(delta)).cast::<u32>().write(field.number());
            }
        }
    }
    if table.flags().has(Flags::MAP_ENTRY) {
        return Ok(());
    }
    // SAFETY: such messages begin with their unknown fields.
    let (from, to) = unsafe { (&*source.cast::<UnknownFields<'_>>(), &mut *target.cast::<UnknownFields<'_>>()) };
    for run in from.runs() {
        to.try_push_run(Blob::copied(run.as_bytes(), arena)?, arena)?;
    }
    Ok(())
}

/// # Safety
/// * Both are values of this storage.
unsafe fn copy_scalar(source: *const u8, target: *mut u8, storage: Storage) {
    // SAFETY: by contract.
    unsafe {
        match storage {
            Storage::Byte => target.write(source.read()),
            Storage::Word => target.cast::<u32>().write(source.cast::<u32>().read()),
            _ => target.cast::<u64>().write(source.cast::<u64>().read()),
        }
    }
}

/// # Safety
/// * Both are strings or bytes; `arena` outlives the target.
unsafe fn copy_slice(source: *const u8, target: *mut u8, arena: &Arena<'_>) -> Result<(), ArenaError> {
    // SAFETY: by contract.
    let slice = unsafe { source.cast::<Slice>().read() };
    if slice.ptr.is_null() {
        return Ok(());
    }
    // SAFETY: by contract.
    let copy = arena.try_copy(unsafe { slice.bytes() })?;
    // SAFETY: by contract.
    unsafe { target.cast::<Slice>().write(Slice { ptr: copy.as_ptr(), len: copy.len() }) };
    Ok(())
}
