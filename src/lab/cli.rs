//! `moku lab`: what was typed, done.

use super::calibration::Calibration;
use super::catalogue;
use super::code::Code;
use super::experiment::{Experiment, Kind, MOST_GAMES};
use super::plan::{Missing, Plan, Wish, has_budget};
use super::report::{self, Chapter, Format};
use super::run::Run;
use super::section::ResultTable;
use super::sprt::{Goal, Sprt, Watch};
use super::stats::percent_text;
use super::store::{self, Shard, Store};
use crate::jobs::Error;
use crate::jobs::console::{bar, cores, hours, make_folder, may_be_folder, print, refuse, spinner, whole, write};
use crate::jobs::store::write_whole;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

#[derive(Subcommand)]
pub enum LabCommand {
    /// List the experiments: name, paper, table or figure, what one costs at full size
    List {
        /// One JSON array instead of text
        #[arg(long)]
        json: bool,
    },
    /// Tell an experiment: set-up, players, published figures
    Show {
        /// Name of an experiment, or a TOML file of your own
        name: String,
        /// Every row, however many there are
        #[arg(long)]
        all: bool,
    },
    /// Run an experiment, or go on with it
    Run(RunArgs),
    /// Measure the playouts that times give here, before shards run
    Calibrate(CalibrateArgs),
    /// Show the results in folders, as text or as an HTML page
    Report {
        /// Folders with results, or files
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// Write one self-contained HTML page here
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// One JSON array instead of text
        #[arg(long)]
        json: bool,
        /// Write every plot into this folder, an SVG file each
        #[arg(long, value_name = "DIR", conflicts_with = "into")]
        plots: Option<PathBuf>,
        /// How tables are written
        #[arg(long, value_enum, default_value = "text", conflicts_with_all = ["json", "output", "into"])]
        format: Format,
        /// Write what the results say about claims into this Markdown file, between `<!-- claims: NAME -->` and `<!-- end -->` (`results: NAME`: the table of results)
        #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "output"])]
        into: Option<PathBuf>,
    },
    /// Put the results of many folders into one, every game once
    Merge {
        /// Folders with results, or files
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// The folder to write to; what is there stays
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
    },
}

/// What is run: experiments, their rows and budgets.
#[derive(Args)]
pub struct CalibrateArgs {
    /// Name of an experiment, `all`, or a TOML file of your own (FILE.toml or FILE.toml:NAME)
    name: String,
    /// Rows by number, range or name: 1,4-6 or "filter4*" [default: all]
    #[arg(long, value_delimiter = ',')]
    rows: Vec<String>,
    /// The experiment's largest budget becomes N playouts, all others in proportion
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    playouts: Option<u64>,
    /// Keep the paper's seconds instead of the playouts that they give here
    #[arg(long, conflicts_with = "playouts")]
    clock: bool,
    /// Seconds an outside engine has for an answer [default: 60 to start, then 600]
    #[arg(long, value_name = "SECONDS", value_parser = super::players::timeout)]
    timeout: Option<f64>,
    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "lab-results")]
    out: PathBuf,
}

#[derive(Args)]
pub struct RunArgs {
    #[command(flatten)]
    what: CalibrateArgs,
    /// Games or trials of a row [default: as many as the paper's]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_GAMES))]
    games: Option<u64>,
    /// Games at the same time [default: one for each core]
    #[arg(long, value_name = "J", value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Seed of the run
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Only part I of N
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    /// Play each row only until its first player is shown to be stronger by E1 Elo rather than E0, or the reverse (5 % errors)
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true, value_parser = Sprt::parse, conflicts_with = "shard")]
    sprt: Option<Sprt>,
    /// Play each row only until the 95 % interval of its rate reaches at most this many points to either side
    #[arg(long, value_name = "POINTS", value_parser = Goal::parse_width, conflicts_with_all = ["shard", "sprt"])]
    until: Option<Goal>,
    /// Begin no game after this long; shared among experiments if there are many
    #[arg(long, value_name = "H", value_parser = hours)]
    hours: Option<f64>,
}

