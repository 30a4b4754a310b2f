//! Extensions: typed access to fields that stand among the unknown ones, and their checks while decoding.
//!
//! An extension is described by the table of a [`Carrier`], a message of one field. Reading one decodes the unknown fields with
//! its number through that table; so every kind, packed or not, goes through the one decoder.
#![allow(unsafe_code)] // runs kernels on carriers

use crate::decode::{Shape, decode_field, split_first};
use crate::error::{DecodeError, ErrorKind};
use crate::limits::{DEFAULT_RECURSION, UnknownPolicy};
use crate::wire::varint_slice;
use buffa_arena::{Arena, ArenaError, Blob, Enum, EnumValue, MessageField, Optional, Repeated, Str, UnknownFields};
use buffa_tables::{Flags, NameRef, TableRef};
use core::marker::PhantomData;

/// A message of one field: what holds the value of an extension while it is decoded or encoded.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Carrier<'a, V> {
    unknown: UnknownFields<'a>,
    /// The value; tables take its offset.
    pub value: V,
}

/// A type with its data's lifetime exchanged.
///
/// # Safety
/// * `In<'x>` is `Self` with every lifetime of data replaced by `'x`.
/// * All-zero bytes are a valid value.
pub unsafe trait FieldFamily {
    /// The type with data that lives for `'x`.
    type In<'x>: 'x;
}

macro_rules! plain {
    ($($type:ty),*) => {$(
        // SAFETY: no lifetime inside, and zero is a value.
        unsafe impl FieldFamily for $type {
            type In<'x> = $type;
        }
    )*};
}
plain!(bool, i32, u32, i64, u64, f32, f64);

// SAFETY: no lifetime inside; zero is a number.
unsafe impl<E: Enum> FieldFamily for EnumValue<E> {
    type In<'x> = EnumValue<E>;
}
// SAFETY: one lifetime.
unsafe impl FieldFamily for Str<'_> {
    type In<'x> = Str<'x>;
}
// SAFETY: one lifetime.
unsafe impl FieldFamily for Blob<'_> {
    type In<'x> = Blob<'x>;
}
// SAFETY: the inner family's; zero is `Unset`.
unsafe impl<T: FieldFamily> FieldFamily for Optional<T> {
    type In<'x> = Optional<T::In<'x>>;
}
// SAFETY: one lifetime and the inner family's; zero is empty.
unsafe impl<T: FieldFamily> FieldFamily for Repeated<'_, T> {
    type In<'x> = Repeated<'x, T::In<'x>>;
}
// SAFETY: one lifetime and the inner family's; zero is unset.
unsafe impl<T: FieldFamily> FieldFamily for MessageField<'_, T> {
    type In<'x> = MessageField<'x, T::In<'x>>;
}

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
    extendee: TableRef,
    table: TableRef,
    names: NameRef,
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

/// Extensions that decoders check: the lists `__buffa::EXTENSIONS` of the packages at hand.
///
/// ```text
/// let registry = ExtensionRegistry::new(&[my::package::__buffa::EXTENSIONS]);
/// let options = DecodeOptions::new().extensions(&registry);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtensionRegistry<'r> {
    lists: &'r [&'r [ExtensionInfo]],
}

impl<'r> ExtensionRegistry<'r> {
    /// A registry of those lists; each must be ascending by number, as generated ones are.
    pub const fn new(lists: &'r [&'r [ExtensionInfo]]) -> ExtensionRegistry<'r> {
        ExtensionRegistry { lists }
    }

    /// The extension of the message with this table that has this number.
    pub fn find(&self, extendee: TableRef, number: u32) -> Option<ExtensionInfo> {
        self.lists.iter().find_map(|list| {
            let from = list.partition_point(|info| info.number() < number);
            let same = list.get(from..)?.iter().take_while(|info| info.number() == number);
            same.copied().find(|info| info.extendee == extendee)
        })
    }

    /// Checks `field`, one whole unknown field of a message with the table `extendee`: structure, UTF-8, required fields. Whether it is
    /// an extension that the registry knows.
    pub(crate) fn check(
        &self,
        extendee: TableRef,
        number: u32,
        field: &[u8],
        arena: &Arena<'_>,
        shape: Shape<'_>,
    ) -> Result<bool, DecodeError> {
        let (number, field) = match extendee.flags().has(Flags::MESSAGE_SET) {
            true => match message_set_item(field) {
                Some((id, body)) => (id, body),
                None => return Ok(false),
            },
            false => (number, field),
        };
        let Some(info) = self.find(extendee, number) else { return Ok(false) };
        let shape = Shape { unknown: UnknownPolicy::Discard, ..shape };
        let (table, shape) = match (extendee.flags().has(Flags::MESSAGE_SET), info.message_table()) {
            // The body of an item is one level further down, like a message in a field. Without this count a message set that
            // extends itself would recurse as deep as its input is long.
            (true, Some(table)) => match shape.depth.checked_sub(1) {
                Some(depth) => (table, Shape { depth, ..shape }),
                None => return Err(DecodeError::new(ErrorKind::TooDeep, 0)),
            },
            (true, None) => return Ok(true),
            (false, _) => (info.table, shape),
        };
        let mark = arena.mark();
        let scratch = arena.try_alloc_zeroed(table.size()).map_err(no_room)?.as_ptr();
        // SAFETY: zeroed memory is the default of the message or carrier that the table describes, and nobody else's.
        let decoded = unsafe { decode_field(scratch, table, field, arena, shape) };
        let complete = shape.partial
            || decoded.is_err()
            || !table.flags().has(Flags::REQUIRED_DEEP)
            // SAFETY: as above.
            || unsafe { crate::walk::is_initialized(scratch, table) };
        // SAFETY: what was allocated since belongs to the scratch message, which is not looked at again.
        unsafe { arena.rewind(mark) };
        decoded?;
        if complete { Ok(true) } else { Err(DecodeError::new(ErrorKind::MissingRequired, 0)) }
    }
}

