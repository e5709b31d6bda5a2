//! A hundred thousand lines of which few make sense: each command gets exactly one reply, and the game goes on.

mod common;

use common::{Moku, Referee, SOON, converse, converse_watched, is_stream, moku, replies};
use moku::base::Color;
use moku::gtp::COMMANDS;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::PathBuf;

/// A million bytes and more; a few of them.
const LONG: usize = 1 << 20;

struct XorShift(u64);

impl XorShift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "b", "w", "B", "W", "black", "WHITE", "green", "pass", "PASS", "resign", "A1", "b2", "C3", "d4", "E5", "a5", "T19",
    "z25", "I5", "A0", "A26", "AA1", "0", "1", "2", "3", "5", "9", "25", "26", "-1", "7.5", "-0.0", "1e9", "1e308",
    "-1e999", "nan", "inf", "18446744073709551615", "18446744073709551616", "999999999999999999999999", "0x10", "+3",
    "alive", "dead", "seki", "list", "uct", "mc", "none", "absolute", "byoyomi", "canadian", "chinese", "japanese",
    "{\"ko\":\"SIMPLE\"}", "{\"\\n\\n\":0}", "[[[[", "ko", "suicide", "true", "no-such.sgf", ".", "..", "/", "genmove",
    "=", "?", "= 2", "é", "日本", "\u{3000}", "\u{2028}", "\u{85}", "\u{200b}", "\u{feff}", "'", "\"", "\\", "%s", "$HOME",
    "interval", "minmoves", "maxmoves", "avoid", "allow", "ownership", "rootInfo", "movesOwnership", "a1,b2", ",", "pass,",
    "key=value", "playouts=", "=5", "c=nan", "threads=257", ":", "9:9", ";",
];

/// Lines that must not be sent: they end the program, or make it slow or loud.
const NOT_HERE: &[&str] = &["quit"];

/// An engine line that costs little, or none at all.
#[rustfmt::skip]
const ENGINES: &[&str] = &[
    "engine uct playouts=20", "engine uct playouts=20 end=fill", "engine tree-uct playouts=20", "engine mc each=1",
    "engine mc playouts=20 threads=2", "engine uct playouts=-1", "engine uct playouts=99999999999999999999999",
    "engine uct time=1e999", "engine", "engine uct c=", "engine mc c=1", "engine \u{fffd}",
];

/// Arguments that follow what the table of commands says of them: a command is tried the day it is added.
fn by_the_table(grammar: &str, rng: &mut XorShift) -> String {
    let alternatives: Vec<&str> = grammar.trim_matches(['[', ']']).split(" | ").collect();
    let chosen = if grammar.contains(" | ") { rng.pick(&alternatives) } else { grammar };
    let mut words: Vec<String> = Vec::new();
    let mut depth = 0;
    for word in chosen.split_whitespace() {
        depth += word.matches('[').count();
        let is_left_out = depth > 0 && rng.one_in(2);
        depth = depth.saturating_sub(word.matches(']').count());
        match word.trim_matches(['[', ']', ',']) {
            "..." => {
                for _ in 0..rng.below(4) {
                    let again: Vec<String> = words[words.len().saturating_sub(2)..].to_vec();
                    words.extend(again);
                }
            }
            _ if is_left_out => {}
            word => words.push(argument(word, rng)),
        }
    }
    words.join(" ")
}

/// What a word of the table stands for.
fn argument(word: &str, rng: &mut XorShift) -> String {
    match word {
        "COLOR" => rng.pick(&["b", "w", "black", "W"]).to_string(),
        "VERTEX" if rng.one_in(9) => "pass".to_string(),
        "VERTEX" => format!("{}{}", rng.pick(&["a", "b", "C", "D", "e"]), 1 + rng.below(5)),
        "FILE" => "out.sgf".to_string(),
        "JSON" => rng.pick(&["{\"ko\":\"POSITIONAL\"}", "{\"suicide\":true}", "{\"a\":1,\"b\":[2]}"]).to_string(),
        "NAME" => rng
            .pick(&["play", "filter1", "uct", "playouts", "maxVisits", "chinese", "tromp-taylor", "japanese", "aga"])
            .to_string(),
        "KEY" => rng.pick(&["interval", "maxmoves", "minmoves", "ownership", "rootInfo", "ko", "pvVisits"]).to_string(),
        "VALUE" => rng.pick(&["true", "false", "0", "1", "3", "SIMPLE"]).to_string(),
        word if word.chars().all(|c| c.is_ascii_uppercase() || c == '_') => {
            rng.pick(&["0", "1", "2", "3", "5", "7.5", "0.5", "-1", "30"]).to_string()
        }
        word => word.split('|').map(str::to_string).collect::<Vec<_>>()[0].clone(),
    }
}

