//! Tells whether a sample was disturbed by something else on the machine.
//!
//! Two signs: a short fixed job, timed before and after the sample, took longer than it can (a busy
//! sibling core slows such code by half), or the thread waited for a core meanwhile (Linux only).

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

const WORDS: usize = 512;
const SWEEPS: usize = 64;

/// Slower than the fastest reading by more than this counts as disturbed.
const TOLERANCE: f64 = 1.15;

/// A sample of some milliseconds bears this much waiting.
const MAX_WAIT: Duration = Duration::from_micros(20);

/// The fixed job and its fastest time so far.
pub struct Gauge {
    words: [u64; WORDS],
    best: Duration,
}

impl Gauge {
    pub fn new() -> Self {
        let mut gauge = Gauge { words: [0x5851_F42D_4C95_7F2D; WORDS], best: Duration::MAX };
        for _ in 0..200 {
            gauge.is_quiet();
        }
        gauge
    }

    /// Times `sample`, less what it waited for a core; false if something disturbed it.
    pub fn time(&mut self, sample: impl FnOnce()) -> (Duration, bool) {
        let before = self.is_quiet();
        let (waited, start) = (waiting(), Instant::now());
        sample();
        let (took, waited) = (start.elapsed(), waiting().saturating_sub(waited));
        (took.saturating_sub(waited), self.is_quiet() && before && waited < MAX_WAIT)
    }

    /// Runs the job; true if it took about its best time.
    fn is_quiet(&mut self) -> bool {
        // Once before the clock starts, so that what ran before does not show through the caches.
        black_box(self.job());
        let start = Instant::now();
        black_box(self.job());
        let took = start.elapsed();
        self.best = self.best.min(took);
        took.as_secs_f64() <= self.best.as_secs_f64() * TOLERANCE
    }

    /// Eight independent chains of plain integer work: it needs the whole core, so it feels a sibling.
    fn job(&self) -> u64 {
        let mut lanes = [1u64; 8];
        for _ in 0..SWEEPS {
            for eight in black_box(&self.words).chunks_exact(8) {
                for (lane, word) in lanes.iter_mut().zip(eight) {
                    *lane = lane.rotate_left(u32::from(lane.is_power_of_two())).wrapping_add(*word) ^ (*lane >> 7);
                }
            }
        }
        lanes.iter().fold(0, |all, lane| all ^ lane)
    }
}

/// How long this thread has been ready to run and had no core; zero where the system does not say.
fn waiting() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(stat.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0))
}

impl Default for Gauge {
    fn default() -> Self {
        Self::new()
    }
}
