//! New problems, made while the person solves: a few ahead of what was asked for, never more.

use super::super::hub::{Hub, Topic};
use super::{Set, Shelf};
use crate::base::Size;
use crate::base::rng::fresh_seed;
use crate::sets::make::Order;
use crate::tsumego::Problem;
use crate::tsumego::prover::make::{LEVELS, Place};
use crossbeam::channel::{Receiver, Sender, bounded};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Problems of a level that are made for one wish, and all that are kept of it.
const AHEAD: usize = 3;
const MOST: usize = 500;
/// The board they are on.
const SIZE: usize = 9;

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
    let stop = AtomicBool::new(false);
    while let Ok(level) = wishes.recv() {
        let (id, name) = (format!("made-{level}"), format!("made for you, level {level}"));
        let count = shelf.lock().iter().find(|set| set.id == id).map_or(0, |set| set.problems.len());
        let Some(size) = Size::new(SIZE).filter(|_| count < MOST) else { continue };
        let seed = fresh_seed();
        let place = if seed.is_multiple_of(2) { Place::Corner } else { Place::Side };
        let order = Order { count: AHEAD, seed, place, level, size };
        let result = order.run(&stop, |sheet| {
            let read = Problem::read(sheet.text.as_bytes(), Path::new(&sheet.stem)).map_err(|e| e.to_string())?;
            let mut shelf = shelf.lock();
            match shelf.iter_mut().find(|set| set.id == id) {
                Some(set) => set.problems.extend(read),
                None => shelf.push(Set { id: id.clone(), name: name.clone(), problems: read }),
            }
            let problems = shelf.iter().find(|set| set.id == id).map_or(0, |set| set.problems.len());
            drop(shelf);
            hub.tell(Topic::Making, json!({ "id": id, "name": name, "problems": problems }));
            Ok(())
        });
        if let Err(text) = result {
            log::error!("cannot make a problem: {text}");
        }
    }
}