impl LabCommand {
    /// `stop` is set when the user wants to end.
    pub fn run(self, stop: &AtomicBool) -> Result<(), String> {
        match self {
            LabCommand::List { json } => list(json),
            LabCommand::Show { name, all } => catalogue::find(&name)?.iter().try_for_each(|e| show(e, all)),
            LabCommand::Run(args) => args.run(stop),
            LabCommand::Calibrate(args) => args.calibrate(),
            LabCommand::Report { folders, into: Some(page), .. } => write_claims(&folders, &page),
            LabCommand::Report { folders, output, json, format, plots, .. } => {
                if let Some(folder) = plots {
                    write_plots(&folders, &folder)?;
                }
                tell(&folders, output.as_deref(), json, format)
            }
            LabCommand::Merge { folders, output } => merge(&folders, &output),
        }
    }
}

fn list(json: bool) -> Result<(), String> {
    let all = catalogue::all()?;
    if json {
        let one = |e: &Experiment| {
            serde_json::json!({
                "name": e.name, "paper": e.paper, "authors": e.authors, "figure": e.figure, "kind": e.kind,
                "rows": e.rows.len(), "games": e.rows.iter().map(|r| r.games).sum::<u64>(), "core_hours": e.hours,
            })
        };
        return print(&serde_json::Value::Array(all.iter().map(one).collect()).to_string());
    }
    let mut table = ResultTable::new("", &["name", "rows", "games", "hours", "paper", "table or figure"]);
    for e in &all {
        let games: u64 = e.rows.iter().map(|r| r.games).sum();
        let (rows, hours) = (e.rows.len().to_string(), e.hours.to_string());
        let authors = e.authors.split([',', ' ']).next().unwrap_or_default().to_string();
        table.rows.push(vec![e.name.clone(), rows, games.to_string(), hours, authors, short(&e.figure)]);
    }
    print(&format!(
        "{table}\nGames and hours of one core are those of the full size; --games, --rows and --playouts make\na run smaller."
    ))
}

/// Letters of the last column of the list, so that a line has at most 100; `show` has all of it.
const SHORT: usize = 45;

/// What stands before brackets, cut between words.
fn short(text: &str) -> String {
    let text = text.split(" (").next().unwrap_or_default();
    if text.chars().count() <= SHORT {
        return text.to_string();
    }
    let cut = wrap(text, SHORT - 1);
    format!("{}…", cut.lines().next().unwrap_or_default())
}

/// Rows that `show` prints of a long table.
const SHOWN: usize = 20;

fn show(e: &Experiment, all: bool) -> Result<(), String> {
    let source = wrapped(&format!("{} ({}), {}", e.paper, e.authors, e.figure));
    let mut text = format!("{}\n{source}\n\n{}\n", e.name, wrapped(&e.about));
    let mut boards: Vec<String> = e.rows.iter().map(|row| row.setting.to_string()).collect();
    boards.dedup();
    if e.kind.has_board() {
        text += &format!("\n{}\n", wrapped(&boards.join("; ")));
    }
    if !e.claims.is_empty() {
        text += if e.authors.is_empty() { "\nwhat is claimed\n" } else { "\nwhat the paper says\n" };
        e.claims.iter().for_each(|claim| text += &hanging("  - ", &claim.says));
    }
    let mut table = ResultTable::new("", &["row", "name", "games", "published", "as Black", "as White"]);
    let mut players = String::new();
    let rows = if all { e.rows.len() } else { SHOWN.min(e.rows.len()) };
    for (i, row) in e.rows.iter().take(rows).enumerate() {
        let published = row.published.map(|p| p.map(|x| x.to_string()).unwrap_or_default());
        let [p, black, white] = published;
        let lines: Vec<&str> = row.lines.iter().map(|line| line.trim()).collect();
        let (number, games) = ((i + 1).to_string(), row.games.to_string());
        players += &hanging(&format!("  {number:>3}  "), &lines.join(" | "));
        table.rows.push(vec![number, row.name.clone(), games, p, black, white]);
    }
    text += &format!("\n{table}\nplayers by row\n{players}");
    if rows < e.rows.len() {
        text += &format!("  … {} more rows; --all shows them\n", e.rows.len() - rows);
    }
    e.printed.iter().for_each(|table| text += &format!("\n{}", report::printed(table)));
    print(&text)
}

