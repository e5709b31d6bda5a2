//! Gobang from outside: a copy that GoGui asks for rules only, games over GTP, and the Gomocup protocol.

mod common;

use common::Moku;
use moku::base::{Black, Color, Point, Size, White};
use moku::game::gobang::{Rule, SlowGobang};
use std::time::{Duration, Instant};

/// At once, on a machine that may be very busy.
const SOON: Duration = Duration::from_secs(10);

#[test]
fn a_copy_that_is_only_asked_for_rules_follows_a_game() {
    // What GoGui sends after each move: the whole game again, and the last move twice.
    let mut moku = Moku::start(&["--game", "gobang", "--size", "15"]);
    let listed = moku.ask("list_commands");
    for name in ["game_id", "board_size", "board", "legal_moves", "side_to_move", "final_result"] {
        assert!(listed.lines().any(|line| line == format!("gogui-rules_{name}")), "{name}");
    }
    assert_eq!(moku.ask("gogui-rules_board_size"), "15");
    let moves = ["b h8", "w h9", "b j8", "w h10", "b k8", "w h11", "b l8", "w h12", "b g8"];
    for n in 0..=moves.len() {
        moku.ask("clear_board");
        for command in &moves[..n] {
            moku.ask(&format!("play {command}"));
        }
        if let Some(last) = moves[..n].last() {
            moku.send(&format!("play {last}\n"));
            assert!(moku.reply().starts_with("? illegal move"), "the same move twice");
        }
        let is_over = n == moves.len();
        assert_eq!(moku.ask("gogui-rules_side_to_move"), if n % 2 == 0 { "black" } else { "white" });
        let legal = moku.ask("gogui-rules_legal_moves");
        assert_eq!(legal.split_whitespace().count(), if is_over { 0 } else { 225 - n });
        let board = moku.ask("gogui-rules_board");
        assert_eq!(board.matches(['X', 'O']).count(), n);
    }
    assert_eq!(moku.ask("gogui-rules_final_result"), "Black wins: five in a row");
    moku.send("quit\n");
    assert!(moku.exit(SOON).success());
}

/// Plays a game of moku against itself over GTP by the conventions of gogui-twogtp; who won, if anybody.
fn self_play(args: &[&str], rule: Rule, n: usize) -> (Option<Color>, usize) {
    let mut players = [Moku::start(args), Moku::start(args)];
    let size = Size::new(n).unwrap();
    let mut slow = SlowGobang::new(size, rule);
    let mut passes = 0;
    for turn in 0.. {
        let color = Color::BOTH[turn % 2];
        let reply = players[turn % 2].ask(&format!("genmove {color}"));
        match reply.as_str() {
            "resign" => {
                assert_eq!(slow.winner(), Some(color.opponent()), "only a lost game is resigned");
                let score = players[turn % 2].ask("final_score");
                assert_eq!(score, format!("{}+1", color.opponent().letter()));
                return (Some(color.opponent()), turn);
            }
            "pass" => {
                passes += 1;
                assert!(slow.empty_points().next().is_none(), "a pass is for a full board");
                if passes == 2 {
                    assert_eq!(players[0].ask("final_score"), "0");
                    return (None, turn);
                }
            }
            vertex => {
                let point = size.point_from_gtp(vertex).unwrap();
                assert!(slow.at(point).is_none() && slow.winner().is_none(), "{vertex} is no move");
                slow.set(point, Some(color));
            }
        }
        players[1 - turn % 2].ask(&format!("play {color} {reply}"));
    }
    unreachable!("a board fills up")
}

