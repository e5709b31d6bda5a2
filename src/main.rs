//! The command line: what was typed becomes one of the faces of moku.

use clap::{Args, CommandFactory, Parser, Subcommand};
use moku::analysis::Analyzer;
use moku::base::params::{clip, suggestion};
use moku::base::rng::fresh_seed;
use moku::base::{Color, GameKind};
use moku::game::gobang::Rule;
use moku::gomocup::Gomocup;
use moku::gtp::Gtp;
use moku::jobs::console::{bar, cores, make_folder, print, refuse, spinner, stop_on_ctrl_c};
use moku::lab::arena::{PlayerLine, Setting};
use moku::lab::bench::Bench;
use moku::lab::cli::LabCommand;
use moku::lab::experiment::MOST_GAMES;
use moku::lab::learn::LearnCommand;
use moku::lab::matches::Match;
use moku::lab::stats::Sprt;
use moku::lab::tsumego::cli::{self as tsumego, TsumegoCommand};
use moku::picture::{Overlay, Picture};
use moku::regress::cli::{self as regress, RegressArgs};
use moku::review::cli::ReviewArgs;
use moku::search::engine::{self, Engine, PRESETS};
use moku::session::{AnalysisCaps, Options, Session, usual_size};
use moku::sgf::{self, Step};
use moku::web;
use std::io::{BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// A Monte-Carlo engine and laboratory for Go and Gobang. Without a command it speaks GTP on standard input and output:
/// add it to Sabaki or GoGui, or type `moku-help` at it.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, after_help = AFTER_HELP, max_term_width = WIDTH)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    gtp: GtpArgs,
}

/// Help and lists are no wider than this.
const WIDTH: usize = 100;

const AFTER_HELP: &str = "Examples:
  moku play
  moku --size 9 --engine \"moku time=3\"
  moku engines
  moku match --first \"uct playouts=1000\" --second \"mc playouts=1000\" --games 20 --size 9
  moku lab run inherit-mc --games 20 --playouts 1000

Set RUST_LOG=info for what it does, MOKU_NO_AVX2=1 to leave AVX2 alone.";

