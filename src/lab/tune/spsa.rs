//! Simultaneous perturbation stochastic approximation: J. C. Spall, IEEE Trans. Automatic Control 37 (1992); the exponents are
//! those of his "Implementation of the simultaneous perturbation algorithm" (1998).
//!
//! 1. In iteration k (from 0) every parameter goes up or down, at random, by c_k = (k + 1)^-0.101 steps; the line with these
//!    signs and the one with the opposite ones are compared: y is the first one's score less the second one's, -1 to 1.
//! 2. Every parameter moves by gain ((1 + A) / (k + 1 + A))^0.602 y / c_k steps in the direction of its sign; A is a tenth of
//!    all iterations. A clear result of the first iteration thus moves all of them by `gain` steps.
//! 3. Iterations go in batches of a fixed number: those of a batch start from one place, and the place moves by the sum of
//!    all. So games of a batch can be played at once in any order, and the way is the same by any number of threads.
//! 4. The answer is the mean place of the second half of the way (B. T. Polyak and A. B. Juditsky, 1992).

use crate::base::Rng;
use crate::base::rng::mix;
use serde::Serialize;

/// How far lines are apart, and how fast places move, over the iterations.
const REACH_EXPONENT: f64 = 0.101;
const GAIN_EXPONENT: f64 = 0.602;
/// The part of the iterations that the gain stays nearly as it starts.
const STEADY: f64 = 0.1;
/// A random stream apart from the games'.
const SIGNS: u64 = 0x5370_7361;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Spsa {
    pub iterations: u64,
    pub batch: u64,
    /// Steps that the first iteration moves by, if its result is clear.
    pub gain: f64,
}

impl Spsa {
    /// So that chance alone, over so many pairs of games, moves a parameter by about a step.
    pub fn usual_gain(pairs: u64) -> f64 {
        2.0 / (pairs as f64).sqrt().max(2.0)
    }

    pub fn batches(&self) -> u64 {
        self.iterations.div_ceil(self.batch)
    }

    /// The iterations of a batch.
    pub fn batch(&self, number: u64) -> std::ops::Range<u64> {
        number * self.batch..((number + 1) * self.batch).min(self.iterations)
    }

    /// How many steps the lines of an iteration are away from the place.
    pub fn reach(&self, iteration: u64) -> f64 {
        libm::pow((iteration + 1) as f64, -REACH_EXPONENT)
    }

