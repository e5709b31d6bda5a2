//! What a number of games proves: rates with Wilson intervals, differences of them, and Elo.
//!
//! The Elo difference of an expected score s is -400 log10(1/s - 1). A draw counts as half a win. That makes the interval a
//! little too wide when there are many draws, never too narrow. Games that share a seed by twos are counted by
//! [`Pairs`](super::pairs::Pairs) instead.

use crate::base::stats::{Z, wilson};
use std::fmt;

/// A value, and the interval that holds it with 95 % probability.
pub type Estimate = (f64, (f64, f64));

/// Results of a number of games that have nothing to do with each other, seen from one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rate {
    pub wins: u64,
    pub draws: u64,
    pub games: u64,
}

impl Rate {
    /// Wins, a draw being half a win.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    pub fn losses(self) -> u64 {
        self.games.saturating_sub(self.wins + self.draws)
    }

    /// Points per game; one half if there are no games.
    pub fn rate(self) -> f64 {
        if self.games == 0 { 0.5 } else { self.points() / self.games as f64 }
    }

    pub fn interval(self) -> (f64, f64) {
        wilson(self.points(), self.games as f64)
    }

    pub fn estimate(self) -> Estimate {
        (self.rate(), self.interval())
    }

    /// `61.5 [54.6, 68.0]`, or nothing without games.
    pub fn percent_text(self) -> String {
        if self.games == 0 { String::new() } else { percent_text(self.estimate()) }
    }

    /// How much higher this rate is than another, with the interval of the difference: `+6.5 [-3.1, +15.9]`.
    pub fn more_text(self, other: Rate) -> String {
        percent_difference(difference(self.estimate(), other.estimate()))
    }

    /// Adds a game that brought so many points.
    pub fn add(&mut self, points: f64) {
        self.games += 1;
        self.wins += u64::from(points == 1.0);
        self.draws += u64::from(points == 0.5);
    }
}

/// `61.5 % [54.6, 68.0] of 200`
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (low, high) = self.interval();
        let percent = 100.0 * self.rate();
        write!(f, "{percent:.1} % [{:.1}, {:.1}] of {}", 100.0 * low, 100.0 * high, self.games)
    }
}

/// A rate in percent: `61.5 [54.6, 68.0]`.
pub fn percent_text((rate, (low, high)): Estimate) -> String {
    format!("{:.1} [{:.1}, {:.1}]", 100.0 * rate, 100.0 * low, 100.0 * high)
}

/// The Elo difference of a rate: `+81 [+32, +131]`.
pub fn elo_text(rate: Estimate) -> String {
    let (elo, (low, high)) = elo_of(rate);
    format!("{elo:+.0} [{low:+.0}, {high:+.0}]")
}

/// The Elo difference of a rate, with its interval.
pub fn elo_of((rate, (low, high)): Estimate) -> Estimate {
    (elo(rate), (elo(low), elo(high)))
}

/// So many of so many, independent of each other.
pub fn proportion(wins: f64, games: f64) -> Estimate {
    (if games > 0.0 { wins / games } else { 0.5 }, wilson(wins, games))
}

/// The difference of two independent rates: R. G. Newcombe's hybrid of their intervals ("Interval estimation for the
/// difference between independent proportions", Statistics in Medicine 17 (1998), method 10).
pub fn difference((p, (p_low, p_high)): Estimate, (q, (q_low, q_high)): Estimate) -> Estimate {
    let low = (p - p_low).hypot(q_high - q);
    let high = (p_high - p).hypot(q - q_low);
    (p - q, (p - q - low, p - q + high))
}

/// A difference and its interval in percent, with signs.
pub fn percent_difference((difference, (low, high)): Estimate) -> String {
    format!("{:+.1} [{:+.1}, {:+.1}]", 100.0 * difference, 100.0 * low, 100.0 * high)
}

/// The mean of a list and the interval of 95 % by the normal approximation; the deviation is the sample's.
pub fn mean_interval(values: &[f64]) -> Estimate {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n.max(1.0);
    let half = Z * deviation(values) / n.max(1.0).sqrt();
    (mean, (mean - half, mean + half))
}

/// The same with Student's quantile, for a few values.
pub fn mean_of_few(values: &[f64]) -> Estimate {
    let (mean, (low, high)) = mean_interval(values);
    let wider = student(values.len().max(2) as f64 - 1.0) / Z;
    (mean, (mean - wider * (mean - low), mean + wider * (high - mean)))
}

