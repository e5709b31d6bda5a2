//! What a stone makes on one line, looked up by the ten cells around it.
//!
//! A class is about the stone in the middle and its five neighbours to either side, each own, empty or blocked (the
//! opponent's, or off the board). It follows from what one stone more could make:
//!
//! ```text
//! five         the stone is part of a five that wins
//! open four    two cells make it a five             four         one cell does
//! free three   two cells make it an open four       open three   one cell does     three   a cell makes it a four
//! free two     three cells make an open three       open two     a cell does       two     a cell makes it a three
//! open one     a cell makes it an open two          one          a cell makes it a two
//! ```
//!
//! Each class is the highest that fits. Five cells to either side are enough: a five with the stone in it reaches four
//! away, and one cell more tells whether it is longer than five.

use crate::game::gobang::Rule;
use std::sync::OnceLock;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Class {
    Nothing,
    One,
    OpenOne,
    Two,
    OpenTwo,
    FreeTwo,
    Three,
    OpenThree,
    FreeThree,
    Four,
    OpenFour,
    Five,
}

impl Class {
    pub const COUNT: usize = 12;
    pub const ALL: [Class; Class::COUNT] = [
        Class::Nothing,
        Class::One,
        Class::OpenOne,
        Class::Two,
        Class::OpenTwo,
        Class::FreeTwo,
        Class::Three,
        Class::OpenThree,
        Class::FreeThree,
        Class::Four,
        Class::OpenFour,
        Class::Five,
    ];

    /// The class that follows from those one stone more could make, none of them a five yet.
    pub fn from_next(next: impl Iterator<Item = Class>) -> Class {
        let mut counts = [0usize; Class::COUNT];
        next.for_each(|class| counts[class as usize] += 1);
        let of = |class: Class| counts[class as usize];
        let threes = of(Class::OpenThree) + of(Class::FreeThree);
        match () {
            _ if of(Class::Five) >= 2 => Class::OpenFour,
            _ if of(Class::Five) == 1 => Class::Four,
            _ if of(Class::OpenFour) >= 2 => Class::FreeThree,
            _ if of(Class::OpenFour) == 1 => Class::OpenThree,
            _ if of(Class::Four) > 0 => Class::Three,
            _ if threes >= 3 => Class::FreeTwo,
            _ if threes > 0 => Class::OpenTwo,
            _ if of(Class::Three) > 0 => Class::Two,
            _ if of(Class::OpenTwo) + of(Class::FreeTwo) > 0 => Class::OpenOne,
            _ if of(Class::Two) > 0 => Class::One,
            _ => Class::Nothing,
        }
    }
}

/// The two highest classes of a point over its four lines, as one number: `12 * highest + second`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Pair(pub u8);

impl Pair {
    pub const COUNT: usize = Class::COUNT * Class::COUNT;

    pub const fn new(best: Class, second: Class) -> Pair {
        Pair(best as u8 * Class::COUNT as u8 + second as u8)
    }

    #[inline(always)]
    pub fn best(self) -> Class {
        Class::ALL[self.0 as usize / Class::COUNT]
    }

    #[inline(always)]
    pub fn second(self) -> Class {
        Class::ALL[self.0 as usize % Class::COUNT]
    }

    /// A four that can be completed in two ways, on one line or on two.
    #[inline(always)]
    pub fn is_double_four(self) -> bool {
        const LOW: u8 = Pair::new(Class::Four, Class::Four).0;
        const HIGH: u8 = Pair::new(Class::OpenFour, Class::OpenFour).0;
        LOW <= self.0 && self.0 <= HIGH
    }
}

/// Cells of a window without its middle, and the number of ways they can be own, empty or blocked.
const CELLS: usize = 10;
const WINDOWS: usize = 59_049;
const MIDDLE: usize = CELLS / 2;
/// Four classes of four bits each, as a number.
const CODES: usize = 1 << 16;

/// A window's number: two bits for each cell, the nearest of the low side last. Cells off the board are both.
pub const EMPTY: u32 = 0;
pub const WALL: u32 = 3;
/// Added to a window whose middle is taken or off the board: nothing can be made there.
pub const TAKEN: u32 = 1 << (2 * CELLS);

pub struct Tables {
    /// The classes of both colours by a window's number, Black's in the low four bits; the last is for `TAKEN`.
    pub classes: Box<[u8; TAKEN as usize + 1]>,
    /// The pair by four classes of four bits each.
    pub pairs: Box<[u8; CODES]>,
    /// The sets that a point is in, a bit for each, by the same.
    pub sets: Box<[u8; CODES]>,
}

