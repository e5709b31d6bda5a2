//! The guide and what is learned for it: places against scanning, files, and a fit that finds weights again.

use super::fit::{Figures, Fit, Rates, Sample};
use super::guide::{Eyes, Guide, HALVES, PAIRS, SHAPES, STEPS, counts_pair, counts_shape, mirrored, steps};
use super::guide_file::{self, Header, HeldOut};
use super::samples::{self, Writer};
use super::slow::pair_slow;
use super::tests::{random_lines, slow_of};
use super::{Lines, Pair};
use crate::base::{Color, Point, Rng, Size};
use crate::game::gobang::{Rule, SlowGobang};
use crate::knowledge::weights::Fault;

const STEPS_BY: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The number of half a shape, by walking from the point.
fn half_slow(board: &SlowGobang, me: Color, p: Point, (dx, dy): (isize, isize)) -> usize {
    let (x, y) = (board.size.xy(p).0 as isize, board.size.xy(p).1 as isize);
    let on_board = |v: isize| (0..board.size.n() as isize).contains(&v);
    let cells = (1..=5).map(|k| (x + k * dx, y + k * dy)).take_while(|&(x, y)| on_board(x) && on_board(y));
    let digits: Vec<usize> = cells
        .map(|(x, y)| match board.at(board.size.point(x as usize, y as usize)) {
            None => 0,
            Some(color) if color == me => 1,
            Some(_) => 2,
        })
        .collect();
    let shorter: usize = (0..digits.len() as u32).map(|k| 3usize.pow(k)).sum();
    shorter + digits.iter().rev().fold(0, |number, digit| 3 * number + digit)
}

#[test]
fn places_are_what_walking_from_the_point_says() {
    for seed in 0..10 {
        let rule = [Rule::Exact, Rule::Freestyle][seed as usize % 2];
        let lines = random_lines(5 + seed as usize % 16, rule, 4 + seed as usize % 30, seed);
        let slow = slow_of(&lines);
        for me in Color::BOTH {
            let eyes = Eyes::of(me);
            for p in lines.empty_points().iter() {
                let places = eyes.places(&lines, p);
                for (place, (dx, dy)) in places.shapes.into_iter().zip(STEPS_BY) {
                    let (low, high) = (half_slow(&slow, me, p, (-dx, -dy)), half_slow(&slow, me, p, (dx, dy)));
                    assert_eq!(place, high * HALVES + low, "{} {me:?}", slow.size.point_to_gtp(p));
                    assert_eq!(mirrored(place), low * HALVES + high);
                }
                if p.index() % 7 != 0 {
                    continue; // scanning for pairs takes long
                }
                let pairs = [me, me.opponent()].map(|color| pair_slow(&slow, color, p).0 as usize);
                assert_eq!(places.pair, pairs[0] * Pair::COUNT + pairs[1]);
            }
        }
    }
}

#[test]
fn empty_space_has_no_weights_and_stones_have() {
    for n in [5, 10, 15, 20, 25] {
        let mut lines = Lines::new(Size::new(n).unwrap(), Rule::Exact);
        let eyes = Eyes::of(Color::Black);
        for p in lines.empty_points().iter() {
            let places = eyes.places(&lines, p);
            assert!(!counts_pair(places.pair) && places.shapes.iter().all(|&place| !counts_shape(place)));
        }
        let size = lines.size();
        lines.play(size.point(n / 2, n / 2), Color::White);
        let beside = eyes.places(&lines, size.point(n / 2 - 1, n / 2)).shapes;
        assert_eq!(beside.iter().filter(|&&place| counts_shape(place)).count(), 1);
    }
}

#[test]
fn steps_are_the_same_from_all_sides_and_differ_by_distance() {
    let size = Size::new(15).unwrap();
    let (from, mut seen) = (size.point(7, 7), std::collections::BTreeSet::new());
    for (a, b) in (0..=4).flat_map(|a| (0..=a).map(move |b| (a, b))) {
        let place = steps(size, size.point(7 + a, 7 + b), from);
        assert!(seen.insert(place) && place < STEPS - 1);
        for (x, y) in [(7 - a, 7 + b), (7 + b, 7 - a), (7 - b, 7 - a)] {
            assert_eq!(steps(size, size.point(x, y), from), place);
        }
    }
    assert_eq!(steps(size, size.point(7, 12), from), STEPS - 1);
    assert_eq!(steps(size, from, Point::PASS), STEPS - 1);
}

/// Positions whose values and shares follow from some weights.
fn made_up(count: u64) -> Vec<Sample> {
    let mut truth = Guide::zero();
    for place in (0..SHAPES).filter(|&place| counts_shape(place)) {
        let (a, b) = (place.max(mirrored(place)) as u64, place.min(mirrored(place)) as u64);
        let own = |half: usize| (0..5).any(|_| half % 3 == 1);
        truth.value.shapes[place] = 0.3 * f32::from(i8::from(own(place / HALVES)) + i8::from(own(place % HALVES)) - 1);
        truth.prior.shapes[place] = ((a * 31 + b * 17) % 5) as f32 / 2.0;
    }
    (0..count)
        .map(|seed| {
            let lines = random_lines(9, Rule::Exact, 6 + seed as usize % 6, seed);
            let me = Color::BOTH[seed as usize % 2];
            let last = [Point::PASS; 2];
            let eyes = Eyes::of(me);
            let weights: Vec<(Point, f32)> =
                lines.empty_points().iter().map(|p| (p, libm::expf(truth.prior(&lines, eyes, p, last)))).collect();
            let total: f32 = weights.iter().map(|w| w.1).sum();
            Sample {
                size: lines.size(),
                rule: lines.rule(),
                stones: Color::BOTH.map(|color| lines.stones(color).iter().collect()),
                me,
                last,
                state: 0,
                value: truth.value(&lines, me, 0),
                shares: weights.iter().map(|&(p, w)| (p, (w / total * 65_535.0) as u16)).collect(),
                is_complete: true,
            }
        })
        .collect()
}

