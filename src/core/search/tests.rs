//! Properties that hold for every engine, and what each allocation promises.

mod gobang;
mod shot_printed;

use super::*;
use crate::base::{Black, Rng, Size, White};
use crate::game::go::{Go9, Go14, SlowBoard};
use crate::playout;
use crate::playout::light::Light;
use std::thread;

type Former<G> = Option<(Arc<dyn Search<G>>, Vec<Point>)>;

fn task<G: Searchable>(root: G, line: &str, seed: u64) -> Arc<dyn Search<G>> {
    task_after(root, line, seed, None)
}

fn task_after<G: Searchable>(root: G, line: &str, seed: u64, previous: Former<G>) -> Arc<dyn Search<G>> {
    let mut moves = Vec::new();
    root.candidates(&mut moves);
    registry::build(prepare(root, moves, Engine::parse_for(G::KIND, line).unwrap(), seed, previous).0)
}

/// Runs a search with some workers, as the pool does; checks that the budget was spent.
fn run<G: Searchable>(search: Arc<dyn Search<G>>, playouts: u64, workers: usize) -> Report {
    run_seeded(search, playouts, workers, 5)
}

fn run_seeded<G: Searchable>(search: Arc<dyn Search<G>>, playouts: u64, workers: usize, seed: u64) -> Report {
    let budget = Budget::playouts(search.budget(Some(playouts)).unwrap());
    thread::scope(|scope| {
        for i in 0..workers {
            let (search, budget) = (&search, &budget);
            scope.spawn(move || search.work(&mut Worker::new(budget, seed, i)));
        }
    });
    assert_eq!(budget.spent(), search.budget(Some(playouts)).unwrap());
    search.report()
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

const LINES: [&str; 13] = [
    "mc",
    "uct",
    "uct threshold=1 first=1.1",
    "tree-uct final=rate",
    "moku",
    "moku-shot",
    "ucb1",
    "shot",
    "shot share=call candidates=filter4 where=tree from=2",
    "ruct",
    "ruct constant=theory oracle=resample depth=3",
    "inherited-uct cap=threshold reward=sigmoid",
    "handicap candidates=random from=1 where=tree",
];

#[test]
fn exactly_the_budget_is_spent_with_any_number_of_workers() {
    for line in LINES {
        for (playouts, workers) in [(1, 1), (80, 1), (1_000, 1), (1_000, 2), (777, 3)] {
            let report = run(task(go9(9, 10, 1), line, 1), playouts, workers);
            let visits: u64 = report.moves.iter().map(|m| m.visits).sum();
            // A resampling oracle makes a second playout that no node keeps.
            let kept = if line.contains("resample") { playouts.div_ceil(2)..=playouts } else { playouts..=playouts };
            assert!(kept.contains(&visits), "{line}, {workers} workers: {visits} of {playouts}");
        }
    }
}

#[test]
fn one_worker_repeats_itself_and_another_seed_does_not() {
    for line in LINES {
        let search = |seed| run_seeded(task(go9(9, 20, 2), line, seed), 500, 1, seed);
        assert!(search(1) == search(1), "{line}");
        assert!(search(1) != search(2), "{line}");
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
        let wins: f32 =
            (0..300).map(|_| reward::step(playout::score(&after, &Light, &mut rng) * root.to_play().sign())).sum();
        // Two independent means of 300: 5 standard deviations apart at the most.
        assert!((wins / 300.0 - stats.rate).abs() < 5.0 * (0.5f32 / 300.0).sqrt(), "{stats:?}, {wins}");
    }
}

#[test]
fn a_drawn_move_follows_the_playouts_and_the_seed() {
    let root = Go9::new(Size::new(5).unwrap(), 0.5);
    let report = run(task(root, "uct final=draw", 1), 600, 1);
    let mut counts = std::collections::BTreeMap::<u16, u32>::new();
    let games = 20_000;
    for seed in 0..games {
        let mut drawn = report.clone();
        drawn.draw(1.0, seed);
        let mut again = report.clone();
        again.draw(1.0, seed);
        assert_eq!(drawn.best().map(|m| m.point), again.best().map(|m| m.point));
        assert_eq!(drawn.moves.len(), report.moves.len());
        *counts.entry(drawn.moves[0].point.0).or_default() += 1;
    }
    let total = report.visits() as f64;
    for m in &report.moves {
        let (share, drawn) = (m.visits as f64 / total, *counts.get(&m.point.0).unwrap_or(&0) as f64 / games as f64);
        assert!((share - drawn).abs() < 0.02, "{share} of the playouts, drawn {drawn}");
    }
    // Hardly any spread is the best move.
    let mut best = report.clone();
    best.draw(0.01, 3);
    assert_eq!(best.moves[0].visits, report.moves[0].visits);
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
    assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 3_000);
    assert!(report.nodes * size_of::<tree::Node>() <= 1 << 20, "{} nodes", report.nodes);
}

