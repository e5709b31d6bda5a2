//! SHOT (Cazenave 2014; in the form of Honjo and Tsuruoka): Sequential Halving in every node of a tree.
//!
//! SHOT(budget, node), where each child keeps its playouts `games` and mean reward `rate`:
//!
//! 1. a finished game counts as `budget` games of its result; a budget of 1 is one playout from here;
//! 2. a single move is played, and its node gets the whole budget;
//! 3. every child without a playout gets one, in order, until the budget is gone;
//! 4. S = children by rate, b = 0. While |S| > 1: b += max(1, (used + budget) / (|S| ceil(log2 moves))); each child of S,
//!    best first, with fewer than b games gets SHOT(b - games, child); at the root, when |S| = 2, the first gets all
//!    that is left but what the second needs to reach b. Then S = its better half, rounded up;
//! 5. what is left goes to the best child of S (`remainder=best`, not in the print); the answer is the best of S.
//!
//! The print of Honjo and Tsuruoka differs (`shot-printed`): a finished game is one result however much was asked, nothing is
//! done with what is left, and in place of `used` the share of a round counts what the call itself has made so far. Then a
//! call may make fewer playouts than it was given, and what a child gets hangs on what those before it really used.
//!
//! What a round gives its children depends on their counts only, not on each other's results. So all calls of a round
//! are made side by side: step 3 of all of them is one batch of playouts, which fills the lockstep board and is shared
//! among the workers. The first worker keeps the books, the others only play out; every playout has a random stream of
//! its own, so that the result does not depend on the number of workers.
//!
//! Given time instead of playouts it measures its speed with the first playout of every move, plans for what that
//! gives, and spends the time left over on the last two. Without a limit it runs with doubling budgets.

mod batches;
mod nodes;

use super::bandit::rounds;
use super::params::{Finished, Half, Remainder, Share};
use super::{MoveStats, ROUNDS, Report, Search, Task, Worker};
use crate::base::order::best_first;
use crate::base::{Point, Rng};
use crate::game::Game;
use batches::{Batch, SharedBatches};
use nodes::{Node, NodeId, Nodes, ROOT};
use parking_lot::{Mutex, MutexGuard};
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

/// SHOT(budget, node) to be made.
struct Call<G> {
    node: NodeId,
    budget: u64,
    /// Plies below the root.
    depth: usize,
    position: Arc<G>,
}

/// A call's halving under way.
struct Halving {
    call: usize,
    set: Vec<NodeId>,
    /// Of this round's children those whose turn is to come.
    turn: Vec<NodeId>,
    b: u64,
    budget: u64,
    left: u64,
    /// Playouts that the share of a round counts beside the budget.
    used: u64,
    moves: usize,
}

impl Halving {
    /// Is the round not over yet?
    fn goes_on(&self) -> bool {
        self.left > 0 && !self.turn.is_empty()
    }
}

/// Games of a call and the sum of their rewards for the searching player.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: u64,
    reward: f64,
}

/// A batch in the making, and for each job the call and the child it belongs to.
struct Playouts<'a, G> {
    calls: &'a [Call<G>],
    batch: Batch<G>,
    targets: Vec<(usize, Option<NodeId>)>,
}

impl<'a, G> Playouts<'a, G> {
    fn new(calls: &'a [Call<G>]) -> Self {
        let batch = Batch { positions: Vec::new(), jobs: Vec::new() };
        Playouts { calls, batch, targets: Vec::new() }
    }

    /// A playout from a call's position, or from that of one of its children. Those of a call come together.
    fn add(&mut self, call: usize, child: Option<(NodeId, Point)>) {
        if self.targets.last().is_none_or(|&(last, _)| last != call) {
            self.batch.positions.push(self.calls[call].position.clone());
        }
        self.batch.jobs.push((self.batch.positions.len() - 1, child.map(|(_, point)| point)));
        self.targets.push((call, child.map(|(id, _)| id)));
    }
}

