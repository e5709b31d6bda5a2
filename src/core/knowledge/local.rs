//! Features of moves that a playout can afford: the 3x3 neighbourhood of every point, and what the points around the last two
//! moves do. A move's weight is `exp` of the sum of its features' weights, beside those of all other moves.
//!
//! [`visit`] finds the features fast, `slow_local` says the same plainly, for tests.

use crate::base::{Color, Point};
use crate::game::go::Board;
use crate::game::go::facts::{Few, Neighbourhood};
use crate::knowledge::shapes::PLACES;
use std::sync::LazyLock;

/// A kind of feature, with a weight for each of some cases.
pub struct Row {
    pub name: &'static str,
    pub about: &'static str,
    pub first: usize,
    pub cases: usize,
}

macro_rules! rows {
    ($($constant:ident $name:literal $first:literal $cases:literal $about:literal;)*) => {
        $(pub const $constant: usize = $first;)*
        pub const ROWS: &[Row] = &[$(Row { name: $name, about: $about, first: $first, cases: $cases }),*];
    };
}

rows! {
    NEAR_LAST "near-last" 0 2 "beside the last move, diagonal to it";
    NEAR_PREVIOUS "near-previous" 2 2 "beside the move before it, diagonal to it";
    CAPTURE "capture" 4 4 "takes the chain of the last move, by its size";
    RUN "run" 8 8 "an own chain that the last move put into atari gets two liberties, by its size; three or more";
    TAKE "take" 16 4 "takes enemy stones beside such a chain, by the chain's size";
    ATARI "atari" 20 4 "puts the chain of the last move into atari: one stone, more; the same where it can run to three liberties";
    EXTEND "extend" 24 4 "a liberty of an own chain of two beside the last move: one stone, more; the same where it gets three";
    VITAL "vital" 28 4 "the vital point of an enemy eye beside the last move, by its size 3 to 6";
    SELF_ATARI "self-atari" 32 4 "puts itself into atari without taking anything, by the size of the new chain";
}

/// How many weights there are beside those of patterns.
pub const TACTICS: usize = 36;

/// Sizes of chains fall into four classes: 1, 2, 3 to 5, more.
pub use super::features::size_class;

/// The neighbourhood as the side to play sees it: own stones are Black's.
#[inline(always)]
pub fn seen_by(code: Neighbourhood, color: Color) -> Neighbourhood {
    match color {
        Color::Black => code,
        Color::White => (code & 0x5555) << 1 | code >> 1 & 0x5555,
    }
}

/// Numbers for the neighbourhoods that a board can have, the same for all turns and mirrors of one; 0 for all others.
pub struct Patterns {
    numbers: Vec<u16>,
    /// The least code of each number.
    pub codes: Vec<Neighbourhood>,
}

pub fn patterns() -> &'static Patterns {
    static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
        let turns = turns();
        let mut patterns = Patterns { numbers: vec![0; 1 << 16], codes: vec![0] };
        for code in 0..=u16::MAX {
            let least = turns.iter().map(|turn| turned(code, turn)).min().unwrap_or(code);
            if least == code && is_possible(code) {
                patterns.numbers[code as usize] = patterns.codes.len() as u16;
                patterns.codes.push(code);
            } else {
                patterns.numbers[code as usize] = patterns.numbers[least as usize];
            }
        }
        patterns
    });
    &PATTERNS
}

impl Patterns {
    #[inline(always)]
    pub fn number(&self, code: Neighbourhood) -> usize {
        self.numbers[code as usize] as usize
    }
}

/// For each of the eight turns and mirrors, where each place goes.
fn turns() -> [[usize; 8]; 8] {
    std::array::from_fn(|turn| {
        PLACES.map(|(x, y)| {
            let (x, y) = if turn & 1 != 0 { (-x, y) } else { (x, y) };
            let (x, y) = if turn & 2 != 0 { (x, -y) } else { (x, y) };
            let (x, y) = if turn & 4 != 0 { (y, x) } else { (x, y) };
            PLACES.iter().position(|&place| place == (x, y)).unwrap_or(0)
        })
    })
}

fn turned(code: Neighbourhood, turn: &[usize; 8]) -> Neighbourhood {
    turn.iter().enumerate().fold(0, |sum, (from, &to)| sum | (code >> (2 * from) & 3) << (2 * to))
}

/// Off the board are whole sides, and no opposite ones (boards of one or two lines are left out).
fn is_possible(code: Neighbourhood) -> bool {
    let off = |x: i32, y: i32| {
        PLACES.iter().position(|&place| place == (x, y)).is_some_and(|place| code >> (2 * place) & 3 == 3)
    };
    let (left, below, right, above) = (off(-1, 0), off(0, -1), off(1, 0), off(0, 1));
    let corners = PLACES[4..].iter().all(|&(x, y)| {
        let beyond = if x < 0 { left } else { right } || if y < 0 { below } else { above };
        off(x, y) == beyond
    });
    corners && !(left && right) && !(below && above)
}

/// Hands over every feature of the moves around the last two, but for patterns and self-atari. A point may come several times;
/// it is empty, and it may be an illegal move.
pub fn visit<const W: usize, const P: usize>(board: &Board<W, P>, mut found: impl FnMut(Point, usize)) {
    let [last, previous] = board.last_moves();
    for (centre, first) in [(last, NEAR_LAST), (previous, NEAR_PREVIOUS)] {
        if !centre.is_pass() {
            for (i, &q) in board.around(centre).iter().enumerate() {
                if board.is_empty_at(q) {
                    found(q, first + i / 4);
                }
            }
        }
    }
    visit_tactics(board, found);
}

