//! Parameters of a plugin, `key=value,key=value`, read strictly: a typo that is passed over in silence costs an afternoon.

/// A parameter that a plugin takes.
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) value: Value,
    pub(crate) help: &'static str,
}

/// What the value of a parameter looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    /// `.some.package.or.Type`
    Path,
    /// A path, `=`, and an attribute like `#[derive(Eq)]`.
    PathAttribute,
    /// A path, `=`, and a Rust path like `::krate::module`.
    PathRust,
    /// A plain file name that ends in `.rs`.
    FileName,
}

/// A parameter with its value. Where the value has only one part, `second` is empty.
pub(crate) struct Assignment<'p> {
    pub(crate) parameter: &'p Parameter,
    pub(crate) first: String,
    pub(crate) second: String,
}

impl Parameter {
    /// How it is written.
    pub(crate) fn shape(&self) -> String {
        format!("{}={}", self.name, self.value.shape())
    }
}

impl Value {
    fn shape(self) -> &'static str {
        match self {
            Value::Path => "PATH",
            Value::PathAttribute => "PATH=ATTRIBUTE",
            Value::PathRust => "PATH=RUST_PATH",
            Value::FileName => "NAME.rs",
        }
    }

    /// Splits and checks a value.
    fn read(self, text: &str) -> Result<(String, String), &'static str> {
        let owned = |first: &str, second: &str| (first.to_owned(), second.to_owned());
        match self {
            Value::Path if is_path(text) => Ok(owned(text, "")),
            Value::Path => Err("its value must be a protobuf path, e.g. `.pkg.Message`, or `.` for everything"),
            Value::PathAttribute | Value::PathRust => {
                let Some((path, rest)) = text.split_once('=') else {
                    return Err("its value must be a protobuf path, `=` and what to put there");
                };
                if !is_path(path) {
                    return Err("what stands before the second `=` must be a protobuf path, e.g. `.pkg.Message`");
                }
                match self {
                    Value::PathAttribute if !(rest.starts_with("#[") && rest.ends_with(']')) => {
                        Err("the attribute must be written `#[…]`, with `\\,` for a comma inside")
                    }
                    Value::PathRust if !is_rust_path(rest) => {
                        Err("what stands behind the second `=` must be a Rust path, e.g. `::krate::module`")
                    }
                    _ => Ok(owned(path, rest)),
                }
            }
            Value::FileName => {
                let plain = !text.contains(['/', '\\']) && text.strip_suffix(".rs").is_some_and(|stem| !stem.is_empty());
                if plain {
                    Ok(owned(text, ""))
                } else {
                    Err("its value must be a file name that ends in `.rs`, without a directory")
                }
            }
        }
    }
}

/// Reads `text`; the order is kept.
pub(crate) fn parse<'p>(known: &'p [Parameter], text: &str) -> Result<Vec<Assignment<'p>>, String> {
    let mut assignments = Vec::new();
    if text.is_empty() {
        return Ok(assignments);
    }
    for part in split(text)? {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (part.as_str(), None),
        };
        let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
            return Err(unknown(known, name));
        };
        let wrong = |problem: &str| format!("parameter `{name}`: {problem} (write `{}`)", parameter.shape());
        let value = value.ok_or_else(|| wrong("it needs a value"))?;
        let (first, second) = parameter.value.read(value).map_err(|problem| wrong(&format!("{problem}, but is `{value}`")))?;
        assignments.push(Assignment { parameter, first, second });
    }
    Ok(assignments)
}

/// Splits at commas, except for those written `\,`.
fn split(text: &str) -> Result<Vec<String>, String> {
    let mut parts = vec![String::new()];
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let literal = match character {
            ',' => {
                parts.push(String::new());
                continue;
            }
            '\\' => match characters.next() {
                Some(escaped @ (',' | '\\')) => escaped,
                _ => return Err(format!("parameter `{text}`: a backslash must be written `\\\\`, a comma inside a value `\\,`")),
            },
            other => other,
        };
        if let Some(part) = parts.last_mut() {
            part.push(literal);
        }
    }
    Ok(parts)
}

fn unknown(known: &[Parameter], name: &str) -> String {
    let mut text = format!("unknown parameter `{name}`");
    let near = known.iter().map(|parameter| (distance(name, parameter.name), parameter.name)).min();
    if let Some((_, suggestion)) = near.filter(|&(distance, known)| distance <= known.len() / 3) {
        text.push_str(&format!(": did you mean `{suggestion}`?"));
    }
    let names: Vec<String> = known.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
    text.push_str(&format!(" (accepted: {}; a comma inside a value is written `\\,`)", names.join(", ")));
    text
}

