//! The protoc that comes with the feature `protoc`.

use std::path::PathBuf;

/// The program, or why there is none for this platform.
pub(super) fn program() -> Result<PathBuf, String> {
    protoc_bin_vendored::protoc_bin_path().map_err(|error| error.to_string())
}

/// The directory with `google/protobuf/*.proto`.
pub(super) fn include() -> Option<PathBuf> {
    protoc_bin_vendored::include_path().ok()
}
