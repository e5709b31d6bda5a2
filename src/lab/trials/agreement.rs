//! How filters by potential agree with Monte-Carlo values, at every move of plain games.

use super::shift::{best_move, position};
use super::{Part, RowRecords, TrialRunner, Unit};
use crate::base::rng::mix;
use crate::base::{Point, Rng};
use crate::game::Record;
use crate::game::go::Go9;
use crate::lab::experiment::{Experiment, Row};
use crate::lab::plan::Planned;
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Section, Series, Style};
use crate::lab::stats::{Estimate, deviation, mean_interval, mean_of_groups, percent_text};
use crate::lab::store;
use crate::search::{Candidates, Engine};
use crate::table::evaluate;
use serde_json::{Value, json};

pub struct Agreement;

/// Random streams of a move, apart from its search's.
const HALVES: u64 = 1;
const FILTERS: u64 = 2;
const TIES: u64 = 3;

/// The filters of a row; `positive` says whose stones have a positive potential, where that means something.
fn filters(row: &Row) -> Result<Vec<(String, Candidates)>, String> {
    let one = |name: &str| {
        let mut engine = Engine::parse(&format!("mc candidates={name} from=1"))?;
        if let Some(positive) = row.cell("positive").filter(|_| name != "random") {
            engine = engine.with("positive", &positive.to_string())?;
        }
        Ok((name.to_string(), Candidates::of(&engine)))
    };
    row.text("filters").split_whitespace().map(one).collect()
}

impl TrialRunner for Agreement {
    /// A sample is the number of legal moves, then for each filter its agreement and whether it kept the best move.
    fn run(&mut self, planned: &Planned, _: u64, seed: u64) -> Result<Value, String> {
        let row = &planned.row;
        let filters = filters(row)?;
        let engine = planned.engine().ok_or("`first` plays the games")?;
        let start = position(&row.setting, "")?;
        let mut game: Record<Go9> = Record::new(start.size(), row.setting.komi);
        let mut samples = Vec::new();
        while game.passes() < 2 && game.moves().len() < 4 * start.size().area() {
            let position = game.position().clone();
            let color = position.to_play();
            let mut moves = Vec::new();
            crate::game::Game::candidates(&position, &mut moves);
            moves.retain(|&p| !p.is_pass() && game.check(color, p).is_ok());
            let ply = game.moves().len() as u64;
            if moves.is_empty() {
                game.play(color, Point::PASS).map_err(|e| e.reason().to_string())?;
                continue;
            }
            let report = evaluate(&position, &moves, engine, mix(&[seed, ply])).map_err(|e| e.to_string())?;
            let best = best_move(&report, &mut Rng::new(mix(&[seed, ply, TIES])));
            if ply > 0 {
                // Chance breaks ties between the halves.
                let mut ranked: Vec<(f32, Point)> = report.moves.iter().map(|m| (m.rate, m.point)).collect();
                Rng::new(mix(&[seed, ply, HALVES])).shuffle(&mut ranked);
                ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
                let better: Vec<Point> = ranked[..ranked.len().div_ceil(2)].iter().map(|r| r.1).collect();
                let mut sample = vec![json!(moves.len())];
                for (i, (_, filter)) in filters.iter().enumerate() {
                    let mut kept = moves.clone();
                    filter.narrow_root(&position, &mut kept, &mut Rng::new(mix(&[seed, ply, FILTERS, i as u64])));
                    let agreeing = kept.iter().filter(|p| better.contains(p)).count();
                    let share = agreeing as f64 / kept.len().max(1) as f64;
                    sample.push(json!((share * 1e3).round() / 1e3));
                    sample.push(json!(u8::from(kept.contains(&best))));
                }
                samples.push(Value::Array(sample));
            }
            game.play(color, best).map_err(|e| e.reason().to_string())?;
        }
        Ok(json!({ "samples": samples }))
    }
}

/// Bands of the table, by the number of legal moves.
const BANDS: [(usize, usize); 8] = [(71, 81), (61, 70), (51, 60), (41, 50), (31, 40), (21, 30), (11, 20), (2, 10)];

/// What is measured of a filter, and its name in claims.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// The share of its moves that are in the better half.
    Agrees,
    /// How often it keeps the best move.
    Keeps,
    /// The standard deviation of the share.
    Deviates,
}

const WHATS: [(What, &str); 3] = [(What::Agrees, "agrees"), (What::Keeps, "keeps"), (What::Deviates, "deviates")];

fn band_text((low, high): (usize, usize)) -> String {
    format!("{high}-{low}")
}

/// Samples of a game: legal moves, then agreement and containment of each filter.
fn samples(record: &store::Record) -> impl Iterator<Item = (usize, &Vec<Value>)> {
    let list = record.outcome["samples"].as_array().into_iter().flatten().filter_map(Value::as_array);
    list.filter_map(|sample| {
        let n = sample.first().and_then(Value::as_f64).filter(|n| (2.0..82.0).contains(n))?;
        Some((n as usize, sample))
    })
}

