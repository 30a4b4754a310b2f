//! The rows of the case list that need code: depth, memory, size, and what a failed merge leaves behind.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use buffa::{Arena, DecodeOptions, ErrorKind, Message, Owned};
use buffa_cases::engines::{Outcome, Setup};
use buffa_cases::types::find;
use buffa_cases::values::{Kind, Place, everything};
use buffa_cases::{ed, hex, on_large_stack, s2, s3};

/// How a level of nesting looks: message, tag bytes before a body, bytes behind it, whether it needs a length.
type Level = fn(&[u8]) -> Vec<u8>;

const LEVELS: [(&str, &str, Level); 10] = [
    ("sub-message", "s2.M", |body| hex::delimited(20, body)),
    ("map", "s3.M", |body| hex::delimited(28, &[vec![8, 1], hex::delimited(2, body)].concat())),
    ("known group", "ed.G", |body| hex::group(16, body)),
    ("unknown group", "s2.E", |body| hex::group(9, body)),
    ("unknown group, long tag", "s2.E", |body| hex::group(536_870_911, body)),
    ("unknown group beside fields", "s2.M", |body| hex::group(900, &[&[8, 1], body, &[8, 2]].concat())),
    ("repeated message", "s2.Big", |body| hex::delimited(7, body)),
    ("recursive all", "kinds.All", |body| hex::delimited(536_870_911, body)),
    ("far group", "kinds.All", |body| hex::group(33_554_436, body)),
    ("group of another name", "s2.M", |body| hex::group(1, body)),
];

fn nest(level: Level, levels: usize) -> Vec<u8> {
    (0..levels).fold(Vec::new(), |body, _| level(&body))
}

/// W16: exactly N levels are accepted, N + 1 are not.
#[test]
fn w16_exactly_n_levels() {
    on_large_stack(|| {
        for (name, message, level) in LEVELS {
            for limit in [0, 1, 17, 150] {
                let options = DecodeOptions::new().recursion_limit(limit);
                let setup = Setup { options, splits: 1, ..Setup::new() };
                let decode = |levels| (find(message).agree)(&nest(level, levels), &setup).0;
                let n = limit as usize;
                assert!(matches!(decode(n), Outcome::Done(_)), "{name}: {n} of {limit} levels: {:?}", decode(n));
                for more in [n + 1, 2 * n + 50] {
                    assert!(
                        matches!(decode(more), Outcome::Failed(ErrorKind::TooDeep, ..)),
                        "{name}: {more} levels: {:?}",
                        decode(more)
                    );
                }
            }
            // The default.
            assert!(matches!((find(message).agree)(&nest(level, 100), &Setup::new()).0, Outcome::Done(_)), "{name}");
            assert!(
                matches!((find(message).agree)(&nest(level, 101), &Setup::new()).0, Outcome::Failed(ErrorKind::TooDeep, ..)),
                "{name}"
            );
        }
    });
}

/// W16: what is skipped counts together with what is decoded.
#[test]
fn w16_known_and_unknown_levels_add_up() {
    let mixed = |known: usize, unknown: usize| {
        let inner = (0..unknown).fold(Vec::new(), |body, _| hex::group(900, &body));
        (0..known).fold(inner, |body, _| hex::delimited(20, &body))
    };
    for known in 0..=100 {
        let arena = Arena::new();
        assert!(s2::M::decode(&mixed(known, 100 - known), &arena).is_ok(), "{known} known levels");
        let error = s2::M::decode(&mixed(known, 101 - known), &arena).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooDeep, "{known} known levels");
    }
}

/// The deepest that the options allow, in every walk. (What stack that takes is a test of the runtime's own.)
#[test]
fn w16_deepest() {
    on_large_stack(deepest);
}

fn deepest() {
    use buffa::limits::MAX_DEPTH;
    for level in [LEVELS[0].2, LEVELS[4].2] {
        let input = nest(level, MAX_DEPTH as usize);
        let options = DecodeOptions::new().recursion_limit(u32::MAX);
        let arena = Arena::new();
        let message = s2::M::decode_with(&input, &arena, &options).unwrap();
        assert!(message.is_initialized() && message.missing_fields().is_empty());
        assert_eq!(message.encoded_len().unwrap(), input.len());
        assert!(message.encode_to_vec() == input);
        assert!(message.clone_in(&arena).unwrap() == message);
        let too_deep = nest(level, MAX_DEPTH as usize + 1);
        assert_eq!(s2::M::decode_with(&too_deep, &arena, &options).map(drop).unwrap_err().kind(), ErrorKind::TooDeep);
    }
}

