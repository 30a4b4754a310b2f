//! Every line of every case file, through every engine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use buffa_cases::corpus::{Case, parse};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs all cases and reports every failure, not only the first.
fn run(cases: &[Case], least: usize) {
    assert!(cases.len() >= least, "only {} cases", cases.len());
    let (mut runs, mut failures) = (0, Vec::new());
    for case in cases {
        match catch_unwind(AssertUnwindSafe(|| case.run())) {
            Ok(Ok(n)) => runs += n,
            Ok(Err(wrong)) => failures.push(format!("{}: {wrong}", case.id)),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                failures.push(format!("{}: {text}", case.id));
            }
        }
    }
    println!("{} cases, {runs} decodes compared", cases.len());
    assert!(failures.is_empty(), "{} of {} cases failed\n{}", failures.len(), cases.len(), failures.join("\n"));
}

#[test]
fn wire() {
    buffa_cases::on_large_stack(|| run(&parse(include_str!("../cases/wire.txt")), 200));
}
