//! Wins by continuous threats (VCT), a df-pn search (Nagai 2002).
//!
//! The attacker makes fours and open threes, and where there is work enough his first move may also be a quiet one that
//! threatens continuous fours. The defender has every move that can hold: against a four the one that stops it; against
//! double fours each that leaves none of them; else each that spoils the continuous fours that are threatened (see
//! `fours`), counter-fours among them. Proof numbers say how many positions must still be won to win this one, disproof
//! numbers how many must be held to hold it:
//!
//! ```text
//! attacker to move    pn = least pn of the children       dn = sum of their dn
//! defender to move    pn = sum of the children's pn       dn = least dn
//! ```
//!
//! A win found is a win. Nothing found proves nothing: most quiet moves are left out.

use super::class::Class;
use super::lines::{Lines, Points};
use super::reader::Quiet;
use super::{Hashed, Reader};
use crate::base::{Color, Point};
use std::collections::HashMap;
use std::rc::Rc;

const INFINITE: u32 = 1 << 28;
/// Positions remembered, at most.
const MEMORY: usize = 1 << 17;
/// Work for the continuous fours of one position: when a proof is gone through, and when one is looked for with the
/// attacker or the defender to move. Little is best: what is missed is found by the search itself.
const FOURS_WORK: u64 = 240;
const ATTACK_FOURS: u64 = 15;
const DEFENCE_FOURS: u64 = 30;
/// What is guessed of positions that nobody has looked at: how hard an attack is to refute, a defence to beat.
const ATTACK_DISPROOF: u32 = 2;
const DEFENCE_PROOF: u32 = 3;
/// Quiet moves need room: they are looked at when there is this much work to spend.
const QUIET_FROM: u64 = 2_000;
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
    quiet: Quiet,
}

impl Search {
    /// Are quiet moves looked at here?
    fn is_wide(self, is_first: bool) -> bool {
        self.quiet == Quiet::Everywhere || self.quiet == Quiet::First && is_first
    }

    /// The key of a position: another one where quiet moves are looked at.
    fn key(self, hash: u64, attacks: bool, is_first: bool) -> u64 {
        let kind = 4 * self.is_wide(is_first) as u32 + 2 * self.attacker.index() as u32 + attacks as u32;
        hash ^ 0x9e37_79b9_7f4a_7c15u64.rotate_left(7 * kind)
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
        let quiet = if self.quiet == Quiet::First && work < QUIET_FROM { Quiet::Nowhere } else { self.quiet };
        let search = Search { attacker, limit: self.lines.work() + work, quiet };
        self.look_deeper(search, true, (INFINITE, INFINITE), 0);
        let known = self.known.get(&search.key(self.lines.hash(), true, true))?;
        (known.proof == 0).then(|| self.line_of(search))
    }

