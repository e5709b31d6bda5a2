//! Which moves a search may look at: the potential model of Oshima, Yamada and Endo.
//!
//! ```text
//! P(x,y)  = sum over stones k of v_k / 2^d_k      v = 2048 for own stones, -2048 for the opponent's; d Euclidean
//!                                                 (`positive=black`, as printed: 2048 for Black's, whoever moves)
//! PG(i,j) = |P(i-1,j) - P(i+1,j)| + |P(i,j-1) - P(i,j+1)|
//! ```
//!
//! In Gobang `near` keeps the moves near a stone, and `decisive` the moves that win or stop a win where there are any.
//!
//! Filters rank the moves by one of these and keep half, rounded up. They work only while there are at least `from`
//! moves, and not on an empty board. Just off the board P is evaluated by the same formula, so that edges compare.

use super::Engine;
use super::params::{Narrowing, Pass, Positive, Where};
use crate::base::order::best_first;
use crate::base::params::Named;
use crate::base::{Color, Point, Rng, Size};
use crate::game::Game;
use std::sync::OnceLock;

/// The value of a stone on its own point.
const STONE: f64 = 2048.0;

/// 2^-d by squared distance; the largest is from a point off one corner to the opposite corner of 25x25.
fn decay(squared: usize) -> f64 {
    static TABLE: OnceLock<Vec<f64>> = OnceLock::new();
    let most = 2 * (Size::MAX + 1).pow(2);
    TABLE.get_or_init(|| (0..=most).map(|q| libm::exp2(-libm::sqrt(q as f64))).collect())[squared]
}

/// P at every point and just off the board, from one player's side.
pub struct Potential {
    n: usize,
    values: Vec<f64>,
}

impl Potential {
    /// None on an empty board: there is no potential.
    pub fn new<G: Game>(position: &G, mover: Color) -> Option<Potential> {
        let size = position.size();
        let n = size.n();
        let stones: Vec<(usize, usize, i32)> = size
            .points()
            .filter_map(|p| {
                let (x, y) = size.xy(p);
                Some((x + 1, y + 1, if position.color_at(p)? == mover { 1 } else { -1 }))
            })
            .collect();
        if stones.is_empty() {
            return None;
        }
        // Stones are first counted by squared distance, then summed from near to far: points that are images of each
        // other under a symmetry of the position get the same value to the bit.
        let mut counts = vec![0i32; 2 * (n + 1).pow(2) + 1];
        let distances = squared_distances(n);
        let values = (0..(n + 2) * (n + 2))
            .map(|i| {
                let (x, y) = (i % (n + 2), i / (n + 2));
                for &(a, b, sign) in &stones {
                    counts[a.abs_diff(x).pow(2) + b.abs_diff(y).pow(2)] += sign;
                }
                let mut sum = 0.0;
                for &q in &distances {
                    sum += counts[q] as f64 * STONE * decay(q);
                    counts[q] = 0;
                }
                sum
            })
            .collect();
        Some(Potential { n, values })
    }

    fn value(&self, x: usize, y: usize) -> f64 {
        self.values[y * (self.n + 2) + x]
    }

    /// P on a point of the board.
    pub fn at(&self, size: Size, p: Point) -> f64 {
        let (x, y) = size.xy(p);
        self.value(x + 1, y + 1)
    }

    /// PG on a point of the board.
    pub fn gradient(&self, size: Size, p: Point) -> f64 {
        let (x, y) = size.xy(p);
        let (x, y) = (x + 1, y + 1);
        (self.value(x - 1, y) - self.value(x + 1, y)).abs() + (self.value(x, y - 1) - self.value(x, y + 1)).abs()
    }
}

/// All squared distances between a point on or just off an n x n board and a point on it, ascending.
fn squared_distances(n: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..=n).flat_map(|a| (0..=a).map(move |b| a * a + b * b)).collect();
    all.sort();
    all.dedup();
    all
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filter {
    All,
    /// The upper half by P, the lower half, the middle half, the upper half by PG.
    High,
    Low,
    Middle,
    Steep,
    /// Each move with probability 1/2, at least one.
    Random,
    /// Steep while there are at least `COMBINATION_FROM` moves, then middle.
    Combination,
    /// Moves at most this far from a stone.
    Near(usize),
}

/// Names as the papers and engine lines have them, and what they keep.
const FILTERS: [(Narrowing, Filter, &str); 7] = [
    (Narrowing::All, Filter::All, "every move"),
    (Narrowing::Filter1, Filter::High, "the upper half by potential P"),
    (Narrowing::Filter2, Filter::Low, "the lower half by potential P"),
    (Narrowing::Filter3, Filter::Middle, "the middle half by potential P"),
    (Narrowing::Filter4, Filter::Steep, "the upper half by gradient PG"),
    (Narrowing::Random, Filter::Random, "each move by the toss of a coin"),
    (Narrowing::Combination, Filter::Combination, "filter4 from 69 moves up, filter3 below"),
];

