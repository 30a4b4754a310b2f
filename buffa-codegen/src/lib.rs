//! Protocol Buffers descriptors in, Rust source out.
//!
//! [`generate`] turns a `FileDescriptorSet` into one Rust file per package: a `#[repr(C)]` struct and a static table per
//! message, an enum per enum and oneof, a constant per extension. `docs/generated-code.md` shows the shape. Editions are
//! understood by their features; proto2 and proto3 are two sets of defaults.
//!
//! ```text
//! descriptors ─ validate ─▶ schema ─ features ─▶ model ─ names, layout ─▶ message / enums / oneof / extension ─▶ text
//! ```

pub mod build;
mod case;
mod comments;
mod context;
mod defaults;
mod enums;
mod error;
mod extension;
mod features;
mod ident;
mod message;
mod model;
mod names;
mod oneof;
mod options;
mod package;
mod paths;
mod schema;
mod services;
mod table;
mod validate;
mod writer;

pub use error::Error;
pub use options::Options;
pub use package::{GeneratedFile, file_name, generate};
pub use services::{Method, Service, ServiceGenerator};
