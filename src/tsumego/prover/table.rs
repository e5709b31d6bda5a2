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

pub struct ProofTable {
    slots: Vec<Slot>,
    /// For each bucket which of eight kinds of keys were ever put there. Most keys looked up are not in the table, and
    /// these bytes stay nearer to the processor than the buckets.
    kinds: Vec<u8>,
    mask: usize,
}

impl ProofTable {
    /// A table of at most this many megabytes, at least a few entries.
    pub fn new(megabytes: usize) -> ProofTable {
        let most = (megabytes.max(1) << 20) / size_of::<Slot>() / WAYS;
        let buckets = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        ProofTable { slots: vec![FREE; buckets * WAYS], kinds: vec![0; buckets], mask: buckets - 1 }
    }

    pub fn clear(&mut self) {
        // Most buckets of a large table were never used.
        let used = self.kinds.iter_mut().zip(self.slots.chunks_exact_mut(WAYS)).filter(|(kinds, _)| **kinds != 0);
        for (kinds, bucket) in used {
            *kinds = 0;
            bucket.fill(FREE);
        }
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        (key >> 20) as usize & self.mask
    }

    #[inline(always)]
    fn may_have(&self, key: u64) -> bool {
        self.kinds[self.bucket(key)] & kind(key) != 0
    }

    /// Has the memory for a key fetched while other work is done, if it may be there.
    #[inline(always)]
    pub fn fetch(&self, key: u64) {
        if self.may_have(key) {
            self.fetch_to_put(key);
        }
    }

    /// The same for a key that will be put there.
    #[inline(always)]
    pub fn fetch_to_put(&self, key: u64) {
        let start = self.bucket(key) * WAYS;
        fetch(&self.slots[start]);
        fetch(&self.slots[start + WAYS / 2]);
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        if !self.may_have(key) {
            return None;
        }
        let start = self.bucket(key) * WAYS;
        let bucket = &self.slots[start..start + WAYS];
        bucket.iter().find(|slot| slot.key == key && slot.kind != Kind::Free).map(Slot::entry)
    }

    pub fn put(&mut self, key: u64, entry: Entry) {
        let bucket = self.bucket(key);
        self.kinds[bucket] |= kind(key);
        let start = bucket * WAYS;
        let bucket = &mut self.slots[start..start + WAYS];
        let place = match bucket.iter().position(|slot| slot.key == key) {
            Some(i) => i,
            None => (0..WAYS).min_by_key(|&i| bucket[i].effort).unwrap_or(0),
        };
        bucket[place] = Slot::new(key, entry);
    }
}

/// Has something fetched into the cache while other work is done.
#[inline(always)]
pub fn fetch<T>(what: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: it is a hint that reads and writes nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(what).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = what;
}

#[inline(always)]
fn kind(key: u64) -> u8 {
    1 << (key & 7)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::mix;

    #[test]
    fn what_was_put_is_found_and_nothing_else() {
        let mut table = ProofTable::new(1);
        let key = |i: u64| mix(&[i]);
        for i in 0..1_000 {
            table.put(key(i), Entry::new(i as u32 + 1, 7, 0, NO_PATH, 0, 1));
        }
        for i in 0..1_000 {
            assert_eq!(table.get(key(i)).map(|entry| entry.pn), Some(i as u32 + 1));
        }
        assert!((1_000..100_000).all(|i| table.get(key(i)).is_none()));
        table.clear();
        assert!((0..1_000).all(|i| table.get(key(i)).is_none()));
    }
}
