//! A game being played: the table, the engine, the clock and the workers. The face that GTP and the lab talk to.

pub mod analysis;
pub mod clock;
pub mod handicap;
pub mod outlooks;
pub mod proof;
mod row;
#[cfg(test)]
mod tests;

pub use crate::table::{Analysis, Manners, Progress, Table, Thought, Verdict, Watch, insight, manners};
pub use analysis::AnalysisCaps;
pub use clock::{Clock, TimeControl};
pub use outlooks::Outlooks;

use crate::base::rng::{fresh_seed, mix};
use crate::base::{Black, Color, GameKind, Point, Size, White};
use crate::game::Illegal;
use crate::game::gobang::{self, Rule};
use crate::pool::Pool;
use crate::search::params::End;
use crate::search::{Engine, engine};
use crate::sgf::{GameRecord, Step};
use crate::table::{self, Ground, JUDGE_PLAYOUTS, Request};
use std::time::{Duration, Instant};

/// How a session starts.
#[derive(Clone, Debug)]
pub struct Options {
    pub kind: GameKind,
    /// Gobang: what more than five in a row is.
    pub rule: Rule,
    pub size: usize,
    pub komi: f32,
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

/// What the engine answers when asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Play(Point),
    Resign,
}

pub struct Session {
    kind: GameKind,
    rule: Rule,
    komi: f32,
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
    limits: MoveLimits,
}

/// What no move may use more of, whatever engine and clock say.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveLimits {
    pub seconds: Option<f64>,
    pub tree_megabytes: Option<u64>,
}

/// Nobody ponders longer than this about one move.
const PONDER_LIMIT: Duration = Duration::from_secs(600);
/// An engine that plays every game.
const BOTH_GAMES: &str = "uct";
/// Moves of fewer seconds are made by one worker.
const HURRY: f64 = 0.005;
/// Resign after this many hopeless moves in a row.
const HOPELESS_MOVES: u32 = 2;

