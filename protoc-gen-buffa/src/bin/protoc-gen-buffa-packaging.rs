//! The plugin that generates the module tree.

fn main() -> std::process::ExitCode {
    protoc_gen_buffa::main(&protoc_gen_buffa::PACKAGING)
}
