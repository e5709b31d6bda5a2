//! `moku tsumego solve --engine prover`: problems proven, the file's answers confirmed or refuted.

use super::compare::{AGREEMENTS, Agreement, Comparison, Means, compare};
use super::results::Found;
use crate::base::rng::mix;
use crate::base::{Point, Size};
use crate::jobs::{Error, Next, Runner};
use crate::lab::code::Code;
use crate::tsumego::Problem;
use crate::tsumego::prover::check::{Judgement, verify};
use crate::tsumego::prover::solver::{sentence, wanted};
use crate::tsumego::prover::{Beyond, Finding, FirstMove, Hold, Limits, Prover, Question, Status, find, state::Ko};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Instant;

/// Of the time for moves: what a search may take that starts from the file's answer, what the file's moves may take before
/// the others, and what is kept for a larger region.
const HINTED_SHARE: f64 = 0.8;
const FILE_SHARE: f64 = 0.6;
/// What the file's wrong moves may take before that, in the narrowest region.
const NARROW_SHARE: f64 = 0.15;
const WIDER_SHARE: f64 = 0.6;
/// For the moves of a larger region, so many times the nodes of its status and so many more, if time is no limit.
const WIDER_GROWTH: u64 = 4;
const WIDER_NODES: u64 = 200_000;

/// Problems, and what proving each of them may cost.
pub struct Proving {
    pub problems: Vec<Problem>,
    /// For the status, and as much again for moves.
    pub limits: Limits,
    /// For each of the jobs.
    pub table_mb: usize,
    pub verify: bool,
    pub jobs: usize,
    /// For each problem.
    pub threads: usize,
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
    /// What was asked, if not life and death; and whether that was assumed.
    #[serde(default)]
    pub asked: Option<String>,
    /// It was proven only when the file's answer was tried first.
    #[serde(default)]
    pub hinted: bool,
    /// It hangs on whether the defender may run.
    pub depends: bool,
    /// It is so if each step out of the fence is answered.
    #[serde(default)]
    pub guarded: bool,
    /// It rests on the attacker's stones around the region.
    #[serde(default)]
    pub fence: bool,
    /// How far it was asked: why the region did not grow any more.
    pub growth: Option<String>,
    pub answer: Option<String>,
    pub line: Vec<String>,
    /// First moves that reach the same.
    pub accepted: Vec<String>,
    /// The same with how each goes on.
    #[serde(default)]
    pub working: Vec<Vec<String>>,
    /// First moves that do not, each with its refutation.
    pub refuted: Vec<Vec<String>>,
    /// First moves for which the time did not suffice.
    pub open: Vec<String>,
    /// The file's moves, and what became of them.
    pub file_right: Vec<String>,
    pub file_wrong: Vec<String>,
    pub on_file: Comparison,
    pub verified: Option<String>,
    /// The check found a line that the proof has no answer to.
    pub is_refuted: bool,
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
        parts.push(u64::MAX);
        parts.extend(problem.wrong.iter().map(|p| p.index() as u64));
        parts.extend(problem.target.iter().map(|p| p.index() as u64));
        let seconds = self.limits.seconds.unwrap_or(f64::INFINITY).to_bits();
        parts.extend([seconds, self.limits.nodes, self.table_mb as u64, u64::from(self.verify)]);
        parts.extend((self.threads > 1).then_some(self.threads as u64));
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
            || Prover::new(self.table_mb).with_threads(self.threads),
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
        proof.asked = asked(problem, &question);
        let mut found = prover.find_out(&question, &[], self.limits, stop)?;
        // As much again for the file's moves, then for all others.
        let clock = Clock { began: Instant::now(), before: prover.nodes(), limits: self.limits };
        if found.status().is_none() && !problem.right.is_empty() && !problem.is_guess {
            let limits = clock.part(prover, HINTED_SHARE);
            let again = prover.find_out(&question, &problem.right, limits, stop)?;
            proof.hinted = again.status().is_some();
            let spent = (found.verdict.nodes + again.verdict.nodes, found.verdict.seconds + again.verdict.seconds);
            found = if proof.hinted { again } else { found };
            (found.verdict.nodes, found.verdict.seconds) = spent;
        }
        proof.nodes = found.verdict.nodes;
        proof.seconds = found.verdict.seconds;
        if found.status().is_none() {
            proof.tell(&found, &found.question);
            return Ok(());
        }
        let mut seen = Seen::new(prover, problem, found, u64::MAX, &clock, stop)?;
        // What differs from the file may be the region's fault.
        while !seen.is_settled() && !clock.is_over(prover) {
            let limits = clock.part(prover, WIDER_SHARE);
            let Some(wide) = prover.find_wider(&question, &seen.found, &problem.right, limits, stop)? else {
                break;
            };
            if wide.status().is_none() || !wide.is_shut_in() && seen.found.is_shut_in() {
                break;
            }
            let most = WIDER_GROWTH * wide.verdict.nodes + WIDER_NODES;
            let next = Seen::new(prover, problem, wide, most, &clock, stop)?;
            if next.on_file.kind == Some(Agreement::Open) {
                break;
            }
            seen = next;
        }
        let Seen { found, question, moves, on_file } = seen;
        proof.tell(&found, &question);
        let size = problem.size;
        let pick = |reaches: Option<bool>| moves.iter().filter(move |m| m.reaches == reaches);
        proof.accepted = pick(Some(true)).map(|m| size.point_to_gtp(m.point)).collect();
        proof.refuted = pick(Some(false)).map(|m| names(size, &m.line)).collect();
        for first in pick(Some(true)) {
            let on = match found.status() {
                Some(status) => {
                    let limits = clock.part(prover, 1.0);
                    prover.line_after(&question, first.point, status, limits, stop)?
                }
                None => Vec::new(),
            };
            let line: Vec<Point> = [first.point].into_iter().chain(on).collect();
            proof.working.push(names(size, &line));
        }
        proof.open = pick(None).map(|m| size.point_to_gtp(m.point)).collect();
        proof.on_file = on_file;
        if problem.is_guess {
            proof.growth =
                proof.growth.take().map(|words| format!("{words}; the file marks no branch, the first is taken"));
        }
        if let (true, Some(status)) = (self.verify, found.status()) {
            let (said, is_refuted) = judge(&question, status, self.limits, stop)?;
            (proof.verified, proof.is_refuted) = (Some(said), is_refuted);
        }
        Ok(())
    }
}

