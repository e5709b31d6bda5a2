//! Runs the trials of a plan that are still to be made, on several jobs, into a store.
//!
//! A trial depends on its seed and its row alone, so that jobs and shards change nothing but the time. All rows advance
//! together, pair of trials by pair, so that a run that is broken off has something of each.

use super::plan::{Plan, Planned};
use super::store::{Record, Shard, Store};
use super::trials;
use crossbeam::channel::{Sender, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

pub struct Runner {
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

struct Task {
    row: usize,
    index: u64,
}

impl Runner {
    fn tasks(&self, plan: &Plan, store: &Store) -> (Vec<Task>, usize) {
        let games = |planned: &Planned| self.games.unwrap_or(planned.row.games);
        let most = plan.rows.iter().map(games).max().unwrap_or(0);
        let mut tasks = Vec::new();
        let mut total = 0;
        for pair in 0..most.div_ceil(2) {
            for (row, planned) in plan.rows.iter().enumerate() {
                for index in [2 * pair, 2 * pair + 1] {
                    if index < games(planned) && self.shard.holds(index) {
                        total += 1;
                        let name = plan.experiment.name.clone();
                        let key = (name, planned.row.name.clone(), index, planned.config.clone());
                        if !store.is_done(&key) {
                            tasks.push(Task { row, index });
                        }
                    }
                }
            }
        }
        (tasks, total)
    }

    /// Makes what is left and tells how far it is, first before the first trial. `stop` ends the run after the trials in
    /// hand.
    pub fn run(
        &self,
        plan: &Plan,
        store: &mut Store,
        stop: &AtomicBool,
        mut told: impl FnMut(&Progress),
    ) -> Result<Progress, String> {
        let began = Instant::now();
        let (tasks, total) = self.tasks(plan, store);
        let mut progress = Progress { done: total - tasks.len(), total };
        told(&progress);
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let may_go_on =
            || !stop.load(SeqCst) && !failed.load(SeqCst) && self.time.is_none_or(|most| began.elapsed() < most);
        let (sender, finished) = unbounded();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, tasks.len().max(1)) {
                let (sender, next, tasks, may_go_on) = (sender.clone(), &next, &tasks, &may_go_on);
                scope.spawn(move || work(plan, tasks, next, may_go_on, &sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            for result in finished {
                let written = result.and_then(|record| store.append(&record));
                match written {
                    Ok(()) => {
                        progress.done += 1;
                        told(&progress);
                    }
                    Err(e) => {
                        failed.store(true, SeqCst);
                        outcome = outcome.and(Err(e));
                    }
                }
            }
            outcome
        })?;
        Ok(progress)
    }
}

/// One job: the next trial until there is none.
fn work(
    plan: &Plan,
    tasks: &[Task],
    next: &AtomicUsize,
    may_go_on: &dyn Fn() -> bool,
    finished: &Sender<Result<Record, String>>,
) {
    let mut bench = trials::bench(&plan.experiment);
    while may_go_on() {
        let Some(task) = tasks.get(next.fetch_add(1, SeqCst)) else { return };
        let planned = &plan.rows[task.row];
        let seed = plan.trial_seed(planned, task.index);
        let began = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| bench.run(planned, task.index, seed)));
        let outcome = outcome.unwrap_or_else(|_| Err("the trial panicked".to_string()));
        let name =
            |e: String| format!("{}, row '{}', trial {}: {e}", plan.experiment.name, planned.row.name, task.index);
        let record = outcome.map_err(name).map(|outcome| Record {
            experiment: plan.experiment.name.clone(),
            row: planned.row.name.clone(),
            index: task.index,
            config: planned.config.clone(),
            seed,
            budget: plan.budget.clone(),
            setting: planned.row.setting.clone(),
            players: planned.lines.clone(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            seconds: rounded(began.elapsed().as_secs_f64()),
            outcome,
        });
        if finished.send(record).is_err() {
            return;
        }
    }
}

/// Times to a tenth of a millisecond: short to write, exact enough.
pub fn rounded(seconds: f64) -> f64 {
    (seconds * 1e4).round() / 1e4
}