#[test]
fn uct_takes_the_centre_of_3x3_and_sees_that_black_has_all() {
    let mut root = Go9::new(Size::new(3).unwrap(), 5.5);
    root.set_to_play(Black);
    let report = run(task(root, "uct", 1), 20_000, 1);
    let best = report.best().unwrap();
    assert_eq!(Size::new(3).unwrap().point_to_gtp(best.point), "B2");
    assert!(best.rate > 0.9, "{}", best.rate);
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
    let first = task(root.clone(), "tree-uct", 1);
    let report = run(first.clone(), 20_000, 1);
    let line = report.best().unwrap().pv.clone();
    let mut after = root;
    line[..2].iter().for_each(|&p| after.play(p));
    let next = task_after(after, "tree-uct", 2, Some((first, line[..2].to_vec())));
    let kept: u64 = next.report().moves.iter().map(|m| m.visits).sum();
    assert!(kept > 20, "{kept} playouts kept");
    let visits: u64 = run(next, 1_000, 1).moves.iter().map(|m| m.visits).sum();
    assert_eq!(visits, kept + 1_000);
}

// ---- SHOT

/// The rounds of a root call by the paper, with counts only: what each rank of children ends with.
fn shot_games_slow(moves: usize, budget: u64) -> Vec<u64> {
    let mut games = vec![0u64; moves];
    let mut left = budget;
    for g in games.iter_mut().take(budget as usize) {
        *g = 1;
        left -= 1;
    }
    let (mut size, mut b) = (moves, 0);
    while size > 1 && left > 0 {
        b += (budget / (size as u64 * bandit::rounds(moves))).max(1);
        for i in 0..size {
            let mut share = b.saturating_sub(games[i]);
            if size == 2 && i == 0 && share > 0 {
                share = left.saturating_sub(b.saturating_sub(games[1]));
            }
            let share = share.min(left);
            games[i] += share;
            left -= share;
        }
        size = size.div_ceil(2);
    }
    games[0] += left;
    games
}

#[test]
fn shot_shares_the_rounds_as_the_paper_does_whatever_the_rates() {
    for (skip, playouts) in [(0, 500), (0, 1_000), (10, 2_000), (30, 5_000), (60, 3_000), (3, 40)] {
        let root = go9(9, skip, 3);
        let report = run(task(root, "shot", 1), playouts, 1);
        let mut games: Vec<u64> = report.moves.iter().map(|m| m.visits).collect();
        games.sort_by(|a, b| b.cmp(a));
        let mut expected = shot_games_slow(report.moves.len(), playouts);
        expected.sort_by(|a, b| b.cmp(a));
        assert_eq!(games, expected, "{playouts} playouts after {skip} moves");
    }
}

#[test]
fn shot_does_not_depend_on_the_number_of_workers() {
    for (n, playouts) in [(9, 3_000), (5, 1_000)] {
        let one = run(task(go9(n, 4, 1), "shot", 9), playouts, 1);
        assert!(one == run(task(go9(n, 4, 1), "shot", 9), playouts, 2));
        assert!(one == run(task(go9(n, 4, 1), "shot", 9), playouts, 4));
    }
}

#[test]
fn shot_tries_every_move_once_before_any_twice_and_prints_drop_the_remainder() {
    let report = run(task(go9(9, 5, 2), "shot", 1), 76, 2);
    assert!(report.moves.iter().all(|m| m.visits == 1));
    let report = run(task(go9(9, 5, 2), "shot", 1), 50, 2);
    assert_eq!(report.moves.iter().filter(|m| m.visits == 1).count(), 50);
    // As printed the calls below the root leave some of their budget, and so does the root: fewer playouts than asked for.
    let search = task(go9(9, 5, 2), "shot remainder=drop share=call", 1);
    let budget = Budget::playouts(50_000);
    search.work(&mut Worker::new(&budget, 1, 0));
    assert!(budget.spent() < 50_000 && budget.spent() > 30_000, "{}", budget.spent());
}

#[test]
fn shot_needs_fewer_nodes_than_uct() {
    for playouts in [2_000, 20_000] {
        let shot = run(task(go9(9, 5, 2), "shot", 1), playouts, 1).nodes;
        let uct = run(task(go9(9, 5, 2), "uct", 1), playouts, 1).nodes;
        assert!(shot < uct, "{playouts} playouts: shot {shot}, uct {uct} nodes");
    }
}

