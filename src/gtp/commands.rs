//! The table of commands: name, arguments, help and handler. `list_commands`, `known_command`, `moku-help` and
//! dispatch all derive from it.

use super::analysis::{Dialect, Stream, Then};
use super::args::{color, number, one, optional_count, pairs, syntax, vertex};
use super::{Gtp, debug, gnugo, gobang, gogui, reply, rules, settings, time, tsumego};
use crate::base::params::{self, clip};
use crate::base::{Color, GameKind, Point};
use crate::game::gobang::Rule;
use crate::search::Preparation;
use crate::search::engine::PRESETS;
use crate::session::{Answer, Passing, handicap};
use crate::sgf;
use std::path::Path;

pub type Reply = Result<String, String>;

pub struct CommandRow {
    pub name: &'static str,
    pub args: &'static str,
    pub help: &'static str,
    /// The game it is for, if not for all.
    pub only: Option<GameKind>,
    pub run: Handler,
}

/// What a command does.
pub enum Handler {
    /// Replies at once.
    Text(fn(&mut Gtp, &[String]) -> Reply),
    /// Has lines written while something goes on; what goes wrong before that is a reply.
    Stream(fn(&Gtp, &[String]) -> Result<Stream, String>),
}

impl CommandRow {
    pub fn is_for(&self, kind: GameKind) -> bool {
        self.only.is_none_or(|only| only == kind)
    }
}

macro_rules! game_of {
    () => {
        None
    };
    ($only:ident) => {
        Some(GameKind::$only)
    };
}

macro_rules! handler {
    ($run:expr) => {
        Handler::Text($run)
    };
    ($run:expr, stream) => {
        Handler::Stream($run)
    };
}

/// `"name" "ARGUMENTS" "help" => handler;`, with `[Go]` before the arrow for a command of that game alone and `stream` for
/// one that writes line by line.
macro_rules! commands {
    ($($name:literal $args:literal $help:literal $([$only:ident])? $($how:ident)? => $run:expr;)*) => {
        pub const COMMANDS: &[CommandRow] = &[$(CommandRow {
            name: $name,
            args: $args,
            help: $help,
            only: game_of!($($only)?),
            run: handler!($run $(, $how)?),
        }),*];
    };
}

