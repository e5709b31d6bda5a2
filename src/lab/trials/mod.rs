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
use super::experiment::{Experiment, Kind, Row};
use super::plan::{Planned, Scaled};
use super::section::Section;
use super::stats::Estimate;
use super::store::Record;
use serde::Serialize;
use serde_json::Value;

/// The head of a table's first column where that is of rows, by their labels.
pub const ROW: &str = "row";

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

/// A number with its interval that claims ask for.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// That of a row, or of what is measured in it.
    pub name: String,
    /// The same, and which of several set-ups.
    pub label: String,
    /// With its interval.
    pub value: Estimate,
    /// How many trials it is of.
    pub trials: u64,
    /// Seconds of a core that these took.
    pub cost: f64,
    #[serde(skip)]
    pub unit: Unit,
    /// Is it of games won? One trial more or less then is much.
    #[serde(skip)]
    pub is_rate: bool,
}

/// What a figure is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    Percent,
    /// With so many digits behind the point.
    Plain(usize),
}

impl Unit {
    /// From what is written to what is measured.
    pub fn scale(self, x: f64) -> f64 {
        match self {
            Unit::Percent => x / 100.0,
            Unit::Plain(_) => x,
        }
    }

    pub fn text(self, (value, (low, high)): Estimate, is_signed: bool) -> String {
        let (times, digits) = match self {
            Unit::Percent => (100.0, 1),
            Unit::Plain(digits) => (1.0, digits),
        };
        let one = |x: f64| match is_signed {
            true => format!("{:+.digits$}", times * x),
            false => format!("{:.digits$}", times * x),
        };
        format!("{} [{}, {}]", one(value), one(low), one(high))
    }
}

/// What is measured in a row: its name, then what of it where there is more than one thing.
fn name_of(row: &Row, part: &str) -> String {
    match (row.name.as_str(), part) {
        (name, "") => name.to_string(),
        ("all", part) => part.to_string(),
        (name, part) => format!("{name} {part}"),
    }
}

/// The names of all figures that an experiment's results can have.
pub fn names(experiment: &Experiment) -> Vec<String> {
    let parts = |row: &Row| match experiment.kind {
        Kind::Match | Kind::Nodes | Kind::Tsumego => vec![String::new()],
        Kind::Bandit => bandit::parts(),
        Kind::Regret => regret::parts(row),
        Kind::Agreement => agreement::parts(row),
        Kind::Shift => shift::parts(row),
        Kind::Distribution => distribution::parts(),
    };
    let of_row = |row: &Row| -> Vec<String> { parts(row).iter().map(|part| name_of(row, part)).collect() };
    experiment.rows.iter().flat_map(of_row).collect()
}

/// All figures that there are.
pub fn figures(experiment: &Experiment, rows: &[RowRecords], measure: Measure) -> Vec<Figure> {
    let parts = |records: &RowRecords| -> Vec<Part> {
        let whole = |estimate: Option<(Estimate, u64)>, unit| -> Vec<Part> {
            let part = |(value, trials)| Part { name: String::new(), value, trials, unit };
            estimate.map(part).into_iter().collect()
        };
        match experiment.kind {
            Kind::Match => whole(games::estimate(records, measure), games::unit(measure)),
            Kind::Nodes => whole(nodes::estimate(records), Unit::Plain(0)),
            Kind::Tsumego => whole(tsumego::estimate(records), Unit::Percent),
            Kind::Bandit => bandit::figures(records),
            Kind::Regret => regret::figures(records),
            Kind::Agreement => agreement::figures(records),
            Kind::Shift => rows.first().map(|empty| shift::figures(empty, records)).unwrap_or_default(),
            Kind::Distribution => distribution::figures(records),
        }
    };
    let of_row = |records: &RowRecords| -> Vec<Figure> {
        let set_up = records.label.strip_prefix(records.row.name.as_str()).unwrap_or_default();
        let figure = |part: Part| {
            let name = name_of(records.row, &part.name);
            let label = format!("{name}{set_up}");
            let is_rate = experiment.kind == Kind::Match && part.unit == Unit::Percent;
            Figure {
                name,
                label,
                value: part.value,
                trials: part.trials,
                cost: records.cost(),
                unit: part.unit,
                is_rate,
            }
        };
        parts(records).into_iter().map(figure).collect()
    };
    rows.iter().flat_map(of_row).collect()
}

