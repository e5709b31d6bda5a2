//! Live analysis as front ends see it: moku behind pipes, its lines parsed by the rules that Sabaki and Lizzie have.

mod common;

use common::{Moku, Referee, SOON};
use moku::base::{Color, GameKind, Size};
use moku::search::engine::{PRESETS, Preset};
use std::collections::BTreeMap;
use std::time::Duration;

const ALWAYS: [&str; 6] = ["move", "visits", "winrate", "prior", "lcb", "order"];

/// One `info` segment.
#[derive(PartialEq, Debug)]
struct Info {
    fields: BTreeMap<String, String>,
    pv: Vec<String>,
}

impl Info {
    fn number(&self, key: &str) -> f64 {
        self.fields[key].parse().unwrap_or_else(|_| panic!("{key} of {self:?}"))
    }

    fn vertex(&self) -> &str {
        &self.fields["move"]
    }
}

/// A line of a stream that asked for nothing but moves: pairs of key and value, `pv` last.
fn parse(line: &str, dialect: &str, size: usize) -> Vec<Info> {
    let size = Size::new(size).unwrap();
    let is_vertex = |word: &str| word == "pass" || size.point_from_gtp(word).is_some() && word != "PASS";
    let segments = line.strip_prefix("info ").unwrap_or_else(|| panic!("no info line: {line:?}")).split(" info ");
    let infos: Vec<Info> = segments
        .map(|segment| {
            let (pairs, pv) = segment.split_once(" pv ").unwrap_or_else(|| panic!("no pv: {segment:?}"));
            let words: Vec<&str> = pairs.split(' ').collect();
            assert!(words.len().is_multiple_of(2), "an odd number of words: {segment:?}");
            let fields = words.chunks(2).map(|pair| (pair[0].to_string(), pair[1].to_string())).collect();
            let pv: Vec<String> = pv.split(' ').map(str::to_string).collect();
            assert!(pv.iter().all(|word| is_vertex(word)), "{segment:?}");
            Info { fields, pv }
        })
        .collect();
    for (order, info) in infos.iter().enumerate() {
        for key in ALWAYS {
            assert!(info.fields.contains_key(key), "{key} is missing in {info:?}");
        }
        assert_eq!(info.number("order"), order as f64);
        assert_eq!(info.pv[0], info.vertex());
        let top = if dialect == "lz" { 10_000.0 } else { 1.0 };
        for key in ["winrate", "prior", "lcb"] {
            let text = &info.fields[key];
            assert_eq!(text.contains('.'), dialect == "kata", "{key} {text} in the dialect {dialect}");
            assert!((0.0..=top).contains(&info.number(key)), "{key} {text}");
        }
        assert!(info.number("lcb") <= info.number("winrate"));
    }
    infos
}

/// The stream that a command opens: its first line is checked, its first information returned.
fn open(moku: &mut Moku, command: &str, dialect: &str, size: usize) -> Vec<Info> {
    moku.send(&format!("{command}\n"));
    assert_eq!(moku.line(), "=", "{command}");
    parse(&moku.line(), dialect, size)
}

/// Reads on to the empty line that ends a stream. Returns the information on the way.
fn close(moku: &mut Moku, dialect: &str, size: usize) -> Vec<Vec<Info>> {
    let mut lines = Vec::new();
    loop {
        match moku.line() {
            line if line.is_empty() => return lines,
            line => lines.push(parse(&line, dialect, size)),
        }
    }
}

/// Every engine for Go that searches, without a limit of its own.
fn engines() -> impl Iterator<Item = String> {
    let searches = |preset: &&Preset| preset.name != "random" && preset.games().any(|kind| kind == GameKind::Go);
    PRESETS.iter().filter(searches).map(|preset| match preset.line.contains("each=") {
        true => format!("{} each=1000000", preset.name),
        false => preset.name.to_string(),
    })
}

