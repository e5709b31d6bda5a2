//! Surrounds a problem with stones so that its result decides the game with komi 0.
//!
//! The idea is that of Honjo and Tsuruoka (section 3.3, figure 5): with territory for the defender elsewhere, the attacker
//! wins the game by killing and in no other way. From the problem outwards a framed board has
//! 1. the ground of the problem: the stones, the first moves of the file, and all that lies between them and the borders of
//!    the board that they lean on;
//! 2. a gap, one point wide, diagonals included: no liberty and no eye shape next to a stone of the problem changes;
//! 3. a wall of the attacker around the gap;
//! 4. the rest, shared out between the attacker's wall and a group of the defender.
//!
//! Wall and group have two eyes of one point each. They need no answer whatever happens, and nobody has a move or a ko
//! threat there, so a search looks at 1 and 2 alone. The sizes are such that the attacker wins by a margin M if ground and
//! gap all become his, and loses by 16 - M or more if the defender lives there: a group with two eyes takes eight points
//! at least. M is 7, or less if so few stones are at stake, or as near to that as the board allows. Where a seki is the
//! answer, the defender's stones count instead of eight, if they are fewer: they stay, and may have no eye.
//!
//! What it takes for granted: the attacker is strong outside. Stones that break out through the gap meet the wall.

use super::problem::{Goal, Problem};
use super::turn::Turn;
use crate::TsumegoError;
use crate::base::{Color, Point, Size};
use std::collections::BTreeSet;

/// The boards tried, smallest first.
pub const SIZES: [usize; 3] = [9, 13, 19];
/// Stones or answers this near to a border lean on it: 0 is on the first line.
const LEANS: usize = 2;
/// The points that a living group takes at least: six stones and two eyes in a corner.
const LIFE: usize = 8;
/// Gap and wall.
const BORDER: usize = 2;

#[derive(Clone, Debug)]
pub struct Framed {
    /// The problem on its new board, with the stones of the frame.
    pub problem: Problem,
    /// The stones that were added.
    pub frame: Vec<(Point, Color)>,
    pub attacker: Color,
    /// The file's board, and the step from it to this one.
    file: (Size, [isize; 2]),
    /// What the attacker wins by if the attack succeeds.
    pub killed: usize,
    /// What the defender wins by, at least, if it fails.
    pub alive: usize,
}

type Cell = (usize, usize);

/// The frame on the smallest board that has room, or why there is none. `only` asks for one size.
pub fn frame(problem: &Problem, only: Option<Size>) -> Result<Framed, TsumegoError> {
    problem.check()?;
    let ground = Ground::of(problem);
    let defender = problem.defender();
    let stones = problem.stones.iter().filter(|stone| stone.1 == defender).count();
    let life = if problem.goal == Some(Goal::Seki) { stones.min(LIFE) } else { LIFE };
    let sizes: Vec<usize> = only.map_or(SIZES.to_vec(), |size| vec![size.n()]);
    for &n in &sizes {
        if let Some((layout, offset)) =
            ground.offsets(n).find_map(|at| Some((Layout::find(n, &ground.at(at), stones, life)?, at)))
        {
            return Ok(build(problem, &ground, n, offset, &layout, life));
        }
    }
    let (width, height) = ground.extent();
    Err(TsumegoError::NoRoom { width, height, sizes })
}

/// The problem turned so that it leans on the left and lower borders, if on any.
struct Ground {
    turn: Turn,
    /// Stones and first moves, in the turned file's coordinates.
    cells: Vec<Cell>,
    /// Lines of the file's board.
    lines: usize,
    /// Left, right, lower, upper.
    leans: [bool; 4],
}

impl Ground {
    /// Of the turns that fit, the one whose stones come first: turned problems get turned frames.
    fn of(problem: &Problem) -> Ground {
        let n = problem.size.n();
        let points =
            problem.stones.iter().map(|stone| stone.0).chain(problem.right.iter().chain(&problem.wrong).copied());
        let cells: Vec<Cell> = points.filter(|p| !p.is_pass()).map(|p| problem.size.xy(p)).collect();
        let grounds = Turn::all().map(|turn| {
            let cells: Vec<Cell> = cells.iter().map(|&cell| turn.apply(n, cell)).collect();
            Ground { turn, leans: leans(&cells, n), lines: n, cells }
        });
        // All that the frame hangs on, so that turns with equal keys are equal: stones, then right and wrong moves.
        let key = |ground: &Ground| {
            let turned = |p: Point| ground.turn.apply(n, problem.size.xy(p));
            let mut stones: Vec<(Cell, usize)> = problem.stones.iter().map(|&(p, c)| (turned(p), c.index())).collect();
            stones.sort();
            let answers = [&problem.right, &problem.wrong].map(|points| {
                let mut cells: Vec<Cell> = points.iter().filter(|p| !p.is_pass()).map(|&p| turned(p)).collect();
                cells.sort();
                cells
            });
            (stones, answers)
        };
        // More leaning to the left and below comes first.
        grounds.min_by_key(|ground| (ground.leans.map(|leans| !leans), key(ground))).expect("there are eight turns")
    }

