//! What eleven cells of a line say about the stone in the middle of them, looked up.
//!
//! A window is the cells from five before a stone to five after it, as bits of one colour's stones; the stone itself is
//! bit `CENTRE`. Five to either side are enough: a five with the stone in it reaches four away, and one more cell tells
//! whether it is longer than five. Empty cells, the opponent's stones and cells off the board look alike here: whoever
//! asks knows which of the marked cells are free.

use super::Rule;

pub const CELLS: usize = 11;
pub const REACH: usize = 5;
pub const CENTRE: u16 = 1 << REACH;
pub const WINDOW: u32 = (1 << CELLS) - 1;

/// In an entry of `Tables::fives`: the stone is part of a five.
pub const FIVE: u16 = 1 << 15;
/// In an entry of `Tables::fives`: cells where one more stone makes a five with this one.
pub const COMPLETIONS: u16 = WINDOW as u16;

pub struct Tables {
    pub fives: [u16; 1 << CELLS],
    /// Low half: cells where one more stone makes a four with this one (a five is then one stone away). High half: the
    /// same, with two cells to complete it in.
    pub fours: [u32; 1 << CELLS],
}

/// Length of the run of stones through the middle.
const fn run_through_centre(window: usize) -> usize {
    let (mut low, mut high) = (REACH, REACH);
    while low > 0 && window >> (low - 1) & 1 != 0 {
        low -= 1;
    }
    while high + 1 < CELLS && window >> (high + 1) & 1 != 0 {
        high += 1;
    }
    high - low + 1
}

const fn is_five(window: usize, rule: Rule) -> bool {
    let run = run_through_centre(window);
    match rule {
        Rule::Exact => run == 5,
        Rule::Freestyle => run >= 5,
    }
}

const fn completions(window: usize, rule: Rule) -> u16 {
    let (mut cells, mut j) = (0, 0);
    while j < CELLS {
        if window >> j & 1 == 0 && is_five(window | 1 << j, rule) {
            cells |= 1 << j;
        }
        j += 1;
    }
    cells
}

const fn tables(rule: Rule) -> Tables {
    let mut tables = Tables { fives: [0; 1 << CELLS], fours: [0; 1 << CELLS] };
    let mut window = 0;
    while window < 1 << CELLS {
        if window & CENTRE as usize != 0 {
            tables.fives[window] = completions(window, rule) | if is_five(window, rule) { FIVE } else { 0 };
        }
        window += 1;
    }
    window = 0;
    while window < 1 << CELLS {
        let mut j = 0;
        while window & CENTRE as usize != 0 && j < CELLS {
            if window >> j & 1 == 0 {
                let ways = (tables.fives[window | 1 << j] & COMPLETIONS).count_ones();
                if ways >= 1 {
                    tables.fours[window] |= 1 << j;
                }
                if ways >= 2 {
                    tables.fours[window] |= 1 << (j + 16);
                }
            }
            j += 1;
        }
        window += 1;
    }
    tables
}

static EXACT: Tables = tables(Rule::Exact);
static FREESTYLE: Tables = tables(Rule::Freestyle);

impl Rule {
    #[inline(always)]
    pub fn tables(self) -> &'static Tables {
        match self {
            Rule::Exact => &EXACT,
            Rule::Freestyle => &FREESTYLE,
        }
    }
}