#[test]
fn every_engine_streams_in_both_dialects_and_any_line_ends_it_in_step() {
    let mut moku = Moku::start(&["--size", "9", "--seed", "1", "--threads", "2"]);
    moku.ask("play b e5");
    for engine in engines() {
        moku.ask(&format!("engine {engine}"));
        for (dialect, stop, reply) in [
            ("lz", "protocol_version\n", Some("= 2")),
            ("kata", "\n", None),
            ("lz", "# interrupt\n", None),
            ("kata", "17 nonsense\n", Some("?17 unknown command")),
            ("lz", "  \t \r\n", None),
        ] {
            let first = open(&mut moku, &format!("{dialect}-analyze w 2"), dialect, 9);
            assert!(!first.is_empty() && first.iter().all(|info| info.vertex() != "E5"), "{engine}");
            let second = parse(&moku.line(), dialect, 9);
            let visits = |infos: &[Info]| infos.iter().map(|info| info.number("visits")).sum::<f64>();
            assert!(visits(&second) >= visits(&first), "{engine} goes on");
            moku.send(stop);
            close(&mut moku, dialect, 9);
            if let Some(reply) = reply {
                assert_eq!(moku.reply(), reply, "{engine}");
            }
            assert_eq!(moku.ask("name"), "moku");
        }
    }
}

#[test]
fn shot_streams_by_doubling_budgets_and_engines_without_a_tree_have_their_move_as_pv() {
    for (engine, is_tree) in [("shot", true), ("mc", false), ("ucb1", false), ("uct", true)] {
        let mut moku = Moku::start(&["--size", "9", "--seed", "1", "--threads", "1", "--engine", engine]);
        let mut infos = open(&mut moku, "lz-analyze b 5", "lz", 9);
        // Several budgets of doubling size pass by.
        while infos.iter().map(|info| info.number("visits")).sum::<f64>() < 20_000.0 {
            infos = parse(&moku.line(), "lz", 9);
        }
        assert!(infos.iter().all(|info| (info.pv.len() > 1) <= is_tree), "{engine}");
        assert!(!is_tree || infos[0].pv.len() > 1, "{engine} expects an answer");
        moku.send("quit\n");
        close(&mut moku, "lz", 9);
        assert_eq!(moku.reply(), "= ");
    }
}

#[test]
fn win_rates_are_of_the_side_asked_for() {
    let mut moku = Moku::start(&["--size", "9", "--seed", "1", "--threads", "1"]);
    moku.ask("komi -300"); // Black wins every playout
    for (side, is_winning) in [("b", true), ("w", false), ("b", true)] {
        let infos = open(&mut moku, &format!("kata-analyze {side} 5"), "kata", 9);
        assert_eq!(infos[0].number("winrate") > 0.5, is_winning, "{side}: {:?}", infos[0]);
        assert_eq!(infos[0].number("scoreLead") > 0.0, is_winning, "{side}: {:?}", infos[0]);
        moku.send("\n");
        close(&mut moku, "kata", 9);
    }
}

