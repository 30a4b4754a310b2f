//! Whether all required fields are present.
#![allow(unsafe_code)] // reads messages through their tables

use crate::fields::fields;
use buffa_tables::{Flags, Mode, TableRef};

/// Whether the message and all below it have their required fields. Its depth is that of the message, which decoding or building it
/// has already bounded.
///
/// # Safety
/// * `msg` is a live message that `table` describes.
pub(crate) unsafe fn is_initialized(msg: *const u8, table: TableRef) -> bool {
    if !table.flags().has(Flags::REQUIRED_DEEP) {
        return true;
    }
    fields(table).all(|field| {
        // SAFETY: by contract.
        let items = unsafe { field.items(msg) };
        if field.op.mode() == Mode::Required && items.count == 0 {
            return false;
        }
        let Some(sub) = field.table() else { return true };
        items.iter().all(|item| match item.is_null() {
            true => !sub.flags().has(Flags::REQUIRED),
            // SAFETY: the item is a message that `sub` describes.
            false => unsafe { is_initialized(item, sub) },
        })
    })
}
