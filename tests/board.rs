//! `moku board` and the options of the command line, from outside.

mod common;

use std::process::Output;

fn run(args: &[&str]) -> Output {
    common::moku(args).stderr(std::process::Stdio::piped()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_example_is_drawn_with_every_overlay_of_its_game() {
    let go = ["winrate", "visits", "ownership", "potential", "gradient", "filter1", "filter4", "random", "combination"];
    let games = [("go9", "tree-uct playouts=200", &go[..]), ("gobang15", "gobang playouts=200", &go[..2])];
    for (game, engine, overlays) in games {
        for overlay in overlays {
            let file = format!("sgf/examples/{game}.sgf");
            let mut args = vec!["board", &file, "--move", "10", "--overlay", overlay];
            if ["winrate", "visits"].contains(overlay) {
                args.extend(["--engine", engine]);
            }
            let done = run(&args);
            let svg = text(&done.stdout);
            assert!(done.status.success() && svg.starts_with("<svg"), "{game} {overlay}: {}", text(&done.stderr));
            assert!(svg.contains("After move 10, black to play"), "{game} {overlay}");
        }
    }
}

#[test]
fn what_cannot_be_drawn_or_played_is_refused_with_a_reason() {
    for (args, reason) in [
        (&["board", "no-such.sgf"][..], "no-such.sgf"),
        (&["board", "sgf/examples/go9.sgf", "--overlay", "heat"], "winrate, visits"),
        (&["board", "sgf/examples/gobang15.sgf", "--overlay", "potential"], "only the overlays winrate and visits"),
        (&["board", "sgf/examples/go9.sgf", "--move", "1000"], "there is no move 1000"),
        (&["board", "sgf/examples/go9.sgf", "--engine", "uct"], "--engine is for pictures of a search"),
        (&["board", "sgf/examples/go9.sgf", "--overlay", "visits", "--engine", "alphabeta"], "no engine 'alphabeta'"),
        (&["--level", "11"], "from 1 to 10"),
        (&["--level", "3", "--engine", "uct playouts=5"], "leave out playouts"),
        (&["--rules", "stone-scoring"], "unsupported rules"),
        (&["--rules", "chinese", "--game", "gobang"], "--rule exact"),
        (&["--time=-1"], "seconds"),
    ] {
        let done = run(args);
        assert!(!done.status.success() && text(&done.stderr).contains(reason), "{args:?}: {}", text(&done.stderr));
        assert_eq!(text(&done.stdout), "", "{args:?}");
    }
}
