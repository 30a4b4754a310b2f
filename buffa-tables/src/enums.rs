//! The numbers of an enum.
#![allow(unsafe_code)] // a raw slice, so that tables built in memory have the same layout as statics

/// Which numbers an enum declares: one dense range, then a sorted list of the others.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct EnumTable {
    low: i32,
    dense: u32,
    sparse: *const i32,
    sparse_len: u32,
    default: i32,
}

// SAFETY: read-only, and the slice it points to is read-only too.
unsafe impl Sync for EnumTable {}
// SAFETY: as above.
unsafe impl Send for EnumTable {}

impl EnumTable {
    /// Declares `low .. low + dense` and the numbers in `sparse`; `default` is the first declared value.
    ///
    /// # Panics
    /// When `sparse` is not strictly ascending or the default is not declared (at compile time, in generated code).
    pub const fn new(default: i32, low: i32, dense: u32, sparse: &'static [i32]) -> EnumTable {
        let mut i = 1;
        while i < sparse.len() {
            assert!(sparse[i - 1] < sparse[i], "enum numbers must be strictly ascending");
            i += 1;
        }
        assert!(sparse.len() <= u32::MAX as usize, "too many enum numbers");
        #[expect(clippy::cast_possible_truncation, reason = "compared just above")]
        let sparse_len = sparse.len() as u32;
        let table = EnumTable { low, dense, sparse: sparse.as_ptr(), sparse_len, default };
        assert!(table.contains(default), "the default of an enum must be one of its numbers");
        table
    }

    /// Whether the enum declares `number`.
    #[inline]
    pub const fn contains(&self, number: i32) -> bool {
        #[expect(clippy::cast_sign_loss, reason = "modular distance: below `low` wraps to a large number")]
        let distance = number.wrapping_sub(self.low) as u32;
        distance < self.dense || (self.sparse_len != 0 && self.contains_sparse(number))
    }

    /// The first declared value, which is the default of fields of this type.
    pub const fn default_number(&self) -> i32 {
        self.default
    }

    /// First number and count of the dense range.
    pub const fn dense_range(&self) -> (i32, u32) {
        (self.low, self.dense)
    }

    /// The numbers outside the dense range, ascending.
    pub const fn sparse(&self) -> &[i32] {
        // SAFETY: pointer and length come from a slice that outlives the table (`new`).
        unsafe { core::slice::from_raw_parts(self.sparse, self.sparse_len as usize) }
    }

    #[cold]
    const fn contains_sparse(&self, number: i32) -> bool {
        let sparse = self.sparse();
        let (mut low, mut high) = (0, sparse.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if sparse[middle] == number {
                return true;
            } else if sparse[middle] < number {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::EnumTable;

    #[test]
    fn dense_sparse_and_extremes() {
        static T: EnumTable = EnumTable::new(-1, -1, 4, &[i32::MIN, 7, 100, i32::MAX]);
        for n in [-1, 0, 1, 2, i32::MIN, 7, 100, i32::MAX] {
            assert!(T.contains(n), "{n}");
        }
        for n in [-2, 3, 6, 8, 99, 101, i32::MIN + 1, i32::MAX - 1] {
            assert!(!T.contains(n), "{n}");
        }
        static FULL: EnumTable = EnumTable::new(i32::MIN, i32::MIN, 2, &[i32::MAX]);
        assert!(FULL.contains(i32::MIN + 1) && FULL.contains(i32::MAX) && !FULL.contains(0));
    }
}
