//! Sets are solved the same way by however many jobs, in one go or two, and turn into tests and pages.

use super::compare::Agreement;
use super::make::{Order, Sheet};
use super::page::page;
use super::proof_page;
use super::prove::{Proof, Proving};
use super::report::{Mark, Report};
use super::results::Results;
use super::solve::{Case, Column, Run, Slot, Solving};
use super::tst;
use crate::base::Size;
use crate::jobs::Error;
use crate::regress::Regress;
use crate::session::Options;
use crate::tsumego::prover::Limits;
use crate::tsumego::prover::make::{Kind, Place};
use crate::tsumego::{Goal, Problem};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Straight three for either side, one that nobody solves, one without an answer, one with an answer that is no move.
const SET: &str = "\
(;SZ[9]GN[kill <it>]PL[B]AB[ea][eb][ec][dc][cc][bc][ac]AW[da][db][cb][bb][ab]C[Black to kill](;B[ba]C[RIGHT])(;B[aa]))
(;SZ[9]GN[live]PL[W]AB[ea][eb][ec][dc][cc][bc][ac]AW[da][db][cb][bb][ab]C[White to live](;W[ba]C[RIGHT]))
(;SZ[9]GN[silly]PL[W]AB[ea][eb][ec][dc][cc][bc][ac]AW[da][db][cb][bb][ab]C[White to live](;W[aa]C[RIGHT]))
(;SZ[9]GN[open]AB[ea][eb][ec]AW[da][db][cb])
(;SZ[9]GN[taken]AB[ea][eb][ec]AW[da][db][cb];B[da])";

