//! Playouts by learned weights (Go; after Bouzy and Chaslot 2006, Coulom 2007): every move has a weight, the product of those
//! of its features (`knowledge::local`), and is chosen with the chance that this is of all moves' weights.
//!
//! The weight of a point's 3x3 neighbourhood is kept for all points and both colours as stones come and go, with sums over
//! sixteen points side by side, so that a draw looks at few of them. What moves around the last two do is worked out for
//! those alone. Two things are asked only of a move that was drawn: is it legal, and does it put itself into atari? If so it
//! is taken back with a chance that makes the weight of self-atari come out right, and another one is drawn.

use super::gammas::Gammas;
use super::near::Near;
use super::rules::{self, Rules};
use super::{Policy, happens, until_over};
use crate::base::{Bits, Color, Point, Rng};
use crate::game::go::Board;
use crate::game::go::facts::{Neighbourhood, Neighbourhoods};
use crate::knowledge::local::{self, TACTICS, size_class};
use crate::knowledge::local_weights::LocalWeights;
use std::sync::Arc;

/// Draws before a uniformly random move is made.
pub(super) const TRIES: usize = 12;

/// How moves are drawn.
#[derive(Clone, Debug)]
pub struct Settings {
    pub gammas: Arc<Gammas>,
    /// How many times as likely as learned moves around the last two are.
    pub locality: f64,
    /// The power to which the weights of what such moves do are taken.
    pub tactics: f64,
    /// How many points drawn at random stand for all others (`local`); 0: none do, each has its own weight.
    pub elsewhere: u64,
    /// Moves of a playout that are drawn so, before rules make those after them; 0: all.
    pub weighed: u64,
}

impl Settings {
    /// By the weights as they are.
    pub fn plain(weights: &LocalWeights) -> Settings {
        Settings { gammas: Arc::new(Gammas::new(weights)), locality: 1.0, tactics: 1.0, elsewhere: 0, weighed: 0 }
    }

    /// What the features of moves around the last two multiply their weight by.
    pub(super) fn factors(&self) -> [f32; TACTICS] {
        self.gammas.factors.map(|factor| libm::powf(factor, self.tactics as f32))
    }
}

pub struct Softmax {
    gammas: Arc<Gammas>,
    factors: [f32; TACTICS],
    locality: f32,
    mixture: Mixture,
}

impl Softmax {
    pub fn new(settings: &Settings) -> Softmax {
        Softmax {
            gammas: settings.gammas.clone(),
            factors: settings.factors(),
            locality: settings.locality as f32,
            mixture: Mixture::new(settings),
        }
    }

    #[inline(always)]
    fn step<const W: usize, const P: usize>(
        &self,
        board: &mut Board<W, P>,
        state: &mut State<P>,
        rng: &mut Rng,
    ) -> Point {
        let me = board.to_play();
        let enemies = board.stones(me.opponent());
        let p = match self.draw(board, state, rng) {
            Some(p) => {
                board.play(p);
                p
            }
            None => board.play_random(rng),
        };
        state.note(&self.gammas, board, p, me, enemies.minus(board.stones(me.opponent())));
        p
    }

