//! A match that ends as soon as one of two hypotheses is accepted.
//!
//! - A. Wald, "Sequential tests of statistical hypotheses", Annals of Math. Stat. 16 (1945): go on while the logarithm of the
//!   likelihood ratio is between ln(β / (1 - α)) and ln((1 - β) / α).
//! - What is not asked for is the likeliest that the hypothesis allows: of all distributions over the five results of a pair
//!   with the expected score s, the one with pᵢ = Nᵢ / (N (1 + λ (aᵢ - s))) makes the results Nᵢ likeliest, with λ such that
//!   the mean is s (A. B. Owen, "Empirical likelihood", 2001; M. Van den Bergh has it for games of chess in pairs). So the
//!   spread of pairs is taken from the pairs, and colours or openings that decide games mislead nobody.
//!
//! The test may be asked after every pair: its error rates are those of asking until it ends.

use super::pairs::Pairs;
use super::stats::expected_score;
use std::collections::BTreeMap;

/// A match between two hypotheses: the player is `elo0` stronger (H0), or `elo1` (H1). H0 is rejected wrongly with
/// probability `alpha`, H1 with probability `beta`. The two Elo differences must not be the same.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Continue,
    AcceptH0,
    AcceptH1,
    /// The interval is as narrow as it was to be.
    Narrow,
}

impl Decision {
    pub fn text(self) -> &'static str {
        match self {
            Decision::Continue => "undecided",
            Decision::AcceptH0 => "H0 accepted",
            Decision::AcceptH1 => "H1 accepted",
            Decision::Narrow => "interval narrow enough",
        }
    }
}

/// A result that was not seen yet counts as this often: it is not impossible.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// Two Elo differences with 5 % errors.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// `0,30`, the smaller first.
    pub fn parse(text: &str) -> Result<Sprt, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|x: &f64| x.is_finite());
        match text.split_once(',').and_then(|(a, b)| Some((number(a)?, number(b)?))) {
            Some((elo0, elo1)) if elo0 < elo1 => Ok(Sprt::new(elo0, elo1)),
            _ => Err("two Elo differences are expected, the smaller first, such as 0,30".to_string()),
        }
    }

    /// The decision after these games; to be asked after every pair, or every few.
    pub fn decision(&self, results: Pairs) -> Decision {
        let (low, high) = self.bounds();
        match self.log_likelihood_ratio(results) {
            llr if llr <= low => Decision::AcceptH0,
            llr if llr >= high => Decision::AcceptH1,
            _ => Decision::Continue,
        }
    }

    /// Wald's limits for the log-likelihood ratio: H0 is accepted below the first, H1 above the second.
    pub fn bounds(&self) -> (f64, f64) {
        (libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha))
    }

    /// How much more likely the results are under H1 than under H0; pairs and games without a partner add up.
    pub fn log_likelihood_ratio(&self, results: Pairs) -> f64 {
        let single = results.single;
        let single = [single.losses(), single.draws, single.wins];
        self.ratio(&results.counts) + self.ratio(&single)
    }

    /// Of results that bring 0 to 1 points a game in equal steps.
    fn ratio(&self, counts: &[u64]) -> f64 {
        if counts.iter().all(|&n| n == 0) {
            return 0.0;
        }
        let weights: Vec<f64> = counts.iter().map(|&n| n as f64 + UNSEEN).collect();
        log_likelihood(&weights, expected_score(self.elo1)) - log_likelihood(&weights, expected_score(self.elo0))
    }
}

/// Of the likeliest distribution with this mean, up to a constant. Values go from 0 to 1 in equal steps, the mean is between.
fn log_likelihood(weights: &[f64], mean: f64) -> f64 {
    let steps = (weights.len() - 1) as f64;
    let off = |i: usize| i as f64 / steps - mean;
    let excess = |lambda: f64| -> f64 {
        weights.iter().enumerate().map(|(i, weight)| weight * off(i) / (1.0 + lambda * off(i))).sum()
    };
    // The excess falls with lambda, from infinity to minus infinity between the ends.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let lambda = (low + high) / 2.0;
    -weights.iter().enumerate().map(|(i, weight)| weight * libm::log(1.0 + lambda * off(i))).sum::<f64>()
}

