//! Descriptor sets that protoc would not have made are errors that say where and what (case F3), never panics.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod common;

use buffa::descriptor::FileDescriptorSet;
use buffa::{Arena, Message};
use buffa_codegen::Options;
use std::io::Write;
use std::process::{Command, Stdio};

/// Turns the text form of a `FileDescriptorSet` into bytes, without any check of what it says.
fn encode(text: &str) -> Vec<u8> {
    let mut child = Command::new(protoc_bin_vendored::protoc_bin_path().unwrap())
        .arg("--encode=google.protobuf.FileDescriptorSet")
        .arg("-I")
        .arg(protoc_bin_vendored::include_path().unwrap())
        .arg("google/protobuf/descriptor.proto")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{text}");
    output.stdout
}

fn generate(text: &str) -> Result<String, String> {
    let bytes = encode(text);
    let arena = Arena::new();
    let set = FileDescriptorSet::decode_partial(&bytes, &arena, &buffa::DecodeOptions::new()).unwrap();
    let files = buffa_codegen::generate(&set, &["a.proto"], &Options::new()).map_err(|error| error.to_string())?;
    Ok(files[0].content.clone())
}

/// A proto2 file `a.proto` with this content.
fn rejected(content: &str, expected: &str) {
    set_rejected(&format!("file {{ name: 'a.proto' package: 'p' {content} }}"), expected);
}

fn set_rejected(text: &str, expected: &str) {
    match generate(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => assert_eq!(error, expected, "{text}"),
    }
}

/// A message `M` with this content.
fn message_rejected(content: &str, expected: &str) {
    rejected(&format!("message_type {{ name: 'M' {content} }}"), expected);
}

const INT: &str = "type: TYPE_INT32 label: LABEL_OPTIONAL";

#[test]
fn references() {
    let field =
        |name: &str| format!("field {{ name: 'f' number: 1 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: '{name}' }}");
    message_rejected(
        &field(".p.Gone"),
        "a.proto: p.M.f: unknown type \".p.Gone\" (import the file that declares it, and pass the imports along in the set)",
    );
    message_rejected("field { name: 'f' number: 1 label: LABEL_OPTIONAL }", "a.proto: p.M.f: has no type");
    message_rejected(
        "field { name: 'f' number: 1 type: TYPE_ENUM type_name: '.p.M' }",
        "a.proto: p.M.f: declared as Enum but its type name is something else",
    );
    set_rejected(
        &format!(
            "file {{ name: 'b.proto' message_type {{ name: 'B' }} }} file {{ name: 'a.proto' message_type {{ name: 'M' {} }} }}",
            field(".B")
        ),
        "a.proto: M.f: \".B\" is declared in \"b.proto\", which is not imported (add `import \"b.proto\";`)",
    );
    rejected(
        "dependency: 'b.proto'",
        "a.proto: imports \"b.proto\", which is not in the descriptor set (run protoc with --include_imports)",
    );
    set_rejected(
        "file { name: 'b.proto' }",
        "a.proto: is to be generated but not in the descriptor set (spell it as protoc does: relative to an include directory)",
    );
    // Relative names are resolved from the inside out, and public imports count.
    let ok = generate(&format!(
        "file {{ name: 'c.proto' package: 'p' message_type {{ name: 'C' }} }} \
         file {{ name: 'b.proto' dependency: 'c.proto' public_dependency: 0 }} \
         file {{ name: 'a.proto' package: 'p.q' dependency: 'b.proto' message_type {{ name: 'M' {} }} }}",
        field("C")
    ));
    assert!(ok.unwrap().contains("pub f: ::buffa::MessageField<'a, super::C<'a>>"));
}

#[test]
fn numbers() {
    let field = |number: &str| format!("field {{ name: 'f{}' number: {number} {INT} }}", number.replace('-', "_"));
    let out = "out of range (use 1 to 536870911)";
    message_rejected(&field("0"), &format!("a.proto: p.M.f0: the number 0 is {out}"));
    message_rejected(&field("-1"), &format!("a.proto: p.M.f_1: the number -1 is {out}"));
    message_rejected(&field("536870912"), &format!("a.proto: p.M.f536870912: the number 536870912 is {out}"));
    message_rejected(&field("19000"), "a.proto: p.M.f19000: the number 19000 belongs to protobuf itself (avoid 19000 to 19999)");
    message_rejected(
        &format!("field {{ name: 'a' number: 7 {INT} }} field {{ name: 'b' number: 7 {INT} }}"),
        "a.proto: p.M.b: the number 7 is used twice in p.M (choose another)",
    );
    message_rejected(
        &format!("{} reserved_range {{ start: 5 end: 7 }}", field("6")),
        "a.proto: p.M.f6: uses a reserved number or name (choose another)",
    );
    message_rejected(
        &format!("{} reserved_name: 'f6'", field("6")),
        "a.proto: p.M.f6: uses a reserved number or name (choose another)",
    );
    message_rejected(
        &format!("{} extension_range {{ start: 5 end: 7 }}", field("6")),
        "a.proto: p.M.f6: the number 6 is set aside for extensions (choose another)",
    );
    message_rejected(
        "reserved_range { start: 5 end: 9 } reserved_range { start: 7 end: 10 }",
        "a.proto: p.M: the ranges that begin with 5 and 7 overlap",
    );
}

