//! Looks on the disk, so that a review that was broken off goes on where it was.

use super::{Look, Reviewer};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// A file of looks, one a line; the first line says what they are about.
pub struct Store {
    path: PathBuf,
    file: File,
}

impl Store {
    /// Opens the file and takes up what is in it, if that is about the same game, engine and playouts; else starts anew.
    pub fn open(path: &Path, reviewer: &mut Reviewer) -> Result<Store, String> {
        let cannot = |e: std::io::Error| format!("cannot keep the review in {}: {e}", path.display());
        let key = serde_json::to_string(&reviewer.key()).map_err(|e| e.to_string())?;
        let looks = File::open(path).ok().map(|file| read(file, &key)).unwrap_or_default();
        reviewer.take_up(looks);
        let mut file = OpenOptions::new().create(true).write(true).truncate(true).open(path).map_err(cannot)?;
        writeln!(file, "{key}").map_err(cannot)?;
        let mut store = Store { path: path.to_owned(), file };
        for look in &reviewer.looks {
            store.add(look)?;
        }
        Ok(store)
    }

    pub fn add(&mut self, look: &Look) -> Result<(), String> {
        let line = serde_json::to_string(look).map_err(|e| e.to_string())?;
        let cannot = |e| format!("cannot keep the review in {}: {e}", self.path.display());
        writeln!(self.file, "{line}").map_err(cannot)
    }

    /// All is done, nothing needs to be taken up.
    pub fn remove(self) {
        if let Err(e) = std::fs::remove_file(&self.path) {
            log::warn!("cannot remove {}: {e}", self.path.display());
        }
    }
}

/// Whole lines only: the last one may have been cut.
fn read(file: File, key: &str) -> Vec<Look> {
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    if lines.next().as_deref() != Some(key) {
        return Vec::new();
    }
    lines.map_while(|line| serde_json::from_str(&line).ok()).collect()
}
