//! The transposition table: of fixed size, four entries a bucket, the one that cost least is replaced.

use super::dfpn::INFINITE;
use super::grid::{Cell, Set};

/// What is remembered of a position.
#[derive(Clone, Copy)]
pub struct Entry {
    pub zone: Set,
    pub pn: u32,
    pub dn: u32,
    /// Nodes spent below.
    pub effort: u32,
    /// A disproof that holds only on one path refers to a position that many moves from the root; `NO_PATH` otherwise.
    pub depends: u8,
    pub best: Cell,
    /// There is a disproof that holds on some path only, stored under the path's key.
    pub has_twin: bool,
}

/// An entry in half a cache line: a solved position has a zone and no numbers, any other numbers and no zone.
#[derive(Clone, Copy)]
struct Slot {
    zone_or_numbers: Set,
    key: u64,
    effort: u32,
    kind: Kind,
    depends: u8,
    best: Cell,
    has_twin: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Free,
    Open,
    Won,
    Lost,
}

pub const NO_PATH: u8 = u8::MAX;
const WAYS: usize = 4;
const FREE: Slot =
    Slot { zone_or_numbers: 0, key: 0, effort: 0, kind: Kind::Free, depends: NO_PATH, best: 0, has_twin: false };

pub struct Table {
    slots: Vec<Slot>,
    mask: usize,
}

impl Table {
    /// A table of at most this many megabytes, at least a few entries.
    pub fn new(megabytes: usize) -> Table {
        let most = (megabytes.max(1) << 20) / size_of::<Slot>() / WAYS;
        let buckets = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        Table { slots: vec![FREE; buckets * WAYS], mask: buckets - 1 }
    }

    pub fn clear(&mut self) {
        self.slots.fill(FREE);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        ((key >> 20) as usize & self.mask) * WAYS
    }

    /// Has the memory of many keys fetched at the same time, instead of one after the other when they are looked up.
    #[inline]
    pub fn fetch(&self, keys: impl Iterator<Item = u64>) {
        std::hint::black_box(keys.fold(0, |sum, key| {
            let start = self.bucket(key);
            sum ^ self.slots[start].key ^ self.slots[start + WAYS / 2].key
        }));
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let start = self.bucket(key);
        let bucket = &self.slots[start..start + WAYS];
        bucket.iter().find(|slot| slot.key == key && slot.kind != Kind::Free).map(Slot::entry)
    }

    pub fn put(&mut self, key: u64, entry: Entry) {
        let start = self.bucket(key);
        let bucket = &mut self.slots[start..start + WAYS];
        let place = match bucket.iter().position(|slot| slot.key == key) {
            Some(i) => i,
            None => (0..WAYS).min_by_key(|&i| bucket[i].effort).unwrap_or(0),
        };
        bucket[place] = Slot::new(key, entry);
    }
}

impl Slot {
    fn new(key: u64, entry: Entry) -> Slot {
        let Entry { zone, pn, dn, effort, depends, best, has_twin } = entry;
        let (kind, zone_or_numbers) = match (pn, dn) {
            (0, _) => (Kind::Won, zone),
            (_, 0) => (Kind::Lost, zone),
            _ => (Kind::Open, Set::from(pn) << 32 | Set::from(dn)),
        };
        Slot { zone_or_numbers, key, effort: effort.max(1), kind, depends, best, has_twin }
    }

    #[inline(always)]
    fn entry(&self) -> Entry {
        let numbers = self.zone_or_numbers;
        let (zone, pn, dn) = match self.kind {
            Kind::Won => (numbers, 0, INFINITE),
            Kind::Lost => (numbers, INFINITE, 0),
            _ => (0, (numbers >> 32) as u32, numbers as u32),
        };
        let Slot { effort, depends, best, has_twin, .. } = *self;
        Entry { zone, pn, dn, effort, depends, best, has_twin }
    }
}

impl Entry {
    pub fn new(pn: u32, dn: u32, zone: Set, depends: u8, best: Cell, effort: u32) -> Entry {
        Entry { zone, pn, dn, effort, depends, best, has_twin: false }
    }
}
