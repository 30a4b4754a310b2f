//! What a caller may change about the output.

use crate::services::ServiceGenerator;

/// Settings of a run; all optional.
///
/// # Paths
/// Methods that take a path match full protobuf names by dotted segments, never by text prefix: `.foo.bar` is `foo.bar` and
/// everything inside it, but not `foo.barbaz`; without the leading dot, `bar.Baz` is every name that ends in these segments;
/// `.` is everything.
#[derive(Default)]
pub struct Options {
    extern_paths: Vec<(String, String)>,
    message_attributes: Vec<(String, String)>,
    enum_attributes: Vec<(String, String)>,
    oneof_attributes: Vec<(String, String)>,
    field_attributes: Vec<(String, String)>,
    verify_utf8: Vec<String>,
    exclude: Vec<String>,
    omit_comments: Vec<String>,
    services: Option<Box<dyn ServiceGenerator>>,
}

impl Options {
    /// The defaults.
    pub fn new() -> Options {
        Options::default()
    }

    /// Takes the types at and below `proto` (a package or type, with or without leading dot) from the Rust path `rust`
    /// instead of from the relative module tree. The most specific path wins.
    ///
    /// Without any such path, the types of `google/protobuf/*.proto` come from `::buffa::wkt` and `::buffa::descriptor`,
    /// unless their file is among those to generate.
    pub fn extern_path(&mut self, proto: &str, rust: &str) -> &mut Options {
        self.extern_paths.push((proto.trim_start_matches('.').to_owned(), rust.to_owned()));
        self
    }

    /// Puts an attribute, e.g. `#[derive(Eq)]`, on messages, enums and oneof enums at a path.
    pub fn type_attribute(&mut self, path: &str, attribute: &str) -> &mut Options {
        self.message_attribute(path, attribute).enum_attribute(path, attribute).oneof_attribute(path, attribute)
    }

    /// Puts an attribute on messages at a path.
    pub fn message_attribute(&mut self, path: &str, attribute: &str) -> &mut Options {
        self.message_attributes.push((path.to_owned(), attribute.to_owned()));
        self
    }

    /// Puts an attribute on enums at a path.
    pub fn enum_attribute(&mut self, path: &str, attribute: &str) -> &mut Options {
        self.enum_attributes.push((path.to_owned(), attribute.to_owned()));
        self
    }

    /// Puts an attribute on the enums of oneofs at a path.
    pub fn oneof_attribute(&mut self, path: &str, attribute: &str) -> &mut Options {
        self.oneof_attributes.push((path.to_owned(), attribute.to_owned()));
        self
    }

    /// Puts an attribute on fields, oneof members and enum values at a path.
    pub fn field_attribute(&mut self, path: &str, attribute: &str) -> &mut Options {
        self.field_attributes.push((path.to_owned(), attribute.to_owned()));
        self
    }

    /// Treats string fields at a path as if they had `utf8_validation = VERIFY`: they become `Str` instead of `Blob`, and
    /// decoding rejects invalid UTF-8. Made for proto2, where strings are not verified by default.
    pub fn verify_utf8(&mut self, path: &str) -> &mut Options {
        self.verify_utf8.push(path.to_owned());
        self
    }

    /// Prints no message, enum, extension or service at a path. Other types may still refer to them: add an
    /// [`Options::extern_path`] that says where they are.
    pub fn exclude(&mut self, path: &str) -> &mut Options {
        self.exclude.push(path.to_owned());
        self
    }

    /// Drops the comments of items at a path.
    pub fn omit_comments(&mut self, path: &str) -> &mut Options {
        self.omit_comments.push(path.to_owned());
        self
    }

    /// Sets what is printed for services (nothing by default).
    pub fn service_generator(&mut self, generator: impl ServiceGenerator + 'static) -> &mut Options {
        self.services = Some(Box::new(generator));
        self
    }

    /// The Rust path of the longest extern path that covers `full_name`, and how many segments it covers.
    pub(crate) fn extern_of(&self, full_name: &str) -> Option<(&str, usize)> {
        let covering = self.extern_paths.iter().filter(|(proto, _)| covers(proto, full_name));
        let (proto, rust) = covering.max_by_key(|(proto, _)| proto.len())?;
        Some((rust, segments(proto).count()))
    }

    pub(crate) fn verifies_utf8(&self, full_name: &str) -> bool {
        self.verify_utf8.iter().any(|path| matches(path, full_name))
    }

    pub(crate) fn excludes(&self, full_name: &str) -> bool {
        self.exclude.iter().any(|path| matches(path, full_name))
    }

    pub(crate) fn omits_comments(&self, full_name: &str) -> bool {
        self.omit_comments.iter().any(|path| matches(path, full_name))
    }

    pub(crate) fn attributes(&self, on: Target, full_name: &str) -> impl Iterator<Item = &str> {
        let list = match on {
            Target::Message => &self.message_attributes,
            Target::Enum => &self.enum_attributes,
            Target::Oneof => &self.oneof_attributes,
            Target::Field => &self.field_attributes,
        };
        list.iter().filter(move |(path, _)| matches(path, full_name)).map(|(_, attribute)| attribute.as_str())
    }

    pub(crate) fn services(&self) -> Option<&dyn ServiceGenerator> {
        self.services.as_deref()
    }
}

/// What an attribute stands on.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Message,
    Enum,
    Oneof,
    Field,
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').filter(|segment| !segment.is_empty())
}

/// Whether `path` (no leading dot) is `full_name` or encloses it.
fn covers(path: &str, full_name: &str) -> bool {
    match full_name.strip_prefix(path) {
        Some(rest) => path.is_empty() || rest.is_empty() || rest.starts_with('.'),
        None => false,
    }
}

/// See [`Options`], "Paths".
fn matches(path: &str, full_name: &str) -> bool {
    match path.strip_prefix('.') {
        Some(absolute) => covers(absolute, full_name),
        None => full_name.strip_suffix(path).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_match_whole_segments() {
        assert!(matches(".foo.bar", "foo.bar.Baz") && matches(".foo.bar", "foo.bar") && matches(".", "x"));
        assert!(!matches(".foo.bar", "foo.barbaz.Baz"));
        assert!(matches("bar.Baz", "foo.bar.Baz") && !matches("ar.Baz", "foo.bar.Baz"));
    }

    #[test]
    fn the_most_specific_extern_path_wins() {
        let mut options = Options::new();
        options.extern_path(".foo", "::a").extern_path(".foo.bar", "::b");
        assert_eq!(options.extern_of("foo.bar.X"), Some(("::b", 2)));
        assert_eq!(options.extern_of("foo.barbaz.X"), Some(("::a", 1)));
        assert_eq!(options.extern_of("fo.X"), None);
    }
}
