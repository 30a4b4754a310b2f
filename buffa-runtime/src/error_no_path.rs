//! Without an allocator an error has no path.

/// Always absent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Path(());

impl Path {
    #[expect(clippy::unused_self, reason = "same signature as with an allocator")]
    pub(super) fn get(&self) -> Option<&str> {
        None
    }
}
