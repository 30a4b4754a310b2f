//! Stands in for the embedded protoc in builds without the feature `protoc`.

use std::path::PathBuf;

/// Never there.
pub(super) fn program() -> Result<PathBuf, String> {
    Err("buffa-codegen was built without its feature `protoc`".into())
}

/// Never there.
pub(super) fn include() -> Option<PathBuf> {
    None
}