#[test]
fn ownership_and_root_come_last_and_only_when_asked_for() {
    let mut moku = Moku::start(&["--size", "5", "--seed", "1", "--threads", "1"]);
    // Black's wall has the right half.
    moku.ask("gogui-setup b c1 b c2 b c3 b c4 b c5 b d3 w b1 w b2 w b3 w b4 w b5");
    moku.send("kata-analyze w 5 rootInfo true ownership true\n");
    assert_eq!(moku.line(), "=");
    let line = moku.line();
    let (moves, rest) = line.split_once(" rootInfo ").unwrap();
    parse(moves, "kata", 5);
    let (root, owned) = rest.split_once(" ownership ").unwrap();
    assert!(root.starts_with("visits ") && root.contains(" winrate ") && root.contains(" scoreLead "), "{root}");
    let owned: Vec<f64> = owned.split(' ').map(|word| word.parse().unwrap()).collect();
    assert_eq!(owned.len(), 25);
    assert!(owned.iter().all(|x| (-1.0..=1.0).contains(x)));
    // White is to move: row by row from the top left, column C is Black's.
    assert!(owned[2] < -0.5 && owned[12] < -0.5 && owned[1] > 0.0, "{owned:?}");
    moku.send("kata-analyze w 5 movesOwnership true maxmoves 1\n");
    while !moku.line().is_empty() {}
    assert_eq!(moku.line(), "=");
    let line = moku.line();
    let (moves, owned) = line.split_once(" movesOwnership ").unwrap();
    assert_eq!((parse(moves, "kata", 5).len(), owned.split(' ').count()), (1, 25));
    moku.send("kata-analyze w 5 pvVisits true pvEdgeVisits true maxmoves 1\n");
    while !moku.line().is_empty() {}
    assert_eq!(moku.line(), "=");
    let line = loop {
        match moku.line() {
            line if line.contains(" pv ") && line.split(" pv ").last().unwrap().split(' ').count() > 6 => break line,
            _ => {} // the line is to have two moves at least
        }
    };
    let (moves, visits) = line.split_once(" pvVisits ").unwrap();
    let (visits, again) = visits.split_once(" pvEdgeVisits ").unwrap();
    let visits: Vec<f64> = visits.split(' ').map(|word| word.parse().unwrap()).collect();
    let first = &parse(moves, "kata", 5)[0];
    assert_eq!((visits.len(), visits[0]), (first.pv.len(), first.number("visits")));
    assert!(visits.iter().all(|&n| n > 0.0), "{visits:?}");
    assert_eq!(again.split(' ').count(), visits.len());
    moku.send("lz-analyze w 5 maxmoves 2\n");
    while !moku.line().is_empty() {}
    assert_eq!(moku.line(), "=");
    assert_eq!(parse(&moku.line(), "lz", 5).len(), 2);
}

#[test]
fn moves_can_be_avoided_or_asked_for_by_name() {
    let mut moku = Moku::start(&["--size", "5", "--seed", "1", "--threads", "1"]);
    let vertices = |infos: &[Info]| infos.iter().map(|info| info.vertex().to_string()).collect::<Vec<_>>();
    let mut asked = vertices(&open(&mut moku, "lz-analyze b 5 minmoves 5 allow b C3,A1,pass 1", "lz", 5));
    asked.sort();
    assert_eq!(asked, ["A1", "C3", "pass"]);
    moku.send("\n");
    close(&mut moku, "lz", 5);
    let left = vertices(&open(&mut moku, "lz-analyze b 5 minmoves 30 avoid b C3,A1 1", "lz", 5));
    assert_eq!(left.len(), 23);
    assert!(!left.contains(&"C3".to_string()) && !left.contains(&"A1".to_string()));
}

#[test]
fn a_finished_game_keeps_the_stream_open_and_silent() {
    let mut moku = Moku::start(&["--size", "9", "--threads", "1"]);
    moku.ask("play b pass");
    moku.ask("play w pass");
    moku.send("5 kata-analyze b 1\n");
    assert_eq!(moku.line(), "=5");
    std::thread::sleep(Duration::from_millis(200));
    moku.send("6 name\n");
    assert_eq!(moku.line(), "", "nothing was said about a finished game");
    assert_eq!(moku.reply(), "=6 moku");
}

#[test]
fn genmove_analyze_says_something_plays_its_move_and_is_not_stopped_by_input() {
    for engine in ["tree-uct playouts=3000", "mc playouts=3000", "shot playouts=3000", "uct playouts=1"] {
        let mut moku = Moku::start(&["--size", "9", "--seed", "1", "--threads", "1", "--engine", engine]);
        let mut referee = Referee::new(9);
        for (turn, dialect) in ["lz", "kata", "lz", "kata"].into_iter().enumerate() {
            let color = Color::BOTH[turn % 2];
            moku.send(&format!("{dialect}-genmove_analyze {} 100000\n\n1 undo\n", color.letter()));
            assert_eq!(moku.line(), "=");
            let mut infos = Vec::new();
            let vertex = loop {
                let line = moku.line();
                match line.strip_prefix("play ") {
                    Some(vertex) => break vertex.to_string(),
                    None => infos = parse(&line, dialect, 9),
                }
            };
            let visits: f64 = infos.iter().map(|info| info.number("visits")).sum();
            assert!(visits >= if engine.ends_with("=1") { 1.0 } else { 3000.0 }, "{engine}: all is told, {visits}");
            assert_eq!(moku.line(), "");
            assert_eq!(moku.reply(), "=1 ", "the move was played, so it can be taken back");
            moku.ask(&format!("play {color} {vertex}"));
            assert!(referee.play(color, &vertex), "{engine}: {vertex}");
        }
    }
}

