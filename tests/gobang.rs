//! Gobang from outside: a copy that GoGui asks for rules only, games over GTP, and the Gomocup protocol.

mod common;

use common::Moku;
use moku::base::{Black, Color, Point, Size, White};
use moku::game::gobang::{Rule, SlowGobang};
use std::time::{Duration, Instant};

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
    assert!(moku.exit(Duration::from_secs(1)).success());
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
    assert!(manager.ask("SWAP2BOARD").starts_with("UNKNOWN"));
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
    manager.say("BOARD");
    assert!(manager.ask("5,5,7").starts_with("ERROR"));
    manager.say("BOARD");
    manager.say("5,5,1");
    manager.say("5,5,2");
    assert!(manager.ask("DONE").starts_with("ERROR"), "two stones on one point");
    assert_eq!(manager.ask("RESTART"), "OK");
    manager.say("END");
    assert!(manager.0.exit(Duration::from_millis(500)).success());
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
        // Generous, for busy machines: the protocol's tolerance is a second.
        assert!(used < 250 + 1000, "{used} ms");
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
    assert!(manager.0.exit(Duration::from_millis(1000)).success());
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
    assert!(manager.0.exit(Duration::from_millis(1000)).success());
}
