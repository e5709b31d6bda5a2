//! RUCT (Okuyama, Hatano, Takimoto and Takeda): the best move in a tree of fixed depth with random leaf values.
//!
//! A node at height h above the leaves picks an untried child, else the one with the greatest
//!
//! ```text
//! z_i / s_i + C sqrt(2 K_i ln t / s_i)     z rewards of the player to move, s calls of the child, t of the node
//! ```
//!
//! with C = 12 h + 1 and K_i the number of leaves below the child; at the lowest level (UCB-oracle) C = K_i = 1. So it is in
//! the paper's algorithm for depth two; for depth d it prints 12 d + 1 at every level (`theory=depth`).
//! `oracle=resample`, as printed: the lowest level then draws a leaf by its counts s_j / t, calls it and returns that
//! second reward, two calls in all; `single` returns the first. The answer is the distribution s_i / t at the root: its
//! mode is played, or a draw from it.
//!
//! With these constants exploration swamps everything at game budgets: that is the paper's guarantee. A number as
//! `constant` takes the place of C at every height and leaves out K_i. Below a child of height two or more K_i is
//! estimated: its moves to the power of its height.

use super::params::{Answer, Oracle, Params, Theory};
use super::tree::{Node, ROOT, Tree};
use super::{MoveStats, Report, Search, Task, Worker};
use crate::base::rng::mix;
use crate::base::{Point, Rng};
use crate::game::Game;
use std::any::Any;

/// What RUCT searches: a game, or a tree made up to test it.
pub trait World: Send + Sync {
    type State: Clone;
    fn root(&self) -> Self::State;
    fn moves(&self, state: &Self::State, rng: &mut Rng) -> Vec<Point>;
    fn play(&self, state: &mut Self::State, point: Point);
    fn is_over(&self, state: &Self::State) -> bool;
    /// One call of the oracle: a random reward for the player to move at the root.
    fn reward(&self, state: Self::State, rng: &mut Rng) -> f32;
}

/// What exploration is multiplied by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// 12 h + 1 at height h, 1 at the lowest level; with the leaves below.
    ByHeight,
    /// 12 d + 1 at every level of a tree of depth d; with the leaves below.
    ByDepth,
    /// A number at every level, without the leaves.
    Fixed(f32),
}

impl Constant {
    pub fn of(params: &Params) -> Constant {
        match (params.constant, params.theory) {
            (Some(number), _) => Constant::Fixed(number as f32),
            (None, Theory::Height) => Constant::ByHeight,
            (None, Theory::Depth) => Constant::ByDepth,
        }
    }
}

/// The search itself.
pub struct FixedDepth<W> {
    world: W,
    tree: Tree,
    depth: usize,
    constant: Constant,
    resamples: bool,
}

impl<W: World> FixedDepth<W> {
    pub fn new(world: W, depth: usize, constant: Constant, resamples: bool, megabytes: usize) -> Self {
        FixedDepth { world, tree: Tree::new(megabytes), depth, constant, resamples }
    }

    pub fn work(&self, worker: &mut Worker) {
        while !worker.take(1).is_empty() {
            let mut state = self.world.root();
            let root = self.tree.node(ROOT);
            root.visit();
            self.call(root, &mut state, self.depth, true, worker);
        }
    }

    /// The root's moves and their calls so far.
    pub fn shares(&self) -> Vec<(Point, u64)> {
        let (_, children) = self.tree.children(self.tree.node(ROOT));
        children.iter().map(|child| (child.point(), u64::from(child.visits()))).collect()
    }

    /// One call at a node of a height; `own` when the player of the root is to move. The reward is that player's.
    fn call(&self, node: &Node, state: &mut W::State, height: usize, own: bool, worker: &mut Worker) -> f32 {
        if height == 0 || self.world.is_over(state) {
            return self.world.reward(state.clone(), &mut worker.rng);
        }
        let mut children = self.tree.children(node).1;
        if children.is_empty() {
            let mut moves = self.world.moves(state, &mut worker.rng);
            worker.rng.shuffle(&mut moves);
            self.tree.grow(node, &moves);
            children = self.tree.children(node).1;
            if children.is_empty() {
                return self.world.reward(state.clone(), &mut worker.rng); // the tree is full, or being grown
            }
        }
        let child = self.choose(node, children, height);
        child.visit();
        let parent = (self.resamples && height == 1).then(|| state.clone());
        self.world.play(state, child.point());
        let reward = self.call(child, state, height - 1, !own, worker);
        child.add(if own { reward } else { 1.0 - reward });
        match parent {
            // The second call of a resampling oracle is one of the budget too.
            Some(mut state) if !worker.take(1).is_empty() => {
                self.world.play(&mut state, draw(children, &mut worker.rng).point());
                self.world.reward(state, &mut worker.rng)
            }
            _ => reward,
        }
    }

