//! Map entries.
#![allow(unsafe_code)] // the kernel

use super::field;
use super::state::Decoder;
use super::unknown;
use crate::error::ErrorKind;
use crate::fields::key_of;
use buffa_arena::RawMap;
use buffa_tables::TableRef;

/// Decodes the entry at `p`, behind the tag at `start`, and those with the same tag that follow.
///
/// # Safety
/// * As for [`run`](super::run::run); `map` is the map field of `msg` whose aux index this is.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "the state of the loop")]
pub(super) unsafe fn entries(
    d: &mut Decoder<'_>,
    mut start: *const u8,
    mut p: *const u8,
    map: *mut RawMap,
    table: TableRef,
    aux_index: usize,
    msg: *mut u8,
    tag: u32,
) -> *const u8 {
    // SAFETY: by contract the field is a map whose entries have this table; 16 bytes are readable at `start`, of which tag and
    // length take at most 15; the slot is memory for one entry.
    unsafe {
        let entry = table.aux_unchecked(aux_index).table_unchecked();
        let (size, key) = (entry.size(), key_of(entry));
        loop {
            let begin = d.alias(start);
            let mut len = u64::from(p.read());
            p = p.add(1);
            if len >= 0x80 {
                (len, p) = field::long_varint(d, p.sub(1));
                if p.is_null() {
                    return p;
                }
            }
            let Some(len) = d.length(len, p) else { return d.fail(ErrorKind::Truncated, start) };
            let expected = if (*map).is_full() { field::count_run(d, p.wrapping_add(len), tag) } else { 1 };
            let slot = match (*map).slot(size, expected, d.arena) {
                Ok(slot) => slot,
                Err(error) => return d.fail_arena(error, start),
            };
            // The entry itself is no level of nesting: it is part of its field.
            let delta = d.push(p, len);
            d.entry_rejected = false;
            p = super::run::run(d, p, slot, entry, 0);
            d.pop(delta);
            if p.is_null() {
                return p;
            }
            if core::mem::take(&mut d.entry_rejected) {
                p = unknown::keep(d, begin, p, tag >> 3, msg, table);
                if p.is_null() {
                    return p;
                }
            } else if let Err(error) = (*map).commit(size, key, d.arena) {
                // Not at `start`: the entry may have ended in the patch buffer, which `start` knows nothing of.
                return d.fail_arena(error, p);
            }
            match field::same_tag(d, p, tag) {
                Some(q) => (start, p) = (p, q),
                None => return p,
            }
        }
    }
}