/// The mean of samples that come in groups, given as sum and number of each group: samples of one group may hang together, groups do not
/// (the ratio estimator for clusters; W. G. Cochran, "Sampling Techniques", 6.4), with Student's quantile.
pub fn mean_of_groups(groups: &[(f64, f64)]) -> Estimate {
    let (sum, count) = groups.iter().fold((0.0, 0.0), |(s, n), group| (s + group.0, n + group.1));
    let mean = if count > 0.0 { sum / count } else { 0.0 };
    let squares: f64 = groups.iter().map(|(s, n)| (s - mean * n).powi(2)).sum();
    let few = groups.len() as f64 / (groups.len() as f64 - 1.0).max(1.0);
    let half = student(groups.len().max(2) as f64 - 1.0) * (few * squares).sqrt() / count.max(1.0);
    (mean, (mean - half, mean + half))
}

/// The number below which a normal variable stays with this probability, from a half on.
pub fn normal_quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        // The tail beyond it.
        match libm::erfc(middle / std::f64::consts::SQRT_2) / 2.0 > 1.0 - probability {
            true => low = middle,
            false => high = middle,
        }
    }
    (low + high) / 2.0
}

/// The 97.5 % quantile of Student's distribution, by the expansion of Cornish and Fisher: to 0.03 from 3 degrees of freedom on.
pub fn student(freedom: f64) -> f64 {
    let terms = [
        Z,
        (Z.powi(3) + Z) / 4.0,
        (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0,
        (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / 384.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| sum / freedom.max(1.0) + term)
}

/// The sample's standard deviation; 0 for fewer than two values.
pub fn deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (values.len() - 1) as f64).sqrt()
}

/// The Elo difference at which this score is expected; infinite at 0 and 1.
pub fn elo(rate: f64) -> f64 {
    if rate <= 0.0 {
        f64::NEG_INFINITY
    } else if rate >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * libm::log10(rate / (1.0 - rate))
    }
}

