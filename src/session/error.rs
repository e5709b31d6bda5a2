//! What a session cannot do, and why.

use super::{BOTH_GAMES, smallest_size};
use crate::base::{Color, GameKind, Size};
use crate::game::Illegal;
use crate::search::EngineError;
use crate::table::SearchFailed;
use thiserror::Error;

#[derive(Clone, PartialEq, Debug, Error)]
pub enum SessionError {
    #[error("a board of {} has {} to {} lines, not {lines}", game.name(), smallest_size(*game), Size::MAX)]
    Size { game: GameKind, lines: usize },

    #[error(transparent)]
    Engine(#[from] EngineError),

    #[error("{error}; choose an engine for {} first, such as {BOTH_GAMES}", game.name())]
    EngineOfOtherGame { game: GameKind, error: EngineError },

    #[error("the file is a game of {}, moku is playing {}", file.name(), playing.name())]
    OtherGame { file: GameKind, playing: GameKind },

    #[error("move {number}, {color} {vertex}, is illegal: {}", why.reason())]
    IllegalMove { number: usize, color: Color, vertex: String, why: Illegal },

    #[error("the stones set up after move {after} {what}", what = if *game == GameKind::Go { "leave a chain without liberties" } else { "are no position" })]
    NoPosition { game: GameKind, after: usize },

    #[error(transparent)]
    Search(#[from] SearchFailed),

    #[error("the engine chose an illegal move: {}", .0.reason())]
    IllegalChoice(Illegal),

    #[error("nothing was searched")]
    NoSearch,
}

/// Commands answer with text.
impl From<SessionError> for String {
    fn from(error: SessionError) -> String {
        error.to_string()
    }
}
