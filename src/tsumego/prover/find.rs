//! From a bare position to a question: whose life is asked, and where may be played.
//!
//! The attacker's stones, thickened until nothing far away leaks in to the defender's group, are the fence. What is
//! inside the fence is the region, with every liberty of the group; what is outside counts as the attacker's. That is
//! what a life-and-death diagram means: the stones around are taken to be strong.

use super::state::Ko;
use super::{Question, life};
use crate::Problem;
use crate::base::{Bits, Color, Point, Size};

type Set = Bits<11>;

/// Chains of the defender this near to each other belong together.
const NEAR: usize = 3;
/// How far the attacker's stones may stand apart and still be a fence.
const WIDEST: usize = 4;

/// A chain of the defender with more free points outside within two steps is not part of the problem.
const AIR: usize = 4;
/// A region with more empty points is no problem of life and death.
const LARGEST: usize = 45;
/// More stones than this make a group no more interesting.
const MANY: usize = 10;
/// How much of the surroundings counts.
struct Reach {
    /// Steps from the group that are always inside.
    steps: usize,
    /// A chain of the fence with more free points outside within two steps is taken to be safe.
    air: usize,
}

const NARROW: Reach = Reach { steps: 2, air: 2 };
const WIDE: Reach = Reach { steps: 3, air: 4 };

/// The question that a problem asks. The goal tells who attacks; without one the enclosed side defends.
pub fn question_of(problem: &Problem) -> Result<Question, String> {
    let attacker = problem.defender().opponent();
    question(problem.size, &problem.stones, problem.to_play, Some(attacker))
        .or_else(|e| question(problem.size, &problem.stones, problem.to_play, None).map_err(|_| e))
}

/// Looks for the question in a position; the attacker is found too if not given.
pub fn question(
    size: Size,
    stones: &[(Point, Color)],
    to_play: Color,
    attacker: Option<Color>,
) -> Result<Question, String> {
    match attacker {
        Some(attacker) => enclosed(size, stones, to_play, attacker, None)
            .ok_or_else(|| format!("no {} group enclosed by {attacker} was found", attacker.opponent())),
        None => {
            let found = Color::BOTH.iter().filter_map(|&color| enclosed(size, stones, to_play, color, None));
            found.min_by_key(|q| (!is_open(q), q.room())).ok_or_else(|| "no enclosed group was found".to_string())
        }
    }
}

/// The question of the life of the group at a point.
pub fn question_at(size: Size, stones: &[(Point, Color)], to_play: Color, at: Point) -> Result<Question, String> {
    let color = stones.iter().find(|(p, _)| *p == at).map(|s| s.1);
    let color = color.ok_or_else(|| format!("there is no stone at {}", size.point_to_gtp(at)))?;
    let question = enclosed(size, stones, to_play, color.opponent(), Some(at))
        .ok_or_else(|| format!("the group at {} is not enclosed", size.point_to_gtp(at)))?;
    // Stones around a group are themselves not far from it; a fence is no prisoner.
    match enclosed(size, stones, to_play, color, None) {
        Some(other) if other.region.contains(&at) && 2 * other.room() <= question.room() => Err(format!(
            "the group at {} encloses that at {} and is taken to be safe",
            size.point_to_gtp(at),
            size.point_to_gtp(other.crucial[0])
        )),
        _ => Ok(question),
    }
}

/// The same question with more of the surroundings; `None` if there is no more, or too much.
pub fn wider(question: &Question) -> Option<Question> {
    let of = |color: Color| question.stones.iter().filter(|s| s.1 == color).map(|s| s.0).collect::<Set>();
    let (fence, defenders) = (of(question.attacker), of(question.attacker.opponent()));
    let group = question.crucial.iter().copied().collect::<Set>();
    let narrow = question.region.iter().copied().collect::<Set>();
    let region = narrow | inside(question.size, group, fence, defenders, WIDE)?;
    let wide = Question { region: region.iter().collect(), ..question.clone() };
    (region != narrow && wide.room() <= LARGEST && wide.start(Ko::Nobody).is_some()).then_some(wide)
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
    let wanted = |g: &&Set| at.is_none_or(|p| g.contains(p));
    let room = |region: &Set| region.minus(fence).minus(defenders).len();
    let found =
        groups.iter().filter(wanted).filter_map(|&group| Some((group, inside(size, group, fence, defenders, NARROW)?)));
    let found = found.filter(|(_, region)| room(region) <= LARGEST);
    let ask = |(group, region): (Set, Set)| {
        let stones = stones.to_vec();
        let (crucial, region) = (group.iter().collect(), region.iter().collect());
        Question { size, stones, attacker, to_play, crucial, region }
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

/// What lies inside the fence around a group, the fence included.
fn inside(size: Size, group: Set, fence: Set, defenders: Set, reach: Reach) -> Option<Set> {
    let board = Set::board(size);
    let free = board.minus(fence);
    let far = farthest(size, group);
    for width in 1..=WIDEST {
        let open = board.minus(grown(size, fence, width)).minus(group);
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
        if !(grown(size, outside, 1) & group).is_empty() {
            continue;
        }
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
        return Some(with_soft_spots(size, region, [(fence, reach.air), (defenders, AIR)]));
    }
    None
}

/// The region with what is around chains at its border that could be taken: of the fence those with little air outside,
/// and all of the defender's.
fn with_soft_spots(size: Size, region: Set, sides: [(Set, usize); 2]) -> Set {
    let empty = Set::board(size).minus(sides[0].0).minus(sides[1].0);
    let mut larger = region;
    for (stones, most) in sides {
        let mut rest = region & stones;
        while let Some(p) = rest.first() {
            let chain = Set::single(p).flood(stones, size.stride());
            rest = rest.minus(chain);
            let liberties = grown(size, chain, 1) & empty;
            let air = (grown(size, liberties, 1) & empty | liberties).minus(region);
            let touches = !(grown(size, chain, 1) & region).minus(stones).is_empty();
            if touches && air.len() <= most {
                larger = larger | chain | air;
            }
        }
    }
    larger
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
