//! Everything that can go wrong, at every place where it can: input cut at each byte, memory refused at each allocation, limits at N and
//! N + 1, depth on a small stack.
#![cfg(feature = "descriptor")]
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod support;

use buffa::descriptor::{DescriptorProto, FileDescriptorProto};
use buffa::limits::MAX_DEPTH;
use buffa::{Arena, ArenaError, DecodeOptions, EncodeError, ErrorKind, Message, MessageField};
use core::mem::MaybeUninit;
use support::{bytes, file};

#[test]
fn input_cut_at_every_byte() {
    let input = bytes();
    let step = if cfg!(miri) { 5 } else { 1 };
    let arena = Arena::new();
    let (mut whole, mut cut_short) = (0, 0);
    for cut in (0..input.len()).step_by(step) {
        // Memory of its own, so that reading on is reading outside.
        let part: Box<[u8]> = input[..cut].into();
        match FileDescriptorProto::decode(&part, &arena) {
            Ok(message) => {
                assert_eq!(*message.encode_to_vec(), *part);
                whole += 1;
            }
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Truncated | ErrorKind::InvalidGroup), "{error}");
                assert!(error.offset() <= cut);
                cut_short += 1;
            }
        }
    }
    assert!(whole > 0 && cut_short > 30, "{whole} whole, {cut_short} cut");
}

#[test]
fn bits_flipped() {
    let input = bytes();
    let (mut good, mut bad) = (0, 0);
    for at in (0..input.len()).step_by(if cfg!(miri) { 41 } else { 1 }) {
        for bit in 0..8 {
            let mut flipped: Box<[u8]> = input.as_slice().into();
            flipped[at] ^= 1 << bit;
            let arena = Arena::new();
            match FileDescriptorProto::decode(&flipped, &arena) {
                Ok(message) => {
                    let encoded = message.encode_to_vec();
                    assert!(
                        FileDescriptorProto::decode(&encoded, &arena).unwrap() == message
                            || format!("{message:?}").contains("NaN")
                    );
                    good += 1;
                }
                Err(error) => {
                    assert!(error.offset() <= input.len());
                    bad += 1;
                }
            }
        }
    }
    assert!(good > 0 && bad > 0, "{good} accepted, {bad} refused");
}

/// A fixed arena of every size: the n-th allocation fails for every n. The message is left valid.
#[test]
fn memory_refused_at_every_allocation() {
    let input = bytes();
    let mut room = vec![MaybeUninit::uninit(); 1 << 14];
    let mut fits = None;
    for size in (0..room.len()).step_by(if cfg!(miri) { 456 } else { 8 }) {
        let arena = Arena::from_buffer(&mut room[..size]);
        let mut message = FileDescriptorProto::default();
        match message.merge(&input, &arena) {
            Ok(()) => {
                fits.get_or_insert(size);
                assert_eq!(message.encode_to_vec(), input);
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::ArenaFull, "{size} bytes");
                assert_eq!(fits, None, "{size} bytes do not fit, fewer did");
            }
        }
        // Whatever is there can be walked.
        let encoded = message.encode_to_vec();
        assert_eq!(encoded.len(), message.encoded_len().unwrap());
        assert!(cfg!(miri) || !format!("{message:?}").is_empty());
        if cfg!(miri) && fits.is_some() {
            break;
        }
    }
    assert!(fits.is_some_and(|size| size > 500), "{fits:?}");
}

