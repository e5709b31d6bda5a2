//! The lanes against a slow game that plays along with every draw.

#![allow(clippy::needless_range_loop)]

use super::games::{from_set, owned, to_set};
use super::*;

// ---- A slow, simple game to check against ----

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Point {
    Off,
    Empty,
    Stone(usize),
}
use Point::*;

#[derive(Clone)]
struct Slow {
    n: usize,
    points: Vec<Point>,
    to_play: usize,
    ko: usize,
    passes: u8,
    moves: u16,
    captures: u16,
}

impl Slow {
    fn new(n: usize, start: &Start) -> Self {
        let mut points = vec![Off; (n + 2) * (n + 1) + 1];
        for p in (0..points.len()).filter(|p| p / (n + 1) >= 1 && p / (n + 1) <= n && p % (n + 1) < n) {
            let has = |side: usize| to_set(start.stones[side]) >> p & 1 == 1;
            points[p] = if has(0) {
                Stone(0)
            } else if has(1) {
                Stone(1)
            } else {
                Empty
            };
        }
        let to_play = start.white_to_play as usize;
        Slow { n, points, to_play, ko: start.ko as usize, passes: start.passes, moves: 0, captures: 0 }
    }

    fn all(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.points.len()).filter(|&p| self.points[p] != Off)
    }

    /// The neighbours on the board; every point of it has a padding point or another on all sides.
    fn beside(&self, p: usize) -> Vec<usize> {
        let stride = self.n + 1;
        [p - stride, p - 1, p + 1, p + stride].into_iter().filter(|&q| self.points[q] != Off).collect()
    }

    fn diagonals(&self, p: usize) -> Vec<usize> {
        let stride = self.n + 1;
        // The corner (0, 0) has no padding point to its upper left: take point 0, which is off the board too.
        let all = [(p - stride).saturating_sub(1), p - stride + 1, p + stride - 1, p + stride + 1];
        all.into_iter().filter(|&q| self.points[q] != Off).collect()
    }

    /// The points connected to `p` by points like it, and all kinds of points beside those.
    fn region(&self, p: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut inside, mut border) = (vec![p], vec![]);
        let mut i = 0;
        while i < inside.len() {
            for q in self.beside(inside[i]) {
                let list = if self.points[q] == self.points[p] { &mut inside } else { &mut border };
                if !list.contains(&q) {
                    list.push(q);
                }
            }
            i += 1;
        }
        (inside, border)
    }

    fn liberties(&self, p: usize) -> usize {
        self.region(p).1.into_iter().filter(|&q| self.points[q] == Empty).count()
    }

    /// Puts down a stone and returns what it captures; `None` for suicide.
    fn place(&mut self, p: usize) -> Option<Vec<usize>> {
        self.points[p] = Stone(self.to_play);
        let mut captured = vec![];
        for q in self.beside(p) {
            if self.points[q] == Stone(1 - self.to_play) && self.liberties(q) == 0 {
                for s in self.region(q).0 {
                    self.points[s] = Empty;
                    captured.push(s);
                }
            }
        }
        (self.liberties(p) > 0).then_some(captured)
    }

    fn is_legal(&self, p: usize) -> bool {
        self.points[p] == Empty && p != self.ko && self.clone().place(p).is_some()
    }

    fn is_own_eye(&self, p: usize) -> bool {
        let diagonals = self.diagonals(p);
        let enemies = diagonals.iter().filter(|&&q| self.points[q] == Stone(1 - self.to_play)).count();
        let tolerated = if diagonals.len() == 4 { 1 } else { 0 };
        self.beside(p).iter().all(|&q| self.points[q] == Stone(self.to_play)) && enemies <= tolerated
    }

    fn playable(&self) -> u128 {
        self.all().filter(|&p| self.is_legal(p) && !self.is_own_eye(p)).fold(0, |set, p| set | 1 << p)
    }

    /// Plays at `p`, or passes if it is 0.
    fn play(&mut self, p: usize) {
        self.ko = 0;
        self.passes += 1;
        if p != 0 {
            self.passes = 0;
            let captured = self.place(p).expect("suicide");
            self.captures += captured.len() as u16;
            if captured.len() == 1 && self.region(p).0.len() == 1 && self.liberties(p) == 1 {
                self.ko = captured[0];
            }
        }
        self.to_play = 1 - self.to_play;
        self.moves += 1;
    }

    fn is_over(&self) -> bool {
        self.passes >= 2 || self.moves as usize >= 3 * self.n * self.n
    }

    fn finish(&self) -> Finish {
        let mut owned = [0u128; 2];
        for p in self.all() {
            match self.points[p] {
                Stone(side) => owned[side] |= 1 << p,
                _ => {
                    let (_, border) = self.region(p);
                    for side in 0..2 {
                        if !border.is_empty() && border.iter().all(|&q| self.points[q] == Stone(side)) {
                            owned[side] |= 1 << p;
                        }
                    }
                }
            }
        }
        let score = owned[0].count_ones() as i16 - owned[1].count_ones() as i16;
        Finish { score, moves: self.moves, captures: self.captures, stones: owned.map(from_set) }
    }

    fn start(&self, seed: u64) -> Start {
        let side = |c| from_set(self.all().filter(|&p| self.points[p] == Stone(c)).fold(0, |set, p| set | 1 << p));
        let white_to_play = self.to_play == 1;
        Start { stones: [side(0), side(1)], white_to_play, ko: self.ko as u16, passes: self.passes, seed }
    }
}

