//! The command line of `quick`.

use std::path::PathBuf;
use std::time::Duration;

use crate::contestant::Op;
use crate::kind::Kind;
use crate::measure::Settings;
use crate::set;

pub const USAGE: &str = "\
usage: quick [OPTIONS] [MESSAGE...]

Times buffa and its peers on payload sets. MESSAGE is a part of a set's name (\"api\"); default all.

  --op NAME         only this operation: decode, lazy, to_vec, into_buffer; may be repeated
  --only TEXT       only contestants whose label contains TEXT; may be repeated
  --rounds N        undisturbed samples of each contestant (default 25)
  --sample-ms N     length of a sample (default 2)
  --data DIR        payload files; default $BUFFA_BENCH_DATA, else shared/data beside the checkout
  --generated       use generated payloads even where there are files
  --json            print JSON instead of tables
  --list            print the sets and stop
";

/// What to run and how to print it.
pub struct Args {
    pub kinds: Vec<Kind>,
    pub ops: Vec<Op>,
    pub only: Vec<String>,
    pub settings: Settings,
    pub data: Option<PathBuf>,
    pub json: bool,
    pub list: bool,
}

/// Reads the arguments; the error is a line for the user.
pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Args, String> {
    let mut args = Args {
        kinds: vec![],
        ops: vec![],
        only: vec![],
        settings: Settings { rounds: 25, sample: Duration::from_millis(2) },
        data: set::default_dir(),
        json: false,
        list: false,
    };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--op" => args.ops.push(op(&value()?)?),
            "--only" => args.only.push(value()?),
            "--rounds" => args.settings.rounds = number(&value()?)?,
            "--sample-ms" => {
                args.settings.sample = Duration::from_millis(number(&value()?)? as u64);
            }
            "--data" => args.data = Some(value()?.into()),
            "--generated" => args.data = None,
            "--json" => args.json = true,
            "--list" => args.list = true,
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
            filter => args.kinds.extend(matching(filter)?),
        }
    }
    if args.kinds.is_empty() {
        args.kinds = Kind::ALL.to_vec();
    }
    if args.ops.is_empty() {
        args.ops = Op::ALL.to_vec();
    }
    Ok(args)
}

fn op(name: &str) -> Result<Op, String> {
    let found = Op::ALL.iter().find(|op| op.name() == name);
    found.copied().ok_or_else(|| format!("no operation {name}"))
}

fn number(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("{text} is not a positive number")),
    }
}

fn matching(filter: &str) -> Result<Vec<Kind>, String> {
    let found: Vec<Kind> = Kind::ALL.iter().copied().filter(|k| k.name().contains(filter)).collect();
    if found.is_empty() { Err(format!("no message set like {filter}")) } else { Ok(found) }
}
