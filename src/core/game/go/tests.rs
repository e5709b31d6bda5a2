//! The fast board against the oracle, over random games on every class of size.

use super::*;
use crate::base::{Bits, Black, Color, Point, Rng, Size, White};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What knowledge asks about a point, asked of both.
fn assert_facts<const W: usize, const P: usize>(fast: &Board<W, P>, slow: &SlowBoard, p: Point) {
    let size = fast.size();
    let few: BTreeSet<Point> = fast.one_or_two_liberties(p).as_slice().iter().copied().collect();
    match slow.at(p) {
        Some(color) => {
            let (chain, liberties) = (slow.region(p), slow.liberties(p));
            assert_eq!(fast.chain_length(p), chain.len());
            assert!(if liberties.len() < 3 { few == liberties } else { few.is_empty() });
            let enemies: BTreeSet<Point> = chain
                .iter()
                .flat_map(|&q| size.neighbours(q))
                .filter(|&q| slow.at(q) == Some(color.opponent()) && slow.liberties(q).len() == 1)
                .flat_map(|q| slow.liberties(q))
                .collect();
            let mut found = facts::Few::<64>::new();
            fast.counter_captures(p, &mut found);
            assert_eq!(found.as_slice().iter().copied().collect::<BTreeSet<_>>(), enemies);
            assert!(Color::BOTH.iter().all(|&c| fast.is_own_in_atari(p, c) == (c == color && liberties.len() == 1)));
        }
        None => {
            let kind = |x: isize, y: isize| {
                let inside = 0..size.n() as isize;
                let on_board = inside.contains(&x) && inside.contains(&y);
                let color = on_board.then(|| slow.at(size.point(x as usize, y as usize)));
                color.map_or(3, |color| color.map_or(0, |c| c.index() as u16 + 1))
            };
            let (x, y) = (size.xy(p).0 as isize, size.xy(p).1 as isize);
            let steps = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
            let code = steps.iter().enumerate().fold(0, |code, (i, (dx, dy))| code | kind(x + dx, y + dy) << (2 * i));
            assert_eq!(fast.neighbourhood(p), code);
            for color in Color::BOTH {
                let mut turned = slow.clone();
                (turned.to_play, turned.ko, turned.suicide) = (color, None, false);
                let Some(after) = turned.after(p) else { continue };
                let takes = after.captures != turned.captures;
                let told = fast.after_stone(p, color);
                assert_eq!(told.takes, takes);
                if !takes {
                    assert_eq!(told.liberties as usize, after.liberties(p).len().min(2));
                    assert_eq!(told.stones, after.region(p).len());
                    assert_eq!(fast.is_self_atari(p, color), after.liberties(p).len() == 1);
                    if after.liberties(p).len() == 1 {
                        assert_eq!(fast.fills_eye(p, color), fills_eye_slow(&after, p), "{p:?}");
                    }
                }
            }
        }
    }
}

/// Shapes of stones of which their taker makes one eye at most, if he is answered.
const ONE_EYED: [&[(i32, i32)]; 8] = [
    &[(0, 0)],
    &[(0, 0), (1, 0)],
    &[(0, 0), (1, 0), (2, 0)],
    &[(0, 0), (1, 0), (0, 1)],
    &[(0, 0), (1, 0), (0, 1), (1, 1)],
    &[(0, 0), (1, 0), (2, 0), (1, 1)],
    &[(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)],
    &[(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)],
];

/// Does the chain of a stone just put fill a room of the enemy's but for his last liberty, in one of these shapes?
fn fills_eye_slow(after: &SlowBoard, p: Point) -> bool {
    let (chain, size) = (after.region(p), after.size);
    let room: BTreeSet<Point> = chain.union(&after.liberties(p)).copied().collect();
    let is_shut = room
        .iter()
        .flat_map(|&q| size.neighbours(q))
        .all(|q| room.contains(&q) || after.at(q) == after.at(p).map(Color::opponent));
    let mut around = chain.iter().flat_map(|&q| size.neighbours(q)).filter(|q| !room.contains(q));
    let is_last = around.all(|q| after.liberties(q) == after.liberties(p));
    // Turned in all ways, from its least corner.
    let normal = |cells: &[(i32, i32)]| {
        let least = |of: fn(&(i32, i32)) -> i32| cells.iter().map(of).min().unwrap_or(0);
        let (x0, y0) = (least(|c| c.0), least(|c| c.1));
        cells.iter().map(|(x, y)| (x - x0, y - y0)).collect::<BTreeSet<_>>()
    };
    let cells: Vec<(i32, i32)> = chain.iter().map(|&q| (size.xy(q).0 as i32, size.xy(q).1 as i32)).collect();
    let is_shape = |shape: &&[(i32, i32)]| {
        (0..8).any(|turn| {
            let turned = |&(x, y): &(i32, i32)| {
                let (x, y) = if turn & 1 == 0 { (x, y) } else { (-x, y) };
                let (x, y) = if turn & 2 == 0 { (x, y) } else { (x, -y) };
                if turn & 4 == 0 { (x, y) } else { (y, x) }
            };
            normal(&shape.iter().map(turned).collect::<Vec<_>>()) == normal(&cells)
        })
    };
    is_shut && is_last && ONE_EYED.iter().any(is_shape)
}

