//! What a game costs beside its playouts: flat Monte Carlo on 9x9, 100 playouts for each candidate of every move.
//!
//! `cargo bench --bench game` plays games in the laboratory's arena and then makes the same number of playouts from the
//! same positions with nothing around them, in turns, and prints the ratio of the best of each, in processor time.

use cpu_time::ProcessTime;
use moku::base::{GameKind, Size};
use moku::game::Game;
use moku::game::go::Go9;
use moku::lab::arena::{Setting, play_game};
use moku::lab::players::PlayerLine;
use moku::playout::{self, light::Light};
use moku::sgf::Step;
use std::hint::black_box;

const EACH: u64 = 100;

fn main() {
    let setting = Setting::new(GameKind::Go, 9, 7.5);
    let line = PlayerLine::parse(GameKind::Go, &format!("mc each={EACH} end=fill")).expect("an engine");
    let mut players = [line.sit_down(&setting).expect("a seat"), line.sit_down(&setting).expect("a seat")];
    let (mut game_cost, mut bare_cost) = (f64::INFINITY, f64::INFINITY);
    for round in 0..8 {
        let [black, white] = &mut players;
        let began = ProcessTime::now();
        let result = play_game(&setting, [&line, &line], [black, white], 1);
        game_cost = game_cost.min(began.elapsed().as_secs_f64());
        assert!(result.errors.is_empty(), "{:?}", result.errors);

        let mut position = Go9::new(Size::new(9).expect("a size"), setting.komi);
        let mut starts = Vec::new();
        for step in &result.record.steps {
            let mut moves = Vec::new();
            Game::candidates(&position, &mut moves);
            starts.push(
                moves
                    .iter()
                    .map(|&p| {
                        let mut after = position.clone();
                        after.play(p);
                        after
                    })
                    .collect::<Vec<Go9>>(),
            );
            if let Step::Move(_, point) = step {
                position.play(*point);
            }
        }
        let began = ProcessTime::now();
        let mut bare = 0;
        for moves in &starts {
            let count = moves.len() as u64;
            let numbers = 0..EACH * count;
            bare += numbers.end;
            let done = |_, score| {
                black_box(score);
            };
            playout::score_many(&Light, 1, numbers, |t| &moves[(t % count) as usize], done);
        }
        bare_cost = bare_cost.min(began.elapsed().as_secs_f64());
        if round == 0 {
            let made: u64 = result.playouts.iter().sum();
            println!("{} moves, {made} playouts in the game, {bare} bare", result.moves[0] + result.moves[1]);
        }
    }
    println!(
        "game {:.1} ms, its playouts {:.1} ms, ratio {:.3}",
        1e3 * game_cost,
        1e3 * bare_cost,
        game_cost / bare_cost
    );
}
