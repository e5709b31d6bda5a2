//! Who owns what at the end, found out by reading: two tree searches, one for each side to move, that look for points.
//!
//! Playouts alone call a chain dead that one right answer saves. A search gives that answer: its playouts begin where both
//! sides have found their best moves, and what they end in is what the chains come to.
//!
//! Most finished games need none of this: where playouts leave no doubt about any chain, what they say is taken. Else
//!
//! 1. each search finds the first moves, which nobody counts;
//! 2. each goes on, and every playout tells whose each point was when it ended;
//! 3. while a chain is in doubt both go on for four times as long, and only that is counted.

use super::prior::Searchable;
use super::{Budget, Engine, Search, Worker, prepare, registry};
use crate::base::rng::mix;
use crate::base::{Color, Point, Rng};
use crate::game::Game;
use crate::playout::Policy;
use crate::playout::judge::{self, Judgement};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::time::Instant;

/// The engine that reads: whoever is ahead or behind, every point counts.
const READER: &str = "moku points=1 memory=none";
/// Playouts of each search that are counted first, for every point of the board, and at least.
const FIRST: usize = 4;
const LEAST: usize = 300;
/// Where a chain is in doubt, so many times as many, up to this.
const MORE: u64 = 4;
const MOST: u64 = 1_500;
/// A chain whose points are not so surely somebody's is in doubt: after playouts alone, and after reading.
const DOUBT_BEFORE: f32 = 0.8;
const DOUBT: f32 = 0.5;

/// A policy that keeps account of whose every point is when it ends.
struct Witness<G> {
    policy: Arc<dyn Policy<G>>,
    /// By point index: how much more often Black's than White's.
    owners: Vec<AtomicI32>,
}

impl<G: Game> Policy<G> for Witness<G> {
    fn play_out(&self, position: &mut G, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        let moves = self.policy.play_out(position, rng, trace);
        position.owners(&mut |p, color| {
            self.owners[p.index()].fetch_add(color.sign() as i32, Relaxed);
        });
        moves
    }
}

/// What reading may take.
#[derive(Clone, Copy, Default)]
pub struct Patience {
    pub until: Option<Instant>,
    /// Playouts of both searches.
    pub playouts: Option<u64>,
}

/// The judgement by which a finished game is counted: the same for the same stones, whoever moved last.
pub fn judge<G: Searchable>(position: &G) -> Judgement<G> {
    judge_within(position, Patience::default())
}

/// The same with so much patience; where that ends before anything was counted, what playouts say is taken.
pub fn judge_within<G: Searchable>(position: &G, patience: Patience) -> Judgement<G> {
    let mut judged = Judgement::by_playouts(position, &*G::counting_policy());
    let start = judge::stones_alone(position);
    let mut playouts = (FIRST * start.size().area()).max(LEAST) as u64;
    let mut left = patience.playouts.map_or(u64::MAX, |both| both / 2);
    if !judged.is_in_doubt(DOUBT_BEFORE) || left < 2 * playouts {
        return judged;
    }
    let mut readings = Color::BOTH.map(|color| {
        let mut root = start.clone();
        root.set_to_play(color);
        Reading::new(root)
    });
    // 1. The first moves.
    let mut is_whole = readings.iter_mut().all(|reading| reading.go_on(playouts, patience.until));
    left -= playouts;
    while is_whole && playouts <= left {
        // 2. Whose points they are.
        readings.iter_mut().for_each(Reading::forget);
        is_whole = readings.iter_mut().all(|reading| reading.go_on(playouts, patience.until));
        left -= playouts;
        if is_whole {
            let mean = |i: usize| readings.iter().map(|r| r.owners(i)).sum::<i32>() as f32 / (2 * playouts) as f32;
            judged = Judgement::by(position, (0..1024).map(mean).collect());
            if playouts >= MOST || !judged.is_in_doubt(DOUBT) {
                break;
            }
            // 3. Go on.
            playouts = (MORE * playouts).min(MOST);
        }
    }
    judged
}

/// One of the two searches.
struct Reading<G: Searchable> {
    search: Arc<dyn Search<G>>,
    witness: Arc<Witness<G>>,
    seed: u64,
    /// Times that it has gone on.
    turns: usize,
}

