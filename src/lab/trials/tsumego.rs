//! Problems of life and death, each solved by one search on a board where nothing else matters.
//!
//! A trial is every problem of a set once. The paper's marks: O for a problem solved in all trials, △ in some, X in none.

use super::{ROW, RowRecords, TrialRunner};
use crate::base::Size;
use crate::base::rng::mix;
use crate::lab::experiment::Experiment;
use crate::lab::plan::{Planned, text_hash};
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Section, Series, Style};
use crate::lab::stats::{Estimate, Rate};
use crate::lab::tsumego::solve::session_on;
use crate::session::Passing;
use crate::tsumego::{Framed, Problem, frame};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Default)]
pub struct Problems {
    /// The set that was read last and its problems, framed.
    set: Option<((String, usize), Vec<Framed>)>,
}

impl Problems {
    /// Problems with an answer that fit on the board, by name.
    fn read(&mut self, folder: &str, size: usize) -> Result<&[Framed], String> {
        let wanted = (folder.to_string(), size);
        if self.set.as_ref().is_none_or(|(set, _)| *set != wanted) {
            let only = Size::new(size).ok_or_else(|| format!("no board of {size} lines"))?;
            let problems = Problem::read_all(&[PathBuf::from(folder)])
                .map_err(|e| format!("{e}; the place of your own problems is `problems` in a .toml file"))?;
            let with_answer = problems.into_iter().filter(|p| !p.right.is_empty());
            let mut framed: Vec<Framed> = with_answer.filter_map(|p| frame(&p, Some(only)).ok()).collect();
            if framed.is_empty() {
                return Err(format!("{folder} has no problem with an answer that fits on {size}x{size}"));
            }
            framed.sort_by(|a, b| (&a.problem.path, a.problem.number).cmp(&(&b.problem.path, b.problem.number)));
            self.set = Some((wanted, framed));
        }
        Ok(self.set.as_ref().map(|(_, framed)| framed.as_slice()).unwrap_or_default())
    }
}

/// A name that is the same wherever the set lies.
fn name(problem: &Problem) -> String {
    let file = problem.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if problem.number > 1 { format!("{file} {}", problem.number) } else { file }
}

impl TrialRunner for Problems {
    fn run(&mut self, planned: &Planned, _: u64, seed: u64) -> Result<Value, String> {
        let engine = planned.engine().ok_or("`first` solves the problems")?;
        let framed = self.read(&planned.row.text("problems"), planned.row.setting.size)?;
        let mut moves = BTreeMap::new();
        let mut solved = BTreeMap::new();
        let mut playouts = 0;
        for framed in framed {
            let problem = &framed.problem;
            let name = name(problem);
            let seed = mix(&[seed, text_hash(&name)]);
            let mut session = session_on(problem.size, &problem.stones, problem.to_play, engine, seed)?;
            let thought = session.think(problem.to_play, Some(Passing::Fill), &mut |_| true)?;
            playouts += thought.playouts;
            moves.insert(name.clone(), problem.size.point_to_gtp(thought.point));
            solved.insert(name, problem.right.contains(&thought.point));
        }
        Ok(json!({ "solved": solved, "moves": moves, "playouts": playouts }))
    }
}

/// How often each problem was solved, and tried.
fn counts(records: &RowRecords) -> BTreeMap<String, (u64, u64)> {
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (name, right) in records.records.iter().filter_map(|r| r.outcome["solved"].as_object()).flatten() {
        let entry = counts.entry(name.clone()).or_default();
        *entry = (entry.0 + u64::from(right == true), entry.1 + 1);
    }
    counts
}

/// Of all its searches, those that solve their problem. The problems are what they are: only chance in the search is in the interval, which is
/// that of searches alike, so a little too wide where some problems are easier.
fn solved(counts: &BTreeMap<String, (u64, u64)>) -> Rate {
    Rate { wins: counts.values().map(|c| c.0).sum(), draws: 0, games: counts.values().map(|c| c.1).sum() }
}