#[test]
fn copying_and_editing_without_memory() {
    let heap = Arena::new();
    let message = file(&heap);
    let mut room = vec![MaybeUninit::uninit(); 1 << 14];
    let mut fits = None;
    for size in (0..room.len()).step_by(if cfg!(miri) { 456 } else { 8 }) {
        let arena = Arena::from_buffer(&mut room[..size]);
        match message.clone_in(&arena) {
            Ok(copy) => {
                fits.get_or_insert(size);
                assert!(copy == message);
                if cfg!(miri) {
                    break;
                }
            }
            Err(error) => assert_eq!((error, fits), (ArenaError::Full, None)),
        }
    }
    assert!(fits.is_some_and(|size| size > 500), "{fits:?}");
    let none = Arena::from_buffer(&mut []);
    let mut file = FileDescriptorProto::default();
    assert!(file.dependency.try_push("a".into(), &none).is_err() && file.dependency.is_empty());
    assert!(file.options.try_get_or_default(&none).is_err() && !file.options.is_set());
}

#[test]
fn memory_limit_at_n_and_one_less() {
    let input = bytes();
    let decode = |limit| {
        let arena = Arena::with_capacity(1 << 15);
        let result = FileDescriptorProto::decode_with(&input, &arena, &DecodeOptions::new().memory_limit(limit)).map(drop);
        assert_eq!(arena.limit(), usize::MAX, "the arena's own limit is restored");
        (result.map_err(|error| error.kind()), arena.allocated_bytes())
    };
    let (result, used) = decode(usize::MAX);
    assert_eq!(result, Ok(()));
    assert_eq!(decode(used), (Ok(()), used));
    for limit in (0..used).step_by(if cfg!(miri) { 997 } else { 1 }) {
        let (result, taken) = decode(limit);
        assert_eq!(result, Err(ErrorKind::MemoryLimit), "{limit} of {used}");
        assert!(taken <= limit);
    }
}

#[test]
fn size_and_depth_at_n_and_one_more() {
    let input = bytes();
    let arena = Arena::new();
    let limited = |size| FileDescriptorProto::decode_with(&input, &arena, &DecodeOptions::new().max_size(size)).map(drop);
    assert!(limited(input.len()).is_ok());
    assert_eq!(limited(input.len() - 1).unwrap_err().kind(), ErrorKind::TooLong);
    for depth in [0u32, 1, 5, 100] {
        let options = DecodeOptions::new().recursion_limit(depth);
        let nested = nest(depth as usize);
        assert!(DescriptorProto::decode_with(&nested, &arena, &options).is_ok(), "{depth}");
        let nested = nest(depth as usize + 1);
        assert_eq!(DescriptorProto::decode_with(&nested, &arena, &options).unwrap_err().kind(), ErrorKind::TooDeep, "{depth}");
    }
}

/// `levels` of nested types around an empty one.
fn nest(levels: usize) -> Vec<u8> {
    let mut reversed = Vec::new();
    for _ in 0..levels {
        let mut head = vec![0x1A];
        let mut len = reversed.len();
        while len >= 0x80 {
            head.push(len.to_le_bytes()[0] | 0x80);
            len >>= 7;
        }
        head.push(len.to_le_bytes()[0]);
        reversed.extend(head.iter().rev());
    }
    reversed.reverse();
    reversed
}

/// Every walk over a message of `levels` levels, on a thread with a stack of that many bytes.
fn walk_on_a_stack(levels: u32, stack: usize) {
    let work = move || {
        let arena = Arena::new();
        let options = DecodeOptions::new().recursion_limit(levels);
        let input = nest(levels as usize);
        let message = DescriptorProto::decode_with(&input, &arena, &options).unwrap();
        assert_eq!(message.encode_to_vec(), input);
        assert_eq!(message.encoded_len().unwrap(), input.len());
        let copy = message.clone_in(&arena).unwrap();
        assert!(copy == message && copy.is_initialized() && copy.missing_fields().is_empty());
        assert!(!format!("{copy:?}").is_empty());
        let groups = vec![0x0B; levels as usize];
        assert_eq!(
            FileDescriptorProto::decode_with(&groups, &arena, &options).map(drop).unwrap_err().kind(),
            ErrorKind::InvalidGroup
        );
    };
    std::thread::Builder::new().stack_size(stack).spawn(work).unwrap().join().unwrap();
}

