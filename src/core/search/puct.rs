//! PUCT (Rosin 2011; Silver et al. 2017) over what is read in Gobang's lines.
//!
//! A node picks the child with the greatest
//!
//! ```text
//! mean_i + c P_i sqrt(n) / (1 + s_i)        P_i the prior's share, n playouts through the node, s_i through the child
//! ```
//!
//! where a child without playouts has the mean of its node less `lead`. One playout:
//!
//! 1. descend from the root by that rule, counting visits;
//! 2. read the leaf (see `knowledge::gobang`): a win or loss by fours or threats proves it; else it grows children, those
//!    that can hold where something must be held, with softmax shares by what they make on their lines;
//! 3. value the leaf by its lines (see `knowledge::gobang::guide`), mixed with a playout (`mix`);
//! 4. add the value to every node on the way back, and carry proofs up (see `proof`).
//!
//! A node that is visited often is read again with more work. Each time the playouts have doubled, the root and the move
//! that leads are read with work in proportion (`vet`), so that no move is chosen that a long threat refutes.
//! Not here: transpositions.

mod samples;

use super::params::WorthName;
use super::proof;
use super::tree::{Inherited, Node, NodeId, ROOT, Tree};
use super::{MoveStats, Proof, Report, Search, Task, Worker};
use crate::base::order::best_first;
use crate::base::{Color, Point, Rng};
use crate::game::Game;
use crate::game::gobang::Gobang;
use crate::knowledge::gobang::{Effort, Guide, Known, Points, Reader, Worth};
use std::any::Any;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Makes a proven child worth more, or less, than any that is not.
const PROVEN: f32 = 1e6;
/// Work at the root, in multiples of that at a node.
const ROOT_EFFORT: u64 = 500;
/// Threats are read each time a node has this many times the visits of the time before, with so many times the work.
const AGAIN: u32 = 4;
/// The most work for one reading, unless the engine line wants more at every node: a few milliseconds.
const MOST_WORK: u64 = 10_000;
/// Playouts before the leading move is vetted for the first time, and how many leaders may be refuted at a time.
const VET_FROM: u32 = 128;
const LEADERS: usize = 4;
/// The most of the time left that one reading may take.
const VET_TIME: f64 = 0.3;
/// How many steps from a stone a quiet move may be.
const NEAR: usize = 2;
/// Logits differ by this much at random, so that equal moves are equal.
const NOISE: f32 = 0.1;

pub struct Puct<G> {
    task: Task<G>,
    root: Gobang,
    tree: Tree,
    color: Color,
    c: f32,
    lead: f32,
    mix: f32,
    width: usize,
    sharpness: f32,
    worth: Worth,
    effort: Effort,
    vet: f64,
    /// Playouts through the root that this search did not make, and those of this search when it is vetted next.
    kept: u32,
    vet_at: AtomicU32,
    /// A win read at the root.
    line: Vec<Point>,
}

impl<G: Game> Puct<G> {
    pub fn new(task: Task<G>) -> Self {
        let params = task.engine.params();
        let root = match (&task.root as &dyn Any).downcast_ref::<Gobang>() {
            Some(root) => root.clone(),
            None => unreachable!("engine lines of other games cannot name this allocation"),
        };
        let effort =
            Effort { sight: params.sight, fours: params.fours, threats: params.threats, defends: params.defences };
        let megabytes = params.tree_mb as usize;
        let mut search = Puct {
            color: root.to_play(),
            c: params.c as f32,
            lead: params.lead as f32,
            mix: params.mix as f32,
            width: params.width as usize,
            sharpness: params.sharpness as f32,
            worth: match (params.worth, &params.worth_weights) {
                (WorthName::Hand, _) => Worth::Hand,
                // Files were read when the line was: what is missing now was there then.
                (_, Some(path)) => Worth::Learned(Guide::shared(path).unwrap_or_else(|_| Guide::built_in())),
                (_, None) => Worth::Learned(Guide::built_in()),
            },
            effort,
            vet: params.vet,
            kept: 0,
            vet_at: AtomicU32::new(VET_FROM),
            tree: Tree::new(megabytes),
            line: Vec::new(),
            root,
            task,
        };
        search.settle_root(megabytes);
        search.task.previous = None; // or every tree of a game would be kept
        search
    }

