//! The trait of generated messages.
#![allow(unsafe_code)] // hands messages to the kernels

use crate::error::{DecodeError, EncodeError, ErrorKind};
use crate::extension::{self, Extension, FieldFamily};
use crate::limits::DecodeOptions;
use crate::wire::{put_varint, varint_len, varint_slice};
use crate::{decode, encode, walk};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use buffa_arena::{Arena, ArenaError, LivesIn, UnknownFields};
use buffa_tables::{Flags, NameRef, TableRef};
use core::mem::MaybeUninit;

/// A generated message whose data lives for `'a`.
///
/// Decoding borrows: strings, bytes and unknown fields are slices of the input, everything else lies in the arena. A message is a plain
/// value; build one by struct literal with `..Default::default()`.
///
/// # Safety
/// * `TABLE` describes `Self`: size, and for every entry a field with the type that its op names; `NAMES` are its names.
/// * `Self` begins with its [`UnknownFields`], is `#[repr(C)]`, covariant in `'a`, without drop glue or interior mutability, and all-zero
///   bytes are its default value.
/// * `With<'x>` is `Self` with the lifetime `'x`.
pub unsafe trait Message<'a>: LivesIn<'a> + Default + Send + Sync {
    /// The same message with another lifetime.
    type With<'x>: Message<'x>;
    /// Layout and coding of the fields.
    const TABLE: TableRef;
    /// Names of the fields; linked only where they are asked for.
    const NAMES: NameRef;

    /// Decodes a message (encoding specification, "Message Structure").
    ///
    /// # Errors
    /// The kind and position of the first fault: malformed or truncated input, a string that is not UTF-8, a missing required field, a
    /// limit of [`DecodeOptions`], no room in the arena.
    #[inline]
    fn decode(input: &'a [u8], arena: &'a Arena<'_>) -> Result<Self, DecodeError> {
        Self::decode_with(input, arena, &DecodeOptions::new())
    }

    /// [`Message::decode`] with options.
    ///
    /// # Errors
    /// As for [`Message::decode`].
    #[inline]
    fn decode_with(input: &'a [u8], arena: &'a Arena<'_>, options: &DecodeOptions<'_>) -> Result<Self, DecodeError> {
        // Built inside the result, so that no copy of the message is made on the way out.
        let mut result = Ok(Self::default());
        if let Ok(message) = &mut result {
            if let Err(error) = decode_complete(message, input, arena, options) {
                result = Err(error);
            }
        }
        result
    }

