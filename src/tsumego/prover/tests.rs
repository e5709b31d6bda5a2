use super::check::{Judgement, verify};
use super::dfpn::{Budget, Memory, Search};
use super::grid::{NOWHERE, Outside, cells};
use super::local_fight::{Aim, Ground, LocalFights};
use super::move_order::{self, Sight};
use super::state::Ko;
use super::{Beyond, Limits, Prover, Question, find, life, slow};
use crate::base::{Black, Point, Rng, Size, White};
use crate::turn::Turn;
use std::sync::atomic::AtomicBool;

/// A random enclosed position: a region in a corner or at a side with at most `most` empty points.
pub fn random_question(rng: &mut Rng, most: usize) -> Option<Question> {
    let size = Size::new(7)?;
    let wanted = 8 + rng.below(14) as usize;
    let mut region: Vec<Point> = vec![if rng.below(3) == 0 { size.point(3, 0) } else { size.point(0, 0) }];
    while region.len() < wanted {
        let from = region[rng.below(region.len() as u32) as usize];
        let around: Vec<Point> = size.neighbours(from).collect();
        let p = around[rng.below(around.len() as u32) as usize];
        let (x, y) = size.xy(p);
        if x < 6 && y < 4 && !region.contains(&p) {
            region.push(p);
        }
    }
    // Mostly a ring of defenders around some room, with stones in it that part it into eyes: other fillings are nearly all
    // dead.
    let ring = rng.below(6) != 0;
    let shares = [2 + rng.below(6), rng.below(4)];
    let parts = rng.below(4);
    let mut stones = Vec::new();
    for &p in &region {
        let at_wall = size.neighbours(p).any(|q| !region.contains(&q));
        match rng.below(10) {
            0..9 if ring && at_wall => stones.push((p, White)),
            k if ring && k < parts => stones.push((p, White)),
            3..9 if ring => {}
            k if k < shares[0] => stones.push((p, White)),
            k if k < shares[0] + shares[1] => stones.push((p, Black)),
            _ => {}
        }
    }
    let white: Vec<Point> = stones.iter().filter(|s| s.1 == White).map(|s| s.0).collect();
    if white.is_empty() || region.len() - stones.len() > most {
        return None;
    }
    // One stone, some, or all of them.
    let share = [0, 3, 10][rng.below(3) as usize];
    let sure = rng.below(white.len() as u32) as usize;
    let mut crucial = vec![white[sure]];
    crucial.extend(white.iter().filter(|&&p| p != white[sure] && rng.below(10) < share));
    let to_play = if rng.below(2) == 0 { Black } else { White };
    let question = Question {
        size,
        stones,
        attacker: Black,
        to_play,
        crucial,
        region,
        kept: Vec::new(),
        beyond: Beyond::Attackers,
    };
    has_liberties(&question).then_some(question)
}

fn has_liberties(question: &Question) -> bool {
    let Some((rules, state)) = question.start(Ko::Nobody) else { return false };
    let empty = rules.empty(&state);
    let free = |stones: u128, start: u128| {
        let chain = rules.grid.flood(start, stones);
        rules.grid.beside(chain) & empty != 0
    };
    cells(state.defender).all(|c| free(state.defender, 1 << c))
        && cells(state.attacker & !state.safe()).all(|c| free(state.attacker, 1 << c))
}

fn picture(question: &Question) -> String {
    let size = question.size;
    let mut text = format!("{} to play, attacker {}\n", question.to_play, question.attacker);
    for y in size.rows_from_top() {
        for x in 0..size.n() {
            let p = size.point(x, y);
            let stone = question.stones.iter().find(|s| s.0 == p).map(|s| s.1);
            text.push_str(match (question.region.contains(&p), stone) {
                (false, _) => match (question.outside(p), stone) {
                    (Outside::Wall, _) => " #",
                    (Outside::Friend, _) => " o",
                    (Outside::Open, _) => " ,",
                },
                (_, None) => " .",
                (_, Some(Black)) => " X",
                (_, Some(White)) if question.crucial.contains(&p) => " @",
                (_, Some(White)) => " O",
            });
        }
        text.push('\n');
    }
    text
}

