//! What a finished playout is worth to the searching player: the reward functions of Ito, Shibahara and Kotani for
//! handicap games.
//!
//! x is the playout's score for the searching player, komi counted; k the gain; c the reward komi.
//!
//! ```text
//! step           1 for x > 0, 0 for x < 0, a half for a draw
//! sigmoid        1 / (1 + e^(-k x))
//! dakv           1 for x >= c, else 0
//! half-sigmoid   behind: sigmoid(k x) for x < 0, else 1       ahead: sigmoid(k x) for x > 0, else 0
//! sigmoid-komi   behind: sigmoid(k (x - c)) for x < 0, else 1 ahead: sigmoid(k (x - c)) for x > 0, else 0
//! ```
//!
//! With `points` a part of every reward is the score itself, from 0 for all points lost to 1 for all won: of two won games the
//! larger one is worth a little more, so that a game that is won, or lost, is still played well.
//!
//! c is set anew before every move from 500 playouts outside the budget, on the grid of half points: behind, the c <= 0
//! nearest to 0 with which they are worth at least `target` on the mean; ahead, the c >= 0 nearest to 0 with which they
//! are worth at most that. With `side=auto` their win rate says who is behind; a game in between has the plain step.

use super::Engine;
use super::params::{RewardName, SideName};
use crate::base::rng::mix;
use crate::game::Game;
use crate::playout::{self, Policy};

/// Playouts to set the reward by, and their random stream (apart from the search's).
const SURVEY: u64 = 500;
const STREAM: u64 = 0x4b6f_6d69;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Side {
    Behind,
    Ahead,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    Step,
    Sigmoid,
    Dakv,
    HalfSigmoid(Side),
    SigmoidKomi(Side),
}

/// A reward function in force.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reward {
    pub shape: Shape,
    pub gain: f32,
    /// The reward komi, 0 for shapes that have none.
    pub c: f32,
    /// The part of it that the score is, and half of what one point is of all.
    pub points: f32,
    pub half_point: f32,
}

/// What was found out before the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RewardSurvey {
    pub playouts: u64,
    /// Share of them won, draws as half.
    pub win_rate: f32,
    /// Mean reward of them by the function in force.
    pub mean_reward: f32,
}

impl Reward {
    pub const STEP: Reward = Reward { shape: Shape::Step, gain: 0.0, c: 0.0, points: 0.0, half_point: 0.0 };

    /// The worth of a score for the searching player, 0 to 1.
    #[inline]
    pub fn of(&self, x: f32) -> f32 {
        let worth = self.without_points(x);
        worth + self.points * (0.5 + self.half_point * x - worth).clamp(-1.0, 1.0)
    }

    #[inline(always)]
    fn without_points(&self, x: f32) -> f32 {
        match self.shape {
            Shape::Step => step(x),
            Shape::Sigmoid => self.sigmoid(x),
            Shape::Dakv => f32::from(x >= self.c),
            Shape::HalfSigmoid(Side::Behind) | Shape::SigmoidKomi(Side::Behind) if x >= 0.0 => 1.0,
            Shape::HalfSigmoid(Side::Ahead) | Shape::SigmoidKomi(Side::Ahead) if x <= 0.0 => 0.0,
            Shape::HalfSigmoid(_) => self.sigmoid(x),
            Shape::SigmoidKomi(_) => self.sigmoid(x - self.c),
        }
    }

    fn sigmoid(&self, x: f32) -> f32 {
        1.0 / (1.0 + libm::expf(-self.gain * x))
    }

    /// The reward of an engine in a position, and the survey if one was needed.
    pub fn set<G: Game>(
        engine: &Engine,
        position: &G,
        policy: &dyn Policy<G>,
        seed: u64,
    ) -> (Reward, Option<RewardSurvey>) {
        let params = engine.params();
        let (gain, points) = (params.gain as f32, params.points as f32);
        let half_point = if points > 0.0 { 0.5 / position.size().area() as f32 } else { 0.0 };
        let plain = Reward { gain, points, half_point, ..Reward::STEP };
        match params.reward {
            RewardName::Step => return (Reward { gain: 0.0, ..plain }, None),
            RewardName::Sigmoid => return (Reward { shape: Shape::Sigmoid, ..plain }, None),
            RewardName::Dakv | RewardName::HalfSigmoid | RewardName::SigmoidKomi => {}
        }
        let scores = survey_scores(position, policy, seed);
        let win_rate = mean(&scores, step);
        let even = params.even as f32;
        let side = match params.side {
            SideName::Behind => Some(Side::Behind),
            SideName::Ahead => Some(Side::Ahead),
            SideName::Auto if win_rate < even => Some(Side::Behind),
            SideName::Auto if win_rate > 1.0 - even => Some(Side::Ahead),
            SideName::Auto => None,
        };
        let reward = match (side, params.reward) {
            (None, _) => Reward { gain: 0.0, ..plain },
            (Some(side), RewardName::HalfSigmoid) => Reward { shape: Shape::HalfSigmoid(side), ..plain },
            (Some(side), name) => {
                let target = match params.target as f32 {
                    0.0 => default_target(side),
                    given => given,
                };
                let shape = if name == RewardName::Dakv { Shape::Dakv } else { Shape::SigmoidKomi(side) };
                with_komi(Reward { shape, ..plain }, side, target, &scores)
            }
        };
        (reward, Some(reward.surveyed(&scores)))
    }

