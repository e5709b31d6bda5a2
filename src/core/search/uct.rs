//! UCT (Kocsis and Szepesvari 2006): a bandit in every node of a tree that grows where it is visited.
//!
//! A node picks the child with the greatest value by its [`Rule`]: UCB1,
//!
//! ```text
//! mean_i + c sqrt(ln n / s_i)        n playouts through the node, s_i through the child
//! ```
//!
//! where mean_i is the mean reward of the player to move at the node, or another one (`rule=`). A child without playouts is
//! worth `first`: at its default all children are tried, in random order, before any is tried twice. One playout:
//!
//! 1. descend from the root by that rule, counting visits;
//! 2. a leaf with `threshold` playouts grows children, all candidates of its position, each with what its priors give it;
//! 3. play out from the leaf;
//! 4. add the reward to every node on the way back;
//! 5. with AMAF (`rule=rave`): add it also to the children that stand for a move which the same player made later in the
//!    playout, if he was the first to play there. One descent in twenty (`amaf-skip`) does without, since a move that is good
//!    only now looks bad to AMAF and would never be tried.
//!
//! With `memory=inherit` (Toyoda, Matsumoto, Sasaki and Kotani) the children of a node that grows start from results of
//! two plies ago: from the children of its grandparent at the same points,
//!
//! ```text
//! s_i = r Th N s'_i / n        r discount, Th threshold, N children being made, s'_i the matching child's playouts,
//!                              n those of all children of the grandparent; wins in proportion
//! ```
//!
//! and n in the formula above counts what the children inherited, as does the threshold (`growth=made` counts playouts made
//! alone). Nothing matching: s = 0.
//!
//! With `solver=on` wins and losses are proven in the tree (see `proof`): a proven node is worth exactly that, lost
//! children are left alone, and a proven root ends the search before its budget does. With `vcf` a node that grows is first
//! asked for a win by continuous fours, which proves it; and for the opponent's, as if he were to move: then only moves
//! that spoil it become children, and if there are none the node is proven too.
//!
//! With `widen` a node looks at its most promising children first, by their priors, and at so many more with every doubling of
//! its playouts (progressive widening, Coulom 2007).
//!
//! Not here: transpositions, superko below the root.

use super::advice;
use super::candidates::Kept;
use super::halving::Halving;
use super::params::{Cap, Growth, Memory, Params, RootMemory, RuleName};
use super::proof;
use super::rule::Rule;
use super::tree::{Inherited, Node, NodeId, ROOT, Tree};
use super::{MoveStats, Proof, Report, Search, Task, Worker};
use crate::base::order::best_first;
use crate::base::{Color, Point, Rng};
use crate::game::Game;
use std::any::Any;
use std::cmp::Ordering;

/// A line this long is played out from where it is: simple ko leaves room for cycles.
const MAX_DEPTH: usize = 512;

pub struct Uct<G> {
    task: Task<G>,
    tree: Tree,
    color: Color,
    rule: Rule,
    /// The chance of a descent without AMAF, as a bound on 32 random bits.
    amaf_skip: u64,
    /// How much more the first move of a playout counts than its last one.
    amaf_early: f32,
    threshold: u32,
    /// Do inherited playouts count towards the threshold?
    counts_inherited: bool,
    /// Children that come into view with every doubling of a node's playouts; 0: all are there from the start.
    widen: usize,
    /// The root's own way to share its playouts, if it has one.
    halving: Option<Halving>,
    order: fn(&MoveStats, &MoveStats) -> Ordering,
    inheritance: Option<Inheritance>,
    solves: bool,
    /// Positions for a search of forced wins; 0: none.
    vcf: usize,
    /// A forced win at the root.
    forced_win: Option<Vec<Point>>,
}

/// The root is worth a longer look for forced wins than the nodes below it.
const ROOT_VCF: usize = 100;

/// How much a new node inherits.
struct Inheritance {
    /// r Th
    factor: f32,
    most: f32,
}

