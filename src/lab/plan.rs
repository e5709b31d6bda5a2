//! From a description to what is really run: budgets settled, lines in full, a hash for each row.
//!
//! - As described: `playouts=` and `each=` stand; `time=` becomes the playouts that the time gives here.
//! - `--playouts N`: the largest budget of the experiment becomes N and all others shrink or grow with it.
//! - `--clock`: times are kept, and nothing repeats exactly.

use super::arena::Setting;
use super::calibration::{Calibration, Time};
use super::code::Code;
use super::experiment::{Cell, Experiment, Kind, Row};
use super::players::PlayerLine;
use crate::base::GameKind;
use crate::base::rng::mix;
use crate::search::Engine;
use std::collections::BTreeSet;

/// What the user asks for beside the experiment.
#[derive(Clone, Debug)]
pub struct Wish {
    pub playouts: Option<u64>,
    pub clock: bool,
    pub seed: u64,
    /// Rows by number, range or name; empty: all.
    pub rows: Vec<String>,
}

pub struct Plan {
    pub experiment: Experiment,
    pub rows: Vec<Planned>,
    pub seed: u64,
    /// How budgets were set, in words.
    pub budget: String,
}

/// A row ready to run.
#[derive(Clone, Debug)]
pub struct Planned {
    pub row: Row,
    /// Every player's line with all its parameters.
    pub lines: Vec<String>,
    /// The same, read.
    pub players: Vec<PlayerLine>,
    pub config: String,
    /// What its trials are made by.
    pub code: Code,
}

/// How budgets are set where nobody changed them.
pub const AS_DESCRIBED: &str = "as described";

/// What a comparison with a paper says where they were not.
pub const FOR_ORIENTATION: &str = "for orientation";

/// Cells that are budgets of kinds without players.
const BUDGET_CELLS: [&str; 2] = ["pulls", "calls"];

/// A measure that is missing, and may or may not be made now.
pub enum Missing<'a> {
    /// Measure; the function is told what is measured.
    Measure(&'a mut dyn FnMut(&str)),
    /// Say what to do.
    Refuse(String),
}

impl Plan {
    pub fn new(
        experiment: &Experiment,
        wish: &Wish,
        calibration: &mut Calibration,
        mut missing: Missing,
    ) -> Result<Plan, String> {
        let scale = wish.playouts.map(|n| Scale::new(experiment, n));
        let mut rows = Vec::new();
        let mut measured = false;
        for row in experiment.select(&wish.rows)? {
            let mut row = row.clone();
            if let Some(n) = wish.playouts {
                for name in BUDGET_CELLS {
                    row.cells.entry(name.to_string()).and_modify(|cell| *cell = Cell::Number(n as f64));
                }
            }
            let (mut lines, mut players): (Vec<String>, Vec<PlayerLine>) = Default::default();
            for line in &row.lines {
                let line = scale.as_ref().map_or(line.clone(), |scale| scale.apply(line));
                let mut settle = Settle { experiment, clock: wish.clock, calibration, missing: &mut missing };
                let line = settle.line(&row.setting, &line, lines.first(), &mut measured)?;
                let player = player(row.setting.kind, &line)?;
                lines.push(in_full(&player, &line));
                players.push(player);
            }
            let essence: Vec<String> = players.iter().zip(&lines).map(|(player, line)| essence(player, line)).collect();
            let config = hash(&(&experiment.kind, &row.setting, &essence, &row.cells, &experiment.colours, wish.seed));
            let code = Code::of(players.iter().filter_map(PlayerLine::engine));
            rows.push(Planned { row, lines, players, config, code });
        }
        let budget = match (wish.playouts, wish.clock, measured) {
            (_, true, _) => "by the clock".to_string(),
            (Some(n), _, _) => format!("{SCALED} {n}"),
            (None, _, true) => "playouts that the times give here".to_string(),
            (None, _, false) => AS_DESCRIBED.to_string(),
        };
        Ok(Plan { experiment: experiment.clone(), rows, seed: wish.seed, budget })
    }