/// The same with stones of both colours and open space beyond the region.
fn random_open_question(rng: &mut Rng, most: usize) -> Option<Question> {
    let mut question = random_question(rng, most)?;
    // A fence with few gaps, or anything.
    let (walls, friends) = if rng.below(2) == 0 { (8, 0) } else { (rng.below(10), rng.below(4)) };
    for p in question.size.points().filter(|p| !question.region.contains(p)) {
        match rng.below(10) {
            k if k < friends => question.stones.push((p, White)),
            k if k < friends + walls => question.stones.push((p, Black)),
            _ => {}
        }
    }
    question.beyond = match rng.below(3) {
        0 => Beyond::Strong,
        1 => Beyond::Guarded,
        _ => Beyond::Open,
    };
    has_liberties(&question).then_some(question)
}

/// A question as it looks when the board is turned.
fn turned(question: &Question, turn: Turn) -> Question {
    let at = |p: &Point| turn.point(question.size, *p);
    Question {
        stones: question.stones.iter().map(|(p, color)| (at(p), *color)).collect(),
        crucial: question.crucial.iter().map(at).collect(),
        region: question.region.iter().map(at).collect(),
        ..question.clone()
    }
}

/// So many positions are compared; a longer look is asked for by the environment.
fn tries(usual: usize) -> usize {
    std::env::var("MOKU_PROVER_TRIES").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn the_prover_agrees_with_plain_enumeration_about_stones_that_may_get_out_however_the_board_lies() {
    let tries = tries(300);
    let mut rng = Rng::new(17);
    let stop = AtomicBool::new(false);
    let mut memory = Memory::new(4);
    let (mut compared, mut wins, mut escapes, mut kos, mut races, mut stops) = (0, 0, 0, 0, 0, 0);
    while compared < tries {
        let Some(question) = random_open_question(&mut rng, 7) else { continue };
        let (rules, state) = question.start(Ko::Nobody).unwrap();
        if state.has_escaped() || rules.arena(&state) & rules.grid.exit == 0 && rng.below(8) > 0 {
            continue;
        }
        // Half of them with a place where one answer stops who steps out.
        let has_stops = rules.arena(&state) & rules.grid.answered & rules.empty(&state) != 0;
        if !has_stops && 2 * (compared - stops) >= tries {
            continue;
        }
        let mut answers = Vec::new();
        for ko in [Ko::Attacker, Ko::Nobody, Ko::Defender] {
            let Some(slow) = slow::attacker_wins(&question, ko, 40_000) else { break };
            for turn in Turn::all() {
                let question = turned(&question, turn);
                let (rules, state) = question.start(ko).unwrap();
                memory.table.clear();
                let budget = Budget { nodes: 3_000_000, deadline: None, stop: &stop };
                let fast = Search::new(&rules, &mut memory, budget).solve(&state);
                assert_eq!(fast, Some(slow), "{ko:?} {turn:?}\n{}", picture(&question));
            }
            answers.push(slow);
        }
        if answers.len() < 3 {
            continue;
        }
        compared += 1;
        wins += usize::from(answers[1]);
        kos += usize::from(answers[0] != answers[2]);
        races += usize::from(question.beyond == Beyond::Strong);
        stops += usize::from(has_stops);
        let shut_in = Question { beyond: Beyond::Attackers, ..question.clone() };
        let Some(dies) = slow::attacker_wins(&shut_in, Ko::Nobody, 80_000) else { continue };
        assert!(dies || !answers[1], "what lives among walls lives in the open\n{}", picture(&question));
        escapes += usize::from(dies && !answers[1]);
    }
    let counts = [wins, escapes, kos, races, stops];
    let few = counts.into_iter().zip([10, 20, 500, 20, 3]).any(|(n, part)| n < tries / part);
    println!("{wins} wins, {escapes} escapes, {kos} kos, {races} among strong stones, {stops} with stops of {tries}");
    assert!(!few, "{wins} wins, {escapes} escapes, {kos} kos, {stops} with stops of {tries}");
}

/// What the attacker gets in the open he gets against a guarded fence, and what he gets there he gets when all beyond is his.
#[test]
fn the_guarded_fence_lies_between_open_and_shut_in() {
    let wanted = tries(300);
    let mut rng = Rng::new(31);
    let (mut compared, mut above, mut below) = (0, 0, 0);
    while compared < wanted {
        let Some(question) = random_open_question(&mut rng, 7).filter(|q| q.beyond == Beyond::Guarded) else {
            continue;
        };
        for ko in [Ko::Attacker, Ko::Nobody, Ko::Defender] {
            let asked = |beyond| slow::attacker_wins(&Question { beyond, ..question.clone() }, ko, 40_000);
            let all = [Beyond::Open, Beyond::Guarded, Beyond::Attackers].map(asked);
            let [Some(open), Some(guarded), Some(shut_in)] = all else { continue };
            assert!(open <= guarded && guarded <= shut_in, "{ko:?} {all:?}\n{}", picture(&question));
            compared += 1;
            above += usize::from(open != guarded);
            below += usize::from(guarded != shut_in);
        }
    }
    println!("{above} above the open, {below} below shut in of {wanted}");
    assert!(above >= wanted / 150 && below > wanted / 10, "{above} {below} of {wanted}");
}

#[test]
fn the_prover_agrees_with_plain_enumeration() {
    let tries = tries(400);
    let mut rng = Rng::new(5);
    let stop = AtomicBool::new(false);
    let mut memory = Memory::new(4);
    let (mut compared, mut wins, mut kos) = (0, 0, 0);
    while compared < tries {
        let Some(question) = random_question(&mut rng, 8) else { continue };
        let mut answers = Vec::new();
        for ko in [Ko::Attacker, Ko::Nobody, Ko::Defender] {
            let Some(slow) = slow::attacker_wins(&question, ko, 40_000) else { break };
            let (rules, state) = question.start(ko).unwrap();
            for zones in [true, false] {
                memory.table.clear();
                let budget = Budget { nodes: 3_000_000, deadline: None, stop: &stop };
                let search = Search::new(&rules, &mut memory, budget);
                let mut search = if zones { search } else { search.without_zones() };
                let fast = search.solve(&state);
                assert_eq!(fast, Some(slow), "{ko:?} zones {zones}\n{}", picture(&question));
            }
            answers.push(slow);
        }
        if answers.len() == 3 {
            assert!(answers.is_sorted_by(|a, b| a >= b), "{answers:?}\n{}", picture(&question));
            compared += 1;
            wins += usize::from(answers[1]);
            kos += usize::from(answers[0] != answers[2]);
        }
    }
    assert!(wins > tries / 10 && wins < tries * 9 / 10 && kos > tries / 200, "{wins} wins, {kos} kos of {tries}");
}

#[test]
fn what_a_local_fight_shows_is_so_on_the_board() {
    let wanted = tries(200);
    let mut rng = Rng::new(9);
    let mut local_fights = LocalFights::default();
    // Deaths, lives, deaths of stones that might have got out.
    let mut shown = [0, 0, 0];
    while shown[..2].iter().any(|&n| n < wanted) || shown[2] < wanted / 20 {
        let is_open = rng.below(2) == 0;
        let found = if is_open { random_open_question(&mut rng, 7) } else { random_question(&mut rng, 8) };
        let Some(question) = found else { continue };
        for ko in [Ko::Attacker, Ko::Nobody, Ko::Defender] {
            let (rules, state) = question.start(ko).unwrap();
            let arena = rules.arena(&state);
            let (room, last) = life::eye_room(&rules, &state, arena);
            if state.has_escaped() {
                continue;
            }
            let whole = Ground::whole(&rules, &state, arena, room, last);
            let lives = Ground { points: rules.grid.flood(room, arena & !last), exit: 0 };
            let out = if whole.exit != 0 { 2 } else { 0 };
            for (ground, aim, kind) in [(whole, Aim::Death, out), (lives, Aim::Life, 1)] {
                if local_fights.show(&rules, &state, ground, room, last, &[aim]).is_some()
                    && let Some(slow) = slow::attacker_wins(&question, ko, 40_000)
                {
                    assert_eq!(slow, aim == Aim::Death, "{ko:?} {kind}\n{}", picture(&question));
                    shown[kind] += 1;
                }
            }
        }
    }
}

#[test]
fn what_one_question_found_is_so_in_the_next() {
    let tries = tries(150);
    let mut rng = Rng::new(23);
    let stop = AtomicBool::new(false);
    let mut memory = Memory::new(4);
    let (mut compared, mut carried) = (0, 0);
    while compared < tries {
        let Some(open) = random_open_question(&mut rng, 7) else { continue };
        if open.start(Ko::Nobody).is_none_or(|(_, state)| state.has_escaped()) {
            continue;
        }
        let shut_in = Question { beyond: Beyond::Attackers, ..open.clone() };
        let mut narrow = shut_in.clone();
        for _ in 0..1 + rng.below(3) {
            narrow.region.swap_remove(rng.below(narrow.region.len() as u32) as usize);
        }
        let all: Vec<&Question> = [&narrow, &shut_in, &open].into_iter().filter(|q| has_liberties(q)).collect();
        if all.iter().any(|q| q.start(Ko::Nobody).is_none_or(|(_, state)| state.crucial == 0)) {
            continue;
        }
        memory.clear();
        let mut kos = [Ko::Attacker, Ko::Nobody, Ko::Defender];
        rng.shuffle(&mut kos);
        for question in all {
            for ko in kos {
                let Some(slow) = slow::attacker_wins(question, ko, 40_000) else { continue };
                let (rules, state) = question.start(ko).unwrap();
                let budget = Budget { nodes: 3_000_000, deadline: None, stop: &stop };
                let mut search = Search::new(&rules, &mut memory, budget);
                assert_eq!(search.solve(&state), Some(slow), "{ko:?}\n{}", picture(question));
                carried += usize::from(search.nodes == 0);
            }
        }
        compared += 1;
    }
    assert!(carried > tries, "{carried}");
}

/// A group in a corner, a fence with weak places around it, and loose stones beyond.
fn random_corner(rng: &mut Rng) -> Option<Question> {
    let size = Size::new(7).unwrap();
    let mut stones = Vec::new();
    for p in size.points() {
        let (x, y) = size.xy(p);
        let (white, black) = match x.max(y) {
            0..=1 => (6, 0),
            2 => (7, 2),
            3 => (1, 8),
            _ => (1, 1),
        };
        match rng.below(10) {
            k if k < white => stones.push((p, White)),
            k if k < white + black => stones.push((p, Black)),
            _ => {}
        }
    }
    let to_play = if rng.below(2) == 0 { Black } else { White };
    find::question(size, &stones, to_play, Some(Black)).ok().filter(has_liberties)
}

/// Life in the region that is asked first needs no larger one.
#[test]
fn who_lives_without_what_lies_behind_the_fence_lives_with_it() {
    let wanted = tries(300);
    let mut rng = Rng::new(37);
    let (mut compared, mut lives) = (0, 0);
    while compared < wanted {
        let Some(made) = random_corner(&mut rng).filter(|made| made.room() <= 7) else { continue };
        let narrow = find::narrowest(&made);
        assert!(narrow.region.iter().all(|p| made.region.contains(p)));
        if narrow.region.len() == made.region.len() {
            continue;
        }
        for ko in [Ko::Attacker, Ko::Nobody, Ko::Defender] {
            let asked = |question: &Question| slow::attacker_wins(question, ko, 40_000);
            let (Some(few), Some(all)) = (asked(&narrow), asked(&made)) else { continue };
            assert!(few || !all, "{ko:?}\n{}{}", picture(&narrow), picture(&made));
            compared += 1;
            lives += usize::from(!few);
        }
    }
    assert!(lives >= wanted / 100, "{lives} of {wanted}");
}

/// What searches that share a table find, held against plain enumeration, and in larger questions against one search.
#[test]
fn several_threads_find_what_one_finds() {
    let tries = tries(120);
    let mut rng = Rng::new(29);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 2_000_000, seconds: None };
    let (mut alone, mut together) = (Prover::new(4), Prover::new(4).with_threads(3));
    let (mut compared, mut large) = (0, 0);
    while compared < tries {
        let Some(question) = random_open_question(&mut rng, 7) else { continue };
        together.forget();
        for ko in [Ko::Attacker, Ko::Nobody, Ko::Defender] {
            let Some(slow) = slow::attacker_wins(&question, ko, 40_000) else { continue };
            let found = together.attacker_wins(&question, ko, limits, &stop).unwrap();
            assert_eq!(found, Some(slow), "{ko:?}\n{}", picture(&question));
            compared += 1;
        }
    }
    while large < 12 {
        let Some(question) = random_question(&mut rng, 14) else { continue };
        alone.forget();
        together.forget();
        let before = alone.nodes();
        let one = alone.attacker_wins(&question, Ko::Nobody, limits, &stop).unwrap();
        // Most are seen at once.
        if alone.nodes() - before > 2_000 && one.is_some() {
            let three = together.attacker_wins(&question, Ko::Nobody, limits, &stop).unwrap();
            assert_eq!(three, one, "{}", picture(&question));
            large += 1;
        }
    }
}