#[test]
fn shot_without_a_limit_goes_on_until_it_is_stopped_and_always_has_an_answer() {
    let search = task(go9(9, 5, 2), "shot", 1);
    let budget = Budget::unlimited();
    thread::scope(|scope| {
        for i in 0..2 {
            let (search, budget) = (&search, &budget);
            scope.spawn(move || search.work(&mut Worker::new(budget, 1, i)));
        }
        while budget.spent() < 30_000 {
            thread::yield_now();
        }
        budget.stop();
    });
    let visits: u64 = search.report().moves.iter().map(|m| m.visits).sum();
    assert_eq!(visits, budget.spent(), "every playout made is kept");
    // A deadline has an answer too, and on a machine that is not too busy one that was chosen by halving.
    let halves_within = |milliseconds: u64| {
        let deadline = std::time::Instant::now() + std::time::Duration::from_millis(milliseconds);
        let timed = Budget::unlimited().with_deadline(Some(deadline));
        let search = task(go9(9, 5, 2), "shot", 1);
        search.work(&mut Worker::new(&timed, 1, 0));
        let moves = search.report().moves;
        moves[0].visits > moves[30].visits
    };
    assert!([100, 1_000, 10_000].into_iter().any(halves_within));
}

// ---- inheritance across turns

#[test]
fn flat_searches_inherit_a_part_of_two_plies_ago_and_new_moves_nothing() {
    for name in ["mc", "ucb1"] {
        let line = format!("{name} memory=inherit discount=0.25");
        let root = go9(9, 20, 5);
        let first = task(root.clone(), &line, 1);
        let before = run(first.clone(), 4_000, 1);
        let path: Vec<Point> = before.moves[..2].iter().map(|m| m.point).collect();
        let mut after = root;
        path.iter().for_each(|&p| after.play(p));
        let next = task_after(after.clone(), &line, 2, Some((first.clone(), path.clone()))).report();
        for stats in &next.moves {
            let (weight, rate) = before.of(stats.point).map_or((0.0, 0.5), |m| (0.25 * m.weight, m.rate));
            assert!((stats.weight - weight).abs() < 1e-3, "{name}: {stats:?}");
            assert!(weight == 0.0 || (stats.rate - rate).abs() < 1e-4);
        }
        // Only from two plies ago.
        let other = task_after(after, &line, 2, Some((first, path[..1].to_vec()))).report();
        assert!(other.moves.iter().all(|m| m.weight == 0.0));
    }
}

#[test]
fn discount_0_is_no_inheritance_at_all() {
    for name in ["mc", "ucb1", "uct"] {
        let root = go9(9, 20, 5);
        let first = task(root.clone(), name, 1);
        let path: Vec<Point> = run(first.clone(), 1_000, 1).moves[..2].iter().map(|m| m.point).collect();
        let mut after = root;
        path.iter().for_each(|&p| after.play(p));
        let former = Some((first, path));
        let plain = run(task_after(after.clone(), name, 2, former.clone()), 2_000, 1);
        let line = format!("{name} memory=inherit discount=0");
        assert_eq!(run(task_after(after, &line, 2, former), 2_000, 1), plain, "{name}");
    }
}

#[test]
fn inheriting_uct_grows_more_nodes() {
    let root = go9(9, 6, 5);
    let nodes = |line: &str| run(task(root.clone(), line, 1), 10_000, 1).nodes;
    let plain = nodes("uct threshold=10");
    assert!(nodes("inherited-uct discount=0.35") > plain);
    // As printed, what is inherited makes leaves grow; without that there is little difference.
    let (printed, made) = (nodes("inherited-uct discount=0.9"), nodes("inherited-uct discount=0.9 growth=made"));
    assert!(printed * 10 > plain * 12, "{printed} {plain}");
    assert!(made * 10 < plain * 11, "{made} {plain}");
}

/// With few playouts many moves look alike: no corner of the board may be preferred then.
#[test]
fn equals_are_told_apart_by_chance() {
    for line in ["mc", "ucb1", "uct", "shot"] {
        let size = Size::new(9).unwrap();
        let rows: Vec<usize> = (0..60)
            .map(|seed| run(task(Go9::new(size, 7.5), line, seed), 100, 1).moves[0].point)
            .map(|p| size.xy(p).1)
            .collect();
        let low = rows.iter().filter(|&&y| y < 4).count();
        assert!((10..=45).contains(&low), "{line}: {low} of 60 in the lower four rows");
    }
}

// ---- rewards and candidates in a search

#[test]
fn handicap_in_an_even_game_is_plain_uct() {
    let root = go9(9, 6, 11);
    let (reward, survey) = Reward::set(&Engine::parse("handicap").unwrap(), &root, &Light, 4);
    assert_eq!((reward, survey.map(|s| s.playouts)), (Reward::STEP, Some(500)), "an even position");
    let plain = run(task(root.clone(), "uct", 4), 3_000, 1);
    assert_eq!(run(task(root, "handicap", 4), 3_000, 1), plain);
}

