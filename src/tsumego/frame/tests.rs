//! A frame decides the game by the problem and leaves the problem alone.

use super::*;
use crate::base::{Black, White};
use crate::game::go::SlowBoard;
use proptest::prelude::*;
use std::path::Path;

/// Benson's unconditional life, step by step: the chains of one colour that live without a single answer.
fn benson(board: &SlowBoard, color: Color) -> BTreeSet<Point> {
    let mut chains: Vec<BTreeSet<Point>> = Vec::new();
    for p in board.size.points().filter(|&p| board.at(p) == Some(color)) {
        if !chains.iter().any(|chain| chain.contains(&p)) {
            chains.push(board.region(p));
        }
    }
    let mut regions: Vec<BTreeSet<Point>> = Vec::new();
    for p in board.size.points().filter(|&p| board.at(p) != Some(color)) {
        if regions.iter().any(|region| region.contains(&p)) {
            continue;
        }
        let (mut region, mut todo) = (BTreeSet::from([p]), vec![p]);
        while let Some(q) = todo.pop() {
            let next = board.size.neighbours(q).filter(|&r| board.at(r) != Some(color));
            todo.extend(next.filter(|&r| region.insert(r)));
        }
        regions.push(region);
    }
    let touches = |region: &BTreeSet<Point>, chain: &BTreeSet<Point>| {
        region.iter().any(|&p| board.size.neighbours(p).any(|q| chain.contains(&q)))
    };
    let is_vital = |region: &BTreeSet<Point>, chain: &BTreeSet<Point>| {
        let mut empty = region.iter().filter(|&&p| board.at(p).is_none());
        empty.all(|&p| board.size.neighbours(p).any(|q| chain.contains(&q)))
    };
    loop {
        let before = chains.len();
        let kept: Vec<BTreeSet<Point>> = chains
            .iter()
            .filter(|chain| {
                regions.iter().filter(|region| touches(region, chain) && is_vital(region, chain)).count() >= 2
            })
            .cloned()
            .collect();
        chains = kept;
        regions.retain(|region| {
            let around = region.iter().flat_map(|&p| board.size.neighbours(p)).filter(|&q| board.at(q) == Some(color));
            around.into_iter().all(|q| chains.iter().any(|chain| chain.contains(&q)))
        });
        if chains.len() == before {
            return chains.into_iter().flatten().collect();
        }
    }
}

