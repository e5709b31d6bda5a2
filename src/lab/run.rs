//! Runs the trials of a plan that are still to be made, on several jobs, into a store.
//!
//! A trial depends on its seed and its row alone, so that jobs and shards change nothing but the time. All rows advance
//! together, pair of trials by pair, so that a run that is broken off has something of each.

use super::code::Code;
use super::plan::{Plan, Planned};
use super::store::{Record, Shard, Store};
use super::trials;
use crate::jobs::{Error, Next, Runner};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How much of a plan to run, and how.
pub struct Run {
    /// Trials of a row; None: as many as the paper's.
    pub games: Option<u64>,
    pub jobs: usize,
    pub shard: Shard,
    /// No trial is begun after this long.
    pub time: Option<Duration>,
}

/// What there is to do, and how much of it is done.
pub struct Progress {
    pub done: usize,
    pub total: usize,
}

/// A trial that is still to be made.
struct Trial {
    row: usize,
    index: u64,
}

impl Run {
    /// The trials that the store does not have, and how many there are with those that it has.
    fn trials(&self, plan: &Plan, store: &Store) -> (Vec<Trial>, usize) {
        let games = |planned: &Planned| self.games.unwrap_or(planned.row.games);
        let most = plan.rows.iter().map(games).max().unwrap_or(0);
        let mut trials = Vec::new();
        let mut total = 0;
        for pair in 0..most.div_ceil(2) {
            for (row, planned) in plan.rows.iter().enumerate() {
                for index in [2 * pair, 2 * pair + 1] {
                    if index < games(planned) && self.shard.holds(index) {
                        total += 1;
                        let name = plan.experiment.name.clone();
                        let key = (name, planned.row.name.clone(), index, planned.config.clone());
                        if !store.is_done(&key) {
                            trials.push(Trial { row, index });
                        }
                    }
                }
            }
        }
        (trials, total)
    }

    /// Makes what is left and tells how far it is, first before the first trial. `stop` ends the run after the trials in
    /// hand.
    pub fn run(
        &self,
        plan: &Plan,
        store: &mut Store,
        stop: &AtomicBool,
        mut told: impl FnMut(&Progress),
    ) -> Result<Progress, Error> {
        let (trials, total) = self.trials(plan, store);
        let mut progress = Progress { done: total - trials.len(), total };
        told(&progress);
        let runner = Runner { threads: self.jobs, stop, time: self.time };
        let code = Code::own();
        let make = |runner: &mut Box<dyn trials::TrialRunner>, trial: &Trial| {
            let planned = &plan.rows[trial.row];
            let (name, row) = (&plan.experiment.name, &planned.row.name);
            let record = record(plan, planned, trial.index, runner.as_mut(), &code);
            record.map(Some).map_err(|e| format!("{name}, row '{row}', trial {}: {e}", trial.index))
        };
        runner.run(
            &trials,
            || trials::runner_of(&plan.experiment),
            make,
            |_, record| {
                store.append(&record)?;
                progress.done += 1;
                told(&progress);
                Ok(Next::Go)
            },
        )?;
        Ok(progress)
    }
}

/// Makes a trial.
fn record(
    plan: &Plan,
    planned: &Planned,
    index: u64,
    runner: &mut dyn trials::TrialRunner,
    code: &Code,
) -> Result<Record, String> {
    let seed = plan.trial_seed(planned, index);
    let began = Instant::now();
    let outcome = runner.run(planned, index, seed)?;
    Ok(Record {
        experiment: plan.experiment.name.clone(),
        row: planned.row.name.clone(),
        index,
        config: planned.config.clone(),
        seed,
        budget: plan.budget.clone(),
        setting: planned.row.setting.clone(),
        players: planned.lines.clone(),
        code: code.clone(),
        seconds: rounded(began.elapsed().as_secs_f64()),
        outcome,
    })
}

/// Times to a tenth of a millisecond: short to write, exact enough.
pub fn rounded(seconds: f64) -> f64 {
    (seconds * 1e4).round() / 1e4
}
