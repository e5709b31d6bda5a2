//! Games between two players: the outcome of one, and win rates beside what was published.

use super::{ROW, RowRecords, TrialRunner, Unit, costs};
use crate::base::{Color, Point, Size};
use crate::lab::arena::{Ending, play_game};
use crate::lab::claims::Measure;
use crate::lab::experiment::{Cell, Colours, Experiment, Kind, PlotForm, Row};
use crate::lab::matches::GameLine;
use crate::lab::pairs::Pairs;
use crate::lab::plan::{FOR_ORIENTATION, Planned};
use crate::lab::players::{Player, PlayerLine};
use crate::lab::run::rounded;
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Section, Series, Style};
use crate::lab::stats::{
    Estimate, Rate, difference, elo_text, mean_of_groups, percent_difference, percent_text, proportion,
};
use crate::lab::store::Record;
use crate::picture::{Diagram, Mark};
use crate::session::{Options, Session};
use crate::sgf::Step;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Games of a row whose moves are kept, for diagrams.
const SAMPLES: u64 = 2;

/// An interval of a difference that is wider than this is compatible with nearly everything.
const TELLING: f64 = 0.3;

pub struct Games {
    colours: Colours,
    keeps_nodes: bool,
    seats: Option<Seats>,
}

struct Seats {
    config: String,
    lines: [PlayerLine; 2],
    players: [Player; 2],
}

impl Games {
    pub fn new(experiment: &Experiment) -> Games {
        Games { colours: experiment.colours, keeps_nodes: experiment.kind == Kind::Nodes, seats: None }
    }

    /// The row's players, who stay seated from game to game.
    fn seats(&mut self, planned: &Planned) -> Result<&mut Seats, String> {
        if self.seats.as_ref().is_none_or(|seats| seats.config != planned.config) {
            self.seats = None;
            let [first, second] = &planned.players[..] else { return Err("a game needs two players".to_string()) };
            let setting = &planned.row.setting;
            let lines = [first.clone(), second.clone()];
            let players = [lines[0].sit_down(setting)?, lines[1].sit_down(setting)?];
            self.seats = Some(Seats { config: planned.config.clone(), lines, players });
        }
        self.seats.as_mut().ok_or_else(|| "nobody is seated".to_string())
    }
}

impl TrialRunner for Games {
    fn run(&mut self, planned: &Planned, index: u64, seed: u64) -> Result<Value, String> {
        let color = match self.colours {
            Colours::Black => Color::Black,
            Colours::White => Color::White,
            Colours::Both if index.is_multiple_of(2) => Color::Black,
            Colours::Both => Color::White,
        };
        let keeps_nodes = self.keeps_nodes;
        let seats = self.seats(planned)?;
        let ([a, b], [first, second]) = (&seats.lines, &mut seats.players);
        let setting = &planned.row.setting;
        let result = match color {
            Color::Black => play_game(setting, [a, b], [first, second], seed),
            Color::White => play_game(setting, [b, a], [second, first], seed),
        };
        if !result.errors.is_empty() {
            // An engine that failed may have died: others will be seated.
            self.seats = None;
        }
        if let Some(reason) = result.broken {
            return Err(reason);
        }
        let score = match result.ending {
            Ending::Counted(score) => Some(score),
            _ => None,
        };
        let nodes = keeps_nodes.then(|| result.nodes[color.index()].clone());
        let moves = (index < SAMPLES).then(|| moves_text(&result.record.steps, result.record.size));
        let line = GameLine::new(index as usize, seed, color, result);
        let mut outcome = json!({
            "first_is": line.first_is, "result": line.result, "score": score, "points": line.points,
            "moves": line.moves, "moves_of": line.moves_of, "playouts": line.playouts,
            "seconds": line.seconds.map(rounded), "errors": line.errors,
        });
        if let Some(nodes) = nodes {
            outcome["nodes"] = json!(nodes);
        }
        if let Some(moves) = moves {
            outcome["game"] = json!(moves);
        }
        Ok(outcome)
    }
}

/// `B E5 W C3`, set-up stones left out: the setting has them.
fn moves_text(steps: &[Step], size: Size) -> String {
    let word = |step: &Step| match step {
        Step::Move(color, point) => Some(format!("{} {}", color.letter(), size.point_to_gtp(*point))),
        _ => None,
    };
    steps.iter().filter_map(word).collect::<Vec<_>>().join(" ")
}

