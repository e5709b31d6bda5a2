//! Does a list of jobs on several threads.

use super::Error;
use crossbeam::channel::{Sender, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

pub struct Runner<'a> {
    /// Jobs at the same time.
    pub threads: usize,
    /// Set from outside: no job is begun any more.
    pub stop: &'a AtomicBool,
    /// No job is begun after this long.
    pub time: Option<Duration>,
}

/// What the receiver of a result wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    Go,
    /// Begin no further job; those in hand are still finished and received.
    Stop,
}

impl Runner<'_> {
    /// Begins the jobs in their order and hands each result to `receive`, in this thread and as it comes.
    ///
    /// `worker` makes what a thread keeps from job to job. A job that returns None was cut short and has no result. An
    /// error, or a panic in a job, ends the run after the jobs in hand, whose results are received all the same; the first
    /// error is returned.
    pub fn run<J: Sync, W, R: Send>(
        &self,
        jobs: &[J],
        worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, &J) -> Result<Option<R>, String> + Sync,
        mut receive: impl FnMut(&J, R) -> Result<Next, Error>,
    ) -> Result<(), Error> {
        let began = Instant::now();
        let ended = AtomicBool::new(false);
        let may_begin =
            || !self.stop.load(SeqCst) && !ended.load(SeqCst) && self.time.is_none_or(|most| began.elapsed() < most);
        let next = AtomicUsize::new(0);
        let (sender, finished) = unbounded();
        let do_jobs = |sender: Sender<(usize, Result<R, String>)>| {
            let mut own = worker();
            while may_begin() {
                let number = next.fetch_add(1, SeqCst);
                let Some(job) = jobs.get(number) else { return };
                let result = catch_unwind(AssertUnwindSafe(|| work(&mut own, job)));
                let result = match result.unwrap_or_else(|_| Err("a job panicked".to_string())) {
                    Ok(Some(result)) => Ok(result),
                    Ok(None) => continue,
                    Err(e) => Err(e),
                };
                if sender.send((number, result)).is_err() {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, jobs.len().max(1)) {
                let (sender, do_jobs) = (sender.clone(), &do_jobs);
                scope.spawn(move || do_jobs(sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            for (number, result) in finished {
                match result.map_err(Error::Job).and_then(|result| receive(&jobs[number], result)) {
                    Ok(Next::Go) => {}
                    Ok(Next::Stop) => ended.store(true, SeqCst),
                    Err(e) => {
                        ended.store(true, SeqCst);
                        outcome = outcome.and(Err(e));
                    }
                }
            }
            outcome
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn runner(threads: usize) -> Runner<'static> {
        Runner { threads, stop: &NEVER, time: None }
    }

    #[test]
    fn every_job_is_done_once_by_any_number_of_threads() {
        let jobs: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 3, 200] {
            let mut found = Vec::new();
            let done = runner(threads).run(
                &jobs,
                || 0,
                |count, &job| {
                    *count += 1;
                    Ok(Some((job * job, *count)))
                },
                |&job, (square, count)| {
                    assert!(square == job * job && count >= 1);
                    found.push(job);
                    Ok(Next::Go)
                },
            );
            assert!(done.is_ok());
            found.sort_unstable();
            assert_eq!(found, jobs);
        }
    }

    #[test]
    fn errors_and_panics_end_the_run_and_nothing_that_was_finished_is_lost() {
        for (bad, said) in [("error", "job 3 failed"), ("panic", "a job panicked")] {
            let mut received = Vec::new();
            let work = |_: &mut (), &job: &i32| match (job, bad) {
                (3, "error") => Err("job 3 failed".to_string()),
                (3, _) => std::panic::resume_unwind(Box::new("quietly")),
                (job, _) => Ok(Some(job)),
            };
            let outcome = runner(1).run(
                &[1, 2, 3, 4],
                || (),
                work,
                |_, job| {
                    received.push(job);
                    Ok(Next::Go)
                },
            );
            assert_eq!(outcome.unwrap_err().to_string(), said);
            // One more may have been begun before the error was seen.
            assert!(received.starts_with(&[1, 2]) && !received.contains(&3), "{received:?}");
        }
        let outcome =
            runner(2).run(&[1], || (), |_, &job| Ok(Some(job)), |_, _: i32| Err(Error::Job("disk full".to_string())));
        assert_eq!(outcome.unwrap_err().to_string(), "disk full");
    }

    #[test]
    fn a_stop_a_time_and_the_receiver_end_the_run_and_a_job_cut_short_has_no_result() {
        let jobs: Vec<u32> = (0..1_000).collect();
        let count = |runner: Runner, last: u32| {
            let mut count = 0;
            let work = |_: &mut (), &job: &u32| Ok((job % 2 == 0).then_some(job));
            let receive = |_: &u32, job: u32| {
                count += 1;
                Ok(if job >= last { Next::Stop } else { Next::Go })
            };
            runner.run(&jobs, || (), work, receive).unwrap();
            count
        };
        assert_eq!(count(runner(2), 2_000), 500);
        assert_eq!(count(Runner { time: Some(Duration::ZERO), ..runner(2) }, 2_000), 0);
        let stop = AtomicBool::new(true);
        assert_eq!(count(Runner { stop: &stop, ..runner(1) }, 2_000), 0);
        assert!(count(runner(1), 0) >= 1);
        assert!(!NEVER.load(SeqCst), "the caller's flag is the caller's");
    }
}
