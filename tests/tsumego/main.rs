//! The project's own problems: their answers hold by trying everything, and they are the same in every corner.

mod exhaustive;

use exhaustive::{ATTACKER, EMPTY, MARKED, Puzzle, Result};
use moku::base::Point;
use moku::game::Game;
use moku::game::go::{Go9, Go14, Go21};
use moku::lab::tsumego::solve::session_on;
use moku::search::Engine;
use moku::session::Passing;
use moku::tsumego::prover::find::question_of;
use moku::tsumego::prover::{Limits, Prover, solver::wanted};
use moku::tsumego::turn::Turn;
use moku::tsumego::{Goal, Problem, frame};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// More positions than any of the standard shapes has.
const MOST: usize = 1_000_000;

fn standard() -> Vec<Problem> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sgf/tsumego/standard");
    Problem::read_all(&[folder]).unwrap()
}

fn puzzle(problem: &Problem) -> Puzzle {
    let n = problem.size.n();
    let mut cells = vec![EMPTY; n * n];
    for &(p, color) in &problem.stones {
        let (x, y) = problem.size.xy(p);
        cells[y * n + x] = if color == problem.defender() { MARKED } else { ATTACKER };
    }
    Puzzle { lines: n, cells, attacker_moves: problem.to_play != problem.defender() }
}

#[test]
fn the_exhaustive_search_knows_what_every_player_knows() {
    let status = |picture: &[&str], attacker_moves: bool| {
        let mut cells = vec![EMPTY; 81];
        for (y, row) in picture.iter().enumerate() {
            for (x, stone) in row.chars().enumerate() {
                cells[9 * y + x] = match stone {
                    'X' => ATTACKER,
                    'O' => MARKED,
                    _ => EMPTY,
                };
            }
        }
        let moves = Puzzle { lines: 9, cells, attacker_moves }.first_moves(MOST).unwrap();
        let results = moves.into_iter().map(|(_, result)| result);
        if attacker_moves { results.min().unwrap() } else { results.max().unwrap() }
    };
    let square_four = ["..OX", "..OX", "OOOX", "XXXX"];
    assert_eq!((status(&square_four, true), status(&square_four, false)), (Result::Dead, Result::Dead));
    let straight_four = ["....OX", "OOOOOX", "XXXXXX"];
    assert_eq!((status(&straight_four, true), status(&straight_four, false)), (Result::Alive, Result::Alive));
    let straight_three = ["...OX", "OOOOX", "XXXXX"];
    assert_eq!((status(&straight_three, true), status(&straight_three, false)), (Result::Dead, Result::Alive));
    let bent_four_in_the_corner = ["...OX", ".OOOX", "OOXXX", "XXX"];
    assert_eq!(status(&bent_four_in_the_corner, true), Result::Ko);
}

#[test]
fn every_answer_of_the_standard_set_is_right_and_no_other_is() {
    let problems = standard();
    assert!(problems.len() >= 40, "only {} problems", problems.len());
    for problem in &problems {
        let name = &problem.name;
        let moves = puzzle(problem).first_moves(MOST).unwrap_or_else(|| panic!("{name} is open or too large"));
        let attacks = problem.to_play != problem.defender();
        let results = moves.iter().map(|(_, result)| *result);
        let best = if attacks { results.min() } else { results.max() }.unwrap();
        let wanted = match problem.goal {
            Some(Goal::Kill) => Result::Dead,
            Some(Goal::Ko) => Result::Ko,
            Some(Goal::Live) => Result::Alive,
            other => panic!("{name}: no goal {other:?} in this set"),
        };
        assert_eq!(best, wanted, "{name}");
        let n = problem.size.n();
        let with = |wanted: bool| -> Vec<Point> {
            let own = moves.iter().filter(|(_, result)| (*result == best) == wanted);
            own.map(|(at, _)| at.map_or(Point::PASS, |at| problem.size.point(at % n, at / n))).collect()
        };
        assert_eq!(problem.right, with(true), "{name}");
        let wrong: Vec<Point> = with(false).into_iter().filter(|p| !p.is_pass()).collect();
        assert_eq!(problem.wrong, wrong, "{name}");
        assert!(with(false).contains(&Point::PASS), "{name} needs no move");
        assert!(problem.level.is_some(), "{name} has no level");
    }
    let names: BTreeSet<&str> = problems.iter().map(|problem| problem.name.as_str()).collect();
    assert_eq!(names.len(), problems.len(), "names are unique");
}

