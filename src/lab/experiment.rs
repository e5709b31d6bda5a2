//! What an experiment is: a description in TOML, the built-in ones and users' own in the same form.
//!
//! A file is a paper with a list of experiments. An experiment has a kind (what one trial does), players as engine lines,
//! a board, and a table of rows. A row's cells stand in for `{column}` in the players' lines; `words` says what a cell's
//! text means there. Columns named like a setting (`size`, `komi`, `handicap`, `openings`, `games`) change it for the row,
//! and `published` columns hold what the paper printed.

use super::ablation;
use super::arena::Setting;
use super::claims::Claim;
use crate::base::{GameKind, Point, Size};
use crate::search::Engine;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// One file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    pub title: String,
    #[serde(default)]
    pub authors: String,
    #[serde(rename = "experiment")]
    pub experiments: Vec<Experiment>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Match,
    Nodes,
    Bandit,
    Regret,
    Agreement,
    Shift,
    Distribution,
    Tsumego,
}

impl Kind {
    /// Is it about positions of a game?
    pub fn has_board(self) -> bool {
        !matches!(self, Kind::Bandit | Kind::Regret)
    }
}

/// As it is written, and what `resolve` adds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    pub name: String,
    #[serde(default)]
    pub figure: String,
    #[serde(default)]
    pub about: String,
    /// What the paper concludes.
    #[serde(default)]
    pub claims: Vec<Claim>,
    pub kind: Kind,
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    size: Option<usize>,
    #[serde(default)]
    komi: f32,
    #[serde(default)]
    handicap: usize,
    /// Where handicap stones stand, in the place of a number: `C3 G7`.
    #[serde(default)]
    handicap_at: String,
    /// Random moves that every game starts with.
    #[serde(default)]
    openings: usize,
    /// Trials of a row at full size, which is the paper's; published rates are of as many.
    pub games: u64,
    /// Core hours at full size, about.
    #[serde(default)]
    pub hours: f64,
    #[serde(default)]
    first: String,
    #[serde(default)]
    second: String,
    /// In the place of both: this line against itself with each of its parts taken away in turn, a row each.
    #[serde(default)]
    pub ablate: String,
    /// More than two of them, for kinds that compare players without a game.
    #[serde(default)]
    players: Vec<String>,
    #[serde(default)]
    pub colours: Colours,
    /// Values that all rows share.
    #[serde(default)]
    with: BTreeMap<String, Cell>,
    #[serde(default)]
    words: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    columns: Vec<String>,
    #[serde(default, rename = "rows")]
    table: Vec<Vec<Cell>>,
    /// Columns with all their values; every combination is a row. `"81..1"` is all whole numbers between.
    #[serde(default)]
    grid: Vec<Vec<Cell>>,
    /// What the paper printed of rows that `grid` makes, by their names.
    #[serde(default)]
    published_at: BTreeMap<String, f64>,
    /// Tables of the paper that have no place in a column.
    #[serde(default)]
    pub printed: Vec<Printed>,
    #[serde(default)]
    pub plot: Option<PlotForm>,
    #[serde(default)]
    pub nominal: Option<Nominal>,
    #[serde(skip)]
    pub rows: Vec<Row>,
    #[serde(skip)]
    pub paper: String,
    #[serde(skip)]
    pub authors: String,
}

/// The first player's colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colours {
    /// By turns, in pairs of games with the same seed.
    #[default]
    Both,
    Black,
    White,
}

/// A table as the paper has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    pub title: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

/// How the rows of games are drawn: one plot per value of `panel`, one line per value of `series`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlotForm {
    pub x: String,
    #[serde(default)]
    pub series: Option<String>,
    #[serde(default)]
    pub panel: Option<String>,
    #[serde(default)]
    pub log: bool,
    #[serde(default)]
    pub reverse: bool,
    /// The series whose rate is drawn as a level line.
    #[serde(default)]
    pub baseline: Option<String>,
}

