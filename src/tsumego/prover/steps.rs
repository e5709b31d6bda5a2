//! A question asked in steps, until its answer holds or the budget is gone.
//!
//! 1. First as diagrams are read: everything beyond the region is the attacker's. A group that lives so lives for good.
//!    Anything else is asked again with more of the surroundings, until there is no more, or it costs too much. The
//!    largest region that was answered counts.
//! 2. There everything beyond is taken to be open as well. The truth lies between the two, if the fence is as strong as
//!    [`super::find`] takes it to be. Where both say the same, that is the status, whatever lies out there. Where they
//!    differ, it hangs on what lies beyond: the one that is better for the side to move is told, with the other.
//! 3. If they differ, or the second is not soon answered, a reading between the two is asked: the fence is guarded, so that
//!    nobody gets out by a step into empty space, but every such step has to be answered. What holds so is told with that
//!    condition. Who lives so lives in the open, too, so that need not be asked.
//! 4. What the attacker gets in no region but one rests on the fence around that one, and says so.

use super::find::{self, Wider};
use super::solver::{sentence, wanted};
use super::{Beyond, Limits, Prover, Question, Status, Verdict};
use crate::TsumegoError;
use crate::base::Point;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// To see whether a firm answer changes may cost so many times the nodes that it took, and so many more.
const GROWTH: u64 = 10;
const SOME_NODES: u64 = 200_000;
/// And so many more where the answer hangs on it.
const MANY_NODES: u64 = 2_000_000;

/// The part of what is left that a larger region may take, what the guarded fence may, and what hints may.
const LARGER_SHARE: f64 = 0.7;
const GUARDED_SHARE: f64 = 0.5;
/// A first look into the open, which may make the guarded fence needless.
const QUICK_SHARE: f64 = 0.25;
const HINTS_SHARE: f64 = 0.6;

/// What was found out, and how far it holds.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The largest question that was answered.
    pub question: Question,
    pub verdict: Verdict,
    pub hold: Hold,
    pub growth: Growth,
    /// How often the region had grown.
    pub step: usize,
    /// The status if everything beyond the region is the attacker's, as far as known.
    pub at_worst: Option<Status>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Hold {
    /// It is so whatever lies beyond the region.
    Firm,
    /// The attacker gets it if his stones around the region stay: no larger region was answered that shows it.
    Fence,
    /// It is so if what stands around stays, and as bad for the side to move as can be: a fight about given chains.
    Local,
    /// It is so if each step out, to these exits, is answered: nobody gets out by it, and it is not for nothing.
    Guarded { exits: Vec<Point> },
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
    /// A fight about given chains is asked as it is.
    NotGrown,
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
            Growth::NotGrown => "in this region",
        }
    }
}

impl Finding {
    pub fn status(&self) -> Option<Status> {
        self.verdict.status()
    }

    /// The same with a reason why the region did not grow any more: whether it holds without a condition hangs on that.
    fn grown(self, growth: Growth) -> Finding {
        let is_firm = match growth {
            _ if self.status() == Some(Status::Alive) => true,
            Growth::Whole => true,
            // A larger region that takes the same chains of the fence for strong says nothing new about them.
            Growth::Same => find::doubts_the_fence(self.step),
            _ => false,
        };
        let hold = match self.hold {
            Hold::Firm | Hold::Fence if is_firm => Hold::Firm,
            Hold::Firm | Hold::Fence => Hold::Fence,
            other => other,
        };
        Finding { hold, growth, ..self }
    }

    /// Is it so whether or not the defender may run?
    pub fn is_shut_in(&self) -> bool {
        !matches!(self.hold, Hold::Depends { .. } | Hold::Guarded { .. })
    }

    /// Is it so by the reading that diagrams are drawn for?
    pub fn is_guarded(&self) -> bool {
        matches!(self.hold, Hold::Guarded { .. })
    }

