//! `moku review`: the command line.

use super::{ReviewOptions, Reviewer, Store};
use crate::jobs::console::{bar, cores, may_write, whole, write};
use crate::sgf;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

#[derive(Args)]
pub struct ReviewArgs {
    /// The game, an SGF file
    #[arg(value_name = "FILE.sgf")]
    file: PathBuf,
    /// The engine that searches [default: that of the game]
    #[arg(long, value_name = "LINE")]
    engine: Option<String>,
    /// Playouts for each position
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole::<u64>(1..=1_000_000_000))]
    playouts: u64,
    /// Write the game with win rates, comments and moku's lines
    #[arg(short, long, value_name = "OUT.sgf")]
    output: Option<PathBuf>,
    /// Write one page with a graph, the worst moves and their boards
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Worker threads [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
    /// Seed of all chance, so that a review can be made again
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
}

impl ReviewArgs {
    /// Goes through the game; what there is to print. What was found before `stop` is kept for the next time.
    pub fn run(self, stop: &AtomicBool) -> Result<String, String> {
        let budget = |word: &&str| ["playouts=", "time=", "level=", "each="].iter().any(|key| word.starts_with(key));
        if let Some(word) = self.engine.iter().flat_map(|line| line.split_whitespace()).find(budget) {
            return Err(format!("{word} means nothing in a review: --playouts says what every position gets"));
        }
        self.output.iter().chain(&self.html).try_for_each(|path| may_write(path))?;
        let record = sgf::read_file(&self.file).map_err(|e| e.to_string())?;
        let threads = self.threads.map_or_else(cores, usize::from);
        let plan = ReviewOptions { engine: self.engine.clone(), playouts: self.playouts, threads, seed: self.seed };
        let mut reviewer = Reviewer::new(&record, &plan).map_err(|e| format!("{}: {e}", self.file.display()))?;
        let path = part_path(&self.file);
        let mut store = match Store::open(&path, &mut reviewer) {
            Ok(store) => Some(store),
            Err(reason) => {
                eprintln!("moku: {reason}; if it is broken off, it starts anew");
                None
            }
        };
        if reviewer.done() > 0 {
            eprintln!("moku: going on after {} of {} positions", reviewer.done(), reviewer.positions());
        }
        let bar = bar(reviewer.positions(), "positions");
        bar.set_position(reviewer.done() as u64);
        while let Some(look) = reviewer.step(&mut || !stop.load(SeqCst))? {
            if let Some(store) = &mut store {
                store.add(look)?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        if stop.load(SeqCst) {
            return Err(format!(
                "stopped after {} of {} positions; the same command goes on from there",
                reviewer.done(),
                reviewer.positions()
            ));
        }
        let review = reviewer.review();
        if let Some(path) = &self.output {
            write(path, &review.to_sgf())?;
        }
        if let Some(path) = &self.html {
            let title = self.file.file_name().map_or_else(|| "Review".into(), |name| name.to_string_lossy());
            write(path, &review.to_html(&title)?)?;
        }
        if let Some(store) = store {
            store.remove();
        }
        match self.json {
            true => serde_json::to_string(&review).map_err(|e| e.to_string()),
            false => Ok(review.to_text()),
        }
    }
}

/// What was found is kept beside the game until all is done.
fn part_path(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_os_string();
    name.push(".review-part");
    file.with_file_name(name)
}