/// Insertions, deletions and replacements between two names (Levenshtein); letter case and `-` for `_` count as nothing.
fn distance(from: &str, to: &str) -> usize {
    let plain = |text: &str| -> Vec<char> { text.trim().to_lowercase().replace('-', "_").chars().collect() };
    let (from, to) = (plain(from), plain(to));
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, b) in row.iter_mut().skip(1).zip(&to) {
            let replaced = diagonal + usize::from(a != b);
            diagonal = *cell;
            left = replaced.min(left + 1).min(diagonal + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

fn is_path(text: &str) -> bool {
    let dotted = text.strip_prefix('.').unwrap_or(text);
    text == "." || (!dotted.is_empty() && dotted.split('.').all(is_identifier))
}

fn is_rust_path(text: &str) -> bool {
    let relative = text.strip_prefix("::").unwrap_or(text);
    relative.split("::").all(|segment| is_identifier(segment.strip_prefix("r#").unwrap_or(segment)))
}

fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|other| other.is_ascii_alphanumeric() || other == '_')
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const KNOWN: &[Parameter] = &[
        Parameter { name: "extern_path", value: Value::PathRust, help: "" },
        Parameter { name: "type_attribute", value: Value::PathAttribute, help: "" },
        Parameter { name: "exclude", value: Value::Path, help: "" },
        Parameter { name: "file_name", value: Value::FileName, help: "" },
    ];

    fn read(text: &str) -> Result<Vec<(&'static str, String, String)>, String> {
        let parsed = parse(KNOWN, text)?;
        Ok(parsed.into_iter().map(|part| (part.parameter.name, part.first, part.second)).collect())
    }

    fn error(text: &str) -> String {
        read(text).unwrap_err()
    }

    #[test]
    fn good_ones() {
        assert_eq!(read("").unwrap(), []);
        let parsed =
            read(r#"exclude=.,type_attribute=.a.B=#[derive(Eq\, Hash)],extern_path=a=::k::r#mod,file_name=x.rs"#).unwrap();
        let expected = [
            ("exclude", ".", ""),
            ("type_attribute", ".a.B", "#[derive(Eq, Hash)]"),
            ("extern_path", "a", "::k::r#mod"),
            ("file_name", "x.rs", ""),
        ];
        assert_eq!(parsed, expected.map(|(name, first, second)| (name, first.to_owned(), second.to_owned())));
        assert_eq!(read(r#"type_attribute=M=#[doc = "a=b\\"]"#).unwrap()[0].2, r#"#[doc = "a=b\"]"#);
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let accepted =
            "(accepted: `extern_path`, `type_attribute`, `exclude`, `file_name`; a comma inside a value is written `\\,`)";
        for typo in ["extern-path", "externpath", "exten_path", " extern_path", "Extern_Path"] {
            assert_eq!(
                error(&format!("{typo}=.a=::b")),
                format!("unknown parameter `{typo}`: did you mean `extern_path`? {accepted}")
            );
        }
        assert_eq!(error("serde"), format!("unknown parameter `serde` {accepted}"));
        assert_eq!(error("exclude=.a,"), format!("unknown parameter `` {accepted}"));
        // The comma of an attribute that should have been escaped.
        assert!(error("type_attribute=.a=#[derive(Eq],Hash)]").starts_with("unknown parameter `Hash)]`"));
    }

    #[test]
    fn bad_values() {
        let cases = [
            ("exclude", "parameter `exclude`: it needs a value (write `exclude=PATH`)"),
            (
                "exclude=a b",
                "parameter `exclude`: its value must be a protobuf path, e.g. `.pkg.Message`, or `.` for everything, but is `a b` (write `exclude=PATH`)",
            ),
            (
                "type_attribute=.a",
                "parameter `type_attribute`: its value must be a protobuf path, `=` and what to put there, but is `.a` (write `type_attribute=PATH=ATTRIBUTE`)",
            ),
            (
                "type_attribute=.a=derive(Eq)",
                "parameter `type_attribute`: the attribute must be written `#[…]`, with `\\,` for a comma inside, but is `.a=derive(Eq)` (write `type_attribute=PATH=ATTRIBUTE`)",
            ),
            (
                "extern_path=..=::a",
                "parameter `extern_path`: what stands before the second `=` must be a protobuf path, e.g. `.pkg.Message`, but is `..=::a` (write `extern_path=PATH=RUST_PATH`)",
            ),
            (
                "extern_path=.a=::a::",
                "parameter `extern_path`: what stands behind the second `=` must be a Rust path, e.g. `::krate::module`, but is `.a=::a::` (write `extern_path=PATH=RUST_PATH`)",
            ),
            (
                "file_name=gen/mod.rs",
                "parameter `file_name`: its value must be a file name that ends in `.rs`, without a directory, but is `gen/mod.rs` (write `file_name=NAME.rs`)",
            ),
            ("exclude=\\a", "parameter `exclude=\\a`: a backslash must be written `\\\\`, a comma inside a value `\\,`"),
        ];
        for (text, expected) in cases {
            assert_eq!(error(text), expected);
        }
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("File-Name", "file_name"), 0);
    }
}