/// A known command with arguments that may be right or wrong.
fn command(rng: &mut XorShift) -> Vec<u8> {
    let mut name = COMMANDS[rng.below(COMMANDS.len())].name;
    while NOT_HERE.contains(&name) {
        name = COMMANDS[rng.below(COMMANDS.len())].name;
    }
    // The costly ones less often, the engine only from a list, files only here.
    let line = match name {
        "engine" => rng.pick(ENGINES).to_string(),
        "boardsize" | "rectangular_boardsize" if !rng.one_in(8) => format!("boardsize {}", 2 + rng.below(4)),
        "list_commands" | "moku-help" if !rng.one_in(4) => "known_command play".to_string(),
        "moku-ownership" | "final_score" | "final_status_list" | "final_status" | "estimate_score"
            if !rng.one_in(4) =>
        {
            "komi 3".to_string()
        }
        "kata-benchmark" => format!("kata-benchmark {}", rng.pick(&["0", "1", "50", "-1", "x"])),
        "level" => format!("level {}", rng.pick(&["0", "1", "11", "-1", "x"])),
        "loadsgf" if rng.one_in(4) => "loadsgf out.sgf".to_string(),
        "printsgf" if rng.one_in(4) => "printsgf out.sgf".to_string(),
        name if name.ends_with("_analyze") && rng.one_in(2) => format!("{name} {} 1", rng.pick(&["b", "w"])),
        "play" | "genmove" | "reg_genmove" if !rng.one_in(4) => {
            let color = rng.pick(&["b", "w"]);
            match name {
                "play" => format!("play {color} {}{}", rng.pick(&["a", "b", "c", "d", "e"]), 1 + rng.below(5)),
                name => format!("{name} {color}"),
            }
        }
        // No line thinks longer than this test has time for.
        name if rng.one_in(2) && !name.contains("param") && !name.contains("-engine") => {
            let row = COMMANDS.iter().find(|row| row.name == name);
            format!("{name} {}", by_the_table(row.map_or("", |row| row.args), rng))
        }
        name => {
            let count = if rng.one_in(50) { rng.below(300) } else { rng.below(5) };
            let words: Vec<&str> = (0..count).map(|_| rng.pick(WORDS)).collect();
            format!("{name} {}", words.join(rng.pick(&[" ", "  ", "\t", " \t "])))
        }
    };
    line.into_bytes()
}

/// A line without its end.
fn line(rng: &mut XorShift) -> Vec<u8> {
    let mut line = match rng.below(20) {
        0 => (0..rng.below(60)).map(|_| rng.next() as u8).collect(),
        1 => (0..rng.below(12)).flat_map(|_| format!("{} ", rng.pick(WORDS)).into_bytes()).collect(),
        2 => Vec::new(),
        3 => rng.pick(&["# interrupt", "#", "  # genmove b", "\t", "\r", " ", "7", "007", "-7 name"]).into(),
        _ => command(rng),
    };
    if rng.one_in(3) {
        let digits = if rng.one_in(20) { 50 } else { 1 + rng.below(9) };
        let id: String = (0..digits).map(|_| (b'0' + rng.below(10) as u8) as char).collect();
        line = [id.as_bytes(), b" ", &line].concat();
    }
    if rng.one_in(4) {
        mangle(&mut line, rng);
    }
    line.retain(|&b| b != b'\n');
    line
}

fn mangle(line: &mut Vec<u8>, rng: &mut XorShift) {
    for _ in 0..=rng.below(3) {
        let i = rng.below(line.len() + 1);
        match rng.below(7) {
            0 => line.truncate(i),
            1 => line.insert(i, rng.next() as u8),
            2 => line.insert(i, [0, b'\r', b'\t', 0x1b, 0x7f, 0xff, b'#', b' '][rng.below(8)]),
            3 if i < line.len() => drop(line.remove(i)),
            4 if i < line.len() => line[i] ^= 1 << rng.below(8),
            5 => line.extend_from_within(i..),
            _ => line.push(b'\r'),
        }
    }
}