#[derive(Subcommand)]
enum Command {
    /// List the engines with their parameters, defaults and ranges
    Engines {
        /// One JSON array instead of text
        #[arg(long)]
        json: bool,
    },
    /// Speak KataGo's analysis protocol: queries and answers in JSON, many positions at once
    Analysis(AnalysisArgs),
    /// Measure playouts and search playouts a second, by board size and threads
    Bench {
        /// One JSON object instead of text
        #[arg(long)]
        json: bool,
        /// Write down what every engine and the prover do, instead of how fast: the text behind the signature
        #[arg(long, conflicts_with = "json")]
        behaviour: bool,
    },
    /// Play, look at searches, review games and solve problems in the browser
    Play(PlayArgs),
    /// Go through a game: what every move did to the win rate, and what moku would have played
    Review(ReviewArgs),
    /// Draw a position with what the search thinks of it
    Board(Box<BoardArgs>),
    /// Play games between two engines and say who is stronger
    Match(Box<MatchArgs>),
    /// Run the experiments of five papers, or your own, and compare with what was published
    #[command(subcommand)]
    Lab(LabCommand),
    /// Learn from games how likely moves are, for priors and playouts
    Learn(Box<LearnCommand>),
    /// Frame, solve and test sets of life-and-death problems
    #[command(subcommand)]
    Tsumego(TsumegoCommand),
    /// Run .tst files as gogui-regress does, with the engine in this process
    Regress(RegressArgs),
    /// Write a script that completes moku's commands and options on the Tab key, for a shell
    #[command(after_help = "For bash: moku completions bash > ~/.local/share/bash-completion/completions/moku")]
    Completions { shell: clap_complete::Shell },
    /// Write the manual page: read it by `moku man | man -l -`
    Man {
        /// Write a page for every command into this folder instead
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

#[derive(Args)]
struct GtpArgs {
    /// The game: go or gobang [default: go, in gomocup gobang]
    #[arg(long, value_parser = game_kind)]
    game: Option<GameKind>,
    /// Lines of the board, 2 to 25, in gobang 5 to 25 [default: 19, in gobang 15]
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=25))]
    size: Option<u8>,
    /// Gobang: exact (only five in a row wins) or freestyle (more win too) [default: exact]
    #[arg(long, value_name = "RULE", value_parser = gobang_rule)]
    rule: Option<Rule>,
    /// The language: gtp, or gomocup for Piskvork and other managers of five in a row; a program named pbrain-… speaks that
    #[arg(long, value_name = "NAME", default_value = "gtp", value_parser = ["gtp", "gomocup"])]
    protocol: String,
    /// Go: points given to White [default: 7.5]
    #[arg(long, allow_negative_numbers = true, value_parser = finite)]
    komi: Option<f32>,
    /// The engine: a name and key=value words, see `moku engines` [default: moku, in gobang gobang]
    #[arg(long, value_name = "LINE")]
    engine: Option<String>,
    /// Worker threads [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Seed of all chance; without it one is drawn and logged
    #[arg(long)]
    seed: Option<u64>,
    /// Resign when the win rate falls below this, 0 to 1 [default: 0.05]
    #[arg(long, value_name = "P", value_parser = share, conflicts_with = "no_resign")]
    resign: Option<f32>,
    /// Never resign
    #[arg(long)]
    no_resign: bool,
    /// Think on while the opponent does
    #[arg(long)]
    ponder: bool,
    /// Seconds for a move when neither the engine nor the clock of the game says
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    time: f64,
    /// Stop a live analysis after so many playouts; 0: never [default: 0]
    #[arg(long, value_name = "N")]
    analysis_visits: Option<u64>,
    /// Stop a live analysis after so many seconds; 0: never [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    analysis_time: Option<f64>,
    /// How hard to try, 1 to 10: a playout for every point of the board at 1, twice as many with each level
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// The rules of Go, as kata-set-rules names them; chinese is what moku plays
    #[arg(long, value_name = "NAME", value_parser = rules)]
    rules: Option<String>,
    /// Show searches in GoGui while they run (gogui-gfx on standard error)
    #[arg(long)]
    live_gfx: bool,
    /// Write both directions of GTP to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// What the `version` command answers, for front ends that insist
    #[arg(long, value_name = "V")]
    gtp_version: Option<String>,
}

