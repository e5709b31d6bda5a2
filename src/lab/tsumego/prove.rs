//! `moku tsumego solve --engine prover`: problems proven, the file's answers confirmed or refuted.

use super::results::Found;
use crate::base::rng::mix;
use crate::base::{Point, Size};
use crate::jobs::{Error, Next, Runner};
use crate::lab::code::Code;
use crate::tsumego::Problem;
use crate::tsumego::prover::check::{Judgement, verify};
use crate::tsumego::prover::solver::{sentence, wanted};
use crate::tsumego::prover::{FirstMove, Limits, Prover, Question, Status, find, state::Ko};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Problems, and what proving each of them may cost.
pub struct Proving {
    pub problems: Vec<Problem>,
    pub seconds: f64,
    /// For each of the jobs.
    pub table_mb: usize,
    pub verify: bool,
    pub jobs: usize,
}

/// What the prover found out about a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// What decides the proof: two with the same key are the same, times apart.
    pub key: String,
    pub name: String,
    pub file: String,
    pub to_play: char,
    pub attacker: Option<char>,
    /// Empty points of the region.
    pub room: usize,
    /// alive, dead, ko...; none if not proven.
    pub status: Option<String>,
    /// What is certain when the status is not.
    pub at_least: Option<String>,
    pub says: String,
    pub answer: Option<String>,
    pub line: Vec<String>,
    /// First moves that reach the same.
    pub accepted: Vec<String>,
    /// First moves that do not, each with its refutation.
    pub refuted: Vec<Vec<String>>,
    /// First moves for which the time did not suffice.
    pub open: Vec<String>,
    /// The file's answers, and what became of them.
    pub file_right: Vec<String>,
    pub verdict_on_file: String,
    pub verified: Option<String>,
    pub nodes: u64,
    pub seconds: f64,
    #[serde(flatten)]
    pub code: Code,
}

impl Found for Proof {
    const NAME: &'static str = "proofs";

    fn key(&self) -> &str {
        &self.key
    }

    fn code(&self) -> &Code {
        &self.code
    }
}

impl Proving {
    /// Position, goal, answers and limits.
    pub fn key_of(&self, problem: &Problem) -> String {
        let mut parts =
            vec![problem.size.n() as u64, problem.to_play.index() as u64, problem.goal.map_or(9, |g| g as u64)];
        parts.extend(problem.stones.iter().map(|(p, color)| (2 * p.index() + color.index()) as u64));
        parts.push(u64::MAX);
        parts.extend(problem.right.iter().map(|p| p.index() as u64));
        parts.extend([self.seconds.to_bits(), self.table_mb as u64, u64::from(self.verify)]);
        format!("{:016x}", mix(&parts))
    }

    /// Proves what `done` does not have, telling each with its problem's number as it ends, until all are done or `stop` is
    /// set: then proofs in hand are dropped. Returns all there are, by the problem's number.
    pub fn run(
        &self,
        done: &HashMap<String, Proof>,
        stop: &AtomicBool,
        mut told: impl FnMut(usize, &Proof) -> Result<(), Error>,
    ) -> Result<BTreeMap<usize, Proof>, Error> {
        let (mut proofs, mut open) = (BTreeMap::new(), Vec::new());
        for (i, problem) in self.problems.iter().enumerate() {
            match done.get(&self.key_of(problem)) {
                // The same position may have another name.
                Some(proof) => {
                    let Proof { name, file, .. } = self.about(problem);
                    proofs.insert(i, Proof { name, file, ..proof.clone() });
                }
                None => open.push(i),
            }
        }
        // What was proven before must not help: a proof is the same whatever comes with it, and when it is resumed.
        let prove = |prover: &mut Prover, &i: &usize| {
            prover.forget();
            let proof = self.prove(prover, &self.problems[i], stop);
            Ok((!stop.load(SeqCst)).then_some(proof))
        };
        Runner { threads: self.jobs, stop, time: None }.run(
            &open,
            || Prover::new(self.table_mb),
            prove,
            |&i, proof| {
                told(i, &proof)?;
                proofs.insert(i, proof);
                Ok(Next::Go)
            },
        )?;
        Ok(proofs)
    }

    fn prove(&self, prover: &mut Prover, problem: &Problem, stop: &AtomicBool) -> Proof {
        let mut proof = self.about(problem);
        let said = self.fill(prover, problem, stop, &mut proof);
        if let Err(reason) = said {
            proof.says = reason;
        }
        proof
    }

    fn fill(&self, prover: &mut Prover, problem: &Problem, stop: &AtomicBool, proof: &mut Proof) -> Result<(), String> {
        let question = find::question_of(problem)?;
        let size = problem.size;
        let limits = Limits { nodes: u64::MAX, seconds: Some(self.seconds) };
        let (question, verdict) = prover.solve_widely(&question, limits, stop)?;
        proof.attacker = Some(question.attacker.letter());
        proof.room = question.room();
        proof.status = verdict.status().map(|status| status.name().to_string());
        proof.nodes = verdict.nodes;
        proof.seconds = verdict.seconds;
        proof.line = names(size, &verdict.line);
        proof.answer = proof.line.first().cloned();
        let Some(status) = verdict.status() else {
            let for_attacker = question.to_play == question.attacker;
            let certain = if for_attacker { verdict.best } else { verdict.worst };
            proof.at_least = (certain != wanted(&question).opposite()).then(|| certain.name().to_string());
            proof.says = match proof.at_least {
                Some(_) => format!("not proven; at least {}", sentence(certain, question.attacker)),
                None => "not proven".to_string(),
            };
            return Ok(());
        };
        proof.says = sentence(status, question.attacker);
        let moves = prover.first_moves(&question, status, None, limits, stop)?;
        let pick = |reaches: Option<bool>| moves.iter().filter(move |m| m.reaches == reaches);
        proof.accepted = pick(Some(true)).map(|m| size.point_to_gtp(m.point)).collect();
        proof.refuted = pick(Some(false)).map(|m| names(size, &m.line)).collect();
        proof.open = pick(None).map(|m| size.point_to_gtp(m.point)).collect();
        proof.verdict_on_file = verdict_on_file(problem, &moves, &question).to_string();
        if self.verify {
            proof.verified = Some(judge(&question, status, limits, stop)?);
        }
        Ok(())
    }
}

