//! The paths of missing required fields, e.g. `rr[0].r`.
#![allow(unsafe_code)] // reads messages through their tables

use super::types::typed;
use crate::fields::fields;
use alloc::format;
use alloc::string::String;
use buffa_tables::{Flags, Kind, Mode, NameRef, TableRef};

/// The paths of all required fields that are missing, separated by `", "`.
///
/// # Safety
/// * `msg` is a live message that `table` describes, and `names` are its names.
pub(crate) unsafe fn missing_fields(msg: *const u8, table: TableRef, names: NameRef) -> String {
    let mut found = String::new();
    // SAFETY: by contract.
    unsafe { collect(msg, table, Some(names), "", &mut found) };
    found
}

/// # Safety
/// * As for [`missing_fields`].
unsafe fn collect(msg: *const u8, table: TableRef, names: Option<NameRef>, prefix: &str, found: &mut String) {
    let mut types = names.map(NameRef::types).unwrap_or_default().iter();
    let mut labels = names.into_iter().flat_map(NameRef::names);
    for field in fields(table) {
        let label = labels.next().map_or_else(|| format!("{}", field.number()), String::from);
        // SAFETY: by contract.
        let items = unsafe { field.items(msg) };
        let type_names = if typed(&field) { types.next().copied() } else { None };
        if field.op.mode() == Mode::Required && items.count == 0 {
            if !found.is_empty() {
                found.push_str(", ");
            }
            found.push_str(prefix);
            found.push_str(&label);
        }
        let Some(sub) = field.table().filter(|sub| sub.flags().has(Flags::REQUIRED_DEEP)) else { continue };
        for (i, item) in items.iter().enumerate().filter(|(_, item)| !item.is_null()) {
            let inner = match field.op.mode() {
                Mode::Repeated => format!("{prefix}{label}[{i}]."),
                _ => format!("{prefix}{label}."),
            };
            if field.op.kind() == Kind::Map {
                let Some(value) = fields(sub).nth(1) else { continue };
                // SAFETY: the item is a map entry, and its second field a message.
                let value_item = unsafe { value.items(item) };
                if let Some(value_table) = value.table() {
                    // SAFETY: as above.
                    unsafe { collect(value_item.ptr, value_table, type_names, &inner, found) };
                }
            } else {
                // SAFETY: the item is a message that `sub` describes.
                unsafe { collect(item, sub, type_names, &inner, found) };
            }
        }
    }
}
