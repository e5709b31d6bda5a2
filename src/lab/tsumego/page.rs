//! A solving run as one web page: the table and every problem's board with the right moves and the chosen ones.

use super::report::{Line, Mark, Report};
use super::solve::{Case, Framing, Run, Slot, Solving};
use crate::html::{self, Cell, escape};
use crate::picture::{self, Diagram};
use crate::tsumego::Problem;
use std::collections::{BTreeMap, HashMap};

/// Discs of moves that are right, and of others that were chosen.
pub(super) const RIGHT: &str = "#b7e3b0";
pub(super) const WRONG: &str = "#f4b6b0";

pub fn page(solving: &Solving, runs: &HashMap<Slot, Run>, report: &Report) -> String {
    let mut text = format!(
        "<header><h1>Tsumego</h1><p>moku {}, {} tries each, seed {}. O: right at every try, △: at some, X: at none.</p>\
         <p>On the boards: right moves green, others that were chosen red, with the number of searches that chose them; \
         pale stones are the frame. Letters and numbers are those of the file.</p></header>",
        escape(&report.code.to_string()),
        report.tries,
        report.seed
    );
    text += &table(report);
    for case in 0..solving.cases.len() {
        text += &section(solving, runs, report, case);
    }
    html::page("Tsumego", &text)
}

fn heading(report: &Report, column: usize) -> String {
    let column = &report.columns[column].column;
    let budget = column.playouts.map_or(String::new(), |n| format!(" {n}"));
    format!("{}{budget}", column.engine)
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::O => "solved",
        Mark::Some | Mark::Unfinished => "sometimes",
        Mark::X => "never",
    }
}

fn table(report: &Report) -> String {
    let mut head = ["problem", "goal", "level"].map(str::to_string).to_vec();
    head.extend((0..report.columns.len()).map(|i| heading(report, i)));
    let mut rows = Vec::new();
    for (i, row) in report.problems.iter().enumerate() {
        let link = format!("<a href=\"#p{i}\">{}</a>", escape(&row.name));
        let (goal, level) = (row.goal.unwrap_or(""), row.level.as_deref().unwrap_or(""));
        let mut cells = vec![Cell::html(link), Cell::text(goal), Cell::text(level)];
        if row.cells.is_empty() {
            cells.push(Cell { span: report.columns.len(), ..Cell::text("skipped") });
        }
        for cell in &row.cells {
            let share = if cell.mark == Mark::O { String::new() } else { format!(" {}/{}", cell.right, cell.tries) };
            cells.push(Cell::text(&format!("{}{share}", cell.mark.text())).class(class(cell.mark)));
        }
        rows.push(cells);
    }
    let sums: [Line; 3] = [
        ("O, △, X", |t| format!("{}, {}, {}", t.solved, t.some, t.none)),
        ("tries right", |t| format!("{}/{}", t.tries_right, t.tries)),
        ("seconds", |t| format!("{:.1}", t.seconds)),
    ];
    let foot = sums.map(|(name, value)| {
        let mut cells = vec![Cell { span: 3, ..Cell::text(name) }];
        cells.extend(report.columns.iter().map(|total| Cell::text(&value(total))));
        cells
    });
    html::table(&head, &rows, &foot)
}

/// A problem: its board and what each engine chose.
fn section(solving: &Solving, runs: &HashMap<Slot, Run>, report: &Report, case: usize) -> String {
    let (own, row) = (&solving.cases[case], &report.problems[case]);
    let mut chosen: BTreeMap<String, usize> = BTreeMap::new();
    for (_, run) in runs.iter().filter(|(slot, _)| slot.case == case) {
        *chosen.entry(run.chosen.clone()).or_insert(0) += 1;
    }
    let level = row.level.as_deref().map_or(String::new(), |level| format!(", level {level}"));
    let goal = row.goal.map_or(String::new(), |goal| format!(", {goal}"));
    let line = |(i, cell): (usize, &super::report::Cell)| {
        let instead: Vec<String> = cell.instead.iter().map(|(p, n)| format!("{p} {n}x")).collect();
        let instead = if instead.is_empty() { String::new() } else { format!("instead {}", instead.join(", ")) };
        vec![
            Cell::text(&heading(report, i)),
            Cell::text(cell.mark.text()).class(class(cell.mark)),
            Cell::text(&format!("{}/{}", cell.right, cell.tries)),
            Cell::text(&instead),
        ]
    };
    let lines: Vec<Vec<Cell>> = row.cells.iter().enumerate().map(line).collect();
    format!(
        "<section id=\"p{case}\"><h2>{}</h2><div class=\"problem\">{}<div><p>{} to play{}. Right: {}.</p>\
         <p class=\"setup\">{}</p>{}</div></div></section>\n",
        escape(&row.name),
        diagram(own, &chosen).to_html(),
        row.to_play,
        escape(&(goal + &level)),
        row.right.join(", "),
        escape(&row.note),
        html::table(&[], &lines, &[])
    )
}

/// The board that was searched: the frame paler than the problem, right moves green, chosen moves with the number of runs
/// that chose them.
fn diagram(case: &Case, chosen: &BTreeMap<String, usize>) -> Diagram {
    let problem = case.position().unwrap_or(&case.problem);
    let mut diagram = problem_diagram(problem);
    for (name, count) in chosen {
        let Some(p) = problem.size.point_from_gtp(name).filter(|p| !p.is_pass()) else { continue };
        diagram.marks.retain(|(q, _)| *q != p);
        let is_best = problem.right.contains(&p);
        let paint = if is_best { RIGHT } else { WRONG }.to_string();
        diagram.marks.push((p, picture::Mark::Disc { word: count.to_string(), paint, is_best }));
    }
    if let Framing::Framed(framed) = &case.framing {
        diagram.pale = framed.frame.iter().map(|stone| stone.0).collect();
    }
    diagram.coordinates = Some(file_coordinates(case));
    diagram
}

/// A problem with its right moves.
fn problem_diagram(problem: &Problem) -> Diagram {
    let right = |&p| (p, picture::Mark::Disc { word: String::new(), paint: RIGHT.to_string(), is_best: true });
    let marks = problem.right.iter().filter(|p| !p.is_pass()).map(right).collect();
    Diagram { marks, ..Diagram::new(problem.size, problem.stones.clone(), &problem.name) }
}

/// The file's own letters and numbers, where the file's board reaches.
fn file_coordinates(case: &Case) -> [Vec<String>; 2] {
    let size = case.position().unwrap_or(&case.problem).size;
    let (n, file) = (size.n(), case.problem.size);
    let letter = |x: usize| {
        let p = (0..n).find_map(|y| case.in_file(size.point(x, y)));
        p.map_or(String::new(), |p| file.column_letter(file.xy(p).0).to_string())
    };
    let number = |y: usize| {
        let p = (0..n).find_map(|x| case.in_file(size.point(x, y)));
        p.map_or(String::new(), |p| (file.xy(p).1 + 1).to_string())
    };
    [(0..n).map(letter).collect(), size.rows_from_top().map(number).collect()]
}
