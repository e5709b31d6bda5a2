//! Advice from outside of a search, about positions that are worth more than a look: the root, and nodes that were visited
//! often. It is added to what moves start from, as playouts that were never made.

use super::tree::{Inherited, Node, ROOT, Tree};
use crate::base::{Color, Point, Size};
use crate::game::Game;
use std::sync::Arc;

/// A node is asked about when it has been visited so often.
pub const VISITS: u32 = 400;

/// What is said of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Advice {
    pub point: Point,
    /// Playouts, all won or all lost.
    pub playouts: f32,
    pub is_good: bool,
}

/// Who gives it. The same position must get the same advice, whatever was asked before.
pub trait Adviser: Send + Sync {
    fn advise(&self, size: Size, stones: &[(Point, Color)], to_play: Color) -> Vec<Advice>;
}

/// Asks about a node, and tells its children.
pub fn give<G: Game>(adviser: &Option<Arc<dyn Adviser>>, tree: &Tree, node: &Node, position: &G) {
    let Some(adviser) = adviser else { return };
    let size = position.size();
    let stones: Vec<(Point, Color)> = size.points().filter_map(|p| Some((p, position.color_at(p)?))).collect();
    let (_, children) = tree.children(node);
    for Advice { point, playouts, is_good } in adviser.advise(size, &stones, position.to_play()) {
        if let Some(child) = children.iter().find(|child| child.point() == point) {
            let wins = if is_good { playouts } else { 0.0 };
            node.start_child(child, Inherited { visits: playouts, wins });
        }
    }
}

/// The same for a root, unless it was asked about when it was a node of a tree that was kept.
pub fn give_root<G: Game>(adviser: &Option<Arc<dyn Adviser>>, tree: &Tree, position: &G) {
    let root = tree.node(ROOT);
    if root.visits() < VISITS {
        give(adviser, tree, root, position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Black, White};
    use crate::game::go::Go9;
    use crate::search::{Budget, Engine, Worker, prepare, registry};
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    /// Praises one point, and counts how often it was asked.
    struct Praise {
        point: Point,
        asked: AtomicUsize,
    }

    impl Adviser for Praise {
        fn advise(&self, _: Size, stones: &[(Point, Color)], to_play: Color) -> Vec<Advice> {
            self.asked.fetch_add(1, SeqCst);
            assert_eq!(to_play, if stones.len().is_multiple_of(2) { Black } else { White });
            vec![Advice { point: self.point, playouts: 1e5, is_good: true }]
        }
    }

    #[test]
    fn what_is_praised_is_played_and_nodes_visited_often_are_asked_about_once() {
        let board = Go9::new(Size::new(5).unwrap(), 0.5);
        let mut moves = Vec::new();
        board.candidates(&mut moves);
        let engine = Engine::parse("uct").unwrap();
        let praise = Arc::new(Praise { point: moves[3], asked: AtomicUsize::new(0) });
        let mut task = prepare(board, moves, engine, 1, None).0;
        task.adviser = Some(praise.clone());
        let search = registry::build(task);
        search.work(&mut Worker::new(&Budget::playouts(u64::from(VISITS) - 10), 1, 0));
        assert_eq!(search.report().moves[0].point, praise.point);
        assert_eq!(praise.asked.load(SeqCst), 1, "no node but the root was visited often");
        search.work(&mut Worker::new(&Budget::playouts(5_000), 1, 0));
        assert!(praise.asked.load(SeqCst) > 1, "and then its best move was");
    }
}