/// Every question the fast board answers, asked of both.
fn assert_agree<const W: usize, const P: usize>(fast: &Board<W, P>, slow: &SlowBoard) {
    let size = fast.size();
    assert_eq!(fast.to_play(), slow.to_play);
    assert_eq!(fast.passes(), slow.passes);
    assert_eq!((!fast.ko().is_pass()).then_some(fast.ko()), slow.ko, "ko point");
    assert_eq!([fast.captures(Black), fast.captures(White)], slow.captures);
    assert_eq!(fast.area(), slow.area());
    assert_eq!(fast.hash(), Board::<W, P>::hash_of(fast.stones(Black), fast.stones(White)));
    let owned = fast.owned();
    let mut sensible = Vec::new();
    for p in size.points() {
        assert_eq!(fast.color_at(p), slow.at(p));
        for color in Color::BOTH {
            assert_eq!(fast.stones(color).contains(p), slow.at(p) == Some(color));
            assert_eq!(fast.is_eye(p, color), slow.is_eye(p, color), "eye of {color}");
            assert_eq!(fast.eyes(color).contains(p), slow.is_eye(p, color), "set of eyes of {color}");
            assert_eq!(owned[color.index()].contains(p), slow.owner(p) == Some(color));
        }
        assert_eq!(Game::is_legal(fast, p), slow.is_legal(p), "legality of {} in\n{slow:?}", size.point_to_gtp(p));
        if slow.is_legal(p) && !slow.is_eye(p, slow.to_play) {
            sensible.push(p);
        }
        assert_facts(fast, slow, p);
        if slow.at(p).is_some() {
            let liberties = slow.liberties(p);
            assert_eq!(fast.chain(p).iter().collect::<BTreeSet<_>>(), slow.region(p));
            assert_eq!(fast.liberties_of(p).iter().collect::<BTreeSet<_>>(), liberties);
            assert_eq!(fast.is_in_atari(p), liberties.len() == 1);
            assert_eq!(fast.last_liberty(p), if liberties.len() == 1 { liberties.first().copied() } else { None });
        } else {
            assert!(!fast.is_in_atari(p) && fast.chain(p).is_empty());
        }
    }
    let mut found = Vec::new();
    fast.candidates(&mut found);
    found.retain(|p| !p.is_pass());
    assert_eq!(found, sensible);
}

