//! Wins by continuous threats (VCT), a df-pn search (Nagai 2002).
//!
//! The attacker makes fours, open threes, and quiet moves that threaten continuous fours. The defender has every move
//! that can hold: against a four the one that stops it; else, against the fours that are threatened, each move that
//! spoils them (see `fours`), counter-fours among them. Proof numbers say how many positions must still be won to win
//! this one, disproof numbers how many must be held to hold it:
//!
//! ```text
//! attacker to move    pn = least pn of the children       dn = sum of their dn
//! defender to move    pn = sum of the children's pn       dn = least dn
//! ```
//!
//! A win found is a win. Nothing found proves nothing: quiet moves of the attacker are left out.

use super::class::Class;
use super::lines::{Lines, Points};
use super::{Hashed, Reader};
use crate::base::{Color, Point};
use std::collections::HashMap;
use std::rc::Rc;

const INFINITE: u32 = 1 << 28;
/// Positions remembered, at most.
const MEMORY: usize = 1 << 17;
/// Work for the continuous fours of one position.
const FOURS_WORK: u64 = 60;
/// Plies that are read.
const DEEPEST: usize = 60;

/// What is known about a position, for one attacker and one side to move.
#[derive(Clone)]
pub(super) struct Threat {
    proof: u32,
    disproof: u32,
    /// The moves to look at; none when it is known by itself.
    moves: Rc<[Point]>,
    /// Plies up to the five, when it is won.
    plies: u16,
}

impl Threat {
    fn won(plies: usize) -> Threat {
        Threat { proof: 0, disproof: INFINITE, moves: Rc::from([]), plies: plies as u16 }
    }

    fn lost() -> Threat {
        Threat { proof: INFINITE, disproof: 0, moves: Rc::from([]), plies: 0 }
    }

    fn open(moves: Vec<Point>) -> Threat {
        Threat { proof: 1, disproof: 1, moves: Rc::from(moves), plies: 0 }
    }
}

pub(super) type Known = HashMap<u64, Threat, Hashed>;

#[derive(Clone, Copy)]
struct Search {
    attacker: Color,
    limit: u64,
}

impl Search {
    fn key(self, hash: u64, attacks: bool) -> u64 {
        let salt = 0x9e37_79b9_7f4a_7c15u64.rotate_left(13 * (2 * self.attacker.index() as u32 + attacks as u32));
        hash ^ salt
    }

    /// Who moves where the attacker does, or does not.
    fn mover(self, attacks: bool) -> Color {
        if attacks { self.attacker } else { self.attacker.opponent() }
    }
}

impl Reader {
    /// A win of this colour, to move, by fours, threes and threats of fours: a line of it, both sides' moves in turn, up
    /// to the five. None if there is none within this much work.
    pub fn threats(&mut self, attacker: Color, work: u64) -> Option<Vec<Point>> {
        if self.known.len() > MEMORY / 2 {
            self.known.clear();
        }
        let search = Search { attacker, limit: self.lines.work() + work };
        self.look_deeper(search, true, INFINITE, INFINITE, 0);
        let known = self.known.get(&search.key(self.lines.hash(), true))?;
        (known.proof == 0).then(|| self.line_of(search))
    }

    /// Looks at a position until a number reaches its limit or the work is spent.
    fn look_deeper(&mut self, search: Search, attacks: bool, proof: u32, disproof: u32, depth: usize) {
        let key = search.key(self.lines.hash(), attacks);
        if !self.known.contains_key(&key) {
            let first = if attacks { self.first_attack(search) } else { self.first_defence(search) };
            self.known.insert(key, first);
        }
        let Some(here) = self.known.get(&key) else { return };
        if here.proof == 0 || here.disproof == 0 || depth > DEEPEST || self.known.len() > MEMORY {
            return;
        }
        let moves = here.moves.clone();
        loop {
            // The mover's own number is the least of the children's, the other's is a sum.
            let (mut least, mut second, mut sum) = (INFINITE, INFINITE, 0u32);
            let mut best = None;
            let (mut shortest, mut longest) = (u16::MAX, 0);
            for &p in moves.iter() {
                let hash = self.lines.hash() ^ Lines::hash_of(p, search.mover(attacks));
                let (own, other, plies) = match self.known.get(&search.key(hash, !attacks)) {
                    Some(child) if attacks => (child.proof, child.disproof, child.plies),
                    Some(child) => (child.disproof, child.proof, child.plies),
                    None => (self.guess(search, attacks, p), 1, 0),
                };
                if own == 0 {
                    shortest = shortest.min(plies);
                }
                longest = longest.max(plies);
                sum = (sum + other).min(INFINITE);
                if own < least {
                    (second, least) = (least, own);
                    best = Some((p, other));
                } else if own < second {
                    second = own;
                }
            }
            let Some(here) = self.known.get_mut(&key) else { return };
            (here.proof, here.disproof) = if attacks { (least, sum) } else { (sum, least) };
            if here.proof == 0 {
                here.plies = 1 + if attacks { shortest } else { longest };
            }
            let (own_limit, other_limit) = if attacks { (proof, disproof) } else { (disproof, proof) };
            if least >= own_limit || sum >= other_limit || least == 0 || sum == 0 {
                return;
            }
            if self.lines.work() >= search.limit {
                return;
            }
            let Some((p, other)) = best else { return };
            // A little more than the second best needs, so that it does not switch at every step.
            let own_limit = own_limit.min(second.saturating_add(second / 4).saturating_add(1));
            let other_limit = (other_limit - sum).saturating_add(other).min(INFINITE);
            let (proof, disproof) = if attacks { (own_limit, other_limit) } else { (other_limit, own_limit) };
            self.lines.play(p, search.mover(attacks));
            self.look_deeper(search, !attacks, proof, disproof, depth + 1);
            self.lines.undo();
        }
    }