#[test]
fn a_fit_comes_near_to_the_weights_that_made_the_positions() {
    let samples = made_up(1_500);
    let (learned, left_out) = samples.split_at(1_400);
    let figures = |guide: &Guide| {
        let mut figures = Figures::default();
        left_out.iter().for_each(|sample| figures.add(guide, sample));
        figures
    };
    let before = figures(&Guide::zero());
    let mut fit = Fit::new(Guide::zero(), Rates { value: 0.05, moves: 0.05 });
    for pass in 0..4 {
        assert!(fit.pass(learned, pass, &mut |_| true));
    }
    let after = figures(&fit.finish(1));
    assert!(after.error() < 0.5 * before.error(), "{} {}", after.error(), before.error());
    assert!(after.losses().1 < 0.5 * before.losses().1, "{:?} {:?}", after.losses(), before.losses());
    assert!(after.share_first() > 2.0 * before.share_first());
}

#[test]
fn a_fit_that_is_told_to_stop_stops_and_rare_shapes_get_no_weight() {
    let samples = made_up(40);
    let mut fit = Fit::new(Guide::zero(), Rates { value: 0.05, moves: 0.05 });
    assert!(!fit.pass(&samples, 1, &mut |done| done < 7));
    assert!(fit.guide.value.shapes.iter().any(|&w| w != 0.0));
    let guide = fit.finish(u32::MAX);
    assert!(guide.value.shapes.iter().chain(&guide.prior.shapes).all(|&w| w == 0.0));
    assert!(guide.value.pairs.iter().any(|&w| w != 0.0), "pairs are few and stay");
}

fn some() -> (Header, Guide) {
    let mut guide = Guide::zero();
    let mut rng = Rng::new(3);
    let mut weight = || (rng.below(4_000) as f32 - 2_000.0) / 256.0;
    for i in 0..2_000 {
        let place = i * i % SHAPES;
        for sums in [&mut guide.value, &mut guide.prior] {
            let w = weight();
            (sums.shapes[place], sums.shapes[mirrored(place)]) = (w, w);
            sums.pairs[i * 7 % PAIRS] = weight();
        }
    }
    guide.states = [0.5, -0.25, 1.0];
    guide.steps[1][4] = -2.0;
    let held_out = HeldOut { positions: 9, error: 0.1, error_by_hand: 0.2, first: 0.5, lost: 0.25 };
    let (rule, engine) = ("exact".to_string(), "puct".to_string());
    (Header { size: 15, rule, engine, games: 3, positions: 70, passes: 2, seed: 1, held_out }, guide)
}

#[test]
fn a_guide_that_is_written_is_read_again_and_a_changed_one_is_refused() {
    let (header, guide) = some();
    let bytes = guide_file::write(&header, &guide);
    let (again, read) = guide_file::read(&bytes).unwrap();
    assert!(again == header && read == guide);
    assert_eq!(guide_file::read(b"moku weights 1\n....").err(), Some(Fault::Foreign));
    for i in (30..bytes.len()).step_by(11) {
        let mut changed = bytes.clone();
        changed[i] ^= 4;
        assert!(guide_file::read(&changed).is_err(), "{i}");
        assert!(guide_file::read(&bytes[..i]).is_err(), "{i}");
    }
}

#[test]
fn the_weights_in_the_program_are_read() {
    let guide = Guide::built_in();
    assert!(guide.value.shapes.iter().filter(|&&w| w != 0.0).count() > 1_000);
    assert!((0..SHAPES).all(|place| guide.prior.shapes[place] == guide.prior.shapes[mirrored(place)]));
}

#[test]
fn games_on_disk_grow_and_a_torn_end_is_left_out() {
    let path = std::env::temp_dir().join(format!("moku-gobang-{}.part", std::process::id()));
    let games: Vec<Vec<Sample>> = made_up(12).chunks(4).map(<[Sample]>::to_vec).collect();
    let mut writer = Writer::open(&path, 7, &games[..1]).unwrap();
    games[1..].iter().for_each(|game| writer.add(game).unwrap());
    assert_eq!(samples::read(&path, Some(7)).unwrap(), games);
    assert!(samples::read(&path, Some(8)).unwrap_err().contains("other settings"));
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    assert_eq!(samples::read(&path, None).unwrap(), games[..2]);
    std::fs::write(&path, "something else").unwrap();
    assert!(samples::read(&path, None).unwrap_err().contains("no games"));
    std::fs::remove_file(&path).unwrap();
}
