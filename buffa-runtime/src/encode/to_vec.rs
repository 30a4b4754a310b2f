//! Encoding into vectors.
#![allow(unsafe_code)] // the encoder writes into a vector's spare capacity

use super::out::{Grow, Out, SLACK};
use super::run::run;
use crate::error::EncodeError;
use crate::fields::{Slice, fields};
use crate::limits::MAX_MESSAGE;
use alloc::vec::Vec;
use buffa_tables::{Storage, TableRef};
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

/// The encoding of `msg`: written on the stack and copied into a vector of its size, or moved to a growing vector when it does not
/// fit there.
///
/// # Safety
/// * `msg` is a live message that `table` describes.
pub(crate) unsafe fn to_vec(msg: *const u8, table: TableRef, deterministic: bool) -> Result<Vec<u8>, EncodeError> {
    let mut stack = [const { MaybeUninit::<u8>::uninit() }; ON_STACK];
    let range = stack.as_mut_ptr_range();
    let (base, end) = (range.start.cast::<u8>(), range.end.cast::<u8>());
    let mut context = StackThenVec { stack: base, vec: Vec::new(), msg, table };
    let context_at: *mut StackThenVec = &raw mut context;
    let grow: Grow = grow_from_stack;
    let mut out = Out::growing(base, end, grow, context_at.cast(), deterministic);
    // SAFETY: `out` covers the stack buffer; `context_at` is used by `grow_from_stack` alone until the walk is over.
    let p = unsafe { run(&mut out, base, msg, table) };
    if p.is_null() {
        return Err(out.error.unwrap_or(EncodeError::TooLong));
    }
    let used = p.addr() - out.base.addr();
    if used > MAX_MESSAGE {
        return Err(EncodeError::TooLong);
    }
    if context.vec.capacity() == 0 {
        // SAFETY: the encoder has written these bytes of the stack buffer.
        return Ok(unsafe { core::slice::from_raw_parts(base, used) }.to_vec());
    }
    // SAFETY: the encoder has written these bytes of the vector.
    unsafe { context.vec.set_len(used) };
    Ok(context.vec)
}

/// Where [`to_vec`] writes: the vector as soon as it has room, before that the stack.
struct StackThenVec {
    stack: *mut u8,
    vec: Vec<u8>,
    msg: *const u8,
    table: TableRef,
}

/// # Safety
/// * `context` is the `StackThenVec` that [`to_vec`] made.
unsafe fn grow_from_stack(context: *mut (), used: usize, need: usize) -> Option<(*mut u8, *mut u8)> {
    // SAFETY: by contract; nobody else uses it meanwhile.
    let context = unsafe { &mut *context.cast::<StackThenVec>() };
    let on_stack = context.vec.capacity() == 0;
    if !on_stack {
        // SAFETY: the encoder has written `used` bytes of the vector.
        unsafe { context.vec.set_len(used) };
        context.vec.try_reserve(need.max(used)).ok()?;
        return Some(spare(&mut context.vec, 0));
    }
    // SAFETY: the message that `to_vec` was called with.
    let guess = unsafe { shallow(context.msg, context.table) };
    let room = (used + need.max(used)).max(guess + guess / 4);
    context.vec.try_reserve_exact(room).ok()?;
    let (start, end) = spare(&mut context.vec, 0);
    // SAFETY: the encoder has written `used` bytes of the stack buffer; the vector has room for them.
    unsafe { start.copy_from_nonoverlapping(context.stack, used) };
    Some((start, end))
}

/// A guess at the length of a message from its own strings and arrays, not looking into sub-messages; cheap, and near for messages that
/// are large because of a few large values.
///
/// # Safety
/// * `msg` is a live message that `table` describes.
unsafe fn shallow(msg: *const u8, table: TableRef) -> usize {
    let mut total = 0usize;
    for field in fields(table) {
        if field.op.kind().storage() == Storage::Slice {
            // SAFETY: by contract.
            let items = unsafe { field.items(msg) };
            // SAFETY: the items are strings or bytes.
            total += items.iter().map(|item| unsafe { item.cast::<Slice>().read().len } + 4).sum::<usize>();
        }
    }
    total
}