    /// The root is read with more work than other nodes and has children from the start.
    fn settle_root(&mut self, megabytes: usize) {
        if let Some(tree) = self.kept_tree(megabytes) {
            self.tree = tree;
            self.kept = self.tree.node(ROOT).visits();
        }
        let mut reader = Reader::of(&self.root);
        let sight = reader.look(self.color, times(self.effort, ROOT_EFFORT));
        let allowed: Points = self.task.moves.iter().copied().filter(|p| !p.is_pass()).collect();
        let node = self.tree.node(ROOT);
        if self.tree.children(node).1.is_empty() {
            let mut rng = Rng::new(self.task.seed);
            let holding = sight.holding.map(|points| points & allowed).filter(|points| !points.is_empty());
            let is_complete = holding.is_some() && holding == sight.holding;
            let mut moves = self.candidates(&reader, self.color, holding, self.last(&[]), &mut rng);
            moves.retain(|(p, _)| allowed.contains(*p));
            if let Some(&p) = sight.line.first()
                && allowed.contains(p)
                && moves.iter().all(|(q, _)| *q != p)
            {
                moves.push((p, 0.01));
            }
            if moves.is_empty() {
                // Far from every stone, or a pass alone: all that may be played, alike.
                let share = 1.0 / self.task.moves.len().max(1) as f32;
                moves = self.task.moves.iter().map(|&p| (p, share)).collect();
            }
            self.grow(node, &moves, is_complete, 0.5);
        } else if let Some(holding) = sight.holding {
            self.drop_losing(node, holding, sight.others_lose_in);
        }
        if let (Some(Known::Win(moves)), Some(&first)) = (sight.known, sight.line.first())
            && let Some(child) = self.tree.children(node).1.iter().find(|n| n.point() == first)
        {
            child.prove(Proof::win_in(moves));
            node.prove(Proof::loss_in(moves));
            self.line = sight.line;
        }
    }

    /// The part of the former search's tree that the game went into, if it has only moves that may be played.
    fn kept_tree(&self, megabytes: usize) -> Option<Tree> {
        let (search, path) = self.task.previous.as_ref()?;
        let former: &Puct<G> = search.as_any().downcast_ref()?;
        let mut id = ROOT;
        for &point in path {
            let (first, children) = former.tree.children(former.tree.node(id));
            id = first + children.iter().position(|n| n.point() == point)? as u32;
        }
        let (_, children) = former.tree.children(former.tree.node(id));
        let fits = !children.is_empty() && children.iter().all(|n| self.task.moves.contains(&n.point()));
        let is_open = former.tree.node(id).proof().is_none() && children.iter().any(|n| n.proof().is_none());
        (fits && is_open).then(|| former.tree.rerooted(id, megabytes))
    }

    /// Moves to look at with their shares, the best first: those that hold, or those near a stone.
    fn candidates(
        &self,
        reader: &Reader,
        me: Color,
        holding: Option<Points>,
        last: [Point; 2],
        rng: &mut Rng,
    ) -> Vec<(Point, f32)> {
        let lines = &reader.lines;
        let points = holding.unwrap_or_else(|| lines.near(NEAR));
        let mut moves = self.worth.priors(lines, me, points, last);
        for (_, logit) in &mut moves {
            let noise = NOISE * rng.below(1 << 16) as f32 / (1 << 16) as f32;
            *logit = self.sharpness * (*logit + noise);
        }
        best_first(&mut moves, |&(_, logit)| f64::from(logit));
        if holding.is_none() {
            moves.truncate(self.width);
        }
        let top = moves.first().map_or(0.0, |m| m.1);
        let mut total = 0.0;
        for (_, share) in &mut moves {
            *share = libm::expf(*share - top);
            total += *share;
        }
        moves.iter_mut().for_each(|(_, share)| *share /= total);
        moves
    }

    /// The last two moves after a path from the root, the latest first.
    fn last(&self, path: &[NodeId]) -> [Point; 2] {
        let point = |back: usize| match path.len().checked_sub(back) {
            Some(i) => self.tree.node(path[i]).point(),
            None if path.len() + 1 == back => self.root.last(),
            None => Point::PASS,
        };
        [point(1), point(2)]
    }

    /// A child starts with its share of one playout that had the node's value.
    fn grow(&self, node: &Node, moves: &[(Point, f32)], is_complete: bool, rate: f32) -> bool {
        let points: Vec<Point> = moves.iter().map(|m| m.0).collect();
        let starts = moves.iter().map(|&(_, share)| Inherited { visits: share, wins: share * rate });
        self.tree.grow_from(node, &points, is_complete, starts.collect())
    }

