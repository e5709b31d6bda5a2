//! Small fights around one chain, solved once and remembered.
//!
//! Take a crucial chain, and around it the points that stones of the attacker have not closed off for good. Some of them
//! are joined to its room for eyes; the fight is about those. The others are liberties outside: nothing else hangs on
//! them, and the attacker can fill them with stones that stay. So the local fight is a game of its own, and two things that
//! can be shown there hold on the board, however many liberties there are outside:
//! - Death. The chain cannot be taken while it has liberties outside. When the defender passes, the attacker fills one
//!   of them, and again, until there are none: then he is to move, takes the chain or has a good move inside. A move that
//!   is good there must be good while there are liberties outside, too: stones he takes may give new ones.
//! - Life. The chain has no liberty outside, and is never taken.
//!
//! Where the defender may get out, all that leads there is part of the fight, and stones that get there are not dead.
//!
//! Inside, all rules hold, kos and their threats included. Play that comes back to where it was counts against what is to
//! be shown, so what is shown holds on every path. Other crucial stones inside must be gone before the chain is taken.

use super::grid::{Cell, Grid, NOWHERE, Set, cells};
use super::state::{Ko, Rules, State};
use super::table::fetch;
use crate::base::rng::mix;

/// Local fights up to this size are looked at, with a room for eyes in these bounds, until so many positions were seen.
struct Reach {
    points: u32,
    room: std::ops::RangeInclusive<u32>,
    positions: u32,
}

static DEATH: Reach = Reach { points: 12, room: 2..=5, positions: 60 };
/// The same where the defender may get out: there is no other way yet to see that he does not.
static OPEN_DEATH: Reach = Reach { points: 14, room: 0..=5, positions: 120 };
static LIFE: Reach = Reach { points: 8, room: 4..=8, positions: 20 };
/// No local fight has more points.
const LARGEST: usize = 14;
const REMEMBERED: usize = 1 << 20;
const DEEPEST: usize = 40;

/// What is to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    Death,
    Life,
}

