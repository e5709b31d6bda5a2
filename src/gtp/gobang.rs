//! Commands of other games than Go: GoGui asks an engine for the rules of the game it shows.

use super::Gtp;
use super::commands::Reply;
use crate::base::{Black, Point};

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
    let points = gtp.session.winning_row();
    Ok(if points.is_empty() { String::new() } else { format!("CIRCLE {}", table.size().points_to_gtp(points)) })
}
