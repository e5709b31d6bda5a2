//! What a session promises whatever the engine: memory, limits, passes.

use super::*;
use crate::game::go::SlowBoard;
use crate::search::engine::PRESETS;
use std::time::{Duration, Instant};

fn session(size: usize, engine: &str) -> Session {
    session_of(GameKind::Go, size, engine)
}

fn session_of(kind: GameKind, size: usize, engine: &str) -> Session {
    let engine = Some(engine.to_string());
    Session::new(Options { kind, size, engine, threads: 1, seed: Some(1), ..Options::default() }).unwrap()
}

fn on(picture: &str, to_play: Color, komi: f32, engine: &str) -> Session {
    let slow = SlowBoard::from_picture(picture);
    let mut session = session(slow.size.n(), engine);
    let stones: Vec<(Point, Color)> = slow.size.points().filter_map(|p| Some((p, slow.at(p)?))).collect();
    session.set_komi(komi);
    assert!(session.set_up(&stones, to_play));
    session
}

fn genmove(session: &mut Session, color: Color) -> String {
    match session.genmove(color, None, &mut |_| true).unwrap() {
        Answer::Play(p) => session.size().point_to_gtp(p),
        Answer::Resign => "resign".to_string(),
    }
}

#[test]
fn every_preset_obeys_an_interrupt_and_a_time_limit() {
    // All that think: a random move needs no playout.
    let thinking = PRESETS.iter().filter(|preset| preset.line != "random");
    let games = thinking.flat_map(|preset| preset.games().map(move |kind| (preset, kind)));
    for (preset, kind) in games {
        for threads in [1, 2] {
            let line = format!("{} playouts=0 time=60 threads={threads}", preset.name);
            let mut session = session_of(kind, 9, &line);
            // Something to think about, also in Gobang.
            session.play(White, session.size().point(4, 4)).unwrap();
            if preset.line.contains("each=") {
                session.set_engine(&format!("{} each=100000000", preset.name)).unwrap();
            }
            let began = Instant::now();
            let thought = session.think(Black, None, &mut |_| began.elapsed().as_millis() < 20).unwrap();
            assert!(thought.playouts > 0 && began.elapsed().as_secs() < 30, "{} is not interrupted", preset.name);
            session.set_engine(&format!("{} time=0.05 threads={threads}", preset.name)).unwrap();
            let began = Instant::now();
            assert!(session.think(Black, None, &mut |_| true).unwrap().playouts > 0);
            assert!(began.elapsed().as_secs() < 30, "{} does not see the time", preset.name);
        }
    }
}

/// Playouts that the next search of Black starts from.
fn inherited(session: &mut Session) -> f32 {
    let thought = session.think(Black, None, &mut |_| true).unwrap();
    thought.report.moves.iter().map(|m| m.weight - m.visits as f32).sum()
}

#[test]
fn what_is_inherited_is_forgotten_by_undo_set_up_a_new_game_size_and_komi() {
    for engine in ["inherited-mc", "inherited-ucb1", "inherited-uct root=inherit"] {
        let line = format!("{engine} playouts=500 end=fill");
        let two_plies_on = || {
            let mut session = session(9, &line);
            genmove(&mut session, Black);
            let reply = session.size().points().find(|&p| session.table().check(White, p).is_ok()).unwrap();
            session.play(White, reply).unwrap();
            (session, reply)
        };
        let (mut session, reply) = two_plies_on();
        assert!(inherited(&mut session) > 10.0, "{engine}");
        let (mut session2, _) = two_plies_on();
        session2.undo();
        session2.play(White, reply).unwrap();
        assert_eq!(inherited(&mut session2), 0.0, "{engine} after undo");
        let (mut session2, _) = two_plies_on();
        session2.set_komi(0.5);
        assert_eq!(inherited(&mut session2), 0.0, "{engine} after another komi");
        let (mut session2, _) = two_plies_on();
        assert!(session2.set_up(&[(reply, White)], Black));
        assert_eq!(inherited(&mut session2), 0.0, "{engine} after set-up");
        let (mut session2, _) = two_plies_on();
        session2.clear();
        assert_eq!(inherited(&mut session2), 0.0, "{engine} in a new game");
        let (mut session2, _) = two_plies_on();
        session2.set_size(7).unwrap();
        assert_eq!(inherited(&mut session2), 0.0, "{engine} on another size");
    }
}

