//! Ways through `std::io`.

use super::{Encoded, Fault, Named};
use buffa::{DecodeOptions, Message};
use std::io::{self, Read};

/// All of them.
pub(super) fn ways<M: Message<'static>>() -> Vec<Named> {
    vec![("read_message", read::<M>), ("read_delimited", delimited::<M>)]
}

fn read<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let owned = buffa::read_message::<M>(Dribble(input), options)?;
    let mut bytes = Vec::new();
    buffa::write_message(owned.get(), &mut bytes)?;
    Ok(bytes)
}

fn delimited<M: Message<'static>>(input: &[u8], options: &DecodeOptions<'_>) -> Encoded {
    let mut stream = super::laws::varint(input.len());
    stream.extend_from_slice(input);
    let mut reader = Dribble(&stream);
    let Some(owned) = buffa::read_delimited::<M>(&mut reader, options)? else {
        return Err(Fault::Broken("read_delimited saw no message".into()));
    };
    if buffa::read_delimited::<M>(&mut reader, options)?.is_some() {
        return Err(Fault::Broken("read_delimited saw a second message".into()));
    }
    let mut bytes = Vec::new();
    buffa::write_delimited(owned.get(), &mut bytes)?;
    let head = super::laws::varint(owned.get().encoded_len()?);
    bytes.strip_prefix(head.as_slice()).map(Vec::from).ok_or_else(|| Fault::Broken("write_delimited: wrong length".into()))
}

/// A reader that gives one byte at a time.
struct Dribble<'a>(&'a [u8]);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let one = buffer.len().min(1);
        self.0.read(&mut buffer[..one])
    }
}