commands! {
    // What every engine must know.
    "protocol_version" "" "the version of GTP: 2" => |_, _| Ok("2".into());
    "name" "" "the name of the program" => |_, _| Ok("moku".into());
    "version" "" "the version of the program" => |gtp, _| Ok(gtp.version.clone());
    "known_command" "NAME" "true if there is such a command" => known_command;
    "list_commands" "" "all commands, one a line" => |gtp, _| Ok(names(gtp.session.kind()).collect::<Vec<_>>().join("\n"));
    "quit" "" "ends the program" => |gtp, _| { gtp.quit = true; Ok(String::new()) };
    "boardsize" "N" "a new empty board; komi and time settings stay" => boardsize;
    "clear_board" "" "a new game" => |gtp, _| { gtp.session.clear(); Ok(String::new()) };
    "komi" "NUMBER" "points given to White" => komi;
    "play" "COLOR VERTEX" "plays a move of either colour" => play;
    "genmove" "COLOR" "chooses a move and plays it" => |gtp, args| genmove(gtp, args, None);
    "undo" "" "takes back the last move" => |gtp, _| undo(gtp, 1);
    // Handicap and positions.
    "fixed_handicap" "N" "N handicap stones on the standard points" => fixed_handicap;
    "place_free_handicap" "N" "N handicap stones where the engine likes" => place_free_handicap;
    "set_free_handicap" "VERTEX VERTEX ..." "handicap stones on these points" => set_free_handicap;
    "rectangular_boardsize" "W H" "as boardsize; only square boards" => boardsize;
    "set_position" "COLOR VERTEX ..." "a new game that starts from these stones" => set_position;
    "loadsgf" "FILE [N]" "loads the main line of a file, up to before move N" => loadsgf;
    "printsgf" "[FILE]" "the game as SGF, or written to a file" => printsgf;
    "showboard" "" "a picture of the board" => |gtp, _| Ok(reply::board(gtp.session.table(), gtp.session.komi()));
    // Thinking without playing, time, the end of the game.
    "reg_genmove" "COLOR" "the move genmove would choose, without playing it" => reg_genmove;
    "time_settings" "MAIN PERIOD STONES" "Canadian time, in seconds" => time::settings;
    "time_left" "COLOR SECONDS STONES" "what a side has left" => time::left;
    "final_score" "" "who wins by how much, dead stones found by playouts" => final_score;
    "final_status_list" "alive|dead|seki" "the stones of a status, a chain a line" => final_status_list;
    // moku's own.
    "engine" "[list | NAME key=value ...]" "the engine in force, all engines, or another engine" => engine;
    "game" "[go | gobang]" "the game in force, or another game on an empty board" => game;
    "moku-rule" "[exact | freestyle]" "what more than five in a row is: nothing, or a win" [Gobang] => gobang_rule;
    "moku-help" "[NAME]" "what the commands do" => help;
    "get_komi" "" "the komi in force" => |gtp, _| Ok(reply::number(gtp.session.komi()));
    "clear_cache" "" "forgets the tree" => |gtp, _| { gtp.session.forget(); Ok(String::new()) };
    "cputime" "" "seconds of processor time used" => |_, _| Ok(cpu_seconds());
    // Live analysis.
    "lz-analyze" "[COLOR] [CENTISECONDS] [KEY VALUE ...]" "what the search thinks, until the next line comes"
        stream => |gtp, args| Stream::parse(gtp, args, Dialect::Lz, Then::Wait);
    "lz-genmove_analyze" "[COLOR] [INTERVAL] [KEY VALUE ...]" "as genmove, with what it thinks on the way"
        stream => |gtp, args| Stream::parse(gtp, args, Dialect::Lz, Then::Play);
    "kata-analyze" "[COLOR] [INTERVAL] [KEY VALUE ...]" "win rates from 0 to 1, with score and ownership"
        stream => |gtp, args| Stream::parse(gtp, args, Dialect::Kata, Then::Wait);
    "kata-genmove_analyze" "[COLOR] [INTERVAL] [KEY VALUE ...]" "as genmove, with what it thinks on the way"
        stream => |gtp, args| Stream::parse(gtp, args, Dialect::Kata, Then::Play);
    "kata-search" "COLOR" "chooses a move without playing it" => |gtp, args| search(gtp, args, false);
    "kata-search_cancellable" "COLOR" "the same; any input cancels it" => |gtp, args| search(gtp, args, true);
    "kata-search_analyze" "[COLOR] [INTERVAL] [KEY VALUE ...]" "as kata-genmove_analyze, without playing"
        stream => |gtp, args| Stream::parse(gtp, args, Dialect::Kata, Then::Tell);
    "kata-search_analyze_cancellable" "[COLOR] [INTERVAL] [KEY VALUE ...]" "the same; any input cancels it"
        stream => |gtp, args| Stream::parse(gtp, args, Dialect::Kata, Then::TellUnlessCancelled);
    "stop" "" "ends pondering, as every command does" => |_, _| Ok(String::new());
    // Pictures for GoGui.
    "moku-best_moves" "[COLOR]" "the best moves with their win rates, as graphics" => gogui::best_moves;
    "moku-win_rates" "[COLOR]" "the win rate of every move, in percent" => gogui::win_rates;
    "moku-playouts" "[COLOR]" "the playouts of every move" => gogui::playouts;
    "moku-allocation" "[COLOR]" "where playouts go, as colours" => gogui::allocation;
    "moku-pv" "[COLOR]" "the line that the search expects" => gogui::principal_variation;
    "moku-threats" "[COLOR]" "what each point would make, and a win by continuous threats, as graphics" [Gobang] => gobang::threats;
    "moku-ownership" "" "whose every point will be: 1 Black's, -1 White's" [Go] => gogui::ownership;
    "moku-potential" "[COLOR]" "the potential P of every point, as colours" [Go] => gogui::potential;
    "moku-gradient" "" "the gradient PG of the potential, as colours" [Go] => gogui::gradient;
    "moku-filter" "NAME [COLOR]" "the moves that a filter keeps (green) and drops (red)" [Go] => gogui::filter;
    "moku-tsumego" "VERTEX" "is the group there alive, dead or ko? for each side moving first" [Go] => tsumego::status;
    "moku-reward" "[COLOR]" "the reward function in force" => gogui::reward;
    "moku-param" "[NAME [VALUE]]" "all parameters for GoGui's dialog, or one of them" => settings::param;
    "moku-engine" "[engine NAME]" "the engines for GoGui's dialog, or a choice of one" => settings::engine;
    // Front ends and servers.
    "gg-undo" "[N]" "takes back N moves" => |gtp, args| undo(gtp, optional_count(args)?);
    "gogui-analyze_commands" "" "what GoGui can show of the position and the search" => gogui::analyze_commands;
    "gogui-interrupt" "" "tells GoGui that # interrupt stops a search" => |_, _| Ok(String::new());
    "gogui-play_sequence" "COLOR VERTEX ..." "plays several moves, all or none" => play_sequence;
    "gogui-setup" "COLOR VERTEX ..." "stones on an empty board" => gogui_setup;
    "gogui-setup_player" "COLOR" "who moves next" => setup_player;
    "gogui-title" "" "a title for the window" => |gtp, _| Ok(format!("moku: {}", gtp.session.engine().preset()));
    "gogui-version" "VERSION" "the version of GoGui" => |_, _| Ok(String::new());
    "gomill-describe_engine" "" "name, version, engine line and seed" => describe;
    "gomill-explain_last_move" "" "what the search thought about its last move" => explain;
    "gomill-cpu_time" "" "as cputime" => |_, _| Ok(cpu_seconds());
    "kgs-genmove_cleanup" "COLOR" "as genmove, but takes dead stones off before passing"
        => |gtp, args| genmove(gtp, args, Some(Passing::CleanUp));
    "kgs-time_settings" "none | absolute M | byoyomi M T PERIODS | canadian M T STONES" "time, in seconds" => time::kgs;
    "kata-time_settings" "none | absolute M | ... | fischer M INCREMENT" "time, in seconds" => time::kata;
    "kata-list_time_settings" "" "the time systems of kata-time_settings" => time::list_systems;
    "kata-get-param" "NAME" "the value of a parameter" => settings::kata_get;
    "kata-set-param" "NAME VALUE" "another value of a parameter" => settings::kata_set;
    "kata-list-params" "" "the names of the parameters" => settings::kata_list;
    "kata-get-params" "" "all parameters, as JSON" => settings::kata_get_all;
    "kata-set-params" "JSON" "several parameters at once, all or none" => settings::kata_set_all;
    "kata-get-models" "" "the networks in use, as JSON: none" => |_, _| Ok("[]".into());
    "kata-benchmark" "PLAYOUTS" "how long so many playouts take from here" => debug::benchmark;
    "debug_moves" "[VERTEX ...]" "what is known about all moves, or these, at a glance" => debug::moves;
    "kata-search_debug" "COLOR" "as kata-search, with all moves on standard error" => |gtp, args| debug::search(gtp, args, false);
    "genmove_debug" "COLOR" "as genmove, with all moves on standard error" => |gtp, args| debug::search(gtp, args, true);
    "kgs-rules" "NAME" "the rules of the game" [Go] => rules::set_as_kgs;
    "kgs-game_over" "" "nothing to do" => |_, _| Ok(String::new());
    "kata-get-rules" "" "the rules in force, as JSON" [Go] => rules::get;
    "kata-set-rules" "NAME | JSON" "other rules; position and komi stay" [Go] => rules::set;
    "kata-set-rule" "KEY VALUE" "one rule changed" [Go] => rules::set_one;
    // What GNU Go has and front ends ask for.
    "list_stones" "COLOR" "where a side has stones" => gnugo::list_stones;
    "captures" "COLOR" "how many stones a side has taken" => gnugo::captures;
    "all_legal" "COLOR" "where a side may play" => gnugo::all_legal;
    "is_legal" "COLOR VERTEX" "1 if a side may play there, else 0" => gnugo::is_legal;
    "move_history" "" "the moves of the game, the last one first" => gnugo::move_history;
    "last_move" "" "the last move and who made it" => gnugo::last_move;
    "get_handicap" "" "the number of handicap stones" => |gtp, _| Ok(gtp.session.table().handicap().to_string());
    "query_boardsize" "" "the lines of the board" => |gtp, _| Ok(gtp.session.size().n().to_string());
    "top_moves" "" "the best moves of the side to play with their win rates" => |gtp, _| gnugo::top_moves(gtp, None);
    "top_moves_black" "" "the best moves of Black" => |gtp, _| gnugo::top_moves(gtp, Some(Color::Black));
    "top_moves_white" "" "the best moves of White" => |gtp, _| gnugo::top_moves(gtp, Some(Color::White));
    "estimate_score" "" "the score to expect if the game is played on, with bounds" [Go] => gnugo::estimate_score;
    "final_status" "VERTEX" "what becomes of a stone, or whose an empty point is" [Go] => gnugo::final_status;
    "level" "N" "how hard to try, 1 to 10" => gnugo::level;
    // How GoGui shows a game that it does not know.
    "gogui-rules_game_id" "" "the name of the game" [Gobang] => |_, _| Ok("Gobang".into());
    "gogui-rules_board_size" "" "the lines of the board" [Gobang] => |gtp, _| Ok(gtp.session.size().n().to_string());
    "gogui-rules_board" "" "the board, X for Black and O for White" [Gobang] => gobang::board;
    "gogui-rules_legal_moves" "" "where the side to move may play; nothing when the game is over" [Gobang]
        => gobang::legal_moves;
    "gogui-rules_side_to_move" "" "black or white" [Gobang] => gobang::side_to_move;
    "gogui-rules_final_result" "" "who has won" [Gobang] => gobang::final_result;
    "gogui-rules_captured_count" "" "nothing is ever captured" [Gobang] => |_, _| Ok("0 0".into());
    "gogui-rules_board_gfx" "" "marks a five" [Gobang] => gobang::board_gfx;
    "gogui-rules_setup" "" "positions may be set up" [Gobang] => |_, _| Ok(String::new());
    "gogui-rules_only" "" "this copy is only asked for rules" [Gobang] => |_, _| Ok(String::new());
}