    /// A move by the weights; none if the draws find nothing that may be played.
    #[inline(always)]
    fn draw<const W: usize, const P: usize>(
        &self,
        board: &Board<W, P>,
        state: &mut State<P>,
        rng: &mut Rng,
    ) -> Option<Point> {
        let me = board.to_play();
        let State { near, sums, .. } = state;
        let shift = 16 * me.index();
        let total = (sums.total >> (2 * shift)) as u32;
        near.around(board, &self.factors);
        local::visit_tactics(board, |p, feature| near.multiply(p, self.factors[feature]));
        let (mut weight_near, mut covered) = (0, 0);
        for i in 0..near.count {
            let gamma = sums.gammas[near.points[i] as usize & (P - 1)] >> shift & 0xffff;
            weight_near += near.weigh(i, gamma, self.locality);
            covered += gamma;
        }
        let elsewhere = total - covered;
        for _ in 0..TRIES {
            let all = weight_near + elsewhere;
            if all == 0 {
                return None;
            }
            let draw = rng.below(all);
            let p = if draw < weight_near {
                let i = near.at(draw);
                let p = Point(near.points[i]);
                if !board.is_legal(p) {
                    weight_near -= near.weights[i];
                    near.weights[i] = 0;
                    continue;
                }
                p
            } else {
                // Drawn among all points until it is none of those near: their weights are counted above.
                let mut p = anywhere(sums, shift, rng.below(total));
                while near.slot(p).1 {
                    p = anywhere(sums, shift, rng.below(total));
                }
                if !board.is_legal(p) {
                    continue;
                }
                p
            };
            if board.is_self_atari(p, me) {
                let size = size_class(board.after_stone(p, me).stones);
                if !happens(self.gammas.accepts[size], rng) {
                    continue;
                }
            }
            return Some(p);
        }
        None
    }
}

/// The point at which the weights of a colour reach a number below their sum.
#[inline(always)]
fn anywhere<const P: usize>(sums: &Sums<P>, shift: usize, mut draw: u32) -> Point {
    let mut bucket = 0;
    loop {
        let sum = (sums.buckets[bucket % SUMS] >> (2 * shift)) as u32;
        if draw < sum {
            break;
        }
        draw -= sum;
        bucket += 1;
    }
    let mut i = bucket * BUCKET;
    loop {
        let gamma = sums.gammas[i & (P - 1)] >> shift & 0xffff;
        if draw < gamma {
            return Point(i as u16);
        }
        draw -= gamma;
        i += 1;
    }
}

/// Points whose weights have a sum of their own, and the number of such sums on the largest board.
const BUCKET: usize = 16;
const SUMS: usize = 64;

/// What is kept during a playout.
struct State<const P: usize> {
    codes: Neighbourhoods<P>,
    sums: Sums<P>,
    near: Near<P>,
}

/// Weights of patterns and their sums. Both colours share a word, Black has the low half: one addition does for both.
#[derive(PartialEq)]
struct Sums<const P: usize> {
    /// The pattern's weight on each point, 0 where a stone stands; sums of sixteen; and of all.
    gammas: [u32; P],
    buckets: [u64; SUMS],
    total: u64,
}

/// Halves of 16 bits as halves of 32.
#[inline(always)]
fn widened(both: u32) -> u64 {
    (both & 0xffff) as u64 | ((both >> 16) as u64) << 32
}

impl<const P: usize> State<P> {
    fn of<const W: usize>(gammas: &Gammas, board: &Board<W, P>) -> Self {
        let codes = Neighbourhoods::of(board);
        let mut sums = Sums { gammas: [0; P], buckets: [0; SUMS], total: 0 };
        board.empty().visit(|p| sums.refresh(gammas, board, p, codes.at(p)));
        State { codes, sums, near: Near::new() }
    }

    /// After a move: what it put on the board, and what it took off.
    #[inline(always)]
    fn note<const W: usize>(&mut self, gammas: &Gammas, board: &Board<W, P>, p: Point, color: Color, taken: Bits<W>) {
        let State { codes, sums, .. } = self;
        codes.note_each(board, p, color, taken, |q, code| sums.refresh(gammas, board, q, code));
    }
}

impl<const P: usize> Sums<P> {
    #[inline(always)]
    fn refresh<const W: usize>(&mut self, gammas: &Gammas, board: &Board<W, P>, p: Point, code: Neighbourhood) {
        let i = p.index() & (P - 1);
        let mask = (board.is_empty_at(p) as u32).wrapping_neg();
        let gammas = gammas.patterns[code as usize] & mask;
        let change = widened(gammas).wrapping_sub(widened(self.gammas[i]));
        self.gammas[i] = gammas;
        self.buckets[i / BUCKET % SUMS] = self.buckets[i / BUCKET % SUMS].wrapping_add(change);
        self.total = self.total.wrapping_add(change);
    }
}