/// Lines of at most 100 characters.
fn wrapped(text: &str) -> String {
    wrap(text, 100)
}

/// The same behind a head, with the lines after the first below its text.
fn hanging(head: &str, text: &str) -> String {
    let width = head.chars().count();
    format!("{head}{}\n", wrap(text, 100 - width).replace('\n', &format!("\n{:width$}", "")))
}

fn wrap(text: &str, most: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].chars().count() + word.chars().count() + 1 > most {
            lines.push(word.to_string());
        } else {
            let space = if lines[last].is_empty() { "" } else { " " };
            lines[last] += &format!("{space}{word}");
        }
    }
    lines.join("\n")
}

impl CalibrateArgs {
    fn plan(&self, experiment: &Experiment, seed: u64, may_measure: bool) -> Result<Plan, String> {
        may_be_folder(&self.out)?;
        let wish = Wish { playouts: self.playouts, clock: self.clock, seed, rows: self.rows.clone() };
        let mut calibration = Calibration::load(&self.out)?;
        let bar = spinner();
        let mut told = |what: &str| bar.set_message(what.to_string());
        let path = calibration.path().display().to_string();
        let missing = match may_measure {
            true => Missing::Measure(&mut told),
            false => Missing::Refuse(format!(
                "{} runs by the clock in its paper: the playouts to use are measured once for all shards. Type `moku lab \
                 calibrate {} --out {}` (with the same --rows and --playouts) first, and give every shard the {path} it writes",
                experiment.name,
                self.name,
                self.out.display(),
            )),
        };
        let plan = Plan::new(experiment, &wish, &mut calibration, missing);
        bar.finish_and_clear();
        let mut plan = plan?;
        plan.rows.iter_mut().for_each(|planned| planned.row.setting.timeout = self.timeout);
        Ok(plan)
    }

    fn calibrate(self) -> Result<(), String> {
        let mut measured = false;
        for experiment in self.experiments()? {
            let plan = self.plan(&experiment, 0, true)?;
            let mut table = ResultTable::new(&experiment.name, &["row", "players"]);
            for planned in &plan.rows {
                measured |= planned.row.lines.iter().any(|line| line.contains("time="));
                table.rows.push(vec![planned.row.name.clone(), planned.lines.join(" | ")]);
            }
            print(&table.to_string())?;
        }
        match measured {
            true => print(&format!("kept in {}", Calibration::load(&self.out)?.path().display())),
            false => print("nothing to measure: no player has a time"),
        }
    }

    /// The experiments, if every option means something to one of them.
    fn experiments(&self) -> Result<Vec<Experiment>, String> {
        let experiments = catalogue::find(&self.name)?;
        let lines = || experiments.iter().flat_map(|e| &e.rows).flat_map(|row| &row.lines);
        let refused = [
            ("--clock", self.clock && !lines().any(|line| line.contains("time="))),
            ("--playouts", self.playouts.is_some() && !experiments.iter().any(has_budget)),
        ];
        refuse(&refused, &format!("means nothing to {}: it has no such budget", self.name))?;
        let waits_in_vain = self.timeout.is_some() && !lines().any(|line| line.trim_start().starts_with("gtp:"));
        refuse(&[("--timeout", waits_in_vain)], &format!("is for outside engines, and {} has none", self.name))?;
        Ok(experiments)
    }
}

