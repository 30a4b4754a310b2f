//! Required fields of extensions.
//!
//! A field may come in several pieces, so what is required can only be asked of the whole message, when all of it is there.
#![allow(unsafe_code)] // walks messages through their tables

use super::item::{fields as unknown_fields, message_set_item};
use super::value::{fill, no_room};
use super::{ExtensionInfo, ExtensionRegistry};
use crate::error::DecodeError;
use crate::fields::fields;
use buffa_arena::{Arena, UnknownFields};
use buffa_tables::{Flags, TableRef};

/// The error that names a required field missing in an extension that the registry knows, anywhere in the message.
///
/// # Errors
/// [`ErrorKind::MissingRequired`](crate::ErrorKind), or no room in the arena for the extensions while they are looked at.
///
/// # Safety
/// * `msg` is a live message that `table` describes, decoded with this registry.
pub(crate) unsafe fn missing(
    msg: *const u8,
    table: TableRef,
    registry: &ExtensionRegistry<'_>,
    arena: &Arena<'_>,
) -> Result<(), DecodeError> {
    let needs = |info: &ExtensionInfo| info.table.flags().has(Flags::REQUIRED_DEEP);
    if !registry.lists.iter().flat_map(|list| list.iter()).any(needs) {
        return Ok(());
    }
    // SAFETY: by contract.
    unsafe { walk(msg, table, registry, arena) }
}

/// As deep as the message and its extensions are nested, which decoding has bounded.
///
/// # Safety
/// * As for [`missing`].
unsafe fn walk(msg: *const u8, table: TableRef, registry: &ExtensionRegistry<'_>, arena: &Arena<'_>) -> Result<(), DecodeError> {
    if table.flags().has(Flags::EXTENDABLE) {
        // SAFETY: such a message begins with its unknown fields.
        let unknown = unsafe { &*msg.cast::<UnknownFields<'_>>() };
        // SAFETY: by contract.
        unsafe { of_unknown(unknown, table, registry, arena) }?;
    }
    for field in fields(table) {
        let Some(sub) = field.table() else { continue };
        // SAFETY: by contract.
        let items = unsafe { field.items(msg) };
        for item in items.iter().filter(|item| !item.is_null()) {
            // SAFETY: the items are messages that `sub` describes.
            unsafe { walk(item, sub, registry, arena) }?;
        }
    }
    Ok(())
}

/// # Safety
/// * As for [`missing`]; the unknown fields are those of a message with that table.
unsafe fn of_unknown(
    unknown: &UnknownFields<'_>,
    extendee: TableRef,
    registry: &ExtensionRegistry<'_>,
    arena: &Arena<'_>,
) -> Result<(), DecodeError> {
    let in_set = extendee.flags().has(Flags::MESSAGE_SET);
    let numbers = || {
        let all = unknown.runs().iter().flat_map(|run| unknown_fields(run.as_bytes()));
        all.filter_map(move |(number, field)| if in_set { message_set_item(field).map(|(id, _)| id) } else { Some(number) })
    };
    for list in registry.lists {
        for info in list.iter().filter(|info| info.extendee == extendee && info.message_table().is_some()) {
            if !numbers().any(|number| number == info.number()) {
                continue;
            }
            let mark = arena.mark();
            let carrier = arena.try_alloc_zeroed(info.table.size()).map_err(no_room)?.as_ptr();
            // SAFETY: a zeroed carrier of the extension, nobody else's.
            let mut result = unsafe { fill(carrier, info, unknown, arena) };
            if result.is_ok() {
                // SAFETY: the carrier is a message that its table describes.
                result = unsafe {
                    if crate::walk::is_initialized(carrier, info.table) {
                        walk(carrier, info.table, registry, arena)
                    } else {
                        Err(crate::message::missing_at(carrier, info.table, info.names))
                    }
                };
            }
            // SAFETY: what was allocated since belongs to the carrier, which is not looked at again.
            unsafe { arena.rewind(mark) };
            result?;
        }
    }
    Ok(())
}