const COMBINATION_FROM: usize = 69;

/// The candidates axis of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Candidates {
    filter: Filter,
    from: usize,
    in_tree: bool,
    decisive: bool,
    positive: Positive,
    /// Is a pass always one of the moves?
    passes: bool,
}

/// What is left of a node's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    All,
    /// Some are missing, but one of those left is as good as any.
    Enough,
    /// Some are missing, perhaps good ones.
    Some,
}

impl Candidates {
    pub fn of(engine: &Engine) -> Candidates {
        let params = engine.params();
        let filter = match params.candidates {
            Narrowing::Near => Filter::Near(params.distance as usize),
            name => Filter::from_name(name.name()).unwrap_or(Filter::All),
        };
        let in_tree = matches!(filter, Filter::Near(_)) || params.filter_at == Where::Tree;
        Candidates {
            filter,
            from: params.from as usize,
            in_tree,
            decisive: params.decisive,
            positive: params.positive,
            passes: params.pass == Pass::Always,
        }
    }

    /// Drops moves at the root of a search.
    pub fn narrow_root<G: Game>(&self, position: &G, moves: &mut Vec<Point>, rng: &mut Rng) -> Kept {
        if self.decisive && self.take_urgent(position, moves) {
            return Kept::Enough;
        }
        let has_pass = self.passes || moves.contains(&Point::PASS);
        moves.retain(|p| !p.is_pass());
        let before = moves.len();
        match self.filter {
            Filter::All => {}
            Filter::Near(distance) => keep_near(distance, position, moves),
            filter if before >= self.from.max(1) => {
                let positive = match self.positive {
                    Positive::Mover => position.to_play(),
                    Positive::Black => Color::Black,
                };
                filter.narrow(position, positive, moves, rng);
            }
            _ => {}
        }
        let kept = if moves.len() == before { Kept::All } else { Kept::Some };
        if has_pass {
            moves.push(Point::PASS);
        }
        kept
    }

    /// Leaves only what must be looked at, if something must happen now.
    fn take_urgent<G: Game>(&self, position: &G, moves: &mut Vec<Point>) -> bool {
        let mut urgent = Vec::new();
        if !position.urgent(&mut urgent) {
            return false;
        }
        urgent.retain(|p| moves.contains(p));
        let some = !urgent.is_empty();
        if some {
            *moves = urgent;
        }
        some
    }

    /// Are nodes of the tree filtered too?
    pub fn in_tree(&self) -> bool {
        self.in_tree && self.filter != Filter::All || self.decisive
    }

    /// Drops moves at a node of the tree, if the engine filters there too.
    pub fn narrow<G: Game>(&self, position: &G, moves: &mut Vec<Point>, rng: &mut Rng) -> Kept {
        match self.in_tree {
            true => self.narrow_root(position, moves, rng),
            false if self.decisive && self.take_urgent(position, moves) => Kept::Enough,
            false => {
                if self.passes && !moves.contains(&Point::PASS) {
                    moves.push(Point::PASS);
                }
                Kept::All
            }
        }
    }
}

/// Leaves the moves near a stone, if that leaves any.
fn keep_near<G: Game>(distance: usize, position: &G, moves: &mut Vec<Point>) {
    let mut near = Vec::new();
    if position.near(distance, &mut near) {
        let mut is_near = [false; 1024];
        near.iter().for_each(|p| is_near[p.index()] = true);
        if moves.iter().any(|p| is_near[p.index()]) {
            moves.retain(|p| is_near[p.index()]);
        }
    }
}

