//! `moku tune`: what was typed, done.

use super::description::Tuning;
use super::report::Report;
use super::run::{Progress, Run};
use super::store::Store;
use crate::jobs::console::{bar, cores, hours, print, refuse, whole, write};
use crate::lab::cli::quoted;
use crate::lab::players::PlayerLine;
use crate::lab::store::Shard;
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

#[derive(Args)]
pub struct TuneArgs {
    /// A TOML file that says what to tune, or the name of a built-in one: moku-9x9
    experiment: String,
    /// Folder for the games
    #[arg(long, value_name = "DIR", default_value = "tune-results")]
    out: PathBuf,
    /// Games at the same time [default: one for each core]
    #[arg(long, value_name = "J", value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Seed of the run
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Only part I of N of each batch; the others run elsewhere with the same folder
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    /// Begin no game after this long
    #[arg(long, value_name = "H", value_parser = hours)]
    hours: Option<f64>,
    /// Seconds an outside engine has for an answer [default: 60 to start, then 600]
    #[arg(long, value_name = "SECONDS", value_parser = crate::lab::players::timeout)]
    timeout: Option<f64>,
    /// Play nothing: tell what the games so far show
    #[arg(long)]
    report: bool,
    /// Where the page with the plots goes [default: NAME.html in the folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl TuneArgs {
    /// `stop` is set when the user wants to end.
    pub fn run(self, stop: &AtomicBool) -> Result<(), String> {
        let mut tuning = Tuning::find(&self.experiment)?;
        tuning.setting.timeout = self.timeout;
        let store = match self.report {
            true => {
                let of_games = [
                    ("--jobs", self.jobs.is_some()),
                    ("--shard", self.shard.is_some()),
                    ("--hours", self.hours.is_some()),
                    ("--timeout", self.timeout.is_some()),
                ];
                refuse(&of_games, "means nothing with --report: no game is played")?;
                Store::read(&self.out, &tuning, self.seed)?
            }
            false => {
                if !tuning.opponent.as_ref().is_some_and(PlayerLine::is_outside) {
                    let why = format!("is for outside engines, and {} has none", tuning.name);
                    refuse(&[("--timeout", self.timeout.is_some())], &why)?;
                }
                self.play(&tuning, stop)?
            }
        };
        let report = Report::new(&tuning, self.seed, &store);
        let page = self.output.clone().unwrap_or_else(|| self.out.join(format!("{}.html", tuning.name)));
        write(&page, &report.page()?)?;
        match self.json {
            true => print(&report.json().to_string())?,
            false => print(&format!("{report}\n\nThe plots are in {}", page.display()))?,
        }
        if stop.load(SeqCst) {
            let words: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
            eprintln!("moku: stopped; to go on where it stopped: moku {}", words.join(" "));
        }
        Ok(())
    }

    fn play(&self, tuning: &Tuning, stop: &AtomicBool) -> Result<Store, String> {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let mut store = Store::open(&self.out, tuning, self.seed, shard)?;
        for behaviour in store.others() {
            eprintln!(
                "moku: games in {} are by a moku of another behaviour ({behaviour}) and count; another --out has all of them \
                 made anew",
                self.out.display()
            );
        }
        let run = Run {
            tuning,
            seed: self.seed,
            jobs: self.jobs.map_or_else(cores, usize::from),
            shard,
            time: self.hours.map(|h| Duration::from_secs_f64(h * 3600.0)),
            stop,
        };
        let search = tuning.spsa.iterations * tuning.games();
        let bar = bar(search as usize, "games");
        bar.set_prefix(format!("{} ", tuning.name));
        let mut is_first = true;
        let outcome = run.run(&mut store, |progress| {
            // How long the confirming match will be is not known: at most so long.
            let is_confirming = progress.state.is_found(tuning);
            bar.set_length(search + if is_confirming { tuning.confirm.games } else { 0 });
            bar.set_position(progress.done.iter().sum());
            bar.set_message(message(tuning, progress, is_confirming));
            if std::mem::take(&mut is_first) {
                bar.reset_eta();
            }
        });
        bar.finish_and_clear();
        outcome?;
        Ok(store)
    }
}

/// Where the parameters are, or what else goes on.
fn message(tuning: &Tuning, progress: &Progress, is_confirming: bool) -> String {
    if progress.waits {
        return ", waiting for other shards".to_string();
    }
    if is_confirming {
        return ", confirming".to_string();
    }
    let places = tuning.parameters.iter().zip(progress.state.place());
    places.map(|(parameter, place)| format!(", {} {}", parameter.name, parameter.value(*place))).collect()
}
