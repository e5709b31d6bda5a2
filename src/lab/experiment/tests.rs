use super::*;

const SMALL: &str = r#"
    title = "Mine"
    [[experiment]]
    name = "small"
    kind = "match"
    games = 4
    size = 5
    first = "uct playouts={playouts} {reward}"
    second = "mc playouts={playouts}"
    words.reward = { plain = "", "*" = "reward={} gain={gain}" }
    with = { gain = 0.5 }
    columns = ["reward", "playouts", "size", "published"]
    rows = [["plain", 100, 5, 61.5], ["sigmoid", 200, 7, ""]]
    grid = [["reward", "half-sigmoid"], ["playouts", "1..3"]]
"#;

#[test]
fn rows_fill_in_the_lines_and_change_the_setting() {
    let experiment = &Paper::parse(SMALL).unwrap().experiments[0];
    let [plain, sigmoid, grid @ ..] = &experiment.rows[..] else { panic!() };
    assert_eq!(plain.lines, ["uct playouts=100 ", "mc playouts=100"]);
    assert_eq!((plain.name.as_str(), plain.setting.size), ("plain 100 5", 5));
    assert_eq!(plain.published, [Some(61.5), None, None]);
    assert_eq!(sigmoid.lines[0], "uct playouts=200 reward=sigmoid gain=0.5");
    assert_eq!((sigmoid.setting.size, sigmoid.published[0]), (7, None));
    let names: Vec<&str> = grid.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["half-sigmoid 1", "half-sigmoid 2", "half-sigmoid 3"]);
}

#[test]
fn rows_are_chosen_by_number_range_and_name() {
    let experiment = &Paper::parse(SMALL).unwrap().experiments[0];
    let chosen = |words: &[&str]| -> Vec<String> {
        let words: Vec<String> = words.iter().map(|w| w.to_string()).collect();
        experiment.select(&words).unwrap().iter().map(|row| row.name.clone()).collect()
    };
    assert_eq!(chosen(&[]).len(), 5);
    assert_eq!(chosen(&["2-3"]), ["sigmoid 200 7", "half-sigmoid 1"]);
    assert_eq!(chosen(&["half*3", "1"]), ["plain 100 5", "half-sigmoid 3"]);
    assert_eq!(chosen(&["*7"]), ["sigmoid 200 7"]);
    let error = experiment.select(&["9".to_string()]).unwrap_err();
    assert!(error.contains("1 to 5") && error.contains("'plain 100 5'"), "{error}");
}

#[test]
fn mistakes_are_named_with_the_experiment_and_what_is_expected() {
    for (from, to, expected) in [
        ("\"match\"", "\"duel\"", "duel"),
        ("name = \"small\"", "name = \"../etc\"", "letters"),
        ("{playouts} {reward}", "{playout} {reward}", "there are: gain, playouts"),
        ("second = \"mc", "second = \"deep", "no engine 'deep'"),
        ("gain = 0.5", "gain = -1", "gain takes"),
        ("size = 5", "colour = 5", "unknown field"),
        ("\"1..3\"", "\"1..x\"", "range"),
        ("\"1..3\"", "\"1..99999999\"", "too long"),
        ("[\"plain\", 100, 5, 61.5]", "[\"plain\", 100]", "2 cells"),
        ("100, 5, 61.5", "100, 50, 61.5", "50 lines"),
        ("\"1..3\"", "\"1..1\", 1", "two rows"),
        ("\"size\", \"published\"", "\"playouts\", \"published\"", "two columns"),
        ("61.5", "161.5", "percentages"),
        ("61.5", "\"y\"", "`published` is a number, not 'y'"),
        ("games = 4", "games = 0", "`games`"),
        ("games = 4", "games = 4\nhandicap = 25", "do not fit"),
        ("games = 4", "games = 4\nopenings = 99", "do not fit"),
        ("games = 4", "games = 4\nhandicap_at = \"C3 C3\"", "each once"),
        ("games = 4", "games = 4\nhandicap_at = \"C3 Z9\"", "each once"),
        ("games = 4", "games = 4\nkomi = 1e30", "komi"),
        ("games = 4", "games = 4\nplot = { x = \"level\" }", "column 'level'"),
        (
            "games = 4",
            "games = 4\nclaims = [{ says = \"a\", rows = [\"9\"], above = 50 }]",
            "the claim 'a': no row is named '9'",
        ),
        ("games = 4", "games = 4\nclaims = [{ says = \"a\", rows = [\"1\"] }]", "one of `above`"),
        ("games = 4", "games = 4\nclaims = [{ says = \"a\", above = 5, below = 9, rows = [\"1\"] }]", "one of `above`"),
        ("games = 4", "games = 4\nclaims = [{ says = \"a\", rows = [\"plain*\"], over = 5 }]", "unknown field `over`"),
        ("games = 4", "games = 4\nclaims = [{ says = \"a\", rows = [\"plain*\"], trend = \"rises\" }]", "two rows"),
        (
            "name = \"small\"",
            "name = \"a\"\nkind = \"bandit\"\ngames = 1\n[[experiment]]\nname = \"a\"",
            "two experiments",
        ),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let error = Paper::parse(&SMALL.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn one_line_makes_an_ablation() {
    let text = "title = \"t\"\n[[experiment]]\nname = \"parts\"\nkind = \"match\"\ngames = 2\n\
                ablate = \"uct c=0.5 threshold=2 playouts=50\"";
    let experiment = &Paper::parse(text).unwrap().experiments[0];
    let names: Vec<&str> = experiment.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["c=0.5", "threshold=2"]);
    let row = &experiment.rows[0];
    assert!(row.lines[0].contains("c=0.25 threshold=2") && row.lines[1].contains("c=0.5"), "{:?}", row.lines);
    for (more, expected) in [("first = \"uct\"", "leave out"), ("rows = [[1]]", "leave out")] {
        assert!(Paper::parse(&format!("{text}\n{more}")).unwrap_err().contains(expected));
    }
    let plain = text.replace("c=0.5 threshold=2 ", "");
    assert!(Paper::parse(&plain).unwrap_err().contains("no part"));
}
