//! What an experiment's results show, apart from how it is printed: tables, plots, boards and notes.

use crate::picture::Diagram;
use serde::Serialize;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Section {
    pub tables: Vec<ResultTable>,
    pub plots: Vec<Plot>,
    pub boards: Vec<Diagram>,
    pub notes: Vec<String>,
    /// Rates as numbers, for machines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<serde_json::Value>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct ResultTable {
    pub title: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Axis {
    pub name: String,
    pub log: bool,
    pub reverse: bool,
    /// The least range that is shown.
    pub range: Option<(f64, f64)>,
    /// Words in the place of the numbers 0, 1 and so on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Series {
    pub name: String,
    pub style: Style,
    /// Series with the same number have the same colour.
    pub color: usize,
    pub points: Vec<Dot>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// Dots with whiskers on a line.
    Measured,
    /// Open circles on a dashed line.
    Published,
    Line,
    Dashed,
    Bars,
    /// One under the other, with intervals from left to right.
    Forest,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Dot {
    pub x: f64,
    pub y: f64,
    pub interval: Option<(f64, f64)>,
}

impl ResultTable {
    pub fn new(title: &str, head: &[&str]) -> ResultTable {
        ResultTable {
            title: title.to_string(),
            head: head.iter().map(|name| name.to_string()).collect(),
            rows: Vec::new(),
        }
    }
}

impl Dot {
    pub fn new(x: f64, y: f64) -> Dot {
        Dot { x, y, interval: None }
    }
}

impl Axis {
    pub fn new(name: &str) -> Axis {
        Axis { name: name.to_string(), ..Axis::default() }
    }

    pub fn log(self, log: bool) -> Axis {
        Axis { log, ..self }
    }

    pub fn range(self, from: f64, to: f64) -> Axis {
        Axis { range: Some((from, to)), ..self }
    }
}

impl ResultTable {
    /// Columns without a single entry are not worth their place.
    pub fn without_empty_columns(&self) -> ResultTable {
        let used =
            |i: &usize| self.rows.is_empty() || self.rows.iter().any(|row| row.get(*i).is_some_and(|c| !c.is_empty()));
        let kept: Vec<usize> = (0..self.head.len()).filter(used).collect();
        let pick = |line: &Vec<String>| kept.iter().map(|&i| line.get(i).cloned().unwrap_or_default()).collect();
        ResultTable { title: self.title.clone(), head: pick(&self.head), rows: self.rows.iter().map(pick).collect() }
    }
}

/// Columns as wide as they need to be; numbers to the right.
impl std::fmt::Display for ResultTable {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let table = self.without_empty_columns();
        table.write(f)
    }
}

impl ResultTable {
    fn write(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let width =
            |i: usize| lines().filter_map(|line| line.get(i)).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let is_number = |i: usize| {
            let starts = |cell: &String| cell.is_empty() || cell.starts_with(|c: char| "+-−0123456789".contains(c));
            self.rows.iter().filter_map(|row| row.get(i)).all(starts)
        };
        if !self.title.is_empty() {
            writeln!(f, "{}", self.title)?;
        }
        for line in lines() {
            let mut text = String::new();
            for (i, cell) in line.iter().enumerate() {
                let space = " ".repeat(width(i).saturating_sub(cell.chars().count()));
                let cell = if is_number(i) { format!("{space}{cell}") } else { format!("{cell}{space}") };
                text += &format!("  {cell}");
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}
