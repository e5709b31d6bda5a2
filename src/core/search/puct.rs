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
//! 4. add the value to every node on the way back, and carry proofs up (see `proof`);
//! 5. with `forget=on` take the playouts of a move that is now proven lost out of all nodes above it.
//!
//! A node that is visited often is read again with more work. Each time the playouts have doubled, the root and the move
//! that leads are read with work in proportion (`vet`, `deep`), and so is the move that would be played now when it was
//! last read with far less (`doubt`), so that no move is chosen that a long threat refutes.
//! With `transpositions=on` a leaf whose stones stand in another node, put there in another order, takes that node's
//! children for its own: what is found out below counts for both, while each has its own playouts (UCT1 of Childs, Brodeur and
//! Kocsis 2008, for the children of twins).

mod samples;
mod twins;
mod vet;

use super::halving::Halving;
use super::params::{QuietName, WorthName};
use super::proof;
use super::tree::{Inherited, Node, NodeId, ROOT, Tree};
use super::{MoveStats, Proof, Report, Search, Task, Worker};
use crate::base::order::best_first;
use crate::base::{Color, Point, Rng};
use crate::game::Game;
use crate::game::gobang::Gobang;
use crate::knowledge::gobang::{Effort, Guide, Known, Points, Quiet, Reader, Worth};
use std::any::Any;
use twins::Twins;
use vet::Vetting;