/// Oshima's table of nominal costs: what a filter saves down to the last threshold at which it is not worse.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nominal {
    pub each: u64,
    pub threshold: String,
    pub series: String,
    /// Series, last threshold, playouts of a game.
    #[serde(default)]
    pub published: Vec<(Cell, Cell, f64)>,
}

#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Number(f64),
    Text(String),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Cell::Number(x) => write!(f, "{x}"),
            Cell::Text(text) => f.write_str(text),
        }
    }
}

impl Cell {
    pub fn number(&self) -> Option<f64> {
        match self {
            Cell::Number(x) => Some(*x),
            Cell::Text(text) => text.parse().ok(),
        }
    }
}

/// A row, its cells put into the players' lines.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    /// The cells that are no settings and no published values, and what the experiment gives all rows.
    pub cells: BTreeMap<String, Cell>,
    pub setting: Setting,
    /// Trials at full size.
    pub games: u64,
    /// In all games, as Black, as White; win rates are in percent.
    pub published: [Option<f64>; 3],
    /// First and second, or all of `players`.
    pub lines: Vec<String>,
}

/// More than any board has points.
const MOST_KOMI: f32 = 1_000.0;
const PUBLISHED: [&str; 3] = ["published", "published_black", "published_white"];
/// Rows that a file may have: enough for any paper, few enough to be no accident.
const MOST_ROWS: usize = 10_000;
/// Trials of a row.
pub const MOST_GAMES: u64 = 10_000_000;

impl Paper {
    /// Reads a file; errors name the experiment and what is expected.
    pub fn parse(text: &str) -> Result<Paper, String> {
        let mut paper: Paper = toml::from_str(text).map_err(|e| e.to_string().trim_end().to_string())?;
        for experiment in &mut paper.experiments {
            experiment.paper = paper.title.clone();
            experiment.authors = paper.authors.clone();
            experiment.resolve().map_err(|e| format!("experiment {}: {e}", experiment.name))?;
        }
        let mut names: Vec<&str> = paper.experiments.iter().map(|e| e.name.as_str()).collect();
        names.sort();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("two experiments are named '{}'", pair[0]));
        }
        Ok(paper)
    }
}

impl Row {
    pub fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.get(name)
    }

    /// A number that the kind of trial needs.
    pub fn number(&self, name: &str) -> Result<f64, String> {
        let cell = self.cell(name).ok_or_else(|| format!("a number `{name}` is needed, as a column or in `with`"))?;
        cell.number().ok_or_else(|| format!("`{name}` is a number, not '{cell}'"))
    }

    /// A whole number from 1 to `most`.
    pub fn count(&self, name: &str, most: u64) -> Result<u64, String> {
        match self.number(name)? {
            x if x >= 1.0 && x <= most as f64 && x.fract() == 0.0 => Ok(x as u64),
            x => Err(format!("`{name}` is a whole number from 1 to {most}, not {x}")),
        }
    }

    pub fn text(&self, name: &str) -> String {
        self.cell(name).map(Cell::to_string).unwrap_or_default()
    }
}

