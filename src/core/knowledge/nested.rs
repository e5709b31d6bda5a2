//! Shapes: what stands around a move, out to a growing distance, as one number whichever way the board is turned or mirrored.
//!
//! Points around a move come in shells of equal distance dx + dy + max(dx, dy). Each point and content has a random number
//! for each of the eight symmetries; the hash of a neighbourhood seen by a symmetry is the exclusive or of its numbers, and
//! the least of the eight names the shape. So a shape grows by a shell with a few instructions a point, and shapes nest: one that
//! is unknown has no known larger one.
//!
//! Three families: the colours alone; the same with the last move marked; and close by, with the liberties of the stones.

use super::grid::{LEN, MARGIN, STRIDE, step, xy};
use super::survey::Survey;
use crate::base::rng::mix;
use std::sync::LazyLock;

/// Which shape of a move: its family and how many shells it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Colors,
    Answers,
    Liberties,
}

/// Distances at which a shape of a family ends. The first shape of `Answers` is the last move's place alone.
pub const COLORS: [usize; 12] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17];
pub const ANSWERS: [usize; 10] = [0, 2, 3, 4, 5, 6, 7, 8, 10, 12];
pub const LIBERTIES: [usize; 4] = [2, 3, 4, 5];

/// The last move is marked if it is this near.
pub(super) const MARKED: usize = 17;

pub const FAMILIES: [(Family, &str, &[usize]); 3] = [
    (Family::Colors, "colours", &COLORS),
    (Family::Answers, "answers", &ANSWERS),
    (Family::Liberties, "liberties", &LIBERTIES),
];

type Row = [u32; 8];

struct Tables {
    /// By distance.
    shells: Vec<Vec<(isize, [Row; 4])>>,
    liberties: Vec<Vec<(isize, [Row; 16])>>,
    /// By dx and dy from -MARGIN.
    marks: Vec<Row>,
}

/// dx + dy + max(dx, dy).
pub fn distance(dx: isize, dy: isize) -> usize {
    let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
    dx + dy + dx.max(dy)
}

/// The eight ways to turn and mirror a step.
pub fn turned(dx: isize, dy: isize) -> [(isize, isize); 8] {
    [(dx, dy), (-dx, dy), (dx, -dy), (-dx, -dy), (dy, dx), (-dy, dx), (dy, -dx), (-dy, -dx)]
}

const WHAT_STANDS: u64 = 0;
const WHAT_STANDS_WITH_LIBERTIES: u64 = 1;
const WHERE_THE_LAST_MOVE_IS: u64 = 2;
const WHICH_SHAPE: u64 = 3;

/// The number of what stands at a step.
pub(super) fn color_number(step: (isize, isize), color: u8) -> u32 {
    number(WHAT_STANDS, step, color)
}

/// The number of what stands at a step, with its liberties.
pub(super) fn class_number(step: (isize, isize), class: u8) -> u32 {
    number(WHAT_STANDS_WITH_LIBERTIES, step, class)
}

/// The number of the last move at a step.
pub(super) fn mark_number(step: (isize, isize)) -> u32 {
    number(WHERE_THE_LAST_MOVE_IS, step, 0)
}

fn number(kind: u64, (dx, dy): (isize, isize), content: u8) -> u32 {
    (mix(&[kind, (dx + 64) as u64, (dy + 64) as u64, content as u64]) >> 32) as u32
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let reach = -(MARGIN as isize)..=MARGIN as isize;
    let steps: Vec<(isize, isize)> = reach.clone().flat_map(|dy| reach.clone().map(move |dx| (dx, dy))).collect();
    let at = |d: usize| steps.iter().copied().filter(move |&(dx, dy)| d > 0 && distance(dx, dy) == d);
    let offset = |(dx, dy): (isize, isize)| dy * STRIDE as isize + dx;
    Tables {
        shells: (0..=COLORS[COLORS.len() - 1])
            .map(|d| {
                at(d)
                    .map(|s| (offset(s), std::array::from_fn(|c| turned(s.0, s.1).map(|to| color_number(to, c as u8)))))
                    .collect()
            })
            .collect(),
        liberties: (0..=LIBERTIES[LIBERTIES.len() - 1])
            .map(|d| {
                at(d)
                    .map(|s| (offset(s), std::array::from_fn(|c| turned(s.0, s.1).map(|to| class_number(to, c as u8)))))
                    .collect()
            })
            .collect(),
        marks: steps.iter().map(|&s| turned(s.0, s.1).map(mark_number)).collect(),
    }
});

