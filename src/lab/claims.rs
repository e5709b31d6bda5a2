//! What a paper concludes, as questions that results answer: a figure against a number, a figure against a figure, or a trend.
//!
//! Figures have names: those of rows, where a row comes to one number, else of what a kind of trial measures
//! ([`trials::names`]). Every comparison has an interval of 95 %. A claim holds when all its comparisons say so, and is open when it neither
//! holds nor fails. It fails when one comparison says the opposite; of m comparisons one does so by chance more often than of one, so
//! that the interval asked then is that of 1 - 0.05 / m (Bonferroni). What is missing is counted so that what is open would be told
//! from chance in four cases of five if figures stay as they are; where they show no difference at all, or a rate is of a few games, it is what the
//! paper's size wants.

use super::experiment::{Experiment, Kind, matches};
use super::plan::FOR_ORIENTATION;
use super::section::ResultTable;
use super::stats::{Estimate, difference, normal_quantile};
use super::trials::{self, Figure, RowRecords, Unit};
use crate::base::stats::Z;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The 80 % quantile of the normal distribution.
const POWER: f64 = 0.841_621_233_572_914_2;
/// Figures that are told one by one.
const NAMED: usize = 6;
/// Of fewer games a rate says too little to go by, and of fewer trials a mean.
const FEW: (u64, u64) = (20, 5);
/// So many times what there is are more than anybody plays.
const FAR: f64 = 1e4;

/// A conclusion in words, with the question that it is where a program can judge it.
#[derive(Clone, Debug)]
pub struct Claim {
    pub says: String,
    pub question: Option<Question>,
}

#[derive(Clone, Debug)]
pub struct Question {
    /// By name, `*` being anything; a trend is over them in this order.
    rows: Vec<String>,
    measure: Measure,
    test: Test,
    /// What may be missing, in the units of the measure: `above = 50, margin = 5` is above 45.
    margin: f64,
    /// The first figure against the first of the others, the second against the second, not each against each.
    is_paired: bool,
    /// The experiment that the others are of, if not this one; their names are then in full.
    of: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
enum Test {
    Above(f64),
    Below(f64),
    /// No further away than the margin.
    Near(f64),
    AboveRow(Vec<String>),
    BelowRow(Vec<String>),
    Rises,
    Falls,
}

/// What of a row of games is looked at: the first player's rate with both colours or one, how much better White does, or how many times
/// the second player's time or playouts the first has for a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    #[default]
    All,
    Black,
    White,
    WhiteLessBlack,
    Seconds,
    Playouts,
}

/// As it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    says: String,
    #[serde(default)]
    rows: Vec<String>,
    #[serde(default)]
    measure: Measure,
    above: Option<f64>,
    below: Option<f64>,
    near: Option<f64>,
    above_row: Option<Names>,
    below_row: Option<Names>,
    trend: Option<Trend>,
    #[serde(default)]
    margin: f64,
    #[serde(default)]
    paired: bool,
    of: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Many(Vec<String>),
}

