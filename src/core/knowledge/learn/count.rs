//! Which shapes are frequent enough to have a weight.
//!
//! Shapes are counted where a move was played, and where one of the other moves, taken at random, was not. A shape is looked at
//! only after the smaller one within it has been seen often enough. Counts are kept in a table without names: two shapes may share
//! a count, which lets in a few that are rarer, and costs a byte each.

use super::games::Game;
use crate::base::rng::mix;
use crate::base::{Point, Rng, Size};
use crate::game::go::Board;
use crate::knowledge::dictionary::{Dictionary, Entry};
use crate::knowledge::grid::{place_of, places};
use crate::knowledge::nested;
use crate::knowledge::survey::Survey;

pub struct Counter {
    size: Size,
    seed: u64,
    often: u8,
    counts: Vec<u8>,
    names: Vec<u32>,
}

/// Bytes of the table of counts.
const TABLE: usize = 1 << 27;

impl Counter {
    /// Shapes must be seen so often.
    pub fn new(size: Size, often: u8, seed: u64) -> Counter {
        Counter { size, seed, often: often.max(1), counts: vec![0; TABLE], names: Vec::new() }
    }

    pub fn add<const W: usize, const P: usize>(&mut self, game: &Game, number: usize) {
        let mut rng = Rng::new(mix(&[self.seed, number as u64]));
        let mut others = Vec::new();
        let places = places(self.size);
        game.replay::<W, P>(self.size, |board: &Board<W, P>, last, played| {
            let survey = Survey::new(board);
            let last = place_of(places, last[0]);
            others.clear();
            others.extend(board.empty().iter().filter(|&p| p != played && board.is_legal(p)));
            let other = others.get(rng.below(others.len().max(1) as u32) as usize).copied().unwrap_or(Point::PASS);
            for p in [played, other] {
                if !p.is_pass() {
                    nested::visit(&survey, place_of(places, p), last, |_, _, name| self.count(name));
                }
            }
        });
    }

    fn count(&mut self, name: u32) -> bool {
        let slot = (name.wrapping_mul(0x85eb_ca6b) >> 5) as usize & (TABLE - 1);
        let count = &mut self.counts[slot];
        if *count < self.often {
            *count += 1;
            if *count == self.often {
                self.names.push(name);
            }
        }
        *count == self.often
    }

    pub fn dictionary(mut self) -> Dictionary {
        self.names.sort_unstable();
        self.names.dedup();
        Dictionary::new(self.names.iter().map(|&name| Entry { name, weight: 0.0 }))
    }
}