impl Aim {
    #[inline(always)]
    fn reach(self, is_open: bool) -> &'static Reach {
        match self {
            Aim::Death if is_open => &OPEN_DEATH,
            Aim::Death => &DEATH,
            Aim::Life => &LIFE,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Defender,
    Attacker,
    /// There are no liberties outside.
    AttackerAtLast,
}

/// Points of a local fight, by their numbers in it.
type Points = u16;
const NONE: u8 = 16;

/// A position in a local fight. Stones connected to the chain around, and stones of the attacker that are safe, are no part of
/// it any more.
#[derive(Clone, Copy)]
struct Position {
    points: Points,
    /// Where a stone of the attacker is safe.
    wall: Points,
    /// Next to the chain around.
    border: Points,
    attacker: Points,
    defender: Points,
    /// Crucial stones.
    crucial: Points,
    turn: Turn,
    ban: u8,
    /// Ko threats left to the side against whom something is to be shown.
    threats: u8,
    /// Where a stone of the defender is out.
    exit: Points,
    /// Where a stone of the defender is answered elsewhere, so that he moves again.
    answered: Points,
    /// Crucial stones are out.
    has_escaped: bool,
    /// Of the eight sets.
    hash: u64,
}

/// The kinds of sets in a position's hash.
const KINDS: usize = 8;
const POINT: usize = 0;
const WALL: usize = 1;
const BORDER: usize = 2;
const ATTACKER: usize = 3;
const DEFENDER: usize = 4;
const CRUCIAL: usize = 5;
const EXIT: usize = 6;
const ANSWERED: usize = 7;

pub struct LocalFights {
    /// By hash: the key, its last bit for death.
    memory: Vec<u64>,
    keys: Vec<[u64; KINDS]>,
    path: Vec<u64>,
    open: Vec<(Position, u64)>,
    aim: Aim,
    /// The cells of the local fight in question, and which are next to each other.
    cells: [Cell; LARGEST],
    near: [Points; LARGEST],
    /// Positions that may still be looked at.
    left: u32,
}

impl Default for LocalFights {
    fn default() -> Self {
        LocalFights {
            memory: vec![0; REMEMBERED],
            keys: (0..128).map(|cell| std::array::from_fn(|kind| mix(&[cell, kind as u64]))).collect(),
            path: Vec::new(),
            open: Vec::new(),
            aim: Aim::Death,
            cells: [0; LARGEST],
            near: [0; LARGEST],
            left: 0,
        }
    }
}

/// Where a fight takes place.
#[derive(Clone, Copy)]
pub struct Ground {
    pub points: Set,
    /// Where a stone of the defender is out.
    pub exit: Set,
}

impl Ground {
    /// All points that room for eyes, or a way out, is joined to.
    pub fn whole(rules: &Rules, state: &State, arena: Set, room: Set, last: Set) -> Ground {
        let exits = rules.exits(state);
        let points = rules.grid.flood(room | exits & arena, arena & !last);
        Ground { points, exit: exits & points }
    }
}

/// Where the defender could step out, to be stopped by one answer.
fn steps_out(rules: &Rules, state: &State) -> Set {
    rules.grid.answered & rules.empty(state) & !state.stopped()
}

impl LocalFights {
    /// Which of some aims can be shown of the chain `last` by its local fight, with little effort? A death only where
    /// nothing leads out but points of the fight.
    pub fn show(
        &mut self,
        rules: &Rules,
        state: &State,
        ground: Ground,
        room: Set,
        last: Set,
        aims: &[Aim],
    ) -> Option<Aim> {
        let Ground { points, exit } = ground;
        let is_within = |aim: &Aim| {
            let reach = aim.reach(exit != 0);
            // The attacker's move takes some room away.
            let spare = u32::from(state.attacker_moves && *aim == Aim::Death);
            points.count_ones() <= reach.points && reach.room.contains(&room.count_ones().saturating_sub(spare))
        };
        let mut aims = aims.iter().copied().filter(is_within).peekable();
        aims.peek()?;
        let grid = &rules.grid;
        let (wall, border) = (points & (grid.wall | grid.beside(state.safe())), points & grid.beside(last));
        let crucial = state.crucial & points;
        // Who lives does not ask for a way out.
        let answered = if aims.peek() == Some(&Aim::Death) { steps_out(rules, state) & points } else { 0 };
        let stones = [state.attacker & points, state.defender & points];
        let sets = [points, wall, border, stones[0], stones[1], crucial, exit, answered];
        let sum = |(kind, set): (usize, &Set)| cells(*set).fold(0, |h, cell| h ^ self.keys[cell as usize][kind]);
        let hash = sets.iter().enumerate().map(sum).fold(0, |h, sum| h ^ sum) ^ mix(&[grid.stride().into()]);
        aims.find(|&aim| self.shows(rules, state, sets, hash, aim))
    }

    fn shows(&mut self, rules: &Rules, state: &State, sets: [Set; KINDS], hash: u64, aim: Aim) -> bool {
        let is_life = aim == Aim::Life;
        let turn = match state.attacker_moves {
            false => Turn::Defender,
            true if is_life => Turn::AttackerAtLast,
            true => Turn::Attacker,
        };
        let has_threats = rules.ko == if is_life { Ko::Attacker } else { Ko::Defender };
        let points = sets[POINT];
        // Steps out elsewhere are as good as threats.
        let steps_out = if is_life { 0 } else { steps_out(rules, state) & rules.arena(state) & !points };
        let threats = if has_threats { state.threats } else { 0 } + steps_out.count_ones() as u8;
        let ban = if state.ban != NOWHERE && points >> state.ban & 1 != 0 { state.ban } else { NOWHERE };
        let key = key(hash, turn, ban, threats, aim);
        if let Some(dead) = self.remembered(key) {
            return dead != is_life;
        }
        self.left = aim.reach(sets[EXIT] != 0).positions;
        self.aim = aim;
        self.survey(&rules.grid, points);
        let numbers = |set: Set| {
            let mut numbers = 0;
            for (i, cell) in cells(points).enumerate() {
                numbers |= Points::from(set >> cell & 1 != 0) << i;
            }
            numbers
        };
        let [points, wall, border, attacker, defender, crucial, exit, answered] = sets.map(numbers);
        let ban =
            self.cells.iter().take(points.count_ones() as usize).position(|&c| c == ban).map_or(NONE, |i| i as u8);
        let position = Position {
            points,
            wall,
            border,
            attacker,
            defender,
            crucial,
            turn,
            ban,
            threats,
            exit,
            answered,
            has_escaped: false,
            hash,
        };
        let dead = self.look(&position, key);
        if dead == is_life {
            // Not to be tried again, even if it was broken off.
            self.remember(key, dead);
        }
        dead != is_life
    }