    /// Looks at a position until a number reaches its limit or the work is spent.
    fn look_deeper(&mut self, search: Search, attacks: bool, (proof, disproof): (u32, u32), depth: usize) {
        let key = search.key(self.lines.hash(), attacks, depth == 0);
        if !self.known.contains_key(&key) {
            let first = if attacks { self.first_attack(search, depth == 0) } else { self.first_defence(search) };
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
                let (own, other, plies) = match self.known.get(&search.key(hash, !attacks, false)) {
                    Some(child) if attacks => (child.proof, child.disproof, child.plies),
                    Some(child) => (child.disproof, child.proof, child.plies),
                    None if attacks => (self.guess(search, p), ATTACK_DISPROOF, 0),
                    None => (1, DEFENCE_PROOF, 0),
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
            let limits = if attacks { (own_limit, other_limit) } else { (other_limit, own_limit) };
            self.lines.play(p, search.mover(attacks));
            self.look_deeper(search, !attacks, limits, depth + 1);
            self.lines.undo();
        }
    }

    /// How hard a move of the attacker looks that nobody has looked at.
    fn guess(&self, search: Search, p: Point) -> u32 {
        // A win that begins with a four and goes on with fours was seen before: here a four only prepares.
        let pair = self.lines.pair(search.attacker, p);
        let helps = pair.second() >= Class::OpenTwo;
        match pair.best() {
            Class::OpenFour | Class::Five => 1,
            Class::Four if helps => 4,
            Class::Four => 40,
            Class::OpenThree | Class::FreeThree if helps => 2,
            _ => 4,
        }
    }

    fn first_attack(&mut self, search: Search, is_first: bool) -> Threat {
        let (me, opponent) = (search.attacker, search.attacker.opponent());
        if let Some(line) = self.fours(me, ATTACK_FOURS) {
            return Threat::won(line.len());
        }
        if self.lines.count_fives(opponent) > 1 {
            return Threat::lost();
        }
        if let Some((moves, _)) = self.win_at_sight(me) {
            return Threat::won(2 * moves - 1);
        }
        let moves: Vec<Point> = match self.lines.five(opponent) {
            Some(p) => vec![p],
            None if search.is_wide(is_first) => self.lines.seeds(me).iter().collect(),
            None => self.lines.threes(me).iter().collect(),
        };
        if moves.is_empty() { Threat::lost() } else { Threat::open(moves) }
    }

    fn first_defence(&mut self, search: Search) -> Threat {
        let (attacker, me) = (search.attacker, search.attacker.opponent());
        if self.lines.count_fives(me) > 0 {
            return Threat::lost();
        }
        if let Some(p) = self.lines.five(attacker) {
            return if self.lines.count_fives(attacker) > 1 { Threat::won(2) } else { Threat::open(vec![p]) };
        }
        let double = self.double_fours(attacker).next();
        if let Some(p) = double {
            let defences = self.stops(attacker, p);
            return if defences.is_empty() { Threat::won(4) } else { Threat::open(defences) };
        }
        match self.fours(attacker, DEFENCE_FOURS) {
            None => Threat::lost(), // no threat
            Some(line) => match self.spoilers(attacker, &line) {
                spoilers if spoilers.is_empty() => Threat::won(line.len() + 1),
                spoilers => Threat::open(spoilers),
            },
        }
    }

    /// Where this colour makes a four that can be completed in two ways.
    fn double_fours(&self, color: Color) -> impl Iterator<Item = Point> {
        self.lines.fours(color).iter().filter(move |&p| self.lines.pair(color, p).is_double_four())
    }

    /// The opponent's moves after which this colour has no double four any more, or must answer a four first. One of the
    /// double fours is given.
    fn stops(&mut self, attacker: Color, p: Point) -> Vec<Point> {
        let defender = attacker.opponent();
        let mut stops = Vec::new();
        for q in self.possible_spoilers(attacker, &[p]).iter() {
            self.lines.play(q, defender);
            if self.lines.count_fives(defender) > 0 || self.double_fours(attacker).next().is_none() {
                stops.push(q);
            }
            self.lines.undo();
        }
        stops
    }

    /// The child that a won position goes on with: the shortest win, the longest defence.
    fn best_child(&self, search: Search, attacks: bool, is_first: bool) -> Option<Point> {
        let here = self.known.get(&search.key(self.lines.hash(), attacks, is_first))?;
        let child = |p: Point| {
            let hash = self.lines.hash() ^ Lines::hash_of(p, search.mover(attacks));
            let child = self.known.get(&search.key(hash, !attacks, false))?;
            (child.proof == 0).then_some((child.plies, p))
        };
        let known = here.moves.iter().filter_map(|&p| child(p));
        let best = if attacks { known.min_by_key(|c| c.0) } else { known.max_by_key(|c| c.0) };
        best.map(|(_, p)| p)
    }

    fn line_of(&mut self, search: Search) -> Vec<Point> {
        let mut line = Vec::new();
        let mut attacks = true;
        while let Some(p) = self.best_child(search, attacks, line.is_empty()) {
            line.push(p);
            self.lines.play(p, search.mover(attacks));
            attacks = !attacks;
        }
        let played = line.len();
        if !attacks {
            // What the defender does is of no use: he stops one of the threats.
            let threats = self.lines.fives(search.attacker);
            line.extend(threats.iter().take(2));
            if threats.is_empty()
                && let Some(fours) = self.fours(search.attacker, FOURS_WORK)
            {
                line.push(fours[0]);
                self.lines.play(fours[0], search.attacker.opponent());
                line.extend(self.fours(search.attacker, FOURS_WORK).unwrap_or_default());
                self.lines.undo();
            }
        } else if let Some(fours) = self.fours(search.attacker, FOURS_WORK) {
            line.extend(fours);
        } else if let Some((_, moves)) = self.win_at_sight(search.attacker) {
            line.extend(self.line_at_sight(search.attacker, moves[0]));
        }
        (0..played).for_each(|_| self.lines.undo());
        line
    }

    /// A line of a win as it was read, gone on with up to the five where only its first move was needed to see it.
    pub fn whole_line(&mut self, attacker: Color, line: Vec<Point>) -> Vec<Point> {
        match line[..] {
            [p] if !self.lines.fives(attacker).contains(p) => self.line_at_sight(attacker, p),
            _ => line,
        }
    }

    /// A win at sight up to the five: its first move, an answer, and the fours that are left.
    fn line_at_sight(&mut self, attacker: Color, p: Point) -> Vec<Point> {
        let mut line = vec![p];
        self.lines.play(p, attacker);
        let answer = self.lines.five(attacker).or_else(|| self.double_fours(attacker).next());
        if let Some(answer) = answer {
            line.push(answer);
            self.lines.play(answer, attacker.opponent());
            line.extend(self.fours(attacker, FOURS_WORK).unwrap_or_default());
            self.lines.undo();
        }
        self.lines.undo();
        line
    }

    /// After `threats` found a win of this colour as if it were its turn: every move of the opponent that may hold.
    /// A stone elsewhere changes nothing in any position of the proof. None if the proof is not remembered whole.
    pub fn defences(&mut self, attacker: Color) -> Option<Points> {
        let before = self.lines.hash();
        let touched = [Quiet::Nowhere, Quiet::First, Quiet::Everywhere].into_iter().find_map(|quiet| {
            let search = Search { attacker, limit: 0, quiet };
            let mut touched = Points::EMPTY;
            self.touch(search, true, true, &mut touched).then_some(touched)
        });
        debug_assert_eq!(before, self.lines.hash());
        touched.map(|touched| touched & self.lines.empty_points())
    }

    /// Marks what the proof of a won position stands on: its moves, where its fours are completed, and where a stone of
    /// the defender's would leave him a four to make.
    fn touch(&mut self, search: Search, attacks: bool, is_first: bool, touched: &mut Points) -> bool {
        let (attacker, defender) = (search.attacker, search.attacker.opponent());
        let Some(here) = self.known.get(&search.key(self.lines.hash(), attacks, is_first)) else { return false };
        if here.proof != 0 {
            return false;
        }
        let moves = here.moves.clone();
        *touched = *touched | self.lines.seeds(defender) | self.lines.fives(attacker);
        let wins_at_once = !self.lines.fives(attacker).is_empty();
        if moves.is_empty() || !attacks && !wins_at_once {
            // The fours that win, or are threatened: all double ones, or a line of them.
            let mut fours: Vec<Vec<Point>> = self.double_fours(attacker).map(|p| vec![p]).collect();
            if fours.is_empty() {
                match (self.fours(attacker, FOURS_WORK), attacks) {
                    (Some(line), _) => fours.push(line),
                    // A win at sight stands on the lines of its first move alone.
                    (None, true) => match self.win_at_sight(attacker) {
                        Some((_, line)) => *touched = *touched | self.lines.around(line[0]),
                        None => return false,
                    },
                    (None, false) => return false,
                }
            }
            for line in fours {
                self.visit_line(attacker, &line, |lines, p| {
                    touched.insert(p);
                    *touched = *touched | lines.fives(attacker) | lines.seeds(defender);
                });
            }
        }
        if moves.is_empty() {
            return true;
        }
        let next: Vec<Point> = match attacks {
            true => self.best_child(search, true, is_first).into_iter().collect(),
            false => moves.to_vec(),
        };
        if next.is_empty() {
            return false;
        }
        next.into_iter().all(|p| {
            touched.insert(p);
            self.lines.play(p, search.mover(attacks));
            let is_whole = self.touch(search, !attacks, false, touched);
            self.lines.undo();
            is_whole
        })
    }
}
