//! What was found out, as KataGo's analysis engine says it.

use super::query::{Perspective, Query};
use super::queue::QueuedTurn;
use crate::base::rng::mix;
use crate::base::{Color, Point, Size};
use crate::playout::outlook::Outlook;
use crate::search::{MoveStats, Report};
use crate::session::{Outlooks, Session};
use serde_json::{Map, Value, json};

/// What an answer needs to know of the position, taken before the search.
pub struct View<'a> {
    query: &'a Query,
    color: Color,
    turn: usize,
    legal: Vec<Point>,
    this_hash: String,
    symmetry_hash: String,
}

impl View<'_> {
    pub fn of<'a>(session: &Session, query: &'a Query, color: Color, turn: usize) -> View<'a> {
        let table = session.table();
        let legal: Vec<Point> = query.size.points().filter(|&p| table.check(color, p).is_ok()).collect();
        let kind = |p: Point| match table.color_at(p) {
            Some(stone) => 1 + stone.index() as u64,
            None if legal.contains(&p) => 0,
            None => 3, // a ko, or suicide
        };
        let seeds = [0x746f_6b75, 0x6d6f_6b75];
        let hash = |symmetry: usize| seeds.map(|seed| position_hash(query.size, color, symmetry, seed, &kind));
        let text = |[a, b]: [u64; 2]| format!("{a:016X}{b:016X}");
        let symmetry_hash = text((0..8).map(hash).min().unwrap_or_default());
        View { query, color, turn, this_hash: text(hash(0)), symmetry_hash, legal }
    }
}

/// The same for the same stones, as one of the eight symmetries sees them.
fn position_hash(size: Size, color: Color, symmetry: usize, seed: u64, kind: &dyn Fn(Point) -> u64) -> u64 {
    let last = size.n() - 1;
    let start = mix(&[seed, size.n() as u64, color.index() as u64]);
    size.points().fold(start, |sum, p| {
        let (mut x, mut y) = size.xy(p);
        if symmetry & 1 != 0 {
            x = last - x;
        }
        if symmetry & 2 != 0 {
            y = last - y;
        }
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        match kind(p) {
            0 => sum,
            kind => sum.wrapping_add(mix(&[seed, x as u64, y as u64, kind])),
        }
    })
}

pub struct Answer<'a> {
    pub view: &'a View<'a>,
    pub report: &'a Report,
    /// The moves to tell of, best first.
    pub moves: &'a [&'a MoveStats],
    pub outlooks: &'a Outlooks,
}

/// A query that was given up before anything was found out.
pub fn no_results(task: &QueuedTurn) -> Value {
    json!({ "id": task.query.id, "turnNumber": task.turn, "isDuringSearch": false, "noResults": true })
}

/// As many digits as mean something.
fn rounded(x: f32) -> Value {
    json!((x as f64 * 1e6).round() / 1e6)
}