const SETTLED: &str = "
    . X . X O . O . .
    X X X X O O . O .
    . . X X O . O . .
    X X . X O O O O O
    . X X X O O . O .
    X . X X O . O O O
    X X X O O O O . O
    X . X X O O . O .
    . X X X O O O O .";

#[test]
fn a_settled_game_is_passed_by_both() {
    for engine in ["uct playouts=500", "mc playouts=500", "shot playouts=500"] {
        // 35 points for Black, 46 for White.
        assert_eq!(genmove(&mut on(SETTLED, White, 0.5, engine), White), "pass", "{engine}, ahead");
        let mut behind = on(SETTLED, Black, 0.5, engine);
        assert!(["pass", "resign"].contains(&genmove(&mut behind, Black).as_str()), "{engine}, behind");
    }
}

#[test]
fn a_game_lost_by_far_is_resigned_and_not_passed() {
    for engine in ["uct playouts=500", "moku playouts=500"] {
        assert_eq!(genmove(&mut on(SETTLED, Black, 0.5, engine), Black), "resign", "{engine}, 11.5 points behind");
        assert_eq!(genmove(&mut on(SETTLED, Black, -8.5, engine), Black), "pass", "{engine}, 2.5 points behind");
    }
    let mut stubborn = on(SETTLED, Black, 0.5, "uct playouts=500");
    stubborn.set_resign_below(None);
    assert_eq!(genmove(&mut stubborn, Black), "pass");
}

/// A group of White's lives that light playouts take for dead; Black, to move, is 20.5 points behind.
const NOT_WON: &str = "E4 C6 E5 C3 E7 G7 E6 G3 E3 H5 F2 D8 E8 D7 E9 G2 D2 C2 B5 C5 G4 H4 B4 C4 B6 B3 B7 E1 F1 F3 E2 D1 B8 D9 \
    C1 G1 B1 D1 A4 A3 A6 F4 E1 G8 D1 F5 F6 G6 C9 F8 H3 F9 C8 F7";

#[test]
fn a_game_that_does_not_count_as_won_is_played_on() {
    for engine in ["moku playouts=300", "uct playouts=300"] {
        for seed in 1..4 {
            let mut session = session(9, engine);
            session.set_seed(seed);
            session.set_komi(7.5);
            for (i, vertex) in NOT_WON.split_whitespace().enumerate() {
                let p = session.size().point_from_gtp(vertex).unwrap();
                session.play(Color::BOTH[i % 2], p).unwrap();
            }
            assert_eq!(session.judge().score, -20.5);
            assert_ne!(genmove(&mut session, Black), "pass", "{engine}, seed {seed}");
        }
    }
}

#[test]
fn filling_goes_on_where_a_person_passes() {
    assert_ne!(genmove(&mut on(SETTLED, White, 0.5, "uct playouts=300 end=fill"), White), "pass");
}

#[test]
fn dame_are_taken_before_passing_and_a_pass_that_wins_is_answered() {
    let open = "
        . X . X . O O . .
        X X X X O . O O .
        . X . X O O O . O
        X X X X O . O O O
        . X . X O O O . O
        X X X X O . O O O
        . X . X O O O . O
        X X X X O . O O .
        . X . X O O O . O";
    assert_eq!(genmove(&mut on(open, White, 7.5, "uct playouts=500"), White), "E9");
    let mut after_pass = on(open, White, 7.5, "uct playouts=500");
    after_pass.play(Black, Point::PASS).unwrap();
    assert_eq!(genmove(&mut after_pass, White), "pass");
}

#[test]
fn clean_up_takes_dead_stones_off_before_it_passes() {
    let dead = "
        . . . X O . O . .
        . O . X O O . O .
        . . . X O . O O O
        . . . X O O . O .
        X X X X O . O O O
        X . X X O O O . O
        X X X O O . O O O
        . X . X O O O . O
        X X X X O . O O O";
    let mut session = on(dead, Black, 0.5, "uct playouts=500");
    for _ in 0..30 {
        match session.genmove(Black, Some(Passing::CleanUp), &mut |_| true).unwrap() {
            Answer::Play(p) if p.is_pass() => break,
            _ => session.play(White, Point::PASS).unwrap(),
        }
    }
    assert_eq!(session.table().color_at(session.size().point_from_gtp("B8").unwrap()), None);
    let dead_left = session.judge().dead;
    assert!(dead_left.is_empty(), "{dead_left:?}");
}

