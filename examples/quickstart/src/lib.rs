//! The modules of the quickstart: what the build script generated, and what the program does with it.

pub mod address_book;
pub mod schema;

/// Generated from `proto/addressbook.proto`. The module has the name of the package.
#[allow(missing_docs, reason = "a message without a comment in the schema has none here")]
pub mod tutorial {
    buffa::include_proto!("tutorial");
}
