//! Random programs of operations, run on a container and on a model of it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use buffa_arena::{Arena, ArenaError, Map, MapKey, MessageField, Repeated, Str};
use core::fmt::Debug;
use core::hash::Hash;
use std::collections::HashMap;
use support::{Memory, Note, Random, note, scaled, with_arenas};

const TEXTS: [&str; 8] = ["", "a", "ä", "tag", "a longer text that no small buffer holds", "z", "0", "true"];

/// Something to fill containers with.
trait Sample: Copy + Debug + PartialEq {
    fn sample(random: &mut Random) -> Self;
}

impl Sample for u8 {
    fn sample(random: &mut Random) -> u8 {
        random.next().to_le_bytes()[3]
    }
}

impl Sample for u32 {
    fn sample(random: &mut Random) -> u32 {
        u32::try_from(random.below(40)).unwrap()
    }
}

impl Sample for i64 {
    fn sample(random: &mut Random) -> i64 {
        i64::try_from(random.below(400)).unwrap() - 200
    }
}

impl Sample for Str<'_> {
    fn sample(random: &mut Random) -> Self {
        TEXTS[random.below(TEXTS.len())].into()
    }
}

impl<const N: usize> Sample for [u32; N] {
    fn sample(random: &mut Random) -> Self {
        core::array::from_fn(|_| u32::sample(random))
    }
}

fn list_program<'a, T: Sample + 'a>(random: &mut Random, arenas: [&'a Arena<'_>; 2], shared: &'a [T]) {
    let mut list = Repeated::<'a, T>::EMPTY;
    let mut model = Vec::<T>::new();
    for _ in 0..scaled(120, 40) {
        let arena = arenas[random.below(8) / 7];
        let value = T::sample(random);
        match random.below(12) {
            0 => assert_eq!(list.pop(), model.pop()),
            1 => {
                let len = random.below(model.len() + 2);
                list.truncate(len);
                model.truncate(len);
            }
            2 if random.below(4) == 0 => {
                list.clear();
                model.clear();
            }
            3 => list.try_reserve(random.below(20), arena).unwrap(),
            4 => {
                list.make_mut(arena).reverse();
                model.reverse();
            }
            5 => {
                list.extend(shared.iter().copied(), arena);
                model.extend_from_slice(shared);
            }
            6 if random.below(3) == 0 => {
                let part = &shared[random.below(shared.len())..];
                list = part.into();
                model = part.to_vec();
            }
            7 => drop(arena.try_copy(&[0xAA; 20])),
            8 => list = Repeated::copied(&list, arena).unwrap(),
            _ => {
                list.push(value, arena);
                model.push(value);
            }
        }
        assert_eq!(list, model[..]);
    }
}

#[test]
fn lists() {
    fn run<T: Sample>(seeds: core::ops::Range<usize>) {
        for seed in seeds {
            let random = &mut Random::new(seed as u64);
            let shared: Vec<T> = (0..8).map(|_| T::sample(random)).collect();
            with_arenas(64 << 10, |arenas| list_program(random, arenas, &shared));
        }
    }
    let seeds = scaled(300, 2);
    run::<u8>(0..seeds);
    run::<u32>(0..seeds);
    run::<[u32; 3]>(0..seeds);
    run::<Str<'static>>(0..seeds);
}

fn map_program<'a, K: MapKey + Sample + Hash + 'a>(random: &mut Random, arenas: [&'a Arena<'_>; 2]) {
    let mut map = Map::<'a, K, i64>::EMPTY;
    let (mut model, mut order) = (HashMap::new(), Vec::new());
    for _ in 0..scaled(300, 40) {
        let arena = arenas[random.below(8) / 7];
        let (key, value) = (K::sample(random), i64::sample(random));
        match random.below(10) {
            0 | 1 => {
                assert_eq!(map.remove(&key, arena), model.remove(&key));
                order.retain(|other| *other != key);
            }
            2 => assert_eq!(map.get_mut(&key).map(|old| *old += value), model.get_mut(&key).map(|old| *old += value)),
            3 => {
                map.iter_mut().for_each(|(_, old)| *old ^= value);
                model.values_mut().for_each(|old| *old ^= value);
            }
            4 if random.below(30) == 0 => {
                map.clear();
                model.clear();
                order.clear();
            }
            5 => drop(arena.try_copy(&[0xAA; 20])),
            _ => {
                map.insert(key, value, arena);
                if model.insert(key, value).is_none() {
                    order.push(key);
                }
            }
        }
        assert_eq!(map.get(&key), model.get(&key));
        assert!(map.keys().eq(&order));
    }
    assert!(map.iter().all(|(key, value)| model[key] == *value));
    assert!(order.iter().all(|key| map.contains_key(key)));
}