/// The commands of a game.
pub fn names(kind: GameKind) -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter(move |c| c.is_for(kind)).map(|c| c.name)
}

/// Words that people try, and what they want.
const WISHES: [(&str, &str); 3] = [("help", "moku-help"), ("?", "moku-help"), ("exit", "quit")];

/// The command that was probably meant.
pub fn nearest(kind: GameKind, name: &str) -> Option<&'static str> {
    let wish = WISHES.iter().find(|(word, _)| *word == name).map(|(_, command)| *command);
    wish.or_else(|| params::nearest(name, names(kind)))
}

// ---- the program

fn known_command(gtp: &mut Gtp, args: &[String]) -> Reply {
    Ok(args.first().is_some_and(|name| names(gtp.session.kind()).any(|n| n == name)).to_string())
}

fn help(gtp: &mut Gtp, args: &[String]) -> Reply {
    let wanted = args.first();
    let rows: Vec<String> = COMMANDS
        .iter()
        .filter(|c| c.is_for(gtp.session.kind()))
        .filter(|c| wanted.is_none_or(|name| c.name == name))
        .map(|c| format!("{} {}: {}", c.name, c.args, c.help).replace(" :", ":"))
        .collect();
    match (rows.is_empty(), wanted) {
        (true, Some(name)) => Err(format!("no command '{}'; list_commands names them all", clip(name))),
        _ => Ok(rows.join("\n")),
    }
}

