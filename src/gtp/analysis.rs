//! Live analysis in the dialects of Leela Zero and KataGo: a stream of `info` lines that ends with the next input line,
//! or with the move that is played.
//!
//! Score and ownership are those of playouts from the end of the line that the search expects after each of its best
//! moves; the prior is what the search started from. Both are honest stand-ins for what a network would say.

use super::Gtp;
use super::args::{color, number, syntax, vertex};
use super::reply::Wire;
use crate::base::params::clip;
use crate::base::{Color, Point, Size};
use crate::playout::outlook::Outlook;
use crate::search::{MoveStats, Report};
use crate::session::{Analysis, Answer, Outlooks, Progress};
use std::cell::Cell;
use std::fmt::Write;
use std::io::Result as IoResult;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Win rates as whole numbers to 10000.
    Lz,
    /// Win rates from 0 to 1, and more.
    Kata,
}

/// What comes after the last line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// Nothing, and that only when there is new input.
    Wait,
    /// The move, which is played.
    Play,
    /// The move, which is not played.
    Tell,
    TellUnlessCancelled,
}

/// A stream as it was asked for.
#[derive(Clone, Debug)]
pub struct Stream {
    dialect: Dialect,
    then: Then,
    color: Color,
    interval: Duration,
    min_moves: usize,
    max_moves: usize,
    ownership: bool,
    moves_ownership: bool,
    root_info: bool,
    pv_visits: bool,
    pv_edge_visits: bool,
    no_result: bool,
    analysis: Analysis,
}

/// Between two lines when the caller does not say, and at least.
const INTERVAL: Duration = Duration::from_millis(500);
const SHORTEST: Duration = Duration::from_millis(10);
/// The first line does not wait for the interval.
const FIRST_AFTER: Duration = Duration::from_millis(20);
/// How often a stream without a search looks for input.
const IDLE: Duration = Duration::from_millis(3);
/// How long a line may look at what moves lead to: whoever stops the stream must not wait.
const OUTLOOK_TIME: Duration = Duration::from_millis(15);
const KEYS: &str = "interval N, minmoves N, maxmoves N, avoid COLOR VERTEX,... DEPTH, allow COLOR VERTEX,... DEPTH";
const KATA_KEYS: &str =
    ", ownership true, movesOwnership true, rootInfo true, pvVisits true, pvEdgeVisits true, noResultValue true";
/// Wishes of KataGo's that need more than a playout can tell: only `false` will do.
const NOT_HERE: [&str; 2] = ["ownershipStdev", "movesOwnershipStdev"];

