use super::*;
use crate::base::{Black, Rng, White};
use proptest::prelude::*;

fn fast(slow: &SlowGobang, to_play: Color) -> Gobang {
    let mut board = Gobang::new(slow.size, slow.rule);
    assert!(board.put_stones(&slow.stones()));
    board.set_to_play(to_play);
    board
}

/// What the fast board knows is what the slow one says; `fours` too, which takes the slow one long.
fn assert_agrees(board: &Gobang, slow: &SlowGobang, fours: bool) {
    for p in slow.size.points() {
        assert_eq!(board.color_at(p), slow.at(p));
    }
    assert_eq!(board.winner(), slow.winner());
    assert_eq!(board.is_over(), slow.winner().is_some() || slow.empty_points().next().is_none());
    if board.winner().is_some() {
        return;
    }
    for color in Color::BOTH {
        let winning: Vec<Point> = board.winning_points(color).iter().collect();
        assert_eq!(winning, slow.winning_points(color), "{color} wins at");
        assert_eq!(board.has_winning_point(color), !winning.is_empty());
        if !fours {
            continue;
        }
        let mut has_open = false;
        for p in slow.empty_points().filter(|p| !winning.contains(p)) {
            let after = slow.with(p, color);
            let new: Vec<Point> = after.winning_points(color).into_iter().filter(|q| !winning.contains(q)).collect();
            let found = board.completions_after(color, p);
            // Ways that were there before are counted only if the stone is part of them.
            if winning.is_empty() {
                assert_eq!(
                    found.count as usize,
                    new.len().min(2),
                    "completions after {color} {}",
                    slow.size.point_to_gtp(p)
                );
                assert!(found.first.is_none_or(|q| new.contains(&q)));
            }
            assert!(new.is_empty() || board.possible_fours(color).contains(p), "no four is missed");
            has_open |= is_straight_open_four(&after, p, color);
        }
        if winning.is_empty() {
            assert!(!has_open || board.open_four(color).is_some(), "an open four of {color} is found");
            if let Some(p) = board.open_four(color) {
                assert!(slow.with(p, color).winning_points(color).len() >= 2);
            }
        }
    }
}

/// Four in a row through `p`, free at both ends to make five.
fn is_straight_open_four(after: &SlowGobang, p: Point, color: Color) -> bool {
    let wins = after.winning_points(color);
    let size = after.size;
    let at = |x: isize, y: isize| {
        let inside = 0..size.n() as isize;
        (inside.contains(&x) && inside.contains(&y)).then(|| size.point(x as usize, y as usize))
    };
    let (x, y) = size.xy(p);
    let (x, y) = (x as isize, y as isize);
    geometry::STEPS.into_iter().any(|(dx, dy)| {
        (-4..0).any(|start| {
            let cell = |k: isize| at(x + (start + k) * dx, y + (start + k) * dy);
            let ends = [cell(0), cell(5)];
            (1..5).all(|k| cell(k).is_some_and(|q| after.at(q) == Some(color)))
                && (1..5).any(|k| start + k == 0)
                && ends.into_iter().all(|end| end.is_some_and(|q| wins.contains(&q)))
        })
    })
}

