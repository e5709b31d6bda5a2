//! What the commands do to the game.

use super::super::given;
use super::command::{ClockWish, Command, Wish, You};
use super::{Desk, Former, Phase};
use crate::base::params::clip;
use crate::base::{Color, GameKind, Point};
use crate::game::gobang::Rule;
use crate::gtp::rules;
use crate::picture::Overlay;
use crate::search::Engine;
use crate::search::engine::default_for;
use crate::session::{Clock, Options, Session, SessionError, TimeControl, handicap, usual_size};
use crate::sgf::{GameRecord, Step};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Who writes files.
const APPLICATION: &str = concat!("moku:", env!("CARGO_PKG_VERSION"));
/// Komi beyond this is a slip.
const KOMI_LIMIT: f32 = 1000.0;

/// A result in points as a file has it.
pub fn result_of(score: f32) -> String {
    match score {
        s if s > 0.0 => format!("B+{s}"),
        s if s < 0.0 => format!("W+{}", -s),
        _ => "0".to_string(),
    }
}

impl Desk {
    /// Does what was asked. On an error everything stays.
    pub fn change(&mut self, command: Command) -> Result<Value, String> {
        let nothing = |()| Value::Null;
        match command {
            Command::New(wish) => self.start(&wish).map(nothing),
            Command::Load { sgf } => self.load(&given::game(&sgf)?).map(nothing),
            Command::Save => Ok(self.save()),
            Command::Here => Ok(json!({ "sgf": self.session.to_record().to_sgf(APPLICATION) })),
            Command::Play { at } => self.play_by_hand(&at).map(nothing),
            Command::Pass => self.play_by_hand("pass").map(nothing),
            Command::Resign => self.resign().map(nothing),
            Command::Undo => self.undo().map(nothing),
            Command::Go { at } => self.go_to(at).map(nothing),
            Command::Return => self.go_back_to_game().map(nothing),
            Command::Now => Ok(Value::Null),
            Command::Hint => self.give_hint(),
            Command::Dead { at } => self.toggle_dead(&at).map(nothing),
            Command::Accept => self.accept().map(nothing),
            Command::PlayOn => self.play_on().map(nothing),
            Command::Analyse { on } => {
                (self.analyses, self.is_analysed) = (on, false);
                Ok(Value::Null)
            }
            Command::Overlay { name } => self.set_overlay(&name).map(nothing),
            Command::Engine { line } => self.set_engine(|session| session.set_engine(&line)).map(nothing),
            Command::Parameter { key, value } => {
                self.set_engine(|session| session.set_engine_parameter(&key, &value)).map(nothing)
            }
            Command::Seats { you } => {
                self.you = you;
                self.turn_began = Instant::now();
                Ok(Value::Null)
            }
        }
    }

    // ---- whole games

    fn start(&mut self, wish: &Wish) -> Result<(), String> {
        let kind = kind_of(wish)?;
        let rule = match &wish.rule {
            Some(name) => Rule::parse(name)?,
            None => self.options.rule,
        };
        let rules = match &wish.rules {
            Some(_) if kind != GameKind::Go => {
                return Err("rules are of Go; gobang has a rule: exact or freestyle".into());
            }
            Some(name) => rules::parse(name)?,
            None => self.options.rules,
        };
        let usual = wish.rules.as_ref().map_or(self.options.komi, |_| rules.usual_komi());
        let komi = wish.komi.unwrap_or(usual);
        if !komi.is_finite() || komi.abs() > KOMI_LIMIT {
            return Err(format!("the komi is a number from -{KOMI_LIMIT} to {KOMI_LIMIT}"));
        }
        let size = wish.size.unwrap_or_else(|| usual_size(kind));
        let engine = Some(engine_line(kind, wish)?);
        let control = wish.clock.map_or(Ok(TimeControl::None), time_control)?;
        let mut session = Session::new(Options { kind, rule, rules, size, komi, engine, ..self.options.clone() })?;
        if wish.handicap > 0 {
            place_handicap(&mut session, wish.handicap)?;
        }
        session.set_time_control(control);
        self.take(session, wish.you);
        Ok(())
    }

    fn load(&mut self, record: &GameRecord) -> Result<(), String> {
        let engine = match record.kind == self.session.kind() {
            true => Some(self.session.engine().to_string()),
            false => None,
        };
        let options = Options { kind: record.kind, size: record.size.n(), engine, ..self.options.clone() };
        let mut session = Session::new(options)?;
        session.load(record)?;
        self.take(session, You::Both);
        if let Some(result) = record.result.as_ref().filter(|_| self.phase == Phase::Playing) {
            // A file ends where its players ended it.
            self.phase = Phase::Over(clip(result));
        }
        Ok(())
    }