/// W15: hopeless depths end with an error, not with the stack.
#[test]
fn w15_hundred_thousand_levels() {
    on_large_stack(hopeless);
}

fn hopeless() {
    let deep = 100_000;
    let groups = vec![0x0B; deep];
    let known_groups = hex::tag(16, 3).repeat(deep);
    // Length-delimited levels, built from the inside; the lengths grow.
    let (mut bytes, mut reversed) = (0usize, Vec::new());
    for _ in 0..deep {
        let head = [hex::tag(20, 2), hex::varint(bytes as u64)].concat();
        bytes += head.len();
        reversed.extend(head.iter().rev());
    }
    let nested: Vec<u8> = reversed.into_iter().rev().collect();
    let in_group = hex::group(900, &groups);
    let arena = Arena::new();
    for limit in [100, 2000] {
        let options = DecodeOptions::new().recursion_limit(limit);
        for input in [&groups, &in_group] {
            assert_eq!(s2::E::decode_with(input, &arena, &options).map(drop).unwrap_err().kind(), ErrorKind::TooDeep);
            assert_eq!(s2::M::decode_with(input, &arena, &options).map(drop).unwrap_err().kind(), ErrorKind::TooDeep);
        }
        assert_eq!(ed::G::decode_with(&known_groups, &arena, &options).map(drop).unwrap_err().kind(), ErrorKind::TooDeep);
        assert_eq!(s2::M::decode_with(&nested, &arena, &options).map(drop).unwrap_err().kind(), ErrorKind::TooDeep);
        // The same bytes are one flat unknown field to a message that does not know the number.
        assert!(s2::E::decode_with(&nested, &arena, &options).is_ok());
    }
}

/// C12: a required field of the message's own type.
#[test]
fn c12_required_self() {
    let arena = Arena::new();
    let error = s2::F::decode(&[], &arena).map(drop).unwrap_err();
    assert_eq!((error.kind(), error.missing_fields()), (ErrorKind::MissingRequired, Some("x")));
    assert_eq!(s2::F::default().encode_to_vec(), []);
    assert!(!s2::F::default().x.get().is_some_and(|x| x.is_initialized()) && !s2::F::default().x.x.x.x.is_set());
}

/// W12: lengths around every boundary of their varint and of the input's end.
#[test]
fn w12_lengths() {
    for len in [0, 1, 15, 16, 17, 126, 127, 128, 129, 255, 256, 16383, 16384, 65535, 65536, 2_097_151, 2_097_152] {
        let data = vec![b'x'; len];
        let (arena, message) = (Arena::new(), s3::M { by: (&*data).into(), ..Default::default() });
        let encoded = message.encode_to_vec();
        assert_eq!(encoded, if len == 0 { Vec::new() } else { hex::delimited(15, &data) });
        assert!(s3::M::decode(&encoded, &arena).unwrap() == message);
        for number in [1, 5, 20, 256, 536_870_911] {
            let unknown = hex::delimited(number, &data);
            assert!(s2::E::decode(&unknown, &arena).unwrap().encode_to_vec() == unknown);
        }
        for field in [14, 15, 24, 256, 536_870_911] {
            let wrapped = hex::delimited(20, &hex::delimited(20, &hex::delimited(field, &data)));
            if len != 0 {
                assert!(s3::M::decode(&wrapped, &arena).unwrap().encode_to_vec() == wrapped, "field {field}, {len} bytes");
            }
        }
    }
}

