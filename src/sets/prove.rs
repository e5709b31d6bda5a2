//! `moku tsumego solve --engine prover`: problems proven, the file's answers confirmed or refuted.

use crate::base::{Black, Point, Size, White};
use crate::tsumego::prover::check::{Judgement, verify};
use crate::tsumego::prover::solver::{sentence, wanted};
use crate::tsumego::prover::{FirstMove, Limits, Prover, Question, Status, find, state::Ko};
use crate::tsumego::{Goal, Problem};
use serde::Serialize;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

pub struct Plan {
    pub problems: Vec<Problem>,
    pub seconds: f64,
    pub table_mb: usize,
    pub verify: bool,
}

/// What the prover found out about a problem.
#[derive(Serialize)]
pub struct Proof {
    pub name: String,
    pub file: String,
    pub to_play: char,
    pub attacker: Option<char>,
    /// Empty points of the region.
    pub room: usize,
    /// alive, dead, ko...; none if not proven.
    pub status: Option<&'static str>,
    /// What is certain when the status is not.
    pub at_least: Option<&'static str>,
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
    pub verdict_on_file: &'static str,
    pub verified: Option<String>,
    pub nodes: u64,
    pub seconds: f64,
}

/// The question that a problem asks. The goal tells who attacks; without one the enclosed side defends.
pub fn question(problem: &Problem) -> Result<Question, String> {
    let attacker = match problem.goal {
        Some(Goal::Kill) => Some(problem.to_play),
        Some(Goal::Live) => Some(problem.to_play.opponent()),
        _ => None,
    };
    let guess = || Some(problem.defender().opponent());
    find::question(problem.size, &problem.stones, problem.to_play, attacker.or_else(guess))
        .or_else(|e| find::question(problem.size, &problem.stones, problem.to_play, None).map_err(|_| e))
}

impl Plan {
    /// Proves every problem, telling each as it ends, until all are done or `stop` is set.
    pub fn run(&self, stop: &AtomicBool, mut told: impl FnMut(&Proof)) -> Vec<Proof> {
        let mut prover = Prover::new(self.table_mb);
        let mut proofs = Vec::new();
        for problem in &self.problems {
            let proof = self.prove(&mut prover, problem, stop);
            if stop.load(SeqCst) {
                break; // cut short: no result
            }
            told(&proof);
            proofs.push(proof);
        }
        proofs
    }

    fn prove(&self, prover: &mut Prover, problem: &Problem, stop: &AtomicBool) -> Proof {
        let mut proof = Proof::about(problem);
        let said = self.fill(prover, problem, stop, &mut proof);
        if let Err(reason) = said {
            proof.says = reason;
        }
        proof
    }

    fn fill(&self, prover: &mut Prover, problem: &Problem, stop: &AtomicBool, proof: &mut Proof) -> Result<(), String> {
        let question = question(problem)?;
        let size = problem.size;
        let limits = Limits { nodes: u64::MAX, seconds: Some(self.seconds) };
        let (question, verdict) = prover.solve_widely(&question, limits, stop)?;
        proof.attacker = Some(question.attacker.letter());
        proof.room = question.room();
        proof.status = verdict.status().map(Status::name);
        proof.nodes = verdict.nodes;
        proof.seconds = verdict.seconds;
        proof.line = names(size, &verdict.line);
        proof.answer = proof.line.first().cloned();
        let Some(status) = verdict.status() else {
            let for_attacker = question.to_play == question.attacker;
            let certain = if for_attacker { verdict.best } else { verdict.worst };
            proof.at_least = (certain != wanted(&question).opposite()).then(|| certain.name());
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
        proof.verdict_on_file = verdict_on_file(problem, &moves, &question);
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

impl Proof {
    fn about(problem: &Problem) -> Proof {
        Proof {
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
            verdict_on_file: "",
            verified: None,
            nodes: 0,
            seconds: 0.0,
        }
    }

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
pub fn summary(proofs: &[Proof]) -> String {
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

/// A page with every problem: its board, what was proven and the lines that refute wrong moves.
pub fn page(plan: &Plan, proofs: &[Proof]) -> String {
    let mut html = String::from("<!doctype html>\n<meta charset=\"utf-8\">\n<title>Problems, proven</title>\n");
    html += "<style>body{font-family:sans-serif;margin:2em}pre{line-height:1.1}section{margin-bottom:2em}</style>\n";
    let _ = writeln!(html, "<h1>Problems, proven</h1>\n<p>{}</p>", escape(&summary(proofs)));
    for (problem, proof) in plan.problems.iter().zip(proofs) {
        let _ = writeln!(html, "<section><h2>{}</h2>", escape(&proof.name));
        let _ = writeln!(html, "<pre>{}</pre>\n<p>{}</p>", escape(&board(problem)), escape(&proof.text()));
        for line in &proof.refuted {
            let _ = writeln!(html, "<div>{} fails: {}</div>", escape(&line[0]), escape(&line[1..].join(" ")));
        }
        html += "</section>\n";
    }
    html
}

fn board(problem: &Problem) -> String {
    let size = problem.size;
    let mut text = String::new();
    for y in size.rows_from_top() {
        let _ = write!(text, "{:2}", y + 1);
        for x in 0..size.n() {
            let stone = problem.stones.iter().find(|(p, _)| *p == size.point(x, y)).map(|s| s.1);
            text += match stone {
                None => " .",
                Some(Black) => " X",
                Some(White) => " O",
            };
        }
        text.push('\n');
    }
    let letters: String = (0..size.n()).flat_map(|x| [' ', size.column_letter(x)]).collect();
    text + "  " + &letters
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
