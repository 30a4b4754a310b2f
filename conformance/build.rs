//! Generates the types of the conformance protocol and of its test messages from `proto/`.

use buffa_codegen::build::Config;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const FILES: &[&str] = &[
    "conformance/conformance.proto",
    "conformance/messages/test_messages_edition2023.proto",
    UNSTABLE,
    "conformance/messages/test_messages_proto2.proto",
    "conformance/messages/test_messages_proto2_editions.proto",
    "conformance/messages/test_messages_proto3.proto",
    "conformance/messages/test_messages_proto3_editions.proto",
    // What those import. The runtime may bring these types one day; generating them here tests the generator on them.
    "google/protobuf/any.proto",
    "google/protobuf/duration.proto",
    "google/protobuf/empty.proto",
    "google/protobuf/field_mask.proto",
    "google/protobuf/struct.proto",
    "google/protobuf/timestamp.proto",
    "google/protobuf/wrappers.proto",
];

/// The generator rightly refuses the edition UNSTABLE; the file says nothing that the newest edition does not allow too.
const UNSTABLE: &str = "conformance/messages/test_messages_edition_unstable.proto";
const UNSTABLE_EDITION: &str = "edition = \"UNSTABLE\"";
const NEWEST_EDITION: &str = "edition = \"2026\"";

fn main() -> Result<(), Box<dyn Error>> {
    // Searched before `proto`.
    let stable = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?).join("proto");
    let original = Path::new("proto").join(UNSTABLE);
    println!("cargo::rerun-if-changed={}", original.display());
    let text = fs::read_to_string(original)?;
    if !text.contains(UNSTABLE_EDITION) {
        return Err(format!("{UNSTABLE} has got a real edition: generate it as it is").into());
    }
    let text = text.replace(UNSTABLE_EDITION, NEWEST_EDITION);
    let copy = stable.join(UNSTABLE);
    fs::create_dir_all(copy.parent().ok_or("no directory")?)?;
    // Cargo watches the copy: one that is written anew each time would be compiled anew each time.
    if fs::read_to_string(&copy).ok().as_ref() != Some(&text) {
        fs::write(copy, text)?;
    }

    Config::new()
        .files(FILES)
        .includes(&[stable.as_path(), Path::new("proto")])
        // Not whichever protoc is on PATH: it may not know the newest edition.
        .protoc(protoc_bin_vendored::protoc_bin_path()?)
        .include_file("packages.rs")
        .compile()?;
    Ok(())
}
