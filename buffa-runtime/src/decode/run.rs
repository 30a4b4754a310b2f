//! The loop.
//!
//! ```text
//! until the frame ends:
//!     tag   ← one or two bytes (rarely up to five)
//!     entry ← entries[number - 1] if the number is dense, else the next few entries, else binary search
//!     tag == entry.tag?  one compare proves number and wire type;  else: unknown, packed ↔ unpacked, end of group
//!     match entry.op: parse the value and store it at msg + entry.offset
//! ```
#![allow(unsafe_code)] // the kernel

use super::field::{self, Value};
use super::packed;
use super::state::{AtStop, Decoder};
use super::{map, unknown, unpacked};
use crate::error::ErrorKind;
use crate::wire::{load32, load64, low32, unzigzag32, unzigzag64};
use buffa_arena::{Blob, RawRepeated};
use buffa_tables::TableRef;
use buffa_tables::op::{WIDE, always, explicit, implicit, oneof, packed as pack, repeated, required};

/// Merges the frame at `p` into `msg` until its limit, or until the end of group `group` (0: not a group). Returns the position
/// behind it, null after a failure.
///
/// # Safety
/// * `d` is consistent and `p` a position in its frame.
/// * `msg` is a live message that `table` describes (with the lifetime of input and arena), reached only through this pointer.
pub(super) unsafe fn run(d: &mut Decoder<'_>, mut p: *const u8, msg: *mut u8, table: TableRef, group: u32) -> *const u8 {
    let entries = table.entries_ptr();
    let dense = table.dense();
    let mut next = dense as usize;
    // SAFETY: one block, one proof. Reads: at the loop's head `p < d.stop ≤ d.end`, so 16 bytes are readable at `p`
    // (`Decoder` invariant 1); tag and value take at most 15, and whatever is longer is compared with the frame first. Writes: a
    // TableRef is valid, so `msg + offset` is a field with the type that its op names, aligned, inside `msg`; entry and aux
    // indices are in range (invariants of `Table`). Scalars and slices are plain writes; a message pointer read from a field is
    // null or leads to a live message of the sub-table's type, which `msg` owns.
    unsafe {
        'fields: loop {
            if p >= d.stop {
                match d.at_stop(p) {
                    AtStop::Continue(q) => p = q,
                    AtStop::FrameEnd if group == 0 => return p,
                    AtStop::FrameEnd => return d.fail(ErrorKind::InvalidGroup, p),
                    AtStop::Failed => return core::ptr::null(),
                }
            }
            let mut start = p;
            let mut tag = u32::from(p.read());
            if tag < 0x80 {
                p = p.add(1);
            } else {
                let second = u32::from(p.add(1).read());
                if second < 0x80 {
                    tag = (tag & 0x7F) | second << 7;
                    p = p.add(2);
                } else {
                    (tag, p) = field::long_tag(d, p);
                    if p.is_null() {
                        return p;
                    }
                }
            }

            let index = (tag >> 3).wrapping_sub(1);
            let entry = if index < dense {
                entries.add(index as usize).read()
            } else {
                match field::find_sparse(table, tag, &mut next) {
                    Some(entry) => entry,
                    None => {
                        p = unknown::no_entry(d, start, p, tag, msg, table, group);
                        if p.is_null() {
                            return p;
                        }
                        if d.group_ended() {
                            return p;
                        }
                        continue 'fields;
                    }
                }
            };
            if entry.tag() != tag {
                p = unknown::mismatch(d, start, p, tag, entry, msg, table, group);
                if p.is_null() {
                    return p;
                }
                if d.group_ended() {
                    return p;
                }
                continue 'fields;
            }

            let mut dst = msg.add(usize::from(entry.offset()));
            let mut aux_index = usize::from(entry.aux());
            let mut op = entry.op().bits();

            /// One varint at `p`.
            macro_rules! varint {
                () => {{
                    let byte = u64::from(p.read());
                    if byte < 0x80 {
                        p = p.add(1);
                        byte
                    } else {
                        let second = u64::from(p.add(1).read());
                        if second < 0x80 {
                            p = p.add(2);
                            (byte & 0x7F) | second << 7
                        } else {
                            let (value, q) = field::long_varint(d, p);
                            if q.is_null() {
                                return q;
                            }
                            p = q;
                            value
                        }
                    }
                }};
            }
            /// A length at `p` that fits the frame.
            macro_rules! length {
                () => {{
                    let len = varint!();
                    match d.length(len, p) {
                        Some(len) => len,
                        None => return d.fail(ErrorKind::Truncated, start),
                    }
                }};
            }
            /// Parses one value of a coding, whole inside the frame: a cut one must not replace what the field holds.
            macro_rules! value {
                (@whole $v:expr) => {{
                    let v = $v;
                    if d.cut(p) {
                        return d.fail(ErrorKind::Truncated, start);
                    }
                    v
                }};
                (v32) => {
                    value!(@whole low32(varint!()))
                };
                (v64) => {
                    value!(@whole varint!())
                };
                (z32) => {
                    value!(@whole unzigzag32(low32(varint!())))
                };
                (z64) => {
                    value!(@whole unzigzag64(varint!()))
                };
                (bool) => {
                    value!(@whole varint!() != 0)
                };
                (f32) => {
                    value!(@whole {
                        let v = load32(p);
                        p = p.add(4);
                        v
                    })
                };
                (f64) => {
                    value!(@whole {
                        let v = load64(p);
                        p = p.add(8);
                        v
                    })
                };
                (enum) => {{
                    let v = value!(v32);
                    if !field::declared(table, aux_index, v) {
                        p = unknown::rejected_number(d, start, p, msg, table);
                        if p.is_null() {
                            return p;
                        }
                        continue 'fields;
                    }
                    v
                }};
            }
            /// Parses `string` or `bytes`.
            macro_rules! slice {
                (string) => {{
                    let len = length!();
                    if !field::utf8(d, start, p, len) {
                        return d.fail(ErrorKind::InvalidUtf8, p);
                    }
                    slice!(@take len)
                }};
                (bytes) => {{
                    let len = length!();
                    slice!(@take len)
                }};
                (@take $len:ident) => {{
                    let slice = Blob::from_raw(d.alias(p), $len);
                    p = p.add($len);
                    slice
                }};
            }
            macro_rules! bare { ($($coding:tt)*) => {{ let v = value!($($coding)*); Value::store(dst, v); }}; }
            macro_rules! optional { ($($coding:tt)*) => {{ let v = value!($($coding)*); Value::store_optional(dst, v); }}; }
            macro_rules! member {
                ($value:expr) => {{
                    let v = $value;
                    field::write(dst, v);
                    field::set_case(dst, table, aux_index, tag >> 3);
                }};
            }
            /// Parses a sub-message or group into the target.
            macro_rules! sub {
                ($target:expr) => {{
                    let len = length!();
                    let target = $target;
                    p = field::message(d, p, len, target, table.aux_unchecked(aux_index).table_unchecked());
                    if p.is_null() {
                        return p;
                    }
                }};
            }
            macro_rules! pointer {
                () => {{
                    let sub = table.aux_unchecked(aux_index).table_unchecked();
                    let target = field::pointer(d, dst, sub, p);
                    if target.is_null() {
                        return target;
                    }
                    target
                }};
            }
            macro_rules! member_pointer {
                () => {{
                    let sub = table.aux_unchecked(aux_index).table_unchecked();
                    let target = field::member_pointer(d, dst, table, aux_index, sub, tag >> 3, p);
                    if target.is_null() {
                        return target;
                    }
                    target
                }};
            }

            // Every arm goes on with the next field; only a wide entry comes around again, with its real op.
            'op: loop {
                match op {
                    WIDE => {
                        // Its offset is its aux index; op and offset stand there.
                        aux_index = usize::from(entry.offset());
                        let aux = table.aux_unchecked(aux_index);
                        dst = msg.add(aux.offset() as usize);
                        op = aux.op().bits();
                        continue 'op;
                    }
                    implicit::INT32
                    | implicit::UINT32
                    | implicit::OPEN_ENUM
                    | always::INT32
                    | always::UINT32
                    | always::OPEN_ENUM => {
                        bare!(v32)
                    }
                    implicit::INT64 | implicit::UINT64 | always::INT64 | always::UINT64 => bare!(v64),
                    implicit::SINT32 | always::SINT32 => bare!(z32),
                    implicit::SINT64 | always::SINT64 => bare!(z64),
                    implicit::BOOL | always::BOOL => bare!(bool),
                    always::CLOSED_ENUM => bare!(enum),
                    implicit::FIXED32
                    | implicit::SFIXED32
                    | implicit::FLOAT
                    | always::FIXED32
                    | always::SFIXED32
                    | always::FLOAT => {
                        bare!(f32)
                    }
                    implicit::FIXED64
                    | implicit::SFIXED64
                    | implicit::DOUBLE
                    | always::FIXED64
                    | always::SFIXED64
                    | always::DOUBLE => bare!(f64),

                    explicit::INT32
                    | explicit::UINT32
                    | explicit::OPEN_ENUM
                    | required::INT32
                    | required::UINT32
                    | required::OPEN_ENUM => optional!(v32),
                    explicit::INT64 | explicit::UINT64 | required::INT64 | required::UINT64 => optional!(v64),
                    explicit::SINT32 | required::SINT32 => optional!(z32),
                    explicit::SINT64 | required::SINT64 => optional!(z64),
                    explicit::BOOL | required::BOOL => optional!(bool),
                    explicit::CLOSED_ENUM | required::CLOSED_ENUM => optional!(enum),
                    explicit::FIXED32
                    | explicit::SFIXED32
                    | explicit::FLOAT
                    | required::FIXED32
                    | required::SFIXED32
                    | required::FLOAT => optional!(f32),
                    explicit::FIXED64
                    | explicit::SFIXED64
                    | explicit::DOUBLE
                    | required::FIXED64
                    | required::SFIXED64
                    | required::DOUBLE => optional!(f64),

                    oneof::INT32 | oneof::UINT32 | oneof::OPEN_ENUM => member!(value!(v32)),
                    oneof::INT64 | oneof::UINT64 => member!(value!(v64)),
                    oneof::SINT32 => member!(value!(z32)),
                    oneof::SINT64 => member!(value!(z64)),
                    oneof::BOOL => member!(value!(bool)),
                    oneof::CLOSED_ENUM => member!(value!(enum)),
                    oneof::FIXED32 | oneof::SFIXED32 | oneof::FLOAT => member!(value!(f32)),
                    oneof::FIXED64 | oneof::SFIXED64 | oneof::DOUBLE => member!(value!(f64)),

                    implicit::STRING | explicit::STRING | required::STRING | always::STRING => {
                        let v = slice!(string);
                        field::write(dst, v);
                    }
                    implicit::BYTES
                    | explicit::BYTES
                    | required::BYTES
                    | always::BYTES
                    | implicit::RAW_STRING
                    | explicit::RAW_STRING
                    | required::RAW_STRING
                    | always::RAW_STRING => {
                        let v = slice!(bytes);
                        field::write(dst, v);
                    }
                    oneof::STRING => member!(slice!(string)),
                    oneof::BYTES | oneof::RAW_STRING => member!(slice!(bytes)),

                    explicit::MESSAGE | required::MESSAGE => sub!(pointer!()),
                    always::MESSAGE => sub!(dst),
                    oneof::MESSAGE => sub!(member_pointer!()),

                    repeated::STRING => {
                        let array = dst.cast::<RawRepeated>();
                        loop {
                            let slice = slice!(string);
                            p = field::push_slice(d, array, slice, p, tag);
                            if p.is_null() {
                                return p;
                            }
                            match field::same_tag(d, p, tag) {
                                Some(q) => (start, p) = (p, q),
                                None => continue 'fields,
                            }
                        }
                    }
                    repeated::BYTES | repeated::RAW_STRING => {
                        let array = dst.cast::<RawRepeated>();
                        loop {
                            let slice = slice!(bytes);
                            p = field::push_slice(d, array, slice, p, tag);
                            if p.is_null() {
                                return p;
                            }
                            match field::same_tag(d, p, tag) {
                                Some(q) => (start, p) = (p, q),
                                None => continue 'fields,
                            }
                        }
                    }
                    repeated::MESSAGE => {
                        let sub = table.aux_unchecked(aux_index).table_unchecked();
                        let array = dst.cast::<RawRepeated>();
                        loop {
                            let len = length!();
                            let target = field::new_element(d, array, sub, p, len, tag);
                            if target.is_null() {
                                return target;
                            }
                            p = field::message(d, p, len, target, sub);
                            if p.is_null() {
                                return p;
                            }
                            match field::same_tag(d, p, tag) {
                                Some(q) => (start, p) = (p, q),
                                None => continue 'fields,
                            }
                        }
                    }
                    explicit::GROUP | required::GROUP | always::GROUP | oneof::GROUP | repeated::GROUP => {
                        p = field::group(d, p, dst, op, table, aux_index, tag >> 3);
                        if p.is_null() {
                            return p;
                        }
                    }
                    repeated::MAP => {
                        p = map::entries(d, start, p, dst.cast(), table, aux_index, msg, tag);
                        if p.is_null() {
                            return p;
                        }
                    }

                    repeated::INT32..=repeated::DOUBLE => {
                        p = unpacked::elements(d, start, p, dst.cast(), op, table, aux_index, msg, tag);
                        if p.is_null() {
                            return p;
                        }
                    }
                    pack::INT32..=pack::DOUBLE => {
                        let len = length!();
                        p = packed::elements(d, p, len, dst.cast(), op, table, aux_index, msg, tag >> 3);
                        if p.is_null() {
                            return p;
                        }
                    }

                    // Invariant 1 of `Table`: an entry's op is one of the above.
                    _ => core::hint::unreachable_unchecked(),
                }
                continue 'fields;
            }
        }
    }
}
