//! What a paper concludes, as questions that results answer: a row against a number, a row against a row, or a trend over rows.
//!
//! Every comparison has an interval of 95 %. A claim holds when all its comparisons say so, does not hold when one says the
//! opposite, and is open otherwise. How many games are missing is counted for the comparison that needs most: if rates stay
//! as they are, so many more tell it from chance in four cases of five.

use super::experiment::{Experiment, Kind};
use super::section::ResultTable;
use super::stats::{Estimate, difference};
use super::trials::{self, RowRecords};
use crate::base::stats::Z;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// The 80 % quantile of the normal distribution.
const POWER: f64 = 0.841_621_233_572_914_2;
/// Rows whose figures are told one by one.
const NAMED: usize = 6;

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
}

#[derive(Clone, PartialEq, Debug)]
enum Test {
    Above(f64),
    Below(f64),
    AboveRow(String),
    BelowRow(String),
    Rises,
    Falls,
}

/// What of a row is looked at: the first player's rate with both colours or one, or how much better White does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    #[default]
    All,
    Black,
    White,
    WhiteLessBlack,
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
    above_row: Option<String>,
    below_row: Option<String>,
    trend: Option<Trend>,
    #[serde(default)]
    margin: f64,
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
            form.above_row.map(Test::AboveRow),
            form.below_row.map(Test::BelowRow),
            trend,
        ];
        let mut tests = tests.into_iter().flatten();
        let question = match (tests.next(), tests.next()) {
            (None, _) if form.rows.is_empty() => None,
            (Some(test), None) if !form.rows.is_empty() && form.margin >= 0.0 => {
                Some(Question { rows: form.rows, measure: form.measure, test, margin: form.margin })
            }
            _ => {
                return Err(D::Error::custom(format!(
                    "the claim '{}' needs `rows` and one of `above`, `below`, `above_row`, `below_row` and `trend`",
                    form.says
                )));
            }
        };
        Ok(Claim { says: form.says, question })
    }
}

impl Claim {
    /// Are its rows there, and can its kind be asked?
    pub fn check(&self, experiment: &Experiment) -> Result<(), String> {
        let Some(question) = &self.question else { return Ok(()) };
        let of_claim = |e: String| format!("the claim '{}': {e}", self.says);
        if !matches!(experiment.kind, Kind::Match | Kind::Nodes) {
            return Err(of_claim("only rows of games can be asked; tell it in words".to_string()));
        }
        let rows = experiment.named(&question.rows).map_err(of_claim)?;
        match &question.test {
            Test::AboveRow(other) | Test::BelowRow(other) => {
                experiment.named(std::slice::from_ref(other)).map_err(of_claim)?;
            }
            Test::Rises | Test::Falls if rows.len() < 2 => return Err(of_claim("a trend needs two rows".to_string())),
            _ => {}
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    Holds,
    DoesNotHold,
    Open,
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
    /// None: it is told in words only.
    pub verdict: Option<ClaimVerdict>,
    pub found: String,
    /// Games that are missing to settle it, if rates stay as they are.
    pub games_needed: Option<u64>,
}

impl Judged {
    pub fn verdict_text(&self) -> &'static str {
        self.verdict.map_or("by hand", ClaimVerdict::text)
    }

    pub fn needed_text(&self) -> String {
        self.games_needed.map(|games| games.to_string()).unwrap_or_default()
    }

    /// Claims with their verdicts.
    pub fn table(judged: &[Judged]) -> ResultTable {
        let head = ["claim", "verdict", "what came out", "more games for 80 % power"];
        let mut table = ResultTable::new("What the paper says", &head);
        for one in judged {
            let verdict = one.verdict_text().to_string();
            table.rows.push(vec![one.says.clone(), verdict, one.found.clone(), one.needed_text()]);
        }
        table
    }
}

/// Two lines for a terminal, which is too narrow for a table of sentences.
impl std::fmt::Display for Judged {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        writeln!(f, "  {:13}  {}", self.verdict_text(), self.says)?;
        let needed = self.games_needed.map(|games| format!("{games} more games for 80 % power"));
        let parts: Vec<&str> = [Some(self.found.as_str()), needed.as_deref()].into_iter().flatten().collect();
        match parts.concat().is_empty() {
            true => Ok(()),
            false => writeln!(f, "  {:13}  {}", "", parts.join("; ")),
        }
    }
}

