//! A game on the table: the record and the searches about it, behind one face for every game and board class.
//!
//! This is the door of the hot layers: [`Ground::table`] compiles a search for each game and board, so that nothing above
//! has to.

pub mod analysis;
mod evaluate;
pub mod insight;
pub mod passing;

pub use analysis::{Analysis, Progress};
pub use evaluate::{NoBudget, evaluate};
use passing::Finish;
pub use passing::Passing;

use crate::base::rng::mix;
use crate::base::{Color, GameKind, Point, Size};
use crate::game::go::{Go9, Go14, Go21, Go25};
use crate::game::gobang::{Gobang, Rule};
use crate::game::rules::{Rules, Scoring};
use crate::game::{Game, Illegal, Record};
use crate::playout::Policy;
use crate::playout::count::{Count, Counting};
use crate::playout::judge::{self, Judgement, Status};
use crate::pool::{Pool, Running};
use crate::search::{self, Adviser, Budget, Engine, Preparation, Report, Search, Searchable, Worker, fate, registry};
use analysis::View;
use insight::Insight;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How to think about a move.
pub struct Request {
    pub color: Color,
    pub engine: Engine,
    pub threads: usize,
    pub seed: u64,
    /// Playouts for the move, if they are given.
    pub playouts: Option<u64>,
    pub deadline: Option<Instant>,
    pub passing: Passing,
    /// Start from the search before, whatever the engine's memory says.
    pub keep_tree: bool,
    /// Who is asked about the root and nodes that are visited often, if anybody is.
    pub adviser: Option<Arc<dyn Adviser>>,
    /// Look at the position instead of choosing a move.
    pub analysis: Option<Analysis>,
}

/// A search's answer.
#[derive(Clone, Debug)]
pub struct Thought {
    pub point: Point,
    pub report: Report,
    /// Playouts of the search.
    pub playouts: u64,
    /// The reward in force and what it was set by; None if no search was needed.
    pub preparation: Option<Preparation>,
    pub elapsed: Duration,
    /// How long after its time it ended, if it used it up.
    pub late: Option<Duration>,
    /// Points that the game is lost by, whatever is still unclear, where that was judged.
    pub lost_by: Option<f32>,
}

impl Thought {
    /// An answer that is plain to see.
    pub fn without_search(point: Point, began: Instant) -> Thought {
        let report = Report { moves: Vec::new(), nodes: 0 };
        Thought { point, report, playouts: 0, preparation: None, elapsed: began.elapsed(), late: None, lost_by: None }
    }

    /// The win rate of the move chosen, if it was searched.
    pub fn rate(&self) -> Option<f32> {
        self.report.of(self.point).filter(|m| m.weight > 0.0 || m.proof.is_some()).map(|m| m.rate)
    }
}

/// A worker panicked, with these words.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("the search failed: {0}")]
pub struct SearchFailed(pub String);

/// A finished game as it would be counted.
pub struct FinalStatus {
    /// What Black wins by.
    pub score: f32,
    pub alive: Vec<Vec<Point>>,
    pub dead: Vec<Vec<Point>>,
    /// Alive without territory, where rules tell that apart.
    pub seki: Vec<Vec<Point>>,
}

/// Is called every few milliseconds of a search and at its end, with a way to ask how it stands; false stops it.
pub type Watch<'a> = &'a mut dyn FnMut(&dyn Progress) -> bool;

/// One virtual call per command; everything below is compiled for the game.
pub trait Table: Insight + Send {
    fn size(&self) -> Size;
    fn to_play(&self) -> Color;
    fn color_at(&self, p: Point) -> Option<Color>;
    fn captures(&self, by: Color) -> usize;
    fn is_empty(&self) -> bool;
    fn moves(&self) -> &[(Color, Point)];
    fn handicap(&self) -> usize;
    /// Stones that stood before the first move, and who was to move then.
    fn set_up_stones(&self) -> (Vec<(Point, Color)>, Color);
    fn hash(&self) -> u64;
    /// Is the game decided by territory?
    fn has_territory(&self) -> bool;
    /// Who has won on the board, in a game that is not counted.
    fn winner(&self) -> Option<Color>;

