//! Life and death by trying everything: every position that can come up, and the set of those that the attacker wins grown
//! until it stays the same. Written to be obviously right, for problems that are closed in; it shares no code with moku.
//!
//! The game: both sides may play on any empty point of the region or pass. Empty points outside of it are never filled, so
//! chains next to one live for ever. The attacker wins when none of the defender's marked stones is left; a stone that joins
//! a marked chain is marked. Whoever plays round and round has not won, so repetition and seki are life.

use std::collections::HashMap;

pub const EMPTY: u8 = 0;
pub const ATTACKER: u8 = 1;
pub const DEFENDER: u8 = 2;
/// A stone of the defender that must not be lost.
pub const MARKED: u8 = 3;

/// Who may retake a ko at once, as often as there are [`THREATS`] that the other side answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retakes {
    Attacker,
    Defender,
}

/// Enough for a ko of two stages. Without end they would make an eye of a false one.
const THREATS: u8 = 2;

/// How a move or position turns out for the attacker, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Result {
    /// Whoever has more ko threats.
    Dead,
    /// It hangs on a ko.
    Ko,
    Alive,
}

pub struct Puzzle {
    pub lines: usize,
    /// By row and column.
    pub cells: Vec<u8>,
    pub attacker_moves: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Position {
    region: Vec<u8>,
    attacker_moves: bool,
    /// Where a ko may not be retaken without a threat.
    ban: Option<u8>,
    threats: u8,
}

impl Puzzle {
    fn neighbours(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let n = self.lines;
        let (x, y) = (at % n, at / n);
        [(x > 0).then(|| at - 1), (x + 1 < n).then_some(at + 1), (y > 0).then(|| at - n), (y + 1 < n).then_some(at + n)]
            .into_iter()
            .flatten()
    }

    /// Cells connected to these through cells that pass the test.
    fn flood(&self, from: impl IntoIterator<Item = usize>, passes: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut seen = vec![false; self.cells.len()];
        let mut todo: Vec<usize> = from.into_iter().filter(|&at| passes(at)).collect();
        todo.iter().for_each(|&at| seen[at] = true);
        while let Some(at) = todo.pop() {
            for next in self.neighbours(at).filter(|&next| passes(next)) {
                if !seen[next] {
                    seen[next] = true;
                    todo.push(next);
                }
            }
        }
        seen
    }

    /// Where may be played: what the attacker's outer stones close in. None if the defender is not closed in.
    pub fn region(&self) -> Option<Vec<usize>> {
        let all = 0..self.cells.len();
        let marked: Vec<usize> = all.clone().filter(|&at| self.cells[at] == MARKED).collect();
        // The largest empty area is outside.
        let mut outside = vec![false; self.cells.len()];
        let count = |area: &[bool]| area.iter().filter(|&&is| is).count();
        for at in all.clone().filter(|&at| self.cells[at] == EMPTY) {
            let area = self.flood([at], |at| self.cells[at] == EMPTY);
            if count(&area) > count(&outside) {
                outside = area;
            }
        }
        let beside = all.clone().filter(|&at| self.neighbours(at).any(|next| outside[next]));
        let wall = self.flood(beside.filter(|&at| self.cells[at] == ATTACKER), |at| self.cells[at] == ATTACKER);
        let inside = self.flood(marked, |at| !wall[at]);
        let open = all.clone().any(|at| inside[at] && outside[at]);
        (!open).then(|| all.filter(|&at| inside[at]).collect())
    }

    /// What becomes of each first move; a pass is None. None if more positions than `most` can come up.
    pub fn first_moves(&self, most: usize) -> Option<Vec<(Option<usize>, Result)>> {
        let region = self.region()?;
        let with_attacker = Solver::new(self, &region, Retakes::Attacker).solve(most)?;
        let with_defender = Solver::new(self, &region, Retakes::Defender).solve(most)?;
        let moves = with_attacker.into_iter().zip(with_defender).map(|((at, easy), (same, hard))| {
            assert_eq!(at, same);
            let result = match (easy, hard) {
                (_, true) => Result::Dead,
                (true, false) => Result::Ko,
                (false, false) => Result::Alive,
            };
            (at, result)
        });
        Some(moves.collect())
    }
}

struct Solver<'a> {
    puzzle: &'a Puzzle,
    region: &'a [usize],
    retakes: Retakes,
    /// The place in the region of each cell.
    place: Vec<Option<usize>>,
}