#[derive(Args)]
struct PlayArgs {
    /// The port to serve on [default: any that is free]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Serve beyond this machine, on this address (0.0.0.0 is all); whoever plays then needs the token in the address
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<std::net::IpAddr>,
    /// Print the address only, open no browser
    #[arg(long)]
    no_open: bool,
    /// Worker threads [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Seed of all chance; without it every game has another
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Args)]
struct AnalysisArgs {
    /// The engine: a name and key=value words, see `moku engines` [default: that of Go]
    #[arg(long, value_name = "LINE")]
    engine: Option<String>,
    /// Positions looked at at the same time [default: one for each core]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Worker threads for each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Playouts for a position when a query has no maxVisits
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    visits: u64,
    /// Seed of all chance; without it one is drawn
    #[arg(long)]
    seed: Option<u64>,
    /// End with the input, whatever was asked and is not answered yet
    #[arg(long)]
    quit_without_waiting: bool,
    /// Write both directions to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

#[derive(Args)]
struct BoardArgs {
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
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Seed of all chance, so that a picture can be made again [default: 1]
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Args)]
struct MatchArgs {
    /// First player: an engine line, or "gtp: COMMAND" for an outside engine
    #[arg(long, value_name = "LINE")]
    first: String,
    /// Second player
    #[arg(long, value_name = "LINE")]
    second: String,
    /// Games to play; colours alternate
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// The game: go or gobang
    #[arg(long, default_value = "go", value_parser = game_kind)]
    game: GameKind,
    /// Lines of the board, 2 to 25, in gobang 5 to 25 [default: 9, in gobang 15]
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=25))]
    size: Option<u8>,
    /// Go: points given to White [default: 7.5]
    #[arg(long, allow_negative_numbers = true, value_parser = finite)]
    komi: Option<f32>,
    /// Handicap stones for Black; White moves first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=300))]
    handicap: u16,
    /// Gobang: exact (only five in a row wins) or freestyle (more win too) [default: exact]
    #[arg(long, value_name = "RULE", value_parser = gobang_rule)]
    rule: Option<Rule>,
    /// Start every game with N random moves near the centre; each opening is played with both colours
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=100))]
    openings: u16,
    /// The first player's colour, black or white [default: they take turns]
    #[arg(long, value_name = "COLOR", value_parser = color)]
    first_is: Option<Color>,
    /// Seconds each side has for a whole game [default: no clock]
    #[arg(long, value_name = "SECONDS")]
    clock: Option<f64>,
    /// Seconds an outside engine has for an answer [default: 60 to start, then 600]
    #[arg(long, value_name = "SECONDS", value_parser = moku::lab::arena::timeout)]
    timeout: Option<f64>,
    /// Games played at the same time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Seed of the match; without it one is drawn and printed
    #[arg(long)]
    seed: Option<u64>,
    /// End as soon as the first player is shown to be stronger by E1 Elo rather than E0, or the reverse (5 % errors)
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true, value_parser = sprt)]
    sprt: Option<Sprt>,
    /// Write the games to this folder
    #[arg(long, value_name = "DIR")]
    sgf: Option<PathBuf>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn game_kind(text: &str) -> Result<GameKind, String> {
    let names = GameKind::ALL.map(GameKind::name).join(", ");
    GameKind::from_name(text).ok_or_else(|| format!("the games are: {names}"))
}

fn gobang_rule(text: &str) -> Result<Rule, String> {
    Rule::from_name(text).ok_or_else(|| "the rules of gobang are: exact, freestyle".to_string())
}

fn color(text: &str) -> Result<Color, String> {
    Color::from_gtp(text).ok_or_else(|| "black or white is expected".to_string())
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let pair = text.split_once(',').and_then(|(a, b)| Some((finite(a.trim()).ok()?, finite(b.trim()).ok()?)));
    match pair {
        Some((e0, e1)) if e0 < e1 => Ok(Sprt { elo0: e0 as f64, elo1: e1 as f64, alpha: 0.05, beta: 0.05 }),
        _ => Err("two Elo differences are expected, the smaller first, such as 0,30".to_string()),
    }
}

fn finite(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|x: &f32| x.is_finite()).ok_or_else(|| "a number such as 7.5 is expected".to_string())
}

fn share(text: &str) -> Result<f32, String> {
    finite(text).ok().filter(|x| (0.0..=1.0).contains(x)).ok_or_else(|| "a number from 0 to 1 is expected".to_string())
}

fn rules(text: &str) -> Result<String, String> {
    moku::gtp::rules::accept(text).map(|()| text.to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    let expected = || "a number of seconds from 0 to 86400 is expected".to_string();
    text.parse().ok().filter(|x: &f64| (0.0..=86_400.0).contains(x)).ok_or_else(expected)
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let cli = Cli::try_parse().unwrap_or_else(|e| refuse_line(e));
    let result = match cli.command {
        None => speak_gtp(cli.gtp),
        Some(Command::Analysis(args)) => analyze(args),
        Some(Command::Engines { json }) => list_engines(json),
        Some(Command::Bench { behaviour: true, .. }) => behaviour(),
        Some(Command::Bench { json, .. }) => bench(json),
        Some(Command::Play(args)) => play(args),
        Some(Command::Review(args)) => stop_on_ctrl_c().and_then(|stop| args.run(&stop)).and_then(|text| print(&text)),
        Some(Command::Board(args)) => draw_board(*args),
        Some(Command::Match(args)) => play_match(*args),
        Some(Command::Lab(command)) => stop_on_ctrl_c().and_then(|stop| command.run(&stop)),
        Some(Command::Tsumego(command)) => tsumego::run(command),
        Some(Command::Regress(args)) => return regress::run(args),
        Some(Command::Learn(command)) => stop_on_ctrl_c().and_then(|stop| command.run(&stop)),
        Some(Command::Completions { shell }) => completions(shell),
        Some(Command::Man { out }) => manual(out),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("moku: {text}");
            ExitCode::FAILURE
        }
    }
}

