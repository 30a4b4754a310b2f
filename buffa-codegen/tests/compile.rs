//! The goldens compile, side by side, without a warning, and mean what their schemas say.
#![deny(warnings)]
#![allow(missing_docs, clippy::all, clippy::unwrap_used)]

macro_rules! package {
    ($file:literal) => {
        include!(concat!("golden/", $file, ".rs"));
    };
}

// The user's module tree mirrors the packages.
pub mod names {
    package!("names");
}
pub mod proto3 {
    package!("proto3");
}
pub mod defaults {
    package!("defaults");
}
pub mod comments {
    package!("comments");
}
pub mod editions {
    package!("editions");
}
pub mod edition2024 {
    package!("edition2024");
}
pub mod wellknown {
    package!("wellknown");
}
pub mod messageset {
    package!("messageset");
}
pub mod tutorial {
    package!("tutorial");
}
pub mod s2 {
    package!("s2");
}
pub mod p {
    package!("p");
    pub mod oof {
        package!("p.oof");
        pub mod deep {
            package!("p.oof.deep");
        }
    }
}
pub mod same {
    pub mod a {
        package!("same.a");
    }
    pub mod b {
        package!("same.b");
    }
}
pub mod core {
    package!("core");
}
pub mod std {
    package!("std");
}
pub mod alloc {
    package!("alloc");
}
pub mod serde {
    package!("serde");
}
pub mod buffa {
    package!("buffa");
}
pub mod bench {
    package!("bench");
}
pub mod test {
    package!("test");
}
pub mod derive {
    package!("derive");
}
pub mod macro_rules {
    package!("macro_rules");
}
pub mod u32_ {
    package!("u32");
}

use ::buffa::{Arena, EnumType, Message, MessageField, Optional};

/// Encodes, decodes and compares.
macro_rules! round_trip {
    ($type:ty, $message:expr) => {{
        let message: $type = $message;
        let bytes = message.encode_to_vec();
        let arena = Arena::new();
        let back = <$type>::decode(&bytes, &arena).unwrap();
        assert_eq!(back, message);
        assert_eq!(back.encode_to_vec(), bytes);
        bytes
    }};
}

