//! The public API on the descriptor types: decode, encode, merge, copy, compare, print. No generator, so that it runs under Miri and on
//! 32-bit targets too.
#![cfg(feature = "descriptor")]
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod support;

use buffa::descriptor::{DescriptorProto, FileDescriptorProto, FileDescriptorSet};
use buffa::{Arena, DecodeOptions, EncodeError, ErrorKind, Message, Owned, UnknownFieldsExt, UnknownPolicy, UnknownValue};
use core::mem::MaybeUninit;
use support::{bytes, file, is};

#[test]
fn decodes_what_it_encodes() {
    let (arena, input) = (Arena::new(), bytes());
    let built = file(&arena);
    let decoded = FileDescriptorProto::decode(&input, &arena).unwrap();
    assert!(decoded == built);
    assert!(is(&decoded.message_type[0].field[1].number, 536_870_911));
    assert_eq!(&*decoded.message_type[0].name, "Öuter");
    assert_eq!(decoded.public_dependency[..], [0, 1, -1, i32::MAX]);
    assert_eq!(*decoded.options.uninterpreted_option[0].string_value, *b"\x00\xFF");
    assert!(decoded.options.uninterpreted_option[0].identifier_value.is_set());
    assert!(!decoded.options.go_package.is_set() && decoded.options.go_package.is_empty());
    assert!(!decoded.source_code_info.is_set() && decoded.source_code_info.location.is_empty());
    // Strings are the input's bytes.
    assert!(input.as_ptr_range().contains(&decoded.name.as_ptr()));
}

#[test]
fn every_way_to_decode_agrees() {
    let input = bytes();
    let (arena, options) = (Arena::new(), DecodeOptions::new());
    let expected = FileDescriptorProto::decode(&input, &arena).unwrap();
    assert!(*FileDescriptorProto::decode_in(&input, &arena, &options).unwrap() == expected);
    assert!(FileDescriptorProto::decode_partial(&input, &arena, &options).unwrap() == expected);
    let copied = FileDescriptorProto::decode_copied(&input.clone(), &arena, &options).unwrap();
    assert!(copied == expected);

    let mut room = vec![MaybeUninit::uninit(); 1 << 14];
    let fixed = Arena::from_buffer(&mut room);
    assert!(FileDescriptorProto::decode(&input, &fixed).unwrap() == expected);
    let mut used = Arena::with_capacity(1 << 14);
    used.try_copy(&[0xFF; 1 << 13]).unwrap();
    used.reset();
    assert!(FileDescriptorProto::decode(&input, &used).unwrap() == expected);

    assert!(*FileDescriptorProto::decode_from_slice(&input).unwrap().get() == expected);
    assert!(*FileDescriptorProto::decode_from_bytes(input.clone().into()).unwrap().get() == expected);
    let (a, b) = input.split_at(input.len() / 3);
    assert!(*FileDescriptorProto::decode_from_buf(bytes::Buf::chain(a, b)).unwrap().get() == expected);

    let mut delimited = Vec::new();
    expected.encode_length_delimited(&mut delimited).unwrap();
    delimited.push(0x55);
    let (message, used) = FileDescriptorProto::decode_length_delimited(&delimited, &arena, &options).unwrap();
    assert!(message == expected && used == delimited.len() - 1);
}

#[test]
fn merging_halves_is_merging_the_whole() {
    let input = bytes();
    let step = if cfg!(miri) { 13 } else { 1 };
    let mut split = 0;
    for cut in (0..=input.len()).step_by(step) {
        let arena = Arena::new();
        let mut message = FileDescriptorProto::default();
        // Both halves are parts of one allocation, so that runs of unknown fields touch.
        let (first, second) = input.split_at(cut);
        if message.merge(first, &arena).is_ok() {
            message.merge(second, &arena).unwrap();
            assert_eq!(message.encode_to_vec(), input, "cut at {cut}");
            split += 1;
        }
    }
    assert!(split >= 2);
}