/// A filter in a band of legal moves. Moves of one game hang together: the interval is that of games.
fn in_band(records: &RowRecords, filter: usize, (low, high): (usize, usize), what: What) -> Estimate {
    let place = 1 + 2 * filter + usize::from(what == What::Keeps);
    let own = |record: &store::Record| -> Vec<f64> {
        let own = samples(record).filter(|(n, _)| (low..=high).contains(n));
        own.filter_map(|(_, sample)| sample.get(place)?.as_f64()).collect()
    };
    let games: Vec<Vec<f64>> = records.records.iter().map(|record| own(record)).collect();
    let means = |of: &dyn Fn(f64) -> f64| {
        let groups: Vec<(f64, f64)> =
            games.iter().map(|game| (game.iter().map(|x| of(*x)).sum(), game.len() as f64)).collect();
        mean_of_groups(&groups)
    };
    let mean = means(&|x| x);
    if what != What::Deviates {
        return mean;
    }
    // The root of the mean square, by the delta method.
    let (square, (low, high)) = means(&|x| (x - mean.0).powi(2));
    let root = square.sqrt();
    let half = (high - low) / 2.0 / (2.0 * root).max(1e-9);
    (root, (root - half, root + half))
}

pub fn parts(row: &Row) -> Vec<String> {
    let filters = filters(row).unwrap_or_default();
    let of_filter = |(name, _): &(String, Candidates)| -> Vec<String> {
        WHATS.iter().flat_map(|(_, what)| BANDS.map(|band| format!("{name} {what} {}", band_text(band)))).collect()
    };
    filters.iter().flat_map(of_filter).collect()
}

pub fn figures(records: &RowRecords) -> Vec<Part> {
    let filters = filters(records.row).unwrap_or_default();
    let mut found = Vec::new();
    for (i, (name, _)) in filters.iter().enumerate().filter(|_| records.records.len() > 1) {
        for (what, says) in WHATS {
            found.extend(BANDS.map(|band| Part {
                name: format!("{name} {says} {}", band_text(band)),
                value: in_band(records, i, band, what),
                trials: records.records.len() as u64,
                unit: Unit::Percent,
            }));
        }
    }
    found
}

pub fn tell(_: &Experiment, rows: &[RowRecords]) -> Section {
    let mut section = Section::default();
    for records in rows {
        let Ok(filters) = filters(records.row) else { continue };
        // By number of legal moves: agreement and containment of each sample.
        let mut agreement = vec![vec![Vec::new(); 82]; filters.len()];
        let mut containment = agreement.clone();
        for (n, sample) in records.records.iter().flat_map(|record| samples(record)) {
            let number = |i: usize| sample.get(i).and_then(Value::as_f64);
            for f in 0..filters.len() {
                agreement[f][n].extend(number(1 + 2 * f));
                containment[f][n].extend(number(2 + 2 * f));
            }
        }
        let plot = |title: &str, y: &str| Plot {
            title: title.to_string(),
            x: Axis { reverse: true, ..Axis::new("legal moves") },
            y: Axis::new(y),
            series: Vec::new(),
        };
        let mut plots = [
            plot("Share of the filter's moves in the better half (Graph 2)", "%"),
            plot("How often the best move is kept (Graph 3)", "%"),
            plot("The share's standard deviation (Graph 4)", "%"),
        ];
        let mut head = vec!["legal moves".to_string()];
        head.extend(filters.iter().map(|(name, _)| name.clone()));
        let title = "Share of the filter's moves in the better half, in percent, with 95 % intervals";
        let mut table = ResultTable { title: title.to_string(), head: head.clone(), rows: Vec::new() };
        let title = "How often the filter keeps the best move, in percent, with 95 % intervals";
        let mut kept = ResultTable { title: title.to_string(), head, rows: Vec::new() };
        for band in BANDS {
            let cells = |what: What| {
                let mut line = vec![format!("{} to {}", band.1, band.0)];
                line.extend((0..filters.len()).map(|filter| percent_text(in_band(records, filter, band, what))));
                line
            };
            table.rows.push(cells(What::Agrees));
            kept.rows.push(cells(What::Keeps));
        }
        for (color, (name, _)) in filters.iter().enumerate() {
            let line = |values: &[Vec<f64>], of: fn(&[f64]) -> f64| -> Series {
                let enough = values.iter().enumerate().filter(|(_, list)| list.len() >= 5);
                let points = enough.map(|(n, list)| Dot::new(n as f64, 100.0 * of(list))).collect();
                Series { name: name.clone(), style: Style::Line, color, points }
            };
            plots[0].series.push(line(&agreement[color], |list| mean_interval(list).0));
            plots[1].series.push(line(&containment[color], |list| mean_interval(list).0));
            plots[2].series.push(line(&agreement[color], deviation));
        }
        section.notes.push(format!("{} games.", records.records.len()));
        section.tables.extend([table, kept]);
        section.plots.extend(plots);
    }
    section
}
