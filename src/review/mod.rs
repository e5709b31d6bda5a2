//! Going through a game: what every move did to the win rate, and what moku would have played.
//!
//! Every position of the game is searched by itself, with the same playouts. A move is worth what the position after it is
//! worth; what it loses is the difference to the best move of the position before it. A look at a position depends on
//! nothing but the position, so that a review can be broken off and taken up again (`store`).

pub mod cli;
mod page;
mod store;
#[cfg(test)]
mod tests;
mod text;

pub use store::Store;

use crate::base::{Color, Point, Size};
use crate::session::{Analysis, AnalysisCaps, Options, Progress, Session};
use crate::sgf::{GameRecord, Note, Step};
use serde::{Deserialize, Serialize};

/// How a game is gone through.
#[derive(Clone, Debug)]
pub struct ReviewOptions {
    /// None: moku's best for the game.
    pub engine: Option<String>,
    /// For each position.
    pub playouts: u64,
    pub threads: usize,
    pub seed: u64,
}

/// What was found in a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Moves made before it.
    pub after: usize,
    /// The win rate of the side to move.
    pub rate: f32,
    /// What moku would play, and how it would go on; nothing in a finished game.
    pub line: Vec<String>,
    pub playouts: u64,
}

/// A move and what it did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// From 1.
    pub number: usize,
    /// `B` or `W`.
    pub color: char,
    pub played: String,
    /// The win rate of the side that moved, with the best move and with this one.
    pub before: f32,
    pub after: f32,
    pub loss: f32,
    /// Black's win rate after it.
    pub black: f32,
    /// What moku prefers, and how it would go on.
    pub best: Option<String>,
    pub line: Vec<String>,
}

/// A whole game gone through, or the part of it that has been.
#[derive(Clone, Debug, Serialize)]
pub struct Review {
    pub moku: &'static str,
    pub engine: String,
    pub playouts: u64,
    pub size: usize,
    /// Black's win rate at the start.
    pub start: Option<f32>,
    pub moves: Vec<Judged>,
    #[serde(skip)]
    record: GameRecord,
}

/// A loss from here on is worth a word, from there on a mistake.
pub const SMALL: f32 = 0.05;
pub const LARGE: f32 = 0.15;
/// Moves of a line that are written down.
const LINE: usize = 12;

/// A game that is being gone through.
pub struct Reviewer {
    record: GameRecord,
    session: Session,
    playouts: u64,
    moves: Vec<(Color, Point)>,
    looks: Vec<Look>,
}

impl Reviewer {
    /// Refused if the game cannot be played through.
    pub fn new(record: &GameRecord, plan: &ReviewOptions) -> Result<Reviewer, String> {
        if plan.playouts == 0 {
            return Err("a review needs at least one playout for each position".to_string());
        }
        let mut session = Session::new(Options {
            kind: record.kind,
            size: record.size.n(),
            komi: record.komi.unwrap_or(Options::default().komi),
            engine: plan.engine.clone(),
            threads: plan.threads,
            seed: Some(plan.seed),
            analysis_caps: AnalysisCaps { visits: 0, seconds: 0.0 },
            ..Options::default()
        })?;
        session.load(record)?;
        let played = |step: &Step| match *step {
            Step::Move(color, point) => Some((color, point)),
            Step::SetUp { .. } => None,
        };
        let moves: Vec<(Color, Point)> = record.steps.iter().filter_map(played).collect();
        if moves.is_empty() {
            return Err("there is no move in this game".to_string());
        }
        Ok(Reviewer { record: record.clone(), session, playouts: plan.playouts, moves, looks: Vec::new() })
    }

    /// Positions to look at.
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// Positions looked at.
    pub fn done(&self) -> usize {
        self.looks.len()
    }

    pub fn size(&self) -> Size {
        self.record.size
    }

    /// What a review must have in common with this one for its looks to be used.
    pub fn key(&self) -> String {
        let game = self.record.to_sgf("");
        format!("moku {}; {} playouts; {}; {game}", env!("CARGO_PKG_VERSION"), self.playouts, self.session.engine())
    }

    /// Takes up looks of an earlier run.
    pub fn take_up(&mut self, looks: Vec<Look>) {
        let in_order = looks.into_iter().enumerate().take_while(|(i, look)| look.after == *i && *i <= self.moves.len());
        self.looks = in_order.map(|(_, look)| look).collect();
    }

