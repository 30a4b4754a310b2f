//! `protoc-gen-buffa`: the generator as a plugin.

use crate::Plugin;
use crate::parameter::{Assignment, Parameter, Value};
use buffa::descriptor::FileDescriptorSet;
use buffa::descriptor::compiler::CodeGeneratorRequest;
use buffa_codegen::{GeneratedFile, Options};

/// The plugin that generates code.
pub static GENERATOR: Plugin = Plugin {
    name: "protoc-gen-buffa",
    summary: "generates Rust for the buffa protobuf runtime, one file per package.",
    usage: "\
With protoc:
  protoc --buffa_out=src/gen --buffa_opt=KEY=VALUE -I proto proto/a.proto proto/b.proto
With buf, in buf.gen.yaml (`strategy: all`, because all files of a package become one):
  plugins:
    - local: protoc-gen-buffa
      out: src/gen
      strategy: all
      opt: [KEY=VALUE]
",
    parameters: PARAMETERS,
    generate,
};

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "extern_path", value: Value::PathRust, help: "take the types at a protobuf path from a Rust path" },
    Parameter {
        name: "type_attribute",
        value: Value::PathAttribute,
        help: "put an attribute on messages, enums and oneof enums",
    },
    Parameter { name: "message_attribute", value: Value::PathAttribute, help: "put an attribute on messages" },
    Parameter { name: "enum_attribute", value: Value::PathAttribute, help: "put an attribute on enums" },
    Parameter { name: "oneof_attribute", value: Value::PathAttribute, help: "put an attribute on the enums of oneofs" },
    Parameter {
        name: "field_attribute",
        value: Value::PathAttribute,
        help: "put an attribute on fields, oneof members and enum values",
    },
    Parameter { name: "verify_utf8", value: Value::Path, help: "treat string fields as if they had utf8_validation = VERIFY" },
    Parameter { name: "exclude", value: Value::Path, help: "print nothing for the items at a path" },
    Parameter { name: "omit_comments", value: Value::Path, help: "drop the comments of the items at a path" },
];

fn generate(request: &mut CodeGeneratorRequest<'_>, parameters: &[Assignment<'_>]) -> Result<Vec<GeneratedFile>, String> {
    let mut options = Options::new();
    for Assignment { parameter, first, second } in parameters {
        match parameter.name {
            "extern_path" => options.extern_path(first, second),
            "type_attribute" => options.type_attribute(first, second),
            "message_attribute" => options.message_attribute(first, second),
            "enum_attribute" => options.enum_attribute(first, second),
            "oneof_attribute" => options.oneof_attribute(first, second),
            "field_attribute" => options.field_attribute(first, second),
            "verify_utf8" => options.verify_utf8(first),
            "exclude" => options.exclude(first),
            "omit_comments" => options.omit_comments(first),
            other => return Err(format!("parameter `{other}` is declared but has no meaning: please report this")),
        };
    }
    let set = FileDescriptorSet { file: std::mem::take(&mut request.proto_file), ..Default::default() };
    let names: Vec<&str> = request.file_to_generate.iter().map(|name| name.as_str()).collect();
    buffa_codegen::generate(&set, &names, &options).map_err(|error| error.to_string())
}
