//! What pages give: files that were dropped on them, and numbers. A page sends bytes as letters, one for each, since files
//! have many encodings.

use crate::sgf::{self, GameRecord};

/// The bytes of a file.
pub fn bytes(letters: &str) -> Result<Vec<u8>, String> {
    let byte = |c: char| u8::try_from(u32::from(c)).map_err(|_| "the file did not arrive as bytes".to_string());
    letters.chars().map(byte).collect()
}

/// The game in a file.
pub fn game(letters: &str) -> Result<GameRecord, String> {
    sgf::read(&bytes(letters)?).map_err(|e| e.to_string())
}

/// More would not end while anybody waits.
const MOST_PLAYOUTS: u64 = 100_000_000;

/// Playouts for one search.
pub fn playouts(count: u64) -> Result<u64, String> {
    match (1..=MOST_PLAYOUTS).contains(&count) {
        true => Ok(count),
        false => Err(format!("a position gets 1 to {MOST_PLAYOUTS} playouts")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_arrives_as_it_was_and_nothing_else_does() {
        let all: Vec<u8> = (0..=255).collect();
        let letters: String = all.iter().map(|&b| char::from(b)).collect();
        assert_eq!(bytes(&letters), Ok(all));
        assert!(bytes("目").is_err());
    }

    #[test]
    fn there_is_an_end_to_playouts() {
        assert_eq!(playouts(1), Ok(1));
        assert!(playouts(0).is_err() && playouts(u64::MAX).is_err());
    }
}
