//! Fits the weights of `move_order` to what moves cost to search.
//!
//! 1. Positions of random problems, as for the estimates; those that the side to move wins.
//! 2. Each of its moves is searched by itself: does it win, and how many nodes does it take to show it?
//! 3. A move's share is one over its nodes, nothing if it does not win. Scores are fitted whose exponentials, as shares,
//!    come nearest to that (multinomial logit). The Hessian is bounded by one that stays the same (Böhning 1992), so that
//!    every step is a better fit.
//!
//! What is fitted predicts well, but a whole search needs more nodes with it than with a part of it: a move that is easy to
//! refute is worth trying early where all are refuted in the end. So the table has a share of the fit for either side, and
//! leaves out two kinds that did harm.

use super::{Source, collect, kept_positions, solve};
use crate::TsumegoError;
use crate::base::{Rng, Size};
use crate::prover::dfpn::{Budget, Memory, Search};
use crate::prover::grid::cells;
use crate::prover::life;
use crate::prover::move_order::{self, KINDS, SIGHTS, Seen, Sight, Weights};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

/// Nodes for a move.
const MOVE_NODES: u64 = 2_000;
const MOST_OF_A_PROBLEM: usize = 12;
/// Steps of the fit.
const STEPS: usize = 200;
/// Weights are held towards zero as by so many positions.
const RIDGE: f64 = 1.0;
/// The part of the fit that the table has, the defender first.
const SHARES: [f64; 2] = [0.15, 0.3];
/// Kinds that are left out: liberties of the defender, room of the attacker.
const LEFT_OUT: [usize; 2] = [1, 7];

/// A won position: what is seen of each move, and its share of what is wanted.
#[derive(PartialEq, Debug)]
pub struct Choice {
    pub attacker_moves: bool,
    pub moves: Vec<(Seen, f64)>,
}

/// Steps 1 and 2, telling how many positions were found.
pub fn choices(source: &Source, threads: usize, stop: &AtomicBool, found: impl Fn(usize) + Sync) -> Vec<Choice> {
    collect(source, threads, stop, found, of_problem)
}

fn of_problem(size: Size, rng: &mut Rng, stop: &AtomicBool) -> Vec<Choice> {
    let Some((rules, positions)) = kept_positions(size, rng, MOST_OF_A_PROBLEM, stop) else { return Vec::new() };
    let lines = move_order::lines(&rules.grid);
    let mut memory = Memory::new(1);
    let mut nodes_of = |state: &_, attacker_wins: bool| {
        memory.table.clear();
        let budget = Budget { nodes: MOVE_NODES, deadline: None, stop };
        let mut search = Search::new(&rules, &mut memory, budget);
        (search.solve(state) == Some(attacker_wins)).then_some(search.nodes)
    };
    let mut choices = Vec::new();
    for (state, last) in positions {
        let attacker_moves = state.attacker_moves;
        let arena = rules.arena(&state);
        let Some(sight) = Sight::new(&rules, &state, life::eye_room(&rules, &state, arena).0) else { continue };
        let look = |cell| {
            let (touched, seen) = sight.see(cell, lines[cell as usize], last);
            Some((seen, rules.settle(&state, cell, touched)?.state))
        };
        let moves = cells(arena & rules.empty(&state)).filter_map(look);
        let share = |nodes: Option<u64>| nodes.map_or(0.0, |nodes| 1.0 / (nodes + 1) as f64);
        let mut moves: Vec<(Seen, f64)> =
            moves.map(|(seen, next)| (seen, share(nodes_of(&next, attacker_moves)))).collect();
        let total: f64 = moves.iter().map(|(_, share)| share).sum();
        if total > 0.0 && moves.len() > 1 {
            moves.iter_mut().for_each(|(_, share)| *share /= total);
            choices.push(Choice { attacker_moves, moves });
        }
    }
    choices
}

/// What was fitted to the positions of one side.
pub struct Fit {
    pub attacker_moves: bool,
    pub positions: usize,
    /// The part of the likelihood, as a logarithm, that the weights explain of what there is above chance.
    pub explained: f64,
    /// In natural logarithms.
    pub weights: [f64; SIGHTS],
}

/// Step 3: the fits, the defender's first.
pub fn fits(choices: &[Choice]) -> Result<[Fit; 2], TsumegoError> {
    Ok([fit(choices, false)?, fit(choices, true)?])
}