/// Truncated and flipped lines may have become what must not be sent, or an engine that thinks for a second.
fn is_harmless(line: &[u8]) -> bool {
    let text = visible(line);
    let words: Vec<&str> = text.split_whitespace().skip_while(|w| is_id(w)).collect();
    match words.as_slice() {
        [name, ..] if NOT_HERE.contains(name) => false,
        ["engine", _, ..] => ENGINES.contains(&words.join(" ").as_str()),
        // Names of files that a bit flip made up stay in the test's folder, but a path may not lead out of it.
        ["printsgf", rest @ ..] => !rest.iter().any(|w| w.contains('/')),
        _ => true,
    }
}

fn is_id(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// What GTP says is left of a line: no control characters, tabs as blanks, nothing after `#`.
fn visible(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line).replace('\t', " ");
    text.split('#').next().unwrap_or_default().chars().filter(|c| !c.is_control()).collect()
}

/// The id of the reply that a line must get, None if it must get none.
fn expected_id(line: &[u8]) -> Option<String> {
    let text = visible(line);
    let first = text.split_whitespace().next()?;
    Some(if is_id(first) { first.to_string() } else { String::new() })
}

/// An empty folder of our own that goes away with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let path = std::env::temp_dir().join(format!("moku-fuzz-{:x}", RandomState::new().build_hasher().finish()));
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The last commands: a fresh game that must go well whatever came before.
const LAST: &str = "engine uct\ngame go\nkata-set-rules {}\ngogui-setup_player b\nboardsize 5\nkomi 0.5\ntime_settings 0 1 0\nengine uct playouts=20 end=fill\n";

