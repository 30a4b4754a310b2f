//! Messages that own what they are made of.
#![allow(unsafe_code)] // a value beside the arena that it borrows

use crate::error::DecodeError;
use crate::limits::DecodeOptions;
use crate::{Arena, ArenaError, Message};
use bytes::Bytes;
use core::fmt;

/// A message with its arena, and the input it borrows from if there is one: `'static + Send + Sync`.
///
/// ```
/// use buffa::{Message, Owned, descriptor::FileDescriptorProto};
///
/// let bytes = FileDescriptorProto { name: "a.proto".into(), ..Default::default() }.encode_to_vec();
/// let mut file: Owned<FileDescriptorProto<'static>> = FileDescriptorProto::decode_from_slice(&bytes)?;
/// assert_eq!(&*file.get().name, "a.proto");
/// file.edit(|file, arena| file.dependency.push("b.proto".into(), arena));
/// assert_eq!(file.get().dependency.len(), 1);
/// # Ok::<(), buffa::DecodeError>(())
/// ```
///
/// # Invariants
/// 1. What the message refers to lies in `arena`, in `input` or in the program (`'static`), and stays where it is when `Owned` moves.
/// 2. The message is only lent with the lifetime of the loan ([`Owned::get`]) or with a lifetime that nothing else has
///    ([`Owned::edit`]), so data of two owners cannot mix.
/// 3. `&self` never reaches the arena, which is not `Sync`.
pub struct Owned<M: Message<'static>> {
    message: M,
    // Declared behind the message: it goes last. (The message has no drop glue anyway.)
    arena: Arena<'static>,
    #[expect(dead_code, reason = "kept alive for the message")]
    input: Bytes,
}

// SAFETY: the arena is reached through `&mut self` only (invariant 3); message and `Bytes` are Sync.
unsafe impl<M: Message<'static>> Sync for Owned<M> {}

impl<M: Message<'static>> Owned<M> {
    /// A default message.
    pub fn new() -> Owned<M> {
        Owned { message: M::default(), arena: Arena::new(), input: Bytes::new() }
    }

    /// Decodes a copy of `input`.
    ///
    /// # Errors
    /// As for [`Message::decode`].
    pub fn decode(input: &[u8], options: &DecodeOptions<'_>) -> Result<Owned<M>, DecodeError> {
        Owned::build(Arena::with_capacity(room_for(input.len()) + input.len()), Bytes::new(), |arena, _| {
            M::With::decode_copied(input, arena, options)
        })
    }

    /// Decodes `input`, which the result keeps; nothing is copied.
    ///
    /// # Errors
    /// As for [`Message::decode`].
    pub fn decode_bytes(input: Bytes, options: &DecodeOptions<'_>) -> Result<Owned<M>, DecodeError> {
        Owned::build(Arena::with_capacity(room_for(input.len())), input, |arena, input| {
            M::With::decode_with(input, arena, options)
        })
    }

    fn build(
        arena: Arena<'static>,
        input: Bytes,
        decode: impl for<'x> FnOnce(&'x Arena<'static>, &'x [u8]) -> Result<M::With<'x>, DecodeError>,
    ) -> Result<Owned<M>, DecodeError> {
        let message = decode(&arena, &input)?;
        // SAFETY: both types differ in their lifetime only. The message refers to blocks of the arena and to the memory behind
        // `input`, which do not move and which `Owned` keeps (invariant 1).
        let message = unsafe { extend(message) };
        Ok(Owned { message, arena, input })
    }

    /// A deep copy of a message.
    ///
    /// # Panics
    /// When the allocator has no memory, where `Vec` would abort.
    pub fn copy_of<'a>(message: &M::With<'a>) -> Owned<M>
    where
        M::With<'a>: Message<'a>,
    {
        let arena = Arena::new();
        let mut copy = M::default();
        let source: *const M::With<'a> = message;
        // SAFETY: `With<'a>` is `M` by another lifetime, so `TABLE` describes both; the copy refers to the arena alone.
        let copied = unsafe { crate::walk::clone_into(source.cast(), (&raw mut copy).cast(), M::TABLE, &arena) };
        // Half a copy must not pass for a whole one.
        copied.unwrap_or_else(|error| failed(error));
        Owned { message: copy, arena, input: Bytes::new() }
    }

    /// The message.
    #[inline]
    pub fn get(&self) -> &M::With<'_> {
        // SAFETY: `With` is `M` by another lifetime, and messages are covariant (contract of `Message`).
        unsafe { &*(&raw const self.message).cast() }
    }

    /// Changes the message; `arena` is the one it lives in. The lifetime `'x` is the closure's alone, so nothing that lives shorter than
    /// the owner, and nothing of another owner, can be put into the message:
    ///
    /// ```compile_fail
    /// use buffa::{Owned, descriptor::FileDescriptorProto};
    /// let mut file = Owned::<FileDescriptorProto>::new();
    /// let name = String::from("short");
    /// file.edit(|file, _| file.name = name.as_str().into());
    /// ```
    #[inline]
    pub fn edit<R>(&mut self, change: impl for<'x> FnOnce(&'x mut M::With<'x>, &'x Arena<'static>) -> R) -> R {
        // SAFETY: `With` is `M` by another lifetime; `for<'x>` keeps anything but `'static` data and data of this arena out.
        change(unsafe { &mut *(&raw mut self.message).cast() }, &self.arena)
    }
}

#[cold]
#[inline(never)]
#[expect(clippy::panic, reason = "documented on `copy_of`")]
fn failed(error: ArenaError) -> ! {
    panic!("{error}")
}

/// A first guess at the arena memory that an input of `len` bytes decodes into.
fn room_for(len: usize) -> usize {
    (len * 2).clamp(256, 1 << 20)
}

/// # Safety
/// * What `message` refers to outlives every use of the result.
unsafe fn extend<'x, M: Message<'static>>(message: M::With<'x>) -> M {
    const { assert!(size_of::<M::With<'static>>() == size_of::<M>()) }
    let message = core::mem::ManuallyDrop::new(message);
    // SAFETY: `With<'x>` is `M` by another lifetime (contract of `Message`), hence of equal layout.
    unsafe { core::mem::transmute_copy(&*message) }
}

impl<M: Message<'static>> Default for Owned<M> {
    fn default() -> Self {
        Owned::new()
    }
}

impl<M: Message<'static>> Clone for Owned<M> {
    fn clone(&self) -> Self {
        Owned::copy_of(self.get())
    }
}

impl<M: Message<'static>> PartialEq for Owned<M> {
    fn eq(&self, other: &Self) -> bool {
        crate::walk::eq(self.get(), other.get())
    }
}

impl<M: Message<'static>> fmt::Debug for Owned<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::walk::debug(self.get(), f)
    }
}
