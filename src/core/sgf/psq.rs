//! Records of Piskvork (`.psq`): a headline with the size of the board, then a move a line, columns and rows from 1.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0
//! 8,8,1201
//! 9,9,870
//! ```
//!
//! The third number is the time taken. The first line that is no move ends them; what follows are the players' programs.

use super::{GameRecord, SgfError, Step};
use crate::base::{Black, GameKind, Size};

const HEADLINE: &str = "Piskvorky ";

/// None if this is no such record.
pub fn read(bytes: &[u8]) -> Option<Result<GameRecord, SgfError>> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let headline = lines.next()?.trim_start_matches('\u{feff}').strip_prefix(HEADLINE)?;
    let board = headline.split(',').next().unwrap_or_default().trim();
    let side = |text: &str| text.trim().parse().ok().and_then(Size::new);
    let size = board.split_once('x').filter(|(a, b)| a.trim() == b.trim()).and_then(|(a, _)| side(a));
    let Some(size) = size else { return Some(Err(SgfError::PsqSize(board.to_string()))) };
    let mut record = GameRecord::new(GameKind::Gobang, size);
    let mut turn = Black;
    for (number, line) in lines.enumerate() {
        let numbers: Vec<Option<usize>> = line.split(',').map(|word| word.trim().parse().ok()).collect();
        let [Some(x), Some(y), _] = numbers[..] else { break };
        if !(1..=size.n()).contains(&x) || !(1..=size.n()).contains(&y) {
            return Some(Err(SgfError::PsqMove { number: number + 1, text: line.trim().to_string(), size }));
        }
        // Rows count from the top.
        record.steps.push(Step::Move(turn, size.point(x - 1, size.n() - y)));
        turn = turn.opponent();
    }
    Some(Ok(record))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::White;

    #[test]
    fn a_record_of_piskvork_is_a_game_of_gobang() {
        let record =
            read(b"Piskvorky 15x15, 11:11, 0\r\n8,8,1201\r\n1,15,870\r\nC:\\a.exe\r\n2,2,2\r\n").unwrap().unwrap();
        let size = Size::new(15).unwrap();
        assert_eq!((record.kind, record.size), (GameKind::Gobang, size));
        let at = |text: &str| size.point_from_gtp(text).unwrap();
        assert_eq!(record.steps, [Step::Move(Black, at("H8")), Step::Move(White, at("A1"))]);
    }

    #[test]
    fn other_files_are_left_alone_and_wrong_ones_say_what_was_expected() {
        assert!(read(b"(;GM[4]SZ[15])").is_none() && read(b"").is_none() && read(b"\xff\xfe").is_none());
        let error = |text: &[u8]| read(text).unwrap().unwrap_err().to_string();
        for board in ["15x20", "x", "", "99x99"] {
            assert!(error(format!("Piskvorky {board}, 1:1, 0").as_bytes()).contains("square board"), "{board}");
        }
        assert!(error(b"Piskvorky 15x15, 1:1, 0\n8,8,1\n16,1,1").contains("move 2"));
    }
}