pub struct Shot<G> {
    task: Task<G>,
    nodes: Mutex<Nodes>,
    most_nodes: usize,
    gives_remainder: bool,
    counts_used: bool,
    counts_once: bool,
    rounds_down: bool,
    batches: SharedBatches<G>,
}

/// Calls made side by side have at most about this budget together, which bounds the positions held.
const SIDE_BY_SIDE: u64 = 8192;
/// Playouts between two looks at the budget: some milliseconds.
const LOCKSTEP_AT_ONCE: usize = 2048;
const SINGLE_AT_ONCE: usize = 128;
/// Deeper lines are played out. Where a side has only one move, the whole budget follows it, and on tiny boards such
/// moves can go round in circles.
const MAX_DEPTH: usize = 200;
/// Of the playouts expected in a given time, plan for this part.
const PLANNED: f64 = 0.95;

impl<G: Game> Shot<G> {
    pub fn new(mut task: Task<G>) -> Self {
        let previous = task.previous.take(); // not kept: it would keep alive all those before it
        let params = task.engine.params();
        let bytes = (params.tree_mb as usize).saturating_mul(1 << 20);
        let most_nodes = (bytes / size_of::<Node>()).min(u32::MAX as usize - 1);
        let nodes = previous.and_then(|(search, path)| {
            let former: &Shot<G> = search.as_any().downcast_ref()?;
            former.nodes.lock().rerooted(&path, &task.moves)
        });
        Shot {
            nodes: Mutex::new(nodes.unwrap_or_else(|| {
                // As in every other node, chance must not favour the lower left.
                let mut moves = task.moves.clone();
                Rng::new(task.seed).shuffle(&mut moves);
                Nodes::new(&moves)
            })),
            most_nodes,
            gives_remainder: params.remainder == Remainder::Best,
            counts_used: params.share == Share::Used,
            counts_once: params.finished == Finished::Once,
            rounds_down: params.half == Half::Down,
            batches: SharedBatches::new(&task),
            task,
        }
    }

    fn lead(&self, worker: &mut Worker) {
        // Not the worker's own: any of them may come first.
        let rng = Rng::new(self.task.seed);
        let mut run = Run { search: self, worker, nodes: self.nodes.lock(), rng, epoch: 0, is_over: false };
        if let Some(playouts) = run.worker.limit() {
            run.call_root(playouts);
            return;
        }
        let moves = run.nodes[ROOT].children().len() as u64;
        run.call_root(moves);
        match run.worker.expected() {
            Some(expected) => {
                run.call_root(((expected as f64 * PLANNED) as u64).saturating_sub(moves));
                run.spend_on_last_two((expected / 50).max(16));
            }
            None => {
                let mut budget = (8 * moves).max(1024);
                while !run.is_over {
                    run.call_root(budget);
                    budget = budget.saturating_mul(2);
                }
            }
        }
    }
}

/// The leader at work: the books and what it may spend.
struct Run<'a, 'w, 'b, G: Game> {
    search: &'a Shot<G>,
    worker: &'w mut Worker<'b>,
    nodes: MutexGuard<'a, Nodes>,
    rng: Rng,
    epoch: u32,
    is_over: bool,
}