    fn span(&self, axis: usize) -> (usize, usize) {
        span(&self.cells, axis)
    }

    fn extent(&self) -> (usize, usize) {
        let along = |axis: usize| {
            let (low, high) = self.span(axis);
            let low = if self.leans[2 * axis] { 0 } else { low };
            let high = if self.leans[2 * axis + 1] { self.lines - 1 } else { high };
            high + 1 - low
        };
        (along(0), along(1))
    }

    /// How far the cells may be moved on a board of n lines, most central first.
    fn offsets(&self, n: usize) -> impl Iterator<Item = [isize; 2]> + use<> {
        let along = |axis: usize| -> Vec<isize> {
            let (low, high) = self.span(axis);
            let moved = |to: usize| to as isize - low as isize;
            let length = high - low + 1;
            match (self.leans[2 * axis], self.leans[2 * axis + 1]) {
                (true, true) => {
                    if n == self.lines {
                        vec![0]
                    } else {
                        Vec::new()
                    }
                }
                (true, false) => {
                    if high + BORDER < n {
                        vec![0]
                    } else {
                        Vec::new()
                    }
                }
                (false, true) => Vec::new(), // the turn has seen to that
                (false, false) => {
                    let mut starts: Vec<usize> = (BORDER..n).filter(|start| start + length + BORDER <= n).collect();
                    starts.sort_by_key(|start| (2 * start + length).abs_diff(n));
                    starts.into_iter().map(moved).collect()
                }
            }
        };
        let (xs, ys) = (along(0), along(1));
        xs.into_iter().flat_map(move |x| ys.clone().into_iter().map(move |y| [x, y]))
    }

    /// The stones and first moves at an offset, with their images on the borders that they lean on.
    fn at(&self, offset: [isize; 2]) -> Vec<Cell> {
        let mut cells = BTreeSet::new();
        for &cell in &self.cells {
            let (x, y) = shift(cell, offset);
            let images = |low: bool, high: bool, own: usize| {
                [Some(own), low.then_some(0), high.then_some(self.lines - 1)].into_iter().flatten()
            };
            for x in images(self.leans[0], self.leans[1], x) {
                cells.extend(images(self.leans[2], self.leans[3], y).map(|y| (x, y)));
            }
        }
        cells.into_iter().collect()
    }
}

fn shift((x, y): Cell, [dx, dy]: [isize; 2]) -> Cell {
    ((x as isize + dx) as usize, (y as isize + dy) as usize)
}

fn span(cells: &[Cell], axis: usize) -> (usize, usize) {
    let along = cells.iter().map(|&(x, y)| if axis == 0 { x } else { y });
    (along.clone().min().unwrap_or(0), along.max().unwrap_or(0))
}

/// On each axis the nearer border counts, if it is near; both only if both are touched.
fn leans(cells: &[Cell], n: usize) -> [bool; 4] {
    let along = |axis: usize| {
        let (low, high) = span(cells, axis);
        let (low, high) = (low, n - 1 - high);
        [(low < high && low <= LEANS) || (low, high) == (0, 0), (high < low && high <= LEANS) || (low, high) == (0, 0)]
    };
    let ([left, right], [lower, upper]) = (along(0), along(1));
    [left, right, lower, upper]
}

/// Who gets which point outside the ground, all turned to the left and below.
struct Layout {
    attacker: Vec<Cell>,
    defender: Vec<Cell>,
    margin: usize,
}

