//! An exact solver for life-and-death questions.
//!
//! # The game
//! A [`Question`] names a region, the attacker, and crucial stones of the defender. Play stays in the region. Around it
//! stands a wall of the attacker that cannot be taken, and neither can stones of his that are connected to it: what a
//! life-and-death diagram means by strong stones. A stone that gets connected to crucial ones is crucial too.
//! - The attacker wins when no crucial stone is left on the board. The defender wins if that never happens: by two eyes,
//!   by a seki, or because play repeats itself for ever (a double ko for life, sending two and getting one back). So a
//!   position is won or lost by itself, whatever came before it; no rule about whole-board repetition is needed.
//! - Beyond the region are strong stones of the attacker, weak points of nobody and stones of the defender
//!   ([`grid::Outside`]). A question takes all of that for the attacker's ([`Beyond::Attackers`]): what lives so, lives.
//!   Or it lets whoever gets there go ([`Beyond::Open`]): a stone beside an empty point out there cannot be taken,
//!   whichever colour it has, nor can the defender's beside a stone of his own out there; crucial stones that get so far
//!   have escaped, and the defender has won. Where there is one way on only, one answer stops him ([`Question::stops`]): he
//!   has gained that stone, and moves again. What dies so, is dead. Between the two it depends on what lies out there.
//!   Between them is also the reading that diagrams are drawn for ([`Beyond::Guarded`]): no step into empty space gets the
//!   defender out, but each has to be answered there, and he moves again.
//! - Suicide is forbidden. Both may pass. A ko may not be retaken at once, except with a ko threat, of which one side may
//!   have a few ([`state::Ko`], [`state::THREATS`]).
//!
//! A verdict asks three such games. Dead: the attacker wins even if the defender has threats. Alive: the defender wins
//! even if the attacker has them. In between it is a ko, and the game without threats tells who needs the first one: the
//! attacker wins it, then the defender does.
//!
//! # The parts
//! [`find`] makes a question of a diagram, of life and death or about given chains. [`grid`] and [`state`] are the board. [`life`] is what is proven without search,
//! [`rooms`] what is proven of eye spaces by themselves, [`local_fight`] of small fights around one chain, [`zone`] which moves
//! matter; [`dfpn`] is the search, with [`table`], [`estimate`] of positions and [`move_order`] of moves. [`solver`] answers
//! questions, [`steps`] asks them with more and more of the surroundings. [`slow`] plays the same game by plain enumeration, [`check`] judges proofs on its board. [`make`] makes new
//! problems, [`fights`] tells what decides the small fights of a game, and [`learn`] fits the weights of estimates to such. [`lesson`] plays a problem against a person.

pub mod carried;
pub mod check;
pub mod dfpn;
pub mod estimate;
pub mod fights;
pub mod find;
pub mod grid;
pub mod learn;
pub mod lesson;
pub mod life;
pub mod local_fight;
pub mod make;
pub mod move_order;
pub mod rooms;
pub mod slow;
pub mod solver;
pub mod state;
pub mod steps;
pub mod table;
#[cfg(test)]
mod tests;
pub mod zone;

use crate::base::{Color, Point, Size};
pub use solver::{FirstMove, Limits, Prover, Status, Verdict};
pub use steps::{Finding, Growth, Hold};

use grid::{Grid, Outside};
use state::{Ko, Rules, State};

/// What lies beyond the region is taken for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Beyond {
    /// All of it is the attacker's, whatever stands there: the least that the defender can have.
    Attackers,
    /// Who gets to an empty point, or the defender to a stone of his own, is safe: the most that he can have.
    Open,
    /// As open, but that a step to an empty point does not get out: one answer beyond the region stops it, and the defender
    /// moves again. So he has less than in the open, and more than shut in.
    Guarded,
    /// Stones keep their colour and cannot be taken; empty points help the side that is not to move.
    Strong,
}

impl Beyond {
    /// The reading on the other side of the truth.
    pub fn opposite(self) -> Beyond {
        match self {
            Beyond::Attackers => Beyond::Open,
            Beyond::Open => Beyond::Attackers,
            Beyond::Guarded | Beyond::Strong => self,
        }
    }
}

