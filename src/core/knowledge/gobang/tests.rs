//! The fast tables and searches against the slow ones.

use super::slow::{class_slow, pair_slow};
use super::*;
use crate::base::{Color, Point, Rng, Size};
use crate::game::Game;
use crate::game::gobang::{Gobang, Rule, SlowGobang};
use proptest::prelude::*;
use std::collections::HashMap;

const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

pub(super) fn slow_of(lines: &Lines) -> SlowGobang {
    let mut slow = SlowGobang::new(lines.size(), lines.rule());
    for color in Color::BOTH {
        lines.stones(color).visit(|p| slow.set(p, Some(color)));
    }
    slow
}

/// Everything that is kept up equals what scanning says, on about fifty points of each board.
fn assert_right(lines: &Lines) {
    let slow = slow_of(lines);
    let every = slow.size.area().div_ceil(50);
    for color in Color::BOTH {
        for p in slow.empty_points() {
            if !(p.index() * 7 + lines.hash() as usize % 64).is_multiple_of(every) {
                continue;
            }
            for (d, step) in STEPS.into_iter().enumerate() {
                let at = || format!("{color:?} {} direction {d}", slow.size.point_to_gtp(p));
                assert_eq!(lines.class(color, p, d), class_slow(&slow, color, p, step), "{}", at());
            }
            let pair = pair_slow(&slow, color, p);
            assert_eq!(lines.pair(color, p), pair);
            assert_eq!(lines.fives(color).contains(p), pair.best() == Class::Five);
            assert_eq!(lines.fours(color).contains(p), pair.best() >= Class::Four);
            let makes = |class: Class| STEPS.iter().any(|&step| class_slow(&slow, color, p, step) == class);
            let three = makes(Class::OpenThree) || makes(Class::FreeThree) || pair.best() >= Class::Four;
            assert_eq!(lines.threes(color).contains(p), three);
        }
        assert_eq!(lines.count_fives(color), lines.fives(color).len());
        assert_eq!(lines.count_fours(color), lines.fours(color).len());
        let stones = slow.size.points().filter(|&p| slow.at(p).is_some());
        assert!(stones.into_iter().all(|p| !lines.fours(color).contains(p) && !lines.seeds(color).contains(p)));
    }
}

/// The same stones on lines that never took any back.
fn fresh(lines: &Lines) -> Lines {
    let mut fresh = Lines::new(lines.size(), lines.rule());
    for color in Color::BOTH {
        lines.stones(color).visit(|p| fresh.play(p, color));
    }
    fresh
}

fn assert_same(a: &Lines, b: &Lines) {
    assert_eq!(a.hash(), b.hash());
    for color in Color::BOTH {
        assert_eq!((a.count_fives(color), a.count_fours(color)), (b.count_fives(color), b.count_fours(color)));
        let sets = |l: &Lines| [l.fives(color), l.fours(color), l.threes(color), l.seeds(color)];
        assert_eq!(sets(a), sets(b));
        let codes = |l: &Lines| -> Vec<Class> {
            l.empty_points()
                .iter()
                .flat_map(|p| (0..4).map(move |d| (p, d)))
                .map(|(p, d)| l.class(color, p, d))
                .collect()
        };
        assert_eq!(codes(a), codes(b));
    }
}

/// Stones in a crowd, so that lines meet.
pub(super) fn random_lines(n: usize, rule: Rule, stones: usize, seed: u64) -> Lines {
    let size = Size::new(n).unwrap();
    let mut lines = Lines::new(size, rule);
    let mut rng = Rng::new(seed);
    let width = n.min(4 + rng.below(6) as usize);
    let corner = rng.below((n - width + 1) as u32) as usize;
    for _ in 0..stones {
        let at = |rng: &mut Rng| corner + rng.below(width as u32) as usize;
        let p = size.point(at(&mut rng), at(&mut rng));
        if lines.is_empty_at(p) {
            lines.play(p, Color::BOTH[rng.below(2) as usize]);
        }
    }
    lines
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn classes_kept_up_are_those_that_scanning_finds(n in 5usize..=25, freestyle: bool, stones in 0usize..50, seed: u64) {
        let rule = if freestyle { Rule::Freestyle } else { Rule::Exact };
        let mut lines = random_lines(n, rule, stones, seed);
        assert_right(&lines);
        // Back and forth.
        let mut rng = Rng::new(seed ^ 1);
        for _ in 0..rng.below(20) {
            lines.undo();
        }
        assert_same(&lines, &fresh(&lines));
    }
}

