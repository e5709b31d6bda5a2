//! A game as it was played: every position, so that undo is a step back and superko a comparison.

use super::Game;
use super::rules::Ko;
use crate::base::{Color, Point, Size};
use std::collections::HashMap;

/// A game has no more moves: every position is kept, and no game that means something is a tenth as long.
pub const MOST_MOVES: usize = 20_000;

/// Why a move was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    Occupied,
    Ko,
    Suicide,
    Superko,
    GameOver,
    TooLong,
}

impl Illegal {
    pub fn reason(self) -> &'static str {
        match self {
            Illegal::Occupied => "the point is occupied",
            Illegal::Ko => "ko",
            Illegal::Suicide => "suicide",
            Illegal::Superko => "the position would repeat (superko)",
            Illegal::GameOver => "the game is over",
            Illegal::TooLong => "a game has at most 20000 moves",
        }
    }
}

#[derive(Clone)]
pub struct Record<G> {
    /// The start and the position after each move; never empty.
    positions: Vec<G>,
    /// How often each position came, by its hash, with each side to move.
    seen: HashMap<u64, [u32; 2]>,
    /// Which positions may not come again.
    ko: Ko,
    moves: Vec<(Color, Point)>,
    handicap: usize,
}

impl<G: Game> Record<G> {
    pub fn new(size: Size, komi: f32) -> Self {
        Record::from(G::new(size, komi))
    }

    /// A game that starts from this position.
    pub fn from(start: G) -> Self {
        let mut record =
            Record { seen: HashMap::new(), ko: Ko::Positional, positions: Vec::new(), moves: Vec::new(), handicap: 0 };
        record.count(&start, true);
        record.positions.push(start);
        record
    }

    fn count(&mut self, position: &G, comes: bool) {
        let count = self.seen.entry(position.hash()).or_default();
        let side = &mut count[position.to_play().index()];
        *side = if comes { *side + 1 } else { *side - 1 };
        if *count == [0; 2] {
            self.seen.remove(&position.hash());
        }
    }

    /// Has the game had this position, whoever was to move?
    pub fn has_seen(&self, position: &G) -> bool {
        self.seen.contains_key(&position.hash())
    }

    pub fn set_ko(&mut self, ko: Ko) {
        self.ko = ko;
    }

    pub fn set_suicide(&mut self, is_allowed: bool) {
        self.positions.iter_mut().for_each(|position| position.set_suicide(is_allowed));
    }

    /// How many more stones than White Black has put on the board, those of the start counted.
    pub fn stones_ahead(&self) -> i32 {
        let start = self.start();
        let set_up = start.size().points().filter_map(|p| start.color_at(p));
        let played = self.moves.iter().filter(|(_, p)| !p.is_pass()).map(|&(color, _)| color);
        set_up.chain(played).map(|color| color.sign() as i32).sum()
    }

    pub fn position(&self) -> &G {
        self.positions.last().expect("a record has a start")
    }

    /// The position before the first move: empty, or as it was set up.
    pub fn start(&self) -> &G {
        &self.positions[0]
    }

    pub fn moves(&self) -> &[(Color, Point)] {
        &self.moves
    }

    /// Handicap stones placed before the first move.
    pub fn handicap(&self) -> usize {
        self.handicap
    }

    pub fn is_empty(&self) -> bool {
        let position = self.position();
        self.moves.is_empty() && position.size().points().all(|p| position.color_at(p).is_none())
    }

    /// How many of the latest moves were passes.
    pub fn passes(&self) -> usize {
        self.moves.iter().rev().take_while(|(_, p)| p.is_pass()).count()
    }

    /// The position with this colour to move, ko and all.
    pub fn position_for(&self, color: Color) -> G {
        let mut position = self.position().clone();
        position.set_to_play(color);
        position
    }

    pub fn check(&self, color: Color, p: Point) -> Result<G, Illegal> {
        let mut position = self.position_for(color);
        if !p.is_pass() && position.color_at(p).is_some() {
            return Err(Illegal::Occupied);
        }
        if !position.is_legal(p) {
            // The same move without the memory of the last one tells ko from suicide.
            let mut fresh = position.clone();
            fresh.set_to_play(color.opponent());
            fresh.set_to_play(color);
            return Err(match () {
                _ if position.is_over() => Illegal::GameOver,
                _ if fresh.is_legal(p) => Illegal::Ko,
                _ => Illegal::Suicide,
            });
        }
        position.play(p);
        let repeats = match self.ko {
            Ko::Simple => false,
            Ko::Positional => self.has_seen(&position),
            Ko::Situational => {
                self.seen.get(&position.hash()).is_some_and(|count| count[position.to_play().index()] > 0)
            }
        };
        if !p.is_pass() && repeats {
            return Err(Illegal::Superko);
        }
        Ok(position)
    }

    /// Plays a move of either colour; refused moves change nothing.
    pub fn play(&mut self, color: Color, p: Point) -> Result<(), Illegal> {
        let position = self.check(color, p)?;
        if self.moves.len() >= MOST_MOVES {
            return Err(Illegal::TooLong);
        }
        self.count(&position, true);
        self.positions.push(position);
        self.moves.push((color, p));
        Ok(())
    }

    pub fn undo(&mut self) -> Option<(Color, Point)> {
        let last = self.moves.pop()?;
        if let Some(position) = self.positions.pop() {
            self.count(&position, false);
        }
        Some(last)
    }

    /// Starts over from a set-up position; false, and nothing changes, if it is none.
    pub fn set_up(&mut self, stones: &[(Point, Color)], to_play: Color, handicap: usize) -> bool {
        let mut start = self.position().cleared();
        if !start.set_stones(stones) {
            return false;
        }
        start.set_to_play(to_play);
        *self = Record { handicap, ko: self.ko, ..Record::from(start) };
        true
    }