    /// How hard a move looks that nobody has looked at.
    fn guess(&self, search: Search, attacks: bool, p: Point) -> u32 {
        if !attacks {
            return 1;
        }
        // A win that begins with a four and goes on with fours was seen before: here a four only prepares.
        let pair = self.lines.pair(search.attacker, p);
        let helps = pair.second() >= Class::OpenTwo;
        match pair.best() {
            Class::OpenFour | Class::Five => 1,
            Class::Four if helps => 10,
            Class::Four => 40,
            Class::OpenThree | Class::FreeThree if helps => 1,
            Class::OpenThree | Class::FreeThree => 2,
            _ => 4,
        }
    }

    fn first_attack(&mut self, search: Search) -> Threat {
        let (me, opponent) = (search.attacker, search.attacker.opponent());
        if let Some(line) = self.fours(me, FOURS_WORK) {
            return Threat::won(line.len());
        }
        let threats = self.lines.fives(opponent);
        let moves: Vec<Point> = match threats.first() {
            Some(_) if threats.len() > 1 => Vec::new(),
            Some(p) => vec![p],
            None => self.lines.seeds(me).iter().collect(),
        };
        if moves.is_empty() { Threat::lost() } else { Threat::open(moves) }
    }

    fn first_defence(&mut self, search: Search) -> Threat {
        let (attacker, me) = (search.attacker, search.attacker.opponent());
        if !self.lines.fives(me).is_empty() {
            return Threat::lost();
        }
        let threats = self.lines.fives(attacker);
        if let Some(p) = threats.first() {
            return if threats.len() > 1 { Threat::won(2) } else { Threat::open(vec![p]) };
        }
        match self.fours(attacker, FOURS_WORK) {
            None => Threat::lost(), // no threat
            Some(line) => match self.spoilers(attacker, &line) {
                spoilers if spoilers.is_empty() => Threat::won(line.len() + 1),
                spoilers => Threat::open(spoilers),
            },
        }
    }

    /// The child that a won position goes on with: the shortest win, the longest defence.
    fn best_child(&self, search: Search, attacks: bool) -> Option<Point> {
        let here = self.known.get(&search.key(self.lines.hash(), attacks))?;
        let child = |p: Point| {
            let hash = self.lines.hash() ^ Lines::hash_of(p, search.mover(attacks));
            let child = self.known.get(&search.key(hash, !attacks))?;
            (child.proof == 0).then_some((child.plies, p))
        };
        let known = here.moves.iter().filter_map(|&p| child(p));
        let best = if attacks { known.min_by_key(|c| c.0) } else { known.max_by_key(|c| c.0) };
        best.map(|(_, p)| p)
    }

    fn line_of(&mut self, search: Search) -> Vec<Point> {
        let mut line = Vec::new();
        let mut attacks = true;
        while let Some(p) = self.best_child(search, attacks) {
            line.push(p);
            self.lines.play(p, search.mover(attacks));
            attacks = !attacks;
        }
        let played = line.len();
        if !attacks {
            // What the defender leaves does not matter: any move, then the fours.
            let threats = self.lines.fives(search.attacker);
            line.extend(threats.iter().take(2));
            if threats.is_empty()
                && let Some(fours) = self.fours(search.attacker, 4 * FOURS_WORK)
            {
                line.push(fours[0]);
            }
        } else if let Some(fours) = self.fours(search.attacker, 4 * FOURS_WORK) {
            line.extend(fours);
        }
        (0..played).for_each(|_| self.lines.undo());
        line
    }

    /// After `threats` found a win of this colour as if it were its turn: every move of the opponent that may hold.
    /// A stone elsewhere changes nothing in any position of the proof. None if the proof is not remembered whole.
    pub fn defences(&mut self, attacker: Color) -> Option<Points> {
        let search = Search { attacker, limit: 0 };
        let mut touched = Points::EMPTY;
        let before = self.lines.hash();
        let is_whole = self.touch(search, true, &mut touched);
        debug_assert_eq!(before, self.lines.hash());
        is_whole.then(|| touched & self.lines.empty_points())
    }

    /// Marks what the proof of a won position stands on: its moves, where its fours are completed, and where a stone of
    /// the defender's would leave him a four to make.
    fn touch(&mut self, search: Search, attacks: bool, touched: &mut Points) -> bool {
        let (attacker, defender) = (search.attacker, search.attacker.opponent());
        let Some(here) = self.known.get(&search.key(self.lines.hash(), attacks)) else { return false };
        if here.proof != 0 {
            return false;
        }
        let moves = here.moves.clone();
        *touched = *touched | self.lines.seeds(defender) | self.lines.fives(attacker);
        let wins_at_once = !self.lines.fives(attacker).is_empty();
        if moves.is_empty() || !attacks && !wins_at_once {
            // The fours that win, or are threatened.
            let Some(line) = self.fours(attacker, 4 * FOURS_WORK) else { return false };
            self.visit_line(attacker, &line, |lines, p| {
                touched.insert(p);
                *touched = *touched | lines.fives(attacker) | lines.seeds(defender);
            });
        }
        if moves.is_empty() {
            return true;
        }
        let next: Vec<Point> = match attacks {
            true => self.best_child(search, true).into_iter().collect(),
            false => moves.to_vec(),
        };
        if next.is_empty() {
            return false;
        }
        next.into_iter().all(|p| {
            touched.insert(p);
            self.lines.play(p, search.mover(attacks));
            let is_whole = self.touch(search, !attacks, touched);
            self.lines.undo();
            is_whole
        })
    }
}
