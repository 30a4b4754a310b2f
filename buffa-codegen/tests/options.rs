//! What options do to the output.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod common;

use buffa_codegen::{Options, Service, ServiceGenerator};
use std::path::{Path, PathBuf};

/// A folder of `.proto` files that vanishes.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("buffa-codegen-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for (name, text) in files {
            std::fs::write(path.join(name), text).unwrap();
        }
        Folder(path)
    }

    fn one(name: &str, text: &str, options: &Options) -> String {
        let folder = Folder::new(name, &[("a.proto", text)]);
        common::generate(&folder.0, &["a.proto"], options).remove(0).content
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A leftover in the temporary folder harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The line that holds `text`, trimmed.
fn line<'c>(code: &'c str, text: &str) -> &'c str {
    code.lines().map(str::trim).find(|line| line.contains(text)).unwrap_or_else(|| panic!("no {text} in\n{code}"))
}

/// C20: dotted segments, no prefix match.
#[test]
fn extern_paths() {
    let files = [
        ("bar.proto", "syntax = 'proto3'; package foo.bar; message A { message B {} } enum E { Z = 0; }"),
        ("barbaz.proto", "syntax = 'proto3'; package foo.barbaz; message A {}"),
        (
            "use.proto",
            "syntax = 'proto3'; package foo; import 'bar.proto'; import 'barbaz.proto';
             message M { foo.bar.A.B b = 1; foo.barbaz.A a = 2; foo.bar.E e = 3; }",
        ),
    ];
    let folder = Folder::new("extern", &files);
    let mut options = Options::new();
    options.extern_path(".foo.bar", "::other::bar").extern_path("foo.bar.E", "crate::Special");
    let code = &common::generate(&folder.0, &["use.proto"], &options)[0].content;
    assert_eq!(line(code, "pub b:"), "pub b: ::buffa::MessageField<'a, ::other::bar::a::B<'a>>,");
    assert_eq!(line(code, "pub a:"), "pub a: ::buffa::MessageField<'a, barbaz::A<'a>>,");
    assert_eq!(line(code, "pub e:"), "pub e: ::buffa::EnumValue<crate::Special>,");
}

#[test]
fn attributes_exclusion_and_comments() {
    let text = "syntax = 'proto3'; package p;
        // Said.
        message M { /* Told. */ int32 a = 1; oneof o { int32 x = 2; } enum E { Z = 0; } }
        message Gone { int32 a = 1; }
        enum GoneToo { G = 0; }";
    let mut options = Options::new();
    options
        .type_attribute(".", "#[cfg(all())]")
        .message_attribute("M", "#[doc = \"m\"]")
        .enum_attribute("M.E", "#[derive(MyEnum)]")
        .oneof_attribute("M.o", "#[derive(MyOneof)]")
        .field_attribute("M.a", "#[doc = \"a\"]")
        .field_attribute("M.x", "#[doc = \"x\"]")
        .field_attribute("Z", "#[doc = \"z\"]")
        .exclude("Gone")
        .exclude(".p.GoneToo")
        .omit_comments(".p.M.a");
    let code = Folder::one("attributes", text, &options);
    let before = |item: &str| {
        let at = code.lines().position(|line| line.trim().starts_with(item)).unwrap_or_else(|| panic!("no {item} in\n{code}"));
        let lines: Vec<&str> = code.lines().map(str::trim).collect();
        let begin = lines[..at].iter().rposition(|line| !line.starts_with("//") && !line.starts_with("#[")).unwrap_or(0);
        lines[begin + 1..at].join(" ")
    };
    assert_eq!(before("pub struct M<'a>"), "/// Said. #[cfg(all())] #[doc = \"m\"] #[repr(C)]");
    assert_eq!(before("pub a:"), "#[doc = \"a\"]");
    assert_eq!(before("X(i32)"), "#[doc = \"x\"]");
    assert_eq!(before("Z = 0"), "#[doc = \"z\"]");
    assert!(before("pub enum E").contains("#[derive(MyEnum)]") && before("pub enum O").contains("#[derive(MyOneof)]"));
    assert!(!code.contains("Gone"));
}

#[test]
fn verified_proto2_strings() {
    let text = "syntax = 'proto2'; package p; message M { optional string raw = 1; optional string text = 2; }";
    let code = Folder::one("utf8", text, Options::new().verify_utf8("M.text"));
    assert_eq!(line(&code, "pub raw:"), "pub raw: ::buffa::Blob<'a>,");
    assert_eq!(line(&code, "pub text:"), "pub text: ::buffa::Str<'a>,");
}

#[test]
fn services() {
    struct Printer;
    impl ServiceGenerator for Printer {
        fn generate(&self, service: &Service, out: &mut String) {
            out.push_str(&format!("// {} {} {:?}\n", service.name, service.full_name, service.comments));
            for method in &service.methods {
                out.push_str(&format!(
                    "// {} {} {} -> {} {} {} {:?}\n",
                    method.name,
                    method.proto_name,
                    method.input,
                    method.output,
                    method.client_streaming,
                    method.server_streaming,
                    method.comments
                ));
            }
        }
    }
    let text = "syntax = 'proto3'; package p.q;
        import 'google/protobuf/empty.proto';
        message M { message Reply {} }
        // Greets.
        service Greeter {
          // Says [hello].
          rpc SayHello(M) returns (stream M.Reply);
          rpc Type(stream google.protobuf.Empty) returns (M);
        }";
    let mut options = Options::new();
    options.service_generator(Printer);
    let code = Folder::one("services", text, &options);
    let tail: Vec<&str> = code.lines().rev().take(3).collect();
    assert_eq!(
        tail,
        [
            "// r#type Type ::buffa::wkt::Empty -> M true false []",
            "// say_hello SayHello M -> m::Reply false true [\"Says \\\\[hello\\\\].\"]",
            "// Greeter p.q.Greeter [\"Greets.\"]",
        ]
    );
}

/// C7 and C18 across files, and one file per package whatever the number of `.proto` files.
#[test]
fn packages() {
    let files = [
        ("a.proto", "syntax = 'proto3'; message A { int32 x = 1; }"),
        ("b.proto", "syntax = 'proto3'; message B { int32 x = 1; }"),
        ("c.proto", "syntax = 'proto3'; package q; message A { int32 x = 1; }"),
    ];
    let folder = Folder::new("packages", &files);
    let generated = common::generate(&folder.0, &["a.proto", "b.proto", "c.proto"], &Options::new());
    let names: Vec<&str> = generated.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["_.rs", "q.rs"]);
    assert!(generated[0].content.contains("pub struct A<'a>") && generated[0].content.contains("pub struct B<'a>"));
    assert!(Path::new(&generated[1].name).extension().is_some());
}