/// The default limit fits the two megabytes that Rust gives a thread, also unoptimized.
#[test]
#[cfg_attr(miri, ignore = "Miri's stack is another one")]
fn default_depth_on_a_thread() {
    walk_on_a_stack(buffa::limits::DEFAULT_RECURSION, 2 << 20);
}

/// What the options allow at most does so in optimized code; otherwise it wants more.
#[test]
#[cfg_attr(miri, ignore = "Miri's stack is another one")]
fn deepest_message_on_a_thread() {
    walk_on_a_stack(MAX_DEPTH, if cfg!(debug_assertions) { 64 << 20 } else { 2 << 20 });
}

#[test]
#[cfg_attr(miri, ignore = "minutes")]
fn too_deep_to_encode() {
    let arena = Arena::new();
    let mut message = DescriptorProto::default();
    for _ in 0..=MAX_DEPTH {
        let mut outer = DescriptorProto::default();
        outer.nested_type.push(message, &arena);
        message = outer;
    }
    let encode = move || {
        assert_eq!(message.try_encode_to_vec().unwrap_err(), EncodeError::TooDeep);
        assert_eq!(message.encoded_len().unwrap_err(), EncodeError::TooDeep);
        assert_eq!(message.encode_into(&mut [0; 64]).unwrap_err(), EncodeError::TooDeep);
    };
    // Unoptimized code and Miri need more than the usual stack for that.
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, encode).unwrap().join().unwrap()
    });
}

/// A merge that fails costs nothing of what was there.
#[test]
fn failed_merges_keep_what_was_there() {
    let arena = Arena::new();
    let before = file(&arena).encode_to_vec();
    for wrong in [
        &b"\x0A\x05abc"[..],  // name, cut
        b"\x0A\x01\xFF",      // name, not UTF-8
        b"\x22\x02\x0A\x05",  // message_type, cut inside
        b"\x42\x03\x0A\x05a", // options, cut inside
        b"\xCB\x3E\x08\x01",  // unknown group without end
        b"\x0C",              // end of no group
        b"\x00\x00",          // field 0
    ] {
        let mut message = FileDescriptorProto::decode(&before, &arena).unwrap();
        assert!(message.merge(wrong, &arena).is_err());
        // What the fault interrupted may be there in part, behind what was.
        message.message_type.truncate(2);
        assert_eq!(message.encode_to_vec(), before, "{wrong:?}");
    }
}

/// The same for a scalar: cut varints and fixed values must not be stored.
#[test]
fn failed_merges_keep_scalars() {
    use buffa::descriptor::UninterpretedOption;
    let arena = Arena::new();
    let option = UninterpretedOption { positive_int_value: 300.into(), double_value: 0.5.into(), ..Default::default() };
    let before = option.encode_to_vec();
    for wrong in [&b"\x20"[..], b"\x20\x80", b"\x20\xFF\xFF", b"\x31", b"\x31\x00\x00\x00\x00\x00\x00\x00"] {
        let mut message = UninterpretedOption::decode_partial(&before, &arena, &DecodeOptions::new()).unwrap();
        assert_eq!(message.merge(wrong, &arena).unwrap_err().kind(), ErrorKind::Truncated);
        assert_eq!(message.encode_to_vec(), before, "{wrong:02x?}");
    }
}

#[test]
fn a_oneof_or_message_field_survives_a_refused_allocation() {
    let none = Arena::from_buffer(&mut []);
    let mut options = buffa::descriptor::FileOptions { go_package: "g".into(), ..Default::default() };
    let mut file = FileDescriptorProto { options: MessageField::new(&mut options), ..Default::default() };
    assert_eq!(file.merge(b"\x4A\x00", &none).unwrap_err().kind(), ErrorKind::ArenaFull);
    file.merge(b"\x42\x02\x0A\x00", &none).unwrap();
    assert_eq!(file.encode_to_vec(), b"\x42\x05\x0A\x00\x5A\x01g");
}
