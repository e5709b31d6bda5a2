//! The fuzz targets of `fuzz/` on a stable compiler: files that make sense, cut, spliced and mangled, for a short while each.
//! `MOKU_FUZZ_SECONDS=600 cargo test --release --test fuzz_targets` takes longer. A failure says how to see it again.

#[path = "../fuzz/bodies.rs"]
mod bodies;

use moku::base::Rng;
use moku::gtp::COMMANDS;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

/// Files to start from, each with an ending, in a folder and those below it.
fn files(folder: &str, ending: &str, found: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(path.to_str().unwrap(), ending, found);
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(fs::read(path).unwrap());
        }
    }
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    match target {
        "sgf" => ["sgf/examples", "sgf/fixtures"].iter().for_each(|folder| files(folder, "sgf", &mut found)),
        "tst" => files("gtp-tests", "tst", &mut found),
        "experiment" => files("src/lab/experiments", "toml", &mut found),
        "gtp" => {
            let lines = COMMANDS.chunks(8).map(|some| {
                some.iter().map(|c| format!("{}\n{} b c3\n", c.name, c.name)).collect::<String>().into_bytes()
            });
            found.extend(lines);
        }
        _ => found.extend((0..16).map(|i| (0..200u32).map(|k| (k * (2 * i + 1) + i) as u8).collect())),
    }
    assert!(!found.is_empty(), "{target} has nothing to start from");
    found
}

fn mutated(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let below = |rng: &mut Rng, n: usize| rng.below(n.max(1) as u32) as usize;
    let pick = |rng: &mut Rng| &seeds[below(rng, seeds.len())];
    let mut data = pick(rng).clone();
    for _ in 0..below(rng, 6) {
        let i = below(rng, data.len() + 1);
        match below(rng, 8) {
            0 => data.truncate(i),
            1 => data.insert(i, rng.below(256) as u8),
            2 => data.insert(i, b"\n[](){};=\\\"'#?.-0 \t"[below(rng, 19)]),
            3 if i < data.len() => drop(data.remove(i)),
            4 if i < data.len() => data[i] ^= 1 << rng.below(8),
            5 => drop(data.drain(i..(i + below(rng, 40)).min(data.len()))),
            6 => {
                let other = pick(rng);
                let from = below(rng, other.len());
                let piece = &other[from..(from + below(rng, 200)).min(other.len())];
                data.splice(i..i, piece.iter().copied());
            }
            _ => data.extend_from_within(i..(i + 60).min(data.len())),
        }
    }
    data
}

fn seconds() -> f64 {
    std::env::var("MOKU_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2.0)
}

#[test]
fn no_input_is_the_end() {
    for &(name, run) in bodies::TARGETS {
        let seeds = seeds(name);
        let until = Instant::now() + Duration::from_secs_f64(seconds());
        let mut rng = Rng::new(1);
        let mut tries = 0;
        while tries < 20 || Instant::now() < until {
            let data = mutated(&seeds, &mut rng);
            if catch_unwind(|| run(&data)).is_err() {
                let file = std::env::temp_dir().join(format!("moku-fuzz-{name}"));
                fs::write(&file, &data).unwrap();
                panic!("{name} fell over input {tries}, kept in {}", file.display());
            }
            tries += 1;
        }
        println!("{name}: {tries} inputs");
    }
}