    /// Another game is on the board.
    fn take(&mut self, session: Session, you: You) {
        self.session = session;
        self.you = you;
        self.line = self.session.table().moves().to_vec();
        self.rates = vec![None; self.line.len() + 1];
        self.former = None;
        if self.session.kind() != GameKind::Go && self.overlay.is_some_and(Overlay::is_for_go) {
            self.overlay = None;
        }
        self.phase = Phase::Playing;
        self.moved();
    }

    fn save(&self) -> Value {
        let mut record = self.session.to_record();
        record.steps.extend(self.line[self.at()..].iter().map(|&(color, p)| Step::Move(color, p)));
        let name = |color: Color| {
            let moku = format!("moku {}", self.session.engine().preset());
            Some(if self.is_by_hand(color) { "you".to_string() } else { moku })
        };
        record.players = Color::BOTH.map(name);
        if let Phase::Over(result) = &self.phase {
            record.result = Some(result.clone());
        }
        json!({ "sgf": record.to_sgf(APPLICATION) })
    }

    // ---- moves

    /// The board has another position than before.
    pub fn moved(&mut self) {
        self.hint = None;
        self.is_analysed = false;
        self.turn_began = Instant::now();
        if self.phase == Phase::Playing && self.is_at_end() {
            self.find_end();
        }
    }

    /// Is the game over by its rules?
    fn find_end(&mut self) {
        let table = self.session.table();
        if !table.is_over() {
            return;
        }
        self.phase = match table.winner() {
            _ if table.has_territory() => {
                let dead: Vec<Point> = self.session.judge().dead.concat();
                match self.you {
                    You::Nobody => Phase::Over(result_of(table.count(&dead).score)),
                    _ => Phase::Counting { dead },
                }
            }
            Some(winner) => Phase::Over(format!("{}+", winner.letter())),
            None => Phase::Over("0".to_string()),
        };
    }

    pub fn point(&self, text: &str) -> Result<Point, String> {
        let size = self.session.size();
        size.point_from_gtp(text).ok_or_else(|| format!("'{}' is no point of this board", clip(text)))
    }

    fn play_by_hand(&mut self, text: &str) -> Result<(), String> {
        let p = self.point(text)?;
        let turn = self.turn();
        if self.is_at_end() {
            match &self.phase {
                Phase::Playing if !self.is_by_hand(turn) => return Err("it is moku's turn".to_string()),
                Phase::Playing => {}
                _ => return Err("the game is over: take moves back, or start a new one".to_string()),
            }
        }
        if self.line.get(self.at()) == Some(&(turn, p)) {
            return self.go_to(self.at() + 1);
        }
        self.session.table().check(turn, p).map_err(|e| self.refusal(turn, p, e.reason()))?;
        self.leave_game();
        let used = self.turn_began.elapsed();
        self.session.play(turn, p).map_err(|e| self.refusal(turn, p, e.reason()))?;
        self.session.clock_mut().spend(turn, used);
        self.follow();
        Ok(())
    }

    pub fn refusal(&self, turn: Color, p: Point, reason: &str) -> String {
        format!("{turn} cannot play {}: {reason}", self.session.size().point_to_gtp(p))
    }

    /// The session has made a move beyond the end of the line.
    pub fn follow(&mut self) {
        let moves = self.session.table().moves();
        self.line = moves.to_vec();
        self.rates.resize(self.line.len() + 1, None);
        self.moved();
    }

    /// A try in the middle of a game: the game is kept.
    fn leave_game(&mut self) {
        if self.is_at_end() {
            return;
        }
        let (at, line, rates) = (self.at(), self.line.clone(), self.rates.clone());
        let phase = std::mem::replace(&mut self.phase, Phase::Playing);
        self.former.get_or_insert(Former { line, rates, phase });
        self.line.truncate(at);
        self.rates.truncate(at + 1);
    }

    fn go_back_to_game(&mut self) -> Result<(), String> {
        let former = self.former.take().ok_or("there is no other game to return to")?;
        let common = self.line.iter().zip(&former.line).take_while(|(a, b)| a == b).count();
        self.step_to(common.min(self.at()));
        (self.line, self.rates, self.phase) = (former.line, former.rates, former.phase);
        self.step_to(self.line.len());
        self.moved();
        Ok(())
    }

    /// Moves of the line are taken back or made until there are so many.
    fn step_to(&mut self, at: usize) {
        while self.at() > at && self.session.undo() {}
        while self.at() < at {
            let (color, p) = self.line[self.at()];
            if self.session.play(color, p).is_err() {
                break;
            }
        }
    }

    fn go_to(&mut self, at: usize) -> Result<(), String> {
        if at > self.line.len() {
            return Err(format!("the game has {} moves", self.line.len()));
        }
        self.step_to(at);
        self.moved();
        Ok(())
    }

