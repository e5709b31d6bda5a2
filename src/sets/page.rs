//! A solving run as one web page: the table and every problem's board with the right moves and the chosen ones.

use super::report::{Mark, Report, Total};
use super::solve::{Board, Plan, Run, Slot, Task};
use crate::base::{Black, Point, Size};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Pixels between lines.
const STEP: usize = 22;
const MARGIN: usize = 22;

const STYLE: &str = "body{font:15px/1.4 system-ui,sans-serif;margin:2em;color:#222}
table{border-collapse:collapse;margin:1em 0}th,td{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:left}
thead th{position:sticky;top:0;background:#fff}td.O{background:#d7f0d7}td.S{background:#fdf3cd}td.X{background:#f7d9d9}
tfoot td{font-weight:600}section{display:flex;gap:1.5em;flex-wrap:wrap;align-items:flex-start;margin:2em 0;
border-top:1px solid #ddd;padding-top:1em}svg{max-width:100%;height:auto}.note{color:#555;max-width:34em}
@media(max-width:45em){body{margin:1em}.wide{overflow-x:auto}}";

/// Text as it may stand in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

pub fn page(plan: &Plan, runs: &HashMap<Slot, Run>, report: &Report) -> String {
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tsumego</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n<h1>Tsumego</h1>\n\
         <p>moku {}, {} tries each, seed {}. O: right at every try, △: at some, X: at none.</p>\n\
         <p class=\"note\">On the boards: right moves green, others that were chosen red, with the number of searches that \
         chose them; pale stones are the frame. Letters and numbers are those of the file.</p>\n",
        report.moku, report.tries, report.seed
    );
    text += &table(report);
    for task in 0..plan.tasks.len() {
        text += &section(plan, runs, report, task);
    }
    text + "</body></html>\n"
}

fn heading(report: &Report, column: usize) -> String {
    let column = &report.columns[column].column;
    let budget = column.playouts.map_or(String::new(), |n| format!(" {n}"));
    escape(&format!("{}{budget}", column.engine))
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::O => "O",
        Mark::Some | Mark::Unfinished => "S",
        Mark::X => "X",
    }
}

fn table(report: &Report) -> String {
    let heads: String = (0..report.columns.len()).map(|i| format!("<th>{}</th>", heading(report, i))).collect();
    let mut text = format!(
        "<div class=\"wide\"><table><thead><tr><th>problem</th><th>goal</th><th>level</th>{heads}</tr></thead><tbody>\n"
    );
    for (i, row) in report.problems.iter().enumerate() {
        let name = escape(&row.name);
        let (goal, level) = (row.goal.unwrap_or(""), escape(row.level.as_deref().unwrap_or("")));
        let _ = write!(text, "<tr><td><a href=\"#p{i}\">{name}</a></td><td>{goal}</td><td>{level}</td>");
        if row.cells.is_empty() {
            let _ = write!(text, "<td colspan=\"{}\">skipped</td>", report.columns.len());
        }
        for cell in &row.cells {
            let share = if cell.mark == Mark::O { String::new() } else { format!(" {}/{}", cell.right, cell.tries) };
            let _ = write!(text, "<td class=\"{}\">{}{share}</td>", class(cell.mark), cell.mark.text());
        }
        text += "</tr>\n";
    }
    text += "</tbody><tfoot>";
    for (name, value) in [
        ("O, △, X", (|t| format!("{}, {}, {}", t.solved, t.some, t.none)) as fn(&Total) -> String),
        ("tries right", |t| format!("{}/{}", t.tries_right, t.tries)),
        ("seconds", |t| format!("{:.1}", t.seconds)),
    ] {
        let cells: String = report.columns.iter().map(|total| format!("<td>{}</td>", value(total))).collect();
        let _ = write!(text, "<tr><td>{name}</td><td></td><td></td>{cells}</tr>");
    }
    text + "</tfoot></table></div>\n"
}

