//! An option that means nothing is refused, with a word on why, before any work is begun.

use std::path::Path;
use std::process::{Command, Output};

/// What is typed, and a part of what is answered.
const REFUSED: &[(&str, &str)] = &[
    // moku itself
    ("--rule freestyle", "--rule is for gobang"),
    ("--game go --rule exact", "--rule is for gobang"),
    ("--game gobang --komi 5.5", "--komi is for Go"),
    ("--game gobang --rules chinese", "--rules is for Go"),
    ("--resign 0.1 --no-resign", "cannot be used with"),
    ("--protocol gomocup --game go", "--game go means nothing in the Gomocup protocol"),
    ("--protocol gomocup --size 15", "--size means nothing"),
    ("--protocol gomocup --komi 1", "--komi is for Go"),
    ("--protocol gomocup --resign 0.1", "--resign means nothing"),
    ("--protocol gomocup --no-resign", "--no-resign means nothing"),
    ("--protocol gomocup --ponder", "--ponder means nothing"),
    ("--protocol gomocup --analysis-visits 9", "--analysis-visits means nothing"),
    ("--protocol gomocup --analysis-time 9", "--analysis-time means nothing"),
    ("--protocol gomocup --live-gfx", "--live-gfx means nothing"),
    ("--protocol gomocup --gtp-version 1", "--gtp-version means nothing"),
    ("--protocol gomocup --rules chinese", "--rules is for Go"),
    ("--level 3 --engine uct@playouts=100", "leave out playouts"),
    ("--engine uct@each=5", "each means something only with"),
    ("--size 9 engines", "cannot be used with"),
    // engines, bench
    ("engines --threads 2", "unexpected argument"),
    ("bench --json --behaviour", "cannot be used with"),
    ("bench --seed 1", "unexpected argument"),
    // board
    ("board sgf/examples/go9.sgf --engine uct", "--engine is for pictures of a search"),
    ("board sgf/examples/go9.sgf --threads 1", "--threads is for pictures of a search"),
    ("board sgf/examples/go9.sgf --seed 1", "--seed means nothing here"),
    ("board sgf/examples/go9.sgf --overlay ownership --engine uct", "--engine is for pictures of a search"),
    ("board sgf/examples/go9.sgf --overlay potential --seed 2", "--seed means nothing here"),
    ("board sgf/examples/go9.sgf --overlay filter1 --threads 2", "--threads is for pictures of a search"),
    // play, review, learn
    ("play --size 9", "unexpected argument"),
    ("review sgf/examples/go9.sgf --engine uct@playouts=50", "playouts=50 means nothing in a review"),
    ("review sgf/examples/go9.sgf --engine uct@time=1", "time=1 means nothing in a review"),
    ("learn sgf/examples", "required"),
    // match
    ("match --first uct --second mc --rule exact", "--rule is for gobang"),
    ("match --first uct --second mc --game gobang --komi 0", "--komi is for Go"),
    ("match --first uct --second mc --games 0", "a whole number from 1 to 10000000 is expected"),
    ("match --first uct --second mc --jobs 0", "a whole number from 1 to 1024 is expected"),
    ("match --first uct --second mc --clock 0", "a positive number of seconds"),
    ("match --first uct --second mc --openings -1", "a whole number from 0 to 100 is expected"),
    ("match --first uct --second mc --sprt 30,0", "the smaller first"),
    ("match --first uct --second mc --timeout 5", "--timeout is for outside engines"),
    // lab
    ("lab calibrate inherit-mc --games 5", "unexpected argument"),
    ("lab calibrate inherit-mc --jobs 2", "unexpected argument"),
    ("lab calibrate inherit-mc --shard 1/2", "unexpected argument"),
    ("lab calibrate inherit-mc --hours 1", "unexpected argument"),
    ("lab calibrate inherit-mc --seed 1", "unexpected argument"),
    ("lab run inherit-mc --clock", "--clock means nothing to inherit-mc"),
    ("lab run inherit-mc --clock --playouts 100", "cannot be used with"),
    ("lab run handicap-distribution --playouts 100", "--playouts means nothing to handicap-distribution"),
    ("lab run bandit --games 1 --timeout 5", "--timeout is for outside engines"),
    ("lab run inherit-mc --hours 0", "a positive number of hours is expected"),
    ("lab run inherit-mc --out Cargo.toml", "cannot write Cargo.toml: it is not a folder"),
    ("lab list --all", "unexpected argument"),
    ("lab report", "required"),
    ("lab merge results", "required"),
    // tsumego
    ("tsumego solve X --engine prover --tries 2", "--tries is about searches"),
    ("tsumego solve X --engine prover --playouts 100", "--playouts is about searches"),
    ("tsumego solve X --engine prover --as-is", "--as-is is about searches"),
    ("tsumego solve X --engine prover --seed 1", "--seed is about searches"),
    ("tsumego solve X --engine prover@playouts=100", "playouts means nothing to a proof"),
    ("tsumego solve X --engine prover --engine uct", "give it --engine alone"),
    ("tsumego solve X --engine prover --engine prover", "give it --engine alone"),
    ("tsumego solve X --engine prover@prover-time=5 --seconds 5", "say the same: leave one out"),
    ("tsumego solve X --engine prover@table-mb=5 --table-mb 5", "say the same: leave one out"),
    ("tsumego solve X --engine uct --seconds 5", "--seconds is for --engine prover"),
    ("tsumego solve X --table-mb 5", "--table-mb is for --engine prover"),
    ("tsumego solve X --engine uct --verify", "--verify is for --engine prover"),
    ("tsumego solve X --jobs 0", "from 1 to 1024"),
    ("tsumego solve X --html /none/page.html", "cannot write /none/page.html"),
    ("tsumego make --standard --count 3", "cannot be used with"),
    ("tsumego make --standard --seed 3", "cannot be used with"),
    ("tsumego make --standard --region side", "cannot be used with"),
    ("tsumego make --standard --level 1", "cannot be used with"),
    ("tsumego make --standard --kind ko", "cannot be used with"),
    ("tsumego frame X --as-is", "unexpected argument"),
    ("tsumego learn --level 1", "unexpected argument"),
    ("tsumego tst X", "required"),
    // regress
    ("regress gtp-tests/tsumego.tst --jobs 2", "unexpected argument"),
    ("regress gtp-tests", "gtp-tests is a folder"),
    // review and learn
    ("review sgf/examples/go9.sgf --output sgf", "cannot write sgf: it is a folder"),
    ("learn sgf/examples --output none/a.weights", "cannot write none/a.weights"),
];