/// A small generator for making positions.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

fn bits(set: u128) -> Vec<usize> {
    (0..128).filter(|p| set >> p & 1 == 1).collect()
}

/// A position after up to `most` moves at random, of an unfinished game.
fn midgame(n: usize, most: usize, seed: u64) -> Start {
    let state = &mut seed.wrapping_mul(0x9e3779b97f4a7c15);
    let mut game = Slow::new(n, &Start::default());
    for _ in 0..random(state) % (most + 1) {
        let before = game.clone();
        let playable = bits(game.playable());
        game.play(if playable.is_empty() { 0 } else { playable[random(state) % playable.len()] });
        if game.is_over() {
            return before.start(seed);
        }
    }
    game.start(seed)
}

fn finishes(n: usize, starts: &[Start], use_avx2: bool) -> Vec<Finish> {
    let mut out = vec![None; starts.len()];
    let mut jobs = starts.iter().copied();
    play_out(n, &mut || jobs.next(), &mut |job, finish| assert!(out[job].replace(*finish).is_none()), use_avx2);
    out.into_iter().map(|finish| finish.expect("a job was lost")).collect()
}

fn mixed_starts(n: usize, count: usize) -> Vec<Start> {
    (0..count as u64)
        .map(|seed| if seed % 3 == 0 { Start { seed, ..Start::default() } } else { midgame(n, 2 * n * n, seed) })
        .collect()
}

/// Plays along with every draw.
struct Checker {
    games: Vec<Slow>,
    /// Points rejected this turn.
    rejected: Vec<u128>,
    kos: usize,
}

impl Watch for Checker {
    const ON: bool = true;
    fn drawn(&mut self, job: usize, candidates: u128, point: usize, legal: bool) {
        let game = &mut self.games[job];
        let playable = game.playable();
        assert!(!game.is_over());
        // All that may be played is drawn from, and nothing twice; the rest is suicide, and gets rejected.
        assert_eq!(playable & !candidates, 0, "a playable point left out");
        assert_eq!(candidates & self.rejected[job], 0, "a rejected point drawn from again");
        for p in bits(candidates & !playable) {
            assert!(game.points[p] == Empty && p != game.ko && !game.is_own_eye(p), "strange candidate");
        }
        if point == 0 {
            assert_eq!(candidates, 0, "passed with a move to make");
        } else {
            assert_eq!(candidates >> point & 1, 1, "drew something else");
        }
        if !legal {
            assert_eq!(playable >> point & 1, 0, "a playable point rejected");
            self.rejected[job] |= 1 << point;
            return;
        }
        assert!(point == 0 || playable >> point & 1 == 1, "an illegal move or own eye");
        game.play(point);
        self.kos += (game.ko != 0) as usize;
        self.rejected[job] = 0;
    }
}

#[test]
fn every_move_and_result_is_right() {
    for n in 2..=9 {
        for use_avx2 in [true, false] {
            let starts = mixed_starts(n, if n < 9 { 150 } else { 100 });
            let games = starts.iter().map(|start| Slow::new(n, start)).collect();
            let mut checker = Checker { games, rejected: vec![0; starts.len()], kos: 0 };
            let mut jobs = starts.iter().copied();
            let mut results = vec![];
            let mut done = |job: usize, finish: &Finish| results.push((job, *finish));
            play_out_watched(n, &mut || jobs.next(), &mut done, use_avx2, &mut checker);
            assert_eq!(results.len(), starts.len());
            for (job, finish) in results {
                assert!(checker.games[job].is_over());
                assert_eq!(finish, checker.games[job].finish(), "size {n}, job {job}");
            }
            assert!(checker.kos > 0 || n == 2);
        }
    }
}