/// What a row of games is played for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Goal {
    Test(Sprt),
    /// The 95 % interval of the rate reaches at most this far to either side, on the mean.
    Width(f64),
}

/// Games before a width is believed; with 20 some rows of pairs that hang together kept to 91 % only.
const LEAST_GAMES: u64 = 60;

impl From<Sprt> for Goal {
    fn from(sprt: Sprt) -> Goal {
        Goal::Test(sprt)
    }
}

/// As it is typed.
impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Goal::Test(sprt) => write!(f, "--sprt {},{}", sprt.elo0, sprt.elo1),
            Goal::Width(width) => write!(f, "--until {}", (width * 1e6).round() / 1e4),
        }
    }
}

impl Goal {
    /// `5`: points of percent.
    pub fn parse_width(text: &str) -> Result<Goal, String> {
        match text.trim().parse() {
            Ok(points) if (0.1..50.0).contains(&points) => Ok(Goal::Width(points / 100.0)),
            _ => Err("a number of points from 0.1 to 50 is expected, such as 5".to_string()),
        }
    }

    fn decision(&self, results: Pairs) -> Decision {
        match self {
            Goal::Test(sprt) => sprt.decision(results),
            Goal::Width(width) => {
                let (low, high) = results.interval();
                let is_narrow = (high - low) / 2.0 <= *width && results.games() >= LEAST_GAMES;
                if is_narrow { Decision::Narrow } else { Decision::Continue }
            }
        }
    }
}

/// Watches a match whose games end in any order: the test is made pair after pair in the order of their numbers, so that it
/// ends at the same game with any number of jobs.
pub struct Watch {
    goal: Goal,
    is_paired: bool,
    /// Points of games that wait for others.
    waiting: BTreeMap<usize, f64>,
    /// Games that the test has seen.
    seen: usize,
    pub results: Pairs,
    pub decision: Decision,
}

impl Watch {
    /// Games 2i and 2i + 1 are a pair, or every game stands for itself.
    pub fn new(goal: impl Into<Goal>, is_paired: bool) -> Watch {
        let goal = goal.into();
        let waiting = BTreeMap::new();
        Watch { goal, is_paired, waiting, seen: 0, results: Pairs::default(), decision: Decision::Continue }
    }

    /// Notes a game, once; after the end nothing counts any more.
    pub fn add(&mut self, game: usize, points: f64) {
        if game < self.seen {
            return;
        }
        self.waiting.insert(game, points);
        while self.decision == Decision::Continue {
            let point = |i: usize| self.waiting.get(&(self.seen + i)).copied();
            match (self.is_paired, point(0), point(1)) {
                (true, Some(a), Some(b)) => self.results.add([a, b]),
                (false, Some(a), _) => self.results.single.add(a),
                _ => return,
            }
            for _ in 0..if self.is_paired { 2 } else { 1 } {
                self.waiting.remove(&self.seen);
                self.seen += 1;
            }
            self.decision = self.goal.decision(self.results);
        }
    }

