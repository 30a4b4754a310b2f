//! Which fields are present and what they hold: the match over all ops that the walk and the size walk share.
//!
//! Each arm loads the value of a present field and hands it to the macro that the caller names for its coding; an absent field
//! goes on with the caller's next entry.

use buffa_tables::TableRef;

/// Whether the member with this tag, whose payload is at `src`, is the case of its oneof.
///
/// # Safety
/// * The aux index belongs to that member.
#[inline]
#[allow(unsafe_code, reason = "reads the case of a oneof")]
pub(super) unsafe fn is_case(src: *const u8, table: TableRef, aux_index: usize, tag: u32) -> bool {
    // SAFETY: invariant 3 of `Table`.
    unsafe { src.sub(usize::from(table.aux_unchecked(aux_index).delta())).cast::<u32>().read() == tag >> 3 }
}

/// A value with implicit presence: there if it is not zero.
macro_rules! bare {
    ($t:ty, $src:expr, $next:lifetime) => {{
        let v = $src.cast::<$t>().read();
        if v == 0 {
            continue $next;
        }
        v
    }};
}

/// A value with a flag byte before it.
macro_rules! optional {
    ($t:ty, $src:expr, $next:lifetime) => {{
        if $src.read() == 0 {
            continue $next;
        }
        $src.add(align_of::<$t>()).cast::<$t>().read()
    }};
}

/// A member of a oneof.
macro_rules! member {
    ($t:ty, $src:expr, $table:expr, $aux_index:expr, $tag:expr, $next:lifetime) => {{
        if !is_case($src, $table, $aux_index, $tag) {
            continue $next;
        }
        $src.cast::<$t>().read()
    }};
}

