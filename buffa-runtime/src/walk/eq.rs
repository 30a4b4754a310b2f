//! Equality.
#![allow(unsafe_code)] // reads messages through their tables

use crate::Message;
use crate::fields::{Field, Items, Slice, fields, key_of};
use buffa_arena::{RawMap, UnknownFields};
use buffa_tables::{Flags, Kind, Storage, TableRef};

/// Whether two messages are equal: the same fields present with equal values, floats by `==`, maps in any order, unknown fields byte
/// by byte.
pub fn eq<'a, M: Message<'a>>(a: &M, b: &M) -> bool {
    // SAFETY: `M::TABLE` describes `M`.
    unsafe { equal((&raw const *a).cast(), (&raw const *b).cast(), M::TABLE) }
}

/// # Safety
/// * Both are live messages that `table` describes.
unsafe fn equal(a: *const u8, b: *const u8, table: TableRef) -> bool {
    let same = fields(table).all(|field| {
        // SAFETY: by contract.
        let (x, y) = unsafe { (field.items(a), field.items(b)) };
        // SAFETY: items of the field.
        x.count == y.count && unsafe { items_equal(&field, x, y, a, b) }
    });
    if !same || table.flags().has(Flags::MAP_ENTRY) {
        return same;
    }
    // SAFETY: such messages begin with their unknown fields.
    let (x, y) = unsafe { (&*a.cast::<UnknownFields<'_>>(), &*b.cast::<UnknownFields<'_>>()) };
    x.runs().iter().flat_map(|run| run.iter()).eq(y.runs().iter().flat_map(|run| run.iter()))
}

/// # Safety
/// * `x` and `y`, of equal count, are the items of the field in `a` and `b`.
unsafe fn items_equal(field: &Field<'_>, x: Items, y: Items, a: *const u8, b: *const u8) -> bool {
    if let (Kind::Map, Some(entry)) = (field.op.kind(), field.table()) {
        let (size, key) = (entry.size(), key_of(entry));
        // SAFETY: the field is a map in both messages, with entries that `entry` describes.
        let (x_map, y_map) = unsafe { (&*a.add(field.offset).cast::<RawMap>(), &*b.add(field.offset).cast::<RawMap>()) };
        // SAFETY: entries of the maps.
        return (0..x_map.len()).all(|i| unsafe {
            let mine = x_map.entries_ptr().add(i * size);
            y_map.find(size, key, key(mine)).is_some_and(|j| equal(mine, y_map.entries_ptr().add(j * size), entry))
        });
    }
    // SAFETY: items of the field.
    x.iter().zip(y.iter()).all(|(x, y)| unsafe { value_equal(field, x, y) })
}

/// # Safety
/// * `x` and `y` are values of the field.
unsafe fn value_equal(field: &Field<'_>, x: *const u8, y: *const u8) -> bool {
    // SAFETY: by contract.
    unsafe {
        match (field.op.kind().storage(), field.op.kind()) {
            (_, Kind::Float) => x.cast::<f32>().read() == y.cast::<f32>().read(),
            (_, Kind::Double) => x.cast::<f64>().read() == y.cast::<f64>().read(),
            (Storage::Byte, _) => x.read() == y.read(),
            (Storage::Word, _) => x.cast::<u32>().read() == y.cast::<u32>().read(),
            (Storage::Double, _) => x.cast::<u64>().read() == y.cast::<u64>().read(),
            (Storage::Slice, _) => x.cast::<Slice>().read().bytes() == y.cast::<Slice>().read().bytes(),
            (Storage::Message | Storage::Map, _) => match field.table() {
                Some(table) if !x.is_null() && !y.is_null() => equal(x, y, table),
                _ => x.is_null() == y.is_null(),
            },
        }
    }
}