fn engine(gtp: &mut Gtp, args: &[String]) -> Reply {
    match args {
        [] => Ok(gtp.session.engine().to_string()),
        [word] if word == "list" => {
            let kind = gtp.session.kind();
            let width = PRESETS.iter().map(|p| p.name.len()).max().unwrap_or(0);
            let here = PRESETS.iter().filter(|p| p.games().any(|game| game == kind));
            let rows = here.map(|p| format!("{:width$}  {} ({})", p.name, p.doc, p.paper));
            Ok(rows.collect::<Vec<_>>().join("\n"))
        }
        words => Ok(gtp.session.set_engine(&words.join(" ")).map(|()| String::new())?),
    }
}

fn describe(gtp: &mut Gtp, _: &[String]) -> Reply {
    let session = &gtp.session;
    Ok(format!("moku {}\nengine {}\nseed {}", gtp.version, session.engine(), session.seed()))
}

fn explain(gtp: &mut Gtp, _: &[String]) -> Reply {
    let size = gtp.session.size();
    let Some(thought) = gtp.session.last_thought() else {
        return Ok("no move was searched yet".into());
    };
    let Some(stats) = thought.report.of(thought.point) else {
        return Ok(format!("{}: the game is decided", size.point_to_gtp(thought.point)));
    };
    let reward = match thought.preparation {
        Some(Preparation { reward, survey: Some(survey) }) => format!(
            "; reward {}, set by {} playouts more (win rate {:.3}, mean reward {:.3})",
            reward.describe(),
            survey.playouts,
            survey.win_rate,
            survey.mean_reward
        ),
        _ => String::new(),
    };
    if stats.visits == 0 && stats.point.is_pass() {
        let (playouts, seconds) = (thought.playouts, thought.elapsed.as_secs_f64());
        return Ok(format!("pass: nothing is left to play for, after {playouts} playouts in {seconds:.2} s"));
    }
    let proof = stats.proof.map_or(String::new(), |proof| format!(" (proven {proof})"));
    Ok(format!(
        "{}: {:.1} %{proof} in {} playouts, {} made for this move in {:.2} s, {} nodes, expects {}{reward}",
        size.point_to_gtp(thought.point),
        100.0 * stats.rate,
        stats.visits,
        thought.playouts,
        thought.elapsed.as_secs_f64(),
        thought.report.nodes,
        size.points_to_gtp(stats.pv.iter().copied())
    ))
}

