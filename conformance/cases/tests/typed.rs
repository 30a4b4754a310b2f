//! What users see of the fields: presence, oneofs, defaults, wide messages.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use buffa::{Arena, DecodeOptions, Message, MessageField, Owned, UnknownFieldsExt, UnknownValue};
use buffa_cases::{ed, hex, on_large_stack, s2, s3, wide};

#[test]
fn presence_of_empty_values() {
    let arena = &Arena::new();
    let input = hex::parse("CA 01 00 D2 01 00 D8 01 00 5A 00");
    let message = s3::M::decode(&input, arena).unwrap();
    assert!(message.ps.is_set() && message.pb.is_set() && message.pi.is_set());
    assert!(message.ps.is_empty() && message.pb.is_empty() && message.pi.get() == Some(0));
    assert!(matches!(&message.o, s3::m::O::Os(text) if text.is_empty() && text.is_set()));
    let absent = s3::M::decode(&[], arena).unwrap();
    assert!(!absent.ps.is_set() && !absent.pb.is_set() && !absent.pi.is_set() && absent.o == s3::m::O::Unset);
    assert!(absent != message);
    let built = s3::M { ps: "".into(), pb: b"".into(), pi: 0.into(), o: s3::m::O::Os("".into()), ..Default::default() };
    assert!(built == message);
    assert_eq!(built.encode_to_vec(), hex::parse("5A 00 CA 01 00 D2 01 00 D8 01 00"));
    // At the very end of a message, and in one that ends before other bytes.
    let nested = hex::delimited(20, &hex::parse("CA 01 00"));
    assert!(s3::M::decode(&nested, arena).unwrap().rec.ps.is_set());
    let sub = s3::Holder::decode(&[0x0A, 0x00], arena).unwrap();
    assert!(sub.sub.is_set() && s3::Holder::default() != sub && sub.sub.a == 0);
    let copy = message.clone_in(arena).unwrap();
    assert!(copy == message && copy.ps.is_set() && copy.pb.is_set());
}

#[test]
fn oneof_switches() {
    let arena = &Arena::new();
    let members = ["42 02 08 01", "4A 02 10 05", "50 01", "5A 02 68 69"];
    for (i, first) in members.iter().enumerate() {
        for (j, second) in members.iter().enumerate() {
            let mut message = s2::M::default();
            message.merge_copied(&hex::parse(first), arena, &Default::default()).unwrap();
            message.merge_copied(&hex::parse(second), arena, &Default::default()).unwrap();
            assert_eq!(message.encode_to_vec(), hex::parse(second), "{i} then {j}");
        }
    }
    let all = hex::parse(&members.join(" "));
    assert!(matches!(s2::M::decode(&all, arena).unwrap().o, s2::m::O::Os(text) if *text == *b"hi"));
}

/// O3: after a string, the sub-message is a fresh one.
#[test]
fn o3_fresh_member_after_a_string() {
    let arena = &Arena::new();
    let mut message = s2::M { o: s2::m::O::Os("not a pointer".into()), ..Default::default() };
    message.merge(&[0x42, 0x00], arena).unwrap();
    assert!(matches!(&message.o, s2::m::O::Sa(sub) if sub.is_set() && !sub.a.is_set() && !sub.b.is_set()));
    message.o = s2::m::O::Oc(s2::Col::Green);
    message.merge(&[0x4A, 0x02, 0x10, 0x05], arena).unwrap();
    assert!(matches!(&message.o, s2::m::O::Sb(sub) if sub.b.get() == Some(5) && !sub.s.is_set()));
    // A member that holds nothing yet is encoded as an empty message, and merged into as one.
    message.o = s2::m::O::Sa(MessageField::default());
    assert_eq!(message.encode_to_vec(), [0x42, 0x00]);
    message.merge(&[0x42, 0x02, 0x08, 0x01], arena).unwrap();
    assert_eq!(message.encode_to_vec(), [0x42, 0x02, 0x08, 0x01]);
}

