//! Sixteen games in their lanes: the rules as set operations on rows.

// Rows of several sets are walked together by number; iterators would hide which row is which.
#![allow(clippy::needless_range_loop)]

use super::vector::{LANES, Store, Vector, ZERO};
use super::{Finish, Start, Watch};
use crate::base::rng::splitmix;

/// How far to look for stones connected to firm ones. More would save a few vain draws, and cost more.
const SWEEPS: usize = 2;

/// A generator for each lane: xoshiro128++.
struct Random([[u32; LANES]; 4]);

impl Random {
    fn seed(&mut self, lane: usize, seed: u64) {
        let mut state = seed;
        for pair in 0..2 {
            // SplitMix64 spreads similar seeds apart.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let x = splitmix(state);
            self.0[2 * pair][lane] = x as u32;
            self.0[2 * pair + 1][lane] = (x >> 32) as u32;
        }
    }

    /// The high and low halves of the next number of every lane.
    #[inline(always)]
    fn next(&mut self) -> (Store, Store) {
        let (mut high, mut low) = (ZERO, ZERO);
        let [s0, s1, s2, s3] = &mut self.0;
        for i in 0..LANES {
            let out = s0[i].wrapping_add(s3[i]).rotate_left(7).wrapping_add(s0[i]);
            let t = s1[i] << 9;
            s2[i] ^= s0[i];
            s3[i] ^= s1[i];
            s1[i] ^= s2[i];
            s0[i] ^= s3[i];
            s2[i] ^= t;
            s3[i] = s3[i].rotate_left(11);
            high.0[i] = (out >> 16) as u16;
            low.0[i] = out as u16;
        }
        (high, low)
    }
}

// ---- The games ----

/// Games in `N` rows. A board of that very size (`EXACT`) is known to the compiler; a smaller one leaves the last rows
/// empty, so that one compiled copy does for all sizes.
pub(super) struct Games<const N: usize, const EXACT: bool> {
    size: usize,
    /// Stones of the side to move and of the other.
    mine: [Store; N],
    other: [Store; N],
    /// Points not to be drawn: forbidden by ko, or already found to be suicide this turn.
    banned: [Store; N],
    passes: Store,
    moves: Store,
    /// Moves that were not passes.
    placed: Store,
    random: Random,
    /// Lanes with a game in them.
    pub(super) active: u32,
    job: [usize; LANES],
    white_began: [bool; LANES],
    stones_before: [u16; LANES],
}

#[inline(always)]
fn west_east<V: Vector>(row: V) -> V {
    row.shl::<1>() | row.shr::<1>()
}

/// The row above row `r`.
#[inline(always)]
fn up<V: Vector, const N: usize>(set: &[V; N], r: usize) -> V {
    if r > 0 { set[r - 1] } else { V::all(0) }
}

/// The row below row `r`.
#[inline(always)]
fn down<V: Vector, const N: usize>(set: &[V; N], r: usize) -> V {
    if r + 1 < N { set[r + 1] } else { V::all(0) }
}

/// The points next to those of `set`. Bits may stick out over the right edge: mask the result.
#[inline(always)]
fn neighbours<V: Vector, const N: usize>(set: &[V; N]) -> [V; N] {
    let mut out = [V::all(0); N];
    for r in 0..N {
        out[r] = west_east(set[r]) | up(set, r) | down(set, r);
    }
    out
}

#[inline(always)]
fn both<V: Vector, const N: usize>(a: &[V; N], b: &[V; N]) -> [V; N] {
    let mut out = *a;
    for r in 0..N {
        out[r] = a[r] & b[r];
    }
    out
}

/// What of `set` isn't in `other`, in any row.
#[inline(always)]
fn missing<V: Vector, const N: usize>(set: &[V; N], other: &[V; N]) -> V {
    let mut all = V::all(0);
    for r in 0..N {
        all = all | set[r] & !other[r];
    }
    all
}

/// A mask of the lanes that have a point in `set`.
#[inline(always)]
fn present<V: Vector, const N: usize>(set: &[V; N]) -> V {
    let mut all = set[0];
    for r in 1..N {
        all = all | set[r];
    }
    !all.equals(V::all(0))
}

/// Grows `set` through the points of `within`, down the board and up again; returns what the way up
/// added. If that is nothing, `set` can grow no more.
#[inline(always)]
fn sweep<V: Vector, const N: usize>(set: &mut [V; N], within: &[V; N]) -> V {
    for r in 0..N {
        // In this order, because the row above is the last to be known.
        set[r] = (set[r] | west_east(set[r]) & within[r]) | up(set, r) & within[r];
    }
    let mut grown = V::all(0);
    for r in (0..N).rev() {
        let new = (set[r] | west_east(set[r]) & within[r]) | down(set, r) & within[r];
        grown = grown | new ^ set[r];
        set[r] = new;
    }
    grown
}