    fn survey(&mut self, grid: &Grid, points: Set) {
        for (i, cell) in cells(points).enumerate() {
            self.cells[i] = cell;
            let around = grid.beside(1 << cell);
            self.near[i] = 0;
            for (j, other) in cells(points).enumerate() {
                self.near[i] |= Points::from(around >> other & 1 != 0) << j;
            }
        }
    }

    #[inline(always)]
    fn remembered(&self, key: u64) -> Option<bool> {
        let memory = self.memory[place(key)];
        (memory | 1 == key).then_some(memory & 1 != 0)
    }

    #[inline(always)]
    fn remember(&mut self, key: u64, dead: bool) {
        self.memory[place(key)] = key & !u64::from(!dead);
    }

    #[inline(always)]
    fn beside(&self, set: Points) -> Points {
        bits(set).fold(0, |around, i| around | self.near[i])
    }

    #[inline(always)]
    fn flood(&self, set: Points, within: Points) -> Points {
        let mut filled = set & within;
        let mut rest = filled;
        while rest != 0 {
            let new = self.near[rest.trailing_zeros() as usize & 15] & within & !filled;
            filled |= new;
            rest = rest & (rest - 1) | new;
        }
        filled
    }

    fn sum(&self, set: Points, kind: usize) -> u64 {
        bits(set).fold(0, |h, i| h ^ self.keys[self.cells[i] as usize & 127][kind])
    }

    fn key(&self, position: &Position) -> u64 {
        let ban = if position.ban == NONE { NOWHERE } else { self.cells[position.ban as usize] };
        key(position.hash, position.turn, ban, position.threats, self.aim)
    }

    /// Is the chain dead? What cannot be shown counts as the opposite of the aim.
    fn look(&mut self, position: &Position, key: u64) -> bool {
        let unknown = self.aim == Aim::Life;
        if self.left == 0 || self.path.len() >= DEEPEST || self.path.contains(&key) {
            return unknown;
        }
        self.left -= 1;
        self.path.push(key);
        let base = self.open.len();
        let dead = self.search(position, base);
        self.open.truncate(base);
        self.path.pop();
        if dead != unknown || self.left > 0 {
            self.remember(key, dead);
        }
        dead
    }

    fn search(&mut self, position: &Position, base: usize) -> bool {
        let empty = position.empty();
        let defends = position.turn == Turn::Defender;
        let at_last = position.turn == Turn::AttackerAtLast;
        let liberties = empty & position.border;
        if at_last
            && liberties & liberties.wrapping_sub(1) == 0
            && (self.aim == Aim::Life || position.crucial == 0 && liberties.trailing_zeros() != u32::from(position.ban))
        {
            return true;
        }
        let waits =
            Position { turn: if defends { Turn::AttackerAtLast } else { Turn::Defender }, ban: NONE, ..*position };
        if defends && let Some(dead) = self.note(waits, defends) {
            return dead;
        }
        // Those that take room away first.
        let near = self.beside(position.points & !position.wall);
        for set in [empty & position.wall & near, empty & !position.wall, empty & position.wall & !near] {
            for i in bits(set) {
                let next = if defends { self.defend(position, i) } else { self.attack(position, i) };
                if let Some(next) = next
                    && let Some(dead) = self.note(next, defends)
                {
                    return dead;
                }
            }
        }
        if !defends
            && (!at_last || position.ban != NONE)
            && let Some(dead) = self.note(waits, defends)
        {
            return dead;
        }
        let mut kept = base;
        for i in base..self.open.len() {
            match self.remembered(self.open[i].1) {
                Some(dead) if dead != defends => return dead,
                Some(_) => {}
                None => {
                    self.open[kept] = self.open[i];
                    kept += 1;
                }
            }
        }
        self.open.truncate(kept);
        for i in base..kept {
            let (next, key) = self.open[i];
            if self.look(&next, key) != defends {
                return !defends;
            }
        }
        defends
    }