    fn play(&mut self, color: Color, p: Point) -> Result<(), Illegal>;
    fn check(&self, color: Color, p: Point) -> Result<(), Illegal>;
    fn undo(&mut self) -> Option<(Color, Point)>;
    fn set_up(&mut self, stones: &[(Point, Color)], to_play: Color, handicap: usize) -> bool;
    fn set_to_play(&mut self, color: Color);
    fn set_komi(&mut self, komi: f32);
    /// Go by other rules from here on; the position stays.
    fn set_rules(&mut self, rules: Rules);

    /// Chooses a move, or looks at the position.
    fn search(&mut self, pool: &mut Pool, request: Request, watch: Watch) -> Result<Thought, SearchFailed>;
    /// Starts thinking about the opponent's move, without end.
    fn ponder(&mut self, pool: &mut Pool, request: Request);
    fn stop_pondering(&mut self);
    /// Forgets earlier searches.
    fn forget(&mut self);
    /// A finished game as it counts.
    fn judge(&self) -> FinalStatus;
    /// The count when these stones are taken for dead.
    fn count(&self, dead: &[Point]) -> Count;
    /// The stones connected to the one on a point.
    fn chain_at(&self, p: Point) -> Vec<Point>;
    /// The area score for Black as the board stands.
    fn area_score(&self) -> f32;
}

/// What a table is for.
#[derive(Clone, Copy)]
pub struct Ground {
    pub kind: GameKind,
    pub rule: Rule,
    pub size: Size,
    pub komi: f32,
    /// Those of Go.
    pub rules: Rules,
}

impl Ground {
    pub fn table(self) -> Box<dyn Table> {
        let Ground { kind, rule, size, komi, rules } = self;
        let mut table: Box<dyn Table> = match (kind, size.n()) {
            (GameKind::Go, ..=9) => Box::new(TableOf::new(Go9::new(size, komi))),
            (GameKind::Go, ..=14) => Box::new(TableOf::new(Go14::new(size, komi))),
            (GameKind::Go, ..=21) => Box::new(TableOf::new(Go21::new(size, komi))),
            (GameKind::Go, _) => Box::new(TableOf::new(Go25::new(size, komi))),
            (GameKind::Gobang, _) => Box::new(TableOf::new(Gobang::new(size, rule))),
        };
        table.set_rules(rules);
        table
    }
}

/// A search that nobody works on yet.
struct NewSearch<G> {
    search: Arc<dyn Search<G>>,
    policy: Arc<dyn Policy<G>>,
    preparation: Preparation,
    /// That of its workers.
    seed: u64,
}

/// A search and where in the game its root is.
struct Remembered<G> {
    search: Arc<dyn Search<G>>,
    moves_before: usize,
    color: Color,
    /// That of its playouts.
    komi: f32,
}

struct Pondering<G> {
    running: Running,
    budget: Arc<Budget>,
    about: Remembered<G>,
}

struct TableOf<G: Searchable> {
    record: Record<G>,
    rules: Rules,
    remembered: Option<Remembered<G>>,
    pondering: Option<Pondering<G>>,
    /// The last position that was counted, by its hash, and what was found: a front end asks stone by stone.
    judged: RefCell<Option<(u64, Arc<Judgement<G>>)>>,
}

impl<G: Searchable> TableOf<G> {
    /// A game that starts from this position.
    fn new(start: G) -> Self {
        TableOf {
            record: Record::from(start),
            rules: Rules::default(),
            remembered: None,
            pondering: None,
            judged: RefCell::new(None),
        }
    }

