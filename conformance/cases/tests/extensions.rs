//! Extensions by their generated constants: every kind set, read, found on the wire and cleared; message sets; registries.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use buffa::{Arena, DecodeOptions, ErrorKind, Extension, ExtensionRegistry, Message, MessageField, Repeated};
use buffa_cases::{ext, hex, s2};
use ext::Host;

/// Sets, encodes, decodes, reads, and clears an extension between other unknown fields.
macro_rules! round_trip {
    ($constant:expr, $wire:expr, |$arena:ident| $value:expr, |$got:ident| $check:expr) => {{
        let $arena = &Arena::new();
        let wire = hex::parse($wire);
        let mut host = Host::decode(&[0xC8, 0x3E, 0x01], $arena).unwrap();
        assert!(!host.has_extension(&$constant));
        host.set_extension(&$constant, $value, $arena).unwrap();
        host.set_extension(&$constant, $value, $arena).unwrap();
        assert!(host.has_extension(&$constant), "{:?}", $constant);
        let encoded = host.encode_to_vec();
        assert_eq!(encoded, [hex::parse("C8 3E 01"), wire.clone()].concat(), "{:?}", $constant);

        let input = [hex::parse("C8 3E 01"), wire, hex::parse("C8 3E 02 08 07")].concat();
        let mut back = Host::decode(&input, $arena).unwrap();
        let $got = back.extension(&$constant, $arena).unwrap();
        assert!($check, "{:?}", $constant);
        back.clear_extension(&$constant, $arena).unwrap();
        assert!(!back.has_extension(&$constant));
        assert_eq!(back.encode_to_vec(), hex::parse("08 07 C8 3E 01 C8 3E 02"), "{:?}", $constant);
        back.clear_extension(&$constant, $arena).unwrap();
        let $got = back.extension(&$constant, $arena).unwrap();
        assert!(!($check), "{:?} is gone", $constant);
    }};
}

#[test]
fn every_singular_kind() {
    round_trip!(ext::X_INT32, "50 FF*9 01", |a| (-1).into(), |x| x.get() == Some(-1));
    round_trip!(ext::X_INT64, "58 80*9 01", |a| i64::MIN.into(), |x| x.get() == Some(i64::MIN));
    round_trip!(ext::X_UINT32, "60 00", |a| 0.into(), |x| x.get() == Some(0));
    round_trip!(ext::X_UINT64, "68 FF*9 01", |a| u64::MAX.into(), |x| x.get() == Some(u64::MAX));
    round_trip!(ext::X_SINT32, "70 FF FF FF FF 0F", |a| i32::MIN.into(), |x| x.get() == Some(i32::MIN));
    round_trip!(ext::X_SINT64, "78 01", |a| (-1).into(), |x| x.get() == Some(-1));
    round_trip!(ext::X_FIXED32, "85 01 FF*4", |a| u32::MAX.into(), |x| x.get() == Some(u32::MAX));
    round_trip!(ext::X_FIXED64, "89 01 01 00*7", |a| 1.into(), |x| x.get() == Some(1));
    round_trip!(ext::X_SFIXED32, "95 01 FF*4", |a| (-1).into(), |x| x.get() == Some(-1));
    round_trip!(ext::X_SFIXED64, "99 01 FF*8", |a| (-1).into(), |x| x.get() == Some(-1));
    round_trip!(ext::X_FLOAT, "A5 01 00 00 00 80", |a| (-0.0).into(), |x| x.get().is_some_and(|x| x.to_bits() == 1 << 31));
    round_trip!(ext::X_DOUBLE, "A9 01 00*6 F0 7F", |a| f64::INFINITY.into(), |x| x.get() == Some(f64::INFINITY));
    round_trip!(ext::X_BOOL, "B0 01 00", |a| false.into(), |x| x.get() == Some(false));
    round_trip!(ext::X_STRING, "BA 01 00", |a| "".into(), |x| x.is_set() && x.is_empty());
    round_trip!(ext::X_BYTES, "C2 01 02 FF 00", |a| b"\xFF\0".into(), |x| *x == *b"\xFF\0");
    round_trip!(ext::X_ENUM, "F0 01 02", |a| ext::Col::Green.into(), |x| x.get() == Some(ext::Col::Green));
    round_trip!(ext::X_LAST, "F8 FF FF FF 0F 05", |a| 5.into(), |x| x.get() == Some(5));
    round_trip!(ext::X_PLAIN, "8A 02 00", |a| MessageField::new_in(ext::Plain::default(), a), |x| x.is_set());
    round_trip!(
        ext::X_SUB,
        "FA 01 04 08 01 18 02",
        |a| MessageField::new_in(ext::Sub { a: 1.into(), r: 2.into(), ..Default::default() }, a),
        |x| x.a.get() == Some(1) && x.r.get() == Some(2)
    );
    round_trip!(
        ext::XGROUP,
        "83 02 08 03 84 02",
        |a| MessageField::new_in(ext::XGroup { a: 3.into(), ..Default::default() }, a),
        |x| x.a.get() == Some(3)
    );
}

