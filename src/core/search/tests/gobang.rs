//! Gobang through the same searches: every axis that makes sense, what the solver proves, and problems to solve.

use super::*;
use crate::base::{Color, GameKind};
use crate::game::gobang::{Gobang, Rule, SlowGobang};

fn fast(slow: &SlowGobang, to_play: Color) -> Gobang {
    let mut board = Gobang::new(slow.size, slow.rule);
    assert!(board.put_stones(&slow.stones()));
    board.set_to_play(to_play);
    board
}

/// As `run`, for searches that may end before their budget.
fn solve(search: Arc<dyn Search<Gobang>>, playouts: u64) -> Report {
    let budget = Budget::playouts(playouts);
    search.work(&mut Worker::new(&budget, 5, 0));
    search.report()
}

fn best(slow: &SlowGobang, to_play: Color, line: &str, playouts: u64, seed: u64) -> (String, Option<Proof>) {
    let report = solve(task(fast(slow, to_play), line, seed), playouts);
    let best = report.best().unwrap();
    (slow.size.point_to_gtp(best.point), best.proof)
}

#[test]
fn every_combination_that_makes_sense_searches_gobang_and_spends_its_budget() {
    let mut root = Gobang::new(Size::new(10).unwrap(), Rule::Exact);
    let mut rng = Rng::new(3);
    (0..12).for_each(|_| {
        root.play_random(&mut rng);
    });
    let mut combinations = 0;
    for allocation in ["mc", "ucb1", "uct", "shot", "ruct"] {
        for memory in ["none", "inherit", "tree"] {
            for candidates in ["all", "random from=1", "near", "near distance=1"] {
                for playout in ["light", "block-four", "decisive"] {
                    for decisive in ["off", "on"] {
                        let line = format!(
                            "{allocation} memory={memory} candidates={candidates} playout={playout} decisive={decisive}"
                        );
                        let Ok(engine) = Engine::parse_for(GameKind::Gobang, &line) else {
                            assert!(memory != "none", "{line} is refused");
                            continue;
                        };
                        combinations += 1;
                        let report = run(task(root.clone(), &engine.to_string(), 1), 200, 2);
                        let visits: u64 = report.moves.iter().map(|m| m.visits).sum();
                        assert_eq!(visits, 200, "{line}");
                        assert!(report.moves.iter().all(|m| root.is_legal(m.point) && !m.point.is_pass()), "{line}");
                    }
                }
            }
        }
    }
    assert_eq!(combinations, (5 * 3 - 5) * 24);
}

/// Who wins with best play, from the side to move: 1, 0 or -1. Tries everything.
fn minimax(slow: &SlowGobang, color: Color) -> i32 {
    let mut best = -1;
    let mut moves = 0;
    for p in slow.empty_points() {
        moves += 1;
        let after = slow.with(p, color);
        let value = if after.is_won_at(p) { 1 } else { -minimax(&after, color.opponent()) };
        best = best.max(value);
        if best == 1 {
            return 1;
        }
    }
    if moves == 0 { 0 } else { best }
}

#[test]
fn what_the_solver_proves_is_what_exhaustive_search_finds() {
    let lines = [
        "gobang",
        "gobang forget=on",
        "gobang transpositions=on quiet=all",
        "gobang halving=4",
        "uct solver=on",
        "uct solver=on vcf=50 threshold=1",
        "uct solver=on decisive=on candidates=near distance=1 threshold=2",
    ];
    let mut proven = [0; 3];
    for seed in 0..600u64 {
        let mut rng = Rng::new(seed);
        let size = Size::new([5, 6][seed as usize % 2]).unwrap();
        let rule = if seed % 3 == 0 { Rule::Freestyle } else { Rule::Exact };
        let mut board = Gobang::new(size, rule);
        // Rows come about by chance when one colour has most of a line: weight the stones.
        let heavy = Color::BOTH[rng.below(2) as usize];
        let mut points: Vec<Point> = size.points().collect();
        rng.shuffle(&mut points);
        for &p in &points[7..] {
            let color = if rng.below(5) < 3 { heavy } else { heavy.opponent() };
            if !board.would_win(color, p) {
                board.set_to_play(color);
                board.play(p);
            }
        }
        board.set_to_play(Color::BOTH[rng.below(2) as usize]);
        if board.is_over() {
            continue;
        }
        let mut slow = SlowGobang::new(size, rule);
        size.points().for_each(|p| slow.set(p, board.color_at(p)));
        if slow.empty_points().count() > 8 {
            continue;
        }
        let truth = minimax(&slow, board.to_play());
        let report = solve(task(board.clone(), lines[seed as usize % lines.len()], seed), 3_000);
        for m in &report.moves {
            let after = slow.with(m.point, board.to_play());
            let value = if after.is_won_at(m.point) { 1 } else { -minimax(&after, board.to_play().opponent()) };
            match m.proof {
                Some(Proof::Win(_)) => assert_eq!(value, 1, "seed {seed}"),
                Some(Proof::Loss(_)) => assert_eq!(value, -1, "seed {seed}"),
                None => {}
            }
            proven[m.proof.map_or(2, |p| usize::from(matches!(p, Proof::Loss(_))))] += 1;
        }
        if let Some(Proof::Win(_)) = report.best().unwrap().proof {
            assert_eq!(truth, 1, "seed {seed}");
        }
    }
    assert!(proven.iter().all(|&n| n > 100), "{proven:?}");
}

