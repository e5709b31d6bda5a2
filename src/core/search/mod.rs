//! Search algorithms, one file each, and what they share. They see positions, playouts and a budget; never a thread,
//! a clock or text.

pub mod advice;
pub mod arms;
pub mod bandit;
pub mod budget;
pub mod candidates;
pub mod engine;
mod error;
pub mod fate;
mod halving;
mod levels;
mod mc;
pub mod own_games;
pub mod params;
mod presets;
pub mod prior;
pub mod proof;
mod puct;
mod random;
pub mod registry;
pub mod reward;
pub mod ruct;
pub mod rule;
mod shot;
#[cfg(test)]
mod tests;
pub mod tree;
mod ucb1;
mod uct;

pub use advice::Adviser;
pub use budget::{Budget, Worker};
pub use candidates::{Candidates, Kept};
pub use engine::Engine;
pub use error::EngineError;
pub use prior::{Prior, Searchable};
pub use proof::Proof;
pub use reward::{Reward, RewardSurvey};

use self::params::{Final, PolicyName};
use crate::base::rng::mix;
use crate::base::stats::wilson;
use crate::base::{Point, Rng, Size};
use crate::game::Game;
use crate::playout::gammas::Gammas;
use crate::playout::rules::Settings;
use crate::playout::softmax;
use crate::playout::{self, Playable, Policy};
use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;

/// What a search is asked.
pub struct Task<G> {
    pub root: G,
    /// The moves to choose from, at least one, all legal in the game.
    pub moves: Vec<Point>,
    pub engine: Engine,
    pub seed: u64,
    /// The search before this one and the moves played since, for engines that remember.
    pub previous: Option<(Arc<dyn Search<G>>, Vec<Point>)>,
    pub reward: Reward,
    pub candidates: Candidates,
    /// What the candidates axis left of the moves at the root.
    pub kept: Kept,
    /// How games are played out.
    pub policy: Arc<dyn Policy<G>>,
    /// What moves are worth before their first playout.
    pub priors: Vec<Arc<dyn Prior<G>>>,
    /// Who is asked about the root and nodes that are visited often.
    pub adviser: Option<Arc<dyn Adviser>>,
}

/// The random stream that `final=draw` draws from.
const DRAW: u64 = 0x4472_6177;

/// A move is drawn if it has so much of the best one's playouts.
const LEAST_DRAWN: f64 = 0.1;

/// A random stream apart from the search's own.
const FILTER_STREAM: u64 = 0x4669_6c74_6572;

/// What an engine line says about a search: candidates, playouts, reward and priors; `registry::build` makes the search of
/// it. Who wants a policy, a prior or an allocation of their own changes the task.
pub fn prepare<G: Searchable>(
    root: G,
    mut moves: Vec<Point>,
    engine: Engine,
    seed: u64,
    previous: Option<(Arc<dyn Search<G>>, Vec<Point>)>,
) -> (Task<G>, Preparation) {
    let candidates = Candidates::of(&engine);
    let kept = candidates.narrow_root(&root, &mut moves, &mut Rng::new(mix(&[seed, FILTER_STREAM])));
    let policy = policy_of::<G>(&engine, root.size());
    let (reward, survey) = Reward::set(&engine, &root, &*policy, seed);
    let priors = prior::priors_of::<G>(&engine, root.size());
    let task = Task { root, moves, engine, seed, previous, reward, candidates, kept, policy, priors, adviser: None };
    (task, Preparation { reward, survey })
}

/// How an engine plays games out.
pub fn policy_of<G: Playable>(engine: &Engine, size: Size) -> Arc<dyn Policy<G>> {
    let params = engine.params();
    let choice = match params.playout {
        PolicyName::Light => playout::Choice::Light,
        PolicyName::Rules => playout::Choice::Rules(Settings {
            capture: params.capture,
            pattern: params.pattern,
            self_atari: params.self_atari,
            nakade: params.nakade,
            two_liberties: params.two_liberties,
            mercy: params.mercy,
        }),
        PolicyName::Softmax => playout::Choice::Softmax(softmax::Settings {
            // Files were read when the line was: what is missing now was there then.
            gammas: params
                .playout_weights
                .as_ref()
                .and_then(|path| Gammas::shared(path).ok())
                .unwrap_or_else(|| Gammas::embedded(size)),
            locality: params.locality,
            tactics: params.tactics,
            elsewhere: params.elsewhere,
            weighed: params.weighed,
        }),
        PolicyName::BlockFour if params.split => playout::Choice::BlockFour,
        PolicyName::BlockFour => playout::Choice::BlockRow,
        PolicyName::Decisive => playout::Choice::Decisive,
    };
    G::policy(choice).unwrap_or_else(|| unreachable!("an engine line names a playout of its game"))
}

/// What was settled before the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Preparation {
    pub reward: Reward,
    pub survey: Option<RewardSurvey>,
}

/// A search under way or done. Workers call `work` at the same time; anybody may ask for a report at any time.
pub trait Search<G: Game>: Send + Sync {
    /// One worker's share: makes the playouts it is granted until none are.
    fn work(&self, worker: &mut Worker);

    /// How many playouts to make, given what the engine line says.
    fn budget(&self, engine_playouts: Option<u64>) -> Option<u64> {
        engine_playouts
    }

    fn report(&self) -> Report;

    /// For a later search of the same kind that starts from this one.
    fn as_any(&self) -> &dyn Any;
}

