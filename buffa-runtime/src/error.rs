//! Errors of decoding and encoding: a kind, a byte offset, two words in all.

#[cfg(feature = "alloc")]
#[path = "error_path.rs"]
mod path;
#[cfg(not(feature = "alloc"))]
#[path = "error_no_path.rs"]
mod path;

use path::Path;

/// What is wrong with an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input or a length-delimited field ends inside a value.
    Truncated,
    /// A field number is 0 or over 2²⁹ − 1, a tag is longer than five bytes, or its wire type is 6 or 7.
    InvalidTag,
    /// A varint is longer than ten bytes or over 64 bits.
    InvalidVarint,
    /// The length of a packed field is no multiple of its element.
    InvalidPacked,
    /// A `string` is not UTF-8.
    InvalidUtf8,
    /// An end-group tag without its start, or a group without its end.
    InvalidGroup,
    /// Messages or groups are nested more deeply than the limit.
    TooDeep,
    /// The input is longer than the limit.
    TooLong,
    /// The result would take more memory than the limit.
    MemoryLimit,
    /// The arena (or the allocator behind it) has no room left.
    ArenaFull,
    /// An unknown field, where the options forbid them.
    UnknownField,
    /// A required field is absent; the error's text names it.
    MissingRequired,
    /// The reader failed.
    Io,
}

impl ErrorKind {
    const fn text(self) -> &'static str {
        match self {
            ErrorKind::Truncated => "input ends inside a field",
            ErrorKind::InvalidTag => "invalid tag",
            ErrorKind::InvalidVarint => "varint over 64 bits",
            ErrorKind::InvalidPacked => "packed length is no multiple of the element size",
            ErrorKind::InvalidUtf8 => "string is not UTF-8",
            ErrorKind::InvalidGroup => "group start and end do not match",
            ErrorKind::TooDeep => "nested too deeply",
            ErrorKind::TooLong => "input is too long",
            ErrorKind::MemoryLimit => "memory limit reached",
            ErrorKind::ArenaFull => "arena is full",
            ErrorKind::UnknownField => "unknown field",
            ErrorKind::MissingRequired => "required field is missing",
            ErrorKind::Io => "reader failed",
        }
    }
}

/// Why an input was rejected and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodeError {
    offset: u32,
    kind: ErrorKind,
    path: Path,
}

impl DecodeError {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(kind: ErrorKind, offset: usize) -> DecodeError {
        // Inputs are at most 2³¹ − 1 bytes long; a longer one is rejected at offset 0.
        DecodeError { kind, offset: u32::try_from(offset).unwrap_or(u32::MAX), path: Path::default() }
    }

    /// The same fault in an input that has `bytes` more in front. A missing field has no position to move.
    #[cold]
    pub(crate) fn behind(self, bytes: usize) -> DecodeError {
        if self.kind == ErrorKind::MissingRequired {
            return self;
        }
        let offset = u32::try_from(self.offset().saturating_add(bytes)).unwrap_or(u32::MAX);
        DecodeError { offset, ..self }
    }

    /// What is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Byte offset of the field or value at fault, counted from the start of the input.
    pub fn offset(&self) -> usize {
        self.offset as usize
    }
}

impl core::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.kind.text())?;
        match self.path.get() {
            Some(path) => write!(f, ": {path}"),
            None => write!(f, " at byte {}", self.offset),
        }
    }
}

impl core::error::Error for DecodeError {}

/// Why a message could not be encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EncodeError {
    /// The output has no room for the message, which takes `needed` bytes.
    BufferTooSmall {
        /// Encoded length of the message.
        needed: usize,
    },
    /// The message would be longer than 2 GiB − 1 byte, the most that the format allows.
    TooLong,
    /// Messages are nested more deeply than [`MAX_DEPTH`](crate::limits::MAX_DEPTH).
    TooDeep,
    /// The writer failed.
    Io,
}

impl core::fmt::Display for EncodeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            EncodeError::BufferTooSmall { needed } => write!(f, "output has no room for {needed} bytes"),
            EncodeError::TooLong => f.write_str("message is longer than 2 GiB"),
            EncodeError::TooDeep => f.write_str("message is nested too deeply"),
            EncodeError::Io => f.write_str("writer failed"),
        }
    }
}

impl core::error::Error for EncodeError {}
