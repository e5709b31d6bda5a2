//! Learning the weights of playouts: the same fit by likelihood, over few features. It takes a minute or two, so nothing is kept
//! when it is stopped.

use super::fit::{Examples, Figures, Fit, Weights};
use super::games::{Game, Games};
use super::{CHUNK, Course, LearnError, Settings, learn};
use crate::base::Rng;
use crate::base::rng::mix;
use crate::game::go::Board;
use crate::knowledge::local::{self, SELF_ATARI, TACTICS, patterns, seen_by, size_class};
use crate::knowledge::local_weights::{LocalFile, LocalWeights};
use crate::knowledge::weights::HeldOut;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

impl Weights for LocalWeights {
    fn count(&self) -> usize {
        self.all().len()
    }

    #[inline(always)]
    fn weight(&self, feature: u32) -> f32 {
        self.all()[feature as usize]
    }

    #[inline(always)]
    fn change(&mut self, feature: u32, by: f32) {
        self.all_mut()[feature as usize] += by;
    }
}

/// The features of the moves that a playout may make, and those moves.
pub fn features<const W: usize, const P: usize>(board: &Board<W, P>) -> Vec<(crate::base::Point, Vec<u32>)> {
    let me = board.to_play();
    let mut moves = Vec::new();
    board.sensible_moves(&mut moves);
    let mut found: Vec<_> = moves
        .into_iter()
        .map(|p| {
            let mut features = vec![(TACTICS + patterns().number(seen_by(board.neighbourhood(p), me))) as u32];
            if board.is_self_atari(p, me) {
                features.push((SELF_ATARI + size_class(board.after_stone(p, me).stones)) as u32);
            }
            (p, features)
        })
        .collect();
    local::visit(board, |p, feature| {
        if let Some((_, features)) = found.iter_mut().find(|(q, _)| *q == p) {
            features.push(feature as u32);
        }
    });
    found
}

fn examples<const W: usize, const P: usize>(games: &[&Game], settings: &Settings) -> Vec<Examples> {
    let of = |game: &&Game| {
        let mut examples = Examples::default();
        game.replay::<W, P>(settings.size, |board: &Board<W, P>, _, played| {
            let found = features(board);
            // A playout neither passes while there are moves nor fills its eyes.
            if let Some(target) = found.iter().position(|(p, _)| *p == played) {
                let moves: Vec<_> = found.iter().map(|(p, _)| *p).collect();
                let mut next = found.iter();
                examples.add_position(&moves, moves[target], |_, out| {
                    out.extend(next.next().iter().flat_map(|(_, features)| features.iter().copied()));
                });
            }
        });
        examples
    };
    games.iter().map(of).collect()
}

/// Learns from games; none if `stop` was set. `progress` hears how many games of all passes are done, and of how many.
pub fn run(
    games: Games,
    settings: Settings,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Option<LocalFile>, LearnError> {
    let course = Course::new(games, settings)?;
    match course.settings.size.n() {
        0..=9 => fit::<2, 128>(&course, stop, progress),
        10..=14 => fit::<4, 256>(&course, stop, progress),
        15..=21 => fit::<8, 512>(&course, stop, progress),
        _ => fit::<16, 1024>(&course, stop, progress),
    }
}

fn fit<const W: usize, const P: usize>(
    course: &Course,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Option<LocalFile>, LearnError> {
    let Course { settings, training, held_out, kinds } = course;
    let mut fit = Fit::new(LocalWeights::zero(), settings.rate);
    let mut done = 0;
    for pass in 0..settings.passes as u64 {
        let mut order: Vec<&Game> = training.iter().collect();
        Rng::new(mix(&[settings.seed, 3, pass])).shuffle(&mut order);
        for (i, chunk) in order.chunks(CHUNK).enumerate() {
            if stop.load(Relaxed) {
                return Ok(None);
            }
            learn(&mut fit, &examples::<W, P>(chunk, settings), mix(&[settings.seed, 4, pass, i as u64]));
            done += chunk.len();
            progress(done, training.len() * settings.passes);
        }
    }
    let held: Vec<&Game> = held_out.iter().collect();
    let mut figures = Figures::default();
    examples::<W, P>(&held, settings).iter().for_each(|examples| figures.add(&fit.model, examples));
    Ok(Some(LocalFile {
        size: settings.size.n(),
        games: training.len(),
        kinds: kinds.clone(),
        passes: settings.passes,
        seed: settings.seed,
        held_out: HeldOut::new(held_out.len(), &figures),
        balanced: None,
        weights: fit.model,
    }))
}
