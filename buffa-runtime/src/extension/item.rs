//! The bytes of extensions among the unknown fields, message sets included.

use super::ExtensionInfo;
use crate::decode::split_first;
use crate::wire::{low32, varint_slice};
use buffa_tables::Flags;

/// Type id and body of a message-set item, `group 1 { uint32 type_id = 2; bytes message = 3; }`, in whichever order.
pub(super) fn message_set_item(field: &[u8]) -> Option<(u32, &[u8])> {
    const ITEM: u32 = 1 << 3 | 3;
    const TYPE_ID: u32 = 2 << 3;
    const MESSAGE: u32 = 3 << 3 | 2;
    let (tag, tag_len) = varint_slice(field)?;
    if tag != u64::from(ITEM) {
        return None;
    }
    let (mut id, mut body) = (None, None);
    let mut rest = field.get(tag_len..)?;
    while let Some((tag, len)) = split_first(rest) {
        let (value, next) = rest.split_at_checked(len)?;
        let (_, tag_len) = varint_slice(value)?;
        let value = value.get(tag_len..)?;
        match tag {
            TYPE_ID if id.is_none() => id = Some(low32(varint_slice(value)?.0)),
            MESSAGE if body.is_none() => body = value.get(varint_slice(value)?.1..),
            _ => {}
        }
        rest = next;
    }
    // An item without a message is no extension (nor is it one for C++).
    Some((id?, body?))
}

/// Field number and whole bytes of each field in the run.
pub(super) fn fields(run: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = run;
    core::iter::from_fn(move || {
        let (tag, len) = split_first(rest)?;
        let (field, next) = rest.split_at_checked(len)?;
        rest = next;
        Some((tag >> 3, field))
    })
}

/// The bytes of `field` that belong to the extension, and the table that reads them.
pub(super) fn payload<'f>(info: &ExtensionInfo, number: u32, field: &'f [u8]) -> Option<&'f [u8]> {
    if info.extendee.flags().has(Flags::MESSAGE_SET) {
        let (id, body) = message_set_item(field)?;
        return (id == info.number()).then_some(body);
    }
    (number == info.number()).then_some(field)
}