#[test]
fn games_end_by_the_loser_s_resignation_or_two_passes_on_a_full_board() {
    let mut won = 0;
    for (seed, engine) in [("1", "gobang playouts=150"), ("2", "shot playouts=300"), ("3", "mc playouts=300")] {
        let args = ["--game", "gobang", "--size", "9", "--seed", seed, "--threads", "1", "--engine", engine];
        won += usize::from(self_play(&args, Rule::Exact, 9).0.is_some());
    }
    assert!(won > 0);
    let full = ["--game", "gobang", "--size", "5", "--seed", "1", "--threads", "1", "--engine", "gobang playouts=300"];
    assert_eq!(self_play(&full, Rule::Exact, 5), (None, 26), "nobody wins on 5x5 against good play");
}

#[test]
fn a_shown_win_is_played_out_in_as_many_moves_as_were_shown() {
    let picture = "
        . . . . . . . . .
        . O . . . X . X .
        . . O . O . . O .
        . O . O X . X . .
        . . X O X . X . .
        . O . . . X . O .
        . . O X X . . . .
        . . . . . . X . .
        . . . . . . . . .";
    let start = SlowGobang::from_picture(picture, Rule::Exact);
    let stones = start.stones().into_iter().map(|(p, color)| format!("{color} {}", start.size.point_to_gtp(p)));
    let setup = format!("set_position {}", stones.collect::<Vec<_>>().join(" "));
    let args = ["--game", "gobang", "--size", "9", "--threads", "1", "--engine", "gobang playouts=300"];
    let mut moku = Moku::start(&args);
    // Black stops what can be stopped, at the first point or the last, or does not care.
    for defence in 0..3 {
        moku.ask(&setup);
        let mut slow = start.clone();
        for left in (1..=3).rev() {
            let point = slow.size.point_from_gtp(&moku.ask("genmove w")).unwrap();
            let thought = moku.ask("gomill-explain_last_move");
            assert!(defence == 2 || thought.contains(&format!("(proven win in {left})")), "{thought}");
            slow.set(point, Some(White));
            if slow.is_won_at(point) {
                break;
            }
            let threats = slow.winning_points(White);
            let answer = match defence {
                0 => threats.first().copied(),
                1 => threats.last().copied(),
                _ => slow.empty_points().find(|p| !threats.contains(p)),
            };
            let answer = answer.expect("a win by fours");
            slow.set(answer, Some(Black));
            moku.ask(&format!("play b {}", slow.size.point_to_gtp(answer)));
        }
        assert_eq!(slow.winner(), Some(White), "defence {defence}");
    }
}

#[test]
fn live_analysis_says_in_how_many_moves_a_win_is_proven_and_shows_it_to_its_end() {
    let mut moku =
        Moku::start(&["--game", "gobang", "--size", "15", "--threads", "1", "--engine", "gobang playouts=200"]);
    // A four and an open three at once; White has nothing.
    moku.ask("set_position b h8 w a1 b j8 w a3 b h9 w a15 b j10 w p1");
    for (command, won) in [("kata-analyze b 5", "winrate 1.000000"), ("lz-analyze b 5", "winrate 10000")] {
        moku.send(&format!("{command}\n"));
        assert_eq!(moku.line(), "=");
        let line = moku.line();
        let best = line.split("info ").nth(1).unwrap();
        assert!(best.contains(won) && best.contains(" proven win-in-3 order 0 pv "), "{best}");
        let moves = best.split(" pv ").nth(1).unwrap().split_whitespace().count();
        assert_eq!(moves, 5, "{best}");
        // Every key has one value before the moves begin.
        assert_eq!(best.split(" pv ").next().unwrap().split_whitespace().count() % 2, 0, "{best}");
        moku.send("\n");
        assert_eq!(moku.line(), "");
    }
}

// ---- Gomocup

struct Manager(Moku);

impl Manager {
    fn start(args: &[&str]) -> Manager {
        let args = [&["--protocol", "gomocup", "--seed", "1", "--threads", "1"], args].concat();
        Manager(Moku::start(&args))
    }

    fn say(&mut self, line: &str) {
        self.0.send(&format!("{line}\r\n"));
    }

    fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.0.line().trim_end().to_string()
    }

    fn point(size: Size, text: &str) -> Point {
        let (x, y) = text.split_once(',').unwrap_or_else(|| panic!("'{text}' is no move"));
        size.point(x.parse().unwrap(), y.parse().unwrap())
    }
}

#[test]
fn gomocup_commands_get_what_the_protocol_says() {
    let mut manager = Manager::start(&["--engine", "gobang playouts=50"]);
    assert!(manager.ask("ABOUT").starts_with("name=\"moku\", version=\""));
    assert!(manager.ask("TURN 1,1").starts_with("ERROR"), "nothing is started");
    assert!(manager.ask("START 3").starts_with("ERROR"));
    assert!(manager.ask("START x").starts_with("ERROR"));
    assert!(manager.ask("RECTSTART 10,20").starts_with("ERROR"));
    assert_eq!(manager.ask("START 20"), "OK");
    // None of these is answered.
    for info in [
        "timeout_turn 1000",
        "timeout_match 0",
        "max_memory 0",
        "game_type 1",
        "rule 1",
        "folder C:\\x",
        "evaluate 3,4",
        "unheard of",
        "time_left 2147483647",
        "",
        "rule x",
    ] {
        manager.say(&format!("INFO {info}"));
    }
    assert_eq!(manager.ask("BEGIN"), "10,10");
    assert!(manager.ask("BEGIN").starts_with("ERROR"));
    assert!(manager.ask("TURN 10,10").starts_with("ERROR"), "the point is taken");
    assert!(manager.ask("TURN 20,0").starts_with("ERROR"));
    assert!(manager.ask("TURN 1").starts_with("ERROR"));
    assert!(manager.ask("what is this").starts_with("UNKNOWN"));
    let answer = manager.ask("turn 10,11");
    let size = Size::new(20).unwrap();
    Manager::point(size, &answer);
    assert!(manager.ask("TAKEBACK 0,0").starts_with("ERROR"));
    assert_eq!(manager.ask(&format!("TAKEBACK {answer}")), "OK");
    assert_eq!(manager.ask("TAKEBACK 10,11"), "OK");
    assert_eq!(manager.ask("PLAY 10,12"), "10,12");
    assert_eq!(manager.ask("RESTART"), "OK");
    // A position: moku (1) has four in a row and the move.
    manager.say("BOARD");
    for stone in ["5,5,1", "5,6,2", "6,5,1", "6,6,2", "7,5,1", "7,6,2", "8,5,1", "15,15,2"] {
        manager.say(stone);
    }
    assert!(["4,5", "9,5"].contains(&manager.ask("DONE").as_str()));
    // However much is wrong with a position, one line answers it.
    for stones in [&["5,5,7", "5,5", "6,6,1"][..], &["5,5,1", "5,5,2"], &["20,20,1"]] {
        manager.say("BOARD");
        stones.iter().for_each(|stone| manager.say(stone));
        assert!(manager.ask("DONE").starts_with("ERROR"), "{stones:?}");
    }
    manager.say("BOARD");
    manager.say("5,5,1");
    assert_eq!(manager.ask("RESTART"), "OK", "a position is given up by any other command");
    manager.say("BOARD");
    manager.say("END");
    assert!(manager.0.exit(SOON).success());
}

