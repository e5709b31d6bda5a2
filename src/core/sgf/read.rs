//! From sgf-parse's properties to a record.
//!
//! sgf-parse sorts each property into a typed value or, when the value breaks the standard, into `Invalid` with the raw
//! text. Numbers that only inform (komi, handicap) are forgiven with a warning; board, game and moves are not.

use super::clean::{self, Nodes};
use super::{GameRecord, GameTree, Mark, Node, SgfError, Step};
use crate::base::{Black, Color, GameKind, Point, Size, White};
use log::warn;
use sgf_parse::go::{Move, Point as SgfPoint, Prop};
use sgf_parse::{Color as SgfColor, SgfProp};
use std::collections::{BTreeMap, HashSet};

const DEFAULT_GO_SIZE: &str = "19";
const DEFAULT_GOBANG_SIZE: &str = "15";
/// Komi beyond this is a slip of some other program.
const KOMI_LIMIT: f64 = 1000.0;
/// `tt` is a pass on boards up to 19x19, where it is not a point.
const OLD_PASS: SgfPoint = SgfPoint { x: 19, y: 19 };
const OLD_PASS_MAX_SIZE: usize = 19;
/// Longer values are cut in messages.
const VALUE_SHOWN: usize = 20;

pub(super) fn record(bytes: &[u8]) -> Result<GameRecord, SgfError> {
    let line = clean::main_line(bytes)?;
    let kind = kind(&line)?;
    let nodes = properties(&line)?;
    let header = Header(&nodes);
    let size = header.size(kind)?;
    Ok(GameRecord {
        komi: if kind == GameKind::Go { header.komi() } else { None },
        handicap: header.handicap(size),
        steps: steps(size, &nodes)?,
        rules: header.line_of("RU"),
        result: header.line_of("RE"),
        players: [header.line_of("PB"), header.line_of("PW")],
        comment: nodes.first().and_then(|root| Header(std::slice::from_ref(root)).text("C")),
        ..GameRecord::new(kind, size)
    })
}

pub(super) fn trees(bytes: &[u8]) -> Result<Vec<GameTree>, SgfError> {
    clean::games(bytes)?.iter().map(tree).collect()
}

fn tree(game: &Nodes) -> Result<GameTree, SgfError> {
    let kind = kind(game)?;
    let properties = properties(game)?;
    let header = Header(&properties);
    let size = header.size(kind)?;
    let node = |(node, &parent): (&Vec<Prop>, &Option<usize>)| {
        let own = Header(std::slice::from_ref(node));
        Ok(Node {
            parent,
            steps: steps(size, std::slice::from_ref(node))?,
            comment: own.text("C").unwrap_or_default(),
            name: own.line_of("N").unwrap_or_default(),
            marks: node.iter().filter_map(mark).collect(),
        })
    };
    Ok(GameTree {
        kind,
        size,
        name: header.line_of("GN").or_else(|| header.line_of("N")),
        about: header.text("GC"),
        level: header.line_of("DI"),
        nodes: properties.iter().zip(&game.parents).map(node).collect::<Result<_, SgfError>>()?,
    })
}

fn mark(prop: &Prop) -> Option<Mark> {
    match prop.identifier().as_str() {
        "GB" => Some(Mark::GoodFor(Black)),
        "GW" => Some(Mark::GoodFor(White)),
        "TE" => Some(Mark::GoodMove),
        "BM" | "DO" | "WV" => Some(Mark::BadMove),
        _ => None,
    }
}

fn kind(line: &Nodes) -> Result<GameKind, SgfError> {
    match line.game.as_deref() {
        None | Some("1") => Ok(GameKind::Go),
        Some("4") => Ok(GameKind::Gobang),
        Some(other) => Err(SgfError::Kind(shorten(other))),
    }
}

/// The properties of each node of the line. The tree is taken apart node by node, because dropping a long one whole
/// would recurse once per node and overflow the stack.
fn properties(line: &Nodes) -> Result<Vec<Vec<Prop>>, SgfError> {
    let tree = sgf_parse::parse(&line.text)?.into_iter().next().ok_or(SgfError::NoGame)?;
    let mut next = Some(tree.into_go_node()?);
    let mut nodes = Vec::new();
    while let Some(mut node) = next {
        next = node.children.pop();
        nodes.push(node.properties);
    }
    Ok(nodes)
}

/// What is said about the game as a whole, in the first node or in a later one.
struct Header<'a>(&'a [Vec<Prop>]);

impl Header<'_> {
    fn find(&self, name: &str) -> Option<&Prop> {
        self.0.iter().flatten().find(|prop| prop.identifier() == name)
    }

    fn size(&self, kind: GameKind) -> Result<Size, SgfError> {
        let value = match (self.find("SZ"), kind) {
            (Some(prop), _) => raw(prop),
            (None, GameKind::Go) => DEFAULT_GO_SIZE.to_owned(),
            (None, GameKind::Gobang) => DEFAULT_GOBANG_SIZE.to_owned(),
        };
        let (columns, rows) = value.split_once(':').unwrap_or((&value, &value));
        let size = columns.parse().ok().and_then(Size::new).filter(|_| columns == rows);
        size.ok_or_else(|| SgfError::Size(shorten(&value)))
    }

    fn komi(&self) -> Option<f32> {
        let value = raw(self.find("KM")?);
        let komi = value.replace(',', ".").parse().ok().filter(|komi: &f64| komi.abs() <= KOMI_LIMIT);
        if komi.is_none() {
            warn!("KM[{}] ignored: expected a number", shorten(&value));
        }
        komi.map(|komi| komi as f32)
    }

    fn handicap(&self, size: Size) -> usize {
        let Some(prop) = self.find("HA") else { return 0 };
        let value = raw(prop);
        value.parse().ok().filter(|&stones| stones <= size.area()).unwrap_or_else(|| {
            warn!("HA[{}] ignored: expected a number of stones", shorten(&value));
            0
        })
    }

    fn text(&self, name: &str) -> Option<String> {
        self.find(name).map(raw)
    }

    /// A text in which line breaks mean nothing.
    fn line_of(&self, name: &str) -> Option<String> {
        self.text(name).map(|text| text.replace('\n', " "))
    }
}

