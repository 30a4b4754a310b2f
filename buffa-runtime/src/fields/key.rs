//! Keys of map entries.
#![allow(unsafe_code)] // reads keys of entries

use buffa_arena::{Blob, RawKey};
use buffa_tables::{Storage, TableRef};

/// Reads the key of an entry.
pub(crate) type KeyOf = unsafe fn(*const u8) -> RawKey<'static>;

/// How the keys of entries with this table are read. The key is the first field, at offset 0.
pub(crate) fn key_of(entry: TableRef) -> KeyOf {
    match entry.entries().first().map(|key| key.op().kind().storage()) {
        Some(Storage::Byte) => |p| {
            // SAFETY: by contract of KeyOf, `p` is an entry whose key is a `bool`.
            RawKey::Word(u32::from(unsafe { p.cast::<bool>().read() }))
        },
        Some(Storage::Double) => |p| {
            // SAFETY: by contract of KeyOf, `p` is an entry whose key has 64 bits.
            RawKey::Double(unsafe { p.cast::<u64>().read() })
        },
        Some(Storage::Slice) => |p| {
            // SAFETY: by contract of KeyOf, `p` is an entry whose key is a string; it outlives the map operation.
            RawKey::Bytes(unsafe { p.cast::<Blob<'static>>().read() }.as_bytes())
        },
        _ => |p| {
            // SAFETY: by contract of KeyOf, `p` is an entry whose key has 32 bits.
            RawKey::Word(unsafe { p.cast::<u32>().read() })
        },
    }
}
