//! The tree: an arena of nodes that several workers read and write without a lock.
//!
//! All fields are atomics and nodes never move, so this needs no `unsafe`. A node's children are one block, written
//! before its place is published. Visits count on the way down and wins on the way up: a playout under way counts as
//! lost so far, which sends the other workers elsewhere (virtual loss).

use super::{MoveStats, Proof, Report};
use crate::base::Point;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

/// Wins are kept as whole numbers of this fraction of a reward, so that sums do not depend on their order.
const UNIT: f32 = (1u32 << 24) as f32;

#[derive(Default)]
pub struct Node {
    /// Sum of rewards for the player who made the move that leads here.
    wins: AtomicU64,
    visits: AtomicU32,
    first_child: AtomicU32,
    /// How many children, and whether they are all moves that matter.
    children: AtomicU16,
    /// The move that leads here, and above it what is proven about it.
    point: AtomicU16,
    /// Playouts and rewards that were not made here but inherited, and those of all children; bits of an f32.
    inherited_visits: AtomicU32,
    inherited_wins: AtomicU32,
    inherited_below: AtomicU32,
}

/// All moves as first: playouts in which the player of a node made a child's move later, and their rewards. Kept apart from
/// the nodes, so that trees without it are no larger. Two workers may lose each other's additions, which costs little.
#[derive(Default)]
pub struct Amaf {
    /// Bits of an f32.
    weight: AtomicU32,
    wins: AtomicU32,
}

impl Amaf {
    /// Playouts and rewards.
    #[inline(always)]
    pub fn read(&self) -> (f32, f32) {
        (float(&self.weight), float(&self.wins))
    }

    #[inline(always)]
    pub fn add(&self, reward: f32, weight: f32) {
        self.weight.store((float(&self.weight) + weight).to_bits(), Relaxed);
        self.wins.store((float(&self.wins) + reward * weight).to_bits(), Relaxed);
    }
}

/// What a new node starts from: playouts and rewards made elsewhere.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Inherited {
    pub visits: f32,
    pub wins: f32,
}

#[inline(always)]
fn float(bits: &AtomicU32) -> f32 {
    f32::from_bits(bits.load(Relaxed))
}

pub type NodeId = u32;
pub const ROOT: NodeId = 0;

/// Values of `first_child` before there are children (the root is nobody's child).
const NONE: u32 = 0;
const GROWING: u32 = u32::MAX;

/// In `children`: some moves are missing that may be good ones.
const INCOMPLETE: u16 = 1 << 15;
/// In `point`: the bits of the point, of a proof's kind (none, win, loss), and of its length.
const POINT_BITS: u32 = 10;
const POINT: u16 = (1 << POINT_BITS) - 1;
const LENGTH_SHIFT: u32 = POINT_BITS + 2;

impl Node {
    #[inline(always)]
    pub fn point(&self) -> Point {
        Point(self.point.load(Relaxed) & POINT)
    }

    /// What is proven about the move that leads here.
    #[inline(always)]
    pub fn proof(&self) -> Option<Proof> {
        let word = self.point.load(Relaxed);
        let length = (word >> LENGTH_SHIFT) as u8;
        match word >> POINT_BITS & 3 {
            0 => None,
            1 => Some(Proof::Win(length)),
            _ => Some(Proof::Loss(length)),
        }
    }

    /// Proves the move that leads here won or lost; the first proof stays.
    pub fn prove(&self, proof: Proof) {
        let (kind, length) = match proof {
            Proof::Win(length) => (1, length),
            Proof::Loss(length) => (2, length),
        };
        let word = self.point.load(Relaxed);
        if word >> POINT_BITS == 0 {
            let proven = word | kind << POINT_BITS | (length as u16) << LENGTH_SHIFT;
            // Another worker may have been quicker; then its proof stays.
            let _ = self.point.compare_exchange(word, proven, Relaxed, Relaxed);
        }
    }

    /// Are the children all moves that matter?
    pub fn is_complete(&self) -> bool {
        self.children.load(Relaxed) & INCOMPLETE == 0
    }

    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Playouts made and inherited.
    #[inline(always)]
    pub fn weight(&self) -> f32 {
        self.visits() as f32 + float(&self.inherited_visits)
    }

    /// Playouts made here and inherited by the children.
    #[inline(always)]
    pub fn weight_below(&self) -> f32 {
        self.visits() as f32 + float(&self.inherited_below)
    }

    /// Mean reward of the player who moved here; 0.5 if nothing is known.
    pub fn rate(&self) -> f32 {
        match self.weight() {
            0.0 => 0.5,
            weight => self.sum() / weight,
        }
    }

