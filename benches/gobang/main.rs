//! Gobang playouts in one run: moku's policies, its searches, and a plain mailbox that blocks fours as the yardstick.
//!
//! `cargo bench --bench gobang` runs it under criterion, `cargo bench --bench gobang -- ratios` prints the ratios alone:
//! the contestants take turns in short blocks timed by the processor's clock, and each counts with its best block, since
//! machines are shared.

mod reference;

use cpu_time::ThreadTime;
use criterion::{BenchmarkId, Criterion, Throughput};
use moku::base::{GameKind, Rng, Size};
use moku::game::Game;
use moku::game::gobang::{Gobang, Rule};
use moku::playout::{self, Choice, Playable};
use moku::search::{Budget, Engine, Worker};
use reference::Mailbox;
use std::hint::black_box;

const SIZES: [usize; 3] = [10, 15, 20];
/// Playouts a block: a few milliseconds.
const BLOCK: usize = 2_000;

/// One contestant: plays this many games.
type Contestant = (&'static str, Box<dyn FnMut(usize)>);

fn start(n: usize) -> Gobang {
    Gobang::new(Size::new(n).expect("a size"), Rule::Exact)
}

fn playouts(n: usize, name: &'static str, choice: Choice) -> Contestant {
    let (start, mut rng) = (start(n), Rng::new(1));
    let policy = Gobang::policy(choice).expect("a policy of Gobang");
    let run = move |games: usize| {
        (0..games).for_each(|_| {
            black_box(playout::score(&start, &*policy, &mut rng));
        })
    };
    (name, Box::new(run))
}

fn search(n: usize, name: &'static str, line: &'static str) -> Contestant {
    let mut root = start(n);
    // Not from the empty board, where the strong preset has but one move to think about.
    root.play(root.size().point(n / 2, n / 2));
    let mut seed = 0;
    let run = move |games: usize| {
        seed += 1;
        let mut moves = Vec::new();
        root.candidates(&mut moves);
        let engine = Engine::parse_for(GameKind::Gobang, line).expect("an engine line");
        let (task, _) = moku::search::prepare(root.clone(), moves, engine, seed, None);
        let search = moku::search::registry::build(task);
        search.work(&mut Worker::new(&Budget::playouts(games as u64), seed, 0));
        black_box(search.report());
    };
    (name, Box::new(run))
}

fn mailbox(n: usize) -> Contestant {
    let (mut board, mut rng) = (Mailbox::new(n), Rng::new(2));
    let run = move |games: usize| {
        (0..games).for_each(|_| {
            black_box(board.playout(&mut rng));
        })
    };
    ("mailbox, block-four", Box::new(run))
}

/// The yardstick is the last.
fn contestants(n: usize) -> Vec<Contestant> {
    vec![
        playouts(n, "block-four", Choice::BlockFour),
        playouts(n, "light", Choice::Light),
        playouts(n, "decisive", Choice::Decisive),
        search(n, "uct", "uct"),
        search(n, "shot", "shot"),
        search(n, "gobang-uct", "gobang-uct"),
        search(n, "gobang", "gobang"),
        mailbox(n),
    ]
}

/// The yardstick plays the same game: the same length and results, within what chance does.
fn check_reference(n: usize) {
    let games = 20_000;
    let (mut mailbox, mut rng) = (Mailbox::new(n), Rng::new(5));
    let theirs: Vec<(f64, f64)> =
        (0..games).map(|_| mailbox.playout(&mut rng)).map(|(m, w)| (m as f64, w as f64)).collect();
    let policy = Gobang::policy(Choice::BlockFour).expect("a policy of Gobang");
    let ours = (0..games).map(|_| {
        let mut board = start(n);
        let moves = policy.play_out(&mut board, &mut rng, None);
        (moves as f64, Game::score(&board) as f64)
    });
    let ours: Vec<(f64, f64)> = ours.collect();
    for (what, of) in [("moves", (|g: &(f64, f64)| g.0) as fn(&(f64, f64)) -> f64), ("result", |g| g.1)] {
        let moments = |games: &[(f64, f64)]| {
            let mean = games.iter().map(of).sum::<f64>() / games.len() as f64;
            let variance = games.iter().map(|g| (of(g) - mean).powi(2)).sum::<f64>() / games.len() as f64;
            (mean, variance / games.len() as f64)
        };
        let ((a, va), (b, vb)) = (moments(&ours), moments(&theirs));
        assert!((a - b).abs() < 5.0 * (va + vb).sqrt(), "{n}x{n} {what}: {a} here, {b} on the mailbox");
    }
}

fn ratios() {
    println!("{:<8}{:<24}{:>12}{:>12}", "board", "", "playouts/s", "x mailbox");
    for n in SIZES {
        check_reference(n);
        let mut all = contestants(n);
        let mut best = vec![0.0f64; all.len()];
        for _ in 0..40 {
            for (i, (_, run)) in all.iter_mut().enumerate() {
                let began = ThreadTime::now();
                run(BLOCK);
                best[i] = best[i].max(BLOCK as f64 / began.elapsed().as_secs_f64());
            }
        }
        let yardstick = best[all.len() - 1];
        for ((name, _), rate) in all.iter().zip(&best) {
            println!("{:<8}{name:<24}{rate:>12.0}{:>12.2}", format!("{n}x{n}"), rate / yardstick);
        }
    }
}

fn main() {
    if std::env::args().any(|a| a == "ratios") {
        return ratios();
    }
    let mut criterion = Criterion::default().configure_from_args().sample_size(20);
    for n in SIZES {
        let mut group = criterion.benchmark_group(format!("gobang {n}x{n}"));
        for (name, mut run) in contestants(n) {
            group.throughput(Throughput::Elements(BLOCK as u64));
            group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| run(BLOCK)));
        }
        group.finish();
    }
    criterion.final_summary();
}
