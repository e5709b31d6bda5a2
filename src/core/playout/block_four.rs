//! Block-four playouts of Gobang, as Honjo and Tsuruoka play them: a four that the opponent's last stone made is stopped,
//! at any of the points that stop it; else any empty point. Whether a four with a gap (X X . X X) is one is not printed.

use super::Policy;
use crate::base::{Point, Rng};
use crate::game::gobang::{BARE, Gobang};

pub struct BlockFour;

impl Policy<Gobang> for BlockFour {
    fn play_out(&self, board: &mut Gobang, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        board.play_out_by::<BARE>(rng, Gobang::stop_four, trace)
    }
}

/// Stops rows of four without a gap alone.
pub struct BlockRow;

impl Policy<Gobang> for BlockRow {
    fn play_out(&self, board: &mut Gobang, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        board.play_out_by::<BARE>(rng, Gobang::stop_row, trace)
    }
}