    /// Players that have less than a playout for each point, each once.
    pub fn thin(&self) -> BTreeSet<String> {
        let of = |planned: &Planned| -> Vec<String> {
            let area = planned.row.setting.size.pow(2);
            planned.players.iter().filter_map(|player| player.engine()?.thin(area)).collect()
        };
        self.rows.iter().filter(|_| self.experiment.kind.has_board()).flat_map(of).collect()
    }

    /// The seed of a trial; two games with swapped colours share one.
    pub fn trial_seed(&self, planned: &Planned, index: u64) -> u64 {
        let paired = self.experiment.kind == Kind::Match && self.experiment.colours == super::experiment::Colours::Both;
        let number = if paired { index / 2 } else { index };
        let parts = [self.seed, text_hash(&self.experiment.name), text_hash(&planned.row.name), number];
        mix(&parts) & 0xffff_ffff // short enough to type
    }
}

fn player(kind: GameKind, line: &str) -> Result<PlayerLine, String> {
    match line.trim() {
        "uniform" => Ok(PlayerLine::Uniform),
        line => PlayerLine::parse(kind, line),
    }
}

/// The line with every parameter, so that a record says all; what is no engine line stays.
fn in_full(player: &PlayerLine, line: &str) -> String {
    match player {
        PlayerLine::Inside(engine) => engine.to_string(),
        PlayerLine::Outside(_) | PlayerLine::Uniform => line.trim().to_string(),
    }
}

/// A line without what is as it always is.
fn essence(player: &PlayerLine, line: &str) -> String {
    player.engine().map_or_else(|| line.to_string(), Engine::essence)
}

/// What the players of a record are, however their lines were written down.
pub fn essences(kind: GameKind, players: &[String]) -> Vec<String> {
    let one = |line: &String| Engine::parse_for(kind, line).map_or_else(|_| line.clone(), |engine| engine.essence());
    players.iter().map(one).collect()
}

impl Planned {
    /// The engine of a kind of trial that has one player, `first`.
    pub fn engine(&self) -> Option<&Engine> {
        self.players.first().and_then(PlayerLine::engine)
    }
}

pub fn text_hash(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |state, byte| mix(&[state, u64::from(byte)]))
}

pub fn hash(parts: &impl serde::Serialize) -> String {
    format!("{:016x}", text_hash(&serde_json::to_string(parts).unwrap_or_default()))
}

/// Budgets in proportion, the largest of each kind being n.
struct Scale {
    n: f64,
    largest: [f64; 3],
}

/// How budgets were set, before their number.
const SCALED: &str = "largest budget";

const BUDGETS: [&str; 3] = ["playouts", "each", "time"];

/// The budget that a word of a line is: which, and how much.
fn budget(word: &str) -> Option<(usize, f64)> {
    let (key, value) = word.split_once('=')?;
    let which = BUDGETS.iter().position(|name| *name == key)?;
    Some((which, value.parse().ok().filter(|x: &f64| *x > 0.0)?))
}

/// How a row was run that was not run with the budgets of its description.
#[derive(Clone, PartialEq, Debug)]
pub struct Scaled {
    /// Of the first player and the second: `5000 playouts`, `3000 and 50 playouts`.
    pub text: String,
    /// What the description's playouts were multiplied by, where it has any.
    pub factor: Option<f64>,
}

/// What `--playouts` makes of a row whose trials have these players; None if that is what the description says.
pub fn scaled(row: &Row, budget_text: &str, players: &[String]) -> Option<Scaled> {
    let largest: f64 = budget_text.strip_prefix(SCALED)?.trim().parse().ok()?;
    let of = |line: &String| -> Vec<(usize, f64)> { line.split_whitespace().filter_map(budget).collect() };
    let described: Vec<Vec<(usize, f64)>> = row.lines.iter().map(of).collect();
    let run: Vec<Vec<(usize, f64)>> = players.iter().map(of).collect();
    let cells = BUDGET_CELLS.iter().filter_map(|name| row.cell(name).and_then(Cell::number));
    if described == run && cells.into_iter().all(|x| x == largest) {
        return None;
    }
    let mut texts: Vec<String> = run.iter().flatten().map(|(_, n)| n.to_string()).collect();
    texts.dedup();
    if texts.is_empty() {
        texts.push(largest.to_string());
    }
    let is_each = run.iter().flatten().any(|(which, _)| BUDGETS[*which] == "each");
    let what = if is_each { "playouts for each move" } else { "playouts" };
    let playouts = |line: Option<&Vec<(usize, f64)>>| line?.iter().find(|(which, _)| *which == 0).map(|(_, n)| *n);
    let factor = playouts(run.first()).zip(playouts(described.first())).map(|(run, described)| run / described);
    Some(Scaled { text: format!("{} {what}", texts.join(" and ")), factor })
}

