//! How replies look on the wire, and the words and pictures in them.

use crate::base::{Black, Color, White};
use crate::session::Table;
use std::io::{Result as IoResult, Write};

/// Standard output, and the log that records both directions.
pub struct Wire<'a> {
    pub output: &'a mut dyn Write,
    pub log: Option<&'a mut dyn Write>,
}

impl Wire<'_> {
    /// Notes a line that came in.
    pub fn heard(&mut self, bytes: &[u8]) {
        self.note('>', String::from_utf8_lossy(bytes).trim_end());
    }

    /// Writes text at once.
    pub fn say(&mut self, text: &str) -> IoResult<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()?;
        text.trim_end().lines().for_each(|line| self.note('<', line));
        Ok(())
    }

    /// A log is never worth a game: the first line that cannot be written is the last one tried.
    fn note(&mut self, direction: char, line: &str) {
        let Some(log) = &mut self.log else { return };
        if let Err(e) = writeln!(log, "{direction} {line}").and_then(|()| log.flush()) {
            log::warn!("the log ends here, it cannot be written: {e}");
            self.log = None;
        }
    }
}

/// `=id text` or `?id text` and an empty line; none inside.
pub fn format(id: &str, result: Result<String, String>) -> String {
    let (sign, text) = match result {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    // Text that starts with a line end is a picture: its first line is empty but for the sign.
    let starts_new_line = text.starts_with('\n');
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let body = lines.join("\n");
    format!("{sign}{id} {}{body}\n\n", if starts_new_line { "\n" } else { "" })
}

/// A number without needless decimals: `3.5`, `10`, `-0.25`.
pub fn number(x: f32) -> String {
    // Scores are differences of whole numbers and a komi that was typed in decimals.
    let rounded = (x as f64 * 1e4).round() / 1e4;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// `B+3.5`, `W+10`, `0`.
pub fn score(black_wins_by: f32) -> String {
    match number(black_wins_by.abs()).as_str() {
        "0" => "0".to_string(),
        points => format!("{}+{points}", if black_wins_by > 0.0 { Black } else { White }.letter()),
    }
}

/// The board with its letters and numbers, the last move in brackets, captures and komi beside it.
pub fn board(table: &dyn Table, komi: f32) -> String {
    let size = table.size();
    let n = size.n();
    let letters: String = (0..n).map(|x| format!(" {}", size.column_letter(x))).collect();
    let stars: Vec<_> = crate::session::handicap::fixed(size, 9)
        .or_else(|| crate::session::handicap::fixed(size, 4))
        .unwrap_or_default();
    let last = table.moves().last().map(|&(_, p)| p);
    let mut text = format!("\n   {letters}\n");
    for y in size.rows_from_top() {
        let mut row = String::new();
        for x in 0..n {
            let p = size.point(x, y);
            let mark = match table.color_at(p) {
                Some(Black) => 'X',
                Some(White) => 'O',
                None if stars.contains(&p) => '+',
                None => '.',
            };
            let before = match last {
                Some(q) if q == p => '(',
                Some(q) if x > 0 && q == size.point(x - 1, y) => ')',
                _ => ' ',
            };
            row.push(before);
            row.push(mark);
        }
        row.push(if last == Some(size.point(n - 1, y)) { ')' } else { ' ' });
        let side = match size.n() - 1 - y {
            0 => format!("   {} to play", table.to_play()),
            _ if !table.has_territory() => String::new(),
            1 => format!("   komi {}", number(komi)),
            2 => format!("   Black (X) has taken {}", table.captures(Color::Black)),
            3 => format!("   White (O) has taken {}", table.captures(Color::White)),
            _ => String::new(),
        };
        text.push_str(&format!("{:3}{row}{}{side}\n", y + 1, y + 1));
    }
    text + &format!("   {letters}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_have_one_space_one_empty_line_and_none_inside() {
        assert_eq!(format("", Ok(String::new())), "= \n\n");
        assert_eq!(format("7", Ok("2".into())), "=7 2\n\n");
        assert_eq!(format("", Err("syntax error".into())), "? syntax error\n\n");
        assert_eq!(format("3", Ok("a\n\n\nb \n".into())), "=3 a\nb\n\n");
        assert_eq!(format("", Ok("\n A B\n 1".into())), "= \n A B\n 1\n\n");
    }

    #[test]
    fn scores_are_printed_as_typed() {
        assert_eq!(score(3.5), "B+3.5");
        assert_eq!(score(-10.0), "W+10");
        assert_eq!(score(0.0), "0");
        assert_eq!(score(10.0 - 6.3), "B+3.7");
        assert_eq!(number(0.1 + 0.2), "0.3");
    }
}
