//! Boards as SVG: stones with move numbers, or points shaded by a value.

use crate::base::Size;
use crate::lab::section::Board;
use std::fmt::Write;

const CELL: usize = 24;

/// The board as an `svg` element. Colours come from the page's style.
pub fn svg(board: &Board) -> String {
    let n = board.size;
    let at = |i: usize| CELL / 2 + CELL * i + CELL / 2;
    let side = CELL * n + CELL;
    let class = if board.points.iter().any(|spot| spot.shade != 0.0) { "board values" } else { "board" };
    let mut out = format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"{}\">",
        escape(&board.title)
    );
    for (i, spot) in board.points.iter().enumerate().filter(|(_, spot)| spot.shade != 0.0) {
        let (x, y) = (at(i % n) - CELL / 2, at(i / n) - CELL / 2);
        let class = if spot.shade > 0.0 { "more" } else { "less" };
        let opacity = spot.shade.abs().min(1.0).sqrt();
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" opacity=\"{opacity:.2}\"/>"
        );
    }
    let (low, high) = (at(0), at(n - 1));
    let lines: String = (0..n).map(|i| format!("M{low} {}H{high}M{} {low}V{high}", at(i), at(i))).collect();
    let _ = write!(out, "<path class=\"grid\" d=\"{lines}\"/>");
    for (i, spot) in board.points.iter().enumerate() {
        let (x, y) = (at(i % n), at(i / n));
        if let Some(stone) = spot.stone {
            let class = if stone == 'b' { "black" } else { "white" };
            let _ = write!(out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"11\"/>");
        }
        if !spot.text.is_empty() {
            let class = match spot.stone {
                Some('b') => "on-black",
                Some(_) => "on-white",
                None => "value",
            };
            let _ = write!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escape(&spot.text));
        }
    }
    if let Some(size) = Size::new(n) {
        for i in 0..n {
            let _ =
                write!(out, "<text class=\"edge\" x=\"{}\" y=\"{}\">{}</text>", at(i), side - 5, size.column_letter(i));
            let _ = write!(out, "<text class=\"edge\" x=\"6\" y=\"{}\">{}</text>", at(i), n - i);
        }
    }
    out + "</svg>"
}

/// Text for HTML and its attributes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
