//! The `.proto` files of the benchmarks, and the `protoc` that compiles them.

use std::env;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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

/// `$PROTOC`, or the vendored compiler.
pub fn protoc() -> Result<PathBuf, Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=PROTOC");
    match env::var_os("PROTOC") {
        Some(path) => Ok(path.into()),
        None => Ok(protoc_bin_vendored::protoc_bin_path()?),
    }
}
