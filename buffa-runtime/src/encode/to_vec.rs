//! Encoding into vectors.
#![allow(unsafe_code)] // the encoder writes into a vector's spare capacity

use super::out::{Grow, Out, SLACK};
use super::run::run;
use crate::error::EncodeError;
use crate::limits::MAX_MESSAGE;
use alloc::vec::Vec;
use buffa_tables::TableRef;
use core::mem::MaybeUninit;

/// Messages up to this size are written on the stack and copied into a vector of their exact size.
const ON_STACK: usize = 2048;

/// Appends the encoding of `msg` to `vec`; after an error `vec` is as before.
///
/// # Safety
/// * `msg` is a live message that `table` describes.
pub(crate) unsafe fn append(msg: *const u8, table: TableRef, vec: &mut Vec<u8>, deterministic: bool) -> Result<(), EncodeError> {
    let before = vec.len();
    vec.reserve(SLACK);
    let (base, end) = spare(vec, before);
    let mut context = (core::ptr::from_mut(vec), before);
    let context: *mut (*mut Vec<u8>, usize) = &raw mut context;
    let grow: Grow = grow_vec;
    let mut out = Out::growing(base, end, grow, context.cast(), deterministic);
    // SAFETY: `out` covers the vector's spare capacity.
    let p = unsafe { run(&mut out, base, msg, table) };
    if p.is_null() {
        return Err(out.error.unwrap_or(EncodeError::TooLong));
    }
    let used = p.addr() - out.base.addr();
    if used > MAX_MESSAGE {
        return Err(EncodeError::TooLong);
    }
    // SAFETY: `used` bytes behind the old length are written.
    unsafe { (*(*context).0).set_len(before + used) };
    Ok(())
}

/// # Safety
/// * `context` is the pair that [`append`] made: the vector and its length.
unsafe fn grow_vec(context: *mut (), used: usize, need: usize) -> Option<(*mut u8, *mut u8)> {
    // SAFETY: by contract; nobody else uses the vector meanwhile.
    let (vec, before) = unsafe {
        let &mut (vec, before) = &mut *context.cast::<(*mut Vec<u8>, usize)>();
        (&mut *vec, before)
    };
    // SAFETY: the encoder has written `used` bytes behind the old length, and what is reserved counts from there.
    unsafe { vec.set_len(before + used) };
    let room = vec.try_reserve(need.max(used));
    // SAFETY: shortens it to what was there before.
    unsafe { vec.set_len(before) };
    room.ok()?;
    Some(spare(vec, before))
}

/// Start and end of the room behind the first `len` bytes, with provenance over the whole buffer.
fn spare(vec: &mut Vec<u8>, len: usize) -> (*mut u8, *mut u8) {
    let capacity = vec.capacity();
    let start = vec.as_mut_ptr();
    // SAFETY: `len ≤ capacity`.
    unsafe { (start.add(len), start.add(capacity)) }
}

/// The encoding of `msg` in a vector of exactly its size (or a little more, for long messages).
///
/// # Safety
/// * `msg` is a live message that `table` describes.
pub(crate) unsafe fn to_vec(msg: *const u8, table: TableRef, deterministic: bool) -> Result<Vec<u8>, EncodeError> {
    let mut stack = [const { MaybeUninit::<u8>::uninit() }; ON_STACK];
    let range = stack.as_mut_ptr_range();
    let (base, end) = (range.start.cast::<u8>(), range.end.cast::<u8>());
    let mut out = Out::slice(base, end, super::out::Mode::Slice, deterministic);
    // SAFETY: by contract.
    let p = unsafe { run(&mut out, base, msg, table) };
    if !p.is_null() {
        // SAFETY: the encoder has written these bytes.
        let written = unsafe { core::slice::from_raw_parts(base, p.addr() - base.addr()) };
        return Ok(written.to_vec());
    }
    match out.error {
        Some(EncodeError::BufferTooSmall { .. }) => {}
        error => return Err(error.unwrap_or(EncodeError::TooLong)),
    }
    // SAFETY: by contract.
    let len = unsafe { super::size::size(msg, table) }?;
    let mut vec = Vec::with_capacity(len + SLACK);
    // SAFETY: by contract.
    unsafe { append(msg, table, &mut vec, deterministic) }?;
    Ok(vec)
}
