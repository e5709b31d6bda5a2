//! From a bare position to a question: whose life is asked, and where may be played.
//!
//! The attacker's stones, thickened until nothing far away leaks in to the defender's group, are the fence. What is
//! inside the fence is the region, with every liberty of the group and some steps out of every gap. Chains of either
//! colour beside it that could be taken belong to it with the points around them. Other chains of the fence are taken to be strong: that is
//! what a life-and-death diagram means. Lone stones of the defender outside of the fence are not what is asked about.

mod targets;

use super::grid::Grid;
use super::state::Ko;
use super::{Beyond, Question, life};
use crate::base::{Bits, Color, Point, Size};
use crate::{Problem, TsumegoError};

type Set = Bits<11>;

/// A chain of so many stones may be a loose one, if all loose ones together are at most one stone in so many.
const LOOSE: usize = 2;
const LOOSE_SHARE: usize = 3;
/// Chains of the defender this near to each other belong together.
const NEAR: usize = 3;
/// How far the attacker's stones may stand apart and still be a fence.
const WIDEST: usize = 4;

/// A chain of the defender with more free points outside within two steps is not looked at with its surroundings; one
/// with more liberties outside not at all: who gets to it has got out.
const AIR: usize = 4;
const FRIENDS_LIBERTIES: usize = 5;
/// A chain of the fence with so many liberties may be taken by a move that touches it.
const WEAK: usize = 3;
/// A region with more empty points is no problem of life and death.
const LARGEST: usize = 45;
/// More stones than this make a group no more interesting.
const MANY: usize = 10;
/// How much of the surroundings counts.
struct Reach {
    /// Steps from the group that are always inside.
    steps: usize,
    /// So do points beyond it that are the only way on for somebody.
    ways_on: bool,
    /// What comes in by being weak may bring in more.
    spreads: bool,
    /// A chain of the fence with more free points outside within two steps is taken to be safe.
    air: usize,
    /// Chains of the defender behind the fence belong to it that touch nothing inside but the fence.
    behind: bool,
}

/// What a question begins with: the chains of the fence that are next to being taken are part of it.
const USUAL: Reach = Reach { steps: 2, ways_on: false, spreads: false, air: 2, behind: true };

/// A question is asked with the first and grows from one to the next.
const REACHES: [Reach; 6] = [
    Reach { air: 0, behind: false, ..USUAL },
    USUAL,
    Reach { ways_on: true, ..USUAL },
    Reach { steps: 3, ways_on: true, spreads: true, air: 4, ..USUAL },
    Reach { steps: 4, ways_on: true, spreads: true, air: 6, ..USUAL },
    Reach { steps: 4, ways_on: true, spreads: true, air: 12, ..USUAL },
];

/// The step at which a question has the region that it was made with.
const AS_MADE: usize = 1;

/// So many steps of growth there are.
pub const STEPS: usize = REACHES.len() - 1;

/// Are chains of the fence after so many steps part of the problem that a diagram means to be strong?
pub fn doubts_the_fence(step: usize) -> bool {
    REACHES.get(step).is_some_and(|reach| reach.air > USUAL.air)
}

/// A question with more of the surroundings.
pub enum Wider {
    Question(Box<Question>),
    /// There is no more that could matter.
    Whole,
    /// There is more than the prover can look at.
    TooLarge,
}

/// The question that a problem asks. The goal tells who attacks; without one the enclosed side defends.
pub fn question_of(problem: &Problem) -> Result<Question, TsumegoError> {
    problem.check()?;
    if let Some(question) = targets::question_about(problem) {
        return question;
    }
    let attacker = problem.defender().opponent();
    let found = question(problem.size, &problem.stones, problem.to_play, Some(attacker))
        .or_else(|e| question(problem.size, &problem.stones, problem.to_play, None).map_err(|_| e))?;
    Ok(with_moves(found, &problem.right))
}

