//! How a game is played out: from a position to a score.

pub mod judge;
pub mod outlook;

use crate::base::Rng;
use crate::base::rng::mix;
use crate::game::{Game, Policy};

/// Plays uniformly random candidate moves until the game is over, or the cap. Returns the number of moves.
///
/// This is the `light` policy. In Go: legal moves that do not fill an own eye (see `Board::is_eye`), all equally likely.
#[inline]
pub fn light<G: Game>(position: &mut G, rng: &mut Rng) -> usize {
    position.play_out(Policy::Light, rng)
}

/// One playout from a copy of the position: the score for Black.
#[inline]
pub fn score<G: Game>(position: &G, policy: Policy, rng: &mut Rng) -> f32 {
    let mut end = position.clone();
    end.play_out(policy, rng);
    end.score()
}

/// Playouts number `numbers` of a run with this seed, the one with number t from `start(t)`; each is a random stream
/// of its own, so that a result does not depend on which worker made it or what it was made together with.
pub fn score_many<'a, G: Game>(
    policy: Policy,
    seed: u64,
    numbers: std::ops::Range<u64>,
    start: impl Fn(u64) -> &'a G,
    mut done: impl FnMut(u64, f32),
) {
    let starts: Vec<&G> = numbers.clone().map(&start).collect();
    let seeds: Vec<u64> = numbers.clone().map(|t| mix(&[seed, t])).collect();
    let first = numbers.start;
    let in_lockstep = policy == Policy::Light;
    if !in_lockstep || !G::play_out_many(&starts, &seeds, &mut |i, score| done(first + i as u64, score)) {
        for (i, position) in starts.iter().enumerate() {
            done(first + i as u64, score(*position, policy, &mut Rng::new(seeds[i])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::game::go::Go9;

    /// Largest gap between two empirical distributions, in units in which 1.95 is passed by chance once in a thousand.
    fn kolmogorov_smirnov(mut a: Vec<f32>, mut b: Vec<f32>) -> f64 {
        a.sort_by(f32::total_cmp);
        b.sort_by(f32::total_cmp);
        let share = |list: &[f32], x: f32| list.partition_point(|&y| y <= x) as f64 / list.len() as f64;
        let gap = a.iter().chain(&b).map(|&x| (share(&a, x) - share(&b, x)).abs()).fold(0.0, f64::max);
        gap * (a.len() as f64 * b.len() as f64 / (a.len() + b.len()) as f64).sqrt()
    }

    #[test]
    fn one_game_at_a_time_and_lockstep_have_the_same_distribution_of_scores() {
        for (n, opening) in [(9, 0), (9, 30), (9, 60), (5, 0), (7, 10)] {
            let mut rng = Rng::new(n as u64);
            let mut start = Go9::new(Size::new(n).unwrap(), 0.0);
            (0..opening).for_each(|_| {
                start.play_random(&mut rng);
            });
            let games = 10_000;
            let single: Vec<f32> = (0..games).map(|_| score(&start, Policy::Light, &mut rng)).collect();
            let mut many = Vec::new();
            let seeds: Vec<u64> = (0..games).collect();
            assert!(Game::has_lockstep(&start));
            assert!(Go9::play_out_many(&vec![&start; games as usize], &seeds, &mut |_, score| many.push(score)));
            let distance = kolmogorov_smirnov(single, many);
            assert!(distance < 1.95, "{n}x{n} after {opening} moves: {distance}");
        }
    }
}
