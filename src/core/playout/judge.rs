//! Who owns what: dead stones and territory, found by playouts.
//!
//! A point belongs to the colour that has it at the end of most playouts. A chain is dead when its points end up with
//! the opponent, alive when they stay, and unclear in between. The count then takes dead stones off and gives each
//! empty region to the colour that alone surrounds it.

use crate::base::rng::mix;
use crate::base::{Color, Point, Rng};
use crate::game::Game;
use crate::playout::Policy;
use crate::playout::count::{Count, Counting};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Alive,
    Dead,
    Unclear,
}

/// How far ownership (-1 to 1, from the owner's side) must go to call a chain alive or dead.
const SURE: f32 = 0.25;

/// Playouts that a finished game is judged by where there is no time to read.
const QUICK_PLAYOUTS: usize = 600;

pub struct Judgement<G> {
    position: G,
    /// By point index, +1 = always Black's, -1 = always White's.
    ownership: Vec<f32>,
}

impl<G: Game> Judgement<G> {
    /// Judges a position by playouts, half of them with each side moving first. Only its stones count: who moved last, and
    /// whether somebody has passed, changes nothing, so that a pass is judged as the game will be counted after it.
    pub fn new(position: &G, policy: &dyn Policy<G>, playouts: usize, seed: u64) -> Self {
        let mut sums = vec![0i32; 1024];
        let start = stones_alone(position);
        for i in 0..playouts {
            let mut end = start.clone();
            end.set_to_play(Color::BOTH[i % 2]);
            policy.play_out(&mut end, &mut Rng::new(mix(&[seed, i as u64])), None);
            end.owners(&mut |p, color| sums[p.index()] += color.sign() as i32);
        }
        Judgement::by(position, sums.iter().map(|&s| s as f32 / playouts.max(1) as f32).collect())
    }

    /// Judges a position by what somebody found out about its points.
    pub fn by(position: &G, ownership: Vec<f32>) -> Self {
        Judgement { position: position.clone(), ownership }
    }

    /// The same for the same stones, and quick: what playouts alone say of a finished game.
    pub fn by_playouts(position: &G, policy: &dyn Policy<G>) -> Self {
        Judgement::new(position, policy, QUICK_PLAYOUTS, mix(&[position.hash()]))
    }

    /// +1 = always Black's, -1 = always White's.
    pub fn ownership(&self, p: Point) -> f32 {
        self.ownership[p.index()]
    }

    /// The fate of the chain on a point.
    pub fn status(&self, p: Point) -> Option<Status> {
        let color = self.position.color_at(p)?;
        Some(match self.mean(color, &self.position.chain_at(p)) {
            m if m > SURE => Status::Alive,
            m if m < -SURE => Status::Dead,
            _ => Status::Unclear,
        })
    }

    /// Chains of a status, by the smallest index of their points.
    pub fn chains(&self, wanted: impl Fn(Status) -> bool) -> Vec<Vec<Point>> {
        let mut seen = vec![false; 1024];
        let mut found = Vec::new();
        for p in self.position.size().points() {
            if self.position.color_at(p).is_some() && !seen[p.index()] {
                let chain = self.position.chain_at(p);
                chain.iter().for_each(|q| seen[q.index()] = true);
                if self.status(p).is_some_and(&wanted) {
                    found.push(chain);
                }
            }
        }
        found
    }

    /// Is there a chain whose points are not so surely somebody's?
    pub fn is_in_doubt(&self, sure: f32) -> bool {
        let is_open = |chain: &Vec<Point>| self.mean(Color::Black, chain).abs() < sure;
        self.chains(|_| true).iter().any(is_open)
    }

    /// The count with every chain taken for what it most probably is, as players would agree on it.
    pub fn settled(&self, counting: Counting) -> Count {
        self.count(counting, |_, mean| mean <= 0.0)
    }

    /// The count if everything unclear goes against a colour.
    pub fn worst_for(&self, color: Color, counting: Counting) -> Count {
        self.count(counting, |owner, mean| mean < if owner == color { SURE } else { -SURE })
    }