    /// Playouts that it started from, and those of all children.
    #[inline(always)]
    pub fn prior(&self) -> f32 {
        float(&self.inherited_visits)
    }

    #[inline(always)]
    pub fn prior_below(&self) -> f32 {
        float(&self.inherited_below)
    }

    /// Sum of rewards of the playouts made here.
    #[inline(always)]
    pub fn made(&self) -> f32 {
        self.wins.load(Relaxed) as f32 * (1.0 / UNIT)
    }

    /// Sum of rewards, made and inherited, of the player who moved here.
    #[inline(always)]
    pub fn sum(&self) -> f32 {
        self.made() + float(&self.inherited_wins)
    }

    /// Adds to what a child starts from, after it was made.
    pub fn start_child(&self, child: &Node, more: Inherited) {
        let add = |to: &AtomicU32, more: f32| to.store((float(to) + more).to_bits(), Relaxed);
        add(&child.inherited_visits, more.visits);
        add(&child.inherited_wins, more.wins);
        add(&self.inherited_below, more.visits);
    }

    #[inline(always)]
    pub fn visit(&self) {
        self.visits.fetch_add(1, Relaxed);
    }

    #[inline(always)]
    pub fn add(&self, reward: f32) {
        self.wins.fetch_add((reward * UNIT) as u64, Relaxed);
    }

    /// Takes out what `other`, a node below, was visited and won; it is about the same player or about the opponent.
    fn take_out(&self, (visits, wins): (u32, u64), is_same: bool) {
        let wins = if is_same { wins } else { (u64::from(visits) * UNIT as u64).saturating_sub(wins) };
        // Playouts of other workers may be under way: never below nothing.
        let less = |n: u32| Some(n.saturating_sub(visits));
        let _ = self.visits.fetch_update(Relaxed, Relaxed, less);
        let _ = self.wins.fetch_update(Relaxed, Relaxed, |sum| Some(sum.saturating_sub(wins)));
    }

    #[inline(always)]
    fn child_range(&self) -> std::ops::Range<NodeId> {
        match self.first_child.load(Acquire) {
            NONE | GROWING => 0..0,
            first => first..first + (self.children.load(Relaxed) & !INCOMPLETE) as u32,
        }
    }
}

/// Nodes in one piece of the arena: pieces are made as they are needed, so that a fresh tree costs nothing.
const PIECE: usize = 1 << 13;

/// Pieces of an arena, each made when it is first needed.
type Pieces<T> = Box<[OnceLock<Box<[T]>>]>;

/// So many pieces as fit, none made yet.
fn pieces<T>(megabytes: usize, bytes_a_node: usize) -> Pieces<T> {
    let count = megabytes.saturating_mul(1 << 20) / (PIECE * bytes_a_node);
    (0..count.clamp(1, GROWING as usize / PIECE - 1)).map(|_| OnceLock::new()).collect()
}

pub struct Tree {
    pieces: Pieces<Node>,
    /// Beside the nodes, for trees that want it.
    amaf: Option<Pieces<Amaf>>,
    next: AtomicU32,
}

impl Tree {
    /// A tree of one node, the root, that grows to this size at most.
    pub fn new(megabytes: usize) -> Tree {
        Tree { pieces: pieces(megabytes, size_of::<Node>()), amaf: None, next: AtomicU32::new(1) }
    }

    /// The same, with AMAF beside its nodes.
    pub fn with_amaf(megabytes: usize) -> Tree {
        let bytes = size_of::<Node>() + size_of::<Amaf>();
        Tree { pieces: pieces(megabytes, bytes), amaf: Some(pieces(megabytes, bytes)), next: AtomicU32::new(1) }
    }

    /// AMAF of a block of children; empty in a tree without.
    #[inline(always)]
    pub fn amaf(&self, first: NodeId, count: usize) -> &[Amaf] {
        let Some(pieces) = &self.amaf else { return &[] };
        let piece = pieces[first as usize / PIECE].get_or_init(|| (0..PIECE).map(|_| Amaf::default()).collect());
        let start = first as usize % PIECE;
        &piece[start..start + count]
    }

    /// Nodes made so far.
    pub fn len(&self) -> usize {
        self.next.load(Relaxed) as usize
    }

    pub fn is_empty(&self) -> bool {
        false // there is always a root
    }

    #[inline(always)]
    fn piece(&self, id: NodeId) -> &[Node] {
        self.pieces[id as usize / PIECE].get_or_init(|| (0..PIECE).map(|_| Node::default()).collect())
    }

