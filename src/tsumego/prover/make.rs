//! New problems: random enclosed shapes whose one right first move the prover finds.
//!
//! 1. An eye space grows at random in a corner or at a side; the defender stands around it, the attacker around him.
//! 2. Some stones are taken away, changed or added.
//! 3. The position is a problem if the side to move wins outright, by exactly one first move, and loses if it passes.
//! 4. Its level is the size of the proof, with local fights searched ([`Prover::grader`]).
//!
//! A ko is a problem if one move gets it and passing gets less. Races begin as two chains side by side (see `race`).

mod race;

use super::find;
use super::solver::wanted;
use super::{FirstMove, Limits, Prover, Question, Status, Verdict};
use crate::TsumegoError;
use crate::base::{Black, Color, Point, Rng, Size, White};
use crate::turn::Turn;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Corner,
    Side,
}

/// What a problem is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Kill,
    Live,
    Ko,
    Race,
}

/// Every kind with its name.
pub const KINDS: [(Kind, &str); 4] =
    [(Kind::Kill, "kill"), (Kind::Live, "live"), (Kind::Ko, "ko"), (Kind::Race, "race")];

/// What is wished for. Without a kind it is to kill or to live, as it comes.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    pub size: Size,
    pub place: Place,
    pub level: usize,
    pub kind: Option<Kind>,
}

/// A problem with its whole solution.
pub struct Made {
    pub question: Question,
    /// A stone of either chain, if it is a race.
    pub target: Vec<Point>,
    pub verdict: Verdict,
    pub level: usize,
    /// First moves that reach what is wanted, and those that do not, with their refutations.
    pub moves: Vec<FirstMove>,
}

impl Made {
    pub fn right(&self) -> impl Iterator<Item = &FirstMove> {
        self.moves.iter().filter(|m| m.reaches == Some(true))
    }

    pub fn wrong(&self) -> impl Iterator<Item = &FirstMove> {
        self.moves.iter().filter(|m| m.reaches == Some(false))
    }
}

/// A proof of fewer nodes than this is of level 1, 2, 3, 4, 5; all larger ones are of level 6.
pub const LEVELS: [u64; 5] = [30, 200, 1_500, 10_000, 60_000];
/// What a proof may cost when a problem of the highest level is looked for; below it what the next level begins with.
const MOST_NODES: u64 = 600_000;

pub fn level_of(nodes: u64) -> usize {
    1 + LEVELS.iter().filter(|&&most| nodes >= most).count()
}

type Stones = BTreeMap<Point, Color>;

/// A new problem as wished for, or `None` if `stop` was set or luck ran out.
pub fn problem(wish: &Wish, rng: &mut Rng, prover: &mut Prover, stop: &AtomicBool) -> Option<Made> {
    for _ in 0..200_000 {
        if stop.load(Relaxed) {
            return None;
        }
        let Some((question, target)) = random_position(wish, rng) else { continue };
        let attacks = question.to_play == question.attacker;
        if matches!((wish.kind, attacks), (Some(Kind::Kill), false) | (Some(Kind::Live), true)) {
            continue;
        }
        let made = solved(question, target, wish, prover, stop);
        if let Some(made) = made.filter(|made| made.level == wish.level) {
            return Some(made);
        }
    }
    None
}

fn random_position(wish: &Wish, rng: &mut Rng) -> Option<(Question, Vec<Point>)> {
    let Wish { size, place, level, kind } = *wish;
    if kind == Some(Kind::Race) {
        return race::random_race(size, start_of(size, place), rng);
    }
    let room = 3 + rng.below(3 + level as u32) as usize;
    let changes = rng.below(3 + level as u32) as usize;
    Some((random_question(size, place, room, changes, rng)?, Vec::new()))
}

/// What a position has in common with its mirror images, and with the same in the other colours.
pub fn shape(size: Size, stones: &[(Point, Color)], to_play: Color) -> Vec<(Point, bool)> {
    let turned = |turn: Turn| {
        let mut stones: Vec<(Point, bool)> = stones.iter().map(|&(p, c)| (turn.point(size, p), c == to_play)).collect();
        stones.sort();
        stones
    };
    Turn::all().map(turned).min().unwrap_or_default()
}

