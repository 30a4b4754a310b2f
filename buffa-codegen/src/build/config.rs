//! Settings of a build script, and its run.

use super::compiler::{self, Protoc};
use super::environment::Environment;
use super::notes::Notes;
use super::sources::Sources;
use super::{Error, module_tree, output};
use crate::{GeneratedFile, Options, Service, ServiceGenerator};
use buffa::descriptor::FileDescriptorSet;
use buffa::{Arena, Message};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Compiles `.proto` files to Rust, one file per package, for `buffa::include_proto!`.
///
/// Rust is generated for the listed files and for what they import, except for `google/protobuf/*.proto`, whose types the
/// runtime has, and for packages with an [`Config::extern_path`].
#[derive(Default)]
pub struct Config {
    files: Vec<PathBuf>,
    includes: Vec<PathBuf>,
    out_dir: Option<PathBuf>,
    include_file: Option<PathBuf>,
    input: Input,
    protoc_args: Vec<OsString>,
    options: Options,
}

/// Where the descriptors come from.
enum Input {
    /// From protoc: this one, or the first that is found.
    Protoc(Option<PathBuf>),
    Buf,
    Set(PathBuf),
}

impl Default for Input {
    fn default() -> Input {
        Input::Protoc(None)
    }
}

/// Methods of [`Options`] under the same name.
macro_rules! forward {
    ($($method:ident($($argument:ident),+);)+) => {$(
        #[doc = concat!("See [`Options::", stringify!($method), "`].")]
        pub fn $method(&mut self, $($argument: &str),+) -> &mut Config {
            self.options.$method($($argument),+);
            self
        }
    )+};
}

impl Config {
    /// The defaults.
    pub fn new() -> Config {
        Config::default()
    }

    /// Adds files to compile: paths relative to the package's directory (`proto/a.proto`), or names relative to an include
    /// directory (`a.proto`).
    pub fn files(&mut self, files: &[impl AsRef<Path>]) -> &mut Config {
        self.files.extend(files.iter().map(|path| path.as_ref().to_owned()));
        self
    }

    /// Adds directories that imports are relative to, searched in this order. Without any it is the package's directory.
    /// The directory in the variable `PROTOC_INCLUDE` and that of the well-known types always come after them.
    pub fn includes(&mut self, directories: &[impl AsRef<Path>]) -> &mut Config {
        self.includes.extend(directories.iter().map(|path| path.as_ref().to_owned()));
        self
    }

    /// Writes to this directory (made if missing) instead of `OUT_DIR`.
    pub fn out_dir(&mut self, directory: impl AsRef<Path>) -> &mut Config {
        self.out_dir = Some(directory.as_ref().to_owned());
        self
    }

    /// Writes one more file, e.g. `protos.rs`, with the module tree of all packages, so that one
    /// `include!(concat!(env!("OUT_DIR"), "/protos.rs"));` brings in everything.
    pub fn include_file(&mut self, name: impl AsRef<Path>) -> &mut Config {
        self.include_file = Some(name.as_ref().to_owned());
        self
    }

    /// Compiles with this protoc, instead of the one in the variable `PROTOC`, on `PATH` or embedded, tried in this order.
    pub fn protoc(&mut self, program: impl AsRef<Path>) -> &mut Config {
        self.input = Input::Protoc(Some(program.as_ref().to_owned()));
        self
    }

    /// Adds an argument for protoc, e.g. `--experimental_editions`.
    pub fn protoc_arg(&mut self, argument: impl Into<OsString>) -> &mut Config {
        self.protoc_args.push(argument.into());
        self
    }

    /// Compiles with `buf build --as-file-descriptor-set -o -`, run in the package's directory. [`Config::files`] may then be
    /// left out: everything that buf builds is generated. Name the modules' directories as [`Config::includes`], so that Cargo
    /// notices changes.
    pub fn buf(&mut self) -> &mut Config {
        self.input = Input::Buf;
        self
    }

    /// Reads a `FileDescriptorSet` (made with `protoc --include_imports --include_source_info -o`) instead of compiling.
    /// [`Config::files`] may then be left out: everything in the set is generated.
    pub fn descriptor_set(&mut self, path: impl AsRef<Path>) -> &mut Config {
        self.input = Input::Set(path.as_ref().to_owned());
        self
    }

    /// Sets what is printed for services (nothing by default).
    pub fn service_generator(&mut self, generator: Box<dyn ServiceGenerator>) -> &mut Config {
        self.options.service_generator(Boxed(generator));
        self
    }

    forward! {
        extern_path(proto, rust);
        type_attribute(path, attribute);
        message_attribute(path, attribute);
        enum_attribute(path, attribute);
        oneof_attribute(path, attribute);
        field_attribute(path, attribute);
        verify_utf8(path);
        exclude(path);
        omit_comments(path);
    }

    /// Generates the code. Files whose text does not change are left alone. In a build script it also tells Cargo what to watch:
    /// every imported file, and the environment variables that were looked at.
    ///
    /// # Errors
    /// When there is no compiler, when it rejects the files (its words are in the error), when the generator cannot express
    /// them, or when the output cannot be written.
    pub fn compile(&self) -> Result<(), Error> {
        let environment = Environment::process();
        with_notes(&environment, |notes| self.compile_in(&environment, notes))
    }

    /// The encoded `FileDescriptorSet` that [`Config::compile`] would read: for reflection, or to look at.
    ///
    /// # Errors
    /// When there is no compiler, or when it rejects the files.
    pub fn descriptors(&self) -> Result<Vec<u8>, Error> {
        let environment = Environment::process();
        with_notes(&environment, |notes| self.descriptors_in(&environment, notes))
    }