fn fit(choices: &[Choice], attacker_moves: bool) -> Result<Fit, TsumegoError> {
    let choices: Vec<&Choice> = choices.iter().filter(|choice| choice.attacker_moves == attacker_moves).collect();
    if choices.len() < SIGHTS {
        return Err(TsumegoError::TooFewPositions { positions: choices.len(), weights: SIGHTS });
    }
    // Half of the sum over positions of X'X - x x'/n: no Hessian is larger.
    let mut bound = [[0.0; SIGHTS]; SIGHTS];
    for choice in &choices {
        let mut sums = [0.0; SIGHTS];
        for (seen, _) in &choice.moves {
            for &i in seen {
                sums[usize::from(i)] += 1.0;
                seen.iter().for_each(|&j| bound[usize::from(i)][usize::from(j)] += 0.5);
            }
        }
        let present: Vec<usize> = (0..SIGHTS).filter(|&i| sums[i] > 0.0).collect();
        for &i in &present {
            present.iter().for_each(|&j| bound[i][j] -= 0.5 * sums[i] * sums[j] / choice.moves.len() as f64);
        }
    }
    bound.iter_mut().enumerate().for_each(|(i, row)| row[i] += RIDGE);
    let mut weights = [0.0; SIGHTS];
    let mut likelihood = 0.0;
    for _ in 0..STEPS {
        let mut gradient: [f64; SIGHTS] = std::array::from_fn(|i| -RIDGE * weights[i]);
        likelihood = 0.0;
        for choice in &choices {
            let shares = shares(choice, &weights);
            for ((seen, wanted), share) in choice.moves.iter().zip(&shares) {
                seen.iter().for_each(|&i| gradient[usize::from(i)] += wanted - share);
                likelihood += wanted * share.ln();
            }
        }
        let step = solve(bound, gradient);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    }
    let entropy = |choice: &&Choice| -> f64 {
        choice.moves.iter().filter(|(_, wanted)| *wanted > 0.0).map(|(_, wanted)| wanted * wanted.ln()).sum()
    };
    let best: f64 = choices.iter().map(entropy).sum();
    let chance: f64 = choices.iter().map(|choice| -(choice.moves.len() as f64).ln()).sum();
    let explained = (likelihood - chance) / (best - chance).max(1e-9);
    Ok(Fit { attacker_moves, positions: choices.len(), explained, weights })
}

/// The shares of the moves by their scores.
fn shares(choice: &Choice, weights: &[f64; SIGHTS]) -> Vec<f64> {
    let score = |seen: &Seen| seen.iter().map(|&i| weights[usize::from(i)]).sum::<f64>();
    let scores: Vec<f64> = choice.moves.iter().map(|(seen, _)| score(seen)).collect();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let exps: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
    let total: f64 = exps.iter().sum();
    exps.into_iter().map(|exp| exp / total).collect()
}

/// The table's weights for a side: its share of the fit, each kind about its mean, without the kinds that are left out.
pub fn rounded(fit: &Fit) -> Weights {
    let mut weights = [0; SIGHTS];
    let mut start = 0;
    for (kind, &(_, count)) in KINDS.iter().enumerate() {
        let is_left_out = kind == LEFT_OUT[usize::from(fit.attacker_moves)];
        let range = start..start + count;
        let share = 100.0 * SHARES[usize::from(fit.attacker_moves)];
        for i in range.filter(|_| !is_left_out) {
            weights[i] = (share * fit.weights[i]).round() as i32;
        }
        start += count;
    }
    weights
}

/// The fits as the file `move_order/weights.rs`.
pub fn table(fits: &[Fit; 2], source: &Source) -> String {
    let mut text = format!(
        "//! Written by `moku tsumego learn --promises --positions {} --seed {}`.\n\nuse super::Weights;\n\n\
         /// By side to move, the defender first.\n#[rustfmt::skip]\npub const WEIGHTS: [Weights; 2] = [\n",
        source.positions, source.seed
    );
    for weights in fits.iter().map(rounded) {
        text += "    [\n";
        let mut rest = &weights[..];
        for (what, count) in KINDS {
            let (some, others) = rest.split_at(count);
            let numbers: Vec<String> = some.iter().map(i32::to_string).collect();
            let _ = writeln!(text, "        // {what}\n        {},", numbers.join(", "));
            rest = others;
        }
        text += "    ],\n";
    }
    text + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_find_the_weights_that_made_the_shares() {
        let mut rng = Rng::new(5);
        let wanted: [f64; SIGHTS] = std::array::from_fn(|i| if i % 3 == 0 { 1.5 } else { 0.0 });
        let mut choices = Vec::new();
        for i in 0..3_000 {
            let starts: [usize; KINDS.len()] = std::array::from_fn(|kind| KINDS[..kind].iter().map(|row| row.1).sum());
            let seen = |rng: &mut Rng| -> Seen {
                std::array::from_fn(|kind| (starts[kind] + rng.below(KINDS[kind].1 as u32) as usize) as u8)
            };
            let moves = (0..6).map(|_| (seen(&mut rng), 0.0)).collect();
            let mut choice = Choice { attacker_moves: i & 1 > 0, moves };
            let shares = shares(&choice, &wanted);
            choice.moves.iter_mut().zip(shares).for_each(|(known, share)| known.1 = share);
            choices.push(choice);
        }
        for fit in fits(&choices).expect("there are enough") {
            assert!(fit.explained > 0.98, "{}", fit.explained);
            // Within a kind differences are what counts.
            let mut start = 0;
            for (what, count) in KINDS {
                for i in start + 1..start + count {
                    let (found, expected) = (fit.weights[i] - fit.weights[start], wanted[i] - wanted[start]);
                    assert!((found - expected).abs() < 0.2, "{what}: {found}, not {expected}");
                }
                start += count;
            }
        }
        assert!(fits(&choices[..50]).is_err());
    }

    #[test]
    fn a_seed_finds_the_same_choices_and_their_shares_are_shares() {
        let source = Source { size: Size::new(13).unwrap(), positions: 12, seed: 3 };
        let stop = AtomicBool::new(false);
        let found = choices(&source, 1, &stop, |_| ());
        assert!(found.len() >= source.positions);
        for choice in &found {
            assert!((choice.moves.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        }
        assert_eq!(found, choices(&source, 2, &stop, |_| ()));
    }
}
