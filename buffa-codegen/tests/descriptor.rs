//! The runtime's descriptor types are what the generator makes of protoc's own descriptor.proto and plugin.proto.
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