    /// Up or down for each of so many parameters.
    pub fn signs(&self, seed: u64, iteration: u64, count: usize) -> Vec<f64> {
        let mut rng = Rng::new(mix(&[seed, SIGNS, iteration]));
        (0..count).map(|_| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }).collect()
    }

    /// The two places of an iteration that are compared.
    pub fn places(&self, at: &[f64], signs: &[f64], iteration: u64) -> [Vec<f64>; 2] {
        let reach = self.reach(iteration);
        [reach, -reach].map(|reach| at.iter().zip(signs).map(|(x, sign)| x + reach * sign).collect())
    }

    /// Steps that an iteration moves every parameter by, in the direction of its sign.
    pub fn stride(&self, iteration: u64, result: f64) -> f64 {
        let steady = STEADY * self.iterations as f64;
        let slower = libm::pow((1.0 + steady) / ((iteration + 1) as f64 + steady), GAIN_EXPONENT);
        self.gain * slower * result / self.reach(iteration)
    }

    /// Where a batch leads, in order of its iterations and inside the ends.
    pub fn advance(&self, at: &[f64], ends: &[(f64, f64)], results: &[(u64, Vec<f64>, f64)]) -> Vec<f64> {
        let mut place = at.to_vec();
        for (iteration, signs, result) in results {
            let stride = self.stride(*iteration, *result);
            place.iter_mut().zip(signs).for_each(|(x, sign)| *x += stride * sign);
        }
        place.iter_mut().zip(ends).for_each(|(x, (low, high))| *x = x.clamp(*low, *high));
        place
    }

    /// The answer, of the start and the places after each batch.
    pub fn answer(&self, way: &[Vec<f64>]) -> Vec<f64> {
        let half = &way[way.len() / 2..];
        let mean = |i: usize| half.iter().map(|place| place[i]).sum::<f64>() / half.len().max(1) as f64;
        (0..way.first().map_or(0, Vec::len)).map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::stats::expected_score;

    /// A game whose players are places: the nearer to the optimum, the stronger.
    struct Fake {
        optimum: Vec<f64>,
        /// Elo that a step away costs, by its square.
        cost: f64,
    }

    impl Fake {
        fn elo(&self, place: &[f64]) -> f64 {
            -self.cost * place.iter().zip(&self.optimum).map(|(x, best)| (x - best).powi(2)).sum::<f64>()
        }

        /// Points of two games.
        fn pair(&self, elo: f64, rng: &mut Rng) -> f64 {
            [(); 2].iter().map(|()| f64::from(u8::from(rng.unit() < expected_score(elo)))).sum()
        }
    }

    /// The way over a fake game; against an opponent both lines play it.
    fn way(
        fake: &Fake,
        spsa: &Spsa,
        start: &[f64],
        ends: &[(f64, f64)],
        has_opponent: bool,
        seed: u64,
    ) -> Vec<Vec<f64>> {
        let mut rng = Rng::new(seed);
        let mut way = vec![start.to_vec()];
        for number in 0..spsa.batches() {
            let at = way.last().unwrap().clone();
            let mut results = Vec::new();
            for k in spsa.batch(number) {
                let signs = spsa.signs(seed, k, start.len());
                let [up, down] = spsa.places(&at, &signs, k).map(|place| fake.elo(&place));
                let result = match has_opponent {
                    false => fake.pair(up - down, &mut rng) - 1.0,
                    true => (fake.pair(up + 60.0, &mut rng) - fake.pair(down + 60.0, &mut rng)) / 2.0,
                };
                results.push((k, signs, result));
            }
            way.push(spsa.advance(&at, ends, &results));
        }
        way
    }

    #[test]
    fn it_finds_the_optimum_of_a_fake_game_with_three_parameters() {
        let fake = Fake { optimum: vec![3.0, -2.0, 0.5], cost: 15.0 };
        let (start, ends) = ([-1.0, 2.0, 1.0], [(-5.0, 5.0); 3]);
        for (has_opponent, iterations) in [(false, 1500), (true, 3000)] {
            let spsa = Spsa { iterations, batch: 8, gain: Spsa::usual_gain(iterations) };
            for seed in 1..=5 {
                let way = way(&fake, &spsa, &start, &ends, has_opponent, seed);
                let answer = spsa.answer(&way);
                let lost = -fake.elo(&answer);
                // The start is 480 and more below the optimum, and a step in one parameter is 15.
                assert!(lost < 20.0, "{lost} Elo below the best at {answer:?}");
            }
        }
    }

    #[test]
    fn a_parameter_at_its_end_stays_inside() {
        let fake = Fake { optimum: vec![9.0], cost: 10.0 };
        let spsa = Spsa { iterations: 400, batch: 4, gain: 0.3 };
        let way = way(&fake, &spsa, &[0.0], &[(-2.0, 2.0)], false, 1);
        assert!(way.iter().all(|place| place[0].abs() <= 2.0));
        assert!(spsa.answer(&way)[0] > 1.5);
    }

    #[test]
    fn without_any_signal_chance_moves_a_parameter_by_about_a_step() {
        let fake = Fake { optimum: vec![0.0], cost: 0.0 };
        let spsa = Spsa { iterations: 1000, batch: 10, gain: Spsa::usual_gain(1000) };
        let last = |seed| way(&fake, &spsa, &[0.0], &[(-50.0, 50.0)], false, seed).last().unwrap()[0];
        let spread = ((0..100).map(|seed| last(seed).powi(2)).sum::<f64>() / 100.0).sqrt();
        assert!((0.7..1.6).contains(&spread), "{spread}");
    }

    #[test]
    fn batches_share_all_iterations_and_a_clear_first_result_moves_by_the_gain() {
        let spsa = Spsa { iterations: 10, batch: 4, gain: 0.25 };
        assert_eq!((0..spsa.batches()).flat_map(|b| spsa.batch(b)).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
        assert_eq!(spsa.stride(0, 1.0), 0.25);
        assert!(spsa.stride(9, 1.0) < 0.25 && spsa.stride(9, -1.0) < 0.0);
        let signs = spsa.signs(1, 0, 64);
        assert!(signs.contains(&1.0) && signs.contains(&-1.0) && signs == spsa.signs(1, 0, 64));
        assert_ne!(signs, spsa.signs(1, 1, 64));
    }
}