#[test]
fn nobody_resigns_the_opening_of_a_handicap_game_or_when_told_not_to() {
    let mut session = session(9, "uct playouts=200");
    session.set_komi(60.5);
    for turn in 0..12 {
        let color = Color::BOTH[turn % 2];
        assert_ne!(genmove(&mut session, color), "resign");
    }
    let options =
        Options { size: 9, engine: Some("uct playouts=100".into()), resign: None, seed: Some(1), ..Options::default() };
    let mut stubborn = Session::new(options).unwrap();
    stubborn.set_komi(300.5);
    for turn in 0..60 {
        assert_ne!(genmove(&mut stubborn, Color::BOTH[turn % 2]), "resign");
    }
}

#[test]
fn a_handful_of_playouts_is_no_reason_to_resign() {
    let mut session = session(9, "moku level=1");
    for turn in 0..50 {
        assert_ne!(genmove(&mut session, Color::BOTH[turn % 2]), "resign", "move {turn}");
    }
}

/// Seconds to ponder: more and more on a machine that is busy with other things.
const PATIENCE: [f64; 4] = [0.1, 0.5, 5.0, 30.0];

#[test]
fn pondering_leaves_a_tree_that_the_next_search_starts_from() {
    let options = Options {
        size: 9,
        engine: Some("uct playouts=200".into()),
        threads: 1,
        seed: Some(1),
        ponder: true,
        ..Options::default()
    };
    assert!(PATIENCE.iter().any(|&seconds| {
        let mut session = Session::new(options.clone()).unwrap();
        genmove(&mut session, Black);
        std::thread::sleep(Duration::from_secs_f64(seconds));
        // The centre, or beside it: some move that pondering has looked at often.
        let (centre, beside) = (session.size().point(4, 4), session.size().point(3, 4));
        let reply = if session.table().check(White, centre).is_ok() { centre } else { beside };
        session.play(White, reply).unwrap();
        let thought = session.think(Black, None, &mut |_| true).unwrap();
        assert_eq!(thought.playouts, 200);
        thought.report.visits() > 200
    }));
}

#[test]
fn a_level_is_so_many_playouts_by_the_size_of_the_board() {
    for (size, level, playouts) in [(9, 1, 81), (9, 4, 648), (13, 2, 338)] {
        for engine in ["tree-uct", "mc", "shot", "potential-mc"] {
            let mut session = session(size, &format!("{engine} level={level}"));
            assert_eq!(session.think(Black, None, &mut |_| true).unwrap().playouts, playouts, "{engine}");
        }
    }
}

#[test]
fn a_glance_is_taken_once_for_a_position_and_leaves_no_trace() {
    for engine in ["tree-uct playouts=300", "shot playouts=300", "inherited-mc playouts=300", "mc each=3"] {
        let game = |glances: bool| {
            let mut session = session(9, engine);
            let mut moves = Vec::new();
            for turn in 0..6 {
                if glances {
                    let first = session.glance(Color::BOTH[turn % 2]).unwrap().clone();
                    assert!(first.report.visits() > 0);
                    let again = session.glance(Color::BOTH[turn % 2]).unwrap();
                    assert_eq!(again.elapsed, first.elapsed, "{engine}: the same glance");
                    assert!(session.glance(Color::BOTH[(turn + 1) % 2]).unwrap().report.visits() > 0);
                }
                moves.push(genmove(&mut session, Color::BOTH[turn % 2]));
            }
            moves
        };
        assert_eq!(game(false), game(true), "{engine}");
    }
}

#[test]
fn an_analysis_goes_on_from_the_tree_of_the_search_before_it() {
    for engine in ["tree-uct playouts=400", "uct playouts=400", "shot playouts=400"] {
        let mut session = session(9, engine);
        session.think(Black, None, &mut |_| true).unwrap();
        let analysis = Analysis { visits: Some(500), ..Analysis::default() };
        let thought = session.analyze(Black, analysis, &mut |_| true).unwrap();
        assert_eq!((thought.report.visits(), thought.playouts), (500, 100), "{engine}");
    }
}

