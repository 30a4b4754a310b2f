//! Comments of a `.proto` file as doc comments that can do no harm.
//!
//! Comments are prose that never meant to be Markdown. Whatever could make rustdoc run, link or warn is disarmed: code (fenced
//! or indented) becomes a `text` block, brackets, angle brackets, tildes, backslashes and stray backticks are escaped,
//! runs of white space (which could make a line an indented code block inside a list) shrink to one space, bare URLs become
//! autolinks, control and bidirectional characters vanish.

use crate::writer::{Writer, line};
use buffa::descriptor::{FileDescriptorProto, source_code_info::Location};
use std::collections::HashMap;

/// The comments of one file by the path of their item.
pub(crate) struct Comments<'d> {
    by_path: HashMap<&'d [i32], &'d Location<'d>>,
}

impl<'d> Comments<'d> {
    pub(crate) fn new(file: &'d FileDescriptorProto<'d>) -> Comments<'d> {
        let locations = file.source_code_info.location.iter();
        let commented = locations.filter(|at| !at.leading_comments.is_empty() || !at.trailing_comments.is_empty());
        Comments { by_path: commented.map(|location| (&*location.path, location)).collect() }
    }

    /// The comments of the item at `path`, disarmed, one line each.
    pub(crate) fn lines(&self, path: &[i32]) -> Vec<String> {
        let Some(location) = self.by_path.get(path) else { return Vec::new() };
        let (leading, trailing) = (location.leading_comments.as_str(), location.trailing_comments.as_str());
        let gap = if leading.trim().is_empty() || trailing.trim().is_empty() { "" } else { "\n" };
        disarm(&format!("{leading}{gap}{trailing}"))
    }

    pub(crate) fn print(&self, out: &mut Writer, path: &[i32]) {
        for text in self.lines(path) {
            let space = if text.is_empty() { "" } else { " " };
            line!(out, "///{space}{text}");
        }
    }
}

/// What the line before was part of.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Blank,
    Prose,
    Fence(char, usize),
    Indented,
}

fn disarm(comment: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut state = State::Blank;
    let (mut in_list, mut item_margin) = (false, 0);
    let clean: String = comment.chars().filter_map(harmless).collect();
    for raw in clean.lines() {
        let raw = raw.strip_prefix(' ').unwrap_or(raw).trim_end();
        let text = raw.trim_start();
        let indent = raw.len() - text.len();
        if let State::Fence(mark, length) = state {
            let closes = text.len() >= length && text.chars().all(|c| c == mark);
            lines.push(if closes { text.to_owned() } else { raw.to_owned() });
            if closes {
                state = State::Blank;
            }
            continue;
        }
        if state == State::Indented {
            if text.is_empty() || indent >= 4 {
                lines.push(indented(raw));
                continue;
            }
            close_indented(&mut lines);
            state = State::Blank;
        }
        if text.is_empty() {
            state = State::Blank;
            lines.push(String::new());
            continue;
        }
        if let Some((mark, length)) = fence(text) {
            lines.push(format!("{}text", mark.to_string().repeat(length)));
            state = State::Fence(mark, length);
            continue;
        }
        if indent >= 4 && state == State::Blank && !in_list {
            lines.push("```text".into());
            lines.push(indented(raw));
            state = State::Indented;
            continue;
        }
        let marker = item_marker(text);
        let mut margin = indent.min(3);
        if marker > 0 {
            item_margin = margin + marker;
        } else if in_list && state != State::Blank {
            // Goes on with the paragraph of the item, so no indentation makes code of it.
            margin = item_margin;
        }
        in_list = marker > 0 || (in_list && (indent > 0 || state != State::Blank));
        state = State::Prose;
        lines.push(format!("{}{}", " ".repeat(margin), prose(text)));
    }
    match state {
        State::Fence(mark, length) => lines.push(mark.to_string().repeat(length)),
        State::Indented => close_indented(&mut lines),
        State::Blank | State::Prose => {}
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    lines.split_off(first)
}

/// A line of a block made of indented lines. One that would end the block early loses its backticks.
fn indented(raw: &str) -> String {
    let text = raw.get(4..).unwrap_or("");
    if text.trim_start().starts_with("```") { text.replace('`', "'") } else { text.to_owned() }
}

/// Ends a block made of indented lines: in front of its trailing empty lines.
fn close_indented(lines: &mut Vec<String>) {
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines.insert(end, "```".into());
}

/// Drops what rustc rejects in doc comments (carriage returns, bidirectional controls) and other control characters.
fn harmless(c: char) -> Option<char> {
    match c {
        '\n' => Some('\n'),
        '\t' => Some(' '),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        c if c.is_control() => None,
        c => Some(c),
    }
}

/// Mark and length of the fence that a line opens.
fn fence(text: &str) -> Option<(char, usize)> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = text.chars().take_while(|&c| c == mark).count();
    // Behind an opening ``` no other backtick may follow, or it is inline code.
    (length >= 3 && !(mark == '`' && text[length..].contains('`'))).then_some((mark, length))
}

