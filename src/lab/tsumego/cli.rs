//! `moku tsumego`: what was typed becomes work on a set.

use super::prove::{Proof, Proving};
use super::report::Report;
use super::results::{Found, Results};
use super::solve::{Case, Column, Run, Solving};
use super::{book, learn, make, page, proof_page, prove, tst};
use crate::base::Size;
use crate::base::rng::fresh_seed;
use crate::jobs::console::{bar, cores, make_folder, may_write, print, refuse, stop_on_ctrl_c, whole, write};
use crate::search::Engine;
use crate::tsumego::prover::Limits;
use crate::tsumego::prover::make::{KINDS, Place};
use crate::tsumego::{GOAL_NAMES, Goal, Problem, frame, named_stones};
use clap::{Args, Subcommand};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Searches of each problem with each engine and budget.
const TRIES: usize = 5;
/// What a proof may cost.
const SECONDS: f64 = 10.0;
const TABLE_MB: usize = 256;

#[derive(Subcommand)]
pub enum TsumegoCommand {
    /// Surround problems with stones so that their result decides the game
    Frame(FrameArgs),
    /// Have engines solve problems and table what they chose
    Solve(Box<SolveArgs>),
    /// Make new problems with one proven answer each
    Make(MakeArgs),
    /// Write problems as a page to be printed, with the solutions at the end
    Book(BookArgs),
    /// Fit the prover's weights to random problems: those of its estimates, or those that put moves in order
    Learn(learn::LearnArgs),
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
    /// Searches of each problem with each engine and budget [default: 5]
    #[arg(long, value_parser = whole::<u16>(1..))]
    tries: Option<u16>,
    /// Prover: seconds for a problem, and again for its first moves [default: the engine line's prover-time, else 10]
    #[arg(long, value_parser = positive)]
    seconds: Option<f64>,
    /// Prover: nodes for a problem, and again for its first moves: the same on every machine, however busy [default: no limit;
    /// with it, seconds are none unless given]
    #[arg(long, value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Prover: megabytes for the table of each job [default: the engine line's table-mb, else 256]
    #[arg(long, value_parser = whole::<u32>(1..=65_536))]
    table_mb: Option<u32>,
    /// Prover: play every line of each proof on a board that knows only the rules
    #[arg(long)]
    verify: bool,
    /// Where a file marks no branch as right or wrong the first one is the answer, and no guess
    #[arg(long)]
    first_branch: bool,
    /// Prover: what is asked of every problem, instead of what its file says: kill, live, ko, seki, capture, race, connect
    /// or cut, the last four with stones of the chains, if you like: --task "connect C3 F4"
    #[arg(long, value_parser = task)]
    task: Option<String>,
    /// Playouts a search [default: the engine line's own budget, else 5000,10000,50000]
    #[arg(long, value_delimiter = ',', value_parser = whole::<u64>(1..))]
    playouts: Option<Vec<u64>>,
    /// Search the boards as they are in the files, without a frame
    #[arg(long)]
    as_is: bool,
    /// Searches or proofs at the same time [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Prover: threads for each problem. What is proven does not hang on it, but when [default: all cores for a problem alone
    /// without --nodes, else 1]
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Seed of all searches; without it one is drawn and printed
    #[arg(long, value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
    /// Write every search or proof to this file as it ends, and go on from there when started again
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
    #[arg(long, default_value_t = 10, value_parser = whole::<u16>(1..))]
    count: u16,
    /// The same seed makes the same problems
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Where on the board: corner or side
    #[arg(long, default_value = "corner", value_parser = ["corner", "side"])]
    region: String,
    /// 1 (a few moves to read) to 6, by the size of the proof
    #[arg(long, default_value_t = 2, value_parser = whole::<u8>(1..=6))]
    level: u8,
    /// kill, live, ko or race [default: kill or live, as it comes]
    #[arg(long, value_parser = ["kill", "live", "ko", "race"])]
    kind: Option<String>,
    /// Lines of the board
    #[arg(long, default_value = "9", value_parser = made_size)]
    size: Size,
    /// The shapes that every player learns, instead of new ones
    #[arg(long, conflicts_with_all = ["count", "seed", "region", "level", "kind"])]
    standard: bool,
    /// Write one file for each problem to this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

#[derive(Args)]
pub struct BookArgs {
    /// SGF files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What stands over it
    #[arg(long, default_value = "Problems")]
    title: String,
    /// The page
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
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
    /// Where a file marks no branch as right or wrong the first one is the answer, and no guess
    #[arg(long)]
    first_branch: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| *x > 0.0 && x.is_finite())
        .ok_or_else(|| "seconds above 0 are expected".to_string())
}

