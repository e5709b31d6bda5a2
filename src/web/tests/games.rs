//! Games as pages play them.

use super::*;

fn new_game(page: &mut Page, more: Value) {
    let mut wish = json!({ "do": "new", "game": "go", "size": 9, "you": "black", "level": 1 });
    wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    page.ask(wish).unwrap();
    page.wait(|game| game["at"] == 0);
}

#[test]
fn moku_answers_and_moves_can_be_taken_back_and_gone_through() {
    let mut page = Page::open(&serve());
    new_game(&mut page, json!({}));
    for (i, vertex) in ["E5", "C3", "G7"].iter().enumerate() {
        page.ask(json!({ "do": "play", "at": vertex })).unwrap();
        page.wait(|game| game["moves"].as_array().unwrap().len() == 2 * i + 2 && game["thinks"] == false);
    }
    assert_eq!(page.game["moves"][0], json!(["B", "E5"]));
    assert!(page.ask(json!({ "do": "play", "at": "E5" })).unwrap_err().contains("occupied"));
    assert!(page.ask(json!({ "do": "play", "at": "K9" })).unwrap_err().contains("no point"));
    page.ask(json!({ "do": "undo" })).unwrap();
    page.wait(|game| game["moves"].as_array().unwrap().len() == 4);
    page.ask(json!({ "do": "go", "at": 1 })).unwrap();
    page.wait(|game| game["at"] == 1);
    assert_eq!(page.game["stones"].as_str().unwrap().matches(|c| c != '.').count(), 1);
    // A try in the middle leaves the game, which stays.
    page.ask(json!({ "do": "play", "at": "A1" })).unwrap();
    page.wait(|game| game["former"] == true);
    page.ask(json!({ "do": "return" })).unwrap();
    page.wait(|game| game["former"] == false && game["at"] == 4);
    assert!(page.ask(json!({ "do": "go", "at": 5 })).unwrap_err().contains("4 moves"));
    assert!(page.ask(json!({ "do": "return" })).is_err());
}

#[test]
fn win_rates_of_a_handful_of_playouts_are_not_told() {
    let mut page = Page::open(&serve());
    for (level, is_told) in [(1, false), (5, true)] {
        new_game(&mut page, json!({ "level": level }));
        page.ask(json!({ "do": "play", "at": "E5" })).unwrap();
        page.wait(|game| game["moves"].as_array().unwrap().len() == 2 && game["thinks"] == false);
        assert_eq!(page.game["rates"][1].is_number(), is_told, "level {level}: {}", page.game["rates"]);
    }
}

#[test]
fn a_game_is_counted_with_the_stones_that_the_person_says_are_dead() {
    let mut page = Page::open(&serve());
    let sgf = "(;SZ[5]KM[0.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[ec];W[ab])";
    page.ask(json!({ "do": "load", "sgf": sgf })).unwrap();
    page.wait(|game| game["at"] == 12);
    page.ask(json!({ "do": "pass" })).unwrap();
    page.ask(json!({ "do": "pass" })).unwrap();
    page.wait(|game| game["phase"] == "counting");
    let as_judged = page.game["score"].clone();
    page.ask(json!({ "do": "dead", "at": "A4" })).unwrap();
    page.wait(|game| game["score"] != as_judged);
    page.ask(json!({ "do": "dead", "at": "A4" })).unwrap();
    page.wait(|game| game["score"] == as_judged);
    assert!(page.ask(json!({ "do": "dead", "at": "A1" })).unwrap_err().contains("no stone"));
    assert!(page.ask(json!({ "do": "play", "at": "A1" })).unwrap_err().contains("over"));
    page.ask(json!({ "do": "play-on" })).unwrap();
    page.wait(|game| game["phase"] == "playing" && game["at"] == 12);
    assert!(page.ask(json!({ "do": "accept" })).is_err());
    page.ask(json!({ "do": "pass" })).unwrap();
    page.ask(json!({ "do": "pass" })).unwrap();
    page.ask(json!({ "do": "accept" })).unwrap();
    page.wait(|game| game["phase"] == "over");
    assert_eq!(page.game["result"], as_judged);
    let saved = page.ask(json!({ "do": "save" })).unwrap();
    assert!(saved["sgf"].as_str().unwrap().contains(&format!("RE[{}]", as_judged.as_str().unwrap())));
}

#[test]
fn a_count_in_the_middle_of_a_game_tells_what_is_nobodys_yet() {
    let mut page = Page::open(&serve());
    let sgf = include_str!("../../../sgf/examples/go9.sgf");
    page.ask(json!({ "do": "load", "sgf": sgf })).unwrap();
    page.ask(json!({ "do": "overlay", "name": "ownership" })).unwrap();
    page.wait(|game| game["score"].is_string());
    assert!(page.game["nobodys"].is_null());
    page.ask(json!({ "do": "pass" })).unwrap();
    page.ask(json!({ "do": "pass" })).unwrap();
    page.wait(|game| game["phase"] == "counting");
    assert!(page.game["nobodys"].as_u64().unwrap() > 40, "{}", page.game["nobodys"]);
}