/// C13, C14, C15.
#[test]
fn c13_to_c15_defaults() {
    let message = s2::Defaults::default();
    assert_eq!(message.neg_or_default(), s2::Neg::Neg);
    assert_eq!(message.pos_or_default(), s2::Neg::Pos);
    assert_eq!(s2::Neg::default(), s2::Neg::Neg);
    assert_eq!(message.ends_or_default() as i32, i32::MIN);
    assert_eq!(message.raw_or_default(), b"\0\x01\xFE\"'\\");
    assert_eq!(message.text_or_default(), b"a\\n\n");
    assert_eq!(message.minus_or_default(), f64::NEG_INFINITY);
    assert!(message.nan_or_default().is_nan());
    assert_eq!(message.least_or_default(), i64::MIN);
    assert_eq!(message.most_or_default(), u64::MAX);
    assert!(message.yes_or_default());
    assert_eq!(message.plus_or_default(), f32::INFINITY);
    assert_eq!(message.col_or_default(), s2::Col::Red);
    assert!(message.encode_to_vec().is_empty(), "defaults are not written");
    let set = s2::Defaults { yes: false.into(), raw: b"".into(), neg: s2::Neg::Nil.into(), ..Default::default() };
    assert_eq!(set.encode_to_vec(), hex::parse("08 00 2A 00 58 00"));
    assert!(!set.yes_or_default() && set.raw_or_default().is_empty() && set.neg_or_default() == s2::Neg::Nil);
}

#[test]
fn c14_aliases_and_extremes() {
    let arena = &Arena::new();
    assert_eq!(s2::Ends::LEAST, s2::Ends::Low);
    assert_eq!(s2::Ends::MOST as i32, i32::MAX);
    let message = s2::Defaults {
        ends: s2::Ends::MOST.into(),
        all: (&[s2::Ends::Low, s2::Ends::High, s2::Ends::Zero]).into(),
        ..Default::default()
    };
    let encoded = message.encode_to_vec();
    assert_eq!(encoded, hex::parse("18 FF FF FF FF 07 20 80 80 80 80 F8 FF*4 01 20 FF FF FF FF 07 20 00"));
    assert!(s2::Defaults::decode(&encoded, arena).unwrap() == message);
    let unknown = hex::parse("18 01");
    assert!(!s2::Defaults::decode(&unknown, arena).unwrap().ends.is_set());
}

#[test]
fn open_and_closed_enums() {
    let arena = &Arena::new();
    let input = hex::parse("18 01 20 07 28 07 50 FF*9 01");
    let message = ed::X::decode(&input, arena).unwrap();
    assert_eq!(message.closed.get(), None);
    assert_eq!(message.open.get().unwrap().get(), Err(7));
    assert_eq!(message.zero.get(), Ok(ed::Open::Neg));
    assert_eq!(message.closed_or_default(), ed::Closed::One);
}

/// Unknown fields one by one, with values as they were sent.
#[test]
fn unknown_fields_one_by_one() {
    let arena = &Arena::new();
    let input = hex::parse("08 96 01 11 01 00*7 1A 02 41 42 25 FF 00 00 00 2B 08 01 12 00 2C 33 34");
    let message = s2::E::decode(&input, arena).unwrap();
    let fields: Vec<_> = message.unknown_fields().fields().collect();
    let values: Vec<_> = fields.iter().map(|field| (field.number, field.value)).collect();
    assert_eq!(
        values,
        [
            (1, UnknownValue::Varint(150)),
            (2, UnknownValue::Fixed64(1)),
            (3, UnknownValue::LengthDelimited(b"AB")),
            (4, UnknownValue::Fixed32(255)),
            (5, UnknownValue::Group(&[0x08, 0x01, 0x12, 0x00])),
            (6, UnknownValue::Group(&[])),
        ]
    );
    assert_eq!(fields.iter().flat_map(|field| field.bytes).copied().collect::<Vec<u8>>(), input);
}

