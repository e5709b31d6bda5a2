// A playout policy of one's own, in a search of moku's: `center` prefers points near the middle of the board.
//
//     cargo run --release --example policy

use moku::base::{Point, Rng, Size};
use moku::game::{Game, go::Go9};
use moku::playout::{Policy, until_over};
use moku::search::{self, Budget, Engine, Worker, registry};
use std::sync::Arc;

/// Of two moves drawn at random the one nearer to the middle is made.
struct Center;

impl Policy<Go9> for Center {
    fn play_out(&self, board: &mut Go9, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        let size = board.size();
        let middle = |p: Point| {
            let (x, y) = size.xy(p);
            (2 * x).abs_diff(size.n() - 1) + (2 * y).abs_diff(size.n() - 1)
        };
        let mut moves = Vec::new();
        until_over(board, rng, trace, |board, rng| {
            board.candidates(&mut moves);
            let mut draw = || moves[rng.below(moves.len() as u32) as usize];
            let (a, b) = (draw(), draw());
            let chosen = if a.is_pass() || middle(a) <= middle(b) { a } else { b };
            board.play(chosen);
            chosen
        })
    }
}

fn main() -> Result<(), String> {
    let size = Size::new(7).ok_or("boards have 2 to 25 lines")?;
    let moves: Vec<Point> = size.points().collect();
    let (mut task, _) = search::prepare(Go9::new(size, 8.5), moves, Engine::parse("uct")?, 1, None);
    task.policy = Arc::new(Center);
    let uct = registry::build(task);
    let budget = Budget::playouts(1_000);
    uct.work(&mut Worker::new(&budget, 1, 0));
    let report = uct.report();
    let best = report.best().ok_or("there are moves")?;
    println!("{} in {} of {} playouts", size.point_to_gtp(best.point), best.visits, report.visits());
    assert_eq!(report.visits(), 1_000);
    Ok(())
}
