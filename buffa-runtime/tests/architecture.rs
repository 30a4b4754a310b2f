//! Checks the invariants of ARCHITECTURE.md that a program can check.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]
#![cfg(not(miri))] // reads the source tree

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Crates whose code users run.
const PUBLISHED: [&str; 5] = ["buffa-arena", "buffa-tables", "buffa-runtime", "buffa-codegen", "protoc-gen-buffa"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Rust files below `dir`, as paths relative to the root.
fn sources(dir: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![root().join(dir)];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("target") {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {dir}");
    found.sort();
    found
}

#[test]
fn folders_import_only_what_the_map_allows() {
    let rules: [(&str, &[&str]); 4] = [
        ("buffa-runtime/src/decode", &["crate::encode", "crate::walk", "crate::message", "crate::Message", "tables::build"]),
        ("buffa-runtime/src/encode", &["crate::decode", "crate::walk", "crate::message", "crate::Message;", "tables::build"]),
        ("buffa-runtime/src/walk", &["crate::decode", "crate::encode", "tables::build"]),
        ("buffa-runtime/src/fields", &["crate::decode", "crate::encode", "crate::walk", "crate::message"]),
    ];
    for (dir, forbidden) in rules {
        for (name, text) in sources(dir) {
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for word in forbidden {
                    assert!(!line.contains(word), "{name} must not import {word}: {line}");
                }
            }
        }
    }
    let wire = fs::read_to_string(root().join("buffa-runtime/src/wire.rs")).unwrap();
    assert!(!wire.contains("use crate::"), "wire imports nothing");
}

#[test]
fn crates_depend_only_on_what_the_map_allows() {
    let allowed: [(&str, &[&str]); 5] = [
        ("buffa-arena", &[]),
        ("buffa-tables", &[]),
        ("buffa-runtime", &["buffa-arena", "buffa-tables"]),
        ("buffa-codegen", &["buffa", "buffa-tables"]),
        ("protoc-gen-buffa", &["buffa", "buffa-codegen", "buffa-tables"]),
    ];
    for (name, ours) in allowed {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).unwrap();
        let mut section = "";
        for line in manifest.lines() {
            if line.starts_with('[') {
                section = line;
            } else if section.contains("dependencies") && !section.contains("dev-dependencies") {
                let dependency = line.split(['=', '.', ' ']).next().unwrap_or_default();
                if dependency.starts_with("buffa") || dependency.starts_with("protoc-gen") {
                    assert!(ours.contains(&dependency), "{name} must not depend on {dependency}");
                }
                assert!(!line.contains("../benches") && !line.contains("../conformance") && !line.contains("../perf"));
            }
        }
    }
}

#[test]
fn the_list_of_files_with_unsafe_is_true() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let list = text.split("## Files with unsafe").nth(1).unwrap().split("\n## ").next().unwrap();
    let listed: BTreeSet<String> =
        list.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next()).map(String::from).collect();
    let found: BTreeSet<String> = PUBLISHED
        .iter()
        .flat_map(|name| sources(&format!("{name}/src")))
        .filter(|(_, text)| {
            let opts_in = |line: &str| {
                let line = line.trim_start();
                line.starts_with("#![allow(unsafe_code") || line.starts_with("#[allow(unsafe_code")
            };
            text.lines().any(opts_in)
        })
        .map(|(name, _)| name)
        .collect();
    let (listed, found) = (listed, found);
    assert_eq!(listed, found, "left: listed in ARCHITECTURE.md, right: files that allow unsafe_code");
}

#[test]
fn no_file_is_too_long() {
    for name in PUBLISHED {
        for (name, text) in sources(&format!("{name}/src")) {
            let generated = text.starts_with("// @generated");
            assert!(generated || text.lines().count() <= 1000, "{name} is over 1,000 lines");
            assert!(generated || text.trim_start().starts_with("//!"), "{name} does not open with //!");
        }
    }
}
