//! A question asked in steps, until its answer holds or the budget is gone.
//!
//! 1. With the region as it is, two readings: everything beyond is the attacker's, and everything beyond is open. The
//!    truth lies between them, if the fence is as strong as [`super::find`] takes it to be. Where both say the same, or one
//!    already says the best that it could, that is the status, whatever lies out there.
//! 2. Where they differ, the status hangs on what lies beyond: the one that is better for the side to move is told,
//!    with the other.
//! 3. A group that lives though everything beyond is the attacker's lives for good. Anything else is asked again with more
//!    of the surroundings, until the answer stays the same, there is no more, or it costs too much.

use super::find::{self, Wider};
use super::solver::{sentence, wanted};
use super::{Beyond, Limits, Prover, Question, Status, Verdict};
use crate::base::Point;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// To see whether a firm answer changes may cost so many times the nodes that it took, and so many more.
const GROWTH: u64 = 10;
const SOME_NODES: u64 = 200_000;
/// And so many more where the answer hangs on it.
const MANY_NODES: u64 = 2_000_000;

/// The part of the limits that one of two readings may take, if the other may matter as much; and what hints may take.
const CLOSED_SHARE: f64 = 0.6;
const HINTS_SHARE: f64 = 0.6;

/// What was found out, and how far it holds.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The smallest question with this answer.
    pub question: Question,
    pub verdict: Verdict,
    pub hold: Hold,
    pub growth: Growth,
    /// The largest question that was answered, if it is another: it says the same.
    pub widest: Option<Question>,
    /// How often the region had grown.
    pub step: usize,
    /// The status if everything beyond the region is the attacker's, as far as known.
    pub at_worst: Option<Status>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Hold {
    /// It is so whatever lies beyond the region.
    Firm,
    /// It hangs on what lies beyond these exits; the status if that is as bad as can be for the side to move.
    Depends { otherwise: Option<Status>, exits: Vec<Point> },
}

/// Why the region did not grow any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Alive with everything beyond the attacker's.
    NotNeeded,
    /// A larger region gave the same answer.
    Same,
    /// There is nothing more that could matter.
    Whole,
    /// There is more than the prover can look at.
    TooLarge,
    /// The budget is gone.
    Spent,
}

impl Growth {
    /// What there is to say about a firm answer that may not be the last word.
    pub fn words(self) -> &'static str {
        match self {
            Growth::NotNeeded => "whatever lies beyond",
            Growth::Same => "the same in a larger region",
            Growth::Whole => "nothing beyond the region matters",
            Growth::TooLarge => "a larger region is more than the prover can look at",
            Growth::Spent => "a larger region was not answered in time",
        }
    }
}

impl Finding {
    pub fn status(&self) -> Option<Status> {
        self.verdict.status()
    }

    /// The status in words, with what it hangs on: `white is alive if it may run to F5, otherwise dead`.
    pub fn sentence(&self) -> Option<String> {
        let status = self.status()?;
        let Question { attacker, size, to_play, .. } = self.question;
        let says = sentence(status, attacker);
        let Hold::Depends { otherwise, exits } = &self.hold else { return Some(says) };
        let to = size.points_to_gtp(exits.iter().copied());
        let word = if to_play == attacker { "may not" } else { "may" };
        let run = format!("{says} if {} {word} run to {to}", attacker.opponent());
        Some(match otherwise {
            Some(other) => format!("{run}; otherwise {}", sentence(*other, attacker)),
            None => format!("{run}; otherwise not known"),
        })
    }
}

/// What is left of the limits of a question that is asked several times.
struct Left {
    limits: Limits,
    nodes: u64,
    seconds: f64,
}

impl Left {
    fn spend(&mut self, verdict: &Verdict) {
        self.nodes += verdict.nodes;
        self.seconds += verdict.seconds;
    }

    /// A part of what is left, at most so many nodes.
    fn part(&self, share: f64, most: u64) -> Limits {
        let nodes = self.limits.nodes.saturating_sub(self.nodes);
        let nodes = if nodes == u64::MAX { nodes } else { (nodes as f64 * share) as u64 };
        let seconds = self.limits.seconds.map(|all| share * (all - self.seconds).max(0.0));
        Limits { nodes: nodes.min(most), seconds }
    }
}

