//! `moku tsumego make`: new problems, each proven, written as SGF with answer and refutations.

use crate::base::{Black, Color, Point, Rng, Size, White};
use crate::sgf;
use crate::tsumego::prover::make::{self, Kind, Made, Place, Wish};
use crate::tsumego::prover::{Prover, Status};
use std::collections::HashSet;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

/// A problem and the name of its file, without ending.
pub struct Sheet {
    pub stem: String,
    pub text: String,
}

const TABLE_MB: usize = 64;

/// Random problems, all different however they are turned or coloured, and none of them a standard shape.
pub struct Order {
    pub count: usize,
    pub seed: u64,
    pub place: Place,
    pub level: usize,
    pub size: Size,
    /// To kill or to live, as it comes, if none is given.
    pub kind: Option<Kind>,
}

impl Order {
    /// Makes the problems, telling each as it is found, until all are made or `stop` is set.
    pub fn run(&self, stop: &AtomicBool, mut told: impl FnMut(Sheet) -> Result<(), String>) -> Result<usize, String> {
        let mut rng = Rng::new(self.seed);
        let mut prover = Prover::grader(TABLE_MB);
        let both = |(_, rows): &(&str, &str)| {
            let stones = make::picture(self.size, rows, White);
            [Black, White].map(|to_play| make::shape(self.size, &stones, to_play))
        };
        let mut seen: HashSet<_> = make::STANDARD.iter().flat_map(both).collect();
        let mut number = 0;
        let place = if self.place == Place::Corner { "corner" } else { "side" };
        let wish = Wish { size: self.size, place: self.place, level: self.level, kind: self.kind };
        let kind = make::KINDS.iter().find(|row| Some(row.0) == self.kind).map(|row| format!("{}-", row.1));
        let kind = kind.unwrap_or_default();
        while number < self.count {
            let made = make::problem(&wish, &mut rng, &mut prover, stop);
            let Some(made) = made else { break };
            if !seen.insert(make::shape(self.size, &made.question.stones, made.question.to_play)) {
                continue;
            }
            number += 1;
            let stem = format!("{place}-{kind}{}-{}-{number:03}", self.level, self.seed);
            let title = format!("{place} problem, level {}, seed {}, number {number}", self.level, self.seed);
            let Some(status) = made.verdict.status() else { continue };
            let goal = goal(status, &made);
            told(Sheet { text: to_sgf(&title, &goal, &made), stem })?;
        }
        Ok(number)
    }
}

/// The standard shapes, with either side to move where that decides.
pub fn standard(size: Size, stop: &AtomicBool) -> Result<Vec<Sheet>, String> {
    let mut sheets = Vec::new();
    for (name, rows) in make::STANDARD {
        for to_play in [Black, White] {
            // The size of a proof must not hang on what was proven before it.
            let mut prover = Prover::grader(TABLE_MB);
            let found = make::standard(size, rows, to_play, &mut prover, stop).map_err(|e| format!("{name}: {e}"))?;
            let Some((made, status)) = found else { continue };
            let goal = goal(status, &made);
            let plain: String = name.chars().filter(|c| *c != '\'').map(|c| if c == ' ' { '-' } else { c }).collect();
            let stem = format!("standard-{}-{}", plain.to_lowercase(), goal.word);
            sheets.push(Sheet { text: to_sgf(name, &goal, &made), stem });
        }
    }
    Ok(sheets)
}

/// What the side to move wants, and how to say it.
struct Goal {
    word: &'static str,
    sentence: String,
}

fn goal(status: Status, made: &Made) -> Goal {
    let attacks = made.question.to_play == made.question.attacker;
    let side = if made.question.to_play == Black { "Black" } else { "White" };
    if !made.target.is_empty() {
        // The chains are named, so that nothing has to be assumed.
        let chains = made.question.size.points_to_gtp(made.target.iter().copied());
        return Goal { word: "race", sentence: format!("{side} to play and win the race {chains}.") };
    }
    let (word, does) = match (status.is_ko(), attacks) {
        (true, _) => ("ko", "get a ko"),
        (false, true) => ("kill", "kill"),
        (false, false) => ("live", "live"),
    };
    Goal { word, sentence: format!("{side} to play and {does}.") }
}

fn to_sgf(name: &str, goal: &Goal, made: &Made) -> String {
    let question = &made.question;
    let size = question.size;
    let stones = |color: Color| {
        let own = question.stones.iter().filter(|stone| stone.1 == color);
        own.map(|stone| format!("[{}]", sgf::letters(size, stone.0))).collect::<String>()
    };
    let mut text = format!(
        "(;FF[4]GM[1]CA[UTF-8]AP[moku:{}]SZ[{size}]KM[0]GN[{}]GC[goal={} level={} proof={} nodes, depth {}]PL[{}]\nAB{}\nAW{}\nC[{}]",
        env!("CARGO_PKG_VERSION"),
        sgf::escape(name),
        goal.word,
        made.level,
        made.verdict.nodes,
        made.verdict.deepest,
        question.to_play.letter(),
        stones(Black),
        stones(White),
        sgf::escape(&goal.sentence),
    );
    let answer = made.verdict.answer;
    for first in made.right() {
        let whole = &made.verdict.line;
        let line: &[Point] = if Some(first.point) == answer { whole } else { &first.line };
        let _ = write!(text, "\n({})", branch(size, question.to_play, line, "RIGHT"));
    }
    for first in made.wrong() {
        let _ = write!(text, "\n({})", branch(size, question.to_play, &first.line, "WRONG"));
    }
    text + ")\n"
}

/// A variation, the first move marked.
fn branch(size: Size, to_play: Color, line: &[Point], mark: &str) -> String {
    let mut turn = to_play;
    let mut text = String::new();
    for (i, &p) in line.iter().enumerate() {
        let at = if p.is_pass() { String::new() } else { sgf::letters(size, p) };
        let _ = write!(text, ";{}[{at}]", turn.letter());
        if i == 0 {
            let _ = write!(text, "C[{mark}]");
        }
        turn = turn.opponent();
    }
    text
}
