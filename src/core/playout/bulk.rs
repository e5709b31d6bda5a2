//! Light playouts from an empty board by the thousand, compiled here for each board: for those who measure them.

use super::Policy;
use super::light::{Light, play_out};
use crate::base::{Color, Rng, Size};
use crate::game::Game;
use crate::game::go::{Go9, Go14, Go21, Go25};

/// What a number of playouts came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub playouts: u64,
    /// Wins of Black.
    pub wins: u64,
    pub moves: u64,
    pub captures: u64,
}

macro_rules! on_board {
    ($size:expr, $run:ident($($argument:expr),*)) => {
        match $size.n() {
            ..=9 => $run::<Go9>($size, $($argument),*),
            ..=14 => $run::<Go14>($size, $($argument),*),
            ..=21 => $run::<Go21>($size, $($argument),*),
            _ => $run::<Go25>($size, $($argument),*),
        }
    };
}

/// One game at a time, each by its own seed.
pub fn single(size: Size, komi: f32, seeds: &[u64]) -> Tally {
    on_board!(size, single_on(komi, seeds))
}

/// Many games side by side; None on boards that have no such way. Moves and captures are not counted.
pub fn lockstep(size: Size, komi: f32, seeds: &[u64]) -> Option<Tally> {
    on_board!(size, lockstep_on(komi, seeds))
}

fn single_on<G: Game>(size: Size, komi: f32, seeds: &[u64]) -> Tally
where
    Light: Policy<G>,
{
    let start = G::new(size, komi);
    let mut tally = Tally::default();
    for &seed in seeds {
        let mut board = start.clone();
        tally.moves += play_out(&mut board, &mut Rng::new(seed)) as u64;
        tally.wins += u64::from(board.score() > 0.0);
        tally.captures += Color::BOTH.map(|color| board.captures(color) as u64).iter().sum::<u64>();
        tally.playouts += 1;
    }
    tally
}

fn lockstep_on<G: Game>(size: Size, komi: f32, seeds: &[u64]) -> Option<Tally>
where
    Light: Policy<G>,
{
    let start = G::new(size, komi);
    if !Light.has_lockstep(&start) {
        return None;
    }
    let mut tally = Tally::default();
    Light.play_out_many(&vec![&start; seeds.len()], seeds, &mut |_, score| {
        tally.playouts += 1;
        tally.wins += u64::from(score > 0.0);
    });
    Some(tally)
}