/// How far a claim is right: above 0 in its direction.
struct Comparison {
    by: Estimate,
    games: u64,
}

impl Comparison {
    fn verdict(&self) -> ClaimVerdict {
        match self.by.1 {
            (low, _) if low > 0.0 => ClaimVerdict::Holds,
            (_, high) if high < 0.0 => ClaimVerdict::DoesNotHold,
            _ => ClaimVerdict::Open,
        }
    }

    /// Games beyond those played; None: more than anybody plays.
    fn games_needed(&self) -> Option<u64> {
        let (by, (low, high)) = self.by;
        let deviation = (high - low) / (2.0 * Z);
        let times = ((Z + POWER) * deviation / by).powi(2);
        let more = self.games as f64 * (times - 1.0);
        (more.is_finite() && more < 1e7).then_some(more.max(0.0).ceil() as u64)
    }
}

/// One row's measure, with its games.
struct Figure<'a> {
    label: &'a str,
    value: Estimate,
    games: u64,
}

pub fn judge(claim: &Claim, experiment: &Experiment, rows: &[RowRecords]) -> Judged {
    let mut judged = Judged { says: claim.says.clone(), verdict: None, found: String::new(), games_needed: None };
    let Some(question) = &claim.question else { return judged };
    let wanted = experiment.named(&question.rows).unwrap_or_default();
    let figure = |name: &str| -> Option<Figure> {
        // Of several set-ups the one with most games.
        let own = rows.iter().filter(|r| r.row.name == name).max_by_key(|r| r.records.len())?;
        let (value, games) = trials::estimate(experiment.kind, own, question.measure)?;
        Some(Figure { label: &own.label, value, games })
    };
    let figures: Vec<Figure> = wanted.iter().filter_map(|row| figure(&row.name)).collect();
    let unit = Unit::of(experiment.kind);
    let margin = unit.scale(question.margin);
    let against = |value: Estimate, to: f64, sign: f64| toward(value, to, sign, margin);
    let mut comparisons = Vec::new();
    let mut texts: Vec<String> =
        figures.iter().map(|f| format!("{} at {}", unit.text(f.value, false), f.label)).collect();
    match &question.test {
        Test::Above(to) | Test::Below(to) => {
            let sign = if matches!(question.test, Test::Above(_)) { 1.0 } else { -1.0 };
            let compare = |f: &Figure| Comparison { by: against(f.value, unit.scale(*to), sign), games: f.games };
            comparisons.extend(figures.iter().map(compare));
        }
        Test::AboveRow(other) | Test::BelowRow(other) => {
            let sign = if matches!(question.test, Test::AboveRow(_)) { 1.0 } else { -1.0 };
            let others = experiment.named(std::slice::from_ref(other)).unwrap_or_default();
            let others: Vec<Figure> = others.iter().filter_map(|row| figure(&row.name)).collect();
            texts.clear();
            for (f, other) in figures.iter().flat_map(|f| others.iter().map(move |other| (f, other))) {
                let more = difference(f.value, other.value);
                texts.push(format!("{} at {} over {}", unit.text(more, true), f.label, other.label));
                comparisons.push(Comparison { by: against(more, 0.0, sign), games: f.games + other.games });
            }
        }
        Test::Rises | Test::Falls => {
            let sign = if question.test == Test::Rises { 1.0 } else { -1.0 };
            if let Some(slope) = slope(&figures) {
                texts.push(format!("{} a row", unit.text(slope, true)));
                let games = figures.iter().map(|f| f.games).sum();
                comparisons.push(Comparison { by: against(slope, 0.0, sign), games });
            }
        }
    }
    let missing = wanted.len() - figures.len();
    let verdicts: Vec<ClaimVerdict> = comparisons.iter().map(Comparison::verdict).collect();
    let is_whole = missing == 0 && !verdicts.is_empty();
    judged.verdict = Some(match &verdicts {
        some if some.contains(&ClaimVerdict::DoesNotHold) => ClaimVerdict::DoesNotHold,
        all if is_whole && all.iter().all(|v| *v == ClaimVerdict::Holds) => ClaimVerdict::Holds,
        _ => ClaimVerdict::Open,
    });
    if judged.verdict == Some(ClaimVerdict::Open) {
        let open = comparisons.iter().filter(|c| c.verdict() == ClaimVerdict::Open);
        judged.games_needed =
            open.map(Comparison::games_needed).try_fold(0, |most, n| Some(most.max(n?))).filter(|n| *n > 0);
    }
    judged.found = found(texts, missing);
    judged
}