/// Makes a proven child worth more, or less, than any that is not.
const PROVEN: f32 = 1e6;
/// Work at the root, in multiples of that at a node.
const ROOT_EFFORT: u64 = 500;
/// Threats are read each time a node has this many times the visits of the time before, with so many times the work.
const AGAIN: u32 = 4;
/// The most work for one reading, unless the engine line wants more at every node: a few milliseconds.
const MOST_WORK: u64 = 10_000;
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
    quiet: Quiet,
    vetting: Vetting,
    forgets: bool,
    twins: Option<Twins>,
    halving: Option<Halving>,
    /// Playouts through the root that this search did not make.
    kept: u32,
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
            quiet: match params.quiet {
                QuietName::Off => Quiet::Nowhere,
                QuietName::First => Quiet::First,
                QuietName::All => Quiet::Everywhere,
            },
            vetting: Vetting::new(params.vet, params.deep, params.doubt, MoveStats::order(params.choose_by)),
            forgets: params.forget && !params.transpositions,
            twins: params.transpositions.then(Twins::new),
            halving: Some(params.halving as usize).filter(|&most| most > 0).map(Halving::new),
            kept: 0,
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
        let mut reader = self.reader();
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
            self.line = reader.whole_line(self.color, sight.line);
        }
    }

    /// A reader at the root.
    fn reader(&self) -> Reader {
        let mut reader = Reader::of(&self.root);
        reader.quiet = self.quiet;
        reader
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
    fn simulate(&self, number: u64, worker: &mut Worker, reader: &mut Reader, path: &mut Vec<NodeId>) {
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
                if self.share_twin(node, reader) {
                    continue;
                }
                break self.read_leaf(node, mover, reader, path, worker);
            }
            let is_due = self.is_due(node);
            if is_due && let (Some(twins), Some(&id)) = (&self.twins, path.last()) {
                twins.remember(reader.lines.hash(), id); // a kept tree was grown by another search
            }
            if is_due && self.read_again(node, mover, reader, path) {
                continue;
            }
            let at_root = self.halving.as_ref().zip(worker.limit()).filter(|_| path.is_empty());
            let turn = at_root.map(|(halving, limit)| {
                halving.choose(number, limit, || children.iter().map(|child| self.worth_of(node, child)).collect())
            });
            // What is refuted needs no more playouts.
            let i = turn.filter(|&i| children[i].proof().is_none()).unwrap_or_else(|| self.select(node, children));
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
        if self.forgets {
            self.forget_refuted(path);
        }
    }

    /// 5. A move that turned out lost will not be played: what it looked like before says nothing about the moves above.
    fn forget_refuted(&self, path: &[NodeId]) {
        let Some(depth) = path.iter().position(|&id| self.tree.node(id).proof().is_some()) else { return };
        let node = self.tree.node(path[depth]);
        if matches!(node.proof(), Some(Proof::Loss(_))) {
            let above = path[..depth].iter().rev().chain([&ROOT]);
            self.tree.forget(node, above.map(|&id| self.tree.node(id)));
        }
    }

    /// Gives a leaf the children of a node with the same stones.
    fn share_twin(&self, node: &Node, reader: &Reader) -> bool {
        let Some(twin) = self.twins.as_ref().and_then(|twins| twins.find(reader.lines.hash())) else { return false };
        let twin = self.tree.node(twin);
        let fits = self.tree.children(twin).1.iter().all(|child| reader.lines.is_empty_at(child.point()));
        fits && self.tree.share(node, twin)
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
        if self.grow(node, &moves, sight.holding.is_some(), value)
            && let (Some(twins), Some(&id)) = (&self.twins, path.last())
        {
            twins.remember(reader.lines.hash(), id);
        }
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

    /// What halving at the root takes a child to be worth: what is proven, else the mean, else by the prior.
    fn worth_of(&self, node: &Node, child: &Node) -> f32 {
        match (child.proof(), child.visits()) {
            (Some(proof), _) => PROVEN * Proof::rank(Some(proof)) as f32,
            (None, 0) => 1.0 - node.rate() - self.lead + child.prior(),
            (None, visits) => child.made() / visits as f32,
        }
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
        let mut reader = self.reader();
        let mut path = Vec::with_capacity(64);
        while let Some(number) = worker.take(1).next() {
            self.simulate(number, worker, &mut reader, &mut path);
            self.vet(worker, &mut reader);
            if self.is_settled() {
                worker.stop();
            }
        }
    }

    fn report(&self) -> Report {
        let mut report = self.tree.report(MoveStats::order(self.task.engine.params().choose_by));
        if let Some(halving) = &self.halving {
            report = halving.told(report, self.tree.children(self.tree.node(ROOT)).1);
        }
        if let Some(best) = report.moves.iter_mut().find(|m| self.line.first() == Some(&m.point)) {
            best.pv = self.line.clone();
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
    use crate::base::{GameKind, Size};
    use crate::game::gobang::Rule;
    use crate::search::{Budget, Engine, prepare};

    /// A search of a position with much to refute.
    fn searched(line: &str, seed: u64) -> Puct<Gobang> {
        let size = Size::new(11).unwrap();
        let mut board = Gobang::new(size, Rule::Exact);
        let mut rng = Rng::new(seed);
        while board.stones().len() < 9 {
            let p = size.point(3 + rng.below(5) as usize, 3 + rng.below(5) as usize);
            if board.is_empty_at(p) && !board.would_win(board.to_play(), p) {
                board.play(p);
            }
        }
        let mut moves = Vec::new();
        board.candidates(&mut moves);
        let engine = Engine::parse_for(GameKind::Gobang, line).unwrap();
        let search = Puct::new(prepare(board, moves, engine, seed, None).0);
        search.work(&mut Worker::new(&Budget::playouts(600), seed, 0));
        search
    }

    /// Every node with children that was reached, with the stones put on the way as a sorted list.
    fn nodes(search: &Puct<Gobang>, id: NodeId, stones: &mut Vec<Point>, seen: &mut dyn FnMut(NodeId, &[Point])) {
        let (first, children) = search.tree.children(search.tree.node(id));
        if children.is_empty() {
            return;
        }
        seen(id, stones);
        for (i, child) in children.iter().enumerate().filter(|(_, n)| n.visits() > 0) {
            stones.push(child.point());
            nodes(search, first + i as u32, stones, seen);
            stones.pop();
        }
    }

    #[test]
    fn what_is_forgotten_leaves_the_playouts_of_all_nodes_whole() {
        let mut forgotten = 0;
        for seed in 0..12 {
            let search = searched("gobang forget=on threats=0 vet=0 deep=0", seed);
            nodes(&search, ROOT, &mut Vec::new(), &mut |id, _| {
                let node = search.tree.node(id);
                let children = search.tree.children(node).1;
                let below: u32 = children.iter().map(Node::visits).sum();
                // All but the first playout of a node went on to a child; those that refuted one are gone.
                assert_eq!(node.visits(), below + u32::from(id != ROOT), "seed {seed}");
                assert!((0.0..=1.0).contains(&node.rate()), "{}", node.rate());
                forgotten += children.iter().filter(|n| matches!(n.proof(), Some(Proof::Loss(_)))).count();
            });
        }
        assert!(forgotten > 100, "{forgotten}");
    }

    #[test]
    fn nodes_with_the_same_stones_have_the_same_children_and_others_have_not() {
        let mut shared = 0;
        for seed in 0..6 {
            let search = searched("gobang transpositions=on threats=0 vet=0 deep=0", seed);
            let mut of_children = std::collections::HashMap::new();
            nodes(&search, ROOT, &mut Vec::new(), &mut |id, stones| {
                // Own stones and the opponent's, each in order.
                let mut of = [0, 1].map(|turn| stones.iter().copied().skip(turn).step_by(2).collect::<Vec<_>>());
                of.iter_mut().for_each(|points| points.sort());
                let first = search.tree.children(search.tree.node(id)).0;
                let before = of_children.entry(first).or_insert_with(|| (of.clone(), id));
                assert_eq!(before.0, of, "seed {seed}");
                shared += usize::from(before.1 != id);
            });
        }
        assert!(shared > 50, "{shared}");
    }

    #[test]
    fn the_move_that_would_be_played_was_read_for_threats_lately() {
        let unread = |line: &str| {
            let count = |seed| {
                let search = searched(line, seed);
                let report = search.report();
                let best = report.best().filter(|best| best.proof.is_none());
                // What is due is a little less than after the last of 600 playouts.
                usize::from(best.is_some_and(|best| search.vetting.work_of(best.point) < 500 * 20 / 2))
            };
            (0..24).map(count).sum::<usize>()
        };
        // The move may have come to the front in the very last playouts.
        let (doubted, trusted) = (unread("gobang vet=20 deep=0 doubt=0.5"), unread("gobang vet=20 deep=0 doubt=0"));
        assert!(doubted < trusted, "{doubted} of 24 with doubts, {trusted} without");
    }
}
