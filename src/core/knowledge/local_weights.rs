//! Files of weights for playouts: JSON, with a line for every feature, and what they were learned from.

use super::local::{ROWS, TACTICS, patterns};
use super::weights::{Fault, HeldOut, WeightsError, bytes_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Weights of all features: logarithms, those of tactics first, then those of patterns by number.
#[derive(Clone, PartialEq, Debug)]
pub struct LocalWeights(Vec<f32>);

impl LocalWeights {
    /// All moves are alike.
    pub fn zero() -> LocalWeights {
        LocalWeights(vec![0.0; TACTICS + patterns().codes.len()])
    }

    pub fn tactics(&self) -> &[f32] {
        &self.0[..TACTICS]
    }

    /// By number of the pattern.
    pub fn patterns(&self) -> &[f32] {
        &self.0[TACTICS..]
    }

    pub fn all(&self) -> &[f32] {
        &self.0
    }

    pub fn all_mut(&mut self) -> &mut [f32] {
        &mut self.0
    }
}

/// Weights with what they come from.
#[derive(Clone, PartialEq, Debug)]
pub struct LocalFile {
    pub size: usize,
    pub games: usize,
    pub kinds: BTreeMap<String, usize>,
    pub passes: usize,
    pub seed: u64,
    /// On games left out, among the moves that a playout may make.
    pub held_out: HeldOut,
    pub balanced: Option<Balanced>,
    pub weights: LocalWeights,
}

/// How weights were changed so that the mean result of playouts is right.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Balanced {
    /// Positions, and playouts from each.
    pub positions: usize,
    pub playouts: usize,
    pub seed: u64,
    /// Root mean square of what playouts say less what a search says, before and after, on positions left out.
    pub error_before: f64,
    pub error_after: f64,
}

/// What stands in the file.
#[derive(Serialize, Deserialize)]
struct Written {
    format: String,
    size: usize,
    games: usize,
    kinds: BTreeMap<String, usize>,
    passes: usize,
    seed: u64,
    held_out: HeldOut,
    balanced: Option<Balanced>,
    tactics: BTreeMap<String, Vec<f32>>,
    /// By the least code of its turns and mirrors, in hexadecimal.
    patterns: BTreeMap<String, f32>,
}

const FORMAT: &str = "moku playout weights 1";

/// Weights are kept to a thousandth.
fn rounded(weight: f32) -> f32 {
    (weight * 1000.0).round() / 1000.0
}

impl LocalFile {
    pub fn write(&self) -> String {
        let tactics = |row: &super::local::Row| {
            let weights = self.weights.tactics()[row.first..row.first + row.cases].iter().copied().map(rounded);
            (row.name.to_string(), weights.collect())
        };
        let codes = patterns().codes.iter().zip(self.weights.patterns());
        let written = Written {
            format: FORMAT.to_string(),
            size: self.size,
            games: self.games,
            kinds: self.kinds.clone(),
            passes: self.passes,
            seed: self.seed,
            held_out: self.held_out,
            balanced: self.balanced.clone(),
            tactics: ROWS.iter().map(tactics).collect(),
            // A pattern without a weight was never seen.
            patterns: codes
                .filter(|&(_, &weight)| weight != 0.0)
                .map(|(code, &weight)| (format!("{code:04x}"), rounded(weight)))
                .collect(),
        };
        // Plain data always has a JSON form.
        serde_json::to_string_pretty(&written).unwrap_or_default() + "\n"
    }

    pub fn read(text: &str) -> Result<LocalFile, Fault> {
        let header = |e: &dyn std::fmt::Display| Fault::Header(e.to_string());
        let written: Written = serde_json::from_str(text).map_err(|e| header(&e))?;
        if written.format != FORMAT {
            return Err(Fault::Foreign);
        }
        let mut weights = LocalWeights::zero();
        for row in ROWS {
            let given = written.tactics.get(row.name).filter(|given| given.len() == row.cases);
            let given = given.ok_or_else(|| header(&format!("{} weights of {} are expected", row.cases, row.name)))?;
            weights.0[row.first..row.first + row.cases].copy_from_slice(given);
        }
        for (code, &weight) in &written.patterns {
            let number = u16::from_str_radix(code, 16).map_or(0, |code| patterns().number(code));
            if number == 0 {
                return Err(header(&format!("'{code}' is no neighbourhood of a point")));
            }
            weights.0[TACTICS + number] = weight;
        }
        if weights.0.iter().any(|weight| !(-50.0..=50.0).contains(weight)) {
            return Err(header(&"a weight from -50 to 50 is expected"));
        }
        let Written { size, games, kinds, passes, seed, held_out, balanced, .. } = written;
        Ok(LocalFile { size, games, kinds, passes, seed, held_out, balanced, weights })
    }

    pub fn load(path: &Path) -> Result<LocalFile, WeightsError> {
        let bytes = bytes_of(path)?;
        LocalFile::read(&String::from_utf8_lossy(&bytes))
            .map_err(|reason| WeightsError::Content { path: path.to_owned(), reason })
    }
}