    pub(super) fn compile_in(&self, environment: &Environment, notes: &mut Notes) -> Result<(), Error> {
        let Some(out_dir) = self.out_dir.clone().or_else(|| environment.path("OUT_DIR")) else {
            return Err(
                Error::new("OUT_DIR", "is not set, so this is no build script").fix("name a directory with `.out_dir(…)`")
            );
        };
        let bytes = self.load(environment, notes)?;
        let arena = Arena::new();
        let set = self.decode(&bytes, &arena)?;
        let sources = Sources::new(&set, &self.directories(environment));
        self.watch(&sources, notes);
        let names = sources.to_generate(&self.files, &self.options)?;
        if matches!(self.input, Input::Buf) {
            let lost = names.iter().filter(|name| sources.path(name).is_none());
            lost.for_each(|name| {
                let text = format!("{name} is not below an include directory: add `.includes(…)`, or changes to it go unnoticed");
                notes.warnings(text.as_bytes());
            });
        }
        let generated = crate::generate(&set, &names, &self.options)?;
        self.write(&out_dir, &generated)
    }

    pub(super) fn descriptors_in(&self, environment: &Environment, notes: &mut Notes) -> Result<Vec<u8>, Error> {
        let bytes = self.load(environment, notes)?;
        let arena = Arena::new();
        let set = self.decode(&bytes, &arena)?;
        self.watch(&Sources::new(&set, &self.directories(environment)), notes);
        Ok(bytes)
    }

    fn write(&self, out_dir: &Path, generated: &[GeneratedFile]) -> Result<(), Error> {
        std::fs::create_dir_all(out_dir).map_err(|error| {
            Error::new(out_dir.display(), format!("cannot be made: {error}")).fix("choose another `.out_dir(…)`")
        })?;
        if let Some(name) = &self.include_file {
            if let Some(clash) = generated.iter().find(|file| Path::new(&file.name) == name) {
                return Err(Error::new(&clash.name, "is the file of a package and cannot be the `.include_file(…)`")
                    .fix("choose another name for it"));
            }
            let stems = generated.iter().map(|file| file.name.strip_suffix(".rs").unwrap_or(&file.name));
            let packages = stems.map(|stem| if stem == "_" { "" } else { stem });
            output::write_if_changed(&out_dir.join(name), &module_tree(packages))?;
        }
        generated.iter().try_for_each(|file| output::write_if_changed(&out_dir.join(&file.name), &file.content))
    }

    /// The encoded descriptor set, from wherever it comes.
    fn load(&self, environment: &Environment, notes: &mut Notes) -> Result<Vec<u8>, Error> {
        match &self.input {
            Input::Protoc(_) if self.files.is_empty() => {
                Err(Error::new("Config", "has nothing to compile").fix("name files with `.files(&[…])`"))
            }
            Input::Protoc(explicit) => {
                let protoc = Protoc::find(explicit.as_deref(), environment, notes)?;
                notes.variable("PROTOC_INCLUDE");
                // Also when protoc is about to fail, so that a corrected file is noticed.
                self.files.iter().filter(|path| path.is_file()).for_each(|path| notes.file(path));
                protoc.run(&self.files, &self.directories(environment), &self.protoc_args, notes)
            }
            Input::Buf => {
                let settings = ["buf.yaml", "buf.lock", "buf.work.yaml"].map(Path::new);
                settings.into_iter().filter(|path| path.is_file()).for_each(|path| notes.file(path));
                compiler::buf(environment, notes)
            }
            Input::Set(path) => {
                notes.file(path);
                std::fs::read(path).map_err(|error| {
                    Error::new(path.display(), format!("cannot be read: {error}"))
                        .fix("make it with `protoc --include_imports --include_source_info -o`")
                })
            }
        }
    }

    fn decode<'a>(&self, bytes: &'a [u8], arena: &'a Arena<'_>) -> Result<FileDescriptorSet<'a>, Error> {
        FileDescriptorSet::decode(bytes, arena).map_err(|error| match &self.input {
            Input::Set(path) => Error::new(path.display(), format!("is no FileDescriptorSet: {error}"))
                .fix("make it with `protoc --include_imports --include_source_info -o`"),
            Input::Protoc(_) => {
                Error::new("protoc", format!("wrote no valid FileDescriptorSet: {error}")).fix("use another protoc")
            }
            Input::Buf => Error::new("buf", format!("wrote no valid FileDescriptorSet: {error}")).fix("use another buf"),
        })
    }

    /// Where the user's files are. The well-known types are not among them: what comes with a compiler does not change.
    fn directories(&self, environment: &Environment) -> Vec<PathBuf> {
        let mut directories = self.includes.clone();
        if directories.is_empty() {
            directories.push(".".into());
        }
        directories.extend(environment.path("PROTOC_INCLUDE"));
        directories
    }

    /// Lets Cargo run the script again when a source changes. A ready descriptor set has no sources.
    fn watch(&self, sources: &Sources<'_>, notes: &mut Notes) {
        if !matches!(self.input, Input::Set(_)) {
            sources.paths().for_each(|path| notes.file(path));
        }
    }
}

/// Runs `step` and passes what it notes on to Cargo, if Cargo is listening.
fn with_notes<T>(environment: &Environment, step: impl FnOnce(&mut Notes) -> Result<T, Error>) -> Result<T, Error> {
    let mut notes = Notes::default();
    let result = step(&mut notes);
    if environment.path("OUT_DIR").is_some() {
        notes.print();
    }
    result
}

/// What [`Options`] takes by value, for those who only have it boxed.
struct Boxed(Box<dyn ServiceGenerator>);

impl ServiceGenerator for Boxed {
    fn generate(&self, service: &Service, out: &mut String) {
        self.0.generate(service, out);
    }
}
