//! Rules only: what a game is to the search, the games, and the record of a game being played.

pub mod go;
pub mod gobang;
pub mod record;
pub mod rules;

use crate::base::{Color, GameKind, Point, Rng, Size};

pub use record::{Illegal, Record};
pub use rules::Rules;

/// A position of a two-player game on a square board, cheap to copy and without history.
///
/// Search is generic over this, so that the hot loop is compiled for each game and board class.
pub trait Game: Clone + Send + Sync + 'static {
    const KIND: GameKind;
    /// Is the game decided by territory, so that a finished one must be counted?
    const HAS_TERRITORY: bool;

    fn new(size: Size, komi: f32) -> Self;
    /// An empty board by the same rules.
    fn cleared(&self) -> Self;

    fn size(&self) -> Size;
    fn to_play(&self) -> Color;
    fn color_at(&self, p: Point) -> Option<Color>;
    fn komi(&self) -> f32;
    /// A hash of the stones alone: two positions of a game that look the same have the same one.
    fn hash(&self) -> u64;
    /// May the side to play move here? `PASS` is a move like any other.
    fn is_legal(&self, p: Point) -> bool;
    fn is_over(&self) -> bool;
    /// Who has won on the board, in games that are won before they are counted.
    fn winner(&self) -> Option<Color> {
        None
    }
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
    /// Go: may several stones be put to death by their own side?
    fn set_suicide(&mut self, _is_allowed: bool) {}
    /// Puts stones on an empty board; false, and nothing changes, if that is no position of the game.
    fn set_stones(&mut self, stones: &[(Point, Color)]) -> bool;

    /// Makes one uniformly random candidate move, or passes. Returns the move.
    fn play_random(&mut self, rng: &mut Rng) -> Point;
    /// The longest a playout may be, in moves.
    fn playout_cap(&self) -> usize {
        3 * self.size().area()
    }

    // ---- what a game may know beyond its rules; by default nothing

    /// Replaces `out` by the candidates at most this far from a stone. False, and `out` stays, if there are none.
    fn near(&self, _distance: usize, _out: &mut Vec<Point>) -> bool {
        false
    }
    /// Replaces `out` by the only moves to look at, when something must happen now: a win, or else everything that stops
    /// one. False, and `out` stays, in a quiet position.
    fn urgent(&self, _out: &mut Vec<Point>) -> bool {
        false
    }
    /// A win of the side to play by moves that force each answer, both sides' moves in turn; gives up after this many
    /// positions.
    fn forced_win(&self, _nodes: usize) -> Option<Vec<Point>> {
        None
    }
    /// Replaces `out` by the moves after which a forced win of the opponent's, found as if it were his turn, wins no
    /// more; all others lose to it.
    fn spoilers(&self, _line: &[Point], _out: &mut Vec<Point>) {
        unreachable!("only a game with forced wins is asked what spoils one")
    }
}
