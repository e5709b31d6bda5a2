//! How promising a move looks before it is searched.
//!
//! A move's score is a sum of weights, one for each thing that can be seen of it at once: stones it takes or saves,
//! chains it joins or puts into atari, its liberties, its line, the room for eyes around it, its distance from the last
//! move. Chains are found once for all moves of a position; that also tells what each move takes.
//!
//! The weights are fitted by `learn::promises`: moves of won positions are searched each by itself, and those that win with
//! few nodes are to stand out.

mod weights;

use super::grid::{Cell, Grid, NOWHERE, Set, cells, lowest};
use super::state::{Rules, State, Touched};

const MOST_CHAINS: usize = 48;
const LINES: usize = 5;
const COLUMNS: usize = 7;

/// What is seen of a move, kind by kind, with the number of things that may be seen; every move shows one of each kind.
pub const KINDS: [(&str, usize); 10] = [
    ("stones taken: none, one, ... four or more", 5),
    ("liberties: none (of its own), one, ... five or more; and safe for good", 7),
    ("a crucial chain is left with one liberty: no, yes", 2),
    ("other chains left with one liberty: none, one, more", 3),
    ("own chains joined: none, one, two, more", 4),
    ("one of them had one liberty: no, yes", 2),
    ("by the distance to the nearer edge, then to the other", LINES * COLUMNS),
    ("free neighbours in the room for eyes, of a point outside of it and of one inside", 10),
    ("points of the room that a stone makes useless for eyes: none to five or more", 6),
    ("where the opponent's last stone is: elsewhere, beside, diagonal, two away, a knight's move away", 5),
];

/// All that may be seen.
pub const SIGHTS: usize = 79;

/// Where each kind begins.
const STARTS: [usize; KINDS.len()] = {
    let mut starts = [0; KINDS.len()];
    let mut i = 1;
    while i < KINDS.len() {
        starts[i] = starts[i - 1] + KINDS[i - 1].1;
        i += 1;
    }
    assert!(starts[i - 1] + KINDS[i - 1].1 == SIGHTS);
    starts
};

/// What is seen of one move, by its number among all that may be.
pub type Seen = [u8; KINDS.len()];

/// In hundredths of a natural logarithm of the work to be expected.
pub type Weights = [i32; SIGHTS];

/// A move that looks so much worse than the best is expected to cost that many sixteenths as much.
pub fn handicap(difference: i32) -> u32 {
    HANDICAPS[(difference.max(0) as usize / HANDICAP_STEP).min(HANDICAPS.len() - 1)]
}

const HANDICAP_STEP: usize = 10;
/// 16 · e^(difference / 100).
const HANDICAPS: [u32; 24] =
    [16, 18, 20, 22, 24, 26, 29, 32, 36, 39, 43, 48, 53, 59, 65, 72, 79, 88, 97, 107, 118, 131, 144, 160];

/// The line of every point of a grid, as the weights have it.
pub fn lines(grid: &Grid) -> [(u8, u8); 128] {
    let mut lines = [(0, 0); 128];
    for cell in cells(grid.region) {
        let (x, y) = grid.size().xy(grid.point(cell));
        let most = grid.size().n() - 1;
        let (a, b) = (x.min(most - x), y.min(most - y));
        lines[cell as usize] = (a.min(b).min(LINES - 1) as u8, a.max(b).min(COLUMNS - 1) as u8);
    }
    lines
}

/// A position's chains, and what else the score of its moves depends on.
pub struct Sight<'a> {
    rules: &'a Rules,
    state: &'a State,
    empty: Set,
    room: Set,
    weights: &'static Weights,
    chains: [Chain; MOST_CHAINS],
    /// The first of them are of the side to move.
    own: usize,
    count: usize,
}

#[derive(Clone, Copy)]
struct Chain {
    stones: Set,
    liberties: Set,
}