#[test]
fn lines_follow_a_board_through_a_game_and_back_to_its_start() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let size = Size::new(9).unwrap();
        let mut board = Gobang::new(size, Rule::Exact);
        let mut lines = Lines::of(&board);
        let mut line = Vec::new();
        while !board.is_over() {
            line.push(board.clone());
            board.play_random(&mut rng);
            lines.follow(&board);
        }
        for _ in 0..20 {
            let earlier = &line[rng.below(line.len() as u32) as usize];
            lines.follow(earlier);
            assert_same(&lines, &Lines::of(earlier));
            for color in Color::BOTH {
                assert_eq!(lines.fives(color), earlier.winning_points(color));
            }
        }
    }
}

fn class_in_row(row: &str, rule: Rule) -> Class {
    let mut board = SlowGobang::new(Size::new(row.len()).unwrap(), rule);
    let mut at = Point::PASS;
    for (x, c) in row.chars().enumerate() {
        let p = board.size.point(x, 2);
        match c {
            'X' => board.set(p, Some(Color::Black)),
            'O' => board.set(p, Some(Color::White)),
            '*' => at = p,
            _ => {}
        }
    }
    class_slow(&board, Color::Black, at, (1, 0))
}

#[test]
fn classes_are_what_players_call_them() {
    for (row, exact, freestyle) in [
        ("..XX*XX..", Class::Five, Class::Five),
        ("..XX*XXX.", Class::Nothing, Class::Five),
        ("..XX*X...", Class::OpenFour, Class::OpenFour),
        (".OXX*X...", Class::Four, Class::Four),
        ("..XX.*X..", Class::Four, Class::Four),
        ("X.XX*.X..", Class::OpenFour, Class::OpenFour),
        ("..XX*....", Class::FreeThree, Class::FreeThree),
        (".OXX*....", Class::Three, Class::Three),
        ("O.XX*..O.", Class::OpenThree, Class::OpenThree),
        ("O.XX*.O..", Class::Three, Class::Three),
        (".OXX*.O..", Class::Nothing, Class::Nothing),
        // A sixth stone spoils an exact five on that side.
        ("X.XX*X.O.", Class::Four, Class::OpenFour),
        ("...X*....", Class::FreeTwo, Class::FreeTwo),
        ("....*....", Class::OpenOne, Class::OpenOne),
    ] {
        assert_eq!(class_in_row(row, Rule::Exact), exact, "{row} exact");
        assert_eq!(class_in_row(row, Rule::Freestyle), freestyle, "{row} freestyle");
    }
}

/// A game position reached at random, nobody has won; fours and threes are common.
fn random_board(n: usize, rule: Rule, stones: usize, seed: u64) -> Option<Gobang> {
    let mut rng = Rng::new(seed);
    let mut board = Gobang::new(Size::new(n).unwrap(), rule);
    for _ in 0..stones {
        if board.is_over() {
            return None;
        }
        board.play_random(&mut rng);
    }
    (!board.is_over()).then_some(board)
}

/// Can the side to play make five within so many of its moves? Every move is tried, but that a five is stopped if it
/// can be.
fn can_force(board: &Gobang, moves: usize) -> bool {
    let (me, opponent) = (board.to_play(), board.to_play().opponent());
    if board.has_winning_point(me) {
        return moves > 0;
    }
    if moves <= 1 {
        return false;
    }
    let must = board.winning_points(opponent);
    let choices = if must.is_empty() { board.empty_points() } else { must };
    choices.iter().any(|p| wins_with(board, p, moves))
}

/// The same when its first move is given.
fn wins_with(board: &Gobang, p: Point, moves: usize) -> bool {
    let me = board.to_play();
    let mut after = board.clone();
    after.play(p);
    if after.winner() == Some(me) {
        return true;
    }
    if moves <= 1 || after.has_winning_point(me.opponent()) {
        return false;
    }
    let ways = after.winning_points(me);
    let replies = if ways.is_empty() { after.empty_points() } else { ways };
    ways.len() > 1
        || !replies.is_empty()
            && replies.iter().all(|q| {
                let mut answered = after.clone();
                answered.play(q);
                can_force(&answered, moves - 1)
            })
}

