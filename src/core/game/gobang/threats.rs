//! Moves that decide: fives, stops, open fours, and wins by continuous fours (VCF).
//!
//! A four must be answered where it would become five, so that a player who makes one four after another leaves the
//! opponent no choice until two answers are needed at once. The search looks at fours only, deeper and deeper.

use super::board::{Gobang, Points};
use crate::base::{Color, Point};

/// Fours in a row that are looked for, at most.
const LONGEST: usize = 20;
/// Positions without a win that a search remembers.
const MEMORY: usize = 1 << 10;

impl Gobang {
    /// When something must happen now, replaces `out` by the moves that do it: a five; else all moves that stop the
    /// opponent's five; else open fours. False, and `out` stays, when the position is quiet.
    pub fn urgent(&self, out: &mut Vec<Point>) -> bool {
        let me = self.to_play();
        let points = match () {
            _ if self.is_over() => return false,
            _ if self.has_winning_point(me) => self.winning_points(me),
            _ if self.has_winning_point(me.opponent()) => self.winning_points(me.opponent()),
            _ => match self.open_four(me) {
                Some(p) => [p].into_iter().collect(),
                None => return false,
            },
        };
        out.clear();
        out.extend(points.iter());
        true
    }

    /// A win of the side to play by fives and fours alone: its moves and the answers they force, up to the five. None if
    /// there is none within this many positions.
    pub fn continuous_fours(&self, nodes: usize) -> Option<Vec<Point>> {
        if self.is_over() {
            return None;
        }
        let me = self.to_play();
        if let Some(p) = self.winning_points(me).first() {
            return Some(vec![p]);
        }
        if self.possible_fours(me).is_empty() {
            return None;
        }
        let mut search = Fours { me, nodes, line: Vec::new(), failed: Vec::new(), is_cut: false };
        for depth in [1, 2, 3, 4, 6, 8, 12, LONGEST] {
            search.failed.clear();
            search.is_cut = false;
            if search.win(self, depth)? {
                return Some(search.line);
            }
            if !search.is_cut {
                break; // there is nothing deeper
            }
        }
        None
    }

    /// Does a line of continuous fours, found in another position, win here too, with its mover to play?
    pub fn is_still_won_by(&self, line: &[Point]) -> bool {
        let me = self.to_play();
        let mut board = self.clone();
        for pair in line.chunks(2) {
            if board.is_over() {
                return false;
            }
            if board.has_winning_point(me) {
                return true;
            }
            if !board.is_empty_at(pair[0]) || !board.answers_threat(pair[0]) {
                return false;
            }
            match (board.completions_after(me, pair[0]), pair.get(1)) {
                (c, _) if c.count >= 2 => return true,
                (c, Some(&answer)) if c.first == Some(answer) => {
                    board.play(pair[0]);
                    board.play(answer);
                }
                _ => return false,
            }
        }
        false
    }

    /// The moves of the side to play after which a line of the opponent's, found as if it were his turn, wins no more.
    pub fn spoilers(&self, line: &[Point]) -> Points {
        let me = self.to_play();
        let could = self.possible_spoilers(line).minus(self.stones());
        let spoils = |&p: &Point| {
            let mut after = self.clone();
            after.play(p);
            after.winner() == Some(me) || !after.is_still_won_by(line)
        };
        could.iter().filter(spoils).collect()
    }

    /// A stone spoils a line only on one of its points, where it would be completed, by making a four or five of its
    /// own at once, or by making one out of an answer: all points of which one of these may be true.
    fn possible_spoilers(&self, line: &[Point]) -> Points {
        let me = self.to_play();
        let mut could = self.possible_fours(me) | self.winning_points(me);
        let mut board = self.clone();
        board.set_to_play(me.opponent());
        // The last four can be completed in two ways: which of them the line takes does not matter.
        let fours = &line[..line.len().saturating_sub(2).max(1)];
        for pair in fours.chunks(2) {
            could.insert(pair[0]);
            board.play(pair[0]);
            could = could | board.winning_points(me.opponent());
            if let Some(&answer) = pair.get(1) {
                could = could | board.in_line_with(answer);
                board.play(answer);
            }
        }
        could
    }

    /// If the opponent threatens to make five: is this the move that stops it?
    fn answers_threat(&self, p: Point) -> bool {
        let threats = self.winning_points(self.to_play().opponent());
        threats.is_empty() || threats.first() == Some(p) && threats.len() == 1
    }
}

/// The search for continuous fours.
struct Fours {
    me: Color,
    /// Positions that may still be looked at.
    nodes: usize,
    line: Vec<Point>,
    /// Hashes of positions without a win at the present depth, a small table that forgets.
    failed: Vec<(u64, usize)>,
    /// Was there a four that the depth left no room to follow up?
    is_cut: bool,
}

impl Fours {
    /// Is there a win with at most `depth` fours? None when the positions run out.
    fn win(&mut self, board: &Gobang, depth: usize) -> Option<bool> {
        let me = self.me;
        if board.has_winning_point(me) {
            self.line.extend(board.winning_points(me).first());
            return Some(true);
        }
        if depth == 0 || board.winning_points(me.opponent()).len() > 1 {
            return Some(false);
        }
        for p in board.possible_fours(me).iter().filter(|&p| board.answers_threat(p)) {
            let completions = board.completions_after(me, p);
            let Some(answer) = completions.first else { continue };
            self.nodes = self.nodes.checked_sub(1)?;
            if completions.count >= 2 {
                let mut won = board.clone();
                won.play(p);
                self.line.push(p);
                self.line.extend(won.winning_points(me).iter().take(2)); // one is stopped, the other makes five
                return Some(true);
            }
            if depth == 1 {
                self.is_cut = true;
                continue;
            }
            let mut next = board.clone();
            next.play(p);
            next.play(answer);
            let key = next.hash();
            let slot = key as usize % MEMORY;
            if self.failed.get(slot).is_some_and(|&(hash, d)| hash == key && d >= depth) {
                continue;
            }
            self.line.extend([p, answer]);
            if self.win(&next, depth - 1)? {
                return Some(true);
            }
            self.line.truncate(self.line.len() - 2);
            if self.failed.is_empty() {
                self.failed = vec![(0, 0); MEMORY];
            }
            self.failed[slot] = (key, depth);
        }
        Some(false)
    }
}
