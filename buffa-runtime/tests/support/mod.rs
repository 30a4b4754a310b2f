//! A file descriptor with most of what a message can have: strings, bytes, lists, sub-messages, enums, required fields, unknown ones.
#![allow(dead_code, reason = "each test program uses a part")]

use buffa::descriptor::field_descriptor_proto::{Label, Type};
use buffa::descriptor::uninterpreted_option::NamePart;
use buffa::descriptor::{DescriptorProto, Edition, FieldDescriptorProto, FileDescriptorProto, FileOptions, UninterpretedOption};
use buffa::{Arena, Message, MessageField, Optional, UnknownFieldsExt};

/// A field of a message type.
pub(crate) fn field<'a>(name: &'a str, number: i32, kind: Type) -> FieldDescriptorProto<'a> {
    FieldDescriptorProto {
        name: name.into(),
        number: number.into(),
        label: Label::Optional.into(),
        r#type: kind.into(),
        ..Default::default()
    }
}

/// The file, in the arena.
pub(crate) fn file<'a>(arena: &'a Arena<'_>) -> FileDescriptorProto<'a> {
    let mut inner = DescriptorProto { name: "Inner".into(), ..Default::default() };
    inner.field.push(field("x", 1, Type::Int32), arena);
    inner.reserved_name.push("old".into(), arena);
    let mut outer = DescriptorProto { name: "Öuter".into(), ..Default::default() };
    outer.field.push(field("a", 1, Type::String), arena);
    outer.field.push(field("a_longer_name_than_sixteen_bytes", 536_870_911, Type::Message), arena);
    outer.nested_type.push(inner, arena);

    let mut option = UninterpretedOption {
        identifier_value: "".into(),
        positive_int_value: u64::MAX.into(),
        negative_int_value: i64::MIN.into(),
        double_value: (-0.5).into(),
        string_value: b"\x00\xFF".into(),
        ..Default::default()
    };
    option.name.push(NamePart { name_part: "p".into(), is_extension: true.into(), ..Default::default() }, arena);
    let mut options = FileOptions { java_package: "com.example".into(), deprecated: false.into(), ..Default::default() };
    options.uninterpreted_option.push(option, arena);

    let mut file = FileDescriptorProto {
        name: "a/b.proto".into(),
        package: "a.b".into(),
        options: MessageField::new_in(options, arena),
        public_dependency: (&[0, 1, -1, i32::MAX]).into(),
        edition: Edition::Edition2023.into(),
        syntax: "editions".into(),
        ..Default::default()
    };
    file.dependency.extend(["one.proto".into(), "two.proto".into(), "".into()], arena);
    file.message_type.push(outer, arena);
    file.message_type.push(DescriptorProto::default(), arena);
    let unknown = b"\xC8\x3E\x01\xCA\x3E\x02AB\xCB\x3E\x08\x01\xCC\x3E";
    assert!(file.unknown_fields_mut().append(unknown, arena).is_ok());
    file
}

/// The encoded file.
pub(crate) fn bytes() -> Vec<u8> {
    file(&Arena::new()).encode_to_vec()
}

/// Whether an optional has this value.
pub(crate) fn is<T: PartialEq>(optional: &Optional<T>, value: T) -> bool {
    optional.as_ref() == Some(&value)
}