fn cpu_seconds() -> String {
    format!("{:.3}", cpu_time::ProcessTime::now().as_duration().as_secs_f64())
}

// ---- the game

fn game(gtp: &mut Gtp, args: &[String]) -> Reply {
    let Some(word) = args.first() else { return Ok(gtp.session.kind().name().into()) };
    Ok(gtp.session.set_kind(GameKind::parse(word)?).map(|()| String::new())?)
}

fn gobang_rule(gtp: &mut Gtp, args: &[String]) -> Reply {
    let Some(word) = args.first() else { return Ok(gtp.session.rule().name().into()) };
    let rule = Rule::parse(word)?;
    if !gtp.session.table().is_empty() && rule != gtp.session.rule() {
        return Err("board not empty: the rule can be changed before the first move".into());
    }
    gtp.session.set_rule(rule);
    Ok(String::new())
}

fn boardsize(gtp: &mut Gtp, args: &[String]) -> Reply {
    let words: Vec<&str> = args.iter().flat_map(|a| a.split(':')).collect();
    let numbers: Option<Vec<usize>> = words.iter().map(|w| w.parse().ok()).collect();
    let n = match numbers.as_deref() {
        Some([n]) => *n,
        Some([w, h]) if w == h => *w,
        Some([_, _]) => return Err("unacceptable size: boards are square".to_string()),
        _ => return syntax("the size of the board, a whole number"),
    };
    gtp.session.set_size(n).map(|()| String::new()).map_err(|e| format!("unacceptable size: {e}"))
}

/// More than any board can be worth.
const MOST_KOMI: f64 = 10_000.0;

