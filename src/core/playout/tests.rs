use super::block_four::{BlockFour, BlockRow};
use super::decisive::Decisive;
use super::light::Light;
use super::*;
use crate::base::{Black, Color, Size, White};
use crate::game::go::{Go9, Go21};
use crate::game::gobang::{Rule, SlowGobang};

/// Largest gap between two empirical distributions, in units in which 1.95 is passed by chance once in a thousand.
fn kolmogorov_smirnov(mut a: Vec<f32>, mut b: Vec<f32>) -> f64 {
    a.sort_by(f32::total_cmp);
    b.sort_by(f32::total_cmp);
    let share = |list: &[f32], x: f32| list.partition_point(|&y| y <= x) as f64 / list.len() as f64;
    let gap = a.iter().chain(&b).map(|&x| (share(&a, x) - share(&b, x)).abs()).fold(0.0, f64::max);
    gap * (a.len() as f64 * b.len() as f64 / (a.len() + b.len()) as f64).sqrt()
}

#[test]
fn one_game_at_a_time_and_lockstep_have_the_same_distribution_of_scores() {
    for (n, opening) in [(9, 0), (9, 30), (9, 60), (5, 0), (7, 10)] {
        let mut rng = Rng::new(n as u64);
        let mut start = Go9::new(Size::new(n).unwrap(), 0.0);
        (0..opening).for_each(|_| {
            start.play_random(&mut rng);
        });
        let games = 10_000;
        let single: Vec<f32> = (0..games).map(|_| score(&start, &Light, &mut rng)).collect();
        let mut many = Vec::new();
        let seeds: Vec<u64> = (0..games).collect();
        assert!(Light.has_lockstep(&start));
        Light.play_out_many(&vec![&start; games as usize], &seeds, &mut |_, score| many.push(score));
        let distance = kolmogorov_smirnov(single, many);
        assert!(distance < 1.95, "{n}x{n} after {opening} moves: {distance}");
    }
}

/// Every policy of a game: the same playout with and without a trace, and the trace leads to the same end.
fn assert_traced<G: Playable>(size: usize, choices: &[Choice]) {
    for choice in choices {
        let policy = G::policy(choice.clone()).unwrap();
        for seed in 0..50 {
            let start = G::new(Size::new(size).unwrap(), 0.5);
            let (mut bare, mut traced, mut replayed) = (start.clone(), start.clone(), start);
            let mut moves = Vec::new();
            let length = policy.play_out(&mut bare, &mut Rng::new(seed), None);
            assert_eq!(policy.play_out(&mut traced, &mut Rng::new(seed), Some(&mut moves)), length);
            assert_eq!(moves.len(), length);
            for p in moves {
                assert!(replayed.is_legal(p), "{choice:?} {p:?}");
                replayed.play(p);
            }
            for end in [&traced, &replayed] {
                assert_eq!(end.score(), bare.score());
                assert!(bare.size().points().all(|p| end.color_at(p) == bare.color_at(p)));
            }
            assert!(bare.is_over() || length == bare.playout_cap());
        }
    }
}

#[test]
fn a_trace_is_the_playout_and_costs_no_other_choice() {
    let go = [Choice::Light, Choice::Rules(rules::Settings::default()), softmax(), softmax_with(1), softmax_with(8)];
    assert_traced::<Go9>(9, &go);
    assert_traced::<Go21>(19, &go);
    assert_traced::<Gobang>(10, &[Choice::Light, Choice::BlockFour, Choice::Decisive]);
}

/// Who judges a position hands the move to either side.
#[test]
fn moves_are_legal_also_when_the_last_stone_is_their_own() {
    for choice in [Choice::Rules(rules::Settings::default()), softmax(), softmax_with(2)] {
        assert_legal(&*Go9::policy(choice).unwrap());
    }
}

fn softmax() -> Choice {
    softmax_with(0)
}

fn softmax_with(elsewhere: u64) -> Choice {
    let gammas = gammas::Gammas::embedded(Size::new(9).unwrap());
    Choice::Softmax(softmax::Settings { gammas, locality: 2.0, tactics: 1.2, elsewhere, weighed: 0 })
}