    /// Looks at the next position, as long as `goes_on` says so, which is asked all the time; `None` when all are done, or
    /// when stopped on the way.
    pub fn step(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Result<Option<&Look>, String> {
        let after = self.looks.len();
        if after > self.moves.len() || !goes_on() {
            return Ok(None);
        }
        let record = if after < self.moves.len() { self.record.before_move(after + 1) } else { self.record.clone() };
        self.session.load(&record)?;
        let color = self.to_move(after);
        let look = match self.session.table().is_over() {
            true => self.ended(after, color),
            false => {
                let analysis = Analysis { visits: Some(self.playouts), leaves_no_trace: true, ..Analysis::default() };
                let mut is_whole = true;
                let mut watch = |_: &dyn Progress| {
                    is_whole = is_whole && goes_on();
                    is_whole
                };
                let thought = self.session.analyze(color, analysis, &mut watch)?;
                if !is_whole {
                    return Ok(None);
                }
                let best = thought.report.best();
                let line = best.map(|m| m.pv.iter().take(LINE).map(|&p| self.record.size.point_to_gtp(p)).collect());
                Look {
                    after,
                    rate: best.map_or(0.5, |m| m.rate),
                    line: line.unwrap_or_default(),
                    playouts: thought.report.visits(),
                }
            }
        };
        self.looks.push(look);
        Ok(self.looks.last())
    }

    /// Who moved next, or would have.
    fn to_move(&self, after: usize) -> Color {
        self.moves.get(after).map_or_else(|| self.session.table().to_play(), |(color, _)| *color)
    }

    /// A finished game is worth what it is.
    fn ended(&self, after: usize, color: Color) -> Look {
        let table = self.session.table();
        let score = match table.winner() {
            Some(winner) => winner.sign(),
            None if table.has_territory() => self.session.judge().score,
            None => 0.0,
        };
        let rate = match score * color.sign() {
            s if s > 0.0 => 1.0,
            s if s < 0.0 => 0.0,
            _ => 0.5,
        };
        Look { after, rate, line: Vec::new(), playouts: 0 }
    }

    /// What is known so far.
    pub fn review(&self) -> Review {
        let last = self.session.table().to_play();
        let color_at = |after: usize| self.moves.get(after).map_or(last, |(color, _)| *color);
        let rate_for =
            |color: Color, look: &Look| if color_at(look.after) == color { look.rate } else { 1.0 - look.rate };
        let judged = self.looks.windows(2).zip(&self.moves).enumerate().map(|(i, (pair, &(color, point)))| {
            let played = self.record.size.point_to_gtp(point);
            let (before, after) = (rate_for(color, &pair[0]), rate_for(color, &pair[1]));
            let is_best = pair[0].line.first() == Some(&played);
            Judged {
                number: i + 1,
                color: color.letter(),
                before,
                after,
                // What is lost by moku's own choice is chance.
                loss: if is_best { 0.0 } else { (before - after).max(0.0) },
                black: rate_for(Color::Black, &pair[1]),
                best: pair[0].line.first().cloned(),
                line: pair[0].line.clone(),
                played,
            }
        });
        Review {
            moku: env!("CARGO_PKG_VERSION"),
            engine: self.session.engine().to_string(),
            playouts: self.playouts,
            size: self.record.size.n(),
            start: self.looks.first().map(|look| rate_for(Color::Black, look)),
            moves: judged.collect(),
            record: self.record.clone(),
        }
    }
}

impl Review {
    /// The moves that lost most, those that lost something only.
    pub fn worst(&self, most: usize) -> Vec<&Judged> {
        let mut moves: Vec<&Judged> = self.moves.iter().filter(|m| m.loss >= SMALL).collect();
        moves.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.number.cmp(&b.number)));
        moves.truncate(most);
        moves
    }

    /// Black's win rate after every move, the start first.
    pub fn rates(&self) -> Vec<Option<f32>> {
        std::iter::once(self.start).chain(self.moves.iter().map(|m| Some(m.black))).collect()
    }

    /// A file that Sabaki and GoGui show: win rates, words, and moku's lines as variations.
    pub fn to_sgf(&self) -> String {
        let size = self.record.size;
        let note = |m: &Judged| {
            let color = if m.color == 'B' { Color::Black } else { Color::White };
            let mut turn = color;
            let mut line = Vec::new();
            for p in m.line.iter().filter_map(|vertex| size.point_from_gtp(vertex)) {
                line.push((turn, p));
                turn = turn.opponent();
            }
            let is_other = m.best.as_ref().is_some_and(|best| *best != m.played);
            let worth = format!("moku's choice: {} wins {:.1} %", color, 100.0 * m.before);
            Note {
                comment: text::sentence(m),
                black_rate: Some(100.0 * m.black),
                is_hot: m.loss >= LARGE,
                instead: (is_other && m.loss >= SMALL).then_some((line, worth)),
            }
        };
        let notes: Vec<Note> = self.moves.iter().map(note).collect();
        self.record.to_annotated_sgf(concat!("moku:", env!("CARGO_PKG_VERSION")), &notes)
    }

    /// The position before a move, with the move and moku's line, to stand in a page.
    pub fn board(&self, m: &Judged) -> Result<String, String> {
        page::board(self, m)
    }

    /// What a move did, in words.
    pub fn sentence(m: &Judged) -> String {
        text::sentence(m)
    }

    /// Mean loss and mistakes of both sides, in words.
    pub fn sides(&self) -> [String; 2] {
        ['B', 'W'].map(|color| text::side(self, color))
    }

    /// The game as it was.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// One page that needs nothing else.
    pub fn to_html(&self, title: &str) -> Result<String, String> {
        page::page(self, title)
    }

    /// For a terminal.
    pub fn to_text(&self) -> String {
        text::summary(self)
    }
}
