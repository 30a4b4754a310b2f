//! A small seeded generator of numbers and texts: the same payloads on every machine.

/// SplitMix64.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `low..=high`, which must fit its type.
    pub fn int<T: TryFrom<i64> + Default>(&mut self, low: i64, high: i64) -> T {
        let span = high.abs_diff(low).wrapping_add(1);
        let step = if span == 0 { self.draw() } else { self.draw() % span };
        T::try_from(low.wrapping_add_unsigned(step)).unwrap_or_default()
    }

    /// A length in `low..=high`.
    pub fn len(&mut self, low: usize, high: usize) -> usize {
        let (low, high) = (low as i64, high as i64);
        self.int(low, high)
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The same, short.
    pub fn unit32(&mut self) -> f32 {
        (self.draw() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.draw() % 100 < percent
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.len(0, from.len() - 1)]
    }

    /// `low..=high` lower-case letters.
    pub fn word(&mut self, low: usize, high: usize) -> String {
        (0..self.len(low, high)).map(|_| self.pick(b"abcdefghijklmnopqrstuvwxyz") as char).collect()
    }

    /// This many hexadecimal digits.
    pub fn hex(&mut self, digits: usize) -> String {
        (0..digits).map(|_| self.pick(b"0123456789abcdef") as char).collect()
    }

    /// `low..=high` arbitrary bytes.
    pub fn bytes(&mut self, low: usize, high: usize) -> Vec<u8> {
        (0..self.len(low, high)).map(|_| self.int(0, 255)).collect()
    }

    /// `low..=high` items, each made by `make`.
    pub fn list<T>(&mut self, low: usize, high: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.len(low, high)).map(|_| make(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_sequence_is_fixed_and_in_range() {
        let mut rng = Rng::new(0);
        assert_eq!(rng.draw(), 0xE220_A839_7B1D_CDAF);
        for _ in 0..1000 {
            assert!((-3..=4).contains(&rng.int::<i32>(-3, 4)));
            assert!((2..=5).contains(&rng.len(2, 5)));
            assert!((0.0..1.0).contains(&rng.unit()));
        }
        rng.int::<i64>(i64::MIN, i64::MAX);
    }
}
