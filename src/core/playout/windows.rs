//! The points around the last two moves of a playout as two windows of 3x3 points, all weighed at once: four points of a row
//! side by side, of which the fourth weighs nothing. What nearness multiplies a weight by hangs on where the move before lies seen
//! from the last one, so it stands in a table by that, and a point in both windows has its weight in the first alone.

use super::gammas::Gammas;
use crate::base::{Bits, Color, Point, Size};
use crate::game::go::Board;
use crate::game::go::facts::{Neighbourhood, Neighbourhoods};
use crate::knowledge::local::{NEAR_LAST, NEAR_PREVIOUS, TACTICS};

/// The rows of the window around the last move, then those around the move before.
type Rows = [[f32; 4]; 6];

/// The greatest factor, and the greatest weight that one leads to: sums stay numbers.
pub const MOST: f32 = 1e9;

/// Where the move before may lie so that the windows overlap: up to two points away, in 5 times 5 places.
const ACROSS: usize = 5;
const APART: usize = ACROSS * ACROSS;
/// One of the moves, or both, was a pass.
const LAST_ALONE: usize = APART + 1;
const PREVIOUS_ALONE: usize = APART + 2;
const NEITHER: usize = APART + 3;

/// What nearness multiplies weights by, by where the move before lies.
pub struct Nearness([Rows; NEITHER + 1]);

impl Nearness {
    pub fn new(factors: &[f32; TACTICS], locality: f32) -> Nearness {
        let beside = |first: usize, (x, y): (isize, isize)| match (x.abs(), y.abs()) {
            (0, 1) | (1, 0) => Some(factors[first]),
            (1, 1) => Some(factors[first + 1]),
            _ => None,
        };
        Nearness(std::array::from_fn(|case| {
            let previous = match case {
                LAST_ALONE | NEITHER => None,
                PREVIOUS_ALONE | APART => Some((9, 9)),
                near => Some(((near % ACROSS) as isize - 2, (near / ACROSS) as isize - 2)),
            };
            let has_last = !matches!(case, PREVIOUS_ALONE | NEITHER);
            let mut rows = Rows::default();
            for (row, column) in (0..6).flat_map(|row| (0..3).map(move |column| (row, column))) {
                let (x, y) = (column as isize - 1, (row % 3) as isize - 1);
                // Seen from the last move and from the one before.
                let (last, previous) = match row / 3 {
                    0 => ((x, y), previous.map(|(dx, dy)| (x - dx, y - dy))),
                    _ => (previous.map_or((9, 9), |(dx, dy)| (x + dx, y + dy)), previous.map(|_| (x, y))),
                };
                let last = beside(NEAR_LAST, last).filter(|_| has_last);
                let previous = previous.and_then(|at| beside(NEAR_PREVIOUS, at));
                rows[row][column] = match (row / 3, last, previous) {
                    (0, Some(last), previous) => (locality * last * previous.unwrap_or(1.0)).min(MOST),
                    (1, None, Some(previous)) => (locality * previous).min(MOST),
                    _ => 0.0,
                };
            }
            rows
        }))
    }

    /// The factors after these two moves.
    #[inline(always)]
    fn of(&self, [last, previous]: [Point; 2], size: Size) -> &Rows {
        let case = match (last.is_pass(), previous.is_pass()) {
            (false, false) => {
                let ((x, y), (a, b)) = (size.xy(last), size.xy(previous));
                let (dx, dy) = ((a + 2).wrapping_sub(x), (b + 2).wrapping_sub(y));
                if dx < ACROSS && dy < ACROSS { dy * ACROSS + dx } else { APART }
            }
            (false, true) => LAST_ALONE,
            (true, false) => PREVIOUS_ALONE,
            (true, true) => NEITHER,
        };
        &self.0[case]
    }
}

/// The weights of all points' patterns, kept as stones come and go; 0 where a stone stands, and off the board.
pub struct Kept<const P: usize> {
    pub codes: Neighbourhoods<P>,
    /// Black's in the low half, White's in the high one; that of point p at p + 1, since a window may begin before the first point.
    both: [u32; P],
}

impl<const P: usize> Kept<P> {
    pub fn of<const W: usize>(gammas: &Gammas, board: &Board<W, P>) -> Self {
        let mut kept = Kept { codes: Neighbourhoods::of(board), both: [0; P] };
        board.empty().visit(|p| refresh(&mut kept.both, gammas, board, p, kept.codes.at(p)));
        kept
    }

    /// After a move: what it put on the board, and what it took off.
    #[inline(always)]
    pub fn note<const W: usize>(
        &mut self,
        gammas: &Gammas,
        board: &Board<W, P>,
        p: Point,
        color: Color,
        taken: Bits<W>,
    ) {
        let Kept { codes, both } = self;
        codes.note_each(board, p, color, taken, |q, code| refresh(both, gammas, board, q, code));
    }

    #[inline(always)]
    pub fn at(&self, p: Point, color: Color) -> f32 {
        (self.both[(p.index() + 1) & (P - 1)] >> (16 * color.index()) & 0xffff) as f32
    }
}

#[inline(always)]
fn refresh<const W: usize, const P: usize>(
    both: &mut [u32; P],
    gammas: &Gammas,
    board: &Board<W, P>,
    p: Point,
    code: Neighbourhood,
) {
    // Where a stone stands the first pattern is read, which is at hand, and counts nothing.
    let mask = (board.is_empty_at(p) as u32).wrapping_neg();
    both[(p.index() + 1) & (P - 1)] = gammas.patterns[(code & mask as u16) as usize] & mask;
}