impl Names {
    fn list(self) -> Vec<String> {
        match self {
            Names::One(name) => vec![name],
            Names::Many(names) => names,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Trend {
    Rises,
    Falls,
}

impl<'de> Deserialize<'de> for Claim {
    /// A sentence, or a table with `says`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Claim, D::Error> {
        let form: Form = match toml::Value::deserialize(deserializer)? {
            toml::Value::String(says) => return Ok(Claim { says, question: None }),
            table => table.try_into().map_err(|e: toml::de::Error| D::Error::custom(e.message()))?,
        };
        let trend = form.trend.map(|trend| match trend {
            Trend::Rises => Test::Rises,
            Trend::Falls => Test::Falls,
        });
        let tests = [
            form.above.map(Test::Above),
            form.below.map(Test::Below),
            form.near.map(Test::Near),
            form.above_row.map(|names| Test::AboveRow(names.list())),
            form.below_row.map(|names| Test::BelowRow(names.list())),
            trend,
        ];
        let mut tests = tests.into_iter().flatten();
        let (rows, measure, margin, is_paired, of) = (form.rows, form.measure, form.margin, form.paired, form.of);
        let question = match (tests.next(), tests.next()) {
            (None, _) if rows.is_empty() => None,
            (Some(Test::Near(_)), None) if margin <= 0.0 => {
                return Err(D::Error::custom(format!("the claim '{}' needs a `margin`: how near?", form.says)));
            }
            (Some(test), None) if !rows.is_empty() && margin >= 0.0 => {
                Some(Question { rows, measure, test, margin, is_paired, of })
            }
            _ => {
                return Err(D::Error::custom(format!(
                    "the claim '{}' needs `rows` and one of `above`, `below`, `near`, `above_row`, `below_row` and `trend`",
                    form.says
                )));
            }
        };
        Ok(Claim { says: form.says, question })
    }
}

impl Question {
    /// The names of its figures, and of those that they are compared with.
    fn names(&self, all: &[String]) -> Result<[Vec<String>; 2], String> {
        let others = match &self.test {
            Test::AboveRow(others) | Test::BelowRow(others) => others.as_slice(),
            _ => &[],
        };
        let others = if self.of.is_some() { others.to_vec() } else { named(all, others)? };
        Ok([named(all, &self.rows)?, others])
    }

    /// Names that are compared with each other; nothing with itself.
    fn couples(&self, [names, others]: &[Vec<String>; 2]) -> Vec<(String, String)> {
        let couple = |(a, b): (&String, &String)| (a.clone(), b.clone());
        let all: Vec<(String, String)> = match self.is_paired {
            true => names.iter().zip(others).map(couple).collect(),
            false => names.iter().flat_map(|a| others.iter().map(move |b| (a, b))).map(couple).collect(),
        };
        all.into_iter().filter(|(a, b)| self.of.is_some() || a != b).collect()
    }
}

/// What the patterns name, each once, in their order.
fn named(all: &[String], patterns: &[String]) -> Result<Vec<String>, String> {
    let mut found: Vec<String> = Vec::new();
    for pattern in patterns {
        let own: Vec<&String> = all.iter().filter(|name| matches(pattern, name)).collect();
        if own.is_empty() {
            let some: Vec<String> = all.iter().take(6).map(|name| format!("'{name}'")).collect();
            let more = if all.len() > 6 { ", …" } else { "" };
            return Err(format!("no row is named '{pattern}'; there are {}{more}", some.join(", ")));
        }
        for name in own {
            if !found.contains(name) {
                found.push(name.clone());
            }
        }
    }
    Ok(found)
}

impl Claim {
    /// Another experiment that it asks of, and the names that it wants there.
    pub fn elsewhere(&self) -> Option<(&str, &[String])> {
        let question = self.question.as_ref()?;
        match &question.test {
            Test::AboveRow(names) | Test::BelowRow(names) => Some((question.of.as_deref()?, names)),
            _ => None,
        }
    }

    /// Are its figures there, and can they be asked so?
    pub fn check(&self, experiment: &Experiment) -> Result<(), String> {
        let Some(question) = &self.question else { return Ok(()) };
        let of_claim = |e: String| format!("the claim '{}': {e}", self.says);
        if question.measure != Measure::All && experiment.kind != Kind::Match {
            return Err(of_claim("a `measure` is of games".to_string()));
        }
        let names = question.names(&trials::names(experiment)).map_err(of_claim)?;
        let [rows, others] = &names;
        let is_trend = matches!(question.test, Test::Rises | Test::Falls);
        let wrong = if question.of.is_some() && others.is_empty() {
            "`of` says whose `above_row` or `below_row` is meant"
        } else if is_trend && rows.len() < 2 {
            "a trend needs two rows"
        } else if question.is_paired && (others.is_empty() || rows.len() != others.len()) {
            "`paired` wants as many rows on both sides"
        } else if !others.is_empty() && question.couples(&names).is_empty() {
            "a row is not compared with itself"
        } else {
            return Ok(());
        };
        Err(of_claim(wrong.to_string()))
    }
}

/// What decides more comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    DoesNotHold,
    Open,
    Holds,
}

impl ClaimVerdict {
    pub fn text(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::Open => "open",
        }
    }
}

/// A claim beside what came out.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    pub says: String,
    /// None: it is told in words only, or for orientation.
    pub verdict: Option<ClaimVerdict>,
    /// Were other budgets run than those that it is about?
    pub is_scaled: bool,
    pub found: String,
    /// Games or trials that are missing to settle it, in all.
    pub games_needed: Option<u64>,
    /// Core hours that these take.
    pub hours_needed: Option<f64>,
}

