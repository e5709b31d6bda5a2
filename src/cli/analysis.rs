//! `moku analysis`: KataGo's analysis protocol.

use super::open_log;
use clap::Args;
use moku::analysis::Analyzer;
use moku::jobs::console::{cores, whole};
use moku::session::Options;
use std::io::{BufReader, Write};
use std::path::PathBuf;

#[derive(Args)]
pub struct AnalysisArgs {
    /// The engine: a name and key=value words, see `moku engines` [default: that of Go]
    #[arg(long, value_name = "LINE")]
    engine: Option<String>,
    /// Positions looked at at the same time [default: one for each core]
    #[arg(long, value_name = "J", value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Worker threads for each position
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=256))]
    threads: u16,
    /// Playouts for a position when a query has no maxVisits
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole::<u64>(1..))]
    visits: u64,
    /// Seed of all chance; without it one is drawn
    #[arg(long, value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
    /// End with the input, whatever was asked and is not answered yet
    #[arg(long)]
    quit_without_waiting: bool,
    /// Write both directions to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

pub fn analyze(args: AnalysisArgs) -> Result<(), String> {
    let options =
        Options { engine: args.engine, threads: usize::from(args.threads), seed: args.seed, ..Options::default() };
    let desks = args.jobs.map_or_else(cores, usize::from);
    let analyzer = Analyzer { options, desks, visits: args.visits, waits: !args.quit_without_waiting };
    let mut log = args.log.map(open_log).transpose()?;
    let log = log.as_mut().map(|file| file as &mut (dyn Write + Send));
    analyzer.run(BufReader::new(std::io::stdin()), &mut std::io::stdout(), log)
}
