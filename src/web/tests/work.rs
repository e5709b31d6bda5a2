//! Comparisons, reviews and problems: long work, and what can be asked meanwhile.

use super::*;

const GAME: &str = "(;GM[1]SZ[9]KM[7.5];B[ee];W[cc];B[gg];W[cg])";
const THREE: &str = "(;SZ[9]AB[ag][bg][cg][dg][eg][eh][ei]AW[ah][bh][ch][dh][di]PL[B](;B[bi]C[RIGHT]))";

/// Waits for news of a topic; those that came before the answer to what was asked last count too.
fn news(page: &mut Page, topic: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        if let Some(heard) = page.news.get(topic).filter(|&heard| is_so(heard)) {
            return heard.clone();
        }
        assert!(began.elapsed() < PATIENCE, "{topic} stays as it is");
        page.hear();
    }
}

#[test]
fn a_review_answers_in_the_middle_of_a_position_and_can_be_stopped_there() {
    let mut page = Page::open(&serve());
    let mut ask = |command: Value| page.ask_of("review", command);
    assert!(ask(json!({ "do": "look", "at": "sgf" })).unwrap_err().contains("no game"));
    ask(json!({ "do": "start", "name": "a", "sgf": GAME, "playouts": 100, "engine": null })).unwrap();
    let done = news(&mut page, "review", |news| news["running"] == false);
    assert_eq!((&done["done"], &done["positions"]), (&json!(5), &json!(5)));
    let mut ask = |command: Value| page.ask_of("review", command);
    ask(json!({ "do": "start", "name": "b", "sgf": GAME, "playouts": 100_000_000, "engine": "uct" })).unwrap();
    let began = Instant::now();
    assert!(ask(json!({ "do": "look", "at": "board", "number": 1 })).unwrap_err().contains("not been looked at yet"));
    assert!(ask(json!({ "do": "look", "at": "sgf" })).unwrap()["text"].as_str().unwrap().contains("SZ[9]"));
    ask(json!({ "do": "stop" })).unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "a hundred million playouts are not waited for");
    news(&mut page, "review", |news| news["name"] == "b" && news["running"] == false && news["done"] == 0);
    page.ask_of("review", json!({ "do": "go-on" })).unwrap();
    page.ask_of("review", json!({ "do": "start", "name": "c", "sgf": GAME, "playouts": 50, "engine": null })).unwrap();
    news(&mut page, "review", |news| news["name"] == "c" && news["done"] == 5);
}

#[test]
fn a_comparison_shows_what_each_idea_did() {
    let mut page = Page::open(&serve());
    let start = |engines: [&str; 2], playouts: u64| json!({ "do": "start", "sgf": GAME, "engines": engines, "playouts": playouts, "overlay": "visits" });
    page.ask_of("compare", start(["inherited-mc", "shot"], 2000)).unwrap();
    let done =
        |news: &Value| news["sides"].as_array().is_some_and(|sides| sides.iter().all(|side| side["done"] == true));
    let found = news(&mut page, "compare", done);
    let (left, right) = (&found["sides"][0], &found["sides"][1]);
    assert!(left["inherited"].as_f64().unwrap() > 1.0 && left["rounds"] == json!([]));
    let rounds: Vec<u64> = right["rounds"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert!(rounds[0] >= 70 && rounds.windows(2).all(|w| w[1] == w[0].div_ceil(2)), "{rounds:?}");
    assert_eq!(right["rows"][0]["round"], rounds.len() as u64 - 1);
    // The second takes the place of the first; a reward that is no step is told.
    page.ask_of("compare", start(["uct", "uct"], 100_000_000)).unwrap();
    page.ask_of("compare", start(["uct", "uct reward=sigmoid"], 300)).unwrap();
    let found = news(&mut page, "compare", |news| news["playouts"] == 300 && done(news));
    let curve = |side: usize| found["sides"][side]["reward"]["curve"].as_array().unwrap().clone();
    assert_eq!(curve(0).first().unwrap()[1], 0.0);
    assert!(curve(1).first().unwrap()[1].as_f64().unwrap() > 0.0);
    assert!(page.ask_of("compare", start(["uct", "alphabeta"], 300)).is_err());
    assert!(page.ask_of("compare", start(["uct", "uct"], 0)).unwrap_err().contains("playouts"));
}

#[test]
fn problems_that_are_dropped_in_parts_are_one_set() {
    let mut page = Page::open(&serve());
    let mut drop = |files: Value, to: Value| {
        page.ask_of("solve", json!({ "do": "drop", "name": "mine", "files": files, "to": to }))
    };
    assert!(drop(json!([["a.sgf", "(;SZ[9];B[ee])"]]), Value::Null).is_err());
    let first = drop(json!([["a.sgf", THREE], ["b.sgf", "nonsense"]]), Value::Null).unwrap();
    let id = first["set"]["id"].clone();
    assert_eq!((&first["set"]["name"], first["wrong"].as_array().unwrap().len()), (&json!("mine"), 1));
    let turned = "(;SZ[9]AB[ag][bg][cg][dg][eg][eh][ei]AW[ah][bh][ch][dh][di]PL[W])";
    let second = drop(json!([["c.sgf", turned], ["d.sgf", THREE]]), id.clone()).unwrap();
    let keys = second["set"]["keys"].as_array().unwrap();
    assert_eq!(second["set"]["id"], id);
    assert!(keys.len() == 3 && keys[0] == keys[2] && keys[0] != keys[1], "a key is that of the position: {keys:?}");
    // Nobody adds to the sets that moku has.
    assert_ne!(drop(json!([["a.sgf", THREE]]), json!("corner")).unwrap()["set"]["id"], "corner");
}

#[test]
fn a_move_is_answered_and_one_elsewhere_is_seen_on_the_board() {
    let mut page = Page::open(&serve());
    let dropped = page.ask_of("solve", json!({ "do": "drop", "name": "x", "files": [["a.sgf", THREE]], "to": null }));
    let set = dropped.unwrap()["set"]["id"].clone();
    let mut play =
        |moves: Value| page.ask_of("solve", json!({ "do": "play", "set": set, "number": 0, "moves": moves }));
    let right = play(json!(["B1"])).unwrap();
    assert_eq!(right["right"], true);
    let elsewhere = play(json!(["J9"])).unwrap();
    assert_eq!((&elsewhere["right"], &elsewhere["stones"].as_str().unwrap()[8..9]), (&json!(false), "b"));
    assert!(play(json!(["A3"])).unwrap_err().contains("occupied"));
    assert!(play(json!(["Z99"])).is_err());
}
