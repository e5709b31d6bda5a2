//! The features of `local` by the rules of the oracle board, and the tests that hold the fast ones to them.

use super::local::*;
use crate::base::{Color, Point, Rng, Size};
use crate::game::go::{Board, Go9, SlowBoard};
use std::collections::BTreeSet;

/// Liberties, up to 3, of a stone put here while the enemy has one on another point too.
fn liberties_after(board: &SlowBoard, p: Point, color: Color, filled: Option<Point>) -> usize {
    let takes = board
        .size
        .neighbours(p)
        .any(|q| board.at(q) == Some(color.opponent()) && board.liberties(q) == BTreeSet::from([p]));
    if takes {
        return 3;
    }
    let mut after = board.clone();
    after.set(p, Some(color));
    after.liberties(p).into_iter().filter(|&q| Some(q) != filled).count().min(3)
}

/// All features of an empty point, as often as it has them.
fn features(board: &SlowBoard, [last, previous]: [Point; 2], p: Point) -> Vec<usize> {
    let (size, me, you) = (board.size, board.to_play, board.to_play.opponent());
    let mut found = Vec::new();
    for (centre, first) in [(last, NEAR_LAST), (previous, NEAR_PREVIOUS)] {
        if !centre.is_pass() {
            found.extend(size.neighbours(centre).filter(|&q| q == p).map(|_| first));
            found.extend(size.diagonals(centre).filter(|&q| q == p).map(|_| first + 1));
        }
    }
    if last.is_pass() || board.at(last) != Some(you) {
        return found;
    }
    let liberties = |of: Point| board.liberties(of).into_iter().collect::<Vec<_>>();
    let stones = board.region(last).len();
    match liberties(last)[..] {
        [only] if only == p => found.push(CAPTURE + size_class(stones)),
        [a, b] if p == a || p == b => {
            let escapes = liberties_after(board, if p == a { b } else { a }, you, Some(p)) == 3;
            found.push(ATARI + usize::from(stones > 1) + 2 * usize::from(escapes));
        }
        _ => (),
    }
    let beside = |color: Option<Color>| {
        size.neighbours(last).filter(|&q| board.at(q) == color).map(|q| board.region(q)).collect::<BTreeSet<_>>()
    };
    for chain in beside(Some(me)) {
        let of = *chain.first().unwrap();
        let after = liberties_after(board, p, me, None);
        match liberties(of)[..] {
            [only] => {
                if only == p && after > 1 {
                    found.push(RUN + size_class(chain.len()) + if after > 2 { 4 } else { 0 });
                }
                let around = chain.iter().flat_map(|&q| size.neighbours(q));
                let hunters = around.filter(|&q| board.at(q) == Some(you));
                if hunters.into_iter().any(|q| liberties(q) == [p]) {
                    found.push(TAKE + size_class(chain.len()));
                }
            }
            [a, b] if p == a || p == b => {
                found.push(EXTEND + usize::from(chain.len() > 1) + 2 * usize::from(after > 2));
            }
            _ => (),
        }
    }
    for region in beside(None) {
        let entrances = size.neighbours(last).filter(|q| region.contains(q));
        let is_closed = |q: Point| size.neighbours(q).filter(|&r| board.at(r).is_none()).count() <= 2;
        let around = region.iter().flat_map(|&q| size.neighbours(q)).filter_map(|q| board.at(q));
        let owners: BTreeSet<usize> = around.map(Color::index).collect();
        let inside = |q: Point| size.neighbours(q).filter(|r| region.contains(r)).count();
        let most = region.iter().map(|&q| inside(q)).max().unwrap_or(0);
        let vital: Vec<Point> = region.iter().copied().filter(|&q| inside(q) == most).collect();
        if (3..=6).contains(&region.len()) && owners.len() == 1 && vital == [p] && entrances.into_iter().any(is_closed)
        {
            found.push(VITAL + region.len() - 3);
        }
    }
    found
}

/// Random games with captures, and every third position with the move handed over.
fn positions(mut visit: impl FnMut(&Go9, &SlowBoard)) {
    for (n, moves, games) in [(9, 110, 60), (5, 60, 150), (7, 90, 60), (3, 20, 60), (2, 12, 20)] {
        for seed in 0..games {
            let size = Size::new(n).unwrap();
            let mut rng = Rng::new(seed + 100 * n as u64);
            let (mut board, mut slow) = (Board::new(size, 0.0), SlowBoard::new(size));
            for ply in 0..moves {
                visit(&board, &slow);
                if ply % 3 == 2 {
                    board.set_to_play(board.to_play().opponent());
                    (slow.to_play, slow.ko) = (board.to_play(), None);
                    visit(&board, &slow);
                }
                slow = slow.after(board.play_random(&mut rng)).unwrap();
            }
        }
    }
}

#[test]
fn fast_features_around_the_last_moves_are_the_slow_ones() {
    let mut seen = [0; TACTICS];
    positions(|board, slow| {
        let mut fast = vec![Vec::new(); 128];
        visit(board, |p, feature| fast[p.index()].push(feature));
        for p in slow.size.points() {
            let mut plain = if slow.at(p).is_none() { features(slow, board.last_moves(), p) } else { Vec::new() };
            plain.iter().for_each(|&feature| seen[feature] += 1);
            plain.sort_unstable();
            fast[p.index()].sort_unstable();
            assert_eq!(fast[p.index()], plain, "{} in {slow:?}", slow.size.point_to_gtp(p));
        }
    });
    // A feature that random games never show would hide an error; self-atari is the board's own question. Large chains that
    // run to just two liberties are rare.
    let rare = (0..SELF_ATARI).filter(|&feature| seen[feature] == 0).collect::<Vec<_>>();
    assert!(rare.len() < 2, "{rare:?}");
}

#[test]
fn chains_in_atari_alone_have_the_same_features_as_among_all() {
    positions(|board, _| {
        let (mut all, mut alone) = (Vec::new(), Vec::new());
        visit_tactics(board, |p, feature| all.push((p, feature)));
        visit_ataris(board, |p, feature| alone.push((p, feature)));
        all.retain(|(_, feature)| (CAPTURE..ATARI).contains(feature));
        assert_eq!(alone, all);
    });
}

#[test]
fn a_pattern_has_one_number_in_all_turns_and_tells_eyes() {
    let patterns = patterns();
    positions(|board, slow| {
        let n = slow.size.n();
        let mirrored = |p: Point| {
            let (x, y) = slow.size.xy(p);
            slow.size.point(y, n - 1 - x)
        };
        let mut turned = Go9::new(slow.size, 0.0);
        let stones = slow.size.points().filter_map(|p| Some((mirrored(p), slow.at(p)?)));
        assert!(turned.set_stones(stones));
        for p in slow.size.points().filter(|&p| slow.at(p).is_none()) {
            for color in Color::BOTH {
                let seen = seen_by(board.neighbourhood(p), color);
                assert_eq!(is_eye(seen), board.is_eye(p, color));
                let number = patterns.number(seen);
                assert_eq!(number, patterns.number(seen_by(turned.neighbourhood(mirrored(p)), color)));
                assert!(number > 0 || n < 3, "every neighbourhood of a board has a number");
            }
        }
    });
}
