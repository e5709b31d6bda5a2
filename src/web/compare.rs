//! Two engines side by side on the position of the board, with the same playouts.

use super::desk::tell;
use super::hub::{Hub, Topic};
use super::job::{Inbox, Job};
use crate::base::Color;
use crate::picture::{Overlay, Picture};
use crate::search::{Preparation, Report};
use crate::session::{Options, Progress, Session};
use crate::sgf::{self, GameRecord};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

#[derive(Deserialize, Debug)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// The position at the end of a game, as moku itself wrote it.
    Start {
        sgf: String,
        engines: [String; 2],
        playouts: u64,
        overlay: String,
    },
    Stop,
}

const MOST_PLAYOUTS: u64 = 100_000_000;
const TELL_EVERY: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(3600);

pub struct Desk {
    options: Options,
    hub: Arc<Hub>,
    inbox: Inbox<Command>,
}

/// What one of the engines is at.
#[derive(Clone)]
struct Side {
    line: String,
    report: Report,
    preparation: Option<Preparation>,
    is_done: bool,
    error: Option<String>,
}

/// What the engines are asked about: a position and how to get there; the moves of the last turn are played after a search, for engines that remember.
struct Comparison {
    record: GameRecord,
    earlier: Option<GameRecord>,
    color: Color,
    overlay: Overlay,
    playouts: u64,
}

impl Desk {
    pub fn new(options: Options, hub: Arc<Hub>, inbox: Inbox<Command>) -> Desk {
        Desk { options, hub, inbox }
    }

    pub fn run(mut self) {
        while let Ok(job) = self.inbox.wait(LONG) {
            let Some(Job { command, asker }) = job else { continue };
            match command {
                Command::Stop => asker.answer(Ok(Value::Null)),
                Command::Start { sgf, engines, playouts, overlay } => match self.task(&sgf, playouts, &overlay) {
                    Err(text) => asker.answer(Err(text)),
                    Ok(task) => match self.sessions(&task, &engines) {
                        Err(text) => asker.answer(Err(text)),
                        Ok(sessions) => {
                            asker.answer(Ok(Value::Null));
                            self.compare(&task, sessions);
                        }
                    },
                },
            }
        }
    }

    fn task(&self, text: &str, playouts: u64, overlay: &str) -> Result<Comparison, String> {
        let record = sgf::read(text.as_bytes()).map_err(|e| e.to_string())?;
        if !(1..=MOST_PLAYOUTS).contains(&playouts) {
            return Err(format!("a comparison has 1 to {MOST_PLAYOUTS} playouts"));
        }
        let overlay = Overlay::from_name(overlay)?;
        if !overlay.is_searched() {
            return Err("two searches are compared by winrate or visits".to_string());
        }
        let moves = record.steps.iter().filter(|step| matches!(step, sgf::Step::Move(..))).count();
        let earlier = (moves >= 2).then(|| record.before_move(moves - 1));
        Ok(Comparison { color: record.to_play(), record, earlier, overlay, playouts })
    }

    /// A session for each engine, each with its part of the cores.
    fn sessions(&self, task: &Comparison, engines: &[String; 2]) -> Result<Vec<Session>, String> {
        let make = |line: &String| {
            let threads = (self.options.threads / 2).max(1);
            let options = Options {
                kind: task.record.kind,
                size: task.record.size.n(),
                engine: Some(line.clone()),
                threads,
                ..self.options.clone()
            };
            let mut session = Session::new(options)?;
            session.set_engine_parameter("playouts", &task.playouts.to_string())?;
            session.load(&task.record)?;
            if session.table().is_over() {
                return Err("the game is over: there is nothing to search".to_string());
            }
            Ok(session)
        };
        engines.iter().map(make).collect()
    }

    fn compare(&mut self, task: &Comparison, mut sessions: Vec<Session>) {
        let empty = |session: &Session| Side {
            line: session.engine().to_string(),
            report: Report { moves: Vec::new(), nodes: 0 },
            preparation: None,
            is_done: false,
            error: None,
        };
        let sides: Vec<Mutex<Side>> = sessions.iter().map(empty).map(Mutex::new).collect();
        let board = Picture::of(&sessions[0]).diagram().to_html();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for (session, side) in sessions.iter_mut().zip(&sides) {
                let stop = &stop;
                scope.spawn(move || {
                    let result = search(task, session, side, stop);
                    let mut side = side.lock();
                    side.error = result.err();
                    side.is_done = true;
                });
            }
            loop {
                std::thread::sleep(TELL_EVERY);
                // Whatever is asked next takes the place of this.
                if let Ok(Some(job)) = self.inbox.look() {
                    self.inbox.put_back(job);
                    stop.store(true, SeqCst);
                }
                let seen: Vec<Side> = sides.iter().map(|side| side.lock().clone()).collect();
                self.hub.tell(Topic::Compare, value(task, &board, &seen));
                if seen.iter().all(|side| side.is_done) {
                    break;
                }
            }
        });
    }
}

/// Searches with one engine, its reports left where they can be seen.
fn search(task: &Comparison, session: &mut Session, side: &Mutex<Side>, stop: &AtomicBool) -> Result<(), String> {
    // What an engine inherits or keeps, it has from its own turn before.
    if let Some(earlier) = task.earlier.as_ref().filter(|_| session.engine().remembers()) {
        session.load(earlier)?;
        session.think(task.color, None, &mut |_| !stop.load(SeqCst))?;
        let moves = task.record.steps.iter().filter_map(|step| match *step {
            sgf::Step::Move(color, p) => Some((color, p)),
            sgf::Step::SetUp { .. } => None,
        });
        let played = session.table().moves().len();
        for (color, p) in moves.collect::<Vec<_>>().into_iter().skip(played) {
            session.play(color, p).map_err(|e| e.reason().to_string())?;
        }
    }
    let mut due = Instant::now();
    let mut watch = |progress: &dyn Progress| {
        if Instant::now() >= due || progress.is_done() {
            due = Instant::now() + TELL_EVERY;
            side.lock().report = progress.report();
        }
        !stop.load(SeqCst)
    };
    let thought = session.think(task.color, None, &mut watch)?;
    let mut side = side.lock();
    if !thought.report.moves.is_empty() {
        side.report = thought.report;
    }
    side.preparation = thought.preparation;
    Ok(())
}

fn value(task: &Comparison, board: &str, sides: &[Side]) -> Value {
    let side = |side: &Side| {
        let mut picture = Picture::blank(task.record.size);
        picture.show(task.overlay, &side.report);
        let reward = side.preparation.map(|preparation| {
            let survey = preparation.survey.map_or_else(String::new, |survey| {
                let (n, rate, mean) = (survey.playouts, survey.win_rate, survey.mean_reward);
                format!(": by {n} playouts the win rate is {rate:.3} and the mean reward {mean:.3}")
            });
            format!("Reward {}{survey}", preparation.reward.describe())
        });
        json!({
            "engine": side.line,
            "playouts": side.report.visits(),
            "nodes": side.report.nodes,
            "rows": tell::rows(task.record.size, &side.report),
            "layers": picture.diagram().overlay_layers(),
            "reward": reward,
            "done": side.is_done,
            "error": side.error,
        })
    };
    json!({
        "turn": task.color.letter().to_string(),
        "svg": board,
        "sides": sides.iter().map(side).collect::<Vec<_>>(),
        "playouts": task.playouts,
    })
}
