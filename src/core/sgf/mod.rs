//! SGF files to and from a plain description of a game, without any rules.
//!
//! A file takes three steps: `clean` finds the main line of the first game, or all games with their variations, in
//! whatever bytes there are and writes them anew in a form that the strict sgf-parse crate accepts; sgf-parse turns that
//! into properties; `read` gives the properties their meaning. `write` goes the other way.

mod charset;
mod clean;
mod error;
mod psq;
mod read;
mod write;

#[cfg(test)]
mod tests;

use crate::base::{Black, Color, GameKind, Point, Size, White, file};
use std::path::Path;

pub use error::SgfError;
pub use write::{Note, escape, letters};

/// What a file says about a game. Nothing here has been played: moves may be illegal, stones may lack liberties.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    pub kind: GameKind,
    pub size: Size,
    pub komi: Option<f32>,
    /// The name of the rules (RU), as the file has it.
    pub rules: Option<String>,
    /// The number in HA, which may differ from the number of stones set up.
    pub handicap: usize,
    pub steps: Vec<Step>,
    pub result: Option<String>,
    /// Black's name, White's name.
    pub players: [Option<String>; 2],
    /// The comment of the first node.
    pub comment: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Points in ascending order, each at most once; `None` empties the point.
    SetUp {
        stones: Vec<(Point, Option<Color>)>,
        to_play: Option<Color>,
    },
    Move(Color, Point),
}

/// A game with its variations, as problem sets have them.
#[derive(Clone, Debug, PartialEq)]
pub struct GameTree {
    pub kind: GameKind,
    pub size: Size,
    /// The name of the game or of its first named node.
    pub name: Option<String>,
    /// The comment on the game as a whole (GC).
    pub about: Option<String>,
    /// How hard a problem is (DI), in the words of the file.
    pub level: Option<String>,
    /// Every node comes after the node that it follows; the first is the root.
    pub nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub parent: Option<usize>,
    pub steps: Vec<Step>,
    pub comment: String,
    /// The node's name (N).
    pub name: String,
    pub marks: Vec<Mark>,
}

/// What a file says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// GB or GW: the position is good for this side.
    GoodFor(Color),
    /// TE.
    GoodMove,
    /// BM, DO (doubtful), or WV as uliGo writes it.
    BadMove,
}

/// The main line (first variation) of the first game in a file; records of Piskvork are read too.
pub fn read(bytes: &[u8]) -> Result<GameRecord, SgfError> {
    psq::read(bytes).unwrap_or_else(|| read::record(bytes))
}

/// Every game in a file, with all variations.
pub fn read_trees(bytes: &[u8]) -> Result<Vec<GameTree>, SgfError> {
    read::trees(bytes)
}

/// Larger files are refused: whole libraries of games are smaller.
const MOST_BYTES: u64 = 32 << 20;

pub fn read_file(path: &Path) -> Result<GameRecord, SgfError> {
    read(&read_bytes(path)?)
}

/// A file as it is, if it can be one of games.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, SgfError> {
    file::read(path, MOST_BYTES).map_err(|source| SgfError::File { path: path.to_owned(), source })
}

impl GameRecord {
    pub fn new(kind: GameKind, size: Size) -> GameRecord {
        GameRecord {
            kind,
            size,
            komi: None,
            rules: None,
            handicap: 0,
            steps: Vec::new(),
            result: None,
            players: [None, None],
            comment: None,
        }
    }

    /// The position before move n, as GTP's `loadsgf` counts: the first move is 1 (0 is taken as 1); with n beyond the
    /// end it is the whole game. Set-up steps that come before that move are kept. When alternation does not tell whose
    /// move n was, a last step without stones does. The result is dropped with the moves that led to it.
    pub fn before_move(&self, n: usize) -> GameRecord {
        let mut moves = 0;
        let cut = self.steps.iter().position(|step| {
            moves += usize::from(matches!(step, Step::Move(..)));
            moves >= n.max(1)
        });
        let mut before = self.clone();
        if let Some(cut) = cut {
            before.steps.truncate(cut);
            before.result = None;
            if let Step::Move(color, _) = self.steps[cut]
                && before.to_play() != color
            {
                before.steps.push(Step::SetUp { stones: Vec::new(), to_play: Some(color) });
            }
        }
        before
    }

    /// Who moves after the last step: the file's word if it has one, else the opponent of the last move, else White in
    /// a handicap game and Black in any other.
    pub fn to_play(&self) -> Color {
        let first = if self.handicap >= 2 { White } else { Black };
        self.steps.iter().fold(first, |turn, step| match *step {
            Step::Move(color, _) => color.opponent(),
            Step::SetUp { to_play, .. } => to_play.unwrap_or(turn),
        })
    }

    /// The game as an SGF file; `application` is `name:version`. Every point must be on the board (or a pass).
    pub fn to_sgf(&self, application: &str) -> String {
        write::game(self, application)
    }

    /// As [`GameRecord::to_sgf`], with a note for every move in order.
    pub fn to_annotated_sgf(&self, application: &str, notes: &[Note]) -> String {
        write::annotated(self, application, notes)
    }
}
