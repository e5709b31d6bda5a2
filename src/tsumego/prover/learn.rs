//! Fits the weights of `estimate` to what positions cost to search.
//!
//! 1. Random problems are searched; some of the positions that get an estimate on the way are kept.
//! 2. Each of them is searched by itself: who wins, and how many nodes does it take to show it?
//! 3. For each side to move and each winner the logarithm of that cost is fitted, by least squares, as a sum of counts.
//!
//! The weights by which moves are put in order are fitted by [`promises`].
//!
//! The search that finds the positions is guided by the weights there are. So new weights see other positions than the old
//! ones did, and another round with them in place gives somewhat different ones; in the end no better ones.

pub mod promises;

use super::dfpn::{Budget, Memory, Search};
use super::estimate::{COUNTS, Counter, Counts, DOUBLE, SCALE, Weights};
use super::grid::Cell;
use super::life;
use super::make::{self, Place};
use super::state::{Ko, Rules, State};
use crate::TsumegoError;
use crate::base::rng::mix;
use crate::base::{Rng, Size};
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Empty points of a problem.
const ROOM: RangeInclusive<usize> = 12..=24;
/// Nodes for a problem; easier ones are of no use.
const PROBLEM_NODES: RangeInclusive<u64> = 5_000..=150_000;
/// Nodes for a position.
const POSITION_NODES: u64 = 10_000;
/// One of so many positions is kept, and at most so many of a problem.
const ONE_IN: u32 = 100;
const MOST_OF_A_PROBLEM: usize = 60;
const TABLE_MB: usize = 64;
/// Weights are held this much towards zero, in units of the spread of their counts.
const RIDGE: f64 = 1e-3;

/// A searched position.
#[derive(PartialEq, Debug)]
pub struct Sample {
    pub attacker_moves: bool,
    pub attacker_wins: bool,
    pub nodes: u64,
    pub counts: Counts,
}

/// Where positions come from: at least so many of the problems of a seed.
pub struct Source {
    pub size: Size,
    pub positions: usize,
    pub seed: u64,
}

/// Steps 1 and 2, telling how many positions were found; there are fewer of them if `stop` was set.
pub fn samples(source: &Source, threads: usize, stop: &AtomicBool, found: impl Fn(usize) + Sync) -> Vec<Sample> {
    collect(source, threads, stop, found, of_problem)
}

