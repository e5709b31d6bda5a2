//! Learning that is not finished, on disk: which games are done, and all weights as they are.

use super::LearnError;
use super::fit::Fit;
use crate::knowledge::dictionary::{Dictionary, Entry};
use crate::knowledge::features::WEIGHTS;
use crate::knowledge::model::Model;
use std::path::Path;

pub struct Part {
    /// Passes and chunks of games done.
    pub pass: usize,
    pub chunk: usize,
    pub fit: Fit<Model>,
}

const MAGIC: &[u8] = b"moku learning 1\n";

impl Part {
    /// Writes the file anew; `signature` says which games and settings it belongs to.
    pub fn save(&self, path: &Path, signature: u64) -> Result<(), LearnError> {
        let Fit { model, squares, .. } = &self.fit;
        let entries = model.shapes.sorted();
        let mut bytes = MAGIC.to_vec();
        for number in [signature, self.pass as u64, self.chunk as u64, entries.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        for (weight, squares) in model.answers.iter().zip(squares) {
            bytes.extend(weight.to_le_bytes());
            bytes.extend(squares.to_le_bytes());
        }
        for entry in entries {
            let place = model.shapes.find(entry.name).unwrap_or(0);
            bytes.extend(entry.name.to_le_bytes());
            bytes.extend(entry.weight.to_le_bytes());
            bytes.extend(squares[WEIGHTS + place].to_le_bytes());
        }
        let beside = path.with_extension("new");
        std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path)).map_err(LearnError::write(path))
    }

    pub fn load(path: &Path, signature: u64, rate: f32) -> Result<Part, LearnError> {
        let bytes = std::fs::read(path).map_err(LearnError::read(path))?;
        let broken = || LearnError::NotInterrupted(path.to_path_buf());
        let mut words = bytes.strip_prefix(MAGIC).ok_or_else(broken)?.chunks_exact(4);
        let mut word = || words.next().map(|w| [w[0], w[1], w[2], w[3]]).ok_or_else(broken);
        let mut number = || {
            Ok::<u64, LearnError>(u64::from(u32::from_le_bytes(word()?)) | u64::from(u32::from_le_bytes(word()?)) << 32)
        };
        let (whose, pass, chunk, count) = (number()?, number()? as usize, number()? as usize, number()? as usize);
        if whose != signature {
            return Err(LearnError::OtherSettings(path.to_path_buf()));
        }
        if bytes.len() != MAGIC.len() + 32 + 8 * WEIGHTS + count.saturating_mul(12) {
            return Err(broken());
        }
        let mut answers = Vec::with_capacity(WEIGHTS);
        for _ in 0..WEIGHTS {
            answers.push((f32::from_le_bytes(word()?), f32::from_le_bytes(word()?)));
        }
        let mut entries = Vec::with_capacity(count);
        for _ in 0..count {
            entries.push((u32::from_le_bytes(word()?), f32::from_le_bytes(word()?), f32::from_le_bytes(word()?)));
        }
        let shapes = Dictionary::new(entries.iter().map(|&(name, weight, _)| Entry { name, weight }));
        let mut fit = Fit::new(Model { answers: answers.iter().map(|pair| pair.0).collect(), shapes }, rate);
        answers.iter().enumerate().for_each(|(i, pair)| fit.squares[i] = pair.1);
        for (name, _, squares) in entries {
            if let Some(place) = fit.model.shapes.find(name) {
                fit.squares[WEIGHTS + place] = squares;
            }
        }
        Ok(Part { pass, chunk, fit })
    }
}
