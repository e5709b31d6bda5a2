//! Asks the exact solver about groups on the table.

use super::table::{Progress, Table, Watch};
use crate::base::{Color, Point};
use crate::playout::outlook::Outlook;
use crate::search::Report;
use crate::tsumego::prover::{Finding, Limits, Prover, Question, find};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// What proving may cost.
#[derive(Clone, Copy, Debug)]
pub struct ProofMeans {
    pub seconds: f64,
    pub table_mb: usize,
    pub threads: usize,
}

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The prover has nothing to show while it works.
struct NoNews;

impl Progress for NoNews {
    fn report(&self) -> Report {
        Report { moves: Vec::new(), nodes: 0 }
    }
    fn outlook(&self, _: &[Point], _: usize) -> Outlook {
        Outlook { score: 0.0, deviation: 0.0, ownership: Vec::new() }
    }
    fn is_done(&self) -> bool {
        false
    }
}

fn stones(table: &dyn Table) -> Vec<(Point, Color)> {
    table.size().points().filter_map(|p| Some((p, table.color_at(p)?))).collect()
}

/// The status of the group at a point if this side moves first.
pub fn status_of(
    table: &dyn Table,
    at: Point,
    first: Color,
    means: ProofMeans,
    watch: Watch,
) -> Result<Finding, String> {
    let question = find::question_at(table.size(), &stones(table), first, at)?;
    prove(&question, means, watch)
}

/// A move that is proven to kill, to live or to make a ko, in a position that was set up as a problem.
pub fn proven_move(table: &dyn Table, color: Color, means: ProofMeans, watch: Watch) -> Option<Point> {
    let (set_up, _) = table.set_up_stones();
    if set_up.is_empty() || table.handicap() > 0 {
        return None;
    }
    let question = find::question(table.size(), &stones(table), color, None).ok()?;
    let answer = prove(&question, means, watch).ok()?.verdict.answer?;
    (!answer.is_pass() && table.check(color, answer).is_ok()).then_some(answer)
}

fn prove(question: &Question, means: ProofMeans, watch: Watch) -> Result<Finding, String> {
    let limits = Limits { nodes: u64::MAX, seconds: Some(means.seconds) };
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let mut prover = Prover::new(means.table_mb).with_threads(means.threads);
            let verdict = prover.find_out(question, &[], limits, &stop);
            done.store(true, SeqCst);
            verdict
        });
        while !done.load(SeqCst) && !worker.is_finished() {
            if !watch(&NoNews) {
                stop.store(true, SeqCst);
            }
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(worker.join().map_err(|_| "the prover failed".to_string())??)
    })
}
