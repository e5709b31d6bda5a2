//! Questions about given chains: capture one, win a race between two, connect two or cut them.
//!
//! All of them are the prover's one game, with other crucial stones and another region: the chains, their liberties, a step
//! more, and weak chains of either colour beside that. What stands around keeps its colour and is strong,
//! and empty points beyond help the side that is not to move ([`Beyond::Strong`]).
//! - Capture: the chain is crucial.
//! - Race: the chain of the side to move is crucial, the other one and its liberties are in the region. To take it, to get
//!   a seki, or to live some other way is to win.
//! - Connect and cut: one chain is crucial, the other a friend beyond the region. To reach it, or to live without it, is to
//!   be connected.

use super::{Beyond, Question, Set, chains, fits, grown};
use crate::base::{Color, Point};
use crate::{Goal, Problem, TsumegoError};

/// A chain beside the fight with so many liberties may be taken.
const WEAK: usize = 3;
/// Who has more liberties is in no race.
const LONGEST_RACE: usize = 8;
/// Chains farther apart are not to be connected.
const APART: usize = 4;

/// The question of a problem about given chains; `None` if it is about life and death.
pub fn question_about(problem: &Problem) -> Option<Result<Question, TsumegoError>> {
    let mover = problem.to_play;
    let found = match problem.goal? {
        Goal::Capture => Position::of(problem, mover.opponent()).capture(&problem.target, mover.opponent()),
        Goal::Race => Position::of(problem, mover).race(&problem.target, mover),
        Goal::Connect => Position::of(problem, mover).connect(&problem.target, mover),
        Goal::Cut => Position::of(problem, mover.opponent()).connect(&problem.target, mover.opponent()),
        Goal::Kill | Goal::Live | Goal::Ko | Goal::Seki => return None,
    };
    Some(found)
}

struct Position<'a> {
    problem: &'a Problem,
    own: Set,
    other: Set,
    empty: Set,
}

