//! The row that has won a game of Gobang.

use super::{Session, Table};
use crate::base::{Color, Point};
use crate::game::gobang::Rule;

impl Session {
    /// The stones that decided a game without territory; none before that.
    pub fn winning_row(&self) -> Vec<Point> {
        let table = self.table();
        table.winner().map_or_else(Vec::new, |winner| winning_row(table, winner, self.rule()))
    }
}

/// The stones of a row that wins.
fn winning_row(table: &dyn Table, winner: Color, rule: Rule) -> Vec<Point> {
    let size = table.size();
    let step = |p: Point, (dx, dy): (isize, isize)| {
        let (x, y) = size.xy(p);
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        let q = (x < size.n() && y < size.n()).then(|| size.point(x, y))?;
        (table.color_at(q) == Some(winner)).then_some(q)
    };
    for start in size.points().filter(|&p| table.color_at(p) == Some(winner)) {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            if step(start, (-dx, -dy)).is_none() {
                let row: Vec<Point> = std::iter::successors(Some(start), |&p| step(p, (dx, dy))).collect();
                if row.len() == 5 || row.len() > 5 && rule == Rule::Freestyle {
                    return row;
                }
            }
        }
    }
    Vec::new()
}
