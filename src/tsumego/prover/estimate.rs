//! Proof numbers for positions not yet searched.
//!
//! The best guess at a number is what it will cost to show the win, should it be one. So points of various kinds are
//! counted (room for eyes, sure and unsure, eyes, loose stones of the attacker, ...), and the logarithm of that cost is
//! taken for a sum of these counts, each with a weight; one set of weights for each side to move and each winner. `learn`
//! fits them to searched positions of random problems.

mod weights;

use super::grid::{Grid, Set, down, up};
use super::state::{Rules, State};
use crate::base::Point;

/// So many things are counted.
pub const COUNTS: usize = 32;
/// A weight of this doubles a number.
pub const DOUBLE: i32 = 1 << 12;
/// Numbers are so many doublings above the cost in nodes, to tell small differences.
pub const SCALE: i32 = 4;
const MOST_DOUBLINGS: i32 = 20;

/// What the logarithm of a number is made of.
#[derive(Clone, Copy)]
pub struct Weights {
    pub constant: i32,
    pub by_count: [i16; COUNTS],
}

pub type Counts = [i16; COUNTS];

/// What any position costs, and a move that is to be answered.
const BASE: u32 = 20;
const MOVE: u32 = 4;

/// A guess by size alone. It is the measure of [`super::Prover::grader`], so it stays as it is.
///
/// Both numbers grow with the square of the room for eyes that is left, since that is what there is to fight about, and
/// the attacker's much more: his quick kills are those that take room away. A side that waits for the opponent's move has
/// to answer each of them.
pub fn by_size(rules: &Rules, state: &State, room: Set, arena: Set) -> (u32, u32) {
    let moves = MOVE * (arena & rules.empty(state)).count_ones();
    let points = (room & !state.defender).count_ones();
    let pn = BASE + 20 * points + 10 * points * points;
    let dn = BASE + 2 * points * points;
    if state.attacker_moves { (pn, dn + moves) } else { (pn + moves, dn) }
}

/// The four ways to a neighbour, or to a diagonal one; for each the points that have a certain thing there.
type Ways = [Set; 4];
const BESIDE: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// What lies around a region, and what is counted in a position of it.
pub struct Counter {
    /// Points with the edge of the board, or the attacker's wall, beside them.
    edge: Ways,
    wall: Ways,
    /// The same at a diagonal; for the edge it does not matter where.
    diagonal_edge: Set,
    diagonal_wall: Ways,
}

/// Points by how many of four things they have: none, one, two, three or more.
struct ByNumber {
    none: Set,
    one: Set,
    two: Set,
    more: Set,
    four: Set,
}

impl ByNumber {
    #[inline(always)]
    fn of([a, b, c, d]: Ways) -> ByNumber {
        let (odd_ab, both_ab, odd_cd, both_cd) = (a ^ b, a & b, c ^ d, c & d);
        let odd = odd_ab ^ odd_cd;
        let four = both_ab & both_cd;
        let twos = both_ab ^ both_cd ^ odd_ab & odd_cd;
        ByNumber { none: !(odd | twos | four), one: odd & !twos, two: twos & !odd, more: odd & twos | four, four }
    }

    #[inline(always)]
    fn at_least_two(&self) -> Set {
        self.two | self.more
    }
}

#[inline(always)]
fn both(a: Ways, b: Ways) -> Ways {
    [a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]]
}

impl Counter {
    pub fn new(grid: &Grid) -> Counter {
        let size = grid.size();
        let neighbour = |p: Point, (dx, dy): (i32, i32)| {
            let (x, y) = size.xy(p);
            let (x, y) = (x.checked_add_signed(dx as isize)?, y.checked_add_signed(dy as isize)?);
            (x < size.n() && y < size.n()).then(|| size.point(x, y))
        };
        let all = |way, is_wanted: &dyn Fn(Option<Point>) -> bool| {
            let wanted = grid.points(grid.region).filter(|&p| is_wanted(neighbour(p, way)));
            wanted.fold(0, |set: Set, p| set | grid.bit(p))
        };
        let is_off = |p: Option<Point>| p.is_none();
        let is_wall = |p: Option<Point>| p.is_some_and(|p| grid.bit(p) & grid.region == 0);
        Counter {
            edge: BESIDE.map(|way| all(way, &is_off)),
            wall: BESIDE.map(|way| all(way, &is_wall)),
            diagonal_edge: DIAGONAL.into_iter().fold(0, |set, way| set | all(way, &is_off)),
            diagonal_wall: DIAGONAL.map(|way| all(way, &is_wall)),
        }
    }

