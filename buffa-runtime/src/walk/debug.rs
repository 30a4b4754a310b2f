//! Debug output: the fields that are present, by their proto names.
#![allow(unsafe_code)] // reads messages through their tables

use super::types::typed;
use crate::Message;
use crate::fields::{Field, Slice, fields};
use buffa_arena::UnknownFields;
use buffa_tables::{Flags, Kind, Mode, NameRef, TableRef};
use core::fmt::{Debug, Formatter, Result};

/// Formats a message as `full.Name { field: value, … }`.
///
/// # Errors
/// Those of the formatter.
pub fn debug<'a, M: Message<'a>>(message: &M, f: &mut Formatter<'_>) -> Result {
    Node { ptr: (&raw const *message).cast(), table: M::TABLE, names: Some(M::NAMES) }.fmt(f)
}

/// A live message. Only made here, from a reference that outlives the formatting.
struct Node {
    ptr: *const u8,
    table: TableRef,
    names: Option<NameRef>,
}

impl Debug for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut types = self.names.map(NameRef::types).unwrap_or_default().iter();
        let mut labels = self.names.into_iter().flat_map(NameRef::names);
        let mut out = f.debug_struct(self.names.map_or("message", NameRef::full_name));
        for field in fields(self.table) {
            let label = labels.next().unwrap_or("?");
            let names = if typed(&field) { types.next().copied() } else { None };
            // SAFETY: a live message that the table describes.
            let items = unsafe { field.items(self.ptr) };
            let value = |ptr| Value { ptr, field: &field, names };
            if matches!(field.op.mode(), Mode::Repeated | Mode::Packed) {
                if items.count != 0 {
                    out.field(label, &List(|| items.iter().map(value)));
                }
            } else if items.count != 0 {
                out.field(label, &value(items.ptr));
            }
        }
        if !self.table.flags().has(Flags::MAP_ENTRY) {
            // SAFETY: such a message begins with its unknown fields.
            let unknown = unsafe { &*self.ptr.cast::<UnknownFields<'_>>() };
            if !unknown.is_empty() {
                out.field("unknown", unknown);
            }
        }
        out.finish()
    }
}

struct List<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Debug>> Debug for List<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_list().entries((self.0)()).finish()
    }
}

/// One value of a field of a [`Node`].
struct Value<'t> {
    ptr: *const u8,
    field: &'t Field<'t>,
    names: Option<NameRef>,
}

impl Debug for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        // SAFETY: an item of the field, of the type that its kind names.
        unsafe {
            match self.field.op.kind() {
                Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => self.ptr.cast::<i32>().read().fmt(f),
                Kind::Uint32 | Kind::Fixed32 => self.ptr.cast::<u32>().read().fmt(f),
                Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => self.ptr.cast::<i64>().read().fmt(f),
                Kind::Uint64 | Kind::Fixed64 => self.ptr.cast::<u64>().read().fmt(f),
                Kind::Bool => self.ptr.cast::<bool>().read().fmt(f),
                Kind::Float => self.ptr.cast::<f32>().read().fmt(f),
                Kind::Double => self.ptr.cast::<f64>().read().fmt(f),
                Kind::OpenEnum | Kind::ClosedEnum => {
                    let number = self.ptr.cast::<i32>().read();
                    match self.names.and_then(|names| names.value_name(number)) {
                        Some(name) => f.write_str(name),
                        None => number.fmt(f),
                    }
                }
                Kind::String => Text(self.ptr.cast::<Slice>().read().bytes()).fmt(f),
                Kind::RawString | Kind::Bytes => write!(f, "b\"{}\"", self.ptr.cast::<Slice>().read().bytes().escape_ascii()),
                Kind::Message | Kind::Group | Kind::Map => match self.field.table() {
                    Some(table) if !self.ptr.is_null() => {
                        let node = Node { ptr: self.ptr, table, names: self.names };
                        if self.field.op.kind() == Kind::Map { Entry { node, names: self.names }.fmt(f) } else { node.fmt(f) }
                    }
                    _ => f.write_str("{}"),
                },
            }
        }
    }
}

/// Text whose UTF-8 was checked when it entered the message.
struct Text<'m>(&'m [u8]);

impl Debug for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match core::str::from_utf8(self.0) {
            Ok(text) => text.fmt(f),
            Err(_) => self.0.fmt(f),
        }
    }
}

/// A map entry as `key: value`.
struct Entry {
    node: Node,
    names: Option<NameRef>,
}

impl Debug for Entry {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut members = fields(self.node.table).map(|field| {
            // SAFETY: an entry that the table describes; its members are always present.
            let ptr = unsafe { field.items(self.node.ptr) }.ptr;
            (field, ptr)
        });
        if let Some((field, ptr)) = members.next() {
            Value { ptr, field: &field, names: None }.fmt(f)?;
        }
        f.write_str(": ")?;
        match members.next() {
            Some((field, ptr)) => Value { ptr, field: &field, names: self.names }.fmt(f),
            None => Ok(()),
        }
    }
}