#[test]
fn parameters_come_with_the_axis_that_they_belong_to() {
    let mut page = Page::open(&serve());
    new_game(&mut page, json!({}));
    let axis = |game: &Value, name: &str| {
        let rows = game["engine"]["parameters"].as_array().unwrap().clone();
        rows.iter().find(|row| row["name"] == name).map(|row| row["axis"].as_str().unwrap().to_string())
    };
    for (name, expected) in [
        ("playouts", "effort"),
        ("c", "allocation"),
        ("playout", "playout"),
        ("capture", "playout"),
        ("equivalence", "rule"),
        ("prior-even", "prior"),
        ("memory", "memory"),
    ] {
        assert_eq!(axis(&page.game, name).as_deref(), Some(expected), "{name}");
    }
}

#[test]
fn gobang_ends_with_five_and_a_handicap_game_starts_with_stones() {
    let mut page = Page::open(&serve());
    new_game(&mut page, json!({ "game": "gobang", "size": 15, "you": "both" }));
    for vertex in ["A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1"] {
        page.ask(json!({ "do": "play", "at": vertex })).unwrap();
    }
    page.wait(|game| game["phase"] == "over");
    assert_eq!(page.game["result"], "B+");
    assert!(page.ask(json!({ "do": "overlay", "name": "potential" })).unwrap_err().contains("winrate"));
    new_game(&mut page, json!({ "handicap": 4, "komi": 0.5, "you": "both" }));
    page.wait(|game| game["handicap"] == 4 && game["turn"] == "W");
    assert!(page.ask(json!({ "do": "new", "game": "go", "size": 9, "handicap": 60, "you": "black" })).is_err());
    assert!(
        page.ask(json!({ "do": "new", "game": "go", "size": 99, "you": "black" })).unwrap_err().contains("2 to 25")
    );
    assert!(page.ask(json!({ "do": "new", "game": "go", "you": "black", "engine": "alphabeta" })).is_err());
    page.wait(|game| game["handicap"] == 4);
}

#[test]
fn a_search_is_seen_by_every_page_and_outlives_a_reload() {
    let address = serve();
    let mut first = Page::open(&address);
    new_game(&mut first, json!({ "you": "both" }));
    first.ask(json!({ "do": "overlay", "name": "winrate" })).unwrap();
    first.ask(json!({ "do": "analyse", "on": true })).unwrap();
    let live = |page: &mut Page| {
        let began = Instant::now();
        loop {
            let heard = page.hear();
            if heard["topic"] == "live" && heard["playouts"].as_u64().is_some_and(|n| n > 0) {
                return heard;
            }
            assert!(began.elapsed() < PATIENCE);
        }
    };
    let mut second = Page::open(&address);
    for page in [&mut first, &mut second] {
        let seen = live(page);
        assert!(seen["layers"][1].as_str().unwrap().contains("circle"), "{seen}");
        assert!(!seen["rows"].as_array().unwrap().is_empty());
    }
    // A move in mid-search is answered at once, and the analysis goes on with the next position.
    first.ask(json!({ "do": "play", "at": "E5" })).unwrap();
    second.wait(|game| game["at"] == 1);
    drop(first);
    drop(second);
    let mut third = Page::open(&address);
    assert_eq!((third.moves(), &third.game["analyses"]), (1, &json!(true)));
    live(&mut third);
}

#[test]
fn a_clock_runs_for_the_person_and_ends_the_game() {
    let mut page = Page::open(&serve());
    new_game(&mut page, json!({ "clock": { "main": 0.5 } }));
    page.wait(|game| game["phase"] == "over");
    assert_eq!(page.game["result"], "W+T");
}

#[test]
fn every_parameter_of_an_engine_can_be_set_and_what_cannot_be_is_refused() {
    let mut page = Page::open(&serve());
    new_game(&mut page, json!({ "you": "both" }));
    page.ask(json!({ "do": "engine", "line": "shot playouts=1000" })).unwrap();
    page.wait(|game| game["engine"]["preset"] == "shot");
    page.ask(json!({ "do": "parameter", "key": "playouts", "value": "500" })).unwrap();
    page.wait(|game| game["engine"]["line"].as_str().unwrap().contains("playouts=500"));
    assert!(page.ask(json!({ "do": "parameter", "key": "playouts", "value": "many" })).unwrap_err().contains("takes"));
    for command in [
        json!({ "do": "engine", "line": "moku weights=/etc/passwd" }),
        json!({ "do": "parameter", "key": "playout-weights", "value": "/etc/passwd" }),
        json!({ "do": "new", "game": "go", "you": "black", "engine": "moku playout=softmax playout-weights=x" }),
    ] {
        assert!(page.ask(command).unwrap_err().contains("command line only"));
    }
    for name in page.game["overlays"].as_array().unwrap().clone() {
        page.ask(json!({ "do": "overlay", "name": name })).unwrap();
        page.wait(|game| game["overlay"] == name);
    }
}
