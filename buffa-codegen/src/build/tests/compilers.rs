//! Which compiler runs, and how.

use super::support::{Folder, changed};
use crate::build::Config;
use std::ffi::OsStr;

const P: &str = "syntax = \"proto3\"; package p; message P { int32 id = 1; }";

fn config(folder: &Folder) -> Config {
    let mut config = Config::new();
    config.files(&[folder.path("p.proto")]).includes(&[folder.path(".")]);
    config
}

/// A descriptor set of `p.proto`.
#[cfg(feature = "protoc")]
fn descriptors(folder: &Folder) -> Vec<u8> {
    let environment = crate::build::environment::Environment::of(&[]);
    config(folder).descriptors_in(&environment, &mut crate::build::notes::Notes::default()).unwrap()
}

#[test]
#[cfg(feature = "protoc")]
fn a_ready_descriptor_set_needs_no_compiler() {
    let folder = Folder::new(&[("p.proto", P)]);
    std::fs::write(folder.path("p.binpb"), descriptors(&folder)).unwrap();
    let notes = folder.compiles(Config::new().descriptor_set(folder.path("p.binpb")), &[]);
    assert_eq!(notes, [changed(&folder.path("p.binpb"))]);
    assert_eq!(folder.outputs(), ["p.rs"]);

    let mut config = Config::new();
    let text = folder.fails(config.descriptor_set(folder.path("p.binpb")).files(&["q.proto"]), &[]);
    assert!(text.starts_with("q.proto: is listed in `.files(…)` but not in the descriptor set\nhelp: "), "{text}");
}

#[test]
fn bad_descriptor_sets() {
    let folder = Folder::new(&[("bad.binpb", "no descriptors")]);
    let mut config = Config::new();
    let text = folder.fails(config.descriptor_set(folder.path("absent.binpb")), &[]);
    assert!(text.contains("absent.binpb: cannot be read: ") && text.contains("\nhelp: make it with `protoc "), "{text}");
    let text = folder.fails(config.descriptor_set(folder.path("bad.binpb")), &[]);
    assert!(text.contains("bad.binpb: is no FileDescriptorSet: "), "{text}");
}

#[test]
fn an_explicit_protoc_must_exist() {
    let folder = Folder::new(&[("p.proto", P)]);
    let mut config = config(&folder);
    let text = folder.fails(config.protoc("/no/such/protoc"), &[]);
    assert!(text.starts_with("/no/such/protoc (set by `.protoc(…)`): cannot be run: "), "{text}");
    let text = folder.fails(&self::config(&folder), &[("PROTOC", OsStr::new("/no/such/protoc"))]);
    assert!(text.starts_with("/no/such/protoc (set by the variable PROTOC): cannot be run: "), "{text}");
    assert!(text.ends_with("help: make PROTOC (or `.protoc(…)`) name a protoc that this machine can run"), "{text}");
}

#[test]
#[cfg(not(feature = "protoc"))]
fn without_any_protoc() {
    let folder = Folder::new(&[("p.proto", P)]);
    let text = folder.fails(&config(&folder), &[]);
    assert!(
        text.starts_with("protoc: not found: neither PROTOC nor PATH leads to one, and buffa-codegen was built without"),
        "{text}"
    );
    assert!(text.contains("\nhelp: install protoc, set PROTOC, enable the feature `protoc`"), "{text}");
}

#[test]
fn buf_must_exist() {
    let folder = Folder::new(&[]);
    let text = folder.fails(Config::new().buf(), &[("PATH", folder.path("out").as_os_str())]);
    assert_eq!(text, "buf: not found on PATH\nhelp: install buf, or leave `.buf()` out to compile with protoc");
}

