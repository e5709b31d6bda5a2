//! From records to what they show: grouped by experiment and budget, told by kind, as text, JSON or one HTML page.

mod diagram;
mod page;
mod plot;

pub use page::page;

use super::catalogue;
use super::experiment::{Experiment, Paper};
use super::section::Section;
use super::store::Record;
use super::trials::{self, RowRecords};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// An experiment's results with one kind of budget.
#[derive(Serialize)]
pub struct Chapter {
    pub name: String,
    pub paper: String,
    pub authors: String,
    pub figure: String,
    pub about: String,
    pub claims: Vec<String>,
    pub budget: String,
    pub trials: usize,
    pub hours: f64,
    pub versions: BTreeSet<String>,
    /// The players of each row, where they are told apart.
    pub players: Vec<(String, Vec<String>)>,
    #[serde(flatten)]
    pub section: Section,
}

/// The description of every experiment named in the records: built in, or beside the results.
fn descriptions(records: &[Record], folders: &[PathBuf]) -> Result<BTreeMap<String, Experiment>, String> {
    let mut known: BTreeMap<String, Experiment> = BTreeMap::new();
    let names: BTreeSet<&str> = records.iter().map(|r| r.experiment.as_str()).collect();
    for experiment in catalogue::all()? {
        known.insert(experiment.name.clone(), experiment);
    }
    for name in names.into_iter().filter(|name| !known.contains_key(*name)).collect::<Vec<_>>() {
        let mut files = folders.iter().map(|folder| folder.join(format!("{name}.toml")));
        let Some(file) = files.find(|file| file.is_file()) else {
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
            let records: Vec<&Record> = own.iter().filter(|r| r.budget == budget).copied().collect();
            chapters.push(chapter(experiment, budget, &records));
        }
    }
    Ok(chapters)
}

fn chapter(experiment: &Experiment, budget: &str, records: &[&Record]) -> Chapter {
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    let mut told = 0;
    for row in &experiment.rows {
        // Records of one row with different players or boards are not of one experiment, and are not added up.
        let mut groups: Vec<RowRecords> = Vec::new();
        for &record in records.iter().filter(|r| r.row == row.name) {
            told += 1;
            let same = |g: &&mut RowRecords| {
                g.records.first().is_some_and(|r| r.players == record.players && r.setting == record.setting)
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.records.push(record),
                None => groups.push(RowRecords { row, records: vec![record] }),
            }
        }
        if groups.len() > 1 {
            notes.push(format!("Row '{}' was run with {} set-ups, which are told apart.", row.name, groups.len()));
        }
        rows.extend(groups);
    }
    if told < records.len() {
        let left = records.len() - told;
        notes.push(format!("{left} records are of rows that the description does not have, and are left out."));
    }
    let mut section = trials::tell(experiment, &rows);
    section.notes.extend(notes);
    let players = |r: &RowRecords| Some((r.row.name.clone(), r.records.first()?.players.clone()));
    Chapter {
        name: experiment.name.clone(),
        paper: experiment.paper.clone(),
        authors: experiment.authors.clone(),
        figure: experiment.figure.clone(),
        about: experiment.about.clone(),
        claims: experiment.claims.clone(),
        budget: budget.to_string(),
        trials: records.len(),
        hours: records.iter().map(|r| r.seconds).sum::<f64>() / 3600.0,
        versions: records.iter().map(|r| r.version.clone()).collect(),
        players: rows.iter().filter_map(players).collect(),
        section,
    }
}

/// Tables and notes, for a terminal.
impl std::fmt::Display for Chapter {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let versions: Vec<&str> = self.versions.iter().map(String::as_str).collect();
        writeln!(
            f,
            "{} ({}; {}), moku {}, {}",
            self.name,
            self.authors,
            self.figure,
            versions.join(" and "),
            self.budget
        )?;
        for table in &self.section.tables {
            write!(f, "\n{table}")?;
        }
        for note in &self.section.notes {
            write!(f, "\n{note}")?;
        }
        Ok(())
    }
}
