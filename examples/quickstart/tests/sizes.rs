//! The sizes of the quickstart's messages: computed, compiled, and as a golden.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use buffa::descriptor::FileDescriptorSet;
use buffa::{Arena, Message};
use buffa_codegen::build::Config;
use quickstart::tutorial::person::PhoneNumber;
use quickstart::tutorial::{Address, AddressBook, Person};
use quickstart::{address_book, schema};

/// Name, `size_of` and table of a compiled message.
type Compiled = (&'static str, usize, buffa_tables::TableRef);

fn compiled<M: Message<'static>>(name: &'static str) -> Compiled {
    (name, size_of::<M>(), M::TABLE)
}

fn all() -> [Compiled; 4] {
    [
        compiled::<Person<'_>>("tutorial.Person"),
        compiled::<PhoneNumber<'_>>("tutorial.Person.PhoneNumber"),
        compiled::<Address<'_>>("tutorial.Address"),
        compiled::<AddressBook<'_>>("tutorial.AddressBook"),
    ]
}

/// On every target: what is computed from the schema is what rustc makes of the generated code.
#[test]
fn computed_sizes_are_the_compiled_ones() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/proto");
    let bytes = Config::new().files(&["addressbook.proto"]).includes(&[folder]).descriptors().unwrap();
    let arena = Arena::new();
    let set = FileDescriptorSet::decode(&bytes, &arena).unwrap();
    let sizes = schema::sizes(&set).unwrap();
    let mut names = Vec::new();
    for (name, struct_bytes, table) in all() {
        let size = sizes.iter().find(|size| size.full_name == name).unwrap();
        let computed = (size.fields, size.struct_bytes, size.table_bytes);
        assert_eq!(computed, (table.count(), struct_bytes, table.bytes()), "{name}");
        assert_eq!(table.size(), struct_bytes, "{name}");
        names.push(name);
    }
    assert_eq!(sizes.len(), names.len(), "a message of the schema is missing above: {sizes:?}");
}

/// The descriptor types are compiled into the runtime, so their computed sizes can be checked, too.
#[test]
fn computed_sizes_of_the_descriptor_types() {
    use buffa::descriptor::{DescriptorProto, FeatureSet, FieldDescriptorProto, FieldOptions, FileDescriptorProto, FileOptions};
    let arena = Arena::new();
    let set = FileDescriptorSet::decode(schema::WELL_KNOWN, &arena).unwrap();
    let sizes = schema::sizes(&set).unwrap();
    let types = [
        compiled::<FileDescriptorProto<'_>>("google.protobuf.FileDescriptorProto"),
        compiled::<DescriptorProto<'_>>("google.protobuf.DescriptorProto"),
        compiled::<FieldDescriptorProto<'_>>("google.protobuf.FieldDescriptorProto"),
        compiled::<FieldOptions<'_>>("google.protobuf.FieldOptions"),
        compiled::<FileOptions<'_>>("google.protobuf.FileOptions"),
        compiled::<FeatureSet<'_>>("google.protobuf.FeatureSet"),
    ];
    for (name, struct_bytes, table) in types {
        let size = sizes.iter().find(|size| size.full_name == name).unwrap();
        assert_eq!((size.fields, size.struct_bytes, size.table_bytes), (table.count(), struct_bytes, table.bytes()), "{name}");
    }
}

/// Sizes and tables on 64-bit targets; `BLESS=1` rewrites the golden. (On 32-bit targets the test above is what checks them.)
#[test]
#[cfg(target_pointer_width = "64")]
fn golden() {
    use buffa_tables::dump::Dump;
    let mut text = String::new();
    for (name, struct_bytes, table) in all() {
        text.push_str(&format!("{name}: size_of = {struct_bytes}\n{}\n", Dump(table)));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sizes.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(text == expected, "{path} is out of date; if the change is meant, run with BLESS=1\nnew:\n{text}");
}

/// What the program does, run as a test.
#[test]
fn the_program_runs() {
    let bytes = address_book::write().unwrap();
    address_book::borrow(&bytes).unwrap();
    let book = address_book::own(&bytes).unwrap();
    let people = &book.get().people;
    assert_eq!(
        people.iter().map(|person| person.name.as_str()).collect::<Vec<_>>(),
        ["Ada Lovelace", "Charles Babbage", "Mary Somerville"]
    );
    assert_eq!(people[0].tags, ["engine".into(), "friend".into()]);
    assert_eq!(people[1].scores.get("whist"), Some(&14));
    address_book::in_the_background(book).unwrap();
    schema::print(schema::WELL_KNOWN).unwrap();
}