/// What a question about given chains is about: `asked: capture of C3, assumed`.
fn asked(problem: &Problem, question: &Question) -> Option<String> {
    let about = question.crucial.first().filter(|_| question.beyond == Beyond::Strong)?;
    let assumed = if problem.target.is_empty() { ", assumed" } else { "" };
    let name = problem.goal.map_or("", |goal| goal.name());
    Some(format!("asked: {name}, {} at {}{assumed}", question.attacker.opponent(), problem.size.point_to_gtp(*about)))
}

/// Seconds and nodes for several things after each other.
struct Clock {
    began: Instant,
    /// The prover's nodes when it began.
    before: u64,
    limits: Limits,
}

impl Clock {
    /// A part of what is left.
    fn part(&self, prover: &Prover, share: f64) -> Limits {
        let left = self.limits.nodes.saturating_sub(prover.nodes() - self.before);
        let nodes = if self.limits.nodes == u64::MAX { u64::MAX } else { (share * left as f64) as u64 };
        let seconds = self.limits.seconds.map(|all| share * (all - self.began.elapsed().as_secs_f64()).max(0.0));
        Limits { nodes, seconds }
    }

    fn is_over(&self, prover: &Prover) -> bool {
        let Limits { nodes, seconds } = self.part(prover, 1.0);
        nodes == 0 || seconds.is_some_and(|seconds| seconds <= 0.0)
    }
}

/// A status, all first moves in the region that it was found in, and what they say of the file.
struct Seen {
    found: Finding,
    question: Question,
    moves: Vec<FirstMove>,
    on_file: Comparison,
}

impl Seen {
    fn new(
        prover: &mut Prover,
        problem: &Problem,
        found: Finding,
        most: u64,
        clock: &Clock,
        stop: &AtomicBool,
    ) -> Result<Seen, String> {
        let question = found.question.clone();
        let Some(status) = found.status() else { return Err("nothing was proven".to_string()) };
        // They come first.
        let file: Vec<Point> = problem.right.iter().chain(&problem.wrong).copied().collect();
        let part = |prover: &Prover, share| {
            let limits = clock.part(prover, share);
            Limits { nodes: limits.nodes.min(most), ..limits }
        };
        // Who lives in the narrowest region, with all beyond it the attacker's, lives in any: wrong moves fail there first.
        if question.to_play == question.attacker && question.beyond != Beyond::Strong && !problem.wrong.is_empty() {
            let made = find::question_of(problem)?;
            for narrow in [find::narrowest(&made), made] {
                let shut_in = Question { beyond: Beyond::Attackers, ..narrow };
                let limits = part(prover, NARROW_SHARE);
                prover.first_moves(&shut_in, status, Some(&problem.wrong), limits, stop)?;
            }
        }
        let limits = part(prover, FILE_SHARE);
        prover.first_moves(&question, status, Some(&file), limits, stop)?;
        let limits = part(prover, 1.0 - WIDER_SHARE);
        let moves = prover.first_moves(&question, status, None, limits, stop)?;
        let limits = part(prover, 1.0);
        let mut means = Means { prover, limits, stop };
        let on_file = compare(problem, &found, &question, &moves, &mut means);
        Ok(Seen { found, question, moves, on_file })
    }

    /// Could a larger region say something else of the file?
    fn is_settled(&self) -> bool {
        matches!(self.on_file.kind, Some(Agreement::Confirmed | Agreement::NoAnswer | Agreement::MoreThanKo))
    }
}

fn names(size: Size, points: &[Point]) -> Vec<String> {
    points.iter().map(|&p| size.point_to_gtp(p)).collect()
}

