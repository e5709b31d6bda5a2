//! `moku learn balance`: weights of playouts changed so that the mean result of playouts is what a search says, on positions of
//! the program's own games.

use super::cannot_write;
use crate::base::parallel::in_parallel;
use crate::base::rng::mix;
use crate::base::{Black, Point, Size};
use crate::game::go::Board;
use crate::jobs::console::{bar, cores, may_write, print, whole};
use crate::knowledge::local_weights::{Balanced, LocalFile, LocalWeights};
use crate::playout::balance::{Sample, Settings, balance, error_of};
use crate::playout::softmax::{self, Softmax};
use crate::session::{Options, Session};
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[derive(Args)]
pub struct BalanceArgs {
    /// Weights to begin with: a file of moku learn playouts, or of this command
    weights: PathBuf,
    /// Where the new weights go
    #[arg(short, long, value_name = "WEIGHTS")]
    output: PathBuf,
    /// Games that moku plays against itself to get positions
    #[arg(long, default_value_t = 200, value_parser = whole::<u32>(2..))]
    games: u32,
    /// The engine that plays them; its win rates are what playouts should come to
    #[arg(long, default_value = "moku playouts=1000")]
    engine: String,
    /// Points given to White
    #[arg(long, default_value_t = 7.5)]
    komi: f32,
    /// Playouts of a position for its mean, and as many for the slope
    #[arg(long, default_value_t = 64, value_parser = whole::<u32>(2..=100_000))]
    playouts: u32,
    /// How often every position is gone through
    #[arg(long, default_value_t = 2, value_parser = whole::<u8>(1..=100))]
    passes: u8,
    /// Step of the fit
    #[arg(long, default_value_t = 0.01, value_parser = super::rate)]
    rate: f32,
    /// Seed of all chance
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Threads; the result is the same for any number [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
}

/// A position of a game: the moves that lead to it, and Black's win rate.
struct Valued {
    moves: Vec<Point>,
    value: f32,
}

/// Positions that are nearly decided teach little.
const OPEN: std::ops::RangeInclusive<f32> = 0.03..=0.97;
/// One game of so many is left out to measure on.
const LEFT_OUT: u32 = 10;
/// Playouts of a position to measure the error with.
const MEASURE: usize = 256;

pub fn run(args: BalanceArgs, stop: &AtomicBool) -> Result<(), String> {
    may_write(&args.output)?;
    let file = LocalFile::load(&args.weights).map_err(|e| e.to_string())?;
    let size = Size::new(file.size).ok_or("the weights are for no size of a board")?;
    let stopped = || "stopped; nothing was kept".to_string();
    let games = own_games(&args, size, stop)?.ok_or_else(stopped)?;
    let result = match size.n() {
        0..=9 => fit::<2, 128>(&args, size, &file, games, stop),
        10..=14 => fit::<4, 256>(&args, size, &file, games, stop),
        15..=21 => fit::<8, 512>(&args, size, &file, games, stop),
        _ => fit::<16, 1024>(&args, size, &file, games, stop),
    };
    let (weights, balanced) = result.ok_or_else(stopped)?;
    print(&format!(
        "{} positions of {} games; root mean square error on games left out: {:.4} before, {:.4} now",
        balanced.positions, args.games, balanced.error_before, balanced.error_after
    ))?;
    let file = LocalFile { weights, balanced: Some(balanced), ..file };
    std::fs::write(&args.output, file.write()).map_err(|e| cannot_write(&args.output, e))
}

impl BalanceArgs {
    fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

/// The positions of each game; none if it was stopped.
fn own_games(args: &BalanceArgs, size: Size, stop: &AtomicBool) -> Result<Option<Vec<Vec<Valued>>>, String> {
    let bar = bar(args.games as usize, "games");
    let game = |i: usize| {
        let game = (!stop.load(Relaxed)).then(|| own_game(args, size, mix(&[args.seed, i as u64])));
        bar.inc(1);
        game.transpose()
    };
    let games = in_parallel(args.games as usize, args.threads(), game);
    bar.finish_and_clear();
    games.into_iter().collect::<Result<Option<Vec<_>>, _>>()
}

fn own_game(args: &BalanceArgs, size: Size, seed: u64) -> Result<Vec<Valued>, String> {
    let options = Options {
        size: size.n(),
        komi: args.komi,
        engine: Some(format!("{} end=fill threads=1", args.engine)),
        seed: Some(seed),
        ..Options::default()
    };
    let mut session = Session::new(options)?;
    let (mut moves, mut positions, mut color) = (Vec::new(), Vec::new(), Black);
    while moves.len() < 2 * size.area() && !moves.ends_with(&[Point::PASS, Point::PASS]) {
        let thought = session.think(color, None, &mut |_| true)?;
        if let Some(best) = thought.report.best().filter(|best| best.visits > 0) {
            let value = if color == Black { best.rate } else { 1.0 - best.rate };
            if OPEN.contains(&value) {
                positions.push(Valued { moves: moves.clone(), value });
            }
        }
        session.play(color, thought.point).map_err(|_| "a search chose an illegal move".to_string())?;
        moves.push(thought.point);
        color = color.opponent();
    }
    Ok(positions)
}

fn fit<const W: usize, const P: usize>(
    args: &BalanceArgs,
    size: Size,
    file: &LocalFile,
    games: Vec<Vec<Valued>>,
    stop: &AtomicBool,
) -> Option<(LocalWeights, Balanced)> {
    let sample = |Valued { moves, value }: Valued| {
        let mut position = Board::<W, P>::new(size, args.komi);
        moves.into_iter().for_each(|p| position.play(p));
        Sample { position, value }
    };
    let (mut samples, mut held_out) = (Vec::new(), Vec::new());
    for (i, game) in games.into_iter().enumerate() {
        let into = if (i as u32).is_multiple_of(LEFT_OUT) { &mut held_out } else { &mut samples };
        into.extend(game.into_iter().map(sample));
    }
    let settings = Settings {
        playouts: args.playouts as usize,
        passes: args.passes.into(),
        rate: args.rate,
        threads: args.threads(),
        seed: args.seed,
    };
    let error = |weights: &LocalWeights| {
        error_of(&Softmax::new(&softmax::Settings::plain(weights)), &held_out, MEASURE, &settings)
    };
    let mut weights = file.weights.clone();
    let error_before = error(&weights);
    let bar = bar(samples.len(), "batches");
    let is_done = balance(&mut weights, &samples, &settings, stop, &mut |done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let rounded = |x: f64| (x * 1e5).round() / 1e5;
    is_done.then(|| {
        let balanced = Balanced {
            positions: samples.len(),
            playouts: settings.playouts,
            seed: args.seed,
            error_before: rounded(error_before),
            error_after: rounded(error(&weights)),
        };
        (weights, balanced)
    })
}
