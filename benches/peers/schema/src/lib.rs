//! What every peer's build script needs: the `.proto` files of the benchmarks and a `protoc`.
//!
//! `PROTOC` names the compiler when it is set; the vendored binary serves otherwise.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::process::Command;

mod files;

pub use files::{proto_dir, proto_names, protoc};

/// The schemas as one `FileDescriptorSet` file.
pub const DESCRIPTOR_SET: &str = concat!(env!("OUT_DIR"), "/descriptors.pb");

/// Every benchmark schema, as a path, in name order.
pub fn proto_files() -> io::Result<Vec<PathBuf>> {
    Ok(proto_names()?.iter().map(|n| proto_dir().join(n)).collect())
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
