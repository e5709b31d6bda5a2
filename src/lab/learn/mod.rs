//! `moku learn`: what was typed, done.

mod balance;
mod gobang;

use crate::base::Size;
use crate::jobs::console::{bar, cores, may_write, print, whole};
use crate::knowledge::features::{self, FEATURES};
use crate::knowledge::gobang::guide_file;
use crate::knowledge::learn::games::Games;
use crate::knowledge::learn::{Course, Progress, Settings, local};
use crate::knowledge::weights::{self, Header};
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct LearnCommand {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    learn: LearnArgs,
}

#[derive(Subcommand)]
enum Other {
    /// Tell what is in a file of weights
    Show {
        weights: PathBuf,
        /// Every weight of the features
        #[arg(long)]
        all: bool,
    },
    /// Learn weights for playouts (playout=softmax) instead
    Playouts(LearnArgs),
    /// Change weights for playouts so that the mean result of playouts is right
    Balance(balance::BalanceArgs),
    /// Learn what moves and positions of Gobang are worth (worth=learned), from moku's own games
    Gobang(gobang::GobangArgs),
}

#[derive(Args)]
struct LearnArgs {
    /// SGF files, folders of them, or files with one game a line (tab-separated, plain or gzip)
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Lines of the board; games on other sizes are left alone
    #[arg(long, default_value_t = 19, value_parser = whole::<u8>(2..=25))]
    size: u8,
    /// Where the weights go
    #[arg(short, long, value_name = "WEIGHTS", required = true)]
    output: Option<PathBuf>,
    /// Learn from at most so many games, drawn at random [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..))]
    most: Option<u32>,
    /// How often every game is gone through
    #[arg(long, default_value_t = 1, value_parser = whole::<u8>(1..=100))]
    passes: u8,
    /// Step of the fit
    #[arg(long, default_value_t = 0.1, value_parser = rate)]
    rate: f32,
    /// A shape has a weight if it was seen so often
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<u8>(1..=250))]
    often: u8,
    /// Seed of all chance
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Threads; the result is the same for any number [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
}

fn rate(text: &str) -> Result<f32, String> {
    let expected = || "a number above 0, at most 1, is expected".to_string();
    text.parse().ok().filter(|&x: &f32| x > 0.0 && x <= 1.0).ok_or_else(expected)
}

/// What could not be read is told so often; then only how much more there is.
const COMPLAINTS: usize = 10;

impl LearnCommand {
    pub fn run(self, stop: &AtomicBool) -> Result<(), String> {
        match self.other {
            Some(Other::Show { weights, all }) => show(&weights, all),
            Some(Other::Playouts(args)) => learn_playouts(args, stop),
            Some(Other::Balance(args)) => balance::run(args, stop),
            Some(Other::Gobang(args)) => gobang::run(args, stop),
            None => learn(self.learn, stop),
        }
    }
}

impl LearnArgs {
    /// The games and how to learn from them; what could not be read is told.
    fn read(&self) -> Result<(Games, Settings, &Path), String> {
        let size = Size::new(self.size.into()).ok_or("a board has 2 to 25 lines")?;
        let output = self.output.as_deref().ok_or("-o WEIGHTS says where the weights go")?;
        may_write(output)?;
        let games = Games::read(&self.games, size);
        games.complaints.iter().take(COMPLAINTS).for_each(|reason| eprintln!("moku: left out: {reason}"));
        if games.complaints.len() > COMPLAINTS {
            eprintln!("moku: left out: {} more", games.complaints.len() - COMPLAINTS);
        }
        if games.others > 0 {
            eprintln!("moku: {} games are not on {size}x{size}", games.others);
        }
        let settings = Settings {
            size,
            games: self.most.map(|n| n as usize),
            passes: self.passes.into(),
            rate: self.rate,
            often: self.often,
            seed: self.seed,
        };
        Ok((games, settings, output))
    }
}

fn cannot_write(path: &Path, e: std::io::Error) -> String {
    format!("cannot write {}: {e}", path.display())
}

