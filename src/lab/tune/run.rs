//! Plays the games of a tuning that are missing: batch by batch, then the confirming match round by round.
//!
//! All games of a batch start from one place and are played in any order, by any number of threads and shards; the next
//! batch begins when all are there. Shards share a folder and wait for each other's games.

use super::description::Tuning;
use super::state::{Job, State};
use super::store::{Game, Part, Store};
use crate::base::Color;
use crate::jobs::{Error, Next, Runner};
use crate::lab::arena::play_game;
use crate::lab::code::Code;
use crate::lab::matches::GameLine;
use crate::lab::players::{Player, PlayerLine};
use crate::lab::run::rounded;
use crate::lab::store::Shard;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// Games of the confirming match that are begun before it is looked whether it is over.
const ROUND: u64 = 32;
/// How often a shard looks for games of the others.
const LOOK: Duration = Duration::from_millis(500);

pub struct Run<'a> {
    pub tuning: &'a Tuning,
    pub seed: u64,
    pub jobs: usize,
    pub shard: Shard,
    /// No game is begun after this long.
    pub time: Option<Duration>,
    pub stop: &'a AtomicBool,
}

/// What a tuning is at.
pub struct Progress<'a> {
    pub state: &'a State,
    /// Games of the search, and of the confirming match.
    pub done: [u64; 2],
    /// Is it waiting for another shard?
    pub waits: bool,
}

/// Players that stay seated for the next game.
type Seats = Mutex<Vec<(PlayerLine, Player)>>;

impl Run<'_> {
    /// Goes on until all is played, or until it is stopped.
    pub fn run(&self, store: &mut Store, mut told: impl FnMut(&Progress)) -> Result<State, Error> {
        let began = Instant::now();
        let seats: Seats = Mutex::new(Vec::new());
        let mut state = State::follow(self.tuning, self.seed, store);
        while !state.is_found(self.tuning) {
            let jobs = state.next_batch(self.tuning, self.seed)?;
            if !self.round(&jobs, &seats, began, &state, store, &mut told)? {
                return Ok(state);
            }
            state.advance(self.tuning, self.seed, store);
        }
        let mut from = 0;
        while !state.is_over(self.tuning, &state.confirmation(self.tuning, store)) {
            let jobs = state.confirming(self.tuning, self.seed, from, from + ROUND)?;
            if !self.round(&jobs, &seats, began, &state, store, &mut told)? {
                return Ok(state);
            }
            from += ROUND;
        }
        Ok(state)
    }

    /// Plays what is missing of some games; false: it was stopped before all were there.
    fn round(
        &self,
        jobs: &[Job],
        seats: &Seats,
        began: Instant,
        state: &State,
        store: &mut Store,
        told: &mut impl FnMut(&Progress),
    ) -> Result<bool, Error> {
        let is_missing = |job: &&Job, store: &Store| store.get(&job.key).is_none();
        let per_iteration = self.tuning.games();
        let is_own = |job: &&Job| self.shard.holds(job.key.1 * per_iteration + job.key.2);
        let own: Vec<Job> = jobs.iter().filter(|job| is_missing(job, store)).filter(is_own).cloned().collect();
        // Engine lines of another round are not needed any more; outside engines are.
        seats.lock().retain(|(line, _)| {
            matches!(line, PlayerLine::Outside(_)) || jobs.iter().any(|job| job.lines.contains(line))
        });
        let time = self.time.map(|most| most.saturating_sub(began.elapsed()));
        told(&self.progress(state, store, false));
        let code = Code::own();
        let config = store.config().to_string();
        Runner { threads: self.jobs, stop: self.stop, time }.run(
            &own,
            || (),
            |(), job| self.play(job, seats, &config, &code).map(Some),
            |_, game| {
                store.append(game)?;
                told(&self.progress(state, store, false));
                Ok(Next::Go)
            },
        )?;
        loop {
            if !jobs.iter().any(|job| is_missing(&job, store)) {
                return Ok(true);
            }
            let is_late = self.time.is_some_and(|most| began.elapsed() >= most);
            if self.stop.load(SeqCst) || is_late || self.shard.count == 1 {
                return Ok(false);
            }
            told(&self.progress(state, store, true));
            std::thread::sleep(LOOK);
            store.reload()?;
        }
    }

    fn progress<'s>(&self, state: &'s State, store: &Store, waits: bool) -> Progress<'s> {
        let confirmed = store.count(Part::to_confirm(self.tuning.confirm.against));
        Progress { state, done: [store.count(Part::Search), confirmed], waits }
    }

    fn play(&self, job: &Job, seats: &Seats, config: &str, code: &Code) -> Result<Game, String> {
        let began = Instant::now();
        let setting = &self.tuning.setting;
        let seat = |line: &PlayerLine| -> Result<Player, String> {
            let mut seats = seats.lock();
            match seats.iter().position(|(seated, _)| seated == line) {
                Some(i) => Ok(seats.swap_remove(i).1),
                None => {
                    drop(seats);
                    line.sit_down(setting)
                }
            }
        };
        let [a, b] = &job.lines;
        let (mut first, mut second) = (seat(a)?, seat(b)?);
        let result = match job.first {
            Color::Black => play_game(setting, [a, b], [&mut first, &mut second], job.seed),
            Color::White => play_game(setting, [b, a], [&mut second, &mut first], job.seed),
        };
        let (part, iteration, number) = job.key;
        if let Some(reason) = result.broken {
            return Err(format!("iteration {}, game {}: {reason}", iteration + 1, number + 1));
        }
        // An engine that failed may have died: others are seated for the next game.
        if result.errors.is_empty() {
            seats.lock().extend([(a.clone(), first), (b.clone(), second)]);
        }
        let line = GameLine::new(number as usize, job.seed, job.first, result);
        Ok(Game {
            tuning: self.tuning.name.clone(),
            config: config.to_string(),
            part,
            iteration,
            game: number,
            seed: job.seed,
            players: [a.text(), b.text()],
            first_is: line.first_is.to_string(),
            result: line.result,
            points: f64::from(line.points),
            moves: line.moves,
            seconds: rounded(began.elapsed().as_secs_f64()),
            errors: line.errors,
            code: code.clone(),
        })
    }
}
