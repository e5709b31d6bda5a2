//! `moku tsumego` and `moku regress`: what was typed becomes work on a set.

use super::page::page;
use super::regress::{Regress, expand};
use super::report::Report;
use super::results::Results;
use super::solve::{Column, Plan, Task};
use super::tst;
use super::{make, prove};
use crate::base::Size;
use crate::base::rng::fresh_seed;
use crate::search::Engine;
use crate::session::Options;
use crate::tsumego::prover::learn;
use crate::tsumego::prover::make::Place;
use crate::tsumego::{Problem, frame};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

#[derive(Subcommand)]
pub enum TsumegoCommand {
    /// Surround problems with stones so that their result decides the game
    Frame(FrameArgs),
    /// Have engines solve problems and table what they chose
    Solve(Box<SolveArgs>),
    /// Make new problems with one proven answer each
    Make(MakeArgs),
    /// Fit the prover's estimates to random problems; the table goes to src/tsumego/prover/estimate/weights.rs
    Learn(LearnArgs),
    /// Make a .tst file for gogui-regress or `moku regress`
    Tst(TstArgs),
}

#[derive(Args)]
pub struct FrameArgs {
    /// SGF files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Lines of the board [default: 9, 13 or 19, the smallest with room]
    #[arg(long, value_parser = board_size)]
    size: Option<Size>,
    /// Write one file for each problem to this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

#[derive(Args)]
pub struct SolveArgs {
    /// SGF files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// An engine line, see `moku engines`; may be given several times [default: uct]
    #[arg(long, value_name = "LINE", value_parser = engine_line)]
    engine: Vec<String>,
    /// Searches of each problem with each engine and budget
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    tries: u16,
    /// Prover: seconds for a problem, and again for its first moves
    #[arg(long, default_value_t = 10.0, value_parser = positive)]
    seconds: f64,
    /// Prover: megabytes for its table
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    table_mb: u32,
    /// Prover: play every line of each proof on a board that knows only the rules
    #[arg(long)]
    verify: bool,
    /// Playouts a search [default: the engine line's own budget, else 5000,10000,50000]
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<Vec<u64>>,
    /// Search the boards as they are in the files, without a frame
    #[arg(long)]
    as_is: bool,
    /// Searches at the same time [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Seed of all searches; without it one is drawn and printed
    #[arg(long)]
    seed: Option<u64>,
    /// Write every search to this file as it ends, and go on from there when started again
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Write a page with every problem's diagram
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Args)]
pub struct MakeArgs {
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// The same seed makes the same problems
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value = "corner", value_parser = ["corner", "side"])]
    region: String,
    /// 1 (a few moves to read) to 5, by the size of the proof
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=5))]
    level: u8,
    /// Lines of the board
    #[arg(long, default_value = "9", value_parser = made_size)]
    size: Size,
    /// The shapes that every player learns, instead of new ones
    #[arg(long)]
    standard: bool,
    /// Write one file for each problem to this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

#[derive(Args)]
pub struct LearnArgs {
    /// Positions to search
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// The same seed finds the same positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Lines of the board
    #[arg(long, default_value = "19", value_parser = made_size)]
    size: Size,
    /// Searches at the same time [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Write the table to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn made_size(text: &str) -> Result<Size, String> {
    board_size(text).ok().filter(|size| size.n() >= 9).ok_or_else(|| "9 to 25 lines are expected".to_string())
}

#[derive(Args)]
pub struct TstArgs {
    /// SGF files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The .tst file; the framed problems go to a folder of the same name beside it
    #[arg(short, long, value_name = "FILE.tst")]
    output: PathBuf,
    /// Keep the boards as they are in the files, without a frame
    #[arg(long)]
    as_is: bool,
}

#[derive(Args)]
pub struct RegressArgs {
    /// .tst files; @FILE stands for the names in FILE
    #[arg(required = true, value_name = "FILE.tst")]
    files: Vec<String>,
    /// The engine that is tested
    #[arg(long, value_name = "LINE", default_value = "uct playouts=10000 end=fill", value_parser = engine_line)]
    engine: String,
    /// A line for every test, and a summary of every file
    #[arg(long)]
    long: bool,
    /// GTP commands to send before each file
    #[arg(long, value_name = "FILE")]
    gtpfile: Option<PathBuf>,
    /// Write summary.dat to this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Worker threads; with one, a budget of playouts gives the same answers every time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| *x > 0.0 && x.is_finite())
        .ok_or_else(|| "seconds above 0 are expected".to_string())
}

fn engine_line(text: &str) -> Result<String, String> {
    Engine::parse(text).map(|_| text.to_string())
}

fn board_size(text: &str) -> Result<Size, String> {
    text.parse().ok().and_then(Size::new).ok_or_else(|| format!("{} to {} lines are expected", Size::MIN, Size::MAX))
}

