//! What one trial of each kind does, and what its results show. One file for each kind of trial.

mod agreement;
mod bandit;
mod costs;
mod distribution;
mod games;
mod nodes;
mod regret;
mod shift;
mod tsumego;

use super::claims::Measure;
use super::experiment::{Experiment, Kind};
use super::plan::{Planned, Scaled};
use super::section::Section;
use super::stats::Estimate;
use super::store::Record;
use serde_json::Value;

/// A place where trials are made, one after the other.
pub trait TrialRunner: Send {
    /// Makes a trial. The same row, index and seed give the same outcome, times apart.
    fn run(&mut self, planned: &Planned, index: u64, seed: u64) -> Result<Value, String>;
}

/// One row: a kind, how its trials are made, and how they are told.
macro_rules! kinds {
    ($($kind:ident => $runner:expr, $tell:path;)*) => {
        pub fn runner_of(experiment: &Experiment) -> Box<dyn TrialRunner> {
            match experiment.kind {
                $(Kind::$kind => Box::new($runner(experiment)),)*
            }
        }

        /// Tables and figures of an experiment's records.
        pub fn tell(experiment: &Experiment, rows: &[RowRecords]) -> Section {
            match experiment.kind {
                $(Kind::$kind => $tell(experiment, rows),)*
            }
        }
    };
}

kinds! {
    Match => games::Games::new, games::tell;
    Nodes => games::Games::new, nodes::tell;
    Bandit => |_| bandit::Bandits, bandit::tell;
    Regret => |_| regret::Trees, regret::tell;
    Agreement => |_| agreement::Agreement, agreement::tell;
    Shift => |_| shift::Shift, shift::tell;
    Distribution => |_| distribution::Playouts, distribution::tell;
    Tsumego => |_| tsumego::Problems::default(), tsumego::tell;
}

/// What a row of games comes to, and of how many games; None without games, and where there are none to count.
pub fn estimate(kind: Kind, records: &RowRecords, measure: Measure) -> Option<(Estimate, u64)> {
    match kind {
        Kind::Match => games::estimate(records, measure),
        Kind::Nodes => nodes::estimate(records),
        _ => None,
    }
}

/// The records of a row that were made with one configuration.
pub struct RowRecords<'a> {
    pub row: &'a super::experiment::Row,
    /// The row's name, and which of several set-ups.
    pub label: String,
    pub records: Vec<&'a Record>,
    /// What was run instead of the budgets that are described; published figures are then for orientation only.
    pub scaled: Option<Scaled>,
}

impl RowRecords<'_> {
    /// A number in each outcome.
    fn numbers<'s>(&'s self, path: &'s str) -> impl Iterator<Item = f64> + 's {
        self.records.iter().filter_map(move |r| r.outcome.pointer(path).and_then(Value::as_f64))
    }
}