    /// A guess at the proof and the disproof number; `last` is the chain that is taken last.
    pub fn numbers(&self, rules: &Rules, state: &State, room: Set, last: Set, arena: Set) -> (u32, u32) {
        let counts = self.counts(rules, state, room, last, arena);
        let [pn, dn] = &weights::WEIGHTS[usize::from(state.attacker_moves)];
        (number(pn, &counts), number(dn, &counts))
    }

    /// What there is in a position.
    #[inline(always)]
    pub fn counts(&self, rules: &Rules, state: &State, room: Set, last: Set, arena: Set) -> Counts {
        let grid = &rules.grid;
        let stride = grid.stride();
        let beside = |set: Set| [set >> 1, set << 1, down(set, stride), up(set, stride)];
        let open = arena & rules.empty(state);
        let (defender, loose) = (state.defender, state.attacker & arena & !state.safe());
        // Where eyes may come to be; the rim, where a stone of the attacker stays for good; and what is not open to it.
        let free = room & !defender;
        let inside = room & open;
        let rim = open & !room;
        let sure = free & !grid.beside(rim);
        let inner = defender & arena & !last;
        let near_last = grid.beside(last);
        let near_loose = grid.beside(loose);
        let near_free = ByNumber::of(beside(free));
        let near_sure = ByNumber::of(beside(sure));
        let near_open = ByNumber::of(beside(open));
        let defenders = beside(defender);
        let near_defender = ByNumber::of(defenders);
        let closed = ByNumber::of(both(defenders, self.edge));
        let attackers = beside(state.attacker);
        let near_attacker = ByNumber::of(both(attackers, self.wall));
        let [_, _, above, below] = attackers;
        let attackers = [above >> 1, above << 1, below >> 1, below << 1];
        let diagonal = ByNumber::of(both(attackers, self.diagonal_wall));
        let spoilt = diagonal.at_least_two() | diagonal.one & self.diagonal_edge;
        let edge = self.edge[0] | self.edge[1] | self.edge[2] | self.edge[3];
        let count = |set: Set| set.count_ones() as i16;
        let points = count(free);
        [
            points,
            points * points,
            count(free & near_free.none),
            count(free & near_free.two),
            count(free & near_free.more),
            count(free & edge),
            count(sure),
            count(sure & open),
            count(sure & !near_last),
            count(sure & near_sure.more),
            count(open),
            count(open & grid.beside(state.crucial)),
            count(open & near_loose),
            count(open & grid.beside(state.crucial & !last) & !near_last),
            i16::from(near_last & open & (near_last & open).wrapping_sub(1) == 0),
            count(inside & closed.four & !spoilt),
            count(inside & spoilt),
            count(inside & closed.more & !closed.four & near_loose),
            count(inside & near_open.at_least_two()),
            count(inside & near_open.none & near_defender.none),
            count(inside & near_loose & !near_defender.none),
            count(rim & near_defender.none),
            count(rim & near_loose & !near_defender.none),
            count(loose & near_defender.none),
            count(loose & near_defender.one),
            count(loose & near_defender.at_least_two()),
            count(loose & room & near_open.one),
            count(inner & !room),
            count(inner & near_open.none),
            count(inner & near_attacker.none),
            count(inner & near_attacker.one),
            count(inner & near_attacker.at_least_two()),
        ]
    }
}