#[::core::prelude::v1::test]
fn names_round_trip() {
    let mut inner = names::Option { value: 5.into(), ..Default::default() };
    let message = names::Option { option: MessageField::new(&mut inner), ..Default::default() };
    assert_eq!(round_trip!(names::Option<'_>, message), [0x0A, 2, 0x10, 5]);

    let fields = names::Fields { r#gen: 1.into(), r#type: 2.into(), self_: 3.into(), new: 4.into(), ..Default::default() };
    round_trip!(names::Fields<'_>, fields);
    assert_eq!(names::Fields::default().default_or_default(), 13);

    let message = names::Oneofs {
        kind: names::oneofs::KindOneof::Unset_(4),
        kind_: names::oneofs::KindOneof_::KindB_(true),
        choice: names::oneofs::ChoiceOneof::C(names::oneofs::Choice::No),
        small: names::oneofs::Small::Flag(false),
        wide: names::oneofs::Wide::Number(0.5),
        ..Default::default()
    };
    let bytes = round_trip!(names::Oneofs<'_>, message);
    assert_eq!(bytes, [0x10, 4, 0x20, 1, 0x28, 0, 0x38, 0, 0x41, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F]);
    assert_eq!(names::E::NAMES.value_name(2), Some("E_1"));
}

#[::core::prelude::v1::test]
fn declared_defaults() {
    let d = defaults::D::default();
    assert_eq!(d.b_or_default(), b"\0\x01\xfe\"'\\");
    assert_eq!(d.s_or_default(), b"a\\n\n");
    assert_eq!(d.q_or_default(), "\" { } 'a \u{1F600}".as_bytes());
    assert_eq!((d.ninf_or_default(), d.inf_or_default()), (f32::NEG_INFINITY, f64::INFINITY));
    assert!(d.nan_or_default().is_nan());
    assert_eq!((d.neg_or_default(), defaults::Neg::default()), (defaults::Neg::Minus, defaults::Neg::Minus));
    assert_eq!((d.top_or_default(), d.min_or_default()), (defaults::Ext::Max, defaults::Ext::Min));
    assert_eq!(d.low_or_default(), i64::MIN);
    let set = defaults::D { low: 3.into(), r: Optional::Set(0), ..Default::default() };
    assert_eq!((set.low_or_default(), set.r_or_default()), (3, 0));
    // C12: a required field of the message's own type.
    let arena = Arena::new();
    assert!(defaults::F::decode(&[], &arena).is_err());
    assert!(defaults::Nested::decode(&[], &arena).is_ok());
    assert!(defaults::Nested::decode(&[0x12, 2, 0x08, 1], &arena).is_err());
}

#[::core::prelude::v1::test]
fn aliases_and_extremes() {
    use proto3::{Color, Packed};
    assert_eq!(Color::AZUR, Color::Blue);
    assert_eq!([Color::Low as i32, Color::Blue as i32], [i32::MIN, i32::MAX]);
    let colors = [Color::Low.into(), Color::Blue.into(), Color::Red.into()];
    let numbers = [-1, 5];
    #[allow(deprecated)]
    let message = Packed { c: colors[..].into(), r: numbers[..].into(), e: numbers[..].into(), ..Default::default() };
    let bytes = round_trip!(Packed<'_>, message);
    assert_eq!(bytes[..2], [0x0A, 11], "packed, although deprecated");
    assert_eq!(bytes[13], 0x10, "expanded on request");
}

#[::core::prelude::v1::test]
fn editions_by_feature() {
    use editions::{Closed, M, Sub};
    let mut sub = Sub { a: 1.into(), ..Default::default() };
    let mut plain = Sub { a: 2.into(), ..Default::default() };
    let message = M {
        sub: MessageField::new(&mut sub),
        plain: MessageField::new(&mut plain),
        s: b"\xff"[..].into(),
        required: 1.into(),
        closed: Optional::Set(Closed::Two),
        ..Default::default()
    };
    let arena = Arena::new();
    let bytes = message.encode_to_vec();
    assert_eq!(bytes, [0x23, 8, 1, 0x24, 0x2A, 2, 8, 2, 0x32, 1, 0xFF, 0x48, 1, 0x68, 2]);
    let options = ::buffa::DecodeOptions::new();
    assert_eq!(M::decode_partial(&bytes, &arena, &options).unwrap(), message);
    assert!(M::decode(&bytes, &arena).is_err(), "sub_required is missing");
    // G5: maps stay length-prefixed.
    let bytes = [0x12, 6, 8, 1, 0x12, 2, 8, 5];
    let message = M::decode_partial(&bytes, &arena, &options).unwrap();
    assert_eq!(message.ms.get(&1).unwrap().a, 5.into());
    // U3: VERIFY is VERIFY.
    assert!(M::decode_partial(&[0x3A, 1, 0xFF], &arena, &options).is_err());
    assert_eq!((message.closed_or_default(), message.open_default_or_default()), (Closed::Two, editions::Open::B.into()));
}

#[::core::prelude::v1::test]
fn extensions() {
    use s2::{Col, M, XC, XS};
    let arena = Arena::new();
    let mut message = M::default();
    message.set_extension(&XC, Optional::Set(Col::Green), &arena).unwrap();
    assert_eq!(message.encode_to_vec(), [0xA0, 6, 2]);
    assert_eq!(message.extension(&XC, &arena).unwrap(), Optional::Set(Col::Green));
    assert!(!message.has_extension(&XS));
    let numbers: Vec<u32> = s2::__buffa::EXTENSIONS.iter().map(|extension| extension.number()).collect();
    assert_eq!(numbers, [100, 101, 102]);
}

#[::core::prelude::v1::test]
fn every_package_and_both_things() {
    round_trip!(core::Option<'_>, core::Option { o: core::option::O::B("x".into()), ..Default::default() });
    round_trip!(p::oof::I<'_>, p::oof::I { s: "x".into(), ..Default::default() });
    let mut inner = p::oof_::I { x: 3, ..Default::default() };
    round_trip!(p::Oof<'_>, p::Oof { i: MessageField::new(&mut inner), ..Default::default() });
    let person = tutorial::Person { id: 42, name: "hello".into(), ..Default::default() };
    assert_eq!(round_trip!(tutorial::Person<'_>, person), b"\x0a\x05hello\x10\x2a");
}

#[::core::prelude::v1::test]
fn covariance() {
    fn shorten<'s>(person: &'s tutorial::Person<'static>) -> &'s tutorial::Person<'s> {
        person
    }
    assert_eq!(shorten(&tutorial::Person::default()).id, 0);
    fn send_and_sync<T: Send + Sync + Unpin>() {}
    send_and_sync::<tutorial::Person<'static>>();
}
