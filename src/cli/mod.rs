//! The commands that are no layer's own: their options, and how they run. What all share is here.

pub mod analysis;
pub mod bench;
pub mod board;
pub mod engines;
pub mod gtp;
pub mod manual;
pub mod matches;
pub mod play;

use moku::base::GameKind;
use moku::jobs::console::refuse;
use std::path::PathBuf;

/// Help and lists are no wider than this.
pub const WIDTH: usize = 100;

/// How wide a list may be here: as wide as the terminal, as help is.
pub fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    said.or_else(seen).filter(|&n| n > 0).unwrap_or(WIDTH).clamp(40, WIDTH)
}

pub fn finite(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|x: &f32| x.is_finite()).ok_or_else(|| "a number such as 7.5 is expected".to_string())
}

/// What only one of the games has.
pub fn refuse_of_other_game(game: GameKind, komi: bool, rule: bool) -> Result<(), String> {
    match game {
        GameKind::Go => refuse(&[("--rule", rule)], "is for gobang: add --game gobang, or leave it out"),
        GameKind::Gobang => refuse(&[("--komi", komi)], "is for Go: gobang is not counted"),
    }
}

pub fn open_log(path: PathBuf) -> Result<std::fs::File, String> {
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    file.map_err(|e| format!("cannot write the log {}: {e}", path.display()))
}
