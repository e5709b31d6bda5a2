//! What is on a drawn board: stones, marks on points, colours under them, a caption.

use super::draw;
use super::paint::Paint;
use crate::base::{Color, Point, Size};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// A board to be drawn. Every board that moku shows as SVG, in a file or on a page, is one.
#[derive(Clone, Debug)]
pub struct Diagram {
    pub size: Size,
    pub stones: Vec<(Point, Color)>,
    /// Stones that are there only for the sake of the others.
    pub pale: Vec<Point>,
    /// The last move.
    pub last: Option<Point>,
    pub stars: Vec<Point>,
    /// Colours under the lines.
    pub cells: Vec<(Point, Paint)>,
    pub marks: Vec<(Point, Mark)>,
    /// What stands below the board and to its left instead of its own letters and numbers, from the left and from the top.
    pub coordinates: Option<[Vec<String>; 2]>,
    /// Lines of text: the first one is the title.
    pub caption: Vec<String>,
}

/// Something drawn on a point, over stones and lines.
#[derive(Clone, PartialEq, Debug)]
pub enum Mark {
    /// A coloured disc with a word.
    Disc {
        word: String,
        paint: Paint,
        is_best: bool,
    },
    Word(String),
    /// A word on a stone, such as the number of its move.
    OnStone(String),
    /// A square whose side is a share of the point's.
    Square {
        owner: Color,
        share: f32,
    },
    /// Around a stone that decided the game.
    Ring,
    Kept,
    Dropped,
}

impl Diagram {
    pub fn new(size: Size, stones: Vec<(Point, Color)>, title: &str) -> Diagram {
        Diagram {
            size,
            stones,
            pale: Vec::new(),
            last: None,
            stars: Vec::new(),
            cells: Vec::new(),
            marks: Vec::new(),
            coordinates: None,
            caption: vec![title.to_string()],
        }
    }

    pub fn title(&self) -> &str {
        self.caption.first().map(String::as_str).unwrap_or_default()
    }

    /// A file, with the caption under the board.
    pub fn to_svg(&self) -> String {
        draw::file(self)
    }

    /// An element of a page, which has the caption beside it.
    pub fn to_html(&self) -> String {
        draw::element(self)
    }

    /// The layers `cells` and `marks`, to take the place of those in a page.
    pub fn overlay_layers(&self) -> [String; 2] {
        draw::overlay(self)
    }
}

/// For machines: stones by colour and the words on points, as vertices.
impl Serialize for Diagram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let vertex = |p: Point| self.size.point_to_gtp(p);
        let own = |color: Color| -> Vec<String> {
            self.stones.iter().filter(|stone| stone.1 == color).map(|stone| vertex(stone.0)).collect()
        };
        let word = |(p, mark): &(Point, Mark)| match mark {
            Mark::Word(word) | Mark::OnStone(word) | Mark::Disc { word, .. } => Some((vertex(*p), json!(word))),
            _ => None,
        };
        let words: Map<String, Value> = self.marks.iter().filter_map(word).collect();
        json!({
            "title": self.title(), "size": self.size.n(), "black": own(Color::Black), "white": own(Color::White),
            "words": words,
        })
        .serialize(serializer)
    }
}