/// How playouts are made: the first moves are drawn by weights, those after them made by rules.
pub(super) struct Mixture {
    weighed: u64,
    rules: Rules,
}

impl Mixture {
    pub fn new(settings: &Settings) -> Mixture {
        let weighed = if settings.weighed == 0 { u64::MAX } else { settings.weighed };
        Mixture { weighed, rules: Rules::new(rules::Settings::default()) }
    }

    /// A playout whose first moves are made by `step`, from a state that has the neighbourhoods.
    #[inline(always)]
    pub fn play_out<const W: usize, const P: usize, S>(
        &self,
        board: &mut Board<W, P>,
        rng: &mut Rng,
        trace: Option<&mut Vec<Point>>,
        mut state: S,
        codes: impl Fn(&mut S) -> &mut Neighbourhoods<P>,
        step: impl Fn(&mut Board<W, P>, &mut S, &mut Rng) -> Point,
    ) -> usize {
        let mut left = self.weighed;
        until_over(board, rng, trace, |board, rng| {
            if left > 0 {
                left -= 1;
                step(board, &mut state, rng)
            } else {
                self.rules.step(board, codes(&mut state), rng)
            }
        })
    }
}

impl<const W: usize, const P: usize> Policy<Board<W, P>> for Softmax {
    fn play_out(&self, board: &mut Board<W, P>, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        let state = State::of(&self.gammas, board);
        let step = |board: &mut _, state: &mut _, rng: &mut _| self.step(board, state, rng);
        self.mixture.play_out(board, rng, trace, state, |state| &mut state.codes, step)
    }
}

#[cfg(test)]
mod tests {
    use super::super::balance::{self, Sample, balance, error_of};
    use super::super::local::Local;
    use super::super::slow_softmax::{Choices, SlowSoftmax};
    use super::*;
    use crate::base::Size;
    use crate::game::go::{Go9, Go21};
    use crate::knowledge::local_weights::{Balanced, LocalFile};
    use crate::knowledge::patterns::SMALL;
    use std::sync::atomic::AtomicBool;

    fn size(n: usize) -> Size {
        Size::new(n).unwrap()
    }

    fn weights(n: usize) -> LocalWeights {
        let text =
            [include_str!("../knowledge/weights/playout9.json"), include_str!("../knowledge/weights/playout19.json")];
        LocalFile::read(text[(n > SMALL) as usize]).unwrap().weights
    }

    fn settings(n: usize) -> Settings {
        Settings::plain(&weights(n))
    }

    fn embedded(n: usize) -> Softmax {
        Softmax::new(&settings(n))
    }

    /// Positions after so many moves of a playout.
    fn position<const W: usize, const P: usize>(n: usize, moves: usize, seed: u64) -> Board<W, P> {
        let (policy, mut trace) = (embedded(n), Vec::new());
        policy.play_out(&mut Board::<W, P>::new(size(n), 7.5), &mut Rng::new(seed), Some(&mut trace));
        let mut board = Board::new(size(n), 7.5);
        trace.iter().take(moves).for_each(|&p| board.play(p));
        board
    }

