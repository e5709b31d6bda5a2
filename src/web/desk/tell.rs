//! The game as pages hear of it.

use super::change::result_of;
use super::{Desk, Phase};
use crate::base::params::Kind;
use crate::base::{Color, GameKind, Size};
use crate::picture::{Mark, Overlay, Picture};
use crate::search::engine::PRESETS;
use crate::search::params::axis_of;
use crate::search::{Engine, MoveStats, Proof, Report};
use crate::session::TimeControl;
use serde_json::{Value, json};

/// Moves that are listed with their lines.
const ROWS: usize = 12;

/// A win rate of one side, as Black's.
pub fn for_black(color: Color, rate: f32) -> f32 {
    if color == Color::Black { rate } else { 1.0 - rate }
}

/// Playouts that a move has from searches before this one.
pub fn inherited(m: &MoveStats) -> f32 {
    (m.weight - m.visits as f32).max(0.0)
}

/// The best moves of a search.
pub fn rows(size: Size, report: &Report) -> Vec<Value> {
    let known = report.moves.iter().filter(|m| m.is_known() || m.weight > 0.0).take(ROWS);
    known
        .map(|m| {
            json!({
                "at": size.point_to_gtp(m.point),
                "rate": m.rate,
                "playouts": m.visits,
                "inherited": inherited(m).round(),
                "round": report.halvings(m),
                "proof": match m.proof {
                    Some(Proof::Win(_)) => Some("wins"),
                    Some(Proof::Loss(_)) => Some("loses"),
                    None => None,
                },
                "line": m.pv.iter().map(|&p| size.point_to_gtp(p)).collect::<Vec<_>>(),
            })
        })
        .collect()
}

pub fn game(desk: &mut Desk) -> Value {
    let (svg, caption) = board(desk);
    let score = match (&desk.phase, desk.overlay) {
        (Phase::Counting { dead }, _) => Some(result_of(desk.session.table().count(dead).score)),
        (_, Some(Overlay::Ownership)) => Some(result_of(desk.session.estimate())),
        _ => None,
    };
    let table = desk.session.table();
    let size = table.size();
    let name = |color: Color| color.letter().to_string();
    json!({
        "version": desk.version,
        "game": desk.session.kind().name(),
        "size": size.n(),
        "komi": desk.session.komi(),
        "rules": (desk.session.kind() == GameKind::Go).then(|| desk.session.rules().in_sgf()),
        "handicap": table.handicap(),
        "you": desk.you,
        "turn": name(table.to_play()),
        "at": desk.at(),
        "moves": desk.line.iter().map(|&(color, p)| json!([name(color), size.point_to_gtp(p)])).collect::<Vec<_>>(),
        "stones": stones(desk),
        "captures": Color::BOTH.map(|color| table.captures(color)),
        "phase": match &desk.phase {
            Phase::Playing => "playing",
            Phase::Counting { .. } => "counting",
            Phase::Over(_) => "over",
        },
        "result": match &desk.phase {
            Phase::Over(result) => Some(result),
            _ => None,
        },
        "thinks": desk.is_mokus_turn(),
        "score": score,
        "nobodys": nobodys(desk),
        "former": desk.former.is_some(),
        "rates": desk.rates,
        "clock": clock(desk),
        "hint": desk.hint.map(|p| size.point_to_gtp(p)),
        "analyses": desk.analyses,
        "overlay": desk.overlay.map_or("", Overlay::name),
        "overlays": Overlay::names().filter(|name| fits(desk, name)).collect::<Vec<_>>(),
        "engine": engine(desk.session.engine()),
        "svg": svg,
        "caption": caption,
    })
}

/// In the count: the points that are nobody's. Many of them tell that the game was not played to its end.
fn nobodys(desk: &Desk) -> Option<usize> {
    let Phase::Counting { dead } = &desk.phase else { return None };
    let table = desk.session.table();
    Some(table.count(dead).dame(table.size()).count())
}

fn fits(desk: &Desk, name: &str) -> bool {
    desk.session.table().has_territory() || Overlay::from_name(name).is_ok_and(|overlay| !overlay.is_for_go())
}

/// Row by row from the top: `b`, `w` or a dot.
fn stones(desk: &Desk) -> String {
    let table = desk.session.table();
    let size = table.size();
    let letter = |p| table.color_at(p).map_or('.', |color| color.letter().to_ascii_lowercase());
    size.rows_from_top().flat_map(|y| (0..size.n()).map(move |x| size.point(x, y))).map(letter).collect()
}

/// The board as it is drawn, and the words that belong to the overlay.
fn board(desk: &mut Desk) -> (String, Vec<String>) {
    let counting = match &desk.phase {
        Phase::Counting { dead } if desk.is_at_end() => Some(dead.clone()),
        _ => None,
    };
    // Overlays of searches are drawn while one runs.
    let overlay = desk.overlay.filter(|overlay| !overlay.is_searched() && counting.is_none());
    let mut picture = match Picture::new(&mut desk.session, overlay) {
        Ok(picture) => picture,
        Err(text) => {
            log::error!("{text}");
            Picture::of(&desk.session)
        }
    };
    let caption = picture.diagram().caption.clone();
    if let Some(dead) = &counting {
        let table = desk.session.table();
        let count = table.count(dead);
        for p in table.size().points() {
            match (count.owner[p.index()], table.color_at(p)) {
                (Some(owner), stone) if stone != Some(owner) => picture.mark(p, Mark::Square { owner, share: 0.4 }),
                _ => {}
            }
        }
        dead.iter().for_each(|&p| picture.mark(p, Mark::Dropped));
    }
    desk.session.winning_row().into_iter().for_each(|p| picture.mark(p, Mark::Ring));
    if let Some(p) = desk.hint.filter(|p| !p.is_pass()) {
        picture.mark(p, Mark::Kept);
    }
    (picture.diagram().to_html(), caption)
}

fn clock(desk: &Desk) -> Option<Value> {
    let clock = desk.session.clock();
    let (period, periods) = match clock.control() {
        TimeControl::None => return None,
        TimeControl::Byoyomi { period, periods, .. } => (period.as_secs_f64(), periods),
        _ => (0.0, 0),
    };
    let runs = (desk.phase == Phase::Playing && desk.is_at_end()).then(|| desk.turn());
    let left = Color::BOTH.map(|color| {
        let (time, stones) = clock.left(color);
        json!({ "seconds": time.as_secs_f64(), "periods": stones })
    });
    let used = if runs.is_some() { desk.turn_began.elapsed().as_secs_f64() } else { 0.0 };
    Some(
        json!({ "left": left, "period": period, "periods": periods, "runs": runs.map(|c| c.letter().to_string()), "used": used }),
    )
}

/// An engine with its parameters, for the form; and the presets to choose from.
pub fn engine(engine: &Engine) -> Value {
    let parameters = engine.rows().map(|(param, value)| {
        let choices = match param.kind {
            Kind::Choice(names) => Some(names),
            _ => None,
        };
        json!({
            "name": param.name, "axis": axis_of(param.name), "value": value.to_string(), "doc": param.doc, "range": param.range(), "choices": choices
        })
    });
    let presets = PRESETS.iter().filter(|preset| preset.games().any(|kind| kind == engine.kind()));
    json!({
        "line": engine.to_string(),
        "preset": engine.preset(),
        "parameters": parameters.collect::<Vec<_>>(),
        "presets": presets.map(|p| json!({ "name": p.name, "doc": p.doc, "paper": p.paper })).collect::<Vec<_>>(),
    })
}
