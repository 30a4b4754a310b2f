//! What every peer's build script needs: the `.proto` files of the benchmarks and a `protoc`.
//!
//! `PROTOC` names the compiler when it is set; the vendored binary serves otherwise.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The folder that holds the benchmark schemas.
pub fn proto_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto")
}

/// Every benchmark schema, as a file name inside [`proto_dir`], in name order.
pub fn proto_names() -> io::Result<Vec<String>> {
    println!("cargo:rerun-if-changed={}", proto_dir().display());
    let mut names = Vec::new();
    for entry in fs::read_dir(proto_dir())? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "proto") {
            println!("cargo:rerun-if-changed={}", path.display());
            names.extend(path.file_name().map(|n| n.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// Every benchmark schema, as a path, in name order.
pub fn proto_files() -> io::Result<Vec<PathBuf>> {
    Ok(proto_names()?.iter().map(|n| proto_dir().join(n)).collect())
}

/// `$PROTOC`, or the vendored compiler.
pub fn protoc() -> Result<PathBuf, Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=PROTOC");
    match env::var_os("PROTOC") {
        Some(path) => Ok(path.into()),
        None => Ok(protoc_bin_vendored::protoc_bin_path()?),
    }
}

/// `$PROTOC` if it is exactly this version ("36.2"), or the vendored compiler.
///
/// Google's runtime refuses the output of any other version than its own.
pub fn protoc_of_version(version: &str) -> Result<PathBuf, Box<dyn Error>> {
    let vendored = protoc_bin_vendored::protoc_bin_path()?;
    for path in [protoc()?, vendored] {
        let output = Command::new(&path).arg("--version").output()?;
        let printed = String::from_utf8(output.stdout)?;
        if printed.trim().strip_prefix("libprotoc ") == Some(version) {
            return Ok(path);
        }
        println!("cargo:warning={} is {}, not {version}", path.display(), printed.trim());
    }
    Err(format!("no protoc {version}: set PROTOC to one, or update protoc-bin-vendored").into())
}

/// Writes the benchmark schemas to `out` as one `FileDescriptorSet`.
pub fn write_descriptor_set(out: &Path) -> Result<(), Box<dyn Error>> {
    let status = Command::new(protoc()?)
        .arg("--include_imports")
        .arg(format!("--descriptor_set_out={}", out.display()))
        .arg(format!("--proto_path={}", proto_dir().display()))
        .args(proto_names()?)
        .status()?;
    if status.success() { Ok(()) } else { Err(format!("protoc failed: {status}").into()) }
}
