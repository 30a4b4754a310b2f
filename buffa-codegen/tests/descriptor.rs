//! The runtime's descriptor types and well-known types are what the generator makes of protoc's own files.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod common;

use buffa_codegen::Options;
use std::path::Path;

#[test]
fn bootstrap_is_a_fixed_point() {
    let include = protoc_bin_vendored::include_path().unwrap();
    let mut options = Options::new();
    options.verify_utf8(".google.protobuf");
    let files = ["google/protobuf/descriptor.proto", "google/protobuf/compiler/plugin.proto"];
    let generated = common::generate(&include, &files, &options);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../buffa-runtime/src/descriptor");
    for (file, name) in generated.iter().zip(["generated.rs", "compiler.rs"]) {
        common::golden(&folder.join(name), &file.content);
    }
}

#[test]
fn well_known_types_are_reproduced() {
    let include = protoc_bin_vendored::include_path().unwrap();
    let names = ["any", "api", "duration", "empty", "field_mask", "source_context", "struct", "timestamp", "type", "wrappers"];
    let files: Vec<String> = names.iter().map(|name| format!("google/protobuf/{name}.proto")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let generated = common::generate(&include, &files, &Options::new());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../buffa-runtime/src/wkt/generated.rs");
    common::golden(&path, &generated[0].content);
}