/// What a search found out about a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveStats {
    pub point: Point,
    /// Playouts made.
    pub visits: u64,
    /// Playouts made and inherited.
    pub weight: f32,
    /// Mean reward for the player to move, 0 to 1.
    pub rate: f32,
    /// Playouts that priors gave it to start from: in neither of the counts above, nor in the rate.
    pub prior: f32,
    /// For allocations that drop moves on the way: how far this one came. Searches that start anew count on from the next
    /// multiple of `ROUNDS`.
    pub round: u32,
    /// What is proven about it; the rate is then that of the proof.
    pub proof: Option<Proof>,
    /// The expected line, this move first.
    pub pv: Vec<Point>,
    /// Playouts through each move of the line, as far as it was played and not read out.
    pub pv_visits: Vec<u64>,
}

/// More rounds than any halving has.
pub const ROUNDS: u32 = 100;

impl MoveStats {
    /// A move nothing is known about.
    pub fn new(point: Point, pv: Vec<Point>) -> MoveStats {
        MoveStats {
            point,
            visits: 0,
            weight: 0.0,
            rate: 0.5,
            prior: 0.0,
            round: 0,
            proof: None,
            pv,
            pv_visits: Vec::new(),
        }
    }

    /// Was it tried, or is it proven?
    pub fn is_known(&self) -> bool {
        self.visits > 0 || self.proof.is_some()
    }

    /// What the win rate is at least, but for one time in forty (Wilson's bound); what is proven is certain.
    pub fn lower_bound(&self) -> f32 {
        if let Some(proof) = self.proof {
            return proof.rate();
        }
        let weight = f64::from(self.weight);
        wilson(f64::from(self.rate) * weight, weight).0.clamp(0.0, 1.0) as f32
    }

    /// More playouts are better; the win rate breaks ties.
    pub fn by_playouts(&self, other: &MoveStats) -> Ordering {
        self.weight.total_cmp(&other.weight).then(self.rate.total_cmp(&other.rate))
    }

    /// A better win rate is better; playouts break ties; a move without playouts is worst.
    pub fn by_rate(&self, other: &MoveStats) -> Ordering {
        let tried = |m: &MoveStats| m.weight > 0.0;
        tried(self).cmp(&tried(other)).then(self.rate.total_cmp(&other.rate)).then(self.weight.total_cmp(&other.weight))
    }

    /// A better win rate is better as far as playouts bear it out.
    pub fn by_bound(&self, other: &MoveStats) -> Ordering {
        self.lower_bound().total_cmp(&other.lower_bound()).then(self.by_playouts(other))
    }

    /// How an engine line wants moves put in order at the end.
    pub fn order(choose_by: Final) -> fn(&MoveStats, &MoveStats) -> Ordering {
        match choose_by {
            // Drawing puts another move first afterwards.
            Final::Playouts | Final::Draw => MoveStats::by_playouts,
            Final::Rate => MoveStats::by_rate,
            Final::Bound => MoveStats::by_bound,
        }
    }

    /// A move that came farther is better; the win rate breaks ties.
    pub fn by_round(&self, other: &MoveStats) -> Ordering {
        self.round.cmp(&other.round).then(self.by_rate(other))
    }
}

/// What a search found out.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Best first.
    pub moves: Vec<MoveStats>,
    pub nodes: usize,
}

impl Report {
    /// Equals stay in the order in which they are given, which a search has drawn.
    pub fn new(mut moves: Vec<MoveStats>, nodes: usize, order: fn(&MoveStats, &MoveStats) -> Ordering) -> Report {
        let proven = |m: &MoveStats| Proof::rank(m.proof);
        moves.sort_by(|a, b| proven(b).cmp(&proven(a)).then(order(b, a)));
        Report { moves, nodes }
    }

    /// Puts a move first that is drawn by its playouts, made or given by priors, to the power of 1 / spread; the same one for
    /// the same seed. Moves with far fewer playouts than the best one would look absurd, and are none. What is proven stays as
    /// it is.
    pub fn draw(&mut self, spread: f64, seed: u64) {
        if self.best().is_none_or(|best| best.proof.is_some()) {
            return;
        }
        let playouts = |m: &MoveStats| f64::from(m.weight + m.prior);
        let most = self.moves.iter().map(playouts).fold(f64::MIN_POSITIVE, f64::max);
        let chance = |m: &MoveStats| match m.proof {
            None if playouts(m) >= LEAST_DRAWN * most => libm::pow(playouts(m) / most, 1.0 / spread),
            _ => 0.0,
        };
        let mut left = Rng::new(mix(&[seed, DRAW])).unit() * self.moves.iter().map(chance).sum::<f64>();
        let drawn = self.moves.iter().position(|m| {
            left -= chance(m);
            left < 0.0
        });
        self.moves[..=drawn.unwrap_or(0)].rotate_right(1);
    }

    /// All playouts made.
    pub fn visits(&self) -> u64 {
        self.moves.iter().map(|m| m.visits).sum()
    }

    /// The share of a move in what the search started from: inherited playouts, or one of so many candidates.
    pub fn prior(&self, of: &MoveStats) -> f32 {
        let inherited = |m: &MoveStats| m.weight - m.visits as f32 + m.prior;
        match self.moves.iter().map(inherited).sum::<f32>() {
            total if total > 0.5 => (inherited(of) / total).clamp(0.0, 1.0),
            _ => 1.0 / self.moves.len().max(1) as f32,
        }
    }

    /// The halvings that a move has survived since the search last started anew.
    pub fn halvings(&self, of: &MoveStats) -> u32 {
        let last = self.moves.iter().map(|m| m.round / ROUNDS).max().unwrap_or(0);
        match of.round / ROUNDS {
            0 if last == 0 => of.round,
            start if start == last => of.round % ROUNDS + 1,
            _ => 0,
        }
    }

    pub fn best(&self) -> Option<&MoveStats> {
        self.moves.first()
    }

    pub fn of(&self, point: Point) -> Option<&MoveStats> {
        self.moves.iter().find(|m| m.point == point)
    }
}