/// The question with moves that a file has for it inside, and what they threaten: stones of the fence that a move touches
/// are part of the problem then, if it is from outside or they have few liberties. As it was if that is too much.
fn with_moves(question: Question, moves: &[Point]) -> Question {
    let (fence, defenders, _) = sides(&question);
    let size = question.size;
    let empty = Set::board(size).minus(fence | defenders);
    let usual = question.region.iter().copied().collect::<Set>();
    let narrow = narrowest(&question).region.into_iter().collect::<Set>();
    let mut kept = Set::EMPTY;
    for &p in moves.iter().filter(|p| !p.is_pass()) {
        let both = [fence, defenders].map(|stones| chains(size, stones));
        let around = both.iter().flatten().map(|&chain| (chain, grown(size, chain, 1)));
        let touched = around.filter(|(_, around)| around.contains(p)).map(|(chain, around)| (chain, around & empty));
        if narrow.contains(p) {
            let is_weak = |(chain, liberties): &(Set, Set)| !(*chain & fence).is_empty() && liberties.len() <= WEAK;
            let weak = touched.filter(|chain| question.to_play != question.attacker && is_weak(chain));
            kept = weak.fold(kept, |kept, (chain, liberties)| kept | chain | liberties);
            continue;
        }
        let near = grown(size, grown(size, Set::single(p), 1) & empty, 1);
        let more = touched.fold(near, |near, (chain, liberties)| near | chain | liberties);
        kept = kept | if usual.contains(p) { more & usual } else { more };
    }
    match fits(size, usual | kept, fence | defenders) {
        true => Question { region: (usual | kept).iter().collect(), kept: kept.iter().collect(), ..question },
        false => question,
    }
}

/// Looks for the question in a position; the attacker is found too if not given.
pub fn question(
    size: Size,
    stones: &[(Point, Color)],
    to_play: Color,
    attacker: Option<Color>,
) -> Result<Question, TsumegoError> {
    match attacker {
        Some(attacker) => {
            enclosed(size, stones, to_play, attacker, None).ok_or(TsumegoError::NotEnclosedBy { by: attacker })
        }
        None => {
            let found = Color::BOTH.iter().filter_map(|&color| enclosed(size, stones, to_play, color, None));
            found.min_by_key(|q| (!is_open(q), q.room())).ok_or(TsumegoError::NothingEnclosed)
        }
    }
}

/// The question of the life of the group at a point.
pub fn question_at(size: Size, stones: &[(Point, Color)], to_play: Color, at: Point) -> Result<Question, TsumegoError> {
    let color = stones.iter().find(|(p, _)| *p == at).map(|s| s.1);
    let color = color.ok_or(TsumegoError::NoStone { size, at })?;
    let question =
        enclosed(size, stones, to_play, color.opponent(), Some(at)).ok_or(TsumegoError::NotEnclosed { size, at })?;
    // Stones around a group are themselves not far from it; a fence is no prisoner.
    match enclosed(size, stones, to_play, color, None) {
        Some(other) if other.region.contains(&at) && 2 * other.room() <= question.room() => {
            Err(TsumegoError::IsFence { size, at, inner: other.crucial[0] })
        }
        _ => Ok(question),
    }
}

/// The groups of either colour that the other encloses in at most so much room, as far as they are no settled matter.
pub fn fights(size: Size, stones: &[(Point, Color)], to_play: Color, most_room: usize) -> Vec<Question> {
    let of = |color: Color| stones.iter().filter(|s| s.1 == color).map(|s| s.0).collect::<Set>();
    let mut fights = Vec::new();
    for attacker in Color::BOTH {
        let (fence, defenders) = (of(attacker), of(attacker.opponent()));
        for group in groups(size, defenders, fence) {
            let Some((group, region)) = inside(size, group, fence, defenders, &USUAL) else { continue };
            if region.minus(fence | defenders).len() > most_room || group.len() < LOOSE {
                continue;
            }
            let (crucial, region) = (group.iter().collect(), region.iter().collect());
            let stones = stones.to_vec();
            let fight = Question {
                size,
                stones,
                attacker,
                to_play,
                crucial,
                region,
                kept: Vec::new(),
                beyond: Beyond::Attackers,
            };
            fights.extend(Some(fight).filter(is_open));
        }
    }
    fights
}

/// A question as it is asked first: without weak chains of the fence and what lies behind it. Each point less makes a
/// question about half again as cheap, and who lives there needs no more.
pub fn narrowest(question: &Question) -> Question {
    let (fence, defenders, group) = sides(question);
    let of = |reach: &Reach| inside(question.size, group, fence, defenders, reach).map(|(_, region)| region);
    let (Some(usual), Some(narrow)) = (of(&USUAL), of(&REACHES[0])) else { return question.clone() };
    let left_out = usual.minus(narrow);
    let is_in = |p: &Point| !left_out.contains(*p) || question.kept.contains(p);
    Question { region: question.region.iter().copied().filter(is_in).collect(), ..question.clone() }
}

/// The stones of the fence and of the defender, and the group.
fn sides(question: &Question) -> (Set, Set, Set) {
    let of = |color: Color| question.stones.iter().filter(|s| s.1 == color).map(|s| s.0).collect::<Set>();
    let group = question.crucial.iter().copied().collect::<Set>();
    (of(question.attacker), of(question.attacker.opponent()), group)
}

