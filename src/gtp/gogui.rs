//! Pictures of the position and of the search in GoGui: the table of its analyze menu, and the commands in it.
//!
//! GoGui may run any of these after every move, so each is quick, and none changes what the engine plays later.

use super::Gtp;
use super::args::{color, syntax};
use super::commands::Reply;
use crate::base::params::no_such;
use crate::base::{Color, GameKind, Point, Size};
use crate::picture::{paint, short};
use crate::search::candidates::Filter;
use crate::search::{MoveStats, Report};
use crate::session::insight::PotentialAt;

/// A row of the menu: how GoGui shows the reply, its label, the command.
struct MenuRow(&'static str, &'static str, &'static str, Option<GameKind>);

const GO: Option<GameKind> = Some(GameKind::Go);
const GOBANG: Option<GameKind> = Some(GameKind::Gobang);
#[rustfmt::skip]
const MENU: &[MenuRow] = &[
    MenuRow("gfx", "Best Moves", "moku-best_moves %m", None),
    MenuRow("sboard", "Win Rates", "moku-win_rates %m", None),
    MenuRow("sboard", "Playouts of Each Move", "moku-playouts %m", None),
    MenuRow("cboard", "Where Playouts Go", "moku-allocation %m", None),
    MenuRow("var", "Principal Variation", "moku-pv %m", None),
    MenuRow("gfx", "Threats", "moku-threats %m", GOBANG),
    MenuRow("dboard", "Ownership", "moku-ownership", GO),
    MenuRow("plist", "Dead Stones", "final_status_list dead", GO),
    MenuRow("string", "Score", "final_score", GO),
    MenuRow("cboard", "Potential P", "moku-potential %m", GO),
    MenuRow("cboard", "Potential Gradient PG", "moku-gradient", GO),
    MenuRow("gfx", "Filter 1: Upper Half by P", "moku-filter filter1 %m", GO),
    MenuRow("gfx", "Filter 2: Lower Half by P", "moku-filter filter2 %m", GO),
    MenuRow("gfx", "Filter 3: Middle Half by P", "moku-filter filter3 %m", GO),
    MenuRow("gfx", "Filter 4: Upper Half by PG", "moku-filter filter4 %m", GO),
    MenuRow("gfx", "Filter: Random", "moku-filter random %m", GO),
    MenuRow("gfx", "Filter: Combination", "moku-filter combination %m", GO),
    MenuRow("string", "Alive, Dead or Ko", "moku-tsumego %p", GO),
    MenuRow("string", "Reward in Force", "moku-reward %m", None),
    MenuRow("string", "Explain Last Move", "gomill-explain_last_move", None),
    MenuRow("param", "Engine", "moku-engine", None),
    MenuRow("param", "Parameters", "moku-param", None),
    MenuRow("none", "Engine Line", "engine %o", None),
    MenuRow("hstring", "List Engines", "engine list", None),
    MenuRow("none", "Forget the Search", "clear_cache", None),
    MenuRow("string", "Processor Time", "cputime", None),
    MenuRow("hstring", "Help", "moku-help", None),
];

pub fn analyze_commands(gtp: &mut Gtp, _: &[String]) -> Reply {
    let kind = gtp.session.kind();
    let rows = MENU.iter().filter(|MenuRow(.., only)| only.is_none_or(|only| only == kind));
    Ok(rows.map(|MenuRow(show, label, command, _)| format!("{show}/{label}/{command}")).collect::<Vec<_>>().join("\n"))
}

/// The side asked about: the side to move unless said.
pub(super) fn side(gtp: &Gtp, args: &[String]) -> Result<Color, String> {
    match args {
        [] => Ok(gtp.session.table().to_play()),
        [word] => color(word),
        _ => syntax("a colour or nothing"),
    }
}

/// A word for every point, top row first.
fn board(size: Size, word: impl Fn(Point) -> String) -> String {
    let row = |y| (0..size.n()).map(|x| word(size.point(x, y))).collect::<Vec<_>>().join(" ");
    size.rows_from_top().map(row).collect::<Vec<_>>().join("\n")
}

/// How GoGui writes a point without anything.
const NOTHING: &str = "\"\"";

fn board_of_moves(size: Size, report: &Report, word: impl Fn(&MoveStats) -> String) -> String {
    board(size, |p| report.of(p).filter(|m| m.is_known()).map_or(NOTHING.to_string(), &word))
}

// ---- the search

/// What the search thinks at a glance; nothing about a finished game.
fn report(gtp: &mut Gtp, args: &[String]) -> Result<Report, String> {
    let side = side(gtp, args)?;
    if gtp.session.table().is_over() {
        return Ok(Report { moves: Vec::new(), nodes: 0 });
    }
    Ok(gtp.session.glance(side).map(|thought| thought.report.clone())?)
}

/// Moves worth a label.
const BEST: usize = 10;

pub fn best_moves(gtp: &mut Gtp, args: &[String]) -> Reply {
    let report = report(gtp, args)?;
    let size = gtp.session.size();
    let best: Vec<&MoveStats> = report.moves.iter().filter(|m| m.is_known()).take(BEST).collect();
    let Some(first) = best.first() else { return Ok("TEXT there is nothing to search".into()) };
    let vertex = |m: &MoveStats| size.point_to_gtp(m.point);
    let mut lines = Vec::new();
    let on_board: Vec<&&MoveStats> = best.iter().filter(|m| !m.point.is_pass()).collect();
    if let Some(move_to_mark) = on_board.first().filter(|m| m.point == first.point) {
        lines.push(format!("COLOR green {}", vertex(move_to_mark)));
    }
    if !on_board.is_empty() {
        let labels = on_board.iter().map(|m| format!("{} {:.0}", vertex(m), 100.0 * m.rate));
        lines.push(format!("LABEL {}", labels.collect::<Vec<_>>().join(" ")));
    }
    let words = best.iter().take(4).map(|m| format!("{} {:.1} % in {}", vertex(m), 100.0 * m.rate, m.visits));
    lines.push(format!("TEXT {} of {} playouts", words.collect::<Vec<_>>().join(", "), report.visits()));
    Ok(lines.join("\n"))
}

pub fn win_rates(gtp: &mut Gtp, args: &[String]) -> Reply {
    let report = report(gtp, args)?;
    Ok(board_of_moves(gtp.session.size(), &report, |m| format!("{:.0}", 100.0 * m.rate)))
}

pub fn playouts(gtp: &mut Gtp, args: &[String]) -> Reply {
    let report = report(gtp, args)?;
    Ok(board_of_moves(gtp.session.size(), &report, |m| short(m.visits)))
}

pub fn allocation(gtp: &mut Gtp, args: &[String]) -> Reply {
    let report = report(gtp, args)?;
    let most = report.moves.iter().map(|m| m.visits).max().unwrap_or(0) as f64;
    Ok(board_of_moves(gtp.session.size(), &report, |m| paint::heat(paint::spread(m.visits as f64, most))))
}

pub fn principal_variation(gtp: &mut Gtp, args: &[String]) -> Reply {
    let report = report(gtp, args)?;
    let line = report.best().map(|m| m.pv.clone()).unwrap_or_default();
    Ok(gtp.session.size().points_to_gtp(line))
}

// ---- the position

pub fn ownership(gtp: &mut Gtp, _: &[String]) -> Reply {
    let ownership = gtp.session.ownership();
    Ok(board(gtp.session.size(), |p| format!("{:.2}", ownership[p.index()])))
}

fn painted_potential(gtp: &Gtp, side: Color, value: fn(&PotentialAt) -> f64, paint: fn(f64) -> paint::Paint) -> Reply {
    let size = gtp.session.size();
    let Some(values) = gtp.session.table().potential(side) else {
        return Ok(board(size, |_| NOTHING.to_string()));
    };
    let largest = values.iter().map(|v| value(v).abs()).fold(0.0, f64::max);
    let at = |p: Point| values.iter().find(|v| v.point == p).map_or(0.0, value);
    Ok(board(size, |p| paint(paint::spread(at(p), largest))))
}

pub fn potential(gtp: &mut Gtp, args: &[String]) -> Reply {
    painted_potential(gtp, side(gtp, args)?, |v| v.potential, paint::balance)
}

pub fn gradient(gtp: &mut Gtp, args: &[String]) -> Reply {
    painted_potential(gtp, side(gtp, args)?, |v| v.gradient, paint::heat)
}

pub fn filter(gtp: &mut Gtp, args: &[String]) -> Reply {
    let names = || Filter::all().map(|(name, _)| name).collect::<Vec<_>>();
    let [name, rest @ ..] = args else { return syntax(&format!("one of {}", names().join(", "))) };
    let found = Filter::all().find(|(known, _)| known == name);
    let Some((filter, keeps)) = found.and_then(|(name, keeps)| Some((Filter::from_name(name)?, keeps))) else {
        return Err(no_such("filter", name, &names()));
    };
    let side = side(gtp, rest)?;
    let (size, sieved) = (gtp.session.size(), gtp.session.sieve(side, filter));
    let mut lines = Vec::new();
    for (color, points) in [("green", &sieved.kept), ("red", &sieved.dropped)] {
        if !points.is_empty() {
            lines.push(format!("COLOR {color} {}", size.points_to_gtp(points.iter().copied())));
        }
    }
    let all = sieved.kept.len() + sieved.dropped.len();
    lines.push(format!("TEXT {name} keeps {} of {all} moves: {keeps}", sieved.kept.len()));
    Ok(lines.join("\n"))
}

pub fn reward(gtp: &mut Gtp, args: &[String]) -> Reply {
    let side = side(gtp, args)?;
    let (reward, survey) = gtp.session.reward(side);
    Ok(format!(
        "{} for {side}: by {} playouts the win rate is {:.3} and the mean reward {:.3}",
        reward.describe(),
        survey.playouts,
        survey.win_rate,
        survey.mean_reward
    ))
}
