//! Extensions that a decoder knows.
#![allow(unsafe_code)] // runs kernels on scratch messages

use super::ExtensionInfo;
use super::item::message_set_item;
use super::value::no_room;
use crate::decode::{Shape, decode_field};
use crate::error::{DecodeError, ErrorKind};
use crate::limits::UnknownPolicy;
use buffa_arena::Arena;
use buffa_tables::{Flags, TableRef};

/// Extensions that decoders check: the lists `__buffa::EXTENSIONS` of the packages at hand.
///
/// ```text
/// let registry = ExtensionRegistry::new(&[my::package::__buffa::EXTENSIONS]);
/// let options = DecodeOptions::new().extensions(&registry);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtensionRegistry<'r> {
    pub(super) lists: &'r [&'r [ExtensionInfo]],
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

    /// Checks `field`, one whole unknown field of a message with the table `extendee`: structure and UTF-8. Whether it is an
    /// extension that the registry knows. (Required fields are a matter of the whole message, see [`missing`](super::missing).)
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
        // SAFETY: what was allocated since belongs to the scratch message, which is not looked at again.
        unsafe { arena.rewind(mark) };
        decoded.map(|()| true)
    }
}
