//! Sequential Halving at the root of a tree whose other nodes have a rule of their own (Pepels, Cazenave, Winands and Lanctot
//! 2014; top moves by prior as Danihelka et al. 2022): the `m` most promising moves share the playouts of a round equally, then
//! the better half stays, until one is left or the playouts are spent.
//!
//! The schedule goes by the number of the playout, so any worker can ask for its move. It needs to know how many there will be:
//! with a time limit instead of playouts the root is searched by the tree's rule.

use super::bandit::rounds;
use super::tree::Node;
use super::{MoveStats, Report};
use parking_lot::Mutex;

pub struct Halving {
    most: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Children still in, best first.
    set: Vec<usize>,
    /// How far each child came.
    rounds: Vec<u32>,
    /// Rounds in all; playout numbers at which the round under way began and ends.
    total: u64,
    began: u64,
    end: u64,
}

impl Halving {
    pub fn new(most: usize) -> Halving {
        Halving { most, state: Mutex::new(State::default()) }
    }

    /// The child that playout number t of `limit` goes to; `values` tells what the children are worth now.
    pub fn choose(&self, t: u64, limit: u64, values: impl Fn() -> Vec<f32>) -> usize {
        let mut state = self.state.lock();
        if state.set.is_empty() {
            state.begin(&values(), self.most, limit);
        }
        while t >= state.end && state.set.len() > 1 {
            state.halve(&values(), limit);
        }
        let turn = t.saturating_sub(state.began) as usize % state.set.len();
        state.set[turn]
    }

    /// A report on these children in the order of how far they came.
    pub fn told(&self, mut report: Report, children: &[Node]) -> Report {
        // In the order of the tree's children, which the report has lost.
        for (child, round) in children.iter().zip(self.rounds()) {
            if let Some(m) = report.moves.iter_mut().find(|m| m.point == child.point()) {
                m.round = round;
            }
        }
        Report::new(report.moves, report.nodes, MoveStats::by_round)
    }

    /// How far each child came; empty before the first playout.
    pub fn rounds(&self) -> Vec<u32> {
        self.state.lock().rounds.clone()
    }
}

impl State {
    fn begin(&mut self, values: &[f32], most: usize, limit: u64) {
        self.set = (0..values.len()).collect();
        self.rounds = vec![0; values.len()];
        self.keep(values, most.clamp(1, values.len()));
        self.total = rounds(self.set.len());
        self.end = (limit / self.total).max(self.set.len() as u64);
    }

    fn halve(&mut self, values: &[f32], limit: u64) {
        self.keep(values, self.set.len().div_ceil(2));
        self.began = self.end;
        // The last round takes what is left.
        self.end = if self.set.len() <= 2 { limit } else { self.end + (limit / self.total).max(self.set.len() as u64) };
    }

    fn keep(&mut self, values: &[f32], count: usize) {
        self.set.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
        self.set.truncate(count);
        self.set.iter().for_each(|&i| self.rounds[i] += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that grow with the number of the child: the last one is best.
    fn run(children: usize, most: usize, limit: u64) -> (Vec<u64>, Vec<u32>) {
        let halving = Halving::new(most);
        let mut playouts = vec![0; children];
        for t in 0..limit {
            playouts[halving.choose(t, limit, || (0..children).map(|i| i as f32).collect())] += 1;
        }
        (playouts, halving.rounds())
    }

    #[test]
    fn rounds_are_equal_shares_and_the_best_come_farthest() {
        let (playouts, rounds) = run(20, 8, 240);
        // Three rounds of 80 playouts: 8 moves with 10, 4 with 20, 2 with 40.
        assert_eq!(playouts.iter().sum::<u64>(), 240);
        assert_eq!(playouts[..12], [0; 12]);
        assert_eq!(playouts[12..], [10, 10, 10, 10, 30, 30, 70, 70]);
        assert_eq!(rounds[12..], [1, 1, 1, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn every_playout_has_a_move_whatever_the_numbers() {
        for (children, most, limit) in [(1, 16, 10), (5, 1, 10), (300, 16, 7), (3, 300, 1), (17, 17, 1000), (2, 2, 3)] {
            let (playouts, _) = run(children, most, limit);
            assert_eq!(playouts.iter().sum::<u64>(), limit, "{children} {most}");
        }
    }
}
