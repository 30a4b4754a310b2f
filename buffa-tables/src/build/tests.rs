//! Layouts compared with what rustc makes of the same structs, and tables in memory with static ones.
#![allow(unsafe_code)] // asks `Tables` for tables

use super::*;
use crate::dump::Dump;
use crate::{Aux, EnumTable, FieldEntry, Flags, Kind, Mode, Op, Table};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::mem::{align_of, offset_of, size_of};

type Pointer = *const u8;
/// Stand-ins with the shapes of the arena's containers.
#[repr(C)]
struct Slice(Pointer, usize);
#[repr(C)]
struct List(Pointer, u32, u32);
#[repr(C)]
struct Map(Pointer, Pointer, u32, u32);
#[repr(C, u8)]
#[allow(dead_code)]
enum Optional<T> {
    Unset,
    Set(T),
}
#[repr(C, u32)]
#[allow(dead_code)]
enum Mixed {
    Unset = 0,
    Flag(bool) = 20,
    Text(Slice) = 21,
    Number(f64) = 22,
}
#[repr(C, u32)]
#[allow(dead_code)]
enum Small {
    Unset = 0,
    Flag(bool) = 30,
}
#[repr(C)]
struct Message {
    unknown: Pointer,
    text: Slice,
    list: List,
    sub: Pointer,
    map: Map,
    subs: List,
    big: i64,
    big_set: Optional<u64>,
    mixed: Mixed,
    word: i32,
    word_set: Optional<f32>,
    color: Optional<i32>,
    small: Small,
    flag: bool,
    flag_set: Optional<bool>,
}
#[repr(C)]
struct Entry {
    key: bool,
    value: Sub_,
}
#[repr(C)]
struct Sub_ {
    unknown: Pointer,
    big: i64,
    flag: bool,
}

fn field(number: u32, kind: Kind, mode: Mode) -> FieldSpec {
    FieldSpec { number, kind, mode, oneof: None, sub: Sub::None }
}

fn member(number: u32, kind: Kind, oneof: usize) -> FieldSpec {
    FieldSpec { oneof: Some(oneof), ..field(number, kind, Mode::Oneof) }
}

fn spec() -> MessageSpec {
    let map = MapSpec::new(Kind::Bool, Kind::Message, Sub::Message(1));
    MessageSpec {
        oneofs: 2,
        flags: Flags::EXTENDABLE,
        fields: vec![
            field(2, Kind::Int32, Mode::Implicit),
            field(1, Kind::Bool, Mode::Implicit),
            field(3, Kind::String, Mode::Explicit),
            field(4, Kind::Int32, Mode::Packed),
            FieldSpec { sub: Sub::Message(1), ..field(5, Kind::Message, Mode::Explicit) },
            field(6, Kind::Int64, Mode::Implicit),
            FieldSpec { sub: Sub::Map(map), ..field(7, Kind::Map, Mode::Repeated) },
            field(8, Kind::Float, Mode::Explicit),
            FieldSpec { sub: Sub::Message(1), ..field(9, Kind::Message, Mode::Repeated) },
            field(10, Kind::Fixed64, Mode::Required),
            field(11, Kind::Bool, Mode::Explicit),
            FieldSpec { sub: Sub::Enum(0), ..field(12, Kind::ClosedEnum, Mode::Explicit) },
            member(22, Kind::Double, 0),
            member(20, Kind::Bool, 0),
            member(21, Kind::String, 0),
            member(30, Kind::Bool, 1),
        ],
    }
}

fn sub() -> MessageSpec {
    let fields = vec![field(1, Kind::Int64, Mode::Implicit), field(2, Kind::Bool, Mode::Implicit)];
    MessageSpec { fields, oneofs: 0, flags: Flags::NONE }
}