    /// Who owns what, as the game would be counted now.
    fn judgement(&self) -> Arc<Judgement<G>> {
        let position = self.record.position();
        let known = &mut *self.judged.borrow_mut();
        match known {
            Some((hash, judged)) if *hash == position.hash() => judged.clone(),
            _ => known.insert((position.hash(), Arc::new(fate::judge(position)))).1.clone(),
        }
    }

    /// How the game is counted when it ends here.
    fn counting(&self) -> Counting {
        let komi = self.record.position().komi() + self.rules.handicap_points(self.record.handicap());
        match self.rules.scoring {
            Scoring::Area => Counting::area(komi),
            Scoring::Territory => Counting::territory(komi, self.record.stones_ahead()),
        }
    }

    /// The komi of a search, whose playouts count by area. By territory a last dame is worth nothing, so that the count is
    /// off by a point if the side to move gets one move more: half a point between lets such results count as half.
    fn search_komi(&self, color: Color) -> f32 {
        let counting = self.counting();
        match counting.scoring {
            Scoring::Area => counting.komi,
            Scoring::Territory => counting.komi + 0.5 * color.sign(),
        }
    }

    /// The position to search. Whoever asks for a move after two passes wants the game to go on.
    fn root_for(&self, color: Color) -> G {
        let mut position = self.record.position_for(color);
        if G::HAS_TERRITORY {
            position.set_komi(self.search_komi(color));
        }
        if position.is_over() {
            position.set_to_play(color.opponent());
            position.set_to_play(color);
        }
        position
    }

    /// Candidates of the position that the game allows (superko), a pass if there are none.
    fn legal_candidates(&self, position: &G, color: Color) -> Vec<Point> {
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        // Where rules let a position come again the engine does not bring it about, or nothing would end a triple ko.
        let is_new = |p: Point, after: &G| p.is_pass() || !self.record.has_seen(after);
        moves.retain(|&p| self.record.check(color, p).is_ok_and(|after| is_new(p, &after)));
        if moves.is_empty() {
            moves.push(Point::PASS);
        }
        moves
    }

    /// The former search with the moves made since, if the game went on from there.
    fn previous(&self, color: Color) -> Option<(Arc<dyn Search<G>>, Vec<Point>)> {
        let former = self.remembered.as_ref()?;
        if G::HAS_TERRITORY && former.komi != self.search_komi(color) {
            return None;
        }
        let since = self.record.moves().get(former.moves_before..)?;
        let mut turn = former.color;
        for &(mover, _) in since {
            if mover != turn {
                return None;
            }
            turn = turn.opponent();
        }
        (turn == color).then(|| (former.search.clone(), since.iter().map(|&(_, p)| p).collect()))
    }

    /// The search that a request is for, from what is remembered if that is wanted.
    fn new_search(&self, request: &Request, root: G, moves: Vec<Point>) -> NewSearch<G> {
        let remembers = request.keep_tree || request.engine.remembers();
        let previous = if remembers { self.previous(request.color) } else { None };
        let seed = mix(&[request.seed, self.record.position().hash(), self.record.moves().len() as u64]);
        let (mut task, preparation) = search::prepare(root, moves, request.engine.at_level(), seed, previous);
        task.adviser = request.adviser.clone();
        let policy = task.policy.clone();
        NewSearch { search: registry::build(task), policy, preparation, seed: mix(&[seed, 1]) }
    }

    fn remember(&self, search: Arc<dyn Search<G>>, color: Color) -> Remembered<G> {
        Remembered { search, moves_before: self.record.moves().len(), color, komi: self.search_komi(color) }
    }
}

/// Has the workers search until the budget is spent.
fn run<G: Game>(
    pool: &mut Pool,
    search: &Arc<dyn Search<G>>,
    budget: &Arc<Budget>,
    threads: usize,
    seed: u64,
) -> Running {
    let (search, budget) = (search.clone(), budget.clone());
    pool.run(
        threads,
        Arc::new(move |index| {
            // A panic must not leave the other workers searching for ever.
            let stop = StopOnDrop(&budget);
            search.work(&mut Worker::new(&budget, seed, index));
            std::mem::forget(stop);
        }),
    )
}

