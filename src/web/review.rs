//! Games gone through for pages: one at a time, told as it goes on.

use super::dropped;
use super::hub::{Hub, Topic};
use super::job::{Inbox, Job};
use crate::review::{Review, ReviewOptions, Reviewer};
use crate::session::Options;
use crate::sgf;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

#[derive(Deserialize, Debug)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    Start {
        name: String,
        sgf: String,
        playouts: u64,
        engine: Option<String>,
    },
    Stop,
    /// Goes on with what was stopped.
    GoOn,
    /// The position before a move.
    Board {
        number: usize,
    },
    /// The game with notes, as a file.
    Sgf,
    /// The review as a page.
    Html,
}

/// More would not end while anybody waits.
const MOST_PLAYOUTS: u64 = 10_000_000;
const TELL_EVERY: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(3600);

pub struct Desk {
    options: Options,
    hub: Arc<Hub>,
    inbox: Inbox<Command>,
    work: Option<Work>,
}

struct Work {
    name: String,
    reviewer: Reviewer,
    is_running: bool,
    told: Instant,
}

impl Desk {
    pub fn new(options: Options, hub: Arc<Hub>, inbox: Inbox<Command>) -> Desk {
        Desk { options, hub, inbox, work: None }
    }

    pub fn run(mut self) {
        loop {
            let is_running = self.work.as_ref().is_some_and(|work| work.is_running);
            let job = if is_running { self.inbox.look() } else { self.inbox.wait(LONG) };
            match job {
                Err(()) => return,
                Ok(Some(Job { command, asker })) => asker.answer(self.execute(command)),
                Ok(None) => self.go_on(),
            }
        }
    }

    fn execute(&mut self, command: Command) -> Result<Value, String> {
        match command {
            Command::Start { name, sgf, playouts, engine } => {
                let record = sgf::read(&dropped::bytes(&sgf)?).map_err(|e| e.to_string())?;
                if !(1..=MOST_PLAYOUTS).contains(&playouts) {
                    return Err(format!("a position gets 1 to {MOST_PLAYOUTS} playouts"));
                }
                let engine = engine.filter(|line| !line.trim().is_empty());
                let seed = self.options.seed.unwrap_or(1);
                let plan = ReviewOptions { engine, playouts, threads: self.options.threads, seed };
                let reviewer = Reviewer::new(&record, &plan)?;
                self.work = Some(Work { name, reviewer, is_running: true, told: Instant::now() });
                self.tell();
                Ok(Value::Null)
            }
            Command::Stop => self.set_running(false),
            Command::GoOn => self.set_running(true),
            Command::Board { number } => {
                let review = self.review()?;
                let judged = review.moves.iter().find(|m| m.number == number);
                let judged = judged.ok_or("that move has not been looked at yet")?;
                Ok(json!({ "svg": review.board(judged)?, "words": Review::sentence(judged) }))
            }
            Command::Sgf => Ok(json!({ "text": self.review()?.to_sgf() })),
            Command::Html => {
                let title = self.work.as_ref().map_or("Review", |work| work.name.as_str());
                Ok(json!({ "text": self.review()?.to_html(title)? }))
            }
        }
    }

    fn set_running(&mut self, is_running: bool) -> Result<Value, String> {
        let work = self.work.as_mut().ok_or("no game has been given yet")?;
        work.is_running = is_running && work.reviewer.done() < work.reviewer.positions();
        self.tell();
        Ok(Value::Null)
    }

    fn review(&self) -> Result<Review, String> {
        self.work.as_ref().map(|work| work.reviewer.review()).ok_or_else(|| "no game has been given yet".to_string())
    }

    /// Looks at the next position.
    fn go_on(&mut self) {
        let Some(work) = &mut self.work else { return };
        match work.reviewer.step(&AtomicBool::new(false)) {
            Ok(Some(_)) => {}
            Ok(None) => work.is_running = false,
            Err(text) => {
                log::error!("{text}");
                work.is_running = false;
            }
        }
        if work.told.elapsed() >= TELL_EVERY || !work.is_running {
            self.tell();
        }
    }

    fn tell(&mut self) {
        let Some(work) = &mut self.work else { return };
        work.told = Instant::now();
        let review = work.reviewer.review();
        let sentences: Vec<String> = review.moves.iter().map(Review::sentence).collect();
        let value = json!({
            "name": work.name,
            "running": work.is_running,
            "done": work.reviewer.done(),
            "positions": work.reviewer.positions(),
            "playouts": review.playouts,
            "engine": review.engine,
            "moves": review.moves,
            "sentences": sentences,
            "rates": review.rates(),
            "sides": review.sides(),
            "size": work.reviewer.size().n(),
        });
        self.hub.tell(Topic::Review, value);
    }
}