    /// Keeps a position to be looked at, unless it can be judged at sight. The judgement, if it decides.
    #[inline(always)]
    fn note(&mut self, next: Position, defends: bool) -> Option<bool> {
        match self.at_sight(&next) {
            Some(dead) => (dead != defends).then_some(dead),
            None => {
                let key = self.key(&next);
                fetch(&self.memory[place(key)]);
                self.open.push((next, key));
                None
            }
        }
    }

    #[inline]
    fn at_sight(&self, position: &Position) -> Option<bool> {
        if position.has_escaped {
            return Some(false);
        }
        if self.is_one_eye(position) && (position.exit == 0 || !self.may_get_out(position)) {
            return Some(true);
        }
        (position.turn != Turn::Attacker && self.has_two_eyes(position)).then_some(false)
    }

    /// Is there a way from crucial stones to an exit that no safe stone of the attacker closes?
    fn may_get_out(&self, position: &Position) -> bool {
        self.flood(position.border | position.crucial, position.points) & position.exit != 0
    }

    /// See [`super::life::is_one_eye`].
    #[inline]
    fn is_one_eye(&self, position: &Position) -> bool {
        let room = position.points & !position.wall;
        match room.count_ones() {
            0 | 1 => true,
            2 => self.near[room.trailing_zeros() as usize & 15] & room != 0,
            3 => {
                let middle = bits(room).find(|&i| self.near[i] & room == room & !(1 << i));
                let may_play = position.turn != Turn::Defender && position.ban == NONE;
                let stones = position.attacker | position.defender;
                middle.is_some_and(|i| position.attacker >> i & 1 != 0 || may_play && room & stones == 0)
            }
            _ => false,
        }
    }

    /// Two closed parts, each point of which is a liberty of the chain around.
    fn has_two_eyes(&self, position: &Position) -> bool {
        let empty = position.empty();
        let no_eye = position.wall | position.defender | empty & !position.border;
        let mut rest = empty & !no_eye;
        let mut eyes = 0;
        while rest != 0 {
            let part = self.flood(rest & rest.wrapping_neg(), position.points);
            rest &= !part;
            eyes += u32::from(part & no_eye == 0);
        }
        eyes >= 2
    }

    #[inline]
    fn attack(&self, position: &Position, i: usize) -> Option<Position> {
        let mut next = *position;
        if i == position.ban as usize {
            next.threats = position.threats.checked_sub(1).filter(|_| self.aim == Aim::Life)?;
        }
        let bit: Points = 1 << i;
        let empty = position.empty() & !bit;
        let taken = self.taken(i, position.defender, empty, position.exit);
        next.attacker |= bit;
        let chain = self.flood(bit, next.attacker);
        let liberties = self.beside(chain) & (empty | taken);
        let is_safe = chain & position.wall != 0;
        if liberties == 0 && !is_safe {
            return None;
        }
        let is_ko = chain == bit && taken & taken.wrapping_sub(1) == 0 && liberties == taken && !is_safe;
        next.ban = if is_ko { taken.trailing_zeros() as u8 } else { NONE };
        next.turn = Turn::Defender;
        next.defender &= !taken;
        next.hash ^= self.sum(bit, ATTACKER) ^ self.sum(taken, DEFENDER) ^ self.sum(position.crucial & taken, CRUCIAL);
        next.crucial &= !taken;
        if is_safe {
            next.hash ^= self.sum(chain, ATTACKER) ^ self.left_out(position, chain);
            next.attacker &= !chain;
            next.points &= !chain;
            next.border &= !chain;
            next.exit &= !chain;
            next.answered &= !chain;
            next.wall = (position.wall | self.beside(chain)) & next.points;
            next.hash ^= self.sum(next.wall & !position.wall, WALL);
        }
        Some(next)
    }