    /// Children that do not hold what must be held lose.
    fn drop_losing(&self, node: &Node, holding: Points, moves: usize) {
        for child in self.tree.children(node).1.iter().filter(|n| !holding.contains(n.point())) {
            child.prove(Proof::loss_in(moves));
        }
    }

    /// One playout.
    fn simulate(&self, worker: &mut Worker, reader: &mut Reader, path: &mut Vec<NodeId>) {
        let mut node = self.tree.node(ROOT);
        node.visit();
        path.clear();
        let mut mover = self.color;
        // 1. Descend.
        let value = loop {
            if let Some(proof) = node.proof().filter(|_| !path.is_empty()) {
                proof::back_up(&self.tree, path);
                break 1.0 - proof.rate();
            }
            let (first, children) = self.tree.children(node);
            if children.is_empty() {
                break self.read_leaf(node, mover, reader, path, worker);
            }
            if self.is_due(node) && self.read_again(node, mover, reader, path) {
                continue;
            }
            let i = self.select(node, children);
            node = &children[i];
            node.visit();
            path.push(first + i as u32);
            reader.lines.play(node.point(), mover);
            mover = mover.opponent();
        };
        // 4. Add up: the value is of the player to move at the leaf.
        let mut reward = 1.0 - value;
        for &id in path.iter().rev() {
            self.tree.node(id).add(reward);
            reward = 1.0 - reward;
        }
        self.tree.node(ROOT).add(reward);
        (0..path.len()).for_each(|_| reader.lines.undo());
    }

    /// 2. and 3. What a leaf is worth to the player to move; it grows children unless it is proven.
    fn read_leaf(&self, node: &Node, mover: Color, reader: &mut Reader, path: &[NodeId], worker: &mut Worker) -> f32 {
        // Threats are read where the tree comes back.
        let sight = reader.look(mover, Effort { threats: 0, ..self.effort });
        if let Some(known) = sight.known {
            return self.prove(node, known, path);
        }
        let moves = self.candidates(reader, mover, sight.holding, self.last(path), &mut worker.rng);
        if moves.is_empty() {
            return 0.5; // the board is full
        }
        let value = self.value(mover, reader, sight.holding.is_some(), path, worker);
        self.grow(node, &moves, sight.holding.is_some(), value);
        value
    }

    fn prove(&self, node: &Node, known: Known, path: &[NodeId]) -> f32 {
        let (proof, value) = match known {
            Known::Win(moves) => (Proof::loss_in(moves), 1.0),
            Known::Loss(moves) => (Proof::win_in(moves + 1), 0.0),
        };
        node.prove(proof);
        proof::back_up(&self.tree, path);
        value
    }

    fn value(&self, mover: Color, reader: &Reader, holds: bool, path: &[NodeId], worker: &mut Worker) -> f32 {
        let mut sum = 0.0;
        if self.mix > 0.0 {
            sum += self.mix * self.worth.value(&reader.lines, mover, state(reader, mover, holds));
        }
        if self.mix < 1.0 {
            let mut position = self.task.root.clone();
            path.iter().for_each(|&id| position.play(self.tree.node(id).point()));
            self.task.policy.play_out(&mut position, &mut worker.rng, None);
            let score = position.score() * mover.sign();
            sum += (1.0 - self.mix) * (0.5 + 0.5 * score);
        }
        sum
    }

    /// Has a node been visited so often that it deserves another look?
    fn is_due(&self, node: &Node) -> bool {
        let visits = node.visits();
        self.effort.threats > 0 && (1..12).any(|k| visits == AGAIN.pow(k))
    }

    /// Reads a node with more work; true if that proved it.
    fn read_again(&self, node: &Node, mover: Color, reader: &mut Reader, path: &[NodeId]) -> bool {
        let sight = reader.look(mover, times(self.effort, (node.visits() / AGAIN) as u64));
        if let Some(holding) = sight.holding {
            self.drop_losing(node, holding, sight.others_lose_in);
        }
        match sight.known {
            Some(known) if !path.is_empty() => {
                self.prove(node, known, path);
                true
            }
            Some(Known::Win(moves)) => {
                let children = self.tree.children(node).1;
                if let Some(child) = sight.line.first().and_then(|p| children.iter().find(|n| n.point() == *p)) {
                    child.prove(Proof::win_in(moves));
                }
                false
            }
            _ => false,
        }
    }

