//! A game being played: the table, the engine, the clock and the workers. The face that GTP and the lab talk to.

pub mod analysis;
pub mod clock;
mod error;
mod fights;
mod genmove;
pub mod handicap;
pub mod outlooks;
pub mod proof;
mod row;
#[cfg(test)]
mod tests;

pub use crate::table::{Analysis, FinalStatus, Passing, Progress, Table, Thought, Watch, insight};
pub use analysis::AnalysisCaps;
pub use clock::{Clock, TimeControl};
pub use error::SessionError;
pub use genmove::Answer;
pub use outlooks::Outlooks;

use crate::base::params::clip;
use crate::base::rng::fresh_seed;
use crate::base::{Black, Color, GameKind, Point, Size, White};
use crate::game::gobang::{self, Rule};
use crate::game::{Illegal, Rules};
use crate::pool::Pool;
use crate::search::{Engine, engine};
use crate::sgf::{GameRecord, Step};
use crate::table::{self, Ground};
use parking_lot::Mutex;
use std::sync::Arc;

/// How a session starts.
#[derive(Clone, Debug)]
pub struct Options {
    pub kind: GameKind,
    /// Gobang: what more than five in a row is.
    pub rule: Rule,
    pub size: usize,
    pub komi: f32,
    /// Those of Go.
    pub rules: Rules,
    /// None: moku's best for the game.
    pub engine: Option<String>,
    pub threads: usize,
    /// None: one is drawn.
    pub seed: Option<u64>,
    /// Resign below this win rate; None: never.
    pub resign: Option<f32>,
    pub ponder: bool,
    /// Seconds for a move when neither engine nor clock says.
    pub seconds: f64,
    pub analysis_caps: AnalysisCaps,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            kind: GameKind::Go,
            rule: Rule::Exact,
            size: usual_size(GameKind::Go),
            komi: 7.5,
            rules: Rules::default(),
            engine: None,
            threads: std::thread::available_parallelism().map_or(1, |n| n.get()),
            seed: None,
            resign: Some(0.05),
            ponder: false,
            seconds: 1.0,
            analysis_caps: AnalysisCaps::default(),
        }
    }
}

pub struct Session {
    kind: GameKind,
    rule: Rule,
    komi: f32,
    rules: Rules,
    /// The line that somebody asked for, if anybody did.
    chosen_engine: Option<String>,
    engine: Engine,
    threads: usize,
    /// That of this game.
    seed: u64,
    /// The seed that somebody gave; without one every game has another.
    given_seed: Option<u64>,
    resign: Option<f32>,
    ponder: bool,
    clock: Clock,
    pool: Pool,
    table: Box<dyn Table>,
    /// Moves in a row at which the win rate was below the threshold, by colour.
    hopeless: [u32; 2],
    last_thought: Option<Thought>,
    seconds: f64,
    analysis_caps: AnalysisCaps,
    glance: Option<analysis::Glance>,
    /// What the exact solver knows of fights, for engines that ask it.
    fights: Mutex<Option<Arc<fights::FightAdviser>>>,
    limits: MoveLimits,
}

/// What no move may use more of, whatever engine and clock say.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveLimits {
    pub seconds: Option<f64>,
    pub tree_megabytes: Option<u64>,
}

/// An engine that plays every game.
const BOTH_GAMES: &str = "uct";
/// A board size that the game has.
fn checked_size(kind: GameKind, n: usize) -> Result<Size, SessionError> {
    let size = Size::new(n).filter(|_| n >= smallest_size(kind));
    size.ok_or(SessionError::Size { game: kind, lines: n })
}

fn smallest_size(kind: GameKind) -> usize {
    match kind {
        GameKind::Go => Size::MIN,
        GameKind::Gobang => gobang::SMALLEST,
    }
}

/// The board a game is usually played on.
pub fn usual_size(kind: GameKind) -> usize {
    match kind {
        GameKind::Go => 19,
        GameKind::Gobang => 15,
    }
}

impl Session {
    pub fn new(options: Options) -> Result<Session, SessionError> {
        let line = options.engine.as_deref().unwrap_or(engine::default_for(options.kind));
        let engine = Engine::parse_for(options.kind, line)?;
        Session::with_engine(options, engine)
    }

