//! Random inputs: the suite's are 80 bytes long at most, and every way and law of this testee is a check that needs no expected result.
//!
//! Inputs are made from the tables: mostly fields as they should be, now and then one with a wrong wire type, a wrong length or a number
//! that nobody knows. `BUFFA_ROUNDS` sets how many per message type (default 150), `BUFFA_SEED` where to begin.

use super::{Fault, run};
use crate::messages::{extension_numbers, protobuf_test_messages as messages};
use buffa::__rt::{Flags, Kind, Mode, TableRef};
use buffa::Message;

const LONGEST: usize = 400;
const DEEPEST: usize = 6;

macro_rules! all_ways_agree {
    ($($name:ident: $message:ty,)*) => {$(
        #[test]
        fn $name() {
            all_ways_agree::<$message>();
        }
    )*};
}
all_ways_agree! {
    proto2: messages::proto2::TestAllTypesProto2<'static>,
    proto3: messages::proto3::TestAllTypesProto3<'static>,
    edition_2023: messages::editions::TestAllTypesEdition2023<'static>,
    edition_proto2: messages::editions::proto2::TestAllTypesProto2<'static>,
    edition_proto3: messages::editions::proto3::TestAllTypesProto3<'static>,
    edition_unstable: messages::edition_unstable::TestAllTypesEditionUnstable<'static>,
}

fn all_ways_agree<M: Message<'static>>() {
    let rounds = number("BUFFA_ROUNDS", 150);
    let seed = number("BUFFA_SEED", 1);
    let mut accepted = 0;
    for round in seed..seed + rounds {
        let mut random = Random(round.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut input = Vec::new();
        random.message(M::TABLE, &mut input, 0);
        if random.one_in(8) {
            let cut = random.below(input.len() + 1);
            input.truncate(cut);
        }
        let answer = run::<M>(&input);
        assert!(matches!(answer, Ok(_) | Err(Fault::Parse { .. })), "BUFFA_SEED={round}, input {input:02x?}: {answer:02x?}");
        accepted += u64::from(answer.is_ok());
    }
    // Inputs that are all rejected, or all accepted, would test little.
    assert!(rounds < 100 || accepted > rounds / 4 && accepted < rounds, "{accepted} of {rounds} inputs were accepted");
}

