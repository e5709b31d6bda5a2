//! How promising a move looks before it is searched.
//!
//! A move's score is a sum of weights, one for each thing that can be seen of it at once: stones it takes or saves,
//! chains it joins or puts into atari, its liberties, its line, the room for eyes around it, its distance from the last
//! move. Chains are found once for all moves of a position; that also tells what each move takes.
//!
//! The weights come from 10,852 won positions in searches of random problems: each move was searched by itself, and the
//! weights fitted so that moves that win with few nodes stand out. Taken as they were they made whole searches longer
//! (perhaps because a move that is easy to refute is worth trying early where all are refuted in the end); at 0.3 of the
//! fit for the attacker and 0.15 for the defender they make them shorter. Liberties of the defender and room of the
//! attacker did harm and are left out.

use super::grid::{Cell, Grid, NOWHERE, Set, cells, lowest};
use super::state::{Rules, State, Touched};

const MOST_CHAINS: usize = 48;
const LINES: usize = 5;
const COLUMNS: usize = 7;

/// By what is seen; in hundredths of a natural logarithm of the work to be expected.
struct Weights {
    /// Stones taken: none, one, ... four or more.
    taken: [i32; 5],
    /// Liberties: none (of its own), one, ... five or more; and safe for good.
    liberties: [i32; 7],
    /// A crucial chain is left with one liberty.
    crucial_atari: i32,
    /// Other chains left with one liberty: none, one, more.
    atari: [i32; 3],
    /// Own chains joined: none, one, two, more.
    joined: [i32; 4],
    /// One of them had one liberty.
    saved: i32,
    /// By the distance to the nearer edge, then to the other.
    line: [[i32; COLUMNS]; LINES],
    /// Free neighbours in the room for eyes, of a point outside of it and of one inside.
    room: [[i32; 5]; 2],
    /// Points of the room that a stone makes useless for eyes: none to five or more.
    spoilt: [i32; 6],
    /// Where the opponent's last stone is: elsewhere, beside, diagonal, two away, a knight's move away.
    last: [i32; 5],
}

const DEFENDER: Weights = Weights {
    taken: [-10, 5, 5, 0, 0],
    liberties: [0; 7],
    crucial_atari: 0,
    atari: [-9, 0, 9],
    joined: [-12, -5, 6, 11],
    saved: 7,
    line: [
        [-3, 3, 6, 2, -1, -4, 0],
        [0, 6, 7, 2, 0, -2, 3],
        [0, 0, 4, 0, -4, -4, 1],
        [0, 0, 0, -1, -3, -7, 0],
        [0, 0, 0, 0, -3, -4, 0],
    ],
    room: [[-10, -3, 9, 0, 0], [-18, -9, 1, 10, 20]],
    spoilt: [-2, 2, 0, 0, 0, 0],
    last: [-2, 4, 0, -1, -1],
};

const ATTACKER: Weights = Weights {
    taken: [-22, 6, 5, 2, 10],
    liberties: [0, -28, -2, 8, 11, 14, -3],
    crucial_atari: 30,
    atari: [-10, 3, 7],
    joined: [0, -3, 1, 3],
    saved: 22,
    line: [
        [-16, -2, 5, 6, 4, -4, 1],
        [0, 8, 10, 9, 5, -2, 6],
        [0, 0, 10, 6, 1, -7, 3],
        [0, 0, 0, 4, -7, -18, -2],
        [0, 0, 0, 0, -12, -8, 0],
    ],
    room: [[0; 5]; 2],
    spoilt: [-19, -7, 11, 19, 20, 25],
    last: [-8, 1, 8, 0, -1],
};

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
        let weights = if state.attacker_moves { &ATTACKER } else { &DEFENDER };
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
        let Sight { state, empty, room, weights, .. } = *self;
        let grid = &self.rules.grid;
        let bit: Set = 1 << cell;
        let around = grid.beside(bit);
        let mut touched = Touched::default();
        let (mut joined, mut saved, mut liberties) = (0, 0, around & empty);
        for chain in self.chains[..self.own].iter().filter(|chain| chain.liberties & bit != 0) {
            touched.joined |= chain.stones;
            joined += 1;
            liberties |= chain.liberties;
            if is_single(chain.liberties) {
                saved = weights.saved;
            }
        }
        let (mut atari, mut crucial_atari) = (0, 0);
        for chain in self.chains[self.own..self.count].iter().filter(|chain| chain.liberties & bit != 0) {
            let left = chain.liberties & !bit;
            if left == 0 {
                touched.captured |= chain.stones;
            } else if !is_single(left) {
            } else if chain.stones & state.crucial != 0 {
                crucial_atari = weights.crucial_atari;
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
        let score = weights.taken[(touched.captured.count_ones() as usize).min(4)]
            + weights.liberties[breath]
            + crucial_atari
            + weights.atari[atari.min(2)]
            + weights.joined[joined.min(3)]
            + saved
            + weights.line[line.0 as usize][line.1 as usize]
            + weights.room[usize::from(room & bit != 0)][free]
            + weights.spoilt[spoilt]
            + weights.last[self.nearness(cell, last)];
        (touched, score)
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
