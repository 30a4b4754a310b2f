//! What went wrong in a build script.

use std::fmt;

/// Why nothing was generated: what it is about, the problem, the fix, and the compiler's own words where it was asked.
///
/// `{:?}` prints the same readable text as `{}`, because that is what Cargo shows when `main` of a build script returns an error.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    subject: String,
    problem: String,
    output: String,
    fix: String,
}

impl Error {
    /// An error about `subject`: a file, a program or a call.
    pub(super) fn new(subject: impl fmt::Display, problem: impl Into<String>) -> Error {
        Error { subject: subject.to_string(), problem: problem.into(), output: String::new(), fix: String::new() }
    }

    /// The same with advice.
    pub(super) fn fix(self, fix: impl Into<String>) -> Error {
        Error { fix: fix.into(), ..self }
    }

    /// The same with what a program wrote to stderr.
    pub(super) fn output(self, output: &[u8]) -> Error {
        Error { output: String::from_utf8_lossy(output).into_owned(), ..self }
    }

    /// What the compiler wrote to stderr, verbatim; empty if it was not the compiler that failed.
    pub fn compiler_output(&self) -> &str {
        &self.output
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Error {
        // Its text names file, item and fix already.
        Error { subject: String::new(), problem: error.to_string(), output: String::new(), fix: String::new() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.subject.is_empty() {
            write!(out, "{}: ", self.subject)?;
        }
        out.write_str(&self.problem)?;
        if !self.output.is_empty() {
            write!(out, "\n{}", self.output.trim_end())?;
        }
        if !self.fix.is_empty() {
            write!(out, "\nhelp: {}", self.fix)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::error::Error for Error {}
