//! The fast answers to the questions of `features`. What concerns the whole position (distances, regions, ladders) is found once;
//! a move then looks at its four neighbours.

use super::features::*;
use super::grid::{LEN, NEIGHBOURS, Place, place_of, step, xy};
use super::ladder;
use super::survey::{EMPTY, ENEMY, OFF, OWN, Survey};
use crate::base::Point;
use crate::game::go::Board;

/// What a ladder does to a chain of one or two liberties when the side to play moves on one of them.
#[derive(Clone, Copy, Default)]
struct Ladder {
    /// Own chain of two liberties: the opponent could catch it.
    threatened: bool,
    /// Enemy chain of two liberties: an atari on the first or the second of them catches it.
    catches: [bool; 2],
    /// Own chain in atari: it is caught after running.
    caught: bool,
}

pub struct Tactics {
    pub survey: Survey,
    pub last: usize,
    previous: usize,
    fate: [Option<Box<[u8; LEN]>>; 2],
    ladders: Vec<Ladder>,
    /// The answer about the region of each place.
    regions: [u8; LEN],
    stage: usize,
    passes: bool,
}

/// Liberties of a chain that a move makes are counted up to this.
const ENOUGH: usize = 5;

impl Tactics {
    pub fn new<const W: usize, const P: usize>(board: &Board<W, P>, last: [Point; 2]) -> Tactics {
        let survey = Survey::new(board);
        let [last, previous] = last.map(|p| place_of(survey.places, p));
        let fate = [last, previous].map(|place| (place != 0).then(|| fate_distances(&survey, place)));
        Tactics {
            last,
            previous,
            fate,
            ladders: ladders(board, &survey),
            regions: regions(&survey),
            stage: (10 * survey.stones / survey.size.area()).min(STAGES - 1),
            passes: board.passes() > 0,
            survey,
        }
    }

    /// The answers about a legal move.
    pub fn answers(&self, p: Point) -> Answers {
        let mut answers = Answers::default();
        if p.is_pass() {
            answers[PASS] = 1 + self.passes as u8;
            return answers;
        }
        let place = place_of(self.survey.places, p);
        self.where_it_is(place, &mut answers);
        self.what_it_does(place, &mut answers);
        answers
    }

    fn where_it_is(&self, place: usize, answers: &mut Answers) {
        let n = self.survey.size.n();
        let (x, y) = xy(place);
        let line = x.min(n - 1 - x).min(y.min(n - 1 - y));
        answers[LINE] = (1 + self.stage * LINES + line.min(LINES - 1)) as u8;
        for (i, from) in [self.last, self.previous].into_iter().enumerate() {
            if from != 0 {
                answers[[LAST, PREVIOUS][i]] = far(place, from) as u8;
            }
            if let Some(fate) = &self.fate[i] {
                answers[[FATE_LAST, FATE_PREVIOUS][i]] = fate[place];
            }
        }
        answers[REGION] = self.regions[place];
    }