/// A random game with passes, several moves of one colour in a row and filled eyes, then a playout, checked all along.
///
/// Returns how many times stones were put to death by their own side.
fn play_both<const W: usize, const P: usize>(n: usize, seed: u64, checks: usize, suicide: bool) -> usize {
    let size = Size::new(n).unwrap();
    let mut rng = Rng::new(seed);
    let mut fast = Board::<W, P>::new(size, 0.5);
    let mut slow = SlowBoard::new(size);
    fast.set_suicide(suicide);
    slow.suicide = suicide;
    let mut suicides = 0;
    let mut codes = facts::Neighbourhoods::of(&fast);
    let every = (size.area() * 2 / checks).max(1);
    for turn in 0..size.area() * 2 {
        if rng.below(20) == 0 {
            let color = Color::BOTH[rng.below(2) as usize];
            fast.set_to_play(color);
            if slow.to_play != color {
                (slow.to_play, slow.ko, slow.passes) = (color, None, 0);
            }
        }
        let wild: Vec<Point> = size.points().filter(|&p| Game::is_legal(&fast, p)).collect();
        let deaths: Vec<Point> = size.points().filter(|&p| fast.is_suicide(p)).collect();
        let p = match rng.below(10) {
            0 => Point::PASS,
            1..=5 if !deaths.is_empty() => deaths[rng.below(deaths.len() as u32) as usize],
            1..=3 if !wild.is_empty() => wild[rng.below(wild.len() as u32) as usize],
            _ => fast.clone().play_random(&mut rng),
        };
        let (before, mover) = (fast.last_moves()[0], fast.to_play());
        let enemies = fast.stones(mover.opponent());
        let dies = !p.is_pass() && fast.is_suicide(p);
        suicides += dies as usize;
        Game::play(&mut fast, p);
        match dies {
            true => codes = facts::Neighbourhoods::of(&fast), // playouts never do that
            false => codes.note(&fast, p, mover, enemies.minus(fast.stones(mover.opponent()))),
        }
        assert!(fast.empty().iter().all(|q| codes.at(q) == fast.neighbourhood(q)));
        assert_eq!(fast.last_moves(), [p, before]);
        slow = slow.after(p).expect("the fast board plays legal moves only");
        if turn % every == 0 {
            assert_agree(&fast, &slow);
        }
    }
    while fast.passes() < 2 && fast.captures(Black) + fast.captures(White) < 3 * size.area() {
        let p = fast.play_random(&mut rng);
        let mut plain = slow.clone();
        plain.suicide = false;
        let sensible = |q: Point| plain.is_legal(q) && !plain.is_eye(q, plain.to_play);
        assert!(if p.is_pass() { !size.points().any(sensible) } else { sensible(p) }, "playouts move sensibly");
        slow = slow.after(p).expect("playouts play legal moves only");
        if rng.below(every as u32) == 0 {
            assert_agree(&fast, &slow);
        }
    }
    assert_agree(&fast, &slow);
    suicides
}

#[test]
fn fast_board_and_oracle_agree_where_stones_are_put_to_death() {
    let suicides: usize = (0..60).map(|seed| play_both::<2, 128>(2 + seed as usize % 8, seed, 100, true)).sum();
    assert!(suicides > 100, "{suicides} suicides");
}

