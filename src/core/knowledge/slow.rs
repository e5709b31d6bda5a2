//! The plain answers to the questions of `features` and the plain names of shapes: by the rules of the oracle board, with sets, and
//! without a thought for speed. Tests hold the fast ones to them.

use super::features::*;
use super::ladder::BUDGET;
use super::nested::{self, Family};
use super::survey::{CLASS_ENEMY, CLASS_OFF, CLASS_OWN, EMPTY, ENEMY, OFF, OWN};
use crate::base::{Color, Point};
use crate::game::go::SlowBoard;
use std::collections::BTreeSet;

type Chain = BTreeSet<Point>;

/// The different chains of a colour around a point: left, below, right, above.
fn chains_around(board: &SlowBoard, p: Point, color: Color) -> Vec<Chain> {
    let mut chains: Vec<Chain> = Vec::new();
    for (dx, dy) in [(-1, 0), (0, -1), (1, 0), (0, 1)] {
        if let Some(q) = moved(board, p, dx, dy)
            && board.at(q) == Some(color)
            && !chains.iter().any(|chain| chain.contains(&q))
        {
            chains.push(board.region(q));
        }
    }
    chains
}

/// A point some way off, if it is on the board.
fn moved(board: &SlowBoard, p: Point, dx: isize, dy: isize) -> Option<Point> {
    let (x, y) = board.size.xy(p);
    let inside = 0..board.size.n() as isize;
    let (x, y) = (x as isize + dx, y as isize + dy);
    (inside.contains(&x) && inside.contains(&y)).then(|| board.size.point(x as usize, y as usize))
}

fn liberties(board: &SlowBoard, chain: &Chain) -> usize {
    chain.first().map_or(0, |&p| board.liberties(p).len())
}

/// The largest chain with so many liberties, the first of equals.
fn largest<'a>(board: &SlowBoard, chains: &'a [Chain], count: usize) -> Option<&'a Chain> {
    let with = chains.iter().filter(|chain| liberties(board, chain) == count);
    with.rev().max_by_key(|chain| chain.len())
}

