//! Indented text.

use std::fmt::{self, Write};

/// Collects lines at an indentation; the output is written once and never parsed again, so printing stays linear.
#[derive(Default)]
pub(crate) struct Writer {
    text: String,
    indent: usize,
}

impl Writer {
    /// Appends one line (or, with line breaks inside, several that bring their own indentation).
    pub(crate) fn line(&mut self, line: fmt::Arguments<'_>) {
        self.margin();
        // A String never fails to grow short of aborting.
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    /// Appends an empty line, unless the text is empty or just opened a block.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("{\n") && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Appends the line, indents what follows.
    pub(crate) fn open(&mut self, line: fmt::Arguments<'_>) {
        self.line(line);
        self.indent += 1;
    }

    /// Ends what [`Writer::open`] began.
    pub(crate) fn close(&mut self, line: &str) {
        self.indent = self.indent.saturating_sub(1);
        if self.text.ends_with("\n\n") {
            self.text.pop();
        }
        self.line(format_args!("{line}"));
    }

    /// Appends text that brings its own lines.
    pub(crate) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn margin(&mut self) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
    }
}

/// `line!(out, "text {}", value)`.
macro_rules! line {
    ($out:expr, $($text:tt)*) => { $out.line(format_args!($($text)*)) };
}

/// `open!(out, "pub struct {name} {{")`.
macro_rules! open {
    ($out:expr, $($text:tt)*) => { $out.open(format_args!($($text)*)) };
}

pub(crate) use {line, open};