impl<G: Searchable> Reading<G> {
    fn new(root: G) -> Reading<G> {
        let Ok(engine) = Engine::parse(READER) else { unreachable!("the line is a line of this program") };
        let mut moves = Vec::new();
        root.candidates(&mut moves);
        let seed = mix(&[root.hash()]);
        let (mut task, _) = prepare(root, moves, engine, seed, None);
        let owners = (0..1024).map(|_| AtomicI32::new(0)).collect();
        let witness = Arc::new(Witness { policy: G::counting_policy(), owners });
        task.policy = witness.clone();
        Reading { search: registry::build(task), witness, seed, turns: 0 }
    }

    /// Makes so many playouts; false if the time was too short.
    fn go_on(&mut self, playouts: u64, deadline: Option<Instant>) -> bool {
        let budget = Budget::playouts(playouts).with_deadline(deadline);
        self.search.work(&mut Worker::new(&budget, self.seed, self.turns));
        self.turns += 1;
        budget.spent() == playouts
    }

    /// How much more often Black had a point than White, since it was told to forget.
    fn owners(&self, point: usize) -> i32 {
        self.witness.owners[point].load(Relaxed)
    }

    fn forget(&mut self) {
        self.witness.owners.iter().for_each(|n| n.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::go::{Go9, SlowBoard};
    use crate::playout::judge::Status;
    use std::time::Duration;

    fn board(picture: &str) -> Go9 {
        let slow = SlowBoard::from_picture(picture);
        let mut board = Go9::new(slow.size, 0.5);
        assert!(board.set_stones(slow.size.points().filter_map(|p| Some((p, slow.at(p)?)))));
        board
    }

    fn fate(judged: &Judgement<Go9>, board: &Go9, vertex: &str) -> Option<Status> {
        judged.status(board.size().point_from_gtp(vertex).unwrap())
    }

    /// Black's corner lives with one right answer to whatever White tries; White's side has room for one eye.
    const CORNER: &str = "
        . . . . X O . . .
        X X X X X O . . .
        O O O O O O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X X X X
        X X X X X X O O O
        . X . . . X O . .
        . . . . . X O . .";

    #[test]
    fn who_has_an_answer_lives_and_who_has_not_is_dead() {
        let board = board(CORNER);
        let judged = judge(&board);
        assert_eq!(fate(&judged, &board, "E8"), Some(Status::Alive), "four in a row");
        assert_eq!(fate(&judged, &board, "F9"), Some(Status::Alive));
        assert_eq!(fate(&judged, &board, "G2"), Some(Status::Dead), "four in a square");
    }

    #[test]
    fn the_same_stones_are_judged_alike_whoever_moved_last() {
        let mut passed = board(CORNER);
        let first = judge(&passed);
        passed.play(Point::PASS);
        let again = judge(&passed);
        assert!(passed.size().points().all(|p| first.ownership(p) == again.ownership(p)));
    }

    #[test]
    fn stones_in_seki_stay() {
        // In the corner both have an eye, at A9 and E9, and share C9.
        let board = board(
            ". X . O . O X . .
             X X X O O O X . .
             O O O X X X X . .
             . . O X . . . . .
             . . O X . . . . .
             . . O X . . . . .
             . . O X . . . . .
             . . O X . . . . .
             . . O X . . . . .",
        );
        let judged = judge(&board);
        assert_eq!(fate(&judged, &board, "B9"), Some(Status::Alive));
        assert_eq!(fate(&judged, &board, "D9"), Some(Status::Alive));
    }

    #[test]
    fn without_time_playouts_answer() {
        let board = board(CORNER);
        let past = Instant::now() - Duration::from_secs(1);
        let quick = judge_within(&board, Patience { until: Some(past), playouts: None });
        let playouts = Judgement::by_playouts(&board, &*<Go9 as crate::playout::Playable>::counting_policy());
        assert!(board.size().points().all(|p| quick.ownership(p) == playouts.ownership(p)));
        let few = judge_within(&board, Patience { until: None, playouts: Some(1_000) });
        assert!(board.size().points().all(|p| few.ownership(p) == playouts.ownership(p)));
        let later = Instant::now() + Duration::from_secs(600);
        let read = judge_within(&board, Patience { until: Some(later), playouts: Some(1_000_000) });
        assert!(board.size().points().all(|p| read.ownership(p) == judge(&board).ownership(p)));
    }
}