impl Judged {
    /// Is there anything that results say about it?
    pub fn is_answered(&self) -> bool {
        self.verdict.is_some() || self.is_scaled
    }

    pub fn verdict_text(&self) -> &'static str {
        match self.verdict {
            Some(verdict) => verdict.text(),
            None if self.is_scaled => FOR_ORIENTATION,
            None => "by hand",
        }
    }

    pub fn needed_text(&self) -> String {
        self.games_needed.map(|games| games.to_string()).unwrap_or_default()
    }

    pub fn hours_text(&self) -> String {
        match self.hours_needed {
            None => String::new(),
            Some(hours) if hours < 9.95 => format!("{:.1}", hours.max(0.1)),
            Some(hours) => format!("{hours:.0}"),
        }
    }

    /// Claims with their verdicts.
    pub fn table(title: &str, judged: &[Judged]) -> ResultTable {
        let head = ["claim", "verdict", "what came out", "more games", "core hours"];
        let mut table = ResultTable::new(title, &head);
        for one in judged {
            let verdict = one.verdict_text().to_string();
            table.rows.push(vec![one.says.clone(), verdict, one.found.clone(), one.needed_text(), one.hours_text()]);
        }
        table
    }
}

/// Two lines for a terminal, which is too narrow for a table of sentences.
impl std::fmt::Display for Judged {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        writeln!(f, "  {:15}  {}", self.verdict_text(), self.says)?;
        let needed = self.games_needed.map(|games| format!("{games} more games ({} core hours)", self.hours_text()));
        let parts = [Some(self.found.clone()).filter(|found| !found.is_empty()), needed];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => Ok(()),
            false => writeln!(f, "  {:15}  {}", "", parts.join("; ")),
        }
    }
}

/// How far a claim is right: above 0 in its direction.
struct Comparison {
    by: Estimate,
    of: Vec<Figure>,
}

impl Comparison {
    /// Of so many.
    fn verdict(&self, count: usize) -> ClaimVerdict {
        let (value, (low, high)) = self.by;
        let wider = normal_quantile(1.0 - 0.025 / count.max(1) as f64) / Z;
        match (low > 0.0, value + wider * (high - value) < 0.0) {
            (true, _) => ClaimVerdict::Holds,
            (_, true) => ClaimVerdict::DoesNotHold,
            _ => ClaimVerdict::Open,
        }
    }

    /// How many times as much again would settle it; None: more than anybody plays, or nobody knows.
    fn more(&self) -> Option<f64> {
        if self.of.iter().any(|figure| figure.trials < if figure.is_rate { FEW.0 } else { FEW.1 }) {
            return None;
        }
        let (by, (low, high)) = self.by;
        let deviation = (high - low) / (2.0 * Z);
        let more = ((Z + POWER) * deviation / by).powi(2) - 1.0;
        (more.is_finite() && more < FAR).then_some(more.max(0.0))
    }
}

/// All claims of an experiment beside its results; `other` has the figures of another experiment.
pub fn judge(experiment: &Experiment, rows: &[RowRecords], other: &dyn Fn(&str) -> Vec<Figure>) -> Vec<Judged> {
    let mut figures: BTreeMap<Measure, Vec<Figure>> = BTreeMap::new();
    for question in experiment.claims.iter().filter_map(|claim| claim.question.as_ref()) {
        let measure = question.measure;
        figures.entry(measure).or_insert_with(|| trials::figures(experiment, rows, measure));
    }
    let of = |claim: &Claim| {
        let name = claim.question.as_ref().and_then(|question| question.of.as_deref());
        name.map(|name| {
            other(name).into_iter().map(|f| Figure { label: format!("{} of {name}", f.label), ..f }).collect()
        })
    };
    experiment.claims.iter().map(|claim| judge_one(claim, experiment, rows, &figures, of(claim))).collect()
}

