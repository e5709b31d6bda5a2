//! A review as one page: a graph, the worst moves with boards, and every move.

use super::{Judged, LARGE, Review, text};
use crate::base::{Color, Point};
use crate::html::{self, Cell, escape};
use crate::picture::{Mark, Picture};
use crate::session::{Options, Session};
use std::fmt::Write;

/// Worst moves that get a board.
const BOARDS: usize = 12;
/// Moves of moku's line that are numbered on it.
const NUMBERED: usize = 7;
const WIDTH: f32 = 1000.0;
const HEIGHT: f32 = 220.0;

pub fn page(review: &Review, title: &str) -> Result<String, String> {
    let names = |i: usize, other: &str| review.record.players[i].clone().unwrap_or_else(|| other.to_string());
    let mut out = format!(
        "<h1>{0}</h1>\n<p>{1} (Black) and {2} (White){3}</p>\n",
        escape(title),
        escape(&names(0, "Black")),
        escape(&names(1, "White")),
        review.record.result.as_ref().map_or_else(String::new, |result| format!(", {}", escape(result)))
    );
    for color in ['B', 'W'] {
        let _ = writeln!(out, "<p>{}</p>", escape(&text::side(review, color)));
    }
    let _ = writeln!(
        out,
        "<p class=\"setup\">moku {}, {} playouts for each position: {}</p>\n<h2>Black's win rate</h2>\n{}",
        review.moku,
        review.playouts,
        escape(&review.engine),
        graph(review)
    );
    let worst = review.worst(BOARDS);
    out += "<h2>The worst moves first</h2>\n";
    if worst.is_empty() {
        out += "<p>No move lost much.</p>\n";
    }
    out += "<div class=\"boards\">\n";
    for m in worst {
        let svg = board(review, m)?;
        let _ = writeln!(
            out,
            "<figure id=\"m{0}\">{svg}<figcaption><b>Move {0}, {1}</b>. {2}</figcaption></figure>",
            m.number,
            escape(&m.played),
            escape(&text::sentence(m))
        );
    }
    out += "</div>\n<h2>Every move</h2>\n";
    let head = ["", "Move", "Before", "After", "Loss", "moku", "Line"].map(str::to_string);
    let percent = |rate: f32| Cell::text(&format!("{:.1}", 100.0 * rate)).class("n");
    let row = |m: &Judged| {
        vec![
            Cell::text(&m.number.to_string()).class("n"),
            Cell::text(&format!("{} {}", m.color, m.played)),
            percent(m.before),
            percent(m.after),
            percent(m.loss).class(if m.loss >= LARGE { "n bad" } else { "n" }),
            Cell::text(m.best.as_deref().unwrap_or("")),
            Cell::text(&m.line.join(" ")),
        ]
    };
    let rows: Vec<Vec<Cell>> = review.moves.iter().map(row).collect();
    Ok(html::page(title, &(out + &html::table(&head, &rows, &[]))))
}

/// Black's win rate over the moves, mistakes marked.
fn graph(review: &Review) -> String {
    let rates = review.rates();
    let last = rates.len().saturating_sub(1).max(1) as f32;
    let x = |i: usize| 40.0 + i as f32 / last * (WIDTH - 50.0);
    let y = |rate: f32| 10.0 + (1.0 - rate) * (HEIGHT - 30.0);
    let line = |rate: f32, class: &str| {
        format!("<line class=\"{class}\" x1=\"40\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>", WIDTH - 10.0, y = y(rate))
    };
    let points: Vec<String> = rates
        .iter()
        .enumerate()
        .filter_map(|(i, rate)| rate.map(|rate| format!("{:.1},{:.1}", x(i), y(rate))))
        .collect();
    let mut out = format!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Black's win rate over the moves\">\
         {}{}{}<text x=\"0\" y=\"18\">100 %</text><text x=\"0\" y=\"{:.0}\">50 %</text><text x=\"0\" y=\"{:.0}\">0 %</text>\
         <polyline points=\"{}\"/>",
        line(1.0, ""),
        line(0.5, "middle"),
        line(0.0, ""),
        y(0.5) + 4.0,
        y(0.0),
        points.join(" ")
    );
    for m in review.moves.iter().filter(|m| m.loss >= LARGE) {
        let _ = write!(
            out,
            "<a href=\"#m{0}\"><circle cx=\"{1:.1}\" cy=\"{2:.1}\" r=\"5\"><title>move {0}</title></circle></a>",
            m.number,
            x(m.number),
            y(m.black)
        );
    }
    out + "</svg>"
}

/// The position before a move: the move that was played, and moku's line.
pub fn board(review: &Review, m: &Judged) -> Result<String, String> {
    let record = review.record.before_move(m.number);
    let options = Options { kind: record.kind, size: record.size.n(), threads: 1, ..Options::default() };
    let mut session = Session::new(options)?;
    session.load(&record)?;
    let size = record.size;
    let mut picture = Picture::of(&session);
    let mut color = if m.color == 'B' { Color::Black } else { Color::White };
    let mut taken: Vec<Point> = Vec::new();
    for (i, vertex) in m.line.iter().take(NUMBERED).enumerate() {
        if let Some(p) = size.point_from_gtp(vertex).filter(|p| !p.is_pass() && !taken.contains(p)) {
            taken.push(p);
            picture.add_numbered(p, color, i + 1);
        }
        color = color.opponent();
    }
    if let Some(p) = size.point_from_gtp(&m.played).filter(|p| !p.is_pass()) {
        picture.mark(p, Mark::Dropped);
    }
    Ok(picture.diagram().to_html())
}
