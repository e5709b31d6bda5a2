//! Live graphics: GoGui draws what comes on standard error after `gogui-gfx:` while a command runs.

use crate::base::{Color, Size};
use crate::search::Report;
use crate::session::Progress;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// GoGui draws every block, so not too many.
const EVERY: Duration = Duration::from_millis(500);
/// Moves of the expected line that are shown: more would hide the board.
const LINE: usize = 9;

/// Paints a search while it runs, and cleans up when dropped.
pub struct LiveGraphics {
    size: Size,
    color: Color,
    due: Instant,
    has_painted: bool,
}

impl LiveGraphics {
    pub fn new(size: Size, color: Color) -> LiveGraphics {
        LiveGraphics { size, color, due: Instant::now() + EVERY / 5, has_painted: false }
    }

    pub fn look(&mut self, progress: &dyn Progress) {
        if Instant::now() < self.due || progress.is_done() {
            return;
        }
        let Some(block) = block(self.size, self.color, &progress.report()) else { return };
        self.due = Instant::now() + EVERY;
        self.has_painted = true;
        emit(&block);
    }
}

impl Drop for LiveGraphics {
    fn drop(&mut self) {
        if self.has_painted {
            emit("gogui-gfx: CLEAR\n");
        }
    }
}

/// Whole blocks only; a front end that does not listen is no reason to stop.
fn emit(text: &str) {
    let mut output = std::io::stderr().lock();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}

/// The expected line as numbered stones, playouts as influence, the best move in words; None before the first playout.
fn block(size: Size, color: Color, report: &Report) -> Option<String> {
    let best = report.best().filter(|m| m.is_known())?;
    let mut text = String::from("gogui-gfx:\nVAR");
    let mut turn = color;
    for &p in best.pv.iter().take(LINE) {
        let _ = write!(text, " {} {}", turn.letter().to_ascii_lowercase(), size.point_to_gtp(p));
        turn = turn.opponent();
    }
    let most = report.moves.iter().map(|m| m.visits).max().unwrap_or(1) as f32;
    text.push_str("\nINFLUENCE");
    for m in report.moves.iter().filter(|m| m.visits > 0 && !m.point.is_pass()) {
        let _ = write!(text, " {} {:.2}", size.point_to_gtp(m.point), m.visits as f32 / most * color.sign());
    }
    let vertex = size.point_to_gtp(best.point);
    let _ = writeln!(
        text,
        "\nTEXT {vertex} {:.1} % in {} of {} playouts\n",
        100.0 * best.rate,
        best.visits,
        report.visits()
    );
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Point, White};
    use crate::search::MoveStats;

    #[test]
    fn a_block_is_a_headline_commands_and_one_empty_line() {
        let size = Size::new(9).unwrap();
        let at = |v: &str| size.point_from_gtp(v).unwrap();
        let stats = |v: &str, visits, pv: Vec<Point>| MoveStats { visits, rate: 0.5, ..MoveStats::new(at(v), pv) };
        let moves = vec![
            stats("E5", 30, vec![at("E5"), at("C3")]),
            stats("pass", 3, vec![Point::PASS]),
            stats("A1", 0, vec![]),
        ];
        let text = block(size, White, &Report { moves, nodes: 3 }).unwrap();
        assert_eq!(text, "gogui-gfx:\nVAR w E5 b C3\nINFLUENCE E5 -1.00\nTEXT E5 50.0 % in 30 of 33 playouts\n\n");
        assert_eq!(block(size, White, &Report { moves: vec![], nodes: 0 }), None);
    }
}