fn komi(gtp: &mut Gtp, args: &[String]) -> Reply {
    let expected = "a komi, a number such as 7.5";
    // Any number will do: front ends give up on an engine that refuses a komi.
    let komi = number(one(args, expected)?, expected)?.clamp(-MOST_KOMI, MOST_KOMI);
    gtp.session.set_komi(komi as f32);
    Ok(String::new())
}

fn play(gtp: &mut Gtp, args: &[String]) -> Reply {
    let [c, v, ..] = args else { return syntax("a colour and a vertex") };
    let (color, point) = (color(c)?, vertex(gtp.session.size(), v)?);
    gtp.session.play(color, point).map_err(|e| format!("illegal move: {}", e.reason()))?;
    Ok(String::new())
}

fn play_sequence(gtp: &mut Gtp, args: &[String]) -> Reply {
    let moves = pairs(gtp.session.size(), args, true)?;
    for (done, &(color, point)) in moves.iter().enumerate() {
        if let Err(e) = gtp.session.play(color, point) {
            (0..done).for_each(|_| {
                gtp.session.undo();
            });
            return Err(format!("illegal move: number {} of the sequence: {}", done + 1, e.reason()));
        }
    }
    Ok(String::new())
}

fn undo(gtp: &mut Gtp, count: usize) -> Reply {
    if count > gtp.session.table().moves().len() {
        return Err("cannot undo".into());
    }
    (0..count).for_each(|_| {
        gtp.session.undo();
    });
    Ok(String::new())
}

fn genmove(gtp: &mut Gtp, args: &[String], passing: Option<Passing>) -> Reply {
    let color = color(one(args, "a colour")?)?;
    let mut watch = gtp.watch(color);
    match gtp.session.genmove(color, passing, &mut watch)? {
        Answer::Play(point) => Ok(gtp.session.size().point_to_gtp(point)),
        Answer::Resign => Ok("resign".into()),
    }
}

fn reg_genmove(gtp: &mut Gtp, args: &[String]) -> Reply {
    let color = color(one(args, "a colour")?)?;
    let mut watch = gtp.watch(color);
    let thought = gtp.session.think_afresh(color, &mut watch)?;
    Ok(gtp.session.size().point_to_gtp(thought.point))
}

fn search(gtp: &mut Gtp, args: &[String], is_cancellable: bool) -> Reply {
    let color = color(one(args, "a colour")?)?;
    let (mut watch, signals, line) = (gtp.watch(color), gtp.signals.clone(), gtp.line);
    let mut is_cancelled = false;
    let thought = gtp.session.think(color, None, &mut |progress| {
        is_cancelled |= is_cancellable && !progress.is_done() && signals.has_input_after(line);
        watch(progress) && !is_cancelled
    })?;
    Ok(if is_cancelled { "cancelled".into() } else { gtp.session.size().point_to_gtp(thought.point) })
}

// ---- handicap and positions

/// The number of stones asked for, on an empty board.
fn handicap_count(gtp: &Gtp, args: &[String]) -> Result<usize, String> {
    let count = one(args, "a number of stones")?.parse::<usize>();
    let count = count.map_or_else(|_| syntax("a number of stones"), Ok)?;
    match (gtp.session.table().is_empty(), count) {
        (false, _) => Err("board not empty".into()),
        (_, ..2) => Err("invalid number of stones: a handicap is two or more".into()),
        _ => Ok(count),
    }
}

fn place(gtp: &mut Gtp, points: Vec<Point>) -> Reply {
    let text = gtp.session.size().points_to_gtp(points.iter().copied());
    match gtp.session.place_handicap(&points) {
        true => Ok(text),
        false => Err("bad vertex list: the stones would have no liberties".into()),
    }
}

fn fixed_handicap(gtp: &mut Gtp, args: &[String]) -> Reply {
    let count = handicap_count(gtp, args)?;
    let points = handicap::fixed(gtp.session.size(), count);
    let points = points.ok_or("invalid number of stones: up to 9 on odd boards from 9, 4 on others from 7")?;
    place(gtp, points)
}

