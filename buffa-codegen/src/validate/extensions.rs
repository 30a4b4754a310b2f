//! What must hold for an extension.

use super::Checker;
use crate::Error;
use buffa::descriptor::FieldDescriptorProto;
use buffa::descriptor::field_descriptor_proto::{Label, Type};

impl Checker<'_> {
    pub(super) fn extension(&mut self, scope: &str, field: &FieldDescriptorProto<'_>) -> Result<(), Error> {
        let name = self.symbol(scope, &field.name)?;
        let extendee = self.message_reference(&name, &field.extendee, scope)?;
        self.field_type(&name, field, scope)?;
        let target = &self.schema.messages[extendee];
        let message_set = target.proto.options.message_set_wire_format.get() == Some(true);
        // Message sets have room for every number, also for those that fields cannot have.
        let number = if message_set { field.number.get().unwrap_or(0) } else { self.number(&name, field)? };
        if !self.extension_ranges.contains_key(&extendee) {
            let bounds = target.proto.extension_range.iter().map(|range| (range.start.get(), range.end.get()));
            let ranges = self.ranges(&target.full_name, bounds)?;
            self.extension_ranges.insert(extendee, ranges);
        }
        if !self.extension_ranges.get(&extendee).is_some_and(|ranges| ranges.contains(number)) {
            return Err(self
                .error(&name, format!("{} does not set the number {number} aside for extensions", target.full_name))
                .fix("add an `extensions` range to it, or choose a number inside"));
        }
        if !self.extensions.insert((extendee, number)) {
            return Err(self
                .error(&name, format!("another extension of {} has the number {number}", target.full_name))
                .fix("choose another"));
        }
        if field.label.get() == Some(Label::Required) || field.oneof_index.is_set() {
            return Err(self.error(&name, "an extension can neither be required nor in a oneof"));
        }
        if message_set
            && (field.label.get() == Some(Label::Repeated) || !matches!(field.r#type.get(), None | Some(Type::Message)))
        {
            return Err(self.error(&name, "extensions of a message set are singular messages"));
        }
        Ok(())
    }
}