fn completions(shell: clap_complete::Shell) -> Result<(), String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "moku", &mut text);
    print(&String::from_utf8_lossy(&text))
}

fn manual(folder: Option<PathBuf>) -> Result<(), String> {
    let Some(folder) = folder else {
        let mut text = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut text).map_err(|e| format!("cannot write the page: {e}"))?;
        return print(&String::from_utf8_lossy(&text));
    };
    make_folder(&folder)?;
    clap_mangen::generate_to(Cli::command(), &folder).map_err(|e| format!("cannot write to {}: {e}", folder.display()))
}

/// Says what is wrong with the command line and ends. Of commands clap suggests what merely sounds alike: here it is a
/// slip of the finger or nothing.
fn refuse_line(error: clap::Error) -> ! {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        let command = Cli::command();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        if std::env::args().nth(1).as_deref() == Some(word) {
            let meant = suggestion(word, names.iter().copied());
            eprintln!("moku: no command '{}'{meant}; there are: {}", clip(word), names.join(", "));
            eprintln!("Without a command it speaks GTP; `moku --help` tells more.");
            std::process::exit(2);
        }
    }
    error.exit()
}

/// Text in lines of at most `WIDTH` letters, those after the first set in by so many blanks.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut width = 0;
    let own = text.len() - text.trim_start().len();
    for (i, word) in text.trim_start().split(' ').enumerate() {
        let letters = word.chars().count();
        match (i, width + 1 + letters > WIDTH) {
            (0, _) => {
                lines += &" ".repeat(own);
                width = own;
            }
            (_, true) => {
                lines += &format!("\n{}", " ".repeat(indent));
                width = indent;
            }
            (_, false) => {
                lines.push(' ');
                width += 1;
            }
        }
        lines += word;
        width += letters;
    }
    lines
}

/// What only one of the games has.
fn refuse_of_other_game(game: GameKind, komi: bool, rule: bool) -> Result<(), String> {
    match game {
        GameKind::Go => refuse(&[("--rule", rule)], "is for gobang: add --game gobang, or leave it out"),
        GameKind::Gobang => refuse(&[("--komi", komi)], "is for Go: gobang is not counted"),
    }
}

/// Managers of Gomocup know programs by names such as `pbrain-moku`: a link of that name is enough.
fn is_named_for_gomocup() -> bool {
    let program = std::env::args_os().next().map(std::path::PathBuf::from);
    let name = program.as_ref().and_then(|path| path.file_name()?.to_str());
    name.is_some_and(|name| name.to_ascii_lowercase().starts_with("pbrain-"))
}

