//! What once broke when moku was used by others' programs and on bad days, each as a test of its own.

mod common;

use common::{Moku, SOON, converse, moku, replies};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a command line prints on both channels.
fn run(args: &[&str]) -> (String, String) {
    let output = moku(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn no_engine_is_lost_in_circles_on_a_tiny_board() {
    for engine in [
        "shot playouts=20000",
        "shot share=call playouts=20000",
        "shot-printed playouts=500",
        "shot finished=once playouts=500",
        "tree-uct playouts=20000",
        "ruct depth=8 playouts=5000",
    ] {
        for size in ["2", "3", "4"] {
            let input = "genmove b\ngenmove w\ngenmove b\ngenmove w\nquit\n";
            let command = moku(&["--size", size, "--engine", engine, "--threads", "2", "--seed", "1"]);
            let (output, status) = converse(command, input.into());
            assert_eq!((replies(&output).len(), status.code()), (5, Some(0)), "{engine} on {size}x{size}: {output}");
        }
    }
    let mut moku = Moku::start(&["--size", "3", "--engine", "shot", "--seed", "1", "--threads", "1"]);
    moku.send("lz-analyze b 5\n");
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(2) {
        assert!(!moku.line().is_empty());
    }
    moku.send("quit\n");
    assert!(moku.rest().ends_with("= \n\n"));
    assert!(moku.exit(SOON).success());
}

#[test]
fn every_field_is_given_for_every_move_that_is_listed() {
    let fields = [
        "visits",
        "edgeVisits",
        "utility",
        "winrate",
        "scoreMean",
        "scoreStdev",
        "scoreLead",
        "scoreSelfplay",
        "prior",
        "lcb",
        "utilityLcb",
        "weight",
        "order",
        "pv",
    ];
    for (size, engine) in [("9", "tree-uct"), ("19", "mc"), ("19", "shot")] {
        let mut moku = Moku::start(&["--size", size, "--seed", "1", "--threads", "1", "--engine", engine]);
        moku.send("kata-analyze b 5 movesOwnership true\n");
        assert_eq!(moku.line(), "=");
        for _ in 0..4 {
            let line = moku.line();
            let infos: Vec<&str> = line.split("info ").skip(1).collect();
            assert!(!infos.is_empty());
            for info in infos {
                let words: Vec<&str> = info.split(' ').collect();
                for field in fields.iter().chain(&["movesOwnership"]) {
                    assert!(words.contains(field), "{engine} on {size}: no {field} in {info:.120}");
                }
            }
        }
        moku.send("\n");
    }
    // A game that needs no search has a score too.
    let mut moku = Moku::start(&["--size", "5", "--seed", "1", "--threads", "1"]);
    moku.ask("komi 0.5");
    moku.ask("gogui-setup b c1 b c2 b c3 b c4 b c5 b d4 b e2 w b1 w b2 w b3 w b4 w b5 w a2 w a4");
    moku.ask("play w pass");
    moku.send("kata-genmove_analyze b 5\n");
    assert_eq!(moku.line(), "=");
    let line = moku.line();
    assert!(line.contains(" scoreLead ") && line.contains(" lcb "), "{line}");
}

#[test]
fn no_line_inside_an_answer_is_empty() {
    let input = "boardsize 5\nlz-genmove_analyze b maxmoves 0\nname\nkata-genmove_analyze w 1 maxmoves 0\nname\n\
                 kata-search_analyze b maxmoves 0\nname\nquit\n";
    let (output, _) = converse(moku(&["--engine", "uct playouts=3000", "--seed", "1"]), input.into());
    let replies = replies(&output);
    assert_eq!(replies.len(), 8, "{output}");
    assert!(replies[1].starts_with("=\nplay ") && replies[2] == "= moku" && replies[6] == "= moku", "{output}");
    let mut moku = Moku::start(&["--size", "5"]);
    moku.send("kata-analyze b 2 maxmoves 0\n");
    assert_eq!(moku.line(), "=");
    std::thread::sleep(Duration::from_millis(300));
    moku.send("name\n");
    assert_eq!((moku.line(), moku.line()), (String::new(), "= moku".to_string()));
    moku.line();
    moku.send("kata-analyze b 2 maxmoves 0 rootInfo true\n");
    assert_eq!(moku.line(), "=");
    assert!(moku.line().starts_with("rootInfo visits "));
}

#[test]
fn a_line_of_any_length_is_answered_once_and_what_comes_after_it_too() {
    let long = "a".repeat(3 << 20);
    let (output, _) = converse(moku(&[]), format!("7 {long}\nname\n#{long}\n8 name\n9 {long}").into());
    assert_eq!(
        replies(&output),
        ["?7 the line is longer than 1 MB", "= moku", "=8 moku", "?9 the line is longer than 1 MB"]
    );
    let (output, _) = converse(moku(&["--protocol", "gomocup"]), format!("{long}\nSTART 15\nEND\n").into());
    assert_eq!(output.lines().collect::<Vec<_>>(), ["ERROR the line is longer than 1 MB", "OK"]);
    let long = "a".repeat(17 << 20);
    let (output, _) =
        converse(moku(&["analysis"]), format!("{long}\n{{\"id\":\"v\",\"action\":\"query_version\"}}\n").into());
    let lines: Vec<&str> = output.lines().collect();
    assert!(
        lines.len() == 2 && lines[0].contains("longer than 16 MB") && lines[1].contains("version"),
        "{output:.300}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_ends_no_game() {
    for protocol in ["gtp", "gomocup"] {
        let input = if protocol == "gtp" { "name\ngenmove b\nquit\n" } else { "ABOUT\nSTART 15\nBEGIN\nEND\n" };
        let args = ["--log", "/dev/full", "--protocol", protocol, "--time", "0.1"];
        let (output, status) = converse(moku(&args), input.into());
        assert_eq!(status.code(), Some(0), "{protocol}");
        assert_eq!(output.lines().filter(|line| !line.is_empty()).count(), 3, "{protocol}: {output}");
    }
}

#[cfg(unix)]
#[test]
fn files_that_never_end_and_files_that_are_too_large_are_refused_at_once() {
    let folder = std::env::temp_dir().join(format!("moku-faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    assert!(Command::new("mkfifo").arg(path("fifo")).status().unwrap().success());
    let moves = ";B[aa];W[bb];B[cc];W[dd]";
    std::fs::write(path("large.sgf"), format!("(;SZ[9]{})", moves.repeat(2 << 20))).unwrap();
    std::fs::write(path("long.sgf"), format!("(;SZ[9]{})", moves.repeat(1 << 20))).unwrap();
    std::fs::write(path("passes.sgf"), format!("(;SZ[9]{})", ";B[];W[]".repeat(20_000))).unwrap();
    let text = "x".repeat(8 << 20);
    std::fs::write(path("comment.sgf"), format!("(;SZ[9]C[{text}];B[aa])")).unwrap();
    let mut moku = Moku::start(&["--size", "9"]);
    for (file, reason) in [
        ("/dev/zero", "not a regular file"),
        (&path("fifo"), "not a regular file"),
        (&path(""), "it is a folder"),
        (&path("large.sgf"), "larger than 32 MB"),
        (&path("long.sgf"), "more than 100000 nodes"),
        (&path("passes.sgf"), "at most 20000 moves"),
    ] {
        let began = Instant::now();
        moku.send(&format!("loadsgf {file}\n"));
        let reply = moku.reply();
        assert!(reply.starts_with("? cannot load file") && reply.contains(reason), "{file}: {reply}");
        assert!(began.elapsed() < SOON, "{file} took {:?}", began.elapsed());
    }
    moku.ask(&format!("loadsgf {}", path("comment.sgf")));
    assert_eq!(moku.ask("name"), "moku");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn help_and_lists_fit_a_terminal() {
    for args in [&["--help"][..], &["match", "--help"], &["lab", "run", "--help"], &["engines"], &["lab", "list"]] {
        let (output, _) = run(args);
        let widest = output.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!(widest.chars().count() <= 100, "{args:?}: {widest}");
        assert!(output.lines().count() > 10, "{args:?}");
    }
    let (output, _) = converse(moku(&[]), "moku-help\nquit\n".into());
    assert!(output.lines().all(|line| line.chars().count() <= 100), "{output}");
    let narrow = moku(&["engines"]).env("COLUMNS", "60").output().unwrap();
    let narrow = String::from_utf8_lossy(&narrow.stdout).into_owned();
    assert!(narrow.lines().all(|line| line.chars().count() <= 60), "{narrow}");
}

#[test]
fn what_was_probably_meant_is_suggested_and_nothing_else() {
    let (_, error) = run(&["--engine", "uctt"]);
    assert!(error.contains("did you mean uct?"), "{error}");
    let (_, error) = run(&["tree"]);
    assert!(error.contains("no command 'tree'") && !error.contains("did you mean"), "{error}");
    assert!(error.contains("match") && error.contains("--help"), "{error}");
    let (_, error) = run(&["regres"]);
    assert!(error.contains("did you mean regress? There are: "), "{error}");
    let (_, error) = run(&["reveiw"]);
    assert!(error.contains("did you mean review?"), "{error}");
    let (_, error) = run(&["--engine", "uct playout=light treads=2"]);
    assert!(error.contains("did you mean threads?"), "{error}");
    for (args, meant) in [
        (&["--game", "gobnag"][..], "gobang"),
        (&["--rules", "japanes"], "japanese"),
        (&["--game", "gobang", "--rule", "exakt"], "exact"),
        (&["--engine", "uct candidates=filtr1"], "filter1"),
        (&["lab", "rnu"], "run"),
        (&["lab", "show", "inheritmc"], "inherit-mc"),
        (&["tune", "moku9x9"], "moku-9x9"),
        (&["board", "sgf/examples/go9.sgf", "--overlay", "winrat"], "winrate"),
    ] {
        let (output, error) = run(args);
        assert!(error.contains(&format!("did you mean {meant}?")) && output.is_empty(), "{args:?}: {error}");
    }
    let slips = [
        ("help", "moku-help"),
        ("genmov b", "genmove"),
        ("game gobnag", "gobang"),
        ("kgs-rules chinees", "chinese"),
        ("moku-param playot 3", "playout"),
        ("moku-filter fliter2", "filter2"),
    ];
    let input: String = slips.iter().map(|(line, _)| format!("{line}\n")).collect();
    let (output, _) = converse(moku(&[]), (input + "quit\n").into_bytes());
    for ((line, meant), reply) in slips.iter().zip(replies(&output)) {
        assert!(reply.contains(&format!("did you mean {meant}?")), "{line}: {reply}");
    }
}

/// Words as GoGui splits a command: blanks separate, double quotes hold together, nothing else means anything.
fn split_as_gogui(command: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for letter in command.chars() {
        match letter {
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[test]
fn the_example_of_the_match_script_is_what_gogui_understands() {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scripts/twogtp");
    let text = std::fs::read_to_string(script).unwrap();
    let example = text.lines().find_map(|line| line.strip_prefix("# scripts/twogtp ")).unwrap();
    let first = example.split('\'').nth(1).unwrap_or_default();
    let words = split_as_gogui(&first.replace("%SRAND", "7"));
    assert_eq!(words[0], "moku", "{example}");
    let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let (output, status) = converse(moku(&args), "engine\nquit\n".into());
    assert!(status.success() && output.contains("playouts=1000"), "{output}");
}

#[cfg(unix)]
#[test]
fn a_program_that_speaks_no_gtp_ends_a_run_and_leaves_no_game() {
    let folder = std::env::temp_dir().join(format!("moku-outside-{}", std::process::id()));
    let out = folder.join("results");
    std::fs::create_dir_all(&folder).unwrap();
    for program in ["/bin/cat", "/bin/false"] {
        let file = folder.join("own.toml");
        let text = format!(
            "title = \"x\"\n[[experiment]]\nname = \"own\"\nkind = \"match\"\ngames = 2\nsize = 5\nfirst = \"gtp: {program}\"\nsecond = \"random\"\ncolumns = [\"row\"]\nrows = [[\"a\"]]\n"
        );
        std::fs::write(&file, text).unwrap();
        let began = Instant::now();
        let out = out.display().to_string();
        let (_, error) = run(&["lab", "run", &file.display().to_string(), "--timeout", "1", "--out", &out]);
        assert!(began.elapsed() < SOON);
        let name = program.trim_start_matches("/bin/");
        assert!(error.contains(name) && error.contains("answer"), "{error}");
    }
    let stored: Vec<_> = std::fs::read_dir(&out).into_iter().flatten().flatten().collect();
    for file in stored.iter().filter(|file| file.path().extension().is_some_and(|e| e == "jsonl")) {
        assert_eq!(std::fs::read_to_string(file.path()).unwrap(), "");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn results_are_not_looked_for_in_a_device_that_never_ends() {
    let problem = "sgf/tsumego/proven/standard-straight-three-kill.sgf";
    for device in ["/dev/full", "/dev/zero"] {
        let (_, told) = run(&["tsumego", "solve", problem, "--playouts", "10", "--out", device]);
        assert!(told.contains(&format!("{device} is not a file of results")), "{told}");
    }
}
