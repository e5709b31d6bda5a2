//! What a finished search can teach: its positions with what they turned out to be worth.

use super::{Puct, state};
use crate::base::Color;
use crate::game::Game;
use crate::knowledge::gobang::Reader;
use crate::knowledge::gobang::fit::Sample;
use crate::search::Proof;
use crate::search::tree::{Node, NodeId, ROOT};

impl<G: Game> Puct<G> {
    /// What the search found out about the root and about every node with so many visits, and with so many the shares of
    /// its moves.
    pub fn samples(&self, least: u32, least_for_moves: u32) -> Vec<Sample> {
        let mut samples = Vec::new();
        let mut reader = Reader::of(&self.root);
        self.collect(ROOT, self.color, &mut Vec::new(), &mut reader, (least, least_for_moves), &mut samples);
        samples
    }

    fn collect(
        &self,
        id: NodeId,
        mover: Color,
        path: &mut Vec<NodeId>,
        reader: &mut Reader,
        (least, for_moves): (u32, u32),
        samples: &mut Vec<Sample>,
    ) {
        let (first, children) = self.tree.children(self.tree.node(id));
        let node = self.tree.node(id);
        let Some(best) = children.iter().max_by_key(|n| (Proof::rank(n.proof()), n.visits())) else { return };
        let known = if path.is_empty() { best.proof() } else { node.proof().map(Proof::reversed) };
        let value = match known {
            Some(proof) => proof.rate(),
            None if best.visits() == 0 => return,
            None => best.made() / best.visits() as f32,
        };
        let is_complete = node.is_complete();
        let is_open = |n: &Node| !matches!(n.proof(), Some(Proof::Loss(_)));
        let total: u32 = children.iter().filter(|n| is_open(n)).map(Node::visits).sum();
        let share = |n: &Node| match known {
            Some(Proof::Win(_)) => u16::from(n.point() == best.point()) * u16::MAX,
            _ if !is_open(n) => 0,
            _ => (f64::from(n.visits()) / f64::from(total.max(1)) * f64::from(u16::MAX)) as u16,
        };
        let has_moves = node.visits() >= for_moves && !matches!(known, Some(Proof::Loss(_)));
        let moves = children.iter().map(|n| (n.point(), share(n))).filter(|m| is_complete || m.1 > 0);
        samples.push(Sample {
            size: reader.lines.size(),
            rule: reader.lines.rule(),
            stones: Color::BOTH.map(|color| reader.lines.stones(color).iter().collect()),
            me: mover,
            last: self.last(path),
            state: state(reader, mover, is_complete) as u8,
            value: value.clamp(0.0, 1.0),
            shares: if has_moves { moves.collect() } else { Vec::new() },
            is_complete,
        });
        for (i, child) in children.iter().enumerate().filter(|(_, n)| n.visits() >= least) {
            path.push(first + i as u32);
            reader.lines.play(child.point(), mover);
            self.collect(first + i as u32, mover.opponent(), path, reader, (least, for_moves), samples);
            reader.lines.undo();
            path.pop();
        }
    }
}
