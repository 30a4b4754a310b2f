//! Runs protoc with the plugins that were just built, or a plugin alone.
#![allow(dead_code)] // each test uses a part

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) const GENERATOR: &str = env!("CARGO_BIN_EXE_protoc-gen-buffa");
pub(crate) const PACKAGING: &str = env!("CARGO_BIN_EXE_protoc-gen-buffa-packaging");
pub(crate) const FILES: [&str; 3] = ["shop/order.proto", "shop/money.proto", "plain.proto"];

/// The directory of this file's parent.
pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// A directory for one test, removed at its end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("protoc-gen-buffa-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Names of the files in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The embedded protoc with both plugins, in `schema`.
pub(crate) fn protoc() -> Command {
    let mut command = Command::new(protoc_bin_vendored::protoc_bin_path().unwrap());
    command
        .arg(format!("--plugin=protoc-gen-buffa={GENERATOR}"))
        .arg(format!("--plugin=protoc-gen-buffa-packaging={PACKAGING}"))
        .arg("-I")
        .arg(tests().join("schema"))
        .arg("-I")
        .arg(protoc_bin_vendored::include_path().unwrap());
    command
}

/// Runs a command that must succeed.
pub(crate) fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Runs a plugin alone with `input` on stdin.
pub(crate) fn alone(plugin: &str, input: &[u8]) -> Output {
    let mut child = Command::new(plugin).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}
