//! Results on disk: one JSON object a line, written as soon as it is there, so that a run that ends in any way loses nothing
//! but what was in hand.
//!
//! A last line that was torn is left out by readers and cut off by the next writer. A file is locked while it is open, so
//! that two processes cannot both do the same work into it.

use super::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A file of results, open for more.
pub struct JsonLines {
    path: PathBuf,
    file: File,
    /// Of the whole lines.
    length: u64,
}

impl JsonLines {
    /// Opens a file, or makes one, and returns its whole lines. Nothing is written before the first [`JsonLines::append`].
    pub fn open(path: &Path) -> Result<(JsonLines, Vec<u8>), Error> {
        let mut file = open_locked(path)?;
        // A device may never end.
        if !file.metadata().map_err(Error::read(path))?.is_file() {
            return Err(Error::NotResults(path.to_path_buf()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(Error::read(path))?;
        if bytes.first().is_some_and(|&first| first != b'{') {
            return Err(Error::NotResults(path.to_path_buf()));
        }
        let length = whole_lines(&bytes).len();
        if length < bytes.len() {
            log::warn!("{}: a torn last line is left out; its work will be done again", path.display());
            bytes.truncate(length);
        }
        Ok((JsonLines { path: path.to_path_buf(), file, length: length as u64 }, bytes))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a line; on an error the file has the lines that it had before.
    pub fn append(&mut self, value: &impl Serialize) -> Result<(), Error> {
        let mut line = serde_json::to_string(value).map_err(|e| format!("cannot write a result: {e}"))?;
        line.push('\n');
        let written = self
            .file
            .set_len(self.length)
            .and_then(|()| self.file.write_all(line.as_bytes()))
            .and_then(|()| self.file.flush());
        if let Err(e) = written {
            let _ = self.file.set_len(self.length);
            return Err(Error::write(&self.path)(e));
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

/// A file for reading and appending that no other process writes.
fn open_locked(path: &Path) -> Result<File, Error> {
    let file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(Error::write(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(Error::Locked(path.to_path_buf())),
        Err(std::fs::TryLockError::Error(e)) => Err(Error::write(path)(e)),
    }
}

/// Everything up to the last line end.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    &bytes[..end]
}

/// What stands in whole lines; lines that are something else are counted.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> (Vec<T>, usize) {
    let mut found = Vec::new();
    let mut others = 0;
    for line in whole_lines(bytes).split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(value) => found.push(value),
            Err(_) => others += 1,
        }
    }
    (found, others)
}

/// What a file holds, with a warning about lines that are something else.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    let bytes = std::fs::read(path).map_err(Error::read(path))?;
    let (found, others) = parse(&bytes);
    if others > 0 {
        log::warn!("{}: {others} lines are no results and are left out", path.display());
    }
    Ok(found)
}

/// Writes a file whole or not at all: who reads it at the same time sees the old one or the new one.
pub fn write_whole(path: &Path, text: &[u8]) -> Result<(), Error> {
    let mut new = path.as_os_str().to_owned();
    new.push(format!(".{}.new", std::process::id()));
    let written = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, path));
    written.map_err(|e| {
        let _ = std::fs::remove_file(&new);
        Error::write(path)(e)
    })
}

/// Makes a file anew of these results, which must hold what it held.
pub fn replace<T: Serialize>(path: &Path, results: &[&T]) -> Result<(), Error> {
    let _locked = open_locked(path)?;
    let mut text = Vec::new();
    for result in results {
        serde_json::to_writer(&mut text, result).map_err(|e| format!("cannot write a result: {e}"))?;
        text.push(b'\n');
    }
    write_whole(path, &text)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A folder of a test's own, removed when it ends.
    pub struct Scratch(pub PathBuf);

    impl Scratch {
        pub fn new(name: &str) -> Scratch {
            let folder = std::env::temp_dir().join(format!("moku-{}-{name}", std::process::id()));
            let _ = std::fs::remove_dir_all(&folder);
            std::fs::create_dir_all(&folder).unwrap();
            Scratch(folder)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn values(path: &Path) -> Vec<serde_json::Value> {
        read(path).unwrap()
    }

    #[test]
    fn a_torn_line_is_left_out_and_cut_off_by_the_next_writer() {
        let scratch = Scratch::new("torn");
        let path = scratch.0.join("a.jsonl");
        let whole = "{\"a\":1}\n{\"a\":\"é\"}\n";
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole.as_bytes()[..length]).unwrap();
            let kept = whole.as_bytes()[..length].iter().filter(|&&b| b == b'\n').count();
            assert_eq!(values(&path).len(), kept);
            let (mut file, bytes) = JsonLines::open(&path).unwrap();
            assert_eq!(parse::<serde_json::Value>(&bytes).0.len(), kept);
            assert_eq!(std::fs::read(&path).unwrap().len(), length, "opening writes nothing");
            file.append(&serde_json::json!({ "b": 2 })).unwrap();
            drop(file);
            assert_eq!(values(&path).len(), kept + 1);
            assert!(std::fs::read_to_string(&path).unwrap().ends_with("{\"b\":2}\n"), "cut at {length}");
        }
    }

    #[test]
    fn two_writers_of_one_file_are_one_too_many() {
        let scratch = Scratch::new("lock");
        let path = scratch.0.join("a.jsonl");
        let first = JsonLines::open(&path).unwrap();
        assert!(JsonLines::open(&path).err().is_some_and(|e| matches!(e, Error::Locked(_))));
        drop(first);
        assert!(JsonLines::open(&path).is_ok());
    }

    #[test]
    fn files_that_hold_something_else_are_left_alone() {
        let scratch = Scratch::new("other");
        let path = scratch.0.join("notes.txt");
        for notes in ["my notes\n", "my notes"] {
            std::fs::write(&path, notes).unwrap();
            assert!(JsonLines::open(&path).err().is_some_and(|e| matches!(e, Error::NotResults(_))));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), notes);
        }
    }
}
