//! The message types by the names that the corpus uses.

use crate::engines::{Outcome, Setup, agree};
use crate::{ed, ext, kinds, s2, s3, wide};

/// A message type, erased.
#[derive(Clone, Copy)]
pub struct Type {
    pub name: &'static str,
    /// Runs every engine.
    pub agree: fn(&[u8], &Setup<'_>) -> (Outcome, usize),
}

macro_rules! types {
    ($($module:ident { $($name:ident)* })*) => {
        /// All of them.
        pub const TYPES: &[Type] = &[
            $($(Type { name: concat!(stringify!($module), ".", stringify!($name)), agree: agree::<$module::$name<'static>> },)*)*
        ];
    };
}
types! {
    s2 { M Sub SubB Req E Groups Unordered Packed Deep Big P F Defaults }
    s3 { M Sub SubB E Holder }
    ed { G Sub U X }
    kinds { Implicit Explicit Required Oneof Packed Expanded MapKey MapValue All Leaf }
    ext { Host Set SetHolder }
    wide { Wide }
}

/// The type with this name.
pub fn find(name: &str) -> Type {
    *TYPES.iter().find(|found| found.name == name).unwrap_or_else(|| panic!("no message {name}"))
}