impl Answer<'_> {
    pub fn to_json(&self, is_during_search: bool) -> Value {
        let query = self.view.query;
        let mut answer = json!({
            "id": query.id,
            "isDuringSearch": is_during_search,
            "turnNumber": self.view.turn,
            "moveInfos": self.moves.iter().enumerate().map(|(i, m)| self.of_move(i, m)).collect::<Vec<_>>(),
            "rootInfo": self.root(),
        });
        if query.ownership {
            let tried = self.moves.iter().filter(|m| m.visits > 0);
            let outlooks = tried.filter_map(|m| Some((self.outlooks.of(m.point)?, m.visits as f32)));
            let mut outlooks: Vec<(&Outlook, f32)> = outlooks.collect();
            outlooks.extend(self.outlooks.of_position().filter(|_| outlooks.is_empty()).map(|o| (o, 1.0)));
            answer["ownership"] = self.ownership(&outlooks);
        }
        if query.policy {
            answer["policy"] = self.policy();
        }
        answer
    }

    /// +1 if values of the side to move are told as they are, -1 if the other side's are wanted.
    fn sign(&self) -> f32 {
        let wanted = match self.view.query.perspective {
            Perspective::SideToMove => self.view.color,
            Perspective::Of(color) => color,
        };
        if wanted == self.view.color { 1.0 } else { -1.0 }
    }

    fn rate(&self, rate: f32) -> Value {
        rounded(if self.sign() > 0.0 { rate } else { 1.0 - rate })
    }

    /// What every move and the root have.
    fn values(&self, rate: f32, outlook: Option<&Outlook>) -> Map<String, Value> {
        let sign = self.sign();
        let mut values = Map::new();
        values.insert("winrate".into(), self.rate(rate));
        values.insert("utility".into(), rounded(sign * (2.0 * rate - 1.0)));
        if let Some(outlook) = outlook {
            let score = rounded(outlook.score * self.view.color.sign() * sign);
            for key in ["scoreLead", "scoreMean", "scoreSelfplay"] {
                values.insert(key.into(), score.clone());
            }
            values.insert("scoreStdev".into(), rounded(outlook.deviation));
        }
        values
    }

    fn of_move(&self, order: usize, stats: &MoveStats) -> Value {
        let (query, size) = (self.view.query, self.view.query.size);
        let outlook = self.outlooks.of(stats.point);
        let mut info = self.values(stats.rate, outlook);
        let lower = stats.lower_bound();
        let length = query.pv_length.max(1);
        let pv: Vec<String> = stats.pv.iter().take(length).map(|&p| size.point_to_gtp(p)).collect();
        let mut put = |key: &str, value: Value| info.insert(key.to_string(), value);
        put("move", size.point_to_gtp(stats.point).into());
        put("order", order.into());
        put("visits", stats.visits.into());
        // No position is reached in two ways here.
        put("edgeVisits", stats.visits.into());
        put("weight", rounded(stats.weight));
        put("edgeWeight", rounded(stats.weight));
        put("playSelectionValue", rounded(stats.weight));
        put("prior", rounded(self.report.prior(stats)));
        put("lcb", self.rate(lower));
        put("utilityLcb", rounded(self.sign() * (2.0 * lower - 1.0)));
        if query.no_result_value {
            put("noResultValue", json!(0.0)); // superko leaves no game without a result
        }
        if query.pv_visits {
            let visits: Vec<u64> = (0..pv.len()).map(|i| *stats.pv_visits.get(i).unwrap_or(&0)).collect();
            put("pvVisits", json!(visits));
            put("pvEdgeVisits", json!(visits));
        }
        put("pv", json!(pv));
        if let (true, Some(outlook)) = (query.moves_ownership, outlook) {
            put("ownership", self.ownership(&[(outlook, 1.0)]));
        }
        Value::Object(info)
    }

    /// The position is worth what its best move is; without a move, what it would be counted for.
    fn root(&self) -> Value {
        let best = self.report.best();
        let outlook = best.map_or(self.outlooks.of_position(), |m| self.outlooks.of(m.point));
        let counted = outlook.map_or(0.0, |o| o.score * self.view.color.sign());
        let rate = best.map_or(0.5 + 0.5 * counted.clamp(-1.0, 1.0), |m| m.rate);
        let mut info = self.values(rate, outlook);
        info.remove("scoreMean");
        info.insert("lcb".into(), self.rate(best.map_or(rate, MoveStats::lower_bound)));
        info.insert("visits".into(), self.report.visits().into());
        let weight: f32 = self.report.moves.iter().map(|m| m.weight).sum();
        info.insert("weight".into(), rounded(weight));
        info.insert("currentPlayer".into(), self.view.color.letter().to_string().into());
        info.insert("thisHash".into(), self.view.this_hash.clone().into());
        info.insert("symHash".into(), self.view.symmetry_hash.clone().into());
        Value::Object(info)
    }

    /// Row by row from the top left.
    fn ownership(&self, outlooks: &[(&Outlook, f32)]) -> Value {
        let total: f32 = outlooks.iter().map(|(_, weight)| weight).sum::<f32>().max(1e-9);
        let sign = self.view.color.sign() * self.sign();
        self.by_rows(|p| {
            let sum: f32 = outlooks.iter().map(|(outlook, weight)| outlook.ownership[p.index()] * weight).sum();
            rounded((sum / total * sign).clamp(-1.0, 1.0))
        })
        .into()
    }

    /// What the search started from; moves that are not legal have -1, a pass comes last.
    fn policy(&self) -> Value {
        let prior = |p: Point| self.report.of(p).map_or(0.0, |m| self.report.prior(m));
        let mut policy = self.by_rows(|p| if self.view.legal.contains(&p) { rounded(prior(p)) } else { json!(-1.0) });
        let pass = if self.report.moves.is_empty() { 1.0 } else { prior(Point::PASS) };
        policy.push(rounded(pass));
        policy.into()
    }

    fn by_rows(&self, value: impl Fn(Point) -> Value) -> Vec<Value> {
        let size = self.view.query.size;
        let points = size.rows_from_top().flat_map(|y| (0..size.n()).map(move |x| size.point(x, y)));
        points.map(value).collect()
    }
}