#[test]
fn a_filter_at_the_root_halves_the_cost_of_a_budget_per_move() {
    let root = go9(9, 10, 3);
    let moves = |line: &str| run(task(root.clone(), line, 1), 1, 1).moves.len();
    let all = moves("mc each=2");
    assert_eq!(moves("mc each=2 candidates=filter4 from=1"), all.div_ceil(2));
    assert_eq!(moves("potential-mc"), all.div_ceil(2));
}

#[test]
fn every_pair_of_axis_values_runs_or_says_why_not() {
    let allocations = ["mc", "ucb1", "uct", "shot", "ruct"];
    let candidates = ["all", "filter1", "filter2", "filter3", "filter4", "random", "combination"];
    let rewards = ["step", "sigmoid", "dakv", "half-sigmoid", "sigmoid-komi"];
    let memories = ["none", "inherit", "tree"];
    let root = go9(5, 6, 3);
    let mut refused = 0;
    for allocation in allocations {
        for candidate in candidates {
            for reward in rewards {
                for memory in memories {
                    let line = format!("{allocation} candidates={candidate} reward={reward} memory={memory}");
                    match Engine::parse(&line) {
                        Ok(_) => {
                            let search = task(root.clone(), &line, 1);
                            let visits: u64 = run(search, 60, 1).moves.iter().map(|m| m.visits).sum();
                            assert_eq!(visits, 60, "{line}");
                        }
                        Err(why) => {
                            assert!(why.to_string().contains("works with"), "{line}: {why}");
                            refused += 1;
                        }
                    }
                }
            }
        }
    }
    // memory=tree with mc, ucb1, ruct and memory=inherit with shot, ruct.
    assert_eq!(refused, 5 * candidates.len() * rewards.len());
}

#[test]
fn a_search_does_not_keep_the_one_before_it_alive() {
    for line in LINES {
        let mut board = go9(9, 4, 1);
        let former = task(board.clone(), line, 1);
        let path = vec![run(former.clone(), 300, 1).moves[0].point];
        board.play(path[0]);
        let weak = Arc::downgrade(&former);
        let next = task_after(board, line, 2, Some((former, path)));
        assert!(weak.upgrade().is_none(), "{line}: the trees of a whole game would add up");
        run(next, 300, 1);
    }
}

#[test]
fn a_node_that_widens_looks_at_its_most_promising_moves_first() {
    let line = "moku memory=none prior-even=100 widen=2";
    let search = task(go9(9, 0, 1), line, 3);
    for (playouts, most) in [(1, 2), (100, 14), (3_000, 24)] {
        let report = run(search.clone(), playouts, 1);
        let (tried, others): (Vec<_>, Vec<_>) = report.moves.iter().partition(|m| m.visits > 0);
        assert!(tried.len() <= most, "{} of {most} after {playouts} more", tried.len());
        let least = tried.iter().map(|m| m.prior).fold(f32::INFINITY, f32::min);
        let in_view = others.iter().filter(|m| m.prior > least).count() + tried.len();
        assert!(in_view <= most, "{in_view} are as promising as those tried, {most} may be in view");
    }
    assert!(Engine::parse("uct widen=2").is_err(), "nothing says which moves are promising");
}

#[test]
fn by_bound_a_better_rate_counts_as_far_as_playouts_bear_it_out() {
    let stats = |weight: f32, rate: f32| MoveStats { weight, rate, ..MoveStats::new(Point(20), vec![]) };
    let first =
        |a: &MoveStats, b: &MoveStats, choose_by| MoveStats::order(choose_by)(a, b) == std::cmp::Ordering::Greater;
    // Found late, but well tried; and a lucky one.
    let (late, early, lucky) = (stats(455.0, 0.56), stats(1_938.0, 0.49), stats(3.0, 0.9));
    assert!(first(&late, &early, Final::Bound) && first(&early, &late, Final::Playouts));
    assert!(first(&late, &lucky, Final::Bound) && first(&lucky, &late, Final::Rate));
    let lost = MoveStats { proof: Some(Proof::Loss(3)), ..early };
    assert!(first(&lucky, &lost, Final::Bound));
}

#[test]
fn the_lower_bound_is_below_the_rate_and_rises_to_it_with_playouts() {
    for rate in [0.0, 0.2, 0.5, 1.0] {
        let mut last = 0.0;
        for weight in [1.0, 10.0, 1_000.0, 100_000.0] {
            let bound = MoveStats { weight, rate, ..MoveStats::new(Point(20), vec![]) }.lower_bound();
            assert!(bound >= last && bound <= rate, "{rate} in {weight}: {bound}");
            last = bound;
        }
        assert!(rate - last < 0.005);
    }
    assert_eq!(MoveStats::new(Point(20), vec![]).lower_bound(), 0.0);
}