#[test]
fn every_repeated_kind() {
    round_trip!(ext::R_INT32, "F0 06 01 F0 06 FF*9 01", |a| (&[1, -1]).into(), |x| *x == [1, -1]);
    round_trip!(ext::R_UINT64, "88 07 00 88 07 FF*9 01", |a| (&[0, u64::MAX]).into(), |x| *x == [0, u64::MAX]);
    round_trip!(ext::R_SINT64, "98 07 01", |a| (&[-1]).into(), |x| *x == [-1]);
    round_trip!(ext::R_FIXED32, "A5 07 01 00 00 00 A5 07 FF*4", |a| (&[1, u32::MAX]).into(), |x| *x == [1, u32::MAX]);
    round_trip!(ext::R_DOUBLE, "C9 07 00*8", |a| (&[0.0]).into(), |x| *x == [0.0]);
    round_trip!(ext::R_BOOL, "D0 07 00 D0 07 01", |a| (&[false, true]).into(), |x| *x == [false, true]);
    round_trip!(ext::R_STRING, "DA 07 00 DA 07 01 41", |a| Repeated::copied(&["".into(), "A".into()], a).unwrap(), |x| x.len()
        == 2
        && *x[1] == *b"A");
    round_trip!(ext::R_BYTES, "E2 07 01 FF", |a| Repeated::copied(&[b"\xFF".into()], a).unwrap(), |x| x.len() == 1
        && *x[0] == *b"\xFF");
    round_trip!(ext::R_ENUM, "90 08 02 90 08 01", |a| (&[ext::Col::Green, ext::Col::Red]).into(), |x| *x
        == [ext::Col::Green, ext::Col::Red]);
    round_trip!(ext::P_INT32, "92 0D 0B 01 FF*9 01", |a| (&[1, -1]).into(), |x| *x == [1, -1]);
    round_trip!(ext::P_FLOAT, "E2 0D 04 00 00 80 3F", |a| (&[1.0]).into(), |x| *x == [1.0]);
    round_trip!(ext::P_ENUM, "B2 0E 02 01 02", |a| (&[ext::Col::Red, ext::Col::Green]).into(), |x| *x
        == [ext::Col::Red, ext::Col::Green]);
    round_trip!(
        ext::R_SUB,
        "9A 08 02 18 01 9A 08 02 18 02",
        |a| {
            let mut list = Repeated::default();
            list.push(ext::Sub { r: 1.into(), ..Default::default() }, a);
            list.push(ext::Sub { r: 2.into(), ..Default::default() }, a);
            list
        },
        |x| x.len() == 2 && x[1].r.get() == Some(2)
    );
    round_trip!(
        ext::RGROUP,
        "A3 08 A4 08 A3 08 08 01 A4 08",
        |a| {
            let mut list = Repeated::default();
            list.push(ext::RGroup::default(), a);
            list.push(ext::RGroup { a: 1.into(), ..Default::default() }, a);
            list
        },
        |x| x.len() == 2 && x[1].a.get() == Some(1)
    );
}

fn get<'a, V: buffa::__rt::FieldFamily>(input: &str, extension: &Extension<Host<'static>, V>, arena: &'a Arena<'_>) -> V::In<'a> {
    let input: &'a [u8] = arena.try_copy(&hex::parse(input)).unwrap();
    Host::decode(input, arena).unwrap().extension(extension, arena).unwrap()
}

