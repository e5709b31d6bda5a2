//! SHOT by the paper's pseudo-code, line by line and playout by playout, to hold `shot-printed` against.

use super::*;
use crate::game::gobang::{Gobang, Rule};
use crate::playout::{Choice, Playable, Policy};

/// `struct CHILD` and `struct NODE` of the paper in one; rates are those of the player who makes the move.
#[derive(Default)]
struct SlowNode {
    point: Option<Point>,
    games: u64,
    wins: f64,
    children: Vec<SlowNode>,
}

struct Slow<'a> {
    policy: &'a dyn Policy<Gobang>,
    rng: Rng,
    made: u64,
}

impl SlowNode {
    fn rate(&self) -> f64 {
        if self.games == 0 { 0.0 } else { self.wins / self.games as f64 }
    }
}

impl Slow<'_> {
    /// Black's points.
    fn playout(&mut self, position: &Gobang) -> f64 {
        let mut end = position.clone();
        self.policy.play_out(&mut end, &mut self.rng, None);
        self.made += 1;
        (Game::score(&end) as f64 + 1.0) / 2.0
    }

    /// Games that this call added, and Black's points in them.
    fn shot(&mut self, budget: u64, node: &mut SlowNode, position: &Gobang, at_root: bool) -> (u64, f64) {
        let mut budget_used = 0;
        let mut points = 0.0;
        if position.is_over() {
            self.made += 1;
            return (1, (Game::score(position) as f64 + 1.0) / 2.0);
        }
        if budget == 1 {
            return (1, self.playout(position));
        }
        if node.children.is_empty() {
            let mut moves = Vec::new();
            Game::candidates(position, &mut moves);
            self.rng.shuffle(&mut moves);
            node.children = moves.iter().map(|&p| SlowNode { point: Some(p), ..SlowNode::default() }).collect();
        }
        let is_black = position.to_play() == Black;
        let own = |points: f64, games: u64| if is_black { points } else { games as f64 - points };
        let after = |p: Option<Point>| {
            let mut after = position.clone();
            Game::play(&mut after, p.unwrap());
            after
        };
        let moves = node.children.len();
        if moves == 1 {
            let child = &mut node.children[0];
            let (games, points) = self.shot(budget, child, &after(child.point), false);
            (child.games, child.wins) = (child.games + games, child.wins + own(points, games));
            return (games, points);
        }
        for child in node.children.iter_mut().filter(|child| child.games == 0) {
            let won = self.playout(&after(child.point));
            (child.games, child.wins) = (1, own(won, 1));
            (budget_used, points) = (budget_used + 1, points + won);
            if budget_used >= budget {
                return (budget_used, points);
            }
        }
        let mut set: Vec<usize> = (0..moves).collect();
        let sort = |set: &mut Vec<usize>, node: &SlowNode| {
            set.sort_by(|&a, &b| node.children[b].rate().total_cmp(&node.children[a].rate()));
        };
        sort(&mut set, node);
        let mut b = 0;
        while set.len() > 1 && budget_used < budget {
            b += ((budget_used + budget) / (set.len() as u64 * bandit::rounds(moves))).max(1);
            for (i, &id) in set.iter().enumerate() {
                if node.children[id].games < b {
                    let mut b1 = (b - node.children[id].games) as i64;
                    if at_root && set.len() == 2 && i == 0 {
                        b1 = (budget - budget_used) as i64 - (b as i64 - node.children[set[1]].games as i64);
                    }
                    let b1 = b1.min((budget - budget_used) as i64);
                    if b1 > 0 {
                        let child = &mut node.children[id];
                        let (games, won) = self.shot(b1 as u64, child, &after(child.point), false);
                        (child.games, child.wins) = (child.games + games, child.wins + own(won, games));
                        (budget_used, points) = (budget_used + games, points + won);
                    }
                }
                if budget_used >= budget {
                    break;
                }
            }
            sort(&mut set, node);
            set.truncate(set.len().div_ceil(2));
        }
        (budget_used, points)
    }
}

fn start(n: usize, seed: u64) -> Gobang {
    let mut board = Gobang::new(Size::new(n).unwrap(), Rule::Exact);
    let mut rng = Rng::new(seed);
    (0..8).for_each(|_| {
        Game::play_random(&mut board, &mut rng);
    });
    board
}

/// Mean and the square of its error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n * (n - 1.0)))
}

#[test]
fn the_printed_search_shares_its_playouts_as_the_pseudo_code_does() {
    let policy = Gobang::policy(Choice::BlockFour).unwrap();
    for (n, budget) in [(6, 200), (6, 1_500), (9, 3_000)] {
        let root = start(n, 3);
        // All playouts, those of the best move, and those of the moves that fell out first.
        let (mut fast, mut slow) = (vec![Vec::new(); 3], vec![Vec::new(); 3]);
        let note = |into: &mut Vec<Vec<f64>>, made: u64, mut games: Vec<u64>| {
            games.sort_by(|a, b| b.cmp(a));
            let least = games[games.len() / 2..].iter().sum::<u64>();
            for (list, value) in into.iter_mut().zip([made, games[0], least]) {
                list.push(value as f64);
            }
        };
        for seed in 0..60 {
            let search = task(root.clone(), "shot-printed", seed);
            let granted = Budget::playouts(budget);
            search.work(&mut Worker::new(&granted, seed, 0));
            note(&mut fast, granted.spent(), search.report().moves.iter().map(|m| m.visits).collect());
            let mut printed = Slow { policy: &*policy, rng: Rng::new(1_000 + seed), made: 0 };
            let mut node = SlowNode::default();
            let (games, _) = printed.shot(budget, &mut node, &root, true);
            assert_eq!(games, printed.made);
            note(&mut slow, printed.made, node.children.iter().map(|child| child.games).collect());
        }
        for (fast, slow) in fast.iter().zip(&slow) {
            let ((a, va), (b, vb)) = (mean(fast), mean(slow));
            assert!((a - b).abs() <= 4.0 * (va + vb).sqrt() + 1e-9, "{n}x{n}, {budget}: {a}, by the print {b}");
        }
    }
}

#[test]
fn the_printed_search_makes_fewer_playouts_than_it_was_given() {
    let search = task(start(9, 3), "shot-printed", 1);
    let budget = Budget::playouts(20_000);
    search.work(&mut Worker::new(&budget, 1, 0));
    assert!(budget.spent() < 20_000 && budget.spent() > 5_000, "{}", budget.spent());
}