#[test]
fn offsets_are_those_of_rustc() {
    let spec = spec();
    let layout = Layout::new(&spec).unwrap();
    let offsets = layout.offsets(&spec, Target::HOST).unwrap();
    assert_eq!((offsets.size, offsets.align), (size_of::<Message>(), align_of::<Message>()));
    let mixed = offset_of!(Message, mixed) + align_of::<Mixed>();
    let expected = [
        offset_of!(Message, word),
        offset_of!(Message, flag),
        offset_of!(Message, text),
        offset_of!(Message, list),
        offset_of!(Message, sub),
        offset_of!(Message, big),
        offset_of!(Message, map),
        offset_of!(Message, word_set),
        offset_of!(Message, subs),
        offset_of!(Message, big_set),
        offset_of!(Message, flag_set),
        offset_of!(Message, color),
        mixed,
        mixed,
        mixed,
        offset_of!(Message, small) + align_of::<Small>(),
    ];
    assert_eq!(offsets.fields, expected);
    let map = MapOffsets::new(
        MapSpec::new(Kind::Bool, Kind::Message, Sub::Message(1)),
        {
            let sub = sub();
            let offsets = Layout::new(&sub).unwrap().offsets(&sub, Target::HOST).unwrap();
            Some((offsets.size, offsets.align))
        },
        Target::HOST,
    );
    assert_eq!((map.size, map.value), (size_of::<Entry>(), offset_of!(Entry, value)));
}

#[test]
fn other_targets() {
    let spec = spec();
    let layout = Layout::new(&spec).unwrap();
    let sizes = [Target::BITS_64, Target::BITS_32, Target::I686].map(|target| {
        let offsets = layout.offsets(&spec, target).unwrap();
        (offsets.size, offsets.align, offsets.fields[5], offsets.fields[12])
    });
    assert_eq!(sizes, [(168, 8, 88, 120), (128, 8, 56, 88), (120, 4, 56, 80)]);
}