fn names(size: Size, points: &[Point]) -> Vec<String> {
    points.iter().map(|&p| size.point_to_gtp(p)).collect()
}

fn verdict_on_file(problem: &Problem, moves: &[FirstMove], question: &Question) -> &'static str {
    let known = |p: &Point| moves.iter().find(|m| m.point == *p).and_then(|m| m.reaches);
    match () {
        _ if problem.right.is_empty() => "the file has no answer",
        _ if problem.right.iter().any(|p| known(p) == Some(true)) => "confirmed",
        _ if problem.right.iter().any(|p| !question.region.contains(p)) => "outside of the region",
        _ if moves.is_empty() => "nothing helps",
        _ if problem.right.iter().all(|p| known(p) == Some(false)) => "refuted",
        _ => "open",
    }
}

/// Has both sides of a verdict judged: what the attacker can do, and what the defender can.
fn judge(question: &Question, status: Status, limits: Limits, stop: &AtomicBool) -> Result<String, String> {
    let claims: &[(Ko, bool)] = match status {
        Status::Dead => &[(Ko::Defender, true)],
        Status::KoDefenderFirst => &[(Ko::Nobody, true), (Ko::Defender, false)],
        Status::KoAttackerFirst => &[(Ko::Attacker, true), (Ko::Nobody, false)],
        Status::Alive => &[(Ko::Attacker, false)],
    };
    let mut positions = 0;
    for &(ko, attacker_wins) in claims {
        match verify(question, ko, attacker_wins, 1_000_000, limits, stop)? {
            Judgement::Holds(n) => positions += n,
            Judgement::TooLarge => return Ok("too large to verify".to_string()),
            Judgement::Fails(why) => return Ok(format!("the proof FAILS: {why}")),
        }
    }
    Ok(format!("verified over {positions} positions"))
}

impl Proving {
    fn about(&self, problem: &Problem) -> Proof {
        Proof {
            key: self.key_of(problem),
            name: problem.name.clone(),
            file: problem.path.display().to_string(),
            to_play: problem.to_play.letter(),
            attacker: None,
            room: 0,
            status: None,
            at_least: None,
            says: String::new(),
            answer: None,
            line: Vec::new(),
            accepted: Vec::new(),
            refuted: Vec::new(),
            open: Vec::new(),
            file_right: names(problem.size, &problem.right),
            verdict_on_file: String::new(),
            verified: None,
            nodes: 0,
            seconds: 0.0,
            code: Code::own(),
        }
    }
}

impl Proof {
    /// One problem for people: a line for the verdict, a line for the answer's continuation.
    pub fn text(&self) -> String {
        let mut text =
            format!("{}  {} to play: {}", self.name, if self.to_play == 'B' { "black" } else { "white" }, self.says);
        let mut add = |part: String| text.push_str(&part);
        if !self.accepted.is_empty() {
            add(format!("; answers: {}", self.accepted.join(" ")));
        }
        if !self.open.is_empty() {
            add(format!("; open: {}", self.open.join(" ")));
        }
        if !self.verdict_on_file.is_empty() {
            add(format!("; the file's {}: {}", self.file_right.join(" "), self.verdict_on_file));
        }
        if let Some(verified) = &self.verified {
            add(format!("; {verified}"));
        }
        add(format!("  ({} nodes, {:.2} s, room {})", self.nodes, self.seconds, self.room));
        if self.line.len() > 1 {
            add(format!("\n    {}", self.line.join(" ")));
        }
        if self.verdict_on_file == "refuted" {
            for line in self.refuted.iter().filter(|line| self.file_right.contains(&line[0])) {
                add(format!("\n    against {}: {}", line[0], line[1..].join(" ")));
            }
        }
        text
    }
}

/// What came out of a whole set.
pub fn summary(proofs: &[&Proof]) -> String {
    let count = |f: &dyn Fn(&Proof) -> bool| proofs.iter().filter(|p| f(p)).count();
    let mut text = format!("{} of {} proven", count(&|p| p.status.is_some()), proofs.len());
    for word in ["confirmed", "refuted", "open", "outside of the region", "nothing helps"] {
        let n = count(&|p| p.verdict_on_file == word);
        if n > 0 {
            let _ = write!(text, ", {n} {word}");
        }
    }
    let nodes: u64 = proofs.iter().map(|p| p.nodes).sum();
    let seconds: f64 = proofs.iter().map(|p| p.seconds).sum();
    let _ = write!(text, "; {nodes} nodes, {:.0} a second", nodes as f64 / seconds.max(1e-9));
    text
}