impl RunArgs {
    fn run(self, stop: &AtomicBool) -> Result<(), String> {
        let experiments = self.what.experiments()?;
        if let Some(other) = experiments.iter().find(|e| self.goal().is_some() && e.kind != Kind::Match) {
            return Err(format!("--sprt and --until are for matches, and {} is none", other.name));
        }
        let began = Instant::now();
        let count = experiments.len();
        for (i, experiment) in experiments.iter().enumerate() {
            if stop.load(SeqCst) {
                break;
            }
            // What is left of the time, in equal parts for what is left to run.
            let left = self.hours.map(|h| (h * 3600.0 - began.elapsed().as_secs_f64()).max(0.0) / (count - i) as f64);
            let result = self.run_one(experiment, stop, left.map(Duration::from_secs_f64));
            match result {
                // An experiment that cannot be run leaves the others; a disk that is full does not.
                Err(e) if count > 1 && e.is_of_one_job() => eprintln!("moku: {}: {e}", experiment.name),
                result => result?,
            }
        }
        if stop.load(SeqCst) {
            let words: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
            eprintln!("moku: stopped; to go on where it stopped: moku {}", words.join(" "));
        }
        Ok(())
    }

    /// When a row has been played enough.
    fn goal(&self) -> Option<Goal> {
        self.until.or(self.sprt.map(Goal::Test))
    }

    fn run_one(&self, experiment: &Experiment, stop: &AtomicBool, time: Option<Duration>) -> Result<(), Error> {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        // Before anything is measured or written: one writer only, and nothing that cannot be run.
        let out = &self.what.out;
        let plan = self.what.plan(experiment, self.seed, shard.count == 1)?;
        let mut store = Store::open(out, &experiment.name, shard)?;
        self.keep_description(experiment)?;
        for warning in plan.thin() {
            eprintln!("moku: {warning}");
        }
        let own: Vec<(&str, &Code)> = plan.rows.iter().map(|p| (p.row.name.as_str(), &p.code)).collect();
        for (behaviour, count) in store.others(&own) {
            eprintln!(
                "moku: {count} trials in {} are by a moku of another behaviour ({behaviour}) and count as done; reports tell \
                 them apart, and another --out has all of them made anew",
                out.display()
            );
        }
        let jobs = self.jobs.map_or_else(cores, usize::from);
        let run = Run { games: self.games, jobs, shard, time, goal: self.goal() };
        let known = if self.goal().is_some() { store::read_folder(out)? } else { Vec::new() };
        let bar = bar(0, "trials");
        bar.set_prefix(format!("{} ", experiment.name));
        let mut is_first = true;
        let outcome = run.run(&plan, &mut store, &known, stop, |progress| {
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
            if std::mem::take(&mut is_first) {
                bar.reset_eta();
            }
        });
        bar.finish_and_clear();
        let (progress, watches) = outcome?;
        let chapters = chapters(std::slice::from_ref(out), Some(&experiment.name))?;
        for chapter in chapters.iter().filter(|c| c.budget == plan.budget) {
            print(&format!("{chapter}\n"))?;
        }
        if !watches.is_empty() {
            print(&format!("{}\n", decisions(&plan, &watches)))?;
        }
        let place = store.path().display().to_string();
        print(&format!("{} of {} trials are in {place}\n", progress.done, progress.total))?;
        Ok(())
    }

    /// A user's own experiment is kept beside its results, so that they can be told without the file.
    fn keep_description(&self, experiment: &Experiment) -> Result<(), Error> {
        match catalogue::file_of(&self.what.name) {
            Some((file, _)) => copy_description(Path::new(file), &self.what.out, &experiment.name),
            None => Ok(()),
        }
    }
}

