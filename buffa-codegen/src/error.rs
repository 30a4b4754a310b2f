//! What went wrong, where, and what to do about it.

use std::fmt;

/// Why nothing was generated. Names the file, the item and, where there is one, the fix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    file: String,
    item: String,
    problem: String,
    fix: String,
}

impl Error {
    /// An error about `item` (a full protobuf name, or empty for the file as a whole) of `file`.
    pub fn new(file: impl Into<String>, item: impl Into<String>, problem: impl Into<String>) -> Error {
        Error { file: file.into(), item: item.into(), problem: problem.into(), fix: String::new() }
    }

    /// The same error with advice.
    #[must_use]
    pub fn fix(self, fix: impl Into<String>) -> Error {
        Error { fix: fix.into(), ..self }
    }

    /// Name of the `.proto` file, as the descriptor set spells it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Full name of the message, field, enum, … or empty.
    pub fn item(&self) -> &str {
        &self.item
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(out, "{}: ", self.file)?;
        }
        if !self.item.is_empty() {
            write!(out, "{}: ", self.item)?;
        }
        out.write_str(&self.problem)?;
        if !self.fix.is_empty() {
            write!(out, " ({})", self.fix)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