impl ExtensionInfo {
    /// Whether a field with the extension's number holds a value for it: not so if it is of a closed enum and none of the numbers
    /// is declared.
    fn has_value(&self, field: &[u8]) -> bool {
        let Some(numbers) = self.table.aux().first().and_then(|aux| aux.enum_table()) else { return true };
        let declared = |bytes| varint_slice(bytes).is_some_and(|(n, _)| numbers.contains(crate::wire::low32(n) as i32));
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
    fn message_table(&self) -> Option<TableRef> {
        self.table.aux().first().and_then(|aux| aux.table())
    }
}

/// Type id and body of a message-set item, `group 1 { uint32 type_id = 2; bytes message = 3; }`, in whichever order.
fn message_set_item(field: &[u8]) -> Option<(u32, &[u8])> {
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
            TYPE_ID if id.is_none() => id = Some(crate::wire::low32(varint_slice(value)?.0)),
            MESSAGE if body.is_none() => body = value.get(varint_slice(value)?.1..),
            _ => {}
        }
        rest = next;
    }
    // An item without a message is no extension (nor is it one for C++).
    Some((id?, body?))
}

/// Field number and whole bytes of each field in the run.
fn fields(run: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = run;
    core::iter::from_fn(move || {
        let (tag, len) = split_first(rest)?;
        let (field, next) = rest.split_at_checked(len)?;
        rest = next;
        Some((tag >> 3, field))
    })
}

/// The bytes of `field` that belong to the extension, and the table that reads them.
fn payload<'f>(info: &ExtensionInfo, number: u32, field: &'f [u8]) -> Option<&'f [u8]> {
    if info.extendee.flags().has(Flags::MESSAGE_SET) {
        let (id, body) = message_set_item(field)?;
        return (id == info.number()).then_some(body);
    }
    (number == info.number()).then_some(field)
}

/// Whether the unknown fields hold the extension. A number that a closed enum does not declare does not count.
pub(crate) fn has(info: &ExtensionInfo, unknown: &UnknownFields<'_>) -> bool {
    let mut all = unknown.runs().iter().flat_map(|run| fields(run.as_bytes()));
    all.any(|(number, field)| payload(info, number, field).is_some_and(|bytes| info.has_value(bytes)))
}

/// Decodes the extension into a carrier.
///
/// # Errors
/// When its bytes are malformed for its type, or the arena has no room.
pub(crate) fn get<'a, V: FieldFamily>(
    info: &ExtensionInfo,
    unknown: &UnknownFields<'a>,
    arena: &'a Arena<'_>,
) -> Result<V::In<'a>, DecodeError> {
    let mut carrier = core::mem::MaybeUninit::<Carrier<'a, V::In<'a>>>::zeroed();
    let shape = Shape { depth: DEFAULT_RECURSION, unknown: UnknownPolicy::Discard, partial: true, extensions: None };
    for run in unknown.runs() {
        for (number, field) in fields(run.as_bytes()) {
            let Some(bytes) = payload(info, number, field) else { continue };
            let (target, table) = match (info.extendee.flags().has(Flags::MESSAGE_SET), info.message_table()) {
                // An item of a message set has no tag of its own: its body merges into the message behind the field.
                (true, Some(table)) => {
                    // SAFETY: the carrier's value is a nullable message pointer, at the offset that its entry tells.
                    let place = unsafe { carrier.as_mut_ptr().cast::<u8>().add(carrier_offset(info.table)).cast::<*mut u8>() };
                    // SAFETY: as above.
                    if unsafe { place.read() }.is_null() {
                        let fresh = arena.try_alloc_zeroed(table.size()).map_err(no_room)?;
                        // SAFETY: as above.
                        unsafe { place.write(fresh.as_ptr()) };
                    }
                    // SAFETY: as above.
                    (unsafe { place.read() }, table)
                }
                _ => (carrier.as_mut_ptr().cast(), info.table),
            };
            // SAFETY: the target is live, described by the table, and this function's alone; bytes and arena live for `'a`.
            unsafe { decode_field(target, table, bytes, arena, shape) }?;
        }
    }
    // SAFETY: zeroed memory is a valid carrier (contract of FieldFamily), and the decoder kept it valid.
    Ok(unsafe { carrier.assume_init() }.value)
}

