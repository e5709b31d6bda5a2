//! What moku does, written down: two moves of every preset on every usual board, and ten proofs, each with its figures.
//!
//! `behaviour.txt` is that text. A test compares it with what the program does, so a change that was meant to change
//! nothing cannot change a search unseen. Its hash is the signature that results on disk carry: two runs with the same
//! signature come from programs that play alike.

use crate::base::{Black, GameKind, White};
use crate::search::params::{PolicyName, PriorName, RuleName};
use crate::search::{Engine, MoveStats, engine::PRESETS};
use crate::session::{Options, Session};
use crate::tsumego::Problem;
use crate::tsumego::prover::find::question_of;
use crate::tsumego::prover::{Limits, Prover, Verdict};
use std::collections::BTreeSet;
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

/// The signature of the whole behaviour: sixteen hexadecimal digits.
pub fn signature() -> String {
    hash([WRITTEN].into_iter())
}

/// The signature of what these players do: of the presets that allocate, play out, value and start as they do. So a result
/// stays comparable while other engines change. A player that no preset is like is held to the whole behaviour.
pub fn signature_of<'a>(players: impl Iterator<Item = &'a Engine>) -> String {
    let mut akin = BTreeSet::new();
    let mut count = 0;
    for player in players {
        count += 1;
        let names = PRESETS.iter().filter(|preset| {
            Engine::parse_for(player.kind(), preset.name).is_ok_and(|other| way(&other) == way(player))
        });
        let names: Vec<&str> = names.map(|preset| preset.name).collect();
        if names.is_empty() {
            return signature();
        }
        akin.extend(names.into_iter().map(|name| (player.kind().name(), name)));
    }
    let is_own = |line: &&str| {
        let mut words = line.split(' ');
        let (game, preset) = (words.next(), words.nth(1));
        game.zip(preset).is_some_and(|line| akin.contains(&line))
    };
    if count == 0 { signature() } else { hash(WRITTEN.lines().filter(is_own)) }
}

/// How an engine gets from a position to results.
fn way(engine: &Engine) -> (&'static str, RuleName, PolicyName, Vec<PriorName>) {
    let params = engine.params();
    (engine.allocation(), params.rule, params.playout, params.prior.clone())
}

fn hash<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    // FNV-1a: short, and the same everywhere.
    let bytes = texts.flat_map(str::bytes);
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ b as u64).wrapping_mul(0x0100_0000_01b3));
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
        let found = Prover::new(TABLE_MB).find_out(&asked, &[], limits, &AtomicBool::new(false))?;
        let Verdict { worst, best, answer, nodes, .. } = found.verdict;
        let answer = answer.map_or("none".to_string(), |p| problem.size.point_to_gtp(p));
        let _ = writeln!(text, "prover {name}: {} to {}, answer {answer}, {nodes} nodes", worst.name(), best.name());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_of_the_presets_that_search_as_a_player_does() {
        let of = |lines: &[&str]| {
            let engines: Vec<Engine> = lines.iter().map(|line| Engine::parse(line).unwrap()).collect();
            signature_of(engines.iter())
        };
        assert_eq!(of(&["mc each=100"]), of(&["inherited-mc playouts=5"]));
        assert_ne!(of(&["mc"]), of(&["uct"]));
        assert_ne!(of(&["mc"]), of(&["mc", "uct"]));
        assert_ne!(of(&["uct"]), of(&["moku"]));
        assert_eq!(of(&["mc playout=rules"]), signature(), "no preset is like it");
        assert_eq!(of(&[]), signature());
    }

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
