//! What of a target the layout depends on.

/// Pointer width and alignment of eight-byte numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Bytes of a pointer, and its alignment.
    pub pointer: usize,
    /// Alignment of `u64`, `i64` and `f64`.
    pub align_u64: usize,
}

impl Target {
    /// 64-bit targets. Whether a field is wide is decided for these, the larger layout.
    pub const BITS_64: Target = Target { pointer: 8, align_u64: 8 };
    /// 32-bit targets with naturally aligned `u64`: ARM, RISC-V, wasm.
    pub const BITS_32: Target = Target { pointer: 4, align_u64: 8 };
    /// 32-bit x86 on Linux.
    pub const I686: Target = Target { pointer: 4, align_u64: 4 };
    /// The target this very crate is compiled for.
    pub const HOST: Target = Target { pointer: size_of::<*const ()>(), align_u64: align_of::<u64>() };
}