/// The first player's results by pairs: the two games of one run that share a number and a seed, with colours swapped.
pub fn pairs(records: &RowRecords) -> Pairs {
    let game = |record: &&Record| {
        let points = record.outcome["points"].as_f64()?;
        Some(((record.config.clone(), record.index / 2, record.seed), points))
    };
    Pairs::collect(records.records.iter().filter_map(game))
}

/// The first player's results with one colour: no two of these games are of one pair.
fn rate(records: &RowRecords, color: &str) -> Rate {
    let of_color = records.records.iter().filter(|record| record.outcome["first_is"] == color);
    let mut rate = Rate::default();
    of_color.filter_map(|record| record.outcome["points"].as_f64()).for_each(|points| rate.add(points));
    rate
}

pub fn estimate(records: &RowRecords, measure: Measure) -> Option<(Estimate, u64)> {
    let (black, white) = (rate(records, "black"), rate(records, "white"));
    let all = black.games + white.games;
    let (value, games) = match measure {
        Measure::All => (pairs(records).estimate(), all),
        Measure::Black => (black.estimate(), black.games),
        Measure::White => (white.estimate(), white.games),
        Measure::WhiteLessBlack => {
            (difference(white.estimate(), black.estimate()), if black.games.min(white.games) > 0 { all } else { 0 })
        }
        Measure::Seconds => (times_as_many(records, "seconds")?, all),
        Measure::Playouts => (times_as_many(records, "playouts")?, all),
    };
    (games > 0).then_some((value, games))
}

pub fn unit(measure: Measure) -> Unit {
    match measure {
        Measure::Seconds | Measure::Playouts => Unit::Plain(2),
        _ => Unit::Percent,
    }
}

/// How many times as much the first player has for a move as the second, over games.
fn times_as_many(records: &RowRecords, what: &str) -> Option<Estimate> {
    let number = |record: &Record, path: String| record.outcome.pointer(&path).and_then(Value::as_f64);
    let a_move = |record: &Record, i: usize| {
        Some(number(record, format!("/{what}/{i}"))? / number(record, format!("/moves_of/{i}"))?)
    };
    let games = records.records.iter().filter_map(|record| Some((a_move(record, 0)?, a_move(record, 1)?)));
    let games: Vec<(f64, f64)> = games.filter(|(a, b)| *a > 0.0 && *b > 0.0).collect();
    (games.len() > 1).then(|| mean_of_groups(&games))
}

/// Won, drawn and lost.
fn counts(records: &RowRecords) -> [usize; 3] {
    [1.0, 0.5, 0.0].map(|points| records.numbers("/points").filter(|p| *p == points).count())
}

/// A published percentage of so many games, beside a measured rate.
pub struct Comparison {
    pub difference: f64,
    pub interval: (f64, f64),
}

impl Comparison {
    /// With what was published, if that had the same budgets.
    fn of(records: &RowRecords, measured: Estimate) -> Option<Comparison> {
        let published = records.row.published[0].filter(|_| records.scaled.is_none())?;
        Some(Comparison::new(measured, published, records.row.games))
    }

    pub fn new(measured: Estimate, published: f64, games: u64) -> Comparison {
        let games = games as f64;
        let (difference, interval) = difference(measured, proportion(published / 100.0 * games, games));
        Comparison { difference, interval }
    }

    pub fn is_compatible(&self) -> bool {
        self.interval.0 <= 0.0 && 0.0 <= self.interval.1
    }

    fn text(&self) -> String {
        percent_difference((self.difference, self.interval))
    }

    fn verdict(&self) -> &'static str {
        match self.is_compatible() {
            true if self.interval.1 - self.interval.0 > TELLING => "few games",
            true => "compatible",
            false if self.difference > 0.0 => "higher",
            false => "lower",
        }
    }
}

