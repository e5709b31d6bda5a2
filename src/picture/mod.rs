//! Boards as SVG: diagrams of anything, and pictures of a session's position with what the search thinks of it.

pub mod diagram;
mod draw;
pub mod paint;
#[cfg(test)]
mod tests;

use crate::base::params::no_such;
use crate::base::{Color, GameKind, Point, Size};
use crate::search::candidates::Filter;
use crate::search::{Proof, Report};
use crate::session::insight::PotentialAt;
use crate::session::{Analysis, Session, handicap};
pub use diagram::{Diagram, Mark};
use paint::Paint;
use std::time::{Duration, Instant};

/// What is drawn over the stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlay {
    WinRate,
    Visits,
    Ownership,
    Potential,
    Gradient,
    /// What a filter keeps and drops; its name and what it keeps.
    Filter(&'static str, &'static str),
}

const PLAIN: [(&str, Overlay); 5] = [
    ("winrate", Overlay::WinRate),
    ("visits", Overlay::Visits),
    ("ownership", Overlay::Ownership),
    ("potential", Overlay::Potential),
    ("gradient", Overlay::Gradient),
];

impl Overlay {
    pub fn from_name(name: &str) -> Result<Overlay, String> {
        let plain = PLAIN.iter().find(|(known, _)| *known == name).map(|(_, overlay)| *overlay);
        let filter =
            || Filter::all().find(|(known, _)| *known == name).map(|(name, keeps)| Overlay::Filter(name, keeps));
        let names = || Overlay::names().collect::<Vec<_>>();
        plain.or_else(filter).ok_or_else(|| no_such("overlay", name, &names()))
    }

    pub fn name(self) -> &'static str {
        match self {
            Overlay::Filter(name, _) => name,
            plain => PLAIN.iter().find(|(_, overlay)| *overlay == plain).map_or("", |(name, _)| name),
        }
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        PLAIN.iter().map(|(name, _)| *name).chain(Filter::all().map(|(name, _)| name))
    }

    /// Is it what a search by the engine says?
    pub fn is_searched(self) -> bool {
        matches!(self, Overlay::WinRate | Overlay::Visits)
    }

    /// Does it differ from seed to seed? Filters break ties at random.
    pub fn has_chance(self) -> bool {
        self.is_searched() || matches!(self, Overlay::Filter(..))
    }

    /// Only Go has territory and the potential model.
    pub fn is_for_go(self) -> bool {
        !self.is_searched()
    }
}

/// A diagram of a session's position.
pub struct Picture(Diagram);

/// Moves that get a win rate.
const BEST: usize = 16;
/// Seconds to search when the engine does not say.
const SECONDS: f64 = 1.0;

impl Picture {
    /// The position of a session, and nothing else.
    pub fn of(session: &Session) -> Picture {
        let table = session.table();
        let (size, turn, moves) = (table.size(), table.to_play(), table.moves().len());
        let title = match (moves, table.is_over()) {
            (_, true) => format!("The game is over after move {moves}"),
            (0, _) => format!("{} to play", capital(turn)),
            _ => format!("After move {moves}, {turn} to play"),
        };
        let stones = size.points().filter_map(|p| Some((p, table.color_at(p)?))).collect();
        Picture(Diagram {
            last: table.moves().last().map(|&(_, p)| p).filter(|p| !p.is_pass()),
            stars: stars(session.kind(), size),
            ..Diagram::new(size, stones, &title)
        })
    }

    /// The position of a session. The search for an overlay obeys the engine's limits, or takes a second.
    pub fn new(session: &mut Session, overlay: Option<Overlay>) -> Result<Picture, String> {
        let mut picture = Picture::of(session);
        if let Some(overlay) = overlay {
            if overlay.is_for_go() && session.kind() != GameKind::Go {
                return Err(format!("{} has only the overlays winrate and visits", session.kind().name()));
            }
            picture.add(session, overlay, session.table().to_play())?;
        }
        Ok(picture)
    }

    /// Stones of a game, the last of them marked.
    pub fn of_stones(kind: GameKind, size: Size, stones: Vec<(Point, Color)>, last: Option<Point>) -> Picture {
        Picture(Diagram { last, stars: stars(kind, size), ..Diagram::new(size, stones, "") })
    }

    /// An empty board, to draw nothing but an overlay.
    pub fn blank(size: Size) -> Picture {
        Picture(Diagram::new(size, Vec::new(), ""))
    }

    pub fn mark(&mut self, p: Point, mark: Mark) {
        self.0.marks.push((p, mark));
    }

    /// A stone of a line to come.
    pub fn add_numbered(&mut self, p: Point, color: Color, number: usize) {
        self.0.stones.push((p, color));
        self.mark(p, Mark::OnStone(number.to_string()));
    }

    /// What a search has found out so far; false if the overlay is not about searches.
    pub fn show(&mut self, overlay: Overlay, report: &Report) -> bool {
        match overlay {
            Overlay::WinRate => self.win_rates(report),
            Overlay::Visits => self.visits(report),
            _ => return false,
        }
        true
    }

    pub fn diagram(&self) -> &Diagram {
        &self.0
    }

    /// The picture as an SVG file.
    pub fn to_svg(&self) -> String {
        self.0.to_svg()
    }