fn judge_one(
    claim: &Claim,
    experiment: &Experiment,
    rows: &[RowRecords],
    all: &BTreeMap<Measure, Vec<Figure>>,
    of: Option<Vec<Figure>>,
) -> Judged {
    let mut judged = Judged {
        says: claim.says.clone(),
        verdict: None,
        is_scaled: false,
        found: String::new(),
        games_needed: None,
        hours_needed: None,
    };
    let Some(question) = &claim.question else { return judged };
    let all = all.get(&question.measure).map(Vec::as_slice).unwrap_or_default();
    // Of several set-ups the one with most trials.
    let most =
        |all: &'_ [Figure], name: &String| all.iter().filter(|f| f.name == *name).max_by_key(|f| f.trials).cloned();
    let figure = |name: &String| most(all, name);
    let compared = |name: &String| most(of.as_deref().unwrap_or(all), name);
    let names = question.names(&trials::names(experiment)).unwrap_or_default();
    let figures: Vec<Figure> = names[0].iter().filter_map(figure).collect();
    let unit = figures.first().map_or(Unit::Percent, |f| f.unit);
    let margin = unit.scale(question.margin);
    let against = |value: Estimate, to: f64, sign: f64| toward(value, to, sign, margin);
    let mut comparisons = Vec::new();
    let one = |f: &Figure| format!("{} of {} at {}", unit.text(f.value, false), f.trials, f.label);
    let mut texts: Vec<String> = figures.iter().map(one).collect();
    match &question.test {
        Test::Above(to) | Test::Below(to) => {
            let sign = if matches!(question.test, Test::Above(_)) { 1.0 } else { -1.0 };
            let by = |f: &Figure| against(f.value, unit.scale(*to), sign);
            comparisons.extend(figures.iter().map(|f| Comparison { by: by(f), of: vec![f.clone()] }));
        }
        Test::Near(to) => {
            let by = |f: &Figure| within(f.value, unit.scale(*to), margin);
            comparisons.extend(figures.iter().map(|f| Comparison { by: by(f), of: vec![f.clone()] }));
        }
        Test::AboveRow(_) | Test::BelowRow(_) => {
            let sign = if matches!(question.test, Test::AboveRow(_)) { 1.0 } else { -1.0 };
            texts.clear();
            for (a, b) in question.couples(&names) {
                let (Some(a), Some(b)) = (figure(&a), compared(&b)) else { continue };
                let more = difference(a.value, b.value);
                texts.push(format!(
                    "{} at {} ({}) over {} ({})",
                    unit.text(more, true),
                    a.label,
                    a.trials,
                    b.label,
                    b.trials
                ));
                comparisons.push(Comparison { by: against(more, 0.0, sign), of: vec![a, b] });
            }
        }
        Test::Rises | Test::Falls => {
            let sign = if question.test == Test::Rises { 1.0 } else { -1.0 };
            if let Some(slope) = slope(&figures) {
                texts.push(format!("{} a row", unit.text(slope, true)));
                comparisons.push(Comparison { by: against(slope, 0.0, sign), of: figures.clone() });
            }
        }
    }
    let lacking = |names: &[String], is_there: &dyn Fn(&String) -> bool| -> Vec<String> {
        names.iter().filter(|name| !is_there(name)).cloned().collect()
    };
    let mut lacking =
        [lacking(&names[0], &|name| figure(name).is_some()), lacking(&names[1], &|name| compared(name).is_some())]
            .concat();
    lacking.sort();
    lacking.dedup();
    let missing = lacking.len();
    let count = comparisons.len();
    let verdicts: Vec<ClaimVerdict> = comparisons.iter().map(|c| c.verdict(count)).collect();
    // What decides comes first, since of many only some are told; a trend has one comparison of many figures.
    if texts.len() == count {
        let mut order: Vec<(ClaimVerdict, String)> = verdicts.iter().copied().zip(texts).collect();
        order.sort_by_key(|(verdict, _)| *verdict);
        texts = order.into_iter().map(|(_, text)| text).collect();
    }
    let is_whole = missing == 0 && !verdicts.is_empty();
    let verdict = match &verdicts {
        some if some.contains(&ClaimVerdict::DoesNotHold) => ClaimVerdict::DoesNotHold,
        all if is_whole && all.iter().all(|v| *v == ClaimVerdict::Holds) => ClaimVerdict::Holds,
        _ => ClaimVerdict::Open,
    };
    // What a paper says of its budgets is not judged by others.
    judged.is_scaled = rows.iter().any(|row| row.scaled.is_some());
    judged.verdict = Some(verdict).filter(|_| !judged.is_scaled);
    if judged.verdict == Some(ClaimVerdict::Open) {
        let open: Vec<&Comparison> = comparisons.iter().filter(|c| c.verdict(count) != ClaimVerdict::Holds).collect();
        let (games, hours) = needed(experiment, rows, &open, missing);
        judged.games_needed = Some(games).filter(|games| *games > 0);
        judged.hours_needed = judged.games_needed.map(|_| hours);
    }
    let is_trend = matches!(question.test, Test::Rises | Test::Falls);
    judged.found = found(texts, missing, is_trend);
    judged
}