    /// After how many games the test ended, if it did.
    pub fn end(&self) -> Option<usize> {
        (self.decision != Decision::Continue).then_some(self.seen)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::tests::Truth;
    use super::super::stats::{Rate, elo};
    use super::*;
    use crate::base::Rng;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    fn single(wins: u64, draws: u64, games: u64) -> Pairs {
        Pairs { single: Rate { wins, draws, games }, ..Pairs::default() }
    }

    fn pairs(counts: [u64; 5]) -> Pairs {
        Pairs { counts, ..Pairs::default() }
    }

    fn even_or_55_percent() -> Sprt {
        Sprt::new(0.0, elo(0.55))
    }

    #[test]
    fn likelihood_ratio_and_bounds_agree_with_values_worked_apart() {
        // Python's decimal with 30 digits: 60 ln 1.1 + 40 ln 0.9, and ln 19. The thousandths that were not seen cost the rest.
        let sprt = even_or_55_percent();
        close(sprt.log_likelihood_ratio(single(60, 0, 100)), 1.504_190_161_946_439_6, 2e-3);
        close(sprt.bounds().0, -2.944_438_979_166_440_5, 1e-12);
        close(sprt.bounds().1, 2.944_438_979_166_440_5, 1e-12);
        // Pairs that are won or lost whole are as good as as many games.
        close(sprt.log_likelihood_ratio(pairs([40, 0, 0, 0, 60])), 1.504_190_161_946_439_6, 5e-3);
    }

    /// The likeliest distribution with a mean, by climbing in small steps from wherever the search starts.
    fn slow_log_likelihood(weights: &[f64; 5], mean: f64) -> f64 {
        let value = |i: usize| i as f64 / 4.0;
        let mut shares = [0.2; 5];
        // Onto the mean: the uneven ends take what is missing.
        let tilt = (mean - 0.5) * 0.4;
        (0..5).for_each(|i| shares[i] += tilt * (value(i) - 0.5) * 4.0);
        let likelihood = |shares: &[f64; 5]| {
            (0..5)
                .map(|i| weights[i] * (shares[i].max(1e-300) * weights.iter().sum::<f64>() / weights[i]).ln())
                .sum::<f64>()
        };
        assert!((shares.iter().zip(0..).map(|(s, i)| s * value(i)).sum::<f64>() - mean).abs() < 1e-9);
        let mut step = 0.05;
        while step > 1e-9 {
            let mut is_better = false;
            // Directions that change neither sum nor mean.
            for direction in [
                [1.0, -2.0, 1.0, 0.0, 0.0],
                [0.0, 1.0, -2.0, 1.0, 0.0],
                [0.0, 0.0, 1.0, -2.0, 1.0],
                [1.0, 0.0, -2.0, 0.0, 1.0],
                [1.0, -1.0, -1.0, 1.0, 0.0],
                [0.0, 1.0, -1.0, -1.0, 1.0],
            ] {
                for sign in [-step, step] {
                    let mut moved = shares;
                    (0..5).for_each(|i| moved[i] += sign * direction[i]);
                    if moved.iter().all(|s| *s > 0.0) && likelihood(&moved) > likelihood(&shares) {
                        shares = moved;
                        is_better = true;
                    }
                }
            }
            if !is_better {
                step /= 2.0;
            }
        }
        likelihood(&shares)
    }

    #[test]
    fn the_likeliest_distribution_is_the_one_that_climbing_finds() {
        for weights in [[3.0, 1.0, 7.0, 2.0, 4.0], [10.0, 0.5, 30.0, 0.5, 20.0], [1.0; 5]] {
            for mean in [0.4, 0.5, 0.55, 0.7] {
                let (fast, slow) = (log_likelihood(&weights, mean), slow_log_likelihood(&weights, mean));
                close(fast, slow, 1e-5);
            }
        }
    }

    #[test]
    fn a_row_that_ends_at_a_width_has_the_truth_in_its_interval_as_often_as_it_says() {
        for rate in [0.5, 0.8] {
            for truth in Truth::all(rate) {
                let mut rng = Rng::new(3);
                let rows = 1_000;
                let covered = (0..rows).filter(|_| {
                    let mut watch = Watch::new(Goal::Width(0.08), true);
                    let mut games = 0;
                    while watch.end().is_none() {
                        for points in truth.pair(&mut rng) {
                            watch.add(games, points);
                            games += 1;
                        }
                    }
                    assert!(watch.decision == Decision::Narrow && games >= LEAST_GAMES as usize);
                    let (low, high) = watch.results.interval();
                    (low..=high).contains(&truth.rate())
                });
                let covered = covered.count() as f64 / f64::from(rows);
                assert!(covered > 0.92, "{truth:?}: {covered}");
            }
        }
        assert_eq!(Goal::parse_width("5"), Ok(Goal::Width(0.05)));
        assert!(["", "0", "60", "x"].iter().all(|text| Goal::parse_width(text).is_err()));
    }

    #[test]
    fn test_goes_on_without_evidence_and_ends_with_it() {
        let sprt = even_or_55_percent();
        for (results, verdict) in [
            (Pairs::default(), Decision::Continue),
            (pairs([1, 0, 3, 0, 1]), Decision::Continue),
            (pairs([100, 0, 200, 0, 200]), Decision::AcceptH1),
            (pairs([100, 0, 300, 0, 100]), Decision::AcceptH0),
            (single(600, 0, 1000), Decision::AcceptH1),
            (single(500, 0, 1000), Decision::AcceptH0),
            (single(20, 960, 1000), Decision::AcceptH0),
        ] {
            assert_eq!(sprt.decision(results), verdict, "{results:?}");
        }
    }

    /// How often H1 is accepted.
    fn share_of_h1(sprt: Sprt, truth: Truth, is_paired: bool) -> f64 {
        let mut rng = Rng::new(11);
        let matches = 1000;
        let accepted = (0..matches).filter(|_| {
            let mut results = Pairs::default();
            while sprt.decision(results) == Decision::Continue {
                match truth.pair(&mut rng) {
                    pair if is_paired => results.add(pair),
                    [game, _] => results.single.add(game),
                }
            }
            sprt.decision(results) == Decision::AcceptH1
        });
        accepted.count() as f64 / f64::from(matches)
    }

    #[test]
    fn simulated_matches_are_judged_wrongly_at_most_as_often_as_promised_however_games_of_a_pair_hang_together() {
        // Five in a hundred, and three deviations of the simulation.
        for elo1 in [70.0, 250.0] {
            let sprt = Sprt::new(0.0, elo1);
            for truth in Truth::all(0.5) {
                let wrong = share_of_h1(sprt, truth, true);
                assert!(wrong < 0.07, "{truth:?} is taken for {elo1} in {wrong}");
            }
            for truth in Truth::all(expected_score(elo1)) {
                let right = share_of_h1(sprt, truth, true);
                assert!(right > 0.93, "{truth:?} is taken for {elo1} in {right} only");
            }
        }
        let sprt = Sprt::new(0.0, 70.0);
        for (rate, least, most) in [(0.5, 0.0, 0.07), (expected_score(70.0), 0.93, 1.0)] {
            let share = share_of_h1(sprt, Truth::all(rate)[0], false);
            assert!((least..=most).contains(&share), "{share}");
        }
    }

    #[test]
    fn games_in_any_order_end_the_test_at_the_same_pair() {
        let sprt = Sprt::new(0.0, 200.0);
        let points: Vec<f64> = (0..200).map(|i| f64::from(u8::from(i % 7 != 0))).collect();
        let end_of = |order: Vec<usize>, is_paired: bool| {
            let mut watch = Watch::new(sprt, is_paired);
            order.into_iter().for_each(|i| watch.add(i, points[i]));
            (watch.end(), watch.results, watch.decision)
        };
        for is_paired in [true, false] {
            let forwards = end_of((0..200).collect(), is_paired);
            let mut mixed: Vec<usize> = (0..200).collect();
            Rng::new(1).shuffle(&mut mixed);
            assert_eq!(forwards, end_of(mixed, is_paired));
            assert_eq!(forwards.2, Decision::AcceptH1);
            assert_eq!(forwards.0.map(|games| games as u64), Some(forwards.1.games()));
        }
        assert_eq!(end_of(vec![0, 2, 4, 6], true).1, Pairs::default(), "half pairs wait");
    }

    #[test]
    fn two_elo_differences_are_read_the_smaller_first() {
        assert_eq!(Sprt::parse(" -5, 30"), Ok(Sprt::new(-5.0, 30.0)));
        for bad in ["", "5", "30,0", "0,0", "a,b", "0,inf"] {
            assert!(Sprt::parse(bad).is_err_and(|e| e.contains("such as 0,30")), "{bad}");
        }
    }
}
