//! New problems, made while the person solves: a few ahead of what was asked for, never more.

use super::super::hub::{Hub, Topic};
use super::{Set, Shelf};
use crate::base::rng::fresh_seed;
use crate::base::{Rng, Size};
use crate::tsumego::prover::Prover;
use crate::tsumego::prover::make::{self, LEVELS, Made, Place};
use crate::tsumego::{Goal, Problem};
use crossbeam::channel::{Receiver, Sender, bounded};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Problems of a level that are made for one wish, and all that are kept of it.
const AHEAD: usize = 3;
const MOST: usize = 500;
/// The board they are on.
const SIZE: usize = 9;
const TABLE_MB: usize = 64;

/// The way to the thread that makes problems.
pub struct Maker(Sender<usize>);

impl Maker {
    pub fn want(&self, level: usize) -> Result<(), String> {
        if !(1..=LEVELS.len() + 1).contains(&level) {
            return Err(format!("the levels are 1 to {}", LEVELS.len() + 1));
        }
        // If that many wishes wait already, one more changes nothing.
        let _ = self.0.try_send(level);
        Ok(())
    }
}

/// A maker, and what its thread is to do.
pub fn maker(shelf: Shelf, hub: Arc<Hub>) -> (Maker, impl FnOnce() + Send) {
    let (sender, receiver) = bounded(2);
    (Maker(sender), move || run(&receiver, &shelf, &hub))
}

fn run(wishes: &Receiver<usize>, shelf: &Shelf, hub: &Hub) {
    let Some(size) = Size::new(SIZE) else { return };
    let stop = AtomicBool::new(false);
    let mut rng = Rng::new(fresh_seed());
    // Problems that differ only in how they are turned or coloured are one.
    let mut shapes = Vec::new();
    while let Ok(level) = wishes.recv() {
        let (id, name) = (format!("made-{level}"), format!("made for you, level {level}"));
        let count = || shelf.lock().iter().find(|set| set.id == id).map_or(0, |set| set.problems.len());
        let goal = (count() + AHEAD).min(MOST);
        let mut prover = Prover::grader(TABLE_MB);
        while count() < goal {
            let place = if rng.below(2) == 0 { Place::Corner } else { Place::Side };
            let Some(made) =
                make::problem(&make::Wish { size, place, level, kind: None }, &mut rng, &mut prover, &stop)
            else {
                break;
            };
            let shape = make::shape(size, &made.question.stones, made.question.to_play);
            if shapes.contains(&shape) {
                continue;
            }
            shapes.push(shape);
            let mut shelf = shelf.lock();
            let at = shelf.iter().position(|set| set.id == id).unwrap_or_else(|| {
                shelf.push(Set { id: id.clone(), name: name.clone(), problems: Vec::new() });
                shelf.len() - 1
            });
            let set = &mut shelf[at];
            set.problems.push(problem(&made, set.problems.len() + 1));
            hub.tell(Topic::Making, json!({ "set": set.value() }));
        }
    }
}

fn problem(made: &Made, number: usize) -> Problem {
    let question = &made.question;
    Problem {
        name: format!("new problem {number}"),
        path: PathBuf::new(),
        number,
        size: question.size,
        stones: question.stones.clone(),
        to_play: question.to_play,
        right: made.right().map(|first| first.point).collect(),
        is_guess: false,
        wrong: made.wrong().map(|first| first.point).collect(),
        target: Vec::new(),
        goal: Some(if question.to_play == question.attacker { Goal::Kill } else { Goal::Live }),
        level: Some(made.level.to_string()),
        comment: String::new(),
    }
}
