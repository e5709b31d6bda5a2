//! New races: two chains side by side among strong stones, and the side to move wins by one move.

use super::{Stones, around, every_chain_breathes};
use crate::base::{Black, Color, Point, Rng, Size, White};
use crate::prover::{Question, find};
use crate::{Goal, Problem};
use std::path::PathBuf;

/// Stones of a chain, and common liberties, at least and so many more at most.
const CHAIN: (usize, u32) = (3, 5);
const LIBERTIES: (usize, u32) = (2, 4);
/// Races lie on the first lines, so that two chains meet.
const LINES: usize = 4;

/// A position that may be a race, and a stone of either chain, that of the side to move first.
pub fn random_race(size: Size, start: Point, rng: &mut Rng) -> Option<(Question, Vec<Point>)> {
    let to_play = if rng.below(2) == 0 { Black } else { White };
    let own = grown(size, vec![start], CHAIN.0 + rng.below(CHAIN.1) as usize, &[], rng)?;
    let beside = some_beside(size, &own, &own, rng)?;
    let other = grown(size, vec![beside], CHAIN.0 + rng.below(CHAIN.1) as usize, &own, rng)?;
    let chains: Vec<Point> = own.iter().chain(&other).copied().collect();
    let mut room = chains.clone();
    for _ in 0..LIBERTIES.0 + rng.below(LIBERTIES.1) as usize {
        let p = some_beside(size, &room, &room, rng)?;
        room.push(p);
    }
    let mut stones: Stones = own.iter().map(|&p| (p, to_play)).collect();
    stones.extend(other.iter().map(|&p| (p, to_play.opponent())));
    for p in around(size, &room) {
        stones.insert(p, wall_at(size, p, &own, &other, to_play, rng));
    }
    if !every_chain_breathes(size, &stones) {
        return None;
    }
    let target = vec![own[0], other[0]];
    let problem = Problem {
        name: String::new(),
        path: PathBuf::new(),
        number: 1,
        size,
        stones: stones.into_iter().collect(),
        to_play,
        right: Vec::new(),
        wrong: Vec::new(),
        is_guess: false,
        goal: Some(Goal::Race),
        target: target.clone(),
        level: None,
        comment: String::new(),
    };
    // As it is asked of a file.
    let question = find::question_of(&problem).ok()?;
    Some((question, target))
}

/// A stone around them: the enemy of the chain that it touches.
fn wall_at(size: Size, p: Point, own: &[Point], other: &[Point], to_play: Color, rng: &mut Rng) -> Color {
    let touches = |chain: &[Point]| size.neighbours(p).any(|q| chain.contains(&q));
    match (touches(own), touches(other)) {
        (true, false) => to_play.opponent(),
        (false, true) => to_play,
        _ if rng.below(2) == 0 => to_play,
        _ => to_play.opponent(),
    }
}

/// Points that hang together, so many of them.
fn grown(size: Size, start: Vec<Point>, count: usize, taken: &[Point], rng: &mut Rng) -> Option<Vec<Point>> {
    let mut points = start;
    while points.len() < count {
        let not: Vec<Point> = points.iter().chain(taken).copied().collect();
        points.push(some_beside(size, &points, &not, rng)?);
    }
    Some(points)
}

/// A point beside some, on the first lines, that is none of others.
fn some_beside(size: Size, points: &[Point], not: &[Point], rng: &mut Rng) -> Option<Point> {
    let near = points.iter().flat_map(|&p| size.neighbours(p));
    let near: Vec<Point> = near.filter(|p| !not.contains(p) && size.xy(*p).1 < LINES).collect();
    (!near.is_empty()).then(|| near[rng.below(near.len() as u32) as usize])
}