#[test]
fn gomocup_openings_by_swapping_get_one_answer_of_the_right_kind() {
    let mut manager = Manager::start(&["--engine", "gobang playouts=100"]);
    assert!(manager.ask("SUGGEST").starts_with("ERROR"), "nothing is started");
    manager.say("INFO rule 1");
    assert_eq!(manager.ask("START 15"), "OK");
    let size = Size::new(15).unwrap();
    let mut swap2 = |stones: &[&str]| {
        manager.say("SWAP2BOARD");
        stones.iter().for_each(|stone| manager.say(stone));
        manager.ask("DONE")
    };
    let first = swap2(&[]);
    let stones: Vec<&str> = first.split(' ').collect();
    assert_eq!(stones.iter().map(|text| Manager::point(size, text)).collect::<Vec<_>>().len(), 3);
    let chooses = swap2(&stones);
    assert!(chooses == "SWAP" || chooses.split(' ').all(|text| !stones.contains(&text)), "{chooses}");
    // White has a stone in the corner and no more: whoever chooses takes Black.
    assert_eq!(swap2(&["7,7", "0,0", "7,8"]), "SWAP");
    let five = swap2(&["7,7", "0,0", "7,8", "14,0", "7,9"]);
    assert_eq!(five, "SWAP", "White is to move and loses");
    for wrong in [&["7,7"][..], &["7,7", "7,7", "8,8"], &["15,15", "1,1", "2,2"]] {
        assert!(swap2(wrong).starts_with("ERROR"), "{wrong:?}");
    }
    assert_eq!(manager.ask("RESTART"), "OK");
    let suggested = manager.ask("SUGGEST");
    assert_eq!(suggested, "SUGGEST 7,7");
    assert_eq!(manager.ask("PLAY 7,7"), "7,7");
}

#[test]
fn gomocup_is_found_by_the_name_of_the_program() {
    let link = std::env::temp_dir().join(format!("pbrain-moku-{}", std::process::id()));
    let _ = std::fs::remove_file(&link);
    if std::fs::hard_link(env!("CARGO_BIN_EXE_moku"), &link).is_err() {
        std::fs::copy(env!("CARGO_BIN_EXE_moku"), &link).unwrap();
    }
    let mut child = std::process::Command::new(&link)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"START 15\r\nEND\r\n").unwrap();
    let output = child.wait_with_output().unwrap();
    std::fs::remove_file(&link).unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "OK\r\n");
}

#[test]
fn gomocup_positions_come_in_any_order() {
    let mut manager = Manager::start(&["--engine", "gobang playouts=50"]);
    manager.say("INFO rule 1");
    assert_eq!(manager.ask("START 15"), "OK");
    // A row of six, which is nothing: stone by stone from the left there is a five on the way.
    manager.say("BOARD");
    for stone in (3..9).map(|x| format!("{x},7,1")).chain((3..9).map(|x| format!("{},{},2", x, x % 2 * 9))) {
        manager.say(&stone);
    }
    let size = Size::new(15).unwrap();
    Manager::point(size, &manager.ask("DONE"));
    // One that a game can have come to is taken back stone by stone.
    manager.say("BOARD");
    manager.say("7,7,2");
    let answer = manager.ask("DONE");
    assert_eq!(manager.ask(&format!("TAKEBACK {answer}")), "OK");
    assert_eq!(manager.ask("TAKEBACK 7,7"), "OK");
    assert!(manager.ask("TAKEBACK 7,7").starts_with("ERROR"));
}

#[test]
fn gomocup_end_does_not_wait_for_a_move() {
    let mut manager = Manager::start(&[]);
    manager.say("INFO timeout_turn 600000");
    assert_eq!(manager.ask("START 15"), "OK");
    manager.say("TURN 7,7");
    std::thread::sleep(Duration::from_millis(300));
    manager.say("END");
    assert!(manager.0.exit(SOON).success());
}

#[test]
fn gomocup_rules_decide_what_six_in_a_row_is() {
    for (rule, stops) in [("0", true), ("1", false)] {
        let mut manager = Manager::start(&["--engine", "gobang playouts=200"]);
        manager.say(&format!("INFO rule {rule}"));
        assert_eq!(manager.ask("START 10"), "OK");
        manager.say("BOARD");
        // The opponent has three and two with a gap between: filling it makes six.
        for stone in ["1,4,2", "2,4,2", "3,4,2", "5,4,2", "6,4,2", "1,1,1", "2,8,1", "5,9,1", "8,1,1", "0,9,1"] {
            manager.say(stone);
        }
        let answer = manager.ask("DONE");
        assert_eq!(answer == "4,4", stops, "rule {rule}: {answer}");
    }
}

