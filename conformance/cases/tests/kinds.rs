//! Every value of every type at every place a field can have: read, written again, in every spelling.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use buffa_cases::engines::{Outcome, Setup};
use buffa_cases::hex;
use buffa_cases::types::find;
use buffa_cases::values::{Kind, Place, everything, full};

/// Decodes through every engine and compares the encoding; returns the number of engines.
fn expect(message: &str, input: &[u8], encoded: &[u8]) -> usize {
    let (outcome, runs) = (find(message).agree)(input, &Setup::new());
    match outcome {
        Outcome::Done(done) => {
            assert!(
                done.encoded == encoded,
                "{message} {}\nencodes as {}\nexpected   {}",
                hex::print(input),
                hex::print(&done.encoded),
                hex::print(encoded)
            );
        }
        failed => panic!("{message} {}: {failed:?}", hex::print(input)),
    }
    runs
}

fn each(mut test: impl FnMut(Place, &Kind, &[u8], &[u8]) -> usize) -> usize {
    let mut runs = 0;
    for place in Place::ALL {
        for kind in Kind::all().iter().filter(|kind| kind.stands_in(place)) {
            for value in &kind.canonical {
                runs += test(place, kind, value, value);
            }
            for (input, value) in &kind.others {
                runs += test(place, kind, input, value);
            }
        }
    }
    assert!(runs > 1000, "{runs} runs");
    println!("{runs} decodes compared");
    runs
}

/// What the message encodes to: implicit fields drop their default.
fn encoding(place: Place, kind: &Kind, value: &[u8]) -> Vec<u8> {
    if place == Place::Implicit && *value == kind.canonical[0] { Vec::new() } else { kind.at(place, value) }
}

#[test]
fn one_value() {
    each(|place, kind, input, value| expect(&place.message(), &kind.at(place, input), &encoding(place, kind, value)));
}

#[test]
fn two_values_the_last_or_both() {
    let first = Kind::all();
    each(|place, kind, input, value| {
        let other = &first[kind.number as usize - 1].canonical[1];
        let twice = [kind.at(place, other), kind.at(place, input)].concat();
        let expected = match place {
            // merged: both are {a: …}, and an empty one changes nothing
            _ if kind.wire >= 2
                && matches!(kind.name.as_str(), "message" | "group")
                && !matches!(place, Place::MapValue | Place::Expanded) =>
            {
                encoding(place, kind, if *value == kind.canonical[0] { other } else { value })
            }
            Place::Packed => kind.packed(&[other, value]),
            Place::Expanded => [kind.field(other), kind.field(value)].concat(),
            Place::MapKey if other == value => kind.at(place, value),
            Place::MapKey => [kind.at(place, other), kind.at(place, value)].concat(),
            _ => encoding(place, kind, value),
        };
        expect(&place.message(), &twice, &expected)
    });
}

#[test]
fn packed_and_unpacked_both_ways() {
    let mut runs = 0;
    for kind in Kind::all().iter().filter(|kind| kind.is_packable()) {
        let values: Vec<&[u8]> = kind.canonical.iter().map(Vec::as_slice).collect();
        let (one_by_one, in_one) =
            (values.iter().map(|value| kind.field(value)).collect::<Vec<_>>().concat(), kind.packed(&values));
        // Many elements too, so that all kernels run: one byte each, mixed, and at the very end.
        let many: Vec<&[u8]> = (0..70).map(|i| values[i % 2]).chain((0..30).flat_map(|_| values.clone())).collect();
        let many_packed = kind.packed(&many);
        let many_fields = many.iter().map(|value| kind.field(value)).collect::<Vec<_>>().concat();
        for (packed, expanded) in [(&in_one, &one_by_one), (&many_packed, &many_fields)] {
            for input in [packed, expanded] {
                runs += expect("kinds.Packed", input, packed);
                runs += expect("kinds.Expanded", input, expanded);
            }
        }
        // Split anywhere and mixed.
        for cut in 0..=values.len() {
            let (a, b) = values.split_at(cut);
            let mixed = [kind.packed(a), b.iter().map(|value| kind.field(value)).collect::<Vec<_>>().concat()].concat();
            runs += expect("kinds.Packed", &mixed, &in_one);
            runs += expect("kinds.Expanded", &mixed, &one_by_one);
        }
        // Other spellings inside a run.
        for (input, value) in &kind.others {
            runs += expect("kinds.Packed", &kind.packed(&[input, values[1], input]), &kind.packed(&[value, values[1], value]));
            runs +=
                expect("kinds.Expanded", &kind.packed(&[values[1], input]), &[kind.field(values[1]), kind.field(value)].concat());
        }
    }
    assert!(runs > 1000, "{runs} runs");
}

#[test]
fn missing_required_of_every_kind() {
    let kinds = Kind::all();
    let missing = |absent: Option<u32>| {
        let input: Vec<u8> =
            kinds.iter().filter(|kind| Some(kind.number) != absent).flat_map(|kind| kind.field(&kind.canonical[0])).collect();
        match (find("kinds.Required").agree)(&input, &Setup::new()).0 {
            Outcome::Done(done) => done.missing,
            failed => panic!("{failed:?}"),
        }
    };
    assert_eq!(missing(None), "");
    for kind in &kinds {
        assert_eq!(missing(Some(kind.number)), format!("f_{}", kind.name));
    }
}

#[test]
fn wrong_wire_types_are_unknown() {
    let mut runs = 0;
    for kind in Kind::all() {
        for (wire, value) in [(0, "01"), (1, "00*8"), (2, "00"), (3, ""), (5, "00*4")] {
            if wire == kind.wire {
                continue;
            }
            let mut input = [hex::tag(kind.number, wire), hex::parse(value)].concat();
            if wire == 3 {
                input.extend(hex::tag(kind.number, 4));
            }
            for place in Place::ALL.into_iter().filter(|&place| place != Place::Required && kind.stands_in(place)) {
                let accepted = match place {
                    Place::MapKey | Place::MapValue => wire == 2,
                    Place::Packed | Place::Expanded => wire == 2 && kind.is_packable(),
                    _ => false,
                };
                if !accepted {
                    runs += expect(&place.message(), &input, &input);
                }
            }
        }
    }
    assert!(runs > 1000, "{runs} runs");
}

#[test]
fn all_at_once() {
    for place in Place::ALL {
        for which in 0..13 {
            let input = full(place, which);
            if place != Place::Implicit {
                expect(&place.message(), &input, &input);
            }
        }
    }
    let input = everything();
    expect("kinds.All", &input, &input);
}