/// A node with both set-up and moves breaks the standard; the set-up is then taken first.
fn steps(size: Size, nodes: &[Vec<Prop>]) -> Result<Vec<Step>, SgfError> {
    let mut steps = Vec::new();
    let mut number = 1;
    for node in nodes {
        steps.extend(set_up(size, number, node)?);
        for prop in node {
            if let Some(step) = played(size, number, prop)? {
                steps.push(step);
                number += 1;
            }
        }
    }
    Ok(steps)
}

fn played(size: Size, number: usize, prop: &Prop) -> Result<Option<Step>, SgfError> {
    let (color, point) = match prop {
        Prop::B(mv) => (Black, point_of_move(size, mv)),
        Prop::W(mv) => (White, point_of_move(size, mv)),
        Prop::Invalid(name, _) if name == "B" => (Black, None),
        Prop::Invalid(name, _) if name == "W" => (White, None),
        _ => return Ok(None),
    };
    let wrong = || SgfError::Move { number, color, value: shorten(&raw(prop)), size };
    Ok(Some(Step::Move(color, point.ok_or_else(wrong)?)))
}

fn point_of_move(size: Size, mv: &Move) -> Option<Point> {
    match *mv {
        Move::Pass => Some(Point::PASS),
        Move::Move(OLD_PASS) if size.n() <= OLD_PASS_MAX_SIZE => Some(Point::PASS),
        Move::Move(point) => on_board(size, point),
    }
}

/// SGF counts rows from the top.
fn on_board(size: Size, point: SgfPoint) -> Option<Point> {
    let (x, y) = (point.x as usize, point.y as usize);
    (x < size.n() && y < size.n()).then(|| size.point(x, size.n() - 1 - y))
}

/// The set-up of one node. If a point is named twice, the later property holds.
fn set_up(size: Size, number: usize, node: &[Prop]) -> Result<Option<Step>, SgfError> {
    let mut stones = BTreeMap::new();
    let mut to_play = None;
    for prop in node {
        if let Some((property, color, points)) = stones_of(prop) {
            let wrong = |value| SgfError::SetUp { number, property, value, size };
            for &point in points.ok_or_else(|| wrong(shorten(&raw(prop))))? {
                let on_board = on_board(size, point).ok_or_else(|| wrong(letters(point)))?;
                stones.insert(on_board, color);
            }
        } else if prop.identifier() == "PL" {
            to_play = side(prop);
        }
    }
    let is_set_up = !stones.is_empty() || to_play.is_some();
    Ok(is_set_up.then(|| Step::SetUp { stones: stones.into_iter().collect(), to_play }))
}

type Stones<'a> = (&'static str, Option<Color>, Option<&'a HashSet<SgfPoint>>);

/// Name, colour and points of AB, AW or AE; no points if the list is malformed.
fn stones_of(prop: &Prop) -> Option<Stones<'_>> {
    match prop {
        Prop::AB(points) => Some(("AB", Some(Black), Some(points))),
        Prop::AW(points) => Some(("AW", Some(White), Some(points))),
        Prop::AE(points) => Some(("AE", None, Some(points))),
        Prop::Invalid(name, _) => match name.as_str() {
            "AB" => Some(("AB", Some(Black), None)),
            "AW" => Some(("AW", Some(White), None)),
            "AE" => Some(("AE", None, None)),
            _ => None,
        },
        _ => None,
    }
}

/// PL, also spelled out or in small letters.
fn side(prop: &Prop) -> Option<Color> {
    match prop {
        Prop::PL(SgfColor::Black) => Some(Black),
        Prop::PL(SgfColor::White) => Some(White),
        _ => {
            let side = Color::from_gtp(&raw(prop));
            if side.is_none() {
                warn!("PL[{}] ignored: expected B or W", shorten(&raw(prop)));
            }
            side
        }
    }
}

/// The value as it stood in the cleaned line; of several, the first, but all of a malformed move or list.
fn raw(prop: &Prop) -> String {
    match prop {
        Prop::KM(komi) => komi.to_string(),
        Prop::HA(stones) => stones.to_string(),
        Prop::SZ((columns, rows)) if columns == rows => columns.to_string(),
        Prop::SZ((columns, rows)) => format!("{columns}:{rows}"),
        Prop::RE(text) | Prop::RU(text) | Prop::PB(text) | Prop::PW(text) | Prop::GN(text) | Prop::N(text) => {
            text.text.clone()
        }
        Prop::C(text) | Prop::GC(text) => text.text.clone(),
        Prop::B(Move::Move(point)) | Prop::W(Move::Move(point)) => letters(*point),
        Prop::Invalid(name, values) if matches!(name.as_str(), "B" | "W" | "AB" | "AW" | "AE") => values.join("]["),
        Prop::Invalid(_, values) | Prop::Unknown(_, values) => values.first().cloned().unwrap_or_default(),
        _ => String::new(),
    }
}

fn letters(point: SgfPoint) -> String {
    let letter = |i: u8| if i < 26 { b'a' + i } else { b'A' + (i - 26) } as char;
    [letter(point.x), letter(point.y)].iter().collect()
}

fn shorten(value: &str) -> String {
    if value.chars().count() <= VALUE_SHOWN {
        return value.to_owned();
    }
    value.chars().take(VALUE_SHOWN).chain("...".chars()).collect()
}