    fn what_it_does(&self, place: usize, answers: &mut Answers) {
        let survey = &self.survey;
        let (around, count) = survey.chains_around(place);
        let around = &around[..count];
        // The largest chain of each kind beside the move, 0 for none.
        let (mut in_atari, mut own_two, mut own_three, mut enemy_two) = (0, 0, 0, 0);
        let mut pressed = [0; 2];
        let (mut own, mut enemies, mut taken) = (0, 0, 0);
        let mut takes_last = false;
        let larger = |best: &mut u16, number: u16| {
            if *best == 0 || survey.chain(number).size() > survey.chain(*best).size() {
                *best = number;
            }
        };
        for &number in around {
            let chain = survey.chain(number);
            let liberties = chain.liberties();
            if chain.color == OWN {
                own += 1;
                match liberties {
                    1 => larger(&mut in_atari, number),
                    2 => larger(&mut own_two, number),
                    3 => larger(&mut own_three, number),
                    _ => (),
                }
            } else {
                enemies += 1;
                match liberties {
                    1 => {
                        taken += chain.size();
                        takes_last |= survey.chain_number(self.last) == number;
                    }
                    2 => larger(&mut enemy_two, number),
                    3 => larger(&mut pressed[0], number),
                    4 => larger(&mut pressed[1], number),
                    _ => (),
                }
            }
        }
        let frees = taken > 0 && around.iter().any(|&n| self.frees(n));
        let (stones, liberties) = self.after(place, around);
        let class = |number: u16| size_class(survey.chain(number).size());

        if taken > 0 {
            let kind = 2 * frees as usize + takes_last as usize;
            answers[CAPTURE] = (1 + kind * SIZES + size_class(taken)) as u8;
        }
        if in_atari != 0 {
            let kind = match liberties {
                0 | 1 => 0,
                2 if taken == 0 && self.ladders[in_atari as usize].caught => 1,
                n => n.min(4),
            };
            answers[SAVE] = (1 + kind * SIZES + class(in_atari)) as u8;
        }
        if enemy_two != 0 {
            let ladder = &self.ladders[enemy_two as usize];
            let which = survey.liberties_of(enemy_two).iter().position(|&l| l as usize == place).unwrap_or(0);
            let kind = 2 * ladder.catches[which & 1] as usize + (liberties == 1) as usize;
            answers[ATARI] = (1 + kind * SIZES + class(enemy_two)) as u8;
        }
        if liberties == 1 {
            answers[SELF_ATARI] = (1 + (taken > 0) as usize * SIZES + size_class(stones)) as u8;
        }
        if own_two != 0 {
            let threatened = self.ladders[own_two as usize].threatened as usize;
            let kind = 3 * threatened + liberties.clamp(2, 4) - 2;
            answers[OWN_TWO] = (1 + kind * SIZES + class(own_two)) as u8;
        }
        if own_three != 0 {
            answers[OWN_THREE] = (1 + (liberties.clamp(3, 5) - 3) * SIZES + class(own_three)) as u8;
        }
        if let Some(i) = (0..2).find(|&i| pressed[i] != 0) {
            answers[PRESS] = (1 + i * SIZES + class(pressed[i])) as u8;
        }
        answers[KO] = if taken == 1 && stones == 1 && liberties == 1 {
            1
        } else if survey.ko != 0 {
            3 - (taken > 0 || enemy_two != 0) as u8
        } else {
            0
        };
        answers[JOIN] = (own * 5 + enemies) as u8;
        self.answer_and_pursue(around, answers);
    }

    /// Is a chain of one's own in atari next to an enemy chain in atari that this move takes? Asked of enemy chains.
    fn frees(&self, number: u16) -> bool {
        let survey = &self.survey;
        let chain = survey.chain(number);
        chain.color == ENEMY
            && chain.liberties() == 1
            && survey.stones_of(number).iter().any(|&stone| {
                NEIGHBOURS.iter().any(|&by| {
                    let beside = survey.chain(survey.chain_number(step(stone as usize, by)));
                    beside.color == OWN && beside.liberties() == 1
                })
            })
    }

    /// Stones and liberties, the latter up to `ENOUGH`, of the chain that a move makes.
    fn after(&self, place: usize, around: &[u16]) -> (usize, usize) {
        let survey = &self.survey;
        let mut found = [0; ENOUGH];
        let mut liberties = 0;
        let mut stones = 1;
        let mut add = |p: usize, liberties: &mut usize| {
            if *liberties < ENOUGH && p != place && !found[..*liberties].contains(&p) {
                found[*liberties] = p;
                *liberties += 1;
            }
        };
        for by in NEIGHBOURS {
            let beside = step(place, by);
            if survey.cells[beside] == EMPTY {
                add(beside, &mut liberties);
            }
        }
        for &number in around {
            let chain = survey.chain(number);
            if chain.color == OWN {
                stones += chain.size();
                survey.liberties_of(number).iter().for_each(|&p| add(p as usize, &mut liberties));
            } else if chain.liberties() == 1 {
                for &stone in survey.stones_of(number) {
                    let is_liberty = NEIGHBOURS.iter().any(|&by| {
                        let beside = step(stone as usize, by);
                        beside == place || {
                            let other = survey.chain_number(beside);
                            other != 0 && survey.chain(other).color == OWN && around.contains(&other)
                        }
                    });
                    if is_liberty {
                        add(stone as usize, &mut liberties);
                    }
                }
            }
        }
        (stones, liberties)
    }

