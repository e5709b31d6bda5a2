//! Looks on the disk, so that a review that was broken off goes on where it was.

use super::{Look, Reviewer};
use crate::jobs::store::{JsonLines, parse};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A file of looks, one a line; the first line says what they are about.
pub struct Store(JsonLines);

#[derive(Serialize, Deserialize, PartialEq)]
struct About {
    about: String,
}

impl Store {
    /// Opens the file and takes up what is in it, if that is about the same game, engine and playouts; else starts anew.
    pub fn open(path: &Path, reviewer: &mut Reviewer) -> Result<Store, String> {
        let about = About { about: reviewer.key() };
        let (lines, bytes) = JsonLines::open(path)?;
        if parse::<About>(&bytes).0.first() == Some(&about) {
            reviewer.take_up(parse::<Look>(&bytes).0);
            return Ok(Store(lines));
        }
        drop(lines);
        std::fs::remove_file(path).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        let (mut lines, _) = JsonLines::open(path)?;
        lines.append(&about)?;
        Ok(Store(lines))
    }

    pub fn add(&mut self, look: &Look) -> Result<(), String> {
        Ok(self.0.append(look)?)
    }

    /// All is done, nothing needs to be taken up.
    pub fn remove(self) {
        if let Err(e) = std::fs::remove_file(self.0.path()) {
            log::warn!("cannot remove {}: {e}", self.0.path().display());
        }
    }
}