#[test]
fn benson_knows_two_eyes_from_one_and_false_eyes() {
    let alive = SlowBoard::from_picture(
        ". X . X O . .
         X X X X O . .
         O O O O O . .
         . . . . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
    assert_eq!((benson(&alive, Black).len(), benson(&alive, White).len()), (6, 0));
    let false_eye = SlowBoard::from_picture(
        ". X . X O . .
         X X X O . . .
         O O O . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
    assert!(benson(&false_eye, Black).is_empty());
}

/// No group lives on less than the margin counts with: every set of stones on 4x3 points in a corner is tried.
#[test]
fn the_smallest_living_group_takes_eight_points() {
    let size = Size::new(6).unwrap();
    let points: Vec<Point> = (0..12).map(|i| size.point(i % 4, i / 4)).collect();
    let mut least = usize::MAX;
    for stones in 0..1 << 12 {
        let mut board = SlowBoard::new(size);
        size.points().for_each(|p| board.set(p, Some(White)));
        board.set(size.point(5, 5), None);
        for (i, &p) in points.iter().enumerate() {
            board.set(p, (stones >> i & 1 == 1).then_some(Black));
        }
        let alive = benson(&board, Black);
        let eyes = points.iter().filter(|&&p| board.at(p).is_none() && board.owner(p) == Some(Black)).count();
        if !alive.is_empty() {
            least = least.min(alive.len() + eyes);
        }
    }
    assert_eq!(least, LIFE);
}

fn board_of(problem: &Problem) -> SlowBoard {
    let mut board = SlowBoard::new(problem.size);
    problem.stones.iter().for_each(|&(p, color)| board.set(p, Some(color)));
    board
}

/// Black's area minus White's if so many points of ground and gap go to the defender and the others to the attacker.
fn score(framed: &Framed, to_defender: usize) -> i32 {
    let outside = |p: Point| framed.frame.iter().find(|stone| stone.0 == p).map(|stone| stone.1);
    let mut score = 0;
    let mut open = 0;
    let board = board_of(&framed.problem);
    for p in framed.problem.size.points() {
        let owner = outside(p).or_else(|| {
            // An eye of the frame has nothing but the frame around it.
            let around: Vec<Option<Color>> = board.size.neighbours(p).map(outside).collect();
            let is_eye = board.at(p).is_none() && around.iter().all(|color| *color == around[0]);
            if is_eye { around[0] } else { None }
        });
        match owner {
            Some(color) => score += color.sign() as i32,
            None => open += 1,
        }
    }
    let attacker = framed.attacker.sign() as i32;
    score + attacker * (open - 2 * to_defender as i32)
}

/// Everything that must hold of a frame.
fn check_frame(problem: &Problem, framed: &Framed) {
    let (before, after) = (board_of(problem), board_of(&framed.problem));
    let is_frame = |p: Point| framed.frame.iter().any(|stone| stone.0 == p);
    // The stones of the problem are there, turned by nothing: moved only.
    let own: Vec<(Point, Color)> = framed.problem.stones.iter().copied().filter(|stone| !is_frame(stone.0)).collect();
    assert_eq!(own.len(), problem.stones.len());
    let delta = |from: Point, to: Point| {
        let ((a, b), (x, y)) = (problem.size.xy(from), framed.problem.size.xy(to));
        (x as isize - a as isize, y as isize - b as isize)
    };
    let step = delta(problem.stones[0].0, own[0].0);
    for (old, new) in problem.stones.iter().zip(&own) {
        assert_eq!((delta(old.0, new.0), old.1), (step, new.1), "a stone of the problem was touched");
        assert_eq!(framed.in_file(new.0), Some(old.0));
        let moved: Vec<_> = before.liberties(old.0).into_iter().map(|p| problem.size.xy(p)).collect();
        let moved: Vec<_> = moved.iter().map(|&(x, y)| (x as isize + step.0, y as isize + step.1)).collect();
        let now: Vec<_> = after.liberties(new.0).into_iter().map(|p| framed.problem.size.xy(p)).collect();
        let now: Vec<_> = now.iter().map(|&(x, y)| (x as isize, y as isize)).collect();
        assert_eq!(moved, now, "liberties changed");
        let near = framed.problem.size.neighbours(new.0).chain(framed.problem.size.diagonals(new.0));
        assert!(near.into_iter().all(|q| !is_frame(q)), "the frame touches the problem");
    }
    // The frame is out of atari, and lives.
    for &(p, color) in &framed.frame {
        assert!(after.liberties(p).len() >= 2, "a frame stone is in atari");
        assert!(benson(&after, color).contains(&p), "a frame stone may die");
    }
    assert!(Color::BOTH.iter().all(|color| framed.frame.iter().any(|stone| stone.1 == *color)));
    // The result of the problem decides.
    let attacker = framed.attacker.sign() as i32;
    assert!(framed.killed > 0 && framed.alive > 0);
    assert_eq!(score(framed, 0) * attacker, framed.killed as i32);
    let defenders = problem.stones.iter().filter(|stone| stone.1 != framed.attacker).count();
    let life = if problem.goal == Some(Goal::Seki) { defenders.min(LIFE) } else { LIFE };
    assert_eq!(score(framed, life) * attacker, -(framed.alive as i32));
    for &p in framed.problem.right.iter().chain(&framed.problem.wrong) {
        assert!(!is_frame(p) && after.at(p).is_none());
    }
}

fn problem(n: usize, stones: Vec<(Cell, Color)>, right: Cell) -> Problem {
    let size = Size::new(n).unwrap();
    let mut stones: Vec<(Point, Color)> = stones.into_iter().map(|((x, y), color)| (size.point(x, y), color)).collect();
    stones.sort_by_key(|stone| stone.0);
    stones.dedup_by_key(|stone| stone.0);
    Problem { size, stones, right: vec![size.point(right.0, right.1)], ..example() }
}

/// Black to kill the corner group.
fn example() -> Problem {
    let text = "(;SZ[9]PL[B]AW[ba][bb][ab][cb]AB[da][db][cc][bc][ac](;B[aa]C[RIGHT]))";
    Problem::read(text.as_bytes(), Path::new("x.sgf")).unwrap().remove(0)
}

/// Stones near a corner, a side or the middle of a board; empty right move. Chains without liberties do not come up often.
fn any_problem() -> impl Strategy<Value = Problem> {
    (prop::sample::select(vec![9usize, 13, 19]), 2usize..8, 2usize..8, 0usize..3, 0usize..8, 0usize..3).prop_flat_map(
        |(n, width, height, place, turn, goal)| {
            let (x0, y0) = match place {
                0 => (0, 0),
                1 => ((n - width) / 2, 0),
                _ => ((n - width) / 2, (n - height) / 2),
            };
            let cell = (0..width, 0..height, any::<bool>());
            (prop::collection::vec(cell, 4..20), (0..width, 0..height)).prop_filter_map(
                "possible",
                move |(cells, right)| {
                    let right = (right.0 + x0, right.1 + y0);
                    let stone =
                        |(x, y, black): (usize, usize, bool)| ((x + x0, y + y0), if black { Black } else { White });
                    let stones: Vec<_> = cells.into_iter().map(stone).filter(|stone| stone.0 != right).collect();
                    let goal = [Goal::Kill, Goal::Live, Goal::Seki][goal];
                    let problem = Problem { goal: Some(goal), ..problem(n, stones, right) };
                    let problem = problem.turned(Turn::all().nth(turn)?);
                    problem.check().is_ok().then_some(problem)
                },
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn frames_leave_problems_alone_live_and_make_them_decide(problem in any_problem()) {
        if let Ok(framed) = frame(&problem, None) {
            check_frame(&problem, &framed);
        }
    }

    #[test]
    fn turned_problems_get_turned_frames(problem in any_problem()) {
        let framed = frame(&problem, None).ok();
        for turn in Turn::all() {
            let other = frame(&problem.turned(turn), None).ok();
            prop_assert_eq!(framed.is_some(), other.is_some());
            if let (Some(framed), Some(other)) = (&framed, &other) {
                // A side problem that cannot stand in the middle may go to either side of it.
                let sets = |framed: &Framed| (framed.problem.size, framed.killed, framed.frame.len());
                prop_assert_eq!(sets(framed), sets(other));
                if leans(&cells(&problem), problem.size.n()).iter().filter(|leans| **leans).count() == 2 {
                    // A problem that looks the same from two sides may be framed from either.
                    let mut alike = Turn::all().filter(|same| problem.turned(*same) == problem.turned(turn));
                    prop_assert!(alike.any(|same| framed.problem.turned(same).stones == other.problem.stones));
                }
            }
        }
    }
}

fn cells(problem: &Problem) -> Vec<Cell> {
    let points = problem.stones.iter().map(|stone| stone.0).chain(problem.right.iter().copied());
    points.map(|p| problem.size.xy(p)).collect()
}

#[test]
fn a_small_corner_fits_on_nine_lines_and_says_who_wins() {
    let framed = frame(&example(), None).unwrap();
    check_frame(&example(), &framed);
    assert_eq!((framed.problem.size.n(), framed.attacker), (9, Black));
    assert!(framed.explanation().starts_with("Komi 0: black wins by"), "{}", framed.explanation());
    let bigger = frame(&example(), Size::new(13)).unwrap();
    check_frame(&example(), &bigger);
    assert_eq!(bigger.problem.size.n(), 13);
}

/// A seki may leave the defender no more than his stones: two of them bring four points, so that the attacker may not win by
/// more than three. Where nobody says that a seki comes up, the explanation says what one would count.
#[test]
fn a_seki_counts_as_life_or_the_frame_says_that_it_may_not() {
    let stones =
        vec![((0, 1), White), ((1, 1), White), ((0, 2), Black), ((1, 2), Black), ((2, 1), Black), ((3, 3), Black)];
    let with = |goal: Goal| Problem { goal: Some(goal), to_play: Black, ..problem(9, stones.clone(), (0, 0)) };
    let seki = frame(&with(Goal::Seki), None).unwrap();
    check_frame(&with(Goal::Seki), &seki);
    assert!(seki.attacker == Black && seki.killed <= 3 && seki.explanation().ends_with("counts as life."));
    let kill = frame(&with(Goal::Kill), None).unwrap();
    let may_not = kill.explanation().contains("may not count as life");
    assert_eq!(may_not, kill.killed >= 4, "{}", kill.explanation());
}

#[test]
fn what_has_no_room_or_is_no_problem_is_refused_with_a_reason() {
    let stones = (0..19).map(|i| ((i, i % 3), [Black, White][i % 2])).chain([((9, 15), Black)]).collect();
    let wide = frame(&problem(19, stones, (3, 5)), None).unwrap_err().to_string();
    assert!(wide.contains("19x16 points") && wide.contains("no room"), "{wide}");
    let one_colour = frame(&problem(9, vec![((0, 0), Black)], (1, 1)), None).unwrap_err();
    assert!(matches!(one_colour, TsumegoError::OneColor), "{one_colour}");
    let dead = vec![((0, 0), Black), ((1, 0), White), ((0, 1), White)];
    assert!(matches!(frame(&problem(9, dead, (5, 5)), None), Err(TsumegoError::NoLiberty)));
}
