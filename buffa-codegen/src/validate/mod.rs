//! Errors that protoc would have reported, for descriptor sets that protoc did not make.
//!
//! Everything behind this check may rely on what it establishes: names are identifiers and unique, references resolve and are
//! imported, numbers are in range, oneof indices exist, map entries have their two fields. Features and default values are
//! checked where they are resolved.

mod enums;
mod extensions;
mod messages;
mod ranges;

use crate::Error;
use crate::schema::{Schema, TypeId, join};
use std::collections::{HashMap, HashSet};

/// Checks the whole set.
pub(crate) fn check(schema: &Schema<'_>) -> Result<(), Error> {
    let mut checker = Checker {
        schema,
        symbols: HashSet::new(),
        visible: HashSet::new(),
        extension_ranges: HashMap::new(),
        extensions: HashSet::new(),
        file: 0,
    };
    let visible = visible_files(schema)?;
    for file in 0..schema.files.len() {
        let proto = schema.files[file].proto;
        checker.file = file;
        for segment in proto.package.split('.').filter(|_| !proto.package.is_empty()) {
            checker.identifier("", segment)?;
        }
        for service in &*proto.service {
            let full_name = checker.symbol(&proto.package, &service.name)?;
            for method in &*service.method {
                checker.symbol(&full_name, &method.name)?;
            }
        }
    }
    for (file, visible) in visible.into_iter().enumerate() {
        checker.file = file;
        checker.visible = visible;
        let item = &schema.files[file];
        for &id in &item.messages {
            checker.message(id)?;
        }
        for &id in &item.enums {
            checker.enumeration(id)?;
        }
        for extension in &*item.proto.extension {
            checker.extension(&item.proto.package, extension)?;
        }
        for service in &*item.proto.service {
            let full_name = join(&item.proto.package, &service.name);
            for method in &*service.method {
                let name = join(&full_name, &method.name);
                checker.message_reference(&name, &method.input_type, &full_name)?;
                checker.message_reference(&name, &method.output_type, &full_name)?;
            }
        }
    }
    checker.packages()
}

struct Checker<'s> {
    schema: &'s Schema<'s>,
    /// Full names of everything but packages.
    symbols: HashSet<String>,
    /// Files that the current one may refer to.
    visible: HashSet<usize>,
    /// Extension ranges of the messages that something extends.
    extension_ranges: HashMap<usize, ranges::Ranges>,
    /// Extended message and number of each extension.
    extensions: HashSet<(usize, i32)>,
    file: usize,
}

impl Checker<'_> {
    fn error(&self, item: &str, problem: impl Into<String>) -> Error {
        Error::new(self.schema.file_name(self.file), item, problem)
    }

    /// Checks and declares `scope.name`.
    fn symbol(&mut self, scope: &str, name: &str) -> Result<String, Error> {
        self.identifier(scope, name)?;
        let full_name = join(scope, name);
        if !self.symbols.insert(full_name.clone()) {
            return Err(self.error(&full_name, "declared twice").fix("rename one of the two"));
        }
        Ok(full_name)
    }

    fn identifier(&self, scope: &str, name: &str) -> Result<(), Error> {
        let mut chars = name.chars();
        let first = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        if first && chars.all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Ok(());
        }
        Err(self.error(scope, format!("{name:?} is no name")).fix("names are letters, digits and underscores, no digit first"))
    }

    /// Checks that a type name resolves to something that the file imports.
    fn reference(&self, item: &str, name: &str, scope: &str) -> Result<TypeId, Error> {
        let Some(id) = self.schema.find(name, scope) else {
            return Err(self
                .error(item, format!("unknown type {name:?}"))
                .fix("import the file that declares it, and pass the imports along in the set"));
        };
        let file = self.schema.file_of(id);
        if self.visible.contains(&file) {
            return Ok(id);
        }
        let declared_in = self.schema.file_name(file);
        Err(self
            .error(item, format!("{name:?} is declared in {declared_in:?}, which is not imported"))
            .fix(format!("add `import {declared_in:?};`")))
    }

    fn message_reference(&self, item: &str, name: &str, scope: &str) -> Result<usize, Error> {
        match self.reference(item, name, scope)? {
            TypeId::Message(id) => Ok(id),
            TypeId::Enum(_) => Err(self.error(item, format!("{name:?} is an enum, a message is needed"))),
        }
    }

    /// No type, service or value may be called like a package.
    fn packages(&mut self) -> Result<(), Error> {
        for (index, file) in self.schema.files.iter().enumerate() {
            self.file = index;
            let package: &str = &file.proto.package;
            let ends = package.match_indices('.').map(|(at, _)| at).chain([package.len()]);
            for end in ends.filter(|&end| end > 0) {
                if self.symbols.contains(&package[..end]) {
                    return Err(self.error(&package[..end], "is both a package and something else").fix("rename one of the two"));
                }
            }
        }
        Ok(())
    }
}

/// For each file the files whose types it may use: itself, its imports, and what those import publicly.
fn visible_files(schema: &Schema<'_>) -> Result<Vec<HashSet<usize>>, Error> {
    let mut by_name = HashMap::new();
    for (index, file) in schema.files.iter().enumerate() {
        let name = file.proto.name.as_str();
        if by_name.insert(name, index).is_some() {
            return Err(Error::new(name, "", "is in the descriptor set twice").fix("pass each file once"));
        }
    }
    let mut imports = Vec::with_capacity(schema.files.len());
    for file in &schema.files {
        let (proto, mut list) = (file.proto, Vec::new());
        for name in &*proto.dependency {
            let index = by_name.get(name.as_str()).copied().ok_or_else(|| {
                Error::new(proto.name.as_str(), "", format!("imports {:?}, which is not in the descriptor set", name.as_str()))
                    .fix("run protoc with --include_imports")
            })?;
            list.push(index);
        }
        imports.push(list);
    }
    let public = |file: usize| {
        let imports = &imports[file];
        let indices = schema.files[file].proto.public_dependency.iter();
        indices.filter_map(move |&index| usize::try_from(index).ok().and_then(|index| imports.get(index)).copied())
    };
    let mut result = Vec::with_capacity(imports.len());
    for (file, list) in imports.iter().enumerate() {
        let mut visible = HashSet::from([file]);
        let mut queue = list.clone();
        while let Some(next) = queue.pop() {
            if visible.insert(next) {
                queue.extend(public(next));
            }
        }
        result.push(visible);
    }
    Ok(result)
}
