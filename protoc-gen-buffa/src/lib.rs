//! The plugins `protoc-gen-buffa` (code) and `protoc-gen-buffa-packaging` (module tree).
//!
//! ```sh
//! protoc --buffa_out=src/gen --buffa-packaging_out=src/gen -I proto proto/a.proto proto/b.proto
//! ```
//! ```text
//!  stdin ─ decode ─▶ CodeGeneratorRequest ─ parameters ─▶ Plugin::generate ─▶ CodeGeneratorResponse ─ encode ─▶ stdout
//!                                               └────────────── a mistake ──▶ its field `error`
//! ```
//!
//! A plugin never fails by exit code over something that the user can correct: protoc shows the field `error` properly, and
//! only that.

mod command;
mod generator;
mod packaging;
mod parameter;
mod response;

pub use command::main;
pub use generator::GENERATOR;
pub use packaging::PACKAGING;
pub use response::respond;

use buffa::descriptor::compiler::CodeGeneratorRequest;
use buffa_codegen::GeneratedFile;
use parameter::{Assignment, Parameter};

/// One of the plugins.
pub struct Plugin {
    /// Name of the program.
    name: &'static str,
    /// What it does, in a sentence.
    summary: &'static str,
    /// How protoc and buf are told to run it.
    usage: &'static str,
    parameters: &'static [Parameter],
    generate: fn(&mut CodeGeneratorRequest<'_>, &[Assignment<'_>]) -> Result<Vec<GeneratedFile>, String>,
}
