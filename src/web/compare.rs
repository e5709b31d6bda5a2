//! Two engines side by side on the position of the board, with the same playouts.

use super::desk::tell;
use super::given;
use super::hub::Topic;
use super::job::{Clerk, Inbox, LONG, Post, TELL_EVERY};
use crate::base::{Color, Size};
use crate::picture::{Overlay, Picture};
use crate::search::{Preparation, Report};
use crate::session::{Options, Progress, Session};
use crate::sgf::{self, GameRecord};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

#[derive(Deserialize, Debug)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// The position at the end of a game.
    Start {
        sgf: String,
        engines: [String; 2],
        playouts: u64,
        overlay: String,
    },
    Stop,
}

pub struct Desk {
    post: Post<Command>,
    /// What is to be compared next, with a session for each engine.
    next: Option<(Comparison, Vec<Session>)>,
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

impl Clerk for Desk {
    type Command = Command;

    fn inbox(&mut self) -> &mut Inbox<Command> {
        &mut self.post.inbox
    }

    fn execute(&mut self, command: Command, _: &AtomicBool) -> Result<Value, String> {
        if let Command::Start { sgf, engines, playouts, overlay } = command {
            self.next = Some(self.prepare(given::game(&sgf)?, &engines, given::playouts(playouts)?, &overlay)?);
        }
        Ok(Value::Null)
    }

    fn patience(&self) -> Duration {
        if self.next.is_some() { Duration::ZERO } else { LONG }
    }

    fn go_on(&mut self) {
        if let Some((task, sessions)) = self.next.take() {
            self.compare(&task, sessions);
        }
    }

    fn recover(&mut self) {
        self.next = None;
    }
}

impl Desk {
    pub fn new(post: Post<Command>) -> Desk {
        Desk { post, next: None }
    }

    fn prepare(
        &self,
        record: GameRecord,
        engines: &[String; 2],
        playouts: u64,
        overlay: &str,
    ) -> Result<(Comparison, Vec<Session>), String> {
        let overlay = Overlay::from_name(overlay)?;
        if !overlay.is_searched() {
            return Err("two searches are compared by winrate or visits".to_string());
        }
        let moves = record.steps.iter().filter(|step| matches!(step, sgf::Step::Move(..))).count();
        let earlier = (moves >= 2).then(|| record.before_move(moves - 1));
        let sessions = engines.iter().map(|line| self.session(&record, line, playouts)).collect::<Result<_, _>>()?;
        Ok((Comparison { color: record.to_play(), record, earlier, overlay, playouts }, sessions))
    }

    /// A session of an engine, with its part of the cores.
    fn session(&self, record: &GameRecord, line: &str, playouts: u64) -> Result<Session, String> {
        let options = &self.post.options;
        let mut session = Session::new(Options {
            kind: record.kind,
            size: record.size.n(),
            engine: Some(line.to_string()),
            threads: (options.threads / 2).max(1),
            ..options.clone()
        })?;
        session.set_engine_parameter("playouts", &playouts.to_string())?;
        session.load(record)?;
        match session.table().is_over() {
            true => Err("the game is over: there is nothing to search".to_string()),
            false => Ok(session),
        }
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
                if self.post.inbox.sift(Some) {
                    stop.store(true, SeqCst);
                }
                let seen: Vec<Side> = sides.iter().map(|side| side.lock().clone()).collect();
                self.post.hub.tell(Topic::Compare, value(task, &board, &seen));
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
        json!({
            "engine": side.line,
            "playouts": side.report.visits(),
            "nodes": side.report.nodes,
            "rows": tell::rows(task.record.size, &side.report),
            "layers": picture.diagram().overlay_layers(),
            "rounds": rounds(&side.report),
            "inherited": side.report.moves.iter().map(tell::inherited).sum::<f32>(),
            "reward": side.preparation.as_ref().map(|preparation| reward(task.record.size, preparation)),
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

/// How many moves there were at first, and how many each halving left.
fn rounds(report: &Report) -> Vec<usize> {
    let last = report.moves.iter().map(|m| report.halvings(m)).max().unwrap_or(0);
    if last == 0 {
        return Vec::new();
    }
    let left = |round: u32| report.moves.iter().filter(|m| report.halvings(m) >= round).count();
    (0..=last).map(left).collect()
}

/// How many points the curve has on each side.
const STEPS: i32 = 60;

/// The reward in force, in words and as a curve over the score.
fn reward(size: Size, preparation: &Preparation) -> Value {
    let words = preparation.reward.describe();
    let survey = preparation.survey.map(|survey| {
        let (n, rate, mean) = (survey.playouts, 100.0 * survey.win_rate, survey.mean_reward);
        format!(": of {n} playouts {rate:.1} % are won, and their mean reward is {mean:.3}")
    });
    let far = 3.0 * size.n() as f32;
    let score = |i: i32| i as f32 * far / STEPS as f32;
    let curve: Vec<_> = (-STEPS..=STEPS).map(|i| (score(i), preparation.reward.of(score(i)))).collect();
    json!({ "words": format!("Reward {words}{}", survey.unwrap_or_default()), "curve": curve })
}
