//! Games gone through for pages: one at a time, told as it goes on.

use super::given;
use super::hub::Topic;
use super::job::{Clerk, Inbox, LONG, Post, TELL_EVERY};
use crate::review::{LARGE, Review, ReviewOptions, Reviewer, SMALL};
use serde::Deserialize;
use serde_json::{Value, json};
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
    Look(Look),
}

/// What was found so far.
#[derive(Deserialize, Debug)]
#[serde(tag = "at", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Look {
    /// The position before a move.
    Board { number: usize },
    /// The game with notes, as a file.
    Sgf,
    /// The review as a page.
    Html,
}

pub struct Desk {
    post: Post<Command>,
    work: Option<Work>,
}

struct Work {
    name: String,
    reviewer: Reviewer,
    is_running: bool,
    told: Instant,
}

impl Clerk for Desk {
    type Command = Command;

    fn inbox(&mut self) -> &mut Inbox<Command> {
        &mut self.post.inbox
    }

    fn execute(&mut self, command: Command, _: &AtomicBool) -> Result<Value, String> {
        match command {
            Command::Start { name, sgf, playouts, engine } => {
                let plan = ReviewOptions {
                    engine: engine.filter(|line| !line.trim().is_empty()),
                    playouts: given::playouts(playouts)?,
                    threads: self.post.options.threads,
                    seed: self.post.options.seed.unwrap_or(1),
                };
                let reviewer = Reviewer::new(&given::game(&sgf)?, &plan)?;
                self.work = Some(Work { name, reviewer, is_running: true, told: Instant::now() });
                self.tell();
                Ok(Value::Null)
            }
            Command::Stop => self.set_running(false),
            Command::GoOn => self.set_running(true),
            Command::Look(look) => {
                let work = self.work.as_ref().ok_or("no game has been given yet")?;
                look.answer(&work.name, &work.reviewer.review())
            }
        }
    }

    fn patience(&self) -> Duration {
        match &self.work {
            Some(work) if work.is_running => Duration::ZERO,
            _ => LONG,
        }
    }

    /// Looks at the next position.
    fn go_on(&mut self) {
        let Some(work) = &mut self.work else { return };
        let (inbox, name, so_far) = (&mut self.post.inbox, &work.name, work.reviewer.review());
        let mut is_stopped = false;
        // What is asked about the positions before is answered meanwhile; everything else ends it.
        let looked = work.reviewer.step(&mut || {
            is_stopped = inbox.sift(|job| match job.command {
                Command::Look(look) => {
                    job.asker.answer(look.answer(name, &so_far));
                    None
                }
                _ => Some(job),
            });
            !is_stopped
        });
        match looked {
            Ok(Some(_)) => {}
            Ok(None) => work.is_running = is_stopped,
            Err(text) => {
                log::error!("{text}");
                work.is_running = false;
            }
        }
        if work.told.elapsed() >= TELL_EVERY || !work.is_running {
            self.tell();
        }
    }

    /// What was found stays.
    fn recover(&mut self) {
        let _ = self.set_running(false);
    }
}

impl Look {
    fn answer(self, name: &str, review: &Review) -> Result<Value, String> {
        match self {
            Look::Board { number } => {
                let judged = review.moves.iter().find(|m| m.number == number);
                let judged = judged.ok_or("that move has not been looked at yet")?;
                Ok(json!({ "svg": review.board(judged)?, "words": Review::sentence(judged) }))
            }
            Look::Sgf => Ok(json!({ "text": review.to_sgf() })),
            Look::Html => Ok(json!({ "text": review.to_html(name)? })),
        }
    }
}

impl Desk {
    pub fn new(post: Post<Command>) -> Desk {
        Desk { post, work: None }
    }

    fn set_running(&mut self, is_running: bool) -> Result<Value, String> {
        let work = self.work.as_mut().ok_or("no game has been given yet")?;
        work.is_running = is_running && work.reviewer.done() < work.reviewer.positions();
        self.tell();
        Ok(Value::Null)
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
            "small": SMALL,
            "large": LARGE,
            "size": work.reviewer.size().n(),
        });
        self.post.hub.tell(Topic::Review, value);
    }
}