fn assert_legal(policy: &dyn Policy<Go9>) {
    for n in [2, 3, 5, 9] {
        let mut rng = Rng::new(n as u64);
        for _ in 0..2000 {
            let mut position = Go9::new(Size::new(n).unwrap(), 0.5);
            for _ in 0..rng.below(2 * (n * n) as u32) {
                position.play_random(&mut rng);
            }
            position.set_to_play(Color::BOTH[rng.below(2) as usize]);
            let (mut end, mut moves) = (position.clone(), Vec::new());
            policy.play_out(&mut end, &mut rng, Some(&mut moves));
            for p in moves {
                assert!(p.is_pass() || position.is_legal(p));
                position.play(p);
            }
        }
    }
}

#[test]
fn a_game_has_no_policy_of_another() {
    assert!(Go9::policy(Choice::BlockFour).is_none() && Go9::policy(Choice::Decisive).is_none());
    assert!(Gobang::policy(Choice::Rules(rules::Settings::default())).is_none());
}

fn fast(slow: &SlowGobang, to_play: Color) -> Gobang {
    let mut board = Gobang::new(slow.size, slow.rule);
    assert!(board.put_stones(&slow.stones()));
    board.set_to_play(to_play);
    board
}

#[test]
fn block_four_never_misses_a_block_over_100_000_playouts() {
    let mut blocks = 0u64;
    let mut ends = [0u64; 3];
    for t in 0..100_000u64 {
        let mut rng = Rng::new(mix(&[7, t]));
        let n = [10, 15, 7][t as usize % 3];
        let rule = if t % 5 == 0 { Rule::Freestyle } else { Rule::Exact };
        let mut board = Gobang::new(Size::new(n).unwrap(), rule);
        let mut slow = SlowGobang::new(board.size(), rule);
        let mut last = None;
        // A start with stones in it, so that the first move may have something to block.
        for _ in 0..rng.below(30) {
            if !board.is_over() {
                last = Some(board.play_random(&mut rng));
            }
        }
        board.size().points().for_each(|p| slow.set(p, board.color_at(p)));
        let (mut mover, mut moves) = (board.to_play(), Vec::new());
        BlockFour.play_out(&mut board, &mut rng, Some(&mut moves));
        for p in moves {
            let threats = last.map_or(Vec::new(), |last| slow.completions_of(last));
            blocks += u64::from(!threats.is_empty());
            assert!(threats.is_empty() || threats.contains(&p), "a four was left alone");
            slow.set(p, Some(mover));
            (last, mover) = (Some(p), mover.opponent());
        }
        assert_eq!(board.winner(), last.filter(|&p| slow.is_won_at(p)).and_then(|p| slow.at(p)));
        ends[board.winner().map_or(2, Color::index)] += 1;
    }
    assert!(blocks > 100_000, "there was something to block {blocks} times");
    assert!(ends.iter().all(|&n| n > 100), "{ends:?}");
}

#[test]
fn block_row_stops_rows_of_four_and_leaves_fours_with_a_gap() {
    let (mut stopped, mut left) = (0u64, 0u64);
    for t in 0..10_000u64 {
        let mut rng = Rng::new(mix(&[9, t]));
        let mut board = Gobang::new(Size::new(10).unwrap(), Rule::Exact);
        let mut slow = SlowGobang::new(board.size(), Rule::Exact);
        let (mut mover, mut last, mut moves) = (board.to_play(), None::<Point>, Vec::new());
        BlockRow.play_out(&mut board, &mut rng, Some(&mut moves));
        for p in moves {
            let threats = last.map_or(Vec::new(), |last| slow.completions_of(last));
            // With the point filled, the five that it completes begins or ends there.
            let is_end = |&&q: &&Point| {
                let full = slow.with(q, mover.opponent());
                let (x, y) = full.size.xy(q);
                let own = |dx: isize, dy: isize| {
                    let (x, y) = (x as isize + dx, y as isize + dy);
                    let inside = 0..full.size.n() as isize;
                    inside.contains(&x)
                        && inside.contains(&y)
                        && full.at(full.size.point(x as usize, y as usize)) == Some(mover.opponent())
                };
                let last = last.unwrap();
                let (a, b) = full.size.xy(last);
                let toward = ((a as isize - x as isize).signum(), (b as isize - y as isize).signum());
                !(own(toward.0, toward.1) && own(-toward.0, -toward.1))
            };
            let ends: Vec<Point> = threats.iter().filter(is_end).copied().collect();
            assert!(ends.is_empty() || ends.contains(&p), "a row of four was left alone");
            stopped += u64::from(!ends.is_empty());
            left += u64::from(ends.is_empty() && !threats.is_empty() && !threats.contains(&p));
            slow.set(p, Some(mover));
            (last, mover) = (Some(p), mover.opponent());
        }
    }
    assert!(stopped > 1_000 && left > 1_000, "{stopped} stopped, {left} left");
}

