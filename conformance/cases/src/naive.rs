//! The wire format in the plainest way: what the clever decoder is compared with.

/// One field at the top level: `input[from..to]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub number: u32,
    pub wire: u32,
    pub from: usize,
    pub to: usize,
}

/// The well-formed fields that the input begins with, and whether that is all of it.
pub fn fields(input: &[u8], depth: u32) -> (Vec<Field>, bool) {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < input.len() {
        let Some(field) = field(input, at, depth) else { return (found, false) };
        if field.wire == 4 {
            return (found, false);
        }
        at = field.to;
        found.push(field);
    }
    (found, true)
}

/// Whether the input is well-formed for a message that knows no field.
pub fn is_valid(input: &[u8]) -> bool {
    fields(input, 100).1
}

fn field(input: &[u8], from: usize, depth: u32) -> Option<Field> {
    let (tag, mut at) = varint(input, from)?;
    let tag = u32::try_from(tag).ok().filter(|tag| at - from <= 5 && tag >> 3 != 0)?;
    let (number, wire) = (tag >> 3, tag & 7);
    match wire {
        0 => at = varint(input, at)?.1,
        1 => at += 8,
        2 => {
            let (len, body) = varint(input, at)?;
            at = body.checked_add(usize::try_from(len).ok()?)?;
        }
        3 => loop {
            let inner = field(input, at, depth.checked_sub(1)?)?;
            at = inner.to;
            if inner.wire == 4 {
                if inner.number != number {
                    return None;
                }
                break;
            }
        },
        4 => {}
        5 => at += 4,
        _ => return None,
    }
    (at <= input.len()).then_some(Field { number, wire, from, to: at })
}

fn varint(input: &[u8], from: usize) -> Option<(u64, usize)> {
    let mut value = 0u128;
    for i in 0..10 {
        let byte = *input.get(from + i)?;
        value |= u128::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return u64::try_from(value).ok().map(|value| (value, from + i + 1));
        }
    }
    None
}