#[test]
fn dynamic_tables_equal_static_ones() {
    static COLORS: EnumTable = EnumTable::new(1, 1, 2, &[9]);
    static SUB: Table<2, 0> = Table::new(
        size_of::<Sub_>(),
        Flags::NONE,
        [
            FieldEntry::new(1, Op::new(Kind::Int64, Mode::Implicit), offset_of!(Sub_, big)),
            FieldEntry::new(2, Op::new(Kind::Bool, Mode::Implicit), offset_of!(Sub_, flag)),
        ],
        [],
    );
    static MAP: Table<2, 1> = Table::new(
        size_of::<Entry>(),
        Flags::MAP_ENTRY,
        [
            FieldEntry::new(1, Op::new(Kind::Bool, Mode::Always), 0),
            FieldEntry::with_aux(2, Op::new(Kind::Message, Mode::Always), offset_of!(Entry, value), 0),
        ],
        [Aux::message(SUB.table())],
    );
    const MIXED: usize = offset_of!(Message, mixed) + align_of::<Mixed>();
    static TABLE: Table<16, 5> = Table::new(
        size_of::<Message>(),
        Flags::EXTENDABLE,
        [
            FieldEntry::new(1, Op::new(Kind::Bool, Mode::Implicit), offset_of!(Message, flag)),
            FieldEntry::new(2, Op::new(Kind::Int32, Mode::Implicit), offset_of!(Message, word)),
            FieldEntry::new(3, Op::new(Kind::String, Mode::Explicit), offset_of!(Message, text)),
            FieldEntry::new(4, Op::new(Kind::Int32, Mode::Packed), offset_of!(Message, list)),
            FieldEntry::with_aux(5, Op::new(Kind::Message, Mode::Explicit), offset_of!(Message, sub), 0),
            FieldEntry::new(6, Op::new(Kind::Int64, Mode::Implicit), offset_of!(Message, big)),
            FieldEntry::with_aux(7, Op::new(Kind::Map, Mode::Repeated), offset_of!(Message, map), 1),
            FieldEntry::new(8, Op::new(Kind::Float, Mode::Explicit), offset_of!(Message, word_set)),
            FieldEntry::with_aux(9, Op::new(Kind::Message, Mode::Repeated), offset_of!(Message, subs), 0),
            FieldEntry::new(10, Op::new(Kind::Fixed64, Mode::Required), offset_of!(Message, big_set)),
            FieldEntry::new(11, Op::new(Kind::Bool, Mode::Explicit), offset_of!(Message, flag_set)),
            FieldEntry::with_aux(12, Op::new(Kind::ClosedEnum, Mode::Explicit), offset_of!(Message, color), 2),
            FieldEntry::with_aux(20, Op::new(Kind::Bool, Mode::Oneof), MIXED, 3),
            FieldEntry::with_aux(21, Op::new(Kind::String, Mode::Oneof), MIXED, 3),
            FieldEntry::with_aux(22, Op::new(Kind::Double, Mode::Oneof), MIXED, 3),
            FieldEntry::with_aux(30, Op::new(Kind::Bool, Mode::Oneof), offset_of!(Message, small) + align_of::<Small>(), 4),
        ],
        [
            Aux::message(SUB.table()),
            Aux::message(MAP.table()),
            Aux::closed_enum(&COLORS),
            Aux::none().in_oneof(align_of::<Mixed>()),
            Aux::none().in_oneof(align_of::<Small>()),
        ],
    );
    let colors = EnumSpec { default: 1, numbers: vec![2, 9, 1, 2] };
    let tables = Tables::new(&[spec(), sub()], &[colors]).unwrap();
    // SAFETY: `tables` lives to the end of this function.
    let (message, sub) = unsafe { (tables.table(0), tables.table(1)) };
    assert_eq!(Dump(message).to_string(), Dump(TABLE.table()).to_string());
    assert_eq!(Dump(sub).to_string(), Dump(SUB.table()).to_string());
    let entry = message.aux()[1].table().unwrap();
    assert_eq!(Dump(entry).to_string(), Dump(MAP.table()).to_string());
    assert_eq!(entry.aux()[0].table(), Some(sub));
    let numbers = message.aux()[2].enum_table().unwrap();
    assert!([1, 2, 9].iter().all(|&n| numbers.contains(n)) && !numbers.contains(3));
    assert!(tables.bytes() >= message.bytes() + sub.bytes() + entry.bytes());
}

#[test]
fn wide_fields() {
    // 5000 strings: those past 64 KiB are wide; each of 300 sub-messages needs an aux of its own, of which 255 fit.
    let mut fields: Vec<FieldSpec> = (1..=5000).map(|number| field(number, Kind::String, Mode::Implicit)).collect();
    fields.extend(
        (0..300).map(|id| FieldSpec { sub: Sub::Message(id as usize), ..field(id + 6000, Kind::Message, Mode::Explicit) }),
    );
    fields.insert(0, FieldSpec { sub: Sub::Message(7), ..field(5999, Kind::Message, Mode::Explicit) });
    let many = MessageSpec { fields, oneofs: 0, flags: Flags::NONE };
    let layout = Layout::new(&many).unwrap();
    let offsets = layout.offsets(&many, Target::BITS_64).unwrap();
    for (index, entry) in layout.entries.iter().enumerate() {
        assert_eq!(entry.wide, offsets.fields[entry.field] > 65535, "entry {index}");
    }
    assert_eq!(layout.dense, 5000);

    let fields =
        (0..300).map(|id: u32| FieldSpec { sub: Sub::Message(id as usize), ..field(id + 1, Kind::Message, Mode::Explicit) });
    let many = MessageSpec { fields: fields.collect(), oneofs: 0, flags: Flags::NONE };
    let layout = Layout::new(&many).unwrap();
    assert_eq!(layout.entries.iter().filter(|entry| entry.wide).count(), 45);
    assert_eq!((layout.entries[254].aux, layout.entries[255].aux, layout.aux.len()), (Some(254), Some(255), 300));

    // All of them in memory: the wide entries lead to their real offsets.
    let mut all = vec![MessageSpec { fields: Vec::new(), oneofs: 0, flags: Flags::NONE }; 300];
    all.push(many);
    let tables = Tables::new(&all, &[]).unwrap();
    // SAFETY: `tables` lives to the end of this function.
    let table = unsafe { tables.table(300) };
    let entry = table.entries()[299];
    assert_eq!(entry.op(), Op::WIDE);
    let aux = table.aux()[usize::from(entry.offset())];
    assert_eq!((aux.offset() as usize, aux.op()), (tables.offsets(300).fields[299], Op::new(Kind::Message, Mode::Explicit)));
    // SAFETY: as above.
    assert_eq!(aux.table(), Some(unsafe { tables.table(299) }));
}

