//! A move of the engine, from the question to the answer: prover, request, search, then play or resign, and ponder on.

use super::fights::FightAdviser;
use super::{Session, SessionError, proof};
use crate::base::{Color, GameKind, Point};
use crate::search::params::End;
use crate::table::{Passing, Request, Thought, Watch};
use std::time::{Duration, Instant};

/// What the engine answers when asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Play(Point),
    Resign,
}

/// Nobody ponders longer than this about one move.
const PONDER_LIMIT: Duration = Duration::from_secs(600);
/// Moves of fewer seconds are made by one worker.
const HURRY: f64 = 0.005;
/// Resign after this many hopeless moves in a row.
const HOPELESS_MOVES: u32 = 2;
/// Fewer playouts say nothing about who wins.
const JUDGED: u64 = 30;
/// Resign instead of a pass that loses by so many points: there is nothing to count.
const HOPELESS_POINTS: f32 = 10.0;

impl Session {
    /// Chooses a move, plays it, and ponders on if asked to.
    pub fn genmove(&mut self, color: Color, passing: Option<Passing>, watch: Watch) -> Result<Answer, SessionError> {
        let began = Instant::now();
        let thought = self.think(color, passing, watch)?;
        self.decide(color, thought, began)
    }

    /// Chooses a move without playing it.
    pub fn think(&mut self, color: Color, passing: Option<Passing>, watch: Watch) -> Result<Thought, SessionError> {
        if let Some(thought) = self.proven(color, watch) {
            return Ok(thought);
        }
        let request = self.request(color, passing);
        Ok(self.table.search(&mut self.pool, request, watch)?)
    }

    /// Chooses a move without playing it, by the position and the engine alone: nothing remembered, nothing drawn.
    pub fn think_afresh(&mut self, color: Color, watch: Watch) -> Result<Thought, SessionError> {
        self.table.forget();
        if let Some(thought) = self.proven(color, watch) {
            return Ok(thought);
        }
        let request = Request { seed: self.fixed_seed(), ..self.request(color, None) };
        let thought = self.table.search(&mut self.pool, request, watch);
        self.table.forget();
        Ok(thought?)
    }

    /// What the exact solver has to say, if the engine asks it.
    fn proven(&mut self, color: Color, watch: Watch) -> Option<Thought> {
        if self.kind != GameKind::Go || !self.engine.params().prover {
            return None;
        }
        let began = Instant::now();
        self.table.stop_pondering();
        let mut means = self.proof_means();
        means.seconds = means.seconds.min(self.clock_seconds(color).unwrap_or(f64::INFINITY));
        let point = proof::proven_move(self.table.as_ref(), color, means, watch)?;
        Some(Thought::without_search(point, began))
    }

    /// What the engine lets the exact solver spend.
    pub fn proof_means(&self) -> proof::ProofMeans {
        let params = self.engine.params();
        let threads = if params.threads == 0 { self.threads } else { params.threads as usize };
        proof::ProofMeans { seconds: params.prover_time, table_mb: params.table_mb as usize, threads }
    }

    /// Engine line, clock and limits in one.
    pub(super) fn request(&self, color: Color, passing: Option<Passing>) -> Request {
        let mut engine = self.engine.clone();
        if let Some(most) = self.limits.tree_megabytes {
            engine.limit_tree(most);
        }
        let params = engine.params();
        let seconds = match (params.time, engine.playouts(1), params.each) {
            (0.0, None, 0) => Some(self.clock_seconds(color).or(self.limits.seconds).unwrap_or(self.seconds)),
            (0.0, _, _) => self.clock_seconds(color), // a lost game on time is worse than an unspent budget
            (time, _, _) => Some(time.min(self.clock_seconds(color).unwrap_or(f64::INFINITY))),
        };
        let seconds = match (seconds, self.limits.seconds) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let own = match params.end {
            End::Fill => Passing::Fill,
            End::Person => Passing::Person,
        };
        let adviser = FightAdviser::of(params, &mut self.fights.lock());
        Request {
            color,
            threads: match params.threads {
                // To wake up the workers takes longer than such a move may.
                _ if seconds.is_some_and(|s| s < HURRY) => 1,
                0 => self.threads,
                n => n as usize,
            },
            playouts: engine.playouts(self.size().area()),
            engine,
            seed: self.seed,
            deadline: seconds.map(|s| Instant::now() + Duration::from_secs_f64(s)),
            passing: passing.unwrap_or(own),
            keep_tree: self.ponder,
            adviser,
            analysis: None,
        }
    }

    /// What the game's clock allows for this move.
    fn clock_seconds(&self, color: Color) -> Option<f64> {
        let area = self.size().area() as f64;
        let own_moves_to_come = ((0.7 * area - self.table.moves().len() as f64) / 2.0).max(0.1 * area);
        self.clock.allot(color, own_moves_to_come).map(|d| d.as_secs_f64())
    }

    /// Plays or resigns, as a thought about a move says. The clock has been running since it began.
    pub fn decide(&mut self, color: Color, thought: Thought, began: Instant) -> Result<Answer, SessionError> {
        let answer = self.answer(color, &thought);
        if let Answer::Play(p) = answer {
            self.table.play(color, p).map_err(SessionError::IllegalChoice)?;
        }
        if let Some(late) = thought.late {
            self.clock.learn_lateness(late + began.elapsed().saturating_sub(thought.elapsed));
        }
        self.last_thought = Some(thought);
        self.clock.spend(color, began.elapsed());
        if self.ponder && answer != Answer::Resign {
            self.start_pondering(color.opponent());
        }
        Ok(answer)
    }

    /// The win rate that a thought came to, unless it is that of a handful of playouts: in Go they say nothing about who wins.
    pub fn telling_rate(&self, thought: &Thought) -> Option<f32> {
        thought.rate().filter(|_| !self.table.has_territory() || thought.playouts >= JUDGED)
    }

    /// The move, or a resignation when the game has been hopeless for some moves.
    fn answer(&mut self, color: Color, thought: &Thought) -> Answer {
        if !self.table.has_territory() {
            // Whoever has lost resigns; before that a loss is defended.
            let is_lost = self.table.winner() == Some(color.opponent());
            return if is_lost { Answer::Resign } else { Answer::Play(thought.point) };
        }
        let rate = self.telling_rate(thought);
        let is_hopeless = self.resign.is_some_and(|least| rate.is_some_and(|rate| rate < least));
        let streak = &mut self.hopeless[color.index()];
        *streak = if is_hopeless { *streak + 1 } else { 0 };
        // Nobody resigns an opening, least of all one that a handicap made look lost.
        let area = self.table.size().area();
        let opening = if self.table.handicap() > 0 { area / 2 } else { area / 5 };
        let has_lost_hope = *streak >= HOPELESS_MOVES && self.table.moves().len() >= opening;
        let ends_lost = thought.point.is_pass() && thought.lost_by.is_some_and(|points| points >= HOPELESS_POINTS);
        let may_resign = self.engine.params().end == End::Person && self.resign.is_some();
        if may_resign && (has_lost_hope || ends_lost) { Answer::Resign } else { Answer::Play(thought.point) }
    }

    fn start_pondering(&mut self, color: Color) {
        let request = Request { deadline: Some(Instant::now() + PONDER_LIMIT), ..self.request(color, None) };
        self.table.ponder(&mut self.pool, request);
    }
}