    /// Draws from a position many times and compares with the chances by definition.
    fn assert_chances<const W: usize, const P: usize>(board: &Board<W, P>) {
        let weights = weights(board.size().n());
        let (fast, slow) = (Softmax::new(&Settings::plain(&weights)), SlowSoftmax::new(&weights));
        let mut choices = Choices::default();
        slow.choices(board, &mut choices);
        let mut counts = vec![0u32; P];
        let draws = 40_000;
        let mut rng = Rng::new(5);
        for _ in 0..draws {
            // A fresh state each time: a draw forgets the weights of illegal moves.
            let mut state = State::of(&fast.gammas, board);
            let p = fast.draw(board, &mut state, &mut rng);
            counts[p.map_or(0, Point::index)] += 1;
        }
        for (&p, &chance) in choices.moves.iter().zip(&choices.chances) {
            let (expected, seen) = (f64::from(chance) * f64::from(draws), f64::from(counts[p.index()]));
            // Weights are whole numbers, so small chances are a little off.
            let spread = expected.max(4.0).sqrt() * 4.5 + 0.02 * expected;
            assert!((seen - expected).abs() < spread, "{} {seen} for {expected}", board.size().point_to_gtp(p));
        }
        assert!(counts[0] < draws / 100, "hardly ever no move at all: {}", counts[0]);
    }

    #[test]
    fn moves_are_drawn_by_their_weights() {
        for (moves, seed) in [(0, 1), (1, 2), (9, 3), (25, 4), (40, 5), (55, 6)] {
            assert_chances(&position::<2, 128>(9, moves, seed));
        }
        assert_chances(&position::<8, 512>(19, 90, 7));
        let mut handed_over = position::<2, 128>(9, 20, 8);
        handed_over.set_to_play(handed_over.to_play().opponent());
        assert_chances(&handed_over);
    }

    /// By the definition: one far point, any of them, weighs as much as all would if they were like it.
    #[test]
    fn a_point_that_stands_for_all_others_is_drawn_by_its_share() {
        use crate::knowledge::local::{ATARI, SELF_ATARI};
        let mut weights = weights(9);
        // What is asked of chains in atari alone.
        weights.all_mut()[ATARI..SELF_ATARI].fill(0.0);
        let slow = SlowSoftmax::new(&weights);
        let local = Local::new(&Settings { elsewhere: 1, ..Settings::plain(&weights) });
        let draws = 40_000;
        // Early, when no far move is refused and every empty point is open.
        for (moves, seed) in [(1, 2), (5, 3), (9, 4)] {
            let board = position::<2, 128>(9, moves, seed);
            let (mut choices, mut counts, mut rng) = (Choices::default(), vec![0u32; 128], Rng::new(seed));
            slow.choices(&board, &mut choices);
            assert_eq!(choices.moves.len(), board.empty().len());
            for _ in 0..draws {
                counts[local.first(&board, &mut rng).map_or(0, Point::index)] += 1;
            }
            let mut is_near = vec![false; choices.moves.len()];
            choices.features.iter().filter(|f| (f.1 as usize) < SELF_ATARI).for_each(|f| is_near[f.0 as usize] = true);
            let count = choices.moves.len();
            let near: f64 = (0..count).filter(|&i| is_near[i]).map(|i| f64::from(choices.chances[i])).sum();
            let mut expected = vec![0.0; count];
            for sample in 0..count {
                let far = if is_near[sample] { 0.0 } else { f64::from(choices.chances[sample]) * count as f64 };
                for i in (0..count).filter(|&i| is_near[i]) {
                    expected[i] += f64::from(choices.chances[i]) / (near + far) / count as f64;
                }
                expected[sample] += far / (near + far) / count as f64;
            }
            for (i, &p) in choices.moves.iter().enumerate() {
                let (expected, seen) = (expected[i] * f64::from(draws), f64::from(counts[p.index()]));
                let spread = expected.max(4.0).sqrt() * 4.5 + 0.03 * expected;
                assert!((seen - expected).abs() < spread, "{} {seen} for {expected}", board.size().point_to_gtp(p));
            }
        }
    }