/// Has both sides of a verdict judged: what the attacker can do, and what the defender can. Whether it fails.
fn judge(question: &Question, status: Status, limits: Limits, stop: &AtomicBool) -> Result<(String, bool), String> {
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
            Judgement::TooLarge => return Ok(("too large to verify".to_string(), false)),
            Judgement::Fails(why) => return Ok((format!("the proof FAILS: {why}"), true)),
        }
    }
    Ok((format!("verified over {positions} positions"), false))
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
            asked: None,
            hinted: false,
            depends: false,
            guarded: false,
            fence: false,
            growth: None,
            answer: None,
            line: Vec::new(),
            accepted: Vec::new(),
            working: Vec::new(),
            refuted: Vec::new(),
            open: Vec::new(),
            file_right: names(problem.size, &problem.right),
            file_wrong: names(problem.size, &problem.wrong),
            on_file: Comparison::default(),
            verified: None,
            is_refuted: false,
            nodes: 0,
            seconds: 0.0,
            code: Code::own(),
        }
    }
}

impl Proof {
    /// The verdict and the line that shows it.
    fn tell(&mut self, found: &Finding, question: &Question) {
        let verdict = &found.verdict;
        self.guarded = found.is_guarded();
        self.depends = !found.is_shut_in() && !self.guarded;
        self.fence = found.hold == Hold::Fence && found.status().is_some();
        self.attacker = Some(question.attacker.letter());
        self.room = question.room();
        self.status = verdict.status().map(|status| status.name().to_string());
        self.line = names(question.size, &verdict.line);
        self.answer = self.line.first().cloned();
        if let Some(said) = found.sentence() {
            self.says = said;
            self.growth = Some(found.growth.words().to_string());
            return;
        }
        let certain = if question.to_play == question.attacker { verdict.best } else { verdict.worst };
        self.at_least = (certain != wanted(question).opposite()).then(|| certain.name().to_string());
        self.says = match self.at_least {
            Some(_) => format!("not proven; at least {}", sentence(certain, question.attacker)),
            None => "not proven".to_string(),
        };
    }

    /// One problem for people: a line for the verdict, a line for the answer's continuation.
    pub fn text(&self) -> String {
        let mut text =
            format!("{}  {} to play: {}", self.name, if self.to_play == 'B' { "black" } else { "white" }, self.says);
        let mut add = |part: String| text.push_str(&part);
        if let Some(asked) = &self.asked {
            add(format!(" ({asked})"));
        }
        if self.hinted {
            add(" (the file's answer tried first)".to_string());
        }
        if !self.accepted.is_empty() {
            add(format!("; answers: {}", self.accepted.join(" ")));
        }
        if !self.open.is_empty() {
            add(format!("; open: {}", self.open.join(" ")));
        }
        match self.on_file.kind {
            None => {}
            Some(Agreement::NoAnswer) => add(format!("; {}", Agreement::NoAnswer.words())),
            Some(kind) => add(format!("; the file's {}: {}", self.file_right.join(" "), kind.words())),
        }
        if let Some(verified) = &self.verified {
            add(format!("; {verified}"));
        }
        let growth = self.growth.as_deref().map_or(String::new(), |words| format!("; {words}"));
        add(format!("  ({} nodes, {:.2} s, room {}{growth})", self.nodes, self.seconds, self.room));
        if self.line.len() > 1 {
            add(format!("\n    {}", self.line.join(" ")));
        }
        for difference in &self.on_file.differences {
            add(format!("\n    {difference}"));
        }
        text
    }
}

/// What came out of a whole set: what was proven, then how the files' answers compare, kind by kind.
pub fn summary(proofs: &[&Proof]) -> String {
    let count = |f: &dyn Fn(&Proof) -> bool| proofs.iter().filter(|p| f(p)).count();
    let proven = count(&|p| p.status.is_some());
    let nodes: u64 = proofs.iter().map(|p| p.nodes).sum();
    let seconds: f64 = proofs.iter().map(|p| p.seconds).sum();
    let rate = nodes as f64 / seconds.max(1e-9);
    let mut text = format!("{proven} of {} proven; {nodes} nodes, {rate:.0} a second", proofs.len());

    let mut row = |n: usize, words: &str| {
        if n > 0 {
            let _ = write!(text, "\n{n:7}  {words}");
        }
    };
    let is_as_said = |p: &Proof| p.on_file.kind.is_some_and(Agreement::is_as_the_file_says);
    row(count(&is_as_said), "come out as their files say, in one of the readings or as a ko");
    row(count(&|p| p.hinted), "proven only with the file's answer tried first");
    row(count(&|p| p.depends), "hang on whether the group may run");
    row(count(&|p| p.guarded), "are read as diagrams are drawn: each step out is answered");
    row(count(&|p| p.fence), "rest on the stones around the region");
    for (kind, words) in AGREEMENTS {
        row(count(&|p| p.on_file.kind == Some(kind)), words);
    }
    row(count(&|p| p.status.is_none()), "not proven");
    row(count(&|p| p.verified.as_ref().is_some_and(|v| v.starts_with("verified"))), "verified");
    row(failures(proofs), "proofs that FAIL their check");
    text
}

/// Proofs that did not stand up to the check.
pub fn failures(proofs: &[&Proof]) -> usize {
    proofs.iter().filter(|proof| proof.is_refuted).count()
}
