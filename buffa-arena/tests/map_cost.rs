//! What maps cost, counted in key reads rather than in time: reads per operation stay constant whatever the keys. Large maps only,
//! so nothing for Miri.
#![cfg(not(miri))]

mod support;

use buffa_arena::{Arena, Map, MapKey, RawKey, Str};
use core::cell::Cell;
use support::Memory;

thread_local!(static READS: Cell<usize> = const { Cell::new(0) });

/// A key that counts how often it is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counted<K>(K);

impl<K: MapKey> MapKey for Counted<K> {
    fn raw(&self) -> RawKey<'_> {
        READS.set(READS.get() + 1);
        self.0.raw()
    }
}

/// Inserts and finds `keys`; returns the key reads per key.
fn cost<K: MapKey>(keys: &[K], seed: Option<u64>) -> usize {
    let mut memory = Memory::new(keys.len() * 200 + 4096);
    let arena = Arena::from_buffer(memory.bytes());
    seed.inspect(|&seed| arena.set_hash_seed(seed));
    READS.set(0);
    let mut map = Map::EMPTY;
    for (i, &key) in keys.iter().enumerate() {
        map.insert(Counted(key), i, &arena);
    }
    assert!(keys.iter().enumerate().all(|(i, &key)| map.get(&Counted(key)) == Some(&i)));
    READS.get() / keys.len()
}

#[test]
fn descending_keys() {
    let keys: Vec<i32> = (0..300_000).rev().collect();
    assert!(cost(&keys, None) <= 12, "{}", cost(&keys, None));
}

#[test]
fn strided_keys() {
    for shift in [0, 8, 16, 32, 40] {
        let keys: Vec<u64> = (0..20_000u64).map(|i| i << shift).collect();
        assert!(cost(&keys, None) <= 12, "{shift}: {}", cost(&keys, None));
    }
}

#[test]
fn string_keys() {
    let texts: Vec<String> = (0..100_000).map(|i| format!("some/longer/path/{i}")).collect();
    let keys: Vec<Str<'_>> = texts.iter().map(|text| text.as_str().into()).collect();
    assert!(cost(&keys, None) <= 12, "{}", cost(&keys, None));
}

/// Whoever knows the seed can make keys collide; with another seed the same keys do not.
#[test]
fn collisions_need_the_seed() {
    const SEED: u64 = 0x1234_5679;
    let count = 500;
    let keys: Vec<u64> = (0..).filter(|&key| slot(SEED, key) & 511 < 2).take(count).collect();
    let (known, other) = (cost(&keys, Some(SEED)), cost(&keys, Some(SEED + 2)));
    assert!(known > count / 4, "the test no longer knows the hash: {known}");
    assert!(other <= 12, "{other}");

    /// The hash that the index uses.
    fn slot(seed: u64, key: u64) -> u64 {
        use core::hash::Hasher;
        #[expect(deprecated, reason = "as in `RawKey::hash`")]
        let mut hasher = core::hash::SipHasher::new_with_keys(seed, !seed.rotate_left(32));
        hasher.write_u64(key);
        hasher.finish()
    }
}

/// A map that is filled and emptied for ever stays as large as it was.
#[test]
fn removal_takes_no_memory() {
    let mut memory = Memory::new(16 << 10);
    let arena = Arena::from_buffer(memory.bytes());
    let mut map = Map::EMPTY;
    for i in 0..5000 {
        map.insert(i, i, &arena);
        if map.len() > 50 {
            assert_eq!(map.remove(&(i - 50), &arena), Some(i - 50));
        }
    }
    assert!(map.keys().copied().is_sorted() && map.iter().all(|(key, value)| map.get(key) == Some(value)));
}
