//! Files that are only touched when their text changes, so that Cargo does not rebuild what depends on them.

use super::Error;
use std::path::Path;

/// Writes `content` to `path` unless that is what stands there.
pub(super) fn write_if_changed(path: &Path, content: &str) -> Result<(), Error> {
    if std::fs::read(path).is_ok_and(|old| old == content.as_bytes()) {
        return Ok(());
    }
    std::fs::write(path, content).map_err(|error| {
        Error::new(path.display(), format!("cannot be written: {error}")).fix("choose a writable directory with `.out_dir(…)`")
    })
}
