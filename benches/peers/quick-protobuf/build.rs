//! Generates the benchmark messages with pb-rs, from copies of the schemas that it can read.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use pb_rs::ConfigBuilder;
use pb_rs::types::FileDescriptor;

/// Repeated fields of these types are packed in proto3.
const PACKABLE: [&str; 13] = [
    "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64", "bool", "float",
    "double",
];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let protos = out.join("proto");
    let code = out.join("code");
    for dir in [&protos, &code] {
        fs::create_dir_all(dir)?;
    }
    let mut copies = Vec::new();
    let mut modules = String::new();
    for name in peer_schema::proto_names()? {
        let copy = protos.join(&name);
        fs::write(&copy, spell_out(&fs::read_to_string(peer_schema::proto_dir().join(&name))?))?;
        copies.push(copy);
        let stem = Path::new(&name).with_extension("");
        modules += &format!("pub mod {0} {{ include!(concat!(env!(\"OUT_DIR\"), \"/code/{0}.rs\")); }}\n", stem.display());
    }
    fs::write(out.join("modules.rs"), modules)?;
    let config = ConfigBuilder::new(&copies, None, Some(&code), &[protos])?.single_module(true).headers(false).build();
    Ok(FileDescriptor::run(&config)?)
}

/// Writes `[packed = true]` out, which pb-rs does not infer inside nested messages, and drops the
/// package, for which pb-rs would make folders.
fn spell_out(schema: &str) -> String {
    schema
        .lines()
        .filter(|line| !line.starts_with("package "))
        .map(|line| {
            let mut words = line.split_whitespace();
            let packed = words.next() == Some("repeated") && words.next().is_some_and(|ty| PACKABLE.contains(&ty));
            if packed { line.replace(';', " [packed = true];\n") } else { format!("{line}\n") }
        })
        .collect()
}