    /// What this reward makes of playouts from a position.
    pub fn survey<G: Game>(&self, position: &G, policy: &dyn Policy<G>, seed: u64) -> RewardSurvey {
        self.surveyed(&survey_scores(position, policy, seed))
    }

    fn surveyed(&self, scores: &[f32]) -> RewardSurvey {
        RewardSurvey { playouts: SURVEY, win_rate: mean(scores, step), mean_reward: mean(scores, |x| self.of(x)) }
    }

    /// `sigmoid-komi, behind, gain 0.4, c -12.5`
    pub fn describe(&self) -> String {
        let side = |s: Side| if s == Side::Behind { "behind" } else { "ahead" };
        match self.shape {
            Shape::Step => "step".to_string(),
            Shape::Sigmoid => format!("sigmoid, gain {}", self.gain),
            Shape::Dakv => format!("dakv, c {}", self.c),
            Shape::HalfSigmoid(s) => format!("half-sigmoid, {}, gain {}", side(s), self.gain),
            Shape::SigmoidKomi(s) => format!("sigmoid-komi, {}, gain {}, c {}", side(s), self.gain, self.c),
        }
    }
}

/// Scores of playouts for the player to move.
fn survey_scores<G: Game>(position: &G, policy: &dyn Policy<G>, seed: u64) -> Vec<f32> {
    let mut scores = Vec::with_capacity(SURVEY as usize);
    let sign = position.to_play().sign();
    let stream = mix(&[seed, STREAM]);
    playout::score_many(policy, stream, 0..SURVEY, |_| position, |_, score| scores.push(score * sign));
    scores
}

fn default_target(side: Side) -> f32 {
    match side {
        Side::Behind => 0.05,
        Side::Ahead => 0.5,
    }
}

/// The plain step.
#[inline(always)]
pub fn step(score: f32) -> f32 {
    match score {
        s if s > 0.0 => 1.0,
        s if s < 0.0 => 0.0,
        _ => 0.5,
    }
}

fn mean(scores: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    scores.iter().map(|&x| of(x)).sum::<f32>() / scores.len().max(1) as f32
}

