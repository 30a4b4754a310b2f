//! The case files; `cases/wire.txt` explains their format at its head.

use crate::engines::{Outcome, Setup};
use crate::{hex, types};
use buffa::{DecodeOptions, ErrorKind, UnknownPolicy};

/// One line.
#[derive(Debug)]
pub struct Case {
    pub id: String,
    pub message: String,
    pub input: Vec<u8>,
    pub verdict: Verdict,
    /// The message encoded again; with a missing required field, what the partial message encodes to.
    pub encoded: Option<Vec<u8>>,
    /// The same if unknown fields are discarded; absent if there are none.
    pub discarded: Option<Vec<u8>>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Accept,
    /// Required fields with these paths are missing.
    Missing(String),
    /// The kind by its name, and the offset if it is promised.
    Reject(String, Option<usize>),
}

/// The cases in a file.
pub fn parse(text: &str) -> Vec<Case> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let cases: Vec<Case> = lines.map(case).collect();
    for (i, case) in cases.iter().enumerate() {
        assert!(cases[..i].iter().all(|other| other.id != case.id), "two cases {}", case.id);
    }
    cases
}

fn case(line: &str) -> Case {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    assert!((4..=6).contains(&columns.len()), "{line}: 4 to 6 columns");
    let input = hex::parse(columns[2]);
    let bytes =
        |column: usize, same: &[u8]| columns.get(column).map(|text| if *text == "=" { same.to_vec() } else { hex::parse(text) });
    let verdict = match columns[3].split_once(':') {
        Some(("MissingRequired", paths)) => Verdict::Missing(paths.to_owned()),
        _ if columns[3] == "ok" => Verdict::Accept,
        _ => match columns[3].split_once('@') {
            Some((kind, offset)) => Verdict::Reject(kind.to_owned(), Some(offset.parse().unwrap())),
            None => Verdict::Reject(columns[3].to_owned(), None),
        },
    };
    let encoded = bytes(4, &input);
    let discarded = bytes(5, encoded.as_deref().unwrap_or_default());
    assert_eq!(encoded.is_none(), matches!(verdict, Verdict::Reject(..)), "{line}: a rejected input has no encoding");
    Case { id: columns[0].to_owned(), message: columns[1].to_owned(), input, verdict, encoded, discarded }
}

impl Case {
    /// Runs the case through every engine under every policy; returns the number of runs.
    ///
    /// # Errors
    /// What is not as the case says.
    pub fn run(&self) -> Result<usize, String> {
        let agree = types::find(&self.message).agree;
        let setup = |policy| Setup { options: DecodeOptions::new().unknown(policy), ..Setup::new() };
        let (kept, mut runs) = agree(&self.input, &setup(UnknownPolicy::Keep));
        self.check("keep", &kept, self.encoded.as_deref())?;
        let (discarded, n) = agree(&self.input, &setup(UnknownPolicy::Discard));
        self.check("discard", &discarded, self.discarded.as_deref().or(self.encoded.as_deref()))?;
        runs += n;
        let (refused, n) = agree(&self.input, &setup(UnknownPolicy::Error));
        runs += n;
        match (&self.verdict, &self.discarded, &refused) {
            // Which fault comes first is not promised.
            (Verdict::Reject(..), _, Outcome::Failed(..)) | (_, Some(_), Outcome::Failed(ErrorKind::UnknownField, ..)) => {}
            (Verdict::Reject(..), ..) | (_, Some(_), _) => return Err(format!("error policy: {refused:?}")),
            (_, None, _) => self.check("error policy", &refused, self.encoded.as_deref())?,
        }
        Ok(runs)
    }

    fn check(&self, policy: &str, outcome: &Outcome, encoded: Option<&[u8]>) -> Result<(), String> {
        let wrong = |what: String| Err(format!("{policy}: {what}"));
        match (&self.verdict, outcome) {
            (Verdict::Reject(kind, offset), Outcome::Failed(found, at, _)) => {
                if *kind != format!("{found:?}") || offset.is_some_and(|offset| offset != *at) {
                    return wrong(format!("rejected with {found:?}@{at}"));
                }
            }
            (Verdict::Accept, Outcome::Done(done)) if !done.missing.is_empty() => {
                return wrong(format!("missing {}", done.missing));
            }
            (Verdict::Missing(paths), Outcome::Done(done)) if done.missing != *paths => {
                return wrong(format!("missing {}", done.missing));
            }
            (Verdict::Accept | Verdict::Missing(_), Outcome::Done(done)) => {
                if Some(done.encoded.as_slice()) != encoded {
                    return wrong(format!("encodes as {} = {}", hex::print(&done.encoded), done.debug));
                }
            }
            (_, outcome) => return wrong(format!("{outcome:?}")),
        }
        Ok(())
    }
}
