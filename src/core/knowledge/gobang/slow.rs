//! The oracle: classes by scanning a line of the slow board.

use super::class::{Class, Pair};
use crate::base::{Color, Point};
use crate::game::gobang::{Rule, SlowGobang};

/// What a stone of this colour on an empty point would make along one direction.
pub fn class_slow(board: &SlowGobang, color: Color, p: Point, (dx, dy): (isize, isize)) -> Class {
    let (x, y) = board.size.xy(p);
    let n = board.size.n() as isize;
    // The whole line, `None` off the board; the stone in the middle.
    let reach = board.size.n() as isize;
    let cells: Vec<Option<Option<Color>>> = (-reach..=reach)
        .map(|k| {
            let (x, y) = (x as isize + k * dx, y as isize + k * dy);
            let inside = (0..n).contains(&x) && (0..n).contains(&y);
            inside.then(|| board.at(board.size.point(x as usize, y as usize)))
        })
        .collect();
    let mut line = cells;
    line[reach as usize] = Some(Some(color));
    class_of(&mut line, reach as usize, color, board.rule)
}

fn class_of(line: &mut Vec<Option<Option<Color>>>, middle: usize, color: Color, rule: Rule) -> Class {
    let own = |cell: &Option<Option<Color>>| *cell == Some(Some(color));
    let up = line[middle..].iter().take_while(|cell| own(cell)).count();
    let down = line[..middle].iter().rev().take_while(|cell| own(cell)).count();
    let run = up + down;
    if run == 5 || run > 5 && rule == Rule::Freestyle {
        return Class::Five;
    }
    // More than four stones beside it or none in reach: deeper looks tell nothing new.
    let near: Vec<usize> = (middle - 4..=middle + 4).filter(|&j| line.get(j) == Some(&Some(None))).collect();
    let stones = (middle - 4..=middle + 4).filter(|&j| line.get(j).is_some_and(own)).count();
    if near.is_empty() || stones + near.len() < 5 {
        return Class::Nothing;
    }
    let mut next = Vec::new();
    for j in near {
        line[j] = Some(Some(color));
        next.push(class_of(line, middle, color, rule));
        line[j] = Some(None);
    }
    Class::from_next(next.into_iter())
}

/// The two highest classes of a point over its four lines.
pub fn pair_slow(board: &SlowGobang, color: Color, p: Point) -> Pair {
    let mut classes = [(1, 0), (0, 1), (1, 1), (1, -1)].map(|step| class_slow(board, color, p, step));
    classes.sort_unstable_by(|a, b| b.cmp(a));
    Pair::new(classes[0], classes[1])
}
