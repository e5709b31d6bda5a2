//! Where flat Monte Carlo wants to play, with blocks of stones on the board and without.

use super::{Part, RowRecords, TrialRunner, Unit};
use crate::base::rng::mix;
use crate::base::{Color, Point, Rng, Size};
use crate::game::Game;
use crate::game::go::Go9;
use crate::lab::arena::Setting;
use crate::lab::experiment::{Experiment, Row};
use crate::lab::plan::Planned;
use crate::lab::section::{ResultTable, Section};
use crate::lab::stats::{difference, percent_difference, proportion};
use crate::picture::{Diagram, Mark, paint};
use crate::search::Report;
use crate::table::evaluate;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub struct Shift;

/// The random stream that breaks ties.
const TIES: u64 = 3;

/// `B C3 D3 W G7`: points after the letter of their colour.
pub fn stones(text: &str, size: Size) -> Result<Vec<(Point, Color)>, String> {
    let mut color = None;
    let mut stones = Vec::new();
    for word in text.split_whitespace() {
        match (word, size.point_from_gtp(word).filter(|p| !p.is_pass()), color) {
            ("B" | "W", _, _) => color = Color::from_gtp(word),
            (_, Some(point), Some(color)) => stones.push((point, color)),
            _ => return Err(format!("stones are written `B C3 D3 W G7`; '{word}' does not fit")),
        }
    }
    Ok(stones)
}

/// A small board with stones, Black to move.
pub fn position(setting: &Setting, text: &str) -> Result<Go9, String> {
    let size = Size::new(setting.size).filter(|s| s.n() <= 9).ok_or("this kind of trial has boards up to 9x9")?;
    let mut position = Go9::new(size, setting.komi);
    let handicap = setting.handicap_points().into_iter().map(|p| (p, Color::Black));
    let all: Vec<(Point, Color)> = stones(text, size)?.into_iter().chain(handicap).collect();
    if !position.set_stones(all) {
        return Err("these stones are no position".to_string());
    }
    position.set_to_play(if setting.handicap > 0 { Color::White } else { Color::Black });
    Ok(position)
}

/// The move with the best rate; chance decides between equals, so that no corner of the board is preferred.
pub fn best_move(report: &Report, rng: &mut Rng) -> Point {
    let Some(best) = report.best() else { return Point::PASS };
    let equals: Vec<Point> = report.moves.iter().filter(|m| m.rate == best.rate).map(|m| m.point).collect();
    equals[rng.below(equals.len() as u32) as usize]
}

impl TrialRunner for Shift {
    fn run(&mut self, planned: &Planned, _: u64, seed: u64) -> Result<Value, String> {
        let row = &planned.row;
        let position = position(&row.setting, &row.text("stones"))?;
        let engine = planned.engine().ok_or("`first` chooses the moves")?;
        let mut moves = Vec::new();
        Game::candidates(&position, &mut moves);
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for sample in 0..row.count("samples", 1_000_000)? {
            let report = evaluate(&position, &moves, engine, mix(&[seed, sample])).map_err(|e| e.to_string())?;
            let best = best_move(&report, &mut Rng::new(mix(&[seed, sample, TIES])));
            *counts.entry(position.size().point_to_gtp(best)).or_default() += 1;
        }
        Ok(json!({ "counts": counts }))
    }
}

/// How often each point was best, and all of them.
fn counts(records: &RowRecords, size: Size) -> (BTreeMap<Point, f64>, f64) {
    let mut counts = BTreeMap::new();
    for (vertex, count) in records.records.iter().filter_map(|r| r.outcome["counts"].as_object()).flatten() {
        if let (Some(point), Some(count)) = (size.point_from_gtp(vertex), count.as_f64()) {
            *counts.entry(point).or_default() += count;
        }
    }
    let total = counts.values().fold(0.0, |sum, count| sum + count);
    (counts, total)
}

/// Steps of a king.
fn distance(size: Size, p: Point, q: Point) -> usize {
    let ((a, b), (c, d)) = (size.xy(p), size.xy(q));
    a.abs_diff(c).max(b.abs_diff(d))
}