#[test]
fn pondering_can_be_switched_while_playing_and_is_off_at_first() {
    assert!(!session(9, "uct playouts=100").ponders());
    assert!(PATIENCE.iter().any(|&seconds| {
        let mut session = session(9, "uct playouts=100");
        session.set_ponders(true);
        genmove(&mut session, Black);
        std::thread::sleep(Duration::from_secs_f64(seconds));
        session.stop_pondering();
        // White's analysis starts from what was found out meanwhile.
        let analysis = Analysis { visits: Some(1), ..Analysis::default() };
        let thought = session.analyze(White, analysis, &mut |_| true).unwrap();
        thought.report.visits() > 1 && thought.playouts == 0
    }));
}

#[test]
fn a_game_of_gobang_is_saved_and_loaded_and_not_taken_for_go() {
    let mut game = session_of(GameKind::Gobang, 13, "gobang playouts=50");
    for turn in 0..9 {
        assert_ne!(genmove(&mut game, Color::BOTH[turn % 2]), "resign");
    }
    let text = game.to_record().to_sgf("moku");
    assert!(text.contains("GM[4]"));
    let record = crate::sgf::read(text.as_bytes()).unwrap();
    let mut other = session_of(GameKind::Gobang, 15, "gobang playouts=50");
    other.load(&record).unwrap();
    assert_eq!((other.size().n(), other.table().hash()), (13, game.table().hash()));
    assert_eq!(other.table().moves(), game.table().moves());
    assert!(session(9, "uct playouts=10").load(&record).unwrap_err().to_string().contains("a game of gobang"));
    // A set-up position, with more stones of one colour, loads too.
    let set_up = crate::sgf::read(b"(;GM[4]SZ[9]AB[aa][bb][cc]AW[dd]PL[W];W[ee])").unwrap();
    other.load(&set_up).unwrap();
    assert_eq!((other.size().n(), other.table().to_play()), (9, Black));
    let over = crate::sgf::read(b"(;GM[4]SZ[9]AB[aa][bb][cc][dd]PL[B];B[ee];W[ff])").unwrap();
    assert!(other.load(&over).unwrap_err().to_string().contains("the game is over"));
    assert_eq!(other.table().moves().len(), 1, "a file that is refused changes nothing");
}

#[test]
fn every_game_has_a_seed_of_its_own_unless_one_was_given() {
    let seeds = |seed| {
        let mut session = Session::new(Options { size: 9, seed, ..Options::default() }).unwrap();
        (0..3)
            .map(|_| {
                session.clear();
                session.seed()
            })
            .collect::<Vec<u64>>()
    };
    assert_eq!(seeds(Some(7)), [7; 3]);
    let drawn = seeds(None);
    assert!(drawn[0] != drawn[1] && drawn[1] != drawn[2] && drawn[0] != drawn[2], "{drawn:?}");
}

#[test]
fn an_estimate_counts_what_handicap_stones_are_paid_for() {
    let mut session = Session::new(Options { size: 9, komi: 0.5, threads: 1, ..Options::default() }).unwrap();
    assert!(session.place_handicap(&handicap::fixed(session.size(), 4).unwrap()));
    session.set_rules(Rules::from_name("chinese").unwrap());
    let paid = session.estimate();
    session.set_rules(Rules::from_name("new-zealand").unwrap());
    assert_eq!(session.estimate() - paid, 4.0);
}

#[test]
fn the_estimate_of_a_settled_board_is_near_its_count_and_goes_with_komi() {
    let mut session = Session::new(Options { size: 5, komi: 0.5, threads: 1, ..Options::default() }).unwrap();
    let text = b"(;SZ[5]KM[0.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[bc];W[ec])";
    session.load(&crate::sgf::read(text).unwrap()).unwrap();
    let (estimate, count) = (session.estimate(), session.judge().score);
    assert!((estimate - count).abs() < 2.0, "{estimate} and {count}");
    session.set_komi(10.5);
    assert!((estimate - 10.0 - session.estimate()).abs() < 0.5, "{estimate} and {}", session.estimate());
}
