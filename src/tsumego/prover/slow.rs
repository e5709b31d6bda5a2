//! The oracle: the prover's game solved by enumerating every position that can be reached.
//!
//! Nothing is shared with the fast code but the question: boards are vectors of points, every empty point of the region
//! and the pass are tried by both sides, and the set of positions that the attacker wins is grown until it stays the
//! same. That is the definition of the game, written down.

use super::Question;
use super::grid::Outside;
use super::state::{Ko, THREATS};
use crate::base::Point;
use std::collections::{BTreeSet, HashMap};

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Position {
    /// By the question's list of points: 0 empty, 1 attacker, 2 defender, 3 crucial.
    stones: Vec<u8>,
    pub attacker_moves: bool,
    ban: Option<usize>,
    /// Points with one way on where the attacker has answered beyond the region.
    stopped: BTreeSet<usize>,
    /// Ko threats left to the side that has some.
    threats: u8,
}

/// The rules on a board of lists.
pub struct SlowGame {
    points: Vec<Point>,
    neighbours: Vec<Vec<usize>>,
    /// Where a stone of the attacker cannot be taken, and where none of the defender can.
    at_wall: Vec<bool>,
    at_exit: Vec<bool>,
    /// Where a stone of the defender can be stopped by an answer beyond the region.
    is_answered: Vec<bool>,
    ko: Ko,
}

/// Does the attacker take all crucial stones? `None` if more than `most` positions can be reached.
pub fn attacker_wins(question: &Question, ko: Ko, most: usize) -> Option<bool> {
    let board = SlowGame::new(question, ko);
    let root = board.root(question);
    let mut numbers = HashMap::from([(root.clone(), 0usize)]);
    let mut positions = vec![root];
    let mut moves: Vec<Vec<usize>> = Vec::new();
    while moves.len() < positions.len() {
        let position = positions[moves.len()].clone();
        let mut next = Vec::new();
        if position.has_crucial() && !board.has_escaped(&position) {
            for child in board.children(&position) {
                let fresh = positions.len();
                let number = *numbers.entry(child.clone()).or_insert(fresh);
                if number == fresh {
                    positions.push(child);
                }
                next.push(number);
            }
        }
        moves.push(next);
        if positions.len() > most {
            return None;
        }
    }
    let mut won: Vec<bool> = positions.iter().map(|p| !p.has_crucial()).collect();
    loop {
        let mut changed = false;
        // Who got out has no moves to make, and is not taken.
        for i in (0..positions.len()).rev().filter(|&i| !moves[i].is_empty()) {
            let now = match positions[i].attacker_moves {
                true => moves[i].iter().any(|&j| won[j]),
                false => moves[i].iter().all(|&j| won[j]),
            };
            changed |= now && !won[i];
            won[i] |= now;
        }
        if !changed {
            return Some(won[0]);
        }
    }
}

impl Position {
    pub fn has_crucial(&self) -> bool {
        self.stones.contains(&3)
    }
}

impl SlowGame {
    pub fn new(question: &Question, ko: Ko) -> SlowGame {
        let points: Vec<Point> = question.region.clone();
        let index: HashMap<Point, usize> = points.iter().enumerate().map(|(i, &p)| (p, i)).collect();
        let around = |p: Point| question.size.neighbours(p).collect::<Vec<_>>();
        let inside = |p: Point| around(p).iter().filter_map(|q| index.get(q).copied()).collect();
        let beside = |wanted: &dyn Fn(Outside) -> bool| {
            let is_wanted = |q: &Point| !index.contains_key(q) && wanted(question.outside(*q));
            points.iter().map(|&p| around(p).iter().any(is_wanted)).collect()
        };
        let answered: Vec<Point> = question.stops().into_iter().map(|(p, _)| p).collect();
        let is_answered: Vec<bool> = points.iter().map(|p| answered.contains(p)).collect();
        let at_exit: Vec<bool> = beside(&|kind| matches!(kind, Outside::Open | Outside::Friend));
        SlowGame {
            at_exit: at_exit.iter().zip(&is_answered).map(|(&out, &answered)| out && !answered).collect(),
            is_answered,
            neighbours: points.iter().map(|&p| inside(p)).collect(),
            at_wall: beside(&|kind| matches!(kind, Outside::Wall | Outside::Open)),
            points,
            ko,
        }
    }

