//! Wilson's score interval: what a number of games, or of playouts, says about a rate.
//!
//! E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927). For a rate p of n
//! games it is (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).

/// The 97.5 % quantile of the normal distribution, for intervals of 95 %.
pub const Z: f64 = 1.959_963_984_540_054;

/// The interval that holds the true rate with 95 % probability; (0, 1) without games.
pub fn wilson(wins: f64, games: f64) -> (f64, f64) {
    if games <= 0.0 {
        return (0.0, 1.0);
    }
    let p = wins / games;
    let z2n = Z * Z / games;
    let centre = p + z2n / 2.0;
    let half = Z * (p * (1.0 - p) / games + z2n / (4.0 * games)).max(0.0).sqrt();
    // The ends are exact where rounding would make an infinite Elo difference finite.
    let low = if wins <= 0.0 { 0.0 } else { (centre - half) / (1.0 + z2n) };
    let high = if wins >= games { 1.0 } else { (centre + half) / (1.0 + z2n) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn wilson_agrees_with_published_intervals() {
        // R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998),
        // table I, method 3 (score without continuity correction).
        let table = [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ];
        for (wins, games, low, high) in table {
            let interval = wilson(wins, games);
            close(interval.0, low, 5e-5);
            close(interval.1, high, 5e-5);
        }
    }

    #[test]
    fn wilson_bounds_are_the_rates_from_which_the_result_is_z_deviations_away() {
        for (wins, games) in [(123.0, 200.0), (7.0, 8.0), (0.5, 3.0), (1.0, 1000.0)] {
            let (low, high) = wilson(wins, games);
            for bound in [low, high] {
                close((wins / games - bound).abs() / (bound * (1.0 - bound) / games).sqrt(), Z, 1e-9);
            }
        }
    }

    #[test]
    fn wilson_is_inside_0_and_1_symmetric_monotonous_and_narrows_with_games() {
        for games in [1.0f64, 2.0, 7.0, 100.0, 1e6] {
            let mut before = (-1.0, -1.0);
            for tenth in 0..=10 {
                let wins = games * f64::from(tenth) / 10.0;
                let (low, high) = wilson(wins, games);
                assert!((0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high));
                assert!(low <= wins / games && wins / games <= high);
                assert!(low > before.0 && high > before.1);
                let mirrored = wilson(games - wins, games);
                close(low, 1.0 - mirrored.1, 1e-12);
                let more = wilson(4.0 * wins, 4.0 * games);
                assert!(more.1 - more.0 < high - low);
                before = (low, high);
            }
        }
        assert_eq!(wilson(0.0, 0.0), (0.0, 1.0));
    }

    #[test]
    fn wilson_covers_the_true_rate_about_95_times_in_100() {
        let mut rng = Rng::new(7);
        let (trials, games) = (10_000, 60);
        let covered = (0..trials).filter(|_| {
            let truth = 0.1 + 0.8 * rng.unit();
            let wins = (0..games).filter(|_| rng.unit() < truth).count();
            let (low, high) = wilson(wins as f64, f64::from(games));
            (low..=high).contains(&truth)
        });
        close(covered.count() as f64 / f64::from(trials), 0.95, 0.01);
    }

    /// Probability of exactly this many wins.
    fn binomial(games: u32, wins: u32, p: f64) -> f64 {
        let ways = (0..wins).fold(1.0, |w, i| w * f64::from(games - i) / f64::from(i + 1));
        ways * p.powi(wins as i32) * (1.0 - p).powi((games - wins) as i32)
    }

    #[test]
    fn the_true_coverage_of_wilson_is_about_95_percent_for_every_rate() {
        // All outcomes, weighted by their probability: no simulation.
        for games in [5u32, 20, 60, 300] {
            let intervals: Vec<(f64, f64)> = (0..=games).map(|w| wilson(f64::from(w), f64::from(games))).collect();
            let mut coverages = Vec::new();
            for step in 1..200 {
                let truth = f64::from(step) / 200.0;
                let inside = |w: &u32| (intervals[*w as usize].0..=intervals[*w as usize].1).contains(&truth);
                coverages.push((0..=games).filter(inside).map(|w| binomial(games, w, truth)).sum::<f64>());
            }
            close(coverages.iter().sum::<f64>() / coverages.len() as f64, 0.95, 0.015);
            assert!(coverages.iter().all(|&c| c > 0.83), "{games}: {coverages:?}");
        }
    }
}
