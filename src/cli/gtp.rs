//! `moku` without a command: GTP, or Gomocup's protocol, on standard input and output.

use super::{finite, open_log, refuse_of_other_game};
use clap::Args;
use moku::base::GameKind;
use moku::game::Rules;
use moku::game::gobang::Rule;
use moku::gomocup::Gomocup;
use moku::gtp::Gtp;
use moku::jobs::console::{cores, refuse, whole};
use moku::search::engine::{self, Engine};
use moku::session::{AnalysisCaps, Options, usual_size};
use std::io::{BufReader, IsTerminal, Write};
use std::path::PathBuf;

#[derive(Args)]
pub struct GtpArgs {
    /// The game: go or gobang [default: go, in gomocup gobang]
    #[arg(long, value_parser = GameKind::parse)]
    game: Option<GameKind>,
    /// Lines of the board, 2 to 25, in gobang 5 to 25 [default: 19, in gobang 15]
    #[arg(long, value_parser = whole::<u8>(2..=25))]
    size: Option<u8>,
    /// Gobang: exact (only five in a row wins) or freestyle (more win too) [default: exact]
    #[arg(long, value_name = "RULE", value_parser = Rule::parse)]
    rule: Option<Rule>,
    /// The language: gtp, or gomocup for Piskvork and other managers of five in a row; a program named pbrain-… speaks that
    #[arg(long, value_name = "NAME", default_value = "gtp", value_parser = ["gtp", "gomocup"])]
    protocol: String,
    /// Go: points given to White [default: 7.5, by japanese rules 6.5]
    #[arg(long, allow_negative_numbers = true, value_parser = finite)]
    komi: Option<f32>,
    /// The engine: a name and key=value words, see `moku engines` [default: moku, in gobang gobang]
    #[arg(long, value_name = "LINE")]
    engine: Option<String>,
    /// Worker threads [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
    /// Seed of all chance; without it one is drawn and logged
    #[arg(long, value_parser = whole::<u64>(0..))]
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
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..))]
    analysis_visits: Option<u64>,
    /// Stop a live analysis after so many seconds; 0: never [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    analysis_time: Option<f64>,
    /// How hard to try, from 1 (has just learned the rules) to 10 (all it has)
    #[arg(long, value_name = "L", value_parser = whole::<u8>(1..=10))]
    level: Option<u8>,
    /// The rules of Go, as kata-set-rules names them: chinese, japanese, tromp-taylor, aga ... [default: area, superko]
    #[arg(long, value_name = "NAME", value_parser = moku::gtp::rules::parse)]
    rules: Option<Rules>,
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

fn share(text: &str) -> Result<f32, String> {
    finite(text).ok().filter(|x| (0.0..=1.0).contains(x)).ok_or_else(|| "a number from 0 to 1 is expected".to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    let expected = || "a number of seconds from 0 to 86400 is expected".to_string();
    text.parse().ok().filter(|x: &f64| (0.0..=86_400.0).contains(x)).ok_or_else(expected)
}

/// Managers of Gomocup know programs by names such as `pbrain-moku`: a link of that name is enough.
fn is_named_for_gomocup() -> bool {
    let program = std::env::args_os().next().map(std::path::PathBuf::from);
    let name = program.as_ref().and_then(|path| path.file_name()?.to_str());
    name.is_some_and(|name| name.to_ascii_lowercase().starts_with("pbrain-"))
}

pub fn speak_gtp(args: GtpArgs) -> Result<(), String> {
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
        komi: args.komi.unwrap_or_else(|| args.rules.map_or(defaults.komi, Rules::usual_komi)),
        rules: args.rules.unwrap_or_default(),
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
