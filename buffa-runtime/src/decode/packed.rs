//! Packed runs.
//!
//! ```text
//! fixed:  copy the bytes
//! varint: count the bytes below 0x80 (= elements), reserve exactly, then
//!         all of one byte?  widen  :  decode one by one, eight bytes at a time where that many are left
//! ```
#![allow(unsafe_code)] // the kernel

use super::field::{self, Value, declared, swar_varint};
use super::state::Decoder;
use super::unknown;
use crate::error::ErrorKind;
use crate::wire::{load32, load64, low32, unzigzag32, unzigzag64, varint};
use buffa_arena::RawRepeated;
use buffa_tables::{Kind, TableRef};

/// Appends the `len` bytes of elements at `p` to `array`; returns the position behind them.
///
/// # Safety
/// * `array` is the `Repeated` field of `msg` with this op and aux; `len` bytes of the frame are left at `p`.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "the state of the loop")]
pub(super) unsafe fn elements(
    d: &mut Decoder<'_>,
    p: *const u8,
    len: usize,
    array: *mut RawRepeated,
    op: u8,
    table: TableRef,
    aux_index: usize,
    msg: *mut u8,
    number: u32,
) -> *const u8 {
    // The run is read from the input itself, never from the patch: no byte behind it is touched.
    // SAFETY: `len` bytes of the frame are left, hence of the input.
    let data = unsafe { core::slice::from_raw_parts(d.alias(p), len) };
    // SAFETY: `array` has elements of the storage that the kind names.
    let result = unsafe {
        match op & 31 {
            K_FIXED32 | K_SFIXED32 | K_FLOAT => fixed::<u32>(d, p, data, array),
            K_FIXED64 | K_SFIXED64 | K_DOUBLE => fixed::<u64>(d, p, data, array),
            K_INT32 | K_UINT32 | K_OPEN_ENUM => varints(d, p, data, array, low32),
            K_INT64 | K_UINT64 => varints(d, p, data, array, |v| v),
            K_SINT32 => varints(d, p, data, array, |v| unzigzag32(low32(v))),
            K_SINT64 => varints(d, p, data, array, unzigzag64),
            K_BOOL => varints(d, p, data, array, |v| v != 0),
            _ => closed(d, p, data, array, table, aux_index, msg, number),
        }
    };
    match result {
        // SAFETY: `len` bytes of the frame were left.
        Ok(()) => unsafe { p.add(len) },
        Err(Fault::Kind(kind)) => d.fail(kind, p),
        Err(Fault::Recorded) => core::ptr::null(),
    }
}

/// Why a run was rejected.
enum Fault {
    Kind(ErrorKind),
    /// The decoder has recorded the error.
    Recorded,
}

macro_rules! kind_bits {
    ($($name:ident = $kind:ident),*) => { $(const $name: u8 = Kind::$kind as u8;)* };
}
kind_bits!(
    K_INT32 = Int32,
    K_INT64 = Int64,
    K_UINT32 = Uint32,
    K_UINT64 = Uint64,
    K_SINT32 = Sint32,
    K_SINT64 = Sint64,
    K_BOOL = Bool,
    K_OPEN_ENUM = OpenEnum,
    K_FIXED32 = Fixed32,
    K_FIXED64 = Fixed64,
    K_SFIXED32 = Sfixed32,
    K_SFIXED64 = Sfixed64,
    K_FLOAT = Float,
    K_DOUBLE = Double
);

/// Makes room for `count` more elements and returns the place of the first.
///
/// # Safety
/// * `array` is a `Repeated` of elements like `T`.
unsafe fn reserve<T: Value>(d: &mut Decoder<'_>, array: *mut RawRepeated, count: usize, at: *const u8) -> Result<*mut T, Fault> {
    // SAFETY: by contract.
    unsafe {
        let free = (*array).cap.saturating_sub((*array).len) as usize;
        if free < count {
            if let Err(error) = (*array).grow(size_of::<T>(), count, d.arena) {
                d.fail_arena(error, at);
                return Err(Fault::Recorded);
            }
        }
        Ok((*array).ptr.cast::<T>().add((*array).len as usize))
    }
}

/// A fixed-width element.
trait Fixed: Value {
    fn from_little_endian(self) -> Self;
}
impl Fixed for u32 {
    fn from_little_endian(self) -> u32 {
        u32::from_le(self)
    }
}
impl Fixed for u64 {
    fn from_little_endian(self) -> u64 {
        u64::from_le(self)
    }
}

/// # Safety
/// * `array` is a `Repeated` of elements like `T`.
unsafe fn fixed<T: Fixed>(d: &mut Decoder<'_>, at: *const u8, data: &[u8], array: *mut RawRepeated) -> Result<(), Fault> {
    let size = size_of::<T>();
    if data.len() % size != 0 {
        return Err(Fault::Kind(ErrorKind::InvalidPacked));
    }
    let count = data.len() / size;
    if count == 0 {
        return Ok(());
    }
    // SAFETY: `count` elements are free at `place`, which is fresh memory that `data` cannot overlap; the input is shorter than
    // 2³¹ bytes, so `count` fits.
    unsafe {
        let place = reserve::<T>(d, array, count, at)?;
        place.cast::<u8>().copy_from_nonoverlapping(data.as_ptr(), data.len());
        if cfg!(target_endian = "big") {
            for i in 0..count {
                place.add(i).write(place.add(i).read().from_little_endian());
            }
        }
        (*array).len += count as u32;
    }
    Ok(())
}

