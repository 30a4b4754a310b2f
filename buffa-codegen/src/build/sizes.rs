//! What messages will cost, before anything is compiled.

use crate::{Error, Options, model, schema::Schema, validate};
use buffa::descriptor::FileDescriptorSet;
use buffa_tables::build::{Layout, Target};
use buffa_tables::{FieldEntry, MessageTable};

/// Size of one message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageSize {
    /// Full protobuf name.
    pub full_name: String,
    /// Number of fields, members of oneofs included.
    pub fields: usize,
    /// Bytes of the Rust struct: its `size_of`.
    pub struct_bytes: usize,
    /// Bytes of its table: header, entries and aux records.
    pub table_bytes: usize,
}

/// The sizes that the messages of `set` have on `target` when they are generated with `options`, in the order of the set.
/// Entries of maps are not messages of their own.
///
/// # Errors
/// As for [`crate::generate`].
pub fn message_sizes(set: &FileDescriptorSet<'_>, options: &Options, target: Target) -> Result<Vec<MessageSize>, Error> {
    let schema = Schema::new(set)?;
    validate::check(&schema)?;
    let models = model::resolve(&schema, options)?;
    let aux_bytes = target.pointer + 8;
    let messages = schema.messages.iter().zip(&models).filter(|(message, _)| !message.is_map_entry());
    messages
        .map(|(message, model)| {
            let failed = |error: buffa_tables::build::BuildError| {
                Error::new(schema.file_name(message.file), &message.full_name, error.to_string())
            };
            let layout = Layout::new(&model.spec).map_err(failed)?;
            let offsets = layout.offsets(&model.spec, target).map_err(failed)?;
            Ok(MessageSize {
                full_name: message.full_name.clone(),
                fields: model.spec.fields.len(),
                struct_bytes: offsets.size,
                table_bytes: size_of::<MessageTable>()
                    + layout.entries.len() * size_of::<FieldEntry>()
                    + layout.aux.len() * aux_bytes,
            })
        })
        .collect()
}