    fn answer_and_pursue(&self, around: &[u16], answers: &mut Answers) {
        let survey = &self.survey;
        let last_chain = survey.chain_number(self.last);
        if last_chain == 0 {
            return;
        }
        if around.contains(&last_chain) {
            answers[PURSUE] = survey.chain(last_chain).liberties().min(4) as u8;
        }
        let weakest = around.iter().filter(|&&number| {
            survey.chain(number).color == OWN
                && NEIGHBOURS.iter().any(|&by| survey.chain_number(step(self.last, by)) == number)
        });
        answers[ANSWER] = weakest.map(|&n| survey.chain(n).liberties().min(4)).min().unwrap_or(0) as u8;
    }
}

/// dx + dy + max(dx, dy), less 1, up to `FAR - 1`.
#[inline(always)]
fn far(a: usize, b: usize) -> usize {
    let ((ax, ay), (bx, by)) = (xy(a), xy(b));
    let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
    (dx + dy + dx.max(dy)).clamp(2, FAR) - 1
}

/// Steps from a place to every other, where all stones of a chain are one point; up to `FAR_FATE`.
fn fate_distances(survey: &Survey, from: usize) -> Box<[u8; LEN]> {
    let mut distances = Box::new([0u8; LEN]);
    let mut reached = [false; LEN];
    let mut front = Vec::with_capacity(survey.size.area());
    let enter = |place: usize, reached: &mut [bool; LEN], front: &mut Vec<Place>| {
        let number = survey.chain_number(place);
        match number {
            0 => {
                reached[place] = true;
                front.push(place as Place);
            }
            _ => survey.stones_of(number).iter().for_each(|&stone| {
                reached[stone as usize] = true;
                front.push(stone);
            }),
        }
    };
    enter(from, &mut reached, &mut front);
    let mut next = 0;
    let mut distance = 0;
    while next < front.len() {
        distance = (distance + 1).min(FAR_FATE as u8);
        let end = front.len();
        for i in next..end {
            for by in NEIGHBOURS {
                let place = step(front[i] as usize, by);
                if survey.cells[place] != OFF && !reached[place] {
                    let before = front.len();
                    enter(place, &mut reached, &mut front);
                    front[before..].iter().for_each(|&p| distances[p as usize] = distance);
                }
            }
        }
        next = end;
    }
    distances
}

fn ladders<const W: usize, const P: usize>(board: &Board<W, P>, survey: &Survey) -> Vec<Ladder> {
    let mut ladders = vec![Ladder::default(); survey.chain_count() + 1];
    let mut turned = None;
    for number in 1..=survey.chain_count() as u16 {
        let chain = survey.chain(number);
        let prey = survey.point(survey.stones_of(number)[0] as usize);
        let ladder = &mut ladders[number as usize];
        match (chain.color, survey.liberties_of(number)) {
            // Out of reach at once or still in atari: no ladder to read.
            (OWN, &[run]) if liberties_after_running(survey, number, run as usize, 0) == 2 => {
                let run = survey.point(run as usize);
                if board.is_legal(run) {
                    let mut next = board.clone();
                    next.play(run);
                    ladder.caught = ladder::is_caught(&next, prey);
                }
            }
            (OWN, &[a, b]) => {
                let [a, b] = [a as usize, b as usize];
                if may_catch(survey, number, a, b, ENEMY) || may_catch(survey, number, b, a, ENEMY) {
                    let board = turned.get_or_insert_with(|| {
                        let mut board = board.clone();
                        board.set_to_play(board.to_play().opponent());
                        board
                    });
                    ladder.threatened = ladder::is_caught(board, prey);
                }
            }
            (ENEMY, &[a, b]) => {
                for (i, (hit, run)) in [(a, b), (b, a)].into_iter().enumerate() {
                    let p = survey.point(hit as usize);
                    if may_catch(survey, number, hit as usize, run as usize, OWN) && board.is_legal(p) {
                        let mut next = board.clone();
                        next.play(p);
                        ladder.catches[i] = ladder::is_caught_running(&next, prey);
                    }
                }
            }
            _ => (),
        }
    }
    ladders
}