/// Salt of each shape, by family and number of shells.
fn salt(family: Family, level: usize) -> u32 {
    static SALTS: LazyLock<[[u32; 16]; 3]> = LazyLock::new(|| {
        std::array::from_fn(|f| std::array::from_fn(|level| (mix(&[WHICH_SHAPE, f as u64, level as u64]) >> 32) as u32))
    });
    SALTS[family as usize][level]
}

/// The name of a shape: never 0, which dictionaries keep for nothing.
#[inline(always)]
pub(super) fn name(hashes: &Row, family: Family, level: usize) -> u32 {
    let least = hashes.iter().fold(u32::MAX, |least, &h| least.min(h));
    (least ^ salt(family, level)).max(1)
}

#[inline(always)]
fn add(hashes: &mut Row, row: &Row) {
    hashes.iter_mut().zip(row).for_each(|(h, r)| *h ^= r);
}

/// Adds what stands at some steps from a place. By itself, so that the eight hashes stay in registers.
#[inline(never)]
fn add_shell<const N: usize>(hashes: &mut Row, shell: &[(isize, [Row; N])], cells: &[u8; LEN], place: usize) {
    let mut sum = *hashes;
    for (offset, rows) in shell {
        // A content is below N, which is 4 or 16.
        let content = cells[step(place, *offset)] as usize & (N - 1);
        add(&mut sum, &rows[content]);
    }
    *hashes = sum;
}

/// Hands the shapes of a move to `knows`, each family from small to large until one is unknown.
#[inline]
pub fn visit(survey: &Survey, place: usize, last: usize, mut knows: impl FnMut(Family, usize, u32) -> bool) {
    let tables = &*TABLES;
    let mut hashes = [0; 8];
    let mut from = 0;
    for (level, &to) in LIBERTIES.iter().enumerate() {
        for shell in &tables.liberties[from..=to] {
            add_shell(&mut hashes, shell, &survey.classes, place);
        }
        from = to + 1;
        if !knows(Family::Liberties, level, name(&hashes, Family::Liberties, level)) {
            break;
        }
    }

    let mark = mark(tables, place, last);
    let mut hashes = [0; 8];
    let (mut colors, mut answers) = (Some(0), mark.map(|_| 0));
    let mut distance = 0;
    loop {
        if let (Some(level), Some(mark)) = (answers, mark)
            && ANSWERS[level] == distance
        {
            let mut marked = hashes;
            add(&mut marked, mark);
            let known = knows(Family::Answers, level, name(&marked, Family::Answers, level));
            answers = (known && level + 1 < ANSWERS.len()).then_some(level + 1);
        }
        if let Some(level) = colors
            && COLORS[level] == distance
        {
            let known = knows(Family::Colors, level, name(&hashes, Family::Colors, level));
            colors = (known && level + 1 < COLORS.len()).then_some(level + 1);
        }
        if colors.is_none() && answers.is_none() {
            return;
        }
        distance += 1;
        add_shell(&mut hashes, &tables.shells[distance], &survey.cells, place);
    }
}

#[inline(always)]
fn mark(tables: &Tables, place: usize, last: usize) -> Option<&Row> {
    if last == 0 {
        return None;
    }
    let ((x, y), (lx, ly)) = (xy(place), xy(last));
    let (dx, dy) = (lx as isize - x as isize, ly as isize - y as isize);
    (distance(dx, dy) <= MARKED).then(|| {
        let m = MARGIN as isize;
        &tables.marks[((dy + m) * (2 * m + 1) + dx + m) as usize]
    })
}
