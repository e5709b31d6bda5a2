//! What a search of one question tells about a position of another.
//!
//! - The other ko rules. Who wins while the opponent has threats wins without them, and with some of his own.
//! - A narrower region with everything beyond it the attacker's. Who lives there lives in any region around it, whatever
//!   stands in the rest: stones of the attacker that leave the narrow region cannot be taken there, and the defender needs
//!   nothing from beyond. The zone of that proof is good here too. A death there is no more than a hint.
//!
//! Both hold position by position, so what was found is looked up in the one table by the hash that it has there.

use super::grid::{Cell, Grid, NOWHERE, Set, cells};
use super::state::{Ko, Rules, State, THREATS};
use super::table::{Entry, NO_PATH, ProofTable};

/// So many narrower regions are looked up, the largest first.
pub const MOST: usize = 2;

/// A region inside the one of a search.
pub struct Narrower {
    rules: Rules,
    /// Its points, in the larger grid.
    region: Set,
    /// Its points' numbers there and here.
    to_there: [Cell; 128],
    to_here: [Cell; 128],
    is_same_grid: bool,
}

impl Narrower {
    /// `None` if it is not inside the grid, or not shut in.
    pub fn new(rules: &Rules, grid: &Grid) -> Option<Narrower> {
        if !rules.grid.is_shut_in() {
            return None;
        }
        let (mut to_there, mut to_here) = ([NOWHERE; 128], [NOWHERE; 128]);
        let mut region = 0;
        for there in cells(rules.grid.region) {
            let here = grid.cell(rules.grid.point(there))?;
            region |= 1 << here;
            to_there[here as usize] = there;
            to_here[there as usize] = here;
        }
        let is_same_grid = region == rules.grid.region && grid.stride() == rules.grid.stride();
        Some(Narrower { rules: rules.clone(), region, to_there, to_here, is_same_grid })
    }

    pub fn points(&self) -> u32 {
        self.region.count_ones()
    }

    fn moved(&self, set: Set, numbers: &[Cell; 128]) -> Set {
        if self.is_same_grid { set } else { cells(set).fold(0, |all, cell| all | 1 << numbers[cell as usize]) }
    }

    /// What the table has of the position as far as it lies in the narrower region. A zone is in points of the larger.
    pub fn look_up(&self, table: &ProofTable, rules: &Rules, state: &State) -> Option<Entry> {
        let there = |set: Set| self.moved(set & self.region, &self.to_there);
        let crucial = there(state.crucial);
        if crucial == 0 {
            return None;
        }
        let ban = if state.ban == NOWHERE { NOWHERE } else { self.to_there[state.ban as usize] };
        let key = self.rules.key_of(
            [there(state.attacker), there(state.defender), crucial],
            state.attacker_moves,
            ban,
            (rules.ko, state.threats),
        );
        let mut entry = table.get(key)?;
        entry.zone = self.moved(entry.zone, &self.to_here);
        entry.best = if entry.best == NOWHERE { NOWHERE } else { self.to_here[entry.best as usize] };
        Some(entry)
    }
}

/// Who wins a position by what was found under other ko rules, the attacker or not.
pub fn by_other_ko(table: &ProofTable, rules: &Rules, state: &State) -> Option<(bool, Set, Cell)> {
    let get = |ko: Ko, threats: u8, attacker_wins: bool| {
        let entry = table.get(rules.hash_under(state, ko, threats))?;
        let is_so = if attacker_wins { entry.pn == 0 } else { entry.dn == 0 && entry.depends == NO_PATH };
        is_so.then_some((attacker_wins, entry.zone, entry.best))
    };
    let has_threats = state.threats > 0;
    let attacker = match rules.ko {
        Ko::Attacker if has_threats => get(Ko::Nobody, 0, true).or_else(|| get(Ko::Defender, THREATS, true)),
        Ko::Defender if has_threats => None,
        _ => get(Ko::Defender, THREATS, true),
    };
    attacker.or_else(|| match rules.ko {
        Ko::Defender if has_threats => get(Ko::Nobody, 0, false).or_else(|| get(Ko::Attacker, THREATS, false)),
        Ko::Attacker if has_threats => None,
        _ => get(Ko::Attacker, THREATS, false),
    })
}
