//! Answers to questions: alive, dead or ko; the moves that reach it; lines that show why.

use super::Question;
use super::dfpn::together::{Member, Together};
use super::dfpn::{Budget, Memory, Search};
use super::grid::{Cell, NOWHERE, cells};
use super::state::{Ko, Rules, State};
use crate::TsumegoError;
use crate::base::rng::mix;
use crate::base::{Color, Point};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What becomes of the crucial stones, from the attacker's best to the defender's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    Dead,
    /// A ko: the defender has to find the first threat.
    KoDefenderFirst,
    /// A ko: the attacker has to find the first threat.
    KoAttackerFirst,
    /// Seki counts as alive.
    Alive,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Dead => "dead",
            Status::KoDefenderFirst => "ko, the defender needs the first threat",
            Status::KoAttackerFirst => "ko, the attacker needs the first threat",
            Status::Alive => "alive",
        }
    }

    /// The other side's best.
    pub fn opposite(self) -> Status {
        match self {
            Status::Dead => Status::Alive,
            Status::KoDefenderFirst => Status::KoAttackerFirst,
            Status::KoAttackerFirst => Status::KoDefenderFirst,
            Status::Alive => Status::Dead,
        }
    }

    pub fn is_ko(self) -> bool {
        matches!(self, Status::KoDefenderFirst | Status::KoAttackerFirst)
    }

    /// The hardest ko rule under which this side still gets what it wants; `None` if it gets nothing.
    pub(super) fn rule(self, for_attacker: bool) -> Option<Ko> {
        match (self, for_attacker) {
            (Status::Dead, true) => Some(Ko::Defender),
            (Status::Alive, false) => Some(Ko::Attacker),
            (Status::KoDefenderFirst, true) | (Status::KoAttackerFirst, false) => Some(Ko::Nobody),
            (Status::KoAttackerFirst, true) => Some(Ko::Attacker),
            (Status::KoDefenderFirst, false) => Some(Ko::Defender),
            (Status::Alive, true) | (Status::Dead, false) => None,
        }
    }
}

/// What a question may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub nodes: u64,
    pub seconds: Option<f64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: u64::MAX, seconds: Some(10.0) }
    }
}

#[derive(Clone, Debug)]
pub struct Verdict {
    /// What is proven: the status lies between the two, both included.
    pub worst: Status,
    pub best: Status,
    /// The move that reaches it for the side to move: none if nothing helps or nothing is known.
    pub answer: Option<Point>,
    /// How it goes on, the answer included.
    pub line: Vec<Point>,
    pub nodes: u64,
    pub seconds: f64,
    pub deepest: usize,
}

impl Verdict {
    pub fn status(&self) -> Option<Status> {
        (self.worst == self.best).then_some(self.best)
    }
}

/// A first move and what is known of it.
#[derive(Clone, Debug)]
pub struct FirstMove {
    pub point: Point,
    /// Does it reach the same as the best move? `None` if not proven either way.
    pub reaches: Option<bool>,
    /// The move, and if it fails the line that refutes it.
    pub line: Vec<Point>,
    pub nodes: u64,
}

pub struct Prover {
    memory: Memory,
    /// Of searches that help the first one.
    helpers: Vec<Memory>,
    is_plain: bool,
    nodes: u64,
}

/// Time, nodes and a flag, shared by the searches of one question.
pub(super) struct Purse<'a> {
    began: Instant,
    deadline: Option<Instant>,
    nodes_left: u64,
    nodes: u64,
    deepest: usize,
    stop: &'a AtomicBool,
}

const LONGEST_LINE: usize = 24;
/// Nodes for each first move, round by round.
const FIRST_MOVE_ROUNDS: [u64; 3] = [20_000, 200_000, u64::MAX];

impl Prover {
    pub fn new(table_mb: usize) -> Prover {
        Prover { memory: Memory::new(table_mb), helpers: Vec::new(), is_plain: false, nodes: 0 }
    }

    /// With so many threads for a question. What is proven is proven, but how soon is another time not the same.
    pub fn with_threads(mut self, threads: usize) -> Prover {
        self.helpers = (1..threads).map(|_| self.memory.helper()).collect();
        self
    }

    /// One that searches what local fights show, takes moves as they come and estimates by size alone: the nodes it needs tell
    /// how hard a problem is, be it small or large, and stay the same when the search learns to choose better.
    pub fn grader(table_mb: usize) -> Prover {
        Prover { is_plain: true, ..Prover::new(table_mb) }
    }

    /// Forgets everything, so that the next question is answered as by a new prover.
    pub fn forget(&mut self) {
        self.memory.clear();
        self.helpers.iter_mut().for_each(|helper| *helper = self.memory.helper());
    }