/// Is there anything that a number of playouts could scale?
pub fn has_budget(experiment: &Experiment) -> bool {
    experiment.rows.iter().any(|row| {
        BUDGET_CELLS.iter().any(|name| row.cells.contains_key(*name))
            || row.lines.iter().any(|line| line.split_whitespace().any(|word| budget(word).is_some()))
    })
}

impl Scale {
    fn new(experiment: &Experiment, n: u64) -> Scale {
        let mut largest = [0.0; 3];
        for line in experiment.rows.iter().flat_map(|row| &row.lines) {
            for (which, value) in line.split_whitespace().filter_map(budget) {
                largest[which] = f64::max(largest[which], value);
            }
        }
        Scale { n: n as f64, largest }
    }

    fn apply(&self, line: &str) -> String {
        let word = |word: &str| match budget(word) {
            None => word.to_string(),
            Some((which, value)) => {
                let playouts = (self.n * value / self.largest[which]).round().max(1.0);
                format!("{}={playouts}", if BUDGETS[which] == "time" { "playouts" } else { BUDGETS[which] })
            }
        };
        line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
    }
}

/// Turns times into playouts.
struct Settle<'a, 'm> {
    experiment: &'a Experiment,
    clock: bool,
    calibration: &'a mut Calibration,
    missing: &'a mut Missing<'m>,
}