/// Steps 3 and 4.
fn solved(question: Question, target: Vec<Point>, wish: &Wish, prover: &mut Prover, stop: &AtomicBool) -> Option<Made> {
    let is_ko = wish.kind == Some(Kind::Ko);
    let most = if wish.level > LEVELS.len() { MOST_NODES } else { LEVELS[LEVELS.len() - 1] };
    let limits = Limits { nodes: most, seconds: None };
    let goal = wanted(&question);
    let verdict = prover.solve(&question, limits, Some(goal), stop).ok()?;
    let status = verdict.status().filter(|&status| if is_ko { status.is_ko() } else { status == goal })?;
    let passed = Question { to_play: question.to_play.opponent(), ..question.clone() };
    let after_pass = prover.solve(&passed, limits, Some(goal.opposite()), stop).ok()?;
    if after_pass.status()? == status {
        return None;
    }
    let moves = prover.first_moves(&question, status, None, limits, stop).ok()?;
    let right = moves.iter().filter(|m| m.reaches == Some(true)).count();
    let all_known = moves.iter().all(|m| m.reaches.is_some());
    let level = level_of(verdict.nodes);
    (right == 1 && all_known && moves.len() > 2).then_some(Made { question, target, verdict, level, moves })
}

/// Steps 1 and 2: a position that may be a problem.
pub fn random_question(size: Size, place: Place, room: usize, changes: usize, rng: &mut Rng) -> Option<Question> {
    let defender = if rng.below(2) == 0 { Black } else { White };
    let eyes = random_room(size, place, room, rng);
    let mut stones = enclose(size, &eyes, defender);
    let near: Vec<Point> = around(size, &eyes).into_iter().chain(eyes.iter().copied()).collect();
    for _ in 0..changes {
        let p = near[rng.below(near.len() as u32) as usize];
        match rng.below(3) {
            0 => drop(stones.remove(&p)),
            1 => drop(stones.insert(p, defender)),
            _ => drop(stones.insert(p, defender.opponent())),
        }
    }
    if !every_chain_breathes(size, &stones) {
        return None;
    }
    let to_play = if rng.below(2) == 0 { Black } else { White };
    let list: Vec<(Point, Color)> = stones.into_iter().collect();
    let question = find::question(size, &list, to_play, Some(defender.opponent())).ok()?;
    // All stones of the defender are meant, and all stones count.
    let own = list.iter().filter(|s| s.1 == defender).count();
    (question.crucial.len() == own && question.room() <= room + changes + 4).then_some(question)
}

/// Points that hang together, at the lower left corner or in the middle of the lower side.
fn random_room(size: Size, place: Place, count: usize, rng: &mut Rng) -> Vec<Point> {
    let start = start_of(size, place);
    let fits = |p: Point| {
        let (x, y) = size.xy(p);
        match place {
            Place::Corner => x < size.n() - 3 && y < 4,
            Place::Side => (2..size.n() - 2).contains(&x) && y < 3,
        }
    };
    let most = size.points().filter(|&p| fits(p)).count();
    let mut room = vec![start];
    while room.len() < count.min(most) {
        let from = room[rng.below(room.len() as u32) as usize];
        let next: Vec<Point> = size.neighbours(from).collect();
        let p = next[rng.below(next.len() as u32) as usize];
        if fits(p) && !room.contains(&p) {
            room.push(p);
        }
    }
    room
}

fn start_of(size: Size, place: Place) -> Point {
    if place == Place::Corner { size.point(0, 0) } else { size.point(size.n() / 2, 0) }
}

/// All points next to a set, diagonals included.
fn around(size: Size, set: &[Point]) -> Vec<Point> {
    let next = |&p: &Point| size.neighbours(p).chain(size.diagonals(p)).collect::<Vec<_>>();
    let mut points: Vec<Point> = set.iter().flat_map(next).filter(|p| !set.contains(p)).collect();
    points.sort();
    points.dedup();
    points
}

/// A wall of the defender around an eye space, and one of the attacker around that.
pub fn enclose(size: Size, eyes: &[Point], defender: Color) -> Stones {
    let inner = around(size, eyes);
    let inside: Vec<Point> = eyes.iter().chain(&inner).copied().collect();
    let outer = around(size, &inside);
    let wall = inner.into_iter().map(|p| (p, defender));
    wall.chain(outer.into_iter().map(|p| (p, defender.opponent()))).collect()
}

