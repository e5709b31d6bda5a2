//! Why a problem cannot be read, framed, asked about or played.

use crate::base::{Color, Point, Size};
use crate::sgf::SgfError;
use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum TsumegoError {
    #[error("cannot read the folder {}: {source}", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("{}: no .sgf files in this folder", .0.display())]
    NoFiles(PathBuf),
    /// The file cannot be read; its path is part of the reason.
    #[error("{0}")]
    File(SgfError),
    #[error("{}: {reason}", path.display())]
    NoProblem { path: PathBuf, reason: SgfError },
    #[error("{}: {NO_STONES}", .0.display())]
    NoStones(PathBuf),

    #[error("a problem has stones of both colours")]
    OneColor,
    #[error("a chain of the problem has no liberty")]
    NoLiberty,
    #[error(
        "the problem takes {width}x{height} points; with a wall and a living group around it there is no room for a fair \
         margin on {}",
        boards(sizes)
    )]
    NoRoom { width: usize, height: usize, sizes: Vec<usize> },

    #[error("no enclosed group was found")]
    NothingEnclosed,
    #[error("no {} group enclosed by {by} was found", by.opponent())]
    NotEnclosedBy { by: Color },
    #[error("there is no stone at {}", size.point_to_gtp(*at))]
    NoStone { size: Size, at: Point },
    #[error("the group at {} is not enclosed", size.point_to_gtp(*at))]
    NotEnclosed { size: Size, at: Point },
    #[error("the group at {} encloses that at {} and is taken to be safe", size.point_to_gtp(*at), size.point_to_gtp(*inner))]
    IsFence { size: Size, at: Point, inner: Point },
    #[error("no {0} chain to capture was found")]
    NothingToCapture(Color),
    #[error("no race of a {0} chain was found")]
    NoRace(Color),
    #[error("no two {0} chains to connect were found")]
    NothingToConnect(Color),

    #[error("the fight is too wide for the prover")]
    TooWide,
    #[error("the region is too large for the prover")]
    TooLarge,
    #[error("none of the stones in question is in the region")]
    NotInRegion,
    /// More time or nodes may help.
    #[error("the prover did not find the answer in time")]
    NotProven,
    #[error("nothing helps {0} here")]
    NothingHelps(Color),

    #[error("{} is no move", size.point_to_gtp(*point))]
    NoMove { size: Size, point: Point },
    #[error("the point is occupied")]
    Occupied,
    #[error("the ko cannot be retaken at once")]
    Ko,
    #[error("that would be suicide")]
    Suicide,

    #[error("{positions} positions of one kind are too few for {weights} weights; ask for thousands")]
    TooFewPositions { positions: usize, weights: usize },
}

impl TsumegoError {
    /// The file that it is about, if any, apart from what is wrong with it.
    pub fn file_and_reason(&self) -> (String, String) {
        let (path, reason) = match self {
            TsumegoError::Folder { path, source } => (path, source.to_string()),
            TsumegoError::NoFiles(path) => (path, "no .sgf files in this folder".to_string()),
            TsumegoError::File(SgfError::File { path, source }) => (path, source.to_string()),
            TsumegoError::NoProblem { path, reason } => (path, reason.to_string()),
            TsumegoError::NoStones(path) => (path, NO_STONES.to_string()),
            other => return (String::new(), other.to_string()),
        };
        (path.display().to_string(), reason)
    }
}

const NO_STONES: &str = "no stones are set up, expected AB and AW";

fn boards(sizes: &[usize]) -> String {
    sizes.iter().map(|n| format!("{n}x{n}")).collect::<Vec<_>>().join(", ")
}

/// Commands answer with text.
impl From<TsumegoError> for String {
    fn from(error: TsumegoError) -> String {
        error.to_string()
    }
}
