//! Edition features, resolved: what a file, message, enum or field means, never "is it proto3".
//!
//! The defaults of each edition are those that protoc publishes (`protoc --edition_defaults_out`); a test compares them with
//! the protoc at hand. A feature set in a descriptor overrides what the enclosing element resolved to:
//! file → message → nested message → (oneof →) field, extension, enum. What proto2 and proto3 say with labels and options
//! (`required`, groups, `[packed]`, `optional` in proto3) is turned into features where a field is resolved.
//!
//! Features that no generated Rust code depends on (`json_format`, `enforce_naming_style`, `default_symbol_visibility`, those
//! of other languages) are ignored here; protoc checks them.

use buffa::descriptor::feature_set::{EnumType, FieldPresence, MessageEncoding, RepeatedFieldEncoding, Utf8Validation};
use buffa::descriptor::{Edition, FeatureSet, FieldDescriptorProto, FileDescriptorProto, field_descriptor_proto};

/// The features that decide how a field is stored and coded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Features {
    pub(crate) presence: Presence,
    /// Whether enums are closed: unknown numbers go to the unknown fields.
    pub(crate) closed: bool,
    /// Whether repeated numbers are packed.
    pub(crate) packed: bool,
    /// Whether strings must be UTF-8.
    pub(crate) utf8: bool,
    /// Whether messages are coded as groups.
    pub(crate) delimited: bool,
}

/// `features.field_presence`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Presence {
    Explicit,
    Implicit,
    Required,
}

const PROTO2: Features = Features { presence: Presence::Explicit, closed: true, packed: false, utf8: false, delimited: false };
const PROTO3: Features = Features { presence: Presence::Implicit, closed: false, packed: true, utf8: true, delimited: false };
const EDITION_2023: Features =
    Features { presence: Presence::Explicit, closed: false, packed: true, utf8: true, delimited: false };

/// The edition of a file; proto2 and proto3 count as editions.
pub(crate) fn edition_of(file: &FileDescriptorProto<'_>) -> Result<Edition, String> {
    match file.syntax.as_str() {
        "" | "proto2" => Ok(Edition::Proto2),
        "proto3" => Ok(Edition::Proto3),
        "editions" => match file.edition.get() {
            Some(edition) if Features::of_edition(edition).is_some() => Ok(edition),
            Some(edition) => Err(format!("{edition:?} is not supported")),
            None => Err("the edition is missing or newer than this generator".into()),
        },
        other => Err(format!("unknown syntax {other:?}")),
    }
}

impl Features {
    /// What protoc publishes for an edition, as far as [`Features`] goes.
    pub(crate) fn of_edition(edition: Edition) -> Option<Features> {
        match edition {
            Edition::Proto2 => Some(PROTO2),
            Edition::Proto3 => Some(PROTO3),
            Edition::Edition2023 | Edition::Edition2024 | Edition::Edition2026 => Some(EDITION_2023),
            _ => None,
        }
    }

    /// These features with what `set` overrides.
    #[must_use]
    pub(crate) fn merge(mut self, set: &FeatureSet<'_>) -> Features {
        match set.field_presence.get() {
            Some(FieldPresence::Explicit) => self.presence = Presence::Explicit,
            Some(FieldPresence::Implicit) => self.presence = Presence::Implicit,
            Some(FieldPresence::LegacyRequired) => self.presence = Presence::Required,
            Some(FieldPresence::Unknown) | None => {}
        }
        match set.enum_type.get() {
            Some(EnumType::Closed) => self.closed = true,
            Some(EnumType::Open) => self.closed = false,
            Some(EnumType::Unknown) | None => {}
        }
        match set.repeated_field_encoding.get() {
            Some(RepeatedFieldEncoding::Packed) => self.packed = true,
            Some(RepeatedFieldEncoding::Expanded) => self.packed = false,
            Some(RepeatedFieldEncoding::Unknown) | None => {}
        }
        match set.utf8_validation.get() {
            Some(Utf8Validation::Verify) => self.utf8 = true,
            Some(Utf8Validation::None) => self.utf8 = false,
            Some(Utf8Validation::Unknown) | None => {}
        }
        match set.message_encoding.get() {
            Some(MessageEncoding::Delimited) => self.delimited = true,
            Some(MessageEncoding::LengthPrefixed) => self.delimited = false,
            Some(MessageEncoding::Unknown) | None => {}
        }
        self
    }

    /// The features of a field whose parent (message or file for extensions, oneof for members) resolved to `self`.
    #[must_use]
    pub(crate) fn of_field(self, field: &FieldDescriptorProto<'_>) -> Features {
        let mut features = self.merge(&field.options.features);
        if field.label.get() == Some(field_descriptor_proto::Label::Required) {
            features.presence = Presence::Required;
        }
        if field.proto3_optional.get() == Some(true) {
            features.presence = Presence::Explicit;
        }
        if field.r#type.get() == Some(field_descriptor_proto::Type::Group) {
            features.delimited = true;
        }
        if let Some(packed) = field.options.packed.get() {
            features.packed = packed;
        }
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use buffa::descriptor::FeatureSetDefaults;
    use buffa::{Arena, Message};

    /// `protoc --edition_defaults_out` of the bundled protoc says what the table above says.
    #[cfg(feature = "protoc")]
    #[test]
    fn defaults_are_those_protoc_publishes() {
        let out = std::env::temp_dir().join(format!("buffa-edition-defaults-{}", std::process::id()));
        let status = std::process::Command::new(protoc_bin_vendored::protoc_bin_path().unwrap())
            .arg(format!("--edition_defaults_out={}", out.display()))
            .args(["--edition_defaults_minimum=PROTO2", "--edition_defaults_maximum=2026"])
            .arg("-I")
            .arg(protoc_bin_vendored::include_path().unwrap())
            .arg("google/protobuf/descriptor.proto")
            .status()
            .unwrap();
        assert!(status.success());
        let bytes = std::fs::read(&out).unwrap();
        std::fs::remove_file(out).unwrap();
        let arena = Arena::new();
        let published = FeatureSetDefaults::decode(&bytes, &arena).unwrap();
        let editions = [Edition::Proto2, Edition::Proto3, Edition::Edition2023, Edition::Edition2024, Edition::Edition2026];
        for edition in editions {
            // The last entry that is not newer applies; all six features of ours are set in it, so the base is irrelevant.
            let entry = published.defaults.iter().rfind(|entry| entry.edition.get().unwrap() <= edition).unwrap();
            for base in [PROTO2, PROTO3] {
                let resolved = base.merge(&entry.fixed_features).merge(&entry.overridable_features);
                assert_eq!(Features::of_edition(edition), Some(resolved), "{edition:?}");
            }
        }
        assert_eq!(Features::of_edition(Edition::Unstable), None);
    }
}
