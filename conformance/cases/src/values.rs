//! The values of `cases/kinds.txt`.

use crate::hex;

/// A type with its values.
#[derive(Debug)]
pub struct Kind {
    pub name: String,
    pub number: u32,
    pub wire: u32,
    /// Values that encode to themselves; the first is the default.
    pub canonical: Vec<Vec<u8>>,
    /// Other spellings and what they become.
    pub others: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Where values stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Implicit,
    Explicit,
    Required,
    Oneof,
    Packed,
    Expanded,
    MapKey,
    MapValue,
}

impl Place {
    pub const ALL: [Place; 8] = [
        Place::Implicit,
        Place::Explicit,
        Place::Required,
        Place::Oneof,
        Place::Packed,
        Place::Expanded,
        Place::MapKey,
        Place::MapValue,
    ];

    /// Name of the message in `kinds.proto`.
    pub fn message(self) -> String {
        format!("kinds.{self:?}")
    }
}

impl Kind {
    /// All types.
    pub fn all() -> Vec<Kind> {
        let lines = include_str!("../cases/kinds.txt").lines().filter(|line| !line.starts_with('#'));
        lines.map(Kind::parse).collect()
    }

    fn parse(line: &str) -> Kind {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        assert_eq!(columns.len(), 5, "{line}");
        let list = |text: &'static str| text.split(',').map(str::trim).filter(|value| !value.is_empty());
        let text: Vec<&'static str> = columns.iter().map(|text| &*String::from(*text).leak()).collect();
        let pair = |text: &str| {
            let (from, to) = text.split_once('>').unwrap_or_else(|| panic!("{text}: INPUT > CANONICAL"));
            (hex::parse(from), hex::parse(to))
        };
        Kind {
            name: columns[0].to_owned(),
            number: columns[1].parse().unwrap(),
            wire: columns[2].parse().unwrap(),
            canonical: list(text[3]).map(hex::parse).collect(),
            others: list(text[4]).map(pair).collect(),
        }
    }

    /// Whether `kinds.proto` has a field of this type there.
    pub fn stands_in(&self, place: Place) -> bool {
        let name = self.name.as_str();
        match place {
            Place::Implicit => !matches!(name, "closed" | "message" | "group"),
            Place::Packed => self.is_packable(),
            Place::MapKey => self.is_packable() && !matches!(name, "float" | "double" | "open" | "closed") || name == "string",
            Place::MapValue => name != "group",
            _ => true,
        }
    }

    pub fn is_packable(&self) -> bool {
        !matches!(self.wire, 2 | 3)
    }

    /// The field with this value.
    pub fn field(&self, value: &[u8]) -> Vec<u8> {
        [hex::tag(self.number, self.wire), value.to_vec()].concat()
    }

    /// The field packed.
    pub fn packed(&self, values: &[&[u8]]) -> Vec<u8> {
        hex::delimited(self.number, &values.concat())
    }

    /// A map entry with the value as key or value.
    pub fn entry(&self, place: Place, value: &[u8]) -> Vec<u8> {
        let body = match place {
            Place::MapKey => [hex::tag(1, self.wire), value.to_vec(), vec![0x10, 1]].concat(),
            _ => [vec![0x08, 1], hex::tag(2, self.wire), value.to_vec()].concat(),
        };
        hex::delimited(self.number, &body)
    }

    /// What a message at this place is encoded to when it has just this value.
    pub fn at(&self, place: Place, value: &[u8]) -> Vec<u8> {
        match place {
            Place::MapKey | Place::MapValue => self.entry(place, value),
            Place::Packed => self.packed(&[value]),
            _ => self.field(value),
        }
    }
}

/// A message `kinds.Place` with one value of every type but the oneof, which has the last.
pub fn full(place: Place, which: usize) -> Vec<u8> {
    let kinds = Kind::all();
    let mut fields: Vec<Vec<u8>> = Vec::new();
    for kind in kinds.iter().filter(|kind| kind.stands_in(place)) {
        let value = &kind.canonical[(which + 1) % kind.canonical.len()];
        fields.push(kind.at(place, value));
    }
    if place == Place::Oneof { fields.swap_remove(which % fields.len()) } else { fields.concat() }
}

/// A `kinds.All` with every kind of field in it, canonical.
pub fn everything() -> Vec<u8> {
    let inner =
        [hex::delimited(1, &full(Place::Implicit, 0)), hex::delimited(33_554_435, b"far"), hex::delimited(33_554_435, b"")];
    let parts = [
        hex::delimited(1, &full(Place::Implicit, 0)),
        hex::delimited(2, &full(Place::Explicit, 0)),
        hex::delimited(15, &full(Place::Oneof, 13)),
        hex::delimited(16, &full(Place::Packed, 1)),
        hex::delimited(2047, &full(Place::Expanded, 0)),
        hex::delimited(2048, &full(Place::MapKey, 0)),
        hex::delimited(262_143, &full(Place::MapValue, 0)),
        [hex::tag(262_144, 0), hex::varint(1 << 30)].concat(),
        hex::delimited(33_554_432, "far ünïcode strings, long enough".as_bytes()),
        hex::delimited(33_554_433, &[1, 2, 0xFF, 1]),
        [hex::tag(33_554_434, 0), vec![1], hex::tag(33_554_434, 0), vec![2]].concat(),
        hex::group(33_554_436, &inner.concat()),
        hex::delimited(536_870_911, &hex::delimited(2, &full(Place::Explicit, 3))),
        // unknown, in every wire type
        hex::parse("98 06 01 9D 06 01 02 03 04 99 06 00*8 9A 06 02 41 42"),
        hex::group(99, &hex::group(100, &[8, 1])),
    ];
    parts.concat()
}