/// Trials and core hours that would settle what is open: of every figure the most that one of its comparisons wants, and the paper's size
/// of what has none.
fn needed(experiment: &Experiment, rows: &[RowRecords], open: &[&Comparison], missing: usize) -> (u64, f64) {
    let size = experiment.rows.iter().map(|row| row.games).max().unwrap_or(0) as f64;
    let mut most: BTreeMap<&str, (f64, &Figure)> = BTreeMap::new(); // by label: names of two experiments may be alike
    for comparison in open {
        for figure in &comparison.of {
            let trials = figure.trials.max(1) as f64;
            let more = comparison.more().unwrap_or_else(|| (size / trials - 1.0).max(1.0));
            let entry = most.entry(figure.label.as_str()).or_insert((0.0, figure));
            entry.0 = entry.0.max(more);
        }
    }
    let mut games: f64 = most.values().map(|(more, figure)| more * figure.trials as f64).sum();
    let mut hours: f64 = most.values().map(|(more, figure)| more * figure.cost / 3600.0).sum();
    if missing > 0 {
        let trials: f64 = rows.iter().map(|row| row.records.len() as f64).sum();
        let cost: f64 = rows.iter().map(RowRecords::cost).sum();
        let all: f64 = experiment.rows.iter().map(|row| row.games as f64).sum();
        let each = if trials > 0.0 { cost / trials / 3600.0 } else { experiment.hours / all.max(1.0) };
        let rows = missing.min(experiment.rows.len()) as f64;
        games += rows * size;
        hours += rows * size * each;
    }
    (games.ceil() as u64, hours)
}

fn found(mut texts: Vec<String>, missing: usize, is_trend: bool) -> String {
    let more = texts.len().saturating_sub(NAMED);
    if more > 0 {
        let trend = texts.pop().filter(|_| is_trend);
        texts.truncate(NAMED - usize::from(is_trend));
        texts.push(format!("and {more} more"));
        texts.extend(trend);
    }
    match missing {
        0 => {}
        1 => texts.push("1 row was not run".to_string()),
        n => texts.push(format!("{n} rows were not run")),
    }
    texts.join("; ")
}

/// How far a value is above (or below) a number, in the direction of the claim.
fn toward((value, (low, high)): Estimate, to: f64, sign: f64, margin: f64) -> Estimate {
    let [value, a, b] = [value, low, high].map(|x| sign * (x - to) + margin);
    (value, (a.min(b), a.max(b)))
}

/// How far a value is inside of a margin around a number: above 0 when it is.
fn within((value, (low, high)): Estimate, to: f64, margin: f64) -> Estimate {
    let [value, a, b] = [value, low, high].map(|x| margin - (x - to).abs());
    let nearest = if (low..=high).contains(&to) { margin } else { a.max(b) };
    (value, (a.min(b), nearest))
}

