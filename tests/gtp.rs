//! What front ends rely on, tested from outside: the program behind pipes.

mod common;

use common::{Moku, Referee, SOON, converse, is_stream, moku, replies};
use moku::base::Color;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Small, quick and always the same.
const QUICK: &[&str] = &["--seed", "1", "--threads", "1", "--engine", "uct playouts=50"];

// ---- golden transcripts

/// A line to send and the reply to it, if it gets one.
struct Exchange {
    line: usize,
    sent: Vec<u8>,
    expected: Vec<String>,
}

/// `gtp-tests/*.gtp`:
///
/// - `# ...` is a remark; empty lines separate;
/// - `> ...` is sent; `\r`, `\t`, `\0`, `\xNN` and `\\` in it mean what they do in Rust;
/// - the lines after it are the reply; there is none if there are no lines;
/// - a line that ends in `*` stands for any line with that beginning, and as the last line for any further lines too;
/// - `=` or `?`, with or without an id, is a reply without text (the blank that belongs there is not written);
/// - `~`, with or without an id, is a stream with any number of lines, `~ play *` one that ends with a move.
fn transcript(path: &Path) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for (i, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
        let place = || format!("{}:{}", path.display(), i + 1);
        if let Some(text) = line.strip_prefix('>') {
            let text = text.strip_prefix(' ').unwrap_or(text);
            exchanges.push(Exchange { line: i + 1, sent: unescape(text), expected: Vec::new() });
        } else if !line.is_empty() && !line.starts_with("# ") {
            let last = exchanges.last_mut().unwrap_or_else(|| panic!("{}: a reply to nothing", place()));
            last.expected.push(line.to_string());
        }
    }
    exchanges
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes().iter().copied();
    while let Some(b) = rest.next() {
        bytes.push(match (b, if b == b'\\' { rest.next() } else { None }) {
            (b'\\', Some(b'r')) => b'\r',
            (b'\\', Some(b't')) => b'\t',
            (b'\\', Some(b'0')) => 0,
            (b'\\', Some(b'x')) => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                u8::from_str_radix(&digits, 16).expect("two hexadecimal digits after \\x")
            }
            (b'\\', _) => b'\\',
            (b, _) => b,
        });
    }
    bytes.push(b'\n');
    bytes
}

fn fits(expected: &[String], reply: &str) -> bool {
    if let [line] = expected
        && let Some(rest) = line.strip_prefix('~')
    {
        let (id, ends_with_move) = rest.strip_suffix(" play *").map_or((rest, false), |id| (id, true));
        let last = reply.lines().last().unwrap_or_default();
        return is_stream(reply)
            && reply.lines().next() == Some(&format!("={id}"))
            && last.starts_with("play ") == ends_with_move;
    }
    let mut lines = reply.split('\n');
    for (i, wanted) in expected.iter().enumerate() {
        let Some(line) = lines.next() else { return false };
        let fits = match wanted.strip_suffix('*') {
            Some(beginning) => line.starts_with(beginning),
            None if i == 0 && !wanted.contains(' ') => line.strip_suffix(' ') == Some(wanted),
            None => line == wanted,
        };
        if !fits {
            return false;
        }
    }
    lines.next().is_none() || expected.last().is_some_and(|last| last.ends_with('*'))
}

