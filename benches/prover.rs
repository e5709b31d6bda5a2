//! Nodes a second of the tsumego prover, one core, a corner of the 19x19 board: `cargo bench --bench prover`.
//!
//! A node is a position whose moves are made and looked at until one wins; what is looked at inside local fights does not
//! count. Search alone takes moves as they come and looks at all of them. The time is the processor's, since machines are
//! shared.

use cpu_time::ProcessTime;
use moku::base::{Black, Size, White};
use moku::tsumego::prover::{Limits, Prover, find, make};
use std::sync::atomic::AtomicBool;

type Kind = (&'static str, fn(usize) -> Prover);

const NODES: u64 = 300_000;
/// A wide corner, far from solved by then.
const CORNER: &str = ".XXXXX... XO.OOX... .O..OX... ....O.X.. .....OX.. .....X...";

fn main() {
    let Some(size) = Size::new(19) else { return };
    let stones = make::picture(size, CORNER, White);
    let question = find::question(size, &stones, Black, Some(Black)).expect("the corner is enclosed");
    let stop = AtomicBool::new(false);
    // In turns, since machines are shared.
    let kinds: [Kind; 2] = [("with local fights", Prover::new), ("search alone", Prover::grader)];
    let mut best = [0.0f64; 2];
    for _ in 0..5 {
        for ((name, prover), best) in kinds.iter().zip(&mut best) {
            let mut prover = prover(64);
            let began = ProcessTime::now();
            let limits = Limits { nodes: NODES, seconds: None };
            let verdict = prover.solve(&question, limits, None, &stop).expect("the region is small enough");
            let seconds = began.elapsed().as_secs_f64();
            println!("{name}: {} nodes in {seconds:.2} s, room {}", verdict.nodes, question.room());
            *best = best.max(verdict.nodes as f64 / seconds);
        }
    }
    for ((name, _), best) in kinds.iter().zip(best) {
        println!("best, {name}: {best:.0} nodes/s");
    }
}
