//! The transposition table: of fixed size, four entries a bucket, the one that cost least is replaced.

use super::grid::{Cell, NOWHERE, Set};

#[derive(Clone, Copy)]
pub struct Entry {
    key: u64,
    pub zone: Set,
    pub pn: u32,
    pub dn: u32,
    /// Nodes spent below.
    pub effort: u32,
    /// A disproof that holds only on one path refers to a position that many moves from the root; `NO_PATH` otherwise.
    pub depends: u16,
    pub best: Cell,
    /// There is a disproof that holds on some path only, stored under the path's key.
    pub has_twin: bool,
}

pub const NO_PATH: u16 = u16::MAX;
const WAYS: usize = 4;
const FREE: Entry =
    Entry { key: 0, zone: 0, pn: 1, dn: 1, effort: 0, depends: NO_PATH, best: NOWHERE, has_twin: false };

pub struct Table {
    entries: Vec<Entry>,
    mask: usize,
}

impl Table {
    /// A table of at most this many megabytes, at least a few entries.
    pub fn new(megabytes: usize) -> Table {
        let most = (megabytes.max(1) << 20) / size_of::<Entry>() / WAYS;
        let buckets = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        Table { entries: vec![FREE; buckets * WAYS], mask: buckets - 1 }
    }

    pub fn clear(&mut self) {
        self.entries.fill(FREE);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        ((key >> 20) as usize & self.mask) * WAYS
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry> {
        let start = self.bucket(key);
        self.entries[start..start + WAYS].iter().find(|e| e.key == key && e.effort > 0)
    }

    pub fn put(&mut self, key: u64, entry: Entry) {
        let start = self.bucket(key);
        let bucket = &mut self.entries[start..start + WAYS];
        let place = match bucket.iter().position(|e| e.key == key) {
            Some(i) => i,
            None => (0..WAYS).min_by_key(|&i| bucket[i].effort).unwrap_or(0),
        };
        bucket[place] = Entry { key, effort: entry.effort.max(1), ..entry };
    }
}

impl Entry {
    pub fn new(pn: u32, dn: u32, zone: Set, depends: u16, best: Cell, effort: u32) -> Entry {
        Entry { key: 0, zone, pn, dn, effort, depends, best, has_twin: false }
    }
}
