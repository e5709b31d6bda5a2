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

/// What is noted beside a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {
    pub comment: String,
    /// Black's win rate in percent after the move, where Sabaki (SBKV) looks for it.
    pub black_rate: Option<f32>,
    /// Is it worth a look (HO)?
    pub is_hot: bool,
    /// Moves in place of this one and after it, and what is said of the first.
    pub instead: Option<(Vec<(Color, Point)>, String)>,
}

/// As [`game`], with a note for every move in order; missing ones are none.
pub(super) fn annotated(record: &GameRecord, application: &str, notes: &[Note]) -> String {
    let first = matches!(record.steps.first(), Some(Step::SetUp { .. }));
    let mut number = record.steps.iter().filter(|step| matches!(step, Step::Move(..))).count();
    // From the end, since what follows a branch stands inside it.
    let mut rest = String::new();
    for step in record.steps.iter().skip(usize::from(first)).rev() {
        match step {
            Step::SetUp { stones, to_play } => {
                rest.insert_str(0, &format!("\n;{}", set_up(record.size, stones, *to_play)))
            }
            Step::Move(color, point) => {
                number -= 1;
                let note = notes.get(number).cloned().unwrap_or_default();
                let mut node = format!("\n;{}[{}]", color.letter(), letters(record.size, *point));
                node.push_str(&property("SBKV", note.black_rate.map(|rate| format!("{rate:.2}"))));
                node.push_str(&property("HO", note.is_hot.then_some(1)));
                node.push_str(&property("C", Some(escape(&note.comment)).filter(|text| !text.is_empty())));
                rest.insert_str(0, &node);
                if let Some((moves, comment)) = note.instead.filter(|(moves, _)| !moves.is_empty()) {
                    rest = format!("\n({rest})\n({})", variation(record.size, &moves, &comment));
                }
            }
        }
    }
    let start = match record.steps.first() {
        Some(Step::SetUp { stones, to_play }) => set_up(record.size, stones, *to_play),
        _ => String::new(),
    };
    format!("(;{}{start}{rest})\n", header(record, application))
}

fn variation(size: Size, moves: &[(Color, Point)], comment: &str) -> String {
    let mut text = String::new();
    for (i, (color, point)) in moves.iter().enumerate() {
        let _ = write!(text, ";{}[{}]", color.letter(), letters(size, *point));
        if i == 0 {
            text.push_str(&property("C", Some(escape(comment)).filter(|text| !text.is_empty())));
        }
    }
    text
}

fn header(record: &GameRecord, application: &str) -> String {
    let game = match record.kind {
        GameKind::Go => 1,
        GameKind::Gobang => 4,
    };
    let mut text = format!("FF[4]GM[{game}]CA[UTF-8]AP[{}]SZ[{}]", escape(application), record.size);
    if record.kind == GameKind::Go {
        text.push_str(&property("RU", record.rules.as_deref().map(|name| escape(name).replace(['\r', '\n'], " "))));
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
