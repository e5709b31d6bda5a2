//! The command line: what was typed becomes one of the faces of moku.

mod cli;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use cli::analysis::{AnalysisArgs, analyze};
use cli::board::BoardArgs;
use cli::gtp::{GtpArgs, speak_gtp};
use cli::matches::{MatchArgs, play_match};
use cli::play::{PlayArgs, play};
use cli::{WIDTH, bench, board, engines, manual};
use moku::base::params::no_such;
use moku::jobs::console::{print, stop_on_ctrl_c};
use moku::lab::cli::LabCommand;
use moku::lab::learn::LearnCommand;
use moku::lab::tsumego::cli::{self as tsumego, TsumegoCommand};
use moku::lab::tune::cli::TuneArgs;
use moku::regress::cli::{self as regress, RegressArgs};
use moku::review::cli::ReviewArgs;
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
    /// Find good values for parameters of an engine by games, several at once
    Tune(TuneArgs),
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

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let read = |matches| Cli::from_arg_matches(&matches);
    let cli = numbers_may_be_negative(Cli::command()).try_get_matches().and_then(read);
    let cli = cli.unwrap_or_else(|e| refuse_line(e));
    let result = match cli.command {
        None => speak_gtp(cli.gtp),
        Some(Command::Analysis(args)) => analyze(args),
        Some(Command::Engines { json }) => engines::list(json),
        Some(Command::Bench { behaviour: true, .. }) => bench::behaviour(),
        Some(Command::Bench { json, .. }) => bench::speed(json),
        Some(Command::Play(args)) => play(args),
        Some(Command::Review(args)) => stop_on_ctrl_c().and_then(|stop| args.run(&stop)).and_then(|text| print(&text)),
        Some(Command::Board(args)) => board::draw(*args),
        Some(Command::Match(args)) => play_match(*args),
        Some(Command::Lab(command)) => stop_on_ctrl_c().and_then(|stop| command.run(&stop)),
        Some(Command::Tune(args)) => stop_on_ctrl_c().and_then(|stop| args.run(&stop)),
        Some(Command::Tsumego(command)) => tsumego::run(command),
        Some(Command::Regress(args)) => return regress::run(args),
        Some(Command::Learn(command)) => stop_on_ctrl_c().and_then(|stop| command.run(&stop)),
        Some(Command::Completions { shell }) => manual::completions(Cli::command(), shell),
        Some(Command::Man { out }) => manual::manual(Cli::command(), out),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("moku: {text}");
            ExitCode::FAILURE
        }
    }
}

/// For every option: what is wrong with `-1` is then told by the option, instead of taking it for another option.
fn numbers_may_be_negative(command: clap::Command) -> clap::Command {
    let takes_value = |arg: &clap::Arg| arg.get_action().takes_values() && !arg.is_positional();
    let command = command.mut_args(|arg| if takes_value(&arg) { arg.allow_negative_numbers(true) } else { arg });
    command.mut_subcommands(numbers_may_be_negative)
}

/// Says what is wrong with the command line and ends. Of commands clap suggests what merely sounds alike: here it is a
/// slip of the finger or nothing.
fn refuse_line(error: clap::Error) -> ! {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        let mut command = Cli::command();
        for typed in std::env::args().skip(1) {
            if typed == *word {
                let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
                eprintln!("moku: {}", no_such("command", word, &names));
                if names.contains(&"match") {
                    eprintln!("Without a command it speaks GTP; `moku --help` tells more.");
                }
                std::process::exit(2);
            }
            let Some(next) = command.find_subcommand(typed) else { break };
            command = next.clone();
        }
    }
    error.exit()
}