impl<G: Game> Uct<G> {
    pub fn new(task: Task<G>) -> Self {
        let params = task.engine.params();
        let megabytes = params.tree_mb as usize;
        let rule = rule_of(params);
        let amaf_skip = (params.amaf_skip * (1u64 << 32) as f64) as u64;
        let amaf_early = params.amaf_early as f32;
        let threshold = params.threshold as u32;
        let order = MoveStats::order(params.choose_by);
        let inheritance = (params.memory == Memory::Inherit).then(|| Inheritance {
            factor: params.discount as f32 * threshold as f32,
            most: if params.cap == Cap::Threshold { threshold as f32 } else { f32::INFINITY },
        });
        let counts_inherited = inheritance.is_some() && params.growth == Growth::All && task.priors.is_empty();
        let color = task.root.to_play();
        let (solves, vcf) = (params.solver, params.vcf as usize);
        let tree = if rule.uses_amaf() { Tree::with_amaf(megabytes) } else { Tree::new(megabytes) };
        let halving = Some(params.halving as usize).filter(|&most| most > 0).map(Halving::new);
        let widen = params.widen as usize;
        let mut search = Uct {
            task,
            tree,
            color,
            rule,
            amaf_skip,
            amaf_early,
            threshold,
            counts_inherited,
            widen,
            halving,
            order,
            inheritance,
            solves,
            vcf,
            forced_win: None,
        };
        search.settle_root(megabytes);
        search.task.previous = None; // or every tree of a game would be kept
        search
    }

    /// The root has children from the start: those of the tree that is kept, or new ones.
    fn settle_root(&mut self, megabytes: usize) {
        let (mut moves, mut is_complete) = (self.task.moves.clone(), self.task.kept != Kept::Some);
        if self.vcf > 0 {
            let root = &self.task.root;
            self.forced_win = root.forced_win(self.vcf * ROOT_VCF).filter(|line| moves.contains(&line[0]));
            if let Some(line) = forced_win_of_opponent(root, self.vcf * ROOT_VCF)
                && self.forced_win.is_none()
                && self.task.kept != Kept::Enough
            {
                let mut spoilers = Vec::new();
                root.spoilers(&line, &mut spoilers);
                let all = spoilers.len();
                spoilers.retain(|p| moves.contains(p));
                // When nothing helps, the search finds out what lasts longest.
                if !spoilers.is_empty() {
                    is_complete = spoilers.len() == all;
                    moves = spoilers;
                }
            }
        }
        match self.kept_tree(&moves, megabytes) {
            Some(tree) => self.tree = tree,
            None => self.grow_root(moves, is_complete),
        }
        advice::give_root(&self.task.adviser, &self.tree, &self.task.root);
        if let Some(line) = &self.forced_win
            && let Some(child) = self.tree.children(self.tree.node(ROOT)).1.iter().find(|n| n.point() == line[0])
        {
            child.prove(Proof::win_in(line.len().div_ceil(2)));
            self.tree.node(ROOT).prove(Proof::loss_in(line.len().div_ceil(2)));
        }
    }

    /// With `root=inherit` the children take r times the results of two plies ago.
    fn grow_root(&self, mut moves: Vec<Point>, is_complete: bool) {
        Rng::new(self.task.seed).shuffle(&mut moves);
        let params = self.task.engine.params();
        let inherits = self.inheritance.is_some() && params.root == RootMemory::Inherit;
        let former = match &self.task.previous {
            Some((search, path)) if inherits && path.len() == 2 => Some(search.report()),
            _ => None,
        };
        let discount = params.discount as f32;
        let mut starts = self.starts(&self.task.root, &moves);
        for (start, &point) in starts.iter_mut().zip(&moves) {
            if let Some(old) = former.as_ref().and_then(|report| report.of(point)) {
                start.visits += discount * old.weight;
                start.wins += discount * old.weight * old.rate;
            }
        }
        self.sort(&mut moves, &mut starts);
        self.tree.grow_from(self.tree.node(ROOT), &moves, is_complete, starts);
    }

    /// Puts the most promising moves first, if a node looks at these first.
    fn sort(&self, moves: &mut [Point], starts: &mut [Inherited]) {
        if self.widen > 0 {
            let mut sorted: Vec<_> = moves.iter().copied().zip(starts.iter().copied()).collect();
            best_first(&mut sorted, |(_, start)| f64::from(start.visits));
            for (i, (point, start)) in sorted.into_iter().enumerate() {
                (moves[i], starts[i]) = (point, start);
            }
        }
    }

    /// How many of a node's children are in view.
    #[inline(always)]
    fn in_view(&self, node: &Node, children: usize) -> usize {
        match self.widen {
            0 => children,
            more => children.min(more * (1 + node.visits().max(1).ilog2() as usize)),
        }
    }

    /// What the priors give each of the moves.
    fn starts(&self, position: &G, moves: &[Point]) -> Vec<Inherited> {
        let mut starts = vec![Inherited::default(); moves.len()];
        self.task.priors.iter().for_each(|prior| prior.add(position, moves, &mut starts));
        starts
    }