/// What is to be done.
#[derive(Clone, Copy)]
enum Goal {
    /// The opponent would make five, and cannot after the move.
    Stop,
    /// Five with at most this many moves, whatever the opponent does, and not with fewer.
    Win(usize),
    /// A win by fours that is too long to try everything.
    Fours,
}

/// Problems: who is to move, and all moves that solve them.
struct Problem {
    name: &'static str,
    to_play: Color,
    goal: Goal,
    solutions: &'static str,
    picture: &'static str,
}

impl Goal {
    /// Does the move do it? Found out by the slow board, which tries every move of both sides; for `Fours` every four.
    fn is_reached(self, slow: &SlowGobang, color: Color, p: Point) -> bool {
        let (after, opponent) = (slow.with(p, color), color.opponent());
        match self {
            Goal::Stop => !slow.winning_points(opponent).is_empty() && after.winning_points(opponent).is_empty(),
            Goal::Win(1) => after.is_won_at(p),
            Goal::Win(moves) => {
                let wins_against = |q| after.with(q, opponent).can_force(color, moves - 1);
                after.winning_points(opponent).is_empty() && after.empty_points().all(wins_against)
            }
            Goal::Fours => starts_fours(slow, color, p),
        }
    }
}

/// The move starts a win by fours: every four is tried, and a four has but one answer.
fn starts_fours(slow: &SlowGobang, color: Color, p: Point) -> bool {
    let (after, opponent) = (slow.with(p, color), color.opponent());
    let ways = after.winning_points(color);
    if ways.is_empty() || !after.winning_points(opponent).is_empty() {
        return false;
    }
    ways.len() >= 2 || {
        let answered = after.with(ways[0], opponent);
        !answered.is_won_at(ways[0])
            && (!answered.winning_points(color).is_empty()
                || answered.empty_points().any(|q| starts_fours(&answered, color, q)))
    }
}