#[test]
fn a_decided_game_is_passed_with_a_word_about_it() {
    let mut moku = Moku::start(&["--size", "5", "--seed", "1", "--threads", "1", "--engine", "uct playouts=100"]);
    moku.ask("komi 0");
    let stones = "b b1 b b2 b b3 b b4 b b5 b c1 b c2 b c3 b c4 b c5 w d1 w d2 w d3 w d4 w d5";
    moku.ask(&format!("gogui-setup {stones}"));
    moku.ask("play w pass");
    moku.send("lz-genmove_analyze b 100000\n");
    assert_eq!(moku.line(), "=");
    let infos = parse(&moku.line(), "lz", 5);
    assert_eq!((infos.len(), infos[0].vertex(), infos[0].number("winrate")), (1, "pass", 10_000.0));
    assert_eq!((moku.line(), moku.line()), ("play pass".to_string(), String::new()));
}

#[test]
fn searches_can_be_cancelled_and_play_nothing() {
    let mut moku = Moku::start(&["--size", "9", "--threads", "1", "--engine", "uct time=60"]);
    moku.send("1 kata-search_cancellable b\n");
    std::thread::sleep(Duration::from_millis(50));
    moku.send("2 kata-search_analyze_cancellable b 10\n");
    assert_eq!(moku.reply(), "=1 cancelled");
    assert_eq!(moku.line(), "=2");
    parse(&moku.line(), "kata", 9);
    moku.send("3 undo\n");
    while moku.line() != "play cancelled" {}
    assert_eq!(moku.line(), "");
    assert_eq!(moku.reply(), "?3 cannot undo");
}

#[test]
fn caps_end_the_search_and_not_the_stream() {
    for engine in ["tree-uct", "mc", "shot", "ucb1"] {
        let args = ["--size", "9", "--seed", "1", "--threads", "1", "--analysis-visits", "500", "--engine", engine];
        let mut moku = Moku::start(&args);
        for round in 0..2 {
            // The second time everything is known already where there is a tree to keep.
            let mut infos = open(&mut moku, "lz-analyze b 1", "lz", 9);
            let visits = |infos: &[Info]| infos.iter().map(|info| info.number("visits")).sum::<f64>();
            while visits(&infos) < 500.0 {
                infos = parse(&moku.line(), "lz", 9);
            }
            std::thread::sleep(Duration::from_millis(60));
            moku.send("7 name\n");
            // The last playout may be under way when the line says 500; nothing is said twice.
            let mut told = vec![infos];
            told.extend(close(&mut moku, "lz", 9));
            assert!(told.iter().all(|infos| visits(infos) == 500.0), "{engine}, round {round}: {told:?}");
            assert!(told.windows(2).all(|pair| pair[0] != pair[1]), "{engine}, round {round}: {told:?}");
            assert_eq!(moku.reply(), "=7 moku");
        }
    }
}

