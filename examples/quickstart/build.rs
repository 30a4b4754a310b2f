//! Compiles the schemas before the program is compiled.

use buffa_codegen::build::Config;
use std::error::Error;
use std::path::Path;

/// Files that come with every protoc.
const WELL_KNOWN: &[&str] = &[
    "google/protobuf/any.proto",
    "google/protobuf/api.proto",
    "google/protobuf/descriptor.proto",
    "google/protobuf/duration.proto",
    "google/protobuf/empty.proto",
    "google/protobuf/field_mask.proto",
    "google/protobuf/source_context.proto",
    "google/protobuf/struct.proto",
    "google/protobuf/timestamp.proto",
    "google/protobuf/type.proto",
    "google/protobuf/wrappers.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    // This line is all that a program needs: it writes `tutorial.rs` (named after the package) into OUT_DIR.
    Config::new().files(&["proto/addressbook.proto"]).includes(&["proto"]).compile()?;

    // The example also reads schemas at run time. A schema is a message, too: a `FileDescriptorSet`, made by protoc.
    let out_dir = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&out_dir).join("well_known.binpb"), Config::new().files(WELL_KNOWN).descriptors()?)?;
    Ok(())
}
