//! What a search knows of every move, and how fast it is: KataGo's commands for those who look under the lid.

use super::Gtp;
use super::args::{color, one, syntax, vertex};
use super::commands::Reply;
use crate::base::{Point, Size};
use crate::search::Report;
use crate::session::{Analysis, Answer};
use std::fmt::Write;
use std::time::Instant;

/// A row for every move that something is known about, best first; `only` some of them if any are named.
fn table(size: Size, report: &Report, only: &[Point]) -> String {
    let mut text =
        format!("{:<5} {:>9} {:>7} {:>7} {:>7}  {}", "move", "playouts", "win %", "lcb %", "prior %", "expects");
    for stats in report.moves.iter().filter(|m| m.is_known() && (only.is_empty() || only.contains(&m.point))) {
        let percent = |x: f32| 100.0 * x;
        let _ = write!(
            text,
            "\n{:<5} {:>9} {:>7.2} {:>7.2} {:>7.2}  {}",
            size.point_to_gtp(stats.point),
            stats.visits,
            percent(stats.rate),
            percent(stats.lower_bound()),
            percent(report.prior(stats)),
            size.points_to_gtp(stats.pv.iter().copied())
        );
    }
    text
}

/// `debug_moves`: what is known about the moves of the side to play, at a glance.
pub fn moves(gtp: &mut Gtp, args: &[String]) -> Reply {
    let size = gtp.session.size();
    let mut only = Vec::new();
    for word in args {
        if word == "rawstats" {
            return Err("rawstats are of a network, and there is none".to_string());
        }
        only.push(vertex(size, word)?);
    }
    let color = gtp.session.table().to_play();
    Ok(table(size, &gtp.session.glance(color)?.report, &only))
}

/// `kata-search_debug` and `genmove_debug`: the move, and the table on standard error.
pub fn search(gtp: &mut Gtp, args: &[String], plays: bool) -> Reply {
    let color = color(one(args, "a colour")?)?;
    let size = gtp.session.size();
    let began = Instant::now();
    let mut watch = gtp.watch(color);
    let thought = gtp.session.think(color, None, &mut watch)?;
    drop(watch);
    eprintln!("{}", table(size, &thought.report, &[]));
    let answer = match plays {
        true => gtp.session.decide(color, thought, began)?,
        false => Answer::Play(thought.point),
    };
    Ok(match answer {
        Answer::Play(point) => size.point_to_gtp(point),
        Answer::Resign => "resign".to_string(),
    })
}

/// More playouts than a minute has.
const MOST_PLAYOUTS: u64 = 100_000_000;

/// `kata-benchmark`: so many playouts from here with the engine in force, and how long they took.
pub fn benchmark(gtp: &mut Gtp, args: &[String]) -> Reply {
    let playouts = one(args, "a number of playouts")?.parse::<u64>().ok().filter(|n| (1..=MOST_PLAYOUTS).contains(n));
    let Some(playouts) = playouts else { return syntax("a number of playouts from 1 to 100000000") };
    let color = gtp.session.table().to_play();
    gtp.session.forget();
    let mut watch = gtp.watch(color);
    let analysis = Analysis { visits: Some(playouts), leaves_no_trace: true, ..Analysis::default() };
    let began = Instant::now();
    let thought = gtp.session.analyze(color, analysis, &mut watch)?;
    let seconds = began.elapsed().as_secs_f64();
    Ok(format!(
        "{} playouts in {seconds:.3} s, {:.0} a second, {} nodes, {} threads: {}",
        thought.playouts,
        thought.playouts as f64 / seconds.max(1e-9),
        thought.report.nodes,
        gtp.session.threads(),
        gtp.session.engine()
    ))
}
