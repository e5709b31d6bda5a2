//! What came out, in the form of Table 5: O for a problem solved at every try, △ at some, X at none.

use super::solve::{Column, Framing, Run, Slot, Solving};
use crate::lab::code::Code;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

#[derive(Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub code: Code,
    pub seed: u64,
    pub tries: usize,
    pub columns: Vec<Total>,
    pub problems: Vec<Row>,
}

/// One problem.
#[derive(Serialize)]
pub struct Row {
    pub name: String,
    pub file: String,
    pub number: usize,
    pub to_play: String,
    pub goal: Option<&'static str>,
    pub level: Option<String>,
    /// Right first moves in the file's coordinates.
    pub right: Vec<String>,
    /// Lines of the board that was searched; None if it was not.
    pub board: Option<usize>,
    /// How the frame decides the game, or why the problem was skipped.
    pub note: String,
    /// One for each column; none if the problem was skipped.
    pub cells: Vec<Cell>,
}

/// A problem and an engine with a budget.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct Cell {
    pub mark: Mark,
    pub right: usize,
    pub tries: usize,
    /// Moves chosen that are not right, in the file's coordinates, with how often.
    pub instead: BTreeMap<String, usize>,
    pub seconds: f64,
}

#[derive(Serialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Right at every try.
    O,
    #[serde(rename = "△")]
    Some,
    X,
    /// Stopped before all tries were made.
    #[serde(rename = "…")]
    Unfinished,
}

impl Mark {
    pub fn text(self) -> &'static str {
        match self {
            Mark::O => "O",
            Mark::Some => "△",
            Mark::X => "X",
            Mark::Unfinished => "…",
        }
    }
}

/// A column as a whole.
#[derive(Serialize)]
pub struct Total {
    #[serde(flatten)]
    pub column: Column,
    pub solved: usize,
    pub some: usize,
    pub none: usize,
    pub unfinished: usize,
    pub tries_right: usize,
    pub tries: usize,
    pub seconds: f64,
}

/// A line below the table: its name, and what it says of a column.
pub type Line = (&'static str, fn(&Total) -> String);

/// A move that is not on the file's board.
const OUTSIDE: &str = "outside";

impl Report {
    pub fn new(solving: &Solving, runs: &HashMap<Slot, Run>) -> Report {
        let problems: Vec<Row> = (0..solving.cases.len()).map(|case| row(solving, runs, case)).collect();
        let total = |(i, column): (usize, &Column)| {
            let cells: Vec<&Cell> = problems.iter().filter_map(|row| row.cells.get(i)).collect();
            let count = |mark: Mark| cells.iter().filter(|cell| cell.mark == mark).count();
            Total {
                column: column.clone(),
                solved: count(Mark::O),
                some: count(Mark::Some),
                none: count(Mark::X),
                unfinished: count(Mark::Unfinished),
                tries_right: cells.iter().map(|cell| cell.right).sum(),
                tries: cells.iter().map(|cell| cell.tries).sum(),
                seconds: cells.iter().fold(0.0, |sum, cell| sum + cell.seconds),
            }
        };
        let columns = solving.columns.iter().enumerate().map(total).collect();
        Report { code: Code::own(), seed: solving.seed, tries: solving.tries, columns, problems }
    }

    pub fn to_json(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|e| e.to_string())
    }
}

fn row(solving: &Solving, runs: &HashMap<Slot, Run>, case: usize) -> Row {
    let own = &solving.cases[case];
    let problem = &own.problem;
    let cells = match own.framing {
        Framing::Skipped(_) => Vec::new(),
        _ => (0..solving.columns.len()).map(|column| cell(solving, runs, case, column)).collect(),
    };
    Row {
        name: problem.name.clone(),
        file: problem.path.display().to_string(),
        number: problem.number,
        to_play: problem.to_play.to_string(),
        goal: problem.goal.map(|goal| goal.name()),
        level: problem.level.clone(),
        right: problem.right.iter().map(|&p| problem.size.point_to_gtp(p)).collect(),
        board: own.position().map(|position| position.size.n()),
        note: match &own.framing {
            Framing::Framed(framed) => framed.explanation(),
            Framing::AsIs => String::new(),
            Framing::Skipped(reason) => reason.clone(),
        },
        cells,
    }
}