fn engine_line(text: &str) -> Result<String, String> {
    Ok(Engine::parse(text).map(|_| text.to_string())?)
}

fn board_size(text: &str) -> Result<Size, String> {
    text.parse().ok().and_then(Size::new).ok_or_else(|| format!("{} to {} lines are expected", Size::MIN, Size::MAX))
}

pub fn made_size(text: &str) -> Result<Size, String> {
    board_size(text).ok().filter(|size| size.n() >= 9).ok_or_else(|| "9 to 25 lines are expected".to_string())
}

pub fn run(command: TsumegoCommand) -> Result<(), String> {
    match command {
        TsumegoCommand::Frame(args) => frame_all(args),
        TsumegoCommand::Solve(args) => solve(*args),
        TsumegoCommand::Make(args) => make_all(args),
        TsumegoCommand::Book(args) => {
            let problems = read(&args.paths)?;
            write(&args.output, &book::book(&args.title, &problems))?;
            print(&format!("{} problems in {}", problems.len(), args.output.display()))
        }
        TsumegoCommand::Learn(args) => learn::weights(args),
        TsumegoCommand::Tst(args) => {
            let cases = cases(answered(read(&args.paths)?, args.first_branch), args.as_is);
            let skipped = tst::write(&cases, &args.output)?;
            skipped.iter().for_each(|reason| eprintln!("moku: left out: {reason}"));
            print(&format!("{} tests in {}", cases.len() - skipped.len(), args.output.display()))
        }
    }
}

/// The problems of files and folders; what cannot be read is told and left out.
fn read(paths: &[PathBuf]) -> Result<Vec<Problem>, String> {
    let (problems, unreadable) = Problem::read_set(paths)?;
    // Files with the same reason together.
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for error in &unreadable {
        let (file, reason) = error.file_and_reason();
        reasons.entry(reason).or_default().push(file);
    }
    for (reason, files) in reasons {
        let count = if files.len() > 1 { format!("{} files, ", files.len()) } else { String::new() };
        eprintln!("moku: left out: {reason}: {count}{}", files.join(", "));
    }
    Ok(problems)
}

/// Problems whose first branch is the answer where nothing is marked, or may not be: then it is told.
fn answered(mut problems: Vec<Problem>, first_branch: bool) -> Vec<Problem> {
    let guesses = problems.iter_mut().filter(|problem| problem.is_guess);
    let guesses = guesses.map(|problem| problem.is_guess = !first_branch).count();
    if guesses > 0 && !first_branch {
        let all = problems.len();
        eprintln!(
            "moku: {guesses} of {all} problems mark no branch; if the first one is the answer there: --first-branch"
        );
    }
    problems
}

fn cases(problems: Vec<Problem>, as_is: bool) -> Vec<Case> {
    problems.into_iter().map(if as_is { Case::as_is } else { Case::framed }).collect()
}

