//! Playouts by learned weights (Go; after Bouzy and Chaslot 2006, Coulom 2007): every move has a weight, the product of those
//! of its features (`knowledge::local`), and is chosen with the chance that this is of all moves' weights.
//!
//! The weight of a point's 3x3 neighbourhood is kept for all points and both colours as stones come and go, with sums over
//! sixteen points side by side, so that a draw looks at few of them. What moves around the last two do is worked out for
//! those alone. Two things are asked only of a move that was drawn: is it legal, and does it put itself into atari? If so it
//! is taken back with a chance that makes the weight of self-atari come out right, and another one is drawn.

use super::{Policy, happens, until_over};
use crate::base::{Bits, Color, Point, Rng, Size};
use crate::game::go::Board;
use crate::game::go::facts::Neighbourhoods;
use crate::knowledge::local::{self, NEAR_LAST, NEAR_PREVIOUS, SELF_ATARI, TACTICS, seen_by, size_class};
use crate::knowledge::local_weights::{LocalFile, LocalWeights};
use crate::knowledge::patterns::SMALL;
use crate::knowledge::weights::{Files, WeightsError};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Draws before a uniformly random move is made.
const TRIES: usize = 12;
/// The weight of the pattern with the greatest one; those of the others are whole numbers too, so that sums are exact.
const GREATEST: f32 = 60_000.0;
/// The greatest weight of a move, so that no sum is too great.
const MOST: f32 = (1 << 25) as f32;

fn embedded(text: &str) -> Arc<Softmax> {
    match LocalFile::read(text) {
        Ok(file) => Arc::new(Softmax::new(&file.weights)),
        Err(fault) => unreachable!("the weights of the program: {fault}"), // a test reads them
    }
}

pub struct Softmax {
    /// By neighbourhood: what it is worth to Black in the low half, to White in the high one; 0 for eyes.
    patterns: Vec<u32>,
    factors: [f32; TACTICS],
    /// How often a self-atari is accepted, by size class: bounds on 32 random bits.
    accepts: [u64; 4],
}

impl Softmax {
    /// With the weights that come with the program.
    pub fn embedded(size: Size) -> Arc<Softmax> {
        static EMBEDDED: [LazyLock<Arc<Softmax>>; 2] = [
            LazyLock::new(|| embedded(include_str!("../knowledge/weights/playout9.json"))),
            LazyLock::new(|| embedded(include_str!("../knowledge/weights/playout19.json"))),
        ];
        EMBEDDED[(size.n() > SMALL) as usize].clone()
    }

    /// With those of a file, which is read once.
    pub fn shared(path: &str) -> Result<Arc<Softmax>, WeightsError> {
        static FILES: Files<Softmax> = Files::new();
        FILES.get(path, || Ok(Softmax::new(&LocalFile::load(Path::new(path))?.weights)))
    }