/// A board size that the game has.
fn checked_size(kind: GameKind, n: usize) -> Result<Size, String> {
    let least = smallest_size(kind);
    let size = Size::new(n).filter(|_| n >= least);
    size.ok_or_else(|| format!("a board of {} has {least} to {} lines, not {n}", kind.name(), Size::MAX))
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
    pub fn new(options: Options) -> Result<Session, String> {
        let line = options.engine.as_deref().unwrap_or(engine::default_for(options.kind));
        let engine = Engine::parse_for(options.kind, line)?;
        Session::with_engine(options, engine)
    }

    /// For an engine of the options' game that somebody has read already; the line of the options is what it was.
    pub fn with_engine(options: Options, engine: Engine) -> Result<Session, String> {
        let kind = options.kind;
        let size = checked_size(kind, options.size)?;
        let seed = options.seed.unwrap_or_else(fresh_seed);
        log::info!("engine {engine}, seed {seed}, {} threads", options.threads);
        Ok(Session {
            table: Ground { kind, rule: options.rule, size, komi: options.komi }.table(),
            kind,
            rule: options.rule,
            komi: options.komi,
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
        Ground { kind: self.kind, rule: self.rule, size: self.size(), komi: self.komi }
    }

    /// An empty board of another size. Komi, time settings and engine stay.
    pub fn set_size(&mut self, n: usize) -> Result<(), String> {
        let size = checked_size(self.kind, n)?;
        self.start_on(Ground { size, ..self.ground() });
        Ok(())
    }

    /// Another game on an empty board: the size stays if the game has it, the engine if somebody chose it.
    pub fn set_kind(&mut self, kind: GameKind) -> Result<(), String> {
        let line = self.chosen_engine.as_deref().unwrap_or(engine::default_for(kind));
        let cannot = |e| format!("{e}; choose an engine for {} first, such as {}", kind.name(), BOTH_GAMES);
        self.engine = Engine::parse_for(kind, line).map_err(cannot)?;
        let size = checked_size(kind, self.size().n()).or_else(|_| checked_size(kind, usual_size(kind)))?;
        self.kind = kind;
        self.start_on(Ground { kind, size, ..self.ground() });
        Ok(())
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
    pub fn load(&mut self, record: &GameRecord) -> Result<(), String> {
        if record.kind != self.kind {
            return Err(format!("the file is a game of {}, moku is playing {}", record.kind.name(), self.kind.name()));
        }
        let komi = record.komi.unwrap_or(self.komi);
        let size = checked_size(self.kind, record.size.n())?;
        let mut table = Ground { size, komi, ..self.ground() }.table();
        let mut moves = 0;
        for step in &record.steps {
            match step {
                Step::Move(color, point) => {
                    moves += 1;
                    let vertex = record.size.point_to_gtp(*point);
                    let name = |e: Illegal| format!("move {moves}, {color} {vertex}, is illegal: {}", e.reason());
                    table.play(*color, *point).map_err(name)?;
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
                        let wrong = if self.kind == GameKind::Go {
                            "leave a chain without liberties"
                        } else {
                            "are no position"
                        };
                        return Err(format!("the stones set up after move {moves} {wrong}"));
                    }
                }
            }
        }
        self.komi = komi;
        self.table.forget();
        self.table = table;
        self.new_game();
        Ok(())
    }

    /// The game as it can be written to a file.
    pub fn to_record(&self) -> GameRecord {
        let mut record = GameRecord::new(self.kind, self.size());
        let (stones, to_play) = self.table.set_up_stones();
        record.komi = Some(self.komi);
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
    pub fn set_engine(&mut self, line: &str) -> Result<(), String> {
        self.engine = Engine::parse_for(self.kind, line)?;
        self.chosen_engine = Some(line.to_string());
        self.table.forget();
        Ok(())
    }

    /// Another value of one of the engine's parameters; on an error the engine stays as it is.
    pub fn set_engine_parameter(&mut self, key: &str, value: &str) -> Result<(), String> {
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

    /// Chooses a move, plays it, and ponders on if asked to.
    pub fn genmove(&mut self, color: Color, manners: Option<Manners>, watch: Watch) -> Result<Answer, String> {
        let began = Instant::now();
        let thought = self.think(color, manners, watch)?;
        self.decide(color, thought, began)
    }

    fn start_pondering(&mut self, color: Color) {
        let request = Request { deadline: Some(Instant::now() + PONDER_LIMIT), ..self.request(color, None) };
        self.table.ponder(&mut self.pool, request);
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

    /// Chooses a move without playing it.
    pub fn think(&mut self, color: Color, manners: Option<Manners>, watch: Watch) -> Result<Thought, String> {
        if let Some(thought) = self.proven(color, watch) {
            return Ok(thought);
        }
        let request = self.request(color, manners);
        self.table.think(&mut self.pool, request, watch)
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
    pub fn proof_means(&self) -> proof::Means {
        let params = self.engine.params();
        proof::Means { seconds: params.prover_time, table_mb: params.table_mb as usize }
    }

    /// Chooses a move without playing it, by the position and the engine alone: nothing remembered, nothing drawn.
    pub fn think_afresh(&mut self, color: Color, watch: Watch) -> Result<Thought, String> {
        self.table.forget();
        if let Some(thought) = self.proven(color, watch) {
            return Ok(thought);
        }
        let request = Request { seed: self.fixed_seed(), ..self.request(color, None) };
        let thought = self.table.think(&mut self.pool, request, watch);
        self.table.forget();
        thought
    }

    fn request(&self, color: Color, manners: Option<Manners>) -> Request {
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
        let own_manners = match params.end {
            End::Fill => Manners::Fill,
            End::Person => Manners::Person,
        };
        Request {
            color,
            threads: match params.threads {
                // To wake up a crew takes longer than such a move may.
                _ if seconds.is_some_and(|s| s < HURRY) => 1,
                0 => self.threads,
                n => n as usize,
            },
            playouts: engine.playouts(self.size().area()),
            engine,
            seed: self.seed,
            deadline: seconds.map(|s| Instant::now() + Duration::from_secs_f64(s)),
            manners: manners.unwrap_or(own_manners),
            keep_tree: self.ponder,
            analysis: None,
        }
    }

    /// What the game's clock allows for this move.
    fn clock_seconds(&self, color: Color) -> Option<f64> {
        let area = self.size().area() as f64;
        let own_moves_to_come = ((0.7 * area - self.table.moves().len() as f64) / 2.0).max(0.1 * area);
        self.clock.allot(color, own_moves_to_come).map(|d| d.as_secs_f64())
    }

    /// The move, or a resignation when the game has been hopeless for some moves.
    fn answer(&mut self, color: Color, thought: &Thought) -> Answer {
        if !self.table.has_territory() {
            // Whoever has lost resigns; before that a loss is defended.
            let is_lost = self.table.winner() == Some(color.opponent());
            return if is_lost { Answer::Resign } else { Answer::Play(thought.point) };
        }
        let streak = &mut self.hopeless[color.index()];
        let is_hopeless = self.resign.is_some_and(|least| thought.rate().is_some_and(|rate| rate < least));
        *streak = if is_hopeless { *streak + 1 } else { 0 };
        // Nobody resigns an opening, least of all one that a handicap made look lost.
        let area = self.table.size().area();
        let opening = if self.table.handicap() > 0 { area / 2 } else { area / 5 };
        let may_resign = self.engine.params().end == End::Person && self.table.moves().len() >= opening;
        if may_resign && *streak >= HOPELESS_MOVES { Answer::Resign } else { Answer::Play(thought.point) }
    }

    // ---- the end

    /// The game counted as it stands, dead stones found by playouts.
    pub fn judge(&self) -> Verdict {
        self.table.judge(JUDGE_PLAYOUTS, mix(&[self.table.hash()]))
    }
}
