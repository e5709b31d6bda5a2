//! Depth-first proof-number search (Nagai, 2002) for one question: does the attacker take all crucial stones?
//!
//! At a node the proof number is what it seems to cost to show that the attacker wins, the disproof number that the
//! defender does. Numbers of a side's alternatives are added weakly (the largest, and one for each of the others), which
//! keeps transpositions from counting many times; thresholds leave some room (Pawlewicz and Lew's 1 + ε).
//!
//! 1. Play every move, the most promising first, until one wins; take numbers from the table, from what is known of the
//!    new position, or from an estimate. A move that looks worse than another carries a handicap (see `move_order`).
//! 2. Leave out the loser's moves outside of the zones of refutations found so far (see `zone`).
//! 3. Go into the most promising child until a threshold is passed, then into the next.
//!
//! A position that repeats one on the path counts for the defender. Such a disproof is good on this path only: it
//! carries the depth of the position it refers to, and is stored under a key of the whole path until that very position
//! is disproved itself (Kishimoto and Müller, 2004). Proofs never rest on repetition.

mod first_look;
mod memory;
mod relevance;
pub mod together;

pub use memory::Memory;

use super::carried::Narrower;
use super::estimate::Counter;
use super::grid::{Cell, NOWHERE, Set, cells};
use super::life;
use super::move_order::{self, Sight};
use super::state::{Rules, State, Touched};
use super::table::{Entry, NO_PATH};
use crate::base::Rng;
use crate::base::rng::mix;
use relevance::Relevance;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;
use together::Member;

/// The number of something impossible.
pub const INFINITE: u32 = 1 << 30;
const DEEPEST: usize = 240;
const LOOK_EVERY: u64 = 512;
/// A handicap that changes nothing.
const PAR: u32 = 16;
/// So many moves are played before it is looked what they achieve.
const AT_ONCE: usize = 6;

/// What a search may spend.
pub struct Budget<'a> {
    pub nodes: u64,
    pub deadline: Option<Instant>,
    pub stop: &'a AtomicBool,
}

/// A move not yet played.
#[derive(Clone, Copy)]
struct Candidate {
    cell: Cell,
    touched: Touched,
    score: i32,
}

#[derive(Clone, Copy)]
struct Child {
    state: State,
    captured: Set,
    zone: Set,
    pn: u32,
    dn: u32,
    /// In sixteenths: how much more this move is expected to cost than its number says.
    handicap: u32,
    depends: u8,
    cell: Cell,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub pn: u32,
    pub dn: u32,
    pub zone: Set,
    pub depends: u8,
    pub best: Cell,
    /// From a search, not from a first look.
    is_searched: bool,
}

impl Known {
    fn won_by(attacker: bool, zone: Set, depends: u8, best: Cell) -> Known {
        let (pn, dn) = if attacker { (0, INFINITE) } else { (INFINITE, 0) };
        Known { pn, dn, zone, depends, best, is_searched: false }
    }

    fn open(pn: u32, dn: u32, best: Cell) -> Known {
        Known { pn, dn, zone: 0, depends: NO_PATH, best, is_searched: false }
    }

    /// Won by what the rules or the shape say, without search.
    pub fn is_at_sight(&self) -> bool {
        self.is_solved() && !self.is_searched
    }