#[test]
fn the_wire_decides() {
    let arena = &Arena::new();
    assert_eq!(get("50 01 50 02", &ext::X_INT32, arena).get(), Some(2), "the last one wins");
    assert_eq!(*get("92 0D 02 01 02 90 0D 03", &ext::P_INT32, arena), [1, 2, 3], "packed and unpacked");
    assert_eq!(*get("F2 06 02 01 02 F0 06 03", &ext::R_INT32, arena), [1, 2, 3], "packed and unpacked");
    assert_eq!(get("8A 02 02 08 01 8A 02 02 10 05", &ext::X_PLAIN, arena).encode_to_vec(), hex::parse("08 01 10 05"), "merged");
    assert_eq!(
        *get("B2 0E 03 01 63 02", &ext::P_ENUM, arena),
        [ext::Col::Red, ext::Col::Green],
        "undeclared numbers are left out"
    );
    assert!(!get("52 01 41", &ext::X_INT32, arena).is_set(), "another wire type is no value");
}

/// E1: a number that the closed enum does not declare is no value, and its bytes stay.
#[test]
fn e1_undeclared_number() {
    let arena = &Arena::new();
    let input = hex::parse("A0 06 63");
    let mut message = s2::M::decode(&input, arena).unwrap();
    assert_eq!(message.extension(&s2::XC, arena).unwrap().get(), None);
    assert!(!message.has_extension(&s2::XC), "a number that is not declared does not count as present");
    assert_eq!(message.encode_to_vec(), input);
    message.set_extension(&s2::XC, s2::Col::Red.into(), arena).unwrap();
    assert_eq!(message.extension(&s2::XC, arena).unwrap().get(), Some(s2::Col::Red));
}

#[test]
fn unset_and_empty_values_clear() {
    let arena = &Arena::new();
    let input = hex::parse("50 01 F0 06 01 FA 01 02 18 01");
    let mut host = Host::decode(&input, arena).unwrap();
    host.set_extension(&ext::X_INT32, None.into(), arena).unwrap();
    host.set_extension(&ext::R_INT32, Repeated::default(), arena).unwrap();
    host.set_extension(&ext::X_SUB, MessageField::default(), arena).unwrap();
    assert!(host.encode_to_vec().is_empty());
}

const REGISTRY: ExtensionRegistry<'_> = ExtensionRegistry::new(&[s2::__buffa::EXTENSIONS, ext::__buffa::EXTENSIONS]);

fn checked(input: &str) -> Result<(), ErrorKind> {
    let (arena, input) = (Arena::new(), hex::parse(input));
    Host::decode_with(&input, &arena, &DecodeOptions::new().extensions(&REGISTRY)).map(drop).map_err(|error| error.kind())
}

#[test]
fn registries_find_what_is_there() {
    let table = <Host<'static> as Message<'static>>::TABLE;
    assert_eq!(REGISTRY.find(table, 10).unwrap().full_name(), "ext.x_int32");
    assert_eq!(REGISTRY.find(table, 32).unwrap().full_name(), "ext.xgroup");
    assert_eq!(REGISTRY.find(table, 536_870_911).unwrap().full_name(), "ext.x_last");
    assert!(REGISTRY.find(table, 9).is_none() && REGISTRY.find(table, 100).is_none());
    assert_eq!(REGISTRY.find(<s2::M<'static> as Message<'static>>::TABLE, 100).unwrap().full_name(), "s2.xc");
    let set = <ext::Set<'static> as Message<'static>>::TABLE;
    assert_eq!(REGISTRY.find(set, 1000).unwrap().full_name(), "ext.Item.item");
}

#[test]
fn registries_check() {
    assert_eq!(checked("50 01 FA 01 02 18 01 F0 01 63"), Ok(()));
    assert_eq!(checked("FA 01 00"), Err(ErrorKind::MissingRequired));
    assert_eq!(checked("FA 01 01 18"), Err(ErrorKind::Truncated));
    assert_eq!(checked("9A 08 02 18 01 9A 08 00"), Err(ErrorKind::MissingRequired));
    assert_eq!(checked("FA 01 02 0C 00"), Err(ErrorKind::InvalidGroup));
    assert_eq!(checked("83 02 08 01 0C"), Err(ErrorKind::InvalidGroup));
    assert_eq!(checked("C2 0D 03 00 00 00"), Err(ErrorKind::InvalidPacked));
    // Nested in an extension: the host inside has an extension that lacks a field.
    assert_eq!(checked("FA 01 07 18 01 22 03 FA 01 00"), Err(ErrorKind::MissingRequired));
    assert_eq!(checked("FA 01 09 18 01 22 05 FA 01 02 18 01"), Ok(()));
    // Without a registry the bytes are kept as they are.
    let (arena, input) = (Arena::new(), hex::parse("FA 01 01 18"));
    let host = Host::decode(&input, &arena).unwrap();
    assert_eq!(host.extension(&ext::X_SUB, &arena).map(drop).unwrap_err().kind(), ErrorKind::Truncated);
    // Merging does not check what is required.
    let (mut host, input) = (Host::default(), hex::parse("FA 01 00"));
    host.merge_with(&input, &arena, &DecodeOptions::new().extensions(&REGISTRY)).unwrap();
}