const PROBLEMS: &[Problem] = &[
    Problem {
        name: "win in one, in the middle of a row",
        to_play: Black,
        goal: Goal::Win(1),
        solutions: "E5",
        picture: "
            . . . . . . . . .
            . . . . . . . . .
            . . O . . O . . .
            . . . O . . . . .
            . . X X . X X O .
            . . . . O . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .",
    },
    Problem {
        name: "win in one, where one end would make six",
        to_play: White,
        goal: Goal::Win(1),
        solutions: "C3",
        picture: "
            . . . . . . . . O
            . . . . . . . . .
            . . . . . X O . .
            . . . . X O . . .
            . . X . O X . . .
            . . . O . X . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . X .",
    },
    Problem {
        name: "stop a five on the edge",
        to_play: White,
        goal: Goal::Stop,
        solutions: "A5",
        picture: "
            O . . . . . . . .
            X . . . . . . . .
            X . . . O . . . .
            X . . . . . . . .
            . . . . O . . . .
            X . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .",
    },
    Problem {
        name: "stop a five although there is an own open three",
        to_play: Black,
        goal: Goal::Stop,
        solutions: "G7",
        picture: "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . O . . .
            . . . . O . . . .
            . . . O . X X X .
            . . O . . . . . .
            . X . . . . . . .
            . . . . . . . . .",
    },
    Problem {
        name: "make an open four",
        to_play: Black,
        goal: Goal::Win(2),
        solutions: "C5 G5",
        picture: "
            . . . . . . . . .
            . . . . . . . . .
            . . . O . . . . .
            . . . . . O . . .
            . . . X X X . . .
            . . . . O . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .",
    },
    Problem {
        name: "make an open four out of a broken three",
        to_play: White,
        goal: Goal::Win(2),
        solutions: "E4",
        picture: "
            . . . . . . . . .
            . . . X . . . . .
            . . . . . . X . .
            . . . . . . . . .
            . . . X . . . . .
            . . O O . O . . .
            . . . . X . . . .
            . . . . . . . . .
            . . . . . . . . .",
    },
    Problem {
        name: "two fours at once",
        to_play: Black,
        goal: Goal::Win(2),
        solutions: "F7",
        picture: "
            . . . . . . . . . .
            . . . . . . . . . .
            . . . . . . . . . .
            . O X X X . . . . .
            . . . . . . . . . .
            . . . . . X . O . .
            . . . . . X . . . .
            . . . . . X . . . .
            . . . . . O . . . .
            . . . . . . . . . .",
    },
    Problem {
        name: "an open four among fours that lead nowhere",
        to_play: Black,
        goal: Goal::Win(2),
        solutions: "E6",
        picture: "
            . . . . . . . . . . .
            . . . . O . . . . . .
            . . . . X . . . . . .
            . . . . X . O . . . .
            . . . . X . . . . . .
            . . . . . . . . . . .
            . O X . . X . . . . .
            . . O . . . . . . . .
            . . . . . . . X . . .
            . . . . . . . . X . .
            . . . . . . . . . O .",
    },
    Problem {
        name: "a four to get a stone in place, then two fours at once",
        to_play: White,
        goal: Goal::Win(3),
        solutions: "B7",
        picture: "
            . . . . . . . . .
            . O . . . X . X .
            . . O . O . . O .
            . O . O X . X . .
            . . X O X . X . .
            . O . . . X . O .
            . . O X X . . . .
            . . . . . . X . .
            . . . . . . . . .",
    },
    Problem {
        name: "a four down the edge of the others, then a row across",
        to_play: White,
        goal: Goal::Win(3),
        solutions: "C4",
        picture: "
            . . . . . . . . .
            . . X . . . . X .
            . . X . . . X . .
            . . O . . . X X .
            . . O . X . . O .
            . . . . . . . . .
            . . O O X . . O .
            . . . . O . X O .
            . . . . . . . . .",
    },
    Problem {
        name: "three fours, the last of them double",
        to_play: Black,
        goal: Goal::Fours,
        solutions: "D5 F7 F9",
        picture: "
            . . . . . . . . .
            . X . . O X O . .
            . X . . . . . . .
            . . . . . X O X .
            . . X . . X O . .
            . . . . X . . . .
            . . . O O X O . .
            . . O O O . X . .
            . . . . . . . . .",
    },
];

#[test]
fn the_strong_preset_solves_problems_whose_answers_exhaustive_search_confirms() {
    for Problem { name, to_play, goal, solutions, picture } in PROBLEMS {
        let slow = SlowGobang::from_picture(picture, Rule::Exact);
        let reach = |goal: Goal| -> Vec<String> {
            let reached = slow.empty_points().filter(|&p| goal.is_reached(&slow, *to_play, p));
            let mut found: Vec<String> = reached.map(|p| slow.size.point_to_gtp(p)).collect();
            found.sort();
            found
        };
        assert_eq!(reach(*goal), solutions.split_whitespace().collect::<Vec<_>>(), "{name}");
        if let Goal::Win(moves @ 2..) = goal {
            assert!(!slow.can_force(*to_play, moves - 1), "{name}: there is a quicker win");
        }
        for seed in 0..3 {
            let (point, proof) = best(&slow, *to_play, "gobang", 2_000, seed);
            assert!(solutions.split_whitespace().any(|s| s == point), "{name}: {point} instead of {solutions}");
            let is_proven = matches!(proof, Some(Proof::Win(_)));
            assert!(is_proven || matches!(goal, Goal::Stop), "{name}: {proof:?}");
        }
    }
}

#[test]
fn the_strong_preset_reads_long_chains_of_fours() {
    let mut found = 0;
    let mut longest = 0;
    for seed in 0.. {
        // Stones of both colours crowded together leave fours to make.
        let mut rng = Rng::new(seed);
        let size = Size::new(9).unwrap();
        let mut board = Gobang::new(size, Rule::Exact);
        while !board.is_over() && board.stones().len() < 22 + rng.below(12) as usize {
            let p = size.point(1 + rng.below(7) as usize, 1 + rng.below(7) as usize);
            let quiet = board.color_at(p).is_none() && !board.would_win(board.to_play(), p);
            if quiet {
                board.play(p);
            }
        }
        let line = if board.is_over() { None } else { board.continuous_fours(100_000) };
        let Some(line) = line.filter(|line| line.len() >= 7) else { continue };
        let mut slow = SlowGobang::new(size, Rule::Exact);
        size.points().for_each(|p| slow.set(p, board.color_at(p)));
        let (point, proof) = best(&slow, board.to_play(), "gobang", 500, seed);
        let point = size.point_from_gtp(&point).unwrap();
        assert!(starts_fours(&slow, board.to_play(), point), "seed {seed}");
        assert!(matches!(proof, Some(Proof::Win(n)) if n as usize == line.len().div_ceil(2)), "seed {seed}: {proof:?}");
        longest = longest.max(line.len());
        found += 1;
        if found == 25 {
            break;
        }
    }
    assert!(longest >= 9, "{longest}");
}