fn speak_gtp(args: GtpArgs) -> Result<(), String> {
    let is_gomocup = args.protocol == "gomocup" || is_named_for_gomocup();
    let game = args.game.unwrap_or(if is_gomocup { GameKind::Gobang } else { GameKind::Go });
    if is_gomocup {
        let others = [
            ("--size", args.size.is_some()),
            ("--resign", args.resign.is_some()),
            ("--no-resign", args.no_resign),
            ("--ponder", args.ponder),
            ("--analysis-visits", args.analysis_visits.is_some()),
            ("--analysis-time", args.analysis_time.is_some()),
            ("--live-gfx", args.live_gfx),
            ("--gtp-version", args.gtp_version.is_some()),
            ("--game go", game == GameKind::Go),
        ];
        refuse(&others, "means nothing in the Gomocup protocol")?;
    }
    refuse_of_other_game(game, args.komi.is_some(), args.rule.is_some())?;
    if args.rules.is_some() && game != GameKind::Go {
        return Err("--rules is for Go; gobang has --rule exact or freestyle".to_string());
    }
    let engine = match args.level {
        Some(level) => {
            let line = args.engine.unwrap_or_else(|| engine::default_for(game).to_string());
            Some(Engine::parse_for(game, &format!("{line} level={level}"))?.to_string())
        }
        None => args.engine,
    };
    let defaults = Options::default();
    let caps = defaults.analysis_caps;
    let options = Options {
        kind: game,
        rule: args.rule.unwrap_or(defaults.rule),
        size: args.size.map_or_else(|| usual_size(game), usize::from),
        komi: args.komi.unwrap_or(defaults.komi),
        engine,
        threads: args.threads.map_or_else(cores, usize::from),
        seed: args.seed,
        resign: if args.no_resign { None } else { args.resign.or(defaults.resign) },
        ponder: args.ponder,
        seconds: args.time,
        analysis_caps: AnalysisCaps {
            visits: args.analysis_visits.unwrap_or(caps.visits),
            seconds: args.analysis_time.unwrap_or(caps.seconds),
        },
    };
    let mut log = args.log.map(open_log).transpose()?;
    let log = log.as_mut().map(|file| file as &mut dyn Write);
    if std::io::stdin().is_terminal() && !is_gomocup {
        eprintln!(
            "moku {} speaks GTP here: type help, or run `moku play` for a board in the browser",
            env!("CARGO_PKG_VERSION")
        );
    }
    let (input, output) = (BufReader::new(std::io::stdin()), std::io::stdout());
    let result = if is_gomocup {
        Gomocup::new(options)?.run(input, output, log)
    } else {
        Gtp::new(options, args.gtp_version)?.with_live_graphics(args.live_gfx).run(input, output, log)
    };
    match result {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot answer: {e}")),
        _ => Ok(()),
    }
}

/// Serves the page until Ctrl-C.
fn play(args: PlayArgs) -> Result<(), String> {
    let session = Options {
        size: 9,
        threads: args.threads.map_or_else(cores, usize::from),
        seed: args.seed,
        ..Options::default()
    };
    let url = web::start(web::Setting { listen: args.listen, port: args.port, session })?;
    print(&url)?;
    eprintln!("moku: serving the page above; Ctrl-C ends it");
    if args.listen.is_some_and(|ip| ip.is_unspecified()) {
        eprintln!("moku: from other machines, put this machine's address in the place of 127.0.0.1");
    }
    if !args.no_open {
        web::open_browser(&url);
    }
    loop {
        std::thread::park();
    }
}

fn open_log(path: PathBuf) -> Result<std::fs::File, String> {
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    file.map_err(|e| format!("cannot write the log {}: {e}", path.display()))
}

fn analyze(args: AnalysisArgs) -> Result<(), String> {
    let options =
        Options { engine: args.engine, threads: usize::from(args.threads), seed: args.seed, ..Options::default() };
    let desks = args.jobs.map_or_else(cores, usize::from);
    let analyzer = Analyzer { options, desks, visits: args.visits, waits: !args.quit_without_waiting };
    let mut log = args.log.map(open_log).transpose()?;
    let log = log.as_mut().map(|file| file as &mut (dyn Write + Send));
    analyzer.run(BufReader::new(std::io::stdin()), &mut std::io::stdout(), log)
}