/// The moves a search looks at on a framed board.
fn candidates(problem: &Problem) -> Vec<Point> {
    fn of<G: Game>(problem: &Problem) -> Vec<Point> {
        let mut position = G::new(problem.size, 0.0);
        assert!(position.set_stones(&problem.stones));
        position.set_to_play(problem.to_play);
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        moves
    }
    match problem.size.n() {
        0..=9 => of::<Go9>(problem),
        10..=14 => of::<Go14>(problem),
        _ => of::<Go21>(problem),
    }
}

#[test]
fn framed_in_every_corner_the_answers_turn_with_the_board_and_are_moves_that_a_search_may_make() {
    for problem in standard() {
        let upright = frame(&problem, None).unwrap_or_else(|e| panic!("{}: {e}", problem.name));
        for turn in Turn::all() {
            let framed = frame(&problem.turned(turn), None).unwrap();
            assert_eq!(
                (framed.problem.size, framed.killed),
                (upright.problem.size, upright.killed),
                "{}",
                problem.name
            );
            let moves = candidates(&framed.problem);
            for right in &framed.problem.right {
                assert!(moves.contains(right), "{} {turn:?}: a search never tries the answer", problem.name);
            }
        }
    }
}

/// Snapback, throw-ins, a tail to chase (oiotoshi), play under the stones, a ko as the first move.
const TRAPS: &[&str] = &[
    "snapback-live",
    "snapback-kill",
    "sacrifice-of-three-kill",
    "throw-in-and-take-kill",
    "throw-in-at-the-edge-kill",
    "oiotoshi-kill",
    "oiotoshi-live",
    "ko-to-begin-ko",
    "bent-four-in-the-corner-ko",
];

#[test]
fn a_search_sees_through_traps_in_every_corner() {
    let problems = standard();
    let engine = Engine::parse("uct playouts=20000").unwrap();
    for name in TRAPS {
        let problem = problems.iter().find(|problem| problem.name == *name).unwrap_or_else(|| panic!("no {name}"));
        for turn in Turn::all() {
            let framed = frame(&problem.turned(turn), None).unwrap().problem;
            let mut session = session_on(framed.size, &framed.stones, framed.to_play, &engine, 1).unwrap();
            let thought = session.think(framed.to_play, Some(Passing::Fill), &mut |_| true).unwrap();
            let chosen = framed.size.point_to_gtp(thought.point);
            assert!(framed.right.contains(&thought.point), "{name} {turn:?}: {chosen} was chosen");
        }
    }
}

/// The same with seki and false eyes, which are beyond a search with random playouts: proven, and every other move refuted.
#[test]
fn traps_are_proven_alike_in_every_corner() {
    let kinds = ["trap", "seki", "eye-stealing"];
    let is_trap = |problem: &Problem| problem.path.iter().any(|part| kinds.iter().any(|kind| part == *kind));
    let traps: Vec<Problem> = standard().into_iter().filter(is_trap).collect();
    assert!(kinds.iter().all(|kind| traps.iter().any(|problem| problem.path.iter().any(|part| part == *kind))));
    let (stop, limits) = (AtomicBool::new(false), Limits { nodes: 1_000_000, seconds: None });
    let mut prover = Prover::new(16);
    for problem in &traps {
        for turn in Turn::all() {
            let turned = problem.turned(turn);
            let name = format!("{} {turn:?}", problem.name);
            let question = question_of(&turned).unwrap_or_else(|e| panic!("{name}: {e}"));
            let outcome = prover.solve(&question, limits, Some(wanted(&question)), &stop).unwrap();
            let status = outcome.status().unwrap_or_else(|| panic!("{name} is not proven"));
            let moves = prover.first_moves(&question, status, None, limits, &stop).unwrap();
            assert!(moves.iter().all(|first| first.reaches.is_some()), "{name}");
            let mut right: Vec<Point> = moves.iter().filter(|m| m.reaches == Some(true)).map(|m| m.point).collect();
            right.sort();
            assert_eq!(right, turned.right, "{name}");
        }
    }
}