/// Prints, and takes a closed pipe for the reader's wish to hear no more.
fn print(text: &str) -> Result<(), String> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write: {e}")),
        _ => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

pub fn tsumego(command: TsumegoCommand) -> Result<(), String> {
    match command {
        TsumegoCommand::Frame(args) => frame_all(args),
        TsumegoCommand::Solve(args) => solve(*args),
        TsumegoCommand::Make(args) => make_all(args),
        TsumegoCommand::Learn(args) => learn_weights(args),
        TsumegoCommand::Tst(args) => {
            let tasks = tasks(&args.paths, args.as_is)?;
            let skipped = tst::write(&tasks, &args.output)?;
            skipped.iter().for_each(|reason| eprintln!("moku: left out: {reason}"));
            print(&format!("{} tests in {}", tasks.len() - skipped.len(), args.output.display()))
        }
    }
}

/// The problems of files and folders; what cannot be read is told and left out.
fn read(paths: &[PathBuf]) -> Result<Vec<Problem>, String> {
    let (problems, unreadable) = Problem::read_set(paths)?;
    unreadable.iter().for_each(|reason| eprintln!("moku: left out: {reason}"));
    Ok(problems)
}

fn tasks(paths: &[PathBuf], as_is: bool) -> Result<Vec<Task>, String> {
    let problems = read(paths)?;
    Ok(problems.into_iter().map(if as_is { Task::as_is } else { Task::framed }).collect())
}

/// The framed problems on standard output or in files; what decides them on standard error.
fn frame_all(args: FrameArgs) -> Result<(), String> {
    let problems = read(&args.paths)?;
    if let Some(folder) = &args.output {
        std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    }
    let mut refused = 0;
    for problem in &problems {
        let framed = match frame(problem, args.size) {
            Ok(framed) => framed,
            Err(reason) => {
                eprintln!("moku: {}: {reason}", problem.name);
                refused += 1;
                continue;
            }
        };
        let explanation = framed.explanation();
        eprintln!("{}, {}x{}. {explanation}", problem.name, framed.problem.size, framed.problem.size);
        let text = framed.problem.to_sgf(format!("{}\n{explanation}", problem.comment).trim());
        match &args.output {
            Some(folder) => {
                let stem = problem.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let number = if problem.number > 1 { format!("-{}", problem.number) } else { String::new() };
                write(&folder.join(format!("{stem}{number}.sgf")), &text)?;
            }
            None => print(text.trim_end())?,
        }
    }
    match refused {
        0 => Ok(()),
        n => Err(format!("{n} of {} problems could not be framed", problems.len())),
    }
}

/// The problems on standard output or in files.
fn make_all(args: MakeArgs) -> Result<(), String> {
    if let Some(folder) = &args.output {
        std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    }
    let put = |sheet: make::Sheet| match &args.output {
        Some(folder) => write(&folder.join(format!("{}.sgf", sheet.stem)), &sheet.text),
        None => print(sheet.text.trim_end()),
    };
    let stop = stop_on_ctrl_c()?;
    if args.standard {
        return make::standard(args.size, &stop)?.into_iter().try_for_each(put);
    }
    let place = if args.region == "corner" { Place::Corner } else { Place::Side };
    let count = usize::from(args.count);
    let order = make::Order { count, seed: args.seed, place, level: args.level.into(), size: args.size };
    let bar = ProgressBar::new(count as u64);
    let made = order.run(&stop, |sheet| {
        bar.inc(1);
        bar.suspend(|| put(sheet))
    });
    bar.finish_and_clear();
    match made? {
        made if made < count => Err(format!("{made} of {count} problems were made; another seed or level may help")),
        _ => Ok(()),
    }
}

/// The table on standard output or in a file; how well it fits on standard error.
fn learn_weights(args: LearnArgs) -> Result<(), String> {
    let source = learn::Source { size: args.size, positions: args.positions as usize, seed: args.seed };
    let stop = stop_on_ctrl_c()?;
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} positions, {eta} left");
    let bar =
        ProgressBar::new(args.positions.into()).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let samples = learn::samples(&source, args.jobs.unwrap_or_else(cores).max(1), &stop, |n| bar.inc(n as u64));
    bar.finish_and_clear();
    if stop.load(SeqCst) {
        return Err(format!("stopped after {} of {} positions; nothing was fitted", samples.len(), args.positions));
    }
    let fits = learn::fits(&samples)?;
    for fit in &fits {
        let side = |is_attacker| if is_attacker { "attacker" } else { "defender" };
        eprintln!(
            "{} to move, {} wins: {} positions, {:.0} % of the variance of log nodes explained",
            side(fit.attacker_moves),
            side(fit.attacker_wins),
            fit.positions,
            100.0 * fit.explained
        );
    }
    let table = learn::table(&fits, &source);
    match &args.output {
        Some(path) => write(path, &table),
        None => print(table.trim_end()),
    }
}