#[test]
fn every_way_to_encode_agrees() {
    let (arena, expected) = (Arena::new(), bytes());
    let message = file(&arena);
    let len = message.encoded_len().unwrap();
    assert_eq!(len, expected.len());
    let step = if cfg!(miri) { 101 } else { 1 };
    for room in (0..len).step_by(step) {
        let mut buffer = vec![0; room];
        assert_eq!(message.encode_into(&mut buffer).unwrap_err(), EncodeError::BufferTooSmall { needed: len });
    }
    for room in [len, len + 1, len + 31, len + 32, len + 100] {
        let mut buffer = vec![0xAA; room];
        assert_eq!(message.encode_into(&mut buffer).unwrap(), expected, "{room} bytes of room");
        assert_eq!(message.encode_into_deterministic(&mut buffer).unwrap(), expected);
    }
    let mut appended = vec![7];
    message.encode_append(&mut appended).unwrap();
    message.encode_append(&mut appended).unwrap();
    assert_eq!(appended, [&[7], &expected[..], &expected[..]].concat());
    let mut out = bytes::BytesMut::new();
    message.encode(&mut out).unwrap();
    assert_eq!(out, expected);
    assert_eq!(message.encode_deterministic().unwrap(), expected);
    let mut written = Vec::new();
    buffa::write_message(&message, &mut written).unwrap();
    assert_eq!(written, expected);
}

