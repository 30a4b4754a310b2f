//! `quick`: every library, every message set, every operation, in a minute or two.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;

use buffa_benches::args::{self, Args};
use buffa_benches::contestant::{Entry, Op};
use buffa_benches::measure::measure;
use buffa_benches::quiet::Gauge;
use buffa_benches::report::{Row, Tables, json};
use buffa_benches::set::{self, Set};
use buffa_benches::verify;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    if words.iter().any(|word| word == "--help" || word == "-h") {
        print!("{}", args::USAGE);
        return ExitCode::SUCCESS;
    }
    match args::parse(words).map_err(Into::into).and_then(|args| run(&args)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("quick: {error}\n\n{}", args::USAGE);
            ExitCode::FAILURE
        }
    }
}

/// False if a contestant failed the check.
fn run(args: &Args) -> Result<bool, Box<dyn Error>> {
    let mut sets = set::load(args.data.as_deref())?;
    sets.retain(|set| args.kinds.contains(&set.kind));
    if args.list {
        sets.iter().for_each(describe);
        return Ok(true);
    }
    settle_allocator();
    let gauge = &mut Gauge::new();
    let (mut rows, mut all_good) = (Vec::new(), true);
    for set in &sets {
        describe(set);
        let mut entries = buffa_benches::entries(set);
        entries.retain(|entry| args.only.is_empty() || args.only.iter().any(|text| entry.label().contains(text.as_str())));
        for &op in &args.ops {
            let (mut chosen, rest) = entries.into_iter().partition(|entry: &Entry<'_>| entry.op == op);
            entries = rest;
            all_good &= check(set, &mut chosen);
            let bytes = match op {
                Op::Decode | Op::Lazy => set.payload_bytes(),
                Op::ToVec | Op::IntoBuffer => verify::encoded_bytes(set)?,
            };
            let timings = measure(&mut chosen, args.settings, gauge);
            rows.extend(
                chosen.iter().zip(timings).map(|(entry, timing)| Row::new(entry, set.kind, set.payloads.len(), bytes, timing)),
            );
        }
    }
    if args.json {
        println!("{}", json(&rows))
    } else {
        print!("{}", Tables(&rows))
    }
    Ok(all_good)
}

/// Makes the allocator keep what it has, as it does in a process that has run for a while.
///
/// glibc starts out returning the top of the heap to the system whenever 128 KiB of it are free, and
/// faulting it in again costs peers that allocate large arrays up to half their speed. The limit
/// rises with the largest block ever freed.
fn settle_allocator() {
    black_box(vec![1u8; 24 << 20]);
}

/// Drops the entries that fail the check, saying so.
fn check(set: &Set, entries: &mut Vec<Entry<'_>>) -> bool {
    let before = entries.len();
    entries.retain_mut(|entry| match verify::check(set, entry) {
        Ok(()) => true,
        Err(why) => {
            eprintln!("WRONG: {} {} {}: {why}", entry.label(), entry.op.name(), set.kind.name());
            false
        }
    });
    entries.len() == before
}

/// On the error stream, so that the output can be piped.
fn describe(set: &Set) {
    let (bytes, count) = (set.payload_bytes(), set.payloads.len());
    let (name, source) = (set.kind.name(), set.source.name());
    eprintln!("{name}: {count} messages, {} bytes on average ({source})", bytes / count.max(1));
}