    /// Decodes into a message that lives in the arena: no copy of the message struct is made, so this is the fastest way.
    ///
    /// # Errors
    /// As for [`Message::decode`].
    #[inline]
    fn decode_in(input: &'a [u8], arena: &'a Arena<'_>, options: &DecodeOptions<'_>) -> Result<&'a mut Self, DecodeError> {
        let message = arena.try_place(Self::default()).map_err(arena_error)?;
        decode_complete(message, input, arena, options)?;
        Ok(message)
    }

    /// [`Message::decode_with`] without the check of required fields.
    ///
    /// # Errors
    /// As for [`Message::decode`], except for missing required fields.
    #[inline]
    fn decode_partial(input: &'a [u8], arena: &'a Arena<'_>, options: &DecodeOptions<'_>) -> Result<Self, DecodeError> {
        let mut message = Self::default();
        merge(&mut message, input, arena, options, true)?;
        Ok(message)
    }

    /// Copies `input` into the arena and decodes the copy, so that the message does not borrow `input`.
    ///
    /// # Errors
    /// As for [`Message::decode`].
    #[inline]
    fn decode_copied(input: &[u8], arena: &'a Arena<'_>, options: &DecodeOptions<'_>) -> Result<Self, DecodeError> {
        Self::decode_with(copy(input, arena)?, arena, options)
    }

    /// Decodes a message that is preceded by its length as a varint, and returns it with the number of bytes read.
    ///
    /// # Errors
    /// As for [`Message::decode`]; [`ErrorKind::Truncated`] when the input is shorter than the length says.
    fn decode_length_delimited(
        input: &'a [u8],
        arena: &'a Arena<'_>,
        options: &DecodeOptions<'_>,
    ) -> Result<(Self, usize), DecodeError> {
        let body = delimited(input, options)?;
        let head = body.as_ptr().addr() - input.as_ptr().addr();
        let message = Self::decode_with(body, arena, options).map_err(|error| error.behind(head))?;
        Ok((message, head + body.len()))
    }

    /// Merges `input` into the message: singular scalars and strings are replaced, messages merged, repeated fields and maps extended.
    /// Required fields are not checked ([`Message::is_initialized`] does), as later input may still bring them.
    ///
    /// # Errors
    /// As for [`Message::decode`]. The message is then valid and keeps what it had and what was merged before the fault.
    #[inline]
    fn merge(&mut self, input: &'a [u8], arena: &'a Arena<'_>) -> Result<(), DecodeError> {
        merge(self, input, arena, &DecodeOptions::new(), true)
    }

    /// [`Message::merge`] with options.
    ///
    /// # Errors
    /// As for [`Message::merge`].
    #[inline]
    fn merge_with(&mut self, input: &'a [u8], arena: &'a Arena<'_>, options: &DecodeOptions<'_>) -> Result<(), DecodeError> {
        merge(self, input, arena, options, true)
    }

    /// Copies `input` into the arena and merges the copy.
    ///
    /// # Errors
    /// As for [`Message::merge`].
    #[inline]
    fn merge_copied(&mut self, input: &[u8], arena: &'a Arena<'_>, options: &DecodeOptions<'_>) -> Result<(), DecodeError> {
        merge(self, copy(input, arena)?, arena, options, true)
    }

    /// Decodes from memory that the result owns a copy of.
    ///
    /// # Errors
    /// As for [`Message::decode`].
    #[cfg(feature = "alloc")]
    #[inline]
    fn decode_from_slice(input: &[u8]) -> Result<crate::Owned<Self::With<'static>>, DecodeError> {
        crate::Owned::decode(input, &DecodeOptions::new())
    }

    /// Decodes from a `bytes::Bytes`, which the result keeps and borrows from; nothing is copied.
    ///
    /// # Errors
    /// As for [`Message::decode`].
    #[cfg(feature = "alloc")]
    #[inline]
    fn decode_from_bytes(input: bytes::Bytes) -> Result<crate::Owned<Self::With<'static>>, DecodeError> {
        crate::Owned::decode_bytes(input, &DecodeOptions::new())
    }

    /// Decodes what is left in a `bytes::Buf`; a `Bytes` is not copied.
    ///
    /// # Errors
    /// As for [`Message::decode`].
    #[cfg(feature = "alloc")]
    #[inline]
    fn decode_from_buf(mut input: impl bytes::Buf) -> Result<crate::Owned<Self::With<'static>>, DecodeError> {
        let all = input.remaining();
        Self::decode_from_bytes(input.copy_to_bytes(all))
    }

    /// Whether every required field is set, here and below.
    #[inline]
    fn is_initialized(&self) -> bool {
        // SAFETY: `TABLE` describes `Self`.
        unsafe { walk::is_initialized(pointer(self), Self::TABLE) }
    }

    /// Paths of the required fields that are not set, e.g. `rr[0].r, s`; empty if none is missing.
    #[cfg(feature = "alloc")]
    fn missing_fields(&self) -> alloc::string::String {
        // SAFETY: `TABLE` and `NAMES` describe `Self`.
        unsafe { walk::missing_fields(pointer(self), Self::TABLE, Self::NAMES) }
    }

    /// An error that names the missing required fields, if there are any.
    ///
    /// # Errors
    /// [`ErrorKind::MissingRequired`].
    #[inline]
    fn check_required(&self) -> Result<(), DecodeError> {
        if Self::TABLE.flags().has(Flags::REQUIRED_DEEP) && !self.is_initialized() {
            return Err(missing(self));
        }
        Ok(())
    }

    /// The encoded message.
    ///
    /// # Panics
    /// When it would be longer than 2 GiB or is nested more than [`MAX_DEPTH`](crate::limits::MAX_DEPTH) levels deep;
    /// [`Message::try_encode_to_vec`] reports that instead.
    #[cfg(feature = "alloc")]
    #[inline]
    fn encode_to_vec(&self) -> Vec<u8> {
        // SAFETY: `TABLE` describes `Self`.
        unsafe { vec_or_panic(pointer(self), Self::TABLE) }
    }

    /// The encoded message.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`], [`EncodeError::TooDeep`].
    #[cfg(feature = "alloc")]
    #[inline]
    fn try_encode_to_vec(&self) -> Result<Vec<u8>, EncodeError> {
        // SAFETY: `TABLE` describes `Self`.
        unsafe { encode::to_vec(pointer(self), Self::TABLE, false) }
    }

    /// The encoded message with map entries sorted by key: equal messages give equal bytes.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`], [`EncodeError::TooDeep`].
    #[cfg(feature = "alloc")]
    #[inline]
    fn encode_deterministic(&self) -> Result<Vec<u8>, EncodeError> {
        // SAFETY: `TABLE` describes `Self`.
        unsafe { encode::to_vec(pointer(self), Self::TABLE, true) }
    }

    /// Appends the encoded message to `vec`, whose room is reused.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`], [`EncodeError::TooDeep`]; then `vec` is as before.
    #[cfg(feature = "alloc")]
    #[inline]
    fn encode_append(&self, vec: &mut Vec<u8>) -> Result<(), EncodeError> {
        // SAFETY: `TABLE` describes `Self`.
        unsafe { encode::append(pointer(self), Self::TABLE, vec, false) }
    }

    /// Writes the encoded message into a `bytes::BufMut`.
    ///
    /// # Errors
    /// [`EncodeError::BufferTooSmall`] if it has no room; nothing is written then. [`EncodeError::TooLong`], [`EncodeError::TooDeep`].
    #[cfg(feature = "alloc")]
    #[inline]
    fn encode(&self, out: &mut impl bytes::BufMut) -> Result<(), EncodeError> {
        encode::to_buf_mut(out, self.encoded_len()?, false, |buffer| {
            // SAFETY: `TABLE` describes `Self`.
            unsafe { encode::to_slice(pointer(self), Self::TABLE, buffer, false) }
        })
    }

    /// The same, preceded by the length as a varint.
    ///
    /// # Errors
    /// As for [`Message::encode`].
    #[cfg(feature = "alloc")]
    #[inline]
    fn encode_length_delimited(&self, out: &mut impl bytes::BufMut) -> Result<(), EncodeError> {
        encode::to_buf_mut(out, self.encoded_len()?, true, |buffer| {
            // SAFETY: `TABLE` describes `Self`.
            unsafe { encode::to_slice(pointer(self), Self::TABLE, buffer, false) }
        })
    }

    /// Writes the encoded message to the start of `buffer` and returns that part. Fastest when there are 32 bytes of room behind the
    /// message; not one byte is needed.
    ///
    /// # Errors
    /// [`EncodeError::BufferTooSmall`] with the length of the message, [`EncodeError::TooLong`], [`EncodeError::TooDeep`].
    #[inline]
    fn encode_into<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b [u8], EncodeError> {
        // SAFETY: `TABLE` describes `Self`; the encoder only writes initialized bytes.
        let used = unsafe { encode::to_slice(pointer(self), Self::TABLE, uninit(buffer), false) }?;
        Ok(buffer.get(..used).unwrap_or_default())
    }

    /// [`Message::encode_into`] with map entries sorted by key.
    ///
    /// # Errors
    /// As for [`Message::encode_into`].
    #[inline]
    fn encode_into_deterministic<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b [u8], EncodeError> {
        // SAFETY: `TABLE` describes `Self`; the encoder only writes initialized bytes.
        let used = unsafe { encode::to_slice(pointer(self), Self::TABLE, uninit(buffer), true) }?;
        Ok(buffer.get(..used).unwrap_or_default())
    }

    /// The same, preceded by the length as a varint.
    ///
    /// # Errors
    /// As for [`Message::encode_into`].
    fn encode_length_delimited_into<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b [u8], EncodeError> {
        let len = self.encoded_len()?;
        let mut head = [0u8; 10];
        // SAFETY: ten bytes.
        let head_len = unsafe { put_varint(head.as_mut_ptr(), len as u64) }.addr() - head.as_ptr().addr();
        let needed = len + varint_len(len as u64);
        let all = buffer.get_mut(..needed).ok_or(EncodeError::BufferTooSmall { needed })?;
        let (front, body) = all.split_at_mut(head_len);
        front.copy_from_slice(head.get(..head_len).unwrap_or_default());
        self.encode_into(body)?;
        Ok(all)
    }

    /// Length of the encoded message in bytes.
    ///
    /// # Errors
    /// [`EncodeError::TooLong`], [`EncodeError::TooDeep`].
    #[inline]
    fn encoded_len(&self) -> Result<usize, EncodeError> {
        // SAFETY: `TABLE` describes `Self`.
        unsafe { encode::size(pointer(self), Self::TABLE) }
    }

    /// A deep copy that lives in `arena` alone: it borrows nothing from what this message borrows.
    ///
    /// # Errors
    /// When the arena has no room.
    #[inline]
    fn clone_in<'x>(&self, arena: &'x Arena<'_>) -> Result<Self::With<'x>, ArenaError> {
        let mut copy = Self::With::<'x>::default();
        // SAFETY: both are of the type that `TABLE` describes, the copy fresh; its contents go to `arena`.
        unsafe { walk::clone_into(pointer(self), (&raw mut copy).cast(), Self::TABLE, arena) }?;
        Ok(copy)
    }

    /// Unsets every field.
    #[inline]
    fn clear(&mut self) {
        *self = Self::default();
    }

    /// The unknown fields, extensions among them.
    #[inline]
    fn unknown_fields(&self) -> &UnknownFields<'a> {
        // SAFETY: a message begins with its unknown fields.
        unsafe { &*pointer(self).cast() }
    }

    /// The unknown fields, to be changed.
    #[inline]
    fn unknown_fields_mut(&mut self) -> &mut UnknownFields<'a> {
        // SAFETY: as above, and borrowed uniquely.
        unsafe { &mut *(&raw mut *self).cast() }
    }

    /// The value of an extension; the type's unset value if it is absent. Sub-messages and lists are decoded into `arena`.
    ///
    /// # Errors
    /// When the bytes are malformed for the extension's type (a registry in the options finds that while decoding), or the arena has
    /// no room.
    fn extension<V: FieldFamily>(
        &self,
        extension: &Extension<Self::With<'static>, V>,
        arena: &'a Arena<'_>,
    ) -> Result<V::In<'a>, DecodeError> {
        extension::get::<V>(&extension.info(), self.unknown_fields(), arena)
    }

    /// Whether bytes of the extension are present.
    fn has_extension<V>(&self, extension: &Extension<Self::With<'static>, V>) -> bool {
        extension::has(&extension.info(), self.unknown_fields())
    }

    /// Sets an extension; what it had before is replaced. An unset or empty value clears it.
    ///
    /// # Errors
    /// When the arena has no room, or the value is too long or too deep.
    fn set_extension<V: FieldFamily>(
        &mut self,
        extension: &Extension<Self::With<'static>, V>,
        value: V::In<'a>,
        arena: &'a Arena<'_>,
    ) -> Result<(), EncodeError> {
        extension::set::<V>(&extension.info(), self.unknown_fields_mut(), value, arena)
    }

    /// Clears an extension.
    ///
    /// # Errors
    /// When the arena has no room for what is left.
    fn clear_extension<V>(
        &mut self,
        extension: &Extension<Self::With<'static>, V>,
        arena: &'a Arena<'_>,
    ) -> Result<(), ArenaError> {
        extension::clear(&extension.info(), self.unknown_fields_mut(), arena)
    }
}

