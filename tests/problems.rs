//! The project's own set of problems: every answer is proven, and no other first move is one.

mod common;

use moku::base::{Black, Size, White};
use moku::tsumego::prover::find::question_of;
use moku::tsumego::prover::{Limits, Prover, Status, find, make, solver::wanted};
use moku::tsumego::{Goal, Problem};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

const LIMITS: Limits = Limits { nodes: 3_000_000, seconds: None };

#[test]
fn every_answer_of_our_problems_is_proven_and_every_other_move_refuted() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sgf/tsumego/proven");
    let problems = Problem::read_all(&[folder]).unwrap();
    assert!(problems.len() >= 120, "only {} problems", problems.len());
    let mut shapes = BTreeMap::new();
    for p in &problems {
        let same = shapes.insert(make::shape(p.size, &p.stones, p.to_play), &p.name);
        assert_eq!(same, None, "{} is the same, turned or in other colours", p.name);
    }
    let stop = AtomicBool::new(false);
    let mut prover = Prover::new(64);
    for problem in &problems {
        let name = &problem.name;
        let question = question_of(problem).unwrap_or_else(|e| panic!("{name}: {e}"));
        let verdict = prover.solve(&question, LIMITS, Some(wanted(&question)), &stop).unwrap();
        let status = verdict.status().unwrap_or_else(|| panic!("{name} is not proven"));
        assert!(verdict.answer.is_some_and(|point| problem.right.contains(&point)), "{name}: {:?}", verdict.answer);
        match problem.goal {
            Some(Goal::Kill) => assert_eq!(status, Status::Dead, "{name}"),
            Some(Goal::Live) => assert_eq!(status, Status::Alive, "{name}"),
            _ => assert!(status.is_ko(), "{name}: {status:?}"),
        }
        let moves = prover.first_moves(&question, status, None, LIMITS, &stop).unwrap();
        let mut right: Vec<_> = moves.iter().filter(|m| m.reaches == Some(true)).map(|m| m.point).collect();
        right.sort();
        assert_eq!(right, problem.right, "{name}");
        assert!(moves.iter().all(|m| m.reaches.is_some()), "{name}");
    }
}

/// What the books say of shapes, put to the prover.
#[test]
fn shapes_are_as_dead_or_alive_as_every_player_learns() {
    let cases = [
        ("straight three, killed in the middle", "XXXXX.. OOOOX.. ...OX..", Status::Dead, Status::Alive),
        ("straight four lives", "XXXXXX. OOOOOX. ....OX.", Status::Alive, Status::Alive),
        ("square four is dead", "XXXX. OOOX. ..OX. ..OX.", Status::Dead, Status::Dead),
        ("pyramid four", ".XXXXXXX. .XOOOOOX. .XOO.OOX. .XO...OX.", Status::Dead, Status::Alive),
        ("bulky five", ".XXXXXXX. .XOOOOX.. .XO..OOX. .XO...OX.", Status::Dead, Status::Alive),
        ("three by two in the corner without liberties", "XXXXX. OOOOX. ...OX. ...OX.", Status::Dead, Status::Alive),
        ("three by two at the side lives", ".XXXXXXX .XOOOOOX .XO...OX .XO...OX", Status::Alive, Status::Alive),
        ("L group", ".XXXX. XOOX.. ..OX.. ..OX..", Status::Dead, Status::Dead),
        ("L group with an outside liberty", ".XXXX. .OOX.. ..OX.. ..OX..", Status::Dead, Status::Dead),
        ("one eye and one that is false", "XXXX.. OOOXX. .O.OX.", Status::Dead, Status::Dead),
        ("bulky five with a liberty outside", ".XXXXXXX. .XOOOOX.. .XO..OOX. .XO...O..", Status::Dead, Status::Alive),
        ("six on the second line", ".XXXXXXXX .XOOOOOOX .........", Status::Dead, Status::Dead),
        ("eight on the second line", "XXXXXXXXXX XOOOOOOOOX ..........", Status::Alive, Status::Alive),
        ("two eyes", "XXXXX. OOOOX. .O.OX.", Status::Alive, Status::Alive),
        ("one eye", "XXXX. OOX.. .OX..", Status::Dead, Status::Dead),
    ];
    let (size, stop) = (Size::new(13).unwrap(), AtomicBool::new(false));
    let mut prover = Prover::new(16);
    for (name, rows, attacked, defended) in cases {
        for (to_play, expected) in [(Black, attacked), (White, defended)] {
            let question = find::question(size, &make::picture(size, rows, White), to_play, Some(Black)).unwrap();
            let status = prover.solve(&question, LIMITS, None, &stop).unwrap().status();
            assert_eq!(status, Some(expected), "{name}, {to_play} to play");
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_problems() {
    let (size, stop) = (Size::new(9).unwrap(), AtomicBool::new(false));
    let made = |seed| {
        let (mut rng, mut prover) = (moku::base::Rng::new(seed), Prover::new(4));
        let wish = make::Wish { size, place: make::Place::Corner, level: 2, kind: None };
        let made = make::problem(&wish, &mut rng, &mut prover, &stop).unwrap();
        assert_eq!((made.right().count(), made.level), (1, 2));
        made.question
    };
    assert_eq!(made(3), made(3));
    assert_ne!(made(3), made(4));
}

#[test]
fn groups_are_judged_and_moves_are_proven_over_gtp() {
    let mut moku = common::Moku::start(&[]);
    moku.ask("loadsgf sgf/tsumego/proven/standard-straight-three-kill.sgf 1");
    let status = moku.ask("moku-tsumego A2");
    let lines: Vec<&str> = status.lines().collect();
    assert_eq!(lines.len(), 2, "{status}");
    assert!(lines[0].starts_with("black first: white is dead, B1"), "{status}");
    assert!(lines[1].starts_with("white first: white is alive, B1"), "{status}");
    for (command, part) in [
        ("moku-tsumego", "expected"),
        ("moku-tsumego pass", "not a pass"),
        ("moku-tsumego Z99", "expected a vertex"),
        ("moku-tsumego F6", "no stone at F6"),
        ("moku-tsumego A3", "encloses that at"),
    ] {
        moku.send(&format!("{command}\n"));
        let reply = moku.reply();
        assert!(reply.starts_with("? ") && reply.contains(part), "{command}: {reply}");
    }
    moku.ask("engine prover playouts=100");
    for (command, answer) in [("reg_genmove b", "B1"), ("reg_genmove w", "B1"), ("genmove b", "B1")] {
        assert_eq!(moku.ask(command), answer, "{command}");
    }
    // Elsewhere it plays as uct does.
    moku.ask("clear_board");
    assert!(!moku.ask("genmove b").is_empty());
}