    fn choose<'a>(&self, node: &Node, children: &'a [Node], height: usize) -> &'a Node {
        let log_t = libm::logf(node.visits().max(1) as f32);
        let mut best = (&children[0], f32::NEG_INFINITY);
        for child in children {
            let value = match child.visits() {
                0 => f32::INFINITY,
                s => child.rate() + self.breadth(child, height) * (2.0 * log_t / s as f32).sqrt(),
            };
            if value > best.1 {
                best = (child, value);
            }
        }
        best.0
    }

    /// C sqrt(K_i)
    fn breadth(&self, child: &Node, height: usize) -> f32 {
        let constant = match self.constant {
            Constant::Fixed(constant) => return constant,
            Constant::ByHeight if height == 1 => return 1.0,
            Constant::ByHeight => 12 * height + 1,
            Constant::ByDepth => 12 * self.depth + 1,
        };
        let moves = self.tree.children(child).1.len().max(1) as f32;
        let leaves = (1..height).fold(1.0, |leaves, _| leaves * moves);
        constant as f32 * f32::sqrt(leaves)
    }
}

/// A child with probability by its visits.
fn draw<'a>(children: &'a [Node], rng: &mut Rng) -> &'a Node {
    let total: u64 = children.iter().map(|n| n.visits() as u64).sum();
    let mut at = (rng.unit() * total as f64) as u64;
    for child in children {
        let visits = child.visits() as u64;
        if at < visits {
            return child;
        }
        at -= visits;
    }
    &children[0]
}

/// A game, whose oracle is a playout.
struct GameWorld<G>(Task<G>);

impl<G: Game> World for GameWorld<G> {
    type State = G;

    fn root(&self) -> G {
        self.0.root.clone()
    }

    fn moves(&self, state: &G, rng: &mut Rng) -> Vec<Point> {
        let mut moves = Vec::new();
        state.candidates(&mut moves);
        self.0.candidates.narrow(state, &mut moves, rng);
        moves
    }

    fn play(&self, state: &mut G, point: Point) {
        state.play(point);
    }

    fn is_over(&self, state: &G) -> bool {
        state.is_over()
    }

    fn reward(&self, mut state: G, rng: &mut Rng) -> f32 {
        self.0.policy.play_out(&mut state, rng, None);
        self.0.reward.of(state.score() * self.0.root.to_play().sign())
    }
}

pub struct Ruct<G> {
    search: FixedDepth<GameWorld<G>>,
    /// For an answer by chance: its random number.
    draw: Option<f64>,
}

impl<G: Game> Ruct<G> {
    pub fn new(mut task: Task<G>) -> Self {
        task.previous = None; // nothing is inherited, so nothing is kept alive
        let params = task.engine.params();
        let depth = params.depth as usize;
        let constant = Constant::of(params);
        let resamples = params.oracle == Oracle::Resample;
        let megabytes = params.tree_mb as usize;
        let draws = params.answer == Answer::Draw;
        let draw = draws.then(|| Rng::new(mix(&[task.seed, depth as u64])).unit());
        let mut moves = task.moves.clone();
        Rng::new(task.seed).shuffle(&mut moves);
        let search = FixedDepth::new(GameWorld(task), depth, constant, resamples, megabytes);
        // The root's moves are the task's, not all of the position's.
        search.tree.grow(search.tree.node(ROOT), &moves);
        Ruct { search, draw }
    }
}

impl<G: Game> Search<G> for Ruct<G> {
    fn work(&self, worker: &mut Worker) {
        self.search.work(worker);
    }

    fn report(&self) -> Report {
        let mut report = self.search.tree.report(MoveStats::by_playouts);
        if let Some(draw) = self.draw {
            let total: u64 = report.moves.iter().map(|m| m.visits).sum();
            let mut at = (draw * total as f64) as u64;
            let drawn = report.moves.iter().position(|m| {
                let found = at < m.visits;
                at = at.saturating_sub(m.visits);
                found
            });
            report.moves[..=drawn.unwrap_or(0)].rotate_right(1);
        }
        report
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Budget;

    /// A tree of K moves at each of `depth` plies; the leaf values in order, the chance of a reward of 1.
    struct MadeUp {
        k: usize,
        depth: usize,
        leaves: Vec<f64>,
    }

    impl World for MadeUp {
        type State = (usize, usize); // plies made, number of the node among those of its ply

        fn root(&self) -> (usize, usize) {
            (0, 0)
        }

        fn moves(&self, _: &(usize, usize), _: &mut Rng) -> Vec<Point> {
            (0..self.k as u16).map(|i| Point(i + 1)).collect()
        }

        fn play(&self, state: &mut (usize, usize), point: Point) {
            *state = (state.0 + 1, state.1 * self.k + point.index() - 1);
        }

        fn is_over(&self, _: &(usize, usize)) -> bool {
            false
        }

        fn reward(&self, state: (usize, usize), rng: &mut Rng) -> f32 {
            assert_eq!(state.0, self.depth, "oracles are at the leaves");
            f32::from(rng.unit() < self.leaves[state.1])
        }
    }

    impl MadeUp {
        fn random(k: usize, depth: usize, rng: &mut Rng) -> MadeUp {
            MadeUp { k, depth, leaves: (0..k.pow(depth as u32)).map(|_| rng.unit()).collect() }
        }

        /// The value of a node by minimax.
        fn value(&self, plies: usize, node: usize) -> f64 {
            if plies == self.depth {
                return self.leaves[node];
            }
            let values = (0..self.k).map(|i| self.value(plies + 1, node * self.k + i));
            if plies.is_multiple_of(2) { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) }
        }
    }

