//! The protocol as its clients see it: lines in, lines out.

use super::*;
use std::collections::BTreeMap;

/// Everything that is said to some lines.
fn converse(lines: &[Value], visits: u64, desks: usize) -> Vec<Value> {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    talk(input.as_bytes(), visits, desks)
}

fn talk(input: &[u8], visits: u64, desks: usize) -> Vec<Value> {
    let engine = Some("uct".to_string());
    let options = Options { engine, seed: Some(1), threads: 1, ..Options::default() };
    let mut output = Vec::new();
    Analyzer { options, desks, visits, waits: true }.run(input, &mut output, None).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn query(id: &str, more: Value) -> Value {
    let mut query = json!({
        "id": id, "moves": [["B", "C3"], ["W", "D4"], ["B", "pass"]], "rules": "chinese", "komi": 7.5,
        "boardXSize": 5, "boardYSize": 5
    });
    for (key, value) in more.as_object().unwrap() {
        query[key] = value.clone();
    }
    query
}

// ---- a schema, made from what KataGo's documentation says of its fields

/// Every field of an object is of its kind, those that must be there are, and there are no others.
fn conforms(object: &Value, required: &str, optional: &str) {
    let fields = object.as_object().unwrap_or_else(|| panic!("no object: {object}"));
    for word in required.split_whitespace() {
        assert!(fields.contains_key(word.split(':').next().unwrap()), "{word} is missing in {object}");
    }
    let kinds: BTreeMap<&str, &str> =
        format!("{required} {optional}").leak().split_whitespace().filter_map(|word| word.split_once(':')).collect();
    for (name, value) in fields {
        let is_number = |from: f64, to: f64| value.as_f64().is_some_and(|x| x >= from && x <= to);
        let fits = match *kinds.get(name.as_str()).unwrap_or_else(|| panic!("{name} is unknown: {object}")) {
            "text" => value.is_string(),
            "flag" => value.is_boolean(),
            "count" => value.is_u64(),
            "share" => is_number(0.0, 1.0),
            "utility" => is_number(-1.0, 1.0),
            "number" => is_number(-1e9, 1e9),
            "texts" => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
            "counts" => value.as_array().is_some_and(|list| list.iter().all(Value::is_u64)),
            "numbers" => value.as_array().is_some_and(|list| list.iter().all(Value::is_number)),
            "objects" => value.as_array().is_some_and(|list| list.iter().all(Value::is_object)),
            "object" => value.is_object(),
            other => panic!("{other} is no kind"),
        };
        assert!(fits, "{name} is {value}");
    }
}

fn is_answer(answer: &Value, area: usize) {
    let optional = "ownership:numbers policy:numbers";
    conforms(answer, "id:text isDuringSearch:flag turnNumber:count moveInfos:objects rootInfo:object", optional);
    let scores = "scoreLead:number scoreSelfplay:number scoreStdev:number winrate:share utility:utility lcb:share";
    let root = format!("{scores} visits:count weight:number currentPlayer:text thisHash:text symHash:text");
    conforms(&answer["rootInfo"], &root, "");
    let of_move = format!(
        "{scores} scoreMean:number utilityLcb:utility move:text order:count visits:count edgeVisits:count weight:number \
         edgeWeight:number playSelectionValue:number prior:share pv:texts"
    );
    for (order, info) in answer["moveInfos"].as_array().unwrap().iter().enumerate() {
        conforms(info, &of_move, "pvVisits:counts pvEdgeVisits:counts ownership:numbers noResultValue:number");
        assert_eq!(info["order"], order);
        assert_eq!(info["pv"][0], info["move"]);
        assert!(info["pvVisits"].as_array().is_none_or(|v| v.len() == info["pv"].as_array().unwrap().len()));
        assert!(info["ownership"].as_array().is_none_or(|list| list.len() == area));
    }
    assert!(answer["ownership"].as_array().is_none_or(|list| list.len() == area));
    if let Some(policy) = answer["policy"].as_array() {
        assert_eq!(policy.len(), area + 1);
        let sum: f64 = policy.iter().filter_map(Value::as_f64).filter(|p| *p > 0.0).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        // Where a stone stands nobody can play.
        let illegal = policy.iter().filter(|p| **p == json!(-1.0)).count();
        assert_eq!(illegal > 0, answer["turnNumber"] != json!(0), "{illegal}");
    }
}

// ---- what it promises

#[test]
fn every_turn_asked_for_gets_one_answer_of_the_documented_form() {
    let all = json!({
        "analyzeTurns": [0, 1, 2, 3], "maxVisits": 60, "includeOwnership": true, "includeMovesOwnership": true,
        "includePolicy": true, "includePVVisits": true, "includeNoResultValue": true
    });
    let answers = converse(&[query("all", all), query("last", json!({}))], 30, 3);
    assert_eq!(answers.len(), 5, "{answers:?}");
    let mut turns: Vec<u64> = Vec::new();
    for answer in &answers {
        is_answer(answer, 25);
        assert_eq!(answer["isDuringSearch"], false);
        let visits = if answer["id"] == "all" { 60 } else { 30 };
        assert_eq!(answer["rootInfo"]["visits"], visits, "{answer}");
        if answer["id"] == "all" {
            turns.push(answer["turnNumber"].as_u64().unwrap());
            let player = if answer["turnNumber"].as_u64().unwrap() % 2 == 0 { "B" } else { "W" };
            assert_eq!(answer["rootInfo"]["currentPlayer"], player);
            assert!(!answer["ownership"].is_null() && !answer["moveInfos"][0]["pvVisits"].is_null());
        } else {
            assert_eq!(answer["turnNumber"], 3, "the last one if nothing is said");
            assert!(answer["ownership"].is_null() && answer["policy"].is_null());
        }
    }
    turns.sort();
    assert_eq!(turns, [0, 1, 2, 3]);
}

#[test]
fn values_are_blacks_unless_somebody_elses_are_asked_for() {
    // Black wins whatever happens.
    let as_seen_by = |who: &str| {
        let settings = json!({ "komi": -60, "includeOwnership": true, "maxVisits": 40, "analyzeTurns": [1],
            "overrideSettings": { "reportAnalysisWinratesAs": who } });
        converse(&[query("q", settings)], 40, 1).remove(0)
    };
    for (who, sign) in [("BLACK", 1.0), ("WHITE", -1.0), ("SIDETOMOVE", -1.0)] {
        let answer = as_seen_by(who);
        let number = |value: &Value| value.as_f64().unwrap();
        for info in [&answer["rootInfo"], &answer["moveInfos"][0]] {
            assert!((number(&info["winrate"]) - 0.5) * sign > 0.4, "{who}: {info}");
            assert!(number(&info["scoreLead"]) * sign > 20.0 && number(&info["utility"]) * sign > 0.8, "{who}: {info}");
        }
    }
}

#[test]
fn errors_and_warnings_name_the_field_and_the_query() {
    for (more, field) in [
        (json!({ "moves": [["B", "Z9"]] }), "moves"),
        (json!({ "moves": [["B", "C3"], ["W", "C3"]] }), "moves"),
        (json!({ "moves": "C3" }), "moves"),
        (json!({ "rules": "japanese-ish" }), "rules"),
        (json!({ "komi": 7.3 }), "komi"),
        (json!({ "komi": 1000 }), "komi"),
        (json!({ "boardXSize": 9 }), "boardYSize"),
        (json!({ "boardXSize": 99, "boardYSize": 99 }), "boardXSize"),
        (json!({ "analyzeTurns": [4] }), "analyzeTurns"),
        (json!({ "analyzeTurns": [-1] }), "analyzeTurns"),
        (json!({ "maxVisits": 0 }), "maxVisits"),
        (json!({ "includeOwnership": 1 }), "includeOwnership"),
        (json!({ "initialStones": [["B", "C3"], ["W", "C3"]] }), "initialStones"),
        (json!({ "initialStones": [["B", "pass"]] }), "initialStones"),
        (json!({ "priorities": [1, 2] }), "priorities"),
        (json!({ "overrideSettings": { "maxTime": "long" } }), "overrideSettings"),
        (json!({ "avoidMoves": [{ "player": "B", "moves": ["C3"], "untilDepth": 9 }] }), "avoidMoves"),
        (json!({ "action": "dance" }), "action"),
        (json!({ "action": "terminate" }), "terminateId"),
    ] {
        let answers = converse(&[query("bad", more.clone())], 5, 1);
        assert_eq!(answers.len(), 1, "{more}: {answers:?}");
        assert!(answers[0]["error"].is_string(), "{more}: {answers:?}");
        assert_eq!((&answers[0]["field"], &answers[0]["id"]), (&json!(field), &json!("bad")), "{more}");
    }
    let illegal = converse(&[query("bad", json!({ "moves": [["B", "C3"], ["W", "C3"]] }))], 5, 1);
    assert!(illegal[0]["error"].as_str().unwrap().starts_with("Illegal move 1: C3"), "KaTrain looks for this");
    for line in ["", "{", "[]", "7", "{\"id\":5}", "{}", "\u{fffd}"] {
        let answers = talk(line.as_bytes(), 5, 1);
        assert_eq!(answers.len(), usize::from(!line.is_empty()), "{line}");
        assert!(answers.iter().all(|answer| answer["error"].is_string()), "{line}");
    }
    let odd = json!({ "overrideSettings": { "wideRootNoise": 0.04 }, "includePolicyy": true, "komi": null });
    let answers = converse(&[query("odd", odd)], 5, 1);
    let warned: Vec<&str> = answers.iter().filter_map(|a| a["warning"].as_str()).collect();
    assert_eq!((answers.len(), warned.len()), (4, 3), "{answers:?}");
    assert!(warned.iter().any(|text| text.contains("wideRootNoise")), "{warned:?}");
    assert!(warned.iter().any(|text| text.contains("did you mean includePolicy?")), "{warned:?}");
    is_answer(answers.last().unwrap(), 25);
}

#[test]
fn actions_are_echoed_and_what_is_terminated_still_gets_its_last_word() {
    let endless = json!({ "maxVisits": 1_000_000_000u64, "analyzeTurns": [0, 1, 2, 3] });
    let lines = [
        json!({ "id": "v", "action": "query_version" }),
        json!({ "id": "m", "action": "query_models" }),
        json!({ "id": "c", "action": "clear_cache" }),
        query("long", endless),
        json!({ "id": "t1", "action": "terminate", "terminateId": "long", "turnNumbers": [3], "extra": 7 }),
        json!({ "id": "t2", "action": "terminate", "terminateId": "long" }),
        query("other", json!({})),
    ];
    let answers = converse(&lines, 20, 1);
    let of = |id: &str| -> Vec<&Value> { answers.iter().filter(|a| a["id"] == id).collect() };
    assert_eq!(of("v")[0]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((of("m")[0]["models"].clone(), of("c").len()), (json!([]), 1));
    assert_eq!(of("t1")[0], &lines[4], "the same data and fields");
    let last: Vec<&Value> = of("long");
    assert_eq!(last.len(), 4);
    for answer in last {
        assert_eq!(answer["isDuringSearch"], false);
        assert!(answer["noResults"] == true || answer["moveInfos"].is_array(), "{answer}");
    }
    assert_eq!(of("other").len(), 1);
}

#[test]
fn partial_answers_come_before_the_last_and_time_ends_a_search() {
    let settings = json!({ "maxVisits": 1_000_000_000u64, "reportDuringSearchEvery": 0.05,
        "overrideSettings": { "maxTime": 0.5 } });
    let answers = converse(&[query("q", settings)], 20, 1);
    let (last, partial) = answers.split_last().unwrap();
    assert!(!partial.is_empty() && partial.iter().all(|a| a["isDuringSearch"] == true));
    assert_eq!(last["isDuringSearch"], false);
    answers.iter().for_each(|answer| is_answer(answer, 25));
}

#[test]
fn urgent_turns_are_looked_at_first() {
    let urgent = json!({ "analyzeTurns": [0, 1, 2, 3], "priorities": [0, 5, -3, 5] });
    let busy = json!({ "maxVisits": 3000 }); // the only desk is busy while the others line up
    let answers = converse(&[query("busy", busy), query("q", urgent)], 5, 1);
    let order: Vec<&Value> = answers.iter().filter(|a| a["id"] == "q").map(|a| &a["turnNumber"]).collect();
    assert_eq!(order, [1, 3, 0, 2]);
}

#[test]
fn a_turn_that_is_named_twice_is_answered_once() {
    let twice = json!({ "analyzeTurns": [2, 0, 2, 0, 2], "priorities": [1, 2, 3, 4, 5] });
    let answers = converse(&[query("q", twice)], 5, 1);
    let mut turns: Vec<u64> = answers.iter().filter_map(|a| a["turnNumber"].as_u64()).collect();
    turns.sort();
    assert_eq!(turns, [0, 2], "{answers:?}");
}

#[test]
fn moves_can_be_avoided_or_asked_for_by_name_and_written_as_numbers() {
    let only = json!({ "allowMoves": [{ "player": "W", "moves": ["A1", "(4,0)"], "untilDepth": 1 }] });
    let names = |answer: &Value| {
        let infos = answer["moveInfos"].as_array().unwrap().iter();
        let mut names: Vec<String> = infos.map(|info| info["move"].as_str().unwrap().to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&converse(&[query("q", only)], 30, 1)[0]), ["A1", "E5"]);
    let avoid = json!({ "avoidMoves": [{ "player": "W", "moves": ["A1"], "untilDepth": 1 },
        { "player": "B", "moves": ["A2"], "untilDepth": 1 }] });
    let seen = names(&converse(&[query("q", avoid)], 60, 1)[0]);
    assert!(!seen.contains(&"A1".to_string()) && seen.contains(&"A2".to_string()), "{seen:?}");
    let nothing = json!({ "allowMoves": [{ "player": "W", "moves": ["C3"], "untilDepth": 1 }] });
    let answer = &converse(&[query("q", nothing)], 30, 1)[0];
    is_answer(answer, 25);
    assert_eq!(answer["moveInfos"], json!([]), "the point is taken");
}

#[test]
fn finished_games_set_up_positions_and_handicaps_are_understood() {
    let over = json!({ "moves": [["B", "pass"], ["W", "pass"]] });
    let answer = &converse(&[query("q", over)], 30, 1)[0];
    is_answer(answer, 25);
    assert!(!answer["moveInfos"].as_array().unwrap().is_empty());
    for (more, player) in [
        (json!({ "moves": [], "initialStones": [["B", "C3"], ["B", "B2"]] }), "W"),
        (json!({ "moves": [], "initialStones": [["B", "C3"], ["W", "B2"]] }), "B"),
        (json!({ "moves": [], "initialPlayer": "W" }), "W"),
        (json!({ "moves": [["W", "C3"], ["W", "C2"]], "analyzeTurns": [1] }), "W"),
    ] {
        let answer = &converse(&[query("q", more.clone())], 10, 1)[0];
        assert_eq!(answer["rootInfo"]["currentPlayer"], player, "{more}");
    }
}

#[test]
fn positions_that_are_mirror_images_share_one_hash_of_two() {
    let of = |moves: Value| {
        let answer = converse(&[query("q", json!({ "moves": moves }))], 5, 1).remove(0);
        [answer["rootInfo"]["thisHash"].clone(), answer["rootInfo"]["symHash"].clone()]
    };
    let [this, sym] = of(json!([["B", "B2"], ["W", "C4"]]));
    assert_eq!([&this, &sym], [&of(json!([["B", "B2"], ["W", "C4"]]))[0], &of(json!([["B", "D2"], ["W", "C4"]]))[1]]);
    let [other, again] = of(json!([["B", "B4"], ["W", "D3"]]));
    assert!(other != this && again == sym, "turned by a quarter");
    assert!(of(json!([["B", "B2"], ["W", "C3"]]))[1] != sym);
}
