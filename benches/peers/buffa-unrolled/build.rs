//! Generates the benchmark messages twice: with default settings and with the fastest ones.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let config = || {
        buffa_build::Config::new()
            .descriptor_set(peer_schema::DESCRIPTOR_SET)
            .generate_views(true)
            .lazy_views(true)
            .generate_with_setters(false)
    };
    generate(config(), &out.join("plain"))?;
    let lean = config().preserve_unknown_fields(false).use_bytes_type().unbox_oneof();
    generate(lean, &out.join("lean"))
}

fn generate(config: buffa_build::Config, out: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(out)?;
    config.files(&peer_schema::proto_names()?).out_dir(out).compile()
}