    pub fn root(&self, question: &Question) -> Position {
        let stone = |p: &Point| match question.stones.iter().find(|(q, _)| q == p) {
            None => 0,
            Some((_, color)) if *color == question.attacker => 1,
            Some(_) if question.crucial.contains(p) => 3,
            Some(_) => 2,
        };
        let stones = self.points.iter().map(stone).collect();
        let attacker_moves = question.to_play == question.attacker;
        let threats = if self.ko == Ko::Nobody { 0 } else { THREATS };
        let mut root = Position { stones, attacker_moves, ban: None, stopped: BTreeSet::new(), threats };
        self.spread_crucial(&mut root);
        root
    }

    /// Is a stone of the defender on this point out?
    fn is_out(&self, stopped: &BTreeSet<usize>, p: usize) -> bool {
        self.at_exit[p] || self.is_answered[p] && !stopped.contains(&p)
    }

    /// A move at a point of the board, or a pass; `None` if the rules forbid it.
    pub fn play_at(&self, position: &Position, point: Point) -> Option<Position> {
        if point.is_pass() {
            return Some(Position { attacker_moves: !position.attacker_moves, ban: None, ..position.clone() });
        }
        self.play(position, self.points.iter().position(|&p| p == point)?)
    }

    /// Are crucial stones connected to one that stands beside open space or a friend?
    pub fn has_escaped(&self, position: &Position) -> bool {
        (0..position.stones.len()).any(|p| position.stones[p] == 3 && self.is_out(&position.stopped, p))
    }

    /// Benson's definition, by lists: is a chain with crucial stones alive even if the defender always passes?
    pub fn is_unconditionally_alive(&self, position: &Position) -> bool {
        let stones = &position.stones;
        let parts = |wanted: &dyn Fn(usize) -> bool| {
            let mut parts: Vec<BTreeSet<usize>> = Vec::new();
            for start in (0..stones.len()).filter(|&p| wanted(p)) {
                if parts.iter().any(|part| part.contains(&start)) {
                    continue;
                }
                let (mut part, mut stack) = (BTreeSet::from([start]), vec![start]);
                while let Some(p) = stack.pop() {
                    for &q in &self.neighbours[p] {
                        if wanted(q) && part.insert(q) {
                            stack.push(q);
                        }
                    }
                }
                parts.push(part);
            }
            parts
        };
        let is_defender = |p: usize| stones[p] >= 2;
        let mut chains = parts(&is_defender);
        let mut regions = parts(&|p| !is_defender(p));
        regions.retain(|region| !region.iter().any(|&p| self.at_wall[p]));
        loop {
            let before = (chains.len(), regions.len());
            let next_to = |p: usize, chain: &BTreeSet<usize>| self.neighbours[p].iter().any(|q| chain.contains(q));
            let vital = |region: &BTreeSet<usize>, chain: &BTreeSet<usize>| {
                region.iter().filter(|&&p| stones[p] == 0).all(|&p| next_to(p, chain))
            };
            chains.retain(|chain| regions.iter().filter(|region| vital(region, chain)).count() >= 2);
            let alive = |q: usize| chains.iter().any(|chain| chain.contains(&q));
            regions.retain(|region| {
                let mut border = region.iter().flat_map(|&p| &self.neighbours[p]).filter(|&&q| is_defender(q));
                border.all(|&q| alive(q))
            });
            if (chains.len(), regions.len()) == before {
                return chains.iter().flatten().any(|&p| stones[p] == 3);
            }
        }
    }