#[test]
#[cfg_attr(miri, ignore = "thousands of levels take hours")]
fn depth_is_limited_alike() {
    use crate::messages::conformance::JspbEncodingConfig;
    for groups in [10, 99, 100, 101, 2000] {
        let mut input = vec![0x7B; groups];
        input.resize(2 * groups, 0x7C);
        let answer = run::<JspbEncodingConfig<'static>>(&input);
        assert_eq!(answer.is_ok(), groups <= 100, "{groups} groups: {answer:02x?}");
    }
    assert_eq!(JspbEncodingConfig::NAMES.full_name(), "conformance.JspbEncodingConfig");
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 32) as usize) % end.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// The fields of a message, appended.
    fn message(&mut self, table: TableRef, out: &mut Vec<u8>, depth: usize) {
        for _ in 0..self.below(if depth == 0 { 12 } else { 4 }) {
            if out.len() > LONGEST {
                return;
            }
            match table.entries().len() {
                n if n > 0 && !self.one_in(8) => {
                    let at = self.below(n);
                    self.field(table, at, out, depth);
                    // Runs of one field have their own path.
                    while table.entries()[at].op().mode() as u8 == Mode::Repeated as u8 && !self.one_in(3) && out.len() < LONGEST
                    {
                        self.field(table, at, out, depth);
                    }
                }
                _ if table.flags().has(Flags::MESSAGE_SET) => self.item(table, out, depth),
                _ => self.unknown(table, out),
            }
        }
    }

    fn field(&mut self, table: TableRef, at: usize, out: &mut Vec<u8>, depth: usize) {
        let entry = table.entries()[at];
        let (number, kind) = (entry.number(), entry.op().kind());
        let sub = table.aux().get(usize::from(entry.aux())).and_then(|aux| aux.table());
        if self.one_in(24) {
            return self.any(number, out);
        }
        let wire = kind.wire_type() as u32;
        let repeated = matches!(entry.op().mode(), Mode::Repeated | Mode::Packed);
        match (kind, sub) {
            (Kind::Message | Kind::Map, Some(sub)) => {
                let mut body = Vec::new();
                if depth < DEEPEST {
                    self.message(sub, &mut body, depth + 1);
                }
                self.tag(number, wire, out);
                self.len(body.len(), out);
                out.extend(body);
            }
            (Kind::Group, Some(sub)) => {
                self.tag(number, 3, out);
                if depth < DEEPEST {
                    self.message(sub, out, depth + 1);
                }
                self.tag(number, 4, out);
            }
            _ if wire == 2 => {
                let text = self.text(kind != Kind::Bytes);
                self.tag(number, wire, out);
                self.len(text.len(), out);
                out.extend(text);
            }
            _ if repeated && self.one_in(2) => {
                let mut body = Vec::new();
                for _ in 0..self.pick(&[0, 1, 2, 7, 8, 9, 20, 40]) {
                    self.scalar(wire, &mut body);
                }
                self.tag(number, 2, out);
                self.len(body.len(), out);
                out.extend(body);
            }
            _ => {
                self.tag(number, wire, out);
                self.scalar(wire, out);
            }
        }
    }

    /// An item of a message set, of an extension that is known or not.
    fn item(&mut self, table: TableRef, out: &mut Vec<u8>, depth: usize) {
        let number = self.extension(table);
        let mut body = Vec::new();
        if depth < DEEPEST {
            self.message(table, &mut body, depth + 1);
        }
        let mut parts = [Vec::new(), Vec::new()];
        self.tag(2, 0, &mut parts[0]);
        self.varint(u64::from(number), &mut parts[0]);
        self.tag(3, 2, &mut parts[1]);
        self.len(body.len(), &mut parts[1]);
        parts[1].extend(body);
        if self.one_in(3) {
            parts.reverse();
        }
        self.tag(1, 3, out);
        out.extend(parts.concat());
        self.tag(1, 4, out);
    }

    fn unknown(&mut self, table: TableRef, out: &mut Vec<u8>) {
        let number = if self.one_in(2) { self.extension(table) } else { self.pick(&[1, 15, 16, 999, 2047, 2048, 536_870_911]) };
        self.any(number, out);
    }

    /// The number of an extension of the message, if it has one.
    fn extension(&mut self, table: TableRef) -> u32 {
        let numbers = extension_numbers(table);
        if numbers.is_empty() { 7777 } else { self.pick(&numbers) }
    }

    /// A field of whichever wire type.
    fn any(&mut self, number: u32, out: &mut Vec<u8>) {
        let wire = self.pick(&[0, 1, 2, 2, 3, 5]);
        self.tag(number, wire, out);
        match wire {
            2 => {
                let text = self.text(false);
                self.len(text.len(), out);
                out.extend(text);
            }
            3 => {
                if self.one_in(2) {
                    self.tag(5, 0, out);
                    self.scalar(0, out);
                }
                self.tag(number, 4, out);
            }
            wire => self.scalar(wire, out),
        }
    }

    fn scalar(&mut self, wire: u32, out: &mut Vec<u8>) {
        let bits = self.pick(&[0, 1, 1, 1, 3, 7, 8, 14, 21, 31, 32, 33, 63, 64]);
        let mut value = if bits == 0 { 0 } else { self.next() >> (64 - bits) };
        if self.one_in(8) {
            value = u64::MAX - value % 4;
        }
        match wire {
            0 => self.varint(value, out),
            1 => out.extend(value.to_le_bytes()),
            _ => out.extend(value.to_le_bytes().into_iter().take(4)),
        }
    }

    fn text(&mut self, valid: bool) -> Vec<u8> {
        let len = self.pick(&[0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 130]);
        let ascii = self.one_in(2);
        let mut text = String::new();
        while text.len() < len {
            text.push(if ascii { 'a' } else { self.pick(&['a', 'ä', '€', '𝄞']) });
        }
        let mut bytes = text.into_bytes();
        if !bytes.is_empty() && self.one_in(if valid { 30 } else { 2 }) {
            let at = self.below(bytes.len());
            bytes[at] = self.pick(&[0xFF, 0xC0, 0x80, 0xED]);
        }
        bytes
    }

    fn tag(&mut self, number: u32, wire: u32, out: &mut Vec<u8>) {
        self.varint(u64::from(number << 3 | wire), out);
    }

    /// A length, now and then one too long or too short.
    fn len(&mut self, len: usize, out: &mut Vec<u8>) {
        let len = if self.one_in(60) { self.pick(&[len + 1, len / 2, usize::MAX >> 1]) } else { len };
        self.varint(len as u64, out);
    }

    /// A varint, now and then longer than needed.
    fn varint(&mut self, value: u64, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend(super::laws::varint64(value));
        if self.one_in(16) && out.len() - start < 5 {
            if let Some(last) = out.last_mut() {
                *last |= 0x80;
            }
            out.push(0);
        }
    }
}
