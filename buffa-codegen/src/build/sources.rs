//! The files of a descriptor set: where they are on disk, and for which of them Rust is generated.

use super::Error;
use crate::Options;
use buffa::descriptor::{FileDescriptorProto, FileDescriptorSet};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

pub(super) struct Sources<'s> {
    files: &'s [FileDescriptorProto<'s>],
    by_name: HashMap<&'s str, &'s FileDescriptorProto<'s>>,
    /// Files that are found below an include directory, by canonical path.
    by_path: HashMap<PathBuf, &'s str>,
    /// The same by name, as Cargo should be told.
    on_disk: HashMap<&'s str, PathBuf>,
}

impl<'s> Sources<'s> {
    /// Looks for the files of `set` below `directories`, the first one that has it wins, as for protoc.
    pub(super) fn new(set: &'s FileDescriptorSet<'s>, directories: &[PathBuf]) -> Sources<'s> {
        let mut sources = Sources { files: &set.file, by_name: HashMap::new(), by_path: HashMap::new(), on_disk: HashMap::new() };
        for file in &*set.file {
            let name = file.name.as_str();
            sources.by_name.insert(name, file);
            let found = directories.iter().map(|directory| directory.join(name)).find(|path| path.is_file());
            if let Some(path) = found {
                if let Ok(canonical) = std::fs::canonicalize(&path) {
                    sources.by_path.entry(canonical).or_insert(name);
                }
                sources.on_disk.insert(name, path);
            }
        }
        sources
    }

    /// Path of every file that is on disk, in the order of the set.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter_map(|file| self.on_disk.get(file.name.as_str())).map(PathBuf::as_path)
    }

    /// Where the file `name` is.
    pub(super) fn path(&self, name: &str) -> Option<&Path> {
        self.on_disk.get(name).map(PathBuf::as_path)
    }

    /// `listed` and what they import, in the order of the set, without what comes from elsewhere: `google/protobuf/*` (the
    /// runtime has those types) and packages with an extern path, unless they are listed themselves. If none are listed, all
    /// files of the set count as imported.
    pub(super) fn to_generate(&self, listed: &[PathBuf], options: &Options) -> Result<Vec<&'s str>, Error> {
        let mut wanted: HashSet<&str> = HashSet::new();
        let mut queue = Vec::new();
        for path in listed {
            queue.push(self.name_of(path)?);
        }
        wanted.extend(&queue);
        if listed.is_empty() {
            queue = self.files.iter().map(|file| file.name.as_str()).filter(|name| !self.is_elsewhere(name, options)).collect();
            wanted.extend(&queue);
        }
        while let Some(file) = queue.pop().and_then(|name| self.by_name.get(name)) {
            for import in &*file.dependency {
                let import = import.as_str();
                if !self.is_elsewhere(import, options) && wanted.insert(import) {
                    queue.push(import);
                }
            }
        }
        Ok(self.files.iter().map(|file| file.name.as_str()).filter(|name| wanted.contains(name)).collect())
    }

    /// The name in the set of a file that the user named by its path, or by that name.
    fn name_of(&self, path: &Path) -> Result<&'s str, Error> {
        if let Some(name) = std::fs::canonicalize(path).ok().and_then(|canonical| self.by_path.get(&canonical)) {
            return Ok(name);
        }
        let spelled = path.to_string_lossy().replace('\\', "/");
        if let Some(file) = self.by_name.get(spelled.as_str()) {
            return Ok(file.name.as_str());
        }
        Err(Error::new(path.display(), "is listed in `.files(…)` but not in the descriptor set")
            .fix("name it as its importers do, or name the directory that imports are relative to with `.includes(…)`"))
    }

    fn is_elsewhere(&self, name: &str, options: &Options) -> bool {
        let package = self.by_name.get(name).map_or("", |file| file.package.as_str());
        name.starts_with("google/protobuf/") || options.extern_of(package).is_some()
    }
}
