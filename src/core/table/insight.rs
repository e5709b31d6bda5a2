//! What can be seen in a position without a search: potential, filters, reward, ownership.

use super::TableOf;
use crate::base::{Color, Point, Rng};
use crate::playout::judge::Judgement;
use crate::search::Searchable;
use crate::search::candidates::{Filter, Potential};
use crate::search::{self, Engine, Reward, RewardSurvey};

/// The potential model on one point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PotentialAt {
    pub point: Point,
    pub potential: f64,
    pub gradient: f64,
}

/// What a filter makes of the candidates.
#[derive(Clone, PartialEq, Debug)]
pub struct Sieved {
    pub kept: Vec<Point>,
    pub dropped: Vec<Point>,
}

/// Ownership from which a point counts whole.
const NEARLY_SURE: f32 = 0.8;

pub trait Insight {
    /// Has the game come to an end by its rules?
    fn is_over(&self) -> bool;
    /// Every point of the board, from one side; None without stones.
    fn potential(&self, side: Color) -> Option<Vec<PotentialAt>>;
    /// The candidates of a side as a filter sees them, whatever its threshold.
    fn sieve(&self, side: Color, filter: Filter, seed: u64) -> Sieved;
    /// The reward that a search for this side would have, and what it makes of playouts from here.
    fn reward(&self, side: Color, engine: &Engine, seed: u64) -> (Reward, RewardSurvey);
    /// By point index: +1 = Black's in all playouts, -1 = White's. Quick, so that a picture of every position can have it: a
    /// finished game is counted by reading.
    fn ownership(&self) -> Vec<f32>;
    /// The score to expect if the game is played on, Black's side of it: every point as far as it is somebody's, whole where
    /// that is nearly sure, so that a finished game is worth what its count says.
    fn estimate(&self) -> f32;
}

impl<G: Searchable> Insight for TableOf<G> {
    fn is_over(&self) -> bool {
        self.record.position().is_over()
    }

    fn potential(&self, side: Color) -> Option<Vec<PotentialAt>> {
        let position = self.record.position();
        let size = position.size();
        let potential = Potential::new(position, side)?;
        let at = |point| PotentialAt {
            point,
            potential: potential.at(size, point),
            gradient: potential.gradient(size, point),
        };
        Some(size.points().map(at).collect())
    }

    fn sieve(&self, side: Color, filter: Filter, seed: u64) -> Sieved {
        let position = self.root_for(side);
        let mut all = self.legal_candidates(&position, side);
        all.retain(|p| !p.is_pass());
        let mut kept = all.clone();
        if !kept.is_empty() {
            filter.narrow(&position, position.to_play(), &mut kept, &mut Rng::new(seed));
        }
        kept.sort();
        let dropped = all.into_iter().filter(|p| kept.binary_search(p).is_err()).collect();
        Sieved { kept, dropped }
    }

    fn reward(&self, side: Color, engine: &Engine, seed: u64) -> (Reward, RewardSurvey) {
        let position = self.root_for(side);
        let policy = search::policy_of::<G>(engine, position.size());
        let (reward, survey) = Reward::set(engine, &position, &*policy, seed);
        (reward, survey.unwrap_or_else(|| reward.survey(&position, &*policy, seed)))
    }

    fn ownership(&self) -> Vec<f32> {
        let position = self.record.position();
        let judged = Judgement::by_playouts(position, &*G::counting_policy());
        let mut ownership = vec![0.0; 1024];
        position.size().points().for_each(|p| ownership[p.index()] = judged.ownership(p));
        ownership
    }

    fn estimate(&self) -> f32 {
        let ownership = self.ownership();
        let share = |o: f32| if o.abs() >= NEARLY_SURE { o.signum() } else { o };
        self.record.position().size().points().map(|p| share(ownership[p.index()])).sum::<f32>() - self.counting().komi
    }
}