/// Two occurrences are one message: the second brings what the first lacks.
#[test]
fn registry_checks_the_merged_message() {
    assert_eq!(checked("FA 01 02 08 01 FA 01 02 18 01"), Ok(()));
}

#[test]
fn nested_extensions_respect_the_depth() {
    let nest = |levels: usize| {
        (0..levels).fold(Vec::new(), |host, _| hex::delimited(31, &[hex::parse("18 01"), hex::delimited(4, &host)].concat()))
    };
    let (arena, options) = (Arena::new(), DecodeOptions::new().extensions(&REGISTRY));
    assert!(Host::decode_with(&nest(50), &arena, &options).is_ok());
    for levels in [51, 1000, 20_000] {
        let error = Host::decode_with(&nest(levels), &arena, &options).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooDeep, "{levels} levels");
    }
}

#[test]
fn message_sets() {
    let arena = &Arena::new();
    let item = hex::parse("0B 10 E8 07 1A 02 08 05 0C");
    let mut set = ext::Set::decode(&item, arena).unwrap();
    assert!(set.has_extension(&ext::item::ITEM) && !set.has_extension(&ext::strict::STRICT));
    assert_eq!(set.extension(&ext::item::ITEM, arena).unwrap().n.get(), Some(5));
    set.set_extension(
        &ext::strict::STRICT,
        MessageField::new_in(ext::Strict { r: 1.into(), ..Default::default() }, arena),
        arena,
    )
    .unwrap();
    let encoded = set.encode_to_vec();
    assert_eq!(encoded, [item.clone(), hex::parse("0B 10 E9 07 1A 02 08 01 0C")].concat());
    set.clear_extension(&ext::item::ITEM, arena).unwrap();
    assert_eq!(set.encode_to_vec(), hex::parse("0B 10 E9 07 1A 02 08 01 0C"));

    for (input, n) in [
        ("0B 1A 02 08 05 10 E8 07 0C", Some(5)), // message before type id
        ("0B 10 E8 07 1A 02 08 05 0C 0B 10 E8 07 1A 03 12 01 41 0C", Some(5)), // two items merge
        ("0B 20 01 10 E8 07 1A 02 08 05 2B 2C 0C", Some(5)), // unknown fields inside
        ("0B 10 E8 87 80 00 1A 02 08 05 0C", Some(5)), // a padded type id
    ] {
        let input: &[u8] = arena.try_copy(&hex::parse(input)).unwrap();
        let set = ext::Set::decode(input, arena).unwrap();
        let item = set.extension(&ext::item::ITEM, arena).unwrap();
        assert!(item.is_set(), "{}", hex::print(input));
        assert_eq!(item.n.get(), n, "{}", hex::print(input));
        assert_eq!(set.encode_to_vec(), input);
    }
    // An item without a message is no extension, but kept.
    let input: &[u8] = arena.try_copy(&hex::parse("0B 10 E8 07 0C")).unwrap();
    let set = ext::Set::decode(input, arena).unwrap();
    assert!(!set.has_extension(&ext::item::ITEM) && !set.extension(&ext::item::ITEM, arena).unwrap().is_set());
    assert_eq!(set.encode_to_vec(), input);
    let registry = DecodeOptions::new().extensions(&REGISTRY);
    for (input, kind) in [
        ("0B 10 E9 07 1A 00 0C", ErrorKind::MissingRequired),
        ("0B 10 E8 07 1A 01 08 0C", ErrorKind::Truncated),
        ("0B 10 E8 07 1A 02 08 05", ErrorKind::InvalidGroup),
    ] {
        let input: &[u8] = arena.try_copy(&hex::parse(input)).unwrap();
        assert_eq!(ext::Set::decode_with(input, arena, &registry).map(drop).unwrap_err().kind(), kind, "{}", hex::print(input));
    }
}
