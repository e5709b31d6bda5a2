//! Pictures hold what they should, and are files that a parser of SVG reads.

use super::*;
use crate::base::{Black, White};
use crate::session::Options;
use svg::parser::Event;

fn session(n: usize, engine: &str) -> Session {
    let options =
        Options { size: n, engine: Some(engine.to_string()), threads: 1, seed: Some(1), ..Options::default() };
    let mut session = Session::new(options).unwrap();
    for (color, vertex) in [(Black, "C3"), (White, "E4"), (Black, "D2")] {
        let p = session.size().point_from_gtp(vertex).unwrap();
        session.play(color, p).unwrap();
    }
    session
}

/// How often each element is in a file.
fn count(svg_text: &str, element: &str) -> usize {
    let events = svg::read(svg_text).unwrap();
    events.filter(|event| matches!(event, Event::Tag(name, ..) if *name == element)).count()
}

fn picture(n: usize, overlay: Option<&str>) -> (Picture, String) {
    let overlay = overlay.map(|name| Overlay::from_name(name).unwrap());
    let picture = Picture::new(&mut session(n, "uct playouts=300"), overlay).unwrap();
    let text = picture.to_svg();
    (picture, text)
}

#[test]
fn every_size_has_its_lines_stones_and_coordinates() {
    for n in [5, 9, 13, 19, 25] {
        let (picture, text) = picture(n, None);
        assert_eq!(count(&text, "line"), 2 * n);
        // Three stones, the ring on the last and the star points.
        assert_eq!(count(&text, "circle"), 3 + 1 + picture.0.stars.len());
        assert!(text.contains("After move 3, white to play"), "{}", picture.0.caption.join("/"));
    }
}

#[test]
fn overlays_mark_what_they_say() {
    let name_all = PLAIN.iter().map(|(name, _)| *name).chain(Filter::all().map(|(name, _)| name));
    for name in name_all {
        let (picture, text) = picture(9, Some(name));
        assert!(!picture.0.cells.is_empty() || !picture.0.marks.is_empty(), "{name} shows nothing");
        assert!(picture.0.caption.len() >= 2, "{name} says nothing");
        assert!(svg::read(&text).unwrap().all(|event| !matches!(event, Event::Error(_))), "{name}");
        let is_stone = |p: &Point| picture.0.stones.iter().any(|(q, _)| q == p);
        if name != "ownership" {
            assert!(picture.0.marks.iter().all(|(p, _)| !is_stone(p)), "{name} marks moves, not stones");
        }
    }
    let (filter, _) = picture(9, Some("filter4"));
    let kept = filter.0.marks.iter().filter(|(_, mark)| *mark == Mark::Kept).count();
    assert_eq!((kept, filter.0.marks.len()), (39, 78));
    let (visits, _) = picture(9, Some("visits"));
    assert_eq!(visits.0.cells.len(), 78, "300 playouts look at every move");
    let (rates, _) = picture(9, Some("winrate"));
    assert!(matches!(&rates.0.marks[0].1, Mark::Disc { is_best: true, .. }));
}

#[test]
fn an_empty_board_and_a_finished_game_can_be_drawn_with_every_overlay() {
    for name in ["winrate", "visits", "ownership", "potential", "gradient", "filter1"] {
        for moves in [0, 2] {
            let options =
                Options { size: 5, engine: Some("uct playouts=50".into()), seed: Some(1), ..Options::default() };
            let mut session = Session::new(options).unwrap();
            (0..moves).for_each(|i| session.play(Color::BOTH[i % 2], Point::PASS).unwrap());
            let picture = Picture::new(&mut session, Some(Overlay::from_name(name).unwrap())).unwrap();
            assert!(count(&picture.to_svg(), "line") == 10, "{name} after {moves} passes");
        }
    }
}

#[test]
fn names_that_are_no_overlay_are_refused_with_those_that_are() {
    let error = Overlay::from_name("heat").unwrap_err();
    assert!(error.contains("winrate") && error.contains("filter4"), "{error}");
}

#[test]
fn numbers_are_at_most_four_signs_long() {
    for (n, text) in [(7, "7"), (999, "999"), (1_000, "1.0k"), (9_949, "9.9k"), (9_990, "10k"), (999_499, "999k")] {
        assert_eq!(short(n), text);
    }
    for n in [999_500, 12_345_678, 999_499_999, 999_600_000, 4_000_000_000] {
        assert!(short(n).len() <= 4, "{}", short(n));
    }
}
