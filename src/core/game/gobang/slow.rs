//! The oracle: rules of Gobang on a plain grid, slow and plain.

use super::Rule;
use super::geometry::STEPS;
use crate::base::{Black, Color, Point, Size, White};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlowGobang {
    pub size: Size,
    pub rule: Rule,
    cells: Vec<Option<Color>>,
}

impl SlowGobang {
    pub fn new(size: Size, rule: Rule) -> SlowGobang {
        SlowGobang { size, rule, cells: vec![None; size.area()] }
    }

    /// A board drawn with `X` (Black), `O` (White) and `.`, the top row first.
    pub fn from_picture(picture: &str, rule: Rule) -> SlowGobang {
        let rows: Vec<Vec<char>> = picture
            .lines()
            .map(|l| l.chars().filter(|c| !c.is_whitespace()).collect())
            .filter(|r: &Vec<char>| !r.is_empty())
            .collect();
        let size = Size::new(rows.len()).expect("2 to 25 rows");
        let mut board = SlowGobang::new(size, rule);
        for (from_top, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), rows.len(), "a board is square");
            for (x, c) in row.iter().enumerate() {
                let color = match c {
                    'X' => Some(Black),
                    'O' => Some(White),
                    _ => None,
                };
                board.set(size.point(x, rows.len() - 1 - from_top), color);
            }
        }
        board
    }

    pub fn at(&self, p: Point) -> Option<Color> {
        let (x, y) = self.size.xy(p);
        self.cells[y * self.size.n() + x]
    }

    pub fn set(&mut self, p: Point, color: Option<Color>) {
        let (x, y) = self.size.xy(p);
        self.cells[y * self.size.n() + x] = color;
    }

    pub fn stones(&self) -> Vec<(Point, Color)> {
        self.size.points().filter_map(|p| Some((p, self.at(p)?))).collect()
    }

    /// The colour at a step from a point; None off the board.
    fn from(&self, p: Point, k: isize, (dx, dy): (isize, isize)) -> Option<Color> {
        let (x, y) = self.size.xy(p);
        let (x, y) = (x as isize + k * dx, y as isize + k * dy);
        let inside = 0..self.size.n() as isize;
        if inside.contains(&x) && inside.contains(&y) { self.at(self.size.point(x as usize, y as usize)) } else { None }
    }

    /// Is there a winning row through this stone?
    pub fn is_won_at(&self, p: Point) -> bool {
        let Some(color) = self.at(p) else { return false };
        STEPS.into_iter().any(|(dx, dy)| {
            let along = |step| (1..).take_while(|&k| self.from(p, k, step) == Some(color)).count();
            let row = 1 + along((dx, dy)) + along((-dx, -dy));
            row == 5 || row > 5 && self.rule == Rule::Freestyle
        })
    }

    /// Who has a winning row.
    pub fn winner(&self) -> Option<Color> {
        self.size.points().find(|&p| self.is_won_at(p)).and_then(|p| self.at(p))
    }

    /// Where a colour makes five with one stone.
    pub fn winning_points(&self, color: Color) -> Vec<Point> {
        let wins = |&p: &Point| self.at(p).is_none() && self.with(p, color).is_won_at(p);
        self.size.points().filter(wins).collect()
    }

    /// Where one stone more makes a winning row with the stone at `p` in it.
    pub fn completions_of(&self, p: Point) -> Vec<Point> {
        let Some(color) = self.at(p) else { return Vec::new() };
        let (x, y) = self.size.xy(p);
        let mut found = Vec::new();
        for (dx, dy) in STEPS {
            let at = |k: isize| {
                let (x, y) = (x as isize + k * dx, y as isize + k * dy);
                let inside = 0..self.size.n() as isize;
                (inside.contains(&x) && inside.contains(&y)).then(|| self.size.point(x as usize, y as usize))
            };
            for gap in (-4..=4).filter(|&k| at(k).is_some_and(|q| self.at(q).is_none())) {
                let is_own = |k: isize| k == gap || at(k).is_some_and(|q| self.at(q) == Some(color));
                let length = 1 + (1..).take_while(|&k| is_own(k)).count() + (1..).take_while(|&k| is_own(-k)).count();
                let reaches = (0..=gap.abs()).all(|k| is_own(k * gap.signum()));
                if reaches && (length == 5 || length > 5 && self.rule == Rule::Freestyle) {
                    found.extend(at(gap));
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    pub fn with(&self, p: Point, color: Color) -> SlowGobang {
        let mut board = self.clone();
        board.set(p, Some(color));
        board
    }

    /// Can the side to play force a five with at most this many moves of its own, whatever either side plays? Every
    /// legal move of both is tried: for small boards and depths.
    pub fn can_force(&self, color: Color, moves: usize) -> bool {
        if !self.winning_points(color).is_empty() {
            return moves > 0;
        }
        if moves <= 1 {
            return false;
        }
        let opponent = color.opponent();
        self.empty_points().any(|p| {
            let after = self.with(p, color);
            after.winning_points(opponent).is_empty()
                && after.empty_points().all(|q| after.with(q, opponent).can_force(color, moves - 1))
                && after.empty_points().next().is_some()
        })
    }

    pub fn empty_points(&self) -> impl Iterator<Item = Point> {
        self.size.points().filter(|&p| self.at(p).is_none())
    }
}
