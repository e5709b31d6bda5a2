//! What a proof says of the answers in the file.
//!
//! A file is confirmed if every move that it calls right reaches the best that there is, no move that it calls wrong does,
//! and not just any move would do. All else differs from the file, and is told with the line that shows it.

use crate::base::{Point, Size};
use crate::tsumego::prover::solver::{sentence, wanted};
use crate::tsumego::prover::{Beyond, Finding, FirstMove, Hold, Limits, Prover, Question, Status};
use crate::tsumego::{Goal, Problem};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// How the file's answers compare with what is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// The file's right moves, and no other, reach the best result.
    Confirmed,
    /// The same, but there are right moves that the file does not have.
    ExtraAnswers,
    /// As the file says, by the reading that diagrams are drawn for: each step out of the fence is answered.
    ConfirmedAsDrawn,
    /// As the file says, if the fence lets nobody out into empty space.
    ConfirmedIfShutIn,
    /// As the file says, if the defender may run, or may not reach a friend.
    ConfirmedIfRun,
    /// The file's right moves are the best there are, and get a ko, which it does not mention.
    ConfirmedAsKo,
    /// The file promises a ko, and there is more to be had.
    MoreThanKo,
    /// Every move answers: that confirms nothing.
    EveryMove,
    /// A move that the file calls wrong also works.
    WrongWorks,
    /// A right move of the file gets less than the best move: a ko, or a worse one.
    LesserKo,
    /// A right move of the file gets nothing.
    Fails,
    /// Whether a right move of the file works hangs on what lies beyond the region.
    HangsOnBeyond,
    /// No move gets anything.
    NothingHelps,
    /// A right move of the file is outside of the region.
    OutOfRegion,
    /// The time did not suffice for all moves of the file.
    Open,
    /// The file has no answer.
    NoAnswer,
}

/// Every kind, with its words, in the order in which tables have them.
pub const AGREEMENTS: [(Agreement, &str); 16] = [
    (Agreement::Confirmed, "confirmed"),
    (Agreement::ExtraAnswers, "confirmed, with other answers too"),
    (Agreement::ConfirmedAsDrawn, "confirmed as the diagram is drawn"),
    (Agreement::ConfirmedIfShutIn, "confirmed if the fence lets nobody out"),
    (Agreement::ConfirmedIfRun, "confirmed on a condition"),
    (Agreement::ConfirmedAsKo, "confirmed as a ko, which the file does not mention"),
    (Agreement::MoreThanKo, "more than the ko that the file promises"),
    (Agreement::EveryMove, "nothing confirmed: every move answers"),
    (Agreement::WrongWorks, "a move that the file calls wrong works"),
    (Agreement::LesserKo, "the file's answer gets less"),
    (Agreement::Fails, "the file's answer fails"),
    (Agreement::HangsOnBeyond, "hangs on what lies beyond the region"),
    (Agreement::NothingHelps, "nothing helps"),
    (Agreement::OutOfRegion, "outside of the region"),
    (Agreement::Open, "open"),
    (Agreement::NoAnswer, "the file has no answer"),
];

impl Agreement {
    /// Do the file's moves come out as it says, in one of the readings? A ko counts whether the file mentions it or not.
    pub fn is_as_the_file_says(self) -> bool {
        use Agreement::{Confirmed, ConfirmedAsDrawn, ConfirmedAsKo, ConfirmedIfRun, ConfirmedIfShutIn, ExtraAnswers};
        matches!(self, Confirmed | ExtraAnswers | ConfirmedAsDrawn | ConfirmedIfShutIn | ConfirmedIfRun | ConfirmedAsKo)
    }

    pub fn words(self) -> &'static str {
        AGREEMENTS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// What is said of a file: the kind, and each difference with its line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub kind: Option<Agreement>,
    pub differences: Vec<String>,
}

/// The means to look further into a move.
pub struct Means<'a> {
    pub prover: &'a mut Prover,
    pub limits: Limits,
    pub stop: &'a AtomicBool,
}

/// Compares the file's moves with all first moves of the question that was answered.
pub fn compare(
    problem: &Problem,
    found: &Finding,
    question: &Question,
    moves: &[FirstMove],
    means: &mut Means,
) -> Comparison {
    let mut differences = Vec::new();
    let kind = agreement(problem, found, question, moves, means, &mut differences);
    // What was looked at is the better reading for the side to move: it refutes, but it does not show that a move works.
    let is_sure =
        found.is_shut_in() || !matches!(kind, Agreement::EveryMove | Agreement::WrongWorks | Agreement::LesserKo);
    let kind = if is_sure { kind } else { Agreement::HangsOnBeyond };
    Comparison { kind: Some(kind), differences }
}