/// A problem: its board and what each engine chose.
fn section(plan: &Plan, runs: &HashMap<Slot, Run>, report: &Report, task: usize) -> String {
    let (own, row) = (&plan.tasks[task], &report.problems[task]);
    let mut chosen: BTreeMap<String, usize> = BTreeMap::new();
    for (_, run) in runs.iter().filter(|(slot, _)| slot.task == task) {
        *chosen.entry(run.chosen.clone()).or_insert(0) += 1;
    }
    let level = row.level.as_deref().map_or(String::new(), |level| format!(", level {level}"));
    let goal = row.goal.map_or(String::new(), |goal| format!(", {goal}"));
    let mut text = format!(
        "<section id=\"p{task}\">{}<div><h2>{}</h2><p>{} to play{goal}{}. Right: {}.</p><p class=\"note\">{}</p>",
        diagram(own, &chosen),
        escape(&row.name),
        row.to_play,
        escape(&level),
        row.right.join(", "),
        escape(&row.note)
    );
    if !row.cells.is_empty() {
        text += "<table><tbody>";
        for (i, cell) in row.cells.iter().enumerate() {
            let instead: Vec<String> = cell.instead.iter().map(|(p, n)| format!("{p} {n}x")).collect();
            let instead = if instead.is_empty() { String::new() } else { format!("instead {}", instead.join(", ")) };
            let (mark, head) = (cell.mark.text(), heading(report, i));
            let right = format!("{}/{}", cell.right, cell.tries);
            let _ = write!(
                text,
                "<tr><td>{head}</td><td class=\"{}\">{mark}</td><td>{right}</td><td>{}</td></tr>",
                class(cell.mark),
                escape(&instead)
            );
        }
        text += "</tbody></table>";
    }
    text + "</div></section>\n"
}

/// The board that was searched: the frame paler than the problem, right moves ringed in green, chosen moves with the
/// number of runs that chose them.
fn diagram(task: &Task, chosen: &BTreeMap<String, usize>) -> String {
    let problem = task.position().unwrap_or(&task.problem);
    let size = problem.size;
    let n = size.n();
    let side = 2 * MARGIN + STEP * (n - 1);
    let at = |p: Point| {
        let (x, y) = size.xy(p);
        (MARGIN + STEP * x, MARGIN + STEP * (n - 1 - y))
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{side}\" height=\"{side}\" \
         font-family=\"sans-serif\" font-size=\"10\" text-anchor=\"middle\">\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#e8c583\"/>"
    );
    svg += &grid(task, size);
    let is_frame = |p: Point| match &task.board {
        Board::Framed(framed) => framed.frame.iter().any(|stone| stone.0 == p),
        _ => false,
    };
    for &(p, color) in &problem.stones {
        let (x, y) = at(p);
        let fill = if color == Black { "#111" } else { "#fff" };
        let opacity = if is_frame(p) { " opacity=\".45\"" } else { "" };
        let radius = STEP / 2 - 1;
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#111\"{opacity}/>");
    }
    for &p in problem.right.iter().filter(|p| !p.is_pass()) {
        let (x, y) = at(p);
        let _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"#b7e3b0\" stroke=\"#1b7a1b\" stroke-width=\"2\"/>"
        );
    }
    for (name, count) in chosen {
        let Some(p) = size.point_from_gtp(name).filter(|p| !p.is_pass()) else { continue };
        let (x, y) = at(p);
        if !problem.right.contains(&p) {
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"#f4b6b0\" stroke=\"#a22\"/>");
        }
        let _ = write!(svg, "<text x=\"{x}\" y=\"{}\">{count}</text>", y + 4);
    }
    svg + "</svg>"
}

/// Lines with the file's own letters and numbers, where the file's board reaches.
fn grid(task: &Task, size: Size) -> String {
    let n = size.n();
    let (low, high) = (MARGIN, MARGIN + STEP * (n - 1));
    let file = task.problem.size;
    let mut path = String::new();
    let mut labels = String::new();
    for i in 0..n {
        let at = MARGIN + STEP * i;
        let _ = write!(path, "M{at} {low}V{high}M{low} {at}H{high}");
        if let Some((x, _)) = (0..n).find_map(|y| task.in_file(size.point(i, y))).map(|p| file.xy(p)) {
            let _ = write!(labels, "<text x=\"{at}\" y=\"{}\">{}</text>", high + 19, file.column_letter(x));
        }
        if let Some((_, y)) = (0..n).find_map(|x| task.in_file(size.point(x, n - 1 - i))).map(|p| file.xy(p)) {
            let _ = write!(labels, "<text x=\"8\" y=\"{}\">{}</text>", at + 4, y + 1);
        }
    }
    format!("<path d=\"{path}\" stroke=\"#555\" fill=\"none\"/>{labels}")
}