impl Stream {
    /// Reads the arguments of all these commands.
    pub fn parse(gtp: &Gtp, args: &[String], dialect: Dialect, then: Then) -> Result<Stream, String> {
        let table = gtp.session.table();
        let mut stream = Stream {
            dialect,
            then,
            color: table.to_play(),
            interval: INTERVAL,
            min_moves: 0,
            max_moves: usize::MAX,
            ownership: false,
            moves_ownership: false,
            root_info: false,
            pv_visits: false,
            pv_edge_visits: false,
            no_result: false,
            analysis: Analysis::default(),
        };
        let mut words = args.iter().map(String::as_str).peekable();
        if let Some(color) = words.peek().and_then(|w| Color::from_gtp(w)) {
            stream.color = color;
            words.next();
        }
        if words.peek().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))) {
            stream.interval = interval(words.next().unwrap_or_default())?;
        }
        while let Some(key) = words.next() {
            let mut next = |what: &str| words.next().map_or_else(|| syntax(&format!("{what} after {key}")), Ok);
            match key {
                "interval" => stream.interval = interval(next("centiseconds")?)?,
                "minmoves" => stream.min_moves = count(next("a number of moves")?)?,
                "maxmoves" => stream.max_moves = count(next("a number of moves")?)?,
                "avoid" | "allow" => {
                    let (color, points) = (next("a colour")?, next("vertices with commas between")?);
                    stream.restrict(table.size(), key, color, points, next("a depth")?)?;
                }
                "ownership" if dialect == Dialect::Kata => stream.ownership = flag(next("true or false")?)?,
                "movesOwnership" if dialect == Dialect::Kata => stream.moves_ownership = flag(next("true or false")?)?,
                "rootInfo" if dialect == Dialect::Kata => stream.root_info = flag(next("true or false")?)?,
                "pvVisits" if dialect == Dialect::Kata => stream.pv_visits = flag(next("true or false")?)?,
                "pvEdgeVisits" if dialect == Dialect::Kata => stream.pv_edge_visits = flag(next("true or false")?)?,
                "noResultValue" if dialect == Dialect::Kata => stream.no_result = flag(next("true or false")?)?,
                key if dialect == Dialect::Kata && NOT_HERE.contains(&key) => {
                    if flag(next("true or false")?)? {
                        return Err(format!("{key} is not supported"));
                    }
                }
                other => {
                    let more = if dialect == Dialect::Kata { KATA_KEYS } else { "" };
                    return syntax(&format!("one of {KEYS}{more}, not '{}'", clip(other)));
                }
            }
        }
        if !table.has_territory() && (stream.ownership || stream.moves_ownership) {
            return Err(format!("there is no ownership in {}", gtp.session.kind().name()));
        }
        Ok(stream)
    }

    /// `avoid` and `allow`: they hold for the first moves of a line, and moku restricts the very first.
    fn restrict(&mut self, size: Size, key: &str, who: &str, points: &str, depth: &str) -> Result<(), String> {
        let (who, depth) = (color(who)?, count(depth)?);
        let points = points.split(',').filter(|w| !w.is_empty()).map(|w| vertex(size, w));
        let points = points.collect::<Result<Vec<Point>, String>>()?;
        if self.then != Then::Wait {
            return Err(format!("{key} is supported in analysis only, not where a move is chosen"));
        }
        // The side to move has the first and third ply, the other side the second.
        let exact = if who == self.color { 2 } else { 1 };
        if depth > exact {
            return Err(format!("{key} is supported for the first move of a line only, that is depth 1"));
        }
        if depth == 0 || who != self.color {
            return Ok(());
        }
        match key {
            "avoid" => self.analysis.avoid.extend(points),
            _ => self.analysis.allow.get_or_insert_default().extend(points),
        }
        Ok(())
    }

    fn is_interruptible(&self) -> bool {
        matches!(self.then, Then::Wait | Then::TellUnlessCancelled)
    }

    // ---- lines

    /// The moves that a line lists: every move that something is known about, best first.
    fn listed<'r>(&self, report: &'r Report) -> Vec<&'r MoveStats> {
        // An engine that does not search still has a move to name.
        let mut room = self.min_moves.max(1).saturating_sub(report.moves.iter().filter(|m| m.is_known()).count());
        let mut listed: Vec<&MoveStats> = Vec::new();
        for m in report.moves.iter() {
            if m.is_known() || room > 0 {
                room -= usize::from(!m.is_known());
                listed.push(m);
            }
        }
        listed.truncate(self.max_moves);
        listed
    }

    /// One line, without its end; empty if nothing was asked for.
    fn line(&self, size: Size, report: &Report, listed: &[&MoveStats], outlooks: &Outlooks) -> String {
        let mut line = String::new();
        for (order, stats) in listed.iter().enumerate() {
            // writing to a String cannot fail
            let _ = self.info(&mut line, size, report, order, stats, outlooks.of(stats.point));
        }
        if self.root_info {
            let _ = self.root(&mut line, report, report.best().and_then(|m| outlooks.of(m.point)));
        }
        if self.ownership {
            let tried = report.moves.iter().filter(|m| m.visits > 0);
            let mut of_moves: Vec<(&Outlook, f32)> =
                tried.filter_map(|m| Some((outlooks.of(m.point)?, m.visits as f32))).collect();
            of_moves.extend(outlooks.of_position().filter(|_| of_moves.is_empty()).map(|outlook| (outlook, 1.0)));
            line += &self.ownership(size, &of_moves, "ownership");
        }
        line.trim_end().to_string()
    }

    fn info(
        &self,
        line: &mut String,
        size: Size,
        report: &Report,
        order: usize,
        stats: &MoveStats,
        outlook: Option<&Outlook>,
    ) -> std::fmt::Result {
        let vertex = size.point_to_gtp(stats.point);
        let (rate, prior, lcb) = (stats.rate, report.prior(stats), stats.lower_bound());
        write!(line, "info move {vertex} visits {} ", stats.visits)?;
        match self.dialect {
            Dialect::Lz => {
                let whole = |x: f32| (x.clamp(0.0, 1.0) * 10_000.0).round() as u32;
                write!(line, "winrate {} prior {} lcb {} ", whole(rate), whole(prior), whole(lcb))?;
            }
            Dialect::Kata => {
                let (utility, utility_lcb) = (2.0 * rate - 1.0, 2.0 * lcb - 1.0);
                write!(line, "edgeVisits {} utility {utility:.6} winrate {rate:.6} ", stats.visits)?;
                if let Some(outlook) = outlook {
                    self.score(line, outlook)?;
                }
                write!(line, "prior {prior:.6} lcb {lcb:.6} utilityLcb {utility_lcb:.6} weight {:.2} ", stats.weight)?;
                if self.no_result {
                    // Games without a result are ruled out by superko.
                    write!(line, "noResultValue {:.6} ", 0.0)?;
                }
            }
        }
        if let Some(proof) = stats.proof {
            // A pair of words like the others, so that a program that does not know it passes over it.
            write!(line, "proven {} ", proof.to_string().replace(' ', "-"))?;
        }
        write!(line, "order {order} pv {} ", size.points_to_gtp(stats.pv.iter().copied()))?;
        // No position is reached in two ways here: as many playouts went through a move as came to the position after it.
        for (is_asked_for, key) in [(self.pv_visits, "pvVisits"), (self.pv_edge_visits, "pvEdgeVisits")] {
            if is_asked_for {
                let visits = (0..stats.pv.len()).map(|i| stats.pv_visits.get(i).unwrap_or(&0).to_string());
                write!(line, "{key} {} ", visits.collect::<Vec<_>>().join(" "))?;
            }
        }
        if let (true, Some(outlook)) = (self.moves_ownership, outlook) {
            line.push_str(&self.ownership(size, &[(outlook, 1.0)], "movesOwnership"));
        }
        Ok(())
    }

    fn score(&self, line: &mut String, outlook: &Outlook) -> std::fmt::Result {
        let (score, deviation) = (outlook.score * self.color.sign(), outlook.deviation);
        write!(line, "scoreMean {score:.4} scoreStdev {deviation:.4} scoreLead {score:.4} scoreSelfplay {score:.4} ")
    }

    /// The position is worth what its best move is.
    fn root(&self, line: &mut String, report: &Report, outlook: Option<&Outlook>) -> std::fmt::Result {
        let rate = report.best().map_or(0.5, |m| m.rate);
        write!(line, "rootInfo visits {} utility {:.6} winrate {rate:.6} ", report.visits(), 2.0 * rate - 1.0)?;
        match outlook {
            Some(outlook) => self.score(line, outlook),
            None => Ok(()),
        }
    }

    /// Row by row from the top left, +1 = the side to move owns it.
    fn ownership(&self, size: Size, outlooks: &[(&Outlook, f32)], key: &str) -> String {
        let total: f32 = outlooks.iter().map(|(_, weight)| weight).sum::<f32>().max(1e-9);
        let mut text = key.to_string();
        for y in size.rows_from_top() {
            for x in 0..size.n() {
                let index = size.point(x, y).index();
                let sum: f32 = outlooks.iter().map(|(outlook, weight)| outlook.ownership[index] * weight).sum();
                let _ = write!(text, " {:.4}", (sum / total * self.color.sign()).clamp(-1.0, 1.0));
            }
        }
        text + " "
    }
}

