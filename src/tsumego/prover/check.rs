//! A judge of proofs that knows the rules and nothing of the search.
//!
//! A proof is a strategy: for every position where the winner is to move, one move. The judge plays all of the loser's
//! moves against it, pass included, on the oracle's slow board.
//! - The attacker's strategy is good if every line ends with the crucial stones off the board and none comes back to a
//!   position it has been in.
//! - The defender's strategy is good if no line ever ends so. Lines may go on for ever; they are broken off where the
//!   position was seen before, and where the crucial stones are unconditionally alive by Benson's definition.

use super::Question;
use super::dfpn::Budget;
use super::slow::{Position, SlowGame};
use super::solver::{Limits, Prover};
use super::state::{Ko, Rules, State};
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
) -> Result<Judgement, String> {
    let (rules, start) = super::solver::start(question, ko)?;
    let deadline = limits.seconds.map(|s| Instant::now() + Duration::from_secs_f64(s));
    let mut judge = Judge {
        board: SlowGame::new(question, ko),
        rules,
        // A table of its own: here a proof goes on until the stones are off the board.
        prover: Prover::new(64),
        attacker_wins,
        seen: HashMap::new(),
        most,
        deadline,
        stop,
    };
    let root = judge.board.root(question);
    Ok(judge.walk(root, start))
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    OnTheWay,
    Done,
}

struct Judge<'a> {
    board: SlowGame,
    rules: Rules,
    prover: Prover,
    attacker_wins: bool,
    seen: HashMap<Position, Mark>,
    most: usize,
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
}

/// A position on the way: the moves that are still to be followed.
struct Frame {
    position: Position,
    todo: Vec<(Position, State)>,
}

impl Judge<'_> {
    fn walk(&mut self, root: Position, start: State) -> Judgement {
        let mut way: Vec<Frame> = Vec::new();
        let mut next = Some((root, start));
        loop {
            if let Some((position, state)) = next.take() {
                match self.enter(position, &state) {
                    Ok(Some(frame)) => way.push(frame),
                    Ok(None) => {}
                    Err(judgement) => return judgement,
                }
            }
            let Some(frame) = way.last_mut() else { return Judgement::Holds(self.seen.len()) };
            match frame.todo.pop() {
                Some(step) => next = Some(step),
                None => {
                    if let Some(frame) = way.pop() {
                        self.seen.insert(frame.position, Mark::Done);
                    }
                }
            }
        }
    }

    /// Looks at a position; the moves to follow, or none if nothing is left to show here.
    fn enter(&mut self, position: Position, state: &State) -> Result<Option<Frame>, Judgement> {
        if !position.has_crucial() {
            return match self.attacker_wins {
                true => Ok(None),
                false => Err(Judgement::Fails("the stones are taken".to_string())),
            };
        }
        match self.seen.get(&position) {
            Some(Mark::OnTheWay) if self.attacker_wins => {
                return Err(Judgement::Fails("the attacker goes round in a circle".to_string()));
            }
            Some(_) => return Ok(None),
            None => {}
        }
        if !self.attacker_wins && self.board.is_unconditionally_alive(&position) {
            self.seen.insert(position, Mark::Done);
            return Ok(None);
        }
        if self.seen.len() >= self.most || self.deadline.is_some_and(|d| Instant::now() > d) {
            return Err(Judgement::TooLarge);
        }
        let winner_moves = position.attacker_moves == self.attacker_wins;
        let mut todo = Vec::new();
        if winner_moves {
            let budget = Budget { nodes: 2_000_000, deadline: self.deadline, stop: self.stop };
            let cell = self.prover.winning_move(&self.rules, state, budget, false).ok_or(Judgement::TooLarge)?;
            let step = self.step(&position, state, cell);
            todo.push(step.ok_or_else(|| Judgement::Fails("the winner makes an illegal move".to_string()))?);
        } else {
            let cells = super::grid::cells(self.rules.grid.region).chain([super::grid::NOWHERE]);
            todo.extend(cells.filter_map(|cell| self.step(&position, state, cell)));
        }
        self.seen.insert(position.clone(), Mark::OnTheWay);
        Ok(Some(Frame { position, todo }))
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
