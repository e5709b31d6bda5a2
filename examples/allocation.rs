// An allocation of one's own: `dice` gives every playout to a move drawn at random.
//
//     cargo run --release --example allocation
//
// To have it in engine lines, put it into `src/core/search/`, with a row in `registry.rs` that says what it can do and a
// preset in `presets.rs`: threads, time, candidates, rewards, GTP and matches come with it.

use moku::base::{Point, Size};
use moku::game::{Game, go::Go9};
use moku::playout;
use moku::search::arms::{self, Arm};
use moku::search::{self, Budget, Engine, MoveStats, Report, Search, Task, Worker};
use std::any::Any;

pub struct Dice<G> {
    task: Task<G>,
    arms: Vec<Arm<G>>,
}

impl<G: Game> Dice<G> {
    pub fn new(mut task: Task<G>) -> Self {
        Dice { arms: arms::arms(&mut task), task }
    }
}

impl<G: Game> Search<G> for Dice<G> {
    fn work(&self, worker: &mut Worker) {
        let sign = self.task.root.to_play().sign();
        while !worker.take(1).is_empty() {
            let arm = &self.arms[worker.rng.below(self.arms.len() as u32) as usize];
            let score = playout::score(&arm.after, &*self.task.policy, &mut worker.rng);
            arm.visit();
            arm.add(self.task.reward.of(score * sign));
        }
    }

    fn report(&self) -> Report {
        arms::report(&self.arms, MoveStats::by_rate)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn main() -> Result<(), String> {
    let size = Size::new(5).ok_or("boards have 2 to 25 lines")?;
    let board = Go9::new(size, 0.5);
    let moves: Vec<Point> = size.points().collect();
    // The other axes (reward, playouts, priors) are those of an engine line.
    let (task, _) = search::prepare(board, moves, Engine::parse("mc")?, 1, None);
    let dice = Dice::new(task);
    let budget = Budget::playouts(20_000);
    dice.work(&mut Worker::new(&budget, 1, 0));
    let report = dice.report();
    let best = report.best().ok_or("there are moves")?;
    println!("{} wins {:.1} % of its playouts", size.point_to_gtp(best.point), 100.0 * best.rate);
    assert_eq!(report.visits(), 20_000, "the budget is spent to the last playout");
    Ok(())
}