/// What comes of the problems of a seed, the same for any number of threads: by number, as many as are needed.
fn collect<T: Send>(
    source: &Source,
    threads: usize,
    stop: &AtomicBool,
    found: impl Fn(usize) + Sync,
    of_problem: impl Fn(Size, &mut Rng, &AtomicBool) -> Vec<T> + Sync,
) -> Vec<T> {
    let (next, total) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut problems = std::thread::scope(|scope| {
        let work = || {
            let mut problems = Vec::new();
            while total.load(Relaxed) < source.positions && !stop.load(Relaxed) {
                let i = next.fetch_add(1, Relaxed);
                let samples = of_problem(source.size, &mut Rng::new(mix(&[source.seed, i as u64])), stop);
                total.fetch_add(samples.len(), Relaxed);
                found(samples.len());
                problems.push((i, samples));
            }
            problems
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect::<Vec<_>>()
    });
    problems.sort_by_key(|problem| problem.0);
    let mut samples = Vec::new();
    for (_, some) in problems {
        if samples.len() < source.positions {
            samples.extend(some);
        }
    }
    samples
}

/// Positions in a search of the first random problem that is hard enough, each with the move that led to it; `None` if
/// `stop` was set.
fn kept_positions(size: Size, rng: &mut Rng, most: usize, stop: &AtomicBool) -> Option<(Rules, Vec<(State, Cell)>)> {
    let mut memory = Memory::new(TABLE_MB);
    loop {
        let place = if rng.below(3) > 0 { Place::Corner } else { Place::Side };
        let (room, changes) = (9 + rng.below(10) as usize, 2 + rng.below(12) as usize);
        let Some(question) = make::random_question(size, place, room, changes, rng) else { continue };
        let ko = [Ko::Nobody, Ko::Attacker, Ko::Defender][rng.below(3) as usize];
        let Some((rules, state)) = question.start(ko) else { continue };
        if !ROOM.contains(&question.room()) || state.crucial == 0 {
            continue;
        }
        if stop.load(Relaxed) {
            return None;
        }
        memory.clear();
        let budget = Budget { nodes: *PROBLEM_NODES.end(), deadline: None, stop };
        let mut search = Search::new(&rules, &mut memory, budget).keeping_one_in(ONE_IN, rng.next_u64());
        search.solve(&state);
        if search.nodes < *PROBLEM_NODES.start() {
            continue;
        }
        let mut positions = search.kept();
        rng.shuffle(&mut positions);
        positions.truncate(most);
        return Some((rules, positions));
    }
}

/// Positions of the first random problem that is hard enough.
fn of_problem(size: Size, rng: &mut Rng, stop: &AtomicBool) -> Vec<Sample> {
    let Some((rules, positions)) = kept_positions(size, rng, MOST_OF_A_PROBLEM, stop) else { return Vec::new() };
    let counter = Counter::new(&rules.grid);
    let mut samples = Vec::new();
    let mut memory = Memory::new(1);
    for (state, _) in positions {
        memory.table.clear();
        let budget = Budget { nodes: POSITION_NODES, deadline: None, stop };
        let mut search = Search::new(&rules, &mut memory, budget);
        let Some(attacker_wins) = search.solve(&state) else { continue };
        let nodes = search.nodes;
        let arena = rules.arena(&state);
        let (room, last) = life::eye_room(&rules, &state, arena);
        let counts = counter.counts(&rules, &state, room, last, arena);
        samples.push(Sample { attacker_moves: state.attacker_moves, attacker_wins, nodes, counts });
    }
    samples
}

/// What was fitted to the positions of one side to move that one side wins.
pub struct Fit {
    pub attacker_moves: bool,
    pub attacker_wins: bool,
    pub positions: usize,
    /// The part of the logarithm's variance that the weights explain.
    pub explained: f64,
    pub weights: Weights,
}

/// Step 3: the fits in the order of the table of weights.
pub fn fits(samples: &[Sample]) -> Result<Vec<Fit>, TsumegoError> {
    let kinds = [(false, true), (false, false), (true, true), (true, false)];
    kinds.map(|(attacker_moves, attacker_wins)| fit(samples, attacker_moves, attacker_wins)).into_iter().collect()
}

fn fit(samples: &[Sample], attacker_moves: bool, attacker_wins: bool) -> Result<Fit, TsumegoError> {
    let is_one = |s: &&Sample| s.attacker_moves == attacker_moves && s.attacker_wins == attacker_wins;
    let of_kind: Vec<&Sample> = samples.iter().filter(is_one).collect();
    let n = of_kind.len() as f64;
    if of_kind.len() < 4 * COUNTS {
        return Err(TsumegoError::TooFewPositions { positions: of_kind.len(), weights: COUNTS });
    }
    let costs: Vec<f64> = of_kind.iter().map(|s| (s.nodes as f64 + 1.0).log2()).collect();
    let mean_cost = costs.iter().sum::<f64>() / n;
    let mean: [f64; COUNTS] = std::array::from_fn(|i| of_kind.iter().map(|s| f64::from(s.counts[i])).sum::<f64>() / n);
    // How counts vary together, and with the cost.
    let mut covariance = [[0.0; COUNTS]; COUNTS];
    let mut with_cost = [0.0; COUNTS];
    for (sample, cost) in of_kind.iter().zip(&costs) {
        let apart: [f64; COUNTS] = std::array::from_fn(|i| f64::from(sample.counts[i]) - mean[i]);
        for i in 0..COUNTS {
            for j in 0..COUNTS {
                covariance[i][j] += apart[i] * apart[j] / n;
            }
            with_cost[i] += apart[i] * (cost - mean_cost) / n;
        }
    }
    for (i, row) in covariance.iter_mut().enumerate() {
        row[i] += RIDGE * row[i] + 1e-9;
    }
    let by_count = solve(covariance, with_cost);
    let constant = mean_cost - by_count.iter().zip(mean).map(|(weight, mean)| weight * mean).sum::<f64>();
    let guess = |s: &Sample| constant + s.counts.iter().zip(by_count).map(|(&c, w)| f64::from(c) * w).sum::<f64>();
    let missed: f64 = of_kind.iter().zip(&costs).map(|(s, cost)| (cost - guess(s)).powi(2)).sum();
    let spread: f64 = costs.iter().map(|cost| (cost - mean_cost).powi(2)).sum();
    let whole = |x: f64| (x * f64::from(DOUBLE)).round();
    let weights = Weights {
        constant: whole(constant) as i32 + SCALE * DOUBLE,
        by_count: by_count.map(|weight| whole(weight) as i16),
    };
    let explained = 1.0 - missed / spread.max(1e-9);
    Ok(Fit { attacker_moves, attacker_wins, positions: of_kind.len(), explained, weights })
}

/// Solves a system of equations whose matrix is symmetric and positive, by elimination.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for i in 0..N {
        for j in i + 1..N {
            let factor = matrix[j][i] / matrix[i][i];
            let above = matrix[i];
            matrix[j].iter_mut().zip(above).for_each(|(x, above)| *x -= factor * above);
            right[j] -= factor * right[i];
        }
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| matrix[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}

/// The fits as the file `estimate/weights.rs`.
pub fn table(fits: &[Fit], source: &Source) -> String {
    let mut text = format!(
        "//! Written by `moku tsumego learn --positions {} --seed {}`.\n\nuse super::Weights;\n\n\
         /// By side to move, the defender first, then for the attacker's win and the defender's.\n\
         #[rustfmt::skip]\npub const WEIGHTS: [[Weights; 2]; 2] = [\n",
        source.positions, source.seed
    );
    for pair in fits.chunks(2) {
        text += "    [\n";
        for fit in pair {
            let Weights { constant, by_count } = fit.weights;
            let _ = writeln!(text, "        Weights {{ constant: {constant}, by_count: {by_count:?} }},");
        }
        text += "    ],\n";
    }
    text + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_finds_the_same_positions_on_any_number_of_threads() {
        let source = Source { size: Size::new(13).unwrap(), positions: 100, seed: 7 };
        let stop = AtomicBool::new(false);
        let found = AtomicUsize::new(0);
        let one = samples(&source, 1, &stop, |n| {
            found.fetch_add(n, Relaxed);
        });
        assert!(one.len() >= source.positions && found.load(Relaxed) >= one.len());
        assert!(one.iter().all(|s| s.nodes <= POSITION_NODES && s.counts.iter().any(|&c| c > 0)));
        assert_eq!(one, samples(&source, 3, &stop, |_| ()));
        stop.store(true, Relaxed);
        assert!(samples(&source, 2, &stop, |_| ()).is_empty());
    }

    #[test]
    fn fits_find_the_weights_that_made_the_costs() {
        let mut rng = Rng::new(1);
        let (constant, slope) = (3.0, [0.5, -0.25, 0.125]);
        let mut samples = Vec::new();
        for i in 0..20_000 {
            let counts: Counts = std::array::from_fn(|_| rng.below(8) as i16);
            let cost = constant + (0..3).map(|i| slope[i] * f64::from(counts[i])).sum::<f64>();
            let nodes = (cost.exp2() * 1000.0).round() as u64;
            samples.push(Sample { attacker_moves: i & 1 > 0, attacker_wins: i & 2 > 0, nodes, counts });
        }
        for fit in fits(&samples).expect("there are enough") {
            assert!(fit.explained > 0.99, "{}", fit.explained);
            for (i, &weight) in fit.weights.by_count.iter().enumerate() {
                let expected = slope.get(i).copied().unwrap_or(0.0);
                let weight = f64::from(weight) / f64::from(DOUBLE);
                assert!((weight - expected).abs() < 0.01, "{i}: {weight}, not {expected}");
            }
        }
        assert!(fits(&samples[..100]).is_err());
    }
}
