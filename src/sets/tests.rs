//! Sets are solved the same way by however many jobs, in one go or two, and turn into tests and pages.

use super::page::page;
use super::regress::Regress;
use super::report::{Mark, Report};
use super::results::Results;
use super::solve::{Column, Plan, Run, Slot, Task};
use super::tst;
use crate::session::Options;
use crate::tsumego::Problem;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Straight three for either side, one that nobody solves, one without an answer, one with an answer that is no move.
const SET: &str = "\
(;SZ[9]GN[kill <it>]PL[B]AB[ea][eb][ec][dc][cc][bc][ac]AW[da][db][cb][bb][ab]C[Black to kill](;B[ba]C[RIGHT])(;B[aa]))
(;SZ[9]GN[live]PL[W]AB[ea][eb][ec][dc][cc][bc][ac]AW[da][db][cb][bb][ab]C[White to live](;W[ba]C[RIGHT]))
(;SZ[9]GN[silly]PL[W]AB[ea][eb][ec][dc][cc][bc][ac]AW[da][db][cb][bb][ab]C[White to live](;W[aa]C[RIGHT]))
(;SZ[9]GN[open]AB[ea][eb][ec]AW[da][db][cb])
(;SZ[9]GN[taken]AB[ea][eb][ec]AW[da][db][cb];B[da])";

fn plan(jobs: usize) -> Plan {
    let problems = Problem::read(SET.as_bytes(), Path::new("set.sgf")).unwrap();
    Plan {
        tasks: problems.into_iter().map(Task::framed).collect(),
        columns: Column::all(&["uct".to_string(), "shot".to_string()], Some(&[300])).unwrap(),
        tries: 2,
        seed: 5,
        jobs,
    }
}

/// Runs without the time they took.
fn timeless(mut runs: HashMap<Slot, Run>) -> HashMap<Slot, Run> {
    runs.values_mut().for_each(|run| run.seconds = 0.0);
    runs
}

fn solve(plan: &Plan, done: &HashMap<String, Run>) -> HashMap<Slot, Run> {
    timeless(plan.run(done, &AtomicBool::new(false), |_| Ok(())).unwrap())
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("moku-sets-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn jobs_and_resuming_change_nothing() {
    let alone = solve(&plan(1), &HashMap::new());
    assert_eq!(alone.len(), 12, "three problems, two engines, two tries");
    assert_eq!(alone, solve(&plan(3), &HashMap::new()));
    let path = folder("resume").join("results.jsonl");
    let mut results = Results::open(&path, 5).unwrap();
    alone.values().take(5).for_each(|run| results.add(run).unwrap());
    drop(results);
    // The machine went down in the middle of a line.
    let mut text = std::fs::read_to_string(&path).unwrap();
    text += "{\"key\":\"0123";
    std::fs::write(&path, text).unwrap();
    let mut results = Results::open(&path, 99).unwrap();
    assert_eq!(results.seed, 5);
    assert!((3..=5).contains(&results.done.len()), "two of the problems share a position");
    let done = std::mem::take(&mut results.done);
    let mut fresh = 0;
    let runs = plan(2).run(&done, &AtomicBool::new(false), |run| {
        fresh += 1;
        results.add(run)
    });
    assert_eq!(timeless(runs.unwrap()), alone);
    assert!((2..=8).contains(&fresh), "{fresh} searches");
    assert_eq!(Results::open(&path, 0).unwrap().done.len(), 8);
}

#[test]
fn other_files_are_not_taken_for_results() {
    let path = folder("other").join("notes.txt");
    std::fs::write(&path, "my notes\n").unwrap();
    assert!(Results::open(&path, 1).err().unwrap().contains("not a results file"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes\n");
}

#[test]
fn a_stopped_run_reports_what_it_has_and_an_error_ends_it() {
    let plan = plan(2);
    let runs = plan.run(&HashMap::new(), &AtomicBool::new(true), |_| Ok(())).unwrap();
    assert!(runs.is_empty());
    let report = Report::new(&plan, &runs);
    assert_eq!(report.problems[0].cells[0].mark, Mark::Unfinished);
    let failed = plan.run(&HashMap::new(), &AtomicBool::new(false), |_| Err("disk full".to_string()));
    assert_eq!(failed.unwrap_err(), "disk full");
}

#[test]
fn the_table_marks_counts_and_names_the_moves_chosen_instead() {
    let plan = plan(2);
    let runs = solve(&plan, &HashMap::new());
    let report = Report::new(&plan, &runs);
    let marks: Vec<Mark> = report.problems[..3].iter().map(|row| row.cells[0].mark).collect();
    assert_eq!(marks, [Mark::O, Mark::O, Mark::X]);
    assert_eq!(report.problems[2].cells[0].instead.get("B9"), Some(&2));
    let total = &report.columns[0];
    assert_eq!((total.solved, total.some, total.none, total.tries_right, total.tries), (2, 0, 1, 4, 6));
    let text = report.to_string();
    assert!(text.contains("silly, uct 300: B9 (2x)"), "{text}");
    assert!(text.contains("open: the file marks no right move"), "{text}");
    assert!(text.contains("taken: the file's right move is on a stone"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&report.to_json().unwrap()).unwrap();
    assert_eq!(json["columns"][0]["solved"], 2);
    let page = page(&plan, &runs, &report);
    assert_eq!(page.matches("<svg").count(), 5);
    assert!(page.contains("kill &lt;it&gt;") && !page.contains("<it>") && !page.contains("http://www.example"));
}

#[test]
fn budgets_come_from_the_command_or_the_engines_line() {
    let lines = |engine: &str, budgets: Option<&[u64]>| -> Vec<String> {
        Column::all(&[engine.to_string()], budgets).unwrap().into_iter().map(|column| column.line).collect()
    };
    assert_eq!(lines("uct", Some(&[7, 8])), ["uct playouts=7 threads=1", "uct playouts=8 threads=1"]);
    assert_eq!(lines("uct playouts=9 c=0.5", Some(&[7])), ["uct c=0.5 playouts=7 threads=1"]);
    assert_eq!(lines("uct playouts=9 threads=4", None), ["uct playouts=9 threads=1"]);
    assert_eq!(lines("shot", None).len(), 3);
    assert!(Column::all(&["nonsense".to_string()], None).is_err());
}

#[test]
fn a_set_becomes_a_test_that_passes_where_the_engine_solves_it() {
    let folder = folder("tst");
    let path = folder.join("mine.tst");
    let skipped = tst::write(&plan(1).tasks, &path).unwrap();
    assert_eq!(skipped, ["open: the file marks no right move", "taken: the file's right move is on a stone"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("loadsgf mine/kill--it.sgf 1\nkomi 0\n10 reg_genmove black\n#? [B9]\n"), "{text}");
    let options =
        Options { engine: Some("uct playouts=500".to_string()), threads: 1, seed: Some(1), ..Options::default() };
    let mut said = Vec::new();
    let regress = Regress { options, long: false, gtp_file: None };
    let summary = regress.run(&[path], &mut |line| said.push(line.to_string())).unwrap();
    assert_eq!((summary.tests, summary.expected_passes, summary.unexpected_fails), (3, 2, 1));
    assert_eq!(said, ["30 unexpected FAIL: Correct 'A9', got 'B9'"]);
    let odd = tst::write(&[], &folder.join("my tests.tst")).unwrap_err();
    assert!(odd.contains("letters, digits"), "{odd}");
    std::fs::remove_dir_all(&folder).unwrap();
}
