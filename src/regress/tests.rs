//! The rules of gogui-regress, one by one.

use super::*;
use std::fs;

/// Runs one file's text and returns what was said, the summary, and the folder.
fn run(name: &str, text: &str, long: bool) -> (Vec<String>, Result<Summary, String>) {
    let folder = std::env::temp_dir().join(format!("moku-regress-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.sgf"), "(;SZ[9]KM[0]AB[aa][bb];W[cc];B[dd])").unwrap();
    let file = folder.join("a.tst");
    fs::write(&file, text).unwrap();
    let options =
        Options { engine: Some("uct playouts=50".to_string()), threads: 1, seed: Some(1), ..Options::default() };
    let mut said = Vec::new();
    let result = Regress { options, long, gtp_file: None }.run(&[file], &mut |line| said.push(line.to_string()));
    fs::remove_dir_all(&folder).unwrap();
    (said, result)
}

const ALL_KINDS: &str = "\
# one of each kind
boardsize 9
10 protocol_version
#? [2]
20 protocol_version
#? [3]
30 protocol_version
#? [3]*
40 protocol_version
#? [2]*
50 protocol_version
60 undo
70 nonsense
#? [!x]
80 protocol_version
#? [!3|4]
90 showboard
#? [.*A B C.*]
100 clear_board
#? []
nonsense
110 loadsgf a.sgf 2
120 protocol_version
#?
";

#[test]
fn every_kind_of_verdict_is_said_briefly_as_gogui_says_it() {
    let (said, summary) = run("brief", ALL_KINDS, false);
    let summary = summary.unwrap();
    assert_eq!(said[0], "20 unexpected FAIL: Correct '3', got '2'");
    assert_eq!(said[1], "40 unexpected PASS!");
    assert!(said[2].starts_with("60 unexpected FAIL: 'cannot undo"), "{}", said[2]);
    assert!(said[3].starts_with("70 unexpected FAIL: Correct '!x', got 'unknown command"), "{}", said[3]);
    assert_eq!(said.len(), 4, "{said:?}");
    let counts = (summary.tests, summary.unexpected_fails, summary.expected_fails);
    assert_eq!(counts, (12, 3, 1));
    assert_eq!((summary.unexpected_passes, summary.expected_passes, summary.other_errors), (1, 7, 1));
    assert!(summary.failed);
}

#[test]
fn the_long_form_names_every_pattern_and_sums_up() {
    let (said, _) = run("long", ALL_KINDS, true);
    for line in ["10 passed", "20 FAILED: Correct '3', got '2'", "30 failed: Correct '3', got '2'", "40 PASSED"] {
        assert!(said.iter().any(|said| said == line), "{line} is not in {said:?}");
    }
    assert_eq!(said.last().unwrap(), "Summary: 8/12 passes. 1 unexpected passes, 3 unexpected failures");
}

#[test]
fn an_error_without_a_pattern_fails_the_test_but_not_the_run() {
    let (_, summary) = run("error", "10 nonsense\n", false);
    let summary = summary.unwrap();
    assert_eq!((summary.unexpected_fails, summary.failed), (1, false));
}

#[test]
fn bad_files_end_the_run_with_a_reason() {
    for (name, text, reason) in [
        ("lonely", "#? [2]\n", "without a test command"),
        ("twice", "10 name\n#? [moku]\n#? [moku]\n", "without a test command"),
        ("open", "10 name\n#? moku]\n", "opens with a bracket"),
        ("close", "10 name\n#? [moku\n", "closes with a bracket"),
        ("look", "10 name\n#? [(?=m)moku]\n", "look-around"),
        ("dead", "quit\nname\n", "has quit"),
    ] {
        let (_, result) = run(name, text, false);
        let error = result.expect_err(name);
        assert!(error.contains(reason), "{name}: {error}");
    }
    assert!(run("quit", "10 name\n#? [moku]\nquit\n", false).1.is_ok());
}

#[test]
fn odd_lines_neither_hang_nor_fail_the_run() {
    let (_, summary) = run("odd", "\u{7f}\n10 \u{7f}\n7\n -5 name\n+6 name\n99999999999 name\n\tname\n", false);
    let summary = summary.unwrap();
    assert_eq!(summary.tests, 2, "10 and +6");
    let (said, _) = run("below", "-5 name\n#? [x]\n", false);
    assert!(said[0].starts_with("-5 unexpected FAIL: Correct 'x', got"), "{said:?}");
}

#[test]
fn a_live_analysis_is_a_test_like_any_other() {
    let text = "boardsize 5\n10 kata-analyze b 20\n#? [.*info move .* pv .*]\n20 lz-analyze interval 5 maxmoves 1\n\
        30 kata-genmove_analyze b\n#? [(?s).*play .*]\nplay b pass\nplay w pass\n40 lz-analyze b\n50 name\n#? [moku]\n";
    let (said, summary) = run("stream", text, false);
    let summary = summary.unwrap();
    assert_eq!((summary.tests, summary.expected_passes, summary.other_errors), (5, 5, 0), "{said:?}");
}

#[test]
fn lists_are_expanded_and_endless_ones_refused() {
    let folder = std::env::temp_dir().join(format!("moku-suites-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("in"), "# a list\nb.tst\n\n c.tst \n").unwrap();
    fs::write(path("out"), format!("a.tst\n@{}\n", path("in"))).unwrap();
    fs::write(path("self"), format!("@{}\n", path("self"))).unwrap();
    let names = |name: &str| expand(&[format!("@{}", path(name)), "d.tst".to_string()]);
    let expected: Vec<PathBuf> = ["a.tst", "b.tst", "c.tst", "d.tst"].iter().map(PathBuf::from).collect();
    assert_eq!(names("out").unwrap(), expected);
    assert!(names("self").unwrap_err().contains("name itself"));
    assert!(names("missing").is_err());
    fs::remove_dir_all(&folder).unwrap();
}
