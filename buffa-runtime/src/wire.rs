//! The wire format below messages: varints and tags (encoding specification, "Base 128 Varints" and "Message Structure").
#![allow(unsafe_code)] // reads and writes through raw pointers

/// Bytes that a decoder may read behind any position where it starts a field.
pub(crate) const SLOP: usize = 16;

/// Reads an unaligned value.
///
/// # Safety
/// * `size_of::<T>()` bytes are readable at `p`, and any bytes are a valid `T`.
#[inline]
pub(crate) unsafe fn load<T: Copy>(p: *const u8) -> T {
    // SAFETY: by contract.
    unsafe { p.cast::<T>().read_unaligned() }
}

/// Reads little-endian `u64`.
///
/// # Safety
/// * Eight bytes are readable at `p`.
#[inline]
pub(crate) unsafe fn load64(p: *const u8) -> u64 {
    // SAFETY: by contract.
    u64::from_le(unsafe { load(p) })
}

/// Reads little-endian `u32`.
///
/// # Safety
/// * Four bytes are readable at `p`.
#[inline]
pub(crate) unsafe fn load32(p: *const u8) -> u32 {
    // SAFETY: by contract.
    u32::from_le(unsafe { load(p) })
}

/// The low 32 bits of a varint, which is what 32-bit fields keep.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the specification truncates")]
pub(crate) const fn low32(value: u64) -> u32 {
    value as u32
}

/// A count that is known to be below 2³², as counts of things in an input of at most 2³¹ bytes are.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "debug-asserted; the callers' bounds are far below")]
pub(crate) const fn count32(n: usize) -> u32 {
    debug_assert!(n as u64 <= u32::MAX as u64);
    n as u32
}

/// The low byte.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the higher bits are shifted out by the caller")]
pub(crate) const fn low8(value: u64) -> u8 {
    value as u8
}

/// ZigZag, 32 bits.
#[inline]
pub(crate) const fn unzigzag32(n: u32) -> u32 {
    (n >> 1) ^ (n & 1).wrapping_neg()
}

/// ZigZag, 64 bits.
#[inline]
pub(crate) const fn unzigzag64(n: u64) -> u64 {
    (n >> 1) ^ (n & 1).wrapping_neg()
}

/// ZigZag, 32 bits.
#[inline]
pub(crate) const fn zigzag32(n: u32) -> u32 {
    (n << 1) ^ ((n as i32) >> 31) as u32
}

/// ZigZag, 64 bits.
#[inline]
pub(crate) const fn zigzag64(n: u64) -> u64 {
    (n << 1) ^ ((n as i64) >> 63) as u64
}

/// Sign-extends what a 32-bit varint field holds, as the specification wants.
#[inline]
pub(crate) const fn sign_extend(v: u32) -> u64 {
    v as i32 as i64 as u64
}

/// Reads a varint of any length at `p`, where up to ten bytes are readable; the pointer is null if it takes more than ten bytes
/// or 64 bits.
///
/// # Safety
/// * Every byte up to the first one below 0x80, at most ten, is readable.
#[inline]
pub(crate) unsafe fn varint(mut p: *const u8) -> (u64, *const u8) {
    let (mut value, mut shift) = (0u64, 0u32);
    loop {
        // SAFETY: no earlier byte ended the varint, and this is at most the tenth.
        let byte = u64::from(unsafe { p.read() });
        // SAFETY: one past a readable byte.
        p = unsafe { p.add(1) };
        value |= (byte & 0x7F) << shift;
        if byte < 0x80 {
            // The tenth byte has room for one bit.
            return if shift == 63 && byte > 1 { (0, core::ptr::null()) } else { (value, p) };
        }
        shift += 7;
        if shift > 63 {
            return (0, core::ptr::null());
        }
    }
}

/// Reads a varint from a slice: value and bytes taken.
pub(crate) fn varint_slice(bytes: &[u8]) -> Option<(u64, usize)> {
    let end = bytes.iter().take(10).position(|&byte| byte < 0x80)?;
    // SAFETY: the slice holds the byte that ends the varint, at most the tenth.
    let (value, p) = unsafe { varint(bytes.as_ptr()) };
    if p.is_null() { None } else { Some((value, end + 1)) }
}

/// Bytes of a varint.
#[inline]
pub(crate) const fn varint_len(value: u64) -> usize {
    // 1 + (index of the highest bit) / 7, by multiplication
    ((64 - (value | 1).leading_zeros() as usize) * 9 + 64) / 64
}

/// Writes a varint and returns the position behind it.
///
/// # Safety
/// * Ten bytes are writable at `p`.
#[inline]
pub(crate) unsafe fn put_varint(p: *mut u8, value: u64) -> *mut u8 {
    if value < 0x80 {
        // SAFETY: by contract.
        unsafe { p.write(low8(value)) };
        // SAFETY: by contract.
        return unsafe { p.add(1) };
    }
    // SAFETY: by contract.
    unsafe { put_long_varint(p, value) }
}

/// # Safety
/// * Ten bytes are writable at `p`.
#[inline]
unsafe fn put_long_varint(mut p: *mut u8, mut value: u64) -> *mut u8 {
    while value >= 0x80 {
        // SAFETY: at most nine bytes go here, ten are writable.
        unsafe { p.write(low8(value) | 0x80) };
        // SAFETY: as above.
        p = unsafe { p.add(1) };
        value >>= 7;
    }
    // SAFETY: the tenth at most.
    unsafe { p.write(low8(value)) };
    // SAFETY: as above.
    unsafe { p.add(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_round_trip() {
        for shift in 0..64 {
            for value in [1u64 << shift, (1u64 << shift) - 1, u64::MAX >> shift] {
                let mut buffer = [0u8; 10];
                // SAFETY: ten bytes.
                let end = unsafe { put_varint(buffer.as_mut_ptr(), value) };
                let len = end.addr() - buffer.as_ptr().addr();
                assert_eq!(len, varint_len(value));
                assert_eq!(varint_slice(&buffer[..len]), Some((value, len)));
                assert_eq!(varint_slice(&buffer[..len - 1]), None);
            }
        }
        assert_eq!(varint_slice(&[0xFF; 11]), None);
        assert_eq!(varint_slice(&[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2]), None);
        assert_eq!(varint_slice(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]), Some((1 << 63, 10)));
    }

    #[test]
    fn zigzag_round_trips() {
        for n in [0u32, 1, 2, u32::MAX, 1 << 31, 12345] {
            assert_eq!(unzigzag32(zigzag32(n)), n);
            assert_eq!(unzigzag64(zigzag64(u64::from(n) << 20)), u64::from(n) << 20);
        }
        assert_eq!(zigzag32(u32::MAX), 1);
    }
}
