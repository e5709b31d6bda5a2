//! Commands of other games than Go: GoGui asks an engine for the rules of the game it shows.

use super::Gtp;
use super::commands::Reply;
use super::gogui::side;
use crate::base::{Black, Color, Point};
use crate::game::gobang::Gobang;
use crate::knowledge::gobang::{Class, Reader};

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

/// Work for reading a position that is shown: a fraction of a second.
const SHOWN_WORK: u64 = 100_000;

/// What each point would make, as colours: red wins or leaves a double four, orange makes a four, yellow an open three; and a
/// win by continuous fours or threats as a numbered line.
pub fn threats(gtp: &mut Gtp, args: &[String]) -> Reply {
    let color = side(gtp, args)?;
    let table = gtp.session.table();
    let size = table.size();
    let mut board = Gobang::new(size, gtp.session.rule());
    let stones: Vec<(Point, Color)> = size.points().filter_map(|p| Some((p, table.color_at(p)?))).collect();
    if !board.put_stones(&stones) || board.is_over() {
        return Err("the game is over".to_string());
    }
    let mut reader = Reader::of(&board);
    let mut text = Vec::new();
    let rank = |p: Point| {
        let pair = reader.lines.pair(color, p);
        match pair.best() {
            _ if pair.is_double_four() || pair.best() == Class::Five => 0,
            Class::Four => 1,
            Class::OpenThree | Class::FreeThree => 2,
            _ => 3,
        }
    };
    for (i, paint) in ["#ff0000", "#ff9900", "#ffee66"].into_iter().enumerate() {
        let points = size.points_to_gtp(board.empty_points().iter().filter(|&p| rank(p) == i));
        if !points.is_empty() {
            text.push(format!("COLOR {paint} {points}"));
        }
    }
    let fours = reader.fours(color, SHOWN_WORK);
    let kind = if fours.is_some() { "fours" } else { "threats" };
    match fours.or_else(|| reader.threats(color, SHOWN_WORK)) {
        Some(line) => {
            let turns = [color, color.opponent()].into_iter().cycle();
            let words = line
                .iter()
                .zip(turns)
                .map(|(&p, turn)| format!(" {} {}", turn.letter().to_ascii_lowercase(), size.point_to_gtp(p)));
            text.push(format!("VAR{}", words.collect::<String>()));
            text.push(format!("TEXT {color} wins by continuous {kind} in {}", line.len().div_ceil(2)));
        }
        None => text.push(format!("TEXT no win by continuous threats for {color}")),
    }
    Ok(text.join("\n"))
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
