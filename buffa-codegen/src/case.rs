//! Word splitting and letter case, with the rules that other Rust generators use, so that migrating keeps names.
//!
//! A word ends before an underscore or other separator, between a lower-case letter and an upper-case one, and before the last
//! capital of a run that a lower-case letter follows: `XMLHttpRequest2` is `XML`, `Http`, `Request2`. Digits belong to the
//! word that they follow.

/// Calls `word` for each word of `name`.
fn words(name: &str, mut word: impl FnMut(&str)) {
    #[derive(Clone, Copy, PartialEq)]
    enum Run {
        Start,
        Lower,
        Upper,
    }
    for part in name.split(|c: char| !c.is_ascii_alphanumeric()) {
        let bytes = part.as_bytes();
        let (mut begin, mut run) = (0, Run::Start);
        for at in 0..bytes.len() {
            let Some(next) = bytes.get(at + 1) else { break };
            let current = bytes[at];
            let here = match current {
                b'a'..=b'z' => Run::Lower,
                b'A'..=b'Z' => Run::Upper,
                _ => run,
            };
            if here == Run::Lower && next.is_ascii_uppercase() {
                word(&part[begin..=at]);
                (begin, run) = (at + 1, Run::Start);
            } else if run == Run::Upper && current.is_ascii_uppercase() && next.is_ascii_lowercase() {
                word(&part[begin..at]);
                (begin, run) = (at, Run::Start);
            } else {
                run = here;
            }
        }
        if begin < part.len() {
            word(&part[begin..]);
        }
    }
}

/// `XMLHttpRequest` → `xml_http_request`.
pub(crate) fn snake(name: &str) -> String {
    let mut result = String::with_capacity(name.len() + 4);
    words(name, |word| {
        if !result.is_empty() {
            result.push('_');
        }
        result.extend(word.chars().map(|c| c.to_ascii_lowercase()));
    });
    result
}

/// `XMLHttpRequest` → `XmlHttpRequest`.
pub(crate) fn camel(name: &str) -> String {
    let mut result = String::with_capacity(name.len());
    words(name, |word| {
        let mut chars = word.chars();
        result.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        result.extend(chars.map(|c| c.to_ascii_lowercase()));
    });
    result
}

/// `XMLHttpRequest` → `XML_HTTP_REQUEST`.
pub(crate) fn screaming(name: &str) -> String {
    let mut result = snake(name);
    result.make_ascii_uppercase();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acronyms_digits_and_separators() {
        for (name, expected_snake, expected_camel) in [
            ("XMLHttpRequest", "xml_http_request", "XmlHttpRequest"),
            ("fooBar", "foo_bar", "FooBar"),
            ("FOO_BAR", "foo_bar", "FooBar"),
            ("_foo__bar_", "foo_bar", "FooBar"),
            ("a1b2C3", "a1b2_c3", "A1b2C3"),
            ("HTTP2Server", "http2_server", "Http2Server"),
            ("FieldV2", "field_v2", "FieldV2"),
            ("ABC", "abc", "Abc"),
            ("_", "", ""),
            ("_1", "1", "1"),
        ] {
            assert_eq!((snake(name), camel(name)), (expected_snake.into(), expected_camel.into()), "{name}");
        }
    }
}
