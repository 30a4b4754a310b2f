//! Generates the benchmark messages with protoc's Rust backend and notes the C compiler in use.

use std::error::Error;
use std::process::Command;

use protobuf_codegen::CodeGen;

fn main() -> Result<(), Box<dyn Error>> {
    CodeGen::new()
        .protoc_path(peer_schema::protoc_of_version("36.2")?)
        .inputs(peer_schema::proto_names()?)
        .include(peer_schema::proto_dir())
        .generate_and_compile()?;
    println!("cargo:rustc-env=PEER_C_COMPILER={}", c_compiler());
    Ok(())
}

/// The compiler that the `cc` crate picks here is the one it picks for upb's C.
fn c_compiler() -> String {
    for name in ["CC", "HOST_CC", "TARGET_CC", "CFLAGS"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let compiler = cc::Build::new().get_compiler();
    let version = Command::new(compiler.path()).arg("--version").output();
    let text = version.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let line = text.ok().and_then(|t| t.lines().next().map(str::to_owned));
    let kind = if compiler.is_like_clang() { "clang" } else { "gcc" };
    format!("{kind} ({})", line.unwrap_or_else(|| compiler.path().display().to_string()))
}