    /// Back to where a person has to move again, one move at least.
    fn undo(&mut self) -> Result<(), String> {
        if self.at() == 0 {
            return Err("there is no move to take back".to_string());
        }
        self.leave_game();
        self.phase = Phase::Playing;
        self.session.undo();
        while self.at() > 0 && self.you != You::Nobody && !self.is_by_hand(self.turn()) {
            self.session.undo();
        }
        self.follow();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        if self.phase != Phase::Playing {
            return Err("the game is over".to_string());
        }
        let loser = match self.you {
            You::Black => Color::Black,
            You::White => Color::White,
            You::Both | You::Nobody => self.turn(),
        };
        self.step_to(self.line.len());
        self.phase = Phase::Over(format!("{}+R", loser.opponent().letter()));
        Ok(())
    }

    // ---- the end

    fn toggle_dead(&mut self, text: &str) -> Result<(), String> {
        let chain = self.session.table().chain_at(self.point(text)?);
        let Phase::Counting { dead } = &mut self.phase else {
            return Err("dead stones are marked when both have passed".to_string());
        };
        match chain.first() {
            None => return Err("there is no stone to mark".to_string()),
            Some(first) if dead.contains(first) => dead.retain(|p| !chain.contains(p)),
            Some(_) => dead.extend(chain),
        }
        Ok(())
    }

    fn accept(&mut self) -> Result<(), String> {
        let Phase::Counting { dead } = &self.phase else {
            return Err("there is nothing to count yet".to_string());
        };
        self.phase = Phase::Over(result_of(self.session.table().count(dead).score));
        Ok(())
    }

    fn play_on(&mut self) -> Result<(), String> {
        if !matches!(self.phase, Phase::Counting { .. }) {
            return Err("the game is not being counted".to_string());
        }
        self.phase = Phase::Playing;
        while self.line.last().is_some_and(|(_, p)| p.is_pass()) && self.session.undo() {
            self.line.pop();
        }
        self.follow();
        Ok(())
    }

    // ---- settings

    pub fn set_overlay(&mut self, name: &str) -> Result<(), String> {
        let overlay = if name.is_empty() { None } else { Some(Overlay::from_name(name)?) };
        if overlay.is_some_and(Overlay::is_for_go) && self.session.kind() != GameKind::Go {
            return Err(format!("{} has only the overlays winrate and visits", self.session.kind().name()));
        }
        self.overlay = overlay;
        Ok(())
    }

    fn set_engine(&mut self, set: impl FnOnce(&mut Session) -> Result<(), SessionError>) -> Result<(), String> {
        set(&mut self.session)?;
        self.is_analysed = false;
        Ok(())
    }
}

/// The game that is wished for.
pub fn kind_of(wish: &Wish) -> Result<GameKind, String> {
    GameKind::parse(&wish.game)
}

/// The engine line that a wish comes to.
pub fn engine_line(kind: GameKind, wish: &Wish) -> Result<String, String> {
    let base = wish.engine.as_deref().map(str::trim).filter(|line| !line.is_empty()).unwrap_or(default_for(kind));
    let engine = Engine::parse_for(kind, base)?;
    let engine = match (wish.level, wish.seconds) {
        (Some(_), Some(_)) => return Err("a level or seconds a move, not both".to_string()),
        (Some(level), None) => engine.with("level", &level.to_string())?,
        (None, Some(seconds)) => engine.with("time", &seconds.to_string())?,
        (None, None) => engine,
    };
    Ok(engine.to_string())
}

fn time_control(wish: ClockWish) -> Result<TimeControl, String> {
    let is_fit = |s: f64| (0.0..=86_400.0).contains(&s);
    if !is_fit(wish.main) || !is_fit(wish.period) || wish.periods > 100 {
        return Err("a clock has up to a day of time and up to a hundred periods".to_string());
    }
    let [main, period] = [wish.main, wish.period].map(Duration::from_secs_f64);
    Ok(match wish.periods {
        0 => Clock::from_gtp(wish.main, 0.0, 0),
        _ if period.is_zero() => return Err("a period has some seconds".to_string()),
        periods => TimeControl::Byoyomi { main, period, periods },
    })
}

fn place_handicap(session: &mut Session, stones: usize) -> Result<(), String> {
    let size = session.size();
    let points = match session.kind() {
        GameKind::Go => handicap::fixed(size, stones),
        GameKind::Gobang => return Err("gobang has no handicap".to_string()),
    };
    let points = points.ok_or_else(|| match handicap::fixed(size, 2) {
        Some(_) => format!("{stones} handicap stones have no fixed place on {size}x{size}"),
        None => format!("{size}x{size} has no points for handicap stones"),
    })?;
    match session.place_handicap(&points) {
        true => Ok(()),
        false => Err("the handicap stones cannot be placed".to_string()),
    }
}
