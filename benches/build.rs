//! Generates the benchmark messages with our own generator; each peer's crate does its own.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (files, include) = (peer_schema::proto_files()?, peer_schema::proto_dir());
    Ok(buffa_codegen::build::Config::new().files(&files).includes(&[include]).compile()?)
}
