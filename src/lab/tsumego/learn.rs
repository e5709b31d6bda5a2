//! `moku tsumego learn`: the prover's weights, fitted anew.

use super::cli::made_size;
use crate::base::Size;
use crate::jobs::console::{bar, cores, may_write, print, stop_on_ctrl_c, whole, write};
use crate::tsumego::prover::learn::{self, promises};
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::Ordering::SeqCst;

#[derive(Args)]
pub struct LearnArgs {
    /// Positions to search
    #[arg(long, default_value_t = 100_000, value_parser = whole::<u32>(1..))]
    positions: u32,
    /// The same seed finds the same positions
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Lines of the board
    #[arg(long, default_value = "19", value_parser = made_size)]
    size: Size,
    /// Searches at the same time [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Fit the weights by which moves are put in order instead; their table goes to
    /// src/tsumego/prover/move_order/weights.rs
    #[arg(long)]
    promises: bool,
    /// Write the table to this file [default: standard output]; that of the estimates belongs to
    /// src/tsumego/prover/estimate/weights.rs
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The table on standard output or in a file; how well it fits on standard error.
pub fn weights(args: LearnArgs) -> Result<(), String> {
    args.output.iter().try_for_each(|path| may_write(path))?;
    let source = learn::Source { size: args.size, positions: args.positions as usize, seed: args.seed };
    let stop = stop_on_ctrl_c()?;
    let bar = bar(args.positions as usize, "positions");
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let stopped = |found: usize| match stop.load(SeqCst) {
        true => Err(format!("stopped after {found} of {} positions; nothing was fitted", args.positions)),
        false => Ok(()),
    };
    let side = |is_attacker| if is_attacker { "attacker" } else { "defender" };
    let table = if args.promises {
        let choices = promises::choices(&source, jobs, &stop, |n| bar.inc(n as u64));
        bar.finish_and_clear();
        stopped(choices.len())?;
        let fits = promises::fits(&choices)?;
        for fit in &fits {
            let (side, explained) = (side(fit.attacker_moves), 100.0 * fit.explained);
            eprintln!("{side} to move: {} positions, {explained:.0} % above chance explained", fit.positions);
        }
        promises::table(&fits, &source)
    } else {
        let samples = learn::samples(&source, jobs, &stop, |n| bar.inc(n as u64));
        bar.finish_and_clear();
        stopped(samples.len())?;
        let fits = learn::fits(&samples)?;
        for fit in &fits {
            eprintln!(
                "{} to move, {} wins: {} positions, {:.0} % of the variance of log nodes explained",
                side(fit.attacker_moves),
                side(fit.attacker_wins),
                fit.positions,
                100.0 * fit.explained
            );
        }
        learn::table(&fits, &source)
    };
    match &args.output {
        Some(path) => write(path, &table),
        None => print(table.trim_end()),
    }
}