/// Writes the lines of a stream when they are due.
struct Teller<'a, 'w> {
    stream: &'a Stream,
    size: Size,
    has_score: bool,
    wire: &'a mut Wire<'w>,
    due: Instant,
    /// What the last line was about.
    told: Option<Report>,
    outlooks: Outlooks,
    has_ended: &'a Cell<bool>,
    failure: Option<std::io::Error>,
}

impl Teller<'_, '_> {
    fn look(&mut self, progress: &dyn Progress) {
        if self.failure.is_some() || (Instant::now() < self.due && !progress.is_done()) {
            return;
        }
        let report = progress.report();
        let has_something =
            report.moves.iter().any(MoveStats::is_known) || progress.is_done() && !report.moves.is_empty();
        // The last look may find what a line just before it told.
        if !has_something || self.told.as_ref() == Some(&report) {
            return;
        }
        let listed = self.stream.listed(&report);
        if self.has_score && self.stream.dialect == Dialect::Kata {
            // The first line is to be there soon.
            let patience = if self.told.is_none() { OUTLOOK_TIME / 3 } else { OUTLOOK_TIME };
            self.outlooks.look(progress, &listed, self.size.area(), patience);
        }
        let line = self.stream.line(self.size, &report, &listed, &self.outlooks);
        if !line.is_empty() {
            self.failure = self.wire.say(&format!("{line}\n")).err();
        }
        self.told = Some(report);
        // Lines keep their rhythm: a late one does not put off those after it.
        let next = self.due + self.stream.interval;
        self.due = if next > Instant::now() { next } else { Instant::now() + self.stream.interval };
    }

