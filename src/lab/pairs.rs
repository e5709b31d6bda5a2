//! What games prove that were played in pairs: two games of one seed, each player once Black.
//!
//! Two games of a pair are not independent. Chance and opening are the same, which makes them alike; and where one colour is
//! better off, one wins what the other loses, which makes them unlike. So the unit is the pair, with one of five results (0,
//! ½, 1, 1½ or 2 points), and its spread is taken from the pairs themselves.
//!
//! With the variance v of a pair's mean, n pairs and m games without a partner (independent, variance p(1 - p)), the rate p
//! has the variance V = (4nv + m p(1 - p)) / (2n + m)². It is as good as a rate of p(1 - p) / V independent games, and has the
//! Wilson interval of so many, with Student's quantile since v is an estimate. This is how rates of clustered samples are
//! treated: L. Kish, "Survey Sampling" (1965); C. Franco et al., J. Survey Stat. Methodol. 7 (2019).

use super::stats::{Estimate, Rate, student};
use crate::base::stats::{Z, wilson};

/// Results of games seen from one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// How many pairs brought 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// Games without a partner.
    pub single: Rate,
}

/// As many pairs of independent games are taken for seen before the first: few pairs, all alike, prove no small variance.
const PAIRS_BEFORE: f64 = 2.0;

impl Pairs {
    /// Adds two games of a pair.
    pub fn add(&mut self, points: [f64; 2]) {
        self.counts[((points[0] + points[1]) * 2.0).round().clamp(0.0, 4.0) as usize] += 1;
    }

    /// Games by the pair they are of; a pair of which there is one game counts as a game by itself.
    pub fn collect<K: Ord>(games: impl IntoIterator<Item = (K, f64)>) -> Pairs {
        let mut games: Vec<(K, f64)> = games.into_iter().collect();
        games.sort_by(|a, b| a.0.cmp(&b.0));
        let mut pairs = Pairs::default();
        for same in games.chunk_by(|a, b| a.0 == b.0) {
            match same {
                [a, b] => pairs.add([a.1, b.1]),
                others => others.iter().for_each(|game| pairs.single.add(game.1)),
            }
        }
        pairs
    }

    pub fn pairs(self) -> u64 {
        self.counts.iter().sum()
    }

    pub fn games(self) -> u64 {
        2 * self.pairs() + self.single.games
    }

    /// Points per game; one half if there are no games.
    pub fn rate(self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        let of_pairs: f64 = self.counts.iter().zip(0..).map(|(&n, half)| n as f64 * f64::from(half) / 2.0).sum();
        (of_pairs + self.single.points()) / self.games() as f64
    }

    pub fn interval(self) -> (f64, f64) {
        let (p, games) = (self.rate(), self.games() as f64);
        let quantile = match self.pairs() {
            0 => Z,
            pairs => student(pairs as f64 - 1.0 + PAIRS_BEFORE + self.single.games as f64),
        };
        // Wilson's interval knows quantile and games by the ratio of the square of one to the other alone.
        let worth = games / self.design_effect() * (Z / quantile).powi(2);
        let points = if p >= 1.0 { worth } else { p * worth };
        wilson(points, worth)
    }

    pub fn estimate(self) -> Estimate {
        (self.rate(), self.interval())
    }

    /// How many times the variance of as many independent games the rate has: below 1 if games of a pair are unlike.
    pub fn design_effect(self) -> f64 {
        let (p, pairs, single) = (self.rate(), self.pairs() as f64, self.single.games as f64);
        let games = 2.0 * pairs + single;
        let independent = p * (1.0 - p);
        if pairs == 0.0 || independent <= 0.0 {
            return 1.0;
        }
        (4.0 * pairs * self.variance() + single * independent) / (games * independent)
    }

    /// Of a pair's mean, with some independent games seen before.
    fn variance(self) -> f64 {
        let (p, pairs) = (self.rate(), self.pairs() as f64);
        let of_pair = |(half, &n): (usize, &u64)| n as f64 * (half as f64 / 4.0 - p).powi(2);
        let squares: f64 = self.counts.iter().enumerate().map(of_pair).sum();
        let before = (p * pairs + 0.5 * PAIRS_BEFORE) / (pairs + PAIRS_BEFORE);
        (squares + PAIRS_BEFORE * before * (1.0 - before) / 2.0) / (pairs - 1.0 + PAIRS_BEFORE)
    }

    /// `of 0, ½, 1, 1½, 2 points: 1, 0, 8, 2, 4; 1 game without a partner`
    pub fn text(self) -> String {
        let [a, b, c, d, e] = self.counts;
        let pairs = format!("of 0, ½, 1, 1½, 2 points: {a}, {b}, {c}, {d}, {e}");
        match (self.pairs(), self.single.games) {
            (0, _) => "none: every game stands for itself".to_string(),
            (_, 0) => pairs,
            (_, 1) => format!("{pairs}; 1 game without a partner"),
            (_, n) => format!("{pairs}; {n} games without a partner"),
        }
    }
}

/// `61.5 % [54.6, 68.0] of 200`
impl std::fmt::Display for Pairs {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (low, high) = self.interval();
        write!(f, "{:.1} % [{:.1}, {:.1}] of {}", 100.0 * self.rate(), 100.0 * low, 100.0 * high, self.games())
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::base::Rng;

    /// How pairs come about: what a game is won with as Black and as White, how often both games of a pair hang on one number
    /// (below 0: on opposite ones), and how often a game is drawn.
    #[derive(Clone, Copy, Debug)]
    pub struct Truth {
        pub black: f64,
        pub white: f64,
        pub alike: f64,
        pub drawn: f64,
    }

