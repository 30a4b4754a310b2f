//! Names, kept apart from the tables that the binary codec reads.

/// Full name of a message or enum and the names of its fields or values, in the order of their numbers.
///
/// Only debug output, JSON, text and reflection reach it, so that a program that uses none of them links no name.
#[derive(Clone, Copy, Debug)]
pub struct NameTable {
    full_name: &'static str,
    names: &'static str,
}

impl NameTable {
    /// `names` holds the proto names, each followed by `'\n'`, in the order of the entries (ascending numbers).
    pub const fn new(full_name: &'static str, names: &'static str) -> NameTable {
        NameTable { full_name, names }
    }

    /// The full name, without a leading dot.
    pub const fn full_name(&self) -> &'static str {
        self.full_name
    }

    /// The proto names, ascending by number.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.names.split_terminator('\n')
    }

    /// The name at position `index` of that order.
    pub fn name(&self, index: usize) -> Option<&'static str> {
        self.names().nth(index)
    }
}