/// One of the things that a row's trials measure.
struct Part {
    name: String,
    value: Estimate,
    trials: u64,
    unit: Unit,
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
    /// Seconds of a core that they took.
    pub fn cost(&self) -> f64 {
        self.records.iter().map(|record| record.cost()).sum()
    }

    /// A number in each outcome.
    fn numbers<'s>(&'s self, path: &'s str) -> impl Iterator<Item = f64> + 's {
        self.records.iter().filter_map(move |r| r.outcome.pointer(path).and_then(Value::as_f64))
    }
}

#[cfg(test)]
mod tests {
    use super::super::experiment::Paper;
    use super::*;
    use crate::lab::code::Code;
    use serde_json::json;

    /// Figures of an experiment whose rows have these outcomes, in this order.
    fn figures_of(experiment: &str, outcomes: &[Vec<Value>]) -> Vec<Figure> {
        let text = format!("title = \"t\"\n[[experiment]]\nname = \"e\"\n{experiment}");
        let experiment = Paper::parse(&text).unwrap().experiments.remove(0);
        let record = |row: &Row, index: usize, outcome: &Value| Record {
            experiment: "e".to_string(),
            row: row.name.clone(),
            index: index as u64,
            config: String::new(),
            seed: 0,
            budget: "as described".to_string(),
            setting: row.setting.clone(),
            players: row.lines.clone(),
            code: Code::default(),
            seconds: 2.0,
            made: None,
            outcome: outcome.clone(),
        };
        let rows = experiment.rows.iter().zip(outcomes);
        let records: Vec<(&Row, Vec<Record>)> = rows
            .map(|(row, list)| (row, list.iter().enumerate().map(|(i, outcome)| record(row, i, outcome)).collect()))
            .collect();
        let rows: Vec<RowRecords> = records
            .iter()
            .map(|(row, list)| RowRecords {
                row,
                label: row.name.clone(),
                records: list.iter().collect(),
                scaled: None,
            })
            .collect();
        let found = figures(&experiment, &rows, Measure::All);
        let known = names(&experiment);
        assert!(found.iter().all(|figure| known.contains(&figure.name)), "{known:?}");
        found
    }

    fn value(figures: &[Figure], name: &str) -> Estimate {
        figures.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no {name} in {figures:?}")).value
    }

    #[test]
    fn bandits_name_and_earn() {
        let one = |ucb: bool, halving: bool, earns: f64| {
            let of = |right, reward| json!({ "right": right, "reward": reward });
            json!({ "ucb1": of(ucb, 0.5), "halving": of(halving, 0.5 + earns) })
        };
        let text = "kind = \"bandit\"\ngames = 9\nwith = { pulls = 9, c = 1 }\ncolumns = [\"arms\"]\nrows = [[2]]";
        let found = figures_of(text, &[vec![one(true, true, 0.1), one(false, true, 0.3)]]);
        assert_eq!((found.len(), found[0].trials, found[0].cost), (4, 2, 4.0));
        assert_eq!((value(&found, "2 UCB1 names").0, value(&found, "2 Halving names").0), (0.5, 1.0));
        assert_eq!(value(&found, "2 Halving names more").0, 0.5);
        assert!((value(&found, "2 Halving earns more").0 - 0.2).abs() < 1e-9);
    }