impl Prover {
    /// Answers a question, and asks it with more of the surroundings as long as that may change the answer. Moves that
    /// are said to be good may be given as hints: they are looked into first.
    pub fn find_out(
        &mut self,
        question: &Question,
        hints: &[Point],
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Finding, String> {
        let mut left = Left { limits, nodes: 0, seconds: 0.0 };
        let mut found = self.both_readings(question, 0, hints, left.part(1.0, u64::MAX), stop)?;
        left.spend(&found.verdict);
        let mut asked = question.clone();
        for step in 1..=find::STEPS {
            let Some(status) = found.status() else { break };
            let is_firm = found.hold == Hold::Firm;
            if is_firm && status == Status::Alive {
                found.growth = Growth::NotNeeded;
                break;
            }
            // The first step only tells whether who runs gets away.
            if is_firm && step == 1 {
                continue;
            }
            asked = match find::wider(&asked, step) {
                Wider::Question(wide) => *wide,
                Wider::Whole => {
                    found.growth = Growth::Whole;
                    continue;
                }
                Wider::TooLarge => {
                    found.growth = Growth::TooLarge;
                    break;
                }
            };
            let most = GROWTH * left.nodes + if is_firm { SOME_NODES } else { MANY_NODES };
            let next = self.both_readings(&asked, step, hints, left.part(1.0, most), stop)?;
            left.spend(&next.verdict);
            match next.status() {
                // In the larger region the attacker does not get what he got in the smaller one.
                None if next.verdict.worst > status => {
                    found = Finding { growth: Growth::Spent, ..next };
                    break;
                }
                None => {
                    found.growth = Growth::Spent;
                    // It may still live in more room; nothing else gets easier.
                    if next.at_worst.is_none() || question.to_play == question.attacker {
                        break;
                    }
                }
                Some(now) if is_firm && now == status && next.hold == Hold::Firm => {
                    (found.widest, found.growth) = (Some(next.question), Growth::Same);
                    break;
                }
                // The same if it may not run, and firm in less room: that says more.
                Some(now) if is_firm && now == status => {
                    found.growth = Growth::Spent;
                    break;
                }
                Some(_) => found = Finding { growth: Growth::TooLarge, ..next },
            }
        }
        (found.verdict.nodes, found.verdict.seconds) = (left.nodes, left.seconds);
        Ok(found)
    }

    /// The same question with the next more of the surroundings that there is.
    pub fn find_wider(
        &mut self,
        found: &Finding,
        hints: &[Point],
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Option<Finding>, String> {
        let limits = Limits { nodes: limits.nodes.min(GROWTH * found.verdict.nodes + SOME_NODES), ..limits };
        for step in found.step + 1..=find::STEPS {
            match find::wider(&found.question, step) {
                Wider::Question(wide) => return self.both_readings(&wide, step, hints, limits, stop).map(Some),
                Wider::Whole => {}
                Wider::TooLarge => break,
            }
        }
        Ok(None)
    }

    /// Steps 1 and 2. The usual reading of a diagram first, then what may overturn it.
    fn both_readings(
        &mut self,
        question: &Question,
        step: usize,
        hints: &[Point],
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Finding, String> {
        let reading = |beyond: Beyond| Question { beyond, ..question.clone() };
        let goal = wanted(question);
        let exits = question.exits();
        let firm = |question: Question, verdict: Verdict, at_worst: Option<Status>| Finding {
            question,
            verdict,
            hold: Hold::Firm,
            growth: Growth::Spent,
            widest: None,
            step,
            at_worst,
        };
        let closed = reading(Beyond::Attackers);
        let mut left = Left { limits, nodes: 0, seconds: 0.0 };
        let all = left.part(1.0, u64::MAX);
        let most = if exits.is_empty() || step == 0 { all } else { left.part(CLOSED_SHARE, u64::MAX) };
        let first = self.solve_hinted(&closed, hints, most, goal, stop)?;
        left.spend(&first);
        let at_worst = first.status();
        let hard = hard_for_mover(question);
        if exits.is_empty() || hard == Beyond::Attackers && at_worst == Some(goal) {
            return Ok(firm(closed, first, at_worst));
        }
        let rest = match at_worst {
            Some(status) if hard == Beyond::Open && status == goal => left.part(1.0, GROWTH * first.nodes + SOME_NODES),
            Some(_) => left.part(1.0, GROWTH * first.nodes + MANY_NODES),
            None => left.part(1.0, u64::MAX),
        };
        let second = self.solve_hinted(&reading(Beyond::Open), hints, rest, goal, stop)?;
        left.spend(&second);
        let (worst, best) = (first.worst, second.best);
        let (mut hard_verdict, mut easy_verdict) = if hard == Beyond::Open { (second, first) } else { (first, second) };
        for verdict in [&mut hard_verdict, &mut easy_verdict] {
            (verdict.nodes, verdict.seconds) = (left.nodes, left.seconds);
        }
        Ok(match easy_verdict.status() {
            Some(_) if worst != best => {
                let hold = Hold::Depends { otherwise: hard_verdict.status(), exits };
                Finding { hold, ..firm(reading(hard.opposite()), easy_verdict, at_worst) }
            }
            _ => firm(reading(hard), Verdict { worst, best, ..hard_verdict }, at_worst),
        })
    }

    /// Looks into some moves first, with half of what there is.
    fn solve_hinted(
        &mut self,
        question: &Question,
        hints: &[Point],
        limits: Limits,
        goal: Status,
        stop: &AtomicBool,
    ) -> Result<Verdict, String> {
        let mut left = Left { limits, nodes: 0, seconds: 0.0 };
        if !hints.is_empty() {
            let began = Instant::now();
            let moves = self.first_moves(question, goal, Some(hints), left.part(HINTS_SHARE, u64::MAX), stop)?;
            left.nodes = moves.iter().map(|m| m.nodes).sum();
            left.seconds = began.elapsed().as_secs_f64();
        }
        let mut verdict = self.solve(question, left.part(1.0, u64::MAX), Some(goal), stop)?;
        verdict.nodes += left.nodes;
        verdict.seconds += left.seconds;
        Ok(verdict)
    }
}

/// The reading that is worse for the side to move: if that is enough, it is enough.
fn hard_for_mover(question: &Question) -> Beyond {
    if question.to_play == question.attacker { Beyond::Open } else { Beyond::Attackers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Black, Color, Size, White};
    use crate::prover::make;

    const LIMITS: Limits = Limits { nodes: 1_000_000, seconds: None };

    fn found(rows: &str, to_play: Color) -> Finding {
        let size = Size::new(9).unwrap();
        let question = find::question(size, &make::picture(size, rows, White), to_play, Some(Black)).unwrap();
        Prover::new(8).find_out(&question, &[], LIMITS, &AtomicBool::new(false)).unwrap()
    }

    /// A stone of the fence that only a stone of the defender keeps from breathing can be taken.
    #[test]
    fn a_stone_of_the_defender_behind_the_fence_is_no_wall() {
        let rows = "OO....... .XXX..... XOXX..... OOOX..... ..OX.....";
        let with_friend = found(rows, White);
        assert_eq!(with_friend.status(), Some(Status::Alive), "{:?}", with_friend.sentence());
        assert_eq!(with_friend.verdict.answer, Some(with_friend.question.size.point(0, 3)), "the stone is taken");
        let alone = found(&rows.replace("OO.......", "XX......."), White);
        assert_eq!((alone.status(), alone.hold), (Some(Status::Dead), Hold::Firm));
    }

    #[test]
    fn a_group_that_can_only_run_is_not_called_dead() {
        let open = found("XXXX..... XOOO..... XO.O.....", White);
        let sentence = open.sentence().unwrap_or_default();
        assert!(matches!(open.hold, Hold::Depends { otherwise: Some(Status::Dead), .. }), "{sentence}");
        assert!(sentence.starts_with("white is alive if white may run to") && sentence.ends_with("dead"), "{sentence}");
        // With a stone of the attacker in the gap it is.
        let shut = found("XXXXXX... XOOO.X... XO.O.X...", White);
        assert_eq!((shut.status(), &shut.hold), (Some(Status::Dead), &Hold::Firm), "{:?}", shut.sentence());
    }

    #[test]
    fn life_among_walls_needs_no_larger_region() {
        let alive = found("XXXXXX. OOOOOX. ....OX.", White);
        assert_eq!((alive.status(), alive.growth), (Some(Status::Alive), Growth::NotNeeded));
        let dead = found("XXXX. OOOX. ..OX. ..OX.", Black);
        assert_eq!((dead.status(), &dead.hold), (Some(Status::Dead), &Hold::Firm));
        assert!(matches!(dead.growth, Growth::Same | Growth::Whole), "{:?}", dead.growth);
    }
}
