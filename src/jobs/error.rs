//! What can go wrong with long work. A job that fails is one thing, a file that cannot be written another: then nothing that
//! comes after it can be kept either.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: io::Error },
    #[error("another moku is writing {0}; wait for it, or write elsewhere")]
    Locked(PathBuf),
    #[error("{0} is not a file of results; choose another name")]
    NotResults(PathBuf),
    /// The work itself, in words.
    #[error("{0}")]
    Job(String),
}

impl Error {
    pub fn read(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Read { path: path.to_path_buf(), source }
    }

    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Write { path: path.to_path_buf(), source }
    }

    /// May other work still succeed where this failed?
    pub fn is_of_one_job(&self) -> bool {
        !matches!(self, Error::Write { .. })
    }
}

impl From<String> for Error {
    fn from(text: String) -> Error {
        Error::Job(text)
    }
}

/// Commands answer with text.
impl From<Error> for String {
    fn from(error: Error) -> String {
        error.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_that_cannot_be_written_ends_everything() {
        let full = || io::Error::new(io::ErrorKind::StorageFull, "no space left");
        let path = Path::new("a.jsonl");
        assert!(!Error::write(path)(full()).is_of_one_job());
        assert_eq!(Error::write(path)(full()).to_string(), "cannot write a.jsonl: no space left");
        assert!(Error::Locked(path.to_path_buf()).is_of_one_job() && Error::from("no".to_string()).is_of_one_job());
        assert_eq!(String::from(Error::Job("no".to_string())), "no");
    }
}