    #[test]
    fn filters_agree_keep_and_deviate_by_bands() {
        let game =
            |a: f64, b: f64| json!({ "samples": [[80, a, 1, 0.5, 0], [75, b, 0, 0.5, 0], [15, 1.0, 1, 0.0, 1]] });
        let text = "kind = \"agreement\"\ngames = 9\nfirst = \"mc each=2\"\nwith = { filters = \"filter1 random\" }";
        let found = figures_of(text, &[vec![game(0.4, 0.8), game(0.6, 1.0)]]);
        assert!((value(&found, "filter1 agrees 81-71").0 - 0.7).abs() < 1e-9);
        assert_eq!(value(&found, "filter1 keeps 81-71").0, 0.5);
        // The root of (0.3² + 0.1² + 0.1² + 0.3²) / 4.
        assert!((value(&found, "filter1 deviates 81-71").0 - 0.05f64.sqrt()).abs() < 1e-9);
        // Both games come to the same: between games there is no spread, whatever there is within.
        assert_eq!(value(&found, "random agrees 20-11"), (0.0, (0.0, 0.0)));
    }

    #[test]
    fn stones_shift_best_moves_by_steps() {
        let text = "kind = \"shift\"\nsize = 5\ngames = 9\nfirst = \"mc each=2\"\ncolumns = [\"stones\"]\n\
                    rows = [[\"\"], [\"B C3 W E5\"]]";
        let found = figures_of(
            text,
            &[vec![json!({ "counts": { "C3": 3, "B2": 1 } })], vec![json!({ "counts": { "B2": 3, "D4": 1 } })]],
        );
        assert_eq!(value(&found, "B C3 W E5 1 step").0, 0.75);
        assert_eq!(value(&found, "B C3 W E5 1 or 2 from both").0, 0.25, "D4 and the like alone");
        assert_eq!(found.len(), 5);
    }

    #[test]
    fn regrets_have_slopes_and_a_bound_that_says_something() {
        let text = "kind = \"regret\"\ngames = 9\nplayers = [\"uniform\", \"ruct constant=theory oracle=single\"]\n\
                    with = { calls = 1000000 }\ncolumns = [\"k\", \"m\", \"gap\"]\nrows = [[2, 2, 0.5]]";
        let tree = |difficulty: f64, last: f64| {
            let share = json!([0.2, 10.0 * last, 2.0 * last, last]);
            json!({ "calls": [10_000, 100_000, 316_228, 1_000_000], "difficulty": difficulty,
                    "players": [{ "share": [null, null, null, null] }, { "share": share }] })
        };
        let found = figures_of(text, &[vec![tree(4.0, 0.01), tree(4.0, 0.03)]]);
        let bound = 2312.0 * 4.0 * 1e6f64.ln() / 1e6;
        assert!(
            (value(&found, "2 2 0.5 ruct constant=theory oracle=single over the bound").0 - (0.02 - bound)).abs()
                < 1e-9
        );
        let (slope, (low, high)) = value(&found, "2 2 0.5 ruct constant=theory oracle=single slope");
        assert!((slope + 1.0).abs() < 1e-9 && high - low < 1e-6, "both trees fall alike: {slope} [{low}, {high}]");
        // A bound above 1 is no figure.
        let vague = figures_of(text, &[vec![tree(400.0, 0.01), tree(400.0, 0.03)]]);
        assert_eq!(vague.len(), 1, "{vague:?}");
    }

    #[test]
    fn problems_are_counted_by_searches_and_time_by_moves() {
        let text = "kind = \"tsumego\"\nsize = 9\ngames = 9\nfirst = \"uct playouts=9\"\nwith = { problems = \"x\" }";
        let found = figures_of(
            text,
            &[vec![json!({ "solved": { "a": true, "b": false } }), json!({ "solved": { "a": true, "b": true } })]],
        );
        assert_eq!((found[0].value.0, found[0].trials), (0.75, 2));
        let text = "kind = \"distribution\"\nsize = 9\ngames = 9\nwith = { playouts = 9, target = 0.05 }\n\
                    columns = [\"reward\"]\nrows = [[\"dakv\"]]";
        let scores = json!({ "scores": { "-3.5": 10 } });
        assert_eq!(value(&figures_of(text, &[vec![scores.clone(), scores]]), "dakv half"), (-3.5, (-3.5, -3.5)));
    }
}