/// Where points lie, with those points, by steps of a king from the stones.
type Zones = Vec<(&'static str, Vec<Point>)>;

const ZONES: [&str; 4] = ["1 step", "2 steps", "3 steps", "4 or more"];
const BETWEEN: &str = "1 or 2 from both";

fn zones(size: Size, stones: &[(Point, Color)]) -> Zones {
    let to = |p: Point, color: Option<Color>| {
        let wanted = stones.iter().filter(|(_, c)| color.is_none_or(|color| *c == color));
        wanted.map(|(q, _)| distance(size, p, *q)).min().unwrap_or(usize::MAX)
    };
    let points = |is_in: &dyn Fn(Point) -> bool| -> Vec<Point> { size.points().filter(|&p| is_in(p)).collect() };
    let by_steps = |(i, name): (usize, &'static str)| match i + 1 {
        4 => (name, points(&|p| to(p, None) >= 4)),
        steps => (name, points(&|p| to(p, None) == steps)),
    };
    let mut zones: Zones = ZONES.into_iter().enumerate().map(by_steps).collect();
    if Color::BOTH.iter().all(|color| stones.iter().any(|(_, c)| c == color)) {
        let close = |p: Point| Color::BOTH.iter().all(|&color| (1..=2).contains(&to(p, Some(color))));
        zones.push((BETWEEN, points(&close)));
    }
    zones
}

fn share_of(counts: &BTreeMap<Point, f64>, points: &[Point]) -> f64 {
    points.iter().filter_map(|p| counts.get(p)).fold(0.0, |sum, count| sum + count)
}

/// The zones of a row with stones.
fn zones_of(row: &Row) -> Zones {
    let Some(size) = Size::new(row.setting.size) else { return Vec::new() };
    match stones(&row.text("stones"), size) {
        Ok(stones) if !stones.is_empty() => zones(size, &stones),
        _ => Vec::new(),
    }
}

pub fn parts(row: &Row) -> Vec<String> {
    zones_of(row).into_iter().map(|(name, _)| name.to_string()).collect()
}

/// How much more of the best moves a zone has than on the empty board.
pub fn figures(empty: &RowRecords, records: &RowRecords) -> Vec<Part> {
    let Some(size) = Size::new(records.row.setting.size) else { return Vec::new() };
    let ((base, base_total), (own, total)) = (counts(empty, size), counts(records, size));
    if base_total == 0.0 || total == 0.0 {
        return Vec::new();
    }
    let part = |(name, points): (&'static str, Vec<Point>)| {
        let with = proportion(share_of(&own, &points), total);
        let without = proportion(share_of(&base, &points), base_total);
        let trials = (empty.records.len() + records.records.len()) as u64;
        Part { name: name.to_string(), value: difference(with, without), trials, unit: Unit::Percent }
    };
    zones_of(records.row).into_iter().map(part).collect()
}

pub fn tell(_: &Experiment, rows: &[RowRecords]) -> Section {
    let mut section = Section::default();
    let Some((empty, others)) = rows.split_first() else { return section };
    let Some(size) = Size::new(empty.row.setting.size) else { return section };
    let (base, base_total) = counts(empty, size);
    let mut table = ResultTable::new(
        "Share of best moves by distance (steps of a king) from the stones, in percent",
        &["position", "points", "empty board", "with the stones", "difference, 95 %", "samples"],
    );
    section.boards.push(board(size, &[], "Empty board: best moves, in percent", |p| {
        100.0 * base.get(&p).copied().unwrap_or(0.0) / base_total.max(1.0)
    }));
    for records in others {
        let Ok(stones) = stones(&records.row.text("stones"), size) else { continue };
        let (own, total) = counts(records, size);
        if total == 0.0 || base_total == 0.0 {
            continue;
        }
        let zones = zones(size, &stones);
        for (name, points) in &zones {
            let (with, without) = (share_of(&own, points), share_of(&base, points));
            table.rows.push(vec![
                records.row.text("position"),
                format!("{name} ({})", points.len()),
                format!("{:.1}", 100.0 * without / base_total),
                format!("{:.1}", 100.0 * with / total),
                percent_difference(difference(proportion(with, total), proportion(without, base_total))),
                format!("{total:.0}"),
            ]);
        }
        let title = format!("{}: change of the share, in percent", records.row.text("position"));
        section.boards.push(board(size, &stones, &title, |p| {
            let share = |counts: &BTreeMap<Point, f64>, total: f64| counts.get(&p).copied().unwrap_or(0.0) / total;
            100.0 * (share(&own, total) - share(&base, base_total))
        }));
    }
    section.tables.push(table);
    section
}

/// A value for every point without a stone: red for more, blue for less.
fn board(size: Size, stones: &[(Point, Color)], title: &str, value: impl Fn(Point) -> f64) -> Diagram {
    let most = size.points().map(|p| value(p).abs()).fold(1e-9, f64::max);
    let mut diagram = Diagram::new(size, stones.to_vec(), title);
    for p in size.points().filter(|p| !stones.iter().any(|stone| stone.0 == *p)) {
        let value = value(p);
        if value != 0.0 {
            diagram.cells.push((p, paint::balance(-paint::spread(value, most))));
        }
        if value.abs() >= 0.05 {
            diagram.marks.push((p, Mark::Word(format!("{value:.1}"))));
        }
    }
    diagram
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MoveStats;

    #[test]
    fn moves_that_are_equally_good_are_equally_likely() {
        let size = Size::new(9).unwrap();
        let stats = |x: usize, rate: f32| MoveStats { rate, weight: 1.0, ..MoveStats::new(size.point(x, 0), vec![]) };
        let report =
            Report::new(vec![stats(0, 0.5), stats(1, 0.7), stats(2, 0.7), stats(3, 0.7)], 1, MoveStats::by_rate);
        let mut counts = [0; 4];
        let mut rng = Rng::new(1);
        (0..3_000).for_each(|_| counts[size.xy(best_move(&report, &mut rng)).0] += 1);
        assert!(counts[0] == 0 && counts[1..].iter().all(|c| (900..1_100).contains(c)), "{counts:?}");
    }

    #[test]
    fn stones_are_read_by_colour_and_mistakes_are_named() {
        let size = Size::new(9).unwrap();
        let found = stones("B C3 D3 W G7", size).unwrap();
        assert_eq!(found.iter().map(|s| s.1).collect::<Vec<_>>(), [Color::Black, Color::Black, Color::White]);
        for bad in ["C3", "B C33", "B pass", "X C3"] {
            assert!(stones(bad, size).is_err_and(|e| e.contains("do")), "{bad}");
        }
    }
}