/// The same options where they mean something, and a part of what is printed.
const ACCEPTED: &[(&str, &str)] = &[
    ("--game gobang --rule freestyle --size 9", ""),
    ("--protocol gomocup --rule freestyle --time 0.5", ""),
    ("board sgf/examples/go9.sgf", "<svg"),
    ("board sgf/examples/go9.sgf --overlay filter1 --seed 3", "filter1 keeps"),
    (
        "board sgf/examples/go9.sgf --overlay visits --engine uct@playouts=50 --seed 3 --threads 1",
        "Playouts of each move",
    ),
    ("match --first random --second random --games 2 --size 5 --komi 0.5", "first wins"),
    ("match --first random --second random --games 2 --game gobang --size 5 --rule freestyle", "freestyle rule"),
    ("tsumego solve PROBLEM --engine prover --seconds 5 --table-mb 1 --verify --jobs 1", "1 of 1 proven"),
    ("tsumego solve PROBLEM --engine prover@prover-time=5@table-mb=1", "1 of 1 proven"),
    ("tsumego solve PROBLEM --playouts 50 --tries 1 --seed 1 --as-is --jobs 1", "1 tries each, seed 1"),
];

/// `@` stands for a blank inside of a word.
fn moku(words: &str) -> Output {
    let words = words.split(' ').map(|word| match word {
        "PROBLEM" => "sgf/tsumego/proven/standard-straight-three-kill.sgf".to_string(),
        "X" => "sgf/tsumego/standard".to_string(),
        word => word.replace('@', " "),
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_moku"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    command.current_dir(folder).args(words).stdin(std::process::Stdio::null()).output().unwrap()
}

#[test]
fn options_that_mean_nothing_are_refused() {
    for (words, why) in REFUSED {
        let output = moku(words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "moku {words} is accepted");
        assert!(told.contains(why), "moku {words} answers: {told}");
        assert!(output.stdout.is_empty(), "moku {words} begins to work");
    }
}

#[test]
fn the_same_options_are_accepted_where_they_mean_something() {
    for (words, part) in ACCEPTED {
        let output = moku(words);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "moku {words}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains(part), "moku {words} prints: {said}");
    }
}
