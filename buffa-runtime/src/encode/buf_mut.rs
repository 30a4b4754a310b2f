//! Encoding into a `bytes::BufMut`.
#![allow(unsafe_code)] // fills the buffer's uninitialized chunk

use crate::error::EncodeError;
use crate::wire::{put_varint, varint_len};
use alloc::vec::Vec;
use bytes::BufMut;
use core::mem::MaybeUninit;

/// Writes a message of `len` bytes, preceded by its length if `delimited`; `write` fills a slice and returns the bytes used.
///
/// # Errors
/// As for [`Message::encode`](crate::Message::encode).
pub(crate) fn to_buf_mut(
    out: &mut impl BufMut,
    len: usize,
    delimited: bool,
    write: impl FnOnce(&mut [MaybeUninit<u8>]) -> Result<usize, EncodeError>,
) -> Result<(), EncodeError> {
    let needed = len + if delimited { varint_len(len as u64) } else { 0 };
    if needed > out.remaining_mut() {
        return Err(EncodeError::BufferTooSmall { needed });
    }
    if delimited {
        let mut head = [0u8; 10];
        // SAFETY: ten bytes.
        let head_len = unsafe { put_varint(head.as_mut_ptr(), len as u64) }.addr() - head.as_ptr().addr();
        out.put_slice(head.get(..head_len).unwrap_or_default());
    }
    if out.chunk_mut().len() >= len {
        // SAFETY: the encoder only writes, so the chunk may be seen as uninitialized bytes.
        let used = write(unsafe { out.chunk_mut().as_uninit_slice_mut() })?;
        // SAFETY: these bytes are written.
        unsafe { out.advance_mut(used) };
        return Ok(());
    }
    // A chain of small chunks: encode aside and copy.
    let mut aside: Vec<u8> = Vec::with_capacity(len);
    let used = write(aside.spare_capacity_mut())?;
    // SAFETY: these bytes are written.
    unsafe { aside.set_len(used) };
    out.put_slice(&aside);
    Ok(())
}