#[test]
fn names() {
    let twice = "declared twice (rename one of the two)";
    message_rejected(
        &format!("field {{ name: 'a' number: 1 {INT} }} field {{ name: 'a' number: 2 {INT} }}"),
        &format!("a.proto: p.M.a: {twice}"),
    );
    rejected(
        "message_type { name: 'M' } message_type { name: 'M' }",
        "p.M: declared twice in the descriptor set (pass each file once, and keep type names unique)",
    );
    rejected(
        "enum_type { name: 'A' value { name: 'X' number: 0 } } enum_type { name: 'B' value { name: 'X' number: 0 } }",
        &format!("a.proto: p.X: {twice}"),
    );
    let shape = "(names are letters, digits and underscores, no digit first)";
    rejected("message_type { name: '1M' }", &format!("a.proto: p: \"1M\" is no name {shape}"));
    rejected("message_type { name: '' }", &format!("a.proto: p: \"\" is no name {shape}"));
    rejected("message_type { name: 'M { evil }' }", &format!("a.proto: p: \"M {{ evil }}\" is no name {shape}"));
    set_rejected("file { name: 'a.proto' package: 'a..b' }", &format!("a.proto: \"\" is no name {shape}"));
    set_rejected(
        "file { name: 'a.proto' package: 'p.M' } file { name: 'b.proto' package: 'p' message_type { name: 'M' } }",
        "a.proto: p.M: is both a package and something else (rename one of the two)",
    );
}

#[test]
fn oneofs_and_maps() {
    let member = |index: i32| format!("field {{ name: 'f' number: 1 {INT} oneof_index: {index} }}");
    message_rejected(&member(0), "a.proto: p.M.f: oneof_index 0 names no oneof of the message");
    message_rejected(
        &format!("{} oneof_decl {{ name: 'o' }}", member(-1)),
        "a.proto: p.M.f: oneof_index -1 names no oneof of the message",
    );
    message_rejected("oneof_decl { name: 'o' }", "a.proto: p.M.o: a oneof with 0 fields cannot be");
    message_rejected(
        "field { name: 'f' number: 1 type: TYPE_INT32 label: LABEL_REPEATED oneof_index: 0 } oneof_decl { name: 'o' }",
        "a.proto: p.M.f: a member of a oneof cannot be repeated or required",
    );
    message_rejected(
        &format!("field {{ name: 'f' number: 1 {INT} proto3_optional: true }}"),
        "a.proto: p.M.f: proto3_optional without the synthetic oneof that belongs to it",
    );
    let map = |entry: &str| {
        format!(
            "field {{ name: 'm' number: 1 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: '.p.M.E' }} \
             nested_type {{ name: 'E' options {{ map_entry: true }} {entry} }}"
        )
    };
    let advice = "(declare the field as `map<…>`)";
    message_rejected(&map(""), &format!("a.proto: p.M.E: a map entry needs exactly a key and a value {advice}"));
    message_rejected(
        &map(&format!(
            "field {{ name: 'k' number: 1 type: TYPE_FLOAT label: LABEL_OPTIONAL }} field {{ name: 'v' number: 2 {INT} }}"
        )),
        &format!("a.proto: p.M.E: the key of a map is an integer, bool or string {advice}"),
    );
    message_rejected(
        &map(&format!("field {{ name: 'k' number: 1 {INT} }} field {{ name: 'v' number: 3 {INT} }}")),
        &format!("a.proto: p.M.E: the key of a map entry has number 1 and the value number 2 {advice}"),
    );
}

