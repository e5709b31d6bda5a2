//! Many games at once: independent, uniformly random playouts in lockstep.
//!
//! Sixteen games of one size run side by side. Row `r` of all sixteen boards is one vector of sixteen
//! 16-bit lanes, one lane for each game, so a set of points is `N` such vectors. A step to the left or right is
//! a shift by one bit, a step up or down is just the next vector, and every rule of the game is a few
//! set operations that do all sixteen games together without a branch. Each step every game draws one of
//! its candidates and tries it; a point that turns out to be suicide is struck from that game's
//! candidates and the game draws again in the next step, which keeps the choice exactly uniform.
//!
//! A finished game is scored and its lane given the next job, so that the lanes stay full. Each job has its
//! own random stream: its result depends on its position and seed alone.

mod games;
#[cfg(test)]
mod tests;
mod vector;

use games::Games;
use vector::{LANES, Plain, Vector};

/// The largest board that the lanes hold.
const LARGEST: usize = 9;

/// A position to play out. Point `(x, y)` of an `N`x`N` board is bit `(y + 1) * (N + 1) + x`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Black, White. Every chain must have a liberty.
    pub stones: [[u64; 2]; 2],
    pub white_to_play: bool,
    /// The point forbidden by ko, 0 for none.
    pub ko: u16,
    /// Passes just made in a row: with two the game is over.
    pub passes: u8,
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    /// Black's area minus White's.
    pub score: i16,
    /// Moves of this playout, passes included.
    pub moves: u16,
    /// Stones captured in this playout, of both colours.
    pub captures: u16,
    /// The points Black and White own: stones and territory.
    pub stones: [[u64; 2]; 2],
}

/// Plays out every start that `next` yields, until `None`; `done` gets the number of the job, counted from 0
/// in the order of `next`, and its result, as each game ends. `use_avx2` only matters for the speed, and
/// only where [`has_avx2`].
pub fn play_out(
    size: usize,
    next: &mut dyn FnMut() -> Option<Start>,
    done: &mut dyn FnMut(usize, &Finish),
    use_avx2: bool,
) {
    play_out_watched(size, next, done, use_avx2, &mut Unwatched);
}

/// Whether this machine can run the fast version.
pub fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        // All that came with AVX2, and that `vector::avx2::run` is compiled for.
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Sees every step of every game; for tests.
trait Watch {
    const ON: bool;
    /// Job number, the candidates drawn from, the point drawn (0 for a pass), and whether it was legal.
    fn drawn(&mut self, job: usize, candidates: u128, point: usize, legal: bool);
}

struct Unwatched;

impl Watch for Unwatched {
    const ON: bool = false;
    fn drawn(&mut self, _: usize, _: u128, _: usize, _: bool) {}
}

fn play_out_watched<W: Watch>(
    size: usize,
    next: &mut dyn FnMut() -> Option<Start>,
    done: &mut dyn FnMut(usize, &Finish),
    use_avx2: bool,
    watch: &mut W,
) {
    assert!((2..=LARGEST).contains(&size), "no lockstep playouts on size {size}");
    #[cfg(target_arch = "x86_64")]
    if use_avx2 && has_avx2() {
        macro_rules! by_size {
            ($($n:literal)*) => {
                match size {
                    // SAFETY: only reached where `has_avx2()`.
                    $($n => unsafe { vector::avx2::run::<$n, W>(next, done, watch) },)*
                    _ => unreachable!("sizes were checked"),
                }
            };
        }
        return by_size!(2 3 4 5 6 7 8 9);
    }
    let _ = use_avx2;
    run_lanes::<LARGEST, false, Plain, W>(size, next, done, watch)
}

#[inline(always)]
fn run_lanes<const N: usize, const EXACT: bool, V: Vector, W: Watch>(
    size: usize,
    next: &mut dyn FnMut() -> Option<Start>,
    done: &mut dyn FnMut(usize, &Finish),
    watch: &mut W,
) {
    let mut games = Games::<N, EXACT>::new(size);
    let mut jobs = 0;
    let mut refill = |games: &mut Games<N, EXACT>, done: &mut dyn FnMut(usize, &Finish), lane| {
        while let Some(start) = next() {
            games.put_in(lane, jobs, &start);
            jobs += 1;
            if start.passes < 2 {
                return;
            }
            let (job, finish) = games.take_out(lane);
            done(job, &finish);
        }
        games.make_idle(lane);
    };
    for lane in 0..LANES {
        refill(&mut games, done, lane);
    }
    while games.active != 0 {
        let mut over = games.step::<V, W>(watch) & games.active;
        while over != 0 {
            let lane = over.trailing_zeros() as usize;
            over &= over - 1;
            let (job, finish) = games.take_out(lane);
            done(job, &finish);
            refill(&mut games, done, lane);
        }
    }
}