#[test]
fn avx2_makes_no_difference() {
    for n in 2..=9 {
        let starts = mixed_starts(n, 200);
        assert_eq!(finishes(n, &starts, true), finishes(n, &starts, false));
    }
}

#[test]
fn a_result_depends_on_its_job_alone() {
    for n in [5, 9] {
        let starts = mixed_starts(n, 120);
        let together = finishes(n, &starts, true);
        let reversed: Vec<Start> = starts.iter().rev().copied().collect();
        let mut backwards = finishes(n, &reversed, true);
        backwards.reverse();
        assert_eq!(together, backwards);
        for (start, finish) in starts.iter().zip(&together) {
            assert_eq!(finishes(n, &[*start], true), [*finish], "alone");
        }
    }
}

#[test]
fn a_finished_game_is_only_scored() {
    let start = Start { passes: 2, stones: [[1 << 11, 0], [0, 0]], ..Start::default() };
    let mixed = [start, Start::default(), start];
    let results = finishes(9, &mixed, true);
    assert_eq!((results[0].score, results[0].moves, results[0]), (81, 0, results[2]));
    assert!(finishes(9, &[], true).is_empty());
}

#[test]
fn regions_are_scored_by_what_they_touch() {
    // 5x5, stride 6, Black a wall in column 1, White in column 3: column 0 is Black's, 4 White's, 2 nobody's.
    let column = |x: usize| (0..5).fold(0u128, |set, y| set | 1 << ((y + 1) * 6 + x));
    let owned = owned([column(1), column(3)], 5);
    assert_eq!(owned, [column(0) | column(1), column(3) | column(4)]);
    assert_eq!(super::games::owned([0, 0], 5), [0, 0]);
}

/// The first legal move of each job.
struct First(Vec<Option<usize>>);

impl Watch for First {
    const ON: bool = true;
    fn drawn(&mut self, job: usize, _: u128, point: usize, legal: bool) {
        if legal && self.0[job].is_none() {
            self.0[job] = Some(point);
        }
    }
}

#[test]
fn the_first_move_is_uniform() {
    let choices = |start: &Start| bits(Slow::new(9, start).playable());
    let late = (0..).map(|seed| midgame(9, 140, seed)).filter(|start| (3..30).contains(&choices(start).len()));
    for position in std::iter::once(Start::default()).chain(late.take(4)) {
        let playable = choices(&position);
        let count = 400 * playable.len();
        let mut seeds = 0..count as u64;
        let mut first = First(vec![None; count]);
        let mut next = || seeds.next().map(|seed| Start { seed, ..position });
        play_out_watched(9, &mut next, &mut |_, _| (), true, &mut first);
        let mut times = [0usize; 128];
        for point in first.0 {
            times[point.unwrap()] += 1;
        }
        assert_eq!(playable.iter().map(|&p| times[p]).sum::<usize>(), count);
        let chi2: f64 = playable.iter().map(|&p| (times[p] as f64 - 400.0).powi(2) / 400.0).sum();
        let freedom = playable.len() as f64 - 1.0;
        assert!((chi2 - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(), "chi2 {chi2} for {freedom}");
    }
}

#[test]
fn statistics_on_9x9() {
    let starts: Vec<Start> = (0..20_000).map(|seed| Start { seed, ..Start::default() }).collect();
    let results = finishes(9, &starts, true);
    let count = results.len() as f64;
    let mean = results.iter().map(|f| f.moves as f64).sum::<f64>() / count;
    let square = results.iter().map(|f| (f.moves as f64 - mean).powi(2)).sum::<f64>() / count;
    let won = results.iter().filter(|f| f.score > 6).count() as f64 / count;
    // The reference is known to the last digit given.
    assert!((mean - 111.0).abs() < 0.05 + 4.0 * (square / count).sqrt(), "{mean} moves a game");
    assert!((won - 0.447).abs() < 0.0005 + 4.0 * (0.447 * 0.553 / count).sqrt(), "Black wins {won}");
}
