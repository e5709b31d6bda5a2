//! Work on several threads whose result does not depend on how many there are.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The results of numbers 0 to count, in order, worked out by so many threads.
pub fn in_parallel<R: Send>(count: usize, threads: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::from_iter((0..count).map(|_| None)));
    let run = || {
        while let Some(i) = Some(next.fetch_add(1, Relaxed)).filter(|&i| i < count) {
            let result = work(i);
            found.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(result);
        }
    };
    thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(run)));
        run();
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_whoever_found_them() {
        for threads in [0, 1, 2, 7] {
            assert_eq!(in_parallel(100, threads, |i| i * i), (0..100).map(|i| i * i).collect::<Vec<_>>());
            assert!(in_parallel(0, threads, |i| i).is_empty());
        }
    }
}