/// The answers about a legal move.
pub fn answers(board: &SlowBoard, last: [Point; 2], p: Point) -> Answers {
    let mut answers = Answers::default();
    if p.is_pass() {
        answers[PASS] = if board.passes > 0 { 2 } else { 1 };
        return answers;
    }
    let Some(after) = board.after(p) else { return answers };
    let size = board.size;
    let (me, you) = (board.to_play, board.to_play.opponent());
    let mut set = |feature: usize, kind: usize, class: usize| answers[feature] = (1 + kind * SIZES + class) as u8;
    let class = |chain: &Chain| size_class(chain.len());

    let (own, enemies) = (chains_around(board, p, me), chains_around(board, p, you));
    let taken: Vec<&Chain> = enemies.iter().filter(|chain| after.at(*chain.first().unwrap_or(&p)).is_none()).collect();
    let taken_stones: usize = taken.iter().map(|chain| chain.len()).sum();
    let (new_chain, new_liberties) = (after.region(p), after.liberties(p).len());

    if taken_stones > 0 {
        let in_atari = |q: Point| board.at(q) == Some(me) && board.liberties(q).len() == 1;
        let frees = taken.iter().any(|chain| chain.iter().any(|&q| size.neighbours(q).any(in_atari)));
        let takes_last = taken.iter().any(|chain| chain.contains(&last[0]));
        set(CAPTURE, 2 * frees as usize + takes_last as usize, size_class(taken_stones));
    }
    if let Some(chain) = largest(board, &own, 1) {
        let kind = match new_liberties {
            1 => 0,
            2 if taken_stones == 0 && is_caught(&after, p, &mut { BUDGET }) => 1,
            n => n.min(4),
        };
        set(SAVE, kind, class(chain));
    }
    if let Some(chain) = largest(board, &enemies, 2) {
        let prey = *chain.first().unwrap_or(&p);
        let caught = !gets_away(&after, prey, &mut { BUDGET });
        set(ATARI, 2 * caught as usize + (new_liberties == 1) as usize, class(chain));
    }
    if new_liberties == 1 {
        set(SELF_ATARI, (taken_stones > 0) as usize, class(&new_chain));
    }
    if let Some(chain) = largest(board, &own, 2) {
        let mut turned = board.clone();
        (turned.to_play, turned.ko) = (you, None);
        let threatened = is_caught(&turned, *chain.first().unwrap_or(&p), &mut { BUDGET });
        set(OWN_TWO, 3 * threatened as usize + new_liberties.clamp(2, 4) - 2, class(chain));
    }
    if let Some(chain) = largest(board, &own, 3) {
        set(OWN_THREE, new_liberties.clamp(3, 5) - 3, class(chain));
    }
    if let Some(chain) = largest(board, &enemies, 3) {
        set(PRESS, 0, class(chain));
    } else if let Some(chain) = largest(board, &enemies, 4) {
        set(PRESS, 1, class(chain));
    }
    answers[KO] = match board.ko {
        _ if taken_stones == 1 && new_chain.len() == 1 && new_liberties == 1 => 1,
        Some(_) if taken_stones > 0 || largest(board, &enemies, 2).is_some() => 2,
        Some(_) => 3,
        None => 0,
    };
    answers[JOIN] = (own.len() * 5 + enemies.len()) as u8;
    if !last[0].is_pass() && board.at(last[0]).is_some() {
        let attacker = board.region(last[0]);
        if enemies.contains(&attacker) {
            answers[PURSUE] = liberties(board, &attacker).min(4) as u8;
        }
        let attacked = own.iter().filter(|chain| size.neighbours(last[0]).any(|q| chain.contains(&q)));
        answers[ANSWER] = attacked.map(|chain| liberties(board, chain).min(4)).min().unwrap_or(0) as u8;
    }

    let n = size.n();
    let (x, y) = size.xy(p);
    let line = [x, y, n - 1 - x, n - 1 - y].into_iter().min().unwrap_or(0).min(LINES - 1);
    let stones = size.points().filter(|&q| board.at(q).is_some()).count();
    answers[LINE] = (1 + LINES * (10 * stones / size.area()).min(STAGES - 1) + line) as u8;
    for (i, &from) in last.iter().enumerate().filter(|(_, from)| !from.is_pass()) {
        let (fx, fy) = size.xy(from);
        let far = nested::distance(fx as isize - x as isize, fy as isize - y as isize).max(2);
        answers[[LAST, PREVIOUS][i]] = (far.min(FAR) - 1) as u8;
        answers[[FATE_LAST, FATE_PREVIOUS][i]] = fate_distance(board, from, p).min(FAR_FATE) as u8;
    }
    answers[REGION] = region(board, p) as u8;
    answers
}

/// Steps between two points, where all stones of a chain are one point; 0 if there is no way.
fn fate_distance(board: &SlowBoard, from: Point, to: Point) -> usize {
    let whole = |p: Point| if board.at(p).is_some() { board.region(p) } else { BTreeSet::from([p]) };
    let mut reached = whole(from);
    for distance in 0.. {
        if reached.contains(&to) {
            return distance;
        }
        let further: BTreeSet<Point> = reached.iter().flat_map(|&p| board.size.neighbours(p)).flat_map(whole).collect();
        let before = reached.len();
        reached.extend(further);
        if reached.len() == before {
            return 0;
        }
    }
    0
}

fn region(board: &SlowBoard, p: Point) -> usize {
    let points = board.region(p);
    let colors: BTreeSet<usize> =
        points.iter().flat_map(|&q| board.size.neighbours(q)).filter_map(|q| Some(board.at(q)?.index())).collect();
    if points.len() > LARGEST_REGION || colors.len() != 1 {
        return 0;
    }
    let inside = |q: Point| board.size.neighbours(q).filter(|r| points.contains(r)).count();
    let is_middle = points.iter().all(|&q| q == p || inside(q) < inside(p));
    let is_enemys = !colors.contains(&board.to_play.index());
    1 + (2 * is_enemys as usize + is_middle as usize) * LARGEST_REGION + points.len() - 1
}