impl Layout {
    /// `cells` are of the problem, `stones` counts the defender's, `life` the points that a failed attack leaves.
    fn find(n: usize, cells: &[Cell], stones: usize, life: usize) -> Option<Layout> {
        let area = n * n;
        let mut ground = Area::new(n);
        ground.fill(|cell| between(cells, cell));
        let keep = ground.grown();
        let wall = keep.grown().minus(&keep);
        let rest = ring(&keep.grown());
        let mut margins: Vec<usize> = (1..2 * life).filter(|margin| (area - margin).is_multiple_of(2)).collect();
        margins.sort_by_key(|margin| margin.abs_diff(stones.min(LIFE - 1)));
        margins.into_iter().find_map(|margin| {
            let more = rest.len().checked_sub((area - margin) / 2)?;
            let shared = |rest: Vec<Cell>| {
                let (ours, theirs) = rest.split_at(more);
                let mut walled = wall.clone();
                ours.iter().for_each(|&cell| walled.set(cell));
                let mut group = Area::new(n);
                theirs.iter().for_each(|&cell| group.set(cell));
                Some(Layout { attacker: walled.with_two_eyes()?, defender: group.with_two_eyes()?, margin })
            };
            shared(rest.clone()).or_else(|| shared(rest.iter().rev().copied().collect()))
        })
    }
}

/// Are there cells in all four quadrants around this one?
fn between(cells: &[Cell], (x, y): Cell) -> bool {
    let any = |test: &dyn Fn(Cell) -> bool| cells.iter().any(|&cell| test(cell));
    any(&|(a, b)| a >= x && b >= y)
        && any(&|(a, b)| a >= x && b <= y)
        && any(&|(a, b)| a <= x && b >= y)
        && any(&|(a, b)| a <= x && b <= y)
}

/// The cells outside, around the inside in order: right of it from below, above it from the right, left of it from above, below it.
fn ring(inside: &Area) -> Vec<Cell> {
    let cells: Vec<Cell> = inside.cells();
    let ((left, right), (_, upper)) = (span(&cells, 0), span(&cells, 1));
    let n = inside.n as isize;
    let mut rest = inside.complement();
    rest.sort_by_key(|&(x, y)| {
        let (a, b) = (x as isize, y as isize);
        match () {
            _ if x > right => (0, b, a),
            _ if inside.is_below(x, y) || y > upper => (1, n - a, b),
            _ if x < left => (2, n - b, a),
            _ => (3, a, b),
        }
    });
    rest
}

/// A set of cells of a board.
#[derive(Clone)]
struct Area {
    n: usize,
    has: Vec<bool>,
}

impl Area {
    fn new(n: usize) -> Area {
        Area { n, has: vec![false; n * n] }
    }

    fn contains(&self, (x, y): Cell) -> bool {
        self.has[y * self.n + x]
    }

    fn set(&mut self, (x, y): Cell) {
        self.has[y * self.n + x] = true;
    }

