//! Passing like a person: when the game is settled, and what to do about it.
//!
//! Late in a game the position is judged by playouts. The engine then
//! - answers a pass with a pass when it wins by counting, even if everything unclear is counted against it;
//! - passes of itself when nothing is open: no dame, no chain in doubt, all territory sure;
//! - may find out by search that a pass is as good as any move inside settled territory, and then passes rather than
//!   fill it, unless dame are left: those it takes first.
//!
//! Before a pass that is meant to win, the position is judged once more as `final_score` will count it, by reading: if the win
//! does not stand there when everything unclear goes against the engine, it plays on. A move that has used up its time, or
//! has few playouts itself, is judged by playouts alone.

use super::Request;
use crate::base::{Color, Point, Size};
use crate::game::Game;
use crate::game::rules::Scoring;
use crate::playout::count::{Count, Counting};
use crate::playout::judge::{Judgement, Status};
use crate::search::fate::{self, Patience};
use crate::search::{Report, Searchable};
use std::cell::OnceCell;
use std::time::Instant;

/// When to pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// Play on until only own eyes are left.
    Fill,
    Person,
    /// Like a person, but take dead enemy stones off before passing.
    CleanUp,
}

/// Playouts to judge the end of a game by at first, and the share of points that must hold stones before that makes sense.
const PLAYOUTS: usize = 200;
const LATE: f32 = 0.35;
/// An opponent who passes says that it is late.
const LATE_AFTER_PASS: f32 = 0.15;
/// A territory point belongs to its owner at least this surely, or there is still something in it.
const SURE_POINT: f32 = 0.4;
/// A pass may be this much worse than the best move and still be preferred to filling territory.
const PASS_MARGIN: f32 = 0.03;

/// The most of a move's time that reading may take before the search.
const READING_TIME: f64 = 0.3;

/// What happens when both have passed.
#[derive(Clone, Copy)]
pub struct Finish {
    pub counting: Counting,
    pub takes_off_dead: bool,
}

/// What a position late in a game says about passing.
pub struct LateGame {
    size: Size,
    color: Color,
    finish: Finish,
    judged: Option<Judged>,
    /// What reading may take.
    patience: Patience,
    /// Does the game count as won, once that was asked?
    win_stands: OnceCell<bool>,
}

struct Judged {
    settled: Count,
    /// Dame where a stone would not be in atari at once.
    dame: Vec<Point>,
    wins: bool,
    wins_at_worst: bool,
    /// What it wins by if everything unclear goes its way; below 0 the game is lost.
    at_best: f32,
    is_settled: bool,
    /// Liberties of enemy chains that do not surely live, where a stone can be put.
    capturing: Vec<Point>,
    opponent_passed: bool,
    clean_up: bool,
}

impl Judged {
    /// Are there stones to be taken off before a pass?
    fn is_cleaning(&self) -> bool {
        self.clean_up && !self.capturing.is_empty()
    }
}

/// Judges the position if it is late enough for a pass to be thought of.
pub fn look<G: Searchable>(position: &G, request: &Request, finish: Finish, opponent_passed: bool) -> LateGame {
    let (counting, passing) = (finish.counting, request.passing);
    let (size, color) = (position.size(), position.to_play());
    let stones = size.points().filter(|&p| position.color_at(p).is_some()).count();
    let late = if opponent_passed { LATE_AFTER_PASS } else { LATE };
    let is_late = stones as f32 >= late * size.area() as f32;
    let judged = (G::HAS_TERRITORY && passing != Passing::Fill && is_late).then(|| {
        let judged = Judgement::new(position, &*G::best_policy(), PLAYOUTS, request.seed);
        let settled = judged.settled(counting);
        let dame: Vec<Point> = settled.dame(size).filter(|&p| is_safe(position, p)).collect();
        let sure = size.points().all(|p| match settled.owner[p.index()] {
            Some(owner) => judged.ownership(p) * owner.sign() >= SURE_POINT,
            None => true,
        });
        let doubtful = judged.chains(|s| s != Status::Alive);
        let enemy = doubtful.iter().filter(|chain| position.color_at(chain[0]) == Some(color.opponent()));
        let capturing = enemy
            .map(|chain| liberties(position, chain))
            .flat_map(|points| {
                points.iter().copied().filter(|&p| points.len() == 1 || is_safe(position, p)).collect::<Vec<_>>()
            })
            .collect();
        Judged {
            wins: settled.score * color.sign() > 0.0,
            wins_at_worst: judged.worst_for(color, counting).score * color.sign() > 0.0,
            at_best: judged.worst_for(color.opponent(), counting).score * color.sign(),
            is_settled: dame.is_empty() && sure && judged.chains(|s| s == Status::Unclear).is_empty(),
            capturing,
            dame,
            settled,
            opponent_passed,
            clean_up: passing == Passing::CleanUp || !finish.takes_off_dead,
        }
    });
    let now = Instant::now();
    let read_until = request.deadline.map(|end| now + end.saturating_duration_since(now).mul_f64(READING_TIME));
    let patience = Patience { until: read_until, playouts: request.playouts };
    LateGame { size, color, finish, judged, patience, win_stands: OnceCell::new() }
}

