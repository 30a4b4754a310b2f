//! What generated code uses; no public API.

pub use crate::extension::{Carrier, FieldFamily};
pub use crate::walk::{debug, eq};
pub use buffa_arena::{
    Blob, DefaultInstance, EnumValue, LivesIn, Map, MapEntry, MessageField, Optional, Repeated, Str, UnknownFields,
};
pub use buffa_tables::{Aux, EnumTable, FieldEntry as Entry, Flags, Kind, Mode, NameRef, NameTable, Op, Table, TableRef};

pub use default_value::default;

mod default_value {
    //! Default messages.
    #![allow(unsafe_code)] // zeroed memory

    use buffa_arena::LivesIn;

    /// The default message.
    #[inline]
    pub fn default<'a, M: LivesIn<'a>>() -> M {
        // SAFETY: all-zero bytes are the default value (contract of `DefaultInstance`).
        unsafe { core::mem::zeroed() }
    }
}