/// Shell scripts in the place of compilers.
#[cfg(all(unix, feature = "protoc"))]
mod scripts {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    /// A program that appends its name and arguments to `log`, then does `body`.
    fn script(folder: &Folder, path: &str, body: &str) -> PathBuf {
        let log = folder.path("log");
        folder.write(path, &format!("#!/bin/sh\necho \"{path} $*\" >> '{}'\n{body}\n", log.display()));
        let path = folder.path(path);
        // A file that any process has open for writing cannot be run ("text file busy"), and a test on another thread that is
        // just starting a process may hold a copy of our handle. `cp` makes a file that this process never opened.
        let copy = path.with_extension("sh");
        let copied = std::process::Command::new("cp").args([&path, &copy]).status().unwrap();
        assert!(copied.success());
        std::fs::rename(&copy, &path).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A protoc that works.
    fn protoc(folder: &Folder, path: &str) -> PathBuf {
        let real = protoc_bin_vendored::protoc_bin_path().unwrap();
        script(folder, path, &format!("exec '{}' \"$@\"", real.display()))
    }

    /// Name of the script that ran.
    fn ran(folder: &Folder) -> String {
        let log = std::fs::read_to_string(folder.path("log")).unwrap_or_default();
        let _ = std::fs::remove_file(folder.path("log"));
        log.split(' ').next().unwrap_or_default().to_owned()
    }

    #[test]
    fn explicit_then_variable_then_path_then_embedded() {
        let folder = Folder::new(&[("p.proto", P)]);
        let explicit = protoc(&folder, "explicit/protoc");
        let variable = protoc(&folder, "variable/protoc");
        let on_path = protoc(&folder, "path/protoc");
        let path = std::env::join_paths([folder.path("out"), folder.path("path")]).unwrap();
        let both = [("PROTOC", variable.as_os_str()), ("PATH", path.as_os_str())];

        let mut chosen = config(&folder);
        let notes = folder.compiles(chosen.protoc(&explicit), &both);
        assert_eq!(ran(&folder), "explicit/protoc");
        assert!(notes.contains(&changed(&explicit)), "{notes:?}");
        assert!(!notes.iter().any(|line| line.ends_with("=PROTOC") || line.ends_with("=PATH")), "{notes:?}");

        let notes = folder.compiles(&config(&folder), &both);
        assert_eq!(ran(&folder), "variable/protoc");
        assert!(!notes.iter().any(|line| line.ends_with("=PATH")), "{notes:?}");

        let empty = [("PROTOC", OsStr::new("")), both[1]];
        let notes = folder.compiles(&config(&folder), &empty);
        assert_eq!(ran(&folder), "path/protoc");
        assert!(notes.contains(&changed(&on_path)), "{notes:?}");

        folder.compiles(&config(&folder), &[]);
        assert_eq!(ran(&folder), "", "embedded");
    }

    #[test]
    fn arguments_of_protoc() {
        let folder = Folder::new(&[("p.proto", P), ("own/google/protobuf/any.proto", P)]);
        let program = protoc(&folder, "bin/protoc");
        let include = folder.path("more");
        let mut config = config(&folder);
        config.protoc(program).protoc_arg("--experimental_editions");
        folder.compiles(&config, &[("PROTOC_INCLUDE", include.as_os_str())]);
        let log = folder.read("log");
        let well_known = protoc_bin_vendored::include_path().unwrap();
        let order = [folder.path("."), include, well_known].map(|path| format!("-I {}", path.display())).join(" ");
        assert!(log.contains("--include_imports --include_source_info"), "{log}");
        assert!(log.contains(&order), "{log}");
        assert!(log.contains("--experimental_editions"), "{log}");
    }

    #[test]
    fn an_installed_protoc_uses_its_own_well_known_types() {
        let folder = Folder::new(&[("p.proto", P), ("usr/include/google/protobuf/descriptor.proto", "")]);
        let mut config = config(&folder);
        folder.compiles(config.protoc(protoc(&folder, "usr/bin/protoc")), &[]);
        let log = folder.read("log");
        assert!(!log.contains(&protoc_bin_vendored::include_path().unwrap().display().to_string()), "{log}");
    }

    #[test]
    fn imports_are_found_in_protoc_include() {
        let user = "syntax = \"proto3\"; package u; import \"p.proto\"; message U { p.P p = 1; }";
        let folder = Folder::new(&[("user/u.proto", user), ("shared/p.proto", P)]);
        let shared = folder.path("shared");
        let mut config = Config::new();
        config.files(&["u.proto"]).includes(&[folder.path("user")]);
        let notes = folder.compiles(&config, &[("PROTOC_INCLUDE", shared.as_os_str())]);
        assert_eq!(folder.outputs(), ["p.rs", "u.rs"]);
        assert!(notes.contains(&changed(&folder.path("shared/p.proto"))), "{notes:?}");
    }

    #[test]
    fn warnings_of_protoc_are_passed_on() {
        let folder = Folder::new(&[("p.proto", &P.replace("message", "import \"google/protobuf/any.proto\"; message"))]);
        let notes = folder.compiles(&config(&folder), &[]);
        assert!(notes.iter().any(|line| line.starts_with("warning=") && line.contains("any.proto is unused")), "{notes:?}");
    }

    #[test]
    fn a_protoc_that_writes_nothing() {
        let folder = Folder::new(&[("p.proto", P)]);
        let mut config = config(&folder);
        let text = folder.fails(config.protoc(script(&folder, "protoc", "echo hello >&2")), &[]);
        assert!(text.contains("reported success but left no descriptor set: "), "{text}");
        assert!(text.contains("\nhello\nhelp: check that it is protoc"), "{text}");
    }

    #[test]
    fn buf_builds_everything() {
        let folder = Folder::new(&[("p.proto", P)]);
        std::fs::write(folder.path("image"), descriptors(&folder)).unwrap();
        script(&folder, "bin/buf", &format!("cat '{}'", folder.path("image").display()));
        let bin = folder.path("bin");
        let path = [("PATH", bin.as_os_str())];
        let mut config = Config::new();
        let notes = folder.compiles(config.buf().includes(&[folder.path(".")]), &path);
        assert_eq!(folder.read("log"), "bin/buf build --as-file-descriptor-set -o -\n");
        assert_eq!(folder.outputs(), ["p.rs"]);
        assert!(notes.contains(&changed(&folder.path("./p.proto"))), "{notes:?}");

        let notes = folder.compiles(Config::new().buf(), &path);
        assert!(notes.iter().any(|line| line.starts_with("warning=p.proto is not below an include directory")), "{notes:?}");

        script(&folder, "bin/buf", "echo 'p.proto:1:1: broken' >&2; exit 100");
        let text = folder.fails(&config, &path);
        assert!(
            text.contains("bin/buf build: failed with exit code 100\np.proto:1:1: broken\nhelp: correct the schema"),
            "{text}"
        );
    }
}