fn cell(solving: &Solving, runs: &HashMap<Slot, Run>, case: usize, column: usize) -> Cell {
    let own: Vec<&Run> =
        (0..solving.tries).filter_map(|try_number| runs.get(&Slot { case, column, try_number })).collect();
    let right = own.iter().filter(|run| run.right).count();
    let mut instead = BTreeMap::new();
    for run in own.iter().filter(|run| !run.right) {
        *instead.entry(run.in_file.clone().unwrap_or_else(|| OUTSIDE.to_string())).or_insert(0) += 1;
    }
    let mark = match right {
        _ if own.len() < solving.tries => Mark::Unfinished,
        0 => Mark::X,
        n if n == solving.tries => Mark::O,
        _ => Mark::Some,
    };
    Cell { mark, right, tries: own.len(), instead, seconds: own.iter().map(|run| run.seconds).sum() }
}

impl Total {
    fn heading(&self) -> [String; 2] {
        let engine = self.column.engine.clone();
        [engine, self.column.playouts.map_or("own budget".to_string(), |n| n.to_string())]
    }
}

/// Blanks after a text up to a width, counted in letters.
fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.chars().count())))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let headings: Vec<[String; 2]> = self.columns.iter().map(Total::heading).collect();
        let same = |i: usize| i > 0 && headings[i][0] == headings[i - 1][0];
        let count = |text: &str| text.chars().count();
        let widths: Vec<usize> = (0..headings.len())
            .map(|i| {
                if same(i) { count(&headings[i][1]) } else { count(&headings[i][0]).max(count(&headings[i][1])) }.max(7)
            })
            .collect();
        let right = |row: &Row| row.right.join(" ");
        let name_width = self.problems.iter().map(|row| count(&row.name)).max().unwrap_or(0).max(13);
        let right_width = self.problems.iter().map(|row| count(&right(row))).max().unwrap_or(0).max(5);
        let mut line = |name: &str, goal: &str, right: &str, cells: Vec<String>| {
            let cells: Vec<String> = cells.iter().zip(&widths).map(|(cell, &width)| pad(cell, width)).collect();
            let text = format!(
                "{}  {}  {}  {}",
                pad(name, name_width),
                pad(goal, 4),
                pad(right, right_width),
                cells.join("  ")
            );
            writeln!(f, "{}", text.trim_end())
        };
        let engines = (0..headings.len()).map(|i| if same(i) { String::new() } else { headings[i][0].clone() });
        line("", "", "", engines.collect())?;
        line("problem", "goal", "right", headings.iter().map(|heading| heading[1].clone()).collect())?;
        for row in &self.problems {
            let cell = |cell: &Cell| match cell.mark {
                Mark::O | Mark::X => cell.mark.text().to_string(),
                _ => format!("{} {}/{}", cell.mark.text(), cell.right, cell.tries),
            };
            let cells =
                if row.cells.is_empty() { vec!["skipped".to_string()] } else { row.cells.iter().map(cell).collect() };
            line(&row.name, row.goal.unwrap_or(""), &right(row), cells)?;
        }
        let totals: [Line; 5] = [
            ("O (solved)", |total| total.solved.to_string()),
            ("△ (sometimes)", |total| total.some.to_string()),
            ("X (never)", |total| total.none.to_string()),
            ("tries right", |total| format!("{}/{}", total.tries_right, total.tries)),
            ("seconds", |total| format!("{:.1}", total.seconds)),
        ];
        for (name, value) in totals {
            line(name, "", "", self.columns.iter().map(value).collect())?;
        }
        self.write_instead(f)?;
        self.write_skipped(f)?;
        write!(f, "\n{} tries each, seed {}, moku {}", self.tries, self.seed, self.code)
    }
}

impl Report {
    fn write_instead(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut first = true;
        for row in &self.problems {
            for (cell, total) in row.cells.iter().zip(&self.columns).filter(|(cell, _)| !cell.instead.is_empty()) {
                if first {
                    writeln!(f, "\nchosen instead:")?;
                    first = false;
                }
                let moves: Vec<String> = cell.instead.iter().map(|(p, n)| format!("{p} ({n}x)")).collect();
                let [engine, budget] = total.heading();
                writeln!(f, "  {}, {engine} {budget}: {}", row.name, moves.join(", "))?;
            }
        }
        Ok(())
    }

    fn write_skipped(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let skipped: Vec<&Row> = self.problems.iter().filter(|row| row.cells.is_empty()).collect();
        if !skipped.is_empty() {
            writeln!(f, "\nskipped:")?;
        }
        skipped.into_iter().try_for_each(|row| writeln!(f, "  {}: {}", row.name, row.note))
    }
}
