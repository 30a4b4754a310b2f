//! The paths of missing required fields, e.g. `rr[0].r`.
#![allow(unsafe_code)] // reads messages through their tables

use super::types::typed;
use crate::fields::fields;
use alloc::string::String;
use buffa_tables::{Flags, Kind, Mode, NameRef, TableRef};
use core::fmt::{self, Display, Formatter, Write};

/// No path is begun behind this many bytes. Without a bound the text of an error could be a thousand times as long as the input: a
/// path is as long as the message is deep, and two bytes make an element that lacks its fields.
const ENOUGH: usize = 1000;

/// The paths of the required fields that are missing, separated by `", "`; behind the first thousand bytes `", …"` stands for the
/// rest.
///
/// # Safety
/// * `msg` is a live message that `table` describes, and `names` are its names.
pub(crate) unsafe fn missing_fields(msg: *const u8, table: TableRef, names: NameRef) -> String {
    let mut found = String::new();
    // SAFETY: by contract.
    unsafe { collect(msg, table, Some(names), None, &mut found) };
    found
}

/// One step of the way down, written only if something is missing at its end.
struct Step<'p> {
    up: Option<&'p Step<'p>>,
    label: &'p str,
    number: u32,
    index: Option<usize>,
}

impl Display for Step<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(up) = self.up {
            write!(f, "{up}.")?;
        }
        match self.label {
            "" => write!(f, "{}", self.number)?,
            label => f.write_str(label)?,
        }
        self.index.map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}

/// Returns false when there was enough.
///
/// # Safety
/// * As for [`missing_fields`].
unsafe fn collect(msg: *const u8, table: TableRef, names: Option<NameRef>, up: Option<&Step<'_>>, found: &mut String) -> bool {
    let mut types = names.map(NameRef::types).unwrap_or_default().iter();
    let mut labels = names.into_iter().flat_map(NameRef::names);
    for field in fields(table) {
        let (label, number) = (labels.next().unwrap_or_default(), field.number());
        // SAFETY: by contract.
        let items = unsafe { field.items(msg) };
        let type_names = if typed(&field) { types.next().copied() } else { None };
        if field.op.mode() == Mode::Required && items.count == 0 {
            if found.len() > ENOUGH {
                found.push_str(", …");
                return false;
            }
            let comma = if found.is_empty() { "" } else { ", " };
            // Writing to a string does not fail.
            let _ = write!(found, "{comma}{}", Step { up, label, number, index: None });
        }
        let Some(sub) = field.table().filter(|sub| sub.flags().has(Flags::REQUIRED_DEEP)) else { continue };
        for (i, item) in items.iter().enumerate().filter(|(_, item)| !item.is_null()) {
            let step = Step { up, label, number, index: (field.op.mode() == Mode::Repeated).then_some(i) };
            let more = if field.op.kind() == Kind::Map {
                let Some(value) = fields(sub).nth(1) else { continue };
                let Some(value_table) = value.table() else { continue };
                // SAFETY: the item is a map entry, and its second field a message.
                unsafe { collect(value.items(item).ptr, value_table, type_names, Some(&step), found) }
            } else {
                // SAFETY: the item is a message that `sub` describes.
                unsafe { collect(item, sub, type_names, Some(&step), found) }
            };
            if !more {
                return false;
            }
        }
    }
    true
}
