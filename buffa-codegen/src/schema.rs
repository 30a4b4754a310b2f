//! Every type of a descriptor set with an id, a full name and its inherited features.
//!
//! ```text
//! FileDescriptorSet ──Schema::new──▶ Schema (ids, features) ──model::resolve──▶ fields ──names──▶ printers
//! ```

use crate::Error;
use crate::features::{Features, edition_of};
use buffa::descriptor::{DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet};
use std::collections::HashMap;

/// What a type name stands for; the number is an index into [`Schema::messages`] or [`Schema::enums`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeId {
    Message(usize),
    Enum(usize),
}

pub(crate) struct Schema<'d> {
    pub(crate) files: Vec<File<'d>>,
    pub(crate) messages: Vec<Message<'d>>,
    pub(crate) enums: Vec<Enum<'d>>,
    /// By full name, without a leading dot.
    types: HashMap<String, TypeId>,
}

pub(crate) struct File<'d> {
    pub(crate) proto: &'d FileDescriptorProto<'d>,
    pub(crate) features: Features,
    pub(crate) messages: Vec<usize>,
    pub(crate) enums: Vec<usize>,
}

pub(crate) struct Message<'d> {
    pub(crate) proto: &'d DescriptorProto<'d>,
    pub(crate) file: usize,
    pub(crate) parent: Option<usize>,
    pub(crate) full_name: String,
    /// Where the source code info files its comments.
    pub(crate) path: Vec<i32>,
    pub(crate) features: Features,
    /// Nested messages, entries of maps included.
    pub(crate) messages: Vec<usize>,
    pub(crate) enums: Vec<usize>,
}

pub(crate) struct Enum<'d> {
    pub(crate) proto: &'d EnumDescriptorProto<'d>,
    pub(crate) file: usize,
    pub(crate) full_name: String,
    pub(crate) path: Vec<i32>,
    pub(crate) closed: bool,
}

/// Where a type or extension is declared.
#[derive(Clone, Copy)]
pub(crate) struct Place<'s> {
    file: usize,
    parent: Option<usize>,
    scope: &'s str,
    path: &'s [i32],
    features: Features,
}

impl<'d> Schema<'d> {
    pub(crate) fn new(set: &'d FileDescriptorSet<'d>) -> Result<Schema<'d>, Error> {
        let mut schema = Schema { files: Vec::new(), messages: Vec::new(), enums: Vec::new(), types: HashMap::new() };
        for (index, proto) in set.file.iter().enumerate() {
            let name = proto.name.as_str();
            let edition = edition_of(proto)
                .map_err(|problem| Error::new(name, "", problem).fix("supported: proto2, proto3, editions 2023, 2024, 2026"))?;
            // `edition_of` only returns editions that have defaults.
            let Some(base) = Features::of_edition(edition) else { continue };
            let features = base.merge(&proto.options.features);
            let place = Place { file: index, parent: None, scope: proto.package.as_str(), path: &[], features };
            let messages = schema.add_messages(&proto.message_type, place, 4)?;
            let enums = schema.add_enums(&proto.enum_type, place, 5)?;
            schema.files.push(File { proto, features, messages, enums });
        }
        Ok(schema)
    }

    fn add_messages(&mut self, protos: &'d [DescriptorProto<'d>], place: Place<'_>, tag: i32) -> Result<Vec<usize>, Error> {
        let mut ids = Vec::with_capacity(protos.len());
        for (proto, path) in protos.iter().zip(paths(place.path, tag)) {
            let id = self.messages.len();
            let full_name = join(place.scope, proto.name.as_str());
            let features = place.features.merge(&proto.options.features);
            self.declare(&full_name, TypeId::Message(id))?;
            let (messages, enums) = (Vec::new(), Vec::new());
            self.messages.push(Message {
                proto,
                file: place.file,
                parent: place.parent,
                full_name: full_name.clone(),
                path: path.clone(),
                features,
                messages,
                enums,
            });
            let inner = Place { file: place.file, parent: Some(id), scope: &full_name, path: &path, features };
            self.messages[id].messages = self.add_messages(&proto.nested_type, inner, 3)?;
            self.messages[id].enums = self.add_enums(&proto.enum_type, inner, 4)?;
            ids.push(id);
        }
        Ok(ids)
    }

    fn add_enums(&mut self, protos: &'d [EnumDescriptorProto<'d>], place: Place<'_>, tag: i32) -> Result<Vec<usize>, Error> {
        let mut ids = Vec::with_capacity(protos.len());
        for (proto, path) in protos.iter().zip(paths(place.path, tag)) {
            let id = self.enums.len();
            let full_name = join(place.scope, proto.name.as_str());
            self.declare(&full_name, TypeId::Enum(id))?;
            let closed = place.features.merge(&proto.options.features).closed;
            self.enums.push(Enum { proto, file: place.file, full_name, path, closed });
            ids.push(id);
        }
        Ok(ids)
    }

    /// Two types of one name are an error of the whole set; which file is at fault is told with the name.
    fn declare(&mut self, full_name: &str, id: TypeId) -> Result<(), Error> {
        match self.types.insert(full_name.to_owned(), id) {
            None => Ok(()),
            Some(_) => Err(Error::new("", full_name, "declared twice in the descriptor set")
                .fix("pass each file once, and keep type names unique")),
        }
    }

    /// Looks a name up: with a leading dot as it stands, otherwise from `scope` outwards.
    pub(crate) fn find(&self, name: &str, scope: &str) -> Option<TypeId> {
        if let Some(absolute) = name.strip_prefix('.') {
            return self.types.get(absolute).copied();
        }
        let mut scope = scope;
        loop {
            if let Some(&id) = self.types.get(&join(scope, name)) {
                return Some(id);
            }
            if scope.is_empty() {
                return None;
            }
            scope = scope.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
    }

    /// The file that declares a type.
    pub(crate) fn file_of(&self, id: TypeId) -> usize {
        match id {
            TypeId::Message(id) => self.messages[id].file,
            TypeId::Enum(id) => self.enums[id].file,
        }
    }

    /// The file's name, for errors.
    pub(crate) fn file_name(&self, file: usize) -> &'d str {
        self.files[file].proto.name.as_str()
    }

    /// The entry message of a map, if the field is one.
    pub(crate) fn map_entry(&self, field: &FieldDescriptorProto<'_>, scope: &str) -> Option<usize> {
        match self.find(field.type_name.as_str(), scope)? {
            TypeId::Message(id) if self.messages[id].is_map_entry() => Some(id),
            _ => None,
        }
    }
}

impl Message<'_> {
    pub(crate) fn is_map_entry(&self) -> bool {
        self.proto.options.map_entry.get() == Some(true)
    }
}

/// `scope.name`, or `name` in the empty scope.
pub(crate) fn join(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

/// `path` followed by `tag` and 0, 1, 2, …
fn paths(path: &[i32], tag: i32) -> impl Iterator<Item = Vec<i32>> {
    (0..).map(move |index| path.iter().copied().chain([tag, index]).collect())
}
