//! The corpus of wire cases and what runs it.
//!
//! ```text
//! cases/*.txt ─ corpus ─▶ Case ─ types (by name) ─▶ engines: the same input through every way to decode it
//!                                                    └─ encoders: every way to encode the result, all equal
//! proto/*.proto ─ build.rs ─▶ s2, s3, ed, kinds, ext, wide
//! naive: a wire splitter of thirty lines, the oracle for structure
//! guard: memory that ends at an unmapped page, where every input and every output lies
//! ```
#![allow(missing_docs, reason = "test support, not published")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "test support: a surprise is a failed test")]

pub mod corpus;
pub mod encoders;
pub mod engines;
pub mod guard;
pub mod hex;
pub mod naive;
pub mod types;
pub mod values;

macro_rules! schemas {
    ($($name:ident = $package:literal),*) => {$(
        #[allow(dead_code, clippy::all, rustdoc::all, unreachable_pub, reason = "generated")]
        pub mod $name {
            buffa::include_proto!($package);
        }
    )*};
}
schemas!(s2 = "s2", s3 = "s3", ed = "ed", kinds = "kinds", ext = "ext", wide = "wide");

/// Runs a test on a stack that has room for many unoptimized copies of the wide message, of 200 KB each. Tests of nesting do not use it.
pub fn on_large_stack(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, test).unwrap();
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    });
}
