//! Files of weights: what was learned, from what, and how well it predicts.
//!
//! | part | bytes |
//! | --- | --- |
//! | `moku weights 1\n` | 15 |
//! | header: its length, then JSON | 4, as many |
//! | weights of the answers, in steps of 1/1024: i16 | 2 each |
//! | number of shapes, then their names in ascending order as differences, 7 bits a byte | 4, 1 to 5 each |
//! | weights of the shapes, in steps of 1/20: i8 | 1 each |
//! | checksum of all before | 8 |
//!
//! Numbers have their low byte first. A file may be packed by gzip; those in the program are.

use super::dictionary::{Dictionary, Entry};
use super::features::{FEATURES, WEIGHTS};
use super::learn::fit::Figures;
use super::model::Model;
use super::nested::FAMILIES;
use crate::base::file;
use crate::base::rng::mix;
use flate2::read::MultiGzDecoder;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: &[u8] = b"moku weights 1\n";
const ANSWER_STEPS: f32 = 1024.0;
const SHAPE_STEPS: f32 = 20.0;

/// What the file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Lines of the boards it was learned on.
    pub size: usize,
    /// Which questions and shapes the weights are for; a program that asks others cannot use them.
    pub features: u64,
    /// Games learned from, and how many of each kind there were to choose from.
    pub games: usize,
    pub kinds: BTreeMap<String, usize>,
    /// Times that every game was gone through.
    pub passes: usize,
    pub seed: u64,
    pub shapes: usize,
    /// On games left out.
    pub held_out: HeldOut,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    pub games: usize,
    pub moves: u64,
    /// Shares of moves that were the likeliest, or among the five likeliest; mean logarithm of a move's chance.
    pub first: f64,
    pub fifth: f64,
    pub log_likelihood: f64,
}

impl HeldOut {
    pub fn new(games: usize, figures: &Figures) -> HeldOut {
        let rounded = |x: f64| (x * 1e5).round() / 1e5;
        HeldOut {
            games,
            moves: figures.moves,
            first: rounded(figures.share_first()),
            fifth: rounded(figures.share_fifth()),
            log_likelihood: rounded(figures.mean_log_likelihood()),
        }
    }
}

/// What was made of files of weights, by path, so that each is read once.
pub struct Files<T>(Mutex<BTreeMap<String, Arc<T>>>);

impl<T> Files<T> {
    pub const fn new() -> Files<T> {
        Files(Mutex::new(BTreeMap::new()))
    }

    pub fn get(&self, path: &str, load: impl FnOnce() -> Result<T, WeightsError>) -> Result<Arc<T>, WeightsError> {
        let mut files = self.0.lock();
        if let Some(known) = files.get(path) {
            return Ok(known.clone());
        }
        let loaded = Arc::new(load()?);
        files.insert(path.to_string(), loaded.clone());
        Ok(loaded)
    }
}

impl<T> Default for Files<T> {
    fn default() -> Self {
        Files::new()
    }
}

/// Why a file gives no weights.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    #[error("cannot read the weights {}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("{}: {reason}", path.display())]
    Content { path: PathBuf, reason: Fault },
}

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    #[error("not a file of weights: it begins otherwise (moku learn writes them)")]
    Foreign,
    #[error("the file is cut short or has been changed: its checksum is wrong")]
    Broken,
    #[error("weights for other features than this version of moku has; learn them anew (moku learn)")]
    OtherFeatures,
    #[error("the header is not understood: {0}")]
    Header(String),
}

/// A number that changes with the questions and the shapes.
pub fn signature() -> u64 {
    let text = |text: &str| text.bytes().fold(0, |hash, byte| mix(&[hash, byte as u64]));
    let answers = FEATURES.iter().fold(0, |hash, f| mix(&[hash, text(f.name), text(f.about), f.answers as u64]));
    let shapes = FAMILIES.iter().flat_map(|family| family.2).fold(0, |hash, &d| mix(&[hash, d as u64]));
    mix(&[answers, shapes])
}

pub fn write(header: &Header, model: &Model) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    // A header is plain data and always has a JSON form.
    let text = serde_json::to_vec(header).unwrap_or_default();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text);
    for &weight in &model.answers {
        let steps = (weight * ANSWER_STEPS).round().clamp(i16::MIN.into(), i16::MAX.into());
        bytes.extend((steps as i16).to_le_bytes());
    }
    let entries = model.shapes.sorted();
    bytes.extend((entries.len() as u32).to_le_bytes());
    let mut before = 0;
    for entry in &entries {
        let mut rest = entry.name - before;
        before = entry.name;
        while rest >= 128 {
            bytes.push(rest as u8 | 128);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    bytes.extend(entries.iter().map(|entry| (entry.weight * SHAPE_STEPS).round().clamp(-127.0, 127.0) as i8 as u8));
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

pub(super) fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| {
        let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | byte as u64);
        mix(&[sum, word])
    })
}

/// The largest file that is read.
const MOST_BYTES: u64 = 64 << 20;

/// The bytes of a file of weights.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, WeightsError> {
    file::read(path, MOST_BYTES).map_err(|source| WeightsError::File { path: path.to_owned(), source })
}

pub fn load(path: &Path) -> Result<(Header, Model), WeightsError> {
    let bytes = bytes_of(path)?;
    read(&bytes).map_err(|reason| WeightsError::Content { path: path.to_owned(), reason })
}