    /// The part of the former search's tree that the game went into, if its root has the same candidates.
    fn kept_tree(&self, moves: &[Point], megabytes: usize) -> Option<Tree> {
        if self.inheritance.is_some() {
            return None;
        }
        let (search, path) = self.task.previous.as_ref()?;
        let former: &Uct<G> = search.as_any().downcast_ref()?;
        let mut id = ROOT;
        for &point in path {
            let (first, children) = former.tree.children(former.tree.node(id));
            id = first + children.iter().position(|n| n.point() == point)? as u32;
        }
        let (_, children) = former.tree.children(former.tree.node(id));
        let mut known: Vec<Point> = children.iter().map(Node::point).collect();
        let mut wanted = moves.to_vec();
        known.sort();
        wanted.sort();
        (known == wanted).then(|| former.tree.rerooted(id, megabytes))
    }

    /// One playout.
    fn simulate(&self, number: u64, worker: &mut Worker, scratch: &mut Scratch) {
        let Scratch { path, moves, trace, blocks } = scratch;
        let uses_amaf = self.rule.uses_amaf();
        let follows_amaf = uses_amaf && worker.rng.next_u64() >> 32 >= self.amaf_skip;
        trace.clear();
        blocks.clear();
        let mut position = self.task.root.clone();
        let mut node = self.tree.node(ROOT);
        node.visit();
        path.clear();
        // 1. Descend.
        while !position.is_over() && path.len() < MAX_DEPTH {
            let (mut first, mut children) = self.tree.children(node);
            if children.is_empty() {
                // 2. Grow.
                if self.growing(node) <= self.threshold as f32 || self.solves && node.proof().is_some() {
                    break;
                }
                if !self.grow(node, &position, path, moves, worker) {
                    break;
                }
                (first, children) = self.tree.children(node);
            }
            if self.task.adviser.is_some() && !path.is_empty() && node.visits() == advice::VISITS {
                advice::give(&self.task.adviser, &self.tree, node, &position);
            }
            children = &children[..self.in_view(node, children.len())];
            let amaf = if follows_amaf { self.tree.amaf(first, children.len()) } else { &[] };
            let i = match (&self.halving, worker.limit()) {
                (Some(halving), Some(limit)) if path.is_empty() => {
                    halving.choose(number, limit, || self.rule.worth(children, self.tree.amaf(first, children.len())))
                }
                _ if self.solves => self.rule.choose::<true>(node, children, amaf),
                _ => self.rule.choose::<false>(node, children, amaf),
            };
            if uses_amaf {
                blocks.push((first, children.len() as u32));
                trace.push(children[i].point());
            }
            node = &children[i];
            node.visit();
            path.push(first + i as u32);
            position.play(node.point());
            if self.solves && node.proof().is_some() {
                break;
            }
        }
        // 3. Play out, unless the end is known.
        let reward = match self.known_end(node, &position) {
            Some(proof) => {
                node.prove(proof);
                proof::back_up(&self.tree, path);
                if path.len() % 2 == 1 { proof.rate() } else { 1.0 - proof.rate() }
            }
            None => {
                self.task.policy.play_out(&mut position, &mut worker.rng, uses_amaf.then_some(trace));
                self.task.reward.of(position.score() * self.color.sign())
            }
        };
        // 4. Add up, for the player who moved into each node: the searching player first.
        for (ply, &id) in path.iter().enumerate() {
            self.tree.node(id).add(if ply % 2 == 0 { reward } else { 1.0 - reward });
        }
        self.tree.node(ROOT).add(1.0 - reward);
        // 5. All moves as first.
        self.credit(blocks, trace, reward);
    }

    /// Adds a playout's reward to the children of the nodes passed whose moves the same player made later, and first.
    fn credit(&self, blocks: &[(NodeId, u32)], trace: &[Point], reward: f32) {
        let fade = self.amaf_early / trace.len().max(1) as f32;
        const NEVER: u16 = u16::MAX;
        let mut first_played = [NEVER; 1024];
        for ply in (0..trace.len()).rev() {
            // The earliest ply from here on at which anybody plays there. A pass is never credited.
            if !trace[ply].is_pass() {
                first_played[trace[ply].index()] = ply as u16;
            }
            let Some(&(first, count)) = blocks.get(ply) else { continue };
            let reward = if ply % 2 == 0 { reward } else { 1.0 - reward };
            let (_, children) = self.tree.block(first, count as usize);
            for (child, amaf) in children.iter().zip(self.tree.amaf(first, count as usize)) {
                let played = first_played[child.point().index()];
                let ahead = played.wrapping_sub(ply as u16);
                // Every child is written to, most by nothing: a branch here is one that no processor can guess.
                let is_own = (played != NEVER) & ahead.is_multiple_of(2);
                let weight = 1.0 + self.amaf_early - fade * ahead as f32;
                amaf.add(reward, if is_own { weight } else { 0.0 });
            }
        }
    }