    pub fn is_solved(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

/// Some of the positions that got an estimate.
struct Keeping {
    one_in: u32,
    rng: Rng,
    /// Each with the move that led to it.
    states: Vec<(State, Cell)>,
    /// The move that leads to what is looked at.
    last: Cell,
}

pub struct Search<'a> {
    rules: &'a Rules,
    memory: &'a mut Memory,
    /// Regions that were asked about before.
    narrower: Vec<Narrower>,
    budget: Budget<'a>,
    pub nodes: u64,
    pub deepest: usize,
    stopped: bool,
    path: Vec<u64>,
    path_keys: Vec<u64>,
    /// The moves that led here.
    moves: Vec<Cell>,
    /// See [`move_order::lines`].
    lines: [(u8, u8); 128],
    counter: Counter,
    keeping: Option<Keeping>,
    candidates: Vec<Candidate>,
    children: Vec<Child>,
    use_zones: bool,
    use_knowledge: bool,
    uses_local_fights: bool,
    orders_moves: bool,
    use_survey: bool,
    carries: bool,
    /// If it is one of several searches of the same position.
    member: Option<Member<'a>>,
    /// By depth: the last moves that won there.
    killers: Vec<[Cell; 2]>,
}

impl<'a> Search<'a> {
    pub fn new(rules: &'a Rules, memory: &'a mut Memory, budget: Budget<'a>) -> Search<'a> {
        let narrower = memory.narrower(rules);
        Search {
            rules,
            memory,
            narrower,
            budget,
            nodes: 0,
            deepest: 0,
            stopped: false,
            path: Vec::new(),
            path_keys: Vec::new(),
            moves: Vec::new(),
            lines: move_order::lines(&rules.grid),
            counter: Counter::new(&rules.grid),
            keeping: None,
            candidates: Vec::new(),
            children: Vec::new(),
            use_zones: true,
            use_knowledge: true,
            uses_local_fights: true,
            orders_moves: true,
            use_survey: true,
            carries: true,
            member: None,
            killers: vec![[NOWHERE; 2]; DEEPEST + 2],
        }
    }

    pub fn without_zones(mut self) -> Self {
        self.use_zones = false;
        self
    }

    /// Searches what local fights show, takes moves as they come, and estimates by size alone.
    pub fn plain(mut self) -> Self {
        self.uses_local_fights = false;
        self.orders_moves = false;
        self.use_survey = false;
        self.carries = false;
        self
    }

    /// One of several searches of the same position that share a table.
    pub fn together(mut self, member: Member<'a>) -> Self {
        self.member = Some(member);
        self
    }

    /// Keeps one in so many of the positions that get an estimate; see [`Search::kept`].
    pub fn keeping_one_in(mut self, one_in: u32, seed: u64) -> Self {
        self.keeping = Some(Keeping { one_in, rng: Rng::new(seed), states: Vec::new(), last: NOWHERE });
        self
    }

    pub fn kept(&mut self) -> Vec<(State, Cell)> {
        self.keeping.take().map(|keeping| keeping.states).unwrap_or_default()
    }

    /// Sees a death only when the stones are off the board. To be used with a table of its own.
    pub fn without_knowledge(mut self) -> Self {
        self.use_knowledge = false;
        self.uses_local_fights = false;
        self.carries = false;
        self
    }

    /// Does the attacker win? `None` if the budget did not suffice.
    pub fn solve(&mut self, state: &State) -> Option<bool> {
        let known = self.solve_known(state);
        match (known.pn, known.dn) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }

    pub fn solve_known(&mut self, state: &State) -> Known {
        self.path.clear();
        self.path_keys.clear();
        self.moves.clear();
        self.children.clear();
        let root = self.first_look(state, 0);
        // A win at sight that takes a move is looked into for that move.
        let attacker_wins = root.pn == 0;
        let needs_move = root.is_at_sight() && attacker_wins == state.attacker_moves && {
            let passed = self.first_look(&self.rules.pass(state), 0);
            !passed.is_solved() || (passed.pn == 0) != attacker_wins
        };
        if root.is_solved() && !needs_move { root } else { self.visit(state, INFINITE, INFINITE) }
    }

    fn look_at_budget(&mut self) {
        let late = || self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.stopped = self.stopped
            || self.nodes >= self.budget.nodes
            || self.nodes.is_multiple_of(LOOK_EVERY) && (self.budget.stop.load(Relaxed) || late())
            || self.member.is_some_and(Member::is_done);
    }

    /// What another search has found out about a position since it was last looked at.
    fn found_by_others(&self, state: &State) -> Option<Known> {
        self.member?;
        let known = self.memory.table.get(state.hash)?.known();
        known.is_solved().then_some(known)
    }

    /// Searches a position until one of the thresholds is reached.
    fn visit(&mut self, state: &State, pn_limit: u32, dn_limit: u32) -> Known {
        self.nodes += 1;
        self.look_at_budget();
        if let Some(known) = self.found_by_others(state) {
            return known;
        }
        let depth = self.path.len();
        self.deepest = self.deepest.max(depth);
        let before = self.nodes;
        self.memory.table.fetch_to_put(state.hash);
        let above = self.path_keys.last().copied().unwrap_or(0);
        self.path.push(state.hash);
        if let Some(member) = self.member {
            member.enter(depth, state.hash);
        }
        self.path_keys.push(mix(&[above, state.hash]));
        let base = self.children.len();
        let arena = self.rules.arena(state);
        self.expand(state, arena);
        let known = self.work(state, arena, base, pn_limit, dn_limit);
        self.children.truncate(base);
        if let Some(member) = self.member {
            member.leave(depth);
        }
        self.path.pop();
        self.path_keys.pop();
        let effort = (self.nodes - before + 1).min(u32::MAX as u64) as u32;
        self.store(state, Known { is_searched: true, ..known }, above, effort, depth)
    }

    fn store(&mut self, state: &State, known: Known, path_key: u64, effort: u32, depth: usize) -> Known {
        let Known { pn, dn, zone, depends, best, .. } = known;
        if dn == 0 && (depends as usize) < depth {
            // Good on this path only.
            let twin = Entry::new(pn, dn, zone, depends, best, effort);
            self.memory.table.put(twin_key(state.hash, path_key), twin);
            let (pn, dn) = self.memory.table.get(state.hash).map_or((1, 1), |e| (e.pn.max(1), e.dn.max(1)));
            let mut entry = Entry::new(pn, dn, 0, NO_PATH, best, effort);
            entry.has_twin = true;
            self.memory.table.put(state.hash, entry);
            return known;
        }
        let known = Known { depends: NO_PATH, ..known };
        let mut entry = Entry::new(pn, dn, zone, NO_PATH, best, effort);
        if !known.is_solved()
            && let Some(old) = self.memory.table.get(state.hash)
        {
            if self.member.is_some() && old.known().is_solved() {
                return old.known();
            }
            entry.has_twin = old.has_twin;
            entry.effort = old.effort.saturating_add(effort);
        }
        self.memory.table.put(state.hash, entry);
        known
    }

    /// Step 1: every move and what is known of the position after it. The most promising moves come first, and a win
    /// ends it.
    fn expand(&mut self, state: &State, arena: Set) {
        let base = self.children.len();
        // The attacker's pass serves only to be allowed to retake a ko.
        if !state.attacker_moves || state.ban != NOWHERE {
            self.children.push(Child::new(self.rules.pass(state), NOWHERE, 0));
        }
        for cell in cells(self.rules.to_stop(state) & arena) {
            if let Some(played) = self.rules.play(state, cell) {
                self.children.push(Child::new(played.state, cell, played.captured));
            }
        }
        let moves = arena & self.rules.empty(state);
        let sight = if self.orders_moves {
            Sight::new(self.rules, state, life::eye_room(self.rules, state, arena).0)
        } else {
            None
        };
        let Some(sight) = sight else {
            for cell in cells(moves) {
                if let Some(played) = self.rules.play(state, cell) {
                    self.children.push(Child::new(played.state, cell, played.captured));
                }
            }
            self.look_at_children(state, base);
            return;
        };
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let last = self.moves.last().copied().unwrap_or(NOWHERE);
        for cell in cells(moves) {
            let (touched, score) = sight.look(cell, self.lines[cell as usize], last);
            candidates.push(Candidate { cell, touched, score });
        }
        candidates.sort_unstable_by_key(|c| (-c.score, c.cell));
        let top = candidates.first().map_or(0, |c| c.score);
        let mut looked_at = base;
        let mut some = candidates.chunks(AT_ONCE);
        loop {
            for c in some.next().unwrap_or_default() {
                if let Some(played) = self.rules.settle(state, c.cell, c.touched) {
                    let handicap = move_order::handicap(top - c.score);
                    self.children.push(Child { handicap, ..Child::new(played.state, c.cell, played.captured) });
                }
            }
            // Once in any case: there may be nothing but a pass.
            if self.look_at_children(state, looked_at) || some.len() == 0 {
                break;
            }
            looked_at = self.children.len();
        }
        self.candidates = candidates;
    }

    /// Fills in what is known of the children from this one on. Is one of them a win, whatever the path?
    fn look_at_children(&mut self, state: &State, from: usize) -> bool {
        for child in &self.children[from..] {
            self.memory.table.fetch(child.state.hash);
        }
        let path_key = self.path_keys.last().copied().unwrap_or(0);
        for i in from..self.children.len() {
            let Child { state: next, cell, .. } = self.children[i];
            let Known { pn, dn, zone, depends, .. } = self.look_at_child(&next, cell, path_key);
            let child = &mut self.children[i];
            (child.pn, child.dn, child.zone, child.depends) = (pn, dn, zone, depends);
            if self.orders_moves && child.numbers(state.attacker_moves).0 == 0 && depends == NO_PATH {
                self.children.truncate(i + 1);
                return true;
            }
        }
        false
    }

    fn look_at_child(&mut self, state: &State, cell: Cell, path_key: u64) -> Known {
        let mut known = match self.path.iter().rposition(|&hash| hash == state.hash) {
            Some(depth) => Known::won_by(false, self.rules.grid.region, depth as u8, NOWHERE),
            // Deeper than any fight goes: nothing is claimed.
            None if self.path.len() >= DEEPEST => {
                self.stopped = true;
                Known::open(1, 1, NOWHERE)
            }
            None => {
                if let Some(keeping) = &mut self.keeping {
                    keeping.last = cell;
                }
                self.first_look(state, path_key)
            }
        };
        // What won here last is worth a try.
        let is_killer = cell != NOWHERE && self.killers[self.path.len()].contains(&cell);
        if is_killer && !known.is_solved() && !known.is_searched {
            let number = if state.attacker_moves { &mut known.dn } else { &mut known.pn };
            *number = number.div_ceil(2);
        }
        known
    }

    /// Steps 2 and 3.
    fn work(&mut self, state: &State, arena: Set, base: usize, pn_limit: u32, dn_limit: u32) -> Known {
        // Step 2 is worth doing again only when a child has been refuted.
        let mut refuted = usize::MAX;
        let mut relevance = Relevance { moves: Set::MAX, needs_pass: true, zone: 0, depends: NO_PATH };
        loop {
            let attacker_moves = state.attacker_moves;
            let (mut won, mut lost, mut count) = (None, 0, 0);
            for (i, child) in self.children[base..].iter().enumerate() {
                let (own, other) = child.numbers(attacker_moves);
                if own == 0 && won.is_none_or(|j: usize| better_win(child, &self.children[base + j])) {
                    won = Some(i);
                }
                lost += usize::from(other == 0);
                count += 1;
            }
            if let Some(i) = won {
                let cell = self.children[base + i].cell;
                let killers = &mut self.killers[self.path.len()];
                if cell != NOWHERE && killers[0] != cell {
                    *killers = [cell, killers[0]];
                }
                return self.won(state, base + i);
            }
            if lost != refuted {
                refuted = lost;
                relevance = self.relevance(state, arena, base);
            }
            // own: the number of the side to move, the least of its moves; other: that of the opponent.
            let (mut best, mut own, mut second, mut most, mut open) = (usize::MAX, INFINITE, INFINITE, 0, 0u32);
            let mut tie = INFINITE;
            for (i, child) in self.children[base..base + count].iter().enumerate() {
                let (c_own, c_other) = child.numbers(attacker_moves);
                let c_own = child.with_handicap(c_own);
                if c_other == 0 || !relevance.has(child.cell) {
                    continue;
                }
                open += 1;
                most = most.max(c_other);
                if c_own < own || c_own == own && c_other < tie {
                    (second, own, best, tie) = (own, c_own, i, c_other);
                } else if c_own < second {
                    second = c_own;
                }
            }
            if open == 0 {
                return Known::won_by(!attacker_moves, relevance.zone, relevance.depends, NOWHERE);
            }
            let extra = open - 1;
            let other = (most + extra).min(INFINITE - 1);
            let (own_limit, other_limit) = if attacker_moves { (pn_limit, dn_limit) } else { (dn_limit, pn_limit) };
            if own >= own_limit || other >= other_limit || self.stopped {
                let (pn, dn) = if attacker_moves { (own, other) } else { (other, own) };
                return Known::open(pn, dn, self.children[base + best].cell);
            }
            let mut room = second.saturating_add(1 + second / 2).min(own_limit);
            // When a move of the defender has been refuted, his pass tells which others matter.
            let pass = &self.children[base];
            if !attacker_moves && refuted > 0 && pass.pn > 0 && pass.dn <= own {
                best = 0;
                room = room.max(pass.dn + 1 + pass.dn / 4);
            }
            if let Some(other) =
                self.not_taken(base, best, attacker_moves, own_limit, &relevance).filter(|_| own > other)
            {
                best = other;
                let number =
                    self.children[base + best].with_handicap(self.children[base + best].numbers(attacker_moves).0);
                room = room.max(number.saturating_add(1 + number / 2).min(own_limit));
            }
            let room = self.children[base + best].without_handicap(room);
            let rest = if other_limit >= INFINITE { INFINITE } else { other_limit - extra };
            let (pn_room, dn_room) = if attacker_moves { (room, rest) } else { (rest, room) };
            let Child { state: next, cell, .. } = self.children[base + best];
            self.moves.push(cell);
            let Known { pn, dn, zone, depends, .. } = self.visit(&next, pn_room, dn_room);
            self.moves.pop();
            let child = &mut self.children[base + best];
            (child.pn, child.dn, child.zone, child.depends) = (pn, dn, zone, depends);
        }
    }

    /// The best move that no other search is in, if one is in the very best.
    fn not_taken(
        &self,
        base: usize,
        best: usize,
        attacker_moves: bool,
        limit: u32,
        relevance: &Relevance,
    ) -> Option<usize> {
        let member = self.member?;
        let depth = self.path.len();
        let children = &self.children[base..];
        if !member.is_taken(depth, children[best].state.hash) {
            return None;
        }
        let number = |child: &Child| child.with_handicap(child.numbers(attacker_moves).0);
        let is_open = |child: &Child| child.numbers(attacker_moves).1 > 0 && relevance.has(child.cell);
        let others = (0..children.len()).filter(|&i| is_open(&children[i]) && number(&children[i]) < limit);
        others.filter(|&i| !member.is_taken(depth, children[i].state.hash)).min_by_key(|&i| number(&children[i]))
    }
}

fn twin_key(hash: u64, path_key: u64) -> u64 {
    mix(&[hash, path_key])
}

/// Of two ways to win, one that holds on every path, then the smaller zone.
fn better_win(a: &Child, b: &Child) -> bool {
    (a.depends != NO_PATH, a.zone.count_ones()) < (b.depends != NO_PATH, b.zone.count_ones())
}

impl Child {
    fn new(state: State, cell: Cell, captured: Set) -> Child {
        Child { state, captured, zone: 0, pn: 1, dn: 1, handicap: PAR, depends: NO_PATH, cell }
    }

    #[inline(always)]
    fn with_handicap(&self, own: u32) -> u32 {
        if own >= INFINITE {
            own
        } else {
            (u64::from(own) * u64::from(self.handicap) / u64::from(PAR)).min(u64::from(INFINITE) - 1) as u32
        }
    }

    #[inline(always)]
    fn without_handicap(&self, limit: u32) -> u32 {
        if limit >= INFINITE {
            limit
        } else {
            (u64::from(limit) * u64::from(PAR)).div_ceil(self.handicap.into()) as u32
        }
    }

    /// The number of the side that moves at the parent, and that of its opponent.
    #[inline(always)]
    fn numbers(&self, attacker_moves: bool) -> (u32, u32) {
        if attacker_moves { (self.pn, self.dn) } else { (self.dn, self.pn) }
    }
}

impl Entry {
    fn known(&self) -> Known {
        Known { pn: self.pn, dn: self.dn, zone: self.zone, depends: self.depends, best: self.best, is_searched: true }
    }
}
