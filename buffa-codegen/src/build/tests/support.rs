//! A directory to build in.

use crate::build::environment::Environment;
use crate::build::notes::Notes;
use crate::build::{Config, Error};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Files of one test; removed at its end.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(files: &[(&str, &str)]) -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = Folder(std::env::temp_dir().join(format!("buffa-build-test-{}-{number}", std::process::id())));
        std::fs::create_dir_all(folder.path("out")).unwrap();
        for (name, content) in files {
            folder.write(name, content);
        }
        folder
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(super) fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Names of the generated files, sorted.
    pub(super) fn outputs(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path("out")).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Compiles into `out`, with only these variables set.
    pub(super) fn compile(&self, config: &Config, variables: &[(&str, &OsStr)]) -> (Result<(), Error>, Vec<String>) {
        let out = self.path("out");
        let mut all = vec![("OUT_DIR", out.as_os_str())];
        all.extend(variables);
        let mut notes = Notes::default();
        let result = config.compile_in(&Environment::of(&all), &mut notes);
        (result, notes.lines().to_vec())
    }

    /// The same for builds that succeed.
    pub(super) fn compiles(&self, config: &Config, variables: &[(&str, &OsStr)]) -> Vec<String> {
        let (result, notes) = self.compile(config, variables);
        result.unwrap_or_else(|error| panic!("{error}"));
        notes
    }

    /// The same for builds that fail.
    pub(super) fn fails(&self, config: &Config, variables: &[(&str, &OsStr)]) -> String {
        self.compile(config, variables).0.unwrap_err().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What Cargo is told to watch this file with.
pub(super) fn changed(path: &Path) -> String {
    format!("rerun-if-changed={}", path.display())
}
