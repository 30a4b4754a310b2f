//! Running protoc or buf.

use super::environment::Environment;
use super::notes::Notes;
use super::{Error, embedded};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A protoc and the includes it needs beside the user's.
pub(super) struct Protoc {
    program: PathBuf,
    /// Why this one, for errors.
    origin: &'static str,
    /// Where the well-known types are, unless protoc finds them itself.
    pub(super) include: Option<PathBuf>,
}

impl Protoc {
    /// `explicit`, else `$PROTOC`, else `protoc` on `PATH`, else the embedded one.
    pub(super) fn find(explicit: Option<&Path>, environment: &Environment, notes: &mut Notes) -> Result<Protoc, Error> {
        if let Some(program) = explicit {
            return Protoc::external(program.to_owned(), "set by `.protoc(…)`", notes);
        }
        notes.variable("PROTOC");
        if let Some(program) = environment.path("PROTOC") {
            return Protoc::external(program, "set by the variable PROTOC", notes);
        }
        notes.variable("PATH");
        if let Some(program) = environment.find_program("protoc") {
            return Protoc::external(program, "found on PATH", notes);
        }
        match embedded::program() {
            Ok(program) => Ok(Protoc { program, origin: "embedded", include: embedded::include() }),
            Err(reason) => Err(Error::new("protoc", format!("not found: neither PROTOC nor PATH leads to one, and {reason}")).fix(
                "install protoc, set PROTOC, enable the feature `protoc` of buffa-codegen, or use `.buf()` or `.descriptor_set(…)`",
            )),
        }
    }

    fn external(program: PathBuf, origin: &'static str, notes: &mut Notes) -> Result<Protoc, Error> {
        notes.file(&program);
        // An installed protoc brings the well-known types of its own version and looks for them itself; those of another
        // version may not even parse (options of descriptor.proto are checked against the descriptor.proto compiled in).
        let include = if has_own_include(&program) { None } else { embedded::include() };
        Ok(Protoc { program, origin, include })
    }

    /// Compiles `files`; returns the encoded `FileDescriptorSet`.
    pub(super) fn run(
        &self,
        files: &[PathBuf],
        includes: &[PathBuf],
        arguments: &[OsString],
        notes: &mut Notes,
    ) -> Result<Vec<u8>, Error> {
        let result = Scratch::new();
        let mut command = Command::new(&self.program);
        command.args(["--include_imports", "--include_source_info"]);
        for directory in includes.iter().chain(&self.include) {
            command.arg("-I").arg(directory);
        }
        let mut out = OsString::from("--descriptor_set_out=");
        out.push(&result.0);
        let subject = format!("{} ({})", self.program.display(), self.origin);
        let output = run(command.arg(out).args(arguments).args(files), &subject)
            .map_err(|error| error.fix("make PROTOC (or `.protoc(…)`) name a protoc that this machine can run"))?;
        if !output.status.success() {
            return Err(Error::new(subject, failure(&output)).output(&output.stderr).fix(advice(&output.stderr)));
        }
        notes.warnings(&output.stderr);
        std::fs::read(&result.0).map_err(|error| {
            Error::new(subject, format!("reported success but left no descriptor set: {error}"))
                .output(&output.stderr)
                .fix("check that it is protoc, version 3.15 or later")
        })
    }
}

/// Runs `buf build` in the current directory; returns the encoded `FileDescriptorSet`.
pub(super) fn buf(environment: &Environment, notes: &mut Notes) -> Result<Vec<u8>, Error> {
    notes.variable("PATH");
    let Some(program) = environment.find_program("buf") else {
        return Err(Error::new("buf", "not found on PATH").fix("install buf, or leave `.buf()` out to compile with protoc"));
    };
    let subject = format!("{} build", program.display());
    let output = run(Command::new(&program).args(["build", "--as-file-descriptor-set", "-o", "-"]), &subject)?;
    if !output.status.success() {
        return Err(Error::new(subject, failure(&output))
            .output(&output.stderr)
            .fix("correct the schema or buf.yaml; the command runs in the directory of the package"));
    }
    notes.warnings(&output.stderr);
    Ok(output.stdout)
}

fn run(command: &mut Command, subject: &str) -> Result<Output, Error> {
    command.output().map_err(|error| Error::new(subject, format!("cannot be run: {error}")))
}

fn failure(output: &Output) -> String {
    match output.status.code() {
        Some(code) => format!("failed with exit code {code}"),
        None => "was ended by a signal".into(),
    }
}

/// What to do about the most common complaints.
fn advice(stderr: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(stderr);
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    if says(&["does not reside within any path"]) {
        "name the directory that holds the file with `.includes(…)`, spelled like the beginning of the file's path"
    } else if says(&["File not found", "Could not make proto path relative"]) {
        "check the spelling, or name the directory that imports are relative to with `.includes(…)`"
    } else if says(&["Unknown edition", "is later than the maximum supported edition"]) {
        "use a newer protoc; if it knows the edition as experimental, add `.protoc_arg(\"--experimental_editions\")`"
    } else {
        "correct the schema"
    }
}

/// Where protoc itself looks: beside the program, and in the `include` of its installation.
fn has_own_include(program: &Path) -> bool {
    let Some(directory) = std::fs::canonicalize(program).ok().and_then(|path| path.parent().map(Path::to_owned)) else {
        return false;
    };
    let known: &OsStr = "google/protobuf/descriptor.proto".as_ref();
    directory.join(known).is_file() || directory.join("../include").join(known).is_file()
}

/// A file name in the temporary directory that no other run uses; the file goes when this value does.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Scratch(std::env::temp_dir().join(format!("buffa-build-{}-{number}.binpb", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing to do about a file that protoc did not write or that cannot be removed.
        let _ = std::fs::remove_file(&self.0);
    }
}
