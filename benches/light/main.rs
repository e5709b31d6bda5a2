//! Light playouts in one run: moku one game at a time, moku in lockstep, and `go_game_board` as the yardstick.
//!
//! `cargo bench --bench light` runs it under criterion. `cargo bench --bench light -- ratios` prints the ratios alone:
//! the contestants take turns in short blocks, and each counts with its best block, since machines are shared.

mod reference;

use criterion::{BenchmarkId, Criterion, Throughput};
use moku::base::{Rng, Size};
use moku::game::Game;
use moku::game::go::{Go9, Go14, Go21};
use moku::playout::light::Light;
use moku::playout::{self, Policy};
use moku::search::Searchable;
use moku::search::{Budget, Engine, Worker};
use reference::{Reference, Rules};
use std::hint::black_box;
use std::time::Instant;

const SIZES: [usize; 3] = [9, 13, 19];

/// One contestant: plays this many games.
type Contestant = (&'static str, Box<dyn FnMut(usize)>);

fn single<G: Game>(n: usize) -> Contestant
where
    Light: Policy<G>,
{
    let start = G::new(Size::new(n).expect("a size"), 6.5);
    let mut rng = Rng::new(1);
    (
        "single",
        Box::new(move |games| {
            (0..games).for_each(|_| {
                black_box(playout::score(&start, &Light, &mut rng));
            })
        }),
    )
}

fn lockstep<G: Game>(n: usize) -> Option<Contestant>
where
    Light: Policy<G>,
{
    let start = G::new(Size::new(n).expect("a size"), 6.5);
    let mut first = 0;
    Light.has_lockstep(&start).then(|| -> Contestant {
        let run = move |games: usize| {
            playout::score_many(
                &Light,
                7,
                first..first + games as u64,
                |_| &start,
                |_, score| {
                    black_box(score);
                },
            );
            first += games as u64;
        };
        ("lockstep", Box::new(run))
    })
}

/// UCT with light playouts on one thread.
fn uct<G: Searchable>(n: usize) -> Contestant {
    let root = G::new(Size::new(n).expect("a size"), 6.5);
    let mut seed = 0;
    let run = move |games: usize| {
        seed += 1;
        let mut moves = Vec::new();
        root.candidates(&mut moves);
        let engine = Engine::parse("uct").expect("a preset");
        let (task, _) = moku::search::prepare(root.clone(), moves, engine, seed, None);
        let search = moku::search::registry::build(task);
        let budget = Budget::playouts(games as u64);
        search.work(&mut Worker::new(&budget, seed, 0));
        black_box(search.report());
    };
    ("uct", Box::new(run))
}

fn yardstick(n: usize, name: &'static str, rules: Rules) -> Contestant {
    let mut reference = Reference::new(n, rules);
    let mut rng = Rng::new(2);
    (
        name,
        Box::new(move |games| {
            (0..games).for_each(|_| {
                black_box(reference.playout(&mut rng));
            })
        }),
    )
}

fn contestants(n: usize) -> Vec<Contestant> {
    let mut all = match n {
        9 => vec![single::<Go9>(n), uct::<Go9>(n)],
        13 => vec![single::<Go14>(n), uct::<Go14>(n)],
        _ => vec![single::<Go21>(n), uct::<Go21>(n)],
    };
    all.extend(if n == 9 { lockstep::<Go9>(n) } else { None });
    all.push(yardstick(n, "go_game_board", Rules::Plain));
    all.push(yardstick(n, "go_game_board, table", Rules::table()));
    all
}

/// Games a block that take a few milliseconds.
fn block(n: usize) -> usize {
    match n {
        9 => 1_000,
        13 => 400,
        _ => 150,
    }
}

/// The yardstick must play by the same rules: its statistics on 9x9 are known.
fn check_reference() {
    for rules in [Rules::Plain, Rules::table()] {
        let (mut reference, mut rng) = (Reference::new(9, rules), Rng::new(5));
        let (mut moves, mut wins) = (0, 0);
        for _ in 0..20_000 {
            let (m, score) = reference.playout(&mut rng);
            moves += m;
            wins += usize::from(score as f32 > 6.5);
        }
        let (moves, wins) = (moves as f64 / 20_000.0, wins as f64 / 20_000.0);
        assert!((moves - 111.0).abs() < 0.6 && (wins - 0.447).abs() < 0.015, "{moves} moves, {wins} wins");
    }
}

fn ratios() {
    check_reference();
    println!("{:<8}{:<24}{:>12}{:>24}{:>24}", "board", "", "playouts/s", "x go_game_board", "x with its table");
    for n in SIZES {
        let mut all = contestants(n);
        let mut best = vec![0.0f64; all.len()];
        for _ in 0..60 {
            for (i, (_, run)) in all.iter_mut().enumerate() {
                let began = Instant::now();
                run(block(n));
                best[i] = best[i].max(block(n) as f64 / began.elapsed().as_secs_f64());
            }
        }
        let (plain, table) = (best[all.len() - 2], best[all.len() - 1]);
        for ((name, _), rate) in all.iter().zip(&best) {
            println!("{:<8}{name:<24}{rate:>12.0}{:>24.2}{:>24.2}", format!("{n}x{n}"), rate / plain, rate / table);
        }
    }
}

fn main() {
    if std::env::args().any(|a| a == "ratios") {
        return ratios();
    }
    let mut criterion = Criterion::default().configure_from_args().sample_size(20);
    for n in SIZES {
        let mut group = criterion.benchmark_group(format!("light {n}x{n}"));
        for (name, mut run) in contestants(n) {
            group.throughput(Throughput::Elements(block(n) as u64));
            group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| run(block(n))));
        }
        group.finish();
    }
    criterion.final_summary();
}