struct StopOnDrop<'a>(&'a Budget);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl<G: Searchable> Table for TableOf<G> {
    fn size(&self) -> Size {
        self.record.position().size()
    }

    fn to_play(&self) -> Color {
        self.record.position().to_play()
    }

    fn color_at(&self, p: Point) -> Option<Color> {
        self.record.position().color_at(p)
    }

    fn captures(&self, by: Color) -> usize {
        self.record.position().captures(by)
    }

    fn is_empty(&self) -> bool {
        self.record.is_empty()
    }

    fn moves(&self) -> &[(Color, Point)] {
        self.record.moves()
    }

    fn handicap(&self) -> usize {
        self.record.handicap()
    }

    fn set_up_stones(&self) -> (Vec<(Point, Color)>, Color) {
        let start = self.record.start();
        (start.size().points().filter_map(|p| Some((p, start.color_at(p)?))).collect(), start.to_play())
    }

    fn hash(&self) -> u64 {
        self.record.position().hash()
    }

    fn has_territory(&self) -> bool {
        G::HAS_TERRITORY
    }

    fn winner(&self) -> Option<Color> {
        self.record.position().winner()
    }

    fn play(&mut self, color: Color, p: Point) -> Result<(), Illegal> {
        self.stop_pondering();
        self.record.play(color, p)
    }

    fn check(&self, color: Color, p: Point) -> Result<(), Illegal> {
        self.record.check(color, p).map(|_| ())
    }

    fn undo(&mut self) -> Option<(Color, Point)> {
        self.forget();
        self.record.undo()
    }

    fn set_up(&mut self, stones: &[(Point, Color)], to_play: Color, handicap: usize) -> bool {
        self.forget();
        self.record.set_up(stones, to_play, handicap)
    }

    fn set_to_play(&mut self, color: Color) {
        self.stop_pondering();
        self.record.set_to_play(color);
    }

    fn set_komi(&mut self, komi: f32) {
        self.forget();
        self.record.set_komi(komi);
    }

    fn set_rules(&mut self, rules: Rules) {
        self.forget();
        self.rules = rules;
        self.record.set_ko(rules.ko);
        self.record.set_suicide(rules.suicide);
    }

    fn search(&mut self, pool: &mut Pool, request: Request, watch: Watch) -> Result<Thought, SearchFailed> {
        let began = Instant::now();
        self.stop_pondering();
        let position = self.root_for(request.color);
        if position.is_over() {
            // A game that nothing can go on in.
            return Ok(Thought::without_search(Point::PASS, began));
        }
        let mut moves = self.legal_candidates(&position, request.color);
        let opponent_passed = self.record.passes() > 0;
        let finish = Finish { counting: self.counting(), takes_off_dead: self.rules.takes_off_dead };
        let late_game = passing::look(&position, &request, finish, opponent_passed);
        let analysis = request.analysis.as_ref();
        if analysis.is_none()
            && let Some(point) = late_game.answer(&position)
        {
            return Ok(Thought::without_search(point, began));
        }
        late_game.adjust(&mut moves);
        if let Some(analysis) = analysis {
            analysis.restrict(&mut moves, |p| self.record.check(request.color, p).is_ok());
            if moves.is_empty() {
                return Ok(Thought::without_search(Point::PASS, began));
            }
        }

        let NewSearch { search, policy, preparation, seed } = self.new_search(&request, position.clone(), moves);
        let budget = match analysis {
            Some(analysis) => analysis.budget(search.report().visits()),
            None => {
                let budget = search.budget(request.playouts).map_or(Budget::unlimited(), Budget::playouts);
                budget.with_deadline(request.deadline)
            }
        };
        // Some analyses leave the engine's memory as it was; else it makes room for this search.
        let is_remembered = analysis.is_none_or(|a| a.is_remembered_by(&request.engine));
        if is_remembered {
            self.remembered = None;
        }
        let budget = Arc::new(budget);
        let mut running = run(pool, &search, &budget, request.threads, seed);
        let view = |is_done| View { search: &*search, root: &position, policy: &*policy, is_done };
        while !running.wait(Duration::from_millis(2)) {
            // Whoever interrupts the choice of a move still gets one that was looked at.
            if !watch(&view(false)) && (analysis.is_some() || budget.spent() > 0) {
                budget.stop();
            }
        }
        running.finish().map_err(SearchFailed)?;
        watch(&view(true));
        let mut report = search.report();
        let playouts = budget.spent();
        if let (None, Some(spread)) = (analysis, request.engine.at_level().spread()) {
            report.draw(spread, seed);
        }
        let point = late_game.choose(&report, &position);
        if is_remembered {
            self.remembered = Some(self.remember(search, request.color));
        }
        let late = request.deadline.and_then(|due| Instant::now().checked_duration_since(due));
        Ok(Thought {
            point,
            report,
            playouts,
            preparation: Some(preparation),
            elapsed: began.elapsed(),
            late,
            lost_by: late_game.lost_by(),
        })
    }

