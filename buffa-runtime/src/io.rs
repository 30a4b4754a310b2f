//! Reading and writing through `std::io`.

use crate::error::{DecodeError, EncodeError, ErrorKind};
use crate::limits::DecodeOptions;
use crate::{Message, Owned};
use alloc::vec::Vec;
use bytes::Bytes;
use std::io::{Read, Write};

/// Bytes that are asked from a reader at once: a length prefix cannot make the reader's buffer larger than this before the bytes
/// are there.
const CHUNK: usize = 64 << 10;

/// Reads to the end and decodes.
///
/// # Errors
/// As for [`Message::decode`]; [`ErrorKind::Io`] when the reader fails, [`ErrorKind::TooLong`] when it has more than `max_size` bytes.
pub fn read_message<M: Message<'static>>(reader: impl Read, options: &DecodeOptions<'_>) -> Result<Owned<M>, DecodeError> {
    let limit = options.max_size as u64;
    let mut input = Vec::new();
    reader.take(limit + 1).read_to_end(&mut input).map_err(|_| DecodeError::new(ErrorKind::Io, 0))?;
    Owned::decode_bytes(Bytes::from(input), options)
}

/// Reads one message that is preceded by its length as a varint; `None` when the reader is at its end.
///
/// # Errors
/// As for [`Message::decode`]; [`ErrorKind::Truncated`] when the reader ends inside the message, [`ErrorKind::TooLong`] when the length
/// is over `max_size`, [`ErrorKind::Io`] when the reader fails.
pub fn read_delimited<M: Message<'static>>(
    reader: &mut impl Read,
    options: &DecodeOptions<'_>,
) -> Result<Option<Owned<M>>, DecodeError> {
    let Some(len) = read_length(reader)? else { return Ok(None) };
    let len = usize::try_from(len).ok().filter(|&len| len <= options.max_size);
    let len = len.ok_or_else(|| DecodeError::new(ErrorKind::TooLong, 0))?;
    let mut input = Vec::new();
    while input.len() < len {
        let want = (len - input.len()).min(CHUNK.max(input.len()));
        let got = reader
            .by_ref()
            .take(want as u64)
            .read_to_end(&mut input)
            .map_err(|_| DecodeError::new(ErrorKind::Io, input.len()))?;
        if got < want {
            return Err(DecodeError::new(ErrorKind::Truncated, input.len()));
        }
    }
    Owned::decode_bytes(Bytes::from(input), options).map(Some)
}

fn read_length(reader: &mut impl Read) -> Result<Option<u64>, DecodeError> {
    let mut bytes = [0u8; 10];
    for at in 0..bytes.len() {
        let mut byte = [0u8];
        match reader.read_exact(&mut byte) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                return if at == 0 { Ok(None) } else { Err(DecodeError::new(ErrorKind::Truncated, at)) };
            }
            Err(_) => return Err(DecodeError::new(ErrorKind::Io, at)),
        }
        if let Some(place) = bytes.get_mut(at) {
            *place = byte[0];
        }
        if byte[0] < 0x80 {
            break;
        }
    }
    match crate::wire::varint_slice(&bytes) {
        Some((len, _)) => Ok(Some(len)),
        None => Err(DecodeError::new(ErrorKind::InvalidVarint, 0)),
    }
}

/// Writes a message.
///
/// # Errors
/// [`EncodeError::Io`] when the writer fails; otherwise as for [`Message::encode_append`].
pub fn write_message<'a, M: Message<'a>>(message: &M, writer: &mut impl Write) -> Result<(), EncodeError> {
    let bytes = message.try_encode_to_vec()?;
    writer.write_all(&bytes).map_err(|_| EncodeError::Io)
}

/// Writes a message preceded by its length as a varint.
///
/// # Errors
/// As for [`write_message`].
pub fn write_delimited<'a, M: Message<'a>>(message: &M, writer: &mut impl Write) -> Result<(), EncodeError> {
    let mut bytes = Vec::new();
    message.encode_length_delimited(&mut bytes)?;
    writer.write_all(&bytes).map_err(|_| EncodeError::Io)
}
