//! `moku-tsumego`: what becomes of a group, proven.

use super::Gtp;
use super::args::{one, vertex};
use crate::base::Color;
use crate::session::proof;

/// One line for each side moving first: the status, the move that reaches it, and how it goes on.
pub fn status(gtp: &mut Gtp, args: &[String]) -> Result<String, String> {
    let size = gtp.session.size();
    let at = vertex(size, one(args, "a vertex with a stone of the group")?)?;
    if at.is_pass() {
        return Err("syntax error: expected a vertex with a stone of the group, not a pass".to_string());
    }
    let means = gtp.session.proof_means();
    let mut lines = Vec::new();
    for first in Color::BOTH {
        let mut watch = gtp.watch(first);
        let found = proof::status_of(gtp.session.table(), at, first, means, &mut watch)?;
        let verdict = &found.verdict;
        let says = found.sentence().unwrap_or_else(|| format!("not proven in {} nodes", verdict.nodes));
        let line = match verdict.line.is_empty() {
            true => String::new(),
            false => format!(", {}", size.points_to_gtp(verdict.line.iter().copied())),
        };
        lines.push(format!("{first} first: {says}{line}"));
    }
    Ok(lines.join("\n"))
}