    fn add(&mut self, session: &mut Session, overlay: Overlay, turn: Color) -> Result<(), String> {
        match overlay {
            Overlay::WinRate => {
                let report = search(session, turn)?;
                self.win_rates(&report);
                self.note_search(session, &report, "Win rates in percent; the redder the more playouts");
            }
            Overlay::Visits => {
                let report = search(session, turn)?;
                self.visits(&report);
                self.note_search(session, &report, "Playouts of each move");
            }
            Overlay::Ownership => {
                let ownership = session.ownership();
                for p in self.0.size.points() {
                    let value = ownership[p.index()];
                    let owner = if value > 0.0 { Color::Black } else { Color::White };
                    // A stone speaks for itself unless it is doomed.
                    if value.abs() >= 0.05 && session.table().color_at(p) != Some(owner) {
                        self.0.marks.push((p, Mark::Square { owner, share: value.abs() }));
                    }
                }
                self.0.caption.push("Who has each point after playouts: the larger the surer".to_string());
            }
            Overlay::Potential => {
                self.paint_potential(session, turn, |v| v.potential, paint::balance);
                self.0.caption.push(format!(
                    "Potential P: blue {}'s, red {}'s",
                    capital(turn),
                    capital(turn.opponent())
                ));
            }
            Overlay::Gradient => {
                self.paint_potential(session, turn, |v| v.gradient, paint::heat);
                self.0.caption.push("Gradient PG of the potential: the redder the steeper".to_string());
            }
            Overlay::Filter(name, keeps) => {
                let filter = Filter::from_name(name).ok_or("there is no such filter")?;
                let sieved = session.sieve(turn, filter);
                let all = sieved.kept.len() + sieved.dropped.len();
                self.0.caption.push(format!("{name} keeps {} of {all} moves: {keeps}", sieved.kept.len()));
                self.0.marks.extend(sieved.kept.into_iter().map(|p| (p, Mark::Kept)));
                self.0.marks.extend(sieved.dropped.into_iter().map(|p| (p, Mark::Dropped)));
            }
        }
        Ok(())
    }

    fn win_rates(&mut self, report: &Report) {
        let most = most_visits(report);
        let best = report.moves.iter().filter(|m| m.is_known()).take(BEST);
        for (i, m) in best.enumerate().filter(|(_, m)| !m.point.is_pass()) {
            let paint = paint::heat(paint::spread(m.visits as f64, most));
            self.0.marks.push((m.point, Mark::Disc { word: format!("{:.0}", 100.0 * m.rate), paint, is_best: i == 0 }));
        }
    }

    fn visits(&mut self, report: &Report) {
        let most = most_visits(report);
        for m in report.moves.iter().filter(|m| m.visits > 0 && !m.point.is_pass()) {
            self.0.cells.push((m.point, paint::heat(paint::spread(m.visits as f64, most))));
            self.0.marks.push((m.point, Mark::Word(short(m.visits))));
        }
    }

    fn paint_potential(
        &mut self,
        session: &Session,
        turn: Color,
        value: fn(&PotentialAt) -> f64,
        paint: fn(f64) -> Paint,
    ) {
        let values = session.table().potential(turn).unwrap_or_default();
        let largest = values.iter().map(|v| value(v).abs()).fold(0.0, f64::max);
        self.0.cells.extend(values.iter().map(|v| (v.point, paint(paint::spread(value(v), largest)))));
    }

    fn note_search(&mut self, session: &Session, report: &Report, what: &str) {
        self.0.caption.push(what.to_string());
        let engine = session.engine().preset();
        let Some(best) = report.best().filter(|m| m.is_known()) else {
            return self.0.caption.push("Nothing was searched".to_string());
        };
        let vertex = self.0.size.point_to_gtp(best.point);
        let worth = match best.proof {
            Some(Proof::Win(_)) => "is proven to win".to_string(),
            Some(Proof::Loss(_)) => "is proven to lose".to_string(),
            None => format!("wins {:.1} %", 100.0 * best.rate),
        };
        let answers: Vec<Point> = best.pv.iter().copied().skip(1).take(4).collect();
        let then =
            if answers.is_empty() { String::new() } else { format!(", then {}", self.0.size.points_to_gtp(answers)) };
        self.0.caption.push(format!("{engine}, {} playouts: {vertex} {worth}{then}", report.visits()));
    }
}

fn search(session: &mut Session, turn: Color) -> Result<Report, String> {
    if session.table().is_over() {
        return Ok(Report { moves: Vec::new(), nodes: 0 });
    }
    let engine = session.engine();
    let visits = engine.playouts(session.size().area());
    let seconds = match (engine.params().time, visits) {
        (0.0, Some(_)) => None,
        (0.0, None) => Some(SECONDS),
        (time, _) => Some(time),
    };
    let end = seconds.map(|s| Instant::now() + Duration::from_secs_f64(s));
    let analysis = Analysis { visits, end, ..Analysis::default() };
    Ok(session.analyze(turn, analysis, &mut |_| true).map(|thought| thought.report)?)
}

/// The points that are marked on a board: nine in Go, five in Gobang, four where there is no middle line.
fn stars(kind: GameKind, size: Size) -> Vec<Point> {
    let most = if kind == GameKind::Go { 9 } else { 5 };
    handicap::fixed(size, most).or_else(|| handicap::fixed(size, 4)).unwrap_or_default()
}

fn most_visits(report: &Report) -> f64 {
    report.moves.iter().map(|m| m.visits).max().unwrap_or(0) as f64
}

fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// A number in at most four signs.
pub fn short(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..9_950 => format!("{:.1}k", n as f64 / 1e3),
        9_950..999_500 => format!("{:.0}k", n as f64 / 1e3),
        999_500..999_500_000 => format!("{:.0}M", n as f64 / 1e6),
        _ => format!("{}G", n / 1_000_000_000),
    }
}