    /// For an engine of the options' game that somebody has read already; the line of the options is what it was.
    pub fn with_engine(options: Options, engine: Engine) -> Result<Session, SessionError> {
        let kind = options.kind;
        let size = checked_size(kind, options.size)?;
        let seed = options.seed.unwrap_or_else(fresh_seed);
        log::info!("engine {engine}, seed {seed}, {} threads", options.threads);
        Ok(Session {
            table: Ground { kind, rule: options.rule, size, komi: options.komi, rules: options.rules }.table(),
            kind,
            rule: options.rule,
            komi: options.komi,
            rules: options.rules,
            chosen_engine: options.engine,
            engine,
            threads: options.threads.max(1),
            seed,
            given_seed: options.seed,
            resign: options.resign,
            ponder: options.ponder,
            clock: Clock::default(),
            pool: Pool::new(),
            hopeless: [0; 2],
            last_thought: None,
            seconds: options.seconds,
            analysis_caps: options.analysis_caps,
            glance: None,
            fights: Mutex::new(None),
            limits: MoveLimits::default(),
        })
    }

    // ---- the game

    pub fn kind(&self) -> GameKind {
        self.kind
    }

    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    pub fn size(&self) -> Size {
        self.table.size()
    }

    pub fn komi(&self) -> f32 {
        self.komi
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// For answers that must be the same every time.
    fn fixed_seed(&self) -> u64 {
        self.given_seed.unwrap_or(0)
    }

    /// Another seed from the next search on, in this game and those after it.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.given_seed = Some(seed);
        self.table.forget();
    }

    fn ground(&self) -> Ground {
        Ground { kind: self.kind, rule: self.rule, size: self.size(), komi: self.komi, rules: self.rules }
    }

    /// An empty board of another size. Komi, time settings and engine stay.
    pub fn set_size(&mut self, n: usize) -> Result<(), SessionError> {
        let size = checked_size(self.kind, n)?;
        self.start_on(Ground { size, ..self.ground() });
        Ok(())
    }

    /// Another game on an empty board: the size stays if the game has it, the engine if somebody chose it.
    pub fn set_kind(&mut self, kind: GameKind) -> Result<(), SessionError> {
        let line = self.chosen_engine.as_deref().unwrap_or(engine::default_for(kind));
        self.engine =
            Engine::parse_for(kind, line).map_err(|error| SessionError::EngineOfOtherGame { game: kind, error })?;
        let size = checked_size(kind, self.size().n()).or_else(|_| checked_size(kind, usual_size(kind)))?;
        self.kind = kind;
        self.start_on(Ground { kind, size, ..self.ground() });
        Ok(())
    }

