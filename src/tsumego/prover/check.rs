//! A judge of proofs that knows the rules and nothing of the search.
//!
//! A proof is a strategy: for every position where the winner is to move, one move. The judge plays all of the loser's
//! moves against it, pass included, on the oracle's slow board.
//! - The attacker's strategy is good if every line ends with the crucial stones off the board. Where lines go round in a
//!   circle he may choose another of his good moves; what counts is that all lines can be made to end.
//! - The defender's strategy is good if no line ever ends so. Lines may go on for ever; they are broken off where the
//!   position was seen before, and where the crucial stones are unconditionally alive by Benson's definition.

use super::Question;
use super::dfpn::Budget;
use super::slow::{Position, SlowGame};
use super::solver::{Limits, Prover};
use super::state::{Ko, Rules, State};
use crate::TsumegoError;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The strategy holds against every defence, over this many positions.
    Holds(usize),
    /// Too many positions, or too little time, to judge.
    TooLarge,
    /// The strategy fails.
    Fails(String),
}

/// Plays every line of a proof: does the attacker (or else the defender) win under this ko rule?
pub fn verify(
    question: &Question,
    ko: Ko,
    attacker_wins: bool,
    most: usize,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<Judgement, TsumegoError> {
    let (rules, start) = super::solver::start(question, ko)?;
    let deadline = limits.seconds.map(|s| Instant::now() + Duration::from_secs_f64(s));
    let mut judge = Judge {
        board: SlowGame::new(question, ko),
        rules,
        // A table of its own: here a proof goes on until the stones are off the board.
        prover: Prover::new(64),
        attacker_wins,
        numbers: HashMap::new(),
        places: Vec::new(),
        most,
        deadline,
        stop,
    };
    let root = judge.board.root(question);
    Ok(judge.judge(root, start).unwrap_or_else(|judgement| judgement))
}

struct Judge<'a> {
    board: SlowGame,
    rules: Rules,
    prover: Prover,
    attacker_wins: bool,
    numbers: HashMap<Position, usize>,
    places: Vec<Place>,
    most: usize,
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
}

/// A position and the moves that are looked at there.
struct Place {
    position: Position,
    state: State,
    /// Is nothing left to show here?
    is_over: bool,
    winner_moves: bool,
    next: Vec<usize>,
    /// All of the winner's moves are looked at, not only the first that comes to mind.
    has_all: bool,
}

impl Judge<'_> {
    fn judge(&mut self, root: Position, start: State) -> Result<Judgement, Judgement> {
        self.number(root, start);
        let mut looked_at = 0;
        loop {
            while looked_at < self.places.len() {
                self.look(looked_at)?;
                looked_at += 1;
            }
            // Lines of the defender may go on for ever.
            if !self.attacker_wins {
                return Ok(Judgement::Holds(self.places.len()));
            }
            let ends = self.ends();
            if ends[0] {
                return Ok(Judgement::Holds(self.places.len()));
            }
            // Moves that were each found by a search of its own may together go round in a circle, in a ko above all.
            // There the winner may choose among all of his moves.
            let stuck = |i: &usize| !ends[*i] && self.places[*i].winner_moves && !self.places[*i].has_all;
            let stuck: Vec<usize> = (0..self.places.len()).filter(stuck).collect();
            if stuck.is_empty() {
                return Ok(Judgement::Fails("the attacker goes round in a circle".to_string()));
            }
            for i in stuck {
                self.widen(i)?;
            }
        }
    }

    /// The number of a position; a new one if it was not seen before.
    fn number(&mut self, position: Position, state: State) -> usize {
        let fresh = self.places.len();
        let number = *self.numbers.entry(position.clone()).or_insert(fresh);
        if number == fresh {
            let winner_moves = position.attacker_moves == self.attacker_wins;
            self.places.push(Place { position, state, is_over: false, winner_moves, next: Vec::new(), has_all: false });
        }
        number
    }

    /// Looks at a position: one move of the winner, or all of the loser's.
    fn look(&mut self, at: usize) -> Result<(), Judgement> {
        let Place { position, state, winner_moves, .. } = &self.places[at];
        let (position, state, winner_moves) = (position.clone(), *state, *winner_moves);
        let (is_taken, is_out) = (!position.has_crucial(), self.board.has_escaped(&position));
        if is_taken || is_out {
            self.places[at].is_over = true;
            return match (is_taken, self.attacker_wins) {
                (true, false) => Err(Judgement::Fails("the stones are taken".to_string())),
                (false, true) => Err(Judgement::Fails("the stones get out".to_string())),
                _ => Ok(()),
            };
        }
        if !self.attacker_wins && self.board.is_unconditionally_alive(&position) {
            self.places[at].is_over = true;
            return Ok(());
        }
        if self.places.len() >= self.most || self.deadline.is_some_and(|d| Instant::now() > d) {
            return Err(Judgement::TooLarge);
        }
        let steps = match winner_moves {
            true => {
                let cell = self.winning_move(&state)?;
                let step = self.step(&position, &state, cell);
                vec![step.ok_or_else(|| Judgement::Fails("the winner makes an illegal move".to_string()))?]
            }
            false => self.steps(&position, &state),
        };
        self.places[at].next = steps.into_iter().map(|(position, state)| self.number(position, state)).collect();
        Ok(())
    }

    /// Looks at all moves of the winner that the search thinks good.
    fn widen(&mut self, at: usize) -> Result<(), Judgement> {
        self.places[at].has_all = true;
        let (position, state) = (self.places[at].position.clone(), self.places[at].state);
        for (position, state) in self.steps(&position, &state) {
            let budget = Budget { nodes: 2_000_000, deadline: self.deadline, stop: self.stop };
            let is_good =
                !position.has_crucial() || self.prover.is_won(&self.rules, &state, budget, self.attacker_wins);
            if is_good {
                let next = self.number(position, state);
                self.places[at].next.push(next);
            }
        }
        Ok(())
    }

    /// From which positions does every line end with the stones off the board?
    fn ends(&self) -> Vec<bool> {
        let mut ends: Vec<bool> = self.places.iter().map(|place| place.is_over).collect();
        loop {
            let mut changed = false;
            for (i, place) in self.places.iter().enumerate().rev().filter(|(_, place)| !place.next.is_empty()) {
                let mut next = place.next.iter().map(|&j| ends[j]);
                let now = if place.winner_moves { next.any(|end| end) } else { next.all(|end| end) };
                changed |= now && !ends[i];
                ends[i] |= now;
            }
            if !changed {
                return ends;
            }
        }
    }

    fn winning_move(&mut self, state: &State) -> Result<u8, Judgement> {
        let budget = Budget { nodes: 2_000_000, deadline: self.deadline, stop: self.stop };
        self.prover.winning_move(&self.rules, state, budget, false).ok_or(Judgement::TooLarge)
    }

    /// All moves of the side to move, the pass included.
    fn steps(&self, position: &Position, state: &State) -> Vec<(Position, State)> {
        let cells = super::grid::cells(self.rules.grid.region).chain([super::grid::NOWHERE]);
        cells.filter_map(|cell| self.step(position, state, cell)).collect()
    }

    /// One move on the judge's board; the search's own state goes along only to be asked about.
    fn step(&self, position: &Position, state: &State, cell: u8) -> Option<(Position, State)> {
        let point = self.rules.grid.point(cell);
        let position = self.board.play_at(position, point)?;
        let state = match cell {
            super::grid::NOWHERE => self.rules.pass(state),
            cell => self.rules.play(state, cell)?.state,
        };
        Some((position, state))
    }
}
