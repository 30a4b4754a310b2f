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
use super::unknown::{self, Rejected, rejected_len};
use crate::error::ErrorKind;
use crate::limits::UnknownPolicy;
use crate::wire::{count32, load32, load64, low32, unzigzag32, unzigzag64, varint};
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
            if let Err(error) = field::room(d, array, size_of::<T>(), count) {
                d.fail_arena(error, at);
                return Err(Fault::Recorded);
            }
        }
        Ok((*array).ptr.cast::<T>().add((*array).len as usize))
    }
}

/// A fixed-width element.
trait Fixed: Value {
    /// The value, of which `self` holds the bytes of the input.
    fn le(self) -> Self;
}
impl Fixed for u32 {
    fn le(self) -> u32 {
        u32::from_le(self)
    }
}
impl Fixed for u64 {
    fn le(self) -> u64 {
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
                place.add(i).write(place.add(i).read().le());
            }
        }
        (*array).len += count32(count);
    }
    Ok(())
}

/// # Safety
/// * `array` is a `Repeated` of elements like `T`; `data` lies in the decoder's input.
#[inline]
unsafe fn varints<T: Value>(
    d: &mut Decoder<'_>,
    at: *const u8,
    data: &[u8],
    array: *mut RawRepeated,
    convert: impl Fn(u64) -> T + Copy,
) -> Result<(), Fault> {
    let Some(&last) = data.last() else { return Ok(()) };
    if last >= 0x80 {
        return Err(Fault::Kind(ErrorKind::Truncated));
    }
    let count = terminators(data);
    // Words are read past the end of `data`, though not of the input: a pointer made from `data` must not do that.
    let start = d.input.wrapping_add(data.as_ptr().addr() - d.input.addr());
    // SAFETY: `count` elements are free at `place`, and exactly `count` varints end in `data`, the last at its last byte. The input
    // is shorter than 2³¹ bytes, so `count` fits.
    let valid = unsafe {
        let place = reserve::<T>(d, array, count, at)?;
        let valid = if count == data.len() {
            for (i, &byte) in data.iter().enumerate() {
                place.add(i).write(convert(u64::from(byte)));
            }
            true
        } else if cfg!(target_pointer_width = "64") && data.len() >= STREAMS_FROM {
            streams(data, start, count, place, d.input_end(), convert)
        } else {
            Stream { p: start, out: place }.finish(start.add(data.len()), d.input_end(), convert)
        };
        if valid {
            (*array).len += count32(count);
        }
        valid
    };
    if valid { Ok(()) } else { Err(Fault::Kind(ErrorKind::InvalidVarint)) }
}

/// Runs of at least this many bytes are decoded in four streams.
const STREAMS_FROM: usize = 192;

/// Where varints are read and where they go.
struct Stream<T> {
    p: *const u8,
    out: *mut T,
}

impl<T: Value> Stream<T> {
    /// Decodes one varint, without a branch on its length. False if it is invalid.
    ///
    /// # Safety
    /// * Ten bytes are readable at `p`, and there is room at `out`.
    #[inline]
    unsafe fn step(&mut self, convert: impl Fn(u64) -> T) -> bool {
        // SAFETY: by contract.
        unsafe {
            let (value, next) = swar_varint(self.p);
            self.out.write(convert(value));
            self.out = self.out.add(1);
            if next.is_null() {
                return false;
            }
            self.p = next;
        }
        true
    }

    /// Decodes the next eight bytes if they are eight varints of one byte or four of two bytes, as runs of like values have them.
    ///
    /// # Safety
    /// * Eight bytes are readable at `p`, and there is room for the elements that end in them.
    #[inline]
    unsafe fn uniform(&mut self, convert: impl Fn(u64) -> T) -> bool {
        const HIGH: u64 = 0x8080_8080_8080_8080;
        const TWO_BYTES: u64 = 0x0080_0080_0080_0080;
        // SAFETY: by contract.
        unsafe {
            let word = load64(self.p);
            let count = match word & HIGH {
                TWO_BYTES => {
                    let pairs = word & 0x007F_007F_007F_007F | (word & 0x7F00_7F00_7F00_7F00) >> 1;
                    for i in 0..4 {
                        self.out.add(i).write(convert(pairs >> (16 * i) & 0x3FFF));
                    }
                    4
                }
                0 => {
                    for i in 0..8 {
                        self.out.add(i).write(convert(word >> (8 * i) & 0x7F));
                    }
                    8
                }
                _ => return false,
            };
            (self.p, self.out) = (self.p.add(8), self.out.add(count));
        }
        true
    }

    /// Decodes up to `end`, where a varint ends: one and two bytes by branches, which short runs of like values predict well; longer
    /// ones by words while ten bytes are readable.
    ///
    /// # Safety
    /// * `end ≤ readable`, and up to there bytes are readable; there is room for the elements.
    #[inline(never)]
    unsafe fn finish(mut self, end: *const u8, readable: *const u8, convert: impl Fn(u64) -> T) -> bool {
        // SAFETY: by contract. Each varint ends at a byte before `end` at the latest.
        unsafe {
            while self.p < end {
                if cfg!(target_pointer_width = "64") && end.addr() - self.p.addr() >= 8 && self.uniform(&convert) {
                    continue;
                }
                let first = u64::from(self.p.read());
                let (value, next) = if first < 0x80 {
                    (first, self.p.add(1))
                } else {
                    let second = u64::from(self.p.add(1).read());
                    if second < 0x80 {
                        (first & 0x7F | second << 7, self.p.add(2))
                    } else if cfg!(target_pointer_width = "64") && readable.addr() - self.p.addr() >= 10 {
                        swar_varint(self.p)
                    } else {
                        varint(self.p)
                    }
                };
                if next.is_null() {
                    return false;
                }
                self.out.write(convert(value));
                (self.p, self.out) = (next, self.out.add(1));
            }
        }
        true
    }
}

