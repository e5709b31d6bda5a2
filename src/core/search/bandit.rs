//! UCB1 and Sequential Halving as bandits, apart from any game.
//!
//! Sequential Halving (Karnin, Koren and Somekh 2013; as in Honjo and Tsuruoka): K arms, T pulls. In each round every
//! arm left gets max(1, floor(T / (|S| ceil(log2 K)))) pulls, then the better half, rounded up, stays. The run ends at
//! one arm or when the pulls are gone.

/// What a run ended with.
#[derive(Clone, PartialEq, Debug)]
pub struct BanditResult {
    pub pulls: Vec<u64>,
    pub sums: Vec<f64>,
    /// The arm named best.
    pub answer: usize,
}

impl BanditResult {
    fn new(arms: usize) -> BanditResult {
        BanditResult { pulls: vec![0; arms], sums: vec![0.0; arms], answer: 0 }
    }

    fn pull(&mut self, arm: usize, reward: f64) {
        self.pulls[arm] += 1;
        self.sums[arm] += reward;
    }

    pub fn mean(&self, arm: usize) -> f64 {
        if self.pulls[arm] == 0 { 0.0 } else { self.sums[arm] / self.pulls[arm] as f64 }
    }

    /// Mean reward of a pull.
    pub fn mean_reward(&self) -> f64 {
        self.sums.iter().sum::<f64>() / self.pulls.iter().sum::<u64>().max(1) as f64
    }

    /// The arm pulled most.
    pub fn most_pulled(&self) -> usize {
        (0..self.pulls.len()).max_by_key(|&i| (self.pulls[i], std::cmp::Reverse(i))).unwrap_or(0)
    }

    fn best_of(&self, arms: &[usize]) -> usize {
        arms.iter().copied().max_by(|&a, &b| self.mean(a).total_cmp(&self.mean(b)).then(b.cmp(&a))).unwrap_or(0)
    }
}

/// Rounds of a halving over this many arms: ceil(log2 K), at least 1.
pub fn rounds(arms: usize) -> u64 {
    (arms.next_power_of_two().trailing_zeros() as u64).max(1)
}

/// UCB1 with constant c; names the arm with the best mean.
pub fn ucb1(arms: usize, pulls: u64, c: f64, mut reward: impl FnMut(usize) -> f64) -> BanditResult {
    let mut result = BanditResult::new(arms);
    for n in 0..pulls {
        let log_n = libm::log(n as f64);
        let value = |i: usize| match result.pulls[i] {
            0 => f64::INFINITY,
            s => result.mean(i) + c * (log_n / s as f64).sqrt(),
        };
        let mut best = (0, f64::NEG_INFINITY);
        for i in 0..arms {
            let v = value(i);
            if v > best.1 {
                best = (i, v);
            }
        }
        let r = reward(best.0);
        result.pull(best.0, r);
    }
    result.answer = result.best_of(&(0..arms).collect::<Vec<_>>());
    result
}

pub fn sequential_halving(arms: usize, pulls: u64, mut reward: impl FnMut(usize) -> f64) -> BanditResult {
    let mut result = BanditResult::new(arms);
    let mut left = pulls;
    let mut set: Vec<usize> = (0..arms).collect();
    'run: while set.len() > 1 {
        let share = (pulls / (set.len() as u64 * rounds(arms))).max(1);
        for &arm in &set {
            for _ in 0..share {
                if left == 0 {
                    break 'run;
                }
                let r = reward(arm);
                result.pull(arm, r);
                left -= 1;
            }
        }
        set.sort_by(|&a, &b| result.mean(b).total_cmp(&result.mean(a)).then(a.cmp(&b)));
        set.truncate(set.len().div_ceil(2));
    }
    result.answer = result.best_of(&set);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    /// The arms of the paper's experiment: arm j pays 1 with probability 0.1 + 0.8 j / (n - 1).
    fn pay(n: usize, seed: u64) -> impl FnMut(usize) -> f64 {
        let mut rng = Rng::new(seed);
        move |arm| f64::from(rng.unit() < 0.1 + 0.8 * arm as f64 / (n - 1) as f64)
    }

    #[test]
    fn halving_pulls_by_the_rounds_of_the_paper() {
        let result = sequential_halving(8, 240, |arm| arm as f64);
        // Three rounds of 80: 10 each to 8 arms, 20 each to 4, 40 each to 2.
        assert_eq!(result.pulls, vec![10, 10, 10, 10, 30, 30, 70, 70]);
        assert_eq!(result.answer, 7);
        // 1,024 arms and too few pulls: a share of 0 is raised to 1 until the pulls are gone.
        let result = sequential_halving(1024, 1_100, |_| 0.5);
        assert_eq!(result.pulls.iter().sum::<u64>(), 1_100);
        assert!(result.pulls[..76].iter().all(|&p| p == 2));
        assert_eq!(rounds(1) + rounds(2) + rounds(3) + rounds(80) + rounds(1024), 1 + 1 + 2 + 7 + 10);
    }

    #[test]
    fn both_name_the_best_of_few_arms_and_ucb1_earns_more_on_the_way() {
        let (mut right, mut earned) = ([0, 0], [0.0, 0.0]);
        for seed in 0..20 {
            let results =
                [ucb1(8, 20_000, std::f64::consts::SQRT_2, pay(8, seed)), sequential_halving(8, 20_000, pay(8, seed))];
            for (i, result) in results.iter().enumerate() {
                right[i] += u32::from(result.answer == 7);
                earned[i] += result.mean_reward();
            }
            assert_eq!(results[0].most_pulled(), 7);
        }
        assert_eq!(right, [20, 20]);
        assert!(earned[0] > earned[1]);
    }
}