/// W14: empty and tiny input to every entry point that reads a length.
#[test]
fn w14_empty_delimited() {
    let (arena, options) = (Arena::new(), DecodeOptions::new());
    assert_eq!(s2::M::decode_length_delimited(&[], &arena, &options).map(drop).unwrap_err().kind(), ErrorKind::Truncated);
    assert_eq!(s2::M::decode_length_delimited(&[0], &arena, &options).unwrap().1, 1);
    assert_eq!(s2::M::decode_length_delimited(&[1], &arena, &options).map(drop).unwrap_err().kind(), ErrorKind::Truncated);
    assert_eq!(
        s2::M::decode_length_delimited(&[0x80; 11], &arena, &options).map(drop).unwrap_err().kind(),
        ErrorKind::InvalidVarint
    );
    assert!(buffa::read_delimited::<s2::M<'_>>(&mut &[][..], &options).unwrap().is_none());
    assert!(buffa::read_delimited::<s2::M<'_>>(&mut &[0][..], &options).unwrap().is_some());
    assert_eq!(buffa::read_delimited::<s2::M<'_>>(&mut &[0x80][..], &options).unwrap_err().kind(), ErrorKind::Truncated);
    assert!(buffa::read_message::<s2::M<'_>>(&[][..], &options).unwrap() == Owned::new());
    assert_eq!(s2::M::decode_from_slice(&[]).unwrap().get().encode_to_vec(), []);
    assert_eq!(s2::M::decode_from_bytes(bytes::Bytes::new()).unwrap().get().encode_to_vec(), []);
    let fixed = Arena::from_buffer(&mut []);
    assert!(s2::M::decode(&[], &fixed).is_ok() && s2::M::decode(&[8, 1], &fixed).is_ok());
    assert_eq!(s2::M::decode(&[0x42, 0], &fixed).map(drop).unwrap_err().kind(), ErrorKind::ArenaFull);
}

/// The message size limit at N and N + 1, and through readers.
#[test]
fn size_limit() {
    let input = everything();
    for (limit, fits) in [(input.len(), true), (input.len() - 1, false), (0, false)] {
        let options = DecodeOptions::new().max_size(limit);
        let setup = Setup { options, splits: 0, ..Setup::new() };
        match (find("kinds.All").agree)(&input, &setup).0 {
            Outcome::Done(_) => assert!(fits, "{limit}"),
            Outcome::Failed(kind, ..) => assert!(!fits && kind == ErrorKind::TooLong, "{limit}: {kind:?}"),
        }
    }
}

/// M4: many keys in the worst order, integers and strings; none of it quadratic.
#[test]
fn m4_many_descending_keys() {
    let count = 300_000u64;
    let numbers: Vec<u8> =
        (0..count).rev().flat_map(|n| hex::delimited(5, &[vec![8], hex::varint(n), vec![0x12, 0]].concat())).collect();
    let strings: Vec<u8> =
        (0..count).rev().flat_map(|n| hex::delimited(6, &hex::delimited(1, format!("{n:020}").as_bytes()))).collect();
    let started = std::time::Instant::now();
    let arena = Arena::new();
    let options = DecodeOptions::new().memory_limit(1 << 30);
    let message = s2::M::decode_with(&numbers, &arena, &options).unwrap();
    assert_eq!(message.ms.len() as u64, count);
    assert!(message.ms.contains_key(&0) && message.ms.contains_key(&299_999) && !message.ms.contains_key(&300_000));
    let message = s3::M::decode_with(&strings, &arena, &options).unwrap();
    assert_eq!(message.mss.len() as u64, count);
    assert!(message.mss.contains_key("00000000000000299999"));
    assert!(message.clone_in(&arena).unwrap() == message);
    assert_eq!(message.encode_deterministic().unwrap().len(), message.encoded_len().unwrap());
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

/// D1: a second copy that is cut, or wrong, costs nothing of the first, whatever the field.
#[test]
fn d1_failed_merge_keeps_earlier_values() {
    let (mut tried, mut lost) = (0, Vec::new());
    for place in [Place::Implicit, Place::Explicit, Place::Oneof, Place::Expanded, Place::Packed, Place::MapKey, Place::MapValue]
    {
        // (The whole fields of a group that has no end were merged before the fault, so groups are another matter.)
        for kind in Kind::all().iter().filter(|kind| kind.stands_in(place) && kind.name != "group") {
            let earlier = kind.at(place, &kind.canonical[1]);
            for value in kind.canonical.iter().chain(kind.others.iter().map(|(input, _)| input)) {
                let again = kind.at(place, value);
                for cut in 1..again.len() {
                    let merged = d1(place, &earlier, &again[..cut]);
                    tried += 1;
                    if let Some(now) = merged {
                        lost.push(format!(
                            "{place:?} {} then {}: {}",
                            hex::print(&earlier),
                            hex::print(&again[..cut]),
                            hex::print(&now)
                        ));
                    }
                }
            }
        }
    }
    assert!(tried > 300, "{tried}");
    assert!(
        lost.is_empty(),
        "{} of {tried} lost something, e.g.\n{}",
        lost.len(),
        lost.iter().take(12).cloned().collect::<Vec<_>>().join("\n")
    );
}

/// Merges; what the message encodes to if that is not what it was before.
fn d1(place: Place, earlier: &[u8], cut: &[u8]) -> Option<Vec<u8>> {
    use buffa_cases::kinds::{Expanded, Explicit, Implicit, MapKey, MapValue, Oneof, Packed};
    fn merge<M: Message<'static>>(earlier: &[u8], cut: &[u8]) -> Option<Vec<u8>> {
        let arena = Arena::new();
        let mut message = M::With::decode(earlier, &arena).unwrap();
        // Well-formed in itself, and so nothing to test: `9B 01` for an empty group has no end, but `08 81` cut to `08` has.
        message.merge(cut, &arena).err()?;
        let now = message.encode_to_vec();
        (now != earlier).then_some(now)
    }
    match place {
        Place::Implicit => merge::<Implicit<'_>>(earlier, cut),
        Place::Explicit => merge::<Explicit<'_>>(earlier, cut),
        Place::Oneof => merge::<Oneof<'_>>(earlier, cut),
        Place::Expanded => merge::<Expanded<'_>>(earlier, cut),
        Place::Packed => merge::<Packed<'_>>(earlier, cut),
        Place::MapKey => merge::<MapKey<'_>>(earlier, cut),
        _ => merge::<MapValue<'_>>(earlier, cut),
    }
}

/// D2: small input, large structs: the memory limit holds.
#[test]
fn d2_memory_bomb() {
    let input = [0x0A, 0x00].repeat(2_000_000);
    for options in [DecodeOptions::new(), DecodeOptions::new().memory_limit(1 << 20)] {
        let arena = Arena::new();
        let error = s2::P::decode_with(&input, &arena, &options).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        assert!(arena.allocated_bytes() <= 64 << 20, "{} bytes", arena.allocated_bytes());
    }
    let arena = Arena::new();
    let message = s2::P::decode_with(&input, &arena, &DecodeOptions::new().memory_limit(usize::MAX)).unwrap();
    assert_eq!(message.b.len(), 2_000_000);
}

/// D2, D3: one budget for everything, unknown fields at all levels included: never exceeded, and enough from some limit on.
#[test]
fn d3_memory_limit_is_one_budget() {
    let unknown_levels = (0..60).fold(Vec::new(), |body, _| {
        hex::delimited(20, &[hex::parse("C8 07 01 08 01 C8 07 02"), body, hex::parse("CA 07 01 41")].concat())
    });
    for (message, input) in [("M", unknown_levels), ("All", everything())] {
        let decode = |limit| {
            let (arena, options) = (Arena::with_capacity(1 << 17), DecodeOptions::new().memory_limit(limit));
            let result = match message {
                "M" => s2::M::decode_with(&input, &arena, &options).map(drop),
                _ => buffa_cases::kinds::All::decode_with(&input, &arena, &options).map(drop),
            };
            assert!(arena.allocated_bytes() <= limit, "{message}: took {} of {limit} bytes", arena.allocated_bytes());
            (result.map_err(|error| error.kind()), arena.allocated_bytes())
        };
        let (result, used) = decode(usize::MAX);
        assert!(result.is_ok() && used > 1000, "{message}: {result:?}, {used} bytes");
        // Arrays that have no room to double grow to what they need, so a little less than `used` may do. Below it, nothing does.
        let least = (0..=used).find(|&limit| decode(limit).0.is_ok()).unwrap();
        assert!(least > used * 9 / 10, "{message}: {least} of {used}");
        for limit in [0, 1, least / 2, least - 1] {
            assert_eq!(decode(limit).0, Err(ErrorKind::MemoryLimit), "{message}: {limit}");
        }
        for limit in least..=used {
            assert_eq!(decode(limit).0, Ok(()), "{message}: {limit}, though {least} was enough");
        }
    }
}

/// A run of zeros behind a group must not make room for elements that are not there.
#[test]
fn nothing_is_reserved_for_bytes_that_are_no_elements() {
    let input = [hex::parse("0B 0C"), vec![0; 100_000]].concat();
    let arena = Arena::new();
    let error = s2::Groups::decode(&input, &arena).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidTag);
    assert!(arena.allocated_bytes() < 4096, "{} bytes for one group", arena.allocated_bytes());
}
