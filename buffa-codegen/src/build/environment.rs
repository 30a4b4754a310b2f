//! What is read from the environment; a value, so that tests need not change that of the process.

use std::ffi::OsString;
use std::path::PathBuf;

/// The value of a variable.
type Lookup = dyn Fn(&str) -> Option<OsString>;

pub(super) struct Environment {
    lookup: Box<Lookup>,
}

impl Environment {
    /// That of this process.
    pub(super) fn process() -> Environment {
        Environment { lookup: Box::new(|name| std::env::var_os(name)) }
    }

    /// One with these variables only.
    #[cfg(test)]
    pub(super) fn of(variables: &[(&str, &std::ffi::OsStr)]) -> Environment {
        let variables: Vec<(String, OsString)> =
            variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        Environment {
            lookup: Box::new(move |name| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())),
        }
    }

    /// A path in a variable; an empty one counts as unset, since CI systems cannot always unset.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        (self.lookup)(name).filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    /// Where `program` is on `PATH`.
    pub(super) fn find_program(&self, program: &str) -> Option<PathBuf> {
        let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        let directories = (self.lookup)("PATH")?;
        std::env::split_paths(&directories).map(|directory| directory.join(&file)).find(|path| path.is_file())
    }
}
