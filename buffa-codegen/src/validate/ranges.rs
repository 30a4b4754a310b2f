//! Ranges of numbers: reserved ones and those set aside for extensions.

/// Half-open ranges, sorted; they do not overlap.
pub(super) struct Ranges(Vec<(i64, i64)>);

impl Ranges {
    /// Sorts the ranges; `Err` tells what is wrong with them.
    pub(super) fn new(ranges: impl Iterator<Item = (i64, i64)>) -> Result<Ranges, String> {
        let mut sorted: Vec<(i64, i64)> = ranges.collect();
        sorted.sort_unstable();
        if let Some((start, end)) = sorted.iter().find(|(start, end)| start >= end) {
            return Err(format!("the range {start} to {} is empty", end - 1));
        }
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0].1 > pair[1].0) {
            return Err(format!("the ranges that begin with {} and {} overlap", pair[0].0, pair[1].0));
        }
        Ok(Ranges(sorted))
    }

    pub(super) fn contains(&self, number: i32) -> bool {
        let number = i64::from(number);
        let at = self.0.partition_point(|&(start, _)| start <= number);
        at > 0 && number < self.0[at - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;

    #[test]
    fn contains_and_rejects() {
        let ranges = Ranges::new([(100, 200), (5, 6)].into_iter()).unwrap();
        assert!([5, 100, 199].iter().all(|&n| ranges.contains(n)));
        assert!([4, 6, 99, 200].iter().all(|&n| !ranges.contains(n)));
        assert!(Ranges::new([(1, 1)].into_iter()).is_err());
        assert!(Ranges::new([(1, 5), (4, 9)].into_iter()).is_err());
    }
}