fn draw_board(args: BoardArgs) -> Result<(), String> {
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

fn list_engines(json: bool) -> Result<(), String> {
    let mut rows = Vec::new();
    let mut text = String::new();
    for preset in PRESETS {
        let games: Vec<GameKind> = preset.games().collect();
        let engine = Engine::parse_for(games.first().copied().unwrap_or(GameKind::Go), preset.name)?;
        let games = games.into_iter().map(GameKind::name).collect::<Vec<_>>().join(", ");
        let aliases = match preset.aliases {
            [] => String::new(),
            names => format!(" (also {})", names.join(", ")),
        };
        let about = wrapped(&format!("  {} [{}]", preset.doc, preset.paper), 2);
        let title = wrapped(&format!("{}{aliases}: {games}", preset.name), 4);
        text += &format!("{title}\n{about}\n{}\n", wrapped(&format!("  {engine}"), 4));
        let mut params = Vec::new();
        for (param, value) in engine.rows() {
            let row = format!("    {:<11} {:<9} {} ({})", param.name, value.to_string(), param.doc, param.range());
            text += &format!("{}\n", wrapped(&row, 26));
            params.push(serde_json::json!({
                "name": param.name, "value": value.to_string(), "range": param.range(), "doc": param.doc
            }));
        }
        text += "\n";
        rows.push(serde_json::json!({
            "name": preset.name, "aliases": preset.aliases, "games": games, "doc": preset.doc, "paper": preset.paper,
            "line": engine.to_string(), "parameters": params
        }));
    }
    if json { print(&serde_json::Value::Array(rows).to_string()) } else { print(text.trim_end()) }
}

fn behaviour() -> Result<(), String> {
    let bar = spinner();
    let text = moku::lab::behaviour::describe(|what| bar.set_message(what.to_string()))?;
    bar.finish_and_clear();
    print(text.trim_end())
}

fn bench(json: bool) -> Result<(), String> {
    let bar = spinner();
    let bench = Bench::run(|what| bar.set_message(what.to_string()))?;
    bar.finish_and_clear();
    match json {
        true => print(&serde_json::to_string(&bench).map_err(|e| e.to_string())?),
        false => print(&bench.to_string()),
    }
}

fn play_match(args: MatchArgs) -> Result<(), String> {
    if args.clock.is_some_and(|s| !(s > 0.0 && s < 1e6)) {
        return Err("--clock takes a positive number of seconds".to_string());
    }
    refuse_of_other_game(args.game, args.komi.is_some(), args.rule.is_some())?;
    let defaults = Options::default();
    let stop = stop_on_ctrl_c()?;
    let size = args.size.map_or_else(|| if args.game == GameKind::Go { 9 } else { 15 }, usize::from);
    let games = Match {
        setting: Setting {
            rule: args.rule.unwrap_or(defaults.rule),
            handicap: args.handicap as usize,
            openings: args.openings as usize,
            clock: args.clock,
            timeout: args.timeout,
            ..Setting::new(args.game, size, args.komi.unwrap_or(defaults.komi))
        },
        first_is: args.first_is,
        players: [PlayerLine::parse(args.game, &args.first)?, PlayerLine::parse(args.game, &args.second)?],
        games: args.games as usize,
        jobs: args.jobs.map_or_else(cores, usize::from),
        seed: args.seed.unwrap_or_else(fresh_seed),
        sgf_folder: args.sgf,
        sprt: args.sprt,
    };
    let bar = bar(args.games as usize, "games");
    let mut points = 0.0;
    let outcome = games.run(&stop, |game| {
        points += game.points;
        bar.inc(1);
        bar.set_message(format!(", first has {points}"));
    });
    bar.finish_and_clear();
    let outcome = outcome?;
    if outcome.games.len() < args.games as usize && !matches!(outcome.sprt, Some(verdict) if verdict != "undecided") {
        eprintln!("moku: stopped after {} of {} games", outcome.games.len(), args.games);
    }
    print(&if args.json { outcome.to_json() } else { outcome.to_string() })
}