/// The line through figures at equal distances, by least squares, with the interval that theirs give it.
fn slope(figures: &[Figure]) -> Option<Estimate> {
    let middle = (figures.len() as f64 - 1.0) / 2.0;
    let squares: f64 = (0..figures.len()).map(|i| (i as f64 - middle).powi(2)).sum();
    if squares == 0.0 {
        return None;
    }
    let weight = |i: usize| (i as f64 - middle) / squares;
    let slope: f64 = figures.iter().enumerate().map(|(i, f)| weight(i) * f.value.0).sum();
    let half = |f: &Figure| (f.value.1.1 - f.value.1.0) / 2.0;
    let half = figures.iter().enumerate().map(|(i, f)| (weight(i) * half(f)).powi(2)).sum::<f64>().sqrt();
    Some((slope, (slope - half, slope + half)))
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::super::experiment::Paper;
    use super::super::store::Record;
    use super::*;

    /// An experiment of three rows with one claim.
    fn text(claim: &str) -> String {
        format!(
            "title = \"t\"\n[[experiment]]\nname = \"e\"\nkind = \"match\"\nsize = 5\ngames = 100\ncolours = \"black\"\n\
             first = \"mc playouts={{n}}\"\nsecond = \"mc playouts=9\"\ncolumns = [\"n\"]\nrows = [[10], [20], [30]]\n\
             claims = [{{ says = \"It is so.\", {claim} }}]"
        )
    }

    fn experiment(claim: &str) -> Experiment {
        Paper::parse(&text(claim)).unwrap().experiments.remove(0)
    }

    /// The claim judged by rows with so many wins of so many games.
    fn judged(claim: &str, results: &[(&str, u64, u64)]) -> Judged {
        let experiment = experiment(claim);
        let record = |row: &str, index: u64, points: u8| Record {
            experiment: "e".to_string(),
            row: row.to_string(),
            index,
            config: row.to_string(),
            seed: index,
            budget: "as described".to_string(),
            setting: experiment.rows[0].setting.clone(),
            players: Vec::new(),
            code: Code::default(),
            seconds: 36.0,
            made: None,
            outcome: serde_json::json!({ "first_is": "black", "points": points }),
        };
        let records: Vec<Vec<Record>> = results
            .iter()
            .map(|(row, wins, games)| (0..*games).map(|i| record(row, i, u8::from(i < *wins))).collect())
            .collect();
        let rows: Vec<RowRecords> = records
            .iter()
            .zip(results)
            .filter_map(|(records, (name, _, _))| {
                let row = experiment.rows.iter().find(|row| row.name == *name)?;
                Some(RowRecords { row, label: row.name.clone(), records: records.iter().collect(), scaled: None })
            })
            .collect();
        judge(&experiment, &rows, &|name| others(name)).remove(0)
    }

    #[test]
    fn a_claim_holds_when_all_intervals_say_so_and_fails_when_one_says_the_opposite() {
        let above = "rows = [\"*\"], above = 50";
        let all = |a, b, c| [("10", a, 100), ("20", b, 100), ("30", c, 100)];
        for (claim, results, verdict) in [
            (above, all(70, 80, 75), ClaimVerdict::Holds),
            (above, all(70, 52, 75), ClaimVerdict::Open),
            (above, all(70, 52, 30), ClaimVerdict::DoesNotHold),
            // One of three that is below by its own interval, [30.9, 49.8], may be so by chance.
            (above, all(70, 52, 40), ClaimVerdict::Open),
            ("rows = [\"30\"], above = 50", all(70, 52, 40), ClaimVerdict::DoesNotHold),
            ("rows = [\"10\", \"20\"], near = 50, margin = 15", all(52, 49, 80), ClaimVerdict::Holds),
            ("rows = [\"*\"], near = 50, margin = 15", all(52, 49, 80), ClaimVerdict::DoesNotHold),
            ("rows = [\"*\"], near = 50, margin = 5", all(52, 49, 50), ClaimVerdict::Open),
            ("rows = [\"*\"], below = 50, margin = 15", all(40, 45, 50), ClaimVerdict::Holds),
            ("rows = [\"20\", \"30\"], above_row = \"10\"", all(30, 60, 70), ClaimVerdict::Holds),
            ("rows = [\"20\", \"30\"], below_row = \"10\"", all(30, 60, 70), ClaimVerdict::DoesNotHold),
            // Above all others, itself apart.
            ("rows = [\"30\"], above_row = \"*\"", all(30, 50, 70), ClaimVerdict::Holds),
            (
                "rows = [\"20\", \"30\"], above_row = [\"10\", \"20\"], paired = true",
                all(30, 50, 70),
                ClaimVerdict::Holds,
            ),
            ("rows = [\"20\", \"30\"], above_row = [\"10\", \"20\"]", all(30, 55, 70), ClaimVerdict::Holds),
            (
                "rows = [\"10\", \"20\"], above_row = [\"20\", \"30\"], paired = true",
                all(30, 50, 70),
                ClaimVerdict::DoesNotHold,
            ),
            ("rows = [\"*\"], trend = \"rises\"", all(30, 45, 60), ClaimVerdict::Holds),
            ("rows = [\"*\"], trend = \"falls\"", all(30, 45, 60), ClaimVerdict::DoesNotHold),
            ("rows = [\"*\"], trend = \"falls\"", all(52, 50, 49), ClaimVerdict::Open),
        ] {
            assert_eq!(judged(claim, &results).verdict, Some(verdict), "{claim} {results:?}");
        }
        let mixed = judged(above, &all(70, 80, 20));
        assert!(mixed.found.starts_with("20.0 ["), "what decides comes first: {}", mixed.found);
        let few = judged(above, &[("10", 70, 100)]);
        assert_eq!(few.verdict, Some(ClaimVerdict::Open), "rows that were not run leave it open");
        assert!(few.found.ends_with("2 rows were not run"), "{}", few.found);
    }

    /// Another experiment, whose row 10 has won 300 of 400.
    fn others(name: &str) -> Vec<Figure> {
        let figure = |row: &str| Figure {
            name: row.to_string(),
            label: row.to_string(),
            value: crate::lab::stats::proportion(300.0, 400.0),
            trials: 400,
            cost: 1.0,
            unit: Unit::Percent,
            is_rate: true,
        };
        if name == "another" { vec![figure("10")] } else { Vec::new() }
    }

    #[test]
    fn rows_of_another_experiment_can_be_compared() {
        let claim = "rows = [\"10\"], below_row = \"10\", of = \"another\"";
        let found = judged(claim, &[("10", 50, 100)]);
        assert_eq!(found.verdict, Some(ClaimVerdict::Holds), "{found:?}");
        assert!(found.found.contains("over 10 of another (400)"), "{found:?}");
        let none = judged(&claim.replace("another", "nobody"), &[("10", 50, 100)]);
        assert_eq!(none.verdict, Some(ClaimVerdict::Open), "{none:?}");
        assert!(none.found.contains("1 row was not run") && none.games_needed.is_some(), "{none:?}");
    }

    #[test]
    fn claims_that_cannot_be_asked_are_refused() {
        for (claim, says) in [
            ("rows = [\"40\"], above = 50", "there are '10', '20', '30'"),
            ("rows = [\"10\"], near = 50", "`margin`"),
            ("rows = [\"10\"], above_row = \"10\"", "with itself"),
            ("rows = [\"10\", \"20\"], above_row = \"30\", paired = true", "as many rows"),
            ("rows = [\"10\"], trend = \"rises\"", "two rows"),
            ("rows = [\"10\"], above = 5, of = \"another\"", "whose"),
            ("rows = [\"10\"], above = 5, near = 9", "one of `above`"),
        ] {
            let error = Paper::parse(&text(claim)).unwrap_err();
            assert!(error.contains(says), "{claim}: {error}");
        }
        let nodes = text("rows = [\"10\"], above = 5, measure = \"white\"").replace("\"match\"", "\"nodes\"");
        assert!(Paper::parse(&nodes).unwrap_err().contains("`measure`"));
    }

    #[test]
    fn games_that_are_missing_are_those_that_four_cases_of_five_need() {
        // 55 % against 50 %: ((1.96 + 0.84) 0.4975 / 0.05)² = 777 games, of which 100 are there.
        let open = judged("rows = [\"10\"], above = 50", &[("10", 55, 100)]);
        let needed = open.games_needed.unwrap() as f64;
        assert!((needed - 677.0).abs() < 60.0, "{needed}");
        assert!((open.hours_needed.unwrap() - needed / 100.0).abs() < 0.02, "a game takes 36 seconds: {open:?}");
        assert_eq!(judged("rows = [\"10\"], above = 50", &[("10", 90, 100)]).games_needed, None);
        // No difference at all: what the paper's size wants, here as many again.
        assert_eq!(judged("rows = [\"10\"], above = 50", &[("10", 50, 100)]).games_needed, Some(100));
        // Of a few games nobody knows.
        assert_eq!(judged("rows = [\"10\"], above = 50", &[("10", 3, 4)]).games_needed, Some(96));
        // Rows that were not run want the paper's size, at the pace of the others.
        let missing = judged("rows = [\"*\"], above = 50", &[("10", 90, 100)]);
        assert_eq!((missing.games_needed, missing.hours_text().as_str()), (Some(200), "2.0"));
        // That many, simulated: how often is the truth found?
        let mut rng = crate::base::Rng::new(2);
        let found = (0..500).filter(|_| {
            let wins = (0..777).filter(|_| rng.unit() < 0.55).count();
            crate::base::stats::wilson(wins as f64, 777.0).0 > 0.5
        });
        let share = found.count() as f64 / 500.0;
        assert!((share - 0.8).abs() < 0.06, "{share}");
    }
}