/// Five, six and seven stones in a row in every direction, from every point where they fit: at edges and corners too.
#[test]
fn exactly_five_wins_in_all_directions_and_places_and_longer_rows_by_the_rule() {
    let size = Size::new(9).unwrap();
    for (dx, dy) in geometry::STEPS {
        for length in 4..=9isize {
            for (x, y) in size.points().map(|p| size.xy(p)) {
                let row: Option<Vec<Point>> = (0..length)
                    .map(|k| {
                        let (x, y) = (x as isize + k * dx, y as isize + k * dy);
                        let inside = 0..size.n() as isize;
                        (inside.contains(&x) && inside.contains(&y)).then(|| size.point(x as usize, y as usize))
                    })
                    .collect();
                let Some(row) = row else { continue };
                for rule in [Rule::Exact, Rule::Freestyle] {
                    for color in Color::BOTH {
                        for last in 0..length as usize {
                            // All but one stone first, where that is no win yet, then the last one.
                            let mut slow = SlowGobang::new(size, rule);
                            row.iter()
                                .enumerate()
                                .filter(|(k, _)| *k != last)
                                .for_each(|(_, &p)| slow.set(p, Some(color)));
                            if slow.winner().is_some() {
                                continue;
                            }
                            let mut board = fast(&slow, color);
                            let wins = length == 5 || length > 5 && rule == Rule::Freestyle;
                            assert_eq!(board.would_win(color, row[last]), wins, "{length} {rule:?}");
                            board.play(row[last]);
                            assert_eq!(board.winner(), wins.then_some(color), "{length} {rule:?}");
                            if last == 0 && x == y {
                                assert_agrees(&board, &slow.with(row[last], color), false);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Two boards beside each other; a stone on the star makes five on the left one and six on the right one.
const FIVES_AND_SIXES: [&str; 4] = [
    ". . . . . . .      O O O * O O .
     . . . . . . .      . . . . . . .
     . . . . . . .      . . . . . . .
     . . . . . . .      . . . . . . .
     . . . . . . .      . . . . . . .
     . . . . . . .      . . . . . . .
     . . * O O O O      . . . . . . .",
    ". . . . . . .      . . . . . . O
     . . . . . . .      . . . . . . O
     O . . . . . .      . . . . . . *
     O . . . . . .      . . . . . . O
     O . . . . . .      . . . . . . O
     * . . . . . .      . . . . . . O
     O . . . . . .      . . . . . . .",
    "* . . . . . .      . O . . . . .
     . O . . . . .      . . O . . . .
     . . O . . . .      . . . O . . .
     . . . O . . .      . . . . * . .
     . . . . O . .      . . . . . O .
     . . . . . . .      . . . . . . O
     . . . . . . .      . . . . . . .",
    ". . . . . . .      . . . . . O .
     . . . . . . .      . . . . O . .
     . . . . O . .      . . . O . . .
     . . . O . . .      . . * . . . .
     . . O . . . .      . O . . . . .
     . * . . . . .      O . . . . . .
     O . . . . . .      . . . . . . .",
];

#[test]
fn five_at_an_edge_wins_in_every_direction_and_six_by_the_rule() {
    for picture in FIVES_AND_SIXES {
        for (side, row) in [(0, 5), (1, 6)] {
            let half = |line: &str| line.split_whitespace().skip(7 * side).take(7).collect::<Vec<_>>().join(" ");
            let drawn = picture.lines().map(half).collect::<Vec<_>>().join("\n");
            let star = drawn.split_whitespace().position(|cell| cell == "*").unwrap();
            for (rule, wins) in [(Rule::Exact, row == 5), (Rule::Freestyle, true)] {
                let slow = SlowGobang::from_picture(&drawn, rule);
                let p = slow.size.point(star % 7, 6 - star / 7);
                let mut board = fast(&slow, White);
                assert_eq!(board.winning_points(White).contains(p), wins, "{drawn}");
                assert!(!board.would_win(Black, p));
                board.play(p);
                assert_eq!(board.winner(), wins.then_some(White), "{rule:?}\n{drawn}");
                assert_eq!(slow.with(p, White).winner(), board.winner());
            }
        }
    }
}

#[test]
fn overlines_in_pictures() {
    let slow = SlowGobang::from_picture(
        ". . . . X . . . .
         . . . . X . . . .
         . . . . X . . . .
         . . . . X . . . .
         . X X X . X X . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . O O O . O O . .",
        Rule::Exact,
    );
    let at = |vertex: &str| slow.size.point_from_gtp(vertex).unwrap();
    let board = fast(&slow, Black);
    assert!(board.would_win(Black, at("E5")), "six in the row, but five in the column");
    assert!(!board.would_win(White, at("E1")), "six in a row");
    let mut free = slow.clone();
    free.rule = Rule::Freestyle;
    assert!(fast(&free, Black).would_win(White, at("E1")));
    let five = slow.with(at("E5"), Black);
    assert_eq!(fast(&five, White).winner(), Some(Black));
    let both = five.with(at("E1"), White).with(at("B1"), Black);
    assert!(!Gobang::new(slow.size, Rule::Exact).put_stones(&both.stones()), "both have five");
    let six = slow.with(at("E1"), White);
    assert_eq!(fast(&six, Black).winner(), None, "whatever the order the six were put down in");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Games of random moves in a small part of the board, so that rows come about.
    #[test]
    fn the_fast_board_agrees_with_the_oracle_after_every_move(
        n in 5usize..=25, spread in 3u32..12, freestyle: bool, seed: u64,
    ) {
        let size = Size::new(n).unwrap();
        let rule = if freestyle { Rule::Freestyle } else { Rule::Exact };
        let mut rng = Rng::new(seed);
        let corner = |rng: &mut Rng| rng.below((n as u32).saturating_sub(spread) + 1) as usize;
        let (left, low) = (corner(&mut rng), corner(&mut rng));
        let side = (spread as usize).min(n) as u32;
        let mut board = Gobang::new(size, rule);
        let mut slow = SlowGobang::new(size, rule);
        for turn in 0..40 {
            let p = size.point(left + rng.below(side) as usize, low + rng.below(side) as usize);
            prop_assert_eq!(Game::is_legal(&board, p), !board.is_over() && slow.at(p).is_none());
            if !Game::is_legal(&board, p) {
                continue;
            }
            // Now and then the same colour again, as set-up and handicap do.
            if rng.below(4) == 0 {
                board.set_to_play(board.to_play().opponent());
            }
            slow.set(p, Some(board.to_play()));
            board.play(p);
            assert_agrees(&board, &slow, n <= 10 && turn % 8 == 7);
        }
    }
}

#[test]
fn distance_is_counted_in_steps_of_a_king() {
    for n in [5, 10, 25] {
        let size = Size::new(n).unwrap();
        let mut rng = Rng::new(n as u64);
        for distance in 1..4usize {
            let mut board = Gobang::new(size, Rule::Exact);
            (0..3).for_each(|_| {
                board.play_random(&mut rng);
            });
            let near = board.near(distance);
            for p in size.points() {
                let (x, y) = size.xy(p);
                let is_near = size.points().filter(|&q| board.color_at(q).is_some()).any(|q| {
                    let (a, b) = size.xy(q);
                    a.abs_diff(x).max(b.abs_diff(y)) <= distance
                });
                assert_eq!(near.contains(p), is_near && board.color_at(p).is_none());
            }
        }
    }
    let mut moves = Vec::new();
    assert!(Game::near(&Gobang::new(Size::new(15).unwrap(), Rule::Exact), 2, &mut moves));
    assert_eq!(moves, [Size::new(15).unwrap().point(7, 7)], "the first move is in the middle");
}

/// Checks a line of continuous fours on the slow board: every move of the winner leaves no other answer than the next,
/// but for the last four, which has two; and the last move makes five.
fn assert_wins(slow: &SlowGobang, color: Color, line: &[Point]) {
    let mut board = slow.clone();
    for (number, pair) in line.chunks(2).enumerate() {
        let (me, opponent) = (color, color.opponent());
        assert_eq!(board.at(pair[0]), None);
        board.set(pair[0], Some(me));
        if board.is_won_at(pair[0]) {
            assert_eq!(pair.len(), 1);
            return;
        }
        assert!(board.winning_points(opponent).is_empty(), "the opponent wins first");
        let ways = board.winning_points(me);
        let answer = *pair.get(1).expect("the line ends before the win");
        assert!(ways.contains(&answer));
        let is_last_four = 2 * number + 3 == line.len();
        assert_eq!(ways.len() > 1, is_last_four);
        board.set(answer, Some(opponent));
        assert!(!board.is_won_at(answer));
    }
    panic!("the line ends without a win");
}

/// A win by fours and fives alone, found by trying everything on the slow board.
fn has_fours_slow(slow: &SlowGobang, color: Color, depth: usize) -> bool {
    let opponent = color.opponent();
    if !slow.winning_points(color).is_empty() {
        return true;
    }
    if depth == 0 {
        return false;
    }
    slow.empty_points().any(|p| {
        let after = slow.with(p, color);
        let ways = after.winning_points(color);
        if ways.is_empty() || !after.winning_points(opponent).is_empty() {
            return false;
        }
        ways.len() >= 2 || {
            let answered = after.with(ways[0], opponent);
            !answered.is_won_at(ways[0]) && has_fours_slow(&answered, color, depth - 1)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn continuous_fours_are_found_exactly_when_there_are_some(n in 6usize..=9, stones in 6usize..24, freestyle: bool, seed: u64) {
        let size = Size::new(n).unwrap();
        let rule = if freestyle { Rule::Freestyle } else { Rule::Exact };
        let mut rng = Rng::new(seed);
        let mut board = Gobang::new(size, rule);
        for _ in 0..stones {
            if !board.is_over() {
                board.play_random(&mut rng);
            }
        }
        if !board.is_over() {
            let mut slow = SlowGobang::new(size, rule);
            size.points().for_each(|p| slow.set(p, board.color_at(p)));
            let color = board.to_play();
            let found = board.continuous_fours(1_000_000);
            prop_assert_eq!(found.is_some(), has_fours_slow(&slow, color, 20));
            if let Some(line) = found {
                assert_wins(&slow, color, &line);
                prop_assert!(board.is_still_won_by(&line));
                // The opponent to move: what spoils the line is found, and against all else the win stands.
                let mut before = board.clone();
                before.set_to_play(color.opponent());
                let spoilers = before.spoilers(&line);
                for p in slow.empty_points() {
                    let mut after = before.clone();
                    after.play(p);
                    prop_assert_eq!(spoilers.contains(p), !after.is_still_won_by(&line), "{}", size.point_to_gtp(p));
                    if !spoilers.contains(p) {
                        prop_assert!(has_fours_slow(&slow.with(p, color.opponent()), color, 20));
                    }
                }
            }
        }
    }
}
