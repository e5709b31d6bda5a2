//! The transposition table: of fixed size, four entries a bucket, the one that cost least is replaced.
//!
//! Several searches may use it at the same time, without a lock: an entry is four words, the first of them the key mixed
//! with the others. What two wrote at once has a key that nobody looks for.

use super::dfpn::INFINITE;
use super::grid::{Cell, Set};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

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

/// An entry in half a cache line: the key mixed with the rest, a zone or numbers in two words, and what else there is. A
/// solved position has a zone and no numbers, any other numbers and no zone.
#[repr(align(32))]
#[derive(Default)]
struct Slot([AtomicU64; 4]);

/// A slot as it was read.
#[derive(Clone, Copy)]
struct Words([u64; 4]);

const FREE: u64 = 0;
const OPEN: u64 = 1;
const WON: u64 = 2;
const LOST: u64 = 3;

pub const NO_PATH: u8 = u8::MAX;
const WAYS: usize = 4;

pub struct ProofTable {
    slots: Vec<Slot>,
    /// For each bucket which of eight kinds of keys were ever put there. Most keys looked up are not in the table, and
    /// these bytes stay nearer to the processor than the buckets.
    kinds: Vec<AtomicU8>,
    mask: usize,
}

impl ProofTable {
    /// A table of at most this many megabytes, at least a few entries.
    pub fn new(megabytes: usize) -> ProofTable {
        let most = (megabytes.max(1) << 20) / size_of::<Slot>() / WAYS;
        let buckets = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        let slots = (0..buckets * WAYS).map(|_| Slot::default()).collect();
        let kinds = (0..buckets).map(|_| AtomicU8::new(0)).collect();
        ProofTable { slots, kinds, mask: buckets - 1 }
    }

    /// Forgets everything. Not to be done while others search.
    pub fn clear(&self) {
        // Most buckets of a large table were never used.
        let used = self.kinds.iter().zip(self.slots.chunks_exact(WAYS)).filter(|(kinds, _)| kinds.load(Relaxed) != 0);
        for (kinds, bucket) in used {
            kinds.store(0, Relaxed);
            bucket.iter().flat_map(|slot| &slot.0).for_each(|word| word.store(FREE, Relaxed));
        }
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        (key >> 20) as usize & self.mask
    }

    #[inline(always)]
    fn may_have(&self, key: u64) -> bool {
        self.kinds[self.bucket(key)].load(Relaxed) & kind(key) != 0
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
        bucket.iter().map(Slot::read).find(|words| words.key() == key && words.kind() != FREE).map(Words::entry)
    }

    pub fn put(&self, key: u64, entry: Entry) {
        let bucket = self.bucket(key);
        let kinds = &self.kinds[bucket];
        // Two at once may lose a bit here: then an entry is not found, no more.
        let (known, new) = (kinds.load(Relaxed), kind(key));
        if known & new == 0 {
            kinds.store(known | new, Relaxed);
        }
        let start = bucket * WAYS;
        let bucket = &self.slots[start..start + WAYS];
        let (mut place, mut least) = (0, u32::MAX);
        for (i, words) in bucket.iter().map(Slot::read).enumerate() {
            if words.key() == key {
                place = i;
                break;
            }
            if words.effort() < least {
                (place, least) = (i, words.effort());
            }
        }
        bucket[place].write(Words::new(key, entry));
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
    #[inline(always)]
    fn read(&self) -> Words {
        let [a, b, c, d] = &self.0;
        Words([a.load(Relaxed), b.load(Relaxed), c.load(Relaxed), d.load(Relaxed)])
    }

    #[inline(always)]
    fn write(&self, words: Words) {
        self.0.iter().zip(words.0).for_each(|(word, new)| word.store(new, Relaxed));
    }
}

impl Words {
    fn new(key: u64, entry: Entry) -> Words {
        let Entry { zone, pn, dn, effort, depends, best, has_twin } = entry;
        let (kind, low, high) = match (pn, dn) {
            (0, _) => (WON, zone as u64, (zone >> 64) as u64),
            (_, 0) => (LOST, zone as u64, (zone >> 64) as u64),
            _ => (OPEN, dn.into(), pn.into()),
        };
        let bytes = u64::from(depends) | u64::from(best) << 8 | u64::from(has_twin) << 16 | kind << 24;
        let rest = u64::from(effort.max(1)) << 32 | bytes;
        Words([key ^ low ^ high ^ rest, low, high, rest])
    }

    #[inline(always)]
    fn key(self) -> u64 {
        let [mixed, low, high, rest] = self.0;
        mixed ^ low ^ high ^ rest
    }

    #[inline(always)]
    fn kind(self) -> u64 {
        self.0[3] >> 24 & 0xff
    }

    #[inline(always)]
    fn effort(self) -> u32 {
        (self.0[3] >> 32) as u32
    }

    #[inline(always)]
    fn entry(self) -> Entry {
        let [_, low, high, rest] = self.0;
        let zone = Set::from(high) << 64 | Set::from(low);
        let (zone, pn, dn) = match self.kind() {
            WON => (zone, 0, INFINITE),
            LOST => (zone, INFINITE, 0),
            _ => (0, high as u32, low as u32),
        };
        let (depends, best, has_twin) = (rest as u8, (rest >> 8) as u8, rest >> 16 & 0xff != 0);
        Entry { zone, pn, dn, effort: self.effort(), depends, best, has_twin }
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
        let table = ProofTable::new(1);
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