/// What the sequential tests say; games that were in hand when one ended are not of it.
fn decisions(plan: &Plan, watches: &[Watch]) -> ResultTable {
    let mut table = ResultTable::new("Rows that end when they are answered", &["row", "games", "rate", "decision"]);
    for (planned, watch) in plan.rows.iter().zip(watches) {
        let (results, decision) = (watch.results, watch.decision.text().to_string());
        let rate = percent_text(results.estimate());
        table.rows.push(vec![planned.row.name.clone(), results.games().to_string(), rate, decision]);
    }
    table
}

fn copy_description(from: &Path, folder: &Path, experiment: &str) -> Result<(), Error> {
    let text = std::fs::read(from).map_err(Error::read(from))?;
    let to = folder.join(format!("{experiment}.toml"));
    if std::fs::read(&to).is_ok_and(|there| there == text) {
        return Ok(());
    }
    write_whole(&to, &text)
}

pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_string() } else { format!("'{word}'") }
}

fn chapters(folders: &[PathBuf], only: Option<&str>) -> Result<Vec<Chapter>, String> {
    let mut records = store::merge(folders)?;
    if let Some(name) = only {
        records.retain(|r| r.experiment == name);
    }
    report::chapters(&records, folders)
}

fn tell(folders: &[PathBuf], output: Option<&Path>, json: bool, format: Format) -> Result<(), String> {
    let chapters = chapters(folders, None)?;
    if chapters.is_empty() {
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        return Err(format!(
            "there are no results in {}; `moku lab run NAME --out DIR` makes some",
            folders.join(", ")
        ));
    }
    if let Some(path) = output {
        let page = report::page(&chapters)?;
        write(path, &page)?;
        eprintln!("moku: wrote {}", path.display());
    }
    if json {
        return print(&serde_json::to_string(&chapters).map_err(|e| e.to_string())?);
    }
    match output {
        Some(_) => Ok(()),
        None => chapters.iter().try_for_each(|chapter| print(&format!("{}\n", report::format(chapter, format)))),
    }
}

/// `NAME-2-1.svg` is the first plot of the second budget of an experiment.
fn write_plots(folders: &[PathBuf], to: &Path) -> Result<(), String> {
    make_folder(to)?;
    let chapters = chapters(folders, None)?;
    let mut count = 0;
    for own in chapters.chunk_by(|a, b| a.name == b.name) {
        for (budget, chapter) in own.iter().enumerate() {
            for (i, plot) in chapter.section.plots.iter().enumerate() {
                let path = to.join(format!("{}-{}-{}.svg", chapter.name, budget + 1, i + 1));
                write(&path, &report::plot_file(plot)?)?;
                count += 1;
            }
        }
    }
    eprintln!("moku: wrote {count} plots into {}", to.display());
    Ok(())
}

fn write_claims(folders: &[PathBuf], page: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(page).map_err(Error::read(page))?;
    let text = report::write_into(&text, &chapters(folders, None)?).map_err(|e| format!("{}: {e}", page.display()))?;
    write_whole(page, text.as_bytes())?;
    eprintln!("moku: wrote {}", page.display());
    Ok(())
}

fn merge(folders: &[PathBuf], output: &Path) -> Result<(), String> {
    let mut sources = folders.to_vec();
    if output.is_dir() {
        sources.push(output.to_path_buf());
    }
    let records = store::merge(&sources)?;
    make_folder(output)?;
    for own in records.chunk_by(|a, b| a.experiment == b.experiment) {
        let name = &own[0].experiment;
        store::replace(output, name, &own.iter().collect::<Vec<_>>())?;
        if let Some(file) = store::find_beside(folders, &format!("{name}.toml")) {
            copy_description(&file, output, name)?;
        }
    }
    let mut calibration = Calibration::load(output)?;
    for folder in folders.iter().filter(|path| path.is_dir()) {
        calibration.absorb(&Calibration::load(folder)?)?;
    }
    print(&format!("{} trials in {}", records.len(), output.display()))
}
