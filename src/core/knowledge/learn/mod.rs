//! Learning weights from games, in four steps: read them, count which shapes are frequent, fit the weights by likelihood, and measure
//! on games left out.
//!
//! Everything follows from the games, the settings and the seed: the number of threads and interruptions change nothing.

pub mod count;
mod error;
pub mod fit;
pub mod games;
pub mod local;
pub mod part;

#[cfg(test)]
mod tests;

pub use error::LearnError;

use super::model::Model;
use super::weights::{Header, HeldOut, signature};
use crate::base::parallel::in_parallel;
use crate::base::rng::mix;
use crate::base::{Rng, Size};
use count::Counter;
use fit::{Examples, Figures, Fit, Weights};
use games::{Game, Games};
use part::Part;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

/// One game of so many is left out, by the hash of its moves, and at most so many of these are measured on.
const LEFT_OUT: u64 = 20;
const MOST_HELD_OUT: usize = 300;
/// Games whose positions are mixed before they are learned from.
const CHUNK: usize = 8;
/// Chunks between two looks at whether the state must go to disk.
const KEEP_EVERY: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub size: Size,
    /// Learn from at most so many games, drawn at random.
    pub games: Option<usize>,
    /// How often every game is gone through.
    pub passes: usize,
    /// AdaGrad's step.
    pub rate: f32,
    /// A shape has a weight if it was seen so often.
    pub often: u8,
    pub seed: u64,
}

/// How far learning is.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    Counting {
        done: usize,
        of: usize,
    },
    /// With the figures of the games of this pass, each measured before it was learned from.
    Fitting {
        pass: usize,
        done: usize,
        of: usize,
        figures: Figures,
    },
    Measuring {
        done: usize,
        of: usize,
    },
}

/// Games divided into those to learn from and those left out.
pub struct Course {
    settings: Settings,
    training: Vec<Game>,
    held_out: Vec<Game>,
    kinds: BTreeMap<String, usize>,
}

impl Course {
    pub fn new(games: Games, settings: Settings) -> Result<Course, LearnError> {
        let Games { games, kinds, .. } = games;
        let (mut held_out, mut training): (Vec<Game>, Vec<Game>) =
            games.into_iter().filter(|game| !game.moves.is_empty()).partition(|game| game.hash() % LEFT_OUT == 0);
        Rng::new(mix(&[settings.seed, 1])).shuffle(&mut training);
        training.truncate(settings.games.unwrap_or(usize::MAX));
        held_out.truncate(MOST_HELD_OUT);
        if training.is_empty() {
            return Err(LearnError::NoGames(settings.size));
        }
        Ok(Course { settings, training, held_out, kinds })
    }

    pub fn training(&self) -> usize {
        self.training.len()
    }

    pub fn held_out(&self) -> usize {
        self.held_out.len()
    }

    /// A number that changes with the games and the settings.
    fn signature(&self) -> u64 {
        let Settings { size, passes, rate, often, seed, .. } = self.settings;
        let games = self.training.iter().fold(0, |hash, game| mix(&[hash, game.hash()]));
        mix(&[signature(), games, size.n() as u64, passes as u64, rate.to_bits() as u64, often as u64, seed])
    }

    /// Learns, from where `part` left off if there is such a file; none if `stop` was set, and then `part` keeps what was done.
    pub fn run(
        &self,
        part: Option<&Path>,
        threads: usize,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<(Header, Model)>, LearnError> {
        let work = Work { course: self, part, threads, stop };
        match self.settings.size.n() {
            0..=9 => work.run::<2, 128>(progress),
            10..=14 => work.run::<4, 256>(progress),
            15..=21 => work.run::<8, 512>(progress),
            _ => work.run::<16, 1024>(progress),
        }
    }
}

struct Work<'a> {
    course: &'a Course,
    part: Option<&'a Path>,
    threads: usize,
    stop: &'a AtomicBool,
}