/// The corner of a window around a pass: no point is in it. What weighs nothing may be read from anywhere.
const NOWHERE: usize = (1 << 20) - 1;

/// The moves around the last two.
pub struct Windows {
    stride: usize,
    /// The points one row and one column before the moves.
    corners: [usize; 2],
    pub weights: Rows,
    columns: [f32; 4],
}

impl Windows {
    #[inline(always)]
    pub fn of<const W: usize, const P: usize>(board: &Board<W, P>, kept: &Kept<P>, nearness: &Nearness) -> Windows {
        let (moves, stride, shift) = (board.last_moves(), board.size().stride(), 16 * board.to_play().index());
        let factors = nearness.of(moves, board.size());
        let corners = moves.map(|p| if p.is_pass() { NOWHERE } else { p.index().wrapping_sub(stride + 1) });
        let starts = corners.map(|corner| corner.wrapping_add(1) % P);
        let mut weights = Rows::default();
        for row in 0..6 {
            let start = starts[row / 3] + row % 3 * stride;
            let both = &kept.both[start..start + 4];
            for column in 0..4 {
                weights[row][column] = (both[column] >> shift & 0xffff) as i32 as f32 * factors[row][column];
            }
        }
        Windows { stride, corners, weights, columns: [0.0; 4] }
    }

    /// Where a point has its weight, if it is in a window.
    #[inline(always)]
    pub fn place(&self, p: Point) -> Option<(usize, usize)> {
        (0..2).find_map(|window| {
            let from = p.index().wrapping_sub(self.corners[window]);
            let row = (from >= self.stride) as usize + (from >= 2 * self.stride) as usize;
            let column = from.wrapping_sub(row * self.stride);
            (column < 3 && (row, column) != (1, 1)).then_some((3 * window + row, column))
        })
    }

    #[inline(always)]
    pub fn point(&self, (row, column): (usize, usize)) -> Point {
        Point((self.corners[row / 3 % 2].wrapping_add(row % 3 * self.stride + column)) as u16)
    }

    /// The sum of all weights, to be asked for anew when one has changed.
    #[inline(always)]
    pub fn add_up(&mut self) -> f32 {
        let mut columns = [0.0; 4];
        for row in self.weights {
            for column in 0..4 {
                columns[column] += row[column];
            }
        }
        self.columns = columns;
        columns[0] + columns[1] + columns[2]
    }

    /// The place at which the weights, column by column, reach a number below their sum. Rounding may lead to one without weight.
    #[inline(always)]
    pub fn reach(&self, draw: f32) -> (usize, usize) {
        let [first, second, ..] = self.columns;
        let column = (draw >= first) as usize + (draw >= first + second) as usize;
        let draw = draw - [0.0, first, first + second][column];
        let (mut row, mut sum) = (0, 0.0);
        for i in 0..5 {
            sum += self.weights[i][column];
            row += (draw >= sum) as usize;
        }
        (row, column)
    }
}

#[cfg(test)]
mod tests {
    use super::super::light::Light;
    use super::*;
    use crate::base::Rng;
    use crate::knowledge::local::{self, CAPTURE};
    use crate::playout::Policy;

    /// Plays a game and compares, at every move, with the board and with the features by themselves.
    fn assert_windows<const W: usize, const P: usize>(n: usize, seed: u64) {
        let size = Size::new(n).unwrap();
        let (gammas, mut moves) = (Gammas::embedded(size), Vec::new());
        let (factors, locality) = (gammas.factors, 3.0);
        let nearness = Nearness::new(&factors, locality);
        Light.play_out(&mut Board::<W, P>::new(size, 7.5), &mut Rng::new(seed), Some(&mut moves));
        let mut board = Board::<W, P>::new(size, 7.5);
        let mut kept = Kept::of(&gammas, &board);
        for p in moves {
            let me = board.to_play();
            let enemies = board.stones(me.opponent());
            board.play(p);
            kept.note(&gammas, &board, p, me, enemies.minus(board.stones(me.opponent())));
            assert!(kept.both == Kept::of(&gammas, &board).both);
            let me = board.to_play();
            let mut expected = vec![None; P];
            local::visit(&board, |p, feature| {
                if feature < CAPTURE {
                    let weight = expected[p.index()].get_or_insert(kept.at(p, me) * locality);
                    *weight *= factors[feature];
                }
            });
            let mut windows = Windows::of(&board, &kept, &nearness);
            let mut sum = 0.0;
            for p in board.empty().iter() {
                let place = windows.place(p);
                let weight = place.map_or(0.0, |(row, column)| windows.weights[row][column]);
                let expected = expected[p.index()].unwrap_or(0.0);
                assert!((weight - expected).abs() <= 1e-5 * expected, "{}", size.point_to_gtp(p));
                assert!(place.is_none_or(|place| windows.point(place) == p));
                sum += expected;
            }
            let all = windows.add_up();
            assert!((all - sum).abs() <= 1e-4 * sum, "nothing else weighs anything: {all} for {sum}");
            for part in (0..16).filter(|_| all > 0.0) {
                let (row, column) = windows.reach(all * part as f32 / 16.0);
                assert!(windows.weights[row][column] > 0.0);
            }
        }
    }

    #[test]
    fn windows_have_the_weights_of_the_moves_around_the_last_two() {
        for (n, seed) in [(2, 1), (3, 2), (4, 3), (5, 4), (9, 5), (9, 6)] {
            assert_windows::<2, 128>(n, seed);
        }
        assert_windows::<8, 512>(21, 7);
        assert_windows::<16, 1024>(25, 8);
    }
}
