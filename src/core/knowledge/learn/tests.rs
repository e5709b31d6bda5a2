use super::games::{Game, Games};
use super::*;
use crate::base::{Black, Point};
use crate::game::go::Go9;
use crate::knowledge::dictionary::Dictionary;
use crate::knowledge::features::{LAST, LINE, range};
use crate::knowledge::model::softmax;
use crate::knowledge::tactics::Tactics;
use crate::knowledge::weights;
use std::path::PathBuf;

fn size() -> Size {
    Size::new(5).unwrap()
}

/// Games by a player who chooses by these weights.
fn games_of(model: &Model, count: usize, length: usize) -> Vec<Game> {
    let mut rng = Rng::new(9);
    let mut chances = Vec::new();
    let mut game = || {
        let mut board = Go9::new(size(), 0.0);
        let mut last = [Point::PASS; 2];
        let mut moves = Vec::new();
        for _ in 0..length {
            let position = Tactics::new(&board, last);
            let choices: Vec<Point> =
                board.empty().iter().filter(|&p| board.is_legal(p)).chain([Point::PASS]).collect();
            chances.clear();
            chances.extend(choices.iter().map(|&p| model.score(&position, p)));
            softmax(&mut chances);
            let mut rest = rng.unit() as f32;
            let i = chances.iter().position(|chance| {
                rest -= chance;
                rest < 0.0
            });
            let p = choices[i.unwrap_or(0)];
            moves.push((board.to_play(), p));
            board.play(p);
            last = [p, last[0]];
        }
        Game { set_up: Vec::new(), moves }
    };
    (0..count).map(|_| game()).collect()
}

/// A player who loves nearness to the last move and the third line.
fn teacher() -> Model {
    let mut model = Model::new(Dictionary::new([].into_iter()));
    model.answers[range(LAST)][1] = 2.0;
    model.answers[range(LAST)][2] = 1.0;
    for stage in 0..5 {
        model.answers[range(LINE)][1 + 7 * stage + 2] = 1.5;
    }
    model
}

fn settings() -> Settings {
    Settings { size: size(), games: None, passes: 1, rate: 0.1, often: 5, seed: 1 }
}

fn course(games: usize, settings: Settings) -> Course {
    let games = Games { games: games_of(&teacher(), games, 16), ..Games::default() };
    Course::new(games, settings).unwrap()
}

fn bytes(course: &Course, part: Option<&Path>, threads: usize) -> Vec<u8> {
    let (header, model) = course.run(part, threads, &AtomicBool::new(false), &mut |_| ()).unwrap().unwrap();
    weights::write(&header, &model)
}

#[test]
fn the_weights_that_made_the_games_are_found() {
    let course = course(1500, Settings { often: 250, passes: 3, ..settings() });
    let (header, model) = course.run(None, 1, &AtomicBool::new(false), &mut |_| ()).unwrap().unwrap();
    // Shapes and other features share what a weight explains, so scores are compared, not weights.
    let teacher = teacher();
    let (mut likely, mut gap, mut chances, mut truth) = (0.0, 0.0f32, Vec::new(), Vec::new());
    for game in games_of(&teacher, 20, 16) {
        game.replay::<2, 128>(size(), |board, last, _| {
            let position = Tactics::new(board, last);
            let moves: Vec<Point> = board.empty().iter().filter(|&p| board.is_legal(p)).collect();
            for (model, out) in [(&model, &mut chances), (&teacher, &mut truth)] {
                out.clear();
                out.extend(moves.iter().map(|&p| model.score(&position, p)));
                softmax(out);
            }
            gap += chances.iter().zip(&truth).map(|(a, b)| (a - b).abs()).sum::<f32>();
            likely += 1.0;
        });
    }
    assert!(gap / likely < 0.2, "chances are off by {} a position", gap / likely);
    assert!(header.held_out.moves > 500 && header.held_out.first > 0.2, "{:?}", header.held_out);
}

#[test]
fn threads_change_nothing() {
    let course = course(60, settings());
    assert_eq!(bytes(&course, None, 1), bytes(&course, None, 3));
}

#[test]
fn interrupted_learning_goes_on_to_the_same_weights() {
    let course = course(60, Settings { passes: 2, ..settings() });
    let folder = std::env::temp_dir().join(format!("moku-learn-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let part = folder.join("some.part");
    let mut steps = 0;
    let whole = bytes(&course, None, 1);
    // Stopped after every few steps, in both passes.
    for _ in 0..4 {
        let stop = AtomicBool::new(false);
        let stopped = course.run(Some(&part), 2, &stop, &mut |progress| {
            steps += matches!(progress, Progress::Fitting { .. }) as usize;
            stop.store(steps % 3 == 0 && steps > 0, Relaxed);
        });
        assert!(stopped.unwrap().is_none());
    }
    assert!(steps > 9);
    assert_eq!(bytes(&course, Some(&part), 1), whole);
    let other = self::course(50, settings());
    let refused = other.run(Some(&part), 1, &AtomicBool::new(false), &mut |_| ()).err().unwrap();
    assert!(matches!(&refused, LearnError::OtherSettings(path) if *path == part), "{refused}");
    std::fs::write(&part, b"moku learning 1\nshort").unwrap();
    assert!(course.run(Some(&part), 1, &AtomicBool::new(false), &mut |_| ()).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bad_games_are_told_with_their_place_and_the_good_ones_kept() {
    let folder = std::env::temp_dir().join(format!("moku-games-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("deep")).unwrap();
    let lines = "#kind\tsize\nA\t5\t7.5\tB+1\t-\t-\t-\tB\taabbtt\n\
                 A\t5\t7.5\tB+1\t-\t-\t-\tB\taazz\nA\tfive\nA\t9\t7.5\tB+1\t-\t-\t-\tB\taa\n";
    std::fs::write(folder.join("games.tsv"), lines).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, lines.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    std::fs::write(folder.join("packed.tsv.gz"), &packed).unwrap();
    std::fs::write(folder.join("short.tsv.gz"), &packed[..packed.len() / 2]).unwrap();
    std::fs::write(folder.join("deep/one.sgf"), "(;GM[1]SZ[5]AB[cc];W[aa];B[bb])").unwrap();
    std::fs::write(folder.join("deep/two.sgf"), "no game").unwrap();
    std::fs::write(folder.join("deep/notes.txt"), "no game either").unwrap();

    let games = Games::read(&[folder.clone(), PathBuf::from("no-such-file")], size());
    let text = games.complaints.join("\n");
    assert!(games.kinds["A"] >= 2 && games.kinds["sgf"] == 1 && games.others >= 2, "{:?}", games.kinds);
    for place in [
        "games.tsv, line 3: move 2: 'zz'",
        "games.tsv, line 4: 9 fields",
        "packed.tsv.gz, line 3",
        "short.tsv.gz",
        "two.sgf",
        "no-such-file",
    ] {
        assert!(text.contains(place), "{place} in {text}");
    }
    assert!(!text.contains("notes.txt"));
    let one = games.games.iter().find(|game| !game.set_up.is_empty()).unwrap();
    assert_eq!((one.set_up.len(), one.moves.len(), one.set_up[0].1), (1, 2, Black));
    let line = games.games.iter().find(|game| game.set_up.is_empty()).unwrap();
    assert_eq!(line.moves[0], (Black, size().point(0, 4)));
    assert_eq!(line.moves[2], (Black, Point::PASS));
    assert!(
        Course::new(Games::default(), settings())
            .is_err_and(|e| matches!(e, LearnError::NoGames(size) if size.n() == 5))
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
