//! What can be said of a position before it is searched: from the table, by the rules, by its shape, or by an estimate.

use super::{INFINITE, Known, Search, twin_key};
use crate::prover::carried;
use crate::prover::grid::{NOWHERE, Set};
use crate::prover::local_fight::{Aim, Ground};
use crate::prover::rooms::{self, Room};
use crate::prover::state::State;
use crate::prover::table::NO_PATH;
use crate::prover::{estimate, life};

/// What other questions tell of a position.
enum Carried {
    Known(Known),
    /// It is lost in a narrower region.
    Hint,
    Nothing,
}

/// How much likelier a death in a narrower region makes one here.
const HINT: u32 = 4;

/// Doublings of the attacker's number, and halvings of the defender's, by the steps that are left to an exit.
const NEAR_EXIT: [u32; 4] = [8, 2, 1, 0];
const FAR: usize = 4;

impl Search<'_> {
    /// What the table, the rules or an estimate say of a position before it is searched.
    pub(super) fn first_look(&mut self, state: &State, path_key: u64) -> Known {
        if let Some(entry) = self.memory.table.get(state.hash) {
            let known = entry.known();
            if entry.has_twin
                && let Some(twin) = self.memory.table.get(twin_key(state.hash, path_key))
            {
                return twin.known();
            }
            return known;
        }
        if state.crucial == 0 {
            return Known::won_by(true, 0, NO_PATH, NOWHERE);
        }
        if state.has_escaped() {
            let chain = self.rules.grid.flood(state.crucial & state.out(), state.crucial);
            return Known::won_by(false, chain, NO_PATH, NOWHERE);
        }
        let hint = match self.carries.then(|| self.carried(state)) {
            Some(Carried::Known(known)) => return known,
            Some(Carried::Hint) => true,
            _ => false,
        };
        if state.attacker_moves {
            let eyes = life::unconditional(self.rules, state);
            if eyes != 0 {
                return Known::won_by(false, eyes, NO_PATH, NOWHERE);
            }
            if self.use_knowledge
                && let Some(zone) = self.life_in_one_room(state)
            {
                return Known::won_by(false, zone, NO_PATH, NOWHERE);
            }
        }
        if let Some(zone) = life::is_taken_next(self.rules, state).filter(|_| self.use_knowledge) {
            return Known::won_by(true, zone, NO_PATH, NOWHERE);
        }
        let arena = self.rules.arena(state);
        let (room, last) = life::eye_room(self.rules, state, arena);
        // Without room for eyes he is not dead while he may still get out.
        let is_shut_in = arena & self.rules.exits(state) == 0;
        let gaps = if is_shut_in { Some(0) } else { life::closed_gaps(self.rules, state, arena) };
        if self.use_knowledge
            && let Some(gaps) = gaps
            && self.is_hopeless(state, room, last)
        {
            let zone = life::hopeless_zone(self.rules, state, arena) | gaps;
            return Known::won_by(true, zone, NO_PATH, NOWHERE);
        }
        if self.uses_local_fights
            && let Some(known) = self.by_local_fight(state, arena, room, last)
        {
            return known;
        }
        if let Some(keeping) = &mut self.keeping
            && keeping.rng.below(keeping.one_in) == 0
        {
            keeping.states.push((*state, keeping.last));
        }
        let (pn, dn) = match self.use_survey {
            true => self.counter.numbers(self.rules, state, room, last, arena),
            false => estimate::by_size(self.rules, state, room, arena),
        };
        let (pn, dn) = if is_shut_in { (pn, dn) } else { self.near_an_exit(state, arena, pn, dn) };
        let (pn, dn) = if hint { (pn.div_ceil(HINT), (dn * HINT).min(INFINITE - 1)) } else { (pn, dn) };
        Known::open(pn, dn, NOWHERE)
    }

    /// What other questions tell of a position.
    fn carried(&self, state: &State) -> Carried {
        let table = &self.memory.table;
        if let Some((attacker_wins, zone, best)) = carried::by_other_ko(table, self.rules, state) {
            return Carried::Known(Known { is_searched: true, ..Known::won_by(attacker_wins, zone, NO_PATH, best) });
        }
        let mut carried = Carried::Nothing;
        for narrower in &self.narrower {
            match narrower.look_up(table, self.rules, state) {
                Some(entry) if entry.dn == 0 && entry.depends == NO_PATH => {
                    return Carried::Known(entry.known());
                }
                Some(entry) if entry.pn == 0 => carried = Carried::Hint,
                _ => {}
            }
        }
        carried
    }

    /// Numbers for stones that are some steps from getting out: the nearer, the cheaper it is to show.
    fn near_an_exit(&self, state: &State, arena: Set, pn: u32, dn: u32) -> (u32, u32) {
        let grid = &self.rules.grid;
        let free = arena & !state.attacker;
        let mut reached = state.crucial;
        let mut steps = 0;
        let exits = self.rules.exits(state);
        while reached & exits == 0 && steps < FAR {
            reached = grid.flood(grid.beside(reached) & free | reached, state.defender | reached);
            steps += 1;
        }
        // Whoever is to move is a step ahead.
        let steps = steps - usize::from(!state.attacker_moves);
        let shift = NEAR_EXIT[steps.min(NEAR_EXIT.len() - 1)];
        ((pn << shift).min(INFINITE - 1), (dn >> shift).max(1))
    }

    /// What can be shown by looking at the local fight of a chain alone.
    fn by_local_fight(&mut self, state: &State, arena: Set, room: Set, last: Set) -> Option<Known> {
        let grid = &self.rules.grid;
        let points = grid.flood(room, arena & !last);
        let fights = &mut self.memory.local_fights;
        let mut show = |ground: Ground, aim: Aim| {
            let aim = fights.show(self.rules, state, ground, room, last, &[aim])?;
            Some((aim, ground.points))
        };
        let whole = Ground::whole(self.rules, state, arena, room, last);
        let shown = show(whole, Aim::Death).or_else(|| show(Ground { points, exit: 0 }, Aim::Life));
        let (zone, is_dead) = match shown? {
            (Aim::Death, points) => (life::hopeless_zone(self.rules, state, arena) | points, true),
            (Aim::Life, points) => (points | last, false),
        };
        Some(Known::won_by(is_dead, zone, NO_PATH, NOWHERE))
    }

    /// Is there no room for two eyes, or can the attacker see to that inside the room alone?
    fn is_hopeless(&mut self, state: &State, room: Set, last: Set) -> bool {
        let grid = &self.rules.grid;
        if room.count_ones() > rooms::LARGEST || state.ban != NOWHERE || state.crucial & !last != 0 {
            return life::is_one_eye(grid, room, state.attacker, state.defender, state.attacker_moves);
        }
        let room = Room {
            points: room,
            attacker: state.attacker & room,
            defender: state.defender & room,
            border: grid.beside(grid.region & !room) & room,
            attacker_moves: state.attacker_moves,
            is_closed: false,
            ban: NOWHERE,
        };
        match room.has_liberties(grid) {
            true => self.memory.rooms.is_dead(grid, room),
            false => life::is_one_eye(grid, room.points, room.attacker, room.defender, room.attacker_moves),
        }
    }

    /// What a crucial chain lives by that has a room large enough to itself.
    fn life_in_one_room(&mut self, state: &State) -> Option<Set> {
        let grid = &self.rules.grid;
        if state.ban != NOWHERE {
            return None;
        }
        for (points, chain) in life::closed_rooms(self.rules, state) {
            let room = Room {
                points,
                attacker: state.attacker & points,
                defender: 0,
                border: grid.beside(chain) & points,
                attacker_moves: state.attacker_moves,
                is_closed: true,
                ban: NOWHERE,
            };
            if points.count_ones() <= rooms::LARGEST_LIFE && self.memory.rooms.is_alive(grid, room) {
                return Some(points | chain);
            }
        }
        None
    }
}