fn every_chain_breathes(size: Size, stones: &Stones) -> bool {
    stones.iter().all(|(&start, color)| {
        let (mut chain, mut stack) = (vec![start], vec![start]);
        while let Some(p) = stack.pop() {
            for q in size.neighbours(p) {
                match stones.get(&q) {
                    None => return true,
                    Some(c) if c == color && !chain.contains(&q) => {
                        chain.push(q);
                        stack.push(q);
                    }
                    Some(_) => {}
                }
            }
        }
        false
    })
}

/// The shapes that every player learns: a name and the lower left corner of the board, the attacker X, the defender O.
pub const STANDARD: &[(&str, &str)] = &[
    ("straight three", "XXXXX.. OOOOX.. ...OX.."),
    ("straight three at the side", ".XXXXXXX. .XOOOOOX. .XO...OX."),
    ("bent three in the corner", "XXXX. OOOX. ..OX. .OOX."),
    ("bent three at the side", "..XXXXX.. .XXOOOX.. .XOO.OX.. .XO..OX.."),
    ("straight four with a stone inside", "XXXXXX.. OOOOOX.. .X..OX.."),
    ("pyramid four", ".XXXXXXX. .XOOOOOX. .XOO.OOX. .XO...OX."),
    ("pyramid four in the corner", "XXXX. OOXX. .OOX. ..OX. .OOX."),
    ("bulky five", ".XXXXXXX. .XOOOOX.. .XO..OOX. .XO...OX."),
    ("bulky five in the corner", "XXXXX. OOOXX. ..OOX. ...OX."),
    ("rabbity six", ".XXXXXXX. .XOOOOX.. .XO..OOX. .XO...OX. .XOO.OOX. .XXOOOXX. ..XXXXX.."),
    ("crossed five at the side", "..XXXXX.. .XXO.OXX. .XOO.OOX. .XO...OX. .XOO.OOX."),
    // It is dead as it stands; the problem is what to answer.
    ("L group after a move at 1-2", ".XXXX. .OOX.. O.OX.. ..OX.."),
    ("L group after a move at 2-1", ".XXXX. .OOX.. ..OX.. .OOX.."),
    ("J group", ".XXXXX .OOOX. ...OX. ...OX."),
    ("carpenter's square without its corner", "XXXXX. OOOXX. ...OX. ...OX. ...OX."),
    ("carpenter's square with a stone inside", "XXXXX. OOOOX. ...OX. .X.OX. ...OX."),
    ("carpenter's square two moves later", "XXXXX. OOOOX. ...OX. .XOOX. .X.OX."),
    ("three by two in the corner", "XXXXX. OOOOX. ...OX. ...OX."),
    ("seven on the second line", "XXXXXXXXX XOOOOOOOX ........."),
    ("five on the second line in the corner", "XXXXXX. OOOOOX. ......."),
    ("comb", "XXXXXX. XOOOXX. .O.OOX. .....X."),
    ("tripod", "XXXXX. .XOXX. XOOOX. .O.OX. ...OX."),
];

/// The stones of a picture from the table.
pub fn picture(size: Size, rows: &str, defender: Color) -> Vec<(Point, Color)> {
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let mut stones = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        for (x, c) in row.chars().enumerate() {
            let p = size.point(x, rows.len() - 1 - i);
            match c {
                'X' => stones.push((p, defender.opponent())),
                'O' => stones.push((p, defender)),
                _ => {}
            }
        }
    }
    stones.sort_by_key(|s| s.0);
    stones
}

/// A standard shape with this side to move: its status and all first moves. `None` if it cannot be helped, or needs none.
pub fn standard(
    size: Size,
    rows: &str,
    to_play: Color,
    prover: &mut Prover,
    stop: &AtomicBool,
) -> Result<Option<(Made, Status)>, TsumegoError> {
    let stones = picture(size, rows, White);
    let question = find::question(size, &stones, to_play, Some(Black))?;
    let limits = Limits { nodes: 2 * MOST_NODES, seconds: None };
    let verdict = prover.solve(&question, limits, Some(wanted(&question)), stop)?;
    let Some(status) = verdict.status() else { return Err(TsumegoError::NotProven) };
    let passed = Question { to_play: to_play.opponent(), ..question.clone() };
    let after_pass = prover.solve(&passed, limits, None, stop)?;
    if after_pass.status() == Some(status) {
        return Ok(None);
    }
    let moves = prover.first_moves(&question, status, None, limits, stop)?;
    let level = level_of(verdict.nodes);
    Ok(Some((Made { question, target: Vec::new(), verdict, level, moves }, status)))
}
