//! Why nothing could be learned, or what was begun could not be taken up again.

use crate::base::Size;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    #[error("there are no games on {0}x{0} to learn from")]
    NoGames(Size),
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is not learning that was interrupted; remove it to learn from the beginning", .0.display())]
    NotInterrupted(PathBuf),
    #[error("{} was learned from other games or with other settings; remove it to learn from the beginning", .0.display())]
    OtherSettings(PathBuf),
}

impl LearnError {
    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> LearnError {
        move |source| LearnError::Read { path: path.to_path_buf(), source }
    }

    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> LearnError {
        move |source| LearnError::Write { path: path.to_path_buf(), source }
    }
}

/// Commands answer with text.
impl From<LearnError> for String {
    fn from(error: LearnError) -> String {
        error.to_string()
    }
}
