//! Properties that hold for every engine, and what each allocation promises.

use super::*;
use crate::base::{Black, Rng, Size, White};
use crate::game::go::{Go9, Go14, SlowBoard};
use crate::playout;
use std::thread;

fn task<G: Game>(root: G, line: &str, seed: u64) -> Task<G> {
    let mut moves = Vec::new();
    root.candidates(&mut moves);
    Task { root, moves, engine: Engine::parse(line).unwrap(), seed, previous: None }
}

/// Runs a search with some workers, as the pool does.
fn run<G: Game>(task: Task<G>, playouts: u64, workers: usize) -> Report {
    let (search, seed) = (start(task), 5);
    let budget = Budget::playouts(search.budget(Some(playouts)).unwrap());
    thread::scope(|scope| {
        for i in 0..workers {
            let (search, budget) = (&search, &budget);
            scope.spawn(move || search.work(&mut Worker::new(budget, seed, i)));
        }
    });
    search.report(&budget)
}

fn go9(n: usize, moves: usize, seed: u64) -> Go9 {
    let mut board = Go9::new(Size::new(n).unwrap(), 6.5);
    let mut rng = Rng::new(seed);
    (0..moves).for_each(|_| {
        board.play_random(&mut rng);
    });
    board
}

fn picture(rows: &str, to_play: crate::base::Color) -> Go9 {
    let slow = SlowBoard::from_picture(rows);
    let mut board = Go9::new(slow.size, 0.5);
    assert!(board.set_stones(slow.size.points().filter_map(|p| Some((p, slow.at(p)?)))));
    board.set_to_play(to_play);
    board
}

const LINES: [&str; 4] = ["mc", "uct", "uct threshold=1 first=1.1", "tree-uct final=rate"];

#[test]
fn exactly_the_budget_is_spent_with_any_number_of_workers() {
    for line in LINES {
        for (playouts, workers) in [(1, 1), (80, 1), (1_000, 1), (1_000, 2), (777, 3)] {
            let report = run(task(go9(9, 10, 1), line, 1), playouts, workers);
            let visits: u64 = report.moves.iter().map(|m| m.visits).sum();
            assert_eq!((report.playouts, visits), (playouts, playouts), "{line}, {workers} workers");
        }
    }
}

#[test]
fn one_worker_repeats_itself_and_another_seed_does_not() {
    for line in LINES {
        let search = |seed| run(task(go9(9, 20, 2), line, seed), 500, 1);
        assert_eq!(search(1), search(1), "{line}");
        assert_ne!(search(1), search(2), "{line}");
    }
}

#[test]
fn flat_mc_shares_playouts_evenly_and_does_not_depend_on_workers() {
    for playouts in [1, 79, 1_000, 12_345] {
        let one = run(task(go9(9, 3, 1), "mc", 7), playouts, 1);
        let (least, most) = (one.moves.iter().map(|m| m.visits).min(), one.moves.iter().map(|m| m.visits).max());
        assert!(most.unwrap() - least.unwrap() <= 1);
        assert_eq!(one, run(task(go9(9, 3, 1), "mc", 7), playouts, 3));
    }
    let each = run(task(go9(9, 30, 1), "mc each=17", 7), 5, 2);
    assert!(each.moves.iter().all(|m| m.visits == 17));
}

#[test]
fn flat_mc_rates_are_those_of_the_playouts() {
    let root = go9(9, 40, 4);
    let report = run(task(root.clone(), "mc each=300", 3), 0, 1);
    for stats in report.moves.iter().take(3) {
        let mut after = root.clone();
        after.play(stats.point);
        let mut rng = Rng::new(99);
        let wins: f32 = (0..300).map(|_| reward::step(playout::score(&after, &mut rng) * root.to_play().sign())).sum();
        // Two independent means of 300: 5 standard deviations apart at the most.
        assert!((wins / 300.0 - stats.rate).abs() < 5.0 * (0.5f32 / 300.0).sqrt(), "{stats:?}, {wins}");
    }
}

#[test]
fn the_best_move_comes_first_by_the_rule_asked_for() {
    let root = go9(9, 12, 8);
    let by_playouts = run(task(root.clone(), "uct", 1), 3_000, 1);
    assert!(by_playouts.moves.is_sorted_by(|a, b| a.visits >= b.visits));
    let by_rate = run(task(root.clone(), "uct final=rate", 1), 3_000, 1);
    assert!(by_rate.moves.is_sorted_by(|a, b| a.rate >= b.rate));
    let mc = run(task(root, "mc", 1), 3_000, 1);
    assert!(mc.moves.is_sorted_by(|a, b| a.rate >= b.rate));
}

#[test]
fn a_full_tree_stops_growing_and_the_search_goes_on() {
    let root = Go14::new(Size::new(14).unwrap(), 6.5);
    let report = run(task(root, "uct tree-mb=1 threshold=1", 1), 3_000, 2);
    assert_eq!(report.playouts, 3_000);
    assert!(report.nodes * size_of::<tree::Node>() <= 1 << 20, "{} nodes", report.nodes);
}

#[test]
fn uct_takes_the_centre_of_3x3_and_sees_that_black_has_all() {
    let mut root = Go9::new(Size::new(3).unwrap(), 5.5);
    root.set_to_play(Black);
    let report = run(task(root, "uct", 1), 20_000, 1);
    let best = report.best().unwrap();
    assert_eq!(Size::new(3).unwrap().point_to_gtp(best.point), "B2");
    assert!(best.rate > 0.95, "{}", best.rate);
}

#[test]
fn uct_finds_the_move_that_saves_or_kills() {
    let size = Size::new(9).unwrap();
    // Black's only eye space is three in a row: the middle point decides for both sides.
    let root = picture(
        "O O . O . O O O O
         O . O O O O . O .
         O O X X X X X O O
         O O X . . . X O O
         O O X X X X X O O
         O O O O O O O O O
         O X X X X X X X X
         X X . X . X . X .
         . X X X X X X X X",
        White,
    );
    let report = run(task(root.clone(), "uct", 1), 5_000, 1);
    assert_eq!(size.point_to_gtp(report.best().unwrap().point), "E6");
    let mut root = root;
    root.set_to_play(Black);
    assert_eq!(size.point_to_gtp(run(task(root, "uct", 1), 5_000, 1).best().unwrap().point), "E6");
}

#[test]
fn the_kept_tree_brings_the_playouts_made_below_it() {
    let root = go9(9, 6, 3);
    let first = start(task(root.clone(), "tree-uct", 1));
    let budget = Budget::playouts(20_000);
    first.work(&mut Worker::new(&budget, 1, 0));
    let report = first.report(&budget);
    let line = report.best().unwrap().pv.clone();
    let mut after = root;
    line[..2].iter().for_each(|&p| after.play(p));
    let mut next = task(after, "tree-uct", 2);
    next.previous = Some((first, line[..2].to_vec()));
    let next = start(next);
    let kept: u64 = next.report(&Budget::unlimited()).moves.iter().map(|m| m.visits).sum();
    assert!(kept > 20, "{kept} playouts kept");
    let budget = Budget::playouts(1_000);
    next.work(&mut Worker::new(&budget, 1, 0));
    let visits: u64 = next.report(&budget).moves.iter().map(|m| m.visits).sum();
    assert_eq!(visits, kept + 1_000);
}