impl<'a> Solver<'a> {
    fn new(puzzle: &'a Puzzle, region: &'a [usize], retakes: Retakes) -> Solver<'a> {
        let place = (0..puzzle.cells.len()).map(|at| region.iter().position(|&own| own == at)).collect();
        Solver { puzzle, region, retakes, place }
    }

    /// Does the attacker win after each first move? The first moves come in order of the board, the pass last.
    fn solve(&self, most: usize) -> Option<Vec<(Option<usize>, bool)>> {
        let root = Position {
            region: self.region.iter().map(|&at| self.puzzle.cells[at]).collect(),
            attacker_moves: self.puzzle.attacker_moves,
            ban: None,
            threats: THREATS,
        };
        let mut numbers = HashMap::from([(root.clone(), 0)]);
        let mut positions = vec![root];
        let mut followers: Vec<Vec<usize>> = Vec::new();
        let mut first = Vec::new();
        while followers.len() < positions.len() {
            let position = positions[followers.len()].clone();
            let mut next = Vec::new();
            if position.region.contains(&MARKED) {
                let moves = (0..self.region.len()).map(Some).chain([None]);
                for (at, child) in moves.filter_map(|at| Some((at, self.play(&position, at)?))) {
                    let fresh = positions.len();
                    let number = *numbers.entry(child.clone()).or_insert(fresh);
                    if number == fresh {
                        positions.push(child);
                    }
                    if followers.is_empty() {
                        first.push((at.map(|at| self.region[at]), number));
                    }
                    next.push(number);
                }
            }
            followers.push(next);
            if positions.len() > most {
                return None;
            }
        }
        let mut won: Vec<bool> = positions.iter().map(|position| !position.region.contains(&MARKED)).collect();
        loop {
            let mut changed = false;
            for i in (0..positions.len()).rev() {
                if won[i] {
                    continue;
                }
                let mut after = followers[i].iter().map(|&next| won[next]);
                won[i] = if positions[i].attacker_moves { after.any(|won| won) } else { after.all(|won| won) };
                changed |= won[i];
            }
            if !changed {
                return Some(first.into_iter().map(|(at, number)| (at, won[number])).collect());
            }
        }
    }

    fn content(&self, position: &Position, at: usize) -> u8 {
        self.place[at].map_or(self.puzzle.cells[at], |place| position.region[place])
    }

    /// The chain on a cell and the number of its liberties.
    fn chain(&self, position: &Position, at: usize) -> (Vec<usize>, usize) {
        let is_attacker = |at: usize| self.content(position, at) == ATTACKER;
        let own = is_attacker(at);
        let same = |at: usize| self.content(position, at) != EMPTY && is_attacker(at) == own;
        let chain = self.puzzle.flood([at], same);
        let is_liberty =
            |at: &usize| self.content(position, *at) == EMPTY && self.puzzle.neighbours(*at).any(|next| chain[next]);
        let liberties = (0..chain.len()).filter(is_liberty).count();
        ((0..chain.len()).filter(|&at| chain[at]).collect(), liberties)
    }

    /// The position after a move on a place of the region, or a pass. None if it is not legal.
    fn play(&self, position: &Position, place: Option<usize>) -> Option<Position> {
        let mut next = Position { ban: None, attacker_moves: !position.attacker_moves, ..position.clone() };
        let Some(place) = place else { return Some(next) };
        if position.region[place] != EMPTY {
            return None;
        }
        if position.ban == Some(place as u8) {
            let own = if position.attacker_moves { Retakes::Attacker } else { Retakes::Defender };
            next.threats = next.threats.checked_sub(1).filter(|_| self.retakes == own)?;
        }
        let at = self.region[place];
        next.region[place] = if position.attacker_moves { ATTACKER } else { DEFENDER };
        let mut taken: Vec<usize> = Vec::new();
        for other in self.puzzle.neighbours(at) {
            let content = self.content(&next, other);
            if content == EMPTY || (content == ATTACKER) == position.attacker_moves {
                continue;
            }
            let (chain, liberties) = self.chain(&next, other);
            if liberties == 0 {
                taken.extend(&chain);
                // Chains of the wall have liberties outside: what is taken is inside.
                chain.iter().for_each(|&at| next.region[self.place[at].expect("the wall lives")] = EMPTY);
            }
        }
        let (own, liberties) = self.chain(&next, at);
        if liberties == 0 {
            return None;
        }
        if own.iter().any(|&at| self.content(&next, at) == MARKED) {
            own.iter().for_each(|&at| next.region[self.place[at].expect("marked stones are inside")] = MARKED);
        }
        if taken.len() == 1 && own.len() == 1 && liberties == 1 {
            next.ban = self.place[taken[0]].map(|place| place as u8);
        }
        Some(next)
    }
}
