//! A proving run as one web page that needs nothing from outside: a table, and for every problem its board with the moves
//! that work and those that fail. A click on a move plays the line that shows it.

use super::page::{RIGHT, WRONG};
use super::prove::{Proof, Proving, summary};
use crate::base::Point;
use crate::game::go::SlowBoard;
use crate::html::{self, Cell, escape};
use crate::picture::{self, Diagram};
use crate::tsumego::Problem;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

const SCRIPT: &str = include_str!("lines.js");
const STYLE: &str = "<style>.moves{list-style:none;padding:0;margin:.5rem 0}.moves button,.steps button{font:inherit;\
    color:inherit;background:none;border:1px solid var(--faint);border-radius:6px;padding:.1rem .6rem;margin:.12rem 0;\
    cursor:pointer;text-align:left}.moves button[aria-pressed=true]{border-color:var(--accent);\
    box-shadow:0 0 0 1px var(--accent)}.moves .good b{color:var(--good)}.moves .bad b{color:var(--bad)}\
    .steps button:disabled{opacity:.35;cursor:default}.hits{cursor:pointer}td{white-space:normal}\
    @media print{.steps{display:none}section{break-inside:avoid}}</style>";
/// The disc of a move that was not decided.
const OPEN: &str = "#d9d4c7";

/// A page with every problem.
pub fn proofs(proving: &Proving, proofs: &BTreeMap<usize, Proof>) -> String {
    let all: Vec<&Proof> = proofs.values().collect();
    let summary = summary(&all);
    let (first, rest) = summary.split_once('\n').unwrap_or((&summary, ""));
    let mut text = format!(
        "{STYLE}<header><h1>Problems, proven</h1><p>{}</p>{}<p>On the boards: moves that work are green, moves that fail \
         red, those not decided grey; a ring marks the file's answer. Choose a move, on the board or beside it, to see \
         the line that shows it.</p></header>",
        escape(first),
        html::list("notes", &rest.lines().map(|line| line.trim().to_string()).collect::<Vec<_>>())
    );
    let rows: Vec<Vec<Cell>> = proofs.iter().map(|(i, proof)| row(*i, proof)).collect();
    let head = ["problem", "verdict", "answers", "the file's", "is", "seconds"].map(str::to_string);
    text += &html::table(&head, &rows, &[]);
    for (&i, proof) in proofs {
        text += &section(i, &proving.problems[i], proof);
    }
    let _ = write!(text, "<script>{SCRIPT}</script>");
    html::page("Problems, proven", &text)
}

fn row(i: usize, proof: &Proof) -> Vec<Cell> {
    let kind = proof.on_file.kind.map_or("", |kind| kind.words());
    vec![
        Cell::html(format!("<a href=\"#p{i}\">{}</a>", escape(&proof.name))),
        Cell::text(&proof.says),
        Cell::text(&proof.accepted.join(" ")),
        Cell::text(&proof.file_right.join(" ")),
        Cell::text(kind).class(if kind.starts_with("confirmed") { "good" } else { "" }),
        Cell::text(&format!("{:.2}", proof.seconds)),
    ]
}

fn section(i: usize, problem: &Problem, proof: &Proof) -> String {
    let lines: Vec<(&Vec<String>, bool)> =
        proof.working.iter().map(|line| (line, true)).chain(proof.refuted.iter().map(|line| (line, false))).collect();
    let played: Vec<Value> = lines.iter().map(|(line, _)| moves(problem, line)).collect();
    let mut buttons = String::new();
    for (n, (line, works)) in lines.iter().enumerate() {
        let (class, word) = if *works { ("good", "works") } else { ("bad", "fails") };
        let name = line.first().map_or("", String::as_str);
        let by_file = match () {
            _ if proof.file_right.iter().any(|p| p == name) => ", right in the file",
            _ if proof.file_wrong.iter().any(|p| p == name) => ", wrong in the file",
            _ => "",
        };
        let rest = if line.len() > 1 { format!(": {}", line[1..].join(" ")) } else { String::new() };
        let _ = write!(
            buttons,
            "<li><button type=\"button\" data-line=\"{n}\" class=\"{class}\"><b>{}</b> {word}{by_file}{}</button></li>",
            escape(name),
            escape(&rest)
        );
    }
    let steps = "<p class=\"steps\"><button type=\"button\" title=\"to the problem\">|&lt;</button> \
         <button type=\"button\" title=\"a move back\">&lt;</button> <button type=\"button\" title=\"a move on\">&gt;</button> \
         <button type=\"button\" title=\"to the end\">&gt;|</button> <output></output></p>";
    let steps = if lines.is_empty() { "" } else { steps };
    let data = if lines.is_empty() { String::new() } else { escape(&json!(played).to_string()) };
    let data = if data.is_empty() { data } else { format!(" data-lines=\"{data}\"") };
    format!(
        "<section id=\"p{i}\"{data}><h2>{}</h2><div class=\"problem\">{}<div><p>{}</p>{}{steps}<ul class=\"moves\">{buttons}</ul>\
         </div></div></section>\n",
        escape(&proof.name),
        diagram(problem, proof).to_html(),
        escape(proof.text().lines().next().unwrap_or_default()),
        html::list("notes", &proof.on_file.differences)
    )
}

/// A line's moves: column, row from the top, colour, and what it takes; a move elsewhere has no place.
fn moves(problem: &Problem, line: &[String]) -> Value {
    let size = problem.size;
    let place = |p: Point| [size.xy(p).0, size.n() - 1 - size.xy(p).1];
    let mut board = SlowBoard::new(size);
    problem.stones.iter().for_each(|&(p, color)| board.set(p, Some(color)));
    board.to_play = problem.to_play;
    let mut moves = Vec::new();
    for name in line {
        let Some(p) = size.point_from_gtp(name) else { break };
        let color = board.to_play.index();
        // A ko may be retaken with a threat.
        board.ko = None;
        let Some(next) = board.after(p) else { break };
        let is_taken = |q: &Point| *q != p && board.at(*q).is_some() && next.at(*q).is_none();
        let taken: Vec<[usize; 2]> = size.points().filter(is_taken).map(place).collect();
        moves.push(match p.is_pass() {
            true => json!([-1, -1, color, []]),
            false => json!([place(p)[0], place(p)[1], color, taken]),
        });
        board = next;
    }
    json!(moves)
}

/// The problem with every first move that was looked at.
fn diagram(problem: &Problem, proof: &Proof) -> Diagram {
    let mut marks = Vec::new();
    let refuted = proof.refuted.iter().filter_map(|line| line.first());
    let kinds = proof.accepted.iter().map(|name| (name, RIGHT)).chain(refuted.map(|name| (name, WRONG)));
    for (name, paint) in kinds.chain(proof.open.iter().map(|name| (name, OPEN))) {
        let Some(p) = problem.size.point_from_gtp(name).filter(|p| !p.is_pass()) else { continue };
        let (paint, is_best) = (paint.to_string(), problem.right.contains(&p));
        marks.push((p, picture::Mark::Disc { word: String::new(), paint, is_best }));
    }
    Diagram { marks, ..Diagram::new(problem.size, problem.stones.clone(), &problem.name) }
}