pub fn tell(experiment: &Experiment, rows: &[RowRecords]) -> Section {
    let mut section = Section { tables: vec![results(rows)], ..Section::default() };
    section.figures = rows.iter().map(figures).collect();
    if let Some(form) = &experiment.plot {
        section.plots = plots(form, rows);
    }
    if !experiment.ablate.is_empty() {
        section.plots.push(forest(rows));
    }
    if experiment.colours == Colours::Both {
        section.tables.push(by_colour(rows));
    }
    if let (Some(nominal), Some(plot)) = (&experiment.nominal, &experiment.plot) {
        section.tables.push(costs::table(nominal, plot, rows));
        section.plots.extend(costs::savings(nominal, plot, rows));
    }
    section.tables.push(by_pairs(rows));
    section.tables.push(effort(rows));
    section.boards = samples(rows);
    let errors: usize = rows.iter().flat_map(|r| &r.records).filter(|r| r.outcome["errors"] != json!([])).count();
    if errors > 0 {
        section.notes.push(format!("{errors} games ended with an error of a player."));
    }
    section
}

/// The row's rate and comparison as numbers, for machines.
fn figures(records: &RowRecords) -> Value {
    let (pairs, [wins, draws, _]) = (pairs(records), counts(records));
    let published = records.row.published[0];
    let compared = Comparison::of(records, pairs.estimate());
    let verdict = compared.as_ref().map(Comparison::verdict).or(published.map(|_| FOR_ORIENTATION));
    json!({
        "row": records.label, "cells": records.row.cells, "games": pairs.games(), "wins": wins, "draws": draws,
        "pairs": pairs.counts, "without_partner": pairs.single.games,
        "rate": pairs.rate(), "interval": pairs.interval(), "published": published.map(|p| p / 100.0),
        "published_games": published.map(|_| records.row.games),
        "difference": compared.as_ref().map(|c| c.difference), "difference_interval": compared.as_ref().map(|c| c.interval),
        "verdict": verdict, "run_with": records.scaled.as_ref().map(|scaled| &scaled.text),
    })
}

fn results(rows: &[RowRecords]) -> ResultTable {
    let mut table = ResultTable::new(
        "Win rate of the first player, in percent, with 95 % intervals",
        &[ROW, "published", "measured", "difference", "verdict", "won, drawn, lost"],
    );
    for records in rows {
        let pairs = pairs(records);
        let published = records.row.published[0];
        let compared = Comparison::of(records, pairs.estimate());
        let verdict = compared.as_ref().map(Comparison::verdict).or(published.map(|_| FOR_ORIENTATION));
        let [won, drawn, lost] = counts(records);
        let shown = |f: fn(&Comparison) -> String| compared.as_ref().map(f).unwrap_or_default();
        table.rows.push(vec![
            records.label.clone(),
            published.map(|p| p.to_string()).unwrap_or_default(),
            if pairs.games() > 0 { percent_text(pairs.estimate()) } else { String::new() },
            shown(Comparison::text),
            verdict.unwrap_or_default().to_string(),
            format!("{won}, {drawn}, {lost}"),
        ]);
    }
    table
}

fn by_pairs(rows: &[RowRecords]) -> ResultTable {
    let mut table = ResultTable::new(
        "The first player's Elo with its 95 % interval, and how many pairs of games brought so many points",
        &[ROW, "Elo", "0, ½, 1, 1½, 2 points", "games without a partner"],
    );
    for records in rows {
        let pairs = pairs(records);
        let [a, b, c, d, e] = pairs.counts;
        table.rows.push(vec![
            records.label.clone(),
            elo_text(pairs.estimate()),
            if pairs.pairs() > 0 { format!("{a}, {b}, {c}, {d}, {e}") } else { String::new() },
            if pairs.pairs() > 0 && pairs.single.games > 0 { pairs.single.games.to_string() } else { String::new() },
        ]);
    }
    table
}

fn by_colour(rows: &[RowRecords]) -> ResultTable {
    let mut table = ResultTable::new(
        "By colour of the first player, in percent, with 95 % intervals",
        &[ROW, "Black, published", "Black", "White, published", "White", "White more by"],
    );
    for records in rows {
        let published = |i: usize| records.row.published[i].map(|p| p.to_string()).unwrap_or_default();
        let (black, white) = (rate(records, "black"), rate(records, "white"));
        table.rows.push(vec![
            records.label.clone(),
            published(1),
            black.percent_text(),
            published(2),
            white.percent_text(),
            white.more_text(black),
        ]);
    }
    table
}