#[test]
fn a_single_stone_is_never_put_to_death_and_several_only_by_rules_that_let_them() {
    let slow = SlowBoard::from_picture(
        ". X O . .
         X X O . .
         O O O . X
         . . . X .
         . . . . X",
    );
    let mut board = Go9::new(slow.size, 0.5);
    assert!(board.set_stones(slow.size.points().filter_map(|p| Some((p, slow.at(p)?)))));
    let (several, alone) = (slow.size.point(0, 4), slow.size.point(4, 1));
    assert!(!Game::is_legal(&board, several));
    board.set_suicide(true);
    assert!(Game::is_legal(&board, several) && board.cleared().allows_suicide());
    let before = board.hash();
    let mut white = board.clone();
    white.set_to_play(White);
    assert!(!Game::is_legal(&white, alone));
    Game::play(&mut board, several);
    assert_eq!((board.captures(White), board.captures(Black), board.to_play()), (4, 0, White));
    assert!(board.hash() != before && board.stones(Black).len() == 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn fast_board_and_oracle_agree_up_to_9(n in 2usize..=9, seed: u64, suicide: bool) {
        play_both::<2, 128>(n, seed, 100, suicide);
    }
    #[test]
    fn fast_board_and_oracle_agree_up_to_14(n in 2usize..=14, seed: u64, suicide: bool) {
        play_both::<4, 256>(n, seed, 12, suicide);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn fast_board_and_oracle_agree_up_to_21(n in 15usize..=21, seed: u64) {
        play_both::<8, 512>(n, seed, 8, seed % 2 == 0);
    }
    #[test]
    fn fast_board_and_oracle_agree_up_to_25(n in 22usize..=25, seed: u64) {
        play_both::<16, 1024>(n, seed, 6, seed % 2 == 0);
    }
}

/// Positions reachable by legal moves (either colour at any time) from the empty board: all that Tromp counts, found
/// by the fast board alone.
fn count_reachable(n: usize) -> usize {
    let size = Size::new(n).unwrap();
    let key = |b: &Go9| (b.stones(Black), b.stones(White));
    let start = Go9::new(size, 0.0);
    let mut seen: HashSet<(Bits<2>, Bits<2>)> = HashSet::from([key(&start)]);
    let mut todo = vec![start];
    while let Some(board) = todo.pop() {
        for color in Color::BOTH {
            let mut board = board.clone();
            board.set_to_play(color.opponent());
            board.set_to_play(color); // forgets the ko
            for p in size.points().filter(|&p| board.is_legal(p)) {
                let mut next = board.clone();
                next.play(p);
                if seen.insert(key(&next)) {
                    todo.push(next);
                }
            }
        }
    }
    seen.len()
}

#[test]
fn reachable_positions_are_as_many_as_tromp_counted() {
    assert_eq!(count_reachable(2), 57);
    assert_eq!(count_reachable(3), 12_675);
}

/// About three minutes and several gigabytes.
#[test]
#[ignore = "slow: run on demand with --ignored"]
fn reachable_positions_of_4x4_are_as_many_as_tromp_counted() {
    assert_eq!(count_reachable(4), 24_318_165);
}

#[test]
fn equal_positions_have_equal_hashes_and_others_do_not() {
    let size = Size::new(5).unwrap();
    let mut by_hash: HashMap<u64, (Bits<2>, Bits<2>)> = HashMap::new();
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let mut board = Go9::new(size, 0.0);
        while board.passes() < 2 && board.captures(Black) < 100 {
            board.play_random(&mut rng);
            let stones = (board.stones(Black), board.stones(White));
            assert_eq!(*by_hash.entry(board.hash()).or_insert(stones), stones, "two positions, one hash");
        }
    }
    let positions: HashSet<_> = by_hash.values().collect();
    assert_eq!(positions.len(), by_hash.len(), "one position, two hashes");
}

/// 99.9 % quantile of chi-square, by Wilson and Hilferty.
fn chi_square_limit(degrees: f64) -> f64 {
    let a = 2.0 / (9.0 * degrees);
    degrees * (1.0 - a + 3.09 * a.sqrt()).powi(3)
}

#[test]
fn first_move_of_a_playout_is_uniform_over_the_sensible_moves() {
    let position = SlowBoard::from_picture(
        ". X . X O . O . .
         X X X O . O O . .
         . X O O O O . O O
         X . X X X O O O .
         . X . . X X X O .
         X X . X . X O O O
         O O X X X O O . O
         . O O X . X O O .
         O . O X X . X O O",
    );
    let mut middle = Go9::new(position.size, 6.5);
    middle.set_stones(position.size.points().filter_map(|p| Some((p, position.at(p)?))));
    for (board, rounds) in [(Go9::new(Size::new(9).unwrap(), 6.5), 81_000), (middle, 40_000)] {
        for color in Color::BOTH {
            let mut start = board.clone();
            start.set_to_play(color);
            let mut sensible = Vec::new();
            start.sensible_moves(&mut sensible);
            let mut rng = Rng::new(7);
            let mut counts: HashMap<Point, u32> = HashMap::new();
            for _ in 0..rounds {
                *counts.entry(start.clone().play_random(&mut rng)).or_default() += 1;
            }
            assert_eq!(counts.keys().copied().collect::<BTreeSet<_>>(), sensible.iter().copied().collect());
            let expected = rounds as f64 / sensible.len() as f64;
            let chi2: f64 = counts.values().map(|&c| (c as f64 - expected).powi(2) / expected).sum();
            assert!(chi2 < chi_square_limit(sensible.len() as f64 - 1.0), "chi-square {chi2} over {}", sensible.len());
        }
    }
}

#[test]
fn set_up_positions_are_played_on_like_any_other() {
    let mut rng = Rng::new(3);
    let size = Size::new(9).unwrap();
    for _ in 0..50 {
        let mut slow = SlowBoard::new(size);
        for _ in 0..rng.below(60) {
            let p = size.point(rng.below(9) as usize, rng.below(9) as usize);
            slow.set(p, Some(Color::BOTH[rng.below(2) as usize]));
        }
        let stones = size.points().filter_map(|p| Some((p, slow.at(p)?)));
        let mut fast = Go9::new(size, 0.0);
        assert_eq!(fast.set_stones(stones), slow.is_possible());
        if slow.is_possible() {
            assert_agree(&fast, &slow);
            for _ in 0..30 {
                let p = fast.play_random(&mut rng);
                slow = slow.after(p).unwrap();
            }
            assert_agree(&fast, &slow);
        } else {
            assert!(fast.stones(Black).is_empty() && fast.stones(White).is_empty(), "a refused set-up changes nothing");
        }
    }
}