impl<G: Game> Run<'_, '_, '_, G> {
    /// SHOT(budget, root).
    fn call_root(&mut self, budget: u64) {
        self.epoch += 1;
        if budget > 0 {
            let position = Arc::new(self.search.task.root.clone());
            self.make(vec![Call { node: ROOT, budget, depth: 0, position }], true);
        }
    }

    /// Time left over goes to the two best moves, turn by turn.
    fn spend_on_last_two(&mut self, mut budget: u64) {
        let root = &self.search.task.root;
        let mut best: Vec<NodeId> = self.nodes[ROOT].children().collect();
        best_first(&mut best, |&id| self.nodes[id].rate());
        best_first(&mut best, |&id| f64::from(self.nodes[id].round));
        best.truncate(2);
        let top = self.nodes[best[0]].round + 1;
        best.iter().for_each(|&id| self.nodes[id].round = top);
        while !self.is_over {
            let calls = best.iter().map(|&node| self.call(root, node, budget, 1)).collect();
            // As printed a call makes nothing where every child has its share already: it has to be given more.
            if self.make(calls, false).iter().all(|tally| tally.games == 0) {
                budget = budget.saturating_mul(2);
            }
        }
    }

    fn call(&self, position: &G, node: NodeId, budget: u64, depth: usize) -> Call<G> {
        let mut after = position.clone();
        after.play(self.nodes[node].point);
        Call { node, budget, depth, position: Arc::new(after) }
    }

    /// Makes calls side by side; what each came to.
    fn make(&mut self, calls: Vec<Call<G>>, at_root: bool) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); calls.len()];
        let mut halvings = self.first_playouts(&calls, at_root, &mut tallies);
        // 4. Rounds, of all calls together.
        while !self.is_over && !halvings.is_empty() {
            let mut inner = Vec::new();
            let mut owners = Vec::new();
            let mut single = Playouts::new(&calls);
            for halving in &mut halvings {
                for (node, budget) in self.round(halving, at_root) {
                    if budget == 1 {
                        single.add(halving.call, Some((node, self.nodes[node].point)));
                    } else {
                        inner.push((node, budget, calls[halving.call].position.clone()));
                        owners.push(halving.call);
                    }
                }
            }
            self.play_out(single, &mut tallies);
            let mut done = 0;
            while done < inner.len() && !self.is_over {
                let mut together = 0;
                let count = inner[done..]
                    .iter()
                    .take_while(|(_, budget, _)| {
                        together += budget;
                        together <= SIDE_BY_SIDE
                    })
                    .count()
                    .max(1);
                let part = &inner[done..done + count];
                // Calls made together are children of calls made together: all are equally deep.
                let depth = calls[0].depth + 1;
                let calls =
                    part.iter().map(|(node, budget, position)| self.call(position, *node, *budget, depth)).collect();
                for (i, tally) in self.make(calls, false).into_iter().enumerate() {
                    tallies[owners[done + i]].games += tally.games;
                    tallies[owners[done + i]].reward += tally.reward;
                }
                done += count;
            }
            for halving in &mut halvings {
                self.count(halving, tallies[halving.call].games);
            }
            halvings.retain_mut(|halving| halving.goes_on() || self.halve(halving, at_root));
        }
        for (call, tally) in calls.iter().zip(&tallies) {
            self.enter(call, *tally);
        }
        tallies
    }

    /// Steps 1 to 3 of calls: finished games, single playouts, and the first playout of every child. Returns the calls
    /// that go on.
    fn first_playouts(&mut self, calls: &[Call<G>], at_root: bool, tallies: &mut [Tally]) -> Vec<Halving> {
        let mut halvings = Vec::new();
        let mut playouts = Playouts::new(calls);
        for (i, call) in calls.iter().enumerate() {
            if call.position.is_over() {
                // 1. A finished game is known as often as it is asked about.
                let times = if self.search.counts_once { 1 } else { call.budget };
                let games = self.take(times).count() as u64;
                tallies[i] = Tally { games, reward: self.reward(call.position.score()) * games as f64 };
                continue;
            }
            // At the root a single playout must tell about a move.
            if call.budget == 1 && !at_root || call.depth >= MAX_DEPTH || !self.grow(call) {
                let mut left = call.budget;
                while left > 0 && !self.is_over {
                    // No more than this at once, however much there is to spend.
                    let now = left.min(SIDE_BY_SIDE);
                    (0..now).for_each(|_| playouts.add(i, None));
                    left -= now;
                    if left > 0 {
                        self.play_out(std::mem::replace(&mut playouts, Playouts::new(calls)), tallies);
                    }
                }
                continue;
            }
            let node = &self.nodes[call.node];
            let children = node.children();
            let mut left = call.budget;
            // 2. A single move needs no playout of its own before it gets the rest.
            if children.len() > 1 {
                // 3. One playout for each child that has none.
                let fresh = children.clone().filter(|&id| self.nodes[id].games == 0);
                for id in fresh.take(call.budget as usize) {
                    playouts.add(i, Some((id, self.nodes[id].point)));
                    left -= 1;
                }
            }
            if left > 0 {
                let used = if self.search.counts_used { node.used } else { 0 };
                let (moves, budget) = (children.len(), call.budget);
                let (set, turn) = (children.collect(), Vec::new());
                halvings.push(Halving { call: i, set, turn, b: 0, budget, left, used, moves });
            }
        }
        self.play_out(playouts, tallies);
        for halving in &mut halvings {
            self.count(halving, tallies[halving.call].games);
            self.sort(&mut halving.set);
        }
        halvings
    }

    /// Takes note of what a call has really made.
    fn count(&self, halving: &mut Halving, games: u64) {
        if !self.search.counts_used {
            halving.used = games;
        }
        if self.may_make_less() {
            halving.left = halving.budget.saturating_sub(games);
        }
    }

    /// May a call make fewer playouts than it was given?
    fn may_make_less(&self) -> bool {
        self.search.counts_once || !self.search.gives_remainder
    }

    /// What a round gives to which children.
    fn round(&self, halving: &mut Halving, at_root: bool) -> Vec<(NodeId, u64)> {
        let size = halving.set.len();
        if size == 1 {
            // 2. A single move, or 5. the remainder: all that is left.
            return vec![(halving.set[0], std::mem::take(&mut halving.left))];
        }
        if halving.turn.is_empty() {
            halving.b += ((halving.used + halving.budget) / (size as u64 * rounds(halving.moves))).max(1);
            halving.turn = halving.set.clone();
        }
        let b = halving.b;
        let needs = |id: NodeId| b.saturating_sub(self.nodes[id].games);
        // Where calls may make less than they get, nobody can tell what is left for those after them. That matters only if
        // there may not be enough for all.
        let one_by_one = self.may_make_less() && {
            let wanted: u64 = halving.turn.iter().map(|&id| needs(id)).sum();
            wanted > halving.left || at_root && size == 2
        };
        let mut given = Vec::new();
        let mut done = 0;
        for &id in &halving.turn {
            done += 1;
            let mut share = needs(id);
            if share > 0 && at_root && size == 2 && id == halving.set[0] {
                share = halving.left.saturating_sub(needs(halving.set[1]));
            }
            let share = share.min(halving.left);
            if share > 0 {
                given.push((id, share));
                halving.left -= share;
                if one_by_one {
                    break;
                }
            }
        }
        halving.turn.drain(..done);
        given
    }

    /// Leaves the better half. False when the call is done.
    fn halve(&mut self, halving: &mut Halving, at_root: bool) -> bool {
        // A single move was given all that was left. It may have made less, or nothing: it is not asked again.
        if halving.set.len() == 1 {
            return false;
        }
        self.sort(&mut halving.set);
        let half = if self.search.rounds_down { halving.set.len() / 2 } else { halving.set.len().div_ceil(2) };
        halving.set.truncate(half.max(1));
        if at_root {
            for &id in &halving.set {
                self.nodes[id].round = (self.nodes[id].round + 1).max(ROUNDS * self.epoch);
            }
        }
        halving.left > 0 && (halving.set.len() > 1 || self.search.gives_remainder)
    }

    fn sort(&self, set: &mut [NodeId]) {
        best_first(set, |&id| self.nodes[id].rate());
    }

    /// Gives the node of a call as many children as it can try. False if the tree is full.
    fn grow(&mut self, call: &Call<G>) -> bool {
        let node = &self.nodes[call.node];
        if node.is_complete {
            return true;
        }
        let old = node.children();
        let candidates = &self.search.task.candidates;
        let mut moves = Vec::new();
        call.position.candidates(&mut moves);
        candidates.narrow(&*call.position, &mut moves, &mut self.rng);
        moves.retain(|&p| self.nodes[old.clone()].iter().all(|child| child.point != p));
        // Best first is by rate; before there are rates, chance must not favour the lower left.
        self.rng.shuffle(&mut moves);
        // A filter may answer differently next time: then all are made now.
        let wanted = if candidates.in_tree() { moves.len() } else { moves.len().min(call.budget as usize) };
        if self.nodes.len() + old.len() + wanted > self.search.most_nodes {
            return false;
        }
        self.nodes.add_children(call.node, &moves[..wanted]);
        self.nodes[call.node].is_complete = wanted == moves.len();
        true
    }

    /// Books a finished call.
    fn enter(&mut self, call: &Call<G>, tally: Tally) {
        let own = call.position.to_play() != self.search.task.root.to_play();
        let node = &mut self.nodes[call.node];
        node.used += tally.games;
        node.games += tally.games;
        node.wins += if own { tally.reward } else { tally.games as f64 - tally.reward };
    }

    fn reward(&self, score: f32) -> f64 {
        self.search.task.reward.of(score * self.search.task.root.to_play().sign()) as f64
    }

    fn take(&mut self, want: u64) -> Range<u64> {
        if want == 0 || self.is_over {
            return 0..0;
        }
        let granted = self.worker.take(want);
        self.is_over |= granted.end - granted.start < want;
        granted
    }

    /// Makes the playouts that are granted and books them.
    fn play_out(&mut self, playouts: Playouts<G>, tallies: &mut [Tally]) {
        let Playouts { calls, batch, targets } = playouts;
        let search = self.search;
        let batch = Arc::new(batch);
        let at_once =
            if search.task.policy.has_lockstep(&search.task.root) { LOCKSTEP_AT_ONCE } else { SINGLE_AT_ONCE };
        let mut done = 0;
        while done < targets.len() {
            let granted = self.take((targets.len() - done).min(at_once) as u64);
            let range = done..done + granted.clone().count();
            if range.is_empty() {
                return;
            }
            // Others may look at the books while playouts run.
            let scores = MutexGuard::unlocked(&mut self.nodes, || {
                search.batches.play_out_batch(&batch, range.clone(), granted.start)
            });
            let Some(scores) = scores else {
                self.is_over = true;
                return;
            };
            for (&(i, child), score) in targets[range.clone()].iter().zip(scores) {
                let reward = self.reward(score);
                tallies[i].games += 1;
                tallies[i].reward += reward;
                if let Some(child) = child {
                    // The child was moved into by the player to move at the call's node.
                    let own = calls[i].position.to_play() == search.task.root.to_play();
                    self.nodes[child].games += 1;
                    self.nodes[child].wins += if own { reward } else { 1.0 - reward };
                }
            }
            done = range.end;
        }
    }
}

impl<G: Game> Search<G> for Shot<G> {
    fn work(&self, worker: &mut Worker) {
        self.batches.join(worker, |worker| self.lead(worker));
    }

    fn report(&self) -> Report {
        let nodes = self.nodes.lock();
        let most_played = |id: &NodeId| {
            let best = nodes[*id].children().max_by_key(|&c| nodes[c].games);
            best.filter(|&c| nodes[c].games > 0)
        };
        let stats = |id: NodeId| {
            let node = &nodes[id];
            let line: Vec<NodeId> = std::iter::successors(Some(id), most_played).collect();
            let pv = line.iter().map(|&id| nodes[id].point).collect();
            let pv_visits = line.iter().map(|&id| nodes[id].games).collect();
            let rate = if node.games == 0 { 0.5 } else { node.rate() as f32 };
            let (visits, weight) = (node.games, node.games as f32);
            MoveStats { visits, weight, rate, round: node.round, pv_visits, ..MoveStats::new(node.point, pv) }
        };
        Report::new(nodes[ROOT].children().map(stats).collect(), nodes.count(), MoveStats::by_round)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