    fn children(&self, position: &Position) -> Vec<Position> {
        let pass = Position { attacker_moves: !position.attacker_moves, ban: None, ..position.clone() };
        let moves = (0..position.stones.len()).filter_map(|p| self.play(position, p));
        std::iter::once(pass).chain(moves).collect()
    }

    fn play(&self, position: &Position, p: usize) -> Option<Position> {
        let attacker = position.attacker_moves;
        let retakes = position.ban == Some(p);
        let may_retake = position.threats > 0 && self.ko == if attacker { Ko::Attacker } else { Ko::Defender };
        if position.stones[p] == 2 && attacker && self.is_answered[p] && !position.stopped.contains(&p) {
            return Some(self.stop(position, p));
        }
        if position.stones[p] != 0 || retakes && !may_retake {
            return None;
        }
        let mut stones = position.stones.clone();
        stones[p] = if attacker { 1 } else { 2 };
        let mut taken = Vec::new();
        for &q in &self.neighbours[p] {
            if stones[q] != 0 && (stones[q] == 1) != attacker {
                let (chain, free) = self.chain(&stones, &position.stopped, q);
                if !free {
                    taken.extend(chain.iter().copied());
                    chain.iter().for_each(|&r| stones[r] = 0);
                }
            }
        }
        // Crucial stones that would get out by this step alone are stopped at once.
        let mut stopped = position.stopped.clone();
        let (chain, _) = self.chain(&stones, &stopped, p);
        let is_crucial = chain.iter().any(|&q| stones[q] == 3);
        let again = !attacker
            && self.is_answered[p]
            && !stopped.contains(&p)
            && is_crucial
            && !chain.iter().any(|&q| q != p && self.is_out(&stopped, q))
            && !self.at_exit[p];
        if again {
            stopped.insert(p);
        }
        let (chain, free) = self.chain(&stones, &stopped, p);
        if !free {
            return None;
        }
        let liberties: BTreeSet<usize> =
            chain.iter().flat_map(|&q| &self.neighbours[q]).copied().filter(|&q| stones[q] == 0).collect();
        let safe = if attacker { self.at_wall[p] } else { self.is_out(&stopped, p) };
        let is_ko = chain.len() == 1 && taken.len() == 1 && liberties.len() == 1 && !safe;
        let threats = position.threats - u8::from(retakes);
        let ban = (is_ko && !again).then(|| taken[0]);
        let mut next = Position { stones, attacker_moves: !attacker && !again, ban, stopped, threats };
        self.spread_crucial(&mut next);
        Some(next)
    }

    /// The attacker's answer beyond the region to a stone with one way on.
    fn stop(&self, position: &Position, p: usize) -> Position {
        let mut next = Position { attacker_moves: false, ban: None, ..position.clone() };
        next.stopped.insert(p);
        let (chain, free) = self.chain(&next.stones, &next.stopped, p);
        if !free {
            chain.iter().for_each(|&q| next.stones[q] = 0);
        }
        next
    }

    /// A chain, and whether it has a liberty, or something behind it that keeps it from being taken.
    fn chain(&self, stones: &[u8], stopped: &BTreeSet<usize>, p: usize) -> (BTreeSet<usize>, bool) {
        let (mut chain, mut free, mut stack) = (BTreeSet::from([p]), false, vec![p]);
        let same = |q: usize| stones[q] != 0 && (stones[q] == 1) == (stones[p] == 1);
        while let Some(q) = stack.pop() {
            free |= if stones[q] == 1 { self.at_wall[q] } else { self.is_out(stopped, q) };
            for &r in &self.neighbours[q] {
                free |= stones[r] == 0;
                if same(r) && chain.insert(r) {
                    stack.push(r);
                }
            }
        }
        (chain, free)
    }

    fn spread_crucial(&self, position: &mut Position) {
        loop {
            let stones = &position.stones;
            let next =
                (0..stones.len()).find(|&p| stones[p] == 2 && self.neighbours[p].iter().any(|&q| stones[q] == 3));
            match next {
                Some(p) => position.stones[p] = 3,
                None => return,
            }
        }
    }
}
