//! Score and ownership after each move of a search: playouts from the end of the line that the search expects.
//!
//! There are too many moves to look at all of them whenever somebody asks, so what was seen is kept: each look renews the
//! best moves, then those that were never looked at, for as long as it may take. Until its turn comes a move has the
//! outlook of the position itself.

use super::Progress;
use crate::base::Point;
use crate::playout::outlook::Outlook;
use crate::search::MoveStats;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The moves that are renewed at every look.
const BEST: usize = 12;
/// About so many moves are made in the playouts for one move.
const PLIES: usize = 16_000;

#[derive(Default)]
pub struct Outlooks {
    position: Option<Outlook>,
    of_moves: HashMap<Point, Outlook>,
}

impl Outlooks {
    /// Of a position that needs no looking at moves.
    pub fn known(position: Outlook) -> Outlooks {
        Outlooks { position: Some(position), of_moves: HashMap::new() }
    }

    /// Looks at moves, the best first, for about this long. The position and the best move are looked at however slow the
    /// machine is.
    pub fn look(&mut self, progress: &dyn Progress, moves: &[&MoveStats], area: usize, patience: Duration) {
        let until = Instant::now() + patience;
        let playouts = (PLIES / area.max(1)).clamp(16, 400);
        self.position.get_or_insert_with(|| progress.outlook(&[], playouts));
        let (best, others) = moves.split_at(moves.len().min(BEST));
        let unseen = others.iter().filter(|m| !self.of_moves.contains_key(&m.point)).copied();
        let in_turn: Vec<&MoveStats> = best.iter().copied().chain(unseen).collect();
        for (order, stats) in in_turn.into_iter().enumerate() {
            if order > 0 && Instant::now() >= until {
                break;
            }
            let playouts = if order < BEST { playouts } else { playouts.div_ceil(8) };
            self.of_moves.insert(stats.point, progress.outlook(&stats.pv, playouts));
        }
    }

    /// What is known of a move.
    pub fn of(&self, point: Point) -> Option<&Outlook> {
        self.of_moves.get(&point).or(self.position.as_ref())
    }

    pub fn of_position(&self) -> Option<&Outlook> {
        self.position.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Report;
    use std::cell::RefCell;

    /// Notes the lines it is asked about.
    struct Noting(RefCell<Vec<Vec<Point>>>);

    impl Progress for Noting {
        fn report(&self) -> Report {
            Report { moves: Vec::new(), nodes: 0 }
        }

        fn outlook(&self, line: &[Point], _: usize) -> Outlook {
            self.0.borrow_mut().push(line.to_vec());
            Outlook { score: line.len() as f32, deviation: 0.0, ownership: Vec::new() }
        }

        fn is_done(&self) -> bool {
            false
        }
    }

    #[test]
    fn every_move_has_an_outlook_at_once_and_its_own_in_time() {
        let size = crate::base::Size::new(9).unwrap();
        let stats: Vec<MoveStats> = size.points().map(|p| MoveStats::new(p, vec![p])).collect();
        let moves: Vec<&MoveStats> = stats.iter().collect();
        let (mut outlooks, progress) = (Outlooks::default(), Noting(RefCell::default()));
        outlooks.look(&progress, &moves, 81, Duration::ZERO);
        assert_eq!(progress.0.borrow().len(), 2, "the position and the best move");
        assert!(size.points().all(|p| outlooks.of(p).is_some()));
        assert_eq!(outlooks.of(moves[0].point).unwrap().score, 1.0);
        assert_eq!(outlooks.of(moves[80].point).unwrap().score, 0.0, "that of the position");
        outlooks.look(&progress, &moves, 81, Duration::from_secs(60));
        assert!(size.points().all(|p| outlooks.of(p).unwrap().score == 1.0));
        progress.0.borrow_mut().clear();
        outlooks.look(&progress, &moves, 81, Duration::from_secs(60));
        assert_eq!(progress.0.borrow().len(), BEST, "only the best are looked at again");
    }
}