fn agreement(
    problem: &Problem,
    found: &Finding,
    question: &Question,
    moves: &[FirstMove],
    means: &mut Means,
    differences: &mut Vec<String>,
) -> Agreement {
    let size = problem.size;
    let Some(status) = found.status() else { return Agreement::Open };
    let of = |p: &Point| moves.iter().find(|m| m.point == *p);
    let reaches = |p: &Point| of(p).and_then(|m| m.reaches);
    let name = |p: &Point| size.point_to_gtp(*p);
    if problem.right.is_empty() {
        return Agreement::NoAnswer;
    }
    if status == wanted(question).opposite() {
        return Agreement::NothingHelps;
    }
    if let Some(p) = problem.right.iter().find(|p| !question.region.contains(p)) {
        differences.push(format!("{} is outside of the region", name(p)));
        return Agreement::OutOfRegion;
    }
    // What the file calls right.
    let mut worst: Option<Agreement> = None;
    for p in problem.right.iter().filter(|p| reaches(p) == Some(false)) {
        let after = means.prover.status_after(question, *p, means.limits, means.stop).ok().flatten();
        let line = of(p).map(|m| words_of(size, &m.line[1..])).unwrap_or_default();
        let got = after.map_or(String::new(), |after| format!(", {}", sentence(after, question.attacker)));
        let kind = match after {
            Some(after) if after != wanted(question).opposite() => Agreement::LesserKo,
            _ => Agreement::Fails,
        };
        differences.push(format!("{} is answered by {line}{got}", name(p)));
        let hangs = works_otherwise(found, question, *p, status, means);
        let kind = if hangs { Agreement::HangsOnBeyond } else { kind };
        if hangs {
            differences.push(format!("{} works if what lies beyond the region helps", name(p)));
        }
        // A move that fails for sure says most.
        worst = if worst.is_none() || kind == Agreement::Fails { Some(kind) } else { worst };
    }
    if let Some(kind) = worst {
        return kind;
    }
    if let Some(p) = problem.right.iter().find(|p| reaches(p).is_none()) {
        differences.push(match of(p) {
            Some(_) => format!("{} was not proven in time", name(p)),
            None => format!("{} is no move", name(p)),
        });
        return if of(p).is_some() { Agreement::Open } else { Agreement::Fails };
    }
    // What it calls wrong.
    let working: Vec<&FirstMove> = problem.wrong.iter().filter_map(of).filter(|m| m.reaches == Some(true)).collect();
    for m in &working {
        let line = means.prover.line_after(question, m.point, status, means.limits, means.stop).unwrap_or_default();
        let line = if line.is_empty() { String::new() } else { format!(": {}", words_of(size, &line)) };
        differences.push(format!("{} works too{line}", name(&m.point)));
    }
    let extra: Vec<Point> = moves
        .iter()
        .filter(|m| m.reaches == Some(true) && !problem.right.contains(&m.point) && !problem.wrong.contains(&m.point))
        .map(|m| m.point)
        .collect();
    let is_ko = status.is_ko();
    match () {
        _ if moves.len() > 1 && moves.iter().all(|m| m.reaches == Some(true)) => Agreement::EveryMove,
        _ if !working.is_empty() => Agreement::WrongWorks,
        _ if problem.wrong.iter().any(|p| of(p).is_some() && reaches(p).is_none()) => Agreement::Open,
        _ if is_ko && found.is_shut_in() && !matches!(problem.goal, None | Some(Goal::Ko | Goal::Seki)) => {
            differences.push(sentence(status, question.attacker));
            Agreement::ConfirmedAsKo
        }
        _ if !is_ko && problem.goal == Some(Goal::Ko) => Agreement::MoreThanKo,
        _ if found.is_guarded() && !is_ko => {
            differences.extend((!extra.is_empty()).then(|| format!("{} too", words_of(size, &extra))));
            Agreement::ConfirmedAsDrawn
        }
        _ if is_fence_closed(problem, found, question) => Agreement::ConfirmedIfShutIn,
        _ if !found.is_shut_in() => Agreement::ConfirmedIfRun,
        _ if extra.is_empty() => Agreement::Confirmed,
        _ => {
            differences.push(format!("{} too", words_of(size, &extra)));
            Agreement::ExtraAnswers
        }
    }
}

/// Is it said of a fence that lets nobody out, with no stone of the defender behind it that was taken for another's?
fn is_fence_closed(problem: &Problem, found: &Finding, question: &Question) -> bool {
    let Hold::Depends { exits, .. } = &found.hold else { return false };
    let is_empty = |p: &Point| problem.stones.iter().all(|stone| stone.0 != *p);
    question.to_play == question.attacker && exits.iter().all(is_empty)
}

fn words_of(size: Size, points: &[Point]) -> String {
    size.points_to_gtp(points.iter().copied())
}

/// Does a move that fails work if what lies beyond the region is better for the side to move?
fn works_otherwise(found: &Finding, question: &Question, p: Point, status: Status, means: &mut Means) -> bool {
    if !found.is_shut_in() || question.beyond == Beyond::Strong || question.exits().is_empty() {
        return false;
    }
    let beyond = if question.to_play == question.attacker { Beyond::Attackers } else { Beyond::Open };
    let easy = Question { beyond, ..question.clone() };
    let moves = means.prover.first_moves(&easy, status, Some(&[p]), means.limits, means.stop);
    moves.is_ok_and(|moves| moves.iter().any(|m| m.reaches == Some(true)))
}