/// Whose life is asked, and where may be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub size: Size,
    /// All stones of the diagram; those outside of the region only tell what it could be.
    pub stones: Vec<(Point, Color)>,
    pub attacker: Color,
    pub to_play: Color,
    /// Stones of the defender: he lives if any of them does.
    pub crucial: Vec<Point>,
    /// Where may be played, stones included.
    pub region: Vec<Point>,
    /// Those that stay inside where the question is asked with a smaller region: of a file's moves.
    pub kept: Vec<Point>,
    pub beyond: Beyond,
}

impl Question {
    /// Empty points of the region.
    pub fn room(&self) -> usize {
        self.region.iter().filter(|p| !self.stones.iter().any(|(q, _)| q == *p)).count()
    }

    /// What a point beyond the region is.
    pub fn outside(&self, p: Point) -> Outside {
        match (self.beyond, self.stones.iter().find(|(q, _)| *q == p)) {
            (Beyond::Attackers, _) => Outside::Wall,
            (Beyond::Open | Beyond::Guarded, None) => Outside::Open,
            (Beyond::Strong, None) if self.to_play == self.attacker => Outside::Open,
            (Beyond::Strong, None) => Outside::Wall,
            (_, Some((_, color))) if *color == self.attacker => Outside::Wall,
            _ => Outside::Friend,
        }
    }

    /// Points where one answer beyond the region stops who steps out, each with that answer.
    ///
    /// In the open these are points with one way on. The answer stands in the open or beside a friend, and no other point of the region is beside it. So the attacker can
    /// answer a stone there every time, and a stone of the defender on the answer's point by one in the region. Where the
    /// fence is guarded that is said of every empty point but those beside a friend.
    pub fn stops(&self) -> Vec<(Point, Point)> {
        if !matches!(self.beyond, Beyond::Open | Beyond::Guarded) {
            return Vec::new();
        }
        let stone = |p: Point| self.stones.iter().find(|s| s.0 == p).map(|s| s.1);
        let is_inside = |p: &Point| self.region.contains(p);
        let stop_of = |&p: &Point| {
            let out = |q: &Point| !is_inside(q) && self.outside(*q) != Outside::Wall;
            let ways: Vec<Point> = self.size.neighbours(p).filter(out).collect();
            if self.beyond == Beyond::Guarded {
                let is_guarded = stone(p).is_none() && ways.iter().all(|q| self.outside(*q) == Outside::Open);
                return ways.first().filter(|_| is_guarded).map(|&way| (p, way));
            }
            let &[way] = &ways[..] else { return None };
            let beside = |wanted: &dyn Fn(Point) -> bool| self.size.neighbours(way).any(|q| q != p && wanted(q));
            let is_stop = stone(p).is_none()
                && stone(way).is_none()
                && !beside(&|q| is_inside(&q) || stone(q) == Some(self.attacker.opponent()))
                && beside(&|_| true);
            is_stop.then_some((p, way))
        };
        self.region.iter().filter_map(stop_of).collect()
    }

    /// Points beyond the region by which crucial stones might get out.
    pub fn exits(&self) -> Vec<Point> {
        let open = Question { beyond: Beyond::Open, ..self.clone() };
        let Some((rules, state)) = open.start(Ko::Nobody) else { return Vec::new() };
        let reached = rules.grid.points(rules.arena(&state) & (rules.grid.exit | rules.grid.answered));
        let is_out = |q: &Point| rules.grid.cell(*q).is_none() && open.outside(*q) != Outside::Wall;
        let mut exits: Vec<Point> = reached.flat_map(|p| self.size.neighbours(p)).filter(is_out).collect();
        exits.sort();
        exits.dedup();
        exits
    }

    /// The question in the prover's own terms; `None` if the region is too large.
    pub fn start(&self, ko: Ko) -> Option<(Rules, State)> {
        let mut grid = Grid::new(self.size, self.region.iter().copied(), |p| self.outside(p))?;
        grid.answer_at(self.stops().into_iter().map(|(p, _)| p));
        let set = |color: Color| {
            self.stones.iter().filter(|(_, c)| *c == color).fold(0, |set, (p, _)| set | grid.bit(*p) & grid.region)
        };
        let (attacker, defender) = (set(self.attacker), set(self.attacker.opponent()));
        let crucial = self.crucial.iter().fold(0, |set, p| set | grid.bit(*p)) & defender;
        let rules = Rules::new(grid, ko);
        let state = rules.state(attacker, defender, crucial, self.to_play == self.attacker);
        Some((rules, state))
    }
}