fn no_room(error: ArenaError) -> DecodeError {
    DecodeError::new(if error == ArenaError::Limit { ErrorKind::MemoryLimit } else { ErrorKind::ArenaFull }, 0)
}

fn carrier_offset(table: TableRef) -> usize {
    table.entries().first().map_or(0, |entry| usize::from(entry.offset()))
}

/// Removes the extension's fields.
///
/// # Errors
/// When the arena has no room for the rest.
pub(crate) fn clear<'a>(info: &ExtensionInfo, unknown: &mut UnknownFields<'a>, arena: &'a Arena<'_>) -> Result<(), ArenaError> {
    if !has(info, unknown) {
        return Ok(());
    }
    let mut rest = UnknownFields::EMPTY;
    for run in unknown.runs() {
        let bytes: &'a [u8] = run.as_bytes();
        let mut kept = 0;
        let mut at = 0;
        for (number, field) in fields(bytes) {
            if payload(info, number, field).is_some() {
                rest.try_push_run(bytes.get(kept..at).unwrap_or_default().into(), arena)?;
                kept = at + field.len();
            }
            at += field.len();
        }
        rest.try_push_run(bytes.get(kept..).unwrap_or_default().into(), arena)?;
    }
    *unknown = rest;
    Ok(())
}

/// Replaces the extension's fields by the encoding of `value`.
///
/// # Errors
/// When the value is too long or too deep, or the arena has no room.
pub(crate) fn set<'a, V: FieldFamily>(
    info: &ExtensionInfo,
    unknown: &mut UnknownFields<'a>,
    value: V::In<'a>,
    arena: &'a Arena<'_>,
) -> Result<(), crate::EncodeError> {
    let carrier = Carrier { unknown: UnknownFields::EMPTY, value };
    let source = (&raw const carrier).cast::<u8>();
    let in_set = info.extendee.flags().has(Flags::MESSAGE_SET);
    // SAFETY: a live carrier that the table describes.
    let len = unsafe { crate::encode::size(source, info.table) }?;
    // An item is group start (1), type id (1 + 5), the field with the tag exchanged (at most as long), group end (1).
    let room = |_| crate::EncodeError::BufferTooSmall { needed: len };
    let place = arena.try_alloc(len + 16).map_err(room)?.as_ptr().cast::<core::mem::MaybeUninit<u8>>();
    // SAFETY: fresh memory of that size.
    let buffer = unsafe { core::slice::from_raw_parts_mut(place, len + 16) };
    let from = 8;
    let body = buffer.get_mut(from..).unwrap_or_default();
    // SAFETY: a live carrier that the table describes.
    let written = unsafe { crate::encode::to_slice(source, info.table, body, false) }?;
    // SAFETY: the encoder has written these bytes, which nobody changes any more.
    let encoded: &'a [u8] = unsafe { core::slice::from_raw_parts(place.cast::<u8>().add(from), written) };
    clear(info, unknown, arena).map_err(room)?;
    if !in_set || encoded.is_empty() {
        return unknown.try_push_run(encoded.into(), arena).map_err(room);
    }
    // Exchange the tag: `number, LEN` becomes `3, LEN` inside an item that carries the number as its type id.
    let tag_len = varint_slice(encoded).map_or(0, |(_, n)| n);
    let rest = encoded.get(tag_len..).unwrap_or_default();
    let mut head = [0u8; 16];
    // SAFETY: two bytes, a varint of at most five, one byte: they fit.
    let head_len = unsafe {
        let start = head.as_mut_ptr();
        start.write(0x0B);
        start.add(1).write(0x10);
        let end = crate::wire::put_varint(start.add(2), u64::from(info.number()));
        end.write(0x1A);
        end.addr() + 1 - start.addr()
    };
    let item = arena.try_alloc(head_len + rest.len() + 1).map_err(room)?.as_ptr();
    // SAFETY: fresh memory of the sum of the three lengths.
    let item: &'a [u8] = unsafe {
        item.copy_from_nonoverlapping(head.as_ptr(), head_len);
        item.add(head_len).copy_from_nonoverlapping(rest.as_ptr(), rest.len());
        item.add(head_len + rest.len()).write(0x0C);
        core::slice::from_raw_parts(item, head_len + rest.len() + 1)
    };
    unknown.try_push_run(item.into(), arena).map_err(room)
}
