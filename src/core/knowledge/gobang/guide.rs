//! What moves and positions are worth by their lines, with weights learned from moku's own games: sums over line tables,
//! nothing that is hidden in between.
//!
//! ```text
//! a position  chance of the side to play = sigmoid(bias + sum over empty points of pair + sum over its four lines of shape)
//! a move      chance by softmax over       pair + sum over its four lines of shape + how far the last two moves are
//! ```
//!
//! A *pair* is what the point makes for the side to play and for the other (see `class`), a *shape* the ten cells around
//! it on one line as the side to play sees them, walls apart from stones. A line and its mirror image have one weight. A
//! shape without a stone has none, nor has a pair of nothing in particular: empty space is worth the same on any board.

use super::class::{Class, Pair};
use super::lines::Lines;
use crate::base::{Color, Point, Size};
use std::sync::OnceLock;

/// Ways to fill the five cells on one side of a point: so many in the board, each empty, own or the other's.
pub const HALVES: usize = 1 + 3 + 9 + 27 + 81 + 243;
pub const SHAPES: usize = HALVES * HALVES;
pub const PAIRS: usize = Pair::COUNT * Pair::COUNT;
/// What the side to play must answer: nothing, a threat of fours or threes, a four.
pub const STATES: usize = 3;
/// Steps to a former move, by the shorter and the longer coordinate; the last is far, or no move.
pub const STEPS: usize = 16;
const NEAR: usize = 4;

/// Half windows as the low ten bits of a number.
const HALF: usize = 1 << 10;

/// Weights of one of the two sums.
#[derive(Clone, PartialEq, Debug)]
pub struct Sums {
    /// By own pair, then the other's.
    pub pairs: Vec<f32>,
    /// By the two halves, nearest cells first.
    pub shapes: Vec<f32>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Guide {
    pub value: Sums,
    pub prior: Sums,
    pub states: [f32; STATES],
    /// By steps to the move before, and to the one before that.
    pub steps: [[f32; STEPS]; 2],
}

impl Sums {
    fn zero() -> Sums {
        Sums { pairs: vec![0.0; PAIRS], shapes: vec![0.0; SHAPES] }
    }
}

/// Places in the tables for a point: of its pair, and of its shapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places {
    pub pair: usize,
    pub shapes: [usize; 4],
}

/// The numbers of half windows: for each colour those of the low side and of the high one.
struct Halves([[[u16; HALF]; 2]; 2]);

fn halves() -> &'static Halves {
    static HALVES: OnceLock<Box<Halves>> = OnceLock::new();
    HALVES.get_or_init(|| {
        let mut halves = Box::new(Halves([[[0; HALF]; 2]; 2]));
        for (me, sides) in halves.0.iter_mut().enumerate() {
            for (side, numbers) in sides.iter_mut().enumerate() {
                for (bits, number) in numbers.iter_mut().enumerate() {
                    // The nearest cell of the low side stands last in a window, that of the high side first.
                    let cell = |k: usize| bits >> (2 * if side == 0 { 4 - k } else { k }) & 3;
                    *number = half((0..5).map(cell), me) as u16;
                }
            }
        }
        halves
    })
}

/// The number of five cells from the nearest on: 0 empty, 1 Black, 2 White, 3 off the board, and so is all beyond.
fn half(cells: impl Iterator<Item = usize>, me: usize) -> usize {
    let (mut number, mut unit, mut shorter) = (0, 1, 0);
    for cell in cells.take_while(|&cell| cell != 3) {
        let digit = if cell == 0 { 0 } else { if cell == me + 1 { 1 } else { 2 } };
        shorter += unit; // all halves with fewer cells come before
        number += digit * unit;
        unit *= 3;
    }
    number + shorter
}

/// Has this half of a shape no stone?
fn is_bare(half: usize) -> bool {
    let mut first = 0;
    (0..=5).any(|k| {
        let is_first = half == first;
        first += 3usize.pow(k);
        is_first
    })
}

/// Has this place of a shape a weight?
pub fn counts_shape(place: usize) -> bool {
    !(is_bare(place / HALVES) && is_bare(place % HALVES))
}

/// Has this place of a pair a weight?
pub fn counts_pair(place: usize) -> bool {
    let quiet = (Class::OpenOne as usize + 1) * Class::COUNT;
    place / Pair::COUNT >= quiet || place % Pair::COUNT >= quiet
}

/// The place of the mirror image.
pub fn mirrored(place: usize) -> usize {
    place % HALVES * HALVES + place / HALVES
}

/// Finds the places of points, for one side to play.
#[derive(Clone, Copy)]
pub struct Eyes {
    halves: &'static [[u16; HALF]; 2],
    me: Color,
}

impl Eyes {
    pub fn of(me: Color) -> Eyes {
        Eyes { halves: &halves().0[me.index()], me }
    }

    #[inline(always)]
    fn shape(self, window: u32) -> usize {
        let low = self.halves[0][window as usize % HALF] as usize;
        let high = self.halves[1][(window as usize >> 10) % HALF] as usize;
        high * HALVES + low
    }

    /// The places of an empty point.
    #[inline(always)]
    pub fn places(self, lines: &Lines, p: Point) -> Places {
        let pairs = lines.pairs(p);
        let pair = pairs[self.me.index()].0 as usize * Pair::COUNT + pairs[self.me.opponent().index()].0 as usize;
        Places { pair, shapes: lines.windows(p).map(|window| self.shape(window)) }
    }
}

/// How far two points are, as a place in the table of steps.
pub fn steps(size: Size, p: Point, from: Point) -> usize {
    if from.is_pass() {
        return STEPS - 1;
    }
    let ((x, y), (u, v)) = (size.xy(p), size.xy(from));
    let (a, b) = (x.abs_diff(u), y.abs_diff(v));
    let (short, long) = (a.min(b), a.max(b));
    if long > NEAR { STEPS - 1 } else { long * (long + 1) / 2 + short }
}

impl Guide {
    pub fn zero() -> Guide {
        Guide { value: Sums::zero(), prior: Sums::zero(), states: [0.0; STATES], steps: [[0.0; STEPS]; 2] }
    }

    /// The chance of the side to play to win.
    pub fn value(&self, lines: &Lines, me: Color, state: usize) -> f32 {
        let eyes = Eyes::of(me);
        let (pairs, shapes) = (&self.value.pairs[..PAIRS], &self.value.shapes[..SHAPES]);
        let mut sum = self.states[state % STATES];
        lines.empty_points().visit(|p| {
            let places = eyes.places(lines, p);
            sum += pairs[places.pair];
            places.shapes.into_iter().for_each(|place| sum += shapes[place]);
        });
        1.0 / (1.0 + libm::expf(-sum))
    }

    /// How promising a move is, as a logit; the last two moves are known, or passes.
    #[inline]
    pub fn prior(&self, lines: &Lines, eyes: Eyes, p: Point, last: [Point; 2]) -> f32 {
        let places = eyes.places(lines, p);
        let shapes: f32 = places.shapes.iter().map(|&place| self.prior.shapes[place]).sum();
        let size = lines.size();
        self.prior.pairs[places.pair]
            + shapes
            + self.steps[0][steps(size, p, last[0])]
            + self.steps[1][steps(size, p, last[1])]
    }
}