    /// The status in words, with what it hangs on: `white is alive if it may run to F5, otherwise dead`.
    pub fn sentence(&self) -> Option<String> {
        let status = self.status()?;
        let Question { attacker, size, to_play, .. } = self.question;
        let says = sentence(status, attacker);
        let (otherwise, exits) = match &self.hold {
            Hold::Firm => return Some(says),
            Hold::Fence => return Some(format!("{says} if the {attacker} stones around it hold")),
            Hold::Local if status == wanted(&self.question) => {
                return Some(format!("{says} if the stones around hold"));
            }
            Hold::Local => return Some(format!("{says} unless what lies beyond helps")),
            Hold::Guarded { exits } => {
                let to = size.points_to_gtp(exits.iter().copied());
                return Some(format!("{says} if each step out to {to} is answered"));
            }
            Hold::Depends { otherwise, exits } => (otherwise, exits),
        };
        let to = size.points_to_gtp(exits.iter().copied());
        let word = if to_play == attacker { "may not" } else { "may" };
        let run = format!("{says} if {} {word} run to {to}", attacker.opponent());
        Some(match otherwise {
            Some(other) => format!("{run}; otherwise {}", sentence(*other, attacker)),
            None => format!("{run}; otherwise not known"),
        })
    }
}

/// The usual reading's answer, and how far the region had grown.
struct Answered {
    question: Question,
    verdict: Verdict,
    step: usize,
    growth: Growth,
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
    ) -> Result<Finding, TsumegoError> {
        if question.beyond == Beyond::Strong {
            let verdict = self.solve_hinted(question, hints, limits, wanted(question), stop)?;
            let (at_worst, growth) = (verdict.status(), Growth::NotGrown);
            return Ok(Finding { question: question.clone(), verdict, hold: Hold::Local, growth, step: 0, at_worst });
        }
        let mut left = Left { limits, nodes: 0, seconds: 0.0 };
        if question.to_play == question.attacker {
            let mut found = self.find_kill(question, hints, &mut left, stop)?;
            (found.verdict.nodes, found.verdict.seconds) = (left.nodes, left.seconds);
            return Ok(found);
        }
        let mut asked = find::narrowest(question);
        let first = self.solve_shut_in(&asked, hints, left.part(1.0, u64::MAX), stop)?;
        left.spend(&first);
        let mut last = Answered { question: asked.clone(), verdict: first, step: 0, growth: Growth::Spent };
        for step in 1..=find::STEPS {
            let Some(status) = last.verdict.status().filter(|&status| status != Status::Alive) else { break };
            let Some(next) = find::grown_to(question, &asked, step) else { continue };
            asked = match next {
                Wider::Question(wide) => *wide,
                Wider::Whole => {
                    last.growth = Growth::Whole;
                    continue;
                }
                Wider::TooLarge => {
                    last.growth = if last.growth == Growth::Same { Growth::Same } else { Growth::TooLarge };
                    break;
                }
            };
            let most = GROWTH * left.nodes + if status == wanted(question) { SOME_NODES } else { MANY_NODES };
            let next = self.solve_shut_in(&asked, hints, left.part(LARGER_SHARE, most), stop)?;
            left.spend(&next);
            match next.status() {
                None if next.worst > status => {
                    // The attacker does not get what he got in less room: what he does get is not known.
                    last = Answered { question: asked, verdict: next, step, growth: Growth::Spent };
                    break;
                }
                None => {
                    last.growth = if last.growth == Growth::Same { Growth::Same } else { Growth::Spent };
                    break;
                }
                Some(now) => {
                    let growth = if now == status { Growth::Same } else { Growth::Spent };
                    last = Answered { question: asked.clone(), verdict: next, step, growth };
                }
            }
        }
        let mut found = self.held_open(last, hints, &mut left, stop)?;
        (found.verdict.nodes, found.verdict.seconds) = (left.nodes, left.seconds);
        Ok(found)
    }

    /// The attacker is to move: each region is asked in both ways before it grows, since he has shown nothing while the
    /// defender may get out.
    fn find_kill(
        &mut self,
        question: &Question,
        hints: &[Point],
        left: &mut Left,
        stop: &AtomicBool,
    ) -> Result<Finding, TsumegoError> {
        let mut asked = find::narrowest(question);
        let verdict = self.solve_shut_in(&asked, hints, left.part(1.0, u64::MAX), stop)?;
        left.spend(&verdict);
        let first = Answered { question: asked.clone(), verdict, step: 0, growth: Growth::Spent };
        let mut best = self.held_open(first, hints, left, stop)?;
        for step in 1..=find::STEPS {
            let Some(status) = best.at_worst.filter(|&status| status != Status::Alive) else { break };
            let Some(next) = find::grown_to(question, &asked, step) else { continue };
            asked = match next {
                Wider::Question(wide) => *wide,
                Wider::Whole => {
                    best = best.grown(Growth::Whole);
                    continue;
                }
                Wider::TooLarge if best.growth == Growth::Same => break,
                Wider::TooLarge => {
                    best = best.grown(Growth::TooLarge);
                    break;
                }
            };
            let is_enough = best.is_shut_in() && best.status() == Some(wanted(question));
            let most = GROWTH * left.nodes + if is_enough { SOME_NODES } else { MANY_NODES };
            let verdict = self.solve_shut_in(&asked, hints, left.part(LARGER_SHARE, most), stop)?;
            left.spend(&verdict);
            if verdict.status().is_none() && verdict.worst <= status {
                let growth = if best.growth == Growth::Same { Growth::Same } else { Growth::Spent };
                best = best.grown(growth);
                break;
            }
            let answered = Answered { question: asked.clone(), verdict, step, growth: Growth::Spent };
            let next = self.held_open(answered, hints, left, stop)?;
            let is_open = matches!(next.hold, Hold::Depends { otherwise: None, .. });
            match () {
                // Whether it is so in the open was not found out here, but in less room it was.
                _ if (best.is_shut_in() || best.is_guarded()) && is_open && next.at_worst == best.status() => {
                    let growth = if best.growth == Growth::Same { Growth::Same } else { Growth::Spent };
                    best = best.grown(growth);
                    break;
                }
                _ if best.is_shut_in()
                    && next.is_shut_in()
                    && next.status().is_some()
                    && next.status() == best.status() =>
                {
                    best = next.grown(Growth::Same);
                }
                _ => best = next,
            }
        }
        Ok(best)
    }

    /// A question that was answered with less of its surroundings, or with all of them, with the next more that there is.
    pub fn find_wider(
        &mut self,
        question: &Question,
        found: &Finding,
        hints: &[Point],
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Option<Finding>, TsumegoError> {
        let limits = Limits { nodes: limits.nodes.min(GROWTH * found.verdict.nodes + SOME_NODES), ..limits };
        let mut left = Left { limits, nodes: 0, seconds: 0.0 };
        let steps = if found.hold == Hold::Local { 0 } else { find::STEPS };
        for step in found.step + 1..=steps {
            let wide = match find::grown_to(question, &found.question, step) {
                Some(Wider::Question(wide)) => *wide,
                Some(Wider::Whole) | None => continue,
                Some(Wider::TooLarge) => break,
            };
            let verdict = self.solve_shut_in(&wide, hints, left.part(1.0, u64::MAX), stop)?;
            left.spend(&verdict);
            let is_same = found.at_worst.is_some() && verdict.status() == found.at_worst;
            let growth = if is_same { Growth::Same } else { Growth::Spent };
            return self
                .held_open(Answered { question: wide, verdict, step, growth }, hints, &mut left, stop)
                .map(Some);
        }
        Ok(None)
    }

    /// The usual reading of a diagram: what lies beyond the region is the attacker's.
    fn solve_shut_in(
        &mut self,
        question: &Question,
        hints: &[Point],
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Verdict, TsumegoError> {
        let closed = Question { beyond: Beyond::Attackers, ..question.clone() };
        self.solve_hinted(&closed, hints, limits, wanted(question), stop)
    }

    /// Step 2: an answer to the usual reading, held against the one that may overturn it.
    fn held_open(
        &mut self,
        answered: Answered,
        hints: &[Point],
        left: &mut Left,
        stop: &AtomicBool,
    ) -> Result<Finding, TsumegoError> {
        let Answered { question, verdict: first, step, growth } = answered;
        let reading = |beyond: Beyond| Question { beyond, ..question.clone() };
        let goal = wanted(&question);
        let exits = question.exits();
        let at_worst = first.status();
        let firm = |question: Question, verdict: Verdict, growth: Growth| {
            Finding { question, verdict, hold: Hold::Fence, growth, step, at_worst }.grown(growth)
        };
        if at_worst == Some(Status::Alive) {
            return Ok(firm(reading(Beyond::Attackers), first, Growth::NotNeeded));
        }
        if exits.is_empty() {
            return Ok(firm(reading(Beyond::Attackers), first, growth));
        }
        let hard = hard_for_mover(&question);
        let wide = if hard == Beyond::Open && at_worst == Some(goal) { SOME_NODES } else { MANY_NODES };
        let most = at_worst.map_or(u64::MAX, |_| GROWTH * first.nodes + wide);
        let mut ask = |beyond: Beyond, share: f64, left: &mut Left| {
            let verdict = self.solve_hinted(&reading(beyond), hints, left.part(share, most), goal, stop)?;
            left.spend(&verdict);
            Ok::<Verdict, TsumegoError>(verdict)
        };
        let mut second = ask(Beyond::Open, if at_worst.is_some() { QUICK_SHARE } else { 1.0 }, left)?;
        let mut guarded = None;
        if let Some(status) = at_worst.filter(|_| second.status() != at_worst) {
            let middle = ask(Beyond::Guarded, GUARDED_SHARE, left)?;
            let steps = exits.iter().copied().filter(|p| question.stones.iter().all(|s| s.0 != *p)).collect();
            let told = |verdict: Verdict| {
                let hold = Hold::Guarded { exits: steps };
                Finding { hold, ..firm(reading(Beyond::Guarded), verdict, growth) }
            };
            match middle.status() {
                Some(Status::Alive) if hard == Beyond::Open => {
                    // He lives in the open, too.
                    let hold = Hold::Depends { otherwise: Some(Status::Alive), exits };
                    return Ok(Finding { hold, ..firm(reading(Beyond::Attackers), first, growth) });
                }
                Some(between) if between != status => return Ok(told(middle)),
                Some(_) if hard == Beyond::Open => guarded = Some(told(middle)),
                _ => {}
            }
            if second.status().is_none() {
                second = ask(Beyond::Open, LARGER_SHARE, left)?;
            }
        }
        let (worst, best) = (first.worst, second.best);
        let (hard_verdict, easy_verdict) = if hard == Beyond::Open { (second, first) } else { (first, second) };
        Ok(match (easy_verdict.status(), guarded) {
            (Some(_), Some(guarded)) if worst != best => guarded,
            (Some(_), _) if worst != best => {
                let hold = Hold::Depends { otherwise: hard_verdict.status(), exits };
                Finding { hold, ..firm(reading(hard.opposite()), easy_verdict, growth) }
            }
            _ => firm(reading(hard), Verdict { worst, best, ..hard_verdict }, growth),
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
    ) -> Result<Verdict, TsumegoError> {
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

    /// A death that no larger region has shown again rests on the fence, and says so.
    #[test]
    fn a_death_that_was_not_checked_says_on_what_it_rests() {
        let dead = found("XXXX. OOOX. ..OX. ..OX.", Black);
        for (growth, step, hold) in [
            (Growth::Spent, 3, Hold::Fence),
            (Growth::TooLarge, 3, Hold::Fence),
            (Growth::Same, 2, Hold::Fence),
            (Growth::Same, 3, Hold::Firm),
        ] {
            let answered = Answered { question: dead.question.clone(), verdict: dead.verdict.clone(), step, growth };
            let mut left = Left { limits: LIMITS, nodes: 0, seconds: 0.0 };
            let again = Prover::new(8).held_open(answered, &[], &mut left, &AtomicBool::new(false)).unwrap();
            let says = ["white is dead", "white is dead if the black stones around it hold"];
            assert_eq!(again.sentence().unwrap(), says[usize::from(hold == Hold::Fence)]);
            assert_eq!(again.hold, hold);
        }
    }

    /// Whatever the budget: a firm verdict is one that more of the surroundings did not change.
    #[test]
    fn firm_verdicts_stay_when_the_budget_grows() {
        let size = Size::new(9).unwrap();
        for rows in ["XXXXXX... OOOO..X.. .........", "XX.XX.... OO.O.X... .........", "XXXX.X... OOOOX.... ...O.X..."]
        {
            let question = find::question(size, &make::picture(size, rows, White), Black, Some(Black)).unwrap();
            let mut firm = None;
            for nodes in [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000] {
                let limits = Limits { nodes, seconds: None };
                let found = Prover::new(8).find_out(&question, &[], limits, &AtomicBool::new(false)).unwrap();
                let status = found.status();
                if found.hold == Hold::Firm && status != Some(Status::Alive) {
                    assert!(matches!(found.growth, Growth::Same | Growth::Whole), "{rows}: {found:?}");
                    firm = status;
                }
                assert!(firm.is_none() || status == firm, "{rows} with {nodes} nodes: {found:?}");
            }
        }
    }
}
