//! Damaged descriptor sets: an error or some output, never a panic.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod common;

use buffa::descriptor::FileDescriptorSet;
use buffa::{Arena, DecodeOptions, Message};
use buffa_codegen::Options;
use std::path::Path;

/// xorshift64*, so that a failure repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(number).unwrap() % bound
    }
}

#[test]
fn no_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut generated, mut rejected) = (0, 0);
    for file in ["s2.proto", "editions.proto", "tutorial.proto", "defaults.proto", "comments.proto", "proto3.proto"] {
        let whole = common::descriptors(&folder, &[file]);
        for _ in 0..400 {
            let mut bytes = whole.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] ^= 1 << random.below(8),
                    1 => bytes[at] = bytes[random.below(bytes.len())],
                    // Small numbers are what tags, lengths, types and indices are made of.
                    2 => bytes[at] = u8::try_from(random.below(24)).unwrap(),
                    _ => bytes[at] = 0xFF,
                }
            }
            let arena = Arena::new();
            let options = DecodeOptions::new();
            let Ok(set) = FileDescriptorSet::decode_partial(&bytes, &arena, &options) else { continue };
            match buffa_codegen::generate(&set, &[file], &Options::new()) {
                Ok(_) => generated += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    rejected += 1;
                }
            }
        }
    }
    assert!(generated > 100 && rejected > 100, "{generated} generated, {rejected} rejected: not much of a test");
}
