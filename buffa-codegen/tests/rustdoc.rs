//! Case C21: comments of a schema are neither doctests nor a cause of warnings.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::path::Path;
use std::process::Command;

/// The doc comments of a golden, on items that need no runtime.
fn documented(golden: &str) -> String {
    let mut text = String::from("//! Comments.\n#![allow(nonstandard_style)]\n");
    let mut items = 0;
    for line in golden.lines().map(str::trim) {
        if line.starts_with("///") && !line.starts_with("/// What is nested in [`") {
            text.push_str(line);
            text.push('\n');
        } else if text.ends_with('\n') && text.lines().last().is_some_and(|last| last.starts_with("///")) {
            items += 1;
            text.push_str(&format!("pub struct Item{items};\n"));
        }
    }
    assert!(items >= 5);
    text
}

#[test]
fn comments_do_no_harm() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rustdoc = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    let folder = std::env::temp_dir().join(format!("buffa-codegen-rustdoc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for golden in ["tests/golden/comments.rs", "../buffa-runtime/src/descriptor/generated.rs"] {
        let source = folder.join("comments.rs");
        std::fs::write(&source, documented(&std::fs::read_to_string(manifest.join(golden)).unwrap())).unwrap();
        let output = Command::new(&rustdoc)
            .args(["--edition=2021", "-D", "warnings", "--out-dir"])
            .arg(&folder)
            .arg(&source)
            .output()
            .unwrap();
        assert!(output.status.success(), "{golden}: {}", String::from_utf8_lossy(&output.stderr));
        let output = Command::new(&rustdoc).args(["--edition=2021", "--test"]).arg(&source).output().unwrap();
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains("running 0 tests"), "{golden}: {report}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