/// Decodes long runs: where a varint begins depends on the length of the one before, so four of these chains run side by side.
///
/// ```text
///  data  ├── stream 0 ──┤── stream 1 ──┤── stream 2 ──┤── stream 3 ──┤     cut behind a byte below 0x80
///  out   ├── count 0 ───┤── count 1 ───┤ …
/// ```
///
/// # Safety
/// * `data` holds `count` varints and ends with one; `start` points to its first byte and may be read up to `readable`, which is
///   not before the end of `data`; there is room for `count` elements at `place`.
#[inline]
unsafe fn streams<T: Value>(
    data: &[u8],
    start: *const u8,
    count: usize,
    place: *mut T,
    readable: *const u8,
    convert: impl Fn(u64) -> T + Copy,
) -> bool {
    let cut = |from: usize| {
        let rest = data.get(from..).unwrap_or_default();
        from + rest.iter().position(|&byte| byte < 0x80).map_or(rest.len(), |at| at + 1)
    };
    let quarter = data.len() / 4;
    let cuts = [0, cut(quarter), cut(2 * quarter), cut(3 * quarter), data.len()];
    let part = |i: usize| data.get(cuts[i]..cuts[i + 1]).unwrap_or_default();
    let (c0, c1, c2) = (terminators(part(0)), terminators(part(1)), terminators(part(2)));
    let c3 = count - c0 - c1 - c2;
    // SAFETY: the parts hold that many varints each. While a stream has a varint to go, ten bytes are readable at it: the first
    // three parts are followed by the next one, which is longer than that, and of the last one ten elements are left over.
    unsafe {
        let stream = |i: usize, skip: usize| Stream { p: start.add(cuts[i]), out: place.add(skip) };
        let mut s = [stream(0, 0), stream(1, c0), stream(2, c0 + c1), stream(3, c0 + c1 + c2)];
        for _ in 0..c0.min(c1).min(c2).min(c3.saturating_sub(10)) {
            let [s0, s1, s2, s3] = &mut s;
            if !(s0.step(convert) & s1.step(convert) & s2.step(convert) & s3.step(convert)) {
                return false;
            }
        }
        let mut valid = true;
        for (i, stream) in s.into_iter().enumerate() {
            valid &= stream.finish(start.add(cuts[i + 1]), readable, convert);
        }
        valid
    }
}

/// Number of bytes below 0x80.
#[inline(never)]
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
#[expect(clippy::too_many_arguments, reason = "the state of the loop")]
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
    let mut rejected = None::<Rejected>;
    let arena = d.arena;
    while !rest.is_empty() {
        let Some((value, taken)) = crate::wire::varint_slice(rest) else {
            let ended = rest.iter().take(10).any(|&byte| byte < 0x80) || rest.len() >= 10;
            return Err(Fault::Kind(if ended { ErrorKind::InvalidVarint } else { ErrorKind::Truncated }));
        };
        let at = p.wrapping_add(data.len() - rest.len());
        // SAFETY: by contract.
        if unsafe { declared(table, aux_index, low32(value)) } {
            // SAFETY: by contract.
            if unsafe { field::push(d, array, low32(value), at) }.is_null() {
                return Err(Fault::Recorded);
            }
        } else if d.unknown == UnknownPolicy::Error {
            d.fail(ErrorKind::UnknownField, at);
            return Err(Fault::Recorded);
        } else if d.unknown == UnknownPolicy::Keep {
            let fields = match &mut rejected {
                Some(fields) => fields,
                // SAFETY: by contract.
                none => match Rejected::new(unsafe { rejected_room(rest, table, aux_index, number) }, arena) {
                    Ok(fields) => none.insert(fields),
                    Err(error) => {
                        d.fail_arena(error, at);
                        return Err(Fault::Recorded);
                    }
                },
            };
            // SAFETY: `rejected_room` counted this element.
            unsafe { fields.push(number, value) };
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
    // SAFETY: by contract.
    if let Some(Err(error)) = rejected.map(|fields| unsafe { fields.keep(msg, arena) }) {
        d.fail_arena(error, p);
        return Err(Fault::Recorded);
    }
    Ok(())
}

/// Bytes that the elements in `rest` that their enum does not declare take as fields.
///
/// # Safety
/// * The aux index is that of a field of kind `ClosedEnum`.
unsafe fn rejected_room(mut rest: &[u8], table: TableRef, aux_index: usize, number: u32) -> usize {
    let mut room = 0;
    while let Some((value, taken)) = crate::wire::varint_slice(rest) {
        // SAFETY: by contract.
        if !unsafe { declared(table, aux_index, low32(value)) } {
            room += rejected_len(number, value);
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
    room
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
