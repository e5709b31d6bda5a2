//! How fast moku is: light playouts and searches by board size, and the signature of the board.

use super::behaviour;
use crate::base::rng::mix;
use crate::base::{Black, Size};
use crate::playout::bulk::{self, Tally};
use crate::session::{Options, Session};
use serde::Serialize;
use std::fmt;
use std::time::{Duration, Instant};

#[derive(Serialize)]
pub struct Bench {
    pub light: Vec<LightSpeed>,
    pub search: Vec<SearchSpeed>,
    /// Of the board.
    pub signature: String,
    /// Of the searches and the prover.
    pub behaviour: String,
}

#[derive(Serialize)]
pub struct LightSpeed {
    pub size: usize,
    /// One game at a time (`single`) or many side by side (`lockstep`).
    pub path: &'static str,
    pub playouts_per_s: f64,
    pub ns_per_move: f64,
}

#[derive(Serialize)]
pub struct SearchSpeed {
    pub size: usize,
    pub engine: String,
    pub threads: usize,
    pub playouts_per_s: f64,
}

const KOMI: f32 = 6.5;
/// Time for each figure: the best of several short runs, since machines are shared.
const RUN: Duration = Duration::from_millis(250);
const RUNS: usize = 4;

impl Bench {
    pub fn run(mut progress: impl FnMut(&str)) -> Result<Bench, String> {
        let mut light = Vec::new();
        for size in [9, 13, 19] {
            progress(&format!("light playouts on {size}x{size}"));
            light.extend(light_speeds(size));
        }
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let mut search = Vec::new();
        for size in [9, 13, 19] {
            for engine in ["mc", "uct", "shot"] {
                for threads in if cores > 1 { vec![1, cores] } else { vec![1] } {
                    progress(&format!("{engine} on {size}x{size}, threads {threads}"));
                    search.push(search_speed(size, engine, threads)?);
                }
            }
        }
        progress("signature");
        Ok(Bench { light, search, signature: signature(), behaviour: behaviour::signature() })
    }
}

/// Wins of Black, moves and captured stones of 10,000 seeded playouts on 9x9: changes just when the board does.
pub fn signature() -> String {
    let size = Size::new(9).unwrap_or_else(|| unreachable!("9 is a size"));
    let seeds: Vec<u64> = (0..10_000).map(|i| mix(&[9, i])).collect();
    let Tally { wins, moves, captures, .. } = bulk::single(size, KOMI, &seeds);
    format!("{wins}-{moves}-{captures}")
}

fn light_speeds(n: usize) -> Vec<LightSpeed> {
    let Some(size) = Size::new(n) else { return Vec::new() };
    let mut next = 0;
    let mut seeds = |games: u64| {
        next += games;
        (next - games..next).collect::<Vec<u64>>()
    };
    let mut speeds = vec![best_of(n, "single", || {
        let tally = bulk::single(size, KOMI, &seeds(100));
        (tally.playouts, tally.moves)
    })];
    if bulk::lockstep(size, KOMI, &[]).is_some() {
        let moves_a_game = speeds[0].moves_a_game();
        speeds.push(best_of(n, "lockstep", || {
            let playouts = bulk::lockstep(size, KOMI, &seeds(2_000)).map_or(0, |tally| tally.playouts);
            // The same distribution of games (a test shows it), so the same mean length.
            (playouts, (playouts as f64 * moves_a_game) as u64)
        }));
    }
    speeds
}

/// The best rate of a few runs of `batch`, which says how many playouts and moves it made.
fn best_of(size: usize, path: &'static str, mut batch: impl FnMut() -> (u64, u64)) -> LightSpeed {
    let mut best = LightSpeed { size, path, playouts_per_s: 0.0, ns_per_move: 0.0 };
    for _ in 0..RUNS {
        let began = Instant::now();
        let (mut playouts, mut moves) = (0, 0);
        while began.elapsed() < RUN {
            let (p, m) = batch();
            playouts += p;
            moves += m;
        }
        let seconds = began.elapsed().as_secs_f64();
        if playouts as f64 / seconds > best.playouts_per_s {
            best.playouts_per_s = playouts as f64 / seconds;
            best.ns_per_move = 1e9 * seconds / moves as f64;
        }
    }
    best
}

impl LightSpeed {
    fn moves_a_game(&self) -> f64 {
        1e9 / self.playouts_per_s / self.ns_per_move
    }
}

fn search_speed(size: usize, engine: &str, threads: usize) -> Result<SearchSpeed, String> {
    let line = format!("{engine} time={} end=fill", 2.0 * RUN.as_secs_f64());
    let mut best: f64 = 0.0;
    for run in 0..2 {
        let options =
            Options { size, komi: KOMI, engine: Some(line.clone()), threads, seed: Some(run), ..Options::default() };
        let thought = Session::new(options)?.think(Black, None, &mut |_| true)?;
        best = best.max(thought.playouts as f64 / thought.elapsed.as_secs_f64());
    }
    Ok(SearchSpeed { size, engine: engine.to_string(), threads, playouts_per_s: best })
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "light playouts, one core")?;
        writeln!(f, "  board  path      playouts/s  ns a move")?;
        for row in &self.light {
            let (n, rate, ns) = (row.size, row.playouts_per_s, row.ns_per_move);
            writeln!(f, "  {:<6} {:<9} {rate:>10.0} {ns:>10.1}", format!("{n}x{n}"), row.path)?;
        }
        writeln!(f, "search")?;
        writeln!(f, "  board  engine  threads  playouts/s")?;
        for row in &self.search {
            let (n, rate) = (row.size, row.playouts_per_s);
            writeln!(f, "  {:<6} {:<7} {:>7} {rate:>11.0}", format!("{n}x{n}"), row.engine, row.threads)?;
        }
        writeln!(f, "signature {} (wins of Black, moves, captures of 10,000 seeded playouts on 9x9)", self.signature)?;
        write!(f, "behaviour {} (moves and figures of every engine and of the prover)", self.behaviour)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes when the board, its order of choice or the generator does: then say so in the commit, with the figure.
    #[test]
    fn ten_thousand_seeded_playouts_have_one_signature() {
        assert_eq!(signature(), "4418-1110295-391924");
    }
}
