//! What moku does, written down: two moves of every preset on every usual board, and ten proofs, each with its figures.
//!
//! `behaviour.txt` is that text. A test compares it with what the program does, so a change that was meant to change
//! nothing cannot change a search unseen. Its hash is the signature that results on disk carry: two runs with the same
//! signature come from programs that play alike.

use crate::base::{Black, GameKind, White};
use crate::search::{MoveStats, engine::PRESETS};
use crate::session::{Options, Session};
use crate::tsumego::Problem;
use crate::tsumego::prover::find::question_of;
use crate::tsumego::prover::{Limits, Prover, Verdict};
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What the program does, as the test holds it. `moku bench --behaviour` prints it anew.
const WRITTEN: &str = include_str!("behaviour.txt");

/// Board sizes and playouts a move.
const BOARDS: [(GameKind, usize, u64); 4] =
    [(GameKind::Go, 9, 2000), (GameKind::Go, 13, 600), (GameKind::Go, 19, 600), (GameKind::Gobang, 15, 600)];
const SEED: u64 = 7;
/// The best moves that are written down.
const MOVES: usize = 5;
/// Problems that take some search.
macro_rules! problems {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("../../sgf/tsumego/proven/", $name, ".sgf")))),*] };
}
const PROBLEMS: [(&str, &str); 10] = problems! {
    "corner-3-1-001" "corner-3-1-004" "corner-3-1-007" "corner-4-1-001" "corner-4-1-004"
    "corner-4-1-007" "side-3-1-001" "side-3-1-004" "side-4-1-001" "side-4-1-004"
};
const PROOF_NODES: u64 = 100_000;
const TABLE_MB: usize = 16;

/// The signature of the behaviour: sixteen hexadecimal digits.
pub fn signature() -> String {
    // FNV-1a: short, and the same everywhere.
    let hash = WRITTEN.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ b as u64).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// The text, made anew; `progress` is told what comes next.
pub fn describe(mut progress: impl FnMut(&str)) -> Result<String, String> {
    let mut text = String::new();
    for (kind, size, playouts) in BOARDS {
        for preset in PRESETS.iter().filter(|preset| preset.games().any(|game| game == kind)) {
            progress(&format!("{} on {size}x{size}", preset.name));
            text += &two_moves(kind, size, preset.name, playouts)?;
        }
    }
    progress("proofs");
    text += &proofs()?;
    Ok(text)
}

/// A move of Black, an answer by rule, and another move: the second shows what the engine remembers.
fn two_moves(kind: GameKind, size: usize, preset: &str, playouts: u64) -> Result<String, String> {
    // A preset that says how many playouts a candidate gets keeps to that.
    let line = format!("{preset} playouts={playouts}");
    let options =
        |engine| Options { kind, size, engine: Some(engine), threads: 1, seed: Some(SEED), ..Options::default() };
    let mut session = Session::new(options(line))?;
    let mut text = String::new();
    for turn in 1..=2 {
        let thought = session.think(Black, None, &mut |_| true)?;
        let size = session.size();
        let vertex = |m: &MoveStats| size.point_to_gtp(m.point);
        let best: Vec<String> = thought
            .report
            .moves
            .iter()
            .take(MOVES)
            .map(|m| format!("{} {} {:.5}", vertex(m), m.visits, m.rate))
            .collect();
        let (move_, nodes) = (size.point_to_gtp(thought.point), thought.report.nodes);
        let _ = writeln!(
            text,
            "{} {size}x{size} {preset} move {turn}: {move_}, {} playouts, {nodes} nodes | {}",
            kind.name(),
            thought.playouts,
            best.join(", ")
        );
        session.play(Black, thought.point).map_err(|e| e.reason().to_string())?;
        let answer = size.points().skip(size.area() / 3).find(|&p| session.table().check(White, p).is_ok());
        session.play(White, answer.ok_or("no room for an answer")?).map_err(|e| e.reason().to_string())?;
    }
    Ok(text)
}

fn proofs() -> Result<String, String> {
    let mut text = String::new();
    for (name, sgf) in PROBLEMS {
        let problems = Problem::read(sgf.as_bytes(), Path::new(name)).map_err(|e| e.to_string())?;
        let problem = problems.first().ok_or("a file without a problem")?;
        let limits = Limits { nodes: PROOF_NODES, seconds: None };
        let asked = question_of(problem)?;
        let found = Prover::new(TABLE_MB).find_out(&asked, limits, &AtomicBool::new(false))?;
        let Verdict { worst, best, answer, nodes, .. } = found.verdict;
        let answer = answer.map_or("none".to_string(), |p| problem.size.point_to_gtp(p));
        let _ = writeln!(text, "prover {name}: {} to {}, answer {answer}, {nodes} nodes", worst.name(), best.name());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If a change is meant to change what moku does, write it anew (`moku bench --behaviour > src/lab/behaviour.txt`) and
    /// say in the commit what changed and why.
    #[test]
    fn moku_does_what_is_written_down() {
        let done = describe(|_| {}).unwrap();
        for (done, written) in done.lines().zip(WRITTEN.lines()) {
            assert_eq!(done, written);
        }
        assert_eq!(done.lines().count(), WRITTEN.lines().count());
    }
}
