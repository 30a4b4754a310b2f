//! What is generated, written and watched.

use super::support::{Folder, changed};
use crate::build::Config;
use crate::{Service, ServiceGenerator};

const A: &str = r#"syntax = "proto3"; package a; import "sub/b.proto"; import "google/protobuf/timestamp.proto";
    // Comment of A.
    message A { b.B b = 1; enum E { Z = 0; } oneof o { int32 x = 2; } string name = 3; }
    service S { rpc Get(A) returns (b.B); }"#;
const B: &str = r#"syntax = "proto3"; package b; import "c.proto"; message B { C c = 1; }"#;
const C: &str = r#"syntax = "proto3"; message C { int32 id = 1; }"#;

fn sources() -> Folder {
    Folder::new(&[("proto/a.proto", A), ("proto/sub/b.proto", B), ("proto/c.proto", C), ("proto/unused.proto", C)])
}

fn config(folder: &Folder) -> Config {
    let mut config = Config::new();
    config.files(&[folder.path("proto/a.proto")]).includes(&[folder.path("proto")]);
    config
}

#[test]
fn imports_are_generated_and_watched() {
    let folder = sources();
    let notes = folder.compiles(&config(&folder), &[]);
    assert_eq!(folder.outputs(), ["_.rs", "a.rs", "b.rs"]);
    assert!(folder.read("out/a.rs").contains("/// Comment of A."), "comments need --include_source_info");
    for name in ["proto/a.proto", "proto/sub/b.proto", "proto/c.proto"] {
        assert!(notes.contains(&changed(&folder.path(name))), "{name}: {notes:?}");
    }
    for line in notes.iter().filter(|line| line.starts_with("rerun-if-changed")) {
        assert!(!line.contains("unused.proto") && !line.contains("timestamp.proto"), "{line}");
    }
    for name in ["PROTOC", "PROTOC_INCLUDE", "PATH"] {
        assert!(notes.contains(&format!("rerun-if-env-changed={name}")), "{name}: {notes:?}");
    }
}

#[test]
fn a_file_may_be_named_as_its_importers_do() {
    let folder = sources();
    let mut config = Config::new();
    folder.compiles(config.files(&["sub/b.proto"]).includes(&[folder.path("proto")]), &[]);
    assert_eq!(folder.outputs(), ["_.rs", "b.rs"]);
}

#[test]
fn packages_elsewhere_are_not_generated() {
    let folder = sources();
    let mut config = config(&folder);
    folder.compiles(config.extern_path(".b", "::other::b"), &[]);
    assert_eq!(folder.outputs(), ["a.rs"]);
    assert!(folder.read("out/a.rs").contains("::other::b::B<'a>"));
}

#[test]
fn listed_well_known_types_are_generated() {
    let folder = Folder::new(&[]);
    let mut config = Config::new();
    folder.compiles(config.files(&["google/protobuf/struct.proto"]), &[]);
    assert_eq!(folder.outputs(), ["google.protobuf.rs"]);
}