impl<const N: usize, const EXACT: bool> Games<N, EXACT> {
    #[inline(always)]
    fn size(&self) -> usize {
        if EXACT { N } else { self.size }
    }

    /// All points of row `r`.
    #[inline(always)]
    fn full(&self, r: usize) -> u16 {
        if EXACT || r < self.size { full_row(self.size()) } else { 0 }
    }

    /// A board of `size` lines, which is `N` if it is `EXACT` and at most `N` if not.
    pub(super) fn new(size: usize) -> Self {
        assert!(if EXACT { size == N } else { size <= N });
        // A lane without a game has a full board, on which there is nothing to do but to pass.
        let full = |r| Store([if r < size { full_row(size) } else { 0 }; LANES]);
        Games {
            size,
            mine: std::array::from_fn(full),
            other: [ZERO; N],
            banned: [ZERO; N],
            passes: ZERO,
            moves: ZERO,
            placed: ZERO,
            random: Random([[1; LANES]; 4]),
            active: 0,
            job: [0; LANES],
            white_began: [false; LANES],
            stones_before: [0; LANES],
        }
    }

    pub(super) fn put_in(&mut self, lane: usize, job: usize, start: &Start) {
        let stones = start.stones.map(to_set);
        let mine = stones[start.white_to_play as usize];
        let other = stones[!start.white_to_play as usize];
        let ko = if start.ko == 0 { 0 } else { 1 << start.ko };
        for r in 0..N {
            self.mine[r].0[lane] = row(mine, r, self.size());
            self.other[r].0[lane] = row(other, r, self.size());
            self.banned[r].0[lane] = row(ko, r, self.size());
        }
        self.passes.0[lane] = start.passes as u16;
        self.moves.0[lane] = 0;
        self.placed.0[lane] = 0;
        self.random.seed(lane, start.seed);
        self.active |= 1 << lane;
        self.job[lane] = job;
        self.white_began[lane] = start.white_to_play;
        self.stones_before[lane] = (mine | other).count_ones() as u16;
    }

    fn set_of(&self, rows: &[Store; N], lane: usize) -> u128 {
        (0..N).fold(0, |set, r| set | (rows[r].0[lane] as u128) << ((r + 1) * (self.size() + 1)))
    }

    pub(super) fn take_out(&mut self, lane: usize) -> (usize, Finish) {
        self.active &= !(1 << lane);
        let moves = self.moves.0[lane];
        let mine = self.set_of(&self.mine, lane);
        let other = self.set_of(&self.other, lane);
        let stones_after = (mine | other).count_ones() as u16;
        let white_to_play = self.white_began[lane] ^ (moves & 1 == 1);
        let stones = if white_to_play { [other, mine] } else { [mine, other] };
        let owned = owned(stones, self.size());
        let finish = Finish {
            score: owned[0].count_ones() as i16 - owned[1].count_ones() as i16,
            moves,
            captures: self.stones_before[lane] + self.placed.0[lane] - stones_after,
            stones: owned.map(from_set),
        };
        (self.job[lane], finish)
    }

    pub(super) fn make_idle(&mut self, lane: usize) {
        for r in 0..N {
            self.mine[r].0[lane] = self.full(r);
            self.other[r].0[lane] = 0;
        }
    }

