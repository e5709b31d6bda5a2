//! What a look at a position tells: who wins, which moves can hold, and what each is worth.

use super::class::Class;
use super::lines::{Lines, Points};
use super::threats;
use crate::base::{Color, Point, Size};
use crate::game::gobang::{Gobang, Rule};

/// Lines with what reading them needs to remember.
pub struct Reader {
    pub lines: Lines,
    /// Positions without a win by continuous fours, a small table that forgets.
    pub(super) failed: Vec<(u64, u8)>,
    pub(super) known: threats::Known,
    /// Where continuous threats may have quiet moves. Set it before anything is read.
    pub quiet: Quiet,
}

/// Where the attacker may make a quiet move, which threatens continuous fours and makes no four and no three itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiet {
    Nowhere,
    /// As the first move, where there is work enough.
    First,
    /// Anywhere: finds more, and takes far longer.
    Everywhere,
}

/// How far a look goes; each part can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Wins that are seen without reading.
    pub sight: bool,
    /// Work for continuous fours; 0: none.
    pub fours: u64,
    /// Work for continuous threats; 0: none.
    pub threats: u64,
    /// Are the opponent's threats read too, and only moves that can hold kept?
    pub defends: bool,
}

/// What is proven for the side to play, within how many moves of the winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    Win(usize),
    Loss(usize),
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sight {
    pub known: Option<Known>,
    /// With a win, the moves of both sides up to the five, as far as they were read.
    pub line: Vec<Point>,
    /// The only moves that can hold, when something must be held.
    pub holding: Option<Points>,
    /// In how many moves of the opponent all others lose.
    pub others_lose_in: usize,
}

impl Sight {
    fn win(moves: usize, line: Vec<Point>) -> Sight {
        Sight { known: Some(Known::Win(moves)), line, ..Sight::default() }
    }

    fn loss(moves: usize) -> Sight {
        Sight { known: Some(Known::Loss(moves)), ..Sight::default() }
    }
}

const OPEN_THREES: [Class; 2] = [Class::OpenThree, Class::FreeThree];

impl Reader {
    pub fn new(size: Size, rule: Rule) -> Reader {
        Reader { lines: Lines::new(size, rule), failed: Vec::new(), known: Default::default(), quiet: Quiet::First }
    }

    pub fn of(board: &Gobang) -> Reader {
        let mut reader = Reader::new(board.size(), board.rule());
        reader.lines.follow(board);
        reader
    }

    /// Looks at the position with this colour to move; nobody has won.
    pub fn look(&mut self, me: Color, effort: Effort) -> Sight {
        let opponent = me.opponent();
        if let Some(p) = self.lines.fives(me).first() {
            return Sight::win(1, vec![p]);
        }
        let fives = self.lines.fives(opponent);
        if fives.len() > 1 {
            return Sight::loss(1);
        }
        if effort.sight
            && let Some((moves, line)) = self.win_at_sight(me)
        {
            return Sight::win(moves, line);
        }
        if effort.fours > 0
            && let Some(line) = self.fours(me, effort.fours)
        {
            return Sight::win(line.len().div_ceil(2), line);
        }
        let (mut holding, mut others_lose_in) = (None, 1);
        if !fives.is_empty() {
            holding = Some(fives);
        } else if effort.defends
            && effort.fours > 0
            && let Some(line) = self.fours(opponent, effort.fours)
        {
            let spoilers: Points = self.spoilers(opponent, &line).into_iter().collect();
            if spoilers.is_empty() {
                return Sight::loss(line.len().div_ceil(2));
            }
            (holding, others_lose_in) = (Some(spoilers), line.len().div_ceil(2));
        }
        if effort.threats > 0 {
            if let Some(line) = self.threats(me, effort.threats) {
                return Sight::win(line.len().div_ceil(2), line);
            }
            if effort.defends
                && holding.is_none()
                && let Some(line) = self.threats(opponent, effort.threats)
                && let Some(defences) = self.defences(opponent)
            {
                if defences.is_empty() {
                    return Sight::loss(line.len().div_ceil(2));
                }
                (holding, others_lose_in) = (Some(defences), line.len().div_ceil(2));
            }
        }
        Sight { holding, others_lose_in, ..Sight::default() }
    }

    /// A win that needs no reading, with this colour to move and nobody a stone away from five but perhaps the opponent:
    ///
    /// ```text
    /// two ways to complete a four              the opponent stops one of them
    /// a four and an open three on two lines    the answer to the four makes no four of the opponent's
    /// two open threes on two lines             the opponent can make no four anywhere
    /// ```
    ///
    /// Two lines meet in the stone alone, so that no stone stops both. What is open by its class stays open for a five of
    /// the rule in force. Returns the moves of the winner and the first of them.
    pub(super) fn win_at_sight(&mut self, me: Color) -> Option<(usize, Vec<Point>)> {
        let opponent = me.opponent();
        let fives = self.lines.fives(opponent);
        let moves = self.lines.threes(me);
        let moves = if fives.is_empty() { moves } else { moves & fives };
        let mut best: Option<(usize, Point)> = None;
        for p in moves.iter() {
            let pair = self.lines.pair(me, p);
            let is_open_three = |class: Class| OPEN_THREES.contains(&class);
            let wins_in = match () {
                _ if pair.is_double_four() => 2,
                _ if pair.best() == Class::Four && is_open_three(pair.second()) && self.is_safe_four(me, p) => 3,
                _ if is_open_three(pair.best())
                    && is_open_three(pair.second())
                    && self.lines.fours(opponent).is_empty() =>
                {
                    3
                }
                _ => continue,
            };
            if best.is_none_or(|(moves, _)| wins_in < moves) {
                best = Some((wins_in, p));
            }
        }
        best.map(|(moves, p)| (moves, vec![p]))
    }

    /// Does the answer to a four leave the opponent without a four of his own?
    fn is_safe_four(&mut self, me: Color, p: Point) -> bool {
        self.lines.play(p, me);
        let answer = self.lines.fives(me).first();
        let is_safe = answer.is_some_and(|q| !self.lines.fours(me.opponent()).contains(q));
        self.lines.undo();
        is_safe
    }
}