    /// The playouts by which a leaf grows. What priors gave is none.
    #[inline(always)]
    fn growing(&self, node: &Node) -> f32 {
        if self.counts_inherited { node.weight() } else { node.visits() as f32 }
    }

    /// What is proven about the node, or plain to see.
    #[inline]
    fn known_end(&self, node: &Node, position: &G) -> Option<Proof> {
        if !self.solves {
            return None;
        }
        let has_won = position.winner().is_some_and(|winner| winner != position.to_play());
        node.proof().or(has_won.then_some(Proof::Win(1)))
    }

    /// Gives a node its children; false if it gets none, because the tree is full or the node is proven.
    fn grow(&self, node: &Node, position: &G, path: &[NodeId], moves: &mut Vec<Point>, worker: &mut Worker) -> bool {
        position.candidates(moves);
        let mut kept = self.task.candidates.narrow(position, moves, &mut worker.rng);
        if self.vcf > 0 {
            if let Some(line) = position.forced_win(self.vcf) {
                node.prove(Proof::loss_in(line.len().div_ceil(2)));
                return false;
            }
            if kept != Kept::Enough
                && let Some(line) = forced_win_of_opponent(position, self.vcf)
            {
                position.spoilers(&line, moves);
                kept = Kept::Enough;
                if moves.is_empty() {
                    node.prove(Proof::win_in(1 + line.len().div_ceil(2)));
                    return false;
                }
            }
        }
        worker.rng.shuffle(moves);
        let mut starts = self.starts(position, moves);
        if let (Some(inheritance), true) = (&self.inheritance, path.len() >= 2) {
            let grandparent = match path.len() {
                2 => ROOT,
                n => path[n - 3],
            };
            let (_, uncles) = self.tree.children(self.tree.node(grandparent));
            inheritance.add(moves, uncles, &mut starts);
        }
        self.sort(moves, &mut starts);
        self.tree.grow_from(node, moves, kept != Kept::Some, starts)
    }

    /// Is there nothing left to find out: the root is proven, or all its moves are?
    fn is_settled(&self) -> bool {
        let root = self.tree.node(ROOT);
        root.proof().is_some() || self.tree.children(root).1.iter().all(|n| n.proof().is_some())
    }
}

/// A forced win that the opponent would have if it were his turn.
fn forced_win_of_opponent<G: Game>(position: &G, nodes: usize) -> Option<Vec<Point>> {
    let mut passed = position.clone();
    passed.set_to_play(position.to_play().opponent());
    passed.forced_win(nodes)
}

/// The rule that an engine line names.
fn rule_of(params: &Params) -> Rule {
    let c = params.c as f32;
    let first = params.first.map_or(f32::INFINITY, |x| x as f32);
    match params.rule {
        RuleName::Rave => Rule::Rave { c, first, equivalence: params.equivalence as f32 },
        RuleName::Puct => Rule::Puct { c, first },
        RuleName::Ucb1 => Rule::Ucb1 { c, first },
    }
}

/// What a worker needs again and again.
struct Scratch {
    path: Vec<NodeId>,
    moves: Vec<Point>,
    /// With AMAF: the moves of descent and playout, and the block of children at each node of the descent.
    trace: Vec<Point>,
    blocks: Vec<(NodeId, u32)>,
}

impl Inheritance {
    /// Adds what new nodes take over from the children of their grandparent, equation (4).
    fn add(&self, moves: &[Point], uncles: &[Node], starts: &mut [Inherited]) {
        let total: f32 = uncles.iter().map(Node::weight).sum();
        let scale = if total > 0.0 { self.factor * moves.len() as f32 / total } else { 0.0 };
        // Looked up by point: both lists are long.
        let mut by_point = [None; 1024];
        uncles.iter().for_each(|uncle| by_point[uncle.point().index()] = Some(uncle));
        for (point, start) in moves.iter().zip(starts) {
            if let Some(uncle) = by_point[point.index()] {
                let visits = (scale * uncle.weight()).min(self.most);
                start.visits += visits;
                start.wins += visits * uncle.rate();
            }
        }
    }
}

impl<G: Game> Search<G> for Uct<G> {
    fn work(&self, worker: &mut Worker) {
        let area = self.task.root.size().area();
        let (path, blocks) = (Vec::with_capacity(64), Vec::with_capacity(64));
        let (moves, trace) = (Vec::with_capacity(area), Vec::with_capacity(3 * area));
        let mut scratch = Scratch { path, moves, trace, blocks };
        while let Some(number) = worker.take(1).next() {
            self.simulate(number, worker, &mut scratch);
            if self.solves && self.is_settled() {
                worker.stop();
            }
        }
    }

