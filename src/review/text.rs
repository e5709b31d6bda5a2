//! A review in words.

use super::{Judged, LARGE, Review, SMALL};
use std::fmt::Write;

/// Worst moves that are listed.
const LISTED: usize = 15;

pub fn name(color: char) -> &'static str {
    if color == 'B' { "Black" } else { "White" }
}

/// What a move did.
pub fn sentence(m: &Judged) -> String {
    let (before, after) = (100.0 * m.before, 100.0 * m.after);
    let side = name(m.color);
    match &m.best {
        Some(best) if *best == m.played => format!("{side} wins {after:.1} %. moku would have played it too."),
        Some(best) if m.loss >= SMALL => {
            let word = if m.loss >= LARGE { "A mistake: " } else { "" };
            let loss = 100.0 * m.loss;
            format!(
                "{word}{side} falls from {before:.1} % to {after:.1} %, a loss of {loss:.1}. moku prefers {}.",
                line(m, best)
            )
        }
        Some(best) => format!("{side} wins {after:.1} %. moku would have played {best}."),
        None => format!("{side} wins {after:.1} %."),
    }
}

fn line(m: &Judged, best: &str) -> String {
    let rest: Vec<&str> = m.line.iter().skip(1).take(5).map(String::as_str).collect();
    if rest.is_empty() { best.to_string() } else { format!("{best}, then {}", rest.join(" ")) }
}

/// Mean loss and mistakes of a side.
pub fn side(review: &Review, color: char) -> String {
    let own: Vec<&Judged> = review.moves.iter().filter(|m| m.color == color).collect();
    let lost: f32 = own.iter().map(|m| m.loss).sum();
    let agreed = own.iter().filter(|m| m.best.as_ref() == Some(&m.played)).count();
    let mistakes = own.iter().filter(|m| m.loss >= LARGE).count();
    let count = own.len().max(1) as f32;
    let counted = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    format!(
        "{}: {}, {:.1} % lost each on average, {}, {:.0} % as moku would have played",
        name(color),
        counted(own.len(), "move"),
        100.0 * lost / count,
        counted(mistakes, "mistake"),
        100.0 * agreed as f32 / count
    )
}

pub fn summary(review: &Review) -> String {
    let mut text = format!("{} moves, {} playouts each by {}\n", review.moves.len(), review.playouts, review.engine);
    for color in ['B', 'W'] {
        let _ = writeln!(text, "{}", side(review, color));
    }
    let worst = review.worst(LISTED);
    if worst.is_empty() {
        text += "No move lost much.\n";
    }
    for m in worst {
        let _ = writeln!(text, "{:>4} {} {:<4} {}", m.number, m.color, m.played, sentence(m));
    }
    text.trim_end().to_string()
}
