use super::*;
use crate::lab::code::Code;
use crate::lab::experiment::Paper;
use crate::lab::store::Record;

/// An experiment of three rows with one claim.
fn text(claim: &str) -> String {
    format!(
        "title = \"t\"\n[[experiment]]\nname = \"e\"\nkind = \"match\"\nsize = 5\ngames = 100\ncolours = \"black\"\n\
         first = \"mc playouts={{n}}\"\nsecond = \"mc playouts=9\"\ncolumns = [\"n\"]\nrows = [[10], [20], [30]]\n\
         claims = [{{ says = \"It is so.\", {claim} }}]"
    )
}

fn experiment(claim: &str) -> Experiment {
    Paper::parse(&text(claim)).unwrap().experiments.remove(0)
}

/// The claim judged by rows with so many wins of so many games.
fn judged(claim: &str, results: &[(&str, u64, u64)]) -> Judged {
    let experiment = experiment(claim);
    let record = |row: &str, index: u64, points: u8| Record {
        experiment: "e".to_string(),
        row: row.to_string(),
        index,
        config: row.to_string(),
        seed: index,
        budget: "as described".to_string(),
        setting: experiment.rows[0].setting.clone(),
        players: Vec::new(),
        code: Code::default(),
        seconds: 36.0,
        made: None,
        outcome: serde_json::json!({ "first_is": "black", "points": points }),
    };
    let records: Vec<Vec<Record>> = results
        .iter()
        .map(|(row, wins, games)| (0..*games).map(|i| record(row, i, u8::from(i < *wins))).collect())
        .collect();
    let rows: Vec<RowRecords> = records
        .iter()
        .zip(results)
        .filter_map(|(records, (name, _, _))| {
            let row = experiment.rows.iter().find(|row| row.name == *name)?;
            Some(RowRecords { row, label: row.name.clone(), records: records.iter().collect(), scaled: None })
        })
        .collect();
    judge(&experiment, &rows, &|name| others(name)).remove(0)
}

#[test]
fn a_claim_holds_when_all_intervals_say_so_and_fails_when_one_says_the_opposite() {
    let above = "rows = [\"*\"], above = 50";
    let all = |a, b, c| [("10", a, 100), ("20", b, 100), ("30", c, 100)];
    for (claim, results, verdict) in [
        (above, all(70, 80, 75), ClaimVerdict::Holds),
        (above, all(70, 52, 75), ClaimVerdict::Open),
        (above, all(70, 52, 30), ClaimVerdict::DoesNotHold),
        // One of three that is below by its own interval, [30.9, 49.8], may be so by chance.
        (above, all(70, 52, 40), ClaimVerdict::Open),
        ("rows = [\"30\"], above = 50", all(70, 52, 40), ClaimVerdict::DoesNotHold),
        ("rows = [\"10\", \"20\"], near = 50, margin = 15", all(52, 49, 80), ClaimVerdict::Holds),
        ("rows = [\"*\"], near = 50, margin = 15", all(52, 49, 80), ClaimVerdict::DoesNotHold),
        ("rows = [\"*\"], near = 50, margin = 5", all(52, 49, 50), ClaimVerdict::Open),
        ("rows = [\"*\"], below = 50, margin = 15", all(40, 45, 50), ClaimVerdict::Holds),
        ("rows = [\"20\", \"30\"], above_row = \"10\"", all(30, 60, 70), ClaimVerdict::Holds),
        ("rows = [\"20\", \"30\"], below_row = \"10\"", all(30, 60, 70), ClaimVerdict::DoesNotHold),
        // Above all others, itself apart.
        ("rows = [\"30\"], above_row = \"*\"", all(30, 50, 70), ClaimVerdict::Holds),
        ("rows = [\"20\", \"30\"], above_row = [\"10\", \"20\"], paired = true", all(30, 50, 70), ClaimVerdict::Holds),
        ("rows = [\"20\", \"30\"], above_row = [\"10\", \"20\"]", all(30, 55, 70), ClaimVerdict::Holds),
        (
            "rows = [\"10\", \"20\"], above_row = [\"20\", \"30\"], paired = true",
            all(30, 50, 70),
            ClaimVerdict::DoesNotHold,
        ),
        ("rows = [\"*\"], trend = \"rises\"", all(30, 45, 60), ClaimVerdict::Holds),
        ("rows = [\"*\"], trend = \"falls\"", all(30, 45, 60), ClaimVerdict::DoesNotHold),
        ("rows = [\"*\"], trend = \"falls\"", all(52, 50, 49), ClaimVerdict::Open),
    ] {
        assert_eq!(judged(claim, &results).verdict, Some(verdict), "{claim} {results:?}");
    }
    let mixed = judged(above, &all(70, 80, 20));
    assert!(mixed.found.starts_with("20.0 ["), "what decides comes first: {}", mixed.found);
    let few = judged(above, &[("10", 70, 100)]);
    assert_eq!(few.verdict, Some(ClaimVerdict::Open), "rows that were not run leave it open");
    assert!(few.found.ends_with("2 rows were not run"), "{}", few.found);
}

/// Another experiment, whose row 10 has won 300 of 400.
fn others(name: &str) -> Vec<Figure> {
    let figure = |row: &str| Figure {
        name: row.to_string(),
        label: row.to_string(),
        value: crate::lab::stats::proportion(300.0, 400.0),
        trials: 400,
        cost: 1.0,
        unit: Unit::Percent,
        is_rate: true,
    };
    if name == "another" { vec![figure("10")] } else { Vec::new() }
}

