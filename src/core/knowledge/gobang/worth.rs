//! What moves and positions are worth by their lines: by learned weights (see `guide`), or by the classes alone with a few
//! weights that were fitted to moku's own games and rounded.

use super::class::{Class, Pair};
use super::guide::{Eyes, Guide};
use super::lines::{Lines, Points};
use crate::base::{Color, Point};
use std::sync::Arc;

#[derive(Clone)]
pub enum Worth {
    Hand,
    Learned(Arc<Guide>),
}

impl Worth {
    /// The chance of the side to play to win, which must answer what `state` says (see `guide::STATES`).
    pub fn value(&self, lines: &Lines, me: Color, state: usize) -> f32 {
        match self {
            Worth::Hand => value(lines, me),
            Worth::Learned(guide) => guide.value(lines, me, state),
        }
    }

    /// How promising each of these moves is, as a logit, after the last two moves or passes, the latest first.
    pub fn priors(&self, lines: &Lines, me: Color, points: Points, last: [Point; 2]) -> Vec<(Point, f32)> {
        match self {
            Worth::Hand => points.iter().map(|p| (p, prior(lines, me, p))).collect(),
            Worth::Learned(guide) => {
                let eyes = Eyes::of(me);
                points.iter().map(|p| (p, guide.prior(lines, eyes, p, last))).collect()
            }
        }
    }
}

/// A weight for the highest class of a point, and one for the second.
struct Weights([f32; Class::COUNT], [f32; Class::COUNT]);

impl Weights {
    #[inline(always)]
    fn of(&self, pair: Pair) -> f32 {
        self.0[pair.best() as usize] + self.1[pair.second() as usize]
    }
}

/// What a move makes, and what it takes from the opponent: fitted to how searches shared out their playouts.
static OWN: Weights = Weights(
    [-1.9, -1.9, -1.9, -1.7, -0.9, 0.15, -0.75, 1.5, 2.3, 2.8, 9.0, 12.0],
    [-1.1, -0.9, -0.8, -0.6, 0.45, 1.45, 0.9, 1.5, 1.8, 2.0, 2.0, 2.0],
);
static THEIRS: Weights = Weights(
    [-3.0, -2.9, -2.9, -2.7, -2.15, -2.0, -1.95, -0.2, 0.8, 0.3, 5.7, 9.0],
    [-0.95, -0.95, -0.95, -0.9, -0.5, -0.2, 0.0, 1.6, 1.8, 1.5, 1.5, 1.5],
);

/// How promising a move is, as a logit.
fn prior(lines: &Lines, me: Color, p: Point) -> f32 {
    OWN.of(lines.pair(me, p)) + THEIRS.of(lines.pair(me.opponent(), p))
}

/// What an empty point is worth to the side to play, and to the other: fitted to results and to what searches found.
static TO_PLAY: Weights = Weights(
    [0.0, 0.0, 0.0, 0.004, 0.015, 0.02, 0.07, 0.12, 0.28, 0.16, 4.0, 8.0],
    [0.0, 0.0, 0.003, 0.02, 0.05, 0.06, 0.07, 0.1, 0.1, 0.1, 0.1, 0.1],
);
static WAITING: Weights = Weights(
    [0.0, 0.0, 0.0, 0.003, 0.01, 0.015, 0.05, 0.1, 0.23, 0.15, 0.7, 4.0],
    [0.0, 0.0, 0.002, 0.02, 0.035, 0.04, 0.06, 0.08, 0.08, 0.08, 0.1, 0.1],
);

/// The chance of the side to play to win, by the classes of all empty points.
fn value(lines: &Lines, me: Color) -> f32 {
    let (mut mine, mut theirs) = (0.0, 0.0);
    lines.empty_points().visit(|p| {
        let pairs = lines.pairs(p);
        mine += TO_PLAY.of(pairs[me.index()]);
        theirs += WAITING.of(pairs[me.opponent().index()]);
    });
    1.0 / (1.0 + libm::expf(theirs - mine))
}