fn plan(jobs: usize) -> Solving {
    let problems = Problem::read(SET.as_bytes(), Path::new("set.sgf")).unwrap();
    Solving {
        cases: problems.into_iter().map(Case::framed).collect(),
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

fn solve(plan: &Solving, done: &HashMap<String, Run>) -> HashMap<Slot, Run> {
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
    let mut results = Results::<Run>::open(&path, 5).unwrap();
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
    drop(results);
    assert_eq!(Results::<Run>::open(&path, 0).unwrap().done.len(), 8);
}

#[test]
fn other_files_are_not_taken_for_results() {
    let path = folder("other").join("notes.txt");
    std::fs::write(&path, "my notes\n").unwrap();
    assert!(Results::<Run>::open(&path, 1).err().unwrap().to_string().contains("not a file of results"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes\n");
    std::fs::write(&path, "{\"experiment\":\"e\"}\n").unwrap();
    assert!(Results::<Run>::open(&path, 1).err().unwrap().to_string().contains("not a results file"));
    std::fs::remove_file(&path).unwrap();
    drop(Results::<Run>::open(&path, 1).unwrap());
    assert!(Results::<Proof>::open(&path, 1).err().unwrap().to_string().contains("holds searches, not proofs"));
}

#[test]
fn a_stopped_run_reports_what_it_has_and_an_error_ends_it() {
    let plan = plan(2);
    let runs = plan.run(&HashMap::new(), &AtomicBool::new(true), |_| Ok(())).unwrap();
    assert!(runs.is_empty());
    let report = Report::new(&plan, &runs);
    assert_eq!(report.problems[0].cells[0].mark, Mark::Unfinished);
    let failed = plan.run(&HashMap::new(), &AtomicBool::new(false), |_| Err(Error::Job("disk full".to_string())));
    assert_eq!(failed.unwrap_err().to_string(), "disk full");
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
    let skipped = tst::write(&plan(1).cases, &path).unwrap();
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

/// The same without those that are not enclosed: a proof of them ends by time alone. One without an answer, one with an
/// answer that is no move.
fn proving(jobs: usize) -> Proving {
    let mut text: String = SET.lines().take(3).collect();
    let stones = "PL[B]AB[ea][eb][ec][dc][cc][bc][ac]AW[da][db][cb][bb][ab]";
    text += &format!("(;SZ[9]GN[none]{stones})(;SZ[9]GN[taken]{stones};B[da])");
    let problems = Problem::read(text.as_bytes(), Path::new("set.sgf")).unwrap();
    Proving { problems, limits: Limits { nodes: u64::MAX, seconds: None }, table_mb: 1, verify: true, jobs, threads: 1 }
}

fn timeless_proofs(mut proofs: BTreeMap<usize, Proof>) -> BTreeMap<usize, Proof> {
    proofs.values_mut().for_each(|proof| proof.seconds = 0.0);
    proofs
}

#[test]
fn proofs_are_the_same_by_any_number_of_jobs_in_any_order_and_when_resumed() {
    let stop = AtomicBool::new(false);
    let run = |proving: &Proving, done: &HashMap<String, Proof>| {
        let mut fresh = 0;
        let proofs = proving.run(done, &stop, |_, _| {
            fresh += 1;
            Ok(())
        });
        (timeless_proofs(proofs.unwrap()), fresh)
    };
    let (alone, _) = run(&proving(1), &HashMap::new());
    assert_eq!(alone.len(), 5);
    assert_eq!(alone[&0].status.as_deref(), Some("dead"), "{:?}", alone[&0]);
    let kinds = [0, 1, 2].map(|i| alone[&i].on_file.kind);
    assert_eq!(kinds, [Some(Agreement::Confirmed), Some(Agreement::Confirmed), Some(Agreement::Fails)]);
    assert!(alone[&0].verified.as_ref().is_some_and(|text| text.starts_with("verified over")), "{:?}", alone[&0]);
    assert_eq!(run(&proving(3), &HashMap::new()).0, alone);
    // By itself, without what the others teach.
    let mut last = proving(1);
    last.problems.drain(..2);
    assert_eq!(run(&last, &HashMap::new()).0[&0], alone[&2]);
    let path = folder("proofs").join("proofs.jsonl");
    let mut results = Results::<Proof>::open(&path, 0).unwrap();
    alone.values().take(3).for_each(|proof| results.add(proof).unwrap());
    drop(results);
    let done = Results::<Proof>::open(&path, 0).unwrap().done;
    assert_eq!(run(&proving(2), &done), (alone.clone(), 2));
    let page = proof_page::proofs(&proving(1), &alone);
    assert!(page.matches("<svg").count() == 5 && page.contains("kill &lt;it&gt;") && !page.contains("<it>"));
    // Every move that was decided has its line, as text and to be played.
    let lines = |proof: &Proof| proof.working.len() + proof.refuted.len();
    assert_eq!(page.matches("data-line=").count(), alone.values().map(lines).sum::<usize>());
    assert!(alone[&0].working.iter().map(|line| &line[0]).eq(&alone[&0].accepted));
    assert!(page.contains("data-lines=\"[[[") && !page.contains("src=") && !page.contains("url(http"));
}

#[test]
fn a_proof_that_was_cut_short_is_no_result() {
    let stop = AtomicBool::new(false);
    let proofs = proving(1).run(&HashMap::new(), &stop, |_, _| {
        stop.store(true, SeqCst);
        Ok(())
    });
    assert!((1..5).contains(&proofs.unwrap().len()));
}

/// A ko and a race are wished for, and what is written asks what was made.
#[test]
fn a_made_problem_is_read_back_as_what_it_is() {
    let stop = AtomicBool::new(false);
    for (kind, goal) in
        [(Kind::Kill, Goal::Kill), (Kind::Live, Goal::Live), (Kind::Ko, Goal::Ko), (Kind::Race, Goal::Race)]
    {
        let size = Size::new(9).unwrap();
        let order = Order { count: 2, seed: 5, place: Place::Corner, level: 2, size, kind: Some(kind) };
        let mut sheets = Vec::new();
        let made = order.run(&stop, |sheet| {
            sheets.push(sheet);
            Ok(())
        });
        assert_eq!(made, Ok(2));
        for Sheet { stem, text } in sheets {
            let problem = Problem::read(text.as_bytes(), Path::new("made.sgf")).unwrap().remove(0);
            assert_eq!((problem.goal, problem.right.len()), (Some(goal), 1), "{stem}: {text}");
            let limits = Limits { nodes: 100_000, seconds: None };
            let proving = Proving { problems: vec![problem], limits, verify: false, ..proving(1) };
            let proofs = proving.run(&HashMap::new(), &stop, |_, _| Ok(())).unwrap();
            assert_eq!(proofs[&0].on_file.kind, Some(Agreement::Confirmed), "{text} {:?}", proofs[&0]);
        }
    }
}
