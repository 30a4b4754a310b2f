//! `protoc-gen-buffa-packaging`: the module tree around the generated files.

use crate::Plugin;
use crate::parameter::{Assignment, Parameter, Value};
use buffa::descriptor::compiler::CodeGeneratorRequest;
use buffa_codegen::{GeneratedFile, build::module_tree, file_name};
use std::collections::HashSet;

/// The plugin that generates the module tree.
pub static PACKAGING: Plugin = Plugin {
    name: "protoc-gen-buffa-packaging",
    summary: "generates one Rust file that includes what protoc-gen-buffa generates, in the right modules.",
    usage: "\
With protoc, into the directory of the generated files:
  protoc --buffa_out=src/gen --buffa-packaging_out=src/gen -I proto proto/a.proto proto/b.proto
With buf, in buf.gen.yaml (`strategy: all`, because there is one tree for all files):
  plugins:
    - local: protoc-gen-buffa
      out: src/gen
      strategy: all
    - local: protoc-gen-buffa-packaging
      out: src/gen
      strategy: all
Then `mod gen;` in src/lib.rs.
",
    parameters: &[Parameter { name: "file_name", value: Value::FileName, help: "name of the file (mod.rs by default)" }],
    generate,
};

fn generate(request: &mut CodeGeneratorRequest<'_>, parameters: &[Assignment<'_>]) -> Result<Vec<GeneratedFile>, String> {
    let name = match parameters {
        [] => "mod.rs",
        [name] => &name.first,
        _ => return Err("parameter `file_name`: it may be given only once".into()),
    };
    let wanted: HashSet<&str> = request.file_to_generate.iter().map(|name| name.as_str()).collect();
    let files = request.proto_file.iter().filter(|file| wanted.contains(file.name.as_str()));
    let packages: Vec<&str> = files.map(|file| file.package.as_str()).collect();
    if let Some(package) = packages.iter().find(|package| file_name(package) == name) {
        return Err(format!("parameter `file_name`: `{name}` is the file of package `{package}`: choose another name"));
    }
    Ok(vec![GeneratedFile { name: name.to_owned(), content: module_tree(packages) }])
}
