//! What a search may spend. A worker asks for playouts and gets the numbers of those it may make; the algorithm sees
//! neither clock nor stop flag.

use crate::base::Rng;
use crate::base::rng::mix;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

pub struct Budget {
    playouts: Option<u64>,
    began: Instant,
    deadline: Option<Instant>,
    /// Are the limits something to plan for, or only the latest end?
    is_planned: bool,
    given: AtomicU64,
    stopped: AtomicBool,
}

impl Budget {
    /// No limit but `stop`.
    pub fn unlimited() -> Budget {
        Budget {
            playouts: None,
            began: Instant::now(),
            deadline: None,
            is_planned: true,
            given: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    pub fn playouts(playouts: u64) -> Budget {
        Budget { playouts: Some(playouts), ..Budget::unlimited() }
    }

    pub fn with_deadline(self, deadline: Option<Instant>) -> Budget {
        Budget { deadline, ..self }
    }

    /// The limits are where it ends if nobody stops it before: nothing that a search should plan for.
    pub fn unplanned(self) -> Budget {
        Budget { is_planned: false, ..self }
    }

    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Playouts granted so far; each of them is made.
    pub fn spent(&self) -> u64 {
        let given = self.given.load(Relaxed);
        self.playouts.map_or(given, |limit| given.min(limit))
    }

    fn take(&self, want: u64) -> Range<u64> {
        if self.is_stopped() {
            return 0..0;
        }
        let limit = self.playouts.unwrap_or(u64::MAX);
        let start = self.given.fetch_add(want, Relaxed);
        if start >= limit {
            self.stop();
            // Keeps the count from running on while the other workers find out.
            self.given.fetch_sub(want, Relaxed);
            return 0..0;
        }
        start..(start + want).min(limit)
    }
}

/// One worker's hold on a budget, with a random stream of its own.
pub struct Worker<'a> {
    pub rng: Rng,
    budget: &'a Budget,
    takes: u32,
}

/// Looking at the clock costs about as much as a move of a playout: look at every eighth request for a single one.
const LOOK_EVERY: u32 = 8;

impl<'a> Worker<'a> {
    pub fn new(budget: &'a Budget, seed: u64, index: usize) -> Worker<'a> {
        Worker { rng: Rng::new(mix(&[seed, index as u64])), budget, takes: 0 }
    }

    /// The playouts of the whole search, if they are given and to be planned for.
    pub fn limit(&self) -> Option<u64> {
        self.budget.playouts.filter(|_| self.budget.is_planned)
    }

    /// The playouts that the search will come to at the speed it has had so far, if there is a deadline.
    pub fn expected(&self) -> Option<u64> {
        let time = self
            .budget
            .deadline
            .filter(|_| self.budget.is_planned)?
            .saturating_duration_since(self.budget.began)
            .as_secs_f64();
        let used = self.budget.began.elapsed().as_secs_f64().max(1e-6);
        Some((self.budget.spent() as f64 * time / used) as u64)
    }

    /// The time that is gone and the time that is left, if there is a deadline.
    pub fn time(&self) -> Option<(Duration, Duration)> {
        let deadline = self.budget.deadline?;
        Some((self.budget.began.elapsed(), deadline.saturating_duration_since(Instant::now())))
    }

    pub fn is_stopped(&self) -> bool {
        self.budget.is_stopped()
    }

    /// Ends the search for all workers: there is nothing left to find out.
    pub fn stop(&self) {
        self.budget.stop();
    }

    /// Asks for up to `want` playouts: the numbers of those granted, empty when the search is to end.
    #[inline]
    pub fn take(&mut self, want: u64) -> Range<u64> {
        if let Some(deadline) = self.budget.deadline {
            // A first playout is always made, so that there is an answer.
            let looks = self.takes % LOOK_EVERY == LOOK_EVERY - 1 || want > 1 && self.takes > 0;
            if looks && Instant::now() >= deadline {
                self.budget.stop();
            }
            self.takes = self.takes.wrapping_add(1);
        }
        self.budget.take(want)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_exactly_whatever_is_asked_for() {
        for (limit, wants) in [(10, vec![1]), (10, vec![3, 4]), (0, vec![5]), (1_000, vec![7, 1, 100])] {
            let budget = Budget::playouts(limit);
            let mut workers = [Worker::new(&budget, 1, 0), Worker::new(&budget, 1, 1)];
            let mut granted = Vec::new();
            for i in 0..10_000 {
                granted.extend(workers[i % 2].take(wants[i % wants.len()]));
            }
            assert_eq!(granted, (0..limit).collect::<Vec<_>>());
            assert_eq!(budget.spent(), limit);
        }
    }

    #[test]
    fn nothing_is_granted_after_the_deadline_or_a_stop() {
        let past = Instant::now() - Duration::from_millis(1);
        let budget = Budget::unlimited().with_deadline(Some(past));
        let mut worker = Worker::new(&budget, 1, 0);
        let granted: u64 = (0..100).map(|_| worker.take(1).count() as u64).sum();
        assert!(granted < LOOK_EVERY as u64 && granted > 0);
        let budget = Budget::unlimited();
        budget.stop();
        assert!(Worker::new(&budget, 1, 0).take(5).is_empty());
    }
}