impl Position<'_> {
    /// Seen by one side.
    fn of(problem: &Problem, color: Color) -> Position<'_> {
        let of = |color: Color| problem.stones.iter().filter(|s| s.1 == color).map(|s| s.0).collect::<Set>();
        let (own, other) = (of(color), of(color.opponent()));
        Position { problem, own, other, empty: Set::board(problem.size).minus(own | other) }
    }

    fn chains(&self, stones: Set) -> Vec<Set> {
        chains(self.problem.size, stones)
    }

    fn liberties(&self, chain: Set) -> Set {
        grown(self.problem.size, chain, 1) & self.empty
    }

    /// The chains of a set at the points that were named.
    fn named(&self, stones: Set, target: &[Point]) -> Vec<Set> {
        self.chains(stones).into_iter().filter(|chain| target.iter().any(|p| chain.contains(*p))).collect()
    }

    fn capture(&self, target: &[Point], color: Color) -> Result<Question, TsumegoError> {
        let candidates = if target.is_empty() { self.chains(self.own) } else { self.named(self.own, target) };
        let weakest = candidates.into_iter().min_by_key(|chain| (self.liberties(*chain).len(), 1000 - chain.len()));
        let chain = weakest.ok_or(TsumegoError::NothingToCapture(color))?;
        self.question(color, chain, chain, Set::EMPTY)
    }

    fn race(&self, target: &[Point], color: Color) -> Result<Question, TsumegoError> {
        let [ours, theirs] = [self.own, self.other].map(|stones| match self.named(stones, target) {
            named if named.is_empty() => self.chains(stones),
            named => named,
        });
        let short = |chain: &Set| self.liberties(*chain).len() <= LONGEST_RACE;
        let mut pairs = Vec::new();
        for &a in ours.iter().filter(|chain| short(chain)) {
            let beside = grown(self.problem.size, grown(self.problem.size, a, 1), 1);
            pairs.extend(theirs.iter().filter(|b| short(b) && !(beside & **b).is_empty()).map(|&b| (a, b)));
        }
        // The largest stake, then the shortest race.
        let liberties = |(a, b): &(Set, Set)| self.liberties(*a).len() + self.liberties(*b).len();
        let stake = |(a, b): &(Set, Set)| a.len().min(b.len());
        let pair = pairs.into_iter().max_by_key(|pair| (stake(pair), 1000 - liberties(pair)));
        let (a, b) = pair.ok_or(TsumegoError::NoRace(color))?;
        self.question(color, a, a | b, Set::EMPTY)
    }

    fn connect(&self, target: &[Point], color: Color) -> Result<Question, TsumegoError> {
        let named = self.named(self.own, target);
        let ours = if target.is_empty() { self.chains(self.own) } else { named };
        let free = self.own | self.empty;
        let mut pairs = Vec::new();
        for (i, &a) in ours.iter().enumerate() {
            let reach = (0..APART).fold(a, |set, _| grown(self.problem.size, set, 1) & free | set);
            pairs.extend(ours[i + 1..].iter().filter(|b| !(reach & **b).is_empty()).map(|&b| (a, b)));
        }
        let pair = pairs.into_iter().max_by_key(|(a, b)| a.len().min(b.len()));
        let (a, b) = pair.ok_or(TsumegoError::NothingToConnect(color))?;
        // The one that is worse off needs the other.
        let (weak, friend) = if self.liberties(a).len() <= self.liberties(b).len() { (a, b) } else { (b, a) };
        self.question(color, weak, weak, friend)
    }

    /// A question about crucial stones in the surroundings of some chains, with a friend kept out of them.
    fn question(&self, color: Color, crucial: Set, core: Set, friend: Set) -> Result<Question, TsumegoError> {
        let size = self.problem.size;
        let liberties = self.liberties(core);
        let mut region = core | liberties | grown(size, liberties, 1) & self.empty;
        for chain in [self.own, self.other].into_iter().flat_map(|stones| self.chains(stones)) {
            let around = grown(size, chain, 1);
            if !(around & liberties).is_empty() && self.liberties(chain).len() <= WEAK && (chain & friend).is_empty() {
                region = region | chain | self.liberties(chain);
            }
        }
        if !fits(size, region, self.own | self.other) {
            return Err(TsumegoError::TooWide);
        }
        Ok(Question {
            size,
            stones: self.problem.stones.clone(),
            attacker: color.opponent(),
            to_play: self.problem.to_play,
            crucial: crucial.iter().collect(),
            region: region.iter().collect(),
            kept: Vec::new(),
            beyond: Beyond::Strong,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Black, Size, White};
    use crate::named_stones;
    use crate::prover::{Limits, Prover, Status, make, slow, state::Ko};
    use std::sync::atomic::AtomicBool;

    /// The status of what is asked, by the prover, with the first move; the slow solver has to agree.
    fn asked(rows: &str, to_play: Color, task: &str) -> (Color, Status, Option<String>) {
        let size = Size::new(9).unwrap();
        let text = format!("(;SZ[9]AB[aa]PL[{}]C[{task}])", to_play.letter());
        let read = Problem::read(text.as_bytes(), std::path::Path::new("x.sgf")).unwrap().remove(0);
        let stones = make::picture(size, rows, White);
        let target = named_stones(task, size, |p| stones.iter().any(|s| s.0 == p));
        let problem = Problem { stones, target, ..read };
        let question = super::super::question_of(&problem).unwrap();
        let limits = Limits { nodes: 1_000_000, seconds: None };
        let found = Prover::new(8).find_out(&question, &[], limits, &AtomicBool::new(false)).unwrap();
        let status = found.status().unwrap();
        for (ko, wins_from) in [(Ko::Defender, Status::Dead), (Ko::Nobody, Status::KoDefenderFirst)] {
            let slow = slow::attacker_wins(&question, ko, 300_000);
            assert!(slow.is_none_or(|won| won == (status <= wins_from)), "{rows} {task} {ko:?} {status:?}");
        }
        let answer = found.verdict.answer.map(|p| size.point_to_gtp(p));
        (question.attacker.opponent(), status, answer)
    }

    #[test]
    fn whoever_is_ahead_by_a_move_wins_the_race() {
        let even = "XXXXX.... XX..X.... OOOOX.... XXXOX.... ..XOX....";
        for to_play in [Black, White] {
            let (side, status, _) = asked(even, to_play, "Win the race.");
            assert_eq!((side, status), (to_play, Status::Alive));
        }
        let behind = even.replace("XX..X", "X...X");
        assert_eq!(asked(&behind, Black, "Semeai").1, Status::Dead);
        assert_eq!(asked(&behind, White, "Semeai").1, Status::Alive);
    }

    #[test]
    fn a_chain_is_captured_if_it_cannot_get_away() {
        let rows = ".XX...... XOOX..... XO.X..... .........";
        assert_eq!(asked(rows, Black, "Capture B3").0, White);
        let (_, status, answer) = asked("..X...... .XOX..... .........", Black, "Black captures C2.");
        assert_eq!((status, answer.as_deref()), (Status::Dead, Some("C1")));
    }

    #[test]
    fn chains_are_connected_by_who_moves_first() {
        let rows = "OOOOO.... X.X.O....";
        let connect = asked(rows, Black, "Connect A1 and C1");
        assert_eq!(connect, (Black, Status::Alive, Some("B1".to_string())));
        assert_eq!(asked(rows, White, "White to cut."), (Black, Status::Dead, Some("B1".to_string())));
    }
}
