//! Positions that wait to be looked at: the most urgent first, of equals the one that was asked for first.

use super::query::Query;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// One position of a query.
pub struct QueuedTurn {
    pub query: Arc<Query>,
    pub turn: usize,
    priority: i64,
    number: u64,
    /// Set when nobody wants it any more.
    pub stop: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    waiting: Vec<QueuedTurn>,
    /// Those being looked at: id, turn, number, and how to stop them.
    running: Vec<(String, usize, u64, Arc<AtomicBool>)>,
    next_number: u64,
    is_closed: bool,
}

#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    bell: Condvar,
}

impl Queue {
    pub fn add(&self, query: &Arc<Query>) {
        let mut state = self.state.lock();
        for (i, &turn) in query.turns.iter().enumerate() {
            let (priority, number) = (query.priorities[i], state.next_number);
            state.waiting.push(QueuedTurn { query: query.clone(), turn, priority, number, stop: Arc::default() });
            state.next_number += 1;
        }
        self.bell.notify_all();
    }

    /// The next task, waiting for one; None when there will be none.
    pub fn next(&self) -> Option<QueuedTurn> {
        let mut state = self.state.lock();
        loop {
            let best = (0..state.waiting.len()).min_by_key(|&i| {
                let task = &state.waiting[i];
                (std::cmp::Reverse(task.priority), task.number)
            });
            if let Some(best) = best {
                let task = state.waiting.swap_remove(best);
                state.running.push((task.query.id.clone(), task.turn, task.number, task.stop.clone()));
                return Some(task);
            }
            if state.is_closed {
                return None;
            }
            self.bell.wait(&mut state);
        }
    }

    pub fn done(&self, task: &QueuedTurn) {
        self.state.lock().running.retain(|(_, _, number, _)| *number != task.number);
    }

    /// Stops what is running of a query (None: of all) and some turns (None: all); returns what had not begun.
    pub fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) -> Vec<QueuedTurn> {
        let is_meant = |other: &str, turn: usize| {
            id.is_none_or(|id| id == other) && turns.is_none_or(|turns| turns.contains(&turn))
        };
        let mut state = self.state.lock();
        for (other, turn, _, stop) in &state.running {
            if is_meant(other, *turn) {
                stop.store(true, SeqCst);
            }
        }
        let (dropped, kept) = state.waiting.drain(..).partition(|task| is_meant(&task.query.id, task.turn));
        state.waiting = kept;
        dropped
    }

    /// No more will be asked.
    pub fn close(&self) {
        self.state.lock().is_closed = true;
        self.bell.notify_all();
    }
}
