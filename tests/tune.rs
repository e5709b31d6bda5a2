//! The tuner from outside: jobs, shards, kills and resumptions change nothing but the time.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const TUNING: &str = r#"
name = "small"
about = "A <test>."
size = 5
komi = 1.0
engine = "uct playouts=20 end=fill"
iterations = 7
batch = 3
gain = 0.5
[[parameter]]
name = "c"
from = 0.05
to = 2
scale = "log"
step = 1.5
[[parameter]]
name = "threshold"
from = 1
to = 21
step = 2
[confirm]
sprt = [0, 200]
games = 8
"#;

/// Games of a whole run: seven pairs of the search, and the confirming match as far as it goes.
const SEARCH: usize = 14;

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("moku-tune-test-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("mine.toml"), TUNING).unwrap();
        Scratch(folder)
    }

    fn moku(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moku"));
        command.current_dir(&self.0).arg("tune").args(words.split_whitespace());
        command
    }

    fn tune(&self, words: &str) -> Output {
        self.moku(words).output().unwrap()
    }

    fn done(&self, words: &str) -> String {
        let output = self.tune(words);
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn refused(&self, words: &str) -> String {
        let output = self.tune(words);
        assert!(!output.status.success(), "{words} should be refused");
        String::from_utf8(output.stderr).unwrap()
    }

    /// All games in a folder, in order and without times.
    fn games(&self, folder: &str) -> Vec<Value> {
        let entries = std::fs::read_dir(self.0.join(folder)).into_iter().flatten().flatten().map(|entry| entry.path());
        let files = entries.filter(|path| path.extension().is_some_and(|e| e == "jsonl"));
        let text: String = files.map(|path| std::fs::read_to_string(path).unwrap_or_default()).collect();
        let mut games: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        games.iter_mut().for_each(|game| game["seconds"] = Value::Null);
        games.sort_by_key(|g| (g["part"].to_string(), g["iteration"].as_u64(), g["game"].as_u64()));
        games
    }

    /// What a run came to, without times and counts of what was thrown away.
    fn state(&self, folder: &str) -> Value {
        let report: Value =
            serde_json::from_str(&self.done(&format!("mine.toml --report --json --out {folder}"))).unwrap();
        Value::Array(["iterations", "parameters", "lines", "confirm"].map(|key| report[key].clone()).to_vec())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn jobs_and_shards_change_no_game_and_no_value() {
    let scratch = Scratch::new("jobs");
    let told = scratch.done("mine.toml --jobs 1 --out one");
    assert!(told.contains("7 of 7 iterations") && told.contains("The tuned line wins"), "{told}");
    let games = scratch.games("one");
    assert!(games.len() > SEARCH, "{}", games.len());
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["seed"], pair[1]["seed"]);
        assert_eq!((&pair[0]["first_is"], &pair[1]["first_is"]), (&"black".into(), &"white".into()));
        assert_eq!(pair[0]["players"], pair[1]["players"]);
    }
    scratch.done("mine.toml --jobs 3 --out three");
    assert_eq!(scratch.games("three"), games);
    assert_eq!(scratch.state("three"), scratch.state("one"));
    // Two shards that wait for each other, in one folder.
    let run = |shard: &str| {
        let mut command = scratch.moku(&format!("mine.toml --jobs 1 --out shards --shard {shard}"));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    for mut child in [run("1/2"), run("2/2")] {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(scratch.games("shards"), games);
    assert_eq!(scratch.state("shards"), scratch.state("one"));
    // Another seed is another way, and does not mix with this one.
    let other = scratch.done("mine.toml --seed 2 --out one");
    assert!(other.contains(&format!("{} games in this folder are of another", games.len())), "{other}");
}

#[test]
fn a_run_killed_again_and_again_comes_to_the_same_state_and_plays_no_game_twice() {
    let scratch = Scratch::new("kill");
    scratch.done("mine.toml --jobs 2 --out calm");
    let calm = scratch.games("calm");
    let file = scratch.0.join("killed/small.jsonl");
    for _ in 0..60 {
        let before = scratch.games("killed").len();
        if before >= calm.len() {
            break;
        }
        let mut command = scratch.moku("mine.toml --jobs 2 --out killed");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // As soon as there is something new, in the middle of whatever comes next.
        while scratch.games("killed").len() < before + 2 && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        let _ = child.wait();
        // What a crash of the machine may leave.
        let mut bytes = std::fs::read(&file).unwrap_or_default();
        bytes.extend(b"{\"tuning\":\"small\",\"con");
        std::fs::write(&file, bytes).unwrap();
    }
    scratch.done("mine.toml --out killed");
    assert_eq!(scratch.games("killed"), calm);
    assert_eq!(scratch.state("killed"), scratch.state("calm"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_after_the_games_in_hand_and_says_how_to_go_on() {
    ends_after_the_games_in_hand("-INT");
}

/// What `timeout`, Slurm and a system that shuts down send.
#[cfg(unix)]
#[test]
fn so_does_a_request_to_terminate() {
    ends_after_the_games_in_hand("-TERM");
}

#[cfg(unix)]
fn ends_after_the_games_in_hand(signal: &str) {
    let scratch = Scratch::new(&format!("ends{signal}"));
    std::fs::write(scratch.0.join("long.toml"), TUNING.replace("iterations = 7", "iterations = 100000")).unwrap();
    let mut command = scratch.moku("long.toml --jobs 1 --out out");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while scratch.games("out").len() < 8 {
        std::thread::yield_now();
    }
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("to go on where it stopped: moku tune long.toml --jobs 1 --out out"), "{told}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("of 100000 iterations"));
}

#[test]
fn a_report_is_told_at_any_time_with_one_page_that_needs_nothing_else() {
    let scratch = Scratch::new("report");
    scratch.done("mine.toml --out out");
    // Only the first batch and one game more.
    let text = std::fs::read_to_string(scratch.0.join("out/small.jsonl")).unwrap();
    let early: Vec<&str> = text.lines().take(7).collect();
    std::fs::write(scratch.0.join("out/small.jsonl"), early.join("\n") + "\n").unwrap();
    let told = scratch.done("mine.toml --report --out out -o page.html");
    assert!(told.contains("3 of 7 iterations") && told.contains("comes when all iterations are played"), "{told}");
    assert_eq!(scratch.games("out").len(), 7, "nothing is played");
    let page = std::fs::read_to_string(scratch.0.join("page.html")).unwrap();
    assert_eq!(page.matches("<svg class=\"plot\"").count(), 2);
    assert!(page.contains("A &lt;test&gt;.") && page.contains("tuned"));
    for outside in ["<script", "http://", "https://", "src="] {
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(outside), "{outside}");
    }
}

#[test]
fn against_an_opponent_both_lines_play_it_with_the_same_seeds_and_colours() {
    let scratch = Scratch::new("opponent");
    let text = format!(
        "opponent = \"gtp: {} --size 5 --engine 'random'\"\n{}",
        env!("CARGO_BIN_EXE_moku"),
        TUNING.replace("iterations = 7", "iterations = 2").replace("games = 8", "games = 4")
    );
    std::fs::write(scratch.0.join("mine.toml"), text).unwrap();
    let told = scratch.done("mine.toml --out out");
    assert!(told.contains("fresh games against the opponent"), "{told}");
    let games = scratch.games("out");
    let search: Vec<&Value> = games.iter().filter(|g| g["part"] == "search").collect();
    assert_eq!(search.len(), 8);
    for four in search.chunks(4) {
        assert!(four.iter().all(|game| game["players"][1].as_str().unwrap().starts_with("gtp: ")));
        assert_eq!((&four[0]["seed"], &four[1]["seed"]), (&four[2]["seed"], &four[3]["seed"]));
        assert_ne!(four[0]["players"][0], four[2]["players"][0]);
    }
}

#[test]
fn mistakes_are_answered_with_what_to_do() {
    let scratch = Scratch::new("mistakes");
    assert!(scratch.refused("chess").contains("there are: moku-9x9"));
    assert!(scratch.refused("no.toml").contains("cannot read no.toml"));
    assert!(scratch.refused("mine.toml --report --jobs 2").contains("--jobs means nothing with --report"));
    assert!(scratch.refused("mine.toml --report --out nowhere").contains("nowhere"));
    assert!(scratch.refused("mine.toml --hours 0").contains("positive"));
    std::fs::write(scratch.0.join("bad.toml"), TUNING.replace("\"threshold\"", "\"treshold\"")).unwrap();
    let told = scratch.refused("bad.toml");
    assert!(told.contains("bad.toml: parameter treshold: no parameter 'treshold'; did you mean threshold?"), "{told}");
    std::fs::write(scratch.0.join("dead.toml"), format!("opponent = \"gtp: /bin/false\"\n{TUNING}")).unwrap();
    assert!(scratch.refused("dead.toml").contains("ended without an answer"));
}
