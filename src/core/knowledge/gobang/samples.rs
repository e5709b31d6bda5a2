//! Positions to learn from, on disk: a file that grows game by game, so that nothing is lost when the games are stopped.

use super::fit::Sample;
use crate::base::{Color, Point, Size};
use crate::game::gobang::Rule;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const MAGIC: &[u8] = b"moku gobang games 1\n";

/// Adds games to a file.
pub struct Writer {
    file: File,
    path: PathBuf,
}

impl Writer {
    /// Writes the file anew with these games, which were read from it or are none; `signature` says whose it is.
    pub fn open(path: &Path, signature: u64, games: &[Vec<Sample>]) -> Result<Writer, String> {
        let cannot = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(signature.to_le_bytes());
        games.iter().for_each(|game| bytes.extend(written(game)));
        let beside = path.with_extension("new");
        std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path)).map_err(cannot)?;
        let file = OpenOptions::new().append(true).open(path).map_err(cannot)?;
        Ok(Writer { file, path: path.to_owned() })
    }

    pub fn add(&mut self, game: &[Sample]) -> Result<(), String> {
        let path = &self.path;
        self.file.write_all(&written(game)).map_err(|e| format!("cannot write {}: {e}", path.display()))
    }
}

/// A game with its length in bytes before it.
fn written(game: &[Sample]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for sample in game {
        bytes.push(sample.size.n() as u8);
        bytes.push(sample.rule as u8);
        bytes.push(sample.me.index() as u8 | sample.state << 1 | u8::from(sample.is_complete) << 4);
        bytes.extend(sample.value.to_le_bytes());
        sample.last.iter().for_each(|p| bytes.extend(p.0.to_le_bytes()));
        for stones in &sample.stones {
            bytes.extend((stones.len() as u16).to_le_bytes());
            stones.iter().for_each(|p| bytes.extend(p.0.to_le_bytes()));
        }
        bytes.extend((sample.shares.len() as u16).to_le_bytes());
        for (p, share) in &sample.shares {
            bytes.extend(p.0.to_le_bytes());
            bytes.extend(share.to_le_bytes());
        }
    }
    let mut whole = (bytes.len() as u32).to_le_bytes().to_vec();
    whole.extend(bytes);
    whole
}

/// The games of a file, without one at the end that was not written whole; if whose it must be is given, another's is refused.
pub fn read(path: &Path, signature: Option<u64>) -> Result<Vec<Vec<Sample>>, String> {
    let told = path.display();
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read {told}: {e}"))?;
    let foreign = || format!("{told} has no games of moku learn gobang");
    let mut cursor = Cursor(bytes.strip_prefix(MAGIC).ok_or_else(foreign)?);
    let whose = cursor.take(8).ok_or_else(foreign)?;
    if signature.is_some_and(|signature| whose != signature.to_le_bytes()) {
        return Err(format!("{told} has games of other settings: remove it, or learn to another file"));
    }
    let mut games = Vec::new();
    while let Some(game) = cursor.number(4).and_then(|length| cursor.take(length)) {
        let (mut of_game, mut samples) = (Cursor(game), Vec::new());
        while !of_game.0.is_empty() {
            samples.push(of_game.sample().ok_or_else(|| format!("{told} is not as it was written"))?);
        }
        games.push(samples);
    }
    Ok(games)
}

struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, bytes: usize) -> Option<usize> {
        Some(self.take(bytes)?.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    fn point(&mut self, size: Size) -> Option<Point> {
        Some(Point(self.number(2)? as u16)).filter(|&p| p.is_pass() || size.contains(p))
    }

    fn points(&mut self, size: Size) -> Option<Vec<Point>> {
        let count = self.number(2)?;
        (0..count).map(|_| self.point(size).filter(|p| !p.is_pass())).collect()
    }

    fn sample(&mut self) -> Option<Sample> {
        let size = Size::new(self.number(1)?)?;
        let rule = [Rule::Exact, Rule::Freestyle].into_iter().nth(self.number(1)?)?;
        let bits = self.number(1)?;
        let value = f32::from_bits(self.number(4)? as u32);
        let last = [self.point(size)?, self.point(size)?];
        let stones = [self.points(size)?, self.points(size)?];
        let count = self.number(2)?;
        let share = |cursor: &mut Self| Some((cursor.point(size)?, cursor.number(2)? as u16));
        let shares: Option<Vec<(Point, u16)>> = (0..count).map(|_| share(self)).collect();
        let sample = Sample {
            size,
            rule,
            stones,
            me: Color::BOTH[bits & 1],
            last,
            state: (bits >> 1 & 7) as u8,
            value,
            shares: shares?,
            is_complete: bits >> 4 & 1 != 0,
        };
        (0.0..=1.0).contains(&value).then_some(sample)
    }
}
