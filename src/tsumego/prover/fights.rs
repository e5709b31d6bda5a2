//! Small enclosed fights of a game in progress: which moves decide them, and which come too late.
//!
//! A group counts if the other side's stones enclose it in little room. For the side to move, with what lies beyond the
//! region taken for what is worse for it:
//! - A move that saves its group is good if the group dies without it; one that kills is good if the other group lives
//!   otherwise.
//! - All its moves in a fight are bad that is over: its own group dies, or the other's does without a move.
//!
//! What is good or bad is so whoever has ko threats. All else is left to the game.

use super::state::Ko;
use super::{Beyond, Limits, Prover, Question, Status, find};
use crate::base::rng::mix;
use crate::base::{Color, Point, Size};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// More room than this is no small fight.
const MOST_ROOM: usize = 12;
const TABLE_MB: usize = 4;
/// So many fights are remembered.
const REMEMBERED: usize = 10_000;

/// A move in a fight: does it decide it, or come too late?
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict {
    pub point: Point,
    pub is_good: bool,
    /// The group is so large.
    pub stones: usize,
}

/// What is found out about fights, and what was before.
pub struct Fights {
    prover: Prover,
    /// For each thing that is asked about a fight.
    nodes: u64,
    known: HashMap<u64, Vec<Verdict>>,
}

impl Fights {
    pub fn new(nodes: u64) -> Fights {
        Fights { prover: Prover::new(TABLE_MB), nodes, known: HashMap::new() }
    }

    /// The moves of the side to move that decide fights or come too late. Where fights meet, what is good counts.
    pub fn moves(&mut self, size: Size, stones: &[(Point, Color)], to_play: Color) -> Vec<Verdict> {
        let mut all: Vec<Verdict> = Vec::new();
        for question in find::fights(size, stones, to_play, MOST_ROOM) {
            let key = key_of(&question);
            let found = match self.known.get(&key) {
                Some(found) => found.clone(),
                None => {
                    let found = self.look(&question);
                    if self.known.len() >= REMEMBERED {
                        self.known.clear();
                    }
                    self.known.insert(key, found.clone());
                    found
                }
            };
            for verdict in found {
                match all.iter_mut().find(|known| known.point == verdict.point) {
                    // The largest of what is good, else the largest of what is bad.
                    Some(known) if (known.is_good, known.stones) >= (verdict.is_good, verdict.stones) => {}
                    Some(known) => *known = verdict,
                    None => all.push(verdict),
                }
            }
        }
        all
    }

    fn look(&mut self, question: &Question) -> Vec<Verdict> {
        // The same fight must get the same answer, whatever was asked before.
        self.prover.forget();
        let (attacker, mover) = (question.attacker, question.to_play);
        let shut_in = Question { beyond: Beyond::Attackers, ..question.clone() };
        let open = Question { beyond: Beyond::Open, ..question.clone() };
        let passed = |question: &Question| Question { to_play: mover.opponent(), ..question.clone() };
        let dies = |fights: &mut Fights, question: &Question| fights.wins(question, Ko::Defender) == Some(true);
        let lives = |fights: &mut Fights, question: &Question| fights.wins(question, Ko::Attacker) == Some(false);
        let stones = question.crucial.len();
        let all_bad = || {
            let empty = question.region.iter().filter(|p| question.stones.iter().all(|stone| stone.0 != **p));
            empty.map(|&point| Verdict { point, is_good: false, stones }).collect()
        };
        let (is_in_question, reading, wanted) = if mover == attacker {
            (lives(self, &passed(&shut_in)), open.clone(), Status::Dead)
        } else {
            (dies(self, &passed(&open)), shut_in, Status::Alive)
        };
        if is_in_question {
            let good = self.reaching(&reading, wanted);
            if !good.is_empty() {
                return good.into_iter().map(|point| Verdict { point, is_good: true, stones }).collect();
            }
        }
        let is_over = match mover == attacker {
            true => !is_in_question && dies(self, &passed(&open)),
            false => is_in_question && dies(self, &open),
        };
        if is_over { all_bad() } else { Vec::new() }
    }

    fn wins(&mut self, question: &Question, ko: Ko) -> Option<bool> {
        let limits = Limits { nodes: self.nodes, seconds: None };
        self.prover.attacker_wins(question, ko, limits, &AtomicBool::new(false)).ok().flatten()
    }

    fn reaching(&mut self, question: &Question, status: Status) -> Vec<Point> {
        let limits = Limits { nodes: self.nodes, seconds: None };
        let moves = self.prover.first_moves(question, status, None, limits, &AtomicBool::new(false));
        let moves = moves.unwrap_or_default();
        moves.iter().filter(|first| first.reaches == Some(true)).map(|first| first.point).collect()
    }
}

/// All that decides the answer: the region, what stands in it and around it, who moves.
fn key_of(question: &Question) -> u64 {
    let colors: HashMap<Point, Color> = question.stones.iter().copied().collect();
    let stone = |p: Point| colors.get(&p).map_or(2, |color| color.index() as u64);
    let mut key = mix(&[question.attacker.index() as u64, question.to_play.index() as u64]);
    for &p in &question.region {
        let around = question.size.neighbours(p).fold(stone(p), |all, q| 3 * all + stone(q));
        key = mix(&[key, p.index() as u64, around]);
    }
    question.crucial.iter().fold(key, |key, p| mix(&[key, p.index() as u64]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Black, White};
    use crate::prover::make;

    fn moves(rows: &str, to_play: Color) -> (Size, Vec<Verdict>) {
        let size = Size::new(9).unwrap();
        (size, Fights::new(20_000).moves(size, &make::picture(size, rows, White), to_play))
    }

    fn good(found: &[Verdict]) -> Vec<Point> {
        found.iter().filter(|verdict| verdict.is_good).map(|verdict| verdict.point).collect()
    }

    #[test]
    fn the_vital_point_is_good_for_both_and_only_that() {
        let three = "XXXXX.... OOOOX.... ...OX....";
        for to_play in [Black, White] {
            let (size, found) = moves(three, to_play);
            assert_eq!(good(&found), [size.point(1, 0)], "{to_play}: {found:?}");
            assert_eq!(found.len(), 1, "the others are not said to be bad while it is open: {found:?}");
        }
    }

    #[test]
    fn where_it_is_over_no_move_is_good() {
        // Three in a row with a stone in the middle, and two points.
        for rows in ["XXXXX.... OOOOX.... .X.OX....", "XXXX..... OOOX..... ..OX....."] {
            for to_play in [Black, White] {
                let (_, found) = moves(rows, to_play);
                assert!(!found.is_empty() && good(&found).is_empty(), "{rows} {to_play}: {found:?}");
            }
        }
        // Four in a row live.
        for to_play in [Black, White] {
            assert_eq!(moves("XXXXXX... OOOOOX... ....OX...", to_play).1, []);
        }
    }

    #[test]
    fn nothing_is_said_of_a_group_that_may_run_or_has_much_room() {
        let open = "XXXX..... XOOO..... XO.O.....";
        for to_play in [Black, White] {
            let found = moves(open, to_play).1;
            assert_eq!(good(&found), [], "{found:?}");
        }
        assert_eq!(moves("......... OOO...... ...X.....", Black).1, []);
    }
}