#[test]
fn analysis_leaves_an_engine_without_a_tree_to_keep_as_it_was() {
    for engine in ["uct playouts=300", "inherited-mc playouts=300", "inherited-uct playouts=300 root=inherit"] {
        let game = |analyzes: bool| {
            let mut moku = Moku::start(&["--size", "9", "--seed", "4", "--threads", "1", "--engine", engine]);
            let mut moves = Vec::new();
            for color in ["b", "w", "b", "w", "b", "w"] {
                if analyzes {
                    open(&mut moku, &format!("lz-analyze {color} 1"), "lz", 9);
                    moku.send("\n");
                    close(&mut moku, "lz", 9);
                }
                moves.push(moku.ask(&format!("genmove {color}")));
            }
            moves
        };
        assert_eq!(game(false), game(true), "{engine}");
    }
}

#[test]
fn the_end_of_the_input_ends_a_stream_and_the_program() {
    for game_over in [false, true] {
        let mut moku = Moku::start(&["--size", "9", "--threads", "1"]);
        if game_over {
            moku.ask("gogui-play_sequence b pass w pass");
        }
        moku.send("lz-analyze 5\n");
        assert_eq!(moku.line(), "=");
        moku.close_input();
        assert!(moku.rest().ends_with('\n'));
        assert!(moku.exit(SOON).success());
    }
}

#[test]
fn gobang_streams_without_score_and_a_won_game_is_silent() {
    let mut moku = Moku::start(&["--game", "gobang", "--seed", "1", "--threads", "2"]);
    moku.ask("gogui-play_sequence b h8 w g7 b h7 w g8");
    for engine in ["gobang", "uct", "mc", "shot", "ucb1", "ruct"] {
        moku.ask(&format!("engine {engine}"));
        for dialect in ["lz", "kata"] {
            let infos = open(&mut moku, &format!("{dialect}-analyze b 5"), dialect, 15);
            assert!(infos.iter().all(|info| !info.fields.contains_key("scoreLead")), "{engine}: {infos:?}");
            moku.send("\n");
            close(&mut moku, dialect, 15);
        }
    }
    moku.send("kata-analyze b 5 ownership true\n");
    assert_eq!(moku.reply(), "? there is no ownership in gobang");
    assert!(!moku.ask("engine list").contains("potential"), "engines of Go are not listed");
    for command in moku.ask("gogui-analyze_commands").lines() {
        assert!(!command.contains("ilter") && !command.contains("otential"), "{command} is about Go");
    }
    moku.ask("gogui-play_sequence b h6 w a1 b h5 w a2 b h4");
    moku.send("5 lz-analyze w 1\n");
    assert_eq!(moku.line(), "=5");
    std::thread::sleep(Duration::from_millis(100));
    moku.send("6 name\n");
    assert_eq!((moku.line(), moku.reply()), (String::new(), "=6 moku".to_string()));
}

#[test]
fn everything_in_goguis_menu_answers_in_both_games_and_changes_no_move() {
    let games = [("go", "9", "tree-uct playouts=200"), ("gobang", "15", "gobang playouts=200")];
    for (game, size, engine) in games {
        let moves = |uses_menu: bool| {
            let args = ["--game", game, "--size", size, "--seed", "2", "--threads", "1", "--engine", engine];
            let mut moku = Moku::start(&args);
            let menu = moku.ask("gogui-analyze_commands");
            let mut moves = Vec::new();
            for color in ["b", "w", "b", "w", "b"] {
                for row in menu.lines().filter(|_| uses_menu) {
                    let [show, label, command] = row.split('/').collect::<Vec<_>>()[..] else { panic!("{row}") };
                    let known = "string hstring none gfx sboard cboard dboard plist var param";
                    assert!(known.split(' ').any(|k| k == show) && !label.is_empty(), "{row}");
                    let command = command.replace("%m", color).replace(" %o", "");
                    if command == "clear_cache" || command.contains("%p") {
                        continue; // it is there to change something, or asks about a stone
                    }
                    let text = moku.ask(&command);
                    let n = size.parse::<usize>().unwrap();
                    if show.ends_with("board") {
                        let rows: Vec<usize> = text.lines().map(|row| row.split(' ').count()).collect();
                        assert_eq!(rows, vec![n; n], "{row}");
                    }
                    if show == "dboard" {
                        assert!(text.split_whitespace().all(|x| (-1.0..=1.0).contains(&x.parse::<f32>().unwrap())));
                    }
                }
                moves.push(moku.ask(&format!("genmove {color}")));
            }
            moves
        };
        assert_eq!(moves(false), moves(true), "{game}");
    }
}