impl<'a> Sight<'a> {
    /// `None` if there are too many chains.
    pub fn new(rules: &'a Rules, state: &'a State, room: Set) -> Option<Sight<'a>> {
        let weights = &weights::WEIGHTS[usize::from(state.attacker_moves)];
        let empty = rules.empty(state);
        let chains = [Chain { stones: 0, liberties: 0 }; MOST_CHAINS];
        let mut sight = Sight { rules, state, empty, room, weights, chains, own: 0, count: 0 };
        let (own, other) = state.sides();
        let fixed = state.safe() | state.out();
        sight.add(own & !fixed)?;
        sight.own = sight.count;
        sight.add(other & !fixed)?;
        Some(sight)
    }

    fn add(&mut self, stones: Set) -> Option<()> {
        let grid = &self.rules.grid;
        let mut rest = stones;
        while rest != 0 {
            let chain = grid.flood(lowest(rest), rest);
            rest &= !chain;
            *self.chains.get_mut(self.count)? = Chain { stones: chain, liberties: grid.beside(chain) & self.empty };
            self.count += 1;
        }
        Some(())
    }

    /// What a stone on an empty point touches, and its score; `last` is the opponent's last move.
    #[inline]
    pub fn look(&self, cell: Cell, line: (u8, u8), last: Cell) -> (Touched, i32) {
        let (touched, seen) = self.see(cell, line, last);
        (touched, seen.iter().map(|&i| self.weights[usize::from(i)]).sum())
    }

    /// The same with what there is to see instead of the score.
    #[inline(always)]
    pub fn see(&self, cell: Cell, line: (u8, u8), last: Cell) -> (Touched, Seen) {
        let Sight { state, empty, room, .. } = *self;
        let grid = &self.rules.grid;
        let bit: Set = 1 << cell;
        let around = grid.beside(bit);
        let mut touched = Touched::default();
        let (mut joined, mut saved, mut liberties) = (0, false, around & empty);
        for chain in self.chains[..self.own].iter().filter(|chain| chain.liberties & bit != 0) {
            touched.joined |= chain.stones;
            joined += 1;
            liberties |= chain.liberties;
            if is_single(chain.liberties) {
                saved = true;
            }
        }
        let (mut atari, mut crucial_atari) = (0, false);
        for chain in self.chains[self.own..self.count].iter().filter(|chain| chain.liberties & bit != 0) {
            let left = chain.liberties & !bit;
            if left == 0 {
                touched.captured |= chain.stones;
            } else if !is_single(left) {
            } else if chain.stones & state.crucial != 0 {
                crucial_atari = true;
            } else {
                atari += 1;
            }
        }
        liberties &= !bit;
        touched.has_liberty = liberties != 0;
        if touched.captured != 0 {
            liberties |= touched.captured & (around | grid.beside(touched.joined));
        }
        let (mut breath, mut spoilt) = ((liberties.count_ones() as usize).min(5), 0);
        if state.attacker_moves && bit & grid.wall | around & state.safe() != 0 {
            let safe = bit | touched.joined;
            spoilt = (((grid.beside(safe) | safe) & room & !state.defender).count_ones() as usize).min(5);
            breath = 6;
            touched.joined |= around & state.safe();
        } else if !state.attacker_moves && bit & grid.exit | around & state.out() != 0 {
            breath = 6;
            touched.joined |= grid.flood(around & state.out(), state.out());
        }
        let free = (around & room & empty).count_ones() as usize;
        let numbers = [
            (touched.captured.count_ones() as usize).min(4),
            breath,
            usize::from(crucial_atari),
            atari.min(2),
            joined.min(3),
            usize::from(saved),
            line.0 as usize * COLUMNS + line.1 as usize,
            5 * usize::from(room & bit != 0) + free,
            spoilt,
            self.nearness(cell, last),
        ];
        (touched, std::array::from_fn(|kind| (STARTS[kind] + numbers[kind]) as u8))
    }

    #[inline(always)]
    fn nearness(&self, cell: Cell, last: Cell) -> usize {
        if last == NOWHERE {
            return 0;
        }
        let stride = self.rules.grid.stride() as u8;
        let (dx, dy) = ((cell % stride).abs_diff(last % stride), (cell / stride).abs_diff(last / stride));
        match (dx.min(dy), dx.max(dy)) {
            (0, 1) => 1,
            (1, 1) => 2,
            (0, 2) => 3,
            (1, 2) => 4,
            _ => 0,
        }
    }
}

#[inline(always)]
fn is_single(set: Set) -> bool {
    set & set.wrapping_sub(1) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicaps_grow_as_they_say() {
        for (i, &handicap) in HANDICAPS.iter().enumerate() {
            let exact = 16.0 * (0.01 * (i * HANDICAP_STEP) as f64).exp();
            assert!((f64::from(handicap) - exact).abs() < 1.0, "{i}: {handicap}, not {exact}");
        }
        assert_eq!(handicap(-5), handicap(0));
        assert_eq!(handicap(i32::MAX), 160);
    }
}
