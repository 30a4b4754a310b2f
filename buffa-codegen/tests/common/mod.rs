//! Runs the bundled protoc and the generator.
#![allow(dead_code)] // each test uses a part

use buffa::descriptor::FileDescriptorSet;
use buffa::{Arena, Message};
use buffa_codegen::{GeneratedFile, Options};
use std::path::Path;
use std::process::Command;

/// The descriptor set of `files`, imports and comments included.
pub(crate) fn descriptors(include: &Path, files: &[&str]) -> Vec<u8> {
    // Tests of one process run at the same time; the address of a local tells them apart.
    let marker = 0_u8;
    let name = format!("buffa-codegen-{}-{:p}.binpb", std::process::id(), &raw const marker);
    let out = std::env::temp_dir().join(name);
    let output = Command::new(protoc_bin_vendored::protoc_bin_path().unwrap())
        .arg("-I")
        .arg(include)
        .arg("-I")
        .arg(protoc_bin_vendored::include_path().unwrap())
        .args(["--include_imports", "--include_source_info", "--experimental_editions"])
        .arg(format!("--descriptor_set_out={}", out.display()))
        .args(files)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(&out).unwrap();
    std::fs::remove_file(out).unwrap();
    bytes
}

/// Generates `files` below `include`.
pub(crate) fn generate(include: &Path, files: &[&str], options: &Options) -> Vec<GeneratedFile> {
    let bytes = descriptors(include, files);
    let arena = Arena::new();
    let set = FileDescriptorSet::decode(&bytes, &arena).unwrap();
    buffa_codegen::generate(&set, files, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Compares a file with what is generated now; with `BLESS=1` writes it instead.
pub(crate) fn golden(path: &Path, content: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, content).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected != content {
        let at = expected.lines().zip(content.lines()).position(|(a, b)| a != b).unwrap_or(0);
        let context = |text: &str| text.lines().skip(at.saturating_sub(2)).take(6).collect::<Vec<_>>().join("\n");
        panic!(
            "{} is out of date from line {} on; run with BLESS=1\nold:\n{}\nnew:\n{}",
            path.display(),
            at + 1,
            context(&expected),
            context(content)
        );
    }
}