fn place_free_handicap(gtp: &mut Gtp, args: &[String]) -> Reply {
    let count = handicap_count(gtp, args)?;
    let points = handicap::free(gtp.session.size(), count.min(gtp.session.size().area() / 2));
    place(gtp, points)
}

fn set_free_handicap(gtp: &mut Gtp, args: &[String]) -> Reply {
    let size = gtp.session.size();
    let mut points = Vec::new();
    if !gtp.session.table().is_empty() {
        return Err("board not empty".into());
    }
    for word in args {
        let point = vertex(size, word).map_err(|e| format!("bad vertex list: {e}"))?;
        if point.is_pass() || points.contains(&point) {
            return Err(format!("bad vertex list: {} is a pass or comes twice", clip(word)));
        }
        points.push(point);
    }
    if points.len() < 2 {
        return Err("bad vertex list: a handicap is two stones or more".into());
    }
    place(gtp, points).map(|_| String::new())
}

fn set_up(gtp: &mut Gtp, args: &[String], to_play: Color) -> Reply {
    let stones = pairs(gtp.session.size(), args, false)?;
    let stones: Vec<(Point, Color)> = stones.into_iter().map(|(c, p)| (p, c)).collect();
    match gtp.session.set_up(&stones, to_play) {
        true => Ok(String::new()),
        false => Err("illegal position: a chain would have no liberties".into()),
    }
}

fn gogui_setup(gtp: &mut Gtp, args: &[String]) -> Reply {
    if !gtp.session.table().is_empty() {
        return Err("board not empty".into());
    }
    let to_play = gtp.session.table().to_play();
    set_up(gtp, args, to_play)
}

fn set_position(gtp: &mut Gtp, args: &[String]) -> Reply {
    set_up(gtp, args, Color::Black)
}

fn setup_player(gtp: &mut Gtp, args: &[String]) -> Reply {
    let color = color(one(args, "a colour")?)?;
    gtp.session.set_to_play(color);
    Ok(String::new())
}

fn loadsgf(gtp: &mut Gtp, args: &[String]) -> Reply {
    // File names may have blanks; a number at the end is the move.
    let (name, before) = match args {
        [] => return syntax("a file name"),
        [name @ .., last] if !name.is_empty() && last.bytes().all(|b| b.is_ascii_digit()) => {
            (name.join(" "), last.parse().ok().or(Some(usize::MAX)))
        }
        name => (name.join(" "), None),
    };
    let fail = |reason: &dyn std::error::Error| format!("cannot load file: {reason}");
    let record = sgf::read_file(Path::new(&name)).map_err(|e| fail(&e))?;
    let record = before.map_or(record.clone(), |n| record.before_move(n));
    gtp.session.load(&record).map_err(|e| fail(&e))?;
    Ok(String::new())
}

fn printsgf(gtp: &mut Gtp, args: &[String]) -> Reply {
    let text = gtp.session.to_record().to_sgf(concat!("moku:", env!("CARGO_PKG_VERSION")));
    match args {
        [] => Ok(text),
        words => {
            let name = words.join(" ");
            std::fs::write(&name, text).map_err(|e| format!("cannot write '{}': {e}", clip(&name)))?;
            Ok(String::new())
        }
    }
}

// ---- the end of the game

fn final_score(gtp: &mut Gtp, _: &[String]) -> Reply {
    let table = gtp.session.table();
    if !table.has_territory() && !table.is_over() {
        return Err("cannot score: the game is not over".into());
    }
    Ok(reply::score(gtp.session.judge().score))
}

fn final_status_list(gtp: &mut Gtp, args: &[String]) -> Reply {
    let verdict = match one(args, "alive, dead or seki")? {
        "alive" => gtp.session.judge().alive,
        "dead" => gtp.session.judge().dead,
        "seki" => gtp.session.judge().seki, // by area scoring stones in seki are alive
        _ => return syntax("alive, dead or seki"),
    };
    let size = gtp.session.size();
    Ok(verdict.into_iter().map(|chain| size.points_to_gtp(chain)).collect::<Vec<_>>().join("\n"))
}
