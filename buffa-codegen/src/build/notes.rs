//! Lines for Cargo, collected while a build runs.

use std::path::Path;

/// What Cargo is told, without the `cargo:` in front.
#[derive(Default)]
pub(super) struct Notes {
    lines: Vec<String>,
}

impl Notes {
    /// Run again when the file changes.
    pub(super) fn file(&mut self, path: &Path) {
        self.line(format!("rerun-if-changed={}", path.display()));
    }

    /// Run again when the variable changes.
    pub(super) fn variable(&mut self, name: &str) {
        self.line(format!("rerun-if-env-changed={name}"));
    }

    /// Show these lines to the user.
    pub(super) fn warnings(&mut self, text: &[u8]) {
        for line in String::from_utf8_lossy(text).lines().filter(|line| !line.trim().is_empty()) {
            self.line(format!("warning={line}"));
        }
    }

    fn line(&mut self, line: String) {
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    /// Tells Cargo.
    pub(super) fn print(&self) {
        for line in &self.lines {
            println!("cargo:{line}");
        }
    }

    #[cfg(test)]
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }
}