    fn ponder(&mut self, pool: &mut Pool, request: Request) {
        self.stop_pondering();
        if self.record.position_for(request.color).is_over() {
            return;
        }
        let position = self.root_for(request.color);
        let moves = self.legal_candidates(&position, request.color);
        let NewSearch { search, seed, .. } = self.new_search(&request, position, moves);
        self.remembered = None;
        let budget = Arc::new(Budget::unlimited().with_deadline(request.deadline).unplanned());
        let running = run(pool, &search, &budget, request.threads, seed);
        self.pondering = Some(Pondering { running, budget, about: self.remember(search, request.color) });
    }

    fn stop_pondering(&mut self) {
        if let Some(pondering) = self.pondering.take() {
            pondering.budget.stop();
            match pondering.running.finish() {
                Ok(()) => self.remembered = Some(pondering.about),
                Err(text) => log::error!("pondering failed: {text}"),
            }
        }
    }

    fn forget(&mut self) {
        self.stop_pondering();
        self.remembered = None;
    }

    fn judge(&self) -> FinalStatus {
        if !G::HAS_TERRITORY {
            let stones = |p: Point| self.color_at(p).map(|_| vec![p]);
            let alive = self.size().points().filter_map(stones).collect();
            return FinalStatus { score: self.area_score(), alive, dead: Vec::new(), seki: Vec::new() };
        }
        let counting = self.counting();
        let judged = self.judgement();
        if !self.rules.takes_off_dead {
            let score = self.area_score() - counting.komi + self.record.position().komi();
            return FinalStatus { score, alive: judged.chains(|_| true), dead: Vec::new(), seki: Vec::new() };
        }
        let settled = judged.settled(counting);
        let position = self.record.position();
        let (mut alive, mut dead, mut seki) = (Vec::new(), Vec::new(), Vec::new());
        for chain in judged.chains(|_: Status| true) {
            // Dead stones are those that the count took off.
            let stays = settled.owner[chain[0].index()] == position.color_at(chain[0]);
            let group = match stays {
                true if settled.seki[chain[0].index()] => &mut seki,
                true => &mut alive,
                false => &mut dead,
            };
            group.push(chain);
        }
        FinalStatus { score: settled.score, alive, dead, seki }
    }

    fn count(&self, dead: &[Point]) -> Count {
        judge::agreed(self.record.position(), dead, self.counting())
    }

    fn chain_at(&self, p: Point) -> Vec<Point> {
        let position = self.record.position();
        if position.color_at(p).is_some() { position.chain_at(p) } else { Vec::new() }
    }

    fn area_score(&self) -> f32 {
        self.record.position().score()
    }
}