/// Could a chain of two liberties be caught by an atari on one of them? False only if it surely gets three by running to the
/// other, unless the atari takes something.
fn may_catch(survey: &Survey, number: u16, hit: usize, run: usize, attacker: u8) -> bool {
    let takes = NEIGHBOURS.iter().any(|&by| {
        let beside = survey.chain_number(step(hit, by));
        beside != 0 && survey.chain(beside).color != attacker && survey.chain(beside).liberties() == 1
    });
    takes || liberties_after_running(survey, number, run, hit) < 3
}

/// Liberties, up to 3, that a chain has after it runs to one of them, with another one filled by the enemy (0 for none); what it
/// takes on the way is not counted.
fn liberties_after_running(survey: &Survey, number: u16, run: usize, filled: usize) -> usize {
    let color = survey.chain(number).color;
    let mut found = [0; 3];
    let mut count = 0;
    let mut add = |p: usize| {
        if count < 3 && p != run && p != filled && !found[..count].contains(&p) {
            found[count] = p;
            count += 1;
        }
    };
    survey.liberties_of(number).iter().for_each(|&p| add(p as usize));
    for by in NEIGHBOURS {
        let beside = step(run, by);
        let other = survey.chain_number(beside);
        if survey.cells[beside] == EMPTY {
            add(beside);
        } else if other != 0 && survey.chain(other).color == color {
            survey.liberties_of(other).iter().for_each(|&p| add(p as usize));
        }
    }
    count
}

/// The answers about the empty places of small regions that touch one colour only.
fn regions(survey: &Survey) -> [u8; LEN] {
    let mut answers = [0; LEN];
    let mut seen = [false; LEN];
    for number in 1..=survey.chain_count() as u16 {
        for &liberty in survey.liberties_of(number) {
            if !seen[liberty as usize] {
                region(survey, liberty as usize, &mut seen, &mut answers);
            }
        }
    }
    answers
}

fn region(survey: &Survey, start: usize, seen: &mut [bool; LEN], answers: &mut [u8; LEN]) {
    let mut points = [0; LARGEST_REGION + 1];
    points[0] = start;
    let (mut next, mut end) = (0, 1);
    let mut touched = [false; 2];
    while next < end && end <= LARGEST_REGION {
        for by in NEIGHBOURS {
            let place = step(points[next], by);
            match survey.cells[place] {
                OFF => (),
                EMPTY => {
                    if end <= LARGEST_REGION && !points[..end].contains(&place) {
                        points[end] = place;
                        end += 1;
                    }
                }
                color => touched[(color == ENEMY) as usize] = true,
            }
        }
        next += 1;
    }
    points[..end].iter().for_each(|&p| seen[p] = true);
    if end > LARGEST_REGION || touched[0] == touched[1] {
        return;
    }
    let inside = |p: usize| NEIGHBOURS.iter().filter(|&&by| points[..end].contains(&step(p, by))).count();
    let most = points[..end].iter().map(|&p| inside(p)).max().unwrap_or(0);
    let is_alone = points[..end].iter().filter(|&&p| inside(p) == most).count() == 1;
    for &p in &points[..end] {
        let is_middle = is_alone && inside(p) == most;
        let kind = 2 * touched[1] as usize + is_middle as usize;
        answers[p] = (1 + kind * LARGEST_REGION + end - 1) as u8;
    }
}
