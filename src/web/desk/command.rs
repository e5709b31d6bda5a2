//! What a page can ask of the game on the board.

use serde::{Deserialize, Serialize};

#[derive(Deserialize, Debug)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    New(Box<Wish>),
    /// A game from a file.
    Load {
        sgf: String,
    },
    /// The game as a file.
    Save,
    /// The game up to the position on the board.
    Here,
    Play {
        at: String,
    },
    Pass,
    Resign,
    Undo,
    /// The position after this many moves.
    Go {
        at: usize,
    },
    /// Back to the game that a try has left.
    Return,
    /// Moku shall move at once.
    Now,
    Hint,
    /// In the count: the stones here are dead, or not.
    Dead {
        at: String,
    },
    /// The count is right.
    Accept,
    /// The count is too early.
    PlayOn,
    Analyse {
        on: bool,
    },
    /// What to draw over the stones; an empty name is nothing.
    Overlay {
        name: String,
    },
    /// Another engine from now on.
    Engine {
        line: String,
    },
    Parameter {
        key: String,
        value: String,
    },
    /// Who moves by hand.
    Seats {
        you: You,
    },
}

/// A game that is wished for.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    pub game: String,
    pub size: Option<usize>,
    pub rule: Option<String>,
    /// Those of Go, as kata-set-rules names them.
    pub rules: Option<String>,
    pub komi: Option<f32>,
    #[serde(default)]
    pub handicap: usize,
    pub you: You,
    /// None: moku's best for the game.
    pub engine: Option<String>,
    pub level: Option<u8>,
    pub seconds: Option<f64>,
    pub clock: Option<ClockWish>,
}

/// Seconds, and a number of periods.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(deny_unknown_fields)]
pub struct ClockWish {
    pub main: f64,
    #[serde(default)]
    pub period: f64,
    #[serde(default)]
    pub periods: u32,
}

/// Who moves by hand.
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum You {
    Black,
    White,
    Both,
    Nobody,
}

impl Command {
    /// Does it make a move that moku is looking for needless?
    pub fn ends_thinking(&self) -> bool {
        !matches!(self, Command::Save | Command::Here | Command::Play { .. } | Command::Pass | Command::Hint)
    }
}