fn effort(rows: &[RowRecords]) -> ResultTable {
    let mut table = ResultTable::new(
        "What it took, on the mean: of the first player and the second",
        &[ROW, "moves a game", "playouts a move", "ms a move", "playouts a game"],
    );
    for records in rows {
        let mean = |path: &str, per: &str| {
            let (sum, count): (f64, f64) = (records.numbers(path).sum(), records.numbers(per).sum());
            if count > 0.0 { sum / count } else { 0.0 }
        };
        let games = records.records.len().max(1) as f64;
        let both = |f: &dyn Fn(usize) -> f64, digits: usize| format!("{:.digits$} / {:.digits$}", f(0), f(1));
        table.rows.push(vec![
            records.label.clone(),
            format!("{:.1}", records.numbers("/moves").sum::<f64>() / games),
            both(&|i| mean(&format!("/playouts/{i}"), &format!("/moves_of/{i}")), 0),
            both(&|i| 1000.0 * mean(&format!("/seconds/{i}"), &format!("/moves_of/{i}")), 1),
            both(&|i| records.numbers(&format!("/playouts/{i}")).sum::<f64>() / games, 0),
        ]);
    }
    table
}

/// Every row's rate with its interval, one under the other; the first on top. Left of 50: the part is worth something.
fn forest(rows: &[RowRecords]) -> Plot {
    let last = rows.len() as f64 - 1.0;
    let dot = |(i, records): (usize, &RowRecords)| {
        let (rate, (low, high)) = pairs(records).estimate();
        Dot { x: 100.0 * rate, y: last - i as f64, interval: Some((100.0 * low, 100.0 * high)) }
    };
    let points: Vec<Dot> = rows.iter().enumerate().map(dot).collect();
    // What is said of every row alike is said once, above.
    let said = |r: &RowRecords| r.label.strip_prefix(r.row.name.as_str()).unwrap_or_default().to_string();
    let common = rows.first().map(said).filter(|first| rows.iter().all(|r| said(r) == *first)).unwrap_or_default();
    let name = |r: &RowRecords| if common.is_empty() { r.label.clone() } else { r.row.name.clone() };
    let names = rows.iter().rev().map(name).collect();
    let half = vec![Dot::new(50.0, -0.5), Dot::new(50.0, last + 0.5)];
    let series = vec![
        Series {
            name: "the line without the part, against the whole line".to_string(),
            style: Style::Forest,
            color: 0,
            points,
        },
        Series { name: "equal".to_string(), style: Style::Dashed, color: 1, points: half },
    ];
    let y = Axis { names, ..Axis::new("").range(-0.5, last + 0.5) };
    Plot { title: format!("Without each part in turn{common}"), x: Axis::new("%"), y, series }
}

/// One plot for each panel. Rows without a number on the x axis are drawn as levels.
fn plots(form: &PlotForm, rows: &[RowRecords]) -> Vec<Plot> {
    let value = |row: &Row, column: &Option<String>| column.as_ref().map(|c| row.text(c)).unwrap_or_default();
    let distinct = |column: &Option<String>| {
        let mut values: Vec<String> = Vec::new();
        rows.iter().map(|r| value(r.row, column)).for_each(|v| {
            if !values.contains(&v) {
                values.push(v)
            }
        });
        values
    };
    let all_series = distinct(&form.series);
    let mut plots = Vec::new();
    for panel in distinct(&form.panel) {
        let here: Vec<&RowRecords> = rows.iter().filter(|r| value(r.row, &form.panel) == panel).collect();
        let x = |r: &RowRecords| r.row.cell(&form.x).and_then(Cell::number).filter(|x| *x > 0.0 || !form.log);
        // Where the axis is the budget, what was measured stands at the budget that it had.
        let is_budget = form.x == "playouts";
        let run_x = |r: &RowRecords| {
            let factor = r.scaled.as_ref().and_then(|scaled| scaled.factor).filter(|_| is_budget);
            x(r).map(|x| x * factor.unwrap_or(1.0))
        };
        let ends =
            here.iter().filter_map(|r| x(r)).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        // A panel with a single place has nothing to compare; the table has it.
        if !ends.0.is_finite() || form.panel.is_some() && ends.0 == ends.1 {
            continue;
        }
        let mut series = Vec::new();
        for (color, name) in all_series.iter().enumerate() {
            let mut own: Vec<&&RowRecords> = here.iter().filter(|r| value(r.row, &form.series) == *name).collect();
            own.sort_by(|a, b| x(a).partial_cmp(&x(b)).unwrap_or(std::cmp::Ordering::Equal));
            let label = |what: &str| if name.is_empty() { what.to_string() } else { format!("{name}, {what}") };
            let is_scaled = here.iter().any(|r| r.scaled.is_some());
            let in_print = if is_scaled { "published, for orientation" } else { "published" };
            let mut measured = Vec::new();
            let mut published = Vec::new();
            for records in own {
                let results = pairs(records);
                let interval = results.interval();
                match x(records) {
                    Some(x) => {
                        if results.games() > 0 {
                            let interval = Some((100.0 * interval.0, 100.0 * interval.1));
                            let x = run_x(records).unwrap_or(x);
                            measured.push(Dot { x, y: 100.0 * results.rate(), interval });
                        }
                        published.extend(records.row.published[0].map(|y| Dot::new(x, y)));
                    }
                    None => {
                        let level = |y: f64| vec![Dot::new(ends.0, y), Dot::new(ends.1, y)];
                        let at = records.row.text(&form.x);
                        let label = |what: &str| label(format!("{at} {what}").trim());
                        if results.games() > 0 {
                            let points = level(100.0 * results.rate());
                            series.push(Series { name: label("measured"), style: Style::Line, color, points });
                        }
                        if let Some(y) = records.row.published[0] {
                            series.push(Series {
                                name: label(in_print),
                                style: Style::Dashed,
                                color,
                                points: level(y),
                            });
                        }
                    }
                }
            }
            series.push(Series { name: label("measured"), style: Style::Measured, color, points: measured });
            series.push(Series { name: label(in_print), style: Style::Published, color, points: published });
        }
        series.retain(|s| !s.points.is_empty());
        let title = match &form.panel {
            Some(column) => format!("Win rate, {column} {panel}"),
            None => "Win rate".to_string(),
        };
        let x = Axis { reverse: form.reverse, ..Axis::new(&form.x).log(form.log) };
        plots.push(Plot { title, x, y: Axis::new("%").range(0.0, 100.0), series });
    }
    plots
}