/// Is the chain on a point caught by ataris, the attacker to move?
fn is_caught(board: &SlowBoard, prey: Point, budget: &mut u32) -> bool {
    let liberties = board.liberties(prey);
    match liberties.len() {
        0 | 1 => true,
        2 => liberties.into_iter().any(|p| {
            let Some(after) = board.after(p).filter(|_| *budget > 0) else { return false };
            *budget -= 1;
            !gets_away(&after, prey, budget)
        }),
        _ => false,
    }
}

/// Does the chain on a point, in atari and to move, get away?
fn gets_away(board: &SlowBoard, prey: Point, budget: &mut u32) -> bool {
    let chain = board.region(prey);
    let mut moves: Vec<Point> = board.liberties(prey).into_iter().collect();
    if moves.len() > 1 {
        return true;
    }
    let hunters: BTreeSet<Point> = chain
        .iter()
        .flat_map(|&q| board.size.neighbours(q))
        .filter(|&q| board.at(q) == Some(board.to_play.opponent()))
        .collect();
    for hunter in hunters {
        let liberties = board.liberties(hunter);
        let take = liberties.first().filter(|p| liberties.len() == 1 && !moves.contains(p));
        moves.extend(take);
    }
    moves.into_iter().any(|p| board.after(p).is_some_and(|after| !is_caught(&after, prey, budget)))
}

/// What stands some way off a point, seen by the side to play: the colour alone, and with liberties.
fn content(board: &SlowBoard, p: Point, dx: isize, dy: isize) -> (u8, u8) {
    let Some(q) = moved(board, p, dx, dy) else { return (OFF, CLASS_OFF) };
    let liberties = || (board.liberties(q).len().clamp(1, 4) - 1) as u8;
    match board.at(q) {
        None => (EMPTY, EMPTY),
        Some(color) if color == board.to_play => (OWN, CLASS_OWN + liberties()),
        Some(_) => (ENEMY, CLASS_ENEMY + liberties()),
    }
}

/// The name of a shape of a move, from all points around it at once; none if the last move is too far to be marked.
pub fn shape_name(board: &SlowBoard, last: Point, p: Point, family: Family, level: usize) -> Option<u32> {
    let far = nested::FAMILIES[family as usize].2[level];
    let reach = -(far as isize)..=far as isize;
    let steps = reach.clone().flat_map(|dy| reach.clone().map(move |dx| (dx, dy)));
    let steps: Vec<_> = steps.filter(|&(dx, dy)| (1..=far).contains(&nested::distance(dx, dy))).collect();
    let mark = match family {
        Family::Answers if last.is_pass() => return None,
        Family::Answers => {
            let ((x, y), (lx, ly)) = (board.size.xy(p), board.size.xy(last));
            let step = (lx as isize - x as isize, ly as isize - y as isize);
            Some(step).filter(|&(dx, dy)| nested::distance(dx, dy) <= nested::MARKED)?
        }
        _ => (0, 0),
    };
    let hashes = std::array::from_fn(|symmetry| {
        let turn = |(dx, dy): (isize, isize)| nested::turned(dx, dy)[symmetry];
        let start = if family == Family::Answers { nested::mark_number(turn(mark)) } else { 0 };
        steps.iter().fold(start, |hash, &(dx, dy)| {
            let (color, class) = content(board, p, dx, dy);
            hash ^ match family {
                Family::Liberties => nested::class_number(turn((dx, dy)), class),
                _ => nested::color_number(turn((dx, dy)), color),
            }
        })
    });
    Some(nested::name(&hashes, family, level))
}
