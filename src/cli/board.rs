//! `moku board`: a position as a picture.

use clap::Args;
use moku::jobs::console::{cores, print, refuse, whole};
use moku::picture::{Overlay, Picture};
use moku::session::{Options, Session};
use moku::sgf::{self, Step};
use std::path::PathBuf;

#[derive(Args)]
pub struct BoardArgs {
    /// The game, an SGF file
    #[arg(value_name = "FILE.sgf")]
    file: PathBuf,
    /// The position after this move, 0 is the start [default: the last move]
    #[arg(long = "move", value_name = "N")]
    number: Option<usize>,
    /// What to draw over the stones: winrate, visits, ownership, potential, gradient, filter1 to filter4, random, combination
    #[arg(long, value_parser = Overlay::from_name)]
    overlay: Option<Overlay>,
    /// Where the picture goes [default: standard output]
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,
    /// The engine that searches [default: that of the game]
    #[arg(long, value_name = "LINE")]
    engine: Option<String>,
    /// Worker threads [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
    /// Seed of all chance, so that a picture can be made again [default: 1]
    #[arg(long, value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
}

pub fn draw(args: BoardArgs) -> Result<(), String> {
    if !args.overlay.is_some_and(Overlay::is_searched) {
        let of_searches = [("--engine", args.engine.is_some()), ("--threads", args.threads.is_some())];
        refuse(&of_searches, "is for pictures of a search: add --overlay winrate or visits")?;
    }
    if !args.overlay.is_some_and(Overlay::has_chance) {
        refuse(&[("--seed", args.seed.is_some())], "means nothing here: there is no chance in this picture")?;
    }
    let record = sgf::read_file(&args.file).map_err(|e| e.to_string())?;
    let options = Options {
        kind: record.kind,
        size: record.size.n(),
        engine: args.engine,
        threads: args.threads.map_or_else(cores, usize::from),
        seed: Some(args.seed.unwrap_or(1)),
        ..Options::default()
    };
    let moves = record.steps.iter().filter(|step| matches!(step, Step::Move(..))).count();
    if let Some(number) = args.number.filter(|&n| n > moves) {
        return Err(format!("there is no move {number}: {} ends with move {moves}", args.file.display()));
    }
    let mut session = Session::new(options)?;
    session.load(&args.number.map_or(record.clone(), |n| record.before_move(n.saturating_add(1))))?;
    let text = Picture::new(&mut session, args.overlay)?.to_svg();
    match args.output {
        Some(path) => std::fs::write(&path, text + "\n").map_err(|e| format!("cannot write {}: {e}", path.display())),
        None => print(&text),
    }
}
