//! `moku learn gobang`: what moves and positions of Gobang are worth, from games that moku plays against itself.

use super::cannot_write;
use crate::base::Size;
use crate::base::parallel::in_parallel;
use crate::base::rng::mix;
use crate::game::gobang::{Rule, SMALLEST};
use crate::jobs::console::{bar, cores, may_write, print, whole};
use crate::knowledge::gobang::fit::{Figures, Fit, Rates, Sample};
use crate::knowledge::gobang::guide::Guide;
use crate::knowledge::gobang::guide_file::{self, Header, HeldOut};
use crate::knowledge::gobang::samples;
use crate::search::own_games::OwnGames;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[derive(Args)]
pub struct GobangArgs {
    /// Where the weights go
    #[arg(short, long, value_name = "WEIGHTS")]
    output: PathBuf,
    /// Games that moku plays against itself
    #[arg(long, default_value_t = 3000, value_parser = whole::<u32>(2..))]
    games: u32,
    /// The engine that plays them: gobang, with a number of playouts
    #[arg(long, default_value = "gobang playouts=400")]
    engine: String,
    /// Lines of the board
    #[arg(long, default_value_t = 15, value_parser = whole::<u8>(SMALLEST as u8..=25))]
    size: u8,
    /// Are more than five in a row nothing, or a win?
    #[arg(long, default_value = "exact", value_parser = Rule::parse)]
    rule: Rule,
    /// The part of a position's value that the game's result says; the rest says its search
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    result: f32,
    /// How often every position is gone through
    #[arg(long, default_value_t = 4, value_parser = whole::<u8>(1..=100))]
    passes: u8,
    /// AdaGrad's step for values in the first pass; it is halved with each
    #[arg(long, default_value_t = 0.01, value_parser = super::rate)]
    rate: f32,
    /// The same for moves
    #[arg(long, value_name = "RATE", default_value_t = 0.2, value_parser = super::rate)]
    move_rate: f32,
    /// A shape has a weight if it was seen so often
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<u32>(1..))]
    often: u32,
    /// Also learn from the games of these unfinished or kept files (WEIGHTS.part)
    #[arg(long, value_name = "PART")]
    also: Vec<PathBuf>,
    /// Keep WEIGHTS.part, with all positions
    #[arg(long)]
    keep: bool,
    /// Seed of all chance
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Threads; the result is the same for any number [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
}

fn share(text: &str) -> Result<f32, String> {
    let expected = || "a number from 0 to 1 is expected".to_string();
    text.parse().ok().filter(|x: &f32| (0.0..=1.0).contains(x)).ok_or_else(expected)
}

/// One game of so many is left out to measure on.
const LEFT_OUT: usize = 20;
/// Games that are played before they are written down.
const CHUNK: usize = 16;

pub fn run(args: GobangArgs, stop: &AtomicBool) -> Result<(), String> {
    let size = Size::new(args.size.into()).ok_or("a board has 2 to 25 lines")?;
    may_write(&args.output)?;
    let own = OwnGames::new(&args.engine, size, args.rule, args.seed, args.result)?;
    let mut part = args.output.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let Some(mut games) = play(&args, &own, &part, stop)? else {
        eprintln!("moku: stopped; the same command goes on from {}", part.display());
        return Ok(());
    };
    for other in &args.also {
        games.extend(samples::read(other, None)?);
    }
    let count = games.len();
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    for (i, game) in games.into_iter().enumerate() {
        if i % LEFT_OUT == 0 { held_out.extend(game) } else { training.extend(game) }
    }
    let Some(guide) = fit(&args, &training, stop) else {
        eprintln!("moku: stopped; the same command goes on from {}", part.display());
        return Ok(());
    };
    let figures = measure(&guide, &held_out);
    let rounded = |x: f64| (x * 1e5).round() / 1e5;
    let header = Header {
        size: size.n(),
        rule: args.rule.name().to_string(),
        // Where a file was is nobody's business but who made it.
        engine: own.engine.with("worth-weights", "built-in").map_or_else(|_| own.engine.essence(), |e| e.essence()),
        games: count,
        positions: training.len(),
        passes: args.passes.into(),
        seed: args.seed,
        held_out: HeldOut {
            positions: held_out.len(),
            error: rounded(figures.error()),
            error_by_hand: rounded(by_hand(&held_out)),
            first: rounded(figures.share_first()),
            lost: rounded(figures.losses().1),
        },
    };
    std::fs::write(&args.output, guide_file::write(&header, &guide)).map_err(|e| cannot_write(&args.output, e))?;
    if !args.keep {
        std::fs::remove_file(&part).map_err(|e| cannot_write(&part, e))?;
    }
    print(&describe(&header))
}