    /// The board with dead stones taken off, counted; dead is told by colour and mean ownership from its side.
    fn count(&self, counting: Counting, is_dead: impl Fn(Color, f32) -> bool) -> Count {
        let mut grid: Vec<Option<Color>> = vec![None; 1024];
        for chain in self.chains(|_| true) {
            if let Some(color) = self.position.color_at(chain[0])
                && !is_dead(color, self.mean(color, &chain))
            {
                chain.iter().for_each(|q| grid[q.index()] = Some(color));
            }
        }
        Count::new(self.position.size(), &grid, counting)
    }

    /// Mean ownership of a chain from its own side.
    fn mean(&self, color: Color, chain: &[Point]) -> f32 {
        chain.iter().map(|&q| self.ownership(q)).sum::<f32>() / chain.len() as f32 * color.sign()
    }
}

/// The stones of a position without its history: no ko, nobody has passed.
pub fn stones_alone<G: Game>(position: &G) -> G {
    let stones: Vec<(Point, Color)> =
        position.size().points().filter_map(|p| Some((p, position.color_at(p)?))).collect();
    let mut alone = position.cleared();
    alone.set_stones(&stones);
    alone
}

/// The count when the players have agreed on what is dead.
pub fn agreed<G: Game>(position: &G, dead: &[Point], counting: Counting) -> Count {
    let mut grid: Vec<Option<Color>> = vec![None; 1024];
    for p in position.size().points().filter(|p| !dead.contains(p)) {
        grid[p.index()] = position.color_at(p);
    }
    Count::new(position.size(), &grid, counting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::game::go::{Go9, SlowBoard};
    use crate::playout::light::{self, Light};

    const AREA: Counting = Counting::area(0.5);

    fn judge(picture: &str) -> Judgement<Go9> {
        let slow = SlowBoard::from_picture(picture);
        let mut board = Go9::new(slow.size, 0.5);
        assert!(board.set_stones(slow.size.points().filter_map(|p| Some((p, slow.at(p)?)))));
        Judgement::new(&board, &Light, 500, 1)
    }

    #[test]
    fn a_stone_alone_in_enemy_territory_is_dead_and_walls_live() {
        let judged = judge(
            ". . . . X O . . .
             . O . . X O . . .
             . . . . X O . . .
             . . . . X O . . .
             . . . . X O . . .
             . . . . X O . X .
             X X X X X O . . .
             . X O O O O . . .
             . X O . . . . . .",
        );
        let size = judged.position.size();
        let at = |v: &str| size.point_from_gtp(v).unwrap();
        assert_eq!(judged.status(at("B8")), Some(Status::Dead));
        assert_eq!(judged.status(at("H4")), Some(Status::Dead));
        assert_eq!(judged.status(at("E9")), Some(Status::Alive));
        assert_eq!(judged.status(at("F9")), Some(Status::Alive));
        assert_eq!(judged.status(at("A9")), None);
        // Black 5 x 6 + 5 + 4, White the rest: 39 to 42, and half a point of komi.
        assert_eq!(judged.settled(AREA).score, -3.5);
        assert_eq!(agreed(&judged.position, &[at("B8"), at("H4")], AREA).score, -3.5);
        // With both taken for alive nobody has what lies around them.
        assert_eq!(agreed(&judged.position, &[], AREA).dame(size).count(), 23 + 29);
        assert_eq!(judged.settled(AREA).dame(size).count(), 0);
    }

    #[test]
    fn with_nothing_dead_the_count_is_the_area_score() {
        for seed in 0..50 {
            let mut board = Go9::new(Size::new(9).unwrap(), 7.5);
            light::play_out(&mut board, &mut Rng::new(seed));
            let judged = Judgement::new(&board, &Light, 50, seed);
            if judged.chains(|s| s != Status::Alive).is_empty() {
                assert_eq!(judged.settled(Counting::area(7.5)).score, Game::score(&board));
            }
        }
    }
}