    /// The rules of Go in force.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Go by other rules from here on; the position and the komi stay.
    pub fn set_rules(&mut self, rules: Rules) {
        if rules != self.rules {
            self.rules = rules;
            self.table.set_rules(rules);
        }
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Gobang by another rule, on an empty board.
    pub fn set_rule(&mut self, rule: Rule) {
        self.rule = rule;
        self.clear();
    }

    pub fn clear(&mut self) {
        self.start_on(self.ground());
    }

    fn start_on(&mut self, ground: Ground) {
        self.table.forget();
        self.table = ground.table();
        self.new_game();
    }

    fn new_game(&mut self) {
        if self.given_seed.is_none() {
            // Or a match in one process would be one game, played again and again.
            self.seed = fresh_seed();
            log::info!("a new game, seed {}", self.seed);
        }
        self.clock.reset();
        self.hopeless = [0; 2];
        self.last_thought = None;
    }

    pub fn set_komi(&mut self, komi: f32) {
        if komi != self.komi {
            self.komi = komi;
            self.table.set_komi(komi);
        }
    }

    pub fn play(&mut self, color: Color, p: Point) -> Result<(), Illegal> {
        self.table.play(color, p)
    }

    pub fn undo(&mut self) -> bool {
        self.hopeless = [0; 2];
        self.table.undo().is_some()
    }

    /// Replaces the game by a position; false, and nothing changes, if it is none.
    pub fn set_up(&mut self, stones: &[(Point, Color)], to_play: Color) -> bool {
        self.hopeless = [0; 2];
        self.table.set_up(stones, to_play, 0)
    }

    pub fn set_to_play(&mut self, color: Color) {
        self.table.set_to_play(color);
    }

    /// Handicap stones on an empty board; White moves next.
    pub fn place_handicap(&mut self, points: &[Point]) -> bool {
        let stones: Vec<(Point, Color)> = points.iter().map(|&p| (p, Black)).collect();
        self.table.set_up(&stones, White, points.len())
    }

    /// Replaces the game by one from a file: size, komi if it has one, set-up stones and moves. On an error, which
    /// names the place, the game stays.
    pub fn load(&mut self, record: &GameRecord) -> Result<(), SessionError> {
        if record.kind != self.kind {
            return Err(SessionError::OtherGame { file: record.kind, playing: self.kind });
        }
        let komi = record.komi.unwrap_or(self.komi);
        let size = checked_size(self.kind, record.size.n())?;
        let rules = self.rules_of(record);
        let mut table = Ground { size, komi, rules, ..self.ground() }.table();
        let mut moves = 0;
        for step in &record.steps {
            match step {
                Step::Move(color, point) => {
                    moves += 1;
                    table.play(*color, *point).map_err(|why| {
                        let vertex = record.size.point_to_gtp(*point);
                        SessionError::IllegalMove { number: moves, color: *color, vertex, why }
                    })?;
                }
                Step::SetUp { stones, to_play } => {
                    let to_play =
                        to_play.unwrap_or(if record.handicap > 1 && moves == 0 { White } else { table.to_play() });
                    if stones.is_empty() {
                        table.set_to_play(to_play);
                        continue;
                    }
                    let unchanged = |p: &Point| !stones.iter().any(|(q, _)| q == p);
                    let old = record.size.points().filter(unchanged).filter_map(|p| Some((p, table.color_at(p)?)));
                    let new = stones.iter().filter_map(|&(p, color)| Some((p, color?)));
                    let all: Vec<(Point, Color)> = old.chain(new).collect();
                    if !table.set_up(&all, to_play, record.handicap) {
                        return Err(SessionError::NoPosition { game: self.kind, after: moves });
                    }
                }
            }
        }
        self.komi = komi;
        self.rules = rules;
        self.table.forget();
        self.table = table;
        self.new_game();
        Ok(())
    }

    /// The rules that a file names, if they are played here, else those in force.
    fn rules_of(&self, record: &GameRecord) -> Rules {
        let Some(name) = record.rules.as_deref().map(str::trim).filter(|_| self.kind == GameKind::Go) else {
            return self.rules;
        };
        // A name is short for more than a file means by it: what is in force stays if it goes by the same name.
        match Rules::from_name(name) {
            Some(named) if named.in_sgf() == self.rules.in_sgf() => self.rules,
            Some(named) => named,
            None => {
                log::warn!("RU[{}] is not known: the rules in force stay", clip(name));
                self.rules
            }
        }
    }

    /// The game as it can be written to a file.
    pub fn to_record(&self) -> GameRecord {
        let mut record = GameRecord::new(self.kind, self.size());
        let (stones, to_play) = self.table.set_up_stones();
        record.komi = Some(self.komi);
        record.rules = (self.kind == GameKind::Go).then(|| self.rules.in_sgf().to_string());
        record.handicap = self.table.handicap();
        if !stones.is_empty() || to_play != Black {
            let stones = stones.into_iter().map(|(p, color)| (p, Some(color))).collect();
            record.steps.push(Step::SetUp { stones, to_play: Some(to_play) });
        }
        record.steps.extend(self.table.moves().iter().map(|&(color, p)| Step::Move(color, p)));
        record
    }

    // ---- the engine

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Chooses another engine; on an error the one in force stays.
    pub fn set_engine(&mut self, line: &str) -> Result<(), SessionError> {
        self.engine = Engine::parse_for(self.kind, line)?;
        self.chosen_engine = Some(line.to_string());
        if let Some(warning) = self.engine.thin(self.size().area()) {
            log::warn!("{warning}");
        }
        self.table.forget();
        Ok(())
    }

    /// Another value of one of the engine's parameters; on an error the engine stays as it is.
    pub fn set_engine_parameter(&mut self, key: &str, value: &str) -> Result<(), SessionError> {
        self.engine = self.engine.with(key, value)?;
        self.table.forget();
        Ok(())
    }

    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    pub fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    pub fn set_time_control(&mut self, control: TimeControl) {
        self.clock.set_control(control);
    }

    pub fn set_limits(&mut self, limits: MoveLimits) {
        self.limits = limits;
    }

    pub fn last_thought(&self) -> Option<&Thought> {
        self.last_thought.as_ref()
    }

    /// Drops the tree and everything remembered.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// Ends pondering; what it found out stays.
    pub fn stop_pondering(&mut self) {
        self.table.stop_pondering();
    }

    pub fn ponders(&self) -> bool {
        self.ponder
    }

    pub fn set_ponders(&mut self, ponder: bool) {
        self.ponder = ponder;
    }

    /// The win rate below which it resigns, if it ever does.
    pub fn resign_below(&self) -> Option<f32> {
        self.resign
    }

    pub fn set_resign_below(&mut self, rate: Option<f32>) {
        self.resign = rate;
    }

    /// Seconds for a move when neither engine nor clock says.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    pub fn set_seconds(&mut self, seconds: f64) {
        self.seconds = seconds;
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    // ---- the end

    /// The game counted as it stands, dead stones found by playouts.
    pub fn judge(&self) -> FinalStatus {
        self.table.judge()
    }
}