#[test]
fn wins_at_sight_are_wins() {
    let mut seen = [0; 4];
    for seed in 0..30_000 {
        let rule = if seed % 2 == 0 { Rule::Exact } else { Rule::Freestyle };
        let Some(board) = random_board(7, rule, 8 + seed as usize % 16, seed) else { continue };
        let effort = Effort { sight: true, fours: 0, threats: 0, defends: false };
        let sight = Reader::of(&board).look(board.to_play(), effort);
        if let Some(Known::Win(moves)) = sight.known {
            assert!(wins_with(&board, sight.line[0], moves), "{rule:?} seed {seed}");
            seen[moves] += 1;
        }
    }
    assert!(seen[1..].iter().all(|&n| n > 100), "{seen:?}");
}

#[test]
fn two_open_threes_win_only_where_the_opponent_has_no_four() {
    let picture = |enemy: &str| {
        format!(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . X . . . .
             . . . . X . . . .
             . . X X . . . . .
             . . . . . . . . .
             . . . . . . . . .
             {enemy}
             . . . . . . . . ."
        )
    };
    let effort = Effort { sight: true, fours: 0, threats: 0, defends: false };
    for (enemy, known) in [(". O O . . . . O .", Some(Known::Win(3))), ("X O O O . . . . .", None)] {
        let slow = SlowGobang::from_picture(&picture(enemy), Rule::Exact);
        let mut board = Gobang::new(slow.size, Rule::Exact);
        assert!(board.put_stones(&slow.stones()));
        assert_eq!(Reader::of(&board).look(Color::Black, effort).known, known, "{enemy}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn continuous_fours_and_what_spoils_them_are_those_of_the_board(n in 6usize..=9, stones in 6usize..24, freestyle: bool, seed: u64) {
        let rule = if freestyle { Rule::Freestyle } else { Rule::Exact };
        if let Some(board) = random_board(n, rule, stones, seed) {
            let me = board.to_play();
            let mut reader = Reader::of(&board);
            let before = reader.lines.hash();
            let found = reader.fours(me, 1_000_000);
            prop_assert_eq!(found.is_some(), board.continuous_fours(1_000_000).is_some());
            if let Some(line) = found {
                prop_assert!(board.is_still_won_by(&line) && reader.still_wins(me, &line));
                let mut waiting = board.clone();
                waiting.set_to_play(me.opponent());
                // No move that holds is missing, and none is in that does not.
                let spoilers: Points = reader.spoilers(me, &line).into_iter().collect();
                prop_assert_eq!(spoilers, waiting.spoilers(&line));
            }
            prop_assert_eq!(before, reader.lines.hash());
        }
    }
}

#[test]
fn what_is_remembered_of_fours_hides_no_win() {
    let mut found = [0, 0];
    for seed in 0..150 {
        let rule = [Rule::Exact, Rule::Freestyle][seed as usize % 2];
        let Some(mut board) = random_board(9, rule, 10, seed) else { continue };
        let (mut reader, mut rng) = (Reader::of(&board), Rng::new(seed));
        for _ in 0..14 {
            let p = board.near(2).iter().nth(rng.below(board.near(2).len() as u32) as usize).unwrap();
            if board.winning_points(board.to_play()).contains(p) {
                break;
            }
            board.play(p);
            reader.lines.follow(&board);
            for color in Color::BOTH {
                // Little work first, so that what is remembered was cut short.
                let short = [6, 20, 60].map(|work| reader.fours(color, work).is_some());
                let mut turn = board.clone();
                turn.set_to_play(color);
                let wins = turn.continuous_fours(1_000_000).is_some();
                assert_eq!(reader.fours(color, 1_000_000).is_some(), wins, "{rule:?} seed {seed} {color:?}");
                assert!(wins || !short.contains(&true));
                found[usize::from(wins)] += 1;
            }
        }
    }
    assert!(found.iter().all(|&n| n > 100), "{found:?}");
}

/// Does the attacker, to move, win against every reply if it goes on as `threats` says, each time read afresh?
fn plays_out(board: &Gobang, depth: usize, seen: &mut HashMap<u64, bool>) -> bool {
    if let Some(&known) = seen.get(&board.hash()) {
        return known;
    }
    let me = board.to_play();
    let mut wins = board.has_winning_point(me);
    if !wins && depth > 0 {
        let mut reader = Reader::of(board);
        let quick = reader.threats(me, 100_000);
        reader = Reader { quiet: Quiet::Everywhere, ..Reader::of(board) };
        let line = quick.or_else(|| reader.threats(me, 400_000));
        wins = line.is_some_and(|line| {
            let mut after = board.clone();
            after.play(line[0]);
            let replies = after.empty_points();
            after.winner() == Some(me)
                || !after.has_winning_point(me.opponent())
                    && replies.iter().all(|q| {
                        let mut answered = after.clone();
                        answered.play(q);
                        answered.winner().is_none() && plays_out(&answered, depth - 1, seen)
                    })
        });
    }
    seen.insert(board.hash(), wins);
    wins
}

#[test]
fn continuous_threats_win_against_every_reply() {
    let mut by_threes = 0;
    for seed in 0..3_000 {
        let rule = if seed % 2 == 0 { Rule::Exact } else { Rule::Freestyle };
        let Some(board) = random_board(8, rule, 6 + seed as usize % 12, seed) else { continue };
        let me = board.to_play();
        let mut reader = Reader::of(&board);
        if reader.fours(me, 100_000).is_none() && reader.threats(me, 2_000).is_some() {
            assert!(plays_out(&board, 12, &mut HashMap::new()), "{rule:?} seed {seed}");
            by_threes += 1;
        }
        if by_threes >= 60 {
            break;
        }
    }
    assert!(by_threes >= 40, "{by_threes}");
}

#[test]
fn no_move_that_holds_against_threats_is_missing() {
    let mut checked = 0;
    for seed in 0..4_000 {
        let rule = if seed % 2 == 0 { Rule::Exact } else { Rule::Freestyle };
        let Some(board) = random_board(8, rule, 6 + seed as usize % 10, seed) else { continue };
        let (me, attacker) = (board.to_play(), board.to_play().opponent());
        let mut reader = Reader::of(&board);
        let quiet = reader.fours(me, 10_000).is_none() && reader.lines.fives(attacker).is_empty();
        if !quiet || reader.threats(attacker, 2_000).is_none() {
            continue;
        }
        let Some(defences) = reader.defences(attacker) else { continue };
        for p in board.empty_points().minus(defences).iter() {
            let mut after = board.clone();
            after.play(p);
            let line = Reader::of(&after).threats(attacker, 400_000);
            assert!(line.is_some(), "{rule:?} seed {seed}: {} holds", board.size().point_to_gtp(p));
            checked += 1;
        }
        if checked > 1_500 {
            break;
        }
    }
    assert!(checked > 500, "{checked}");
}

/// Every win of the set of problems holds against every reply, and every other move of a defence loses to every reply.
#[test]
fn what_the_problems_say_is_proven_against_every_reply() {
    let set = include_str!("../../search/tests/gobang.txt");
    for (i, block) in set.split("\n\n").filter(|block| !block.trim().is_empty()).enumerate() {
        let (headline, picture) = block.trim().split_once('\n').unwrap();
        let words: Vec<&str> = headline.split_whitespace().collect();
        let slow = SlowGobang::from_picture(picture, Rule::Exact);
        let mut board = Gobang::new(slow.size, Rule::Exact);
        assert!(board.put_stones(&slow.stones()));
        board.set_to_play(Color::from_gtp(words[2]).unwrap());
        let mut seen = HashMap::new();
        if words[0] != "hold" {
            assert!(plays_out(&board, 20, &mut seen), "problem {i}");
            continue;
        }
        for p in board.empty_points().iter() {
            if !words[3..].contains(&slow.size.point_to_gtp(p).as_str()) {
                let mut after = board.clone();
                after.play(p);
                assert!(plays_out(&after, 20, &mut HashMap::new()), "problem {i}: {} holds", slow.size.point_to_gtp(p));
            }
        }
    }
}
