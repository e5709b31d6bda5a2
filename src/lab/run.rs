//! Runs the trials of a plan that are still to be made, on several jobs, into a store.
//!
//! A trial depends on its seed and its row alone, so that jobs and shards change nothing but the time. All rows advance
//! together, pair of trials by pair, so that a run that is broken off has something of each.

use super::experiment::Colours;
use super::machine::{Clock, Made};
use super::plan::{Plan, Planned};
use super::sprt::{Goal, Watch};
use super::store::{Record, Shard, Store};
use super::trials;
use crate::jobs::{Error, Next, Runner};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// How much of a plan to run, and how.
pub struct Run {
    /// Trials of a row; None: as many as the paper's.
    pub games: Option<u64>,
    pub jobs: usize,
    pub shard: Shard,
    /// No trial is begun after this long.
    pub time: Option<Duration>,
    /// A row of a match ends as soon as this is reached.
    pub goal: Option<Goal>,
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

    /// One test for each row, as far as trials that are known already bring it; none if none is asked for.
    ///
    /// A test looks at whole pairs in the order of their numbers, whenever they were played, so that its errors are those of
    /// looking after every pair.
    fn watches(&self, plan: &Plan, known: &[Record]) -> Vec<Watch> {
        let Some(goal) = self.goal else { return Vec::new() };
        let is_paired = plan.experiment.colours == Colours::Both;
        let watch = |planned: &Planned| {
            let mut watch = Watch::new(goal, is_paired);
            let own = known.iter().filter(|r| r.experiment == plan.experiment.name && r.config == planned.config);
            own.filter(|r| r.row == planned.row.name).for_each(|record| look(&mut watch, record));
            watch
        };
        plan.rows.iter().map(watch).collect()
    }

    /// Makes what is left and tells how far it is, first before the first trial. `stop` ends the run after the trials in
    /// hand; `known` are trials that sequential tests start from.
    pub fn run(
        &self,
        plan: &Plan,
        store: &mut Store,
        known: &[Record],
        stop: &AtomicBool,
        mut told: impl FnMut(&Progress),
    ) -> Result<(Progress, Vec<Watch>), Error> {
        let mut watches = self.watches(plan, known);
        let is_decided: Vec<AtomicBool> =
            (0..plan.rows.len()).map(|i| AtomicBool::new(watches.get(i).is_some_and(|w| w.end().is_some()))).collect();
        let (trials, total) = self.trials(plan, store);
        let mut progress = Progress { done: total - trials.len(), total };
        told(&progress);
        let runner = Runner { threads: self.jobs, stop, time: self.time };
        let make = |runner: &mut Box<dyn trials::TrialRunner>, trial: &Trial| {
            if is_decided[trial.row].load(SeqCst) {
                return Ok(None);
            }
            let planned = &plan.rows[trial.row];
            let (name, row) = (&plan.experiment.name, &planned.row.name);
            let record = self.record(plan, planned, trial.index, runner.as_mut());
            record.map(Some).map_err(|e| format!("{name}, row '{row}', trial {}: {e}", trial.index))
        };
        runner.run(
            &trials,
            || trials::runner_of(&plan.experiment),
            make,
            |trial, record| {
                store.append(&record)?;
                if let Some(watch) = watches.get_mut(trial.row) {
                    look(watch, &record);
                    is_decided[trial.row].store(watch.end().is_some(), SeqCst);
                }
                progress.done += 1;
                told(&progress);
                Ok(Next::Go)
            },
        )?;
        Ok((progress, watches))
    }

    /// Makes a trial.
    fn record(
        &self,
        plan: &Plan,
        planned: &Planned,
        index: u64,
        runner: &mut dyn trials::TrialRunner,
    ) -> Result<Record, String> {
        let seed = plan.trial_seed(planned, index);
        let (began, clock) = (Instant::now(), Clock::start());
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
            code: planned.code.clone(),
            seconds: rounded(began.elapsed().as_secs_f64()),
            made: Some(Made { goal: self.goal.map(|goal| goal.to_string()), ..Made::now(self.jobs, &clock) }),
            outcome,
        })
    }
}

fn look(watch: &mut Watch, record: &Record) {
    if let Some(points) = record.outcome["points"].as_f64() {
        watch.add(record.index as usize, points);
    }
}

/// Times to a tenth of a millisecond: short to write, exact enough.
pub fn rounded(seconds: f64) -> f64 {
    (seconds * 1e4).round() / 1e4
}
