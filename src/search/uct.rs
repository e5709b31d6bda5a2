//! UCT (Kocsis and Szepesvari 2006): UCB1 in every node of a tree that grows where it is visited.
//!
//! A node picks the child with the greatest
//!
//! ```text
//! mean_i + c sqrt(ln n / s_i)        n playouts through the node, s_i through the child
//! ```
//!
//! where mean_i is the mean reward of the player to move at the node. A child without playouts is worth `first`: at
//! its default all children are tried, in random order, before any is tried twice. One playout:
//!
//! 1. descend from the root by that rule, counting visits;
//! 2. a leaf with `threshold` playouts grows children, all candidates of its position;
//! 3. play out from the leaf;
//! 4. add the reward to every node on the way back.
//!
//! Not here: transpositions, superko below the root, rewards other than the step.

use super::tree::{Node, NodeId, ROOT, Tree};
use super::{Budget, MoveStats, Report, Search, Task, Worker, reward};
use crate::base::{Color, Point};
use crate::game::Game;
use crate::playout;
use std::any::Any;

/// A line this long is played out from where it is: simple ko leaves room for cycles.
const MAX_DEPTH: usize = 512;

pub struct Uct<G> {
    task: Task<G>,
    tree: Tree,
    color: Color,
    c: f32,
    first: f32,
    threshold: u32,
    by_rate: bool,
}

impl<G: Game> Uct<G> {
    pub fn new(task: Task<G>) -> Self {
        let engine = &task.engine;
        let megabytes = engine.int("tree-mb") as usize;
        let tree = Self::kept_tree(&task, megabytes).unwrap_or_else(|| Tree::new(megabytes));
        let (c, first) = (engine.float("c") as f32, engine.float("first") as f32);
        let threshold = engine.int("threshold") as u32;
        let by_rate = engine.choice("final") == "rate";
        let color = task.root.to_play();
        let search = Uct { task, tree, color, c, first, threshold, by_rate };
        let mut moves = search.task.moves.clone();
        crate::base::Rng::new(search.task.seed).shuffle(&mut moves);
        search.tree.grow(search.tree.node(ROOT), &moves);
        search
    }

    /// The part of the former search's tree that the game went into, if its root has the same candidates.
    fn kept_tree(task: &Task<G>, megabytes: usize) -> Option<Tree> {
        let (search, path) = task.previous.as_ref()?;
        let former: &Uct<G> = search.as_any().downcast_ref()?;
        let mut id = ROOT;
        for &point in path {
            let (first, children) = former.tree.children(former.tree.node(id));
            id = first + children.iter().position(|n| n.point() == point)? as u32;
        }
        let (_, children) = former.tree.children(former.tree.node(id));
        let mut known: Vec<Point> = children.iter().map(Node::point).collect();
        let mut wanted = task.moves.clone();
        known.sort();
        wanted.sort();
        (known == wanted).then(|| former.tree.rerooted(id, megabytes))
    }

    /// One playout.
    fn simulate(&self, worker: &mut Worker, path: &mut Vec<NodeId>, moves: &mut Vec<Point>) {
        let mut position = self.task.root.clone();
        let mut node = self.tree.node(ROOT);
        node.visit();
        path.clear();
        // 1. Descend.
        while !position.is_over() && path.len() < MAX_DEPTH {
            let (mut first, mut children) = self.tree.children(node);
            if children.is_empty() {
                // 2. Grow.
                if node.visits() <= self.threshold {
                    break;
                }
                position.candidates(moves);
                worker.rng.shuffle(moves);
                if !self.tree.grow(node, moves) {
                    break;
                }
                (first, children) = self.tree.children(node);
            }
            let i = self.select(node, children);
            node = &children[i];
            node.visit();
            path.push(first + i as u32);
            position.play(node.point());
        }
        // 3. Play out.
        playout::light(&mut position, &mut worker.rng);
        let reward = reward::step(position.score() * self.color.sign());
        // 4. Add up, for the player who moved into each node: the searching player first.
        for (ply, &id) in path.iter().enumerate() {
            self.tree.node(id).add(if ply % 2 == 0 { reward } else { 1.0 - reward });
        }
        self.tree.node(ROOT).add(1.0 - reward);
    }

    #[inline]
    fn select(&self, node: &Node, children: &[Node]) -> usize {
        let log_n = libm::logf(node.visits() as f32);
        let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
        for (i, child) in children.iter().enumerate() {
            let visits = child.visits();
            let value = if visits == 0 {
                self.first
            } else {
                let inverse = 1.0 / visits as f32;
                child.sum() * inverse + self.c * (log_n * inverse).sqrt()
            };
            if value > best_value {
                (best, best_value) = (i, value);
            }
        }
        best
    }
}

impl<G: Game> Search<G> for Uct<G> {
    fn work(&self, worker: &mut Worker) {
        let (mut path, mut moves) = (Vec::with_capacity(64), Vec::with_capacity(self.task.root.size().area()));
        while !worker.take(1).is_empty() {
            self.simulate(worker, &mut path, &mut moves);
        }
    }

    fn report(&self, budget: &Budget) -> Report {
        let (_, children) = self.tree.children(self.tree.node(ROOT));
        let moves = children
            .iter()
            .map(|child| {
                let mut pv = vec![child.point()];
                pv.extend(self.tree.principal_variation(child));
                MoveStats { point: child.point(), visits: child.visits() as u64, rate: child.rate(), pv }
            })
            .collect();
        let order = if self.by_rate { MoveStats::by_rate } else { MoveStats::by_playouts };
        Report::new(moves, budget.spent(), self.tree.len(), order)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
