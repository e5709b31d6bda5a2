//! The laboratory from outside: jobs, shards, kills and resumptions change nothing but the time.

use moku::lab::store::{self, Record};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const EXPERIMENT: &str = r#"
title = "A test"
[[experiment]]
name = "small"
kind = "match"
size = 5
komi = 1.0
games = 12
first = "uct playouts={playouts} end=fill"
second = "mc playouts={playouts} end=fill"
columns = ["playouts", "published"]
rows = [[20, 60], [60, 55]]
plot = { x = "playouts" }
"#;

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("moku-lab-test-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("mine.toml"), EXPERIMENT).unwrap();
        Scratch(folder)
    }

    fn moku(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moku"));
        command.current_dir(&self.0).arg("lab");
        command
    }

    fn lab(&self, words: &str) -> Output {
        self.moku().args(words.split_whitespace()).output().unwrap()
    }

    fn done(&self, words: &str) -> String {
        let output = self.lab(words);
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn refused(&self, words: &str) -> String {
        let output = self.lab(words);
        assert!(!output.status.success(), "{words} should be refused");
        String::from_utf8(output.stderr).unwrap()
    }

    fn records(&self, folders: &[&str]) -> Vec<Record> {
        let paths: Vec<PathBuf> = folders.iter().map(|f| self.0.join(f)).collect();
        store::merge(&paths).unwrap().iter().map(Record::without_times).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn lines(folder: &Path) -> usize {
    let files = std::fs::read_dir(folder).map(|entries| entries.flatten().map(|e| e.path()).collect::<Vec<_>>());
    let files = files.unwrap_or_default();
    let jsonl = files.iter().filter(|p| p.extension().is_some_and(|e| e == "jsonl"));
    jsonl.map(|p| std::fs::read(p).unwrap_or_default().iter().filter(|&&b| b == b'\n').count()).sum()
}

#[test]
fn jobs_shards_and_order_change_no_game() {
    let scratch = Scratch::new("jobs");
    scratch.done("run mine.toml --jobs 1 --out whole");
    let whole = scratch.records(&["whole"]);
    assert_eq!(whole.len(), 24);
    scratch.done("run mine.toml:small --jobs 3 --out jobs");
    assert_eq!(scratch.records(&["jobs"]), whole);
    // Shards in a folder of their own and in a common one, in any order; then a run over all finds nothing to do.
    scratch.done("run mine.toml --shard 3/3 --out shards");
    scratch.done("run mine.toml --shard 1/3 --out shards");
    scratch.done("run mine.toml --shard 2/3 --out elsewhere");
    assert!(scratch.records(&["shards"]).len() < 24);
    assert_eq!(scratch.records(&["shards", "elsewhere"]), whole);
    scratch.done("merge shards elsewhere -o merged");
    assert_eq!(scratch.records(&["merged"]), whole);
    let report = |folders: &str| -> serde_json::Value {
        serde_json::from_str(&scratch.done(&format!("report {folders} --json"))).unwrap()
    };
    let table = |value: &serde_json::Value| value[0]["tables"][0].clone();
    let told = scratch.done("report whole --json");
    assert!(told.matches("\"boards\":").count() == 1 && told.contains("\"settings\":[\"go 5x5, komi 1\"]"), "{told}");
    assert_eq!(table(&report("merged")), table(&report("whole")));
    assert_eq!(table(&report("shards elsewhere whole")), table(&report("whole")), "nothing counts twice");
    // Folders in a folder are read too, with the description that lies in them; what is merged into stays.
    std::fs::create_dir(scratch.0.join("all")).unwrap();
    std::fs::rename(scratch.0.join("elsewhere"), scratch.0.join("all/elsewhere")).unwrap();
    assert!(report("all")[0]["tables"][0]["rows"].as_array().is_some_and(|rows| rows.len() == 2));
    scratch.done("merge shards -o all");
    assert_eq!(scratch.records(&["all/small.jsonl"]), whole);
}

#[test]
fn times_become_playouts_that_are_measured_once_and_shared_by_all_shards() {
    let scratch = Scratch::new("times");
    let text = EXPERIMENT
        .replace("uct playouts={playouts}", "uct time=0.002")
        .replace("mc playouts", "mc time=first playouts");
    std::fs::write(scratch.0.join("timed.toml"), text.replace("playouts={playouts}", "")).unwrap();
    assert!(scratch.refused("run timed.toml --shard 1/2 --out out").contains("moku lab calibrate timed.toml"));
    scratch.done("calibrate timed.toml --out out");
    let measures = std::fs::read(scratch.0.join("out/calibration.json")).unwrap();
    for shard in ["1/2", "2/2"] {
        scratch.done(&format!("run timed.toml --games 4 --shard {shard} --out out"));
    }
    scratch.done("merge out -o elsewhere");
    scratch.done("run timed.toml --games 4 --out elsewhere");
    assert_eq!(std::fs::read(scratch.0.join("elsewhere/calibration.json")).unwrap(), measures);
    let records = scratch.records(&["elsewhere"]);
    assert_eq!((records.len(), lines(&scratch.0.join("elsewhere"))), (8, 8), "nothing was left to play");
    for record in &records {
        assert_eq!(record.budget, "playouts that the times give here");
        assert!(record.players.iter().all(|line| line.contains(" time=0 ") && !line.contains(" playouts=0 ")));
    }
}

#[test]
fn pairs_share_a_seed_with_colours_swapped_and_more_games_keep_the_first_ones() {
    let scratch = Scratch::new("pairs");
    scratch.done("run mine.toml --games 4 --rows 2 --out out");
    let four = scratch.records(&["out"]);
    for pair in four.chunks(2) {
        assert_eq!(pair[0].seed, pair[1].seed);
        assert_eq!((&pair[0].outcome["first_is"], &pair[1].outcome["first_is"]), (&"black".into(), &"white".into()));
    }
    assert_ne!(four[0].seed, four[2].seed);
    let text = scratch.done("run mine.toml --games 6 --rows 2 --out out");
    assert!(text.contains("6 of 6 trials"), "{text}");
    assert_eq!(scratch.records(&["out"])[..4], four);
}

#[test]
fn a_run_killed_again_and_again_comes_to_the_same_games_each_once() {
    let scratch = Scratch::new("kill");
    scratch.done("run mine.toml --jobs 2 --out calm");
    let calm = scratch.records(&["calm"]);
    let folder = scratch.0.join("killed");
    for _ in 0..50 {
        let before = lines(&folder);
        let mut command = scratch.moku();
        command
            .args(["run", "mine.toml", "--jobs", "2", "--out", "killed"])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // As soon as there is something new, in the middle of whatever comes next.
        while lines(&folder) < before + 2 && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        let _ = child.wait();
        // What a crash of the machine may leave.
        let file = folder.join("small.jsonl");
        if lines(&folder) < 24 {
            let mut bytes = std::fs::read(&file).unwrap();
            bytes.extend(b"{\"experiment\":\"small\",\"row");
            std::fs::write(&file, bytes).unwrap();
        }
        if lines(&folder) >= 24 {
            break;
        }
    }
    scratch.done("run mine.toml --out killed");
    assert_eq!(lines(&folder), 24);
    assert_eq!(scratch.records(&["killed"]), calm);
}

#[test]
fn the_report_is_one_page_with_plots_and_diagrams_and_no_outside() {
    let scratch = Scratch::new("report");
    scratch.done("run mine.toml --out out");
    scratch.done("run handicap-distribution --games 1 --out out");
    scratch.done("report out -o page.html");
    let page = std::fs::read_to_string(scratch.0.join("page.html")).unwrap();
    assert!(page.contains("<h2>small</h2>") && page.contains("<h2>handicap-distribution</h2>"));
    assert_eq!(page.matches("<svg class=\"plot\"").count(), 3);
    assert!(page.contains(" class=\"board\""));
    for outside in ["<script", "http://", "https://", "src="] {
        let stray = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!stray.contains(outside), "{outside}");
    }
}

#[test]
fn mistakes_are_answered_with_what_to_do() {
    let scratch = Scratch::new("mistakes");
    assert!(scratch.refused("run chess").contains("there are: bandit"));
    assert!(scratch.refused("run mine.toml --shard 4/3").contains("I/N"));
    assert!(scratch.refused("run mine.toml --rows 7").contains("there are 1 to 2"));
    assert!(scratch.refused("run no.toml").contains("cannot read no.toml"));
    assert!(scratch.refused("report nowhere").contains("nowhere"));
    assert!(scratch.refused("report .").contains("no results"));
    assert!(scratch.refused("run mine.toml --games 0").contains("from 1 to"));
    std::fs::write(scratch.0.join("taken.toml"), EXPERIMENT.replace("small", "bandit")).unwrap();
    assert!(scratch.refused("run taken.toml").contains("built-in"));
    let told = scratch.refused("run gobang-equal-time --rows 1 --games 1 --shard 1/2 --out out");
    assert!(told.contains("moku lab calibrate gobang-equal-time --out out"), "{told}");
    std::fs::write(scratch.0.join("file"), "").unwrap();
    assert!(scratch.refused("run mine.toml --out file").contains("cannot"));
}

#[test]
fn experiments_are_listed_and_shown() {
    let scratch = Scratch::new("list");
    let list: serde_json::Value = serde_json::from_str(&scratch.done("list --json")).unwrap();
    let names: Vec<&str> = list.as_array().unwrap().iter().filter_map(|e| e["name"].as_str()).collect();
    for name in &names {
        let shown = scratch.done(&format!("show {name}"));
        assert!(shown.starts_with(name) && shown.len() > 200, "{shown}");
    }
    assert!(scratch.done("list").contains("inherit-mc"));
    assert!(scratch.done("show mine.toml").contains("uct playouts=20 end=fill"));
}

/// An experiment that nobody has run yet.
fn without_results(folder: &Path) -> String {
    let names = ["strong-parts", "strong-ideas", "gobang-readings", "potential-larger"];
    let name = names.iter().find(|name| !folder.join(format!("{name}.jsonl")).exists());
    name.expect("one of them has no results").to_string()
}

#[test]
fn the_tables_of_the_replication_are_what_the_results_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Scratch::new("replication");
    let page = std::fs::read_to_string(root.join("docs/REPLICATION.md")).unwrap();
    std::fs::write(scratch.0.join("page.md"), &page).unwrap();
    scratch.done(&format!("report {} --into page.md", root.join("results").display()));
    let written = std::fs::read_to_string(scratch.0.join("page.md")).unwrap();
    assert!(written == page, "`moku lab report results --into docs/REPLICATION.md` writes them anew");
    // Prose stays, and places that cannot be filled are named.
    let places =
        "a\n<!-- claims: ruct-regret -->\nstale\n<!-- end -->\n<!-- claims: bandit -->\n<!-- end -->\n<!-- claims: NONE -->\n<!-- end -->\nm\n<!-- results: handicap-budget -->\n<!-- end -->\nz\n"
            .replace("NONE", &without_results(&root.join("results")));
    std::fs::write(scratch.0.join("page.md"), places).unwrap();
    scratch.done(&format!("report {} --into page.md", root.join("results").display()));
    let written = std::fs::read_to_string(scratch.0.join("page.md")).unwrap();
    assert!(written.starts_with("a\n") && written.ends_with("z\n") && !written.contains("stale"), "{written}");
    for part in [
        "has no results",
        "-->\n\n`ruct-regret`; ",
        "<!-- end -->\nm\n",
        "| black | measured |",
        ", budgets as described",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    for (bad, told) in [
        ("no place", "there is no <!-- claims: NAME -->"),
        ("<!-- results: inherit-mc -->", "has no <!-- end -->"),
        ("<!-- claims: inherit-mc -->", "has no <!-- end -->"),
        ("<!-- claims: chess -->\n<!-- end -->", "no experiment 'chess'"),
    ] {
        std::fs::write(scratch.0.join("page.md"), bad).unwrap();
        let refused = scratch.refused(&format!("report {} --into page.md", root.join("results").display()));
        assert!(refused.contains(told), "{refused}");
        assert_eq!(std::fs::read_to_string(scratch.0.join("page.md")).unwrap(), bad, "the page stays");
    }
}

/// The head of the table of what sequential tests say.
const ENDED: &str = "Rows that end when they are answered";

#[test]
fn a_row_ends_when_its_question_is_answered_and_stays_answered() {
    let scratch = Scratch::new("sprt");
    let text =
        EXPERIMENT.replace("[[20, 60], [60, 55]]", "[[20, \"\"], [200, \"\"]]").replace("games = 12", "games = 400");
    let text = text.replace("mc playouts={playouts}", "random");
    std::fs::write(scratch.0.join("mine.toml"), text).unwrap();
    let told = scratch.done("run mine.toml --sprt 0,300 --out out");
    assert!(told.contains(ENDED) && told.matches("H1 accepted").count() >= 1, "{told}");
    let games = lines(&scratch.0.join("out"));
    assert!(games < 200, "{games}");
    assert!(told.contains("until a test was decided (--sprt 0,300)"), "{told}");
    let tests = |told: &str| told[told.find(ENDED).unwrap()..told.find("trials are in").unwrap()].to_string();
    let again = scratch.done("run mine.toml --sprt 0,300 --jobs 1 --out out");
    assert_eq!(lines(&scratch.0.join("out")), games, "nothing is left to play");
    assert_eq!(tests(&again), tests(&told));
    let by_one = scratch.done("run mine.toml --sprt 0,300 --jobs 1 --out one");
    let rows =
        |told: &str| tests(told).lines().filter(|line| line.contains("accepted")).map(String::from).collect::<Vec<_>>();
    assert_eq!(rows(&by_one), rows(&told), "the same games by any number of jobs");
    assert!(scratch.refused("run mine.toml --sprt 0,300 --shard 1/2 --out out").contains("cannot be used with"));
    assert!(scratch.refused("run bandit --sprt 0,300 --out out").contains("are for matches"));
}

#[test]
fn tables_are_written_for_other_programs() {
    let scratch = Scratch::new("format");
    scratch.done("run mine.toml --games 4 --out out");
    let csv = scratch.done("report out --format csv");
    assert!(csv.starts_with("experiment,budgets,table,playouts,published,measured,"), "{csv}");
    assert!(csv.contains("\nsmall,as described,"), "{csv}");
    assert!(scratch.done("report out --format markdown").contains("\n| --- | --- |"));
    assert!(scratch.done("report out --format latex").contains("\\begin{tabular}{"));
    scratch.done("report out --format csv --plots plots");
    let plot = std::fs::read_to_string(scratch.0.join("plots/small-1-1.svg")).unwrap();
    assert!(plot.starts_with("<svg width") && plot.contains("measured"), "{plot}");
    assert!(scratch.refused("report out --format csv --json").contains("cannot be used with"));
}

#[test]
fn the_schema_names_what_a_report_in_json_has() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&read("docs/lab-report.schema.json")).unwrap();
    let scratch = Scratch::new("schema");
    // Games, which have figures, are among those that do not count any more.
    let folders = ["results", "results-earlier"].map(|folder| root.join(folder).display().to_string()).join(" ");
    let report = scratch.done(&format!("report {folders} --json"));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let chapter = &schema["items"];
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let mut matches = 0;
    for found in report.as_array().unwrap() {
        let mut named = keys(&chapter["properties"]);
        named.retain(|name| name != "figures" || found["figures"].is_array());
        assert_eq!(keys(found), named);
        for list in ["claims", "figures", "measures", "tables"] {
            for one in found[list].as_array().into_iter().flatten() {
                assert_eq!(keys(one), keys(&chapter["properties"][list]["items"]["properties"]), "{list}");
                matches += usize::from(list == "figures");
            }
        }
    }
    assert!(matches > 50);
}
