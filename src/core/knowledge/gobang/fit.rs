//! Fitting a guide to positions that searches valued: logistic regression for what a position is worth, softmax regression
//! for how a search shared out its playouts, both by AdaGrad.

use super::guide::{Eyes, Guide, PAIRS, Places, SHAPES, STATES, STEPS, counts_pair, counts_shape, mirrored, steps};
use super::lines::{Lines, Points};
use super::worth::Worth;
use crate::base::rng::mix;
use crate::base::{Color, Point, Rng, Size};
use crate::game::gobang::Rule;

/// A position that a search looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    pub size: Size,
    pub rule: Rule,
    /// Black's, then White's.
    pub stones: [Vec<Point>; 2],
    pub me: Color,
    /// The last two moves, the latest first; a pass if there is none.
    pub last: [Point; 2],
    /// What must be answered (see `guide::STATES`).
    pub state: u8,
    /// The chance of the side to play.
    pub value: f32,
    /// Moves with their shares of the playouts, in 65,535ths.
    pub shares: Vec<(Point, u16)>,
    /// Are these all that may be played, or were others left out because they look bad?
    pub is_complete: bool,
}

impl Sample {
    fn lines(&self) -> Lines {
        let mut lines = Lines::new(self.size, self.rule);
        for color in Color::BOTH {
            self.stones[color.index()].iter().for_each(|&p| lines.play(p, color));
        }
        lines
    }

    /// What the weights by hand say.
    pub fn by_hand(&self) -> f32 {
        Worth::Hand.value(&self.lines(), self.me, self.state.into())
    }
}

/// The moves that are compared where a search left some out.
const NEAR: usize = 2;

/// How well a guide tells what searches found, as sums.
#[derive(Clone, Copy, Default, Debug)]
pub struct Figures {
    pub positions: f64,
    /// Cross entropy of values, and that of values by themselves.
    pub value: f64,
    pub value_least: f64,
    pub squares: f64,
    pub choices: f64,
    pub prior: f64,
    pub prior_least: f64,
    /// How often the move with the most playouts is the likeliest.
    pub first: f64,
}

impl Figures {
    /// Root mean square error of values.
    pub fn error(&self) -> f64 {
        (self.squares / self.positions.max(1.0)).sqrt()
    }

    /// What is lost by values and by moves, above what cannot be known.
    pub fn losses(&self) -> (f64, f64) {
        let per = |sum: f64, n: f64| sum / n.max(1.0);
        (per(self.value - self.value_least, self.positions), per(self.prior - self.prior_least, self.choices))
    }

    pub fn share_first(&self) -> f64 {
        self.first / self.choices.max(1.0)
    }
}

/// Weights under way with AdaGrad's sums of squares.
pub struct Fit {
    pub guide: Guide,
    squares: Guide,
    seen: Vec<u32>,
    rates: Rates,
}

/// AdaGrad's steps. Moves want far longer ones than values: a move's slope is shared by few points, a position's by all.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    pub value: f32,
    pub moves: f32,
}

/// What is looked at of a position.
struct View {
    points: Vec<(Point, Places)>,
    /// Indices of the moves to choose from, with their shares.
    moves: Vec<(usize, f32)>,
}

impl View {
    fn of(sample: &Sample) -> View {
        let lines = sample.lines();
        let eyes = Eyes::of(sample.me);
        let points: Vec<(Point, Places)> = lines.empty_points().iter().map(|p| (p, eyes.places(&lines, p))).collect();
        let choices: Points = match sample.is_complete {
            true => Points::EMPTY,
            false => lines.near(NEAR),
        };
        let share = |p: Point| sample.shares.iter().find(|s| s.0 == p).map(|s| f32::from(s.1) / 65_535.0);
        let moves = points.iter().enumerate().filter_map(|(i, &(p, _))| match share(p) {
            Some(share) => Some((i, share)),
            None => choices.contains(p).then_some((i, 0.0)),
        });
        let moves = if sample.shares.is_empty() { Vec::new() } else { moves.collect() };
        View { points, moves }
    }
}

fn logit_of(guide: &Guide, view: &View, state: usize) -> f32 {
    let of = |places: &Places| {
        guide.value.pairs[places.pair] + places.shapes.iter().map(|&s| guide.value.shapes[s]).sum::<f32>()
    };
    guide.states[state % STATES] + view.points.iter().map(|(_, places)| of(places)).sum::<f32>()
}

/// The chances of the moves.
fn chances_of(guide: &Guide, view: &View, sample: &Sample) -> Vec<f32> {
    let logit = |&(i, _): &(usize, f32)| {
        let (p, places) = &view.points[i];
        guide.prior.pairs[places.pair]
            + places.shapes.iter().map(|&s| guide.prior.shapes[s]).sum::<f32>()
            + (0..2).map(|k| guide.steps[k][steps(sample.size, *p, sample.last[k])]).sum::<f32>()
    };
    let mut chances: Vec<f32> = view.moves.iter().map(logit).collect();
    let top = chances.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    chances.iter_mut().for_each(|chance| *chance = libm::expf(*chance - top));
    let total: f32 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= total);
    chances
}

