//! The two players.

use std::fmt;

pub use Color::{Black, White};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    Black = 0,
    White = 1,
}

impl Color {
    pub const BOTH: [Color; 2] = [Black, White];

    #[inline(always)]
    pub fn index(self) -> usize {
        self as usize
    }

    #[inline(always)]
    pub fn opponent(self) -> Color {
        match self {
            Black => White,
            White => Black,
        }
    }

    /// +1 for Black, -1 for White: turns a score for Black into a score for this player.
    #[inline(always)]
    pub fn sign(self) -> f32 {
        match self {
            Black => 1.0,
            White => -1.0,
        }
    }

    /// `b`, `black`, `w`, `white` in any case.
    pub fn from_gtp(text: &str) -> Option<Color> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(Black),
            "w" | "white" => Some(White),
            _ => None,
        }
    }

    /// `B` or `W`, as in GTP results and SGF properties.
    pub fn letter(self) -> char {
        match self {
            Black => 'B',
            White => 'W',
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Black => "black",
            White => "white",
        })
    }
}