impl Settle<'_, '_> {
    fn line(
        &mut self,
        setting: &Setting,
        line: &str,
        first: Option<&String>,
        measured: &mut bool,
    ) -> Result<String, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.trim_start().starts_with("gtp:") {
            return Ok(line.to_string());
        }
        let Some(at) = words.iter().position(|word| word.starts_with("time=")) else { return Ok(words.join(" ")) };
        let rest: Vec<&str> = words.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, word)| *word).collect();
        let rest = rest.join(" ");
        let time = match (words[at].trim_start_matches("time="), first) {
            ("first", Some(first)) => Time::OfFirst(first),
            ("first", None) => return Err("`time=first` is for the second player".to_string()),
            (_, _) if self.clock => return Ok(words.join(" ")),
            (text, _) => match text.parse() {
                Ok(seconds) if seconds > 0.0 => Time::Seconds(seconds),
                Ok(_) => return Ok(rest),
                Err(_) => return Err(format!("`time={text}` is no time")),
            },
        };
        *measured = true;
        let (typed, beside) = match time {
            Time::Seconds(seconds) => (format!("{rest} time={seconds}"), None),
            Time::OfFirst(first) => (format!("{rest} time=first"), Some(first)),
        };
        if self.calibration.find(setting, &typed, beside).is_none() {
            match self.missing {
                Missing::Refuse(text) => return Err(text.clone()),
                Missing::Measure(told) => {
                    told(&format!("measuring {rest}"));
                    self.calibration.measure(&self.experiment.name, setting, &rest, time)?;
                }
            }
        }
        let measure = self.calibration.find(setting, &typed, beside).ok_or("a measure was lost")?;
        Ok(match self.clock {
            true => format!("{rest} time={}", (measure.seconds * 1e6).round() / 1e6),
            false => format!("{rest} playouts={}", measure.playouts),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::experiment::Paper;
    use super::*;
    use crate::jobs::store::tests::Scratch;

    const TEXT: &str = r#"
        title = "t"
        [[experiment]]
        name = "by-the-clock"
        kind = "match"
        games = 2
        size = 5
        first = "uct time=1.5"
        second = "mc {budget}"
        columns = ["budget"]
        rows = [["time=0.015"], ["playouts=70 each=5"], ["time=first"]]
    "#;

    fn plan(wish: Wish) -> Result<Plan, String> {
        let scratch = Scratch::new("plan");
        let experiment = Paper::parse(TEXT).unwrap().experiments.remove(0);
        let mut calibration = Calibration::load(&scratch.0).unwrap();
        Plan::new(&experiment, &wish, &mut calibration, Missing::Refuse("measure first".to_string()))
    }

    fn wish(playouts: Option<u64>, rows: &str) -> Wish {
        Wish { playouts, clock: false, seed: 1, rows: vec![rows.to_string()] }
    }

    #[test]
    fn a_number_of_playouts_scales_all_budgets_in_proportion() {
        let plan = plan(wish(Some(1_000), "1-2")).unwrap();
        let has = |row: usize, player: usize, words: &[&str]| {
            let line = &plan.rows[row].lines[player];
            assert!(words.iter().all(|word| line.split(' ').any(|w| w == *word)), "{words:?} in {line}");
        };
        has(0, 0, &["uct", "playouts=1000", "time=0"]);
        has(0, 1, &["mc", "playouts=10", "time=0"]);
        has(1, 1, &["playouts=1000", "each=1000"]);
        assert_eq!(plan.budget, "largest budget 1000");
    }

    #[test]
    fn a_row_says_what_was_run_unless_that_is_what_is_described() {
        let told = |playouts: u64, row: usize| {
            let plan = plan(wish(Some(playouts), "1-2")).unwrap();
            scaled(&plan.experiment.rows[row], &plan.budget, &plan.rows[row].lines)
        };
        assert_eq!(told(1_000, 0), Some(Scaled { text: "1000 and 10 playouts".to_string(), factor: None }));
        let text = TEXT.replace("uct time=1.5", "uct playouts=200").replace("[\"time=0.015\"]", "[\"playouts=70\"]");
        let experiment = Paper::parse(&text).unwrap().experiments.remove(0);
        let row = &experiment.rows[0];
        let players = |a: u64, b: u64| [format!("uct playouts={a} time=0"), format!("mc playouts={b} time=0 each=0")];
        assert_eq!(scaled(row, "largest budget 200", &players(200, 70)), None);
        assert_eq!(scaled(row, "as described", &players(100, 35)), None);
        let half = scaled(row, "largest budget 100", &players(100, 35)).unwrap();
        assert_eq!((half.text.as_str(), half.factor), ("100 and 35 playouts", Some(0.5)));
    }

    #[test]
    fn times_need_a_measure_unless_the_clock_is_asked_for() {
        assert_eq!(plan(wish(None, "1")).err(), Some("measure first".to_string()));
        assert_eq!(plan(wish(Some(10), "3")).err(), Some("measure first".to_string()));
        let by_clock = plan(Wish { clock: true, ..wish(None, "1") }).unwrap();
        assert!(by_clock.rows[0].lines[0].contains("time=1.5") && by_clock.budget == "by the clock");
    }

    #[test]
    fn configurations_differ_by_all_that_decides_a_game_and_seeds_by_all_that_names_it() {
        let configs: Vec<String> = [(Some(10), 1), (Some(11), 1), (Some(10), 2)]
            .map(|(playouts, seed)| plan(Wish { seed, ..wish(playouts, "1") }).unwrap().rows[0].config.clone())
            .to_vec();
        assert!(configs[0] != configs[1] && configs[0] != configs[2]);
        let plan = plan(wish(Some(10), "1-2")).unwrap();
        let seed = |row: usize, index| plan.trial_seed(&plan.rows[row], index);
        assert_eq!(seed(0, 0), seed(0, 1), "a pair");
        assert!(seed(0, 0) != seed(0, 2) && seed(0, 0) != seed(1, 0));
    }
}