impl Work<'_> {
    fn run<const W: usize, const P: usize>(
        &self,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<(Header, Model)>, LearnError> {
        let Course { settings, training, held_out, kinds } = self.course;
        let mut state = match self.part.filter(|path| path.exists()) {
            Some(path) => Part::load(path, self.course.signature(), settings.rate)?,
            None => {
                let mut counter = Counter::new(settings.size, settings.often, mix(&[settings.seed, 2]));
                for (i, game) in training.iter().enumerate() {
                    if self.stop.load(Relaxed) {
                        return Ok(None);
                    }
                    counter.add::<W, P>(game, i);
                    progress(Progress::Counting { done: i + 1, of: training.len() });
                }
                Part { pass: 0, chunk: 0, fit: Fit::new(Model::new(counter.dictionary()), settings.rate) }
            }
        };
        if !self.fit::<W, P>(&mut state, progress)? {
            return Ok(None);
        }
        let model = state.fit.model;
        let figures = self.measure::<W, P>(&model, held_out, progress);
        let header = Header {
            size: settings.size.n(),
            features: signature(),
            games: training.len(),
            kinds: kinds.clone(),
            passes: settings.passes,
            seed: settings.seed,
            shapes: model.shapes.sorted().len(),
            held_out: HeldOut::new(held_out.len(), &figures),
        };
        Ok(Some((header, model)))
    }

    /// Goes through all passes; false if it was stopped.
    fn fit<const W: usize, const P: usize>(
        &self,
        state: &mut Part,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<bool, LearnError> {
        let Course { settings, training, .. } = self.course;
        // Features are found by the names alone, so threads need no weights.
        let names = state.fit.model.clone();
        while state.pass < settings.passes {
            let pass = state.pass as u64;
            let mut order: Vec<&Game> = training.iter().collect();
            Rng::new(mix(&[settings.seed, 3, pass])).shuffle(&mut order);
            let chunks: Vec<&[&Game]> = order.chunks(CHUNK).collect();
            let mut figures = Figures::default();
            let mut ready = None;
            while state.chunk < chunks.len() {
                if self.stop.load(Relaxed) {
                    self.keep(state)?;
                    return Ok(false);
                }
                let now =
                    ready.take().unwrap_or_else(|| self.examples::<W, P>(&names, chunks[state.chunk], self.threads));
                let next = chunks.get(state.chunk + 1).filter(|_| self.threads > 1);
                thread::scope(|scope| {
                    let others = next.map(|next| scope.spawn(|| self.examples::<W, P>(&names, next, self.threads - 1)));
                    now.iter().for_each(|examples| figures.add(&state.fit.model, examples));
                    learn(&mut state.fit, &now, mix(&[settings.seed, 4, pass, state.chunk as u64]));
                    ready = others.and_then(|others| others.join().ok());
                });
                state.chunk += 1;
                let done = (state.chunk * CHUNK).min(training.len());
                progress(Progress::Fitting { pass: state.pass, done, of: training.len(), figures });
                if state.chunk.is_multiple_of(KEEP_EVERY) {
                    self.keep(state)?;
                }
            }
            (state.pass, state.chunk) = (state.pass + 1, 0);
        }
        self.keep(state)?;
        Ok(true)
    }

    fn keep(&self, state: &Part) -> Result<(), LearnError> {
        self.part.map_or(Ok(()), |path| state.save(path, self.course.signature()))
    }

    /// The features of some games, found by so many threads.
    fn examples<const W: usize, const P: usize>(
        &self,
        model: &Model,
        games: &[&Game],
        threads: usize,
    ) -> Vec<Examples> {
        in_parallel(games.len(), threads, |i| {
            let mut examples = Examples::default();
            examples.add::<W, P>(model, games[i], self.course.settings.size);
            examples
        })
    }

    fn measure<const W: usize, const P: usize>(
        &self,
        model: &Model,
        games: &[Game],
        progress: &mut dyn FnMut(Progress),
    ) -> Figures {
        let mut figures = Figures::default();
        let mut done = 0;
        for chunk in games.chunks(CHUNK) {
            let chunk: Vec<&Game> = chunk.iter().collect();
            let examples = self.examples::<W, P>(model, &chunk, self.threads);
            examples.iter().for_each(|examples| figures.add(model, examples));
            done += chunk.len();
            progress(Progress::Measuring { done, of: games.len() });
        }
        figures
    }
}

/// Learns from the positions of some games in random order.
fn learn<M: Weights>(fit: &mut Fit<M>, games: &[Examples], seed: u64) {
    let positions = |(i, examples): (usize, &Examples)| (0..examples.len()).map(move |position| (i, position));
    let mut order: Vec<(usize, usize)> = games.iter().enumerate().flat_map(positions).collect();
    Rng::new(seed).shuffle(&mut order);
    order.into_iter().for_each(|(i, position)| fit.learn(&games[i], position));
}