#[test]
fn live_graphics_come_on_standard_error_when_switched_on_and_are_cleared_before_the_reply() {
    use std::io::{BufRead, BufReader, Write, pipe};
    for (args, command) in [(&["--live-gfx"][..], "name"), (&[], "moku-param live_gfx 1")] {
        // Standard output and standard error in one pipe, so that their order is seen.
        let (output, writer) = pipe().unwrap();
        let mut process = common::moku(&["--size", "9", "--threads", "1", "--engine", "uct time=600"]);
        let mut child = process.args(args).stdout(writer.try_clone().unwrap()).stderr(writer).spawn().unwrap();
        drop(process); // and with it our end of the pipe
        let mut lines = BufReader::new(output).lines().map(Result::unwrap);
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{command}").unwrap();
        assert!(lines.next().unwrap().starts_with("= ") && lines.next().unwrap().is_empty());
        for (command, last) in [("genmove b", "= "), ("lz-genmove_analyze w 100000", "play ")] {
            writeln!(input, "{command}").unwrap();
            let mut blocks = 0;
            let reply = loop {
                match lines.next().unwrap().as_str() {
                    "gogui-gfx:" => {
                        for word in ["VAR ", "INFLUENCE ", "TEXT "] {
                            let line = lines.next().unwrap();
                            assert!(line.starts_with(word), "{line:?}");
                        }
                        assert_eq!(lines.next().unwrap(), "");
                        blocks += 1;
                        if blocks == 2 {
                            writeln!(input, "# interrupt").unwrap();
                        }
                    }
                    "gogui-gfx: CLEAR" => break lines.next().unwrap(),
                    line => {
                        assert!(line == "=" || line.starts_with("info "), "{line:?} before the end of the pictures")
                    }
                }
            };
            assert!(blocks >= 2 && reply.starts_with(last), "{blocks} pictures, {reply:?}");
            assert_eq!(lines.next().unwrap(), "");
        }
        writeln!(input, "quit").unwrap();
        assert_eq!(lines.collect::<Vec<_>>(), ["= ", ""]);
        assert!(child.wait().unwrap().success());
    }
    let mut process = common::moku(&["--size", "9", "--threads", "1", "--engine", "uct time=0.8"]);
    let mut child = process.stderr(std::process::Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"genmove b\nquit\n").unwrap();
    let noise = child.wait_with_output().unwrap().stderr;
    assert_eq!(String::from_utf8_lossy(&noise), "", "no pictures unless they are wanted");
}

#[test]
fn any_command_stops_pondering() {
    // Once the command is answered the process is idle: pondering on would use processor time.
    let mut moku = Moku::start(&["--size", "9", "--threads", "1", "--ponder", "--engine", "uct playouts=50"]);
    moku.ask("genmove b");
    moku.ask("name");
    let before: f64 = moku.ask("cputime").parse().unwrap();
    std::thread::sleep(Duration::from_millis(400));
    let used = moku.ask("cputime").parse::<f64>().unwrap() - before;
    assert!(used < 0.1, "{used} s of processor time although nothing was to be done");
}

#[test]
fn an_engine_that_does_not_search_names_its_move_and_waits() {
    let mut moku = Moku::start(&["--size", "9", "--seed", "1", "--engine", "random"]);
    let infos = open(&mut moku, "lz-analyze b 1", "lz", 9);
    assert_eq!((infos.len(), infos[0].number("visits")), (1, 0.0));
    moku.send("7 lz-genmove_analyze b\n");
    assert_eq!(moku.line(), "");
    assert_eq!(moku.line(), "=7");
    assert_eq!(parse(&moku.line(), "lz", 9).len(), 1);
    assert!(moku.line().starts_with("play "));
}