/// The same without nearness.
#[inline(always)]
pub fn visit_tactics<const W: usize, const P: usize>(board: &Board<W, P>, mut found: impl FnMut(Point, usize)) {
    let [last, _] = board.last_moves();
    if !is_enemy(board, last) {
        return;
    }
    visit_chains(board, &mut found);
    let mut eye = Point::PASS;
    for &q in &board.around(last)[..4] {
        if board.is_empty_at(q)
            && let Some((p, feature)) = vital_point(board, q)
            && p != eye
        {
            eye = p;
            found(p, feature);
        }
    }
}

/// What concerns chains in atari alone: the chain of the last move, and own ones beside it. Cheap, since most moves leave none.
#[inline(always)]
pub fn visit_ataris<const W: usize, const P: usize>(board: &Board<W, P>, found: impl FnMut(Point, usize)) {
    chains_that(board, |p, color| board.is_own_in_atari(p, color), found);
}

/// The last stone is an own one if somebody handed the move over.
#[inline(always)]
fn is_enemy<const W: usize, const P: usize>(board: &Board<W, P>, last: Point) -> bool {
    !last.is_pass() && board.is_stone_of(last, board.to_play().opponent())
}

/// What concerns the chain of the last move and those beside it.
#[inline(always)]
pub fn visit_chains<const W: usize, const P: usize>(board: &Board<W, P>, found: impl FnMut(Point, usize)) {
    chains_that(board, |p, color| board.is_stone_of(p, color), found);
}

/// The same, of those chains that are asked about: a stone and its colour are handed over.
#[inline(always)]
fn chains_that<const W: usize, const P: usize>(
    board: &Board<W, P>,
    is_asked: impl Fn(Point, Color) -> bool,
    mut found: impl FnMut(Point, usize),
) {
    let ([last, _], me) = (board.last_moves(), board.to_play());
    if !is_enemy(board, last) {
        return;
    }
    if is_asked(last, me.opponent()) {
        hunt(board, last, &mut found);
    }
    let mut seen = [0; 4];
    for (i, &q) in board.around(last)[..4].iter().enumerate() {
        if is_asked(q, me) {
            let name = board.chain_name(q);
            if !seen[..i].contains(&name) {
                seen[i] = name;
                rescue(board, q, &mut found);
            }
        }
    }
}

/// What can be done to the enemy chain of the last move.
#[inline(always)]
fn hunt<const W: usize, const P: usize>(board: &Board<W, P>, last: Point, found: &mut impl FnMut(Point, usize)) {
    let enemy = board.to_play().opponent();
    match *board.one_or_two_liberties(last).as_slice() {
        [p] => found(p, CAPTURE + size_class(board.chain_length(last))),
        [a, b] => {
            let size = (board.chain_length(last) > 1) as usize;
            for (p, run) in [(a, b), (b, a)] {
                let escapes = board.liberties_after(run, enemy, p) >= 3;
                found(p, ATARI + size + 2 * escapes as usize);
            }
        }
        _ => (),
    }
}

/// What can be done for an own chain beside the last move.
#[inline(always)]
fn rescue<const W: usize, const P: usize>(board: &Board<W, P>, chain: Point, found: &mut impl FnMut(Point, usize)) {
    let me = board.to_play();
    match *board.one_or_two_liberties(chain).as_slice() {
        [p] => {
            let size = size_class(board.chain_length(chain));
            let liberties = board.liberties_after(p, me, Point::PASS);
            if liberties >= 2 {
                found(p, RUN + size + if liberties > 2 { 4 } else { 0 });
            }
            let mut captures = Few::<8>::new();
            board.counter_captures(chain, &mut captures);
            captures.as_slice().iter().for_each(|&q| found(q, TAKE + size));
        }
        [a, b] => {
            let size = (board.chain_length(chain) > 1) as usize;
            for p in [a, b] {
                let frees = board.liberties_after(p, me, Point::PASS) >= 3;
                found(p, EXTEND + size + 2 * frees as usize);
            }
        }
        _ => (),
    }
}

/// The point that keeps the small region of a point to one eye: the only one of 3 to 6 with the most neighbours in it. With
/// its feature. (The last stone stands beside the region, so the region is the enemy's.)
#[inline(always)]
pub fn vital_point<const W: usize, const P: usize>(board: &Board<W, P>, inside: Point) -> Option<(Point, usize)> {
    let region = board.small_eye(inside)?;
    let region = region.as_slice();
    if region.len() < 3 {
        return None;
    }
    let neighbours = |p: Point| board.around(p)[..4].iter().filter(|q| region.contains(q)).count();
    let (mut best, mut most, mut times) = (region[0], 0, 0);
    for &p in region {
        let count = neighbours(p);
        if count > most {
            (best, most, times) = (p, count, 1);
        } else if count == most {
            times += 1;
        }
    }
    (times == 1).then_some((best, VITAL + region.len() - 3))
}

/// An own eye, as `Board::is_eye` has it: all four beside are own stones or off the board, and of the corners at most one is the
/// enemy's, none at the edge.
pub fn is_eye(seen: Neighbourhood) -> bool {
    let kind = |place: usize| seen >> (2 * place) & 3;
    let enemies = (4..8).filter(|&place| kind(place) == 2).count();
    let edge = (4..8).any(|place| kind(place) == 3) as usize;
    (0..4).all(|place| kind(place) & 1 == 1) && enemies + edge < 2
}
