//! The door for searches: how likely a strong player would choose each move.

use super::model::{Model, softmax};
use super::tactics::Tactics;
use super::weights::{self, Files, Header, WeightsError};
use crate::base::{Point, Size};
use crate::game::go::Board;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Learned weights of moves in Go.
pub struct Patterns {
    pub header: Header,
    model: Model,
}

/// Boards up to this size have the weights learned on 9x9.
pub const SMALL: usize = 11;

static EMBEDDED: [LazyLock<Arc<Patterns>>; 2] = [
    LazyLock::new(|| embedded(include_bytes!("weights/go9.weights.gz"))),
    LazyLock::new(|| embedded(include_bytes!("weights/go19.weights.gz"))),
];

fn embedded(bytes: &[u8]) -> Arc<Patterns> {
    match weights::read(bytes) {
        Ok((header, model)) => Arc::new(Patterns { header, model }),
        Err(fault) => unreachable!("the weights of the program: {fault}"), // a test reads them
    }
}

impl Patterns {
    /// The weights that come with the program.
    pub fn embedded(size: Size) -> Arc<Patterns> {
        EMBEDDED[(size.n() > SMALL) as usize].clone()
    }

    pub fn load(path: &Path) -> Result<Patterns, WeightsError> {
        let (header, model) = weights::load(path)?;
        Ok(Patterns { header, model })
    }

    /// Those of a file, which is read once.
    pub fn shared(path: &str) -> Result<Arc<Patterns>, WeightsError> {
        static FILES: Files<Patterns> = Files::new();
        FILES.get(path, || Patterns::load(Path::new(path)))
    }

    /// Replaces `out` by the probability of each of these moves, which are legal, among these moves; `last` is the move just
    /// played and the one before, `PASS` where there is none.
    pub fn rate<const W: usize, const P: usize>(
        &self,
        board: &Board<W, P>,
        last: [Point; 2],
        moves: &[Point],
        out: &mut Vec<f32>,
    ) {
        let position = Tactics::new(board, last);
        out.clear();
        out.extend(moves.iter().map(|&p| self.model.score(&position, p)));
        softmax(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use crate::game::go::{Go9, Go14, Go21, Go25};

    fn chances_are_chances<const W: usize, const P: usize>(mut board: Board<W, P>) {
        let patterns = Patterns::embedded(board.size());
        let mut rng = Rng::new(3);
        let (mut moves, mut out, mut last) = (Vec::new(), Vec::new(), [Point::PASS; 2]);
        for _ in 0..board.size().area() {
            board.sensible_moves(&mut moves);
            moves.push(Point::PASS);
            patterns.rate(&board, last, &moves, &mut out);
            assert_eq!(out.len(), moves.len());
            assert!((out.iter().sum::<f32>() - 1.0).abs() < 1e-4 && out.iter().all(|&chance| chance >= 0.0));
            last = [board.play_random(&mut rng), last[0]];
        }
        patterns.rate(&board, last, &[], &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn every_size_has_weights_that_rate_every_position() {
        let size = |n| Size::new(n).unwrap();
        [2, 5, 9].into_iter().for_each(|n| chances_are_chances(Go9::new(size(n), 0.0)));
        chances_are_chances(Go14::new(size(13), 0.0));
        chances_are_chances(Go21::new(size(19), 0.0));
        chances_are_chances(Go25::new(size(25), 0.0));
    }

    #[test]
    fn the_first_move_on_19x19_is_in_a_corner_and_answers_are_near() {
        let size = Size::new(19).unwrap();
        let patterns = Patterns::embedded(size);
        let mut board = Go21::new(size, 0.0);
        let moves: Vec<Point> = size.points().collect();
        let mut out = Vec::new();
        patterns.rate(&board, [Point::PASS; 2], &moves, &mut out);
        let best = (0..moves.len()).max_by(|&a, &b| out[a].total_cmp(&out[b])).map(|i| size.xy(moves[i]));
        let corner = [2, 3, 15, 16];
        assert!(best.is_some_and(|(x, y)| corner.contains(&x) && corner.contains(&y)), "{best:?}");
        // Saving a stone put into atari is among the first things to think of, beside the open corners.
        let gtp = |text: &str| size.point_from_gtp(text).unwrap();
        let played = ["K10", "K11", "D4", "J10", "D16", "L10"].map(gtp);
        played.into_iter().for_each(|p| board.play(p));
        let moves: Vec<Point> = board.empty().iter().collect();
        patterns.rate(&board, [played[5], played[4]], &moves, &mut out);
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by(|&a, &b| out[b].total_cmp(&out[a]));
        let rank = order.iter().position(|&i| moves[i] == gtp("K9"));
        assert!(rank.is_some_and(|rank| rank < 10), "{rank:?}");
    }
}
