//! What must hold for a message and its fields.

use super::Checker;
use super::ranges::Ranges;
use crate::Error;
use crate::schema::TypeId;
use buffa::descriptor::FieldDescriptorProto;
use buffa::descriptor::field_descriptor_proto::{Label, Type};
use std::collections::HashSet;

/// Numbers that the encoding keeps for its own use.
const RESERVED_BY_PROTOBUF: std::ops::RangeInclusive<i32> = 19000..=19999;

impl Checker<'_> {
    pub(super) fn message(&mut self, id: usize) -> Result<(), Error> {
        let message = &self.schema.messages[id];
        let (proto, full_name) = (message.proto, message.full_name.as_str());
        let scope = full_name.rsplit_once('.').map_or("", |(scope, _)| scope);
        self.symbol(scope, &proto.name)?;

        let bounds = proto.reserved_range.iter().map(|range| (range.start.get(), range.end.get()));
        let reserved = self.ranges(full_name, bounds)?;
        let bounds = proto.extension_range.iter().map(|range| (range.start.get(), range.end.get()));
        let extensible = self.ranges(full_name, bounds)?;
        let reserved_names: HashSet<&str> = proto.reserved_name.iter().map(|name| name.as_str()).collect();

        let mut numbers = HashSet::with_capacity(proto.field.len());
        let mut members = vec![0_usize; proto.oneof_decl.len()];
        let mut synthetic = vec![false; proto.oneof_decl.len()];
        for field in &*proto.field {
            let name = self.symbol(full_name, &field.name)?;
            let number = self.number(&name, field)?;
            if !numbers.insert(number) {
                return Err(self.error(&name, format!("the number {number} is used twice in {full_name}")).fix("choose another"));
            }
            if reserved.contains(number) || reserved_names.contains(field.name.as_str()) {
                return Err(self.error(&name, "uses a reserved number or name").fix("choose another"));
            }
            if extensible.contains(number) {
                return Err(self.error(&name, format!("the number {number} is set aside for extensions")).fix("choose another"));
            }
            if !field.extendee.is_empty() {
                return Err(self.error(&name, "a field of a message cannot extend another"));
            }
            if let Some(oneof) = self.oneof_of(&name, field, members.len())? {
                members[oneof] += 1;
                synthetic[oneof] |= field.proto3_optional.get() == Some(true);
            }
            self.field_type(&name, field, full_name)?;
        }
        for ((oneof, count), synthetic) in proto.oneof_decl.iter().zip(members).zip(synthetic) {
            let name = self.symbol(full_name, &oneof.name)?;
            if count == 0 || (synthetic && count != 1) {
                return Err(self.error(&name, format!("a oneof with {count} fields cannot be")));
            }
        }
        if proto.options.message_set_wire_format.get() == Some(true)
            && (!proto.field.is_empty() || proto.extension_range.is_empty())
        {
            return Err(self.error(full_name, "a message set has extensions only"));
        }
        if message.is_map_entry() {
            self.map_entry(id)?;
        }
        for &nested in &message.messages {
            self.message(nested)?;
        }
        for &nested in &message.enums {
            self.enumeration(nested)?;
        }
        for extension in &*proto.extension {
            self.extension(full_name, extension)?;
        }
        Ok(())
    }

    pub(super) fn ranges(&self, item: &str, ranges: impl Iterator<Item = (Option<i32>, Option<i32>)>) -> Result<Ranges, Error> {
        let bounds = ranges.map(|(start, end)| (i64::from(start.unwrap_or(0)), i64::from(end.unwrap_or(0))));
        Ranges::new(bounds).map_err(|problem| self.error(item, problem))
    }

    /// The field's number, in range.
    pub(super) fn number(&self, item: &str, field: &FieldDescriptorProto<'_>) -> Result<i32, Error> {
        let number = field.number.get().unwrap_or(0);
        if !(1..=(1 << 29) - 1).contains(&number) {
            return Err(self.error(item, format!("the number {number} is out of range")).fix("use 1 to 536870911"));
        }
        if RESERVED_BY_PROTOBUF.contains(&number) {
            return Err(self.error(item, format!("the number {number} belongs to protobuf itself")).fix("avoid 19000 to 19999"));
        }
        Ok(number)
    }

    fn oneof_of(&self, item: &str, field: &FieldDescriptorProto<'_>, oneofs: usize) -> Result<Option<usize>, Error> {
        let Some(index) = field.oneof_index.get() else {
            if field.proto3_optional.get() == Some(true) {
                return Err(self.error(item, "proto3_optional without the synthetic oneof that belongs to it"));
            }
            return Ok(None);
        };
        if !matches!(field.label.get(), None | Some(Label::Optional)) {
            return Err(self.error(item, "a member of a oneof cannot be repeated or required"));
        }
        match usize::try_from(index) {
            Ok(index) if index < oneofs => Ok(Some(index)),
            _ => Err(self.error(item, format!("oneof_index {index} names no oneof of the message"))),
        }
    }

    /// Type and type name go together, and maps are declared as maps.
    pub(super) fn field_type(&self, item: &str, field: &FieldDescriptorProto<'_>, scope: &str) -> Result<(), Error> {
        let kind = field.r#type.get();
        if field.type_name.is_empty() {
            return match kind {
                None | Some(Type::Message | Type::Group | Type::Enum) => Err(self.error(item, "has no type")),
                Some(_) => Ok(()),
            };
        }
        match (self.reference(item, &field.type_name, scope)?, kind) {
            (TypeId::Message(id), None | Some(Type::Message | Type::Group)) => {
                let entry = &self.schema.messages[id];
                if entry.is_map_entry() {
                    let parent = entry.parent.map_or("", |parent| self.schema.messages[parent].full_name.as_str());
                    if field.label.get() != Some(Label::Repeated) || parent != scope || !field.extendee.is_empty() {
                        return Err(self.error(item, "uses the entry type of a map").fix("declare the field as `map<…>`"));
                    }
                }
                Ok(())
            }
            (TypeId::Enum(_), None | Some(Type::Enum)) => Ok(()),
            (_, Some(kind)) => Err(self.error(item, format!("declared as {kind:?} but its type name is something else"))),
        }
    }

    fn map_entry(&self, id: usize) -> Result<(), Error> {
        let message = &self.schema.messages[id];
        let proto = message.proto;
        let bad = |problem: &str| Err(self.error(&message.full_name, problem).fix("declare the field as `map<…>`"));
        let [key, value] = &*proto.field else { return bad("a map entry needs exactly a key and a value") };
        if (key.number.get(), value.number.get()) != (Some(1), Some(2)) {
            return bad("the key of a map entry has number 1 and the value number 2");
        }
        if [key, value].iter().any(|side| !matches!(side.label.get(), None | Some(Label::Optional)) || side.oneof_index.is_set())
        {
            return bad("key and value of a map entry are singular");
        }
        if matches!(
            key.r#type.get(),
            None | Some(Type::Float | Type::Double | Type::Bytes | Type::Message | Type::Group | Type::Enum)
        ) {
            return bad("the key of a map is an integer, bool or string");
        }
        if value.r#type.get() == Some(Type::Group) {
            return bad("the value of a map cannot be a group");
        }
        if message.parent.is_none() || !message.messages.is_empty() || !message.enums.is_empty() {
            return bad("a map entry stands inside the message with the map, with nothing in it");
        }
        if !proto.extension_range.is_empty() || !proto.oneof_decl.is_empty() || !proto.extension.is_empty() {
            return bad("a map entry has neither extensions nor oneofs");
        }
        if let Some(TypeId::Message(value)) = self.schema.find(&value.type_name, &message.full_name) {
            if self.schema.messages[value].is_map_entry() {
                return bad("the value of a map cannot be a map");
            }
        }
        Ok(())
    }
}