/// The first kept game of the first, the middle and the last row.
fn samples(rows: &[RowRecords]) -> Vec<Diagram> {
    let kept: Vec<Diagram> = match rows.len() {
        0 => Vec::new(),
        n => {
            let mut picks = vec![0, n / 2, n - 1];
            picks.dedup();
            picks.into_iter().filter_map(|i| sample(&rows[i])).collect()
        }
    };
    kept
}

fn sample(records: &RowRecords) -> Option<Diagram> {
    let record = records.records.iter().find(|r| r.outcome["game"].is_string())?;
    let setting = &record.setting;
    let options = Options {
        kind: setting.kind,
        rule: setting.rule,
        size: setting.size,
        komi: setting.komi,
        threads: 1,
        seed: Some(0),
        ..Options::default()
    };
    let mut session = Session::new(options).ok()?;
    session.place_handicap(&setting.handicap_points());
    let size = session.size();
    let mut numbers = BTreeMap::new();
    let words: Vec<&str> = record.outcome["game"].as_str()?.split_whitespace().collect();
    for (i, pair) in words.chunks(2).enumerate() {
        let (color, point) = (Color::from_gtp(pair.first()?)?, size.point_from_gtp(pair.get(1)?)?);
        session.play(color, point).ok()?;
        if !point.is_pass() {
            numbers.insert(point, i + 1);
        }
    }
    let result = record.outcome["result"].as_str().unwrap_or("?");
    let first = record.outcome["first_is"].as_str().unwrap_or("?");
    let title = format!("{}: game {}, first is {first}, {result}", records.label, record.index + 1);
    let stones: Vec<(Point, Color)> = size.points().filter_map(|p| Some((p, session.table().color_at(p)?))).collect();
    let marks = stones.iter().filter_map(|(p, _)| Some((*p, Mark::OnStone(numbers.get(p)?.to_string())))).collect();
    Some(Diagram { marks, ..Diagram::new(size, stones, &title) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_rate_is_compatible_when_the_interval_of_the_difference_holds_0() {
        let rate = |wins| proportion(wins, 100.0);
        assert_eq!(Comparison::new(rate(50.0), 55.0, 600).verdict(), "compatible");
        assert_eq!(Comparison::new(proportion(5.0, 10.0), 55.0, 600).verdict(), "few games");
        assert_eq!(Comparison::new(rate(80.0), 55.0, 600).verdict(), "higher");
        assert_eq!(Comparison::new(rate(30.0), 55.0, 600).verdict(), "lower");
    }
}
