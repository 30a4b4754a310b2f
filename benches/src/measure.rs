//! Interleaved rounds: in each one every contestant runs once for a few milliseconds, in random order.

use std::time::{Duration, Instant};

use crate::contestant::{Contestant, Entry};
use crate::quiet::Gauge;
use crate::rng::Rng;

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Settings {
    /// Undisturbed samples wanted of each contestant.
    pub rounds: usize,
    /// Length of one sample.
    pub sample: Duration,
}

/// What came out for one contestant, in seconds per pass over the set.
#[derive(Clone, Copy)]
pub struct Timing {
    pub median: f64,
    pub best: f64,
    /// Samples that the two figures are made of.
    pub samples: usize,
    /// Too few samples were undisturbed, so all of them count.
    pub disturbed: bool,
}

/// Times the entries against each other. Ratios between them are worth more than the figures.
pub fn measure(entries: &mut [Entry<'_>], settings: Settings, gauge: &mut Gauge) -> Vec<Timing> {
    let rng = &mut Rng::new(entries.len() as u64);
    let mut tracks: Vec<Track> = entries.iter_mut().map(|entry| Track::new(&mut *entry.contestant, settings.sample)).collect();
    // Disturbed rounds are made up for, up to three times as many.
    for round in 0..4 * settings.rounds {
        if round >= settings.rounds && tracks.iter().all(|t| t.quiet.len() >= settings.rounds) {
            break;
        }
        for at in shuffled(tracks.len(), rng) {
            tracks[at].sample(&mut *entries[at].contestant, gauge);
        }
    }
    tracks.into_iter().map(|track| track.timing(settings.rounds)).collect()
}

/// One contestant's samples so far.
struct Track {
    passes: u32,
    quiet: Vec<f64>,
    all: Vec<f64>,
}

impl Track {
    fn new(contestant: &mut dyn Contestant, sample: Duration) -> Self {
        // The largest of a few answers: a disturbed one is too small.
        let passes = (0..3).map(|_| fitting(contestant, sample)).max().unwrap_or(1);
        Track { passes, quiet: vec![], all: vec![] }
    }

    fn sample(&mut self, contestant: &mut dyn Contestant, gauge: &mut Gauge) {
        let (took, quiet) = gauge.time(|| contestant.run(self.passes));
        let took = took.as_secs_f64() / f64::from(self.passes);
        self.all.push(took);
        if quiet {
            self.quiet.push(took);
        }
    }

    fn timing(self, rounds: usize) -> Timing {
        let disturbed = self.quiet.len() < rounds.div_ceil(3);
        let mut samples = if disturbed { self.all } else { self.quiet };
        samples.sort_by(f64::total_cmp);
        Timing { median: median(&samples), best: samples[0], samples: samples.len(), disturbed }
    }
}

/// How many passes fill one sample; warms up on the way.
fn fitting(contestant: &mut dyn Contestant, sample: Duration) -> u32 {
    let mut passes = 1;
    loop {
        let start = Instant::now();
        contestant.run(passes);
        let took = start.elapsed();
        if took >= sample / 4 {
            let fitting = u128::from(passes) * sample.as_nanos() / took.as_nanos().max(1);
            return u32::try_from(fitting).unwrap_or(u32::MAX).max(1);
        }
        passes *= 2;
    }
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

fn shuffled(len: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    for end in (1..len).rev() {
        order.swap(end, rng.len(0, end));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::{median, shuffled};
    use crate::rng::Rng;

    #[test]
    fn medians() {
        assert_eq!(median(&[1.0, 2.0, 9.0]), 2.0);
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
    }

    #[test]
    fn shuffling_keeps_everyone() {
        let mut order = shuffled(9, &mut Rng::new(1));
        order.sort();
        assert_eq!(order, (0..9).collect::<Vec<_>>());
    }
}