#[test]
fn gomocup_rules_change_with_the_next_game_and_unknown_ones_are_refused() {
    let mut manager = Manager::start(&["--engine", "gobang playouts=20"]);
    assert_eq!(manager.ask("START 10"), "OK");
    manager.say("INFO rule 1");
    // Black's row becomes six, not five: the game goes on, also when another rule is named in its middle.
    for x in [0, 1, 2, 4, 5] {
        assert_eq!(manager.ask(&format!("PLAY {x},0")), format!("{x},0"));
        assert_eq!(manager.ask(&format!("PLAY {x},9")), format!("{x},9"));
    }
    manager.say("INFO rule 0");
    assert_eq!(manager.ask("PLAY 3,0"), "3,0");
    assert_eq!(manager.ask("PLAY 9,9"), "9,9");
    assert_eq!(manager.ask("RESTART"), "OK");
    for x in [0, 1, 2, 4, 5] {
        manager.ask(&format!("PLAY {x},0"));
        manager.ask(&format!("PLAY {x},9"));
    }
    assert_eq!(manager.ask("PLAY 3,0"), "3,0");
    assert!(manager.ask("PLAY 9,9").contains("the game is over"), "six win now");
    manager.say("INFO rule 4");
    assert_eq!(manager.ask("RESTART"), "OK");
    assert!(manager.ask("BEGIN").starts_with("ERROR moku plays by rule 0"));
    manager.say("INFO rule 1");
    assert_eq!(manager.ask("BEGIN"), "5,5");
}

#[test]
fn gomocup_moves_come_in_time() {
    let mut manager = Manager::start(&[]);
    for info in ["timeout_turn 250", "timeout_match 3000", "max_memory 50000000", "rule 1"] {
        manager.say(&format!("INFO {info}"));
    }
    assert_eq!(manager.ask("START 15"), "OK");
    let size = Size::new(15).unwrap();
    let mut slow = SlowGobang::new(size, Rule::Exact);
    let (mut reply, mut left) = (String::new(), 3_000i64);
    for turn in 0..12 {
        manager.say(&format!("INFO time_left {left}"));
        let began = Instant::now();
        reply = match turn {
            0 => manager.ask("BEGIN"),
            _ => {
                let p = slow.empty_points().nth(turn * 17).unwrap();
                slow.set(p, Some(White));
                let (x, y) = size.xy(p);
                manager.ask(&format!("TURN {x},{y}"))
            }
        };
        let used = began.elapsed().as_millis() as i64;
        // A limit that is not kept to means half a minute; a busy machine may take seconds.
        assert!(used < 10_000, "{used} ms");
        left -= used;
        let p = Manager::point(size, &reply);
        assert_eq!(slow.at(p), None);
        slow.set(p, Some(Black));
        if slow.winner().is_some() {
            break;
        }
    }
    assert!(!reply.is_empty());
    manager.say("END");
    assert!(manager.0.exit(SOON).success());
}

#[test]
fn gomocup_survives_whatever_it_reads() {
    let mut manager = Manager::start(&["--engine", "gobang playouts=20"]);
    for line in [
        "\u{0}\u{1}",
        "START",
        "START 99999999999999999999",
        "INFO",
        "INFO rule",
        "BOARD",
        "x",
        "DONE",
        "START 15",
        "TURN ,",
        "TURN -1,5",
        "TURN 1,2,3",
        "TAKEBACK",
        "TURN 5,5",
        "TURN 5,5",
    ] {
        manager.say(line);
    }
    manager.0.send("TURN \u{fffd}\n\n\n");
    manager.say("ABOUT");
    manager.say("END");
    let rest = manager.0.rest();
    assert!(rest.lines().last().is_some_and(|line| line.starts_with("name=")), "{rest}");
    assert!(manager.0.exit(SOON).success());
}