#[test]
fn moves_among_known_chains_are_those_of_the_rules() {
    let mut rng = Rng::new(3);
    let (mut moves, mut taken, mut forbidden, mut kos) = (0, 0, 0, 0);
    while moves < 20_000 {
        let Some(question) = random_question(&mut rng, 12) else { continue };
        let (rules, mut state) = question.start(Ko::Attacker).unwrap();
        let lines = move_order::lines(&rules.grid);
        for _ in 0..20 {
            let room = life::eye_room(&rules, &state, rules.arena(&state)).0;
            let sight = Sight::new(&rules, &state, room).unwrap();
            let mut next = rules.pass(&state);
            for cell in cells(rules.empty(&state)) {
                let (touched, _) = sight.look(cell, lines[cell as usize], NOWHERE);
                let fast = rules.settle(&state, cell, touched).map(|p| (p.state, p.captured));
                let slow = rules.play(&state, cell).map(|p| (p.state, p.captured));
                assert_eq!(fast, slow, "{state:?} {cell}");
                assert_eq!(rules.is_legal(&state, cell), slow.is_some(), "{state:?} {cell}");
                moves += 1;
                forbidden += usize::from(slow.is_none());
                if let Some((after, captured)) = slow {
                    taken += usize::from(captured != 0);
                    kos += usize::from(after.ban != NOWHERE);
                    next = if rng.below(4) == 0 { after } else { next };
                }
            }
            if next.crucial == 0 {
                break;
            }
            state = next;
        }
    }
    assert!(taken > 100 && forbidden > 100 && kos > 10, "{taken} {forbidden} {kos}");
}