pub fn read(bytes: &[u8]) -> Result<(Header, Model), Fault> {
    read_plain(&unpacked(bytes)?)
}

/// What a file says that may be packed by gzip.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Fault> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut plain = Vec::new();
    MultiGzDecoder::new(bytes).take(MOST_BYTES).read_to_end(&mut plain).map_err(|_| Fault::Broken)?;
    Ok(Cow::Owned(plain))
}

fn read_plain(bytes: &[u8]) -> Result<(Header, Model), Fault> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(Fault::Foreign)?;
    let (body, sum) = rest.split_last_chunk::<8>().ok_or(Fault::Broken)?;
    if checksum(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*sum) {
        return Err(Fault::Broken);
    }
    let mut reader = Reader(body);
    let length = reader.number()? as usize;
    let header: Header = serde_json::from_slice(reader.take(length)?).map_err(|e| Fault::Header(e.to_string()))?;
    if header.features != signature() {
        return Err(Fault::OtherFeatures);
    }
    let answers = reader.take(2 * WEIGHTS)?.chunks_exact(2);
    let answers = answers.map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / ANSWER_STEPS).collect();
    let count = reader.number()? as usize;
    if count > reader.0.len() {
        return Err(Fault::Broken);
    }
    let mut entries = Vec::with_capacity(count);
    let mut name = 0u32;
    for _ in 0..count {
        name = reader.difference()?.checked_add(name).ok_or(Fault::Broken)?;
        entries.push(Entry { name, weight: 0.0 });
    }
    for (entry, &steps) in entries.iter_mut().zip(reader.take(count)?) {
        entry.weight = f32::from(steps as i8) / SHAPE_STEPS;
    }
    Ok((header, Model { answers, shapes: Dictionary::new(entries.into_iter()) }))
}

/// Bytes from which parts are taken; what is not there is a fault.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Fault::Broken)?;
        self.0 = rest;
        Ok(taken)
    }

    pub fn number(&mut self) -> Result<u32, Fault> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub fn difference(&mut self) -> Result<u32, Fault> {
        let mut value = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.take(1)?[0];
            value |= (byte as u32 & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(Fault::Broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> (Header, Model) {
        let entries = (1..500u32).map(|i| Entry { name: i * i * 17_000, weight: (i % 240) as f32 / 20.0 - 6.0 });
        let mut model = Model::new(Dictionary::new(entries.collect::<Vec<_>>().into_iter()));
        for (i, weight) in model.answers.iter_mut().enumerate() {
            *weight = (i as f32 - 100.0) / 1024.0;
        }
        let header = Header {
            size: 9,
            features: signature(),
            games: 7,
            kinds: BTreeMap::from([("sgf".to_string(), 7)]),
            passes: 1,
            seed: 3,
            shapes: 499,
            held_out: HeldOut::new(1, &Figures { moves: 30, first: 10, fifth: 20, log_likelihood: -60.0 }),
        };
        (header, model)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (header, model) = some();
        let (again, read_model) = read(&write(&header, &model)).unwrap();
        assert_eq!(again, header);
        assert_eq!(read_model.answers, model.answers);
        let close = |a: &Entry, b: &Entry| a.name == b.name && (a.weight - b.weight).abs() < 1e-3;
        let (read_shapes, shapes) = (read_model.shapes.sorted(), model.shapes.sorted());
        assert_eq!(read_shapes.len(), shapes.len());
        assert!(read_shapes.iter().zip(&shapes).all(|(a, b)| close(a, b)));
    }

    #[test]
    fn a_packed_file_is_read_and_a_broken_one_is_refused() {
        use std::io::Write;
        let (header, model) = some();
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&write(&header, &model)).unwrap();
        let packed = packer.finish().unwrap();
        assert_eq!(read(&packed).unwrap().0, header);
        assert_eq!(read(&packed[..packed.len() / 2]).err(), Some(Fault::Broken));
    }

    #[test]
    fn a_foreign_short_or_changed_file_is_refused() {
        let (header, model) = some();
        let bytes = write(&header, &model);
        assert_eq!(read(b"GIF89a").err(), Some(Fault::Foreign));
        assert_eq!(read(b"").err(), Some(Fault::Foreign));
        for cut in MAGIC.len()..bytes.len() {
            assert_eq!(read(&bytes[..cut]).err(), Some(Fault::Broken), "{cut}");
        }
        for i in (0..bytes.len()).step_by(7) {
            let mut changed = bytes.clone();
            changed[i] ^= 4;
            assert!(read(&changed).is_err(), "{i}");
        }
        let other = Header { features: 1, ..header };
        assert_eq!(read(&write(&other, &model)).err(), Some(Fault::OtherFeatures));
        // A right checksum over nonsense is no reason to trust it.
        for length in [0u32, 5, 1000, u32::MAX] {
            let mut bytes = MAGIC.to_vec();
            bytes.extend(length.to_le_bytes());
            bytes.extend(*b"{}\x01\x02\x03");
            let sum = checksum(&bytes);
            bytes.extend(sum.to_le_bytes());
            assert!(read(&bytes).is_err());
        }
        let missing = load(Path::new("no-such-file")).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(missing.starts_with("cannot read the weights no-such-file"), "{missing}");
    }
}