impl Experiment {
    fn resolve(&mut self) -> Result<(), String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.name.is_empty() || !self.name.chars().all(is_plain) {
            return Err("a name is made of letters, digits, - and _, since files are named after it".to_string());
        }
        self.take_apart()?;
        let mut columns: Vec<&String> = self.columns.iter().collect();
        columns.sort();
        if let Some(pair) = columns.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("two columns are named '{}'", pair[0]));
        }
        let mut rows = Vec::new();
        for (i, cells) in self.table.iter().enumerate() {
            if cells.len() != self.columns.len() {
                return Err(format!(
                    "row {} has {} cells, there are {} columns",
                    i + 1,
                    cells.len(),
                    self.columns.len()
                ));
            }
            rows.push(self.columns.iter().cloned().zip(cells.iter().cloned()).collect::<Vec<_>>());
        }
        rows.extend(self.grid_rows()?);
        if rows.is_empty() {
            rows.push(Vec::new());
        }
        if rows.len() > MOST_ROWS {
            return Err(format!("{} rows are more than {MOST_ROWS}", rows.len()));
        }
        let made: Result<Vec<Row>, String> = rows.iter().map(|cells| self.row(cells)).collect();
        self.rows = made?;
        for (name, value) in &self.published_at {
            let row = self.rows.iter_mut().find(|row| row.name == *name);
            let row = row.ok_or_else(|| format!("`published_at` names a row '{name}', which is not there"))?;
            row.published[0] = Some(*value);
        }
        for table in &self.printed {
            if table.rows.iter().any(|row| row.len() != table.head.len()) {
                return Err(format!("`printed`: the rows of '{}' have as many cells as its head", table.title));
            }
        }
        let mut names: Vec<&str> = self.rows.iter().map(|row| row.name.as_str()).collect();
        names.sort();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("two rows are named '{}'", pair[0]));
        }
        let plot = self.plot.iter().flat_map(|p| [Some(&p.x), p.series.as_ref(), p.panel.as_ref()]).flatten();
        let nominal = self.nominal.iter().flat_map(|n| [&n.threshold, &n.series]);
        for name in plot.chain(nominal) {
            if !self.rows.iter().any(|row| row.cells.contains_key(name)) {
                return Err(format!("the plot asks for a column '{name}', which is not there"));
            }
        }
        self.claims.iter().try_for_each(|claim| claim.check(self))
    }

    /// Makes rows of an ablation.
    fn take_apart(&mut self) -> Result<(), String> {
        if self.ablate.is_empty() {
            return Ok(());
        }
        let others = [&self.first, &self.second].iter().any(|line| !line.is_empty());
        if self.kind != Kind::Match || others || !self.table.is_empty() || !self.grid.is_empty() {
            return Err(
                "`ablate` makes players and rows of a match; leave out first, second, rows and grid".to_string()
            );
        }
        let parts = ablation::parts(self.game_kind()?, &self.ablate)?;
        self.first = "{without}".to_string();
        self.second = self.ablate.clone();
        self.columns = vec!["without".to_string()];
        self.table = parts.iter().map(|(part, _)| vec![Cell::Text(part.clone())]).collect();
        self.words.insert("without".to_string(), parts.into_iter().collect());
        Ok(())
    }

    fn game_kind(&self) -> Result<GameKind, String> {
        match &self.game {
            None => Ok(GameKind::Go),
            Some(name) => GameKind::parse(name),
        }
    }

    /// The columns that a row is named by.
    pub fn row_columns(&self) -> Vec<String> {
        let grid = self.grid.iter().filter_map(|column| column.first()).map(Cell::to_string);
        let mut names: Vec<String> = self.columns.clone();
        names.extend(grid.filter(|name| !self.columns.contains(name)));
        names.retain(|name| !PUBLISHED.contains(&name.as_str()));
        names
    }

    fn grid_rows(&self) -> Result<Vec<Vec<(String, Cell)>>, String> {
        if self.grid.is_empty() {
            return Ok(Vec::new());
        }
        let mut rows = vec![Vec::new()];
        for column in &self.grid {
            let Some((name, cells)) = column.split_first() else { return Err("an empty column in grid".to_string()) };
            let mut values = Vec::new();
            for cell in cells {
                match cell {
                    Cell::Text(text) if text.contains("..") => values.extend(range(text)?),
                    cell => values.push(cell.clone()),
                }
            }
            let extend = |row: &Vec<(String, Cell)>| -> Vec<Vec<(String, Cell)>> {
                let with = |value: &Cell| row.iter().cloned().chain([(name.to_string(), value.clone())]).collect();
                values.iter().map(with).collect()
            };
            rows = rows.iter().flat_map(extend).collect();
            if rows.len() > MOST_ROWS {
                return Err(format!("the grid has more than {MOST_ROWS} rows"));
            }
        }
        Ok(rows)
    }

    fn row(&self, cells: &[(String, Cell)]) -> Result<Row, String> {
        let kind = self.game_kind()?;
        let mut setting = Setting::new(kind, self.size.unwrap_or(9), self.komi);
        setting.handicap = self.handicap;
        if !self.handicap_at.trim().is_empty() {
            setting.handicap_at = self.handicap_at.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
            setting.handicap = self.handicap_at.split_whitespace().count();
        }
        setting.openings = self.openings;
        let mut row = Row {
            name: String::new(),
            cells: self.with.clone(),
            setting,
            games: self.games,
            published: [None; 3],
            lines: Vec::new(),
        };
        let mut names = Vec::new();
        for (column, cell) in cells {
            if let Some(i) = PUBLISHED.iter().position(|name| name == column) {
                row.published[i] = match cell {
                    Cell::Text(text) if text.trim().is_empty() => None,
                    cell => Some(cell.number().ok_or_else(|| format!("`{column}` is a number, not '{cell}'"))?),
                };
                continue;
            }
            let shown = cell.to_string();
            if !shown.is_empty() {
                names.push(shown);
            }
            let whole = || match cell.number() {
                Some(x) if x >= 0.0 && x.fract() == 0.0 && x < 1e9 => Ok(x as u64),
                _ => Err(format!("`{column}` is a whole number, not '{cell}'")),
            };
            match column.as_str() {
                "size" => row.setting.size = whole()? as usize,
                "handicap" => row.setting.handicap = whole()? as usize,
                "openings" => row.setting.openings = whole()? as usize,
                "games" => row.games = whole()?,
                "komi" => row.setting.komi = cell.number().ok_or("`komi` is a number")? as f32,
                _ => {}
            }
            row.cells.insert(column.clone(), cell.clone());
        }
        row.name = if names.is_empty() { "all".to_string() } else { names.join(" ") };
        let typed = [&self.first, &self.second].into_iter().chain(&self.players).filter(|line| !line.is_empty());
        row.lines = typed.map(|line| self.fill_in(line, &row.cells)).collect::<Result<_, _>>()?;
        self.check_row(&row).map_err(|e| format!("row '{}': {e}", row.name))?;
        Ok(row)
    }

    /// Puts cells in the place of `{column}`, by way of `words`, until none is left.
    fn fill_in(&self, line: &str, cells: &BTreeMap<String, Cell>) -> Result<String, String> {
        let mut text = line.to_string();
        for _ in 0..10 {
            let Some(start) = text.find('{') else { return Ok(text) };
            let end = text[start..].find('}').ok_or_else(|| format!("a }} is missing in '{line}'"))? + start;
            let name = &text[start + 1..end];
            let value = cells.get(name).ok_or_else(|| {
                let known: Vec<&str> = cells.keys().map(String::as_str).collect();
                format!("'{line}' asks for {{{name}}}; there are: {}", known.join(", "))
            })?;
            let value = value.to_string();
            let words = self.words.get(name);
            let said = words.and_then(|words| words.get(&value).or_else(|| words.get("*")));
            let put = said.map_or(value.clone(), |said| said.replace("{}", &value));
            text = format!("{}{put}{}", &text[..start], &text[end + 1..]);
        }
        Err(format!("'{line}' has too many {{names}} inside each other"))
    }

    /// What can be known to be wrong before the first trial.
    fn check_row(&self, row: &Row) -> Result<(), String> {
        let Setting { size: lines, komi, handicap, openings, .. } = row.setting;
        let size = Size::new(lines).filter(|_| komi.abs() <= MOST_KOMI);
        let size = size.ok_or_else(|| format!("no board of {lines} lines with komi {komi}"))?;
        if handicap >= size.area() || openings >= size.area() {
            return Err(format!(
                "{handicap} handicap stones and {openings} moves of an opening do not fit on the board"
            ));
        }
        let mut stones = row.setting.handicap_points();
        stones.sort();
        stones.dedup();
        if stones.len() != handicap || stones.contains(&Point::PASS) {
            let at = &row.setting.handicap_at;
            return Err(format!("`handicap_at` names points of the board, each once, such as C3 G7, not '{at}'"));
        }
        if row.games == 0 || row.games > MOST_GAMES {
            return Err(format!("`games` is a whole number from 1 to {MOST_GAMES}, not {}", row.games));
        }
        let is_rate = |published: &f64| (0.0..=100.0).contains(published);
        if self.kind == Kind::Match && !row.published.iter().flatten().all(is_rate) {
            return Err("published win rates are percentages from 0 to 100".to_string());
        }
        let plays = matches!(self.kind, Kind::Match | Kind::Nodes);
        if plays && row.lines.len() != 2 {
            return Err("a match needs `first` and `second`".to_string());
        }
        if plays && row.setting.handicap > 0 && row.setting.kind != GameKind::Go {
            return Err("handicap stones are for Go".to_string());
        }
        for line in row.lines.iter().filter(|line| *line != "uniform" && !line.trim_start().starts_with("gtp:")) {
            let words = line.split_whitespace().filter(|word| !word.starts_with("time=first"));
            Engine::parse_for(row.setting.kind, &words.collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }

    /// The rows that `--rows` names: numbers from 1, ranges `2-4`, or names in which `*` stands for anything.
    pub fn select(&self, wanted: &[String]) -> Result<Vec<&Row>, String> {
        if wanted.is_empty() {
            return Ok(self.rows.iter().collect());
        }
        let mut picked = vec![false; self.rows.len()];
        for word in wanted {
            let word = word.trim();
            let found: Vec<usize> = match numbers(word) {
                Some(range) => range.filter(|i| (1..=self.rows.len()).contains(i)).map(|i| i - 1).collect(),
                None => (0..self.rows.len()).filter(|&i| matches(word, &self.rows[i].name)).collect(),
            };
            if found.is_empty() {
                let names: Vec<String> = self.rows.iter().take(12).map(|row| format!("'{}'", row.name)).collect();
                let more = if self.rows.len() > 12 { ", …" } else { "" };
                let (n, names) = (self.rows.len(), names.join(", "));
                return Err(format!("no row '{word}' of {}; there are 1 to {n}, named {names}{more}", self.name));
            }
            found.into_iter().for_each(|i| picked[i] = true);
        }
        Ok(self.rows.iter().zip(picked).filter(|(_, picked)| *picked).map(|(row, _)| row).collect())
    }
}

/// `81..1`: every whole number, both ends included.
fn range(text: &str) -> Result<Vec<Cell>, String> {
    let ends = text.split_once("..").and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    let (a, b): (i64, i64) = ends.ok_or_else(|| format!("'{text}' is no range such as 81..1"))?;
    if a.abs_diff(b) as usize >= MOST_ROWS {
        return Err(format!("the range {text} is too long"));
    }
    let up = a.min(b)..=a.max(b);
    let cell = |i: i64| Cell::Number(i as f64);
    Ok(if a <= b { up.map(cell).collect() } else { up.rev().map(cell).collect() })
}

/// `3` or `2-4` as row numbers.
fn numbers(word: &str) -> Option<std::ops::RangeInclusive<usize>> {
    match word.split_once('-') {
        None => word.parse().ok().map(|n| n..=n),
        Some((a, b)) => Some(a.trim().parse().ok()?..=b.trim().parse().ok()?),
    }
}

/// Is the text what the pattern says, `*` being anything?
pub fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            rest.char_indices().map(|(i, _)| i).chain([rest.len()]).any(|i| matches(tail, &rest[i..]))
        }),
    }
}

#[cfg(test)]
mod tests;
