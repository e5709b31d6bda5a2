//! The game on the board: a session, the moves of the whole game, and who is to do what.
//!
//! One thread owns it. It does what pages ask, and between that searches, when it is moku's turn or an analysis is on.
//! What a page asks ends a search within milliseconds. All pages see the same board.

mod change;
mod command;
pub(super) mod tell;
mod think;

pub use command::Command;

use super::hub::{Hub, Topic};
use super::job::{Inbox, Job};
use crate::base::{Color, Point};
use crate::picture::Overlay;
use crate::session::{Options, Session};
use command::You;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How the game stands.
#[derive(Clone, PartialEq, Debug)]
enum Phase {
    Playing,
    /// Both passed: the dead stones are to be agreed upon.
    Counting {
        dead: Vec<Point>,
    },
    /// The result as a file has it.
    Over(String),
}

pub struct Desk {
    /// How sessions start.
    options: Options,
    session: Session,
    hub: Arc<Hub>,
    inbox: Inbox<Command>,
    you: You,
    phase: Phase,
    /// All moves of the game. The session has played as many of them as lead to the position on the board.
    line: Vec<(Color, Point)>,
    /// The game before somebody tried something else in the middle of it.
    former: Option<Former>,
    /// Black's win rate after so many moves, where it is known.
    rates: Vec<Option<f32>>,
    overlay: Option<Overlay>,
    analyses: bool,
    /// The analysis of this position has come to its end.
    is_analysed: bool,
    /// What moku would play here, if somebody asked.
    hint: Option<Point>,
    /// Since when the side to move thinks.
    turn_began: Instant,
    /// Counts what was told, so that pages know what belongs together.
    version: u64,
}

struct Former {
    line: Vec<(Color, Point)>,
    rates: Vec<Option<f32>>,
    phase: Phase,
}

/// How often somebody looks at the clock.
const SHORT: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(3600);

impl Desk {
    pub fn new(options: Options, hub: Arc<Hub>, inbox: Inbox<Command>) -> Result<Desk, String> {
        Ok(Desk {
            session: Session::new(options.clone())?,
            options,
            hub,
            inbox,
            you: You::Black,
            phase: Phase::Playing,
            line: Vec::new(),
            former: None,
            rates: vec![None],
            overlay: None,
            analyses: false,
            is_analysed: false,
            hint: None,
            turn_began: Instant::now(),
            version: 0,
        })
    }

    /// Plays until nobody can ask any more.
    pub fn run(mut self) {
        self.tell();
        while let Ok(job) = self.next_job() {
            let step = AssertUnwindSafe(|| match job {
                Some(job) => self.do_job(job),
                None => self.go_on(),
            });
            if catch_unwind(step).is_err() {
                log::error!("the board's thread failed; the position stays");
                self.analyses = false;
                self.you = You::Both;
                self.tell();
            }
        }
    }

    /// What to do next; `None`: search, or look at the clock.
    fn next_job(&mut self) -> Result<Option<Job<Command>>, ()> {
        if self.wants_search() {
            return self.inbox.look();
        }
        // An analysis that nobody sees rests until somebody does.
        let is_short = self.runs_clock() || self.analyses && !self.is_analysed;
        self.inbox.wait(if is_short { SHORT } else { LONG })
    }

    fn do_job(&mut self, job: Job<Command>) {
        let Job { command, asker } = job;
        let before = self.version;
        let result = self.change(command);
        if result.is_ok() && before == self.version {
            self.tell();
        }
        asker.answer(result);
    }

    fn go_on(&mut self) {
        match () {
            _ if self.is_flag_down() => {
                let winner = self.turn().opponent();
                self.phase = Phase::Over(format!("{}+T", winner.letter()));
                self.tell();
            }
            _ if self.is_mokus_turn() => self.answer_with_a_move(),
            _ if self.wants_search() => self.analyse(),
            _ => {}
        }
    }

    // ---- how things stand

    fn turn(&self) -> Color {
        self.session.table().to_play()
    }

    /// The number of moves that lead to the position on the board.
    fn at(&self) -> usize {
        self.session.table().moves().len()
    }

    fn is_at_end(&self) -> bool {
        self.at() == self.line.len()
    }

    fn is_by_hand(&self, color: Color) -> bool {
        match self.you {
            You::Both => true,
            You::Nobody => false,
            You::Black => color == Color::Black,
            You::White => color == Color::White,
        }
    }

    fn is_mokus_turn(&self) -> bool {
        self.phase == Phase::Playing && self.is_at_end() && !self.is_by_hand(self.turn())
    }

    fn wants_search(&self) -> bool {
        let looks = self.analyses && !self.is_analysed && !self.session.table().is_over() && self.hub.is_watched();
        self.is_mokus_turn() || looks
    }

    /// Does a clock run for somebody who moves by hand?
    fn runs_clock(&self) -> bool {
        self.phase == Phase::Playing && self.has_clock() && self.is_at_end()
    }

    fn has_clock(&self) -> bool {
        self.session.clock().control() != crate::session::TimeControl::None
    }

    fn is_flag_down(&self) -> bool {
        self.runs_clock() && self.session.clock().is_lost(self.turn(), self.turn_began.elapsed())
    }

    fn tell(&mut self) {
        self.version += 1;
        let value = tell::game(self);
        self.hub.tell(Topic::Game, value);
        self.hub.tell(Topic::Live, Value::Null);
    }
}