#[test]
fn a_shown_loss_is_defended_longest() {
    // White has an open four, which nothing stops; Black's four only delays it, and is the longest defence.
    let slow = SlowGobang::from_picture(
        ". . . . . . . . .
         . O X X X . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . O O O O . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . X .
         . . . . . . . . .",
        Rule::Exact,
    );
    // Every answer loses at once, whatever else is tried: White makes five next.
    let report = solve(task(fast(&slow, Black), "gobang", 1), 4_000);
    assert!(report.moves.iter().all(|m| matches!(m.proof, Some(Proof::Loss(_)))), "all is lost and shown to be");
    // An open three that cannot be stopped any more, but can be put off by a four.
    let slow = SlowGobang::from_picture(
        ". . . . . . . . . .
         . O X X X . . . . .
         . . . . . . . . . .
         . . . . . . . O . .
         . . O O O . . O . .
         . . . . . . . O . .
         . . . . . . . . . .
         . . . . . . . . . .
         . . . . . . . . . .
         . X . . . . . . . X",
        Rule::Exact,
    );
    for seed in 0..3 {
        let report = solve(task(fast(&slow, Black), "gobang", seed), 30_000);
        let length = |m: &MoveStats| match m.proof {
            Some(Proof::Loss(moves)) => moves,
            other => panic!("{} is {other:?}", slow.size.point_to_gtp(m.point)),
        };
        let best = report.best().unwrap();
        let vertex = slow.size.point_to_gtp(best.point);
        assert!(["F9", "G9"].contains(&vertex.as_str()), "{vertex}");
        let quickest = report.moves.iter().map(length).min().unwrap();
        assert!(report.moves.iter().all(|m| length(m) <= length(best)) && quickest < length(best));
    }
}

/// Problems of our own: `fours` and `threats` are wins within so many moves, `hold` has only these moves that do not lose.
const SET: &str = include_str!("gobang.txt");

struct SetProblem {
    kind: &'static str,
    to_play: Color,
    solutions: Vec<&'static str>,
    board: SlowGobang,
}

fn problems_of_the_set() -> Vec<SetProblem> {
    let blocks = SET.split("\n\n").filter(|block| !block.trim().is_empty());
    let read = |block: &'static str| {
        let (headline, picture) = block.trim().split_once('\n').unwrap();
        let words: Vec<&str> = headline.split_whitespace().collect();
        let board = SlowGobang::from_picture(picture, Rule::Exact);
        SetProblem {
            kind: words[0],
            to_play: Color::from_gtp(words[2]).unwrap(),
            solutions: words[3..].to_vec(),
            board,
        }
    };
    blocks.map(read).collect()
}

#[test]
fn the_strong_preset_solves_the_set() {
    let problems = problems_of_the_set();
    let mut failed = Vec::new();
    for (i, SetProblem { kind, to_play, solutions, board }) in problems.iter().enumerate() {
        let (point, proof) = best(board, *to_play, "gobang", 3_000, i as u64);
        let is_right = match *kind {
            "hold" => solutions.contains(&point.as_str()),
            _ => matches!(proof, Some(Proof::Win(_))),
        };
        if !is_right {
            failed.push(format!("{i} {kind}: {point} {proof:?} instead of {solutions:?}"));
        }
    }
    assert!(failed.len() * 20 <= problems.len(), "{} of {}: {failed:#?}", failed.len(), problems.len());
}

#[test]
fn a_leading_move_that_a_long_threat_refutes_is_found_out() {
    // From a game that was lost: what looks best by far loses to continuous threats, ten moves long.
    let size = Size::new(15).unwrap();
    let mut root = Gobang::new(size, Rule::Exact);
    for (x, y) in [(6, 6), (6, 7), (9, 6), (7, 8), (5, 6), (7, 6), (8, 5), (7, 7)] {
        root.play(size.point(x, y));
    }
    let tempting = size.point(7, 5);
    let search = |vet| solve(task(root.clone(), &format!("gobang threats=0 deep=0 doubt=0 vet={vet}"), 1), 500);
    let (blind, vetted) = (search(0), search(100));
    assert_eq!(blind.best().map(|m| (m.point, m.proof)), Some((tempting, None)));
    assert!(matches!(vetted.of(tempting).and_then(|m| m.proof), Some(Proof::Loss(_))));
    assert!(vetted.best().is_some_and(|m| m.point != tempting && m.proof.is_none()));
}