#[inline]
fn pointer<M>(message: &M) -> *const u8 {
    (&raw const *message).cast()
}

#[inline]
fn merge<'a, M: Message<'a>>(
    message: &mut M,
    input: &'a [u8],
    arena: &'a Arena<'_>,
    options: &DecodeOptions<'_>,
    partial: bool,
) -> Result<(), DecodeError> {
    // SAFETY: `TABLE` describes `M`, which is borrowed uniquely; input and arena are borrowed for `'a`.
    unsafe { decode::merge((&raw mut *message).cast(), M::TABLE, input, arena, options, partial) }
}

/// The skin of [`complete`]; names are handed over, and thereby linked, only where a required field can be missing.
#[inline]
fn decode_complete<'a, M: Message<'a>>(
    message: &mut M,
    input: &'a [u8],
    arena: &'a Arena<'_>,
    options: &DecodeOptions<'_>,
) -> Result<(), DecodeError> {
    let names = if M::TABLE.flags().has(Flags::REQUIRED_DEEP) { Some(M::NAMES) } else { None };
    // SAFETY: `TABLE` describes `M`, which is borrowed uniquely; input and arena are borrowed for `'a`.
    unsafe { complete((&raw mut *message).cast(), M::TABLE, names, input, arena, options) }
}

/// Merges `input` and checks that nothing required is missing. Not generic, so that a message type adds no code but the call.
///
/// # Safety
/// * As for [`decode::merge`]; `names` are there if a required field is reachable.
#[inline(never)]
unsafe fn complete(
    message: *mut u8,
    table: TableRef,
    names: Option<NameRef>,
    input: &[u8],
    arena: &Arena<'_>,
    options: &DecodeOptions<'_>,
) -> Result<(), DecodeError> {
    // SAFETY: by contract.
    unsafe {
        decode::merge(message, table, input, arena, options, false)?;
        if let Some(names) = names {
            if !walk::is_initialized(message, table) {
                return Err(missing_at(message, table, names));
            }
        }
        match options.extensions {
            Some(registry) => extension::missing(message, table, registry, arena),
            None => Ok(()),
        }
    }
}

