// A prior of one's own: what a move is worth before its first playout. This one has heard that corners come first, then
// sides, then the middle: points on the third line start from some won playouts.
//
//     cargo run --release --example prior

use moku::base::{Point, Size};
use moku::game::go::Go9;
use moku::search::tree::Inherited;
use moku::search::{self, Budget, Engine, Prior, Worker, registry};
use std::sync::Arc;

struct ThirdLine {
    playouts: f32,
}

impl Prior<Go9> for ThirdLine {
    fn add(&self, board: &Go9, moves: &[Point], out: &mut [Inherited]) {
        let size = board.size();
        for (&p, start) in moves.iter().zip(out) {
            if !p.is_pass() {
                let (x, y) = size.xy(p);
                let line = x.min(y).min(size.n() - 1 - x).min(size.n() - 1 - y);
                let wins = if line == 2 { self.playouts } else { 0.0 };
                start.visits += self.playouts;
                start.wins += wins;
            }
        }
    }
}

fn main() -> Result<(), String> {
    let size = Size::new(9).ok_or("boards have 2 to 25 lines")?;
    let moves: Vec<Point> = size.points().collect();
    let (mut task, _) = search::prepare(Go9::new(size, 7.5), moves, Engine::parse("uct first=1")?, 1, None);
    task.priors.push(Arc::new(ThirdLine { playouts: 50.0 }));
    let uct = registry::build(task);
    let budget = Budget::playouts(500);
    uct.work(&mut Worker::new(&budget, 1, 0));
    let report = uct.report();
    let best = report.best().ok_or("there are moves")?;
    let (x, y) = size.xy(best.point);
    println!("{} in {} of {} playouts", size.point_to_gtp(best.point), best.visits, report.visits());
    assert_eq!(x.min(y).min(8 - x).min(8 - y), 2, "a few playouts do not talk it out of what it has heard");
    Ok(())
}