/// A stone put here is legal and has more than one liberty.
fn is_safe<G: Game>(position: &G, p: Point) -> bool {
    if position.color_at(p).is_some() || !position.is_legal(p) {
        return false;
    }
    let mut after = position.clone();
    after.play(p);
    liberties(&after, &after.chain_at(p)).len() > 1
}

fn liberties<G: Game>(position: &G, chain: &[Point]) -> Vec<Point> {
    let around = chain.iter().flat_map(|&q| position.size().neighbours(q));
    let mut points: Vec<Point> = around.filter(|&q| position.color_at(q).is_none()).collect();
    points.sort();
    points.dedup();
    points
}

impl LateGame {
    /// A pass that needs no search.
    pub fn answer<G: Searchable>(&self, position: &G) -> Option<Point> {
        let judged = self.judged.as_ref()?;
        if judged.is_cleaning() {
            return None;
        }
        let over = (judged.opponent_passed && judged.wins_at_worst) || (judged.is_settled && judged.wins);
        (over && self.win_stands(position)).then_some(Point::PASS)
    }

    /// Does the game count as won, even if everything unclear goes against the engine?
    fn win_stands<G: Searchable>(&self, position: &G) -> bool {
        if !self.finish.takes_off_dead {
            return position.score() * self.color.sign() > 0.0;
        }
        *self.win_stands.get_or_init(|| {
            let judged = fate::judge_within(position, self.patience);
            judged.worst_for(self.color, self.finish.counting).score * self.color.sign() > 0.0
        })
    }

    /// How many points the game is lost by, even if everything unclear goes the engine's way.
    pub fn lost_by(&self) -> Option<f32> {
        self.judged.as_ref().map(|judged| -judged.at_best).filter(|&points| points > 0.0)
    }

    /// Late in a game a pass is a candidate too.
    pub fn adjust(&self, moves: &mut Vec<Point>) {
        let may_pass = self.judged.as_ref().is_some_and(|j| !j.is_cleaning());
        if may_pass && !moves.contains(&Point::PASS) {
            moves.push(Point::PASS);
        }
    }

    /// The move to play, given what the search found.
    pub fn choose<G: Searchable>(&self, report: &Report, position: &G) -> Point {
        let Some(best) = report.best() else { return Point::PASS };
        let Some(judged) = &self.judged else { return best.point };
        if judged.is_cleaning() {
            // In a decided game all moves look alike to the search: take what is to be taken.
            let taking = report.moves.iter().map(|m| m.point).find(|p| judged.capturing.contains(p));
            return taking.unwrap_or(best.point);
        }
        let best_dame = || report.moves.iter().map(|m| m.point).find(|p| judged.dame.contains(p));
        // By territory a move inside settled territory costs a point, or gives one away.
        let is_free = self.finish.counting.scoring == Scoring::Area || !judged.is_settled;
        let in_territory = |p: Point| judged.settled.owner[p.index()].is_some() && position.color_at(p).is_none();
        let best_move =
            || report.moves.iter().map(|m| m.point).find(|&p| !p.is_pass() && (is_free || !in_territory(p)));
        // A dame, or a pass if nothing is lost by it; else the game goes on.
        let end = || {
            let is_over = self.lost_by().is_some() || self.win_stands(position);
            best_dame().or(best_move().filter(|_| !is_over)).unwrap_or(Point::PASS)
        };
        if best.point.is_pass() {
            return end();
        }
        if !in_territory(best.point) {
            return best.point;
        }
        let pass_is_as_good =
            report.of(Point::PASS).is_some_and(|m| m.weight > 0.0 && m.rate + PASS_MARGIN >= best.rate);
        let nothing_to_gain = judged.is_settled && best.rate < 0.2;
        debug_assert!(self.size.contains(best.point) && position.to_play() == self.color);
        let by_territory = self.finish.counting.scoring == Scoring::Territory;
        if nothing_to_gain || !is_free || (pass_is_as_good && (judged.wins_at_worst || by_territory)) {
            return end();
        }
        best.point
    }
}