    #[inline]
    fn defend(&self, position: &Position, i: usize) -> Option<Position> {
        let mut next = *position;
        if i == position.ban as usize {
            next.threats = position.threats.checked_sub(1).filter(|_| self.aim == Aim::Death)?;
        }
        let bit: Points = 1 << i;
        let empty = position.empty() & !bit;
        let taken = self.taken(i, position.attacker, empty, 0);
        next.defender |= bit;
        let chain = self.flood(bit, next.defender);
        let liberties = self.beside(chain) & (empty | taken);
        let joins = chain & position.border != 0;
        let is_out = chain & position.exit != 0;
        let is_life = self.aim == Aim::Life;
        if liberties == 0 && !is_out && !(joins && (!is_life || position.border & (empty | taken) != 0)) {
            return None;
        }
        let is_ko = chain == bit && taken & taken.wrapping_sub(1) == 0 && liberties == taken && !joins && !is_out;
        next.ban = if is_ko { taken.trailing_zeros() as u8 } else { NONE };
        next.turn = if is_life { Turn::AttackerAtLast } else { Turn::Attacker };
        if bit & position.answered != 0 {
            (next.turn, next.ban) = (Turn::Defender, NONE);
        }
        next.attacker &= !taken;
        next.hash ^= self.sum(bit, DEFENDER) ^ self.sum(taken, ATTACKER);
        next.has_escaped = is_out && (joins || chain & position.crucial != 0);
        if joins {
            next.hash ^= self.sum(chain, DEFENDER) ^ self.sum(position.crucial & chain, CRUCIAL);
            next.hash ^= self.left_out(position, chain);
            next.defender &= !chain;
            next.crucial &= !chain;
            next.points &= !chain;
            next.wall &= !chain;
            next.exit &= !chain;
            next.answered &= !chain;
            next.border = (position.border | self.beside(chain)) & next.points;
            next.hash ^= self.sum(next.border & !position.border, BORDER);
        } else if chain & position.crucial != 0 {
            next.crucial |= chain;
            next.hash ^= self.sum(chain & !position.crucial, CRUCIAL);
        }
        Some(next)
    }

    /// What a chain that is no part of the local fight any more takes from the hash, but for its stones.
    fn left_out(&self, position: &Position, chain: Points) -> u64 {
        let exit = self.sum(chain & position.exit, EXIT) ^ self.sum(chain & position.answered, ANSWERED);
        let places = self.sum(chain & position.wall, WALL) ^ self.sum(chain & position.border, BORDER);
        self.sum(chain, POINT) ^ places ^ exit
    }

    /// The chains next to a new stone that it takes; none that stands on a point of `kept`.
    #[inline]
    fn taken(&self, i: usize, stones: Points, empty: Points, kept: Points) -> Points {
        let mut taken = 0;
        let mut rest = self.near[i] & stones;
        while rest != 0 {
            let chain = self.flood(rest & rest.wrapping_neg(), stones);
            rest &= !chain;
            if self.beside(chain) & empty == 0 && chain & kept == 0 {
                taken |= chain;
            }
        }
        taken
    }
}

impl Position {
    #[inline(always)]
    fn empty(&self) -> Points {
        self.points & !(self.attacker | self.defender)
    }
}

#[inline(always)]
fn key(hash: u64, turn: Turn, ban: Cell, threats: u8, aim: Aim) -> u64 {
    let rest = u64::from(ban) << 16 | u64::from(threats) << 8 | (aim as u64) << 4 | turn as u64;
    (hash ^ (rest + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
}

#[inline(always)]
fn place(key: u64) -> usize {
    (key >> 8) as usize & (REMEMBERED - 1)
}

/// The numbers in a set, lowest first.
#[inline(always)]
fn bits(set: Points) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let i = rest.trailing_zeros() as usize & 15;
            rest &= rest - 1;
            i
        })
    })
}
