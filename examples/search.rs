// A search from Rust: what is the best first move on 9x9?
//
//     cargo run --release --example search

use moku::base::Black;
use moku::session::{Options, Session};

fn main() -> Result<(), String> {
    let engine = Some("uct playouts=5000".to_string());
    let mut session = Session::new(Options { size: 9, engine, seed: Some(1), ..Options::default() })?;
    let thought = session.think(Black, None, &mut |_| true)?;
    println!("{} after {} playouts", session.size().point_to_gtp(thought.point), thought.playouts);
    for found in thought.report.moves.iter().take(5) {
        let name = session.size().point_to_gtp(found.point);
        println!("{name:4} {:5.1} % in {} playouts", 100.0 * found.rate, found.visits);
    }
    Ok(())
}
