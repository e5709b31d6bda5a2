//! Counting a board on which nothing is dead any more, by area or by territory.
//!
//! Territory is area seen from another side: a player's stones on the board are those put there less those lost, so points
//! surrounded and prisoners differ from area by how many more stones Black has put down than White. That number goes into
//! the komi (`Counting::territory`), and the area count does the rest; no prisoner has to be remembered. What area does not
//! know is found here: points in seki, which do not count, and moves that must still be made inside one's own territory.

use crate::base::{Black, Color, Point, Size, White};
use crate::game::rules::Scoring;

/// How a board is counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Counting {
    pub scoring: Scoring,
    /// What Black's area must be more than.
    pub komi: f32,
}

impl Counting {
    pub const fn area(komi: f32) -> Counting {
        Counting { scoring: Scoring::Area, komi }
    }

    /// With how many more stones than White Black has put on the board, handicap and set-up stones counted.
    pub fn territory(komi: f32, stones_ahead: i32) -> Counting {
        Counting { scoring: Scoring::Territory, komi: komi + stones_ahead as f32 }
    }
}

/// A counted board.
pub struct Count {
    /// What Black wins by, komi counted.
    pub score: f32,
    /// Whose area each point is, by index; None is dame.
    pub owner: Vec<Option<Color>>,
    /// By index: stones and points in seki, where that is asked for.
    pub seki: Vec<bool>,
}

type Grid = Vec<Option<Color>>;

impl Count {
    /// Counts what is left when dead stones are off the board; a grid is by point index.
    pub fn new(size: Size, grid: &[Option<Color>], counting: Counting) -> Count {
        let owner = owners(size, grid);
        let area: f32 = size.points().map(|p| owner[p.index()].map_or(0.0, Color::sign)).sum();
        let mut count = Count { score: area - counting.komi, seki: vec![false; grid.len()], owner };
        if counting.scoring == Scoring::Territory {
            count.tax(size, grid);
        }
        count
    }

    pub fn dame(&self, size: Size) -> impl Iterator<Item = Point> {
        size.points().filter(|p| self.owner[p.index()].is_none())
    }

    /// Takes off what is no territory: points in seki, and those that their owner has to fill once all dame are.
    fn tax(&mut self, size: Size, grid: &[Option<Color>]) {
        let mut filled = grid.to_vec();
        fill_dame(size, &mut filled, &self.owner);
        for p in size.points() {
            if let Some(color) = filled[p.index()]
                && let [only] = liberties(size, &filled, p)[..]
                && self.owner[only.index()] == Some(color)
            {
                filled[only.index()] = Some(color);
                match liberties(size, &filled, only).len() {
                    0 | 1 => filled[only.index()] = None,
                    _ => self.score -= color.sign(),
                }
            }
        }
        // A group with its territory that shares dame which nobody can fill.
        let mut seen = vec![false; grid.len()];
        for p in size.points() {
            let Some(color) = self.owner[p.index()].filter(|_| !seen[p.index()]) else { continue };
            let whose = |q: Point| filled[q.index()].or(self.owner[q.index()]);
            let group = connected(size, p, |q| whose(q) == Some(color));
            group.iter().for_each(|q| seen[q.index()] = true);
            let mut around = group.iter().flat_map(|&q| size.neighbours(q));
            if around.any(|q| whose(q).is_none()) {
                for q in group {
                    self.seki[q.index()] = true;
                    let counted = grid[q.index()].is_none() && self.owner[q.index()].is_some();
                    self.score -= if counted && filled[q.index()].is_none() { color.sign() } else { 0.0 };
                }
            }
        }
    }
}

/// Stones where they are; empty regions belong to the colour that alone surrounds them.
fn owners(size: Size, grid: &[Option<Color>]) -> Grid {
    let mut owner = grid.to_vec();
    let mut seen = vec![false; grid.len()];
    for p in size.points() {
        if grid[p.index()].is_some() || seen[p.index()] {
            continue;
        }
        let region = connected(size, p, |q| grid[q.index()].is_none());
        let mut touched = [false; 2];
        for q in region.iter().flat_map(|&q| size.neighbours(q)) {
            if let Some(color) = grid[q.index()] {
                touched[color.index()] = true;
            }
        }
        let color = match touched {
            [true, false] => Some(Black),
            [false, true] => Some(White),
            _ => None,
        };
        for q in region {
            seen[q.index()] = true;
            owner[q.index()] = color;
        }
    }
    owner
}

/// Fills every dame beside a chain that has two liberties afterwards. What stays empty is shared by groups in seki: whoever
/// plays there puts himself into atari.
fn fill_dame(size: Size, grid: &mut Grid, owner: &Grid) {
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for p in size.points().filter(|p| owner[p.index()].is_none()) {
            for color in Color::BOTH {
                let joins = |grid: &Grid| size.neighbours(p).any(|q| grid[q.index()] == Some(color));
                if grid[p.index()].is_none() && joins(grid) {
                    grid[p.index()] = Some(color);
                    let takes = size
                        .neighbours(p)
                        .any(|q| grid[q.index()] == Some(color.opponent()) && liberties(size, grid, q).is_empty());
                    if takes || liberties(size, grid, p).len() < 2 {
                        grid[p.index()] = None;
                    } else {
                        goes_on = true;
                    }
                }
            }
        }
    }
}