/// The match. `varint`, `word`, `double`, `slice` and `message` get a value (a message may be null: the case of a oneof that holds
/// none); `messages`, `map`, `slices`, `groups`, `scalars` and `packed` handle a whole field; `wide` resolves the escape op.
macro_rules! present {
    (
        $op:expr, $src:expr, $table:expr, $aux_index:expr, $tag:expr, $next:lifetime;
        $varint:ident, $word:ident, $double:ident, $slice:ident, $message:ident;
        $messages:ident, $map:ident, $slices:ident, $groups:ident, $scalars:ident, $packed:ident, $wide:ident
    ) => {
        match $op {
            op::WIDE => $wide!(),
            implicit::INT32 | implicit::OPEN_ENUM => $varint!(sign_extend(bare!(u32, $src, $next))),
            implicit::UINT32 => $varint!(u64::from(bare!(u32, $src, $next))),
            implicit::INT64 | implicit::UINT64 => $varint!(bare!(u64, $src, $next)),
            implicit::SINT32 => $varint!(u64::from(zigzag32(bare!(u32, $src, $next)))),
            implicit::SINT64 => $varint!(zigzag64(bare!(u64, $src, $next))),
            implicit::BOOL => $varint!(u64::from(bare!(u8, $src, $next))),
            implicit::FIXED32 | implicit::SFIXED32 | implicit::FLOAT => $word!(bare!(u32, $src, $next)),
            implicit::FIXED64 | implicit::SFIXED64 | implicit::DOUBLE => $double!(bare!(u64, $src, $next)),

            explicit::INT32 | explicit::OPEN_ENUM | explicit::CLOSED_ENUM
            | required::INT32 | required::OPEN_ENUM | required::CLOSED_ENUM => $varint!(sign_extend(optional!(u32, $src, $next))),
            explicit::UINT32 | required::UINT32 => $varint!(u64::from(optional!(u32, $src, $next))),
            explicit::INT64 | explicit::UINT64 | required::INT64 | required::UINT64 => $varint!(optional!(u64, $src, $next)),
            explicit::SINT32 | required::SINT32 => $varint!(u64::from(zigzag32(optional!(u32, $src, $next)))),
            explicit::SINT64 | required::SINT64 => $varint!(zigzag64(optional!(u64, $src, $next))),
            explicit::BOOL | required::BOOL => $varint!(u64::from(optional!(u8, $src, $next))),
            explicit::FIXED32 | explicit::SFIXED32 | explicit::FLOAT
            | required::FIXED32 | required::SFIXED32 | required::FLOAT => $word!(optional!(u32, $src, $next)),
            explicit::FIXED64 | explicit::SFIXED64 | explicit::DOUBLE
            | required::FIXED64 | required::SFIXED64 | required::DOUBLE => $double!(optional!(u64, $src, $next)),

            oneof::INT32 | oneof::OPEN_ENUM | oneof::CLOSED_ENUM => {
                $varint!(sign_extend(member!(u32, $src, $table, $aux_index, $tag, $next)))
            }
            oneof::UINT32 => $varint!(u64::from(member!(u32, $src, $table, $aux_index, $tag, $next))),
            oneof::INT64 | oneof::UINT64 => $varint!(member!(u64, $src, $table, $aux_index, $tag, $next)),
            oneof::SINT32 => $varint!(u64::from(zigzag32(member!(u32, $src, $table, $aux_index, $tag, $next)))),
            oneof::SINT64 => $varint!(zigzag64(member!(u64, $src, $table, $aux_index, $tag, $next))),
            oneof::BOOL => $varint!(u64::from(member!(u8, $src, $table, $aux_index, $tag, $next))),
            oneof::FIXED32 | oneof::SFIXED32 | oneof::FLOAT => $word!(member!(u32, $src, $table, $aux_index, $tag, $next)),
            oneof::FIXED64 | oneof::SFIXED64 | oneof::DOUBLE => $double!(member!(u64, $src, $table, $aux_index, $tag, $next)),

            always::INT32 | always::OPEN_ENUM | always::CLOSED_ENUM => $varint!(sign_extend($src.cast::<u32>().read())),
            always::UINT32 => $varint!(u64::from($src.cast::<u32>().read())),
            always::INT64 | always::UINT64 => $varint!($src.cast::<u64>().read()),
            always::SINT32 => $varint!(u64::from(zigzag32($src.cast::<u32>().read()))),
            always::SINT64 => $varint!(zigzag64($src.cast::<u64>().read())),
            always::BOOL => $varint!(u64::from($src.read())),
            always::FIXED32 | always::SFIXED32 | always::FLOAT => $word!($src.cast::<u32>().read()),
            always::FIXED64 | always::SFIXED64 | always::DOUBLE => $double!($src.cast::<u64>().read()),

            implicit::STRING | implicit::RAW_STRING | implicit::BYTES => {
                let v = $src.cast::<Slice>().read();
                if v.len == 0 {
                    continue $next;
                }
                $slice!(v)
            }
            explicit::STRING | explicit::RAW_STRING | explicit::BYTES
            | required::STRING | required::RAW_STRING | required::BYTES => {
                let v = $src.cast::<Slice>().read();
                if v.ptr.is_null() {
                    continue $next;
                }
                $slice!(v)
            }
            oneof::STRING | oneof::RAW_STRING | oneof::BYTES => $slice!(member!(Slice, $src, $table, $aux_index, $tag, $next)),
            always::STRING | always::RAW_STRING | always::BYTES => $slice!($src.cast::<Slice>().read()),

            explicit::MESSAGE | required::MESSAGE => {
                let v = $src.cast::<*const u8>().read();
                if v.is_null() {
                    continue $next;
                }
                $message!(v)
            }
            oneof::MESSAGE => $message!(member!(*const u8, $src, $table, $aux_index, $tag, $next)),
            always::MESSAGE => $message!($src),

            each::MESSAGE => $messages!(),
            each::MAP => $map!(),
            each::STRING | each::RAW_STRING | each::BYTES => $slices!(),
            explicit::GROUP | required::GROUP | oneof::GROUP | always::GROUP | each::GROUP => $groups!(),
            each::INT32..=each::DOUBLE => $scalars!(),
            pack::INT32..=pack::DOUBLE => $packed!(),
            // Invariant 1 of `Table`: an entry's op is one of the above.
            _ => core::hint::unreachable_unchecked(),
        }
    };
}

pub(super) use {bare, member, optional, present};
