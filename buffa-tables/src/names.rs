//! Names, kept apart from the tables that the binary codec reads.
#![allow(unsafe_code)] // a pointer between statics that may form cycles

/// Full name of a message or enum and the names of its fields or values, in the order of their numbers.
///
/// Only debug output, error paths, JSON, text and reflection reach it, so that a program that uses none of them links no name.
#[derive(Debug)]
pub struct NameTable {
    full_name: &'static str,
    names: &'static str,
    types: &'static [NameRef],
}

impl NameTable {
    /// `names` holds one line per field, ascending by number: the proto name, then, each behind a tab and only where they differ from what
    /// follows from it, the JSON name and the name in the text format. Lines that begin with `-` are reserved names.
    ///
    /// For an enum there is a line `NUMBER NAME` per name, ascending by number; the first declared name of a number comes first, its
    /// aliases follow.
    ///
    /// `types` holds the names of the types of those fields that have one (message, group, enum, map with such a value), in the order
    /// of the fields.
    pub const fn new(full_name: &'static str, names: &'static str, types: &'static [NameRef]) -> NameTable {
        NameTable { full_name, names, types }
    }

    /// The reference that tables of other types hold.
    pub const fn names(&'static self) -> NameRef {
        NameRef(self)
    }
}

/// A reference to a [`NameTable`]; tables of mutually recursive messages refer to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NameRef(*const NameTable);

// SAFETY: leads to a static that is never written.
unsafe impl Sync for NameRef {}
// SAFETY: as above.
unsafe impl Send for NameRef {}

impl NameRef {
    fn get(self) -> &'static NameTable {
        // SAFETY: made from a reference to a static only.
        unsafe { &*self.0 }
    }

    /// The full name, without a leading dot.
    pub fn full_name(self) -> &'static str {
        self.get().full_name
    }

    /// The lines of the table, as [`NameTable::new`] describes them.
    fn lines(self) -> impl Iterator<Item = &'static str> {
        self.get().names.split_terminator('\n')
    }

    /// The proto names, ascending by number.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        // `-old_name` is a reserved name, `-1 LOW` an enum value.
        let is_name = |line: &&str| line.strip_prefix('-').is_none_or(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        self.lines().filter(is_name).map(|line| line.split('\t').next().unwrap_or(line))
    }

    /// The name at position `index` of that order.
    pub fn name(self, index: usize) -> Option<&'static str> {
        self.names().nth(index)
    }

    /// The name of the enum value with this number, if these are the names of an enum.
    pub fn value_name(self, number: i32) -> Option<&'static str> {
        self.names().filter_map(|line| line.split_once(' ')).find(|(n, _)| n.parse() == Ok(number)).map(|(_, name)| name)
    }

    /// The names of the types of those fields that have one, ascending by number.
    pub fn types(self) -> &'static [NameRef] {
        self.get().types
    }
}

impl core::fmt::Debug for NameRef {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.full_name())
    }
}