/// The score expected at this Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    fn rate(wins: u64, draws: u64, games: u64) -> Rate {
        Rate { wins, draws, games }
    }

    #[test]
    fn differences_agree_with_published_intervals() {
        // Newcombe's table II, method 10: 56/70 - 48/80, 9/10 - 3/10, 10/10 - 0/10, 0/10 - 0/20.
        for (a, b, low, high) in [
            ((56.0, 70.0), (48.0, 80.0), 0.0524, 0.3339),
            ((9.0, 10.0), (3.0, 10.0), 0.1705, 0.8090),
            ((10.0, 10.0), (0.0, 10.0), 0.6075, 1.0),
            ((0.0, 10.0), (0.0, 20.0), -0.1611, 0.2775),
        ] {
            let (difference, interval) = difference(proportion(a.0, a.1), proportion(b.0, b.1));
            close(difference, a.0 / a.1 - b.0 / b.1, 1e-12);
            close(interval.0, low, 5e-5);
            close(interval.1, high, 5e-5);
        }
    }

    #[test]
    fn differences_cover_the_truth_about_95_times_in_100() {
        let mut rng = Rng::new(3);
        for (p, q, n, m) in [(0.5, 0.5, 100, 600), (0.9, 0.7, 50, 50), (0.05, 0.3, 200, 40)] {
            let trials = 4_000;
            let covered = (0..trials).filter(|_| {
                let mut wins = |p: f64, n: u32| (0..n).filter(|_| rng.unit() < p).count() as f64;
                let [a, b] = [(p, n), (q, m)].map(|(p, n)| proportion(wins(p, n), f64::from(n)));
                let (_, (low, high)) = difference(a, b);
                (low..=high).contains(&(p - q))
            });
            close(covered.count() as f64 / f64::from(trials), 0.95, 0.02);
        }
    }

    #[test]
    fn means_have_the_interval_of_their_deviation() {
        close(deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), (32.0f64 / 7.0).sqrt(), 1e-12);
        let (mean, (low, high)) = mean_interval(&[1.0, 3.0]);
        close(mean, 2.0, 1e-12);
        close(high - mean, Z, 1e-12);
        close(mean - low, Z, 1e-12);
        assert_eq!(mean_interval(&[5.0]), (5.0, (5.0, 5.0)));
    }

    #[test]
    fn elo_agrees_with_values_worked_by_hand() {
        // 10 : 1 is 400 log10(10); 3 : 1 is 400 log10(3) = 190.8485, with log10(3) = 0.47712125 from a table.
        close(elo(10.0 / 11.0), 400.0, 1e-9);
        close(elo(0.75), 190.8485, 1e-4);
        close(elo(0.25), -190.8485, 1e-4);
        assert_eq!((elo(0.0), elo(0.5), elo(1.0)), (f64::NEG_INFINITY, 0.0, f64::INFINITY));
        for difference in [-800.0, -35.0, 0.0, 1.0, 400.0] {
            close(elo(expected_score(difference)), difference, 1e-9);
        }
    }

    #[test]
    fn rates_are_shown_with_their_interval_and_number_of_games() {
        // Interval of 123 / 200 by bisection of the score equation in Python: 0.545999, 0.679667.
        assert_eq!(rate(123, 0, 200).to_string(), "61.5 % [54.6, 68.0] of 200");
        assert_eq!(rate(113, 20, 200).to_string(), "61.5 % [54.6, 68.0] of 200");
        assert_eq!(rate(123, 0, 200).percent_text(), "61.5 [54.6, 68.0]");
        assert_eq!(rate(0, 0, 0).percent_text(), "");
        // statsmodels: confint_proportions_2indep(147, 200, 110, 200, method="newcomb") is 0.09127, 0.27426.
        assert_eq!(rate(147, 0, 200).more_text(rate(105, 10, 200)), "+18.5 [+9.1, +27.4]");
        assert_eq!(elo_text(rate(123, 0, 200).estimate()), "+81 [+32, +131]");
        assert_eq!(elo_text(rate(20, 0, 20).estimate()), "+inf [+287, +inf]");
        assert_eq!(elo_text(rate(0, 0, 20).estimate()), "-inf [-inf, -287]");
        assert_eq!(rate(0, 0, 0).to_string(), "50.0 % [0.0, 100.0] of 0");
        assert_eq!(elo_text(rate(0, 0, 0).estimate()), "+0 [-inf, +inf]");
    }

    #[test]
    fn normal_quantiles_agree_with_tables() {
        for (probability, value) in
            [(0.5, 0.0), (0.8, 0.841_621), (0.975, 1.959_964), (0.995, 2.575_829), (0.9995, 3.290_527)]
        {
            close(normal_quantile(probability), value, 1e-6);
        }
    }

    #[test]
    fn groups_that_hang_together_count_as_one() {
        let values = [2.0, 4.0, 4.0, 5.0, 7.0, 9.0];
        // Alone, each is a group: as the mean's own interval.
        let alone: Vec<(f64, f64)> = values.iter().map(|x| (*x, 1.0)).collect();
        let (a, b) = (mean_of_groups(&alone), mean_of_few(&values));
        close(a.0, b.0, 1e-12);
        close(a.1.0, b.1.0, 1e-12);
        // Ten times the same sample is no more than one.
        let tenfold: Vec<(f64, f64)> = values.iter().map(|x| (10.0 * x, 10.0)).collect();
        close(mean_of_groups(&tenfold).1.1, a.1.1, 1e-12);
        // Groups of unlike size, simulated: samples of a group share half of their spread.
        let mut rng = Rng::new(11);
        let covered = (0..1_000).filter(|_| {
            let groups: Vec<(f64, f64)> = (0..60)
                .map(|_| {
                    let (own, size) = (rng.unit(), f64::from(1 + rng.below(10)));
                    ((0..size as u32).map(|_| own + rng.unit()).sum(), size)
                })
                .collect();
            let (_, (low, high)) = mean_of_groups(&groups);
            (low..=high).contains(&1.0)
        });
        close(covered.count() as f64 / 1_000.0, 0.95, 0.02);
    }

    #[test]
    fn students_quantile_agrees_with_tables() {
        for (freedom, value) in [(3.0, 3.182), (5.0, 2.571), (10.0, 2.228), (30.0, 2.042), (1e6, 1.960)] {
            assert!((student(freedom) - value).abs() < 0.03, "{freedom}: {}", student(freedom));
        }
    }
}
