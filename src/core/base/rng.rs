//! Random numbers: xoshiro256++, seeded by streams so that any part of a run can be repeated by itself.

use rand::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[derive(Clone)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in 0..n by multiply-shift; the bias is below n / 2^32.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next_u64() >> 32) * n as u64) >> 32) as u32
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

/// Combines numbers into one seed; different inputs give unrelated streams (SplitMix64's finaliser, chained).
pub fn mix(parts: &[u64]) -> u64 {
    parts.iter().fold(0x9e37_79b9_7f4a_7c15, |state, &part| {
        splitmix(state.wrapping_add(splitmix(part)).wrapping_add(0x9e37_79b9_7f4a_7c15))
    })
}

pub const fn splitmix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A seed nobody chose, for runs without `--seed`; it is told to the user so that the run can be repeated.
pub fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let random_keys = std::collections::hash_map::RandomState::new().build_hasher().finish();
    random_keys & 0xffff_ffff // short enough to type again
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        let chi2: f64 = counts.iter().map(|&c| (c as f64 - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi2 < 22.5, "chi-square {chi2} with 6 degrees of freedom");
    }

    #[test]
    fn mixed_seeds_depend_on_every_part_and_on_order() {
        let seeds = [mix(&[1, 2]), mix(&[2, 1]), mix(&[1]), mix(&[1, 2, 0]), mix(&[])];
        for i in 0..seeds.len() {
            for j in 0..i {
                assert_ne!(seeds[i], seeds[j]);
            }
        }
    }
}
