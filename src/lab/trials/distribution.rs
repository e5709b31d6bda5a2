//! The scores of playouts at the first move of a handicap game, and what reward functions make of them.

use super::shift::position;
use super::{Part, ROW, RowRecords, TrialRunner, Unit};
use crate::game::Game;
use crate::lab::experiment::{Experiment, Row};
use crate::lab::plan::Planned;
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Section, Series, Style};
use crate::lab::stats::mean_of_few;
use crate::lab::store::Record;
use crate::playout::{self, light::Light};
use crate::search::Reward;
use crate::search::reward::{Shape, Side};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub struct Playouts;

impl TrialRunner for Playouts {
    fn run(&mut self, planned: &Planned, _: u64, seed: u64) -> Result<Value, String> {
        let row = &planned.row;
        shape(&row.text("reward"))?;
        let position = position(&row.setting, &row.text("stones"))?;
        let sign = Game::to_play(&position).sign();
        let mut scores: BTreeMap<i64, u64> = BTreeMap::new();
        playout::score_many(
            &Light,
            seed,
            0..row.count("playouts", 100_000_000)?,
            |_| &position,
            |_, score| {
                *scores.entry((2.0 * score * sign).round() as i64).or_default() += 1;
            },
        );
        let scores: BTreeMap<String, u64> =
            scores.into_iter().map(|(halves, count)| ((halves as f64 / 2.0).to_string(), count)).collect();
        Ok(json!({ "scores": scores }))
    }
}

fn shape(name: &str) -> Result<Shape, String> {
    match name {
        "step" => Ok(Shape::Step),
        "sigmoid" => Ok(Shape::Sigmoid),
        "dakv" => Ok(Shape::Dakv),
        "half-sigmoid" => Ok(Shape::HalfSigmoid(Side::Behind)),
        "sigmoid-komi" => Ok(Shape::SigmoidKomi(Side::Behind)),
        _ => Err(format!("no reward '{name}'; there are: step, sigmoid, dakv, half-sigmoid, sigmoid-komi")),
    }
}

/// Scores of the side to move with their counts, best first.
type Histogram = Vec<(f64, f64)>;

fn histogram<'a>(outcomes: impl Iterator<Item = &'a Value>) -> Histogram {
    let mut sums: BTreeMap<i64, f64> = BTreeMap::new();
    for (score, count) in outcomes.filter_map(|o| o["scores"].as_object()).flatten() {
        if let (Ok(score), Some(count)) = (score.parse::<f64>(), count.as_f64()) {
            *sums.entry((2.0 * score).round() as i64).or_default() += count;
        }
    }
    sums.into_iter().rev().map(|(halves, count)| (halves as f64 / 2.0, count)).collect()
}

fn mean_reward(reward: Reward, scores: &Histogram) -> f64 {
    let total: f64 = scores.iter().map(|s| s.1).sum();
    scores.iter().map(|(x, n)| f64::from(reward.of(*x as f32)) * n).sum::<f64>() / total.max(1.0)
}

/// The reward komi nearest to 0 with which the mean reward is at least the target.
fn with_komi(reward: Reward, target: f64, scores: &Histogram) -> Reward {
    let candidates = (0..=400).map(|halves| Reward { c: -(halves as f32) / 2.0, ..reward });
    let mut last = reward;
    for candidate in candidates {
        last = candidate;
        if mean_reward(candidate, scores) >= target {
            break;
        }
    }
    last
}

/// The reward gathered from the best score down to each, as a share of all of it.
fn accumulated(reward: Reward, scores: &Histogram) -> Vec<(f64, f64)> {
    let all: f64 = scores.iter().map(|(x, n)| f64::from(reward.of(*x as f32)) * n).sum();
    let mut sum = 0.0;
    let mut course = Vec::new();
    for (x, n) in scores {
        sum += f64::from(reward.of(*x as f32)) * n;
        course.push((*x, if all > 0.0 { sum / all } else { 0.0 }));
    }
    course
}

fn half_reached(reward: Reward, scores: &Histogram) -> Option<f64> {
    accumulated(reward, scores).into_iter().find(|(_, share)| *share >= 0.5).map(|(x, _)| x)
}

pub fn parts() -> Vec<String> {
    vec!["half".to_string()]
}

/// The row's reward as its experiment says, without a komi.
fn reward_of(row: &Row) -> Option<(Reward, f64)> {
    let (shape, target) = (shape(&row.text("reward")).ok()?, row.number("target").ok()?);
    Some((Reward { shape, gain: row.number("gain").unwrap_or(0.0) as f32, ..Reward::STEP }, target))
}

