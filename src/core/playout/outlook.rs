//! What a position leads to: score and ownership at the end of playouts from it.

use crate::base::Rng;
use crate::base::rng::mix;
use crate::game::Game;
use crate::playout::Policy;

/// The mean over some playouts, from Black's side.
#[derive(Clone, PartialEq, Debug)]
pub struct Outlook {
    pub score: f32,
    /// Standard deviation of the score.
    pub deviation: f32,
    /// By point index, +1 = always Black's, -1 = always White's.
    pub ownership: Vec<f32>,
}

impl Outlook {
    pub fn new<G: Game>(position: &G, policy: &dyn Policy<G>, playouts: usize, seed: u64) -> Outlook {
        let mut owners = vec![0i32; 1024];
        let (mut sum, mut squares) = (0.0, 0.0);
        let playouts = playouts.max(1);
        for i in 0..playouts {
            let mut end = position.clone();
            policy.play_out(&mut end, &mut Rng::new(mix(&[seed, i as u64])), None);
            let score = end.score() as f64;
            sum += score;
            squares += score * score;
            end.owners(&mut |p, color| owners[p.index()] += color.sign() as i32);
        }
        let n = playouts as f64;
        let mean = sum / n;
        Outlook {
            score: mean as f32,
            deviation: (squares / n - mean * mean).max(0.0).sqrt() as f32,
            ownership: owners.iter().map(|&s| s as f32 / playouts as f32).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::game::go::{Go9, SlowBoard};
    use crate::playout::light::Light;

    #[test]
    fn ownership_adds_up_to_the_score_and_walls_stay() {
        let slow = SlowBoard::from_picture(
            ". . X O .
             . . X O .
             . . X O .
             . . X O .
             . . X O .",
        );
        let mut board = Go9::new(Size::new(5).unwrap(), 2.5);
        assert!(board.set_stones(slow.size.points().filter_map(|p| Some((p, slow.at(p)?)))));
        let outlook = Outlook::new(&board, &Light, 200, 1);
        let area: f32 = slow.size.points().map(|p| outlook.ownership[p.index()]).sum();
        assert!((area - 2.5 - outlook.score).abs() < 1e-3, "{area} {}", outlook.score);
        let at = |v: &str| outlook.ownership[slow.size.point_from_gtp(v).unwrap().index()];
        assert!(at("C3") > 0.5 && at("D3") < -0.2, "{} {}", at("C3"), at("D3"));
        assert!(outlook.deviation > 0.0);
    }
}