pub fn estimate(records: &RowRecords) -> Option<(Estimate, u64)> {
    let rate = solved(&counts(records));
    (rate.games > 0).then(|| (rate.estimate(), records.records.len() as u64))
}

fn mark((right, tried): (u64, u64)) -> &'static str {
    match right {
        _ if tried == 0 => "",
        0 => "X",
        _ if right == tried => "O",
        _ => "△",
    }
}

pub fn tell(experiment: &Experiment, rows: &[RowRecords]) -> Section {
    let head = [ROW, "O of 15, published", "O", "△", "X", "searches that solve, %", "trials"];
    let mut table = ResultTable::new("Problems solved always (O), sometimes (△), never (X)", &head);
    let mut marks = ResultTable::new("Problem by problem", &["problem"]);
    let all: Vec<BTreeMap<String, (u64, u64)>> = rows.iter().map(counts).collect();
    for (records, counts) in rows.iter().zip(&all) {
        marks.head.push(records.label.clone());
        let count = |wanted: &str| counts.values().filter(|c| mark(**c) == wanted).count().to_string();
        let rate = solved(counts);
        table.rows.push(vec![
            records.label.clone(),
            records.row.published[0].map(|x| x.to_string()).unwrap_or_default(),
            count("O"),
            count("△"),
            count("X"),
            rate.percent_text(),
            records.records.len().to_string(),
        ]);
    }
    let mut names: Vec<&String> = all.iter().flat_map(|counts| counts.keys()).collect();
    names.sort();
    names.dedup();
    for name in &names {
        let mut line = vec![name.to_string()];
        line.extend(all.iter().map(|counts| mark(counts.get(*name).copied().unwrap_or_default()).to_string()));
        marks.rows.push(line);
    }
    let mut section = Section { tables: vec![table, marks], ..Section::default() };
    section.notes.push(format!("{} problems, not the paper's: those are not printed in full.", names.len()));
    section.plots.extend(plot(experiment, rows, &all));
    section
}

/// The share of searches that solve, against playouts.
fn plot(experiment: &Experiment, rows: &[RowRecords], all: &[BTreeMap<String, (u64, u64)>]) -> Option<Plot> {
    let form = experiment.plot.as_ref()?;
    let column = form.series.clone().unwrap_or_default();
    let mut series: Vec<Series> = Vec::new();
    for (records, counts) in rows.iter().zip(all) {
        let (Ok(x), name) = (records.row.number(&form.x), records.row.text(&column)) else { continue };
        let rate = solved(counts);
        let (low, high) = rate.interval();
        let dot = Dot { x, y: 100.0 * rate.rate(), interval: Some((100.0 * low, 100.0 * high)) };
        match series.iter_mut().find(|s| s.name == name) {
            Some(found) => found.points.push(dot),
            None => series.push(Series { name, style: Style::Measured, color: series.len(), points: vec![dot] }),
        }
    }
    Some(Plot {
        title: "Searches that solve their problem".to_string(),
        x: Axis::new(&form.x).log(form.log),
        y: Axis::new("%").range(0.0, 100.0),
        series,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_the_papers() {
        assert_eq!([(5, 5), (1, 5), (4, 5), (0, 5), (0, 0)].map(mark), ["O", "△", "△", "X", ""]);
    }

    #[test]
    fn all_problems_of_the_papers_experiment_fit_on_its_board() {
        let text = include_str!("../experiments/1-shot.toml");
        let paper = crate::lab::experiment::Paper::parse(text).unwrap();
        let experiment = paper.experiments.iter().find(|e| e.name == "tsumego").unwrap();
        let row = &experiment.rows[0];
        let folder = row.text("problems");
        let all = Problem::read_all(&[PathBuf::from(&folder)]).unwrap().len();
        assert_eq!(Problems::default().read(&folder, row.setting.size).unwrap().len(), all);
    }

    #[test]
    fn a_set_that_is_not_there_is_answered_with_what_to_do() {
        let error = Problems::default().read("no/such/folder", 9).err().unwrap();
        assert!(error.contains("no/such/folder") && error.contains(".toml"), "{error}");
    }
}