#[test]
fn required_is_found_through_cycles_and_maps() {
    let to = |id| FieldSpec { sub: Sub::Message(id), ..field(1, Kind::Message, Mode::Repeated) };
    let map = |id| FieldSpec {
        sub: Sub::Map(MapSpec::new(Kind::Int32, Kind::Message, Sub::Message(id))),
        ..field(2, Kind::Map, Mode::Repeated)
    };
    let message = |fields| MessageSpec { fields, oneofs: 0, flags: Flags::NONE };
    let messages = [
        message(vec![to(1)]),
        message(vec![to(0), map(2)]),
        message(vec![field(1, Kind::Int32, Mode::Required)]),
        message(vec![to(3)]),
        message(vec![to(99)]),
    ];
    assert_eq!(required_deep(&messages), [true, true, true, false, false]);
}

#[test]
fn contradictions_are_errors() {
    let layout = |fields: Vec<FieldSpec>, oneofs| Layout::new(&MessageSpec { fields, oneofs, flags: Flags::NONE }).unwrap_err();
    let int = |number| field(number, Kind::Int32, Mode::Implicit);
    assert_eq!(layout(vec![int(0)], 0), BuildError::NumberOutOfRange(0));
    assert_eq!(layout(vec![int(1 << 29)], 0), BuildError::NumberOutOfRange(1 << 29));
    assert_eq!(layout(vec![int(3), int(2), int(3)], 0), BuildError::DuplicateNumber(3));
    assert_eq!(layout(vec![field(1, Kind::String, Mode::Packed)], 0), BuildError::BadOp(1));
    assert_eq!(layout(vec![field(1, Kind::Int32, Mode::Always)], 0), BuildError::BadOp(1));
    assert_eq!(layout(vec![field(1, Kind::Int32, Mode::Oneof)], 1), BuildError::BadOneof(1));
    assert_eq!(layout(vec![member(1, Kind::Int32, 1)], 1), BuildError::BadOneof(1));
    assert_eq!(layout(vec![member(1, Kind::Int32, 0)], 2), BuildError::EmptyOneof(1));
    assert_eq!(layout(vec![field(1, Kind::Message, Mode::Explicit)], 0), BuildError::BadSub(1));
    let map = MapSpec::new(Kind::Double, Kind::Int32, Sub::None);
    assert_eq!(layout(vec![FieldSpec { sub: Sub::Map(map), ..field(4, Kind::Map, Mode::Repeated) }], 0), BuildError::BadSub(4));
    assert_eq!(layout((1..=65536).map(int).collect(), 0), BuildError::TooManyFields(65536));
    let dangling = FieldSpec { sub: Sub::Message(1), ..field(1, Kind::Message, Mode::Explicit) };
    let message = MessageSpec { fields: vec![dangling], oneofs: 0, flags: Flags::NONE };
    assert_eq!(Tables::new(&[message], &[]).unwrap_err(), BuildError::BadSub(1));
    let empty = EnumSpec { default: 0, numbers: vec![] };
    assert_eq!(Tables::new(&[], &[empty]).unwrap_err(), BuildError::BadEnum(0));
}