    fn report(&self) -> Report {
        let order = self.order;
        let mut report = if self.task.priors.is_empty() && self.task.adviser.is_none() {
            self.tree.report(order)
        } else {
            self.tree.report_made(order)
        };
        if let Some(halving) = &self.halving {
            report = halving.told(report, self.tree.children(self.tree.node(ROOT)).1);
        }
        if let Some(line) = &self.forced_win
            && let Some(best) = report.moves.iter_mut().find(|m| m.point == line[0])
        {
            best.pv = line.clone();
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

    /// A grandparent with three children: 10 playouts with 5 wins, 30 with 24, none.
    fn family(tree: &Tree) -> &[Node] {
        tree.grow(tree.node(ROOT), &[Point(20), Point(21), Point(22)]);
        let (_, uncles) = tree.children(tree.node(ROOT));
        for (i, (visits, wins)) in [(10, 5), (30, 24), (0, 0)].into_iter().enumerate() {
            (0..visits).for_each(|_| uncles[i].visit());
            (0..wins).for_each(|_| uncles[i].add(1.0));
        }
        uncles
    }

    /// Gives a node children that inherit.
    fn inherit(rule: &Inheritance, tree: &Tree, node: &Node, moves: &[Point], uncles: &[Node]) -> bool {
        let mut starts = vec![Inherited::default(); moves.len()];
        rule.add(moves, uncles, &mut starts);
        tree.grow_from(node, moves, true, starts)
    }

    fn inherited(tree: &Tree, node: &Node) -> Vec<(u16, f32, f32)> {
        tree.children(node).1.iter().map(|n| (n.point().0, n.weight(), n.sum())).collect()
    }

    #[test]
    fn children_inherit_by_equation_4_and_new_moves_start_from_nothing() {
        let tree = Tree::new(1);
        let uncles = family(&tree);
        let rule = Inheritance { factor: 0.35 * 10.0, most: f32::INFINITY };
        // Point 25 became legal by a capture.
        let moves = [Point(20), Point(21), Point(22), Point(25)];
        assert!(inherit(&rule, &tree, &uncles[1], &moves, uncles));
        // s = r Th N s' / n with r = 0.35, Th = 10, N = 4, n = 40.
        let expected = [(20, 3.5, 1.75), (21, 10.5, 8.4), (22, 0.0, 0.0), (25, 0.0, 0.0)];
        for ((point, weight, sum), expected) in inherited(&tree, &uncles[1]).into_iter().zip(expected) {
            assert_eq!(point, expected.0);
            assert!((weight - expected.1).abs() < 1e-5 && (sum - expected.2).abs() < 1e-5, "{point}: {weight} {sum}");
        }
        assert!((uncles[1].weight_below() - 44.0).abs() < 1e-5, "n counts what was inherited");
    }

    #[test]
    fn the_cap_holds_inherited_playouts_to_the_threshold_and_keeps_the_rate() {
        let tree = Tree::new(1);
        let uncles = family(&tree);
        let rule = Inheritance { factor: 0.35 * 10.0, most: 10.0 };
        assert!(inherit(&rule, &tree, &uncles[1], &[Point(20), Point(21), Point(22), Point(25)], uncles));
        let capped = inherited(&tree, &uncles[1])[1];
        assert!((capped.1 - 10.0).abs() < 1e-5 && (capped.2 - 8.0).abs() < 1e-5, "{capped:?}");
    }

    #[test]
    fn fractions_are_inherited_again_and_discount_0_is_nothing() {
        let tree = Tree::new(1);
        let uncles = family(&tree);
        let rule = Inheritance { factor: 0.5, most: f32::INFINITY };
        assert!(inherit(&rule, &tree, &uncles[0], &[Point(20), Point(21)], uncles));
        let (_, children) = tree.children(&uncles[0]);
        assert_eq!((children[0].weight(), children[1].weight()), (0.25, 0.75));
        // Their weights, never visited, are what their nephews inherit from: half of 2 times a quarter.
        assert!(inherit(&rule, &tree, &children[0], &[Point(20), Point(30)], children));
        assert_eq!(tree.children(&children[0]).1[0].weight(), 0.25);
        let nothing = Inheritance { factor: 0.0, most: f32::INFINITY };
        assert!(inherit(&nothing, &tree, &children[1], &[Point(20), Point(21)], uncles));
        assert!(tree.children(&children[1]).1.iter().all(|n| n.weight() == 0.0 && n.sum() == 0.0));
    }
}
