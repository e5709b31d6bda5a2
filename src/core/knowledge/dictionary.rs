//! Names of shapes and a weight for each, found by a look or two: open addressing in one array.

/// A name and its weight; the name 0 is no name.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Entry {
    pub name: u32,
    pub weight: f32,
}

#[derive(Clone)]
pub struct Dictionary {
    entries: Vec<Entry>,
    shift: u32,
}

impl Dictionary {
    /// A dictionary of these names, each of them once.
    pub fn new(names: impl ExactSizeIterator<Item = Entry>) -> Dictionary {
        let bits = (2 * names.len()).max(2).next_power_of_two().trailing_zeros();
        let mut dictionary = Dictionary { entries: vec![Entry::default(); 1 << bits], shift: 32 - bits };
        for entry in names {
            if entry.name != 0 {
                let slot = dictionary.slot(entry.name);
                dictionary.entries[slot] = entry;
            }
        }
        dictionary
    }

    /// Where a name is, or would be.
    #[inline(always)]
    fn slot(&self, name: u32) -> usize {
        let mask = self.entries.len() - 1;
        let mut slot = (name.wrapping_mul(0x9e37_79b1) >> self.shift) as usize & mask;
        loop {
            let found = self.entries[slot].name;
            if found == name || found == 0 {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The place of a name's entry.
    #[inline(always)]
    pub fn find(&self, name: u32) -> Option<usize> {
        let slot = self.slot(name);
        (self.entries[slot].name == name).then_some(slot)
    }

    #[inline(always)]
    pub fn entry(&self, place: usize) -> Entry {
        self.entries[place]
    }

    pub fn weight_mut(&mut self, place: usize) -> &mut f32 {
        &mut self.entries[place].weight
    }

    /// Places, used and free.
    pub fn capacity(&self) -> usize {
        self.entries.len()
    }

    /// The names in use, in ascending order.
    pub fn sorted(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self.entries.iter().copied().filter(|entry| entry.name != 0).collect();
        entries.sort_by_key(|entry| entry.name);
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn what_is_put_in_is_found_and_nothing_else() {
        let mut rng = Rng::new(1);
        let kept: BTreeMap<u32, f32> = (0..3000).map(|i| (rng.below(20_000) + 1, i as f32)).collect();
        let entries: Vec<Entry> = kept.iter().map(|(&name, &weight)| Entry { name, weight }).collect();
        let dictionary = Dictionary::new(entries.iter().copied());
        for name in 1..=20_001 {
            let found = dictionary.find(name).map(|place| dictionary.entry(place).weight);
            assert_eq!(found, kept.get(&name).copied());
        }
        assert_eq!(dictionary.sorted(), entries);
        assert_eq!(Dictionary::new([].into_iter()).find(7), None);
    }
}