/// -ln x, for chances that may be rounded to nothing.
fn surprise(x: f32) -> f64 {
    -libm::log(f64::from(x).max(1e-7))
}

impl Figures {
    pub fn add(&mut self, guide: &Guide, sample: &Sample) {
        let view = View::of(sample);
        let told = 1.0 / (1.0 + libm::expf(-logit_of(guide, &view, sample.state.into())));
        let entropy = |of: f32, by: f32| f64::from(of) * surprise(by) + f64::from(1.0 - of) * surprise(1.0 - by);
        self.positions += 1.0;
        self.value += entropy(sample.value, told);
        self.value_least += entropy(sample.value, sample.value);
        self.squares += f64::from((sample.value - told) * (sample.value - told));
        if view.moves.len() > 1 {
            let chances = chances_of(guide, &view, sample);
            let shares = || view.moves.iter().map(|m| m.1);
            let best = |of: &mut dyn Iterator<Item = f32>| {
                of.enumerate().fold((0, f32::MIN), |best, (i, x)| if x > best.1 { (i, x) } else { best }).0
            };
            self.choices += 1.0;
            self.prior += shares().zip(&chances).map(|(s, &c)| f64::from(s) * surprise(c)).sum::<f64>();
            self.prior_least += shares().map(|s| f64::from(s) * surprise(s)).sum::<f64>();
            self.first += f64::from(u8::from(best(&mut shares()) == best(&mut chances.iter().copied())));
        }
    }
}

/// One step of AdaGrad.
#[inline(always)]
fn step(weight: &mut f32, squares: &mut f32, slope: f32, rate: f32) {
    *squares += slope * slope;
    *weight -= rate * slope / (*squares + 1e-2).sqrt();
}

impl Fit {
    pub fn new(guide: Guide, rates: Rates) -> Fit {
        Fit { guide, squares: Guide::zero(), seen: vec![0; SHAPES], rates }
    }

    pub fn learn(&mut self, sample: &Sample) {
        let view = View::of(sample);
        self.learn_value(&view, sample);
        if view.moves.len() > 1 {
            self.learn_prior(&view, sample);
        }
    }

    fn learn_value(&mut self, view: &View, sample: &Sample) {
        let state = usize::from(sample.state) % STATES;
        let told = 1.0 / (1.0 + libm::expf(-logit_of(&self.guide, view, state)));
        let slope = told - sample.value;
        let rate = self.rates.value;
        let (guide, squares) = (&mut self.guide, &mut self.squares);
        step(&mut guide.states[state], &mut squares.states[state], slope, rate);
        for (_, places) in &view.points {
            if counts_pair(places.pair) {
                step(&mut guide.value.pairs[places.pair], &mut squares.value.pairs[places.pair], slope, rate);
            }
            for &place in places.shapes.iter().filter(|&&place| counts_shape(place)) {
                self.seen[place] = self.seen[place].saturating_add(1);
                step(&mut guide.value.shapes[place], &mut squares.value.shapes[place], slope, rate);
                let other = mirrored(place);
                guide.value.shapes[other] = guide.value.shapes[place];
                squares.value.shapes[other] = squares.value.shapes[place];
            }
        }
    }

    fn learn_prior(&mut self, view: &View, sample: &Sample) {
        let chances = chances_of(&self.guide, view, sample);
        let rate = self.rates.moves;
        let (guide, squares) = (&mut self.guide, &mut self.squares);
        for (&(i, share), chance) in view.moves.iter().zip(chances) {
            let slope = chance - share;
            let (p, places) = &view.points[i];
            step(&mut guide.prior.pairs[places.pair], &mut squares.prior.pairs[places.pair], slope, rate);
            for &place in places.shapes.iter().filter(|&&place| counts_shape(place)) {
                step(&mut guide.prior.shapes[place], &mut squares.prior.shapes[place], slope, rate);
                let other = mirrored(place);
                guide.prior.shapes[other] = guide.prior.shapes[place];
                squares.prior.shapes[other] = squares.prior.shapes[place];
            }
            for k in 0..2 {
                let at = steps(sample.size, *p, sample.last[k]);
                step(&mut guide.steps[k][at], &mut squares.steps[k][at], slope, rate);
            }
        }
    }

    /// Goes once through all samples in random order.
    pub fn pass(&mut self, samples: &[Sample], seed: u64, progress: &mut dyn FnMut(usize) -> bool) -> bool {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        Rng::new(mix(&[seed, 5])).shuffle(&mut order);
        order.into_iter().enumerate().all(|(done, i)| {
            self.learn(&samples[i as usize]);
            progress(done + 1)
        })
    }

    /// The weights, without those of shapes that were seen too rarely to be known.
    pub fn finish(mut self, often: u32) -> Guide {
        for place in 0..SHAPES {
            if self.seen[place] + self.seen[mirrored(place)] < often {
                self.guide.value.shapes[place] = 0.0;
                self.guide.prior.shapes[place] = 0.0;
            }
        }
        debug_assert!(self.guide.value.pairs.len() == PAIRS && self.guide.steps[0].len() == STEPS);
        self.guide
    }

    pub fn slower(&mut self, factor: f32) {
        self.rates.value *= factor;
        self.rates.moves *= factor;
    }
}