fn liberties(size: Size, grid: &Grid, p: Point) -> Vec<Point> {
    let chain = connected(size, p, |q| grid[q.index()] == grid[p.index()]);
    let around = chain.iter().flat_map(|&q| size.neighbours(q));
    let mut points: Vec<Point> = around.filter(|q| grid[q.index()].is_none()).collect();
    points.sort();
    points.dedup();
    points
}

/// The points that can be reached from one through points of a kind.
fn connected(size: Size, p: Point, is_of_kind: impl Fn(Point) -> bool) -> Vec<Point> {
    let mut seen = vec![false; 1024];
    let mut found = vec![p];
    seen[p.index()] = true;
    let mut next = 0;
    while next < found.len() {
        for q in size.neighbours(found[next]) {
            if !seen[q.index()] && is_of_kind(q) {
                seen[q.index()] = true;
                found.push(q);
            }
        }
        next += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use crate::game::go::{Go9, SlowBoard};
    use crate::game::{Game, Record};
    use crate::playout::light;

    fn grid(slow: &SlowBoard) -> Grid {
        let mut grid = vec![None; 1024];
        slow.size.points().for_each(|p| grid[p.index()] = slow.at(p));
        grid
    }

    fn territory(picture: &str) -> (f32, usize) {
        let slow = SlowBoard::from_picture(picture);
        let stones: i32 = slow.size.points().filter_map(|p| slow.at(p)).map(|c| c.sign() as i32).sum();
        let count = Count::new(slow.size, &grid(&slow), Counting::territory(0.0, stones));
        (count.score, count.seki.iter().filter(|&&s| s).count())
    }

    #[test]
    fn territory_is_points_surrounded_and_dame_are_nobodys() {
        let (score, seki) = territory(
            ". . X . O . .
             . . X . O . .
             . . X X O . .
             X X X O O . .
             . . X O . . .
             X X X O O . .
             . . X O . . .",
        );
        assert_eq!((score, seki), (10.0 - 16.0, 0));
    }

    #[test]
    fn points_in_seki_count_for_nobody() {
        // In the corner both have an eye, at A9 and E9, and share C9.
        let picture = "
            . X . O . O X . .
            X X X O O O X . .
            O O O X X X X . .
            . . O X . . . . .
            . . O X . . . . .
            . . O X . . . . .
            . . O X . . . . .
            . . O X . . . . .
            . . O X . . . . .";
        assert_eq!(territory(picture), (36.0 - 12.0, 4 + 1 + 5 + 1));
        // With C9 taken by Black and the stones beside it gone there is none.
        let (_, seki) =
            territory(&picture.replace(". X . O . O X", ". X . . . . X").replace("X X X O O O X", "X X X . . . X"));
        assert_eq!(seki, 0);
    }

    #[test]
    fn a_stone_that_must_be_connected_when_dame_are_filled_costs_its_point() {
        // B5 must be filled once White has taken the dame at D5.
        let (score, seki) = territory(
            "X . X . O
             X X O O O
             X X O . O
             . X X O O
             X . X O .",
        );
        assert_eq!((score, seki), (3.0 - 1.0 - 2.0, 0));
    }

    /// The slow way: points surrounded, less seki, and every prisoner counted one by one over the game.
    #[test]
    fn territory_through_area_is_territory_counted_by_hand() {
        let size = Size::new(7).unwrap();
        let mut compared = 0;
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut game = Record::<Go9>::new(size, 0.0);
            let mut board = game.position().clone();
            light::play_out(&mut board, &mut rng);
            // The same game again, with its history.
            let mut rng = Rng::new(seed);
            for _ in 0..150 {
                let p = game.position().clone().play_random(&mut rng);
                let color = game.position().to_play();
                if game.play(color, p).is_err() || game.position().is_over() {
                    break;
                }
            }
            let position = game.position();
            let mut cells = vec![None; 1024];
            size.points().for_each(|p| cells[p.index()] = position.color_at(p));
            let count = Count::new(size, &cells, Counting::territory(0.5, game.stones_ahead()));
            let points: f32 = size
                .points()
                .filter(|p| cells[p.index()].is_none() && !count.seki[p.index()])
                .filter_map(|p| count.owner[p.index()])
                .map(Color::sign)
                .sum();
            let prisoners = position.captures(Black) as f32 - position.captures(White) as f32;
            let filled = points + prisoners - 0.5 - count.score;
            // All that is left between them are the points that must be filled.
            assert!(filled.abs() <= 6.0 && filled.fract() == 0.0, "seed {seed}: {filled}");
            compared += (filled == 0.0) as u32;
        }
        assert!(compared > 100, "{compared}");
    }
}
