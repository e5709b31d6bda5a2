//! Worker threads that live as long as the engine does. They start when first needed and sleep between searches.

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

type Work = Arc<dyn Fn(usize) + Send + Sync>;

struct Order {
    work: Work,
    done: Sender<Result<(), String>>,
}

#[derive(Default)]
pub struct Pool {
    workers: Vec<Sender<Order>>,
}

/// Work under way.
pub struct Running {
    done: Receiver<Result<(), String>>,
    left: usize,
    failure: Option<String>,
}

impl Pool {
    pub fn new() -> Pool {
        Pool::default()
    }

    /// Runs `work(0)` to `work(threads - 1)` at the same time. A panic in one becomes an error of the whole.
    pub fn run(&mut self, threads: usize, work: Work) -> Running {
        while self.workers.len() < threads {
            self.add_worker();
        }
        let (done, results) = unbounded();
        let mut failure = None;
        let mut left = 0;
        for worker in &self.workers[..threads.min(self.workers.len())] {
            match worker.send(Order { work: work.clone(), done: done.clone() }) {
                Ok(()) => left += 1,
                Err(_) => failure = Some("a worker thread is gone".to_string()),
            }
        }
        if self.workers.len() < threads {
            log::warn!("{} of {threads} threads could be started", self.workers.len());
            if self.workers.is_empty() {
                failure = Some("no worker thread could be started".to_string());
            }
        }
        Running { done: results, left, failure }
    }

    fn add_worker(&mut self) -> bool {
        let index = self.workers.len();
        let (orders, inbox) = unbounded::<Order>();
        let thread = std::thread::Builder::new().name(format!("worker {index}")).spawn(move || {
            // Ends when the pool is dropped and with it the sender.
            for order in inbox {
                let result = catch_unwind(AssertUnwindSafe(|| (order.work)(index)));
                let result = result.map_err(|panic| {
                    let text = panic.downcast_ref::<&str>().map(|s| s.to_string());
                    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_string())
                });
                drop(order.work);
                let _ = order.done.send(result); // nobody may be waiting any more
            }
        });
        if thread.is_ok() {
            self.workers.push(orders);
        }
        thread.is_ok()
    }
}

impl Running {
    /// Waits until all is done, at most this long. True when it is.
    pub fn wait(&mut self, at_most: Duration) -> bool {
        let until = std::time::Instant::now() + at_most;
        while self.left > 0 {
            match self.done.recv_timeout(until.saturating_duration_since(std::time::Instant::now())) {
                Ok(result) => {
                    self.left -= 1;
                    if let Err(text) = result {
                        self.failure.get_or_insert(text);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => {
                    self.failure.get_or_insert("a worker thread ended".to_string());
                    self.left = 0;
                }
            }
        }
        true
    }

    /// Waits for the end: what went wrong, if anything.
    pub fn finish(mut self) -> Result<(), String> {
        while !self.wait(Duration::from_secs(3600)) {}
        self.failure.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn every_worker_works_once_and_the_pool_can_be_used_again() {
        let mut pool = Pool::new();
        for threads in [1, 3, 2] {
            let sum = Arc::new(AtomicUsize::new(0));
            let work = sum.clone();
            pool.run(
                threads,
                Arc::new(move |i| {
                    work.fetch_add(i + 1, SeqCst);
                }),
            )
            .finish()
            .unwrap();
            assert_eq!(sum.load(SeqCst), threads * (threads + 1) / 2);
        }
    }

    #[test]
    fn a_panic_is_an_error_and_not_the_end() {
        let mut pool = Pool::new();
        let result = pool.run(2, Arc::new(|i| assert!(i == 0, "worker {i} fell"))).finish();
        assert_eq!(result, Err("worker 1 fell".to_string()));
        assert_eq!(pool.run(2, Arc::new(|_| ())).finish(), Ok(()));
    }
}
