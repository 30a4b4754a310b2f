//! Schemas are messages, too: reads a `FileDescriptorSet` and prints what each message in it costs.

use buffa::descriptor::FileDescriptorSet;
use buffa::{Arena, Message};
use buffa_codegen::Options;
use buffa_codegen::build::{MessageSize, message_sizes};
use buffa_tables::build::Target;
use std::error::Error;

/// The well-known types as protoc describes them (see `build.rs`), comments included.
pub const WELL_KNOWN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/well_known.binpb"));

/// Prints all messages of an encoded `FileDescriptorSet`.
///
/// # Errors
/// When the bytes are no descriptor set, or when it contradicts itself.
pub fn print(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    // Thousands of small messages lie in this arena, one behind the other; their strings are slices of `bytes`.
    let arena = Arena::new();
    let set = FileDescriptorSet::decode(bytes, &arena)?;
    println!("{} files: {} bytes of input, {} bytes of arena\n", set.file.len(), bytes.len(), arena.allocated_bytes());

    let sizes = sizes(&set)?;
    println!("{:58} {:>6} {:>12} {:>11}", "message", "fields", "struct bytes", "table bytes");
    for MessageSize { full_name, fields, struct_bytes, table_bytes } in &sizes {
        println!("{full_name:58} {fields:6} {struct_bytes:12} {table_bytes:11}");
    }
    let tables: usize = sizes.iter().map(|size| size.table_bytes).sum();
    println!("\n{} messages, {tables} bytes of tables", sizes.len());
    Ok(())
}

/// Struct and table of each message on this machine, as the generator would make them.
///
/// # Errors
/// When the set contradicts itself.
pub fn sizes(set: &FileDescriptorSet<'_>) -> Result<Vec<MessageSize>, buffa_codegen::Error> {
    message_sizes(set, &Options::new(), Target::HOST)
}