/// What a file of these weights says of itself.
pub fn describe(header: &Header) -> String {
    let held_out = &header.held_out;
    format!(
        "weights for Gobang, from {} positions of {} games on {2}x{2} ({3}) by {4}\n\
         on {5} positions of games left out: root mean square error of values {6:.4} (by hand {7:.4}); the move with the \
         most playouts was the likeliest in {8:.1} %, {9:.4} nats lost a move",
        header.positions,
        header.games,
        header.size,
        header.rule,
        header.engine,
        held_out.positions,
        held_out.error,
        held_out.error_by_hand,
        100.0 * held_out.first,
        held_out.lost
    )
}

/// All games, those that `part` keeps from before and those that were missing; none if it was stopped.
fn play(args: &GobangArgs, own: &OwnGames, part: &Path, stop: &AtomicBool) -> Result<Option<Vec<Vec<Sample>>>, String> {
    let bits = u64::from(args.result.to_bits());
    let line: Vec<u64> = own.engine.essence().bytes().map(u64::from).collect();
    let signature = mix(&[mix(&line), args.seed, bits, own.size.n() as u64, own.rule as u64]);
    let mut games = if part.exists() { samples::read(part, Some(signature))? } else { Vec::new() };
    let mut file = samples::Writer::open(part, signature, &games)?;
    let wanted = args.games as usize;
    let threads = args.threads.map_or_else(cores, usize::from);
    let bar = bar(wanted, "games");
    while games.len() < wanted {
        let begin = games.len();
        let new = in_parallel(CHUNK.min(wanted - begin), threads, |i| {
            (!stop.load(Relaxed)).then(|| own.play((begin + i) as u64))
        });
        for game in new {
            let Some(game) = game else { return Ok(None) };
            file.add(&game)?;
            games.push(game);
        }
        bar.set_position(games.len() as u64);
    }
    bar.finish_and_clear();
    games.truncate(wanted);
    Ok(Some(games))
}

fn fit(args: &GobangArgs, training: &[Sample], stop: &AtomicBool) -> Option<Guide> {
    let mut fit = Fit::new(Guide::zero(), Rates { value: args.rate, moves: args.move_rate });
    let bar = bar(training.len() * usize::from(args.passes), "positions");
    for pass in 0..usize::from(args.passes) {
        let seed = mix(&[args.seed, 6, pass as u64]);
        let is_done = fit.pass(training, seed, &mut |done| {
            if done.is_multiple_of(1000) {
                bar.set_position((pass * training.len() + done) as u64);
            }
            !stop.load(Relaxed)
        });
        if !is_done {
            return None;
        }
        fit.slower(0.5);
    }
    bar.finish_and_clear();
    Some(fit.finish(args.often))
}

fn measure(guide: &Guide, samples: &[Sample]) -> Figures {
    let mut figures = Figures::default();
    samples.iter().for_each(|sample| figures.add(guide, sample));
    figures
}

fn by_hand(samples: &[Sample]) -> f64 {
    let squares = samples.iter().map(|sample| f64::from(sample.value - sample.by_hand()).powi(2));
    (squares.sum::<f64>() / samples.len().max(1) as f64).sqrt()
}