/// Width of the marker with its space, if the line begins a list item; otherwise 0.
fn item_marker(text: &str) -> usize {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let rest = &text[digits..];
    let mark = if digits == 0 { rest.starts_with(['-', '*', '+']) } else { rest.starts_with(['.', ')']) };
    if mark && rest[1..].starts_with(' ') { digits + 2 } else { 0 }
}

/// One line of prose.
fn prose(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 8);
    let mut rest = text;
    if let Some(quoted) = rest.strip_prefix('>') {
        result.push_str("\\>");
        rest = quoted;
    }
    while let Some(c) = rest.chars().next() {
        let run = rest.chars().take_while(|&next| next == c).count();
        match c {
            '`' => match code_end(&rest[run..], run) {
                Some(end) => {
                    result.push_str(&rest[..run + end]);
                    rest = &rest[run + end..];
                }
                None => {
                    result.push_str(&"\\`".repeat(run));
                    rest = &rest[run..];
                }
            },
            ' ' => {
                result.push(' ');
                rest = rest.trim_start_matches(' ');
            }
            'h' if rest.starts_with("http://") || rest.starts_with("https://") => {
                let url = rest.split(|c: char| c.is_whitespace() || "<>`\"()[]{}\\".contains(c)).next().unwrap_or("");
                let url = url.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'']);
                result.push('<');
                result.push_str(url);
                result.push('>');
                rest = &rest[url.len()..];
            }
            '[' | ']' | '<' | '>' | '~' | '\\' => {
                result.push('\\');
                result.push(c);
                rest = &rest[1..];
            }
            c => {
                result.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    result
}

/// Behind the opening run of `length` backticks: where the code span ends, closing run included.
fn code_end(text: &str, length: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let begin = at + found;
        let run = text[begin..].chars().take_while(|&c| c == '`').count();
        at = begin + run;
        if run == length {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(comment: &str, expected: &[&str]) {
        assert_eq!(disarm(comment), expected, "{comment:?}");
    }

    #[test]
    fn prose_is_escaped() {
        check(" See [Foo] and <T>, `a[0]`, ` stray.\n", &["See \\[Foo\\] and \\<T\\>, `a[0]`, \\` stray."]);
        check(" at https://a.b/c?d=1. End", &["at <https://a.b/c?d=1>. End"]);
        check(" a \\[x] b", &["a \\\\\\[x\\] b"]);
        check(" > quoted\n -     code", &["\\> quoted", "- code"]);
        check(" a */ b \u{202e}c\rd", &["a */ b cd"]);
    }

    #[test]
    fn code_becomes_text() {
        check(" ```rust\n panic!()\n ```\n more", &["```text", "panic!()", "```", "more"]);
        check(" ~~~\n unclosed", &["~~~text", "unclosed", "~~~"]);
        check(
            " Example:\n\n     let x = [1];\n\n     y\n\n End.",
            &["Example:", "", "```text", "let x = [1];", "", "y", "```", "", "End."],
        );
        check(" - item\n\n       continued\n", &["- item", "", "   continued"]);
        check(" - ```rust", &["- \\`\\`\\`rust"]);
        check(" 1. item\n goes on\n\n text", &["1. item", "   goes on", "", "text"]);
    }
}
