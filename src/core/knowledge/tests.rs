//! Fast and slow features are the same on every position reached, and so are the names of shapes, however the board is turned.

use super::features::FEATURES;
use super::grid::place_of;
use super::nested::{self, Family};
use super::slow;
use super::tactics::Tactics;
use crate::base::{Black, Color, Point, Rng, Size};
use crate::game::go::{Board, Go9, SlowBoard};
use std::collections::BTreeMap;

/// A random game on both boards; every position is shown with its last two moves.
fn random_game(n: usize, moves: usize, seed: u64, mut visit: impl FnMut(&Go9, &SlowBoard, [Point; 2])) {
    let size = Size::new(n).unwrap();
    let mut rng = Rng::new(seed);
    let (mut board, mut slow) = (Board::new(size, 0.0), SlowBoard::new(size));
    let mut last = [Point::PASS; 2];
    for _ in 0..moves {
        visit(&board, &slow, last);
        let p = board.play_random(&mut rng);
        slow = slow.after(p).unwrap();
        last = [p, last[0]];
    }
}

fn legal(board: &Go9) -> Vec<Point> {
    board.empty().iter().filter(|&p| board.is_legal(p)).chain([Point::PASS]).collect()
}

#[test]
fn fast_answers_are_the_slow_ones() {
    let mut seen: Vec<BTreeMap<u8, usize>> = FEATURES.iter().map(|_| BTreeMap::new()).collect();
    for (n, moves, games) in [(9, 90, 12), (5, 60, 30), (7, 80, 15), (2, 12, 20)] {
        for seed in 0..games {
            random_game(n, moves, seed + 100 * n as u64, |board, slow, last| {
                let tactics = Tactics::new(board, last);
                for p in legal(board) {
                    let (fast, plain) = (tactics.answers(p), slow::answers(slow, last, p));
                    for (i, feature) in FEATURES.iter().enumerate() {
                        let name = board.size().point_to_gtp(p);
                        assert_eq!(fast[i], plain[i], "{} of {name} in {slow:?}, last {last:?}", feature.name);
                        assert!((fast[i] as usize) < feature.answers, "{}", feature.name);
                        *seen[i].entry(fast[i]).or_default() += 1;
                    }
                }
            });
        }
    }
    // Random games know nearly every answer; a question that is hardly asked would hide an error.
    for (feature, seen) in FEATURES.iter().zip(&seen) {
        assert!(2 * seen.len() > feature.answers, "{}: {} of {} answers", feature.name, seen.len(), feature.answers);
    }
}

#[test]
fn fast_names_of_shapes_are_the_slow_ones() {
    for (n, seed) in [(9, 1), (7, 2), (3, 3)] {
        let mut number = 0;
        random_game(n, 50, seed, |board, slow, last| {
            number += 1;
            if number % 10 != 3 {
                return;
            }
            let tactics = Tactics::new(board, last);
            for p in legal(board).into_iter().filter(|p| !p.is_pass()) {
                let mut count = 0;
                nested::visit(
                    &tactics.survey,
                    place_of(tactics.survey.places, p),
                    tactics.last,
                    |family, level, name| {
                        assert_eq!(Some(name), slow::shape_name(slow, last[0], p, family, level), "{family:?} {level}");
                        count += 1;
                        true
                    },
                );
                let answers =
                    slow::shape_name(slow, last[0], p, Family::Answers, 0).map_or(0, |_| nested::ANSWERS.len());
                assert_eq!(count, nested::COLORS.len() + nested::LIBERTIES.len() + answers);
            }
        });
    }
}

/// All names of the shapes of a move.
fn names(board: &Go9, last: Point, p: Point) -> Vec<u32> {
    let tactics = Tactics::new(board, [last, Point::PASS]);
    let mut names = Vec::new();
    nested::visit(&tactics.survey, place_of(tactics.survey.places, p), tactics.last, |_, _, name| {
        names.push(name);
        true
    });
    names
}

#[test]
fn a_shape_is_the_same_however_the_board_is_turned_and_whoever_moves() {
    let size = Size::new(9).unwrap();
    let mut rng = Rng::new(5);
    let mut board = Go9::new(size, 0.0);
    let mut last = Point::PASS;
    for _ in 0..40 {
        last = board.play_random(&mut rng);
    }
    let p = legal(&board)[3];
    let expected = names(&board, last, p);
    for symmetry in 0..8 {
        for swaps in [false, true] {
            let turn = |p: Point| {
                let (x, y) = size.xy(p);
                let (dx, dy) = nested::turned(x as isize - 4, y as isize - 4)[symmetry];
                size.point((dx + 4) as usize, (dy + 4) as usize)
            };
            let color = |color: Color| if swaps { color.opponent() } else { color };
            let stones = Color::BOTH
                .into_iter()
                .flat_map(|c| board.stones(c).iter().map(move |p| (p, c)))
                .map(|(p, c)| (turn(p), color(c)));
            let mut other = Go9::new(size, 0.0);
            assert!(other.set_stones(stones));
            other.set_to_play(color(board.to_play()));
            assert_eq!(names(&other, turn(last), turn(p)), expected);
        }
    }
    board.set_to_play(Black.opponent());
    let other: Vec<u32> = names(&board, last, legal(&board)[4]);
    assert_ne!(other, expected);
}