#[cold]
fn arena_error(error: ArenaError) -> DecodeError {
    DecodeError::new(if error == ArenaError::Limit { ErrorKind::MemoryLimit } else { ErrorKind::ArenaFull }, 0)
}

fn copy<'a>(input: &[u8], arena: &'a Arena<'_>) -> Result<&'a [u8], DecodeError> {
    arena.try_copy(input).map(|copy| &*copy).map_err(arena_error)
}

fn delimited<'a>(input: &'a [u8], options: &DecodeOptions<'_>) -> Result<&'a [u8], DecodeError> {
    let Some((len, head)) = varint_slice(input) else {
        let kind = if input.len() < 10 { ErrorKind::Truncated } else { ErrorKind::InvalidVarint };
        return Err(DecodeError::new(kind, 0));
    };
    let len = usize::try_from(len).ok().filter(|&len| len <= options.max_size);
    let len = len.ok_or_else(|| DecodeError::new(ErrorKind::TooLong, 0))?;
    input.get(head..).and_then(|rest| rest.get(..len)).ok_or_else(|| DecodeError::new(ErrorKind::Truncated, input.len()))
}

fn uninit(buffer: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    let len = buffer.len();
    // SAFETY: the same memory; the encoder never stores an uninitialized byte.
    unsafe { core::slice::from_raw_parts_mut(buffer.as_mut_ptr().cast(), len) }
}

