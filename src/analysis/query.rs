//! Reading queries: a line of JSON becomes a plain query or a complaint that names the field.

use crate::base::params::{clip, nearest, no_such};
use crate::base::{Black, Color, GameKind, Point, Size, White};
use crate::game::Rules;
use crate::gtp::rules;
use crate::session::Session;
use crate::sgf::{GameRecord, Step};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::time::Duration;

/// What is wrong, in KataGo's form.
#[derive(Debug)]
pub struct Complaint {
    id: Option<String>,
    field: Option<String>,
    text: String,
}

impl Complaint {
    pub fn to_json(&self, kind: &str) -> Value {
        let mut value = json!({ kind: self.text });
        if let Some(field) = &self.field {
            value["field"] = field.as_str().into();
        }
        if let Some(id) = &self.id {
            value["id"] = id.as_str().into();
        }
        value
    }
}

pub enum Request {
    /// With what is not quite as asked for.
    Query(Box<Query>, Vec<Complaint>),
    /// With the object to answer, which repeats the request.
    Action(Action, Value),
}

pub enum Action {
    QueryVersion,
    QueryModels,
    ClearCache,
    /// None: all queries, all turns.
    Terminate {
        id: Option<String>,
        turns: Option<Vec<usize>>,
    },
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Perspective {
    SideToMove,
    Of(Color),
}

/// Moves that a side may not make, or the only ones it may, as the first move of a line.
#[derive(Debug)]
pub struct Restriction {
    pub color: Color,
    pub points: Vec<Point>,
}

/// A game, and what is to be known about some of its turns.
#[derive(Debug)]
pub struct Query {
    pub id: String,
    pub size: Size,
    komi: f32,
    pub rules: Rules,
    stones: Vec<(Point, Color)>,
    first_player: Color,
    moves: Vec<(Color, Point)>,
    pub turns: Vec<usize>,
    /// One for each turn.
    pub priorities: Vec<i64>,
    pub max_visits: Option<u64>,
    pub max_seconds: Option<f64>,
    pub perspective: Perspective,
    pub ownership: bool,
    pub moves_ownership: bool,
    pub policy: bool,
    pub pv_visits: bool,
    pub no_result_value: bool,
    pub pv_length: usize,
    pub report_every: Option<Duration>,
    pub first_report: Option<Duration>,
    pub avoid: Vec<Restriction>,
    pub allow: Vec<Restriction>,
}

impl Query {
    /// Who moves at a turn: whoever did in the game, or the opponent of the last.
    pub fn to_play(&self, turn: usize) -> Color {
        match (self.moves.get(turn), turn) {
            (Some(&(color, _)), _) => color,
            (None, 0) => self.first_player,
            (None, _) => self.moves.last().map_or(self.first_player, |(color, _)| color.opponent()),
        }
    }

    /// The game up to a turn.
    pub fn record(&self, turn: usize) -> GameRecord {
        let mut record = GameRecord::new(GameKind::Go, self.size);
        record.komi = Some(self.komi);
        let is_handicap = self.stones.len() >= 2 && self.stones.iter().all(|(_, color)| *color == Black);
        record.handicap = if is_handicap { self.stones.len() } else { 0 };
        let stones = self.stones.iter().map(|&(p, color)| (p, Some(color))).collect();
        record.steps.push(Step::SetUp { stones, to_play: Some(self.to_play(0)) });
        record.steps.extend(self.moves[..turn].iter().map(|&(color, p)| Step::Move(color, p)));
        record
    }
}

const FIELDS: [&str; 30] = [
    "id",
    "moves",
    "initialStones",
    "initialPlayer",
    "rules",
    "komi",
    "whiteHandicapBonus",
    "boardXSize",
    "boardYSize",
    "analyzeTurns",
    "maxVisits",
    "analysisPVLen",
    "includeOwnership",
    "includeMovesOwnership",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
    "priority",
    "priorities",
    "action",
    // Known to KataGo; there is nothing here that they could change.
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "includeOwnershipStdev",
    "includeMovesOwnershipStdev",
    "override",
];
/// Those of them that only a network or its search can do something with.
const WITHOUT_MEANING: [&str; 5] =
    ["rootPolicyTemperature", "rootFpuReductionMax", "includeOwnershipStdev", "includeMovesOwnershipStdev", "override"];
/// KataGo takes komi within these limits too.
const MOST_KOMI: f64 = 150.0;
const MOST_VISITS: u64 = 1_000_000_000_000;
const MOST_SECONDS: f64 = 1e6;

/// The fields of a query, with complaints about them.
struct Fields<'a> {
    map: &'a Map<String, Value>,
    id: String,
}

