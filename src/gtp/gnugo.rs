//! Commands that GNU Go has beyond the standard and that front ends made for it ask, such as Kigo and GoGui's own list.

use super::Gtp;
use super::args::{color, one, syntax, vertex};
use super::commands::Reply;
use super::reply;
use crate::base::{Color, Point};

pub fn list_stones(gtp: &mut Gtp, args: &[String]) -> Reply {
    let color = color(one(args, "a colour")?)?;
    let (size, table) = (gtp.session.size(), gtp.session.table());
    Ok(size.points_to_gtp(size.points().filter(|&p| table.color_at(p) == Some(color))))
}

/// Stones that a side has taken.
pub fn captures(gtp: &mut Gtp, args: &[String]) -> Reply {
    let color = color(one(args, "a colour")?)?;
    Ok(gtp.session.table().captures(color).to_string())
}

pub fn all_legal(gtp: &mut Gtp, args: &[String]) -> Reply {
    let color = color(one(args, "a colour")?)?;
    let (size, table) = (gtp.session.size(), gtp.session.table());
    Ok(size.points_to_gtp(size.points().filter(|&p| table.check(color, p).is_ok())))
}

pub fn is_legal(gtp: &mut Gtp, args: &[String]) -> Reply {
    let [c, v] = args else { return syntax("a colour and a vertex") };
    let (color, point) = (color(c)?, vertex(gtp.session.size(), v)?);
    Ok(u8::from(gtp.session.table().check(color, point).is_ok()).to_string())
}

fn told(gtp: &Gtp, (color, point): (Color, Point)) -> String {
    format!("{} {}", color.to_string().to_ascii_lowercase(), gtp.session.size().point_to_gtp(point))
}

/// The moves of the game, the last one first.
pub fn move_history(gtp: &mut Gtp, _: &[String]) -> Reply {
    let moves = gtp.session.table().moves().iter().rev();
    Ok(moves.map(|&made| told(gtp, made)).collect::<Vec<_>>().join("\n"))
}

pub fn last_move(gtp: &mut Gtp, _: &[String]) -> Reply {
    let last = gtp.session.table().moves().last();
    last.map(|&made| told(gtp, made)).ok_or_else(|| "no previous move known".to_string())
}

/// Moves with what they are worth to the search, best first.
pub fn top_moves(gtp: &mut Gtp, color: Option<Color>) -> Reply {
    let size = gtp.session.size();
    let color = color.unwrap_or_else(|| gtp.session.table().to_play());
    let report = &gtp.session.glance(color)?.report;
    let known = report.moves.iter().filter(|m| m.is_known() && !m.point.is_pass()).take(10);
    Ok(known.map(|m| format!("{} {:.2}", size.point_to_gtp(m.point), 100.0 * m.rate)).collect::<Vec<_>>().join(" "))
}

/// What to expect if the game is played on; playouts give one number, so that both bounds are that.
pub fn estimate_score(gtp: &mut Gtp, _: &[String]) -> Reply {
    let score = gtp.session.estimate();
    Ok(format!("{} (upper bound: {score}, lower: {score})", reply::score(score)))
}

/// What becomes of a stone, or whose an empty point is.
pub fn final_status(gtp: &mut Gtp, args: &[String]) -> Reply {
    let point = vertex(gtp.session.size(), one(args, "a vertex")?)?;
    if point.is_pass() {
        return syntax("a point of the board");
    }
    let status = gtp.session.judge();
    let has = |chains: &[Vec<Point>]| chains.iter().flatten().any(|&p| p == point);
    if gtp.session.table().color_at(point).is_some() {
        let word = [("dead", &status.dead), ("seki", &status.seki)].into_iter().find(|(_, chains)| has(chains));
        return Ok(word.map_or("alive", |(word, _)| word).to_string());
    }
    let dead: Vec<Point> = status.dead.into_iter().flatten().collect();
    Ok(match gtp.session.table().count(&dead).owner[point.index()] {
        Some(Color::Black) => "black_territory",
        Some(Color::White) => "white_territory",
        None => "dame",
    }
    .to_string())
}

/// How hard to try, as `--level` says it.
pub fn level(gtp: &mut Gtp, args: &[String]) -> Reply {
    let level = one(args, "a level from 1 to 10")?;
    match level.parse::<u8>() {
        Ok(1..=10) => Ok(gtp.session.set_engine_parameter("level", level).map(|()| String::new())?),
        _ => syntax("a level from 1 to 10"),
    }
}