/// The framed problems on standard output or in files; what decides them on standard error.
fn frame_all(args: FrameArgs) -> Result<(), String> {
    let problems = read(&args.paths)?;
    if let Some(folder) = &args.output {
        make_folder(folder)?;
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
        make_folder(folder)?;
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
    let kind = KINDS.iter().find(|row| args.kind.as_deref() == Some(row.1)).map(|row| row.0);
    let order = make::Order { count, seed: args.seed, place, level: args.level.into(), size: args.size, kind };
    let bar = bar(count, "problems");
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

/// What an engine line says that proofs may cost.
#[derive(Clone, Copy, Default)]
struct ProofCosts {
    seconds: Option<f64>,
    table_mb: Option<usize>,
}

/// The line's own seconds and megabytes, if it is the prover's; other words mean nothing to a proof.
fn prover_means(line: &str) -> Result<Option<ProofCosts>, String> {
    let engine = Engine::parse(line)?;
    if !engine.params().prover {
        return Ok(None);
    }
    let mut means = ProofCosts::default();
    for word in line.split_whitespace().skip(1) {
        match word.split_once('=').map_or(word, |(key, _)| key) {
            "prover" => {}
            "prover-time" => means.seconds = Some(engine.params().prover_time),
            "table-mb" => means.table_mb = Some(engine.params().table_mb as usize),
            key => return Err(format!("{key} means nothing to a proof: leave it out of --engine \"{line}\"")),
        }
    }
    Ok(Some(means))
}

/// One value of two places that may say it.
fn one_of<T>(option: Option<T>, word: Option<T>, names: [&str; 2]) -> Result<Option<T>, String> {
    match (option, word) {
        (Some(_), Some(_)) => {
            Err(format!("{} and {}= of the engine line say the same: leave one out", names[0], names[1]))
        }
        (option, word) => Ok(option.or(word)),
    }
}

fn solve(args: SolveArgs) -> Result<(), String> {
    args.html.iter().try_for_each(|path| may_write(path))?;
    let engines = if args.engine.is_empty() { vec!["uct".to_string()] } else { args.engine.clone() };
    let means = engines.iter().map(|line| prover_means(line)).collect::<Result<Vec<_>, _>>()?;
    let of_proofs = [
        ("--seconds", args.seconds.is_some()),
        ("--nodes", args.nodes.is_some()),
        ("--table-mb", args.table_mb.is_some()),
        ("--verify", args.verify),
        ("--task", args.task.is_some()),
        ("--threads", args.threads.is_some()),
    ];
    let of_searches = [
        ("--tries", args.tries.is_some()),
        ("--playouts", args.playouts.is_some()),
        ("--as-is", args.as_is),
        ("--seed", args.seed.is_some()),
    ];
    match means[..] {
        [Some(means)] => {
            refuse(&of_searches, "is about searches; the prover needs none")?;
            prove_all(&args, means)
        }
        _ if means.iter().any(Option::is_some) => {
            Err("the prover proves where others try: give it --engine alone".to_string())
        }
        _ => {
            refuse(&of_proofs, "is for --engine prover")?;
            search_all(&args, &engines)
        }
    }
}

/// Tells that a run which was stopped can go on, or could have.
fn tell_stopped(done: usize, all: usize, what: &str, out: Option<&Path>) {
    if done < all {
        let resume = match out {
            Some(_) => "start it again to go on",
            None => "with --out FILE it could go on later",
        };
        eprintln!("moku: stopped after {done} of {all} {what}; {resume}");
    }
}

/// The file of `--out`, what it holds told.
fn open_results<F: Found>(out: Option<&Path>, seed: u64) -> Result<Option<Results<F>>, String> {
    let Some(path) = out else { return Ok(None) };
    let results = Results::open(path, seed)?;
    if results.others > 0 {
        let (path, others) = (path.display(), results.others);
        eprintln!("moku: {others} {} in {path} are by a moku of another behaviour and are made anew", F::NAME);
    }
    Ok(Some(results))
}

/// A goal, and stones that it is about.
fn task(text: &str) -> Result<String, String> {
    match text.split_whitespace().next() {
        Some(first) if GOAL_NAMES.contains(&first) => Ok(text.to_string()),
        _ => Err(format!("expected one of {}, as in --task \"capture C3\"", GOAL_NAMES.join(", "))),
    }
}

fn prove_all(args: &SolveArgs, means: ProofCosts) -> Result<(), String> {
    let seconds = one_of(args.seconds, means.seconds, ["--seconds", "prover-time"])?;
    let seconds = seconds.or(args.nodes.is_none().then_some(SECONDS));
    let limits = Limits { nodes: args.nodes.unwrap_or(u64::MAX), seconds };
    let table_mb = one_of(args.table_mb.map(|mb| mb as usize), means.table_mb, ["--table-mb", "table-mb"])?;
    let mut problems = answered(read(&args.paths)?, args.first_branch);
    if let Some(task) = &args.task {
        for problem in &mut problems {
            let has_stone = |p| problem.stones.iter().any(|stone| stone.0 == p);
            problem.target = named_stones(task, problem.size, has_stone);
            problem.goal = Goal::from_text(task);
        }
    }
    let is_alone = problems.len() == 1 && args.nodes.is_none() && args.jobs.is_none();
    let proving = Proving {
        threads: args.threads.map_or(if is_alone { cores() } else { 1 }, usize::from),
        problems,
        limits,
        table_mb: table_mb.unwrap_or(TABLE_MB),
        verify: args.verify,
        jobs: args.jobs.map_or_else(cores, usize::from),
    };
    let mut results = open_results::<Proof>(args.out.as_deref(), 0)?;
    let done = results.as_mut().map(|results| std::mem::take(&mut results.done)).unwrap_or_default();
    let stop = stop_on_ctrl_c()?;
    let known: BTreeMap<usize, &Proof> =
        proving.problems.iter().enumerate().filter_map(|(i, p)| Some((i, done.get(&proving.key_of(p))?))).collect();
    let bar = bar(proving.problems.len(), "problems");
    bar.inc(known.len() as u64);
    bar.reset_eta();
    let mut proven = known.values().filter(|proof| proof.status.is_some()).count();
    // Told as they come, but in the order of the problems.
    let mut texts: BTreeMap<usize, String> = known.iter().map(|(&i, proof)| (i, proof.text())).collect();
    let mut next = 0;
    let proofs = proving.run(&done, &stop, |i, proof| {
        proven += usize::from(proof.status.is_some());
        bar.inc(1);
        bar.set_message(format!(", {proven} proven"));
        texts.insert(i, proof.text());
        while let Some(text) = texts.remove(&next).filter(|_| !args.json) {
            bar.suspend(|| print(&text))?;
            next += 1;
        }
        results.as_mut().map_or(Ok(()), |results| results.add(proof))
    });
    bar.finish_and_clear();
    let proofs = proofs?;
    tell_stopped(proofs.len(), proving.problems.len(), "problems", args.out.as_deref());
    if let Some(path) = &args.html {
        write(path, &proof_page::proofs(&proving, &proofs))?;
    }
    let all: Vec<&Proof> = proofs.values().collect();
    if args.json {
        print(&serde_json::to_string_pretty(&all).map_err(|e| e.to_string())?)?;
    } else {
        texts.values().try_for_each(|text| print(text))?;
        print(&prove::summary(&all))?;
    }
    match prove::failures(&all) {
        0 => Ok(()),
        n => Err(format!("{n} proofs do not stand up to the check: please report them")),
    }
}

fn search_all(args: &SolveArgs, engines: &[String]) -> Result<(), String> {
    let columns = Column::all(engines, args.playouts.as_deref())?;
    let fresh = args.seed.unwrap_or_else(fresh_seed);
    let mut results = open_results::<Run>(args.out.as_deref(), fresh)?;
    let seed = args.seed.or(results.as_ref().map(|results| results.seed)).unwrap_or(fresh);
    let solving = Solving {
        cases: cases(answered(read(&args.paths)?, args.first_branch), args.as_is),
        columns,
        tries: args.tries.map_or(TRIES, usize::from),
        seed,
        jobs: args.jobs.map_or_else(cores, usize::from),
    };
    let stop = stop_on_ctrl_c()?;
    let done = results.as_mut().map(|results| std::mem::take(&mut results.done)).unwrap_or_default();
    let slots = solving.slots();
    let known = slots.iter().filter(|slot| done.contains_key(&solving.key_of(**slot))).count();
    let bar = bar(slots.len(), "searches");
    bar.inc(known as u64);
    bar.reset_eta();
    let mut right = 0;
    let runs = solving.run(&done, &stop, |run| {
        right += usize::from(run.right);
        bar.inc(1);
        bar.set_message(format!(", {right} right"));
        results.as_mut().map_or(Ok(()), |results| results.add(run))
    });
    bar.finish_and_clear();
    let runs = runs?;
    tell_stopped(runs.len(), slots.len(), "searches", args.out.as_deref());
    let report = Report::new(&solving, &runs);
    if let Some(path) = &args.html {
        write(path, &page::page(&solving, &runs, &report))?;
    }
    print(&if args.json { report.to_json()? } else { report.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_branch_is_the_answer_where_the_user_says_so() {
        let texts = ["(;B[aa])(;B[ba])", "(;B[aa])(;B[ba]C[RIGHT])"];
        let read = |text: &&str| {
            let file = format!("(;SZ[9]AB[bb]AW[cc]{text})");
            Problem::read(file.as_bytes(), Path::new("a.sgf")).unwrap().remove(0)
        };
        for first_branch in [false, true] {
            let problems = answered(texts.iter().map(read).collect(), first_branch);
            assert_eq!(problems.iter().map(|problem| problem.is_guess).collect::<Vec<_>>(), [!first_branch, false]);
        }
    }
}
