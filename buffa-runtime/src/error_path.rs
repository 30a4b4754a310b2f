//! Path of a missing required field; only that rare error allocates one.

use super::{DecodeError, ErrorKind};
use alloc::boxed::Box;
use alloc::string::String;

/// Absent in every other error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(clippy::box_collection, reason = "one word instead of three in every Result of the decoder")]
pub(super) struct Path(Option<Box<String>>);

impl Path {
    pub(super) fn get(&self) -> Option<&str> {
        self.0.as_deref().map(String::as_str)
    }
}

impl DecodeError {
    /// `path` names the field, e.g. `rr[0].r`.
    #[cold]
    pub(crate) fn missing(path: String) -> DecodeError {
        DecodeError { kind: ErrorKind::MissingRequired, offset: 0, path: Path(Some(Box::new(path))) }
    }

    /// Paths of the required fields that are missing, separated by `", "`, e.g. `rr[0].r`.
    pub fn missing_fields(&self) -> Option<&str> {
        self.path.get()
    }
}