fn found(mut texts: Vec<String>, missing: usize) -> String {
    let more = texts.len().saturating_sub(NAMED);
    if more > 0 {
        // The last is what a trend comes to.
        texts.drain(NAMED - 1..NAMED - 1 + more);
        texts.insert(NAMED - 1, format!("and {more} more"));
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

/// The line through rows at equal distances, by least squares, with the interval that those of the rows give it.
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

/// What a kind's measure is counted in.
enum Unit {
    Percent,
    Plain,
}

impl Unit {
    fn of(kind: Kind) -> Unit {
        if kind == Kind::Nodes { Unit::Plain } else { Unit::Percent }
    }

    /// From what is written to what is measured.
    fn scale(&self, x: f64) -> f64 {
        match self {
            Unit::Percent => x / 100.0,
            Unit::Plain => x,
        }
    }

    fn text(&self, (value, (low, high)): Estimate, is_signed: bool) -> String {
        let (times, digits) = match self {
            Unit::Percent => (100.0, 1),
            Unit::Plain => (1.0, 0),
        };
        let one = |x: f64| match is_signed {
            true => format!("{:+.digits$}", times * x),
            false => format!("{:.digits$}", times * x),
        };
        format!("{} [{}, {}]", one(value), one(low), one(high))
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::super::experiment::Paper;
    use super::super::store::Record;
    use super::*;

    /// An experiment of three rows with one claim.
    fn experiment(claim: &str) -> Experiment {
        let text = format!(
            "title = \"t\"\n[[experiment]]\nname = \"e\"\nkind = \"match\"\nsize = 5\ngames = 100\ncolours = \"black\"\n\
             first = \"mc playouts={{n}}\"\nsecond = \"mc playouts=9\"\ncolumns = [\"n\"]\nrows = [[10], [20], [30]]\n\
             claims = [{{ says = \"It is so.\", {claim} }}]"
        );
        Paper::parse(&text).unwrap().experiments.remove(0)
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
            seconds: 0.0,
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
        judge(&experiment.claims[0], &experiment, &rows)
    }

    #[test]
    fn a_claim_holds_when_all_intervals_say_so_and_fails_when_one_says_the_opposite() {
        let above = "rows = [\"*\"], above = 50";
        let all = |a, b, c| [("10", a, 100), ("20", b, 100), ("30", c, 100)];
        for (claim, results, verdict) in [
            (above, all(70, 80, 75), ClaimVerdict::Holds),
            (above, all(70, 52, 75), ClaimVerdict::Open),
            (above, all(70, 52, 30), ClaimVerdict::DoesNotHold),
            ("rows = [\"*\"], below = 50, margin = 15", all(40, 45, 50), ClaimVerdict::Holds),
            ("rows = [\"20\", \"30\"], above_row = \"10\"", all(30, 60, 70), ClaimVerdict::Holds),
            ("rows = [\"20\", \"30\"], below_row = \"10\"", all(30, 60, 70), ClaimVerdict::DoesNotHold),
            ("rows = [\"*\"], trend = \"rises\"", all(30, 45, 60), ClaimVerdict::Holds),
            ("rows = [\"*\"], trend = \"falls\"", all(30, 45, 60), ClaimVerdict::DoesNotHold),
            ("rows = [\"*\"], trend = \"falls\"", all(52, 50, 49), ClaimVerdict::Open),
        ] {
            assert_eq!(judged(claim, &results).verdict, Some(verdict), "{claim} {results:?}");
        }
        let few = judged(above, &[("10", 70, 100)]);
        assert_eq!(few.verdict, Some(ClaimVerdict::Open), "rows that were not run leave it open");
        assert!(few.found.ends_with("2 rows were not run"), "{}", few.found);
    }

    #[test]
    fn games_that_are_missing_are_those_that_four_cases_of_five_need() {
        // 55 % against 50 %: ((1.96 + 0.84) 0.4975 / 0.05)² = 777 games, of which 100 are there.
        let open = judged("rows = [\"10\"], above = 50", &[("10", 55, 100)]);
        let needed = open.games_needed.unwrap() as f64;
        assert!((needed - 677.0).abs() < 60.0, "{needed}");
        assert_eq!(judged("rows = [\"10\"], above = 50", &[("10", 90, 100)]).games_needed, None);
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
