//! Map keys, typed and raw.

use crate::{Blob, Str};
use core::hash::Hasher;

/// A key by value or as bytes: what hashing and comparing need to know of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RawKey<'k> {
    /// `bool` and the 32-bit kinds.
    Word(u32),
    /// The 64-bit kinds.
    Double(u64),
    /// Strings.
    Bytes(&'k [u8]),
}

impl RawKey<'_> {
    /// SipHash-2-4 with a secret seed: keys come from untrusted input and must not be able to collide at will.
    pub(crate) fn hash(self, seed: u64) -> u64 {
        #[expect(deprecated, reason = "the only keyed hash in `core`; deprecated in favour of `std`'s hidden one, not faulty")]
        let mut hasher = core::hash::SipHasher::new_with_keys(seed, !seed.rotate_left(32));
        match self {
            RawKey::Word(word) => hasher.write_u32(word),
            RawKey::Double(double) => hasher.write_u64(double),
            RawKey::Bytes(bytes) => hasher.write(bytes),
        }
        hasher.finish()
    }
}

/// A type that can be a map key: `bool`, the integers, [`Str`], and [`Blob`] for strings whose UTF-8 is not verified.
pub trait MapKey: Copy + Eq {
    /// The key as bytes or number.
    fn raw(&self) -> RawKey<'_>;
}

/// What a map with keys of type `K` can be asked for: `K` itself, `str` for [`Str`] and
/// [`Blob`], `[u8]` for [`Blob`].
pub trait LookupKey<K> {
    /// The key as bytes or number.
    fn raw(&self) -> RawKey<'_>;
}

impl<K: MapKey> LookupKey<K> for K {
    fn raw(&self) -> RawKey<'_> {
        MapKey::raw(self)
    }
}

impl LookupKey<Str<'_>> for str {
    fn raw(&self) -> RawKey<'_> {
        RawKey::Bytes(self.as_bytes())
    }
}

impl MapKey for Str<'_> {
    fn raw(&self) -> RawKey<'_> {
        RawKey::Bytes(self.as_str().as_bytes())
    }
}

impl LookupKey<Blob<'_>> for str {
    fn raw(&self) -> RawKey<'_> {
        RawKey::Bytes(self.as_bytes())
    }
}

impl LookupKey<Blob<'_>> for [u8] {
    fn raw(&self) -> RawKey<'_> {
        RawKey::Bytes(self)
    }
}

impl MapKey for Blob<'_> {
    fn raw(&self) -> RawKey<'_> {
        RawKey::Bytes(self.as_bytes())
    }
}

macro_rules! number_key {
    ($($type:ty => $variant:ident($word:ty)),*) => {$(
        impl MapKey for $type {
            #[allow(clippy::cast_sign_loss, clippy::cast_lossless, reason = "keys are compared by their bits")]
            fn raw(&self) -> RawKey<'_> {
                RawKey::$variant(*self as $word)
            }
        }
    )*};
}
number_key!(bool => Word(u32), i32 => Word(u32), u32 => Word(u32), i64 => Double(u64), u64 => Double(u64));