#[test]
fn unchanged_outputs_keep_their_time() {
    let folder = sources();
    let config = config(&folder);
    folder.compiles(&config, &[]);
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    for name in folder.outputs() {
        let file = std::fs::File::options().write(true).open(folder.path("out").join(name)).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    folder.write("proto/c.proto", &C.replace("id", "identity"));
    folder.compiles(&config, &[]);
    let modified = |name: &str| std::fs::metadata(folder.path(name)).unwrap().modified().unwrap();
    assert_eq!(modified("out/a.rs"), long_ago);
    assert_eq!(modified("out/b.rs"), long_ago);
    assert_ne!(modified("out/_.rs"), long_ago);
}

#[test]
fn the_include_file_has_the_module_tree() {
    let folder = sources();
    let mut config = config(&folder);
    folder.compiles(config.include_file("all.rs"), &[]);
    assert_eq!(folder.read("out/all.rs"), crate::build::module_tree(["", "a", "b"]));
    let error = folder.fails(config.include_file("a.rs"), &[]);
    assert_eq!(error, "a.rs: is the file of a package and cannot be the `.include_file(…)`\nhelp: choose another name for it");
}

#[test]
fn out_dir_is_made() {
    let folder = sources();
    let mut config = config(&folder);
    folder.compiles(config.out_dir(folder.path("new/er")), &[]);
    assert!(folder.path("new/er/a.rs").is_file());
    assert!(folder.outputs().is_empty());
}

#[test]
fn without_any_output_directory() {
    let folder = sources();
    let mut notes = crate::build::notes::Notes::default();
    let environment = crate::build::environment::Environment::of(&[]);
    let error = config(&folder).compile_in(&environment, &mut notes).unwrap_err().to_string();
    assert_eq!(error, "OUT_DIR: is not set, so this is no build script\nhelp: name a directory with `.out_dir(…)`");
}

#[test]
fn options_reach_the_generator() {
    let folder = sources();
    let mut config = config(&folder);
    config
        .type_attribute(".a", "#[doc = \"type\"]")
        .message_attribute("a.A", "#[doc = \"message\"]")
        .enum_attribute("a.A.E", "#[doc = \"enum\"]")
        .oneof_attribute("a.A.o", "#[doc = \"oneof\"]")
        .field_attribute("a.A.name", "#[doc = \"field\"]")
        .omit_comments(".a")
        .exclude("b.B")
        .extern_path("b.B", "::x::B");
    folder.compiles(&config, &[]);
    let text = folder.read("out/a.rs");
    let count = |what: &str| text.matches(&format!("#[doc = \"{what}\"]")).count();
    assert_eq!(["type", "message", "enum", "oneof", "field"].map(count), [3, 1, 1, 1, 1]);
    assert!(!text.contains("Comment of A"));
    assert!(!folder.read("out/b.rs").contains("struct B"));
}

#[test]
fn verify_utf8_reaches_the_generator() {
    let folder = Folder::new(&[("p.proto", "syntax = \"proto2\"; package p; message P { optional string s = 1; }")]);
    let mut config = Config::new();
    config.files(&["p.proto"]).includes(&[folder.path(".")]);
    folder.compiles(&config, &[]);
    assert!(folder.read("out/p.rs").contains("pub s: ::buffa::Blob<'a>"));
    folder.compiles(config.verify_utf8(".p"), &[]);
    assert!(folder.read("out/p.rs").contains("pub s: ::buffa::Str<'a>"));
}

#[test]
fn services_go_to_the_hook() {
    struct Names;
    impl ServiceGenerator for Names {
        fn generate(&self, service: &Service, out: &mut String) {
            out.push_str(&format!("// service {} {}\n", service.full_name, service.methods[0].output));
        }
    }
    let folder = sources();
    let mut config = config(&folder);
    folder.compiles(config.service_generator(Box::new(Names)), &[]);
    assert!(folder.read("out/a.rs").contains("// service a.S super::b::B\n"));
}

#[test]
fn a_schema_error_carries_the_words_of_protoc() {
    let folder = Folder::new(&[("bad.proto", "syntax = \"proto3\";\nmessage M { Missing m = 1; }")]);
    let mut config = Config::new();
    let (result, notes) = folder.compile(config.files(&[folder.path("bad.proto")]).includes(&[folder.path(".")]), &[]);
    let error = result.unwrap_err();
    let words = format!("{}:2:13: \"Missing\" is not defined.", folder.path("bad.proto").display());
    assert_eq!(error.compiler_output(), format!("{words}\n"));
    let text = error.to_string();
    assert!(text.ends_with(&format!("failed with exit code 1\n{words}\nhelp: correct the schema")), "{text}");
    assert_eq!(format!("{error:?}"), text, "what Cargo shows when main returns the error");
    assert!(notes.contains(&changed(&folder.path("bad.proto"))), "{notes:?}");
}

#[test]
fn errors_say_what_to_do() {
    let folder = sources();
    let text = folder.fails(&Config::new(), &[]);
    assert_eq!(text, "Config: has nothing to compile\nhelp: name files with `.files(&[…])`");

    let advice = |file: &str, include: &str| {
        let mut config = Config::new();
        let text = folder.fails(config.files(&[folder.path(file)]).includes(&[folder.path(include)]), &[]);
        text.rsplit("\nhelp: ").next().unwrap().to_owned()
    };
    folder.write("future.proto", "edition = \"9000\";");
    let spelling = "check the spelling, or name the directory that imports are relative to with `.includes(…)`";
    assert_eq!(advice("proto/absent.proto", "proto"), spelling);
    assert_eq!(advice("proto/sub/b.proto", "proto/sub"), spelling);
    assert!(advice("proto/a.proto", "proto/sub").starts_with("name the directory that holds the file with `.includes(…)`"));
    assert!(advice("future.proto", ".").starts_with("use a newer protoc"));

    folder.write("file", "");
    let mut config = self::config(&folder);
    let text = folder.fails(config.out_dir(folder.path("file/out")), &[]);
    assert!(text.contains("file/out: cannot be made: ") && text.ends_with("help: choose another `.out_dir(…)`"), "{text}");
}
