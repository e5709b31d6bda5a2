//! The file that a long solving run writes as it goes: one line of JSON for the run as a whole, one for each search.
//!
//! A run that was stopped is taken up again by the keys in the file, so nothing is searched twice, also when problems,
//! engines or tries were added since.

use super::solve::Run;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize)]
struct Header {
    moku: String,
    seed: u64,
}

pub struct Results {
    pub path: PathBuf,
    /// Of the run that the file was begun with.
    pub seed: u64,
    pub done: HashMap<String, Run>,
    file: File,
}

impl Results {
    /// Opens a file to go on with, or begins one with this seed.
    pub fn open(path: &Path, seed: u64) -> Result<Results, String> {
        let failed = |e: std::io::Error| format!("cannot use the results file {}: {e}", path.display());
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(failed(e)),
        };
        let header = read_header(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        let header = match header {
            Some(header) => header,
            None => {
                let header = Header { moku: env!("CARGO_PKG_VERSION").to_string(), seed };
                write_line(&mut file, &header).map_err(failed)?;
                header
            }
        };
        // The last line may be torn if the machine went down; it is searched again, on a line of its own.
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(failed)?;
        }
        let runs = text.lines().skip(1).filter_map(|line| serde_json::from_str::<Run>(line).ok());
        let done = runs.map(|run| (run.key.clone(), run)).collect();
        Ok(Results { path: path.to_owned(), seed: header.seed, done, file })
    }

    pub fn add(&mut self, run: &Run) -> Result<(), String> {
        write_line(&mut self.file, run).map_err(|e| format!("cannot write {}: {e}", self.path.display()))
    }
}

/// None if the file is empty; files of other programs are left alone.
fn read_header(text: &str) -> Result<Option<Header>, String> {
    match text.lines().next() {
        None => Ok(None),
        Some(line) => serde_json::from_str(line).map(Some).map_err(|_| {
            "this is not a results file of `moku tsumego solve`; choose another name for --out".to_string()
        }),
    }
}

fn write_line(file: &mut File, value: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    file.write_all(line.as_bytes())
}
