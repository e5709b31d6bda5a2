// A match in this process: four games on 5x5, both colours each.
//
//     cargo run --release --example match

use moku::base::GameKind;
use moku::lab::arena::Setting;
use moku::lab::matches::Match;
use moku::lab::players::PlayerLine;
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), String> {
    let player = |line: &str| PlayerLine::parse(GameKind::Go, line);
    let games = Match {
        setting: Setting::new(GameKind::Go, 5, 0.5),
        players: [player("uct playouts=300")?, player("random")?],
        first_is: None,
        games: 4,
        jobs: 1,
        seed: 1,
        sgf_folder: None,
        sprt: None,
    };
    let outcome = games.run(&AtomicBool::new(false), |game| println!("game {}: {}", game.game, game.result))?;
    let points: f32 = outcome.games.iter().map(|game| game.points).sum();
    println!("{} {points} : {} {}", outcome.first, 4.0 - points, outcome.second);
    assert_eq!((outcome.games.len(), points), (4, 4.0), "a search beats chance");
    Ok(())
}