/// In each trial, the score at which half of the reward is reached.
fn halves(records: &RowRecords, reward: Reward, target: f64) -> Vec<f64> {
    let half = |record: &&Record| {
        let scores = histogram(std::iter::once(&record.outcome));
        half_reached(with_komi(reward, target, &scores), &scores)
    };
    records.records.iter().filter_map(half).collect()
}

pub fn figures(records: &RowRecords) -> Vec<Part> {
    let Some((reward, target)) = reward_of(records.row) else { return Vec::new() };
    let halves = halves(records, reward, target);
    let part = Part {
        name: "half".to_string(),
        value: mean_of_few(&halves),
        trials: halves.len() as u64,
        unit: Unit::Plain(1),
    };
    vec![part].into_iter().filter(|part| part.trials > 1).collect()
}

pub fn tell(_: &Experiment, rows: &[RowRecords]) -> Section {
    let all = histogram(rows.iter().flat_map(|r| &r.records).map(|r| &r.outcome));
    let total: f64 = all.iter().map(|s| s.1).sum();
    // Boards that one side has all of would dwarf everything else.
    let inner = all.get(1..all.len().saturating_sub(1)).unwrap_or_default();
    let most = inner.iter().map(|s| s.1).fold(1.0, f64::max);
    let mut table = ResultTable::new(
        "The score at which half of the reward is reached, from the best score down",
        &[ROW, "reward komi", "mean reward", "published", "measured", "mean of trials, 95 %", "playouts"],
    );
    let bars = all.iter().map(|(x, n)| Dot::new(*x, (n / most).min(1.0))).collect();
    let mut scores = Plot {
        title: format!("Scores of {total:.0} playouts and their rewards with the reward komi given (Fig. 1)"),
        x: Axis::new("score of the side to move"),
        y: Axis::new("reward; playouts, scaled").range(0.0, 1.0),
        series: vec![Series { name: "playouts".to_string(), style: Style::Bars, color: 7, points: bars }],
    };
    let mut gathered = Plot {
        title: "Reward accumulated from the best score down (Fig. 2, 3)".to_string(),
        x: Axis { reverse: true, ..Axis::new("score of the side to move") },
        y: Axis::new("%").range(0.0, 100.0),
        series: Vec::new(),
    };
    for (color, records) in rows.iter().enumerate() {
        let row = records.row;
        let Some((plain, target)) = reward_of(row) else { continue };
        let own = histogram(records.records.iter().map(|r| &r.outcome));
        if own.is_empty() {
            continue;
        }
        let reward = with_komi(plain, target, &own);
        let (mean, (low, high)) = mean_of_few(&halves(records, plain, target));
        table.rows.push(vec![
            records.label.clone(),
            reward.c.to_string(),
            format!("{:.4}", mean_reward(reward, &own)),
            row.published[0].map(|x| x.to_string()).unwrap_or_default(),
            half_reached(reward, &own).map(|x| x.to_string()).unwrap_or_default(),
            format!("{mean:.2} [{low:.2}, {high:.2}]"),
            format!("{:.0}", own.iter().map(|s| s.1).sum::<f64>()),
        ]);
        if let Ok(c) = row.number("c") {
            let drawn = Reward { c: c as f32, ..plain };
            let points = (-162..=162).map(|i| f64::from(i) / 2.0).map(|x| Dot::new(x, f64::from(drawn.of(x as f32))));
            let name = format!("{}, c {c}", records.label);
            scores.series.push(Series { name, style: Style::Line, color, points: points.collect() });
        }
        let points = accumulated(reward, &own).into_iter().map(|(x, share)| Dot::new(x, 100.0 * share)).collect();
        let name = format!("{}, c {}", records.label, reward.c);
        gathered.series.push(Series { name, style: Style::Line, color, points });
    }
    Section { tables: vec![table], plots: vec![scores, gathered], ..Section::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_reward_and_the_komi_are_those_counted_by_hand() {
        let scores: Histogram = vec![(10.5, 1.0), (-0.5, 1.0), (-3.5, 2.0), (-8.5, 6.0)];
        let dakv = Reward { shape: Shape::Dakv, ..Reward::STEP };
        assert_eq!(mean_reward(dakv, &scores), 0.1);
        let half = with_komi(dakv, 0.4, &scores);
        assert_eq!(half.c, -3.5);
        // Rewards 1, 1 and 2 down to -3.5: half of four is there at -0.5.
        assert_eq!(half_reached(half, &scores), Some(-0.5));
        assert_eq!(with_komi(dakv, 0.1, &scores).c, 0.0);
    }
}
