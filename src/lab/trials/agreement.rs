//! How filters by potential agree with Monte-Carlo values, at every move of plain games.

use super::shift::{best_move, position};
use super::{RowRecords, TrialRunner};
use crate::base::rng::mix;
use crate::base::stats::wilson;
use crate::base::{Point, Rng};
use crate::game::Record;
use crate::game::go::Go9;
use crate::lab::experiment::{Experiment, Row};
use crate::lab::plan::Planned;
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Section, Series, Style};
use crate::lab::stats::{deviation, mean_interval};
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

/// A mean with its interval.
type Interval = fn(&[f64]) -> (f64, (f64, f64));

/// Of a list of yes (1) and no (0).
fn share_interval(answers: &[f64]) -> (f64, (f64, f64)) {
    let (yes, all) = (answers.iter().fold(0.0, |sum, x| sum + x), answers.len() as f64);
    (yes / all.max(1.0), wilson(yes, all))
}

pub fn tell(_: &Experiment, rows: &[RowRecords]) -> Section {
    let mut section = Section::default();
    for records in rows {
        let Ok(filters) = filters(records.row) else { continue };
        // By number of legal moves: agreement and containment of each sample.
        let mut agreement = vec![vec![Vec::new(); 82]; filters.len()];
        let mut containment = agreement.clone();
        for sample in records.records.iter().filter_map(|r| r.outcome["samples"].as_array()).flatten() {
            let Some(numbers) = sample.as_array() else { continue };
            let number = |i: usize| numbers.get(i).and_then(Value::as_f64);
            let Some(n) = number(0).filter(|n| (2.0..82.0).contains(n)) else { continue };
            for f in 0..filters.len() {
                agreement[f][n as usize].extend(number(1 + 2 * f));
                containment[f][n as usize].extend(number(2 + 2 * f));
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
        for (low, high) in BANDS {
            let cells = |values: &[Vec<Vec<f64>>], interval: Interval| {
                let one = |filter: &Vec<Vec<f64>>| {
                    let list: Vec<f64> = filter[low..=high].iter().flatten().copied().collect();
                    let (mean, (from, to)) = interval(&list);
                    format!("{:.1} [{:.1}, {:.1}]", 100.0 * mean, 100.0 * from, 100.0 * to)
                };
                let mut line = vec![format!("{high} to {low}")];
                line.extend(values.iter().map(one));
                line
            };
            table.rows.push(cells(&agreement, mean_interval));
            kept.rows.push(cells(&containment, share_interval));
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