    fn run(world: MadeUp, constant: Constant, resamples: bool, calls: u64, seed: u64) -> Vec<(Point, u32)> {
        let depth = world.depth;
        let search = FixedDepth::new(world, depth, constant, resamples, 1);
        let budget = Budget::playouts(calls);
        search.work(&mut Worker::new(&budget, seed, 0));
        assert_eq!(budget.spent(), calls, "every oracle call counts");
        search.tree.report(MoveStats::by_playouts).moves.iter().map(|m| (m.point, m.visits as u32)).collect()
    }

    #[test]
    fn the_minimax_child_is_found_more_surely_with_more_calls() {
        for (k, depth) in [(4, 2), (3, 3), (2, 4)] {
            let found = |calls: u64| {
                let mut right = 0;
                for seed in 0..60 {
                    let world = MadeUp::random(k, depth, &mut Rng::new(seed));
                    let best = (0..k).max_by(|&a, &b| world.value(1, a).total_cmp(&world.value(1, b))).unwrap();
                    right += u32::from(run(world, Constant::Fixed(0.5), false, calls, seed)[0].0.index() - 1 == best);
                }
                right
            };
            let (few, many) = (found(100), found(20_000));
            assert!(many > few && many >= 50, "depth {depth}: {few}, then {many} of 60");
        }
    }

    #[test]
    fn the_constants_of_the_theory_differ_below_the_root() {
        let breadth = |constant: Constant, height: usize| {
            let world = MadeUp { k: 2, depth: 3, leaves: vec![0.5; 8] };
            let search = FixedDepth::new(world, 3, constant, false, 1);
            search.tree.grow(search.tree.node(ROOT), &[Point(1), Point(2)]);
            // The root stands for a child with two moves.
            search.breadth(search.tree.node(ROOT), height)
        };
        let by = |constant| [1, 2, 3].map(|height| breadth(constant, height));
        let two = f32::sqrt(2.0);
        assert_eq!(by(Constant::ByHeight), [1.0, 25.0 * two, 74.0]);
        assert_eq!(by(Constant::ByDepth), [37.0, 37.0 * two, 74.0]);
        assert_eq!(by(Constant::Fixed(0.3)), [0.3; 3]);
    }

    #[test]
    fn the_lower_level_keeps_to_the_interval_of_theorem_3_1() {
        let leaves = vec![0.3, 0.5, 0.6, 0.9];
        let k = leaves.len() as f64;
        for resamples in [true, false] {
            let runs = 2_000;
            let mut sums = vec![0.0; 1_000];
            for seed in 0..runs {
                let world = MadeUp { k: 4, depth: 1, leaves: leaves.clone() };
                let search = FixedDepth::new(world, 1, Constant::ByHeight, resamples, 1);
                let budget = Budget::unlimited();
                let mut worker = Worker::new(&budget, seed, 0);
                let root = search.tree.node(ROOT);
                for sum in &mut sums {
                    root.visit();
                    *sum += search.call(root, &mut (0, 0), 1, false, &mut worker) as f64;
                }
            }
            for s in [50usize, 200, 1_000] {
                // The mean of the values around the s-th, to have less noise.
                let values = &sums[s - 20..s];
                let mean = values.iter().sum::<f64>() / (20 * runs) as f64;
                let bound = 0.3 + 4.0 * (2.0 * k * (s as f64).ln() / s as f64).sqrt();
                assert!(mean > 0.3 - 0.01 && mean < bound, "{s}: {mean} is not in 0.3..{bound}");
            }
        }
    }

    #[test]
    fn with_large_gaps_the_regret_falls_as_log_t_over_t() {
        let regret = |calls: u64| {
            let world = MadeUp { k: 2, depth: 2, leaves: vec![0.9, 0.95, 0.1, 0.2] };
            let shares = run(world, Constant::ByHeight, false, calls, 3);
            let worse: u32 = shares.iter().filter(|(p, _)| p.index() == 2).map(|(_, s)| *s).sum();
            0.8 * worse as f64 / calls as f64
        };
        let (early, late) = (regret(1_000_000), regret(8_000_000));
        let slope = (late / early).ln() / 8f64.ln();
        assert!(slope < -0.75, "regret {early}, then {late}: slope {slope}");
        // The bound of the paper holds, with room.
        let bound = 2312.0 * 2.0 * 8e6f64.ln() / (0.8 * 8e6);
        assert!(late < bound, "{late}, bound {bound}");
    }

    #[test]
    fn a_resampling_oracle_makes_two_calls_and_learns_from_one() {
        let world = MadeUp { k: 3, depth: 2, leaves: vec![0.5; 9] };
        let shares = run(world, Constant::ByHeight, true, 1_000, 1);
        assert_eq!(shares.iter().map(|(_, s)| s).sum::<u32>(), 500);
    }
}