    /// The empty line that ends a stream, once.
    fn end(&mut self) {
        if !self.has_ended.replace(true) {
            self.failure = self.failure.take().or(self.wire.say("\n").err());
        }
    }
}

impl Gtp {
    /// Runs a stream from its first line to its empty line. `has_ended` tells when that was written.
    pub(super) fn run_stream(
        &mut self,
        id: &str,
        stream: Stream,
        wire: &mut Wire,
        has_ended: &Cell<bool>,
    ) -> IoResult<()> {
        wire.say(&format!("={id}\n"))?;
        let began = Instant::now();
        let (signals, line, color) = (self.signals.clone(), self.line, stream.color);
        let (size, has_score) = (self.session.size(), self.session.table().has_territory());
        let due = began + stream.interval.min(FIRST_AFTER);
        let outlooks = Outlooks::default();
        let mut teller =
            Teller { stream: &stream, size, has_score, wire, due, told: None, outlooks, has_ended, failure: None };
        let mut is_cancelled = false;
        let mut until_interrupted = self.watch(color);
        let mut watch = |progress: &dyn Progress| {
            is_cancelled |= stream.is_interruptible() && signals.has_input_after(line);
            match (is_cancelled, stream.then) {
                (false, _) => teller.look(progress),
                // The workers need not have stopped for the stream to end.
                (true, Then::Wait) => teller.end(),
                _ => {}
            }
            until_interrupted(progress) && !is_cancelled && teller.failure.is_none()
        };
        let result = match stream.then {
            // A finished game: nothing to look at, but whoever asked still waits.
            Then::Wait if self.session.table().is_over() => Ok(None),
            Then::Wait => self.session.analyze(color, stream.analysis.clone(), &mut watch).map(|_| None),
            _ => self.session.think(color, None, &mut watch).map(Some),
        };
        drop(until_interrupted); // cleans up its graphics before the last word
        if let Some(error) = teller.failure {
            return Err(error);
        }
        let thought = result.unwrap_or_else(|text| {
            log::error!("{text}");
            None
        });
        if let Some(thought) = thought {
            if teller.told.is_none() && !is_cancelled {
                // Nothing was searched, since the game is decided; still there is something to say.
                let rate = thought.rate().unwrap_or_else(|| self.decided_rate(color));
                let stats = MoveStats { rate, ..MoveStats::new(thought.point, vec![thought.point]) };
                let report = Report { moves: vec![stats], nodes: 0 };
                let outlooks = match has_score {
                    true => Outlooks::known(self.session.outlook()),
                    false => Outlooks::default(),
                };
                let line = stream.line(size, &report, &stream.listed(&report), &outlooks);
                if !line.is_empty() {
                    wire.say(&format!("{line}\n"))?;
                }
            }
            let answer = match stream.then {
                Then::Play => self.session.decide(color, thought, began),
                _ => Ok(Answer::Play(thought.point)),
            };
            let word = match answer {
                _ if is_cancelled => "cancelled".to_string(),
                Ok(Answer::Play(point)) => size.point_to_gtp(point),
                Ok(Answer::Resign) => "resign".to_string(),
                Err(text) => {
                    log::error!("{text}");
                    "resign".to_string()
                }
            };
            wire.say(&format!("play {word}\n"))?;
        }
        while stream.then == Then::Wait && !self.signals.has_input_after(line) {
            std::thread::sleep(IDLE);
        }
        if has_ended.replace(true) { Ok(()) } else { wire.say("\n") }
    }

    /// The win rate of a side in a game that needs no search any more.
    fn decided_rate(&self, color: Color) -> f32 {
        match self.session.judge().score * color.sign() {
            s if s > 0.0 => 1.0,
            s if s < 0.0 => 0.0,
            _ => 0.5,
        }
    }
}

fn interval(text: &str) -> Result<Duration, String> {
    let expected = "an interval in centiseconds, a number that is not negative";
    match number(text, expected)? {
        n if n < 0.0 => syntax(expected),
        0.0 => Ok(INTERVAL),
        n => Ok(Duration::from_secs_f64((n / 100.0).min(1e9)).max(SHORTEST)),
    }
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().map_or_else(|_| syntax("a whole number that is not negative"), Ok)
}

fn flag(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => syntax("true or false"),
    }
}
