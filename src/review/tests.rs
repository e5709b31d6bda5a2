//! Reviews find what is there to be found, and go on where they were broken off.

use super::*;
use crate::sgf;

/// Black lets White make a four that is open at both ends, and White does not see it.
const GOBANG: &str = "(;GM[4]SZ[15];B[hh];W[aa];B[ih];W[ba];B[jh];W[oo];B[no])";

fn plan() -> ReviewOptions {
    ReviewOptions { engine: Some("gobang".to_string()), playouts: 300, threads: 1, seed: 1 }
}

fn run(reviewer: &mut Reviewer) {
    while reviewer.step(&mut || true).unwrap().is_some() {}
}

#[test]
fn a_win_that_was_not_taken_is_the_worst_move() {
    let record = sgf::read(GOBANG.as_bytes()).unwrap();
    let mut reviewer = Reviewer::new(&record, &plan()).unwrap();
    run(&mut reviewer);
    assert_eq!((reviewer.done(), reviewer.positions()), (8, 8));
    let review = reviewer.review();
    assert_eq!(review.moves.len(), 7);
    let missed = review.moves.iter().find(|m| m.number == 7).unwrap();
    assert!(missed.before > 0.95, "three in a row with the move wins: {missed:?}");
    assert!(review.rates().iter().all(|rate| rate.is_some_and(|rate| (0.0..=1.0).contains(&rate))));
    for m in &review.moves {
        assert!(m.loss >= 0.0 && (m.best.as_ref() != Some(&m.played) || m.loss == 0.0), "{m:?}");
    }
    let written = review.to_sgf();
    assert_eq!(written.matches("SBKV[").count(), 7, "{written}");
    assert_eq!(sgf::read(written.as_bytes()).unwrap().steps, record.steps);
    let page = review.to_html("a <game>").unwrap();
    assert!(page.contains("a &lt;game&gt;") && page.contains("<svg") && !page.contains("<script"));
    assert!(review.to_text().contains("Black: 4 moves"));
}

#[test]
fn a_review_that_is_told_to_stop_keeps_what_it_has() {
    let record = sgf::read(GOBANG.as_bytes()).unwrap();
    let endless = ReviewOptions { playouts: u64::MAX, ..plan() };
    let mut reviewer = Reviewer::new(&record, &endless).unwrap();
    let mut asked = 0;
    let stopped = reviewer.step(&mut || {
        asked += 1;
        asked < 5
    });
    assert_eq!(stopped, Ok(None));
    assert_eq!((reviewer.done(), asked), (0, 5));
}

#[test]
fn a_review_goes_on_where_it_was_broken_off() {
    let record = sgf::read(GOBANG.as_bytes()).unwrap();
    let path = std::env::temp_dir().join(format!("moku-review-{}", std::process::id()));
    let mut whole = Reviewer::new(&record, &plan()).unwrap();
    run(&mut whole);
    let mut first = Reviewer::new(&record, &plan()).unwrap();
    let mut store = Store::open(&path, &mut first).unwrap();
    for _ in 0..3 {
        let look = first.step(&mut || true).unwrap().unwrap().clone();
        store.add(&look).unwrap();
    }
    drop(store);
    // A line that was cut short is as if it were not there.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}{{\"after\":3,\"ra")).unwrap();
    let mut second = Reviewer::new(&record, &plan()).unwrap();
    let store = Store::open(&path, &mut second).unwrap();
    assert_eq!(second.done(), 3);
    run(&mut second);
    assert_eq!(second.looks, whole.looks);
    // Another number of playouts is another review.
    let mut other = Reviewer::new(&record, &ReviewOptions { playouts: 301, ..plan() }).unwrap();
    drop(store);
    let store = Store::open(&path, &mut other).unwrap();
    assert_eq!(other.done(), 0);
    store.remove();
    assert!(!path.exists());
}

#[test]
fn games_that_cannot_be_gone_through_are_refused() {
    let refused = |text: &str, plan: &ReviewOptions| match Reviewer::new(&sgf::read(text.as_bytes()).unwrap(), plan) {
        Ok(_) => panic!("{text} was taken"),
        Err(reason) => reason,
    };
    assert!(refused("(;SZ[9])", &ReviewOptions { engine: None, ..plan() }).contains("no move"));
    assert!(refused("(;SZ[9];B[aa];W[aa])", &ReviewOptions { engine: None, ..plan() }).contains("occupied"));
    assert!(refused(GOBANG, &ReviewOptions { playouts: 0, ..plan() }).contains("at least one"));
    assert!(refused(GOBANG, &ReviewOptions { engine: Some("handicap".to_string()), ..plan() }).contains("gobang"));
}