impl Filter {
    /// The filters that drop moves, by name, with what they keep.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        FILTERS.iter().filter(|(_, filter, _)| *filter != Filter::All).map(|&(name, _, keeps)| (name.name(), keeps))
    }

    pub fn from_name(name: &str) -> Option<Filter> {
        FILTERS.iter().find(|(n, ..)| n.name() == name).map(|&(_, filter, _)| filter)
    }

    /// Leaves what the filter keeps of the moves, at least one, the stones of `positive` having a positive potential. Ties
    /// are broken at random.
    pub fn narrow<G: Game>(self, position: &G, positive: Color, moves: &mut Vec<Point>, rng: &mut Rng) {
        let (n, size) = (moves.len(), position.size());
        rng.shuffle(moves);
        let filter = match self {
            Filter::All => return,
            Filter::Near(distance) => return keep_near(distance, position, moves),
            Filter::Random => {
                let spared = moves.first().copied();
                moves.retain(|_| rng.below(2) == 0);
                if moves.is_empty() {
                    moves.extend(spared);
                }
                return;
            }
            Filter::Combination if n >= COMBINATION_FROM => Filter::Steep,
            Filter::Combination => Filter::Middle,
            other => other,
        };
        let Some(potential) = Potential::new(position, positive) else { return };
        let rank = |p: Point| match filter {
            Filter::Steep => potential.gradient(size, p),
            _ => potential.at(size, p),
        };
        let mut ranked: Vec<(f64, Point)> = moves.iter().map(|&p| (rank(p), p)).collect();
        best_first(&mut ranked, |&(rank, _)| rank); // the shuffle decides ties
        let kept = n.div_ceil(2);
        let start = match filter {
            Filter::Low => n - kept,
            Filter::Middle => n / 4,
            _ => 0,
        };
        *moves = ranked[start..start + kept].iter().map(|&(_, p)| p).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Black, White};
    use crate::game::go::{Go9, Go14};
    use std::collections::BTreeSet;

    fn random_position<const W: usize, const P: usize>(
        n: usize,
        moves: usize,
        seed: u64,
    ) -> crate::game::go::Board<W, P> {
        let mut board = crate::game::go::Board::new(Size::new(n).unwrap(), 6.5);
        let mut rng = Rng::new(seed);
        (0..moves).for_each(|_| {
            board.play_random(&mut rng);
        });
        board
    }

    /// The formula as printed, in the order of the stones.
    fn potential_slow<G: Game>(position: &G, mover: Color, x: f64, y: f64) -> f64 {
        let size = position.size();
        size.points()
            .filter_map(|p| {
                let (a, b) = size.xy(p);
                let v = if position.color_at(p)? == mover { 2048.0 } else { -2048.0 };
                Some(v / 2f64.powf(((a as f64 - x).powi(2) + (b as f64 - y).powi(2)).sqrt()))
            })
            .sum()
    }

    #[test]
    fn potential_and_gradient_are_the_formulas() {
        for seed in 0..40 {
            let board: Go14 = random_position(13, 5 + 3 * seed as usize, seed);
            let size = Game::size(&board);
            for mover in [Black, White] {
                let potential = Potential::new(&board, mover).unwrap();
                for p in size.points() {
                    let (x, y) = size.xy(p);
                    let (x, y) = (x as f64, y as f64);
                    let at = |dx: f64, dy: f64| potential_slow(&board, mover, x + dx, y + dy);
                    assert!((potential.at(size, p) - at(0.0, 0.0)).abs() < 1e-8);
                    let slope = (at(-1.0, 0.0) - at(1.0, 0.0)).abs() + (at(0.0, -1.0) - at(0.0, 1.0)).abs();
                    assert!((potential.gradient(size, p) - slope).abs() < 1e-8);
                }
            }
        }
    }

    fn kept(filter: Filter, board: &Go9, seed: u64) -> BTreeSet<Point> {
        let mut moves = Vec::new();
        board.sensible_moves(&mut moves);
        filter.narrow(board, board.to_play(), &mut moves, &mut Rng::new(seed));
        moves.into_iter().collect()
    }

    #[test]
    fn each_filter_keeps_half_rounded_up_and_the_first_two_are_complements() {
        for seed in 0..60 {
            let board: Go9 = random_position(9, 1 + seed as usize % 50, seed);
            let mut all = Vec::new();
            board.sensible_moves(&mut all);
            let n = all.len();
            for filter in [Filter::High, Filter::Low, Filter::Middle, Filter::Steep, Filter::Combination] {
                assert_eq!(kept(filter, &board, 1).len(), n.div_ceil(2));
            }
            let (high, low) = (kept(Filter::High, &board, 1), kept(Filter::Low, &board, 1));
            assert_eq!(high.union(&low).count(), n);
            assert_eq!(high.intersection(&low).count(), n % 2);
            // The middle half leaves out a quarter at the top: what it shares with the upper half is the rest of it.
            let middle = kept(Filter::Middle, &board, 1);
            assert_eq!(middle.intersection(&high).count(), n.div_ceil(2) - n / 4);
        }
    }

    #[test]
    fn with_black_always_positive_the_first_two_filters_are_exchanged_at_whites_turn() {
        let narrowed = |line: &str, board: &Go9| -> BTreeSet<Point> {
            let mut moves = Vec::new();
            board.sensible_moves(&mut moves);
            Candidates::of(&Engine::parse(line).unwrap()).narrow_root(board, &mut moves, &mut Rng::new(5));
            moves.into_iter().collect()
        };
        let mut turns = [0; 2];
        for seed in 0..20 {
            let board: Go9 = random_position(9, 10 + seed as usize, seed);
            let of = |filter: &str, positive| {
                narrowed(&format!("mc candidates={filter} from=1 positive={positive}"), &board)
            };
            let same = if board.to_play() == Black { "filter1" } else { "filter2" };
            turns[usize::from(board.to_play() == Black)] += 1;
            // The middle of an odd number belongs to both halves.
            let mut moves = Vec::new();
            board.sensible_moves(&mut moves);
            if moves.len() % 2 == 0 {
                assert_eq!(of("filter1", "black"), of(same, "mover"));
            }
            assert_eq!(of("filter4", "black"), of("filter4", "mover"));
        }
        assert!(turns.iter().all(|&n| n > 0));
    }

    #[test]
    fn every_kept_move_ranks_above_every_dropped_one() {
        for seed in 0..30 {
            let board: Go9 = random_position(9, 10 + seed as usize, seed);
            let size = Game::size(&board);
            let potential = Potential::new(&board, board.to_play()).unwrap();
            let mut all = Vec::new();
            board.sensible_moves(&mut all);
            for (filter, value) in [
                (Filter::High, (|v: &Potential, s, p| v.at(s, p)) as fn(&Potential, Size, Point) -> f64),
                (Filter::Steep, |v, s, p| v.gradient(s, p)),
            ] {
                let kept = kept(filter, &board, 3);
                let least = kept.iter().map(|&p| value(&potential, size, p)).fold(f64::INFINITY, f64::min);
                assert!(all.iter().filter(|p| !kept.contains(p)).all(|&p| value(&potential, size, p) <= least));
            }
        }
    }

    /// The point after a symmetry of the square: mirrored if odd, then turned.
    fn image(size: Size, p: Point, symmetry: usize) -> Point {
        let (mut x, mut y) = size.xy(p);
        if symmetry % 2 == 1 {
            x = size.n() - 1 - x;
        }
        for _ in 0..symmetry / 2 {
            (x, y) = (size.n() - 1 - y, x);
        }
        size.point(x, y)
    }

    #[test]
    fn images_of_a_position_have_the_image_of_its_potential_to_the_bit() {
        for seed in 0..20 {
            let board: Go9 = random_position(9, 15, seed);
            let size = Game::size(&board);
            let potential = Potential::new(&board, Black).unwrap();
            for symmetry in 0..8 {
                let stones = size.points().filter_map(|p| Some((image(size, p, symmetry), board.color_at(p)?)));
                let mut turned = Go9::new(size, 6.5);
                assert!(turned.set_stones(stones));
                let of_turned = Potential::new(&turned, Black).unwrap();
                for p in size.points() {
                    let q = image(size, p, symmetry);
                    assert_eq!(potential.at(size, p).to_bits(), of_turned.at(size, q).to_bits());
                    assert_eq!(potential.gradient(size, p).to_bits(), of_turned.gradient(size, q).to_bits());
                }
            }
        }
    }

    #[test]
    fn random_keeps_about_half_and_never_nothing_and_an_empty_board_is_not_filtered() {
        let board: Go9 = random_position(9, 10, 1);
        let total: usize = (0..2_000).map(|seed| kept(Filter::Random, &board, seed).len()).sum();
        let mean = total as f64 / 2_000.0 / 71.0;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        let mut one = vec![Point(15)];
        (0..50).for_each(|seed| Filter::Random.narrow(&board, Black, &mut one, &mut Rng::new(seed)));
        assert_eq!(one.len(), 1);
        let empty = Go9::new(Size::new(9).unwrap(), 6.5);
        assert_eq!(kept(Filter::Steep, &empty, 1).len(), 81);
    }

    #[test]
    fn a_filter_rests_below_its_threshold_and_leaves_the_pass_alone() {
        let board: Go9 = random_position(9, 30, 1);
        let engine = |line: &str| Candidates::of(&Engine::parse(line).unwrap());
        let mut all = Vec::new();
        board.sensible_moves(&mut all);
        let n = all.len();
        let narrowed = |line: &str| {
            let mut moves = all.clone();
            moves.push(Point::PASS);
            engine(line).narrow_root(&board, &mut moves, &mut Rng::new(1));
            assert!(moves.contains(&Point::PASS));
            moves.len() - 1
        };
        assert_eq!(narrowed(&format!("mc candidates=filter4 from={}", n + 1)), n);
        assert_eq!(narrowed(&format!("mc candidates=filter4 from={n}")), n.div_ceil(2));
        let mut moves = all.clone();
        engine("uct candidates=filter1 where=root").narrow(&board, &mut moves, &mut Rng::new(1));
        assert_eq!(moves.len(), n, "where=root filters no node of the tree");
    }
}
