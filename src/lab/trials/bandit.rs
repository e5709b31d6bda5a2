//! UCB1 and Sequential Halving on a row of slot machines.

use super::{Part, RowRecords, TrialRunner, Unit};
use crate::base::Rng;
use crate::base::rng::mix;
use crate::lab::experiment::Experiment;
use crate::lab::plan::Planned;
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Section, Series, Style};
use crate::lab::stats::{Estimate, Rate, difference, mean_interval};
use crate::search::bandit::{BanditResult, sequential_halving, ucb1};
use serde_json::{Value, json};

pub struct Bandits;

impl TrialRunner for Bandits {
    fn run(&mut self, planned: &Planned, _: u64, seed: u64) -> Result<Value, String> {
        let arms = planned.row.count("arms", 1_000_000)? as usize;
        let pulls = planned.row.count("pulls", 1_000_000_000)?;
        let c = planned.row.number("c")?;
        // The same machines for both, with chance of their own.
        let pay = |stream: u64| {
            let mut rng = Rng::new(mix(&[seed, stream]));
            move |arm: usize| f64::from(rng.unit() < 0.1 + 0.8 * arm as f64 / (arms.max(2) - 1) as f64)
        };
        let ucb = ucb1(arms, pulls, c, pay(0));
        let halving = sequential_halving(arms, pulls, pay(1));
        let tell = |result: &BanditResult| {
            json!({
                "reward": result.mean_reward(), "right": result.answer == arms - 1,
                "most_pulled_right": result.most_pulled() == arms - 1,
                "pulls": result.pulls.iter().sum::<u64>(),
            })
        };
        Ok(json!({ "ucb1": tell(&ucb), "halving": tell(&halving) }))
    }
}

const PLAYERS: [(&str, &str); 2] = [("ucb1", "UCB1"), ("halving", "Sequential Halving")];

fn share(records: &RowRecords, path: &str) -> Rate {
    let answers = records.records.iter().filter_map(|r| r.outcome.pointer(path).and_then(Value::as_bool));
    answers.fold(Rate::default(), |rate, right| Rate {
        wins: rate.wins + u64::from(right),
        games: rate.games + 1,
        ..rate
    })
}

/// What is asked of a number of arms.
const PARTS: [&str; 4] = ["UCB1 names", "Halving names", "Halving names more", "Halving earns more"];

pub fn parts() -> Vec<String> {
    PARTS.map(str::to_string).to_vec()
}

pub fn figures(records: &RowRecords) -> Vec<Part> {
    let [ucb, halving] = ["/ucb1/right", "/halving/right"].map(|path| share(records, path).estimate());
    let [u, h] = ["/ucb1/reward", "/halving/reward"].map(|path| records.numbers(path).collect::<Vec<f64>>());
    let earns: Vec<f64> = h.iter().zip(&u).map(|(h, u)| h - u).collect();
    let values = [ucb, halving, difference(halving, ucb), mean_interval(&earns)];
    let units = [Unit::Percent, Unit::Percent, Unit::Percent, Unit::Plain(3)];
    let part = |((name, value), unit): ((&str, Estimate), Unit)| Part {
        name: name.to_string(),
        value,
        trials: records.records.len() as u64,
        unit,
    };
    PARTS.into_iter().zip(values).zip(units).map(part).collect()
}

pub fn tell(experiment: &Experiment, rows: &[RowRecords]) -> Section {
    let head =
        ["arms", "UCB1 names the best, %", "most pulled, %", "Halving names the best, %", "more than UCB1 by", "runs"];
    let mut naming = ResultTable::new("How often the best arm is named, with 95 % intervals", &head);
    let head = ["arms", "UCB1", "Sequential Halving", "Halving more by"];
    let mut earning = ResultTable::new("Mean reward of a pull, with 95 % intervals", &head);
    let log = experiment.plot.as_ref().is_some_and(|p| p.log);
    let plot =
        |title: &str, y: Axis| Plot { title: title.to_string(), x: Axis::new("arms").log(log), y, series: Vec::new() };
    let mut plots = [
        plot("Mean reward of a pull (Fig. 3)", Axis::new("reward")),
        plot("Share of runs that name the best arm (Fig. 4)", Axis::new("%").range(0.0, 100.0)),
    ];
    for (color, (key, name)) in PLAYERS.into_iter().enumerate() {
        let mut points = [Vec::new(), Vec::new()];
        for records in rows.iter().filter(|r| !r.records.is_empty()) {
            let Ok(x) = records.row.number("arms") else { continue };
            let rewards: Vec<f64> = records.numbers(&format!("/{key}/reward")).collect();
            let (y, interval) = mean_interval(&rewards);
            points[0].push(Dot { x, y, interval: Some(interval) });
            let right = share(records, &format!("/{key}/right"));
            let (low, high) = right.interval();
            points[1].push(Dot { x, y: 100.0 * right.rate(), interval: Some((100.0 * low, 100.0 * high)) });
        }
        for (plot, points) in plots.iter_mut().zip(points) {
            plot.series.push(Series { name: name.to_string(), style: Style::Measured, color, points });
        }
    }
    for records in rows {
        let (ucb, halving) = (share(records, "/ucb1/right"), share(records, "/halving/right"));
        naming.rows.push(vec![
            records.label.clone(),
            ucb.percent_text(),
            share(records, "/ucb1/most_pulled_right").percent_text(),
            halving.percent_text(),
            halving.more_text(ucb),
            records.records.len().to_string(),
        ]);
        let list = |key: &str| records.numbers(key).collect::<Vec<f64>>();
        let (ucb, halving) = (list("/ucb1/reward"), list("/halving/reward"));
        let more: Vec<f64> = halving.iter().zip(&ucb).map(|(h, u)| h - u).collect();
        let shown = |values: &[f64], sign: &str| {
            let (mean, (low, high)) = mean_interval(values);
            match sign {
                "+" => format!("{mean:+.4} [{low:+.4}, {high:+.4}]"),
                _ => format!("{mean:.4} [{low:.4}, {high:.4}]"),
            }
        };
        earning.rows.push(vec![records.label.clone(), shown(&ucb, ""), shown(&halving, ""), shown(&more, "+")]);
    }
    Section { tables: vec![naming, earning], plots: plots.to_vec(), ..Section::default() }
}