/// A question as it was made, after so many steps of growth from a smaller one. `None` if it is asked as it was made and
/// was before: that says nothing of what lies around.
pub fn grown_to(made: &Question, asked: &Question, step: usize) -> Option<Wider> {
    if step > AS_MADE {
        return Some(wider(asked, step));
    }
    (made.region.len() > asked.region.len()).then(|| Wider::Question(Box::new(made.clone())))
}

/// The same question after so many steps of growth.
fn wider(question: &Question, step: usize) -> Wider {
    let (fence, defenders, group) = sides(question);
    let narrow = question.region.iter().copied().collect::<Set>();
    let Some((_, region)) = REACHES.get(step).and_then(|reach| inside(question.size, group, fence, defenders, reach))
    else {
        return Wider::TooLarge;
    };
    let region = narrow | region;
    match fits(question.size, region, fence | defenders) {
        _ if region == narrow => Wider::Whole,
        true => Wider::Question(Box::new(Question { region: region.iter().collect(), ..question.clone() })),
        false => Wider::TooLarge,
    }
}

fn enclosed(
    size: Size,
    stones: &[(Point, Color)],
    to_play: Color,
    attacker: Color,
    at: Option<Point>,
) -> Option<Question> {
    let of = |color: Color| stones.iter().filter(|s| s.1 == color).map(|s| s.0).collect::<Set>();
    let (fence, defenders) = (of(attacker), of(attacker.opponent()));
    let groups = groups(size, defenders, fence);
    let wanted = |(group, _): &(Set, Set)| at.is_none_or(|p| group.contains(p));
    let found = groups.iter().filter_map(|&group| inside(size, group, fence, defenders, &USUAL));
    let found = found.filter(wanted).filter(|&(_, region)| region.minus(fence | defenders).len() <= LARGEST);
    let ask = |(group, region): (Set, Set)| {
        let stones = stones.to_vec();
        let (crucial, region) = (group.iter().collect(), region.iter().collect());
        Question { size, stones, attacker, to_play, crucial, region, kept: Vec::new(), beyond: Beyond::Attackers }
    };
    // A group in little room, as large as possible; single stones that are caught are beside the point.
    let found: Vec<Question> = found.map(ask).collect();
    let weight = |question: &Question| question.crucial.len().min(MANY);
    let largest = found.iter().map(weight).max()?;
    let large = found.into_iter().filter(|question| 3 * question.crucial.len() >= largest);
    large.min_by_key(|q| (!is_open(q), (q.room() + 3 * MANY).saturating_sub(3 * weight(q))))
}

/// Is there anything to find out? Not about what has two eyes, and not by us about what is too wide.
fn is_open(question: &Question) -> bool {
    question.start(Ko::Nobody).is_some_and(|(rules, state)| life::unconditional(&rules, &state) == 0)
}

/// The group without loose stones, and what lies inside the fence around it, the fence included.
fn inside(size: Size, group: Set, fence: Set, defenders: Set, reach: &Reach) -> Option<(Set, Set)> {
    // A fence with gaps is likelier than a stone that does not belong; a very wide one is not.
    let order = [(1..=2, false), (1..=2, true), (3..=WIDEST, false), (3..=WIDEST, true)];
    let mut ways = order.into_iter().flat_map(|(widths, may_drop)| widths.map(move |width| (width, may_drop)));
    ways.find_map(|(width, may_drop)| inside_fence(size, group, fence, defenders, reach, width, may_drop))
}

/// The same with a fence of stones that stand so far apart.
fn inside_fence(
    size: Size,
    group: Set,
    fence: Set,
    defenders: Set,
    reach: &Reach,
    width: usize,
    may_drop: bool,
) -> Option<(Set, Set)> {
    let board = Set::board(size);
    let free = board.minus(fence);
    let open = board.minus(grown(size, fence, width)).minus(group);
    let far = farthest(size, group);
    let mut grounds = Vec::new();
    let mut outside = Set::EMPTY;
    let mut rest = open;
    while let Some(p) = rest.first() {
        let ground = Set::single(p).flood(open, size.stride());
        rest = rest.minus(ground);
        if (ground & far).is_empty() {
            grounds.push(ground);
        } else {
            outside = outside | ground;
        }
    }
    let leaks = grown(size, outside, 1) & group;
    let loose = leaks.flood(group, size.stride());
    let is_few =
        chains(size, loose).iter().all(|chain| chain.len() <= LOOSE) && LOOSE_SHARE * loose.len() <= group.len();
    let group = match () {
        _ if leaks.is_empty() => group,
        _ if may_drop && is_few => group.minus(loose),
        _ => return None,
    };
    // Closed pockets belong to the nearer side.
    let open_air = outside;
    for ground in grounds {
        if steps(size, open_air, ground, free) < steps(size, group, ground, free) {
            outside = outside | ground;
        }
    }
    // Free points belong to the nearer side too; some steps out of every gap count as inside, since a hane there is
    // part of many an answer.
    let (mut near, mut air) = (group, outside);
    for step in 1..size.area() {
        let next = grown(size, near, 1) & free;
        air = grown(size, air, 1) & free | air;
        near = near | if step <= reach.steps { next } else { next.minus(air) };
    }
    let region = near | grown(size, near, 1) & fence;
    Some((group, with_soft_spots(size, region, fence, defenders, reach)))
}