    /// The nodes of all questions so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn start(&self, question: &Question, ko: Ko) -> Result<(Rules, State), TsumegoError> {
        let (rules, mut state) = start(question, ko)?;
        // A grader carries nothing over from one ko rule to another.
        state.hash ^= if self.is_plain { mix(&[ko as u64]) } else { 0 };
        Ok((rules, state))
    }

    fn new_search<'a>(&'a mut self, rules: &'a Rules, budget: Budget<'a>) -> Search<'a> {
        let search = Search::new(rules, &mut self.memory, budget);
        if self.is_plain { search.plain() } else { search }
    }

    /// What becomes of the crucial stones? `expected` decides what is tried first, no more.
    pub fn solve(
        &mut self,
        question: &Question,
        limits: Limits,
        expected: Option<Status>,
        stop: &AtomicBool,
    ) -> Result<Verdict, TsumegoError> {
        let mut purse = Purse::new(limits, stop);
        let (mut worst, mut best) = (Status::Dead, Status::Alive);
        let order = match expected {
            Some(Status::Dead) => [Ko::Defender, Ko::Nobody, Ko::Attacker],
            // What does not live is mostly dead, ko or no ko.
            Some(Status::Alive) => [Ko::Attacker, Ko::Defender, Ko::Nobody],
            _ => [Ko::Nobody, Ko::Defender, Ko::Attacker],
        };
        for ko in order {
            let (if_won, if_lost) = match ko {
                Ko::Defender => (Status::Dead, Status::KoDefenderFirst),
                Ko::Nobody => (Status::KoDefenderFirst, Status::KoAttackerFirst),
                Ko::Attacker => (Status::KoAttackerFirst, Status::Alive),
            };
            // Known already from another rule.
            if best <= if_won || worst >= if_lost {
                continue;
            }
            let (rules, state) = self.start(question, ko)?;
            match self.ask(&rules, &state, &mut purse) {
                Some(true) => best = best.min(if_won),
                Some(false) => worst = worst.max(if_lost),
                None => {}
            }
        }
        let mut verdict = Verdict {
            worst,
            best,
            answer: None,
            line: Vec::new(),
            nodes: 0,
            seconds: purse.began.elapsed().as_secs_f64(),
            deepest: purse.deepest,
        };
        // What is certain for the side to move.
        let for_attacker = question.to_play == question.attacker;
        if let Some(ko) = if for_attacker { best } else { worst }.rule(for_attacker) {
            let (rules, state) = self.start(question, ko)?;
            verdict.line = self.line(question, &rules, &state, &mut purse);
            verdict.answer = verdict.line.first().copied();
        }
        verdict.nodes = purse.nodes;
        Ok(verdict)
    }

    /// Every first move in the region: those that reach the status, and how the others fail.
    pub fn first_moves(
        &mut self,
        question: &Question,
        status: Status,
        only: Option<&[Point]>,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Vec<FirstMove>, TsumegoError> {
        let for_attacker = question.to_play == question.attacker;
        let Some(ko) = status.rule(for_attacker) else { return Ok(Vec::new()) };
        let mut purse = Purse::new(limits, stop);
        let (rules, state) = self.start(question, ko)?;
        let mut moves = Vec::new();
        for cell in cells(rules.empty(&state)) {
            let point = rules.grid.point(cell);
            if only.is_some_and(|only| !only.contains(&point)) {
                continue;
            }
            if let Some(played) = rules.play(&state, cell) {
                moves.push((FirstMove { point, reaches: None, line: vec![point], nodes: 0 }, played.state));
            }
        }
        // One hard move must not keep the others from being looked at.
        for most in FIRST_MOVE_ROUNDS {
            for (first, next) in moves.iter_mut().filter(|(first, _)| first.reaches.is_none()) {
                let before = purse.nodes;
                let kept = purse.nodes_left.saturating_sub(most);
                purse.nodes_left -= kept;
                first.reaches = self.ask(&rules, next, &mut purse).map(|won| won == for_attacker);
                purse.nodes_left += kept;
                if first.reaches == Some(false) {
                    first.line.extend(stop_of(&question.stops(), &first.line, next.attacker_moves == for_attacker));
                    first.line.extend(self.line(question, &rules, next, &mut purse));
                }
                first.nodes += purse.nodes - before;
            }
        }
        Ok(moves.into_iter().map(|(first, _)| first).collect())
    }

    /// The position after a first move, under a ko rule.
    fn after_move(&self, question: &Question, point: Point, ko: Ko) -> Result<(Rules, State), TsumegoError> {
        let (rules, state) = self.start(question, ko)?;
        let cell = rules.grid.cell(point).filter(|&cell| rules.empty(&state) >> cell & 1 != 0);
        let played = cell.and_then(|cell| rules.play(&state, cell));
        let next = played.ok_or(TsumegoError::NoMove { size: question.size, point })?.state;
        Ok((rules, next))
    }

    /// What becomes of the crucial stones after a first move? `None` if the limits did not suffice.
    pub fn status_after(
        &mut self,
        question: &Question,
        point: Point,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Option<Status>, TsumegoError> {
        let mut purse = Purse::new(limits, stop);
        // From the attacker's best to the defender's.
        for (ko, status) in [
            (Ko::Defender, Status::Dead),
            (Ko::Nobody, Status::KoDefenderFirst),
            (Ko::Attacker, Status::KoAttackerFirst),
        ] {
            let (rules, state) = self.after_move(question, point, ko)?;
            match self.ask(&rules, &state, &mut purse) {
                Some(true) => return Ok(Some(status)),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(Status::Alive))
    }

    /// How a first move that reaches a status goes on.
    pub fn line_after(
        &mut self,
        question: &Question,
        point: Point,
        status: Status,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Vec<Point>, TsumegoError> {
        let Some(ko) = status.rule(question.to_play == question.attacker) else { return Ok(Vec::new()) };
        let (rules, state) = self.after_move(question, point, ko)?;
        let again = state.attacker_moves == (question.to_play == question.attacker);
        let mut line: Vec<Point> = stop_of(&question.stops(), &[point], again).collect();
        line.extend(self.line(question, &rules, &state, &mut Purse::new(limits, stop)));
        Ok(line)
    }

    /// Who wins under one ko rule? `None` if the limits did not suffice.
    pub fn attacker_wins(
        &mut self,
        question: &Question,
        ko: Ko,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Option<bool>, TsumegoError> {
        let (rules, state) = self.start(question, ko)?;
        Ok(self.ask(&rules, &state, &mut Purse::new(limits, stop)))
    }

    pub(super) fn ask(&mut self, rules: &Rules, state: &State, purse: &mut Purse) -> Option<bool> {
        let (won, nodes, deepest) = match self.helpers.len() {
            0 => self.ask_alone(rules, state, purse),
            _ => self.ask_together(rules, state, purse),
        };
        purse.deepest = purse.deepest.max(deepest);
        self.spent(purse, nodes);
        won
    }

    fn ask_alone(&mut self, rules: &Rules, state: &State, purse: &Purse) -> (Option<bool>, u64, usize) {
        let budget = Budget { nodes: purse.nodes_left, deadline: purse.deadline, stop: purse.stop };
        let mut search = self.new_search(rules, budget);
        (search.solve(state), search.nodes, search.deepest)
    }

    /// All threads search the same position, and find in the table what the others have shown.
    fn ask_together(&mut self, rules: &Rules, state: &State, purse: &Purse) -> (Option<bool>, u64, usize) {
        let together = Together::new(1 + self.helpers.len());
        let is_plain = self.is_plain;
        let nodes = purse.nodes_left.div_ceil(1 + self.helpers.len() as u64);
        let work = |member: Member, memory: &mut Memory| {
            let budget = Budget { nodes, deadline: purse.deadline, stop: purse.stop };
            let search = Search::new(rules, memory, budget).together(member);
            let mut search = if is_plain { search.plain() } else { search };
            let won = search.solve(state);
            if won.is_some() {
                member.finish();
            }
            (won, search.nodes, search.deepest)
        };
        std::thread::scope(|scope| {
            let helpers = (1..).map(|number| together.member(number)).zip(&mut self.helpers);
            let helpers: Vec<_> = helpers.map(|(member, memory)| scope.spawn(move || work(member, memory))).collect();
            let mut all = work(together.member(0), &mut self.memory);
            for helper in helpers {
                // A helper that failed has found nothing.
                let (won, nodes, deepest) = helper.join().unwrap_or((None, 0, 0));
                all = (all.0.or(won), all.1 + nodes, all.2.max(deepest));
            }
            all
        })
    }

    fn spent(&mut self, purse: &mut Purse, nodes: u64) {
        self.nodes += nodes;
        purse.nodes += nodes;
        purse.nodes_left = purse.nodes_left.saturating_sub(nodes);
    }

    /// The winner's move in a won position; `NOWHERE` is a pass, or a win that needs no move any more.
    pub(super) fn winning_move(&mut self, rules: &Rules, state: &State, budget: Budget, knowing: bool) -> Option<Cell> {
        let search = self.new_search(rules, budget);
        let mut search = if knowing { search } else { search.without_knowledge() };
        let known = search.solve_known(state);
        known.is_solved().then_some(known.best)
    }

    /// Is a position won by this side, with nothing but the rules known? Not if that cannot be shown.
    pub(super) fn is_won(&mut self, rules: &Rules, state: &State, budget: Budget, attacker_wins: bool) -> bool {
        let mut search = self.new_search(rules, budget).without_knowledge();
        search.solve(state) == Some(attacker_wins)
    }

    /// A line of play that shows the proof: the winner's moves, and the loser's that cost most to refute.
    pub(super) fn line(&mut self, question: &Question, rules: &Rules, state: &State, purse: &mut Purse) -> Vec<Point> {
        let stops = &question.stops();
        let mut line = Vec::new();
        let mut seen = Vec::new();
        let mut state = *state;
        while line.len() < LONGEST_LINE && state.crucial != 0 && !seen.contains(&state.hash) {
            seen.push(state.hash);
            let budget = Budget { nodes: purse.nodes_left, deadline: purse.deadline, stop: purse.stop };
            let mut search = self.new_search(rules, budget);
            let known = search.solve_known(&state);
            if !known.is_solved() || known.is_at_sight() {
                break;
            }
            let winner_moves = (known.pn == 0) == state.attacker_moves;
            let cell = if winner_moves { Some(known.best) } else { self.hardest(rules, &state) };
            let Some(cell) = cell else { break };
            line.push(rules.grid.point(cell));
            // A step out and its answer; a stone is stopped by that answer, not by a move in the region.
            let is_stop = cell != NOWHERE && state.defender >> cell & 1 != 0;
            let answer = stop_of(stops, &line, true).filter(|_| is_stop || moves_again(rules, &state, cell));
            if is_stop {
                line.pop();
            }
            // Behind a guarded fence two steps may have the same way on: the second answer is somewhere else.
            let answer: Option<Point> = answer.map(|p| if line.contains(&p) { Point::PASS } else { p }).next();
            line.extend(answer);
            state = match cell {
                NOWHERE => rules.pass(&state),
                cell => match rules.play(&state, cell) {
                    Some(played) => played.state,
                    None => break,
                },
            };
        }
        // Passes at the end show nothing.
        while line.len() > 1 && line.last().is_some_and(|p| p.is_pass()) {
            line.pop();
        }
        line
    }

    fn hardest(&self, rules: &Rules, state: &State) -> Option<Cell> {
        let effort = |next: &State| self.memory.table.get(next.hash).map_or(0, |entry| entry.effort);
        let moves = cells(rules.empty(state)).filter_map(|cell| Some((effort(&rules.play(state, cell)?.state), cell)));
        let best = moves.max_by_key(|(effort, _)| *effort)?;
        (best.0 > 0).then_some(best.1)
    }
}

impl<'a> Purse<'a> {
    pub(super) fn new(limits: Limits, stop: &'a AtomicBool) -> Purse<'a> {
        let began = Instant::now();
        let deadline = limits.seconds.map(|s| began + Duration::from_secs_f64(s.clamp(0.0, 1e6)));
        Purse { began, deadline, nodes_left: limits.nodes, nodes: 0, deepest: 0, stop }
    }
}

pub(super) fn start(question: &Question, ko: Ko) -> Result<(Rules, State), TsumegoError> {
    let (rules, state) = question.start(ko).ok_or(TsumegoError::TooLarge)?;
    if state.crucial == 0 {
        return Err(TsumegoError::NotInRegion);
    }
    Ok((rules, state))
}

fn moves_again(rules: &Rules, state: &State, cell: Cell) -> bool {
    let next = if cell == NOWHERE { None } else { rules.play(state, cell) };
    next.is_some_and(|played| played.state.attacker_moves == state.attacker_moves)
}

/// The answer beyond the region to the last move of a line, if it is a step out of the defender's.
fn stop_of(stops: &[(Point, Point)], line: &[Point], is_one: bool) -> impl Iterator<Item = Point> + use<> {
    let last = line.last().copied().filter(|_| is_one);
    let stop = last.and_then(|last| stops.iter().find(|(p, _)| *p == last));
    stop.map(|&(_, answer)| answer).into_iter()
}

/// The side that a status favours first: whom the answer belongs to.
pub fn wanted(question: &Question) -> Status {
    if question.to_play == question.attacker { Status::Dead } else { Status::Alive }
}

/// A status in words, with the colours' names: `white is dead`.
pub fn sentence(status: Status, attacker: Color) -> String {
    let defender = attacker.opponent();
    match status {
        Status::Dead => format!("{defender} is dead"),
        Status::Alive => format!("{defender} is alive"),
        Status::KoDefenderFirst => format!("ko, {defender} needs the first threat"),
        Status::KoAttackerFirst => format!("ko, {attacker} needs the first threat"),
    }
}
