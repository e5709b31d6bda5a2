//! From a record to an SGF file (FF[4], UTF-8).

use super::{GameRecord, Step};
use crate::base::{Black, Color, GameKind, Point, Size, White};
use std::fmt::Write;

const MOVES_PER_LINE: usize = 10;

pub(super) fn game(record: &GameRecord, application: &str) -> String {
    let mut text = format!("(;{}\n", header(record, application));
    let mut steps = record.steps.as_slice();
    if let [Step::SetUp { stones, to_play }, rest @ ..] = steps {
        text.push_str(&set_up(record.size, stones, *to_play));
        steps = rest;
    }
    for (i, step) in steps.iter().enumerate() {
        text.push_str(if i % MOVES_PER_LINE == 0 { "\n;" } else { ";" });
        text.push_str(&match step {
            Step::SetUp { stones, to_play } => set_up(record.size, stones, *to_play),
            Step::Move(color, point) => format!("{}[{}]", color.letter(), letters(record.size, *point)),
        });
    }
    text.push_str(")\n");
    text
}

fn header(record: &GameRecord, application: &str) -> String {
    let game = match record.kind {
        GameKind::Go => 1,
        GameKind::Gobang => 4,
    };
    let mut text = format!("FF[4]GM[{game}]CA[UTF-8]AP[{}]SZ[{}]", escape(application), record.size);
    if record.kind == GameKind::Go {
        text.push_str("RU[Chinese]");
        text.push_str(&property("KM", record.komi.filter(|komi| komi.is_finite())));
    }
    text.push_str(&property("HA", (record.handicap > 0).then_some(record.handicap)));
    for (name, value) in [("PB", &record.players[0]), ("PW", &record.players[1]), ("RE", &record.result)] {
        text.push_str(&property(name, value.as_deref().map(|value| escape(value).replace(['\r', '\n'], " "))));
    }
    text.push_str(&property("C", record.comment.as_deref().map(escape)));
    text
}

fn property(name: &str, value: Option<impl std::fmt::Display>) -> String {
    value.map_or(String::new(), |value| format!("{name}[{value}]"))
}

fn set_up(size: Size, stones: &[(Point, Option<Color>)], to_play: Option<Color>) -> String {
    let mut text = String::new();
    for (name, color) in [("AB", Some(Black)), ("AW", Some(White)), ("AE", None)] {
        let points: Vec<String> = stones.iter().filter(|s| s.1 == color).map(|s| letters(size, s.0)).collect();
        if !points.is_empty() {
            let _ = write!(text, "{name}[{}]", points.join("]["));
        }
    }
    text + &property("PL", to_play.map(Color::letter))
}

/// SGF's two letters, rows counted from the top; nothing for a pass.
pub fn letters(size: Size, point: Point) -> String {
    if point.is_pass() {
        return String::new();
    }
    let (x, y) = size.xy(point);
    [x, size.n() - 1 - y].iter().map(|&i| (b'a' + i as u8) as char).collect()
}

/// Guards what would end a value.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