    /// Reads the root and the move that leads with work in proportion to the playouts so far, each time they have doubled.
    fn vet(&self, worker: &Worker, reader: &mut Reader) {
        let (root, made) = (self.tree.node(ROOT), self.tree.node(ROOT).visits().saturating_sub(self.kept));
        let at = self.vet_at.load(Relaxed);
        let is_mine = || self.vet_at.compare_exchange(at, at.saturating_mul(2), Relaxed, Relaxed).is_ok();
        if self.vet == 0.0 || made < at || !is_mine() {
            return;
        }
        let effort = |reader: &Reader| {
            let mut work = made as f64 * self.vet;
            if let Some((gone, left)) = worker.time() {
                let speed = reader.lines.work() as f64 / gone.as_secs_f64().max(1e-4);
                work = work.min(VET_TIME * left.as_secs_f64() * speed);
            }
            Effort { fours: self.effort.fours, threats: work as u64, sight: self.effort.sight, defends: false }
        };
        let children = self.tree.children(root).1;
        // What the side to play threatens, and what threatens it.
        let work = effort(reader).threats;
        if let Some(line) = reader.threats(self.color, work) {
            if let Some(child) = line.first().and_then(|p| children.iter().find(|n| n.point() == *p)) {
                child.prove(Proof::win_in(line.len().div_ceil(2)));
            }
            return;
        }
        let (opponent, work) = (self.color.opponent(), effort(reader).threats);
        if self.effort.defends
            && reader.lines.fives(opponent).is_empty()
            && let Some(line) = reader.threats(opponent, work)
            && let Some(holding) = reader.defences(opponent)
            && children.iter().any(|n| holding.contains(n.point()))
        {
            self.drop_losing(root, holding, line.len().div_ceil(2));
        }
        // What threatens it after the best move that is not refuted yet.
        for _ in 0..LEADERS {
            let leader = children.iter().filter(|n| n.proof().is_none()).max_by_key(|n| n.visits());
            let Some(leader) = leader else { return };
            reader.lines.play(leader.point(), self.color);
            let effort = effort(reader);
            let sight = reader.look(opponent, effort);
            reader.lines.undo();
            match sight.known {
                Some(Known::Win(moves)) => leader.prove(Proof::loss_in(moves)),
                _ => return,
            }
        }
    }

    #[inline]
    fn select(&self, node: &Node, children: &[Node]) -> usize {
        let visits = node.visits() as f32;
        let spread = self.c * visits.sqrt();
        let unvisited = 1.0 - node.rate() - self.lead;
        let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
        for (i, child) in children.iter().enumerate() {
            let n = child.visits() as f32;
            let value = match child.proof() {
                Some(proof) => PROVEN * Proof::rank(Some(proof)) as f32,
                None => {
                    let mean = if n > 0.0 { child.made() / n } else { unvisited };
                    mean + child.prior() * spread / (1.0 + n)
                }
            };
            if value > best_value {
                (best, best_value) = (i, value);
            }
        }
        best
    }

    /// Is there nothing left to find out: the root is proven, or all its moves are?
    fn is_settled(&self) -> bool {
        let root = self.tree.node(ROOT);
        let children = self.tree.children(root).1;
        root.proof().is_some()
            || children.iter().any(|n| matches!(n.proof(), Some(Proof::Win(_))))
            || children.iter().all(|n| n.proof().is_some())
    }
}

/// What must be answered: nothing, a threat of fours, a four (see `guide::STATES`).
fn state(reader: &Reader, mover: Color, holds: bool) -> usize {
    match holds {
        false => 0,
        true if reader.lines.fives(mover.opponent()).is_empty() => 1,
        true => 2,
    }
}

fn times(effort: Effort, factor: u64) -> Effort {
    let work = |part: u64| part.saturating_mul(factor).min(MOST_WORK.max(part));
    Effort { fours: work(effort.fours), threats: work(effort.threats), ..effort }
}

impl<G: Game> Search<G> for Puct<G> {
    fn work(&self, worker: &mut Worker) {
        if self.root.is_over() {
            let _ = worker.take(1);
            worker.stop();
            return;
        }
        let mut reader = Reader::of(&self.root);
        let mut path = Vec::with_capacity(64);
        while !worker.take(1).is_empty() {
            self.simulate(worker, &mut reader, &mut path);
            self.vet(worker, &mut reader);
            if self.is_settled() {
                worker.stop();
            }
        }
    }

    fn report(&self) -> Report {
        let mut report = self.tree.report(MoveStats::order(self.task.engine.params().choose_by));
        if let Some(best) = report.moves.iter_mut().find(|m| self.line.first() == Some(&m.point)) {
            best.pv = self.line.clone();
        }
        report
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
