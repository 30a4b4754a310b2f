//! Bytes as people write them: `08 FF*9 01`.

/// Bytes of hex digits; white space is ignored, and `XX*N` stands for `N` times the byte `XX`.
pub fn parse(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in text.split_whitespace() {
        let (digits, times) = match word.split_once('*') {
            Some((digits, times)) => (digits, times.parse::<usize>().unwrap_or_else(|_| panic!("{word}: not a count"))),
            None => (word, 1),
        };
        assert!(digits.len() % 2 == 0, "{word}: an odd number of digits");
        let part: Vec<u8> = (0..digits.len() / 2)
            .map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap_or_else(|_| panic!("{word}: not hex")))
            .collect();
        bytes.extend(part.repeat(times));
    }
    bytes
}

/// The inverse, for messages of failed tests.
pub fn print(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().take(400).map(|byte| format!("{byte:02X}")).collect();
    let rest = if bytes.len() > 400 { format!(" … ({} bytes)", bytes.len()) } else { String::new() };
    shown.join(" ") + &rest
}

/// A varint.
pub fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = value.to_le_bytes()[0] & 0x7F;
        value >>= 7;
        bytes.push(if value == 0 { byte } else { byte | 0x80 });
        if value == 0 {
            return bytes;
        }
    }
}

/// A tag.
pub fn tag(number: u32, wire: u32) -> Vec<u8> {
    varint(u64::from(number << 3 | wire))
}

/// A length-delimited field.
pub fn delimited(number: u32, body: &[u8]) -> Vec<u8> {
    [tag(number, 2), varint(body.len() as u64), body.to_vec()].concat()
}

/// A group.
pub fn group(number: u32, body: &[u8]) -> Vec<u8> {
    [tag(number, 3), body.to_vec(), tag(number, 4)].concat()
}