#[test]
fn proofs_hold_when_a_judge_plays_every_line() {
    let mut rng = Rng::new(11);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: u64::MAX, seconds: None };
    let mut prover = Prover::new(4);
    let (mut judged, mut defended) = (0, 0);
    while judged < 60 {
        let Some(question) = random_question(&mut rng, 7) else { continue };
        for ko in [Ko::Attacker, Ko::Nobody, Ko::Defender] {
            let won = prover.attacker_wins(&question, ko, limits, &stop).unwrap().unwrap();
            match verify(&question, ko, won, 50_000, limits, &stop).unwrap() {
                Judgement::Holds(_) => judged += 1,
                Judgement::TooLarge => {}
                Judgement::Fails(why) => panic!("{why}, {ko:?}, attacker wins {won}\n{}", picture(&question)),
            }
            defended += usize::from(!won);
            // The same strategy cannot prove the opposite.
            let opposite = verify(&question, ko, !won, 50_000, limits, &stop).unwrap();
            assert!(!matches!(opposite, Judgement::Holds(_)), "{ko:?} {won}\n{}", picture(&question));
        }
    }
    assert!(defended > 3);
}

#[test]
fn steps_up_and_down_are_those_of_the_board() {
    for n in [2, 5, 9, 13, 19] {
        let size = Size::new(n).unwrap();
        // A box of full width, as high as a set has room for.
        let rows = (127 / (n + 1)).min(n);
        let region = || size.points().filter(|&p| size.xy(p).1 < rows);
        let grid = super::grid::Grid::new(size, region(), |_| Outside::Wall).unwrap();
        for p in region() {
            let beside = size.neighbours(p).fold(0, |set, q| set | grid.bit(q) & grid.region);
            assert_eq!(grid.beside(grid.bit(p)), beside, "{n} {p:?}");
        }
    }
}
