//! Proven wins and losses in a tree (Winands, Bjornsson and Saito 2008: MCTS-Solver).
//!
//! A node is about the player who moved there:
//!
//! ```text
//! a child is won by its mover          the node is lost, in as many moves
//! every child is lost by its mover     the node is won, in one move more than the longest of them takes,
//!                                      if the node has all moves that matter
//! ```

use super::tree::{NodeId, ROOT, Tree};
use std::fmt;

/// What is proven about a move, for the player who makes it, and within how many moves of the winner (this one, if it is
/// his, and the winning one counted); `MANY` stands for more, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    Win(u8),
    Loss(u8),
}

pub const MANY: u8 = 15;

impl Proof {
    pub fn win_in(moves: usize) -> Proof {
        Proof::Win(moves.clamp(1, MANY as usize) as u8)
    }

    pub fn loss_in(moves: usize) -> Proof {
        Proof::Loss(moves.clamp(1, MANY as usize) as u8)
    }

    /// The mean reward of the player who makes the move.
    pub fn rate(self) -> f32 {
        match self {
            Proof::Win(_) => 1.0,
            Proof::Loss(_) => 0.0,
        }
    }

    /// The same for the other player.
    pub fn reversed(self) -> Proof {
        match self {
            Proof::Win(moves) => Proof::Loss(moves),
            Proof::Loss(moves) => Proof::Win(moves),
        }
    }

    /// Quick wins before slow ones, then what is open, then slow losses before quick ones.
    pub fn rank(proof: Option<Proof>) -> i32 {
        match proof {
            Some(Proof::Win(moves)) => 100 - moves as i32,
            None => 0,
            Some(Proof::Loss(moves)) => moves as i32 - 100,
        }
    }
}

/// `win in 3`, `loss in 1`; without a number where it may be more than can be counted.
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (word, moves) = match *self {
            Proof::Win(moves) => ("win", moves),
            Proof::Loss(moves) => ("loss", moves),
        };
        if moves < MANY { write!(f, "{word} in {moves}") } else { f.write_str(word) }
    }
}

/// What the children of a node prove about it.
fn from_children(tree: &Tree, id: NodeId) -> Option<Proof> {
    let node = tree.node(id);
    let (_, children) = tree.children(node);
    let mut longest = 0;
    let mut quickest = None;
    let mut all_lost = !children.is_empty() && node.is_complete();
    for child in children {
        match child.proof() {
            Some(Proof::Win(moves)) => quickest = Some(quickest.unwrap_or(MANY).min(moves)),
            Some(Proof::Loss(moves)) => longest = longest.max(moves),
            None => all_lost = false,
        }
    }
    match quickest {
        Some(moves) => Some(Proof::Loss(moves)),
        None => all_lost.then(|| Proof::win_in(longest as usize + 1)),
    }
}

/// Carries a proof at the end of a path from the root up as far as it goes.
pub fn back_up(tree: &Tree, path: &[NodeId]) {
    for i in (0..path.len()).rev() {
        if tree.node(path[i]).proof().is_none() {
            return;
        }
        let parent = if i == 0 { ROOT } else { path[i - 1] };
        match from_children(tree, parent) {
            Some(proof) => tree.node(parent).prove(proof),
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Point, Rng};

    /// The definition, by recursion: who moved wins, loses, or it is open.
    fn slowly(tree: &Tree, id: NodeId, leaves: &dyn Fn(NodeId) -> Option<Proof>) -> Option<bool> {
        let (first, children) = tree.children(tree.node(id));
        if children.is_empty() {
            return leaves(id).map(|proof| matches!(proof, Proof::Win(_)));
        }
        let values: Vec<Option<bool>> = (0..children.len() as u32).map(|i| slowly(tree, first + i, leaves)).collect();
        match () {
            _ if values.contains(&Some(true)) => Some(false),
            _ if values.iter().all(|v| *v == Some(false)) && tree.node(id).is_complete() => Some(true),
            _ => None,
        }
    }

    #[test]
    fn whatever_the_order_of_proofs_the_root_is_what_the_definition_says() {
        let mut proven = [0; 3];
        for seed in 0..3_000 {
            let mut rng = Rng::new(seed);
            let tree = Tree::new(1);
            let mut paths: Vec<Vec<NodeId>> = vec![Vec::new()];
            let mut leaves = Vec::new();
            while let Some(path) = paths.pop() {
                let id = path.last().copied().unwrap_or(ROOT);
                if path.len() < 3 && (path.is_empty() || rng.below(3) > 0) {
                    let points: Vec<Point> = (1..=1 + rng.below(3) as u16).map(Point).collect();
                    assert!(tree.grow_from(
                        tree.node(id),
                        &points,
                        rng.below(4) > 0,
                        vec![Default::default(); points.len()]
                    ));
                    let (first, children) = tree.children(tree.node(id));
                    paths.extend((0..children.len() as u32).map(|i| [&path[..], &[first + i]].concat()));
                } else {
                    let n = 1 + rng.below(3) as usize;
                    let proof = [None, Some(Proof::win_in(n)), Some(Proof::loss_in(n))][rng.below(3) as usize];
                    leaves.push((path, proof));
                }
            }
            rng.shuffle(&mut leaves);
            for (path, proof) in &leaves {
                if let Some(proof) = proof {
                    tree.node(*path.last().unwrap()).prove(*proof);
                    back_up(&tree, path);
                }
            }
            let at = |id| leaves.iter().find(|(path, _)| path.last() == Some(&id)).and_then(|(_, proof)| *proof);
            let expected = slowly(&tree, ROOT, &at);
            assert_eq!(tree.node(ROOT).proof().map(|proof| matches!(proof, Proof::Win(_))), expected);
            proven[expected.map_or(2, usize::from)] += 1;
        }
        assert!(proven.iter().all(|&n| n > 200), "{proven:?}");
    }

    #[test]
    fn moves_to_the_end_are_counted_in_moves_of_the_winner() {
        // The root's mover faces two answers, one of which wins in 2 and one of which loses to a five.
        let tree = Tree::new(1);
        tree.grow(tree.node(ROOT), &[Point(1), Point(2)]);
        let (first, _) = tree.children(tree.node(ROOT));
        tree.node(first).prove(Proof::loss_in(1));
        back_up(&tree, &[first]);
        assert_eq!(tree.node(ROOT).proof(), None);
        tree.node(first + 1).prove(Proof::loss_in(3));
        back_up(&tree, &[first + 1]);
        assert_eq!(tree.node(ROOT).proof(), Some(Proof::Win(4)));
        assert_eq!(Proof::win_in(99), Proof::Win(MANY));
        assert_eq!([Proof::win_in(4), Proof::loss_in(99)].map(|proof| proof.to_string()), ["win in 4", "loss"]);
    }
}
