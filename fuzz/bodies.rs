// What each fuzz target does with its bytes. Shared by cargo-fuzz (`fuzz_targets/`) and by `tests/fuzz_targets.rs`, which
// runs the same on a stable compiler. A finding is a panic.

use moku::base::{Color, Point, Size};
use moku::game::Game;
use moku::game::go::{Go9, Go14, SlowBoard};
use moku::gtp::Gtp;
use moku::lab::experiment::Paper;
use moku::regress::Regress;
use moku::session::Options;
use moku::sgf;
use std::io::Cursor;
use std::path::Path;

/// A target: its name, and what it does.
pub type Target = (&'static str, fn(&[u8]));

#[allow(dead_code)] // a fuzz target uses one
pub const TARGETS: &[Target] =
    &[("gtp", gtp), ("sgf", sgf_file), ("tst", tst), ("experiment", experiment), ("board", board)];

/// An engine that answers at once.
fn options() -> Options {
    let engine = Some("uct playouts=8".to_string());
    Options { size: 5, engine, threads: 1, seed: Some(1), seconds: 0.01, ..Options::default() }
}

/// Commands that write files, wait for a clock or search for long are not for here.
const NOT_HERE: &[&str] =
    &["engine", "sgf", "time", "level", "param", "analy", "thread", "search", "tsumego", "prove", "gogui-interrupt"];

fn harmless(data: &[u8]) -> String {
    let text = String::from_utf8_lossy(&data[..data.len().min(4_000)]).replace('\r', "\n");
    let visible = |line: &str| line.chars().filter(|c| !c.is_control()).collect::<String>().to_lowercase();
    let lines = text.lines().filter(|line| !NOT_HERE.iter().any(|word| visible(line).contains(word)));
    lines.take(40).map(|line| format!("{line}\n")).collect()
}

/// Every command is answered, none by an internal error.
pub fn gtp(data: &[u8]) {
    let mut gtp = Gtp::new(options(), None).expect("the options are good");
    let mut output = Vec::new();
    let input = Cursor::new(harmless(data).into_bytes());
    gtp.run(input, &mut output, None).expect("a list can be written to");
    let output = String::from_utf8_lossy(&output);
    assert!(!output.contains("internal error") && !output.contains("search failed"), "{output}");
}

/// What can be read can be written and read again, and is the same then.
pub fn sgf_file(data: &[u8]) {
    let _ = sgf::read_trees(data);
    if let Ok(record) = sgf::read(data) {
        let text = record.to_sgf("fuzz");
        let again = sgf::read(text.as_bytes()).expect("moku reads what it writes");
        assert_eq!(again.to_sgf("fuzz"), text);
    }
}

/// A test file is run, or refused with a reason.
pub fn tst(data: &[u8]) {
    let regress = Regress { options: options(), long: true, gtp_file: None };
    if let Err(reason) = regress.run_text(Path::new("fuzz.tst"), &harmless(data), String::new(), &mut |_| ()) {
        assert!(!reason.is_empty());
    }
}

/// An experiment is understood, or refused with a reason.
pub fn experiment(data: &[u8]) {
    if let Err(reason) = Paper::parse(&String::from_utf8_lossy(data)) {
        assert!(!reason.is_empty());
    }
}

/// The fast board and the slow one agree on a game of any moves.
pub fn board(data: &[u8]) {
    let Some((&first, moves)) = data.split_first() else { return };
    let Some(size) = Size::new(2 + usize::from(first) % 12) else { return };
    match size.n() {
        ..=9 => same_game(Go9::new(size, 0.0), moves),
        _ => same_game(Go14::new(size, 0.0), moves),
    }
}

fn same_game<G: Game>(mut fast: G, moves: &[u8]) {
    let size = fast.size();
    let mut slow = SlowBoard::new(size);
    let points: Vec<Point> = size.points().chain([Point::PASS]).collect();
    for &byte in moves.iter().take(300) {
        let p = points[usize::from(byte) % points.len()];
        let after = slow.after(p);
        assert_eq!(fast.is_legal(p), after.is_some(), "{p:?}");
        let Some(after) = after else { continue };
        fast.play(p);
        slow = after;
        assert_eq!(fast.to_play(), slow.to_play);
        assert!(size.points().all(|q| fast.color_at(q) == slow.at(q)));
        assert!(Color::BOTH.iter().all(|&c| fast.captures(c) == slow.captures[c.index()]));
    }
    assert_eq!(fast.score(), slow.area() as f32);
}
