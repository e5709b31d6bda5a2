//! Games of Gobang that moku plays against itself to learn from: what its searches found out, position by position.

use super::budget::{Budget, Worker};
use super::puct::Puct;
use super::{Engine, EngineError, Proof, Search, Task, prepare};
use crate::base::rng::mix;
use crate::base::{GameKind, Point, Rng, Size};
use crate::game::Game;
use crate::game::gobang::{Gobang, Rule};
use crate::knowledge::gobang::fit::Sample;

/// How games are played and what is taken from them.
#[derive(Clone, Debug)]
pub struct OwnGames {
    pub engine: Engine,
    pub size: Size,
    pub rule: Rule,
    pub seed: u64,
    /// The part of a position's value that the game's result says; the rest says its search.
    pub result: f32,
}

/// Stones of an opening, each near the middle, and plies after it whose moves are drawn by their playouts.
const OPENING: [u32; 2] = [2, 6];
const MIDDLE: usize = 7;
const DRAWN: usize = 4;
/// An opening is played if neither side has more than this.
const EVEN: f32 = 0.8;
/// Openings that are tried at most.
const TRIES: usize = 50;
/// Visits of a node whose value, and whose moves, are learned from.
const LEAST: u32 = 24;
const LEAST_FOR_MOVES: u32 = 48;
/// Moves after which a game is a draw.
const LONGEST: usize = 150;

impl OwnGames {
    /// Games by this engine line, which must be a tree over lines with a number of playouts.
    pub fn new(line: &str, size: Size, rule: Rule, seed: u64, result: f32) -> Result<OwnGames, String> {
        let engine = Engine::parse_for(GameKind::Gobang, line).map_err(|e: EngineError| e.to_string())?;
        if engine.allocation() != "puct" || engine.params().playouts == 0 {
            return Err(format!("{line} cannot play these games: the engine gobang with playouts=N is expected"));
        }
        Ok(OwnGames { engine, size, rule, seed, result })
    }

    /// The positions of game number i; the same whoever plays it.
    pub fn play(&self, i: u64) -> Vec<Sample> {
        let mut rng = Rng::new(mix(&[self.seed, i]));
        let (mut board, mut samples, mut roots, mut drawn) = (self.opening(&mut rng), Vec::new(), Vec::new(), 0);
        let winner = loop {
            let search = self.search(&board, rng.next_u64());
            let report = search.report();
            let Some(best) = report.best() else { break None };
            roots.push(samples.len());
            samples.extend(search.samples(LEAST, LEAST_FOR_MOVES));
            match best.proof {
                Some(Proof::Win(_)) => break Some(board.to_play()),
                Some(Proof::Loss(_)) => break Some(board.to_play().opponent()),
                None => {}
            }
            let mut point = best.point;
            if drawn < DRAWN {
                drawn += 1;
                let total: u64 = report.moves.iter().map(|m| m.visits).sum();
                let mut left = (rng.unit() * total as f64) as u64;
                let by_chance = report.moves.iter().find(|m| {
                    let is_it = left < m.visits;
                    left = left.saturating_sub(m.visits);
                    is_it
                });
                point = by_chance.map_or(point, |m| m.point);
            }
            board.play(point);
            if board.is_over() || board.stones().len() > LONGEST {
                break board.winner();
            }
        };
        for at in roots {
            let sample = &mut samples[at];
            let result = match winner {
                Some(color) => f32::from(u8::from(color == sample.me)),
                None => 0.5,
            };
            sample.value += self.result * (result - sample.value);
        }
        samples
    }

    /// A few stones near the middle that leave the game open.
    fn opening(&self, rng: &mut Rng) -> Gobang {
        let n = self.size.n();
        let width = MIDDLE.min(n);
        let mut board = Gobang::new(self.size, self.rule);
        for _ in 0..TRIES {
            board = Gobang::new(self.size, self.rule);
            let stones = OPENING[0] + rng.below(OPENING[1] - OPENING[0] + 1);
            while board.stones().len() < stones as usize {
                let mut along = || (n - width) / 2 + rng.below(width as u32) as usize;
                let p = self.size.point(along(), along());
                if board.is_empty_at(p) && (board.stones().is_empty() || board.near(2).contains(p)) {
                    board.play(p);
                }
            }
            let report = self.search(&board, rng.next_u64()).report();
            let is_even = |rate: f32| (1.0 - EVEN..=EVEN).contains(&rate);
            if report.best().is_some_and(|best| best.proof.is_none() && is_even(best.rate)) {
                break;
            }
        }
        board
    }

    fn search(&self, board: &Gobang, seed: u64) -> Puct<Gobang> {
        let mut moves: Vec<Point> = Vec::new();
        board.candidates(&mut moves);
        let (task, _): (Task<Gobang>, _) = prepare(board.clone(), moves, self.engine.clone(), seed, None);
        let search = Puct::new(task);
        let budget = Budget::playouts(self.engine.params().playouts);
        search.work(&mut Worker::new(&budget, seed, 0));
        search
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Color;

    fn games() -> OwnGames {
        OwnGames::new("gobang playouts=120 worth=hand", Size::new(9).unwrap(), Rule::Exact, 5, 0.5).unwrap()
    }

    #[test]
    fn a_game_is_the_same_whoever_plays_it_and_its_positions_are_whole() {
        let game = games().play(3);
        assert_eq!(game, games().play(3));
        assert_ne!(game, games().play(4));
        assert!(game.len() > 5, "{}", game.len());
        for sample in &game {
            let [black, white] = Color::BOTH.map(|color| sample.stones[color.index()].len() as isize);
            assert!(black - white == (sample.me != Color::Black) as isize, "who moves follows from the stones");
            assert!((0.0..=1.0).contains(&sample.value));
            let sum: f64 = sample.shares.iter().map(|s| f64::from(s.1) / 65_535.0).sum();
            assert!(sample.shares.is_empty() || (0.98..1.01).contains(&sum), "{sum}");
            let is_free = |p: Point| sample.stones.iter().all(|stones| !stones.contains(&p));
            assert!(sample.shares.iter().all(|s| is_free(s.0)));
        }
    }

    #[test]
    fn an_engine_that_has_no_such_tree_or_no_playouts_is_refused() {
        let refused = |line: &str| OwnGames::new(line, Size::new(9).unwrap(), Rule::Exact, 1, 0.5).unwrap_err();
        assert!(refused("uct playouts=50").contains("engine gobang"));
        assert!(refused("gobang").contains("playouts=N"));
        assert!(refused("moku playouts=50").contains("go"));
    }
}