    impl Truth {
        /// Every kind of dependence, with this rate.
        pub fn all(rate: f64) -> Vec<Truth> {
            let plain = Truth { black: rate, white: rate, alike: 0.0, drawn: 0.0 };
            let by_colour = (1.0 - rate).min(rate).min(0.3);
            let with_draws = |drawn: f64| (rate - drawn / 2.0) / (1.0 - drawn);
            let drawn = 0.2 * (1.0 - rate).min(rate);
            vec![
                plain,
                Truth { black: rate - by_colour, white: rate + by_colour, ..plain },
                Truth { alike: 0.8, ..plain },
                Truth { alike: -0.8, ..plain },
                Truth { black: with_draws(drawn), white: with_draws(drawn), alike: 0.5, drawn },
            ]
        }

        pub fn rate(self) -> f64 {
            (self.black + self.white) / 2.0 * (1.0 - self.drawn) + self.drawn / 2.0
        }

        pub fn pair(self, rng: &mut Rng) -> [f64; 2] {
            let points = |u: f64, p: f64| match u {
                u if u < p * (1.0 - self.drawn) => 1.0,
                u if u < p * (1.0 - self.drawn) + self.drawn => 0.5,
                _ => 0.0,
            };
            let (first, own) = (rng.unit(), rng.unit());
            let second = match rng.unit() < self.alike.abs() {
                true if self.alike > 0.0 => first,
                true => 1.0 - first,
                false => own,
            };
            [points(first, self.black), points(second, self.white)]
        }
    }

    fn coverage(truth: Truth, pairs: u64, single: u64, of: impl Fn(Pairs) -> (f64, f64)) -> f64 {
        let mut rng = Rng::new(5);
        let trials = 3_000;
        let covered = (0..trials).filter(|_| {
            let mut results = Pairs::default();
            (0..pairs).for_each(|_| results.add(truth.pair(&mut rng)));
            (0..single).for_each(|i| results.single.add(truth.pair(&mut rng)[i as usize % 2]));
            let (low, high) = of(results);
            (low..=high).contains(&truth.rate())
        });
        covered.count() as f64 / f64::from(trials)
    }

    #[test]
    fn intervals_cover_the_truth_at_least_95_times_in_100_however_games_of_a_pair_hang_together() {
        for rate in [0.5, 0.7, 0.9] {
            for truth in Truth::all(rate) {
                for (pairs, single) in [(10, 0), (40, 0), (40, 15), (300, 0)] {
                    let covered = coverage(truth, pairs, single, Pairs::interval);
                    // Three deviations of the simulation, and what discrete results cost.
                    assert!(covered > 0.93, "{truth:?}, {pairs} and {single}: {covered}");
                }
            }
        }
    }

    #[test]
    fn intervals_that_take_games_for_independent_would_not_and_those_of_pairs_are_no_wider_than_needed() {
        let alike = Truth { black: 0.5, white: 0.5, alike: 0.8, drawn: 0.0 };
        let unlike = Truth { alike: -0.8, ..alike };
        let as_games = |results: Pairs| wilson(results.rate() * results.games() as f64, results.games() as f64);
        assert!(coverage(alike, 100, 0, as_games) < 0.90);
        assert!(coverage(unlike, 100, 0, as_games) > 0.99);
        assert!(coverage(unlike, 100, 0, Pairs::interval) < 0.98);
    }

    #[test]
    fn games_by_themselves_have_wilsons_interval() {
        let single = Rate { wins: 123, draws: 0, games: 200 };
        let results = Pairs { single, ..Pairs::default() };
        assert_eq!(results.estimate(), single.estimate());
        assert_eq!(results.to_string(), "61.5 % [54.6, 68.0] of 200");
        assert_eq!(Pairs::default().interval(), (0.0, 1.0));
    }

    #[test]
    fn a_pair_that_is_split_every_time_proves_more_than_independent_games() {
        let split = Pairs { counts: [0, 0, 50, 0, 0], ..Pairs::default() };
        let whole = Pairs { counts: [25, 0, 0, 0, 25], ..Pairs::default() };
        let width = |results: Pairs| results.interval().1 - results.interval().0;
        assert!(width(split) < 0.4 * width(whole) && width(split) > 0.02, "{} {}", width(split), width(whole));
        assert!(split.design_effect() < 0.1 && whole.design_effect() > 1.8);
    }

    #[test]
    fn ends_are_exact_when_every_game_is_won_or_lost() {
        let won = Pairs { counts: [0, 0, 0, 0, 10], ..Pairs::default() };
        let lost = Pairs { counts: [10, 0, 0, 0, 0], ..Pairs::default() };
        assert!(won.interval().1 == 1.0 && won.interval().0 > 0.7 && lost.interval().0 == 0.0);
    }

    #[test]
    fn games_find_their_partner_by_the_pair_and_those_without_one_are_said() {
        let results = Pairs::collect([(3, 1.0), (1, 0.5), (3, 1.0), (7, 0.0), (1, 1.0)]);
        assert_eq!(results.counts, [0, 0, 0, 1, 1]);
        assert_eq!(results.single, Rate { wins: 0, draws: 0, games: 1 });
        assert_eq!((results.games(), results.rate()), (5, 0.7));
        assert_eq!(results.text(), "of 0, ½, 1, 1½, 2 points: 0, 0, 0, 1, 1; 1 game without a partner");
    }
}