    /// Decides who moves next without a move.
    pub fn set_to_play(&mut self, color: Color) {
        let Some(mut last) = self.positions.pop() else { return };
        self.count(&last, false);
        last.set_to_play(color);
        self.count(&last, true);
        self.positions.push(last);
    }

    pub fn set_komi(&mut self, komi: f32) {
        self.positions.iter_mut().for_each(|position| position.set_komi(komi));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Black, Rng, White};
    use crate::game::go::{Go9, SlowBoard};
    use std::collections::HashSet;

    fn record(picture: &str, to_play: Color) -> Record<Go9> {
        let slow = SlowBoard::from_picture(picture);
        let stones: Vec<_> = slow.size.points().filter_map(|p| Some((p, slow.at(p)?))).collect();
        let mut record = Record::new(slow.size, 0.0);
        assert!(record.set_up(&stones, to_play, 0));
        record
    }

    fn at(record: &Record<Go9>, vertex: &str) -> Point {
        record.position().size().point_from_gtp(vertex).unwrap()
    }

    #[test]
    fn ko_suicide_and_occupied_points_are_told_apart_and_change_nothing() {
        let mut game = record(
            ". X O . .
             X O . O .
             . X O . .
             . . . . X
             . . . X .",
            Black,
        );
        game.play(Black, at(&game, "C4")).unwrap();
        assert_eq!(game.play(White, at(&game, "B4")), Err(Illegal::Ko));
        assert_eq!(game.play(White, at(&game, "C4")), Err(Illegal::Occupied));
        assert_eq!(game.play(White, at(&game, "E1")), Err(Illegal::Suicide));
        assert_eq!(game.moves().len(), 1);
        game.play(White, at(&game, "A1")).unwrap();
        game.play(Black, at(&game, "A2")).unwrap();
        assert_eq!(game.play(White, at(&game, "B4")), Ok(()), "after an exchange elsewhere the ko may be retaken");
    }

    #[test]
    fn no_position_ever_repeats_and_undo_reaches_the_start() {
        let size = Size::new(3).unwrap();
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut game = Record::<Go9>::new(size, 0.0);
            let mut seen = HashSet::from([game.position().hash()]);
            for turn in 0..60 {
                let color = Color::BOTH[turn % 2];
                let legal: Vec<Point> = size.points().filter(|&p| game.check(color, p).is_ok()).collect();
                if legal.is_empty() {
                    break;
                }
                let p = legal[rng.below(legal.len() as u32) as usize];
                game.play(color, p).unwrap();
                assert!(seen.insert(game.position().hash()), "a position came twice");
            }
            while game.undo().is_some() {}
            assert!(game.is_empty());
        }
    }

    #[test]
    fn a_game_may_be_long_but_not_without_end() {
        let mut game = Record::<Go9>::new(Size::new(9).unwrap(), 0.0);
        for i in 0..MOST_MOVES {
            game.play(Color::BOTH[i % 2], Point::PASS).unwrap();
        }
        assert_eq!(game.play(Black, Point::PASS), Err(Illegal::TooLong));
        assert!(Illegal::TooLong.reason().contains(&MOST_MOVES.to_string()));
        game.undo().unwrap();
        assert_eq!(game.play(Black, Point::PASS), Ok(()));
    }

    #[test]
    fn superko_refuses_what_simple_ko_allows() {
        let [positional, situational, simple] = [Ko::Positional, Ko::Situational, Ko::Simple].map(superko_refusals);
        assert!(positional > 0 && situational > 0 && simple == 0, "{positional} {situational} {simple}");
    }

    /// A position that came with the other side to move may come again by situational superko alone; a slow look at the whole
    /// history says the same.
    #[test]
    fn situational_superko_looks_at_who_moves() {
        let size = Size::new(2).unwrap();
        let mut differ = 0;
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut game = Record::<Go9>::new(size, 0.0);
            game.set_ko(Ko::Situational);
            for _ in 0..30 {
                let color = Color::BOTH[rng.below(2) as usize];
                let mut legal = vec![Point::PASS];
                for p in size.points() {
                    let position = game.position_for(color);
                    if !position.is_legal(p) {
                        continue;
                    }
                    let mut after = position;
                    after.play(p);
                    let same =
                        |b: &Go9| b.stones(Black) == after.stones(Black) && b.stones(White) == after.stones(White);
                    let repeats = game.positions.iter().any(|b| same(b) && b.to_play() == after.to_play());
                    assert_eq!(game.check(color, p).is_err(), repeats);
                    differ += (!repeats && game.has_seen(&after)) as u32;
                    legal.extend((!repeats).then_some(p));
                }
                let p = legal[rng.below(legal.len() as u32) as usize];
                game.play(color, p).unwrap();
            }
        }
        assert!(differ > 0);
    }

    fn superko_refusals(ko: Ko) -> usize {
        // On 2x2 every cycle soon closes: some move must be legal on the board and yet repeat a position.
        let size = Size::new(2).unwrap();
        let mut found = 0;
        for seed in 0..100 {
            let mut rng = Rng::new(seed);
            let mut game = Record::<Go9>::new(size, 0.0);
            game.set_ko(ko);
            for turn in 0..20 {
                let color = Color::BOTH[turn % 2];
                let answers: Vec<_> = size.points().map(|p| (p, game.check(color, p).err())).collect();
                found += answers.iter().filter(|(_, e)| *e == Some(Illegal::Superko)).count();
                let legal: Vec<Point> = answers.iter().filter(|(_, e)| e.is_none()).map(|(p, _)| *p).collect();
                let p = if legal.is_empty() { Point::PASS } else { legal[rng.below(legal.len() as u32) as usize] };
                game.play(color, p).unwrap();
            }
        }
        found
    }
}
