//! The game on the board: a session, the moves of the whole game, and who is to do what.
//!
//! One thread owns it. It does what pages ask, and between that searches, when it is moku's turn or an analysis is on.
//! What a page asks ends a search within milliseconds. All pages see the same board.

mod change;
mod command;
mod standing;
pub(super) mod tell;
mod think;

pub use command::Command;

use super::hub::{Hub, Topic};
use super::job::{Clerk, Inbox, LONG, Post};
use crate::base::{Color, Point};
use crate::picture::Overlay;
use crate::session::{Options, Session};
use command::You;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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

impl Clerk for Desk {
    type Command = Command;

    fn inbox(&mut self) -> &mut Inbox<Command> {
        &mut self.inbox
    }

    fn execute(&mut self, command: Command, _: &AtomicBool) -> Result<Value, String> {
        let before = self.version;
        let result = self.change(command);
        if result.is_ok() && before == self.version {
            self.tell();
        }
        result
    }

    fn patience(&self) -> Duration {
        match () {
            _ if self.wants_search() => Duration::ZERO,
            // An analysis that nobody sees rests until somebody does.
            _ if self.runs_clock() || self.analyses && !self.is_analysed => SHORT,
            _ => LONG,
        }
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

    /// The position stays; moku does nothing by itself any more.
    fn recover(&mut self) {
        self.analyses = false;
        self.you = You::Both;
        self.tell();
    }
}

impl Desk {
    pub fn new(Post { options, hub, inbox }: Post<Command>) -> Result<Desk, String> {
        let mut desk = Desk {
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
        };
        desk.tell();
        Ok(desk)
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
