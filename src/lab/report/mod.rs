//! From records to what they show: grouped by experiment and budget, told by kind, as text, JSON or one HTML page.

mod columns;
mod format;
mod page;
mod plot;
mod replication;

pub use format::{Format, format};
pub use page::{figure, page, titled_table};
pub use plot::file as plot_file;
pub use replication::write_into;

use super::catalogue;
use super::claims::{self, Judged, Measure};
use super::experiment::{Cell, Experiment, Paper, Printed};
use super::plan::{AS_DESCRIBED, essences, scaled};
use super::section::{ResultTable, Section};
use super::store::{self, Record};
use super::trials::{self, Figure, RowRecords};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Rows that a note names.
const NAMED: usize = 4;

/// An experiment's results with one kind of budget.
#[derive(Serialize)]
pub struct Chapter {
    pub name: String,
    pub paper: String,
    pub authors: String,
    pub figure: String,
    pub about: String,
    pub claims: Vec<Judged>,
    pub budget: String,
    /// Are its budgets others than the description's?
    pub is_scaled: bool,
    pub trials: usize,
    pub hours: f64,
    pub versions: BTreeSet<String>,
    /// What was played on, in words.
    pub settings: BTreeSet<String>,
    /// The players of each row, where they are told apart.
    pub players: Vec<(String, Vec<String>)>,
    /// Everything that claims can ask, as numbers, for machines.
    pub measures: Vec<Figure>,
    #[serde(flatten)]
    pub section: Section,
}

impl Chapter {
    /// How budgets were set; of an experiment of our own nobody else describes them.
    fn budgets(&self) -> Option<&str> {
        let marks = ["ours", "further work"];
        let is_own = self.figure.is_empty()
            || marks.iter().any(|mark| self.figure.starts_with(mark))
            || self.figure.contains("the paper has no experiment");
        Some(self.budget.as_str()).filter(|&said| !(is_own && said == AS_DESCRIBED))
    }

    /// What claims are headed with.
    fn claims_title(&self) -> &'static str {
        if self.authors.is_empty() { "What is claimed" } else { "What the paper says" }
    }
}

