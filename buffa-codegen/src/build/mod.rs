//! The `build.rs` front door: from `.proto` files to Rust in `OUT_DIR`, with nothing to install.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     buffa_codegen::build::Config::new().files(&["proto/addressbook.proto"]).includes(&["proto"]).compile()?;
//!     Ok(())
//! }
//! ```
//!
//! ```text
//!            protoc: .protoc() ▸ $PROTOC ▸ PATH ▸ embedded ─┐
//!  Config ── buf:    .buf() ────────────────────────────────┼─▶ FileDescriptorSet ─ which files ─ generate ─▶ write
//!            ready:  .descriptor_set() ─────────────────────┘        │                                  what changed
//!                                                                    └─▶ cargo:rerun-if-changed
//! ```

mod compiler;
mod config;
#[cfg(not(feature = "protoc"))]
#[path = "embedded_none.rs"]
mod embedded;
#[cfg(feature = "protoc")]
#[path = "embedded_protoc.rs"]
mod embedded;
mod environment;
mod error;
mod module_tree;
mod notes;
mod output;
mod sizes;
mod sources;

pub use config::Config;
pub use error::Error;
pub use module_tree::module_tree;
pub use sizes::{MessageSize, message_sizes};

#[cfg(test)]
mod tests;