#[cold]
#[inline(never)]
fn missing<'a, M: Message<'a>>(message: &M) -> DecodeError {
    // SAFETY: `TABLE` and `NAMES` describe `M`.
    unsafe { missing_at(pointer(message), M::TABLE, M::NAMES) }
}

/// The error that names the missing fields.
///
/// # Safety
/// * `message` is a live message that `table` describes, and `names` are its names.
#[cfg(feature = "alloc")]
#[cold]
pub(crate) unsafe fn missing_at(message: *const u8, table: TableRef, names: NameRef) -> DecodeError {
    // SAFETY: by contract.
    DecodeError::missing(unsafe { walk::missing_fields(message, table, names) })
}

/// The error without names, which take an allocator.
///
/// # Safety
/// * None; `unsafe` because its twin is.
#[cfg(not(feature = "alloc"))]
#[cold]
pub(crate) unsafe fn missing_at(_message: *const u8, _table: TableRef, _names: NameRef) -> DecodeError {
    DecodeError::new(ErrorKind::MissingRequired, 0)
}

/// # Safety
/// * `message` is a live message that `table` describes.
#[cfg(feature = "alloc")]
unsafe fn vec_or_panic(message: *const u8, table: TableRef) -> Vec<u8> {
    // SAFETY: by contract.
    unsafe { encode::to_vec(message, table, false) }.unwrap_or_else(|error| too_large(error))
}

#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
#[expect(clippy::panic, reason = "documented on `encode_to_vec`, which has a fallible twin")]
fn too_large(error: EncodeError) -> ! {
    panic!("{error}")
}