/// Is a region small enough for the prover?
fn fits(size: Size, region: Set, stones: Set) -> bool {
    region.minus(stones).len() <= LARGEST && Grid::fits(size, &region.iter().collect::<Vec<_>>())
}

/// The region with what is around chains in it or beside it that could be taken: of the fence those with little air
/// outside, and all of the defender's but those in the open. As long as it is not too much.
fn with_soft_spots(size: Size, region: Set, fence: Set, defenders: Set, reach: &Reach) -> Set {
    let empty = Set::board(size).minus(fence | defenders);
    let mut region = region;
    loop {
        let mut larger = region;
        for (stones, most) in [(fence, reach.air), (defenders, AIR)] {
            for chain in chains(size, stones) {
                let around = grown(size, chain, 1);
                if (around & region).minus(stones).is_empty() {
                    continue;
                }
                let liberties = around & empty;
                if stones == defenders && !reach.behind && (liberties & region).is_empty() {
                    continue;
                }
                let air = (grown(size, liberties, 1) & empty | liberties).minus(region);
                let is_friend = stones == defenders && liberties.minus(region).len() <= FRIENDS_LIBERTIES;
                let more = match () {
                    _ if air.len() <= most => chain | air,
                    _ if is_friend => chain | liberties,
                    _ => continue,
                };
                if fits(size, larger | more, fence | defenders) {
                    larger = larger | more;
                }
            }
        }
        if larger == region || !reach.spreads {
            return if reach.ways_on { with_ways_on(size, larger, fence, defenders) } else { larger };
        }
        region = larger;
    }
}

/// The region with the points beyond it that are the only way on for somebody: he has not got out while one answer
/// stops him.
fn with_ways_on(size: Size, region: Set, fence: Set, defenders: Set) -> Set {
    let beyond = Set::board(size).minus(fence | region);
    let mut larger = region;
    for p in region.minus(fence).iter() {
        let ways = grown(size, Set::single(p), 1) & beyond;
        let is_single = ways.len() == 1 && (ways & defenders).is_empty();
        if is_single && fits(size, larger | ways, fence | defenders) {
            larger = larger | ways;
        }
    }
    larger
}

/// The chains of a set of stones.
fn chains(size: Size, stones: Set) -> Vec<Set> {
    let (mut rest, mut chains) = (stones, Vec::new());
    while let Some(p) = rest.first() {
        let chain = Set::single(p).flood(stones, size.stride());
        rest = rest.minus(chain);
        chains.push(chain);
    }
    chains
}

/// The number of steps from one set to another through free points.
fn steps(size: Size, from: Set, to: Set, free: Set) -> usize {
    let mut reached = from;
    for count in 0.. {
        if !(reached & to).is_empty() {
            return count;
        }
        let next = grown(size, reached, 1) & free | reached;
        if next == reached {
            break;
        }
        reached = next;
    }
    usize::MAX
}

/// The defender's chains, those near each other with no stone of the fence between them taken together.
fn groups(size: Size, stones: Set, fence: Set) -> Vec<Set> {
    let mut rest = stones;
    let mut groups = Vec::new();
    while let Some(p) = rest.first() {
        let mut group = Set::single(p);
        loop {
            let around = (0..NEAR).fold(group, |set, _| grown(size, set, 1).minus(fence));
            let more = around & stones;
            if more == group {
                break;
            }
            group = more;
        }
        rest = rest.minus(group);
        groups.push(group);
    }
    groups
}

/// The points within some steps of a set.
fn grown(size: Size, set: Set, steps: usize) -> Set {
    let board = Set::board(size);
    (0..steps).fold(set, |set, _| (set | set.neighbours(size.stride())) & board)
}

/// The points that are farthest from a set.
fn farthest(size: Size, set: Set) -> Set {
    let board = Set::board(size);
    let mut reached = set;
    loop {
        let next = grown(size, reached, 1);
        if next == board {
            return board.minus(reached);
        }
        reached = next;
    }
}
