//! The runner's framing: a little-endian `u32` length, then that many bytes, both ways.

use std::io::{self, Read, Write};

/// Far more than the runner ever sends; a longer frame means that the two do not speak the same protocol.
const LONGEST: u32 = 64 << 20;

/// The next frame; `None` when the runner has closed the pipe between two frames.
pub(crate) fn read(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 4];
    match input.read(&mut head[..1])? {
        0 => return Ok(None),
        _ => input.read_exact(&mut head[1..])?,
    }
    let len = u32::from_le_bytes(head);
    if len > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "frame is too long"));
    }
    let mut frame = Vec::new();
    if input.take(u64::from(len)).read_to_end(&mut frame)? != len as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(frame))
}

/// Writes a frame; the caller flushes.
pub(crate) fn write(output: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    let len = u32::try_from(frame.len()).map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "answer is too long"))?;
    output.write_all(&len.to_le_bytes())?;
    output.write_all(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back() -> io::Result<()> {
        let mut pipe = Vec::new();
        for frame in [&b"one"[..], b"", b"three"] {
            write(&mut pipe, frame)?;
        }
        let mut input = pipe.as_slice();
        for frame in [&b"one"[..], b"", b"three"] {
            assert_eq!(read(&mut input)?.as_deref(), Some(frame));
        }
        assert!(read(&mut input)?.is_none());
        Ok(())
    }

    #[test]
    fn a_cut_frame_is_an_error() {
        for cut in [&b"\x05\0\0"[..], b"\x05\0\0\0abcd", b"\xff\xff\xff\xff"] {
            assert!(read(&mut &cut[..]).is_err());
        }
    }
}
