//! Services: described neutrally, printed by whoever knows the RPC library.

/// Prints code for services; its output is appended to the file of the package.
pub trait ServiceGenerator {
    /// Appends Rust source for `service` to `out`.
    fn generate(&self, service: &Service, out: &mut String);
}

/// A service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Service {
    /// Rust name, CamelCase and unique among the services of its file.
    pub name: String,
    /// Name in the `.proto` file.
    pub proto_name: String,
    /// Package, empty for none.
    pub package: String,
    /// Package and name, dotted.
    pub full_name: String,
    /// Comment lines, safe to be printed as doc comments.
    pub comments: Vec<String>,
    /// Whether the service is marked deprecated.
    pub deprecated: bool,
    /// The methods in declaration order.
    pub methods: Vec<Method>,
}

/// A method of a service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// Rust name, snake_case and unique in its service.
    pub name: String,
    /// Name in the `.proto` file.
    pub proto_name: String,
    /// Rust path of the input from the module of the package, without the lifetime that every message has.
    pub input: String,
    /// Rust path of the output, likewise.
    pub output: String,
    /// Full protobuf name of the input.
    pub proto_input: String,
    /// Full protobuf name of the output.
    pub proto_output: String,
    /// Whether the client sends a stream.
    pub client_streaming: bool,
    /// Whether the server sends a stream.
    pub server_streaming: bool,
    /// Comment lines, safe to be printed as doc comments.
    pub comments: Vec<String>,
    /// Whether the method is marked deprecated.
    pub deprecated: bool,
}
