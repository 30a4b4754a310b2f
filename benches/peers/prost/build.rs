//! Generates the benchmark messages twice: with `Vec<u8>` and with `bytes::Bytes` for bytes fields.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    generate(&out.join("plain"), false)?;
    generate(&out.join("bytes"), true)
}

fn generate(out: &Path, bytes: bool) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(out)?;
    let mut config = prost_build::Config::new();
    config.protoc_executable(peer_schema::protoc()?).out_dir(out);
    if bytes {
        config.bytes(["."]);
    }
    config.compile_protos(&peer_schema::proto_files()?, &[peer_schema::proto_dir()])?;
    Ok(())
}