/// Sets c by bisection: mean reward falls as c rises.
fn with_komi(reward: Reward, side: Side, target: f32, scores: &[f32]) -> Reward {
    let sign = if side == Side::Behind { -1.0 } else { 1.0 };
    let at = |halves: u32| Reward { c: sign * halves as f32 / 2.0, ..reward };
    let is_met = |halves: u32| {
        let mean = mean(scores, |x| at(halves).of(x));
        if side == Side::Behind { mean >= target } else { mean <= target }
    };
    // Beyond the largest score and a wide sigmoid every bound is met.
    let (mut low, mut high) = (0, 1);
    while !is_met(high) && high < 1 << 20 {
        high *= 2;
    }
    while low < high {
        let middle = (low + high) / 2;
        if is_met(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    at(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Black, Rng, Size};
    use crate::game::go::Go9;
    use crate::playout::light::Light;

    #[test]
    fn the_formulas_hold_at_sample_points() {
        let e = |shape, gain, c, x: f32| Reward { shape, gain, c, ..Reward::STEP }.of(x);
        let close = |a: f32, b: f64| assert!((a as f64 - b).abs() < 1e-6, "{a} is not {b}");
        assert_eq!([-1.0, 0.0, 0.5].map(|x| Reward::STEP.of(x)), [0.0, 0.5, 1.0]);
        close(e(Shape::Sigmoid, 0.1, 0.0, 10.0), 1.0 / (1.0 + (-1f64).exp()));
        close(e(Shape::Sigmoid, 1.6, 0.0, -2.0), 1.0 / (1.0 + 3.2f64.exp()));
        assert_eq!([-34.5, -34.0, 3.0].map(|x| e(Shape::Dakv, 0.0, -34.0, x)), [0.0, 1.0, 1.0]);
        let (behind, ahead) = (Side::Behind, Side::Ahead);
        close(e(Shape::HalfSigmoid(behind), 0.2, 0.0, -5.0), 1.0 / (1.0 + 1f64.exp()));
        assert_eq!(e(Shape::HalfSigmoid(behind), 0.2, 0.0, 0.0), 1.0);
        close(e(Shape::HalfSigmoid(ahead), 0.2, 0.0, 5.0), 1.0 / (1.0 + (-1f64).exp()));
        assert_eq!(e(Shape::HalfSigmoid(ahead), 0.2, 0.0, 0.0), 0.0);
        close(e(Shape::SigmoidKomi(behind), 0.4, -34.0, -30.0), 1.0 / (1.0 + (-1.6f64).exp()));
        assert_eq!(e(Shape::SigmoidKomi(behind), 0.4, -34.0, 0.5), 1.0);
        close(e(Shape::SigmoidKomi(ahead), 0.4, 20.0, 10.0), 1.0 / (1.0 + 4f64.exp()));
        assert_eq!(e(Shape::SigmoidKomi(ahead), 0.4, 20.0, -0.5), 0.0);
    }

    #[test]
    fn points_are_a_part_of_the_reward_and_nothing_else_changes_without_them() {
        let with = |points| Reward { points, half_point: 0.5 / 81.0, ..Reward::STEP };
        assert_eq!([-81.0, -0.5, 0.5, 81.0].map(|x| with(0.0).of(x)), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!([-81.0, 0.0, 81.0].map(|x| with(1.0).of(x)), [0.0, 0.5, 1.0]);
        // A tenth of the way from the step to the score.
        assert!((with(0.1).of(40.5) - (0.9 + 0.1 * 0.75)).abs() < 1e-6);
        assert!((with(0.1).of(-40.5) - 0.1 * 0.25).abs() < 1e-6);
    }

    #[test]
    fn reward_komi_is_the_half_point_nearest_to_zero_that_meets_its_bound() {
        let mut rng = Rng::new(1);
        for round in 0..300 {
            let shift = rng.below(120) as f32 - 60.0;
            let scores: Vec<f32> = (0..100).map(|_| shift + rng.below(40) as f32 - 20.5).collect();
            for side in [Side::Behind, Side::Ahead] {
                let target = [0.05, 0.5, 0.3][round % 3];
                for shape in [Shape::Dakv, Shape::SigmoidKomi(side)] {
                    let reward = Reward { shape, gain: 0.4, ..Reward::STEP };
                    let found = with_komi(reward, side, target, &scores);
                    // Slowly: every half point from 0 outward.
                    let slow = (0..2_000)
                        .map(|h| h as f32 / 2.0 * if side == Side::Behind { -1.0 } else { 1.0 })
                        .find(|&c| {
                            let mean = mean(&scores, |x| Reward { c, ..reward }.of(x));
                            if side == Side::Behind { mean >= target } else { mean <= target }
                        })
                        .unwrap();
                    assert_eq!(found.c, slow, "{shape:?} {side:?} {target}");
                }
            }
        }
    }

    #[test]
    fn side_auto_tells_behind_from_even_from_ahead() {
        let engine = Engine::parse("uct reward=sigmoid-komi").unwrap();
        let size = Size::new(9).unwrap();
        let set = |komi: f32| {
            let mut board = Go9::new(size, komi);
            board.set_to_play(Black);
            Reward::set(&engine, &board, &Light, 1)
        };
        let (even, survey) = set(4.5);
        assert_eq!(even, Reward::STEP);
        assert_eq!(survey.unwrap().playouts, 500);
        let (behind, survey) = set(60.5);
        assert!(matches!(behind.shape, Shape::SigmoidKomi(Side::Behind)) && behind.c <= 0.0);
        assert!(survey.unwrap().mean_reward >= 0.05);
        let (ahead, survey) = set(-50.5);
        assert!(matches!(ahead.shape, Shape::SigmoidKomi(Side::Ahead)) && ahead.c >= 0.0);
        assert!(survey.unwrap().mean_reward <= 0.5);
    }
}