    /// Every game draws a point, or passes if it has none to draw. Returns the lanes whose games are over.
    #[inline(always)]
    pub(super) fn step<V: Vector, W: Watch>(&mut self, watch: &mut W) -> u32 {
        let none = V::all(0);
        let n = self.size();
        let whole = V::all(full_row(n));
        let mut mine = [none; N];
        let mut other = [none; N];
        let mut empty = [none; N];
        for r in 0..N {
            mine[r] = V::load(&self.mine[r]);
            other[r] = V::load(&self.other[r]);
            empty[r] = V::all(self.full(r)) & !(mine[r] | other[r]);
        }

        // Firm: stones of the other side known to have two liberties, so not to be captured by one move: a stone
        // with two itself, two neighbours with one each (always different points), and what is connected to them.
        let mut firm = [none; N];
        let mut has_one = [none; N];
        for r in 0..N {
            let (left, right) = (empty[r].shl::<1>(), empty[r].shr::<1>());
            let (up, down) = (up(&empty, r), down(&empty, r));
            let (row, column) = (left | right, up | down);
            has_one[r] = other[r] & (row | column);
            firm[r] = has_one[r] & (left & right | up & down | row & column);
        }
        let near_one = neighbours(&has_one);
        for r in 0..N {
            firm[r] = firm[r] | has_one[r] & near_one[r];
        }
        for _ in 0..SWEEPS {
            sweep(&mut firm, &other);
        }
        // A point among firm stones only is suicide.
        let mut not_firm = [none; N];
        for r in 0..N {
            not_firm[r] = V::all(self.full(r)) & !firm[r];
        }
        let hopeful = neighbours(&not_firm);

        // Candidates: empty points, but for own eyes, banned points and sure suicide.
        let mut diagonal_one = [none; N];
        let mut diagonal_two = [none; N];
        for r in 0..N {
            diagonal_one[r] = west_east(other[r]);
            diagonal_two[r] = other[r].shl::<1>() & other[r].shr::<1>();
        }
        let mut candidates = [none; N];
        let mut upto = [none; N]; // Candidates up to the end of this row.
        let mut total = none;
        for r in 0..N {
            let own_all_round = {
                let left = mine[r].shl::<1>() | V::all(1);
                let right = mine[r].shr::<1>() | V::all(1 << (n - 1));
                let up = if r > 0 { mine[r - 1] } else { whole };
                let down = if r + 1 < n && r + 1 < N { mine[r + 1] } else { whole };
                left & right & up & down
            };
            let (above, below) = (up(&diagonal_one, r), down(&diagonal_one, r));
            let one = above | below;
            let two = up(&diagonal_two, r) | down(&diagonal_two, r) | above & below;
            // On the edge one enemy stone at a diagonal point spoils the eye, elsewhere two.
            let edge = if r == 0 || r == n - 1 { whole } else { V::all(1 | 1 << (n - 1)) };
            let spoilt = two | one & edge;
            candidates[r] = empty[r] & !(own_all_round & !spoilt) & !V::load(&self.banned[r]) & hopeful[r];
            total = total + candidates[r].count();
            upto[r] = total;
        }

        // A number below `total`: the high 16 bits of the 48 of total * random.
        let (high, low) = self.random.next();
        let (high, low) = (V::load(&high), V::load(&low));
        let sum_low = total.times(high);
        let sum = sum_low + total.times_high(low);
        // Both terms of `sum` are unsigned and the second is small: it overflowed if the top bit fell.
        let carry = (sum_low & !sum).shr::<15>();
        let mut nth = total.times_high(high) + carry;

        // The row it falls in, and that row's `nth` bit.
        let mut stone = [none; N];
        let mut bits = none;
        let mut skipped = none;
        let mut before = none;
        for r in 0..N {
            let reached = upto[r].greater(nth);
            stone[r] = reached & !before;
            bits = bits | candidates[r] & stone[r];
            skipped = skipped.or_else(reached, upto[r]);
            before = reached;
        }
        nth = nth - skipped;
        let low_bits = bits & V::all(0x0f);
        let in_low = low_bits.count();
        let is_low = in_low.greater(nth);
        bits = low_bits.or_else(is_low, bits & V::all(!0x0f));
        nth = nth - (in_low & !is_low);
        for already in 0..N.saturating_sub(5).max(3) {
            let drop_lowest = nth.greater(V::all(already as u16));
            bits = bits & ((bits - V::all(1)) | !drop_lowest);
        }
        let bit = bits & (none - bits);
        for r in 0..N {
            stone[r] = stone[r] & bit;
        }
        let passing = total.equals(none);

        // The stone is down: what is next to it?
        let beside = neighbours(&stone);
        let has_liberty = present(&both(&beside, &empty));
        let has_friend = present(&both(&beside, &mine));

        // Captures: the other side's stones that reach no liberty. They need be looked for only where a stone beside
        // the new one isn't firm; such a stone has lost the one liberty it had itself.
        let mut doubtful = [none; N];
        for r in 0..N {
            doubtful[r] = beside[r] & other[r] & !firm[r];
        }
        let in_doubt = present(&doubtful);
        let mut captured = [none; N];
        let mut capturing = none;
        if in_doubt.any() {
            let mut alive = [none; N];
            let mut within = [none; N];
            for r in 0..N {
                alive[r] = firm[r] | has_one[r] & !beside[r];
                within[r] = other[r] & in_doubt;
            }
            // Until every game has found all of them alive, or finds no more that is.
            loop {
                let grown = sweep(&mut alive, &within);
                capturing = !missing(&doubtful, &alive).equals(none);
                if !(grown & capturing).any() {
                    break;
                }
            }
            for r in 0..N {
                captured[r] = other[r] & !alive[r] & capturing;
            }
        }

        // Suicide: no liberty, no capture, and no friend with another liberty.
        let mut suicide = none;
        let stuck = !(has_liberty | capturing | passing);
        if stuck.any() {
            let mut liberties = [none; N];
            for r in 0..N {
                liberties[r] = empty[r] & !stone[r];
            }
            let near_liberty = neighbours(&liberties);
            suicide = stuck & !present(&both(&beside, &both(&mine, &near_liberty)));
            if (suicide & has_friend).any() {
                let mut chain = [none; N];
                let mut within = [none; N];
                for r in 0..N {
                    within[r] = mine[r] & suicide;
                    chain[r] = within[r] & beside[r];
                }
                loop {
                    let grown = sweep(&mut chain, &within);
                    suicide = suicide & !present(&both(&chain, &near_liberty));
                    if !(grown & suicide).any() {
                        break;
                    }
                }
            }
        }

        // Ko: a lone stone, now with one liberty, where it took one stone.
        let lone = capturing & !has_friend & !has_liberty;
        let mut ko = none;
        if lone.any() {
            let (mut columns, mut rows, mut two_rows) = (none, none, none);
            for r in 0..N {
                let here = !captured[r].equals(none);
                two_rows = two_rows | rows & here;
                rows = rows | here;
                columns = columns | captured[r];
            }
            let one_column = (columns & (columns - V::all(1))).equals(none);
            ko = lone & one_column & !two_rows;
        }

        if W::ON {
            self.report(watch, &candidates, &stone, suicide);
        }

        // Make the moves, and change sides except where the draw was suicide.
        for r in 0..N {
            let me = mine[r] | stone[r] & !suicide;
            let you = other[r] & !captured[r];
            me.or_else(suicide, you).store(&mut self.mine[r]);
            you.or_else(suicide, me).store(&mut self.other[r]);
            let struck = (V::load(&self.banned[r]) | stone[r]) & suicide;
            (struck | captured[r] & ko).store(&mut self.banned[r]);
        }
        // True is -1: subtracting a mask counts.
        let moves = V::load(&self.moves) - !suicide;
        moves.store(&mut self.moves);
        (V::load(&self.placed) - !(suicide | passing)).store(&mut self.placed);
        let passes = (V::load(&self.passes) & (suicide | passing)) - passing;
        passes.store(&mut self.passes);
        (passes.greater(V::all(1)) | moves.greater(V::all((3 * n * n - 1) as u16))).lanes()
    }

