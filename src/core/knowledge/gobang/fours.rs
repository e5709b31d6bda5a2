//! Wins by continuous fours (VCF), and what spoils them.
//!
//! A four must be answered where it would become five, so that a player who makes one four after another leaves the
//! opponent no choice until two answers are needed at once. The search looks at fours only, deeper and deeper; a four
//! with two ways to complete it is seen and not played.

use super::Reader;
use super::lines::{Lines, Points};
use crate::base::{Color, Point};

/// Fours in a row that are looked for, step by step.
const DEPTHS: [u8; 8] = [1, 2, 3, 4, 6, 8, 12, 20];
/// Positions without a win that are remembered.
const MEMORY: usize = 1 << 12;

/// Remembered of positions that no number of fours wins.
const ALL_DEPTHS: u8 = u8::MAX;

/// Where a position is remembered.
fn slot(key: u64) -> usize {
    key as usize >> 1 & (MEMORY - 1)
}

/// A search under way.
struct Fours {
    me: Color,
    /// Where `Lines::work` may come to.
    limit: u64,
    line: Vec<Point>,
    /// Was there a four that the depth left no room to follow up?
    is_cut: bool,
}

impl Reader {
    /// A win of this colour, to move, by fives and fours alone: its moves and the answers they force, up to the five.
    /// None if there is none within this much work.
    pub fn fours(&mut self, me: Color, work: u64) -> Option<Vec<Point>> {
        if let Some(p) = self.lines.five(me) {
            return Some(vec![p]);
        }
        if self.lines.count_fours(me) == 0 {
            return None;
        }
        let mut search = Fours { me, limit: self.lines.work() + work, line: Vec::new(), is_cut: false };
        let hash = self.lines.hash();
        if self.has_failed(&mut search, hash, ALL_DEPTHS) {
            return None;
        }
        for depth in DEPTHS {
            search.is_cut = false;
            if self.wins_by_fours(&mut search, depth)? {
                return Some(search.line);
            }
            if !search.is_cut {
                self.fail(me, hash, ALL_DEPTHS); // there is nothing deeper
                break;
            }
        }
        None
    }

    /// Is there a win with at most `depth` fours? None when there is no more work to spend.
    fn wins_by_fours(&mut self, search: &mut Fours, depth: u8) -> Option<bool> {
        let (me, opponent) = (search.me, search.me.opponent());
        let mut moves = self.lines.fours(me);
        if let Some(p) = self.lines.five(opponent) {
            if self.lines.count_fives(opponent) > 1 || !moves.contains(p) {
                return Some(false);
            }
            moves = Points::single(p);
        }
        if let Some(p) = moves.iter().find(|&p| self.lines.pair(me, p).is_double_four()) {
            self.lines.play(p, me);
            search.line.push(p);
            search.line.extend(self.lines.fives(me).iter().take(2)); // one is stopped, the other makes five
            self.lines.undo();
            return Some(true);
        }
        if depth <= 1 {
            search.is_cut |= !moves.is_empty();
            return Some(false);
        }
        for p in moves.iter() {
            if self.lines.work() >= search.limit {
                return None;
            }
            // With the opponent to answer: not the position where it is this colour's turn.
            let four = !(self.lines.hash() ^ Lines::hash_of(p, me));
            if self.has_failed(search, four, depth) {
                continue;
            }
            self.lines.play(p, me);
            let Some(answer) = self.lines.five(me) else {
                debug_assert!(false, "a four can be completed");
                self.lines.undo();
                continue;
            };
            self.lines.play(answer, opponent);
            let answered = self.lines.hash();
            let mut wins = Some(false);
            if !self.has_failed(search, answered, depth) {
                search.line.extend([p, answer]);
                let was_cut = std::mem::take(&mut search.is_cut);
                wins = self.wins_by_fours(search, depth - 1);
                if wins == Some(false) {
                    let deepest = if search.is_cut { depth } else { ALL_DEPTHS };
                    self.fail(me, answered, deepest);
                    self.fail(me, four, deepest);
                    search.line.truncate(search.line.len() - 2);
                }
                search.is_cut |= was_cut;
            }
            self.lines.undo();
            self.lines.undo();
            if wins? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Is this position, by its hash, known to have no win with so many fours? If more could win, the search is cut.
    #[inline]
    fn has_failed(&self, search: &mut Fours, hash: u64, depth: u8) -> bool {
        let key = hash ^ search.me.index() as u64;
        let deepest = match self.failed.get(slot(key)) {
            Some(&(known, deepest)) if known == key => deepest,
            _ => return false,
        };
        search.is_cut |= deepest >= depth && deepest != ALL_DEPTHS;
        deepest >= depth
    }

    fn fail(&mut self, me: Color, hash: u64, deepest: u8) {
        if self.failed.is_empty() {
            self.failed = vec![(0, 0); MEMORY];
        }
        let key = hash ^ me.index() as u64;
        self.failed[slot(key)] = (key, deepest);
    }

    /// Every move of the opponent after which a line of continuous fours, found as if it were this colour's turn, wins
    /// no more. All other moves lose to it.
    pub fn spoilers(&mut self, attacker: Color, line: &[Point]) -> Vec<Point> {
        let defender = attacker.opponent();
        let could = self.possible_spoilers(attacker, line) & self.lines.empty_points();
        let mut spoilers = Vec::new();
        for p in could.iter() {
            let wins = self.lines.fives(defender).contains(p);
            self.lines.play(p, defender);
            if wins || !self.still_wins(attacker, line) {
                spoilers.push(p);
            }
            self.lines.undo();
        }
        spoilers
    }

    /// A stone spoils a line only on one of its points, where it would be completed, or by making a four of the
    /// defender's, now or together with the answers: all points of which one of these may be true.
    pub(super) fn possible_spoilers(&mut self, attacker: Color, line: &[Point]) -> Points {
        let mut could = self.lines.fours(attacker.opponent());
        self.visit_line(attacker, line, |lines, p| {
            could.insert(p);
            could = could | lines.fives(attacker) | lines.fours(attacker.opponent());
        });
        could
    }

    /// Plays a line of continuous fours and shows the position after each four and after each answer, with the point
    /// last played; then takes it all back. The last four is not answered.
    pub(super) fn visit_line(&mut self, attacker: Color, line: &[Point], mut visit: impl FnMut(&Lines, Point)) {
        let fours = line.len().saturating_sub(2).max(1);
        for (i, &p) in line[..fours].iter().enumerate() {
            self.lines.play(p, if i % 2 == 0 { attacker } else { attacker.opponent() });
            visit(&self.lines, p);
        }
        (0..fours).for_each(|_| self.lines.undo());
    }

    /// Does a line of continuous fours, found in another position, win here too, with its attacker to move?
    pub fn still_wins(&mut self, attacker: Color, line: &[Point]) -> bool {
        let defender = attacker.opponent();
        let mut played = 0;
        let mut wins = false;
        for &p in line.iter().step_by(2) {
            if self.lines.count_fives(attacker) > 0 {
                wins = true;
                break;
            }
            let threats = self.lines.fives(defender);
            let answers = threats.is_empty() || threats.len() == 1 && threats.contains(p);
            if !answers || !self.lines.is_empty_at(p) || !self.lines.fours(attacker).contains(p) {
                break;
            }
            if self.lines.pair(attacker, p).is_double_four() {
                wins = true;
                break;
            }
            self.lines.play(p, attacker);
            played += 1;
            let Some(answer) = self.lines.five(attacker) else { break };
            self.lines.play(answer, defender);
            played += 1;
        }
        (0..played).for_each(|_| self.lines.undo());
        wins
    }
}