type Parsed<T> = Result<T, Complaint>;

impl Fields<'_> {
    fn complaint(&self, field: &str, text: impl Into<String>) -> Complaint {
        Complaint { id: Some(self.id.clone()), field: Some(field.to_string()), text: text.into() }
    }

    /// A field that may be missing; `expected` says what it must be.
    fn optional<T>(&self, field: &str, expected: &str, read: impl Fn(&Value) -> Option<T>) -> Parsed<Option<T>> {
        match self.map.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match read(value) {
                Some(read) => Ok(Some(read)),
                None => Err(self.complaint(field, format!("Must be {expected}, not {}", clip(&value.to_string())))),
            },
        }
    }

    fn required<T>(&self, field: &str, expected: &str, read: impl Fn(&Value) -> Option<T>) -> Parsed<T> {
        let missing = || self.complaint(field, format!("Must be given: {expected}"));
        self.optional(field, expected, read)?.ok_or_else(missing)
    }

    fn flag(&self, field: &str) -> Parsed<bool> {
        Ok(self.optional(field, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    fn seconds(&self, field: &str) -> Parsed<Option<Duration>> {
        let read = |v: &Value| v.as_f64().filter(|s| (0.001..=MOST_SECONDS).contains(s));
        let seconds = self.optional(field, "a number of seconds from 0.001 to 1000000", read)?;
        Ok(seconds.map(Duration::from_secs_f64))
    }
}

impl Request {
    /// Reads a line; `referee` plays the moves to see that they can be.
    pub fn parse(line: &str, referee: &mut Session) -> Parsed<Request> {
        let general = |text: String| Complaint { id: None, field: None, text };
        let value: Value =
            serde_json::from_str(line).map_err(|e| general(format!("Could not parse the line as JSON: {e}")))?;
        let Value::Object(map) = &value else {
            return Err(general("A query is a JSON object on one line".to_string()));
        };
        let Some(Value::String(id)) = map.get("id") else {
            let field = Some("id".to_string());
            return Err(Complaint { id: None, field, text: "Must be given: a string that names the query".into() });
        };
        let fields = Fields { map, id: id.clone() };
        if map.contains_key("action") {
            let action = action(&fields)?;
            return Ok(Request::Action(action, value.clone()));
        }
        query(&fields, referee)
    }
}

fn action(fields: &Fields) -> Parsed<Action> {
    const ACTIONS: [&str; 5] = ["query_version", "query_models", "clear_cache", "terminate", "terminate_all"];
    let turns = || fields.optional("turnNumbers", "a list of turns", |v| list(v, |v| Some(v.as_u64()? as usize)));
    let name = fields.required("action", "the name of an action", |v| v.as_str().map(str::to_string))?;
    match name.as_str() {
        "query_version" => Ok(Action::QueryVersion),
        "query_models" => Ok(Action::QueryModels),
        "clear_cache" => Ok(Action::ClearCache),
        "terminate" => {
            let id = fields.required("terminateId", "the id of a query", |v| v.as_str().map(str::to_string))?;
            Ok(Action::Terminate { id: Some(id), turns: turns()? })
        }
        "terminate_all" => Ok(Action::Terminate { id: None, turns: turns()? }),
        other => Err(fields.complaint("action", no_such("action", other, &ACTIONS))),
    }
}

fn query(fields: &Fields, referee: &mut Session) -> Parsed<Request> {
    let mut warnings = Vec::new();
    for name in fields.map.keys() {
        if !FIELDS.contains(&name.as_str()) {
            let meant = nearest(name, FIELDS).map_or(String::new(), |known| format!("; did you mean {known}?"));
            warnings.push(fields.complaint(&clip(name), format!("Unexpected field, not used{meant}")));
        } else if WITHOUT_MEANING.contains(&name.as_str()) {
            warnings.push(fields.complaint(name, "Has no meaning for a search without a network, not used"));
        }
    }
    let size = size(fields)?;
    let rules = rules_of(fields)?;
    let expected = "a whole or half number from -150 to 150";
    let is_komi = |k: &f64| k.abs() <= MOST_KOMI && (2.0 * k).fract() == 0.0;
    let komi = fields.optional("komi", expected, |v| v.as_f64().filter(is_komi))?;
    let komi = komi.unwrap_or_else(|| {
        let komi = rules.usual_komi();
        warnings.push(fields.complaint("komi", format!("Not given, {komi} is used")));
        f64::from(komi)
    });
    let pair = |v: &Value| match v.as_array()?.as_slice() {
        [color, place] => Some((color_of(color)?, point(size, place)?)),
        _ => None,
    };
    let last = size.point_to_gtp(size.point(size.n() - 1, size.n() - 1));
    let pairs = format!("a list of pairs of a player, B or W, and a vertex from A1 to {last}");
    let moves = fields.required("moves", &format!("{pairs} or pass"), |v| list(v, pair))?;
    let stone = |v: &Value| pair(v).filter(|(_, p)| !p.is_pass()).map(|(color, p)| (p, color));
    let stones = fields.optional("initialStones", &pairs, |v| list(v, stone))?.unwrap_or_default();
    let player = fields.optional("initialPlayer", "B or W", color_of)?;
    let is_handicap = stones.len() >= 2 && stones.iter().all(|(_, color)| *color == Black);
    let first_player = player.unwrap_or(if is_handicap { White } else { Black });

    let turn_list = |v: &Value| list(v, |v| Some(v.as_u64()? as usize).filter(|turn| *turn <= moves.len()));
    let expected = format!("a list of turns from 0 to {}, the number of moves", moves.len());
    let turns = fields.optional("analyzeTurns", &expected, turn_list)?.unwrap_or_else(|| vec![moves.len()]);
    let priority = fields.optional("priority", "a whole number", Value::as_i64)?.unwrap_or(0);
    let is_one_each = |list: &Vec<i64>| list.len() == turns.len();
    let expected = "a list of whole numbers, one for each of analyzeTurns";
    let priorities = fields.optional("priorities", expected, |v| list(v, Value::as_i64).filter(is_one_each))?;
    let priorities = priorities.unwrap_or_else(|| vec![priority; turns.len()]);
    // A turn that is named twice is looked at once, as KataGo does.
    let mut seen = HashSet::new();
    let (turns, priorities) = turns.into_iter().zip(priorities).filter(|(turn, _)| seen.insert(*turn)).unzip();
    let settings = settings(fields, &mut warnings)?;
    let visits = |v: &Value| v.as_u64().filter(|n| (1..=MOST_VISITS).contains(n));
    let asked = fields.optional("maxVisits", "a whole number from 1", visits)?;
    let report_every = fields.seconds("reportDuringSearchEvery")?;
    let first_report = fields.seconds("firstReportDuringSearchAfter")?.or(report_every);
    let query = Query {
        id: fields.id.clone(),
        size,
        komi: komi as f32,
        rules,
        stones,
        first_player,
        moves,
        priorities,
        turns,
        max_visits: asked.or(settings.visits),
        max_seconds: settings.seconds,
        perspective: settings.perspective,
        ownership: fields.flag("includeOwnership")?,
        moves_ownership: fields.flag("includeMovesOwnership")?,
        policy: fields.flag("includePolicy")?,
        pv_visits: fields.flag("includePVVisits")?,
        no_result_value: fields.flag("includeNoResultValue")?,
        pv_length: {
            let length = |v: &Value| v.as_u64().filter(|n| (1..=1000).contains(n));
            fields.optional("analysisPVLen", "a whole number from 1 to 1000", length)?.map_or(15, |n| n as usize)
        },
        report_every,
        first_report,
        avoid: restrictions(fields, "avoidMoves", size)?,
        allow: restrictions(fields, "allowMoves", size)?,
    };
    can_be_played(fields, &query, referee)?;
    Ok(Request::Query(Box::new(query), warnings))
}

/// Plays the game through, or says what is wrong with it.
fn can_be_played(fields: &Fields, query: &Query, referee: &mut Session) -> Parsed<()> {
    let twice = (1..query.stones.len()).find(|&i| query.stones[..i].iter().any(|(p, _)| *p == query.stones[i].0));
    if let Some(i) = twice {
        let vertex = query.size.point_to_gtp(query.stones[i].0);
        return Err(fields.complaint("initialStones", format!("Two stones on {vertex}")));
    }
    referee.set_rules(query.rules);
    referee.load(&query.record(0)).map_err(|e| fields.complaint("initialStones", e))?;
    for (i, &(color, p)) in query.moves.iter().enumerate() {
        referee.play(color, p).map_err(|e| {
            let vertex = query.size.point_to_gtp(p);
            fields.complaint("moves", format!("Illegal move {i}: {vertex} ({})", e.reason()))
        })?;
    }
    Ok(())
}

fn size(fields: &Fields) -> Parsed<Size> {
    let expected = format!("a whole number from {} to {}", Size::MIN, Size::MAX);
    let read = |v: &Value| Size::new(usize::try_from(v.as_u64()?).ok()?);
    let [columns, rows] = ["boardXSize", "boardYSize"].map(|field| fields.required(field, &expected, read));
    let (columns, rows) = (columns?, rows?);
    if columns != rows {
        return Err(fields.complaint("boardYSize", "Boards are square here: must be the same as boardXSize"));
    }
    Ok(columns)
}

/// Rules that moku plays are taken, others refused.
fn rules_of(fields: &Fields) -> Parsed<Rules> {
    let text = |v: &Value| match v {
        Value::String(name) => Some(name.clone()),
        Value::Object(_) => Some(v.to_string()),
        _ => None,
    };
    let wanted = fields.required("rules", "the name of rules or an object of them", text)?;
    let wanted = rules::parse(&wanted).map_err(|e| fields.complaint("rules", e))?;
    let bonus = fields.optional("whiteHandicapBonus", "0, N or N-1", |v| match v {
        Value::String(s) => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    })?;
    match bonus {
        Some(bonus) => rules::with(wanted, "whiteHandicapBonus", &bonus.into())
            .map_err(|e| fields.complaint("whiteHandicapBonus", e)),
        None => Ok(wanted),
    }
}

struct Settings {
    perspective: Perspective,
    visits: Option<u64>,
    seconds: Option<f64>,
}

/// `overrideSettings`: what means something here is taken, the rest named in a warning.
fn settings(fields: &Fields, warnings: &mut Vec<Complaint>) -> Parsed<Settings> {
    const FIELD: &str = "overrideSettings";
    // As KataGo's own example has it.
    let mut settings = Settings { perspective: Perspective::Of(Black), visits: None, seconds: None };
    let given = fields.optional(FIELD, "an object of settings", |v| v.as_object().cloned())?.unwrap_or_default();
    for (name, value) in &given {
        let wrong = |expected: &str| fields.complaint(FIELD, format!("{name} must be {expected}"));
        match name.as_str() {
            "reportAnalysisWinratesAs" => {
                settings.perspective = match value.as_str().map(str::to_ascii_uppercase).as_deref() {
                    Some("BLACK") => Perspective::Of(Black),
                    Some("WHITE") => Perspective::Of(White),
                    Some("SIDETOMOVE") => Perspective::SideToMove,
                    _ => return Err(wrong("BLACK, WHITE or SIDETOMOVE")),
                };
            }
            "maxTime" => {
                let seconds = value.as_f64().filter(|s| *s >= 0.0).ok_or_else(|| wrong("a number of seconds"))?;
                settings.seconds = Some(seconds).filter(|s| *s < MOST_SECONDS);
            }
            "maxVisits" | "maxPlayouts" => {
                let visits = value.as_u64().filter(|n| (1..=MOST_VISITS).contains(n));
                let visits = visits.ok_or_else(|| wrong("a whole number from 1"))?;
                settings.visits = Some(settings.visits.map_or(visits, |other| other.min(visits)));
            }
            other => {
                let text = format!("'{}' has no meaning for a search without a network, not used", clip(other));
                warnings.push(fields.complaint(FIELD, text));
            }
        }
    }
    Ok(settings)
}

/// They hold for the first move of a line only; `untilDepth` says that they should.
fn restrictions(fields: &Fields, field: &str, size: Size) -> Parsed<Vec<Restriction>> {
    let expected = "a list of objects with player, moves and untilDepth";
    let one = |v: &Value| {
        let depth = v.get("untilDepth")?.as_u64().filter(|depth| *depth > 0)?;
        let points = list(v.get("moves")?, |v| point(size, v))?;
        Some((depth, Restriction { color: color_of(v.get("player")?)?, points }))
    };
    let given = fields.optional(field, expected, |v| list(v, one))?.unwrap_or_default();
    if given.iter().any(|(depth, _)| *depth > 2) {
        return Err(fields.complaint(field, "Only for the first move of a line, that is untilDepth 1"));
    }
    Ok(given.into_iter().map(|(_, restriction)| restriction).collect())
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(read).collect()
}

fn color_of(value: &Value) -> Option<Color> {
    Color::from_gtp(value.as_str()?)
}

/// `C4`, `pass`, or `(2,15)`: column and row from the top left, from 0.
fn point(size: Size, value: &Value) -> Option<Point> {
    let text = value.as_str()?.trim();
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return size.point_from_gtp(text);
    };
    let (x, y) = inner.split_once(',')?;
    let (x, y): (usize, usize) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    (x < size.n() && y < size.n()).then(|| size.point(x, size.n() - 1 - y))
}
