//! Rules only: what a game is to the search, the games, and the record of a game being played.

pub mod go;
pub mod record;

use crate::base::{Color, Point, Rng, Size};

pub use record::{Illegal, Record};

/// A position of a two-player game on a square board, cheap to copy and without history.
///
/// Search is generic over this, so that the hot loop is compiled for each game and board class.
pub trait Game: Clone + Send + Sync + 'static {
    fn new(size: Size, komi: f32) -> Self;

    fn size(&self) -> Size;
    fn to_play(&self) -> Color;
    fn color_at(&self, p: Point) -> Option<Color>;
    fn komi(&self) -> f32;
    /// A hash of the stones alone: two positions of a game that look the same have the same one.
    fn hash(&self) -> u64;
    /// May the side to play move here? `PASS` is a move like any other.
    fn is_legal(&self, p: Point) -> bool;
    fn is_over(&self) -> bool;
    /// What Black wins by, komi counted: positive is a win for Black, 0 a draw.
    fn score(&self) -> f32;
    /// Whose point this is when the game is scored as it stands.
    fn owners(&self, visit: &mut dyn FnMut(Point, Color));
    /// The moves a search looks at: legal and not plainly senseless; `PASS` alone when there are none.
    fn candidates(&self, out: &mut Vec<Point>);
    /// Stones of a chain that stand or fall together.
    fn chain_at(&self, p: Point) -> Vec<Point>;
    fn captures(&self, by: Color) -> usize;

    /// Makes a legal move.
    fn play(&mut self, p: Point);
    fn set_to_play(&mut self, color: Color);
    fn set_komi(&mut self, komi: f32);
    /// Puts stones on an empty board; false, and nothing changes, if that is no position of the game.
    fn set_stones(&mut self, stones: &[(Point, Color)]) -> bool;

    /// Makes one uniformly random candidate move, or passes. Returns the move.
    fn play_random(&mut self, rng: &mut Rng) -> Point;
    /// The longest a playout may be, in moves.
    fn playout_cap(&self) -> usize {
        3 * self.size().area()
    }
    /// Is there a faster way to play out many positions than one at a time?
    fn has_lockstep(&self) -> bool {
        false
    }
    /// Plays out every start by its own seed and hands each score for Black to `done` with the start's number, in any
    /// order. False if this game has no faster way than one at a time; then nothing was done.
    fn play_out_many(_starts: &[&Self], _seeds: &[u64], _done: &mut dyn FnMut(usize, f32)) -> bool {
        false
    }
}
