//! The file that a long solving run writes as it goes: one line of JSON for the run as a whole, one for each search or proof.
//!
//! A run that was stopped is taken up again by the keys in the file, so nothing is done twice, also when problems, engines
//! or tries were added since. What a moku of another behaviour found stays in the file and is found anew.

use crate::jobs::Error;
use crate::jobs::store::{self, JsonLines};
use crate::lab::code::Code;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// A line of the file.
pub trait Found: Serialize + DeserializeOwned {
    /// What the lines are, in the plural.
    const NAME: &'static str;
    /// Two with the same key are the same.
    fn key(&self) -> &str;
    fn code(&self) -> &Code;
}

#[derive(Serialize, Deserialize)]
struct Header {
    moku: String,
    seed: u64,
    /// Files from before proofs were kept hold searches.
    #[serde(default = "searches")]
    holds: String,
}

fn searches() -> String {
    "searches".to_string()
}

pub struct Results<F> {
    file: JsonLines,
    /// Of the run that the file was begun with.
    pub seed: u64,
    pub done: HashMap<String, F>,
    /// Lines by a moku of another behaviour.
    pub others: usize,
}

impl<F: Found> Results<F> {
    /// Opens a file to go on with, or begins one with this seed.
    pub fn open(path: &Path, seed: u64) -> Result<Results<F>, Error> {
        let (mut file, bytes) = JsonLines::open(path)?;
        let header = match bytes.split(|&b| b == b'\n').next().filter(|line| !line.is_empty()) {
            Some(line) => serde_json::from_slice(line).map_err(|_| {
                let path = path.display();
                format!("{path} is not a results file of `moku tsumego solve`; choose another name for --out")
            })?,
            None => {
                let header = Header { moku: env!("CARGO_PKG_VERSION").to_string(), seed, holds: F::NAME.to_string() };
                file.append(&header)?;
                header
            }
        };
        if header.holds != F::NAME {
            let (path, holds) = (path.display(), header.holds);
            return Err(format!("{path} holds {holds}, not {}; choose another name for --out", F::NAME).into());
        }
        let own = Code::own().behaviour;
        let (found, _) = store::parse::<F>(&bytes);
        let all = found.len();
        let done: Vec<F> = found.into_iter().filter(|found| found.code().behaviour == own).collect();
        let others = all - done.len();
        let done = done.into_iter().map(|found| (found.key().to_string(), found)).collect();
        Ok(Results { file, seed: header.seed, done, others })
    }

    pub fn add(&mut self, found: &F) -> Result<(), Error> {
        self.file.append(found)
    }
}
