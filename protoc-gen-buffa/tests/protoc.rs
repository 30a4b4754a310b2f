//! Both plugins under the embedded protoc: the same output as the library's, and it compiles.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod support;

/// What the last test below compares with; compiled here, without a warning.
#[deny(warnings)]
#[allow(unreachable_pub, dead_code, missing_docs)] // a test is no library, whose interface this would be
#[path = "generated/mod.rs"]
mod generated;

use buffa::descriptor::FileDescriptorSet;
use buffa::{Arena, Message};
use buffa_codegen::Options;
use support::{FILES, Folder, protoc, succeeds, tests};

#[test]
fn the_plugin_generates_what_the_library_generates() {
    let folder = Folder::new();
    let out = format!("--buffa_out={}", folder.0.display());
    succeeds(protoc().arg(out).args(FILES));
    compare(&folder, &Options::new());
}

#[test]
fn parameters_reach_the_generator() {
    let folder = Folder::new();
    let parameters = r#"type_attribute=.shop=#[doc = "a\, b"],extern_path=.shop.type=::money,omit_comments=."#;
    succeeds(
        protoc()
            .arg(format!("--buffa_out={}", folder.0.display()))
            .arg(format!("--buffa_opt={parameters}"))
            .arg("--buffa_opt=exclude=Plain")
            .args(FILES),
    );
    let mut options = Options::new();
    options.type_attribute(".shop", "#[doc = \"a, b\"]").extern_path(".shop.type", "::money").omit_comments(".").exclude("Plain");
    compare(&folder, &options);
    assert!(folder.read("shop.v1.rs").contains("#[doc = \"a, b\"]\n#[repr(C)]\npub struct Order<'a>"));
}

/// Compares all of `folder` with the output of `buffa_codegen::generate`.
fn compare(folder: &Folder, options: &Options) {
    let other = Folder::new();
    let set = other.0.join("set.binpb");
    succeeds(
        protoc()
            .args(["--include_imports", "--include_source_info"])
            .arg(format!("--descriptor_set_out={}", set.display()))
            .args(FILES),
    );
    let bytes = std::fs::read(&set).unwrap();
    let arena = Arena::new();
    let set = FileDescriptorSet::decode(&bytes, &arena).unwrap();
    let expected = buffa_codegen::generate(&set, &FILES, options).unwrap();
    let mut names: Vec<&str> = expected.iter().map(|file| file.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(folder.names(), names);
    for file in &expected {
        assert_eq!(folder.read(&file.name), file.content, "{}", file.name);
    }
}

#[test]
fn every_edition_is_accepted() {
    let folder = Folder::new();
    let editions =
        ["syntax = \"proto2\"", "syntax = \"proto3\"", "edition = \"2023\"", "edition = \"2024\"", "edition = \"2026\""];
    for (number, edition) in editions.iter().enumerate() {
        let file = format!("e{number}.proto");
        std::fs::write(folder.0.join(&file), format!("{edition}; package e{number}; message M {{}}")).unwrap();
        succeeds(
            protoc()
                .arg("-I")
                .arg(&folder.0)
                .arg("--experimental_editions")
                .arg(format!("--buffa_out={}", folder.0.display()))
                .arg(file),
        );
        assert!(folder.read(&format!("e{number}.rs")).contains("pub struct M<'a>"), "{edition}");
    }
}

#[test]
fn mistakes_are_reported_by_protoc() {
    let folder = Folder::new();
    let fails = |arguments: &[&str]| {
        let out = format!("--buffa_out={}", folder.0.display());
        let output =
            protoc().arg(out).arg(format!("--buffa-packaging_out={}", folder.0.display())).args(arguments).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        fails(&["--buffa_opt=type_atribute=.a=#[x]", "plain.proto"]),
        "--buffa_out: unknown parameter `type_atribute`: did you mean `type_attribute`? (accepted: `extern_path`, `type_attribute`, \
         `message_attribute`, `enum_attribute`, `oneof_attribute`, `field_attribute`, `verify_utf8`, `exclude`, `omit_comments`; \
         a comma inside a value is written `\\,`)\n"
    );
    assert_eq!(
        fails(&["--buffa-packaging_opt=file=x.rs", "plain.proto"]),
        "--buffa-packaging_out: unknown parameter `file` (accepted: `file_name`; a comma inside a value is written `\\,`)\n"
    );
    assert_eq!(
        fails(&["--buffa-packaging_opt=file_name=shop.v1.rs", "shop/order.proto"]),
        "--buffa-packaging_out: parameter `file_name`: `shop.v1.rs` is the file of package `shop.v1`: choose another name\n"
    );
    assert!(folder.names().is_empty(), "protoc writes nothing when a plugin fails");
}

/// `BLESS=1` rewrites `generated/`.
#[test]
fn both_plugins_together_make_a_module_tree_that_compiles() {
    let folder = Folder::new();
    succeeds(
        protoc()
            .arg(format!("--buffa_out={}", folder.0.display()))
            .arg(format!("--buffa-packaging_out={}", folder.0.display()))
            .args(FILES),
    );
    compare_with_golden(&folder);

    let money = generated::shop::r#type::Money { currency: "EUR".into(), ..Default::default() };
    assert_eq!(money.units_or_default(), 1);
    let mut money = money;
    let order = generated::shop::v1::Order { id: 7.into(), total: (&mut money).into(), ..Default::default() };
    let bytes = order.encode_to_vec();
    let back = generated::shop::v1::Order::decode_from_slice(&bytes).unwrap();
    assert_eq!(&*back.get().total.currency, b"EUR");
    assert_eq!(generated::Plain { maybe: 1.into(), ..Default::default() }.encode_to_vec(), [8, 1]);
}

fn compare_with_golden(folder: &Folder) {
    let golden = tests().join("generated");
    assert_eq!(folder.names(), ["_.rs", "mod.rs", "shop.type.rs", "shop.v1.rs"]);
    for name in folder.names() {
        let new = folder.read(&name);
        let path = golden.join(&name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, new).unwrap();
        } else {
            let old = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(old == new, "{} is out of date; run with BLESS=1", path.display());
        }
    }
}