#[test]
fn enums() {
    rejected("enum_type { name: 'E' }", "a.proto: p.E: has no values (an enum needs at least one)");
    rejected(
        "enum_type { name: 'E' value { name: 'A' number: 1 } value { name: 'B' number: 1 } }",
        "a.proto: p.B: has the number 1 of A (choose another, or set `option allow_alias = true;`)",
    );
    rejected(
        "syntax: 'proto3' enum_type { name: 'E' value { name: 'A' number: 1 } }",
        "a.proto: p.E: the first value of an open enum must be 0 (add a value 0 in front, or declare the enum closed)",
    );
    // Reserved ranges of enums include their end.
    rejected(
        "enum_type { name: 'E' value { name: 'A' number: 9 } reserved_range { start: 5 end: 9 } }",
        "a.proto: p.A: uses a reserved number or name (choose another)",
    );
    set_rejected(
        "file { name: 'b.proto' enum_type { name: 'E' value { name: 'A' number: 0 } } } \
         file { name: 'a.proto' syntax: 'proto3' dependency: 'b.proto' message_type { name: 'M' \
         field { name: 'f' number: 1 label: LABEL_OPTIONAL type: TYPE_ENUM type_name: '.E' } } }",
        "a.proto: M.f: a closed enum in a field with implicit presence \
         (declare the enum open, or give the field explicit presence)",
    );
}

#[test]
fn extensions() {
    let extension = |number: i32, more: &str| {
        format!(
            "message_type {{ name: 'M' extension_range {{ start: 100 end: 200 }} }} \
             extension {{ name: 'x' number: {number} extendee: '.p.M' type: TYPE_INT32 {more} }}"
        )
    };
    rejected(
        &extension(200, ""),
        "a.proto: p.x: p.M does not set the number 200 aside for extensions \
         (add an `extensions` range to it, or choose a number inside)",
    );
    rejected(&extension(100, "label: LABEL_REQUIRED"), "a.proto: p.x: an extension can neither be required nor in a oneof");
    rejected(
        &format!("{} extension {{ name: 'y' number: 100 extendee: '.p.M' type: TYPE_INT32 }}", extension(100, "")),
        "a.proto: p.y: another extension of p.M has the number 100 (choose another)",
    );
    rejected(
        "extension { name: 'x' number: 1 type: TYPE_INT32 }",
        "a.proto: p.x: unknown type \"\" (import the file that declares it, and pass the imports along in the set)",
    );
}

#[test]
fn files_and_defaults() {
    set_rejected(
        "file { name: 'a.proto' } file { name: 'a.proto' }",
        "a.proto: is in the descriptor set twice (pass each file once)",
    );
    let supported = "(supported: proto2, proto3, editions 2023, 2024, 2026)";
    set_rejected("file { name: 'a.proto' syntax: 'proto4' }", &format!("a.proto: unknown syntax \"proto4\" {supported}"));
    set_rejected(
        "file { name: 'a.proto' syntax: 'editions' edition: EDITION_UNSTABLE }",
        &format!("a.proto: Unstable is not supported {supported}"),
    );
    set_rejected(
        "file { name: 'a.proto' syntax: 'editions' }",
        &format!("a.proto: the edition is missing or newer than this generator {supported}"),
    );
    let default = |kind: &str, text: &str| {
        format!("field {{ name: 'f' number: 1 label: LABEL_OPTIONAL type: {kind} default_value: '{text}' }}")
    };
    message_rejected(&default("TYPE_INT32", "x"), "a.proto: p.M.f: the default \"x\" does not fit the type");
    message_rejected(&default("TYPE_BYTES", "\\\\q"), "a.proto: p.M.f: the default \"\\\\q\" has a malformed escape");
}

#[test]
fn nesting_is_bounded_by_the_decoder() {
    let depth = 60;
    let text = "message_type { name: 'M0' ".to_owned()
        + &(1..depth).map(|n| format!("nested_type {{ name: 'M{n}' ")).collect::<String>()
        + &"}".repeat(depth);
    let code = generate(&format!("file {{ name: 'a.proto' package: 'p' {text} }}")).unwrap();
    assert_eq!(code.matches("pub struct M").count(), depth);
}

/// A message set may number its extensions beyond what a tag holds; a table entry, which is made of a tag, cannot.
#[test]
fn message_set_extension_numbers() {
    let file = |number: u32| {
        format!(
            "file {{ name: 'a.proto' package: 'p' \
             message_type {{ name: 'S' options {{ message_set_wire_format: true }} extension_range {{ start: 4 end: 2147483647 }} }} \
             message_type {{ name: 'M' }} \
             extension {{ name: 'x' extendee: '.p.S' number: {number} label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: '.p.M' }} }}"
        )
    };
    assert!(generate(&file(536_870_911)).is_ok());
    let error = generate(&file(536_870_912)).unwrap_err();
    assert!(error.contains("message set extensions with numbers above 536870911 are not supported"), "{error}");
}
