//! Rust identifiers: keywords, reserved names, uniqueness in a namespace.

use crate::case;
use std::collections::HashSet;

/// Keywords that may be written raw (`r#type`), of every edition.
const RAW: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern",
    "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override",
    "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Words that cannot even be written raw: they get a `_`.
const NEVER: &[&str] = &["self", "Self", "super", "crate"];

/// A module of one of these names would hide the type that fields are declared with.
const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64", "u8", "usize",
];

/// Makes `word` (letters, digits, underscores, or empty) an identifier.
pub(crate) fn escape(mut word: String) -> String {
    if word.is_empty() || word == "_" {
        return "__".into();
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        word.insert(0, '_');
    }
    if NEVER.contains(&word.as_str()) {
        word.push('_');
    } else if RAW.contains(&word.as_str()) {
        word.insert_str(0, "r#");
    }
    word
}

/// Name of a field.
pub(crate) fn field(proto: &str) -> String {
    escape(case::snake(proto))
}

/// Name of a message, enum, oneof enum or variant.
pub(crate) fn upper_camel(proto: &str) -> String {
    escape(case::camel(proto))
}

/// Name of a module, for a message or one segment of a package.
pub(crate) fn module(proto: &str) -> String {
    let word = case::snake(proto);
    if PRIMITIVES.contains(&word.as_str()) { word + "_" } else { escape(word) }
}

/// Name of a constant.
pub(crate) fn constant(proto: &str) -> String {
    escape(case::screaming(proto))
}

/// `r#type` → `type`, to build longer names from.
pub(crate) fn bare(ident: &str) -> &str {
    ident.strip_prefix("r#").unwrap_or(ident)
}

/// One namespace: hands out each identifier once.
#[derive(Default)]
pub(crate) struct Namespace(HashSet<String>);

impl Namespace {
    /// Takes `wanted`, or the first free of `wanted_`, `wanted2_`, `wanted3_`, … (a trailing underscore keeps the letter
    /// case that lints expect).
    pub(crate) fn take(&mut self, wanted: String) -> String {
        if self.0.insert(wanted.clone()) {
            return wanted;
        }
        let base = bare(&wanted);
        let free = std::iter::once(format!("{base}_"))
            .chain((2_u32..).map(|n| format!("{base}{n}_")))
            .find(|name| !self.0.contains(name));
        let free = free.unwrap_or_default(); // the chain is longer than any set
        self.0.insert(free.clone());
        free
    }

    /// Whether `name` is taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Gives every name its identifier. Names that are already spelled like their identifier come first, so that adding
    /// `foo` beside `Foo` does not rename `Foo`; the others follow in declaration order.
    pub(crate) fn take_all<'n>(&mut self, names: impl Iterator<Item = &'n str>, convert: fn(&str) -> String) -> Vec<String> {
        let mut result: Vec<(&str, String)> = names.map(|name| (name, convert(name))).collect();
        for exact in [true, false] {
            for (name, ident) in &mut result {
                if (bare(ident) == *name) == exact {
                    *ident = self.take(std::mem::take(ident));
                }
            }
        }
        result.into_iter().map(|(_, ident)| ident).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_oddities() {
        assert_eq!(field("type"), "r#type");
        assert_eq!(field("gen"), "r#gen");
        assert_eq!(field("Self"), "self_");
        assert_eq!(field("_"), "__");
        assert_eq!(field("_1"), "_1");
        assert_eq!(upper_camel("self"), "Self_");
        assert_eq!(upper_camel("1"), "_1");
        assert_eq!(module("U32"), "u32_");
        assert_eq!(module("Mod"), "r#mod");
        assert_eq!(constant("type"), "TYPE");
    }

    #[test]
    fn clashes_are_settled_in_favour_of_the_exact_name() {
        let mut space = Namespace::default();
        let names = space.take_all(["foo_bar", "FooBar", "FOO_BAR", "foo"].into_iter(), upper_camel);
        assert_eq!(names, ["FooBar_", "FooBar", "FooBar2_", "Foo"]);
        let mut space = Namespace::default();
        assert_eq!(space.take_all(["Type", "type"].into_iter(), field), ["type_", "r#type"]);
    }
}
