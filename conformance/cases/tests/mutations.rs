//! Good inputs made bad: cut at every byte, one bit flipped, a byte exchanged. No engine may crash, read too far or disagree with
//! another, and for a message without fields all must agree with the naive splitter.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use buffa_cases::engines::{Outcome, Setup};
use buffa_cases::types::find;
use buffa_cases::values::everything;
use buffa_cases::{hex, naive, on_large_stack};

/// A message of every kind of field, small.
fn message_of_s2() -> Vec<u8> {
    hex::parse(
        "08 FF*9 01 10 01 12 02 01 02 18 02 22 04 08 01 10 01 2A 06 08 05 12 02 08 05 32 06 08 07 12 02 08 01 3B 08 81 01 3C \
         42 04 08 01 10 02 68 01 72 05 68 65 6C 6C 6F 7A 03 00 FF 80 82 01 02 08 01 8D 01 00 00 80 3F \
         A2 01 11 72 02 C3 A9 A2 01 0A 3B 08 01 3C 08 05 B2 01 01 7F A8 01 FF*9 01 B2 01 03 01 02 03 A0 06 02 \
         C8 07 01 CB 07 0A 01 FF CC 07 CD 07 01 02 03 04",
    )
}

fn quick() -> Setup<'static> {
    Setup { splits: 3, all: false, ..Setup::new() }
}

/// Runs as the message and as an unknown one.
fn run(message: &str, input: &[u8]) -> Outcome {
    let outcome = (find(message).agree)(input, &quick()).0;
    let (unknown, _) = (find("s2.E").agree)(input, &quick());
    assert_eq!(matches!(unknown, Outcome::Done(_)), naive::is_valid(input), "structure of {}", hex::print(input));
    if let Outcome::Done(done) = &unknown {
        assert!(done.encoded == input, "unknown fields of {}", hex::print(input));
    }
    if let Outcome::Done(_) = &outcome {
        assert!(matches!(unknown, Outcome::Done(_)), "{message} accepts {}", hex::print(input));
    }
    outcome
}

fn inputs() -> [(&'static str, Vec<u8>); 2] {
    [("s2.M", message_of_s2()), ("kinds.All", everything())]
}

#[test]
fn cut_at_every_byte() {
    for (message, input) in inputs() {
        assert!(matches!(run(message, &input), Outcome::Done(_)), "{message}: {:?}", run(message, &input));
        let (fields, _) = naive::fields(&input, 100);
        for cut in 0..input.len() {
            let whole = cut == 0 || fields.iter().any(|field| field.to == cut);
            match run(message, &input[..cut]) {
                Outcome::Done(_) => assert!(whole, "{message} cut at {cut} is accepted"),
                Outcome::Failed(kind, offset, _) => {
                    assert!(!whole && offset <= cut, "{message} cut at {cut}: {kind:?}@{offset}");
                }
            }
        }
    }
}

#[test]
fn one_bit_flipped() {
    on_large_stack(|| {
        for (message, input) in inputs() {
            let (mut accepted, mut refused) = (0, 0);
            for at in 0..input.len() {
                for bit in (0..8).filter(|bit| message == "s2.M" || (bit + at) % 4 == 0) {
                    let mut flipped = input.clone();
                    flipped[at] ^= 1 << bit;
                    match run(message, &flipped) {
                        Outcome::Done(_) => accepted += 1,
                        Outcome::Failed(..) => refused += 1,
                    }
                }
            }
            assert!(accepted > 100 && refused > 100, "{message}: {accepted} accepted, {refused} refused");
        }
    });
}

#[test]
fn one_byte_exchanged_added_or_lost() {
    let (message, input) = ("s2.M", message_of_s2());
    let mut tried = 0;
    for at in 0..input.len() {
        for byte in [0x00, 0x04, 0x0B, 0x0C, 0x7F, 0x80, 0xFF] {
            let mut changed = input.clone();
            changed[at] = byte;
            run(message, &changed);
            changed.insert(at, input[at]);
            run(message, &changed);
            tried += 2;
        }
        let mut shorter = input.clone();
        shorter.remove(at);
        run(message, &shorter);
    }
    assert!(tried > 1000);
}

/// Frames at every depth whose inner length runs over.
#[test]
fn length_over_the_frame_at_every_depth() {
    for depth in 0..20 {
        for (inner, good) in [
            ("72 02 41", "72 01 41"),
            ("7A 05", "7A 00"),
            ("A8 01 80", "A8 01 00"),
            ("8D 01 00 00", "8D 01 00 00 00 00"),
            ("C8 07 FF", "C8 07 7F"),
            ("B2 01 02 01", "B2 01 01 01"),
        ] {
            let wrap = |body: &str| (0..depth).fold(hex::parse(body), |body, _| hex::delimited(20, &body));
            assert!(matches!(run("s2.M", &wrap(good)), Outcome::Done(_)), "{good} at depth {depth}");
            // Also with something behind the frame that the value could be read from.
            for tail in ["", "01 01 01 01 01 01 01 01 01 01 01 01", "08 01", "7A 20 00*32"] {
                if depth > 0 || tail.is_empty() {
                    let bad = [wrap(inner), hex::parse(tail)].concat();
                    assert!(matches!(run("s2.M", &bad), Outcome::Failed(..)), "{inner} at depth {depth} before {tail:?}");
                }
            }
        }
    }
}

/// Strings of every small length that end where the input ends, alone and behind other fields.
#[test]
fn strings_at_the_end() {
    for len in 0..=40 {
        for before in 0..=20 {
            for last in ["61", "C3 A9", "FF"] {
                let mut text = vec![b'a'; len];
                text.extend(hex::parse(last));
                let field = hex::delimited(14, &text);
                let input = [hex::delimited(15, &vec![0; before]), field].concat();
                let (outcome, _) = (find("s3.M").agree)(&input, &quick());
                assert_eq!(matches!(outcome, Outcome::Done(_)), last != "FF", "{}", hex::print(&input));
            }
        }
    }
}

/// A group whose start, body and end stand around the last sixteen bytes, at every alignment.
#[test]
fn groups_over_the_last_bytes() {
    for before in 0..40 {
        for body in 0..20 {
            let group = hex::group(7, &hex::parse("08 81 80 80 80 80 80 80 80 80 00").repeat(body / 4 + 1)[..11]);
            let inner = hex::group(7, &hex::delimited(900, &vec![0x3C; body]));
            for group in [group, inner] {
                let input = [hex::delimited(15, &vec![0; before]), group.clone(), group].concat();
                assert!(matches!(run("s2.M", &input), Outcome::Done(_)), "{}", hex::print(&input));
                let end = input.len() - 1;
                assert!(matches!(run("s2.M", &input[..end]), Outcome::Failed(..)), "{}", hex::print(&input[..end]));
            }
        }
    }
}

/// Varints of every length at the very end of the input.
#[test]
fn varints_at_the_end() {
    for before in 0..20 {
        for len in 1..=11usize {
            let varint = [vec![0x80; len - 1], vec![1]].concat();
            for (message, tag) in [("s2.M", "A8 01"), ("s2.M", "08"), ("s2.E", "08"), ("s2.M", "B0 01"), ("s2.M", "68")] {
                let input = [hex::delimited(900, &vec![0; before]), hex::parse(tag), varint.clone()].concat();
                let outcome = run(message, &input);
                assert_eq!(matches!(outcome, Outcome::Done(_)), len <= 10, "{}", hex::print(&input));
            }
        }
    }
}
