//! The plugin that generates code.

fn main() -> std::process::ExitCode {
    protoc_gen_buffa::main(&protoc_gen_buffa::GENERATOR)
}
