//! Generates the types of the schemas in `proto/`, and of one that is too wide to be written by hand.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a build script fails by panicking")]

use buffa::descriptor::FileDescriptorSet;
use buffa::{Arena, Message};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

const FILES: &[&str] = &["s2.proto", "s3.proto", "ed.proto", "kinds.proto", "ext.proto", "wide.proto"];

/// Fields of the wide message: more than a table can hold compact entries for.
const WIDTH: u32 = 5000;

fn main() {
    println!("cargo::rerun-if-changed=proto");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    fs::write(out.join("wide.proto"), wide()).unwrap();
    let set = out.join("descriptors.binpb");
    let status = Command::new(protoc_bin_vendored::protoc_bin_path().unwrap())
        .arg("--include_imports")
        .args(["-o".into(), set.clone()])
        .args(["-I", "proto"])
        .args(["-I".into(), out.clone()])
        .args(FILES)
        .status()
        .unwrap();
    assert!(status.success(), "protoc failed");
    let bytes = fs::read(set).unwrap();
    let arena = Arena::new();
    let set = FileDescriptorSet::decode(&bytes, &arena).unwrap();
    let generated = buffa_codegen::generate(&set, FILES, &buffa_codegen::Options::new());
    for file in generated.unwrap_or_else(|error| panic!("{error}")) {
        fs::write(out.join(file.name), file.content).unwrap();
    }
}

/// `message Wide`: fields 1 to 5000 of all sorts with gaps, a oneof far out, and the highest number there is.
fn wide() -> String {
    let mut text = String::from("syntax = \"proto3\";\npackage wide;\nmessage Wide {\n");
    for n in 1..=WIDTH {
        let kind = match n % 7 {
            0 => "string",
            1 => "optional int32",
            2 => "sint64",
            3 => "repeated fixed32",
            4 => "Wide",
            5 => "map<int32, Wide>",
            _ => "bytes",
        };
        // A gap behind every hundredth field: dense numbers end early.
        writeln!(text, "  {kind} f{n} = {};", n + n / 100).unwrap();
    }
    text.push_str("  oneof far { int64 fa = 70000; string fb = 80000; Wide fc = 90000; double fd = 536870910; }\n");
    text.push_str("  repeated sint32 last = 536870911;\n}\n");
    text
}
