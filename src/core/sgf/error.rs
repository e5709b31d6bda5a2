//! What can be wrong with an SGF file, said with the place and with what was expected there.

use crate::base::{Color, Size};
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SgfError {
    #[error("cannot read {}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },

    #[error("no game: expected `(;` somewhere in the file")]
    NoGame,

    #[error("byte {offset}: expected {expected}, found {found}")]
    Syntax { offset: usize, expected: &'static str, found: String },

    #[error("byte {offset}: this value is not closed, expected `]` before the end of the file")]
    Unclosed { offset: usize },

    #[error("byte {offset}: the game goes on for more than {most} nodes, which no game does")]
    TooLong { offset: usize, most: usize },

    #[error("GM[{0}]: expected 1 (Go) or 4 (Gobang)")]
    Kind(String),

    #[error("GM[4], Gobang: expected a problem of Go, GM[1]")]
    NotGo,

    #[error("SZ[{0}]: expected a square board of size {min} to {max}", min = Size::MIN, max = Size::MAX)]
    Size(String),

    #[error(
        "board '{0}' of a Piskvork record: expected a square board of size {min} to {max}, such as 15x15",
        min = Size::MIN, max = Size::MAX
    )]
    PsqSize(String),

    #[error("move {number} of a Piskvork record: '{text}' is not on the board, expected columns and rows 1 to {size}")]
    PsqMove { number: usize, text: String, size: Size },

    #[error(
        "move {number}: {letter}[{value}] is not on the {size}x{size} board, \
         expected two letters a to {last} or nothing (pass)",
        letter = color.letter(), last = last_letter(*size)
    )]
    Move { number: usize, color: Color, value: String, size: Size },

    #[error(
        "set-up before move {number}: {property}[{value}] is not on the {size}x{size} board, \
         expected points of two letters a to {last}",
        last = last_letter(*size)
    )]
    SetUp { number: usize, property: &'static str, value: String, size: Size },

    /// Cleaned text should never get here; if it does, the reason is sgf-parse's own.
    #[error("not an SGF game: {0}")]
    Parser(#[from] sgf_parse::SgfParseError),
}

/// The letter of the last column.
fn last_letter(size: Size) -> char {
    (b'a' + size.n() as u8 - 1) as char
}
