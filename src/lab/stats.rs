//! What a number of games proves: rates with Wilson intervals, Elo differences, and a test that stops early.
//!
//! - Elo difference of an expected score s: -400 log10(1/s - 1).
//! - Sequential test: A. Wald, "Sequential tests of statistical hypotheses", Annals of Math. Stat. 16 (1945).
//!
//! A draw counts as half a win. That makes the interval a little too wide when there are many draws, never too narrow.

use crate::base::stats::{Z, wilson};
use std::fmt;

/// Results of a number of games, seen from one player.
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

    /// The Elo difference and its interval.
    pub fn elo(self) -> (f64, (f64, f64)) {
        let (low, high) = self.interval();
        (elo(self.rate()), (elo(low), elo(high)))
    }

    /// `61.5 [54.6, 68.0]`, or nothing without games.
    pub fn percent_text(self) -> String {
        if self.games == 0 {
            return String::new();
        }
        let (low, high) = self.interval();
        format!("{:.1} [{:.1}, {:.1}]", 100.0 * self.rate(), 100.0 * low, 100.0 * high)
    }

    /// How much higher this rate is than another, with the interval of the difference: `+6.5 [-3.1, +15.9]`.
    pub fn more_text(self, other: Rate) -> String {
        percent_difference(difference((self.points(), self.games as f64), (other.points(), other.games as f64)))
    }

    /// `+81 [+32, +131]`
    pub fn elo_text(self) -> String {
        let (elo, (low, high)) = self.elo();
        format!("{elo:+.0} [{low:+.0}, {high:+.0}]")
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

/// The difference of two independent rates and the interval that holds it with 95 % probability: R. G. Newcombe's hybrid
/// of two score intervals ("Interval estimation for the difference between independent proportions", Statistics in
/// Medicine 17 (1998), method 10).
pub fn difference(a: (f64, f64), b: (f64, f64)) -> (f64, (f64, f64)) {
    let rate = |(wins, games): (f64, f64)| if games > 0.0 { wins / games } else { 0.5 };
    let (p, q) = (rate(a), rate(b));
    let ((p_low, p_high), (q_low, q_high)) = (wilson(a.0, a.1), wilson(b.0, b.1));
    let low = (p - p_low).hypot(q_high - q);
    let high = (p_high - p).hypot(q - q_low);
    (p - q, (p - q - low, p - q + high))
}

/// A difference and its interval in percent, with signs.
pub fn percent_difference((difference, (low, high)): (f64, (f64, f64))) -> String {
    format!("{:+.1} [{:+.1}, {:+.1}]", 100.0 * difference, 100.0 * low, 100.0 * high)
}

/// The mean of a list and the interval of 95 % by the normal approximation; the deviation is the sample's.
pub fn mean_interval(values: &[f64]) -> (f64, (f64, f64)) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n.max(1.0);
    let half = Z * deviation(values) / n.max(1.0).sqrt();
    (mean, (mean - half, mean + half))
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
}

/// Draw rates are kept below this share of what both hypotheses can explain.
const DRAWS_EXPLAINED: f64 = 0.99;

impl Sprt {
    /// The decision after these games; to be asked after every game, or every few.
    pub fn decision(&self, results: Rate) -> Decision {
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

    /// How much more likely the results are under H1 than under H0. Win, draw and loss are three outcomes; both
    /// hypotheses take the draw rate from the results, so that draws cancel and only decided games count.
    pub fn log_likelihood_ratio(&self, results: Rate) -> f64 {
        let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
        let explained = 2.0 * s0.min(s1).min(1.0 - s0).min(1.0 - s1);
        let draw_rate = results.draws as f64 / results.games.max(1) as f64;
        let half_draws = draw_rate.min(DRAWS_EXPLAINED * explained) / 2.0;
        let win = libm::log((s1 - half_draws) / (s0 - half_draws));
        let loss = libm::log((1.0 - s1 - half_draws) / (1.0 - s0 - half_draws));
        results.wins as f64 * win + results.losses() as f64 * loss
    }
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
            let (difference, interval) = difference(a, b);
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
                let (_, (low, high)) = difference((wins(p, n), f64::from(n)), (wins(q, m), f64::from(m)));
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
        assert_eq!(rate(123, 0, 200).elo_text(), "+81 [+32, +131]");
        assert_eq!(rate(20, 0, 20).elo_text(), "+inf [+287, +inf]");
        assert_eq!(rate(0, 0, 20).elo_text(), "-inf [-inf, -287]");
        assert_eq!(rate(0, 0, 0).to_string(), "50.0 % [0.0, 100.0] of 0");
        assert_eq!(rate(0, 0, 0).elo_text(), "+0 [-inf, +inf]");
    }

    fn even_or_55_percent() -> Sprt {
        Sprt { elo0: 0.0, elo1: elo(0.55), alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn likelihood_ratio_and_bounds_agree_with_values_worked_apart() {
        // Python's decimal with 30 digits: 60 ln 1.1 + 40 ln 0.9; with a fifth of draws, wins go from 0.40 to 0.45 and
        // losses from 0.40 to 0.35: 50 ln(45/40) + 30 ln(35/40); ln 19.
        let sprt = even_or_55_percent();
        close(sprt.log_likelihood_ratio(rate(60, 0, 100)), 1.504_190_161_946_439_6, 1e-9);
        close(sprt.log_likelihood_ratio(rate(50, 20, 100)), 1.883_210_004_083_494, 1e-9);
        close(sprt.bounds().0, -2.944_438_979_166_440_5, 1e-12);
        close(sprt.bounds().1, 2.944_438_979_166_440_5, 1e-12);
    }

    #[test]
    fn test_goes_on_without_evidence_and_ends_with_it() {
        let sprt = even_or_55_percent();
        for (results, verdict) in [
            (rate(0, 0, 0), Decision::Continue),
            (rate(5, 0, 10), Decision::Continue),
            (rate(0, 500, 500), Decision::Continue),
            (rate(600, 0, 1000), Decision::AcceptH1),
            (rate(500, 0, 1000), Decision::AcceptH0),
            (rate(20, 960, 1000), Decision::AcceptH0),
        ] {
            assert_eq!(sprt.decision(results), verdict, "{results:?}");
        }
    }

    /// How often H1 is accepted when the true probabilities of win and draw are these.
    fn share_of_h1(win: f64, draw: f64) -> f64 {
        let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05 };
        let mut rng = Rng::new(11);
        let matches = 2000;
        let accepted = (0..matches).filter(|_| {
            let mut results = Rate::default();
            while sprt.decision(results) == Decision::Continue {
                let outcome = rng.unit();
                results.games += 1;
                results.wins += u64::from(outcome < win);
                results.draws += u64::from((win..win + draw).contains(&outcome));
            }
            sprt.decision(results) == Decision::AcceptH1
        });
        accepted.count() as f64 / f64::from(matches)
    }

    #[test]
    fn simulated_matches_are_judged_wrongly_at_most_as_often_as_promised() {
        let better = expected_score(60.0);
        for draw in [0.0, 0.3] {
            assert!(share_of_h1(0.5 - draw / 2.0, draw) < 0.06);
            assert!(share_of_h1(better - draw / 2.0, draw) > 0.94);
        }
    }
}
