//! Commands of other games than Go: GoGui asks an engine for the rules of the game it shows.

use super::Gtp;
use super::commands::Reply;
use crate::base::{Black, Color, Point};
use crate::game::gobang::Rule;
use crate::session::Table;

/// Rows from the top, `X` for Black, `O` for White, `.` for nothing.
pub fn board(gtp: &mut Gtp, _: &[String]) -> Reply {
    let table = gtp.session.table();
    let size = table.size();
    let cell = |x: usize, y: usize| match table.color_at(size.point(x, y)) {
        Some(Black) => "X",
        Some(_) => "O",
        None => ".",
    };
    let row = |y: usize| (0..size.n()).map(|x| cell(x, y)).collect::<Vec<_>>().join(" ");
    Ok(size.rows_from_top().map(row).collect::<Vec<_>>().join("\n"))
}

/// Nothing when the game is over, which is how GoGui learns it.
pub fn legal_moves(gtp: &mut Gtp, _: &[String]) -> Reply {
    let table = gtp.session.table();
    let is_legal = |p: &Point| !table.is_over() && table.color_at(*p).is_none();
    Ok(table.size().points_to_gtp(table.size().points().filter(is_legal)))
}

pub fn side_to_move(gtp: &mut Gtp, _: &[String]) -> Reply {
    Ok(gtp.session.table().to_play().to_string())
}

pub fn final_result(gtp: &mut Gtp, _: &[String]) -> Reply {
    let table = gtp.session.table();
    Ok(match table.winner() {
        Some(winner) => format!("{} wins: five in a row", if winner == Black { "Black" } else { "White" }),
        None if table.is_over() => "Draw: the board is full".to_string(),
        None => "The game is not over".to_string(),
    })
}

/// Marks the row that has won, if there is one.
pub fn board_gfx(gtp: &mut Gtp, _: &[String]) -> Reply {
    let table = gtp.session.table();
    let points = match table.winner() {
        Some(winner) => winning_row(table, winner, gtp.session.rule()),
        None => Vec::new(),
    };
    Ok(if points.is_empty() { String::new() } else { format!("CIRCLE {}", table.size().points_to_gtp(points)) })
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