    pub fn new(weights: &LocalWeights) -> Softmax {
        let numbers = local::patterns();
        let most = weights.patterns().iter().fold(f32::NEG_INFINITY, |most, &w| most.max(w));
        let gamma = |code: u16| match numbers.number(code) {
            _ if local::is_eye(code) => 0,
            number => (libm::expf(weights.patterns()[number] - most) * GREATEST).round().max(1.0) as u32,
        };
        Softmax {
            patterns: (0..=u16::MAX)
                .map(|code| gamma(seen_by(code, Color::Black)) | gamma(seen_by(code, Color::White)) << 16)
                .collect(),
            factors: std::array::from_fn(|i| libm::expf(weights.tactics()[i])),
            accepts: std::array::from_fn(|i| super::bound(libm::expf(weights.tactics()[SELF_ATARI + i]).into())),
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
        state.note(self, board, p, me, enemies.minus(board.stones(me.opponent())));
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
        let State { near, gammas, sums, total, .. } = state;
        let shift = 16 * me.index();
        let total = (*total >> (2 * shift)) as u32;
        near.around(board, &self.factors);
        local::visit_tactics(board, |p, feature| near.multiply(p, self.factors[feature]));
        let (mut weight_near, mut covered) = (0, 0);
        for i in 0..near.count {
            let gamma = gammas[near.points[i] as usize & (P - 1)] >> shift & 0xffff;
            near.weights[i] = (gamma as f32 * near.factors[i]).min(MOST) as u32;
            weight_near += near.weights[i];
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
                let mut p = anywhere(gammas, sums, shift, rng.below(total));
                while near.slot(p).1 {
                    p = anywhere(gammas, sums, shift, rng.below(total));
                }
                if !board.is_legal(p) {
                    continue;
                }
                p
            };
            if board.is_self_atari(p, me) {
                let size = size_class(board.after_stone(p, me).stones);
                if !happens(self.accepts[size], rng) {
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
fn anywhere<const P: usize>(gammas: &[u32; P], sums: &[u64; SUMS], shift: usize, mut draw: u32) -> Point {
    let mut bucket = 0;
    loop {
        let sum = (sums[bucket % SUMS] >> (2 * shift)) as u32;
        if draw < sum {
            break;
        }
        draw -= sum;
        bucket += 1;
    }
    let mut i = bucket * BUCKET;
    loop {
        let gamma = gammas[i & (P - 1)] >> shift & 0xffff;
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

/// What is kept during a playout. Both colours share a word, Black has the low half: one addition does for both.
struct State<const P: usize> {
    codes: Neighbourhoods<P>,
    /// The pattern's weight on each point, 0 where a stone stands; sums of sixteen; and of all.
    gammas: [u32; P],
    sums: [u64; SUMS],
    total: u64,
    near: Near<P>,
}

/// Halves of 16 bits as halves of 32.
#[inline(always)]
fn widened(both: u32) -> u64 {
    (both & 0xffff) as u64 | ((both >> 16) as u64) << 32
}

impl<const P: usize> State<P> {
    fn of<const W: usize>(policy: &Softmax, board: &Board<W, P>) -> Self {
        let mut state = State {
            codes: Neighbourhoods::of(board),
            gammas: [0; P],
            sums: [0; SUMS],
            total: 0,
            near: Near { count: 0, points: [0; 64], factors: [0.0; 64], weights: [0; 64], slots: [0; P] },
        };
        board.empty().visit(|p| state.refresh(policy, board, p));
        state
    }

    /// After a move: what it put on the board, and what it took off.
    #[inline(always)]
    fn note<const W: usize>(&mut self, policy: &Softmax, board: &Board<W, P>, p: Point, color: Color, taken: Bits<W>) {
        if p.is_pass() {
            return;
        }
        self.codes.note(board, p, color, taken);
        self.refresh_around(policy, board, p);
        if !taken.is_empty() {
            taken.visit(|q| self.refresh_around(policy, board, q));
        }
    }

    #[inline(always)]
    fn refresh_around<const W: usize>(&mut self, policy: &Softmax, board: &Board<W, P>, p: Point) {
        self.refresh(policy, board, p);
        for q in board.around(p) {
            self.refresh(policy, board, q);
        }
    }

    #[inline(always)]
    fn refresh<const W: usize>(&mut self, policy: &Softmax, board: &Board<W, P>, p: Point) {
        let i = p.index() & (P - 1);
        let mask = (board.is_empty_at(p) as u32).wrapping_neg();
        let gammas = policy.patterns[self.codes.at(p) as usize] & mask;
        let change = widened(gammas).wrapping_sub(widened(self.gammas[i]));
        self.gammas[i] = gammas;
        self.sums[i / BUCKET % SUMS] = self.sums[i / BUCKET % SUMS].wrapping_add(change);
        self.total = self.total.wrapping_add(change);
    }
}

/// The moves around the last two, each once, with what their features multiply their weight by.
struct Near<const P: usize> {
    count: usize,
    points: [u16; 64],
    factors: [f32; 64],
    weights: [u32; 64],
    /// Where a point may be in the list: it is there if the list says so too.
    slots: [u8; P],
}

impl<const P: usize> Near<P> {
    /// The slot of a point, and whether it has one: else it is the next free one.
    #[inline(always)]
    fn slot(&self, p: Point) -> (usize, bool) {
        let slot = self.slots[p.index() & (P - 1)] as usize % 64;
        let is_in = slot < self.count && self.points[slot] == p.0;
        (if is_in { slot } else { self.count % 64 }, is_in)
    }

    /// Never more than 64 points: 16 around, 2 of the chain of the last move, 9 for each of 4 chains, 4 eyes.
    #[inline(always)]
    fn multiply(&mut self, p: Point, factor: f32) {
        let (slot, is_in) = self.slot(p);
        self.factors[slot] = factor * if is_in { self.factors[slot] } else { 1.0 };
        self.points[slot] = p.0;
        self.slots[p.index() & (P - 1)] = slot as u8;
        self.count += !is_in as usize;
    }

    /// Begins with the points around the last two moves; those that are not empty weigh nothing.
    #[inline(always)]
    fn around<const W: usize>(&mut self, board: &Board<W, P>, factors: &[f32; TACTICS]) {
        let [last, previous] = board.last_moves();
        self.count = 0;
        if !last.is_pass() {
            for (i, p) in board.around(last).into_iter().enumerate() {
                self.points[i] = p.0;
                self.factors[i] = factors[NEAR_LAST + i / 4];
                self.slots[p.index() & (P - 1)] = i as u8;
            }
            self.count = 8;
        }
        if !previous.is_pass() {
            for (i, p) in board.around(previous).into_iter().enumerate() {
                self.multiply(p, factors[NEAR_PREVIOUS + i / 4]);
            }
        }
    }

    /// The place in the list at which the weights reach a number below their sum.
    #[inline(always)]
    fn at(&self, mut draw: u32) -> usize {
        let mut i = 0;
        while draw >= self.weights[i % 64] {
            draw -= self.weights[i % 64];
            i += 1;
        }
        i % 64
    }
}

impl std::fmt::Debug for Softmax {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Softmax").field("factors", &self.factors).finish_non_exhaustive()
    }
}

impl<const W: usize, const P: usize> Policy<Board<W, P>> for Softmax {
    fn play_out(&self, board: &mut Board<W, P>, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        let mut state = State::of(self, board);
        until_over(board, rng, trace, |board, rng| self.step(board, &mut state, rng))
    }
}

#[cfg(test)]
mod tests {
    use super::super::balance::{Sample, Settings, balance, error_of};
    use super::super::slow_softmax::{Choices, SlowSoftmax};
    use super::*;
    use crate::game::go::{Go9, Go21};
    use crate::knowledge::local_weights::Balanced;
    use std::sync::atomic::AtomicBool;

    fn size(n: usize) -> Size {
        Size::new(n).unwrap()
    }

    fn weights(n: usize) -> LocalWeights {
        let text =
            [include_str!("../knowledge/weights/playout9.json"), include_str!("../knowledge/weights/playout19.json")];
        LocalFile::read(text[(n > SMALL) as usize]).unwrap().weights
    }

    /// Positions after so many moves of a playout.
    fn position<const W: usize, const P: usize>(n: usize, moves: usize, seed: u64) -> Board<W, P> {
        let (policy, mut trace) = (Softmax::embedded(size(n)), Vec::new());
        policy.play_out(&mut Board::<W, P>::new(size(n), 7.5), &mut Rng::new(seed), Some(&mut trace));
        let mut board = Board::new(size(n), 7.5);
        trace.iter().take(moves).for_each(|&p| board.play(p));
        board
    }

    /// Draws from a position many times and compares with the chances by definition.
    fn assert_chances<const W: usize, const P: usize>(board: &Board<W, P>) {
        let weights = weights(board.size().n());
        let (fast, slow) = (Softmax::new(&weights), SlowSoftmax::new(&weights));
        let mut choices = Choices::default();
        slow.choices(board, &mut choices);
        let mut counts = vec![0u32; P];
        let draws = 40_000;
        let mut rng = Rng::new(5);
        for _ in 0..draws {
            // A fresh state each time: a draw forgets the weights of illegal moves.
            let mut state = State::of(&fast, board);
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

    #[test]
    fn what_is_kept_during_a_playout_is_what_the_board_says() {
        fn check<const W: usize, const P: usize>(mut board: Board<W, P>, seed: u64) {
            let policy = Softmax::embedded(board.size());
            let (mut rng, mut state) = (Rng::new(seed), State::of(&policy, &board));
            while board.passes() < 2 {
                policy.step(&mut board, &mut state, &mut rng);
                let fresh = State::of(&policy, &board);
                assert!(state.gammas == fresh.gammas && state.sums == fresh.sums && state.total == fresh.total);
            }
        }
        (0..20).for_each(|seed| check(Go9::new(size(9), 7.5), seed));
        (0..20).for_each(|seed| check(Go9::new(size(4), 7.5), seed));
        check(Go21::new(size(19), 7.5), 1);
    }

    #[test]
    fn balancing_brings_the_mean_of_playouts_nearer_to_the_values_asked_and_threads_change_nothing() {
        // What playouts by the weights of the program come to is what playouts without weights should.
        let policy = Softmax::embedded(size(5));
        let samples: Vec<Sample<Go9>> = (0..40)
            .map(|seed| {
                let position = position::<2, 128>(5, 6 + seed as usize % 6, seed);
                let mut rng = Rng::new(seed);
                let won = (0..300).filter(|_| crate::playout::score(&position, &*policy, &mut rng) > 0.0).count();
                Sample { position, value: won as f32 / 300.0 }
            })
            .collect();
        let settings = Settings { playouts: 32, passes: 15, rate: 0.1, threads: 1, seed: 1 };
        let run = |threads: usize| {
            let mut weights = LocalWeights::zero();
            let settings = Settings { threads, ..settings };
            assert!(balance(&mut weights, &samples, &settings, &AtomicBool::new(false), &mut |_, _| ()));
            weights
        };
        let balanced = run(1);
        assert_eq!(balanced, run(3));
        let error = |weights: &LocalWeights| error_of(&Softmax::new(weights), &samples, 300, &settings);
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
        let missing = Softmax::shared("no-such-file").err().map(|e| e.to_string()).unwrap_or_default();
        assert!(missing.starts_with("cannot read the weights no-such-file"), "{missing}");
    }
}