#[test]
fn playouts_choose_uniformly_among_empty_points_where_nothing_is_forced() {
    // The first move of a light playout from a board with some stones.
    let slow = SlowGobang::from_picture(
        ". . X . . .
         . O . . . .
         . . . X . .
         . . . . . .
         . O . . . .
         . . . . X .",
        Rule::Exact,
    );
    let board = fast(&slow, White);
    for choice in [Choice::Light, Choice::BlockFour, Choice::Decisive] {
        let policy = Gobang::policy(choice.clone()).unwrap();
        let mut counts = vec![0u32; 64];
        let playouts = 62_000;
        for t in 0..playouts {
            let mut moves = Vec::new();
            policy.play_out(&mut board.clone(), &mut Rng::new(t), Some(&mut moves));
            counts[moves[0].index()] += 1;
        }
        for p in slow.empty_points() {
            let expected = playouts as f64 / 31.0;
            let z = (counts[p.index()] as f64 - expected) / expected.sqrt();
            assert!(z.abs() < 4.5, "{choice:?} {} {z}", slow.size.point_to_gtp(p));
        }
    }
}

#[test]
fn decisive_playouts_win_stop_and_open_in_this_order() {
    let first = |picture: &str, to_play: Color| {
        let slow = SlowGobang::from_picture(picture, Rule::Exact);
        let mut firsts: Vec<String> = (0..200)
            .map(|t| {
                let mut moves = Vec::new();
                Decisive.play_out(&mut fast(&slow, to_play), &mut Rng::new(t), Some(&mut moves));
                slow.size.point_to_gtp(moves[0])
            })
            .collect();
        firsts.sort();
        firsts.dedup();
        firsts
    };
    let both_have_fours = "
        . . . . . . . .
        . X X X X . . .
        . . . . . . . .
        . . . . . . . .
        . . O O O O X .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .";
    assert_eq!(first(both_have_fours, Black), ["A7", "F7"]);
    assert_eq!(first(both_have_fours, White), ["B4"]);
    let only_white = "
        . . . . . . . .
        . . . . . . . .
        . . X X X . . .
        . . . . . . . .
        . . O O O O X .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .";
    assert_eq!(first(only_white, Black), ["B4"]);
    let open_three = "
        . . . . . . . .
        . . . . . . . .
        . . X X X . . .
        . . . . . . . .
        . . O . . O . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .";
    let found = first(open_three, Black);
    assert!(found.iter().all(|v| ["B6", "F6"].contains(&v.as_str())), "{found:?}");
}

#[test]
fn mercy_ends_playouts_that_one_side_has_won_by_far_and_hardly_ever_changes_who_wins() {
    let playouts = |mercy: f64| {
        let policy: Arc<dyn Policy<Go9>> =
            Go9::policy(Choice::Rules(rules::Settings { mercy, ..Default::default() })).unwrap();
        let start = Go9::new(Size::new(9).unwrap(), 7.5);
        let results = (0..2000).map(|seed| {
            let mut end = start.clone();
            let moves = policy.play_out(&mut end, &mut Rng::new(seed), None);
            (moves, end.score() > 0.0)
        });
        results.collect::<Vec<(usize, bool)>>()
    };
    // The same seeds make the same moves, so that playouts differ in where they end alone.
    let (whole, short) = (playouts(0.0), playouts(0.3));
    let pairs = || whole.iter().zip(&short);
    assert!(pairs().all(|(a, b)| b.0 <= a.0));
    assert!(pairs().filter(|(a, b)| b.0 < a.0).count() > 400, "it ends some of them");
    assert!(pairs().filter(|(a, b)| a.1 != b.1).count() < 20, "and seldom wrongly");
    assert_eq!(playouts(1.0), whole, "nobody leads by the whole board");
}