    fn fill(&mut self, test: impl Fn(Cell) -> bool) {
        for y in 0..self.n {
            for x in 0..self.n {
                self.has[y * self.n + x] |= test((x, y));
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = Cell> + use<> {
        let n = self.n;
        (0..n).flat_map(move |y| (0..n).map(move |x| (x, y)))
    }

    fn cells(&self) -> Vec<Cell> {
        self.all().filter(|&cell| self.contains(cell)).collect()
    }

    fn complement(&self) -> Vec<Cell> {
        self.all().filter(|&cell| !self.contains(cell)).collect()
    }

    fn minus(&self, other: &Area) -> Area {
        Area { n: self.n, has: self.has.iter().zip(&other.has).map(|(own, others)| *own && !others).collect() }
    }

    /// Is a cell of the set somewhere below this one?
    fn is_below(&self, x: usize, y: usize) -> bool {
        (0..y).any(|below| self.contains((x, below)))
    }

    /// The up to eight cells around one, the straight ones apart.
    fn around(&self, (x, y): Cell, diagonal: bool) -> impl Iterator<Item = Cell> + use<> {
        let last = self.n - 1;
        (x.saturating_sub(1)..=(x + 1).min(last))
            .flat_map(move |a| (y.saturating_sub(1)..=(y + 1).min(last)).map(move |b| (a, b)))
            .filter(move |&(a, b)| {
                let steps = a.abs_diff(x) + b.abs_diff(y);
                steps == 1 || (diagonal && steps == 2)
            })
    }

    /// With all cells next to it, diagonals included.
    fn grown(&self) -> Area {
        let mut grown = self.clone();
        grown.fill(|cell| self.around(cell, true).any(|next| self.contains(next)));
        grown
    }

    /// The set without two eyes of one point, one chain with nothing but itself around each eye. None if there is no such pair.
    fn with_two_eyes(&self) -> Option<Vec<Cell>> {
        let own = |cell: &Cell| self.around(*cell, true).all(|next| self.contains(next));
        let inner: Vec<Cell> = self.cells().into_iter().filter(own).collect();
        let pairs = (0..inner.len()).flat_map(|i| (i + 1..inner.len()).map(move |j| (i, j)));
        pairs.map(|(i, j)| [inner[i], inner[j]]).find_map(|eyes| {
            let mut chain = self.clone();
            for (x, y) in eyes {
                chain.has[y * self.n + x] = false;
            }
            let enclosed = eyes.iter().all(|&eye| self.around(eye, false).all(|next| chain.contains(next)));
            (enclosed && chain.is_connected()).then(|| chain.cells())
        })
    }

    fn is_connected(&self) -> bool {
        let cells = self.cells();
        let Some(&first) = cells.first() else { return false };
        let mut seen = Area::new(self.n);
        seen.set(first);
        let (mut todo, mut count) = (vec![first], 0);
        while let Some(cell) = todo.pop() {
            count += 1;
            for next in self.around(cell, false) {
                if self.contains(next) && !seen.contains(next) {
                    seen.set(next);
                    todo.push(next);
                }
            }
        }
        count == cells.len()
    }
}

fn build(problem: &Problem, ground: &Ground, n: usize, offset: [isize; 2], layout: &Layout, life: usize) -> Framed {
    let size = Size::new(n).expect("frames are made on boards that exist");
    let back = ground.turn.inverse();
    let place = |cell: Cell| {
        let (x, y) = back.apply(n, cell);
        size.point(x, y)
    };
    let moved = |p: Point| match p.is_pass() {
        true => p,
        false => place(shift(ground.turn.apply(problem.size.n(), problem.size.xy(p)), offset)),
    };
    let attacker = problem.defender().opponent();
    let mut frame: Vec<(Point, Color)> = layout.attacker.iter().map(|&cell| (place(cell), attacker)).collect();
    frame.extend(layout.defender.iter().map(|&cell| (place(cell), attacker.opponent())));
    let mut stones: Vec<(Point, Color)> = problem.stones.iter().map(|&(p, color)| (moved(p), color)).collect();
    stones.extend(&frame);
    stones.sort_by_key(|stone| stone.0);
    frame.sort_by_key(|stone| stone.0);
    let answers = |points: &[Point]| {
        let mut points: Vec<Point> = points.iter().map(|&p| moved(p)).collect();
        points.sort();
        points
    };
    // Both corners that a turn keeps apart move alike: the step is that of any stone.
    let ((from_x, from_y), (x, y)) = (problem.size.xy(problem.stones[0].0), size.xy(moved(problem.stones[0].0)));
    let step = [x as isize - from_x as isize, y as isize - from_y as isize];
    let file = (problem.size, step);
    let problem =
        Problem { size, stones, right: answers(&problem.right), wrong: answers(&problem.wrong), ..problem.clone() };
    Framed { problem, frame, attacker, file, killed: layout.margin, alive: 2 * life - layout.margin }
}

impl Framed {
    /// A point of this board in the file's coordinates; None if the file's board does not reach that far.
    pub fn in_file(&self, p: Point) -> Option<Point> {
        if p.is_pass() {
            return Some(p);
        }
        let (size, [dx, dy]) = self.file;
        let (x, y) = self.problem.size.xy(p);
        let (x, y) = (x.checked_add_signed(-dx)?, y.checked_add_signed(-dy)?);
        (x < size.n() && y < size.n()).then(|| size.point(x, y))
    }

    /// Who wins and by how much, and how a ko or seki counts.
    pub fn explanation(&self) -> String {
        let defender = self.attacker.opponent();
        let mut text = format!(
            "Komi 0: {} wins by {} if the attack succeeds, {defender} by {} or more if it fails.",
            self.attacker, self.killed, self.alive
        );
        text += match self.problem.goal {
            Some(Goal::Ko) => {
                " The answer is a ko: no threats exist on this board, so whoever takes the ko first wins it."
            }
            Some(Goal::Seki) => " The answer is a seki: the stones stay, which counts as life.",
            _ => "",
        };
        // In a seki the defender has his stones and little more.
        let enough = self.killed / 2 + 1;
        if self.problem.goal != Some(Goal::Seki) && self.stones_of(defender) < enough {
            text += &format!(" A seki with fewer than {enough} stones may not count as life.");
        }
        text
    }

    /// How many stones of a colour are the problem's own.
    fn stones_of(&self, color: Color) -> usize {
        let count = |stones: &[(Point, Color)]| stones.iter().filter(|stone| stone.1 == color).count();
        count(&self.problem.stones) - count(&self.frame)
    }
}

#[cfg(test)]
mod tests;
