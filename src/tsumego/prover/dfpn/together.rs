//! Several searches of the same position at the same time.
//!
//! They share a table, so that each finds there what the others have shown, and tell each other which positions they are
//! in. All follow the same numbers. Where the side to move looks lost each of its moves has to be refuted, whichever comes
//! first: there a search leaves a move that another is in for the next one. Where it looks won they go the same way.

use super::DEEPEST;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What the searches know of each other.
pub struct Together {
    /// For each search the hashes of the positions that it is in, by depth.
    paths: Vec<Vec<AtomicU64>>,
    is_done: AtomicBool,
}

/// One of them.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    all: &'a Together,
    number: usize,
}

impl Together {
    pub fn new(searches: usize) -> Together {
        let path = || (0..DEEPEST + 2).map(|_| AtomicU64::new(0)).collect();
        Together { paths: (0..searches).map(|_| path()).collect(), is_done: AtomicBool::new(false) }
    }

    pub fn member(&self, number: usize) -> Member<'_> {
        Member { all: self, number }
    }
}

impl Member<'_> {
    /// It was found out who wins: all may stop.
    pub fn finish(self) {
        self.all.is_done.store(true, Relaxed);
    }

    #[inline]
    pub(super) fn is_done(self) -> bool {
        self.all.is_done.load(Relaxed)
    }

    #[inline]
    pub(super) fn enter(self, depth: usize, hash: u64) {
        self.all.paths[self.number][depth].store(hash, Relaxed);
    }

    #[inline]
    pub(super) fn leave(self, depth: usize) {
        self.enter(depth, 0);
    }

    /// Is another search in this position, so many moves from the root?
    #[inline]
    pub(super) fn is_taken(self, depth: usize, hash: u64) -> bool {
        let others = self.all.paths.iter().enumerate().filter(|(number, _)| *number != self.number);
        others.map(|(_, path)| &path[depth]).any(|taken| taken.load(Relaxed) == hash)
    }
}
