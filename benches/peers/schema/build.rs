//! Compiles the schemas to one descriptor set, ahead of the generators that want one.

use std::error::Error;
use std::path::Path;
use std::{env, process::Command};

#[path = "src/files.rs"]
mod files;

fn main() -> Result<(), Box<dyn Error>> {
    let out = Path::new(&env::var("OUT_DIR")?).join("descriptors.pb");
    let status = Command::new(files::protoc()?)
        .arg("--include_imports")
        .arg(format!("--descriptor_set_out={}", out.display()))
        .arg(format!("--proto_path={}", files::proto_dir().display()))
        .args(files::proto_names()?)
        .status()?;
    if status.success() { Ok(()) } else { Err(format!("protoc failed: {status}").into()) }
}
