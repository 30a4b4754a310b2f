//! Layout and table construction from a schema.
