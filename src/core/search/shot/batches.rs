//! Batches of playouts, shared among the workers. Every playout has a random stream of its own, so that scores do not
//! depend on who made them.

use crate::base::Point;
use crate::game::Game;
use crate::playout::{self, Policy};
use crate::search::{Task, Worker};
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// Playouts to make: from a position, after a move if there is one.
pub struct Batch<G> {
    pub positions: Vec<Arc<G>>,
    pub jobs: Vec<(usize, Option<Point>)>,
}

struct Piece<G> {
    batch: Arc<Batch<G>>,
    range: Range<usize>,
    /// Number of its first playout, which seeds it.
    first_number: u64,
}

type Channel<T> = (Sender<T>, Receiver<T>);

pub struct SharedBatches<G> {
    policy: Arc<dyn Policy<G>>,
    seed: u64,
    has_lockstep: bool,
    has_leader: AtomicBool,
    is_done: AtomicBool,
    is_broken: AtomicBool,
    helpers: AtomicUsize,
    pieces: Channel<Piece<G>>,
    /// Scores of a piece, with the number of its first job.
    scores: Channel<(usize, Vec<f32>)>,
}

/// Playouts in a piece of work for one worker, at least and at most: in lockstep, and one game at a time.
const LOCKSTEP_PIECE: (usize, usize) = (32, 256);
const SINGLE_PIECE: (usize, usize) = (1, 16);
/// Looks at an empty queue before a helper goes to sleep.
const SPINS: u32 = 20_000;

impl<G: Game> SharedBatches<G> {
    pub fn new(task: &Task<G>) -> SharedBatches<G> {
        SharedBatches {
            policy: task.policy.clone(),
            seed: task.seed,
            has_lockstep: task.policy.has_lockstep(&task.root),
            has_leader: AtomicBool::new(false),
            is_done: AtomicBool::new(false),
            is_broken: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            pieces: unbounded(),
            scores: unbounded(),
        }
    }

    /// The first worker to come leads, the others help until it is done.
    pub fn join(&self, worker: &mut Worker, lead: impl FnOnce(&mut Worker)) {
        let _leaving = Leaving(&self.is_broken);
        if self.has_leader.swap(true, SeqCst) {
            self.help(worker);
        } else {
            lead(worker);
            self.is_done.store(true, SeqCst);
        }
    }

    /// Plays out pieces of batches until the leader is done or the search is stopped.
    fn help(&self, worker: &Worker) {
        self.helpers.fetch_add(1, SeqCst);
        let mut idle = 0;
        while !self.is_done.load(SeqCst) && !self.is_broken.load(SeqCst) {
            // Falling asleep takes longer than most waits for the next batch.
            let piece = match idle {
                ..SPINS => self.pieces.1.try_recv().ok(),
                _ => self.pieces.1.recv_timeout(Duration::from_millis(1)).ok(),
            };
            match piece {
                Some(piece) => {
                    self.play_out(piece);
                    idle = 0;
                }
                None if worker.is_stopped() => break,
                None => {
                    idle += 1;
                    std::hint::spin_loop();
                }
            }
        }
        self.helpers.fetch_sub(1, SeqCst);
    }

    fn play_out(&self, piece: Piece<G>) {
        let mut starts: Vec<G> = Vec::with_capacity(piece.range.len());
        for &(position, point) in &piece.batch.jobs[piece.range.clone()] {
            starts.push(G::clone(&piece.batch.positions[position]));
            if let (Some(point), Some(start)) = (point, starts.last_mut()) {
                start.play(point);
            }
        }
        let first = piece.first_number;
        let mut scores = vec![0.0; starts.len()];
        playout::score_many(
            &*self.policy,
            self.seed,
            first..first + starts.len() as u64,
            |t| &starts[(t - first) as usize],
            |t, score| scores[(t - first) as usize] = score,
        );
        let _ = self.scores.0.send((piece.range.start, scores));
    }

    /// Plays out a part of a batch, with the helpers there are. The scores for Black, in order; none if a worker fell.
    pub fn play_out_batch(&self, batch: &Arc<Batch<G>>, part: Range<usize>, first_number: u64) -> Option<Vec<f32>> {
        let count = part.len();
        let workers = 1 + self.helpers.load(SeqCst);
        let (least, most) = if self.has_lockstep { LOCKSTEP_PIECE } else { SINGLE_PIECE };
        let size = count.div_ceil(workers).clamp(least, most);
        for start in part.clone().step_by(size) {
            let range = start..(start + size).min(part.end);
            let number = first_number + (start - part.start) as u64;
            let _ = self.pieces.0.send(Piece { batch: batch.clone(), range, first_number: number });
        }
        let first = part.start;
        let mut scores = vec![0.0; count];
        let mut missing = count;
        while missing > 0 {
            match self.pieces.1.try_recv() {
                Ok(piece) => self.play_out(piece),
                Err(_) => std::hint::spin_loop(),
            }
            while let Ok((start, some)) = self.scores.1.try_recv() {
                scores[start - first..start - first + some.len()].copy_from_slice(&some);
                missing -= some.len();
            }
            if self.is_broken.load(SeqCst) {
                return None;
            }
        }
        Some(scores)
    }
}

/// Tells the others when a worker panics, so that nobody waits for it.
struct Leaving<'a>(&'a AtomicBool);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Rng, Size};
    use crate::game::go::Go9;
    use crate::playout::light::Light;
    use crate::search::{Budget, Candidates, Engine, Kept, Reward};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn nobody_waits_for_a_worker_that_fell() {
        let root = Go9::new(Size::new(5).unwrap(), 0.5);
        let engine = Engine::parse("shot").unwrap();
        let (reward, _) = Reward::set(&engine, &root, &Light, 1);
        let task = Task {
            root: root.clone(),
            moves: Vec::new(),
            candidates: Candidates::of(&engine),
            engine,
            seed: 1,
            previous: None,
            reward,
            kept: Kept::All,
            policy: Arc::new(Light),
            priors: Vec::new(),
            adviser: None,
        };
        // Whoever gets the last job falls over it: there is no such position.
        let jobs: Vec<(usize, Option<Point>)> = (0..200).map(|i| (i / 199, None)).collect();
        let batch = Arc::new(Batch { positions: vec![Arc::new(root)], jobs });
        let budget = Budget::unlimited();
        for seed in 0..20 {
            let batches = SharedBatches::new(&task);
            let falls = |index: usize| {
                catch_unwind(AssertUnwindSafe(|| {
                    batches.join(&mut Worker::new(&budget, seed, index), |_| {
                        // Helpers have come, or not.
                        (0..Rng::new(seed).below(3)).for_each(|_| std::thread::yield_now());
                        assert!(batches.play_out_batch(&batch, 0..200, 0).is_none(), "a score of nothing");
                    })
                }))
                .is_err()
            };
            let falls = &falls;
            let fallen = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..3).map(|i| scope.spawn(move || falls(i))).collect();
                workers.into_iter().map(|w| w.join().unwrap()).filter(|fell| *fell).count()
            });
            assert_eq!(fallen, 1);
        }
    }
}