#[test]
fn golden_transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gtp-tests");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "gtp"));
    files.sort();
    assert!(files.len() >= 8, "only {} transcripts", files.len());
    let mut wrong = Vec::new();
    for file in &files {
        let exchanges = transcript(file);
        let input = exchanges.iter().flat_map(|e| e.sent.clone()).collect();
        let (output, status) = converse(moku(QUICK), input);
        assert!(status.success(), "{}: {status}", file.display());
        let answered: Vec<&Exchange> = exchanges.iter().filter(|e| !e.expected.is_empty()).collect();
        let replies = replies(&output);
        for (exchange, reply) in answered.iter().zip(&replies) {
            if !fits(&exchange.expected, reply) {
                let place = format!("{}:{}", file.file_name().unwrap().display(), exchange.line);
                let sent = String::from_utf8_lossy(&exchange.sent);
                let expected = exchange.expected.join("\n");
                wrong.push(format!("{place}: {sent}expected\n{expected}\ngot\n{reply}\n"));
            }
        }
        if answered.len() != replies.len() {
            wrong.push(format!("{}: {} replies, not {}", file.display(), replies.len(), answered.len()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

// ---- order, interruption, the end

#[test]
fn a_burst_of_hundreds_of_commands_is_answered_in_order() {
    let mut input = String::from("1 boardsize 9\n");
    for id in 2..=600 {
        let command = match id % 5 {
            0 => "genmove b",
            1 => "undo",
            2 => "protocol_version",
            3 => "no_such_command",
            _ => "showboard",
        };
        input += &format!("{id} {command}\n");
    }
    let (output, status) = converse(moku(QUICK), input.into_bytes());
    assert!(status.success());
    let replies = replies(&output);
    assert_eq!(replies.len(), 600);
    for (i, reply) in replies.iter().enumerate() {
        let id = i + 1;
        let sign = if id % 5 == 3 { '?' } else { '=' };
        assert!(reply.starts_with(&format!("{sign}{id} ")), "reply {id} is {reply}");
    }
}

#[test]
fn lines_that_come_during_a_search_wait_for_it_and_an_interrupt_ends_it_with_a_legal_move() {
    let mut moku = Moku::start(&["--size", "9", "--engine", "uct time=600"]);
    assert_eq!(moku.ask("gogui-interrupt"), "");
    moku.send("7 genmove b\n8 protocol_version\n");
    std::thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    moku.send("# interrupt\n");
    let reply = moku.reply();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    let vertex = reply.strip_prefix("=7 ").unwrap();
    assert!(Referee::new(9).play(Color::Black, vertex), "{vertex}");
    assert_eq!(moku.reply(), "=8 2");
    // An old interrupt does not end later searches.
    moku.ask("engine uct time=0.5");
    let began = Instant::now();
    moku.ask("genmove w");
    assert!(began.elapsed() > Duration::from_millis(400));
    moku.ask("undo");
    moku.ask("undo");
    assert_eq!(moku.ask("quit"), "");
    assert!(moku.exit(SOON).success());
}

#[test]
fn quit_is_answered_ends_the_program_at_once_and_leaves_the_rest_of_the_queue() {
    let mut moku = Moku::start(&["--size", "9", "--ponder", "--engine", "tree-uct time=0.2"]);
    moku.send("1 genmove b\n2 quit\n3 name\n4 genmove w\n");
    assert!(moku.reply().starts_with("=1 "));
    assert_eq!(moku.reply(), "=2 ");
    assert_eq!(moku.rest(), "");
    assert!(moku.exit(SOON).success());
}

#[test]
fn the_end_of_the_input_ends_the_program_after_the_last_answer() {
    for input in ["", "name", "1 genmove b\n2 name\n"] {
        let (output, status) = converse(moku(QUICK), input.as_bytes().to_vec());
        assert_eq!(status.code(), Some(0));
        assert_eq!(replies(&output).len(), input.lines().count(), "{input:?}");
    }
}

// ---- moves

fn moves_of_a_game(engine: &str, size: usize, seed: &str) -> Vec<String> {
    let mut moku = Moku::start(&["--seed", seed, "--threads", "1", "--engine", engine]);
    moku.ask(&format!("boardsize {size}"));
    ["b", "w"].iter().cycle().take(16).map(|color| moku.ask(&format!("genmove {color}"))).collect()
}

#[test]
fn the_same_seed_plays_the_same_moves() {
    for engine in ["uct playouts=200", "tree-uct playouts=200", "mc playouts=400", "mc each=3"] {
        for size in [9, 13] {
            let first = moves_of_a_game(engine, size, "5");
            assert_eq!(first, moves_of_a_game(engine, size, "5"), "{engine} on {size}x{size}");
            assert_ne!(first, moves_of_a_game(engine, size, "6"), "another seed, {engine} on {size}x{size}");
        }
    }
}

#[test]
fn reg_genmove_repeats_itself_and_leaves_the_game_alone() {
    for engine in ["uct playouts=300", "tree-uct playouts=300", "mc playouts=300"] {
        let mut moku = Moku::start(&["--seed", "3", "--threads", "1", "--size", "9", "--engine", engine]);
        moku.ask("play b e5");
        let before = (moku.ask("showboard"), moku.ask("printsgf"));
        let answers: Vec<String> = (0..4).map(|_| moku.ask("reg_genmove w")).collect();
        assert!(answers.iter().all(|a| *a == answers[0]), "{engine}: {answers:?}");
        assert_eq!(before, (moku.ask("showboard"), moku.ask("printsgf")));
        moku.ask("undo");
        moku.send("undo\n");
        assert_eq!(moku.reply(), "? cannot undo");
    }
}

#[test]
fn genmove_answers_for_either_colour_at_any_time_on_any_board() {
    for size in [2, 3, 5, 25] {
        for engine in ["uct playouts=30", "mc playouts=30", "uct playouts=30 end=fill"] {
            let mut moku = Moku::start(&["--seed", "1", "--no-resign", "--engine", engine]);
            moku.ask(&format!("boardsize {size}"));
            let mut referee = Referee::new(size);
            // One colour twice, moves after two passes, and a colour that just passed.
            for word in ["b", "b", "w", "b pass", "w pass", "b", "w", "w", "b pass", "b pass", "w", "b", "w pass", "w"]
            {
                let color = if word.starts_with('b') { Color::Black } else { Color::White };
                let vertex = if word.ends_with("pass") {
                    moku.ask(&format!("play {word}"));
                    "pass".to_string()
                } else {
                    moku.ask(&format!("genmove {word}"))
                };
                assert!(referee.play(color, &vertex), "{engine} on {size}x{size}: {word} {vertex}");
            }
        }
    }
}

#[test]
fn a_move_asked_for_after_two_passes_is_searched() {
    let mut moku = Moku::start(&["--seed", "1", "--threads", "1", "--size", "5", "--engine", "uct playouts=2000"]);
    for command in ["play b pass", "play w pass", "genmove b"] {
        moku.ask(command);
    }
    let thought = moku.ask("gomill-explain_last_move");
    assert!(thought.contains(" 2000 made") && !thought.contains(" in 0 playouts"), "{thought}");
}

#[test]
fn what_a_clean_up_leaves_is_alive_until_the_board_changes() {
    // White's stone on B8 is dead, and not White's to take.
    let board = [
        ". . . X O . O . .",
        ". O . X O O . O .",
        ". . . X O . O O O",
        ". . . X O O . O .",
        "X X X X O . O O O",
        "X . X X O O O . O",
        "X X X O O . O O O",
        ". X . X O O O . O",
        "X X X X O . O O O",
    ];
    let mut moku = Moku::start(&["--size", "9", "--engine", "uct playouts=300", "--seed", "1", "--threads", "1"]);
    let mut stones = String::new();
    for (row, line) in board.iter().enumerate() {
        for (column, stone) in line.split(' ').enumerate() {
            let color = match stone {
                "X" => "b",
                "O" => "w",
                _ => continue,
            };
            stones += &format!(" {color} {}{}", &"ABCDEFGHJ"[column..=column], 9 - row);
        }
    }
    moku.ask("komi 0.5");
    moku.ask(&format!("gogui-setup{stones}"));
    assert_eq!(moku.ask("final_status_list dead"), "B8");
    for _ in 0..20 {
        moku.ask("play b pass");
        if moku.ask("kgs-genmove_cleanup w") == "pass" {
            break;
        }
    }
    let before = moku.ask("final_status_list alive");
    assert_eq!(moku.ask("final_status_list dead"), "");
    assert!(before.contains("B8"), "{before}");
    moku.ask("play b C9");
    assert_eq!(moku.ask("final_status_list dead"), "B8");
}

#[test]
fn a_resignation_is_no_move() {
    let mut moku = Moku::start(&["--seed", "1", "--threads", "1", "--size", "5", "--engine", "uct playouts=100"]);
    // No move can make up for this komi, and the opening is over.
    moku.ask("komi -1000");
    moku.ask("gogui-play_sequence b c3 w c4 b d4 w b3 b b4 w b2 b c5");
    for _ in 0..4 {
        let before = moku.ask("printsgf");
        if moku.ask("genmove w") == "resign" {
            assert_eq!(moku.ask("printsgf"), before);
            moku.ask("undo");
            let stones = |sgf: &str| (sgf.matches("B[").count(), sgf.matches("W[").count());
            let (black, white) = stones(&before);
            assert_eq!(stones(&moku.ask("printsgf")), (black - 1, white), "undo takes back the last real move");
            return;
        }
        moku.ask("play b pass");
    }
    panic!("no resignation in a lost game");
}

#[test]
fn no_engine_ever_plays_an_illegal_move_even_where_superko_bites() {
    let mut moves = 0;
    for size in 2..=5 {
        for engine in ["uct playouts=20 end=fill", "tree-uct playouts=40 end=fill", "mc playouts=20 end=fill"] {
            for seed in ["1", "2", "3"] {
                let mut moku = Moku::start(&["--seed", seed, "--threads", "1", "--engine", engine]);
                moku.ask(&format!("boardsize {size}"));
                let mut referee = Referee::new(size);
                for turn in 0..200 {
                    let color = Color::BOTH[turn % 2];
                    let vertex = moku.ask(&format!("genmove {color}"));
                    assert!(
                        referee.play(color, &vertex),
                        "{engine}, seed {seed}, {size}x{size}, move {turn}: {vertex}"
                    );
                    moves += 1;
                    if referee.passes() == 2 {
                        break;
                    }
                }
            }
        }
    }
    assert!(moves > 500, "only {moves} moves were played");
}
