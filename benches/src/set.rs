//! Payload sets: many encoded messages of one type, from a file or generated.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use bytes::Bytes;
use peer_prost::plain::BenchmarkDataset;
use peer_prost::prost::Message;

use crate::generate;
use crate::kind::Kind;

/// Encoded messages of one type.
pub struct Set {
    pub kind: Kind,
    pub payloads: Vec<Bytes>,
    pub source: Source,
}

/// Where a set came from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    File,
    Generated,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Source::File => "file",
            Source::Generated => "generated",
        }
    }
}

impl Set {
    pub fn generated(kind: Kind) -> Set {
        let payloads = generate::payloads(kind).into_iter().map(Bytes::from).collect();
        Set { kind, payloads, source: Source::Generated }
    }

    /// Bytes in all payloads.
    pub fn payload_bytes(&self) -> usize {
        self.payloads.iter().map(Bytes::len).sum()
    }
}

/// One set for every kind: out of `dir` where a file there has it, generated otherwise.
pub fn load(dir: Option<&Path>) -> Result<Vec<Set>, Box<dyn Error>> {
    let mut found = match dir {
        Some(dir) => read_dir(dir)?,
        None => Vec::new(),
    };
    let position = |found: &[Set], kind| found.iter().position(|set| set.kind == kind);
    Ok(Kind::ALL
        .iter()
        .map(|&kind| match position(&found, kind) {
            Some(at) => found.swap_remove(at),
            None => Set::generated(kind),
        })
        .collect())
}

/// `$BUFFA_BENCH_DATA`, or the folder `shared/data` beside the checkout if there is one.
pub fn default_dir() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    match env::var_os("BUFFA_BENCH_DATA") {
        Some(dir) => Some(dir.into()),
        None => beside.is_dir().then_some(beside),
    }
}

fn read_dir(dir: &Path) -> Result<Vec<Set>, Box<dyn Error>> {
    let mut sets = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "pb") {
            let data = BenchmarkDataset::decode(&*fs::read(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
            sets.extend(from_dataset(data));
        }
    }
    Ok(sets)
}

/// `None` for a message type that is none of ours.
fn from_dataset(data: BenchmarkDataset) -> Option<Set> {
    let message = data.message_name.rsplit('.').next()?;
    let kind = *Kind::ALL.iter().find(|kind| kind.message_name() == message)?;
    let payloads = data.payload.into_iter().map(Bytes::from).collect();
    Some(Set { kind, payloads, source: Source::File })
}
