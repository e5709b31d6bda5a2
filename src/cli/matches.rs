//! `moku match`: games between two engines.

use super::{finite, refuse_of_other_game};
use clap::Args;
use moku::base::rng::fresh_seed;
use moku::base::{Color, GameKind};
use moku::game::gobang::Rule;
use moku::jobs::console::{bar, cores, print, refuse, stop_on_ctrl_c, whole};
use moku::lab::arena::Setting;
use moku::lab::experiment::MOST_GAMES;
use moku::lab::matches::Match;
use moku::lab::players::PlayerLine;
use moku::lab::sprt::Sprt;
use moku::session::Options;
use std::path::PathBuf;

#[derive(Args)]
pub struct MatchArgs {
    /// First player: an engine line, or "gtp: COMMAND" for an outside engine
    #[arg(long, value_name = "LINE")]
    first: String,
    /// Second player
    #[arg(long, value_name = "LINE")]
    second: String,
    /// Games to play; colours alternate
    #[arg(long, default_value_t = 100, value_parser = whole::<u64>(1..=MOST_GAMES))]
    games: u64,
    /// The game: go or gobang
    #[arg(long, default_value = "go", value_parser = GameKind::parse)]
    game: GameKind,
    /// Lines of the board, 2 to 25, in gobang 5 to 25 [default: 9, in gobang 15]
    #[arg(long, value_parser = whole::<u8>(2..=25))]
    size: Option<u8>,
    /// Go: points given to White [default: 7.5]
    #[arg(long, allow_negative_numbers = true, value_parser = finite)]
    komi: Option<f32>,
    /// Handicap stones for Black; White moves first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u16>(0..=300))]
    handicap: u16,
    /// Gobang: exact (only five in a row wins) or freestyle (more win too) [default: exact]
    #[arg(long, value_name = "RULE", value_parser = Rule::parse)]
    rule: Option<Rule>,
    /// Start every game with N random moves near the centre; each opening is played with both colours
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u16>(0..=100))]
    openings: u16,
    /// The first player's colour, black or white [default: they take turns]
    #[arg(long, value_name = "COLOR", value_parser = color)]
    first_is: Option<Color>,
    /// Seconds each side has for a whole game [default: no clock]
    #[arg(long, value_name = "SECONDS", value_parser = moku::lab::players::timeout)]
    clock: Option<f64>,
    /// Seconds an outside engine has for an answer [default: 60 to start, then 600]
    #[arg(long, value_name = "SECONDS", value_parser = moku::lab::players::timeout)]
    timeout: Option<f64>,
    /// Games played at the same time [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Seed of the match; without it one is drawn and printed
    #[arg(long, value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
    /// End as soon as the first player is shown to be stronger by E1 Elo rather than E0, or the reverse (5 % errors)
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true, value_parser = Sprt::parse)]
    sprt: Option<Sprt>,
    /// Write the games to this folder
    #[arg(long, value_name = "DIR")]
    sgf: Option<PathBuf>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn color(text: &str) -> Result<Color, String> {
    Color::from_gtp(text).ok_or_else(|| "black or white is expected".to_string())
}

pub fn play_match(args: MatchArgs) -> Result<(), String> {
    refuse_of_other_game(args.game, args.komi.is_some(), args.rule.is_some())?;
    let defaults = Options::default();
    let players = [PlayerLine::parse(args.game, &args.first)?, PlayerLine::parse(args.game, &args.second)?];
    if !players.iter().any(PlayerLine::is_outside) {
        refuse(&[("--timeout", args.timeout.is_some())], "is for outside engines, and there is none in this match")?;
    }
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
        players,
        games: args.games as usize,
        jobs: args.jobs.map_or_else(cores, usize::from),
        seed: args.seed.unwrap_or_else(fresh_seed),
        sgf_folder: args.sgf,
        sprt: args.sprt,
    };
    for warning in games.players.iter().filter_map(|player| player.engine()?.thin(size * size)) {
        eprintln!("moku: {warning}");
    }
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