/// The description of every experiment named in the records: built in, or beside the results.
fn descriptions(records: &[Record], folders: &[PathBuf]) -> Result<BTreeMap<String, Experiment>, String> {
    let mut known: BTreeMap<String, Experiment> = BTreeMap::new();
    let names: BTreeSet<&str> = records.iter().map(|r| r.experiment.as_str()).collect();
    for experiment in catalogue::all()? {
        known.insert(experiment.name.clone(), experiment);
    }
    for name in names.into_iter().filter(|name| !known.contains_key(*name)).collect::<Vec<_>>() {
        let Some(file) = store::find_beside(folders, &format!("{name}.toml")) else {
            return Err(format!("no description of '{name}': it is not built in, and no folder has {name}.toml"));
        };
        let text = std::fs::read_to_string(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let paper = Paper::parse(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        let found = paper.experiments.into_iter().find(|e| e.name == name);
        known.insert(name.to_string(), found.ok_or_else(|| format!("{} has no '{name}'", file.display()))?);
    }
    Ok(known)
}

/// Chapters in the order of the papers; experiments of a user's own come last.
pub fn chapters(records: &[Record], folders: &[PathBuf]) -> Result<Vec<Chapter>, String> {
    let known = descriptions(records, folders)?;
    let mut order: Vec<String> = catalogue::all()?.into_iter().map(|e| e.name).collect();
    let others = known.keys().filter(|name| !order.contains(name)).cloned().collect::<Vec<_>>();
    order.extend(others);
    let mut chapters = Vec::new();
    for experiment in order.iter().filter_map(|name| known.get(name)) {
        let own: Vec<&Record> = records.iter().filter(|r| r.experiment == experiment.name).collect();
        let budgets: BTreeSet<&str> = own.iter().map(|r| r.budget.as_str()).collect();
        for budget in budgets {
            let of = |experiment: &Experiment| -> Vec<&Record> {
                records.iter().filter(|r| r.experiment == experiment.name && r.budget == budget).collect()
            };
            let other = |name: &str| {
                let figures = |other| trials::figures(other, &grouped(other, budget, &of(other)).rows, Measure::All);
                known.get(name).map(figures).unwrap_or_default()
            };
            chapters.push(chapter(experiment, budget, &of(experiment), &other));
        }
    }
    Ok(chapters)
}

/// Records by rows, with what there is to say about how they were put together.
struct Grouped<'a> {
    rows: Vec<RowRecords<'a>>,
    notes: Vec<String>,
}

fn grouped<'a>(experiment: &'a Experiment, budget: &str, records: &[&'a Record]) -> Grouped<'a> {
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    let mut elsewhere: Vec<String> = Vec::new();
    let mut told = 0;
    let mut essence: BTreeMap<&Vec<String>, Vec<String>> = BTreeMap::new();
    // A signature is of a row's own players: only within a row does another one mean another moku.
    let mut behaviours: BTreeSet<&str> = BTreeSet::new();
    for row in &experiment.rows {
        // Records of one row with different players or boards, or by another behaviour of moku, are not of one
        // experiment, and are not added up.
        let mut groups: Vec<RowRecords> = Vec::new();
        let mut keys = Vec::new();
        for &record in records.iter().filter(|r| r.row == row.name) {
            told += 1;
            let lines = essence.entry(&record.players);
            let players = lines.or_insert_with(|| essences(record.setting.kind, &record.players)).clone();
            let key = (players, &record.setting, &record.code.behaviour);
            match keys.iter().position(|k| *k == key) {
                Some(i) => {
                    let group: &mut RowRecords = &mut groups[i];
                    group.records.push(record);
                }
                None => {
                    let scaled = scaled(row, budget, &record.players);
                    groups.push(RowRecords { row, label: row.name.clone(), records: vec![record], scaled });
                    keys.push(key);
                }
            }
        }
        label(&mut groups);
        let of_row: BTreeSet<&str> = groups.iter().map(|g| g.records[0].code.behaviour.as_str()).collect();
        if of_row.len() > 1 {
            behaviours.extend(of_row);
        }
        if groups.len() > 1 {
            notes.push(format!("Row '{}' was run with {} set-ups, which are told apart.", row.name, groups.len()));
        }
        let others: Vec<&RowRecords> = groups.iter().filter(|g| g.records[0].setting != row.setting).collect();
        elsewhere.extend(others.iter().map(|group| group.label.clone()));
        rows.extend(groups);
    }
    if !elsewhere.is_empty() {
        let more = elsewhere.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = elsewhere[..elsewhere.len().min(NAMED)].join(", ");
        notes.push(format!("Not on the board that is described here: {named}{more}."));
    }
    if told < records.len() {
        let left = records.len() - told;
        notes.push(format!("{left} records are of rows that the description does not have, and are left out."));
    }
    if rows.iter().any(|r| r.scaled.is_some() && r.row.published.iter().any(Option::is_some)) {
        notes.push(
            "Budgets are not the paper's: what it published is for orientation, and is not compared.".to_string(),
        );
    }
    let goals: BTreeSet<&str> = records.iter().filter_map(|r| r.made.as_ref()?.goal.as_deref()).collect();
    for goal in goals {
        let (what, so) = match goal.starts_with("--sprt") {
            true => ("a test was decided", "are those of a fixed number of games, and a little too narrow"),
            false => ("their interval was narrow enough", "keep to what they say"),
        };
        notes.push(format!("Rows were played until {what} ({goal}); intervals {so}."));
    }
    if !behaviours.is_empty() {
        let named: Vec<&str> = behaviours.into_iter().collect();
        notes.push(format!("Made by moku of different behaviour, which is told apart: {}.", named.join(", ")));
    }
    Grouped { rows, notes }
}

fn chapter(experiment: &Experiment, budget: &str, records: &[&Record], other: &dyn Fn(&str) -> Vec<Figure>) -> Chapter {
    let Grouped { rows, notes } = grouped(experiment, budget, records);
    let mut section = trials::tell(experiment, &rows);
    section.tables = section.tables.into_iter().map(|table| columns::apart(table, experiment, &rows)).collect();
    section.notes.extend(notes);
    section.tables.extend(experiment.printed.iter().map(printed));
    let players = |r: &RowRecords| Some((r.label.clone(), r.records.first()?.players.clone()));
    let settings = records.iter().filter(|_| experiment.kind.has_board()).map(|r| r.setting.to_string());
    Chapter {
        name: experiment.name.clone(),
        paper: experiment.paper.clone(),
        authors: experiment.authors.clone(),
        figure: experiment.figure.clone(),
        about: experiment.about.clone(),
        claims: claims::judge(experiment, &rows, other),
        budget: budget.to_string(),
        is_scaled: rows.iter().any(|r| r.scaled.is_some()),
        trials: records.len(),
        hours: records.iter().map(|r| r.cost()).sum::<f64>() / 3600.0,
        settings: settings.collect(),
        versions: records.iter().map(|r| r.code.to_string()).collect(),
        players: rows.iter().filter_map(players).collect(),
        measures: trials::figures(experiment, &rows, Measure::All),
        section,
    }
}

/// A table of the paper's, beside our own.
pub fn printed(table: &Printed) -> ResultTable {
    let head: Vec<&str> = table.head.iter().map(String::as_str).collect();
    let mut shown = ResultTable::new(&format!("As published: {}", table.title), &head);
    shown.rows = table.rows.iter().map(|row| row.iter().map(Cell::to_string).collect()).collect();
    shown
}

/// Names the groups of a row apart: by number, and by what moku behaved like where that differs.
fn label(groups: &mut [RowRecords]) {
    let behaviour = |g: &RowRecords| g.records[0].code.behaviour.clone();
    let differs = groups.windows(2).any(|pair| behaviour(&pair[0]) != behaviour(&pair[1]));
    for (i, group) in groups.iter_mut().enumerate() {
        let mut marks: Vec<String> = group.scaled.iter().map(|scaled| scaled.text.clone()).collect();
        if i > 0 {
            marks.push(format!("set-up {}", i + 1));
        }
        if differs {
            marks.push(format!("behaviour {}", behaviour(group)));
        }
        if !marks.is_empty() {
            group.label = format!("{} ({})", group.row.name, marks.join(", "));
        }
    }
}

/// Tables and notes, for a terminal.
impl std::fmt::Display for Chapter {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let joined = |words: &BTreeSet<String>| words.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
        let source: Vec<&str> = [self.authors.as_str(), &self.figure].into_iter().filter(|s| !s.is_empty()).collect();
        let source = if source.is_empty() { String::new() } else { format!(" ({})", source.join("; ")) };
        let budgets = self.budgets().map_or(String::new(), |said| format!(", {said}"));
        writeln!(f, "{}{source}, moku {}{budgets}", self.name, joined(&self.versions))?;
        if !self.settings.is_empty() {
            writeln!(f, "{}", joined(&self.settings))?;
        }
        for table in &self.section.tables {
            write!(f, "\n{table}")?;
        }
        if self.claims.iter().any(Judged::is_answered) {
            writeln!(f, "\n{}", self.claims_title())?;
            self.claims.iter().try_for_each(|claim| write!(f, "{claim}"))?;
        }
        for note in &self.section.notes {
            write!(f, "\n{note}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::GameKind;
    use crate::jobs::store::tests::Scratch;
    use crate::lab::arena::Setting;
    use crate::lab::code::Code;
    use crate::lab::machine::{Clock, Made};
    use serde_json::json;

    const TEXT: &str = r#"
        title = "Mine"
        [[experiment]]
        name = "mine"
        kind = "match"
        size = 5
        komi = 1.0
        games = 200
        first = "mc each=10 {filter}"
        second = "mc each=10"
        claims = [{ says = "It wins.", rows = ["plain"], above = 50 }]
        words.filter = { plain = "", "*" = "candidates={} from={threshold}" }
        columns = ["filter", "threshold", "published"]
        rows = [["plain", "", 55], ["filter4", 20, ""], ["filter4", 10, ""], ["filter4", 5, ""]]
        plot = { x = "threshold", series = "filter", baseline = "plain" }
        nominal = { each = 100, threshold = "threshold", series = "filter", published = [["filter4", 64, 270800]] }
    "#;

    /// Games of a row with this komi; the first player, always Black, wins some of them and makes so many playouts in each.
    fn games(row: &str, komi: f32, wins: u64, games: u64, playouts: u64) -> Vec<Record> {
        let one = |index| Record {
            experiment: "mine".to_string(),
            row: row.to_string(),
            index,
            config: format!("{row} {komi}"),
            seed: index,
            budget: "as described".to_string(),
            setting: Setting::new(GameKind::Go, 5, komi),
            players: vec!["mc".to_string(); 2],
            code: Code { version: "1".to_string(), ..Code::default() },
            seconds: 1.0,
            made: None,
            outcome: json!({
                "first_is": "black", "result": "?", "points": u8::from(index < wins), "moves": 20, "moves_of": [10, 10],
                "playouts": [playouts, 1000], "seconds": [1, 1], "errors": [],
            }),
        };
        (0..games).map(one).collect()
    }

    fn chapter(name: &str, records: &[Record]) -> Chapter {
        let scratch = Scratch::new(name);
        std::fs::create_dir_all(scratch.0.join("inside")).unwrap();
        std::fs::write(scratch.0.join("inside/mine.toml"), TEXT).unwrap();
        chapters(records, std::slice::from_ref(&scratch.0)).unwrap().remove(0)
    }

    #[test]
    fn figures_are_those_of_another_program() {
        // statsmodels: proportion_confint(147, 200, method="wilson") and confint_proportions_2indep(147, 200, 110, 200,
        // method="newcomb").
        let figures = &chapter("figures", &games("plain", 1.0, 147, 200, 1000)).section.figures[0];
        for (path, value) in [
            ("/rate", 0.735),
            ("/published", 0.55),
            ("/difference_interval/0", 0.091_270_829_558),
            ("/difference_interval/1", 0.274_255_136_222),
        ] {
            let found = figures.pointer(path).and_then(|v| v.as_f64()).unwrap();
            assert!((found - value).abs() < 1e-9, "{path}: {found}");
        }
        assert_eq!((&figures["verdict"], &figures["games"]), (&json!("higher"), &json!(200)));
    }

    #[test]
    fn games_on_another_board_are_told_apart_and_said() {
        let records = [games("plain", 1.0, 1, 2, 1000), games("plain", 2.0, 3, 4, 1000)].concat();
        let chapter = chapter("boards", &records);
        let rows: Vec<&str> = chapter.section.figures.iter().filter_map(|f| f["row"].as_str()).collect();
        assert_eq!(rows, ["plain", "plain (set-up 2)"]);
        assert!(
            chapter.section.notes.contains(&"Not on the board that is described here: plain (set-up 2).".to_string())
        );
        assert_eq!(chapter.settings.iter().collect::<Vec<_>>(), ["go 5x5, komi 1", "go 5x5, komi 2"]);
    }

    #[test]
    fn a_run_with_other_budgets_says_which_and_is_not_compared_with_the_paper() {
        let mut records = games("plain", 1.0, 147, 200, 1000);
        for record in &mut records {
            record.budget = "largest budget 5".to_string();
            record.players = vec!["mc each=5".to_string(); 2];
        }
        let chapter = chapter("scaled", &records);
        let figures = &chapter.section.figures[0];
        assert_eq!(figures["row"], "plain (5 playouts for each move)");
        assert_eq!((&figures["verdict"], &figures["difference"]), (&json!("for orientation"), &json!(null)));
        let claim = &chapter.claims[0];
        assert_eq!((claim.verdict_text(), claim.games_needed), ("for orientation", None));
        assert!(claim.found.contains("of 200 at plain (5 playouts for each move)"), "{}", claim.found);
        assert!(chapter.to_string().contains("  for orientation  It wins."), "{chapter}");
        assert!(chapter.is_scaled && chapter.section.notes.iter().any(|note| note.contains("for orientation")));
        // The budgets of the description, however they were asked for, are compared.
        for record in &mut records {
            record.budget = "largest budget 10".to_string();
            record.players = vec!["mc each=10".to_string(); 2];
        }
        let full = self::chapter("full", &records);
        assert_eq!((&full.section.figures[0]["verdict"], full.claims[0].verdict_text()), (&json!("higher"), "holds"));
        assert!(!full.section.notes.iter().any(|note| note.contains("--")), "{:?}", full.section.notes);
        // Nobody else describes an experiment of one's own.
        let text = full.to_string();
        assert!(text.contains("What is claimed") && !text.contains("described"), "{text}");
        // Where results said when to stop, that is told.
        let mut made = Made::now(1, &Clock::start());
        made.goal = Some("--sprt 0,30".to_string());
        records[7].made = Some(made);
        let notes = self::chapter("stopped", &records).section.notes;
        assert!(notes.iter().any(|n| n.contains("(--sprt 0,30)") && n.contains("too narrow")), "{notes:?}");
    }

    #[test]
    fn games_by_another_behaviour_are_told_apart_and_old_ones_are_of_an_unknown_one() {
        let mut newer = games("plain", 1.0, 3, 4, 1000);
        newer.iter_mut().for_each(|r| r.code.behaviour = "12ab".to_string());
        let chapter = chapter("behaviours", &[games("plain", 1.0, 1, 2, 1000), newer].concat());
        let rows: Vec<&str> = chapter.section.figures.iter().filter_map(|f| f["row"].as_str()).collect();
        assert_eq!(rows, ["plain (behaviour unknown)", "plain (set-up 2, behaviour 12ab)"]);
        assert_eq!(chapter.section.figures[1]["games"], 4);
        assert!(chapter.section.notes.iter().any(|n| n.contains("12ab, unknown")), "{:?}", chapter.section.notes);
    }

    #[test]
    fn a_filter_counts_down_to_the_last_threshold_before_it_is_below_the_baseline() {
        let all = [("plain", 100, 1000), ("filter4 20", 110, 900), ("filter4 10", 100, 700), ("filter4 5", 60, 500)];
        let records: Vec<Record> = all.iter().flat_map(|(row, wins, n)| games(row, 1.0, *wins, 200, *n)).collect();
        let section = chapter("filter", &records).section;
        let table = section.tables.iter().find(|t| t.title.starts_with("The last threshold")).unwrap();
        // Nominal for 10: half of 10 to 80 is left out, 100 * (3320 - 3195 / 2).
        assert_eq!(
            table.rows[0],
            ["filter4", "64", "270800", "18.4 %", "10", "172250", "48.1 %", "30.0 %", "5"].map(str::to_string)
        );
        let saved = section.plots.iter().find(|p| p.title.contains("saved")).unwrap();
        let measured: Vec<f64> = saved.series[0].points.iter().map(|d| d.y.round()).collect();
        assert_eq!(measured, [10.0, 30.0, 50.0]);
    }
}
