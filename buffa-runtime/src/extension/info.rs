//! A generated extension, with and without its types.
#![allow(unsafe_code)] // a constructor with a contract

use super::FieldFamily;
use crate::wire::{low32, varint_slice};
use buffa_tables::{NameRef, TableRef};
use core::marker::PhantomData;

/// A generated extension: field `number` of messages `M`, with the field type `V` (`Optional<i32>`, `Str`, `Repeated<…>`, …).
pub struct Extension<M, V> {
    info: ExtensionInfo,
    types: PhantomData<fn(M) -> V>,
}

impl<M, V> Clone for Extension<M, V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<M, V> Copy for Extension<M, V> {}

impl<M, V> core::fmt::Debug for Extension<M, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.info.fmt(f)
    }
}

impl<'a, M: crate::Message<'a>, V: FieldFamily> Extension<M, V> {
    /// For generated code.
    ///
    /// # Safety
    /// * `table` describes `Carrier<V>` and has one entry.
    pub const unsafe fn new(table: TableRef, names: NameRef) -> Extension<M, V> {
        Extension { info: ExtensionInfo { extendee: M::TABLE, table, names }, types: PhantomData }
    }
}

impl<M, V> Extension<M, V> {
    /// The extension without its types, as registries hold it.
    pub const fn info(&self) -> ExtensionInfo {
        self.info
    }

    /// The field number.
    pub fn number(&self) -> u32 {
        self.info.number()
    }
}

/// An extension without its types.
#[derive(Clone, Copy)]
pub struct ExtensionInfo {
    pub(super) extendee: TableRef,
    pub(super) table: TableRef,
    pub(super) names: NameRef,
}

impl core::fmt::Debug for ExtensionInfo {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.full_name())
    }
}

impl ExtensionInfo {
    /// The field number.
    pub fn number(&self) -> u32 {
        self.table.entries().first().map_or(0, |entry| entry.number())
    }

    /// The full name, e.g. `pkg.xc`.
    pub fn full_name(&self) -> &'static str {
        self.names.name(0).unwrap_or_default()
    }

    /// The table of the extended message.
    pub fn extendee(&self) -> TableRef {
        self.extendee
    }
}

impl ExtensionInfo {
    /// Whether a field with the extension's number holds a value for it: not so if it is of a closed enum and none of the numbers
    /// is declared.
    pub(super) fn has_value(&self, field: &[u8]) -> bool {
        let Some(numbers) = self.table.aux().first().and_then(|aux| aux.enum_table()) else { return true };
        let declared = |bytes| varint_slice(bytes).is_some_and(|(n, _)| numbers.contains(low32(n) as i32));
        let Some((tag, tag_len)) = varint_slice(field) else { return false };
        let value = field.get(tag_len..).unwrap_or_default();
        if tag & 7 != 2 {
            return declared(value);
        }
        let mut rest = varint_slice(value).and_then(|(_, len)| value.get(len..)).unwrap_or_default();
        while let Some((_, len)) = varint_slice(rest) {
            if declared(rest) {
                return true;
            }
            rest = rest.get(len..).unwrap_or_default();
        }
        false
    }

    /// The table of the extension's message type, if it is one.
    pub(super) fn message_table(&self) -> Option<TableRef> {
        self.table.aux().first().and_then(|aux| aux.table())
    }
}
