//! How generated code refers to a type.

use crate::names::{Names, Scope};
use crate::options::Options;
use crate::schema::{Schema, TypeId};
use buffa_tables::Kind;
use std::collections::HashSet;

/// Types of well-known files live in the runtime, unless they are being generated.
const WELL_KNOWN: &[(&str, &str, usize)] = &[
    ("google/protobuf/any.proto", "::buffa::wkt", 2),
    ("google/protobuf/api.proto", "::buffa::wkt", 2),
    ("google/protobuf/duration.proto", "::buffa::wkt", 2),
    ("google/protobuf/empty.proto", "::buffa::wkt", 2),
    ("google/protobuf/field_mask.proto", "::buffa::wkt", 2),
    ("google/protobuf/source_context.proto", "::buffa::wkt", 2),
    ("google/protobuf/struct.proto", "::buffa::wkt", 2),
    ("google/protobuf/timestamp.proto", "::buffa::wkt", 2),
    ("google/protobuf/type.proto", "::buffa::wkt", 2),
    ("google/protobuf/wrappers.proto", "::buffa::wkt", 2),
    ("google/protobuf/descriptor.proto", "::buffa::descriptor", 2),
    ("google/protobuf/compiler/plugin.proto", "::buffa::descriptor::compiler", 3),
];

/// Turns ids into paths.
pub(crate) struct Paths<'s> {
    names: &'s Names,
    schema: &'s Schema<'s>,
    options: &'s Options,
    generated: HashSet<&'s str>,
}

impl<'s> Paths<'s> {
    pub(crate) fn new(schema: &'s Schema<'s>, names: &'s Names, options: &'s Options, generate: &[&'s str]) -> Paths<'s> {
        Paths { names, schema, options, generated: generate.iter().copied().collect() }
    }

    /// The path of a type from inside the module `from`, without its lifetime.
    pub(crate) fn of(&self, id: TypeId, from: &Scope) -> String {
        let name = self.names.of(id);
        if let Some((rust, covered)) = self.external(id) {
            let mut path = rust.to_owned();
            for segment in name.scope.iter().chain([&name.name]).skip(covered) {
                path.push_str("::");
                path.push_str(segment);
            }
            return path;
        }
        let common = from.iter().zip(&*name.scope).take_while(|(a, b)| a == b).count();
        let mut path = "super::".repeat(from.len() - common);
        for segment in &name.scope[common..] {
            path.push_str(segment);
            path.push_str("::");
        }
        path.push_str(&name.name);
        path
    }

    fn external(&self, id: TypeId) -> Option<(&str, usize)> {
        let full_name = match id {
            TypeId::Message(id) => &self.schema.messages[id].full_name,
            TypeId::Enum(id) => &self.schema.enums[id].full_name,
        };
        if let Some(found) = self.options.extern_of(full_name) {
            return Some(found);
        }
        let file = self.schema.file_name(self.schema.file_of(id));
        let known = WELL_KNOWN.iter().find(|(name, ..)| *name == file && !self.generated.contains(file))?;
        Some((known.1, known.2))
    }

    /// The Rust type of one value: inside an array, a map or a oneof, or bare.
    pub(crate) fn value(&self, kind: Kind, id: Option<TypeId>, from: &Scope, lifetime: &str) -> String {
        let path = || id.map(|id| self.of(id, from)).unwrap_or_default();
        match kind {
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => "i32".into(),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "i64".into(),
            Kind::Uint32 | Kind::Fixed32 => "u32".into(),
            Kind::Uint64 | Kind::Fixed64 => "u64".into(),
            Kind::Float => "f32".into(),
            Kind::Double => "f64".into(),
            Kind::Bool => "bool".into(),
            Kind::String => format!("::buffa::Str<{lifetime}>"),
            Kind::RawString | Kind::Bytes => format!("::buffa::Blob<{lifetime}>"),
            Kind::OpenEnum => format!("::buffa::EnumValue<{}>", path()),
            Kind::ClosedEnum => path(),
            // A map is never a value; its parts are asked for one by one.
            Kind::Message | Kind::Group | Kind::Map => format!("{}<{lifetime}>", path()),
        }
    }
}