#[inline(always)]
fn number(weights: &Weights, counts: &Counts) -> u32 {
    let products = counts.iter().zip(&weights.by_count).map(|(&count, &weight)| i32::from(count) * i32::from(weight));
    let sum = (weights.constant + products.sum::<i32>()).clamp(0, MOST_DOUBLINGS * DOUBLE);
    // Between powers of two a straight line does.
    (((DOUBLE + sum % DOUBLE) as u64) << (sum / DOUBLE) >> DOUBLE.ilog2()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use crate::prover::grid::{Cell, cells};
    use crate::prover::life;
    use crate::prover::state::Ko;
    use crate::prover::tests::random_question;

    /// The same counts, taken point by point.
    fn slow_counts(rules: &Rules, state: &State, room: Set, last: Set, arena: Set) -> Counts {
        let grid = &rules.grid;
        let size = grid.size();
        let n = size.n() as i32;
        let mut counts = [0; COUNTS];
        let mut liberties = 0;
        let bit = |(x, y): (i32, i32)| {
            let is_on = (0..n).contains(&x) && (0..n).contains(&y);
            is_on.then(|| grid.bit(size.point(x as usize, y as usize)) & grid.region)
        };
        let is_in = |at, set: Set| bit(at).is_some_and(|bit| bit & set != 0);
        let number = |(x, y): (i32, i32), ways: [(i32, i32); 4], is_one: &dyn Fn((i32, i32)) -> bool| {
            ways.iter().filter(|(dx, dy)| is_one((x + dx, y + dy))).count()
        };
        let open = rules.empty(state) & arena;
        let (free, rim) = (room & !state.defender, open & !room);
        let loose = state.attacker & arena & !state.safe();
        let is_edge = |at| bit(at).is_none();
        let is_attacker = |at| bit(at).is_some_and(|bit| bit == 0 || bit & state.attacker != 0);
        let is_sure = |at| is_in(at, free) && number(at, BESIDE, &|at| is_in(at, rim)) == 0;
        for p in grid.points(grid.region) {
            let (x, y) = size.xy(p);
            let at = (x as i32, y as i32);
            let near = |set: Set| number(at, BESIDE, &|at| is_in(at, set));
            let edges = number(at, BESIDE, &is_edge);
            let attackers = number(at, BESIDE, &is_attacker);
            let corner_edge = usize::from(number(at, DIAGONAL, &is_edge) > 0);
            let is_spoilt = number(at, DIAGONAL, &is_attacker) + corner_edge >= 2;
            let mut add = |from: usize, truths: &[bool]| {
                truths.iter().enumerate().for_each(|(i, &is_true)| counts[from + i] += i16::from(is_true));
            };
            if is_in(at, free) {
                let n = near(free);
                add(0, &[true, false, n == 0, n == 2, n >= 3, edges > 0]);
            }
            if is_sure(at) {
                let n = number(at, BESIDE, &is_sure);
                add(6, &[true, is_in(at, open), near(last) == 0, n >= 3]);
            }
            if is_in(at, open) {
                let joins = near(state.crucial & !last) > 0 && near(last) == 0;
                add(10, &[true, near(state.crucial) > 0, near(loose) > 0, joins]);
                liberties += i32::from(near(last) > 0);
            }
            let defenders = near(state.defender);
            if is_in(at, open & room) {
                let closed = defenders + edges;
                add(15, &[closed == 4 && !is_spoilt, is_spoilt, closed == 3 && near(loose) > 0, near(open) >= 2]);
                add(19, &[near(open) == 0 && defenders == 0, near(loose) > 0 && defenders > 0]);
            }
            if is_in(at, rim) {
                add(21, &[defenders == 0, near(loose) > 0 && defenders > 0]);
            }
            if is_in(at, loose) {
                let is_weak = is_in(at, room) && near(open) == 1;
                add(23, &[defenders == 0, defenders == 1, defenders >= 2, is_weak]);
            }
            if is_in(at, state.defender & arena & !last) {
                let by_attackers = [attackers == 0, attackers == 1, attackers >= 2];
                add(27, &[!is_in(at, room), near(open) == 0, by_attackers[0], by_attackers[1], by_attackers[2]]);
            }
        }
        counts[1] = counts[0] * counts[0];
        counts[14] = i16::from(liberties <= 1);
        counts
    }

    #[test]
    fn counts_are_those_taken_point_by_point() {
        let mut rng = Rng::new(4);
        let (mut seen, mut tried) = ([0; COUNTS], 0);
        while tried < 10_000 {
            let Some((rules, start)) = random_question(&mut rng, 14).and_then(|q| q.start(Ko::Nobody)) else {
                continue;
            };
            let mut state = start;
            for _ in 0..rng.below(8) {
                let moves: Vec<Cell> = cells(rules.empty(&state)).collect();
                let played = moves.get(rng.below(14) as usize).and_then(|&cell| rules.play(&state, cell));
                state = played.map_or(rules.pass(&state), |played| played.state);
            }
            if state.crucial == 0 {
                continue;
            }
            tried += 1;
            let arena = rules.arena(&state);
            let (room, last) = life::eye_room(&rules, &state, arena);
            let counts = Counter::new(&rules.grid).counts(&rules, &state, room, last, arena);
            assert_eq!(counts, slow_counts(&rules, &state, room, last, arena), "{rules:?} {state:?}");
            seen.iter_mut().zip(counts).for_each(|(seen, count)| *seen += i32::from(count > 0));
        }
        assert!(seen.iter().all(|&n| n > 10), "too rare to be tested: {seen:?}");
    }

    #[test]
    fn numbers_double_as_weights_say() {
        let double = DOUBLE as i16;
        let mut weights = Weights { constant: 3 * DOUBLE, by_count: [0; COUNTS] };
        (weights.by_count[0], weights.by_count[1]) = (double, double / 2);
        let mut counts = [0; COUNTS];
        assert_eq!(number(&weights, &counts), 8);
        counts[0] = 2;
        assert_eq!(number(&weights, &counts), 32);
        counts[1] = 1;
        assert_eq!(number(&weights, &counts), 48, "between 32 and 64");
        counts[0] = -9;
        assert_eq!(number(&weights, &counts), 1);
        counts[0] = 1_000;
        assert_eq!(number(&weights, &counts), 1 << MOST_DOUBLINGS);
    }
}