    #[test]
    fn rules_make_the_moves_after_those_that_are_drawn_by_weights() {
        let board = position::<2, 128>(9, 10, 1);
        let trace = |policy: &dyn Policy<Go9>| {
            let mut moves = Vec::new();
            policy.play_out(&mut board.clone(), &mut Rng::new(3), Some(&mut moves));
            moves
        };
        let with = |elsewhere: u64, weighed: u64| Settings { elsewhere, weighed, ..settings(9) };
        for weighed in [1, 7, 24] {
            let softmax = [0, weighed].map(|weighed| trace(&Softmax::new(&with(0, weighed))));
            let local = [0, weighed].map(|weighed| trace(&Local::new(&with(1, weighed))));
            for [all, some] in [softmax, local] {
                assert_eq!(all[..weighed as usize], some[..weighed as usize]);
                assert_ne!(all, some);
            }
        }
    }

    #[test]
    fn what_is_kept_during_a_playout_is_what_the_board_says() {
        fn check<const W: usize, const P: usize>(mut board: Board<W, P>, seed: u64) {
            let policy = embedded(board.size().n());
            let (mut rng, mut state) = (Rng::new(seed), State::of(&policy.gammas, &board));
            while board.passes() < 2 {
                policy.step(&mut board, &mut state, &mut rng);
                let fresh = State::of(&policy.gammas, &board);
                assert!(state.sums == fresh.sums);
            }
        }
        (0..20).for_each(|seed| check(Go9::new(size(9), 7.5), seed));
        (0..20).for_each(|seed| check(Go9::new(size(4), 7.5), seed));
        check(Go21::new(size(19), 7.5), 1);
    }

    #[test]
    fn balancing_brings_the_mean_of_playouts_nearer_to_the_values_asked_and_threads_change_nothing() {
        // What playouts by the weights of the program come to is what playouts without weights should.
        let policy = embedded(5);
        let samples: Vec<Sample<Go9>> = (0..40)
            .map(|seed| {
                let position = position::<2, 128>(5, 6 + seed as usize % 6, seed);
                let mut rng = Rng::new(seed);
                let won = (0..300).filter(|_| crate::playout::score(&position, &policy, &mut rng) > 0.0).count();
                Sample { position, value: won as f32 / 300.0 }
            })
            .collect();
        let settings = balance::Settings { playouts: 32, passes: 15, rate: 0.1, threads: 1, seed: 1 };
        let run = |threads: usize| {
            let mut weights = LocalWeights::zero();
            let settings = balance::Settings { threads, ..settings };
            assert!(balance(&mut weights, &samples, &settings, &AtomicBool::new(false), &mut |_, _| ()));
            weights
        };
        let balanced = run(1);
        assert_eq!(balanced, run(3));
        let error =
            |weights: &LocalWeights| error_of(&Softmax::new(&Settings::plain(weights)), &samples, 300, &settings);
        let (before, after) = (error(&LocalWeights::zero()), error(&balanced));
        assert!(after < 0.9 * before, "{before} {after}");
        let stopped = AtomicBool::new(true);
        assert!(!balance(&mut LocalWeights::zero(), &samples, &settings, &stopped, &mut |_, _| ()));
    }

    #[test]
    fn a_file_of_weights_is_read_as_it_was_written_and_a_broken_one_is_refused() {
        let file = LocalFile::read(include_str!("../knowledge/weights/playout9.json")).unwrap();
        let balanced = Some(Balanced { positions: 5, playouts: 64, seed: 1, error_before: 0.25, error_after: 0.125 });
        let file = LocalFile { balanced, ..file };
        let text = file.write();
        assert_eq!(LocalFile::read(&text), Ok(file));
        for (from, to, hint) in [
            ("moku playout weights 1", "moku playout weights 9", "begins otherwise"),
            ("\"self-atari\"", "\"self-attari\"", "4 weights of self-atari"),
            ("\"0000\"", "\"zzzz\"", "no neighbourhood"),
            ("\"size\"", "\"sise\"", "missing field"),
        ] {
            assert!(text.contains(from), "{from}");
            let error = LocalFile::read(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(hint), "{error}");
        }
        let missing = Gammas::shared("no-such-file").err().map(|e| e.to_string()).unwrap_or_default();
        assert!(missing.starts_with("cannot read the weights no-such-file"), "{missing}");
    }
}
