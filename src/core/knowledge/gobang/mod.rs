//! Gobang read by its lines: what each point would make, wins by fours, and wins by threats.
//!
//! [`Class`] is what a stone makes on one line, [`Lines`] keeps the classes of all points up to date, and [`Reader`]
//! reads on from there: continuous fours, what spoils them, continuous threats, and what a position is worth.

mod class;
pub mod fit;
mod fours;
pub mod guide;
pub mod guide_file;
#[cfg(test)]
mod learn_tests;
mod lines;
mod reader;
pub mod samples;
pub mod slow;
#[cfg(test)]
mod tests;
mod threats;
mod worth;

pub use class::{Class, Pair};
pub use guide::Guide;
pub use lines::{Lines, Points};
pub use reader::{Effort, Known, Quiet, Reader, Sight};
pub use worth::Worth;

use std::hash::{BuildHasherDefault, Hasher};

/// Keys that are hashes already.
#[derive(Default)]
pub struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole words are hashed")
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}

pub(crate) type Hashed = BuildHasherDefault<Plain>;