/// # Safety
/// * `array` is a `Repeated` of elements like `T`.
#[inline(always)]
unsafe fn varints<T: Value>(
    d: &mut Decoder<'_>,
    at: *const u8,
    data: &[u8],
    array: *mut RawRepeated,
    convert: impl Fn(u64) -> T,
) -> Result<(), Fault> {
    let Some(&last) = data.last() else { return Ok(()) };
    if last >= 0x80 {
        return Err(Fault::Kind(ErrorKind::Truncated));
    }
    let count = terminators(data);
    // SAFETY: `count` elements are free at `place`, and exactly `count` varints end in `data`, the last at its last byte.
    unsafe {
        let mut place = reserve::<T>(d, array, count, at)?;
        if count == data.len() {
            for &byte in data {
                place.write(convert(u64::from(byte)));
                place = place.add(1);
            }
        } else {
            let range = data.as_ptr_range();
            let mut p = range.start;
            // Whole words are read while ten bytes are left, then byte by byte up to the terminator that is known to come.
            let fast = if data.len() > 10 { range.end.sub(10) } else { p };
            while p < range.end {
                let first = u64::from(p.read());
                let value;
                if first < 0x80 {
                    value = first;
                    p = p.add(1);
                } else {
                    let second = u64::from(p.add(1).read());
                    if second < 0x80 {
                        value = first & 0x7F | second << 7;
                        p = p.add(2);
                    } else {
                        (value, p) = if p < fast { swar_varint(p) } else { varint(p) };
                        if p.is_null() {
                            return Err(Fault::Kind(ErrorKind::InvalidVarint));
                        }
                    }
                }
                place.write(convert(value));
                place = place.add(1);
            }
        }
        (*array).len += count as u32;
    }
    Ok(())
}

/// Number of bytes below 0x80.
fn terminators(data: &[u8]) -> usize {
    let (words, rest) = data.split_at(data.len() & !7);
    let mut count = 0;
    for word in words.chunks_exact(8) {
        // SAFETY: eight bytes.
        let word = unsafe { load64(word.as_ptr()) };
        count += (!word & 0x8080_8080_8080_8080).count_ones() as usize;
    }
    count + rest.iter().filter(|&&byte| byte < 0x80).count()
}

/// A run of a closed enum: numbers that it does not declare become unknown fields.
///
/// # Safety
/// * As for [`elements`], with a closed enum.
unsafe fn closed(
    d: &mut Decoder<'_>,
    p: *const u8,
    data: &[u8],
    array: *mut RawRepeated,
    table: TableRef,
    aux_index: usize,
    msg: *mut u8,
    number: u32,
) -> Result<(), Fault> {
    let mut rest = data;
    while !rest.is_empty() {
        let Some((value, taken)) = crate::wire::varint_slice(rest) else {
            let ended = rest.iter().take(10).any(|&byte| byte < 0x80) || rest.len() >= 10;
            return Err(Fault::Kind(if ended { ErrorKind::InvalidVarint } else { ErrorKind::Truncated }));
        };
        let at = p.wrapping_add(data.len() - rest.len());
        // SAFETY: by contract.
        let pushed = unsafe {
            if declared(table, aux_index, low32(value)) {
                field::push(d, array, low32(value), at)
            } else {
                unknown::rejected_element(d, at, number, value, msg)
            }
        };
        if pushed.is_null() {
            return Err(Fault::Recorded);
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
    Ok(())
}

/// One unpacked element of a field that is declared packed.
///
/// # Safety
/// * As for [`elements`]; 16 bytes are readable at `start`, where the tag stands, and the value is at `p`.
#[expect(clippy::too_many_arguments, reason = "the state of the loop")]
pub(super) unsafe fn one(
    d: &mut Decoder<'_>,
    start: *const u8,
    p: *const u8,
    array: *mut RawRepeated,
    kind: Kind,
    table: TableRef,
    aux_index: usize,
    msg: *mut u8,
) -> *const u8 {
    // SAFETY: tag and value take at most 15 of the readable bytes; the field has elements of the kind.
    unsafe {
        match kind {
            Kind::Fixed32 | Kind::Sfixed32 | Kind::Float => return field::push(d, array, load32(p), p.add(4)),
            Kind::Fixed64 | Kind::Sfixed64 | Kind::Double => return field::push(d, array, load64(p), p.add(8)),
            _ => {}
        }
        let (value, p) = field::long_varint(d, p);
        if p.is_null() {
            return p;
        }
        match kind {
            Kind::Int64 | Kind::Uint64 => field::push(d, array, value, p),
            Kind::Sint32 => field::push(d, array, unzigzag32(low32(value)), p),
            Kind::Sint64 => field::push(d, array, unzigzag64(value), p),
            Kind::Bool => field::push(d, array, value != 0, p),
            Kind::ClosedEnum if !declared(table, aux_index, low32(value)) => unknown::rejected_number(d, start, p, msg, table),
            _ => field::push(d, array, low32(value), p),
        }
    }
}
