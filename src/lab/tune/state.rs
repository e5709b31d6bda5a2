//! How far a tuning is: followed from its games, so that nothing else has to be kept.

use super::description::{Against, Tuning};
use super::store::{Key, Part, Store};
use crate::base::Color;
use crate::base::rng::mix;
use crate::lab::players::PlayerLine;
use crate::lab::sprt::{Decision, Watch};

/// Random streams of the games: those of the search, and fresh ones to confirm.
const SEARCH: u64 = 0x5365_6172;
const CONFIRM: u64 = 0x436f_6e66;

/// The way so far, in steps of each parameter: the start, and the place after each whole batch.
pub struct State {
    pub way: Vec<Vec<f64>>,
}

/// A game to play.
#[derive(Clone)]
pub struct Job {
    pub key: Key,
    /// First and second player.
    pub lines: [PlayerLine; 2],
    pub first: Color,
    pub seed: u64,
}

impl State {
    pub fn new(tuning: &Tuning) -> State {
        State { way: vec![tuning.start()] }
    }

    /// As far as the games lead.
    pub fn follow(tuning: &Tuning, seed: u64, store: &Store) -> State {
        let mut state = State::new(tuning);
        while state.advance(tuning, seed, store) {}
        state
    }

    /// Batches that are behind.
    pub fn batches(&self) -> u64 {
        self.way.len() as u64 - 1
    }

    pub fn iterations(&self, tuning: &Tuning) -> u64 {
        (self.batches() * tuning.spsa.batch).min(tuning.spsa.iterations)
    }

    pub fn is_found(&self, tuning: &Tuning) -> bool {
        self.batches() == tuning.spsa.batches()
    }

    pub fn place(&self) -> &[f64] {
        self.way.last().map_or(&[], Vec::as_slice)
    }

    /// Goes one batch on, if all its games are there.
    pub fn advance(&mut self, tuning: &Tuning, seed: u64, store: &Store) -> bool {
        if self.is_found(tuning) {
            return false;
        }
        let result = |k: u64| Some((k, tuning.spsa.signs(seed, k, tuning.parameters.len()), result(tuning, store, k)?));
        let results: Option<Vec<_>> = tuning.spsa.batch(self.batches()).map(result).collect();
        let Some(results) = results else { return false };
        let ends: Vec<(f64, f64)> = tuning.parameters.iter().map(|parameter| parameter.ends()).collect();
        self.way.push(tuning.spsa.advance(self.place(), &ends, &results));
        true
    }

    /// The games of the batch that comes next.
    pub fn next_batch(&self, tuning: &Tuning, seed: u64) -> Result<Vec<Job>, String> {
        let mut jobs = Vec::new();
        for k in tuning.spsa.batch(self.batches()) {
            let signs = tuning.spsa.signs(seed, k, tuning.parameters.len());
            let [up, down] = tuning.spsa.places(self.place(), &signs, k).map(|place| tuning.line(&place));
            let (up, down) = (PlayerLine::Inside(up?), PlayerLine::Inside(down?));
            for game in 0..tuning.games() {
                // Against an opponent, both lines have the same seeds and colours.
                let (lines, number) = match &tuning.opponent {
                    None => ([up.clone(), down.clone()], game),
                    Some(opponent) if game < 2 * tuning.pairs => ([up.clone(), opponent.clone()], game),
                    Some(opponent) => ([down.clone(), opponent.clone()], game - 2 * tuning.pairs),
                };
                let seed = mix(&[seed, SEARCH, k, number / 2]) & 0xffff_ffff;
                jobs.push(Job { key: (Part::Search, k, game), lines, first: turn(game), seed });
            }
        }
        Ok(jobs)
    }

    /// Games of the confirming match, from one number to another.
    pub fn confirming(&self, tuning: &Tuning, seed: u64, from: u64, to: u64) -> Result<Vec<Job>, String> {
        let lines = self.confirming_lines(tuning)?;
        let job = |game: u64| Job {
            key: (Part::to_confirm(tuning.confirm.against), 0, game),
            lines: lines.clone(),
            first: turn(game),
            seed: mix(&[seed, CONFIRM, game / 2]) & 0xffff_ffff,
        };
        Ok((from..to.min(tuning.confirm.games)).map(job).collect())
    }

    /// The line that was found, and whom it is tried against.
    pub fn confirming_lines(&self, tuning: &Tuning) -> Result<[PlayerLine; 2], String> {
        let found = PlayerLine::Inside(tuning.line(&tuning.spsa.answer(&self.way))?);
        let other = match (tuning.confirm.against, &tuning.opponent) {
            (Against::Opponent, Some(opponent)) => opponent.clone(),
            _ => PlayerLine::Inside(tuning.line(&tuning.start())?),
        };
        Ok([found, other])
    }

    /// What the confirming match shows so far.
    pub fn confirmation(&self, tuning: &Tuning, store: &Store) -> Watch {
        let mut watch = Watch::new(tuning.confirm.sprt, true);
        if self.is_found(tuning) {
            let part = Part::to_confirm(tuning.confirm.against);
            let games = store.games().filter(|game| game.part == part && game.game < tuning.confirm.games);
            games.for_each(|game| watch.add(game.game as usize, game.points));
        }
        watch
    }

    /// Is there nothing left to play?
    pub fn is_over(&self, tuning: &Tuning, watch: &Watch) -> bool {
        let played = watch.results.games() >= tuning.confirm.games;
        self.is_found(tuning) && (played || watch.decision != Decision::Continue)
    }
}

fn turn(game: u64) -> Color {
    if game.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// The score of an iteration's first line less that of its second, if all games are there.
fn result(tuning: &Tuning, store: &Store, iteration: u64) -> Option<f64> {
    let points: Option<Vec<f64>> =
        (0..tuning.games()).map(|game| Some(store.get(&(Part::Search, iteration, game))?.points)).collect();
    let points = points?;
    let mean = |points: &[f64]| points.iter().sum::<f64>() / points.len() as f64;
    match &tuning.opponent {
        None => Some(2.0 * mean(&points) - 1.0),
        Some(_) => {
            let (up, down) = points.split_at(points.len() / 2);
            Some(mean(up) - mean(down))
        }
    }
}