/// Solving by proof, when the only engine is the prover.
fn prove_all(args: &SolveArgs) -> Result<(), String> {
    let problems = read(&args.paths)?;
    let plan = prove::Plan { problems, seconds: args.seconds, table_mb: args.table_mb as usize, verify: args.verify };
    let stop = stop_on_ctrl_c()?;
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} problems, {msg}, {eta} left");
    let bar =
        ProgressBar::new(plan.problems.len() as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut proven = 0;
    let mut printed = Ok(());
    let proofs = plan.run(&stop, |proof| {
        proven += usize::from(proof.status.is_some());
        bar.inc(1);
        bar.set_message(format!("{proven} proven"));
        if !args.json {
            bar.suspend(|| printed = print(&proof.text()));
        }
    });
    bar.finish_and_clear();
    printed?;
    if proofs.len() < plan.problems.len() {
        eprintln!("moku: stopped after {} of {} problems", proofs.len(), plan.problems.len());
    }
    if let Some(path) = &args.html {
        write(path, &prove::page(&plan, &proofs))?;
    }
    match args.json {
        true => print(&serde_json::to_string_pretty(&proofs).map_err(|e| e.to_string())?),
        false => print(&prove::summary(&proofs)),
    }
}

/// Once: stop and report. Twice: end at once.
fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    ctrlc::set_handler(move || {
        if asked.swap(true, SeqCst) {
            std::process::exit(130);
        }
    })
    .map_err(|e| format!("cannot listen for Ctrl-C: {e}"))?;
    Ok(stop)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

fn is_prover(line: &str) -> bool {
    Engine::parse(line).is_ok_and(|engine| engine.choice("prover") == "on")
}

fn solve(args: SolveArgs) -> Result<(), String> {
    if let [line] = &args.engine[..]
        && is_prover(line)
    {
        return prove_all(&args);
    }
    let engines = if args.engine.is_empty() { vec!["uct".to_string()] } else { args.engine };
    let columns = Column::all(&engines, args.playouts.as_deref())?;
    let fresh = args.seed.unwrap_or_else(fresh_seed);
    let mut results = args.out.as_deref().map(|path| Results::open(path, fresh)).transpose()?;
    let seed = args.seed.or(results.as_ref().map(|results| results.seed)).unwrap_or(fresh);
    let jobs = args.jobs.unwrap_or_else(cores);
    let plan = Plan { tasks: tasks(&args.paths, args.as_is)?, columns, tries: args.tries.into(), seed, jobs };
    let stop = stop_on_ctrl_c()?;
    let done = results.as_mut().map(|results| std::mem::take(&mut results.done)).unwrap_or_default();
    let slots = plan.slots();
    let known = slots.iter().filter(|slot| done.contains_key(&plan.key_of(**slot))).count();
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} searches, {msg}, {eta} left");
    let bar = ProgressBar::new(slots.len() as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.inc(known as u64);
    bar.reset_eta();
    let mut right = 0;
    let runs = plan.run(&done, &stop, |run| {
        right += usize::from(run.right);
        bar.inc(1);
        bar.set_message(format!("{right} right"));
        results.as_mut().map_or(Ok(()), |results| results.add(run))
    });
    bar.finish_and_clear();
    let runs = runs?;
    if runs.len() < slots.len() {
        let resume = match &args.out {
            Some(_) => "start it again to go on",
            None => "with --out FILE it could go on later",
        };
        eprintln!("moku: stopped after {} of {} searches; {resume}", runs.len(), slots.len());
    }
    let report = Report::new(&plan, &runs);
    if let Some(path) = &args.html {
        write(path, &page(&plan, &runs, &report))?;
    }
    print(&if args.json { report.to_json()? } else { report.to_string() })
}

/// The exit code is gogui-regress's: 1 if a test failed that should not, 2 if the tests could not be run.
pub fn regress(args: RegressArgs) -> ExitCode {
    let options = Options {
        engine: Some(args.engine),
        threads: args.threads.into(),
        seed: Some(args.seed),
        ..Options::default()
    };
    let run = || -> Result<bool, String> {
        let files = expand(&args.files)?;
        let regress = Regress { options, long: args.long, gtp_file: args.gtpfile };
        let total = regress.run(&files, &mut |line| drop(print(line)))?;
        if let Some(folder) = &args.output {
            std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
            write(&folder.join("summary.dat"), &total.data())?;
        }
        Ok(total.failed)
    };
    match run() {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(1),
        Err(text) => {
            eprintln!("moku: {text}");
            ExitCode::from(2)
        }
    }
}
