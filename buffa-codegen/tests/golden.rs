//! Whole generated files, compared with those beside the schemas. `BLESS=1` rewrites them.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod common;

use buffa_codegen::Options;
use std::path::Path;

#[test]
fn goldens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut protos: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".proto"))
        .collect();
    protos.sort();
    assert!(!protos.is_empty());
    let protos: Vec<&str> = protos.iter().map(String::as_str).collect();
    for file in common::generate(&folder, &protos, &Options::new()) {
        common::golden(&folder.join(&file.name), &file.content);
    }
}