/// Lines of the longest test: `MOKU_FUZZ_LINES` says more for an hour's run.
fn length(usual: usize) -> usize {
    number("MOKU_FUZZ_LINES").map_or(usual, |n| n as usize)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Lines that one process is sent: a longer run has several, each with its own seed.
const ROUND: usize = 100_000;
/// Megabytes that nothing in a round needs more than.
const MOST_MEMORY: u64 = 512;

#[test]
fn every_command_gets_one_reply_of_the_right_form_and_the_game_goes_on() {
    let total = length(ROUND);
    let seed = 0x9e37_79b9_7f4a_7c15 ^ number("MOKU_FUZZ_SEED").unwrap_or(0);
    for round in 0..total.div_ceil(ROUND) as u64 {
        let seed = (seed ^ round.wrapping_mul(0xd134_2543_de82_ef95)).max(1);
        let peak = fuzz(total.min(ROUND), seed, &["--threads", "1"]);
        println!("round {round}, seed {seed}: {} lines, {peak:?} MB at most", total.min(ROUND));
    }
}

#[test]
fn nothing_is_different_while_the_engine_ponders() {
    fuzz(10_000, 0x2545_f491_4f6c_dd1d, &["--threads", "2", "--ponder"]);
}

/// Sends so many lines, then has a game played. Returns the most memory that it took, in megabytes.
fn fuzz(count: usize, seed: u64, args: &[&str]) -> Option<u64> {
    let mut rng = XorShift(seed);
    let mut lines: Vec<Vec<u8>> = vec![b"boardsize 5".to_vec(), b"engine uct playouts=20".to_vec()];
    while lines.len() < count {
        let line = line(&mut rng);
        if is_harmless(&line) {
            lines.push(line);
        }
        // The clock of nobody's game must not slow this one down, nor big boards.
        if lines.len().is_multiple_of(97) {
            lines.push(b"time_settings 0 1 0".to_vec());
            lines.push(format!("boardsize {}", 2 + rng.below(4)).into_bytes());
            lines.push(b"engine uct playouts=20".to_vec());
        }
    }
    let at = count / 2;
    lines[at] = vec![b'x'; LONG];
    lines[at + 1] = [&b"play b "[..], &vec![b'9'; LONG]].concat();
    lines[at + 2] = "gogui-play_sequence b a1 w a1 ".repeat(LONG / 30).into_bytes();
    lines[at + 3] = [&b"kata-set-rules "[..], &vec![b'['; LONG]].concat();
    lines[at + 4] = vec![0; LONG];
    lines[at + 5] = [&vec![b'7'; LONG][..], b" name"].concat();

    let mut input: Vec<u8> = lines.iter().flat_map(|line| [line.as_slice(), b"\n"].concat()).collect();
    let mut ids: Vec<(usize, String)> =
        lines.iter().enumerate().filter_map(|(i, line)| Some((i, expected_id(line)?))).collect();
    let noise = ids.len();
    assert!(noise > count / 2);
    let last: Vec<String> = LAST
        .lines()
        .map(str::to_string)
        .chain((0..200).map(|turn| format!("genmove {}", Color::BOTH[turn % 2])))
        .chain(["quit".to_string()])
        .collect();
    for (i, command) in last.iter().enumerate() {
        input.extend(format!("{i} {command}\n").into_bytes());
        ids.push((lines.len() + i, i.to_string()));
    }

    let folder = Folder::new();
    let mut command = moku(&["--seed", "1", "--no-resign", "--engine", "uct playouts=20"]);
    command.args(args).current_dir(&folder.0).env("RUST_LOG", "off");
    let (output, status, peak) = converse_watched(command, input);
    let replies = replies(&output);
    for ((line, id), reply) in ids.iter().zip(&replies) {
        let sent = || lines.get(*line).map(|l| String::from_utf8_lossy(&l[..l.len().min(200)]).into_owned());
        let rest = reply[1..].strip_prefix(id.as_str());
        let may_stream =
            lines.get(*line).is_some_and(|l| visible(l).contains("_analyze") || visible(l).contains("-analyze"));
        let is_right = rest.is_some_and(|r| r.starts_with(' ') || may_stream && is_stream(reply));
        assert!(is_right, "line {line}, {:?}, got {reply:.200}", sent());
        assert!(!reply.contains("internal error") && !reply.contains("search failed"), "{:?}: {reply}", sent());
    }
    assert_eq!(replies.len(), ids.len(), "replies and commands");
    assert_eq!(status.code(), Some(0));

    let errors = replies[..noise].iter().filter(|r| r.starts_with('?')).count();
    assert!((noise / 10..noise * 9 / 10).contains(&errors), "{errors} of {noise} are errors: a dull test");
    let mut referee = Referee::new(5);
    let game = &replies[noise + LAST.lines().count()..replies.len() - 1];
    for (turn, reply) in game.iter().enumerate() {
        let vertex = reply.split_once(' ').map_or("", |(_, vertex)| vertex);
        assert!(referee.play(Color::BOTH[turn % 2], vertex), "move {turn}: {reply}");
        if referee.passes() == 2 {
            break;
        }
    }
    assert_eq!(referee.passes(), 2, "the game came to an end");
    assert!(peak.is_none_or(|most| most < MOST_MEMORY), "{peak:?} MB");
    peak
}

#[test]
fn a_command_cut_off_by_the_end_of_the_input_is_answered() {
    for input in ["name", "12 name", "genmov", "boardsize 5\r\nname\r", "\0name"] {
        let mut moku = Moku::start(&["--seed", "1"]);
        moku.send(input);
        moku.close_input();
        let output = moku.rest();
        assert_eq!(replies(&output).len(), input.lines().count(), "{input:?}");
        assert!(moku.exit(SOON).success());
    }
}

/// Lines for a manager of five in a row, of which few make sense.
#[test]
fn a_manager_that_babbles_gets_only_answers_of_the_protocol() {
    let mut rng = XorShift(0x1234_5678_9abc_def1);
    let words = [
        "START",
        "RECTSTART",
        "RESTART",
        "BEGIN",
        "TURN",
        "BOARD",
        "DONE",
        "TAKEBACK",
        "PLAY",
        "INFO",
        "ABOUT",
        "SWAP2BOARD",
        "YXNBEST",
        "STOP",
        "SUGGEST",
        "5",
        "15",
        "20",
        "0,0",
        "7,7",
        "3,4,1",
        "4,4,2",
        "9,9,3",
        "-1,5",
        "99,99",
        "rule",
        "timeout_turn",
        "max_memory",
        "time_left",
        "1",
        "0",
        "2147483647",
        "evaluate",
        "folder",
        "\u{e9}",
        "x,y",
        ",",
    ];
    let mut input = b"INFO timeout_turn 5\nSTART 10\n".to_vec();
    for i in 0..length(20_000) {
        let mut line: Vec<u8> =
            (0..=rng.below(3)).flat_map(|_| format!("{} ", rng.pick(&words)).into_bytes()).collect();
        if rng.one_in(5) {
            mangle(&mut line, &mut rng);
        }
        line.retain(|&b| b != b'\n');
        if !String::from_utf8_lossy(&line).trim().to_ascii_uppercase().starts_with("END") {
            input.extend([&line[..], b"\r\n"].concat());
        }
        if i % 50 == 0 {
            input.extend(b"INFO timeout_turn 5\nINFO time_left 100000\n");
        }
    }
    input.extend(b"INFO timeout_turn 20\nINFO rule 0\nSTART 15\nBEGIN\nEND\n");
    let mut command = moku(&["--protocol", "gomocup", "--seed", "1", "--threads", "1"]);
    command.env("RUST_LOG", "off");
    let (output, status) = converse(command, input);
    assert_eq!(status.code(), Some(0));
    let is_point = |line: &str| {
        line.split_once(',').is_some_and(|(x, y)| [x, y].iter().all(|n| n.parse::<u8>().is_ok_and(|n| n < 25)))
    };
    for line in output.lines() {
        let is_known = ["OK", "ERROR ", "UNKNOWN", "MESSAGE ", "DEBUG ", "name=", "SWAP", "SUGGEST "]
            .iter()
            .any(|w| line.starts_with(w));
        assert!(is_known || line.split(' ').all(is_point), "{line:?}");
        assert!(!line.contains("internal error"), "{line:?}");
    }
    let last: Vec<&str> = output.lines().rev().take(2).collect();
    assert!(is_point(last[0]) && last[1] == "OK", "{last:?}");
}

/// Queries that were whole once, for the analysis protocol.
#[test]
fn queries_of_any_kind_get_answers_that_are_json() {
    let mut rng = XorShift(0xfeed_5678_9abc_def1);
    let values = [
        "1",
        "0",
        "-1",
        "2.5",
        "1e400",
        "true",
        "null",
        "\"B\"",
        "\"C3\"",
        "[]",
        "{}",
        "[[]]",
        "\"pass\"",
        "\"chinese\"",
        "[[\"B\",\"C3\"]]",
        "[[\"B\",\"C3\"],[\"W\",\"C3\"]]",
        "[0,1]",
        "{\"maxTime\":0.01}",
        "\"(2,2)\"",
        "5",
        "\"\"",
        "[{\"player\":\"B\",\"moves\":[\"A1\"],\"untilDepth\":1}]",
        "18446744073709551616",
        "\"terminate\"",
    ];
    let fields = [
        "id",
        "moves",
        "initialStones",
        "initialPlayer",
        "rules",
        "komi",
        "boardXSize",
        "boardYSize",
        "analyzeTurns",
        "maxVisits",
        "includeOwnership",
        "includePolicy",
        "includePVVisits",
        "avoidMoves",
        "allowMoves",
        "overrideSettings",
        "reportDuringSearchEvery",
        "priority",
        "priorities",
        "action",
        "terminateId",
        "turnNumbers",
        "nonsense",
    ];
    let mut input = Vec::new();
    for _ in 0..length(5_000) {
        let mut line = String::from(
            "{\"id\":\"q\",\"moves\":[[\"B\",\"C3\"]],\"rules\":\"chinese\",\"komi\":7.5,\"boardXSize\":5,\"boardYSize\":5",
        );
        // A field that comes twice counts as it came last.
        for _ in 0..rng.below(3) {
            line += &format!(",\"{}\":{}", rng.pick(&fields), rng.pick(&values));
        }
        let mut line = (line + "}").into_bytes();
        if rng.one_in(4) {
            mangle(&mut line, &mut rng);
        }
        line.retain(|&b| b != b'\n');
        input.extend([&line[..], b"\n"].concat());
    }
    let nested = ["[".repeat(LONG), "{\"id\":".repeat(LONG / 8), format!("{{\"id\":\"{}\"}}", "x".repeat(LONG))];
    nested.iter().for_each(|line| input.extend(format!("{line}\n").into_bytes()));
    input
        .extend(b"{\"id\":\"last\",\"moves\":[],\"rules\":\"chinese\",\"komi\":7,\"boardXSize\":5,\"boardYSize\":5}\n");
    let mut command = moku(&["analysis", "--seed", "1", "--visits", "5", "--jobs", "2"]);
    command.env("RUST_LOG", "off");
    let (output, status) = converse(command, input);
    assert_eq!(status.code(), Some(0));
    let mut has_last = false;
    for line in output.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line:.200}"));
        assert!(!line.contains("internal error") && !line.contains("search failed"), "{line:.300}");
        let is_known = ["error", "warning", "action", "turnNumber"].iter().any(|key| !value[key].is_null());
        assert!(is_known, "{line:.200}");
        has_last |= value["id"] == "last" && value["moveInfos"].is_array();
    }
    assert!(has_last, "it goes on to the end");
}