#[test]
fn rows_of_another_experiment_can_be_compared() {
    let claim = "rows = [\"10\"], below_row = \"10\", of = \"another\"";
    let found = judged(claim, &[("10", 50, 100)]);
    assert_eq!(found.verdict, Some(ClaimVerdict::Holds), "{found:?}");
    assert!(found.found.contains("over 10 of another (400)"), "{found:?}");
    let none = judged(&claim.replace("another", "nobody"), &[("10", 50, 100)]);
    assert_eq!(none.verdict, Some(ClaimVerdict::Open), "{none:?}");
    assert!(none.found.contains("1 row was not run") && none.games_needed.is_some(), "{none:?}");
}

#[test]
fn a_bound_that_says_nothing_leaves_its_claim_open_and_asks_for_no_trials() {
    let text = "title = \"t\"\n[[experiment]]\nname = \"e\"\nkind = \"regret\"\ngames = 9\n\
                players = [\"ruct constant=theory oracle=single\"]\nwith = { calls = 1000000 }\n\
                columns = [\"k\", \"m\", \"gap\"]\nrows = [[2, 2, 0.5], [5, 5, 0.2]]\n\
                claims = [{ says = \"It keeps to the bound.\", rows = [\"* over the bound\"], below = 0 }]";
    let experiment = Paper::parse(text).unwrap().experiments.remove(0);
    let tree = |index: u64| Record {
        experiment: "e".to_string(),
        row: "2 2 0.5".to_string(),
        index,
        config: String::new(),
        seed: index,
        budget: "as described".to_string(),
        setting: experiment.rows[0].setting.clone(),
        players: Vec::new(),
        code: Code::default(),
        seconds: 1.0,
        made: None,
        outcome: serde_json::json!({ "calls": [10_000, 100_000, 316_228, 1_000_000], "difficulty": 400.0,
                                     "players": [{ "share": [0.2, 0.1, 0.05, 0.02] }] }),
    };
    let records: Vec<Record> = (0..4).map(tree).collect();
    let row = |i: usize| {
        let row = &experiment.rows[i];
        RowRecords { row, label: row.name.clone(), records: records.iter().collect(), scaled: None }
    };
    let judged = |rows: &[RowRecords]| judge(&experiment, rows, &|_| Vec::new()).remove(0);
    let both = judged(&[row(0), row(1)]);
    assert_eq!((both.verdict, both.games_needed), (Some(ClaimVerdict::Open), None), "{both:?}");
    assert_eq!(both.found, "2 figures say nothing at these budgets");
    let one = judged(&[row(0)]);
    assert_eq!(one.games_needed, Some(9), "{one:?}");
    assert_eq!(one.found, "1 row was not run; 1 figure says nothing at these budgets");
}

#[test]
fn claims_that_cannot_be_asked_are_refused() {
    for (claim, says) in [
        ("rows = [\"40\"], above = 50", "there are '10', '20', '30'"),
        ("rows = [\"10\"], near = 50", "`margin`"),
        ("rows = [\"10\"], above_row = \"10\"", "with itself"),
        ("rows = [\"10\", \"20\"], above_row = \"30\", paired = true", "as many rows"),
        ("rows = [\"10\"], trend = \"rises\"", "two rows"),
        ("rows = [\"10\"], above = 5, of = \"another\"", "whose"),
        ("rows = [\"10\"], above = 5, near = 9", "one of `above`"),
    ] {
        let error = Paper::parse(&text(claim)).unwrap_err();
        assert!(error.contains(says), "{claim}: {error}");
    }
    let nodes = text("rows = [\"10\"], above = 5, measure = \"white\"").replace("\"match\"", "\"nodes\"");
    assert!(Paper::parse(&nodes).unwrap_err().contains("`measure`"));
}

#[test]
fn games_that_are_missing_are_those_that_four_cases_of_five_need() {
    // 55 % against 50 %: ((1.96 + 0.84) 0.4975 / 0.05)² = 777 games, of which 100 are there.
    let open = judged("rows = [\"10\"], above = 50", &[("10", 55, 100)]);
    let needed = open.games_needed.unwrap() as f64;
    assert!((needed - 677.0).abs() < 60.0, "{needed}");
    assert!((open.hours_needed.unwrap() - needed / 100.0).abs() < 0.02, "a game takes 36 seconds: {open:?}");
    assert_eq!(judged("rows = [\"10\"], above = 50", &[("10", 90, 100)]).games_needed, None);
    // No difference at all: what the paper's size wants, here as many again.
    assert_eq!(judged("rows = [\"10\"], above = 50", &[("10", 50, 100)]).games_needed, Some(100));
    // Of a few games nobody knows.
    assert_eq!(judged("rows = [\"10\"], above = 50", &[("10", 3, 4)]).games_needed, Some(96));
    // Rows that were not run want the paper's size, at the pace of the others.
    let missing = judged("rows = [\"*\"], above = 50", &[("10", 90, 100)]);
    assert_eq!((missing.games_needed, missing.hours_text().as_str()), (Some(200), "2.0"));
    // That many, simulated: how often is the truth found?
    let mut rng = crate::base::Rng::new(2);
    let found = (0..500).filter(|_| {
        let wins = (0..777).filter(|_| rng.unit() < 0.55).count();
        crate::base::stats::wilson(wins as f64, 777.0).0 > 0.5
    });
    let share = found.count() as f64 / 500.0;
    assert!((share - 0.8).abs() < 0.06, "{share}");
}