    #[inline(always)]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.piece(id)[id as usize % PIECE]
    }

    /// The children, a block in one piece, with the id of the first.
    #[inline(always)]
    pub fn children(&self, node: &Node) -> (NodeId, &[Node]) {
        let range = node.child_range();
        if range.is_empty() {
            return (0, &[]);
        }
        self.block(range.start, range.len())
    }

    /// Nodes that stand side by side.
    #[inline(always)]
    pub fn block(&self, first: NodeId, count: usize) -> (NodeId, &[Node]) {
        let start = first as usize % PIECE;
        (first, &self.piece(first)[start..start + count])
    }

    /// Gives a node children. False if another worker is at it or the tree is full.
    pub fn grow(&self, node: &Node, points: &[Point]) -> bool {
        self.grow_from(node, points, true, vec![Inherited::default(); points.len()])
    }

    /// Gives a node children that start from what they inherit; are they all moves that matter?
    pub fn grow_from(&self, node: &Node, points: &[Point], is_complete: bool, starts: Vec<Inherited>) -> bool {
        if node.first_child.compare_exchange(NONE, GROWING, Relaxed, Relaxed).is_err() {
            return false;
        }
        let Some(first) = self.allocate(points.len()) else {
            node.first_child.store(NONE, Relaxed);
            return false;
        };
        let start = first as usize % PIECE;
        let mut total = 0.0;
        for ((child, &point), inherited) in self.piece(first)[start..].iter().zip(points).zip(starts) {
            child.point.store(point.0, Relaxed);
            child.inherited_visits.store(inherited.visits.to_bits(), Relaxed);
            child.inherited_wins.store(inherited.wins.to_bits(), Relaxed);
            total += inherited.visits;
        }
        node.inherited_below.store(total.to_bits(), Relaxed);
        node.children.store(points.len() as u16 | if is_complete { 0 } else { INCOMPLETE }, Relaxed);
        node.first_child.store(first, Release);
        true
    }

    /// Gives a node without children those of another one: what is found out about them then counts for both. False if it
    /// has some, or the other has none.
    pub fn share(&self, node: &Node, other: &Node) -> bool {
        let first = other.first_child.load(Acquire);
        if matches!(first, NONE | GROWING)
            || node.first_child.compare_exchange(NONE, GROWING, Relaxed, Relaxed).is_err()
        {
            return false;
        }
        node.inherited_below.store(other.inherited_below.load(Relaxed), Relaxed);
        node.children.store(other.children.load(Relaxed), Relaxed);
        node.first_child.store(first, Release);
        true
    }

    /// A block of fresh nodes that does not cross the end of a piece.
    fn allocate(&self, count: usize) -> Option<NodeId> {
        let mut next = self.next.load(Relaxed);
        loop {
            let room = PIECE - next as usize % PIECE;
            let first = if count <= room { next } else { next + room as u32 };
            let end = first as usize + count;
            if end > self.pieces.len() * PIECE {
                return None;
            }
            match self.next.compare_exchange_weak(next, end as u32, Relaxed, Relaxed) {
                Ok(_) => return Some(first),
                Err(now) => next = now,
            }
        }
    }

    /// Makes a node as if it had never been visited, and takes its playouts out of those above it, the parent first.
    pub fn forget<'a>(&'a self, node: &Node, above: impl Iterator<Item = &'a Node>) {
        let made = (node.visits.swap(0, Relaxed), node.wins.swap(0, Relaxed));
        if made.0 > 0 {
            above.enumerate().for_each(|(i, ancestor)| ancestor.take_out(made, i % 2 == 1));
        }
    }

    /// A new tree with this node as its root.
    pub fn rerooted(&self, id: NodeId, megabytes: usize) -> Tree {
        let tree = if self.amaf.is_some() { Tree::with_amaf(megabytes) } else { Tree::new(megabytes) };
        let mut todo = vec![(id, ROOT)];
        let mut owners: HashMap<NodeId, NodeId> = HashMap::new();
        while let Some((from, to)) = todo.pop() {
            let (old, new) = (self.node(from), tree.node(to));
            new.point.store(old.point.load(Relaxed), Relaxed);
            new.visits.store(old.visits(), Relaxed);
            new.wins.store(old.wins.load(Relaxed), Relaxed);
            let (first, children) = self.children(old);
            // Children of two nodes are copied once.
            if let Some(&owner) = owners.get(&first)
                && tree.share(new, tree.node(owner))
            {
                continue;
            }
            let points: Vec<Point> = children.iter().map(Node::point).collect();
            let start = |n: &Node| Inherited { visits: float(&n.inherited_visits), wins: float(&n.inherited_wins) };
            let starts = children.iter().map(start).collect();
            if !points.is_empty() && tree.grow_from(new, &points, old.is_complete(), starts) {
                owners.insert(first, to);
                let (copy, _) = tree.children(new);
                for (from, to) in self.amaf(first, points.len()).iter().zip(tree.amaf(copy, points.len())) {
                    to.weight.store(from.weight.load(Relaxed), Relaxed);
                    to.wins.store(from.wins.load(Relaxed), Relaxed);
                }
                todo.extend((0..points.len() as u32).map(|i| (first + i, copy + i)));
            }
        }
        tree
    }

    /// The same without what the children started from: priors guide a search, they are no evidence.
    pub fn report_made(&self, order: fn(&MoveStats, &MoveStats) -> Ordering) -> Report {
        let mut report = self.report(order);
        let (_, children) = self.children(self.node(ROOT));
        for m in &mut report.moves {
            let Some(child) = children.iter().find(|n| n.point() == m.point) else { continue };
            m.prior = child.prior();
            m.weight = m.visits as f32;
            m.rate = match (m.proof, m.visits) {
                (Some(proof), _) => proof.rate(),
                (None, 0) => 0.5,
                // A worker may have added a reward since the visits were read.
                (None, visits) => (child.made() / visits as f32).min(1.0),
            };
        }
        Report::new(report.moves, report.nodes, order)
    }

    /// What is known about the children of the root, with the line expected after each.
    pub fn report(&self, order: fn(&MoveStats, &MoveStats) -> Ordering) -> Report {
        let (_, children) = self.children(self.node(ROOT));
        let stats = |child: &Node| {
            let (visits, weight, proof) = (child.visits() as u64, child.weight(), child.proof());
            let (mut pv, mut pv_visits) = (vec![child.point()], vec![visits]);
            for node in self.principal_variation(child) {
                pv.push(node.point());
                pv_visits.push(node.visits() as u64);
            }
            let rate = proof.map_or(child.rate(), Proof::rate);
            MoveStats { visits, weight, rate, proof, pv_visits, ..MoveStats::new(child.point(), pv) }
        };
        Report::new(children.iter().map(stats).collect(), self.len(), order)
    }

    /// The line below a node by what is proven, then by visits.
    pub fn principal_variation<'a>(&'a self, from: &'a Node) -> impl Iterator<Item = &'a Node> {
        let best = |node: &&'a Node| {
            let known = self.children(node).1.iter().filter(|n| n.visits() > 0 || n.proof().is_some());
            known.max_by_key(|n| (Proof::rank(n.proof()), n.visits(), n.wins.load(Relaxed)))
        };
        std::iter::successors(best(&from), best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_tree_refuses_to_grow_and_stays_whole() {
        let tree = Tree::new(1);
        let points: Vec<Point> = (1..=361).map(Point).collect();
        let mut leaves = vec![ROOT];
        let mut grown = 0;
        while let Some(id) = leaves.pop() {
            if !tree.grow(tree.node(id), &points) {
                break;
            }
            grown += 1;
            let (first, children) = tree.children(tree.node(id));
            assert!(children.iter().map(Node::point).eq(points.iter().copied()));
            leaves.extend(first..first + 361);
        }
        assert!(grown > 50, "a megabyte holds {grown} blocks");
        assert!(tree.len() * size_of::<Node>() <= 1 << 20);
        assert!(tree.children(tree.node(leaves[0])).1.is_empty());
    }

    #[test]
    fn rerooting_keeps_the_statistics_below() {
        let tree = Tree::new(1);
        assert!(tree.grow(tree.node(ROOT), &[Point(5), Point(6)]));
        assert!(!tree.grow(tree.node(ROOT), &[Point(7)]), "a node grows once");
        let (first, _) = tree.children(tree.node(ROOT));
        assert!(tree.grow(tree.node(first + 1), &[Point(8)]));
        let (grandchild, _) = tree.children(tree.node(first + 1));
        for id in [ROOT, first + 1, grandchild] {
            tree.node(id).visit();
            tree.node(id).add(0.25);
        }
        let copy = tree.rerooted(first + 1, 1);
        assert_eq!((copy.node(ROOT).visits(), copy.node(ROOT).rate()), (1, 0.25));
        let line = |tree: &Tree| tree.principal_variation(tree.node(ROOT)).map(Node::point).collect::<Vec<_>>();
        assert_eq!(line(&copy), vec![Point(8)]);
        assert_eq!(line(&tree), vec![Point(6), Point(8)]);
        assert_eq!(copy.len(), 2);
    }
}