/// The content of a group may end in bytes that look like the continuation of its end tag.
#[test]
fn unknown_group_with_high_bytes_at_its_end() {
    let arena = &Arena::new();
    for (content, number) in [
        ("0A 01 FF", 1),
        ("0A 03 41 FE FF", 1),
        ("0D FF FF FF FF", 1),
        ("09 FF*8", 1),
        ("0A 01 FF", 500),
        ("0A 02 80 80", 1_000_000),
    ] {
        let content = hex::parse(content);
        let input = hex::group(number, &content);
        let message = s2::E::decode(&input, arena).unwrap();
        let found: Vec<_> = message.unknown_fields().fields().map(|field| field.value).collect();
        assert_eq!(found, [UnknownValue::Group(&content)], "{}", hex::print(&input));
    }
    // An end tag that is spelled longer than it need be.
    let input = hex::parse("0B 0A 01 FF 8C 00");
    let message = s2::E::decode(&input, arena).unwrap();
    assert!(message.unknown_fields().fields().any(|field| field.value == UnknownValue::Group(&[0x0A, 0x01, 0xFF])));
}

/// Every field from 1 to 5000 once, by its kind as `build.rs` chooses it, and the far ones.
fn wide_input() -> Vec<u8> {
    let mut input = Vec::new();
    for n in 1..=5000u32 {
        let number = n + n / 100;
        input.extend(match n % 7 {
            0 => hex::delimited(number, b"text"),
            1 => [hex::tag(number, 0), vec![0]].concat(),
            2 => [hex::tag(number, 0), hex::varint(u64::from(n))].concat(),
            3 => hex::delimited(number, &hex::parse("01 00 00 00 02 00 00 00")),
            4 => hex::delimited(number, &[]),
            5 => hex::delimited(number, &hex::parse("08 07 12 00")),
            _ => hex::delimited(number, &[0xFF]),
        });
    }
    input.extend(hex::delimited(80_000, b"far"));
    input.extend(hex::delimited(536_870_911, &[1, 2]));
    input
}

#[test]
fn wide_message() {
    on_large_stack(|| {
        let arena = &Arena::new();
        let input = wide_input();
        let options = &DecodeOptions::new().memory_limit(1 << 30);
        let message = wide::Wide::decode_in(&input, arena, options).unwrap();
        assert!(message.encode_to_vec() == input && message.encoded_len().unwrap() == input.len());
        assert_eq!(*message.last, [-1, 1]);
        assert!(matches!(&message.far, wide::wide::Far::Fb(text) if &**text == "far"));
        assert_eq!((&*message.f7, message.f1.get(), message.f4992.get()), ("text", Some(0), Some(0)));
        let owned = Owned::<wide::Wide<'static>>::decode(&input, options).unwrap();
        assert!(owned.get() == message && owned.clone() == owned);
        // In the opposite order, and with members that switch.
        let mut backwards = [hex::tag(70_000, 0), vec![5]].concat();
        for field in buffa_cases::naive::fields(&input, 10).0.iter().rev() {
            backwards.extend(&input[field.from..field.to]);
        }
        let switched = [hex::tag(536_870_910, 1), vec![0; 8], hex::delimited(80_000, b"far")].concat();
        backwards.extend(switched);
        assert!(*message == wide::Wide::decode_with(&backwards, arena, options).unwrap());
    });
}

/// Each field alone, at the end of the input, with a wire type that no field of the message has.
#[test]
fn wide_message_wrong_wire_types() {
    on_large_stack(|| {
        let arena = &Arena::new();
        for number in (1..=5050u32).step_by(97).chain([70_000, 80_000, 90_000, 536_870_911, 101, 6000]) {
            let unknown: &[u8] = arena.try_copy(&[hex::tag(number, 1), vec![9; 8]].concat()).unwrap();
            let message = wide::Wide::decode_in(unknown, arena, &Default::default()).unwrap();
            assert_eq!(message.encode_to_vec(), unknown, "field {number}");
        }
    });
}
