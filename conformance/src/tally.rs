//! What was answered, by kind: the runner does not tell which tests it counts as skipped.

use crate::answer::Answer;
use crate::codec::Fault;
use std::fmt;

/// Counts of answers. `conformance/run` reads what this displays.
#[derive(Default)]
pub(crate) struct Tally {
    encoded: u32,
    rejected: u32,
    failed: u32,
    json: u32,
    text: u32,
}

impl Tally {
    /// Counts one answer.
    pub(crate) fn count(&mut self, answer: &Answer) {
        *match answer {
            Answer::Codec(Ok(_)) => &mut self.encoded,
            Answer::Codec(Err(Fault::Parse { .. })) => &mut self.rejected,
            Answer::Codec(Err(_)) | Answer::Unusable(_) => &mut self.failed,
            Answer::NoJson => &mut self.json,
            Answer::NoText => &mut self.text,
        } += 1;
    }

    /// All answers.
    pub(crate) fn requests(&self) -> u32 {
        self.binary() + self.json + self.text
    }

    fn binary(&self) -> u32 {
        self.encoded + self.rejected + self.failed
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { encoded, rejected, failed, json, text } = self;
        let binary = self.binary();
        write!(f, "{binary} binary to binary ({encoded} encoded, {rejected} rejected, {failed} failed), ")?;
        write!(f, "{json} JSON skipped, {text} text skipped")
    }
}
