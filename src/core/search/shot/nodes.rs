//! SHOT's tree.

use crate::base::Point;
use std::ops::{Deref, DerefMut, Range};

pub type NodeId = usize;
pub const ROOT: NodeId = 0;

/// Made only when its move gets a playout: most nodes are asked about fewer times than they have moves.
#[derive(Clone)]
pub struct Node {
    /// Sum of rewards for the player who moved here.
    pub wins: f64,
    pub games: u64,
    /// Playouts shared out by calls on this node.
    pub used: u64,
    first_child: u32,
    children: u16,
    pub point: Point,
    /// At the root: how far this move came in the latest halving.
    pub round: u32,
    /// Is there a child for every move?
    pub is_complete: bool,
}

impl Node {
    pub fn new(point: Point) -> Node {
        Node { wins: 0.0, games: 0, used: 0, first_child: 0, children: 0, point, round: 0, is_complete: false }
    }

    pub fn children(&self) -> Range<NodeId> {
        self.first_child as usize..self.first_child as usize + self.children as usize
    }

    pub fn rate(&self) -> f64 {
        if self.games == 0 { 0.0 } else { self.wins / self.games as f64 }
    }

    fn set_children(&mut self, children: Range<NodeId>) {
        self.first_child = children.start as u32;
        self.children = children.len() as u16;
    }
}

/// The tree. Children are a block; when a node gets more of them the block is made anew and the old one left behind.
pub struct Nodes {
    list: Vec<Node>,
    left_behind: usize,
}

impl Deref for Nodes {
    type Target = [Node];
    fn deref(&self) -> &[Node] {
        &self.list
    }
}

impl DerefMut for Nodes {
    fn deref_mut(&mut self) -> &mut [Node] {
        &mut self.list
    }
}

impl Nodes {
    /// A root with these moves.
    pub fn new(moves: &[Point]) -> Nodes {
        let mut nodes = Nodes { list: vec![Node::new(Point::PASS)], left_behind: 0 };
        nodes.add_children(ROOT, moves);
        nodes[ROOT].is_complete = true;
        nodes
    }

    /// Nodes in use.
    pub fn count(&self) -> usize {
        self.list.len() - self.left_behind
    }

    /// Gives a node more children. Children are one block: those there were move to its front.
    pub fn add_children(&mut self, id: NodeId, moves: &[Point]) {
        let (old, start) = (self[id].children(), self.list.len());
        self.list.extend_from_within(old.clone());
        self.list.extend(moves.iter().map(|&p| Node::new(p)));
        let end = self.list.len();
        self.left_behind += old.len();
        self[id].set_children(start..end);
    }

    /// The part that a path leads to, as the tree of a root with these moves, if it knows no others.
    pub fn rerooted(&self, path: &[Point], moves: &[Point]) -> Option<Nodes> {
        let mut id = ROOT;
        for &point in path {
            id = self[id].children().find(|&child| self[child].point == point)?;
        }
        let known: Vec<Point> = self[self[id].children()].iter().map(|n| n.point).collect();
        if known.is_empty() || !known.iter().all(|p| moves.contains(p)) {
            return None;
        }
        let mut list = vec![self[id].clone()];
        let mut next = 0;
        while next < list.len() {
            let start = list.len();
            list.extend(self[list[next].children()].iter().cloned());
            if next == ROOT {
                list.extend(moves.iter().filter(|p| !known.contains(p)).map(|&p| Node::new(p)));
                list[ROOT].is_complete = true;
            }
            let grown = start..list.len();
            list[next].set_children(grown);
            next += 1;
        }
        list.iter_mut().for_each(|node| node.round = 0);
        Some(Nodes { list, left_behind: 0 })
    }
}