#[test]
fn readers_one_byte_at_a_time() {
    struct Slow<'s>(&'s [u8]);
    impl std::io::Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let n = self.0.len().min(out.len()).min(1);
            let (now, later) = self.0.split_at(n);
            out[..n].copy_from_slice(now);
            self.0 = later;
            Ok(n)
        }
    }
    let options = DecodeOptions::new();
    let input = DescriptorProto { name: "a".into(), ..Default::default() }.encode_to_vec();
    let read: Owned<DescriptorProto<'_>> = buffa::read_message(Slow(&input), &options).unwrap();
    assert_eq!(&*read.get().name, "a");
    let two = [&[3][..], &input, &[3], &input, &[3, 0x0A]].concat();
    let mut reader = Slow(&two);
    for _ in 0..2 {
        let read: Owned<DescriptorProto<'_>> = buffa::read_delimited(&mut reader, &options).unwrap().unwrap();
        assert_eq!(&*read.get().name, "a");
    }
    let cut = buffa::read_delimited::<DescriptorProto<'_>>(&mut reader, &options).unwrap_err();
    assert_eq!(cut.kind(), ErrorKind::Truncated);
    assert!(buffa::read_delimited::<DescriptorProto<'_>>(&mut Slow(&[]), &options).unwrap().is_none());
    let small = options.max_size(2);
    assert_eq!(buffa::read_message::<DescriptorProto<'_>>(Slow(&input), &small).unwrap_err().kind(), ErrorKind::TooLong);
}

#[test]
fn copies_outlive_their_source() {
    let target = Arena::new();
    let copy = {
        let (arena, input) = (Arena::new(), bytes());
        let message = FileDescriptorProto::decode(&input, &arena).unwrap();
        let owned = Owned::<FileDescriptorProto<'_>>::copy_of(&message);
        (message.clone_in(&target).unwrap(), owned)
    };
    assert!(copy.0 == *copy.1.get());
    assert_eq!(copy.0.encode_to_vec(), bytes());
    assert!(copy.1.clone() == copy.1);
}

#[test]
fn owners_are_edited_and_moved_between_threads() {
    let mut owned = FileDescriptorProto::decode_from_slice(&bytes()).unwrap();
    let pushed = owned.edit(|file, arena| {
        file.dependency.push(arena.copy_str(&String::from("three.proto")).into(), arena);
        file.message_type[0].name = "Renamed".into();
        file.options.get_or_default(arena).java_package = "org".into();
        file.dependency.len()
    });
    assert_eq!(pushed, 4);
    let owned = std::thread::spawn(move || {
        assert_eq!(&*owned.get().dependency[3], "three.proto");
        owned
    })
    .join()
    .unwrap();
    let mut all = [owned.clone(), owned, Owned::new()];
    all.rotate_left(1);
    assert!(all[0] == all[2] && all[0] != all[1]);
    assert_eq!(&*all[2].get().message_type[0].name, "Renamed");
}

#[test]
fn equality_sees_every_difference() {
    let arena = Arena::new();
    let changes: [fn(&mut FileDescriptorProto<'_>); 8] = [
        |file| file.name = "".into(),
        |file| file.name = buffa::Str::default(),
        |file| file.dependency.truncate(2),
        |file| file.message_type[0].nested_type[0].field[0].number = 2.into(),
        |file| file.options.clear(),
        |file| file.edition = None.into(),
        |file| file.unknown_fields_mut().clear(),
        |file| file.message_type[1].name = "".into(),
    ];
    for (i, change) in changes.iter().enumerate() {
        let (base, mut other) = (file(&arena), file(&arena));
        assert!(base == other);
        change(&mut other);
        assert!(base != other, "change {i}");
        other.clear();
        assert!(other == FileDescriptorProto::default() && other.encode_to_vec().is_empty());
    }
}

#[test]
fn debug_output() {
    let arena = Arena::new();
    let file = file(&arena);
    let expected = "google.protobuf.FileDescriptorProto { name: \"a/b.proto\", package: \"a.b\", \
        dependency: [\"one.proto\", \"two.proto\", \"\"], message_type: [google.protobuf.DescriptorProto { name: \"Öuter\", \
        field: [google.protobuf.FieldDescriptorProto { name: \"a\", number: 1, label: LABEL_OPTIONAL, type: TYPE_STRING }, \
        google.protobuf.FieldDescriptorProto { name: \"a_longer_name_than_sixteen_bytes\", number: 536870911, \
        label: LABEL_OPTIONAL, type: TYPE_MESSAGE }], nested_type: [google.protobuf.DescriptorProto { name: \"Inner\", \
        field: [google.protobuf.FieldDescriptorProto { name: \"x\", number: 1, label: LABEL_OPTIONAL, type: TYPE_INT32 }], \
        reserved_name: [\"old\"] }] }, google.protobuf.DescriptorProto], options: google.protobuf.FileOptions { \
        java_package: \"com.example\", deprecated: false, uninterpreted_option: [google.protobuf.UninterpretedOption { \
        name: [google.protobuf.UninterpretedOption.NamePart { name_part: \"p\", is_extension: true }], identifier_value: \"\", \
        positive_int_value: 18446744073709551615, negative_int_value: -9223372036854775808, double_value: -0.5, \
        string_value: b\"\\x00\\xff\" }] }, public_dependency: [0, 1, -1, 2147483647], syntax: \"editions\", \
        edition: EDITION_2023, unknown: [b\"\\xc8>\\x01\\xca>\\x02AB\\xcb>\\x08\\x01\\xcc>\"] }";
    assert_eq!(format!("{file:?}"), expected);
}

#[test]
fn unknown_fields_by_policy() {
    let (arena, input) = (Arena::new(), bytes());
    let kept = FileDescriptorProto::decode(&input, &arena).unwrap();
    let values: Vec<_> = kept.unknown_fields().fields().map(|field| (field.number, field.value)).collect();
    let expected =
        [(1001, UnknownValue::Varint(1)), (1001, UnknownValue::LengthDelimited(b"AB")), (1001, UnknownValue::Group(&[8, 1]))];
    assert_eq!(values, expected);
    let options = DecodeOptions::new().unknown(UnknownPolicy::Discard);
    let dropped = FileDescriptorProto::decode_with(&input, &arena, &options).unwrap();
    assert!(dropped.unknown_fields().is_empty() && dropped.encode_to_vec().len() == input.len() - 14);
    let options = DecodeOptions::new().unknown(UnknownPolicy::Error);
    assert_eq!(FileDescriptorProto::decode_with(&input, &arena, &options).unwrap_err().kind(), ErrorKind::UnknownField);
    // Only whole fields can be appended.
    let mut message = FileDescriptorSet::default();
    for wrong in [&b"\x08"[..], b"\x0A\x02A", b"\x0B", b"\x0C", b"\x00\x00"] {
        assert!(message.unknown_fields_mut().append(wrong, &arena).is_err() && message.unknown_fields().is_empty());
    }
}

#[test]
fn missing_required_fields_are_named() {
    let arena = Arena::new();
    let mut message = file(&arena);
    message.options.get_or_default(&arena).uninterpreted_option[0].name[0].is_extension = None.into();
    let encoded = message.encode_to_vec();
    let error = FileDescriptorProto::decode(&encoded, &arena).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingRequired);
    assert_eq!(error.missing_fields(), Some("options.uninterpreted_option[0].name[0].is_extension"));
    assert_eq!(error.to_string(), "required field is missing: options.uninterpreted_option[0].name[0].is_extension");
    assert!(FileDescriptorProto::decode_partial(&encoded, &arena, &DecodeOptions::new()).unwrap() == message);
    assert_eq!(message.check_required().unwrap_err(), error);
}
