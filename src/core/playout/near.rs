//! The moves around the last two of a playout by learned weights, each once, with what their features multiply their weight by.

use super::gammas::MOST;
use crate::base::Point;
use crate::game::go::Board;
use crate::knowledge::local::{NEAR_LAST, NEAR_PREVIOUS, TACTICS};

pub struct Near<const P: usize> {
    pub count: usize,
    pub points: [u16; 64],
    pub factors: [f32; 64],
    pub weights: [u32; 64],
    /// Where a point may be in the list: it is there if the list says so too.
    slots: [u8; P],
}

impl<const P: usize> Near<P> {
    pub fn new() -> Self {
        Near { count: 0, points: [0; 64], factors: [0.0; 64], weights: [0; 64], slots: [0; P] }
    }

    /// The slot of a point, and whether it has one: else it is the next free one.
    #[inline(always)]
    pub fn slot(&self, p: Point) -> (usize, bool) {
        let slot = self.slots[p.index() & (P - 1)] as usize % 64;
        let is_in = slot < self.count && self.points[slot] == p.0;
        (if is_in { slot } else { self.count % 64 }, is_in)
    }

    /// Never more than 64 points: 16 around, 2 of the chain of the last move, 9 for each of 4 chains, 4 eyes.
    #[inline(always)]
    pub fn multiply(&mut self, p: Point, factor: f32) {
        let (slot, is_in) = self.slot(p);
        self.factors[slot] = factor * if is_in { self.factors[slot] } else { 1.0 };
        self.points[slot] = p.0;
        self.slots[p.index() & (P - 1)] = slot as u8;
        self.count += !is_in as usize;
    }

    /// Begins with the points around the last two moves; those that are not empty weigh nothing.
    #[inline(always)]
    pub fn around<const W: usize>(&mut self, board: &Board<W, P>, factors: &[f32; TACTICS]) {
        let [last, previous] = board.last_moves();
        self.count = 0;
        if !last.is_pass() {
            for (i, p) in board.around(last).into_iter().enumerate() {
                self.points[i] = p.0;
                self.factors[i] = factors[NEAR_LAST + i / 4];
                self.slots[p.index() & (P - 1)] = i as u8;
            }
            self.count = 8;
        }
        if !previous.is_pass() {
            for (i, p) in board.around(previous).into_iter().enumerate() {
                self.multiply(p, factors[NEAR_PREVIOUS + i / 4]);
            }
        }
    }

    /// Gives the i-th move its weight, from that of its pattern, and returns it.
    #[inline(always)]
    pub fn weigh(&mut self, i: usize, gamma: u32, locality: f32) -> u32 {
        // What is no number, as nothing times infinity, becomes 0.
        let weight = ((gamma as f32 * self.factors[i] * locality) as u32).min(MOST);
        self.weights[i] = weight;
        weight
    }

    /// The place in the list at which the weights reach a number below their sum.
    #[inline(always)]
    pub fn at(&self, mut draw: u32) -> usize {
        let mut i = 0;
        while draw >= self.weights[i % 64] {
            draw -= self.weights[i % 64];
            i += 1;
        }
        i % 64
    }
}
