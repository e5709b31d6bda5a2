//! A problem played against a person: after every move, whether it still works, and what the prover answers.
//!
//! It is one game, under the hardest ko rule by which the person can still get what the position holds: whoever finds a
//! way to kill outright has to find it against a defender with ko threats. So every position of it is won or lost.

use super::grid::cells;
use super::solver::{Purse, start, wanted};
use super::state::{Ko, Rules, State};
use super::{Finding, Limits, Prover, Question, Status};
use crate::TsumegoError;
use crate::base::{Color, Point};
use std::sync::atomic::AtomicBool;

pub struct Lesson {
    question: Question,
    goal: Status,
    ko: Ko,
}

/// How a lesson stands after some moves.
#[derive(Clone, Debug)]
pub struct Stand {
    pub stones: Vec<(Point, Color)>,
    pub to_play: Color,
    /// Can the person still get it? `None` if it was not proven either way.
    pub is_right: Option<bool>,
    /// The best move of the side to move, or the one that resists longest; `None` if there is nothing to play for.
    pub next: Option<Point>,
    /// Does that move retake a ko at once, with a threat?
    pub retakes: bool,
    /// What is to become of the stones in question, as far as it is known.
    pub status: Option<Status>,
}

impl Lesson {
    /// Finds out what the side to move can get at best. Refused if that is nothing, or cannot be proven.
    pub fn new(
        question: &Question,
        prover: &mut Prover,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Lesson, TsumegoError> {
        let Finding { question, verdict, .. } = prover.find_out(question, &[], limits, stop)?;
        let goal = verdict.status().ok_or(TsumegoError::NotProven)?;
        let for_attacker = question.to_play == question.attacker;
        let ko = goal.rule(for_attacker).ok_or(TsumegoError::NothingHelps(question.to_play))?;
        Ok(Lesson { question, goal, ko })
    }

    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What the person can get.
    pub fn goal(&self) -> Status {
        self.goal
    }

    /// Is it all that one could wish for, and not a ko?
    pub fn is_clean(&self) -> bool {
        self.goal == wanted(&self.question)
    }

    /// The position after moves by turns, the person's first. What is played outside of the region counts as a pass.
    fn after(&self, ko: Ko, moves: &[Point]) -> Result<(Rules, State), TsumegoError> {
        let (rules, mut state) = start(&self.question, ko)?;
        for &p in moves {
            let cell = if p.is_pass() { None } else { rules.grid.cell(p) };
            state = match cell {
                None if self.question.stones.iter().any(|(q, _)| *q == p) => {
                    return Err(TsumegoError::Occupied);
                }
                None => rules.pass(&state),
                Some(cell) if rules.empty(&state) & (1 << cell) == 0 => {
                    return Err(TsumegoError::Occupied);
                }
                Some(cell) if cell == state.ban && !rules.has_threat(&state) => {
                    return Err(TsumegoError::Ko);
                }
                Some(cell) => rules.play(&state, cell).ok_or(TsumegoError::Suicide)?.state,
            };
        }
        Ok((rules, state))
    }

    pub fn stand(
        &self,
        moves: &[Point],
        prover: &mut Prover,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Stand, TsumegoError> {
        let mut purse = Purse::new(limits, stop);
        let (rules, state) = self.after(self.ko, moves)?;
        let for_attacker = self.question.to_play == self.question.attacker;
        let (attacker_wins, line) = match state.crucial {
            0 => (Some(true), Vec::new()),
            _ => (prover.ask(&rules, &state, &mut purse), prover.line(&self.question, &rules, &state, &mut purse)),
        };
        let is_right = attacker_wins.map(|wins| wins == for_attacker);
        let next = line.first().copied();
        let ban = state.ban;
        Ok(Stand {
            stones: self.stones(&rules, &state, moves),
            to_play: if state.attacker_moves { self.question.attacker } else { self.question.attacker.opponent() },
            is_right,
            next,
            retakes: next.is_some_and(|p| !p.is_pass() && rules.grid.cell(p) == Some(ban)),
            status: match is_right {
                Some(true) => Some(self.goal),
                Some(false) => self.status(moves, prover, &mut purse, &state),
                None => None,
            },
        })
    }

    /// What has become of it after a mistake: asked under the other rules too.
    fn status(&self, moves: &[Point], prover: &mut Prover, purse: &mut Purse, state: &State) -> Option<Status> {
        if state.crucial == 0 {
            return Some(Status::Dead);
        }
        let mut wins = |ko: Ko| {
            let (rules, state) = self.after(ko, moves).ok()?;
            prover.ask(&rules, &state, purse)
        };
        // From the attacker's best to the defender's.
        if wins(Ko::Defender)? {
            return Some(Status::Dead);
        }
        if wins(Ko::Nobody)? {
            return Some(Status::KoDefenderFirst);
        }
        Some(if wins(Ko::Attacker)? { Status::KoAttackerFirst } else { Status::Alive })
    }

    /// Every move of the person that still works after some moves; false if time ran out before all were tried.
    pub fn right_moves(
        &self,
        moves: &[Point],
        prover: &mut Prover,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<(Vec<Point>, bool), TsumegoError> {
        let mut purse = Purse::new(limits, stop);
        let (rules, state) = self.after(self.ko, moves)?;
        let for_attacker = self.question.to_play == self.question.attacker;
        let (mut right, mut is_whole) = (Vec::new(), true);
        for cell in cells(rules.empty(&state)) {
            let Some(played) = rules.play(&state, cell) else { continue };
            let won =
                if played.state.crucial == 0 { Some(true) } else { prover.ask(&rules, &played.state, &mut purse) };
            is_whole &= won.is_some();
            if won == Some(for_attacker) {
                right.push(rules.grid.point(cell));
            }
        }
        right.sort();
        Ok((right, is_whole))
    }

    /// Stones on the board, those included that were played elsewhere.
    fn stones(&self, rules: &Rules, state: &State, moves: &[Point]) -> Vec<(Point, Color)> {
        let colors = [self.question.to_play, self.question.to_play.opponent()];
        let elsewhere = moves.iter().copied().zip(colors.into_iter().cycle()).filter(|(p, _)| !p.is_pass());
        let outside = self.question.stones.iter().copied().chain(elsewhere);
        let outside = outside.filter(|(p, _)| rules.grid.cell(*p).is_none());
        let attacker = self.question.attacker;
        let of = |set, color: Color| cells(set).map(move |cell| (rules.grid.point(cell), color));
        let inside = of(state.attacker, attacker).chain(of(state.defender, attacker.opponent()));
        let mut stones: Vec<(Point, Color)> = outside.chain(inside).collect();
        stones.sort_by_key(|stone| stone.0);
        stones.dedup_by_key(|stone| stone.0);
        stones
    }
}

#[cfg(test)]
mod tests {
    use super::super::{find, make};
    use super::*;
    use crate::base::{Black, Size, White};

    const LIMITS: Limits = Limits { nodes: 1_000_000, seconds: None };

    fn lesson(rows: &str, to_play: Color, prover: &mut Prover) -> (Size, Lesson) {
        let size = Size::new(9).unwrap();
        let stones = make::picture(size, rows, White);
        let question = find::question(size, &stones, to_play, Some(Black)).unwrap();
        (size, Lesson::new(&question, prover, LIMITS, &AtomicBool::new(false)).unwrap())
    }

    #[test]
    fn the_vital_point_of_three_kills_and_any_other_move_is_refuted_there() {
        let (stop, mut prover) = (AtomicBool::new(false), Prover::new(8));
        let (size, lesson) = lesson("XXXXX.. OOOOX.. ...OX..", Black, &mut prover);
        let at = |v: &str| size.point_from_gtp(v).unwrap();
        assert!(lesson.is_clean() && lesson.goal() == Status::Dead);
        let (right, is_whole) = lesson.right_moves(&[], &mut prover, LIMITS, &stop).unwrap();
        assert_eq!((right, is_whole), (vec![at("B1")], true));
        let stand = lesson.stand(&[at("B1")], &mut prover, LIMITS, &stop).unwrap();
        assert_eq!((stand.is_right, stand.to_play, stand.status), (Some(true), White, Some(Status::Dead)));
        assert!(stand.stones.contains(&(at("B1"), Black)));
        let stand = lesson.stand(&[at("A1")], &mut prover, LIMITS, &stop).unwrap();
        assert_eq!((stand.is_right, stand.status), (Some(false), Some(Status::Alive)));
        // A move far away is as good as none.
        let stand = lesson.stand(&[at("J9")], &mut prover, LIMITS, &stop).unwrap();
        assert_eq!((stand.is_right, stand.next), (Some(false), Some(at("B1"))));
        let refused = lesson.stand(&[at("A2")], &mut prover, LIMITS, &stop).unwrap_err();
        assert!(matches!(refused, TsumegoError::Occupied), "{refused}");
    }

    #[test]
    fn every_standard_shape_is_won_by_its_right_moves_against_the_best_resistance() {
        let stop = AtomicBool::new(false);
        for (name, rows) in make::STANDARD {
            let mut prover = Prover::new(8);
            let size = Size::new(9).unwrap();
            for to_play in Color::BOTH {
                let stones = make::picture(size, rows, White);
                let question = find::question(size, &stones, to_play, Some(Black)).unwrap();
                let Ok(lesson) = Lesson::new(&question, &mut prover, LIMITS, &stop) else { continue };
                let mut moves = Vec::new();
                for _ in 0..30 {
                    let stand = lesson.stand(&moves, &mut prover, LIMITS, &stop).unwrap();
                    assert_eq!(stand.is_right, Some(true), "{name}, {to_play} after {}", size.points_to_gtp(moves));
                    let Some(next) = stand.next else { break };
                    moves.push(next);
                }
                assert!(moves.len() < 30, "{name}: {}", size.points_to_gtp(moves));
            }
        }
    }
}