fn learn_playouts(args: LearnArgs, stop: &AtomicBool) -> Result<(), String> {
    let (games, settings, output) = args.read()?;
    let bar = bar(1, "games");
    let learned = local::run(games, settings, stop, &mut |done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    })?;
    bar.finish_and_clear();
    let Some(learned) = learned else { return Err("stopped; nothing was kept".to_string()) };
    std::fs::write(output, learned.write()).map_err(|e| cannot_write(output, e))?;
    let held_out = &learned.held_out;
    print(&format!(
        "playout weights for {0}x{0}, learned from {1} games; on {2} games left out ({3} moves): first {4:.2} %, \
         among five {5:.2} %, log-likelihood {6:.4} a move",
        learned.size,
        learned.games,
        held_out.games,
        held_out.moves,
        100.0 * held_out.first,
        100.0 * held_out.fifth,
        held_out.log_likelihood,
    ))
}

fn learn(args: LearnArgs, stop: &AtomicBool) -> Result<(), String> {
    let (games, settings, output) = args.read()?;
    let course = Course::new(games, settings)?;
    eprintln!("moku: learning from {} games, {} are left out to measure on", course.training(), course.held_out());
    let mut part = output.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let threads = args.threads.map_or_else(cores, usize::from);
    let bar = bar(course.training(), "games");
    let learned = course.run(Some(&part), threads, stop, &mut |progress| tell(&bar, progress))?;
    bar.finish_and_clear();
    let Some((header, model)) = learned else {
        eprintln!("moku: stopped; the same command goes on from {}", part.display());
        return Ok(());
    };
    std::fs::write(output, weights::write(&header, &model)).map_err(|e| cannot_write(output, e))?;
    std::fs::remove_file(&part).map_err(|e| cannot_write(&part, e))?;
    print(&describe(&header))
}

fn tell(bar: &ProgressBar, progress: Progress) {
    let (message, done, of) = match progress {
        Progress::Counting { done, of } => ("counting shapes: ".to_string(), done, of),
        Progress::Fitting { pass, done, of, figures } => {
            (format!("pass {}, first {:.1} %: ", pass + 1, 100.0 * figures.share_first()), done, of)
        }
        Progress::Measuring { done, of } => ("measuring: ".to_string(), done, of),
    };
    bar.set_length(of as u64);
    bar.set_position(done as u64);
    if bar.prefix() != message {
        bar.set_prefix(message);
    }
}

fn describe(header: &Header) -> String {
    let kinds: Vec<String> = header.kinds.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    let held_out = &header.held_out;
    format!(
        "weights for {0}x{0}: {1} shapes, {2} answers\n\
         learned from {3} games in {4} passes, seed {5}; games there were, by kind: {6}\n\
         on {7} games left out ({8} moves): first {9:.2} %, among five {10:.2} %, log-likelihood {11:.4} a move",
        header.size,
        header.shapes,
        features::WEIGHTS - FEATURES.len(),
        header.games,
        header.passes,
        header.seed,
        kinds.join(", "),
        held_out.games,
        held_out.moves,
        100.0 * held_out.first,
        100.0 * held_out.fifth,
        held_out.log_likelihood,
    )
}

fn show(path: &Path, all: bool) -> Result<(), String> {
    if let Ok((header, _)) = guide_file::load(path) {
        return print(&gobang::describe(&header));
    }
    let (header, model) = weights::load(path).map_err(|e| e.to_string())?;
    let mut text = describe(&header);
    for (i, feature) in FEATURES.iter().enumerate() {
        let weights = &model.answers[features::range(i)][1..];
        let least = weights.iter().fold(f32::INFINITY, |least, &w| least.min(w));
        let most = weights.iter().fold(f32::NEG_INFINITY, |most, &w| most.max(w));
        let _ = write!(text, "\n{:14} {least:6.2} to {most:5.2}  {}", feature.name, feature.about);
        if all {
            let words: Vec<String> = weights.iter().map(|w| format!("{w:.2}")).collect();
            let _ = write!(text, "\n               {}", words.join(" "));
        }
    }
    print(&text)
}