    #[cold]
    fn report<V: Vector, W: Watch>(&self, watch: &mut W, candidates: &[V; N], stone: &[V; N], suicide: V) {
        let out = |rows: &[V; N]| {
            rows.map(|row| {
                let mut s = ZERO;
                row.store(&mut s);
                s
            })
        };
        let (candidates, stone, suicide) = (out(candidates), out(stone), suicide.lanes());
        for lane in (0..LANES).filter(|lane| self.active >> lane & 1 == 1) {
            let point = self.set_of(&stone, lane);
            let point = if point == 0 { 0 } else { point.trailing_zeros() as usize };
            watch.drawn(self.job[lane], self.set_of(&candidates, lane), point, suicide >> lane & 1 == 0);
        }
    }
}

// ---- whole boards in one word, for loading and scoring

pub(super) fn to_set(words: [u64; 2]) -> u128 {
    words[0] as u128 | (words[1] as u128) << 64
}

pub(super) fn from_set(set: u128) -> [u64; 2] {
    [set as u64, (set >> 64) as u64]
}

/// All points of a row of this length.
#[inline(always)]
fn full_row(size: usize) -> u16 {
    (1 << size) - 1
}

#[inline(always)]
fn row(set: u128, r: usize, size: usize) -> u16 {
    if r < size { (set >> ((r + 1) * (size + 1))) as u16 & full_row(size) } else { 0 }
}

/// The points of each side: its stones, and the empty regions that touch its stones only.
#[inline(always)]
pub(super) fn owned(stones: [u128; 2], size: usize) -> [u128; 2] {
    let board = (0..size).fold(0, |set, r| set | (full_row(size) as u128) << ((r + 1) * (size + 1)));
    let empty = board & !(stones[0] | stones[1]);
    let reach = stones.map(|side| {
        let mut reached = side;
        loop {
            let near = reached << 1 | reached >> 1 | reached << (size + 1) | reached >> (size + 1);
            let more = reached | near & empty;
            if more == reached {
                return reached;
            }
            reached = more;
        }
    });
    [stones[0] | reach[0] & !reach[1], stones[1] | reach[1] & !reach[0]]
}