/// Sets of points that are kept for each colour, by what a stone there would make.
pub const FIVES: usize = 0;
pub const FOURS: usize = 1;
pub const THREES: usize = 2;
pub const SEEDS: usize = 3;
pub const SETS: usize = 4;

impl Tables {
    pub fn of(rule: Rule) -> &'static Tables {
        static EXACT: OnceLock<Tables> = OnceLock::new();
        static FREESTYLE: OnceLock<Tables> = OnceLock::new();
        match rule {
            Rule::Exact => EXACT.get_or_init(|| Tables::new(rule)),
            Rule::Freestyle => FREESTYLE.get_or_init(|| Tables::new(rule)),
        }
    }

    fn new(rule: Rule) -> Tables {
        let pairs = pairs();
        let sets = pairs.iter().map(|&pair| sets_of(Pair(pair))).collect();
        Tables { classes: sized(both(&classes(rule))), pairs: sized(pairs), sets: sized(sets) }
    }
}

fn sized<const N: usize>(table: Vec<u8>) -> Box<[u8; N]> {
    match table.try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("tables have the size of their index"),
    }
}

/// The classes of both colours, from those of one by own, empty and blocked cells.
fn both(classes: &[u8]) -> Vec<u8> {
    const HALF: usize = 1 << CELLS;
    // By half a window: the sum of 3^cell for own cells, twice that for blocked ones.
    let sums = |own: usize| -> Vec<usize> {
        let digit = |cell: usize| if cell == 0 { 0 } else { if cell == own { 1 } else { 2 } };
        (0..HALF).map(|half| (0..MIDDLE).rev().fold(0, |sum, j| 3 * sum + digit(half >> (2 * j) & 3))).collect()
    };
    let (black, white) = (sums(1), sums(2));
    let class = |sums: &[usize], window: usize| classes[sums[window % HALF] + 243 * sums[window / HALF]];
    let mut both: Vec<u8> = (0..TAKEN as usize).map(|w| class(&black, w) | class(&white, w) << 4).collect();
    both.push(0);
    both
}

fn sets_of(pair: Pair) -> u8 {
    let (best, second) = (pair.best(), pair.second());
    let is_seed = best >= Class::Three || second >= Class::OpenTwo;
    let sets = [
        (FIVES, best == Class::Five),
        (FOURS, best >= Class::Four),
        (THREES, best >= Class::OpenThree),
        (SEEDS, is_seed),
    ];
    sets.iter().map(|&(set, is_in)| (is_in as u8) << set).sum()
}

/// Is the middle stone part of a five, with these own cells around it?
fn is_five(own: usize, rule: Rule) -> bool {
    let up = (own >> MIDDLE).trailing_ones();
    let down = ((own << (usize::BITS as usize - MIDDLE)).leading_ones()).min(MIDDLE as u32);
    let run = 1 + up.min(MIDDLE as u32) + down;
    run == 5 || run > 5 && rule == Rule::Freestyle
}

fn classes(rule: Rule) -> Box<[u8]> {
    let trit = |cells: usize| (0..CELLS).filter(|j| cells >> j & 1 != 0).map(|j| 3usize.pow(j as u32)).sum::<usize>();
    let number = |own: usize, blocked: usize| trit(own) + 2 * trit(blocked);
    let mut classes = vec![Class::Nothing as u8; WINDOWS].into_boxed_slice();
    // What one stone more makes is known before what is there now.
    let mut owns: Vec<usize> = (0..1 << CELLS).collect();
    owns.sort_by_key(|own| std::cmp::Reverse(own.count_ones()));
    for own in owns {
        let rest = !own & ((1 << CELLS) - 1);
        let mut blocked = rest;
        loop {
            let free = (0..CELLS).filter(|j| (rest & !blocked) >> j & 1 != 0);
            classes[number(own, blocked)] = match is_five(own, rule) {
                true => Class::Five,
                false => {
                    let next = |j: usize| Class::ALL[classes[number(own | 1 << j, blocked)] as usize];
                    Class::from_next(free.map(next))
                }
            } as u8;
            if blocked == 0 {
                break;
            }
            blocked = (blocked - 1) & rest;
        }
    }
    classes
}

fn pairs() -> Vec<u8> {
    (0..CODES)
        .map(|code| {
            let mut four = [0, 4, 8, 12].map(|shift| (code >> shift & 15).min(Class::COUNT - 1));
            four.sort_unstable_by(|a, b| b.cmp(a));
            Pair::new(Class::ALL[four[0]], Class::ALL[four[1]]).0
        })
        .collect()
}