#[test]
fn maps() {
    for seed in 0..scaled(200, 1) as u64 {
        let random = &mut Random::new(seed);
        with_arenas(64 << 10, |arenas| {
            map_program::<u32>(random, arenas);
            map_program::<i64>(random, arenas);
            map_program::<Str<'_>>(random, arenas);
        });
    }
}

/// What a [`Note`] should be.
#[derive(Default, Debug, Clone)]
struct Model {
    id: i32,
    tags: Vec<&'static str>,
    child: Option<Box<Model>>,
}

fn agree(note: &Note<'_>, model: &Model) {
    assert_eq!((note.id, note.child.is_set()), (model.id, model.child.is_some()));
    assert!(note.tags.iter().map(Str::as_str).eq(model.tags.iter().copied()));
    if let (Some(note), Some(model)) = (note.child.get(), &model.child) {
        agree(note, model);
    }
}

fn tree_program<'a>(random: &mut Random, arenas: [&'a Arena<'_>; 2], place: &'a mut Note<'a>) {
    let mut trees = [note(0), Note { child: place.into(), ..Note::default() }];
    let mut models = [Model::default(), Model { child: Some(Box::default()), ..Model::default() }];
    for step in 0..scaled(150, 40) {
        let arena = arenas[random.below(2)];
        let which = random.below(2);
        let (mut at, mut model) = (&mut trees[which], &mut models[which]);
        for _ in 0..random.below(5) {
            at = at.child.get_or_default(arena);
            model = model.child.get_or_insert_default();
        }
        match random.below(7) {
            0 => (at.id, model.id) = (1, 1),
            1 => {
                at.tags.push(TEXTS[step % 8].into(), arena);
                model.tags.push(TEXTS[step % 8]);
            }
            2 => {
                // A sub-tree moves to the other tree, whatever arena it lives in.
                let (taken, model) = (at.child.take(), model.child.take());
                (trees[1 - which].child, models[1 - which].child) = (taken, model);
            }
            3 => {
                trees.swap(0, 1);
                models.swap(0, 1);
            }
            4 => {
                at.child.clear();
                model.child = None;
            }
            5 => {
                let whole = core::mem::take(at);
                at.child = MessageField::new_in(whole, arena);
                let whole = core::mem::take(model);
                model.child = Some(Box::new(whole));
            }
            _ => {
                at.child.set(note(7), arena);
                model.child = Some(Box::new(Model { id: 7, ..Model::default() }));
            }
        }
        trees.iter().zip(&models).for_each(|(tree, model)| agree(tree, model));
    }
}

#[test]
fn trees() {
    for seed in 0..scaled(300, 3) as u64 {
        let random = &mut Random::new(seed);
        with_arenas(64 << 10, |arenas| tree_program(random, arenas, &mut Note::default()));
    }
}

/// Allocations of all sorts keep apart and keep their bytes; the limit holds at every moment.
#[test]
fn memory() {
    for seed in 0..scaled(400, 2) as u64 {
        let random = &mut Random::new(seed);
        let mut memory = Memory::new(2048);
        let skip = random.below(9);
        let mut arena = Arena::from_buffer(&mut memory.bytes()[skip..]);
        for _ in 0..4 {
            memory_program(random, &arena);
            arena.reset();
            arena.set_limit(usize::MAX);
            assert_eq!(arena.allocated_bytes(), 0);
        }
        with_arenas(4096, |[arena, _]| memory_program(random, arena));
    }
}

fn memory_program(random: &mut Random, arena: &Arena<'_>) {
    let mut given: Vec<(u8, &mut [u8])> = Vec::new();
    for tag in 0..80 {
        let (size, before) = (random.below(8) * random.below(12), arena.allocated_bytes());
        match random.below(10) {
            0 => arena.set_limit(before + random.below(400)),
            1 => arena.set_limit(random.below(before + 1)),
            2 => arena.set_limit(usize::MAX),
            _ => match arena.try_copy(&vec![tag; size]) {
                Ok(bytes) => {
                    assert!(size == 0 || arena.allocated_bytes() <= arena.limit());
                    assert_eq!((bytes.len(), bytes.as_ptr().addr() % 8), (size, 0));
                    assert_eq!(arena.allocated_bytes() - before, size.next_multiple_of(8));
                    given.push((tag, bytes));
                }
                Err(error) => {
                    let limited = size > arena.limit().saturating_sub(before) & !7;
                    assert_eq!(
                        (error, before),
                        (if limited { ArenaError::Limit } else { ArenaError::Full }, arena.allocated_bytes())
                    );
                }
            },
        }
        assert!(arena.allocated_bytes() <= arena.capacity_bytes());
        if let Some(at) = given.len().checked_sub(1) {
            let (tag, bytes) = &mut given[random.below(at + 1)];
            *tag = tag.wrapping_add(100);
            bytes.fill(*tag);
        }
    }
    assert!(given.iter().all(|(tag, bytes)| bytes.iter().all(|byte| byte == tag)));
}
