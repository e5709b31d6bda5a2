//! Diagrams as SVG.

use super::diagram::{Diagram, Mark};
use crate::base::{Color, Point};
use svg::node::element::{Circle, Definitions, Group, Line, Path, RadialGradient, Rectangle, Stop, Text};
use svg::{Document, Node};

/// Distance of two lines; everything else is a part of it.
const CELL: f64 = 44.0;
const MARGIN: f64 = 1.15 * CELL;
/// Letters of the caption and of the coordinates keep their share of the picture, within bounds.
const LETTERS_PER_BOARD: f64 = 34.0;
const LETTER_HEIGHTS: (f64, f64) = (13.0, 26.0);
const LARGEST_COORDINATE: f64 = 0.42 * CELL;
/// Parts of a letter's height: its width, on average, and the distance of lines.
const LETTER_WIDTH: f64 = 0.5;
const LINE_HEIGHT: f64 = 1.4;

const WOOD: &str = "#e7c48a";
const EDGE: &str = "#b98f52";
const INK: &str = "#2b2117";
const BLACK: &str = "#161616";
const WHITE: &str = "#fafafa";
/// How much of a pale stone is seen.
const PALE: f64 = 0.45;
const FONT: &str = "Helvetica, Arial, sans-serif";

/// By colour: a name, the stone where light falls on it, and its rim.
const STONES: [(&str, &str, &str); 2] = [("black", "#6a6a6a", BLACK), ("white", "#ffffff", "#d4d1c8")];

/// Light from the upper left.
fn shine((name, light, rim): (&str, &str, &str)) -> RadialGradient {
    let stop = |offset: f64, paint: &str| Stop::new().set("offset", offset).set("stop-color", paint);
    let gradient = RadialGradient::new().set("id", name).set("cx", 0.36).set("cy", 0.32).set("r", 0.7);
    gradient.add(stop(0.0, light)).add(stop(1.0, rim))
}

/// One layer of a diagram.
struct Canvas<'a> {
    diagram: &'a Diagram,
    layer: Group,
}

/// What a layer is called, and what draws it.
type Layer = (&'static str, fn(&mut Canvas));

/// From the wood up.
const LAYERS: [Layer; 4] =
    [("cells", |c| c.cells()), ("lines", |c| c.lines()), ("stones", |c| c.stones()), ("marks", |c| c.marks())];

fn layer(diagram: &Diagram, (name, draw): Layer) -> Group {
    let mut canvas = Canvas { diagram, layer: Group::new().set("class", name) };
    draw(&mut canvas);
    canvas.layer
}

/// The wood and all layers.
fn board(diagram: &Diagram, document: Document) -> Document {
    let side = measures(diagram).0 - 2.0;
    let wood = Rectangle::new().set("x", 1).set("y", 1).set("width", side).set("height", side);
    let wood = wood.set("rx", 4).set("fill", WOOD).set("stroke", EDGE).set("stroke-width", 2);
    let shines = Definitions::new().add(shine(STONES[0])).add(shine(STONES[1]));
    LAYERS.iter().fold(document.add(shines).add(wood), |document, &row| document.add(layer(diagram, row)))
}

/// The board with its caption below.
pub fn file(diagram: &Diagram) -> String {
    let (side, letter) = measures(diagram);
    let line = letter * LINE_HEIGHT;
    let per_line = ((side - CELL) / (letter * LETTER_WIDTH)) as usize;
    let caption: Vec<String> = diagram.caption.iter().flat_map(|text| wrap(text, per_line)).collect();
    let height = side + (caption.len() as f64 + 0.8) * line;
    let document = Document::new()
        .set("viewBox", (0, 0, side.round() as i64, height.round() as i64))
        .set("width", side.round() as i64)
        .set("height", height.round() as i64)
        .set("font-family", FONT)
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#ffffff"));
    let mut words = Canvas { diagram, layer: Group::new().set("class", "caption") };
    for (i, text) in caption.iter().enumerate() {
        words.text(text, 0.5 * CELL, side + (i as f64 + 1.1) * line, letter, INK, "start");
    }
    board(diagram, document).add(words.layer).to_string()
}

/// The board alone, as large as the page lets it be. Its data say where points are: `margin + column * cell`.
pub fn element(diagram: &Diagram) -> String {
    let side = measures(diagram).0.round() as i64;
    let document = Document::new()
        .set("class", "board")
        .set("viewBox", (0, 0, side, side))
        .set("role", "img")
        .set("aria-label", diagram.title())
        .set("font-family", FONT)
        .set("data-lines", diagram.size.n())
        .set("data-cell", CELL)
        .set("data-margin", MARGIN);
    board(diagram, document).to_string()
}

/// What changes while a search runs, to take the place of the layers of that name.
pub fn overlay(diagram: &Diagram) -> [String; 2] {
    [LAYERS[0], LAYERS[3]].map(|row| layer(diagram, row).to_string())
}

/// Width of the board with its edge, and height of a letter.
fn measures(diagram: &Diagram) -> (f64, f64) {
    let board = (diagram.size.n() - 1) as f64 * CELL + 2.0 * MARGIN;
    (board, (board / LETTERS_PER_BOARD).clamp(LETTER_HEIGHTS.0, LETTER_HEIGHTS.1))
}

/// Lines of at most so many letters, broken at blanks.
fn wrap(text: &str, per_line: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= per_line => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

impl Canvas<'_> {
    fn add(&mut self, element: impl Into<Box<dyn Node>>) {
        self.layer.append(element);
    }

    fn at(&self, p: Point) -> (f64, f64) {
        let (x, y) = self.diagram.size.xy(p);
        (MARGIN + x as f64 * CELL, MARGIN + (self.diagram.size.n() - 1 - y) as f64 * CELL)
    }

    /// Text whose middle, or start, is at a place; `y` is its base line.
    fn text(&mut self, text: &str, x: f64, y: f64, size: f64, paint: &str, anchor: &str) {
        let element = Text::new(text).set("x", x).set("y", y).set("font-size", size);
        self.add(element.set("fill", paint).set("text-anchor", anchor));
    }

    fn centred(&mut self, text: &str, (x, y): (f64, f64), size: f64, paint: &str) {
        self.text(text, x, y + 0.36 * size, size, paint, "middle");
    }

    fn cells(&mut self) {
        for (p, paint) in &self.diagram.cells {
            let (x, y) = self.at(*p);
            let square = Rectangle::new().set("x", x - CELL / 2.0).set("y", y - CELL / 2.0);
            self.add(square.set("width", CELL).set("height", CELL).set("fill", paint.as_str()));
        }
    }

    fn lines(&mut self) {
        let (low, high) = (MARGIN, MARGIN + (self.diagram.size.n() - 1) as f64 * CELL);
        for i in 0..self.diagram.size.n() {
            let at = MARGIN + i as f64 * CELL;
            for (x1, y1, x2, y2) in [(at, low, at, high), (low, at, high, at)] {
                let line = Line::new().set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2);
                self.add(line.set("stroke", INK).set("stroke-width", 1).set("stroke-linecap", "square"));
            }
        }
        let frame = Rectangle::new().set("x", low).set("y", low).set("width", high - low).set("height", high - low);
        self.add(frame.set("fill", "none").set("stroke", INK).set("stroke-width", 2));
        for &p in &self.diagram.stars {
            let (x, y) = self.at(p);
            self.add(Circle::new().set("cx", x).set("cy", y).set("r", 0.08 * CELL).set("fill", INK));
        }
        self.coordinates();
    }

    fn coordinates(&mut self) {
        let diagram = self.diagram;
        let (board, letter_height) = measures(diagram);
        let height = letter_height.min(LARGEST_COORDINATE);
        let n = diagram.size.n();
        let own = || {
            let letters = (0..n).map(|i| diagram.size.column_letter(i).to_string());
            [letters.collect(), (0..n).map(|i| (n - i).to_string()).collect()]
        };
        let [letters, numbers] = diagram.coordinates.clone().unwrap_or_else(own);
        for (i, (letter, number)) in letters.iter().zip(&numbers).enumerate() {
            let along = MARGIN + i as f64 * CELL;
            for edge in [0.34 * CELL, board - 0.34 * CELL] {
                self.centred(letter, (along, edge), height, INK);
                self.centred(number, (edge, along), height, INK);
            }
        }
    }

    fn stones(&mut self) {
        for &(p, color) in &self.diagram.stones {
            let (x, y) = self.at(p);
            let ((name, ..), other) = (STONES[color.index()], if color == Color::Black { WHITE } else { BLACK });
            let fill = format!("url(#{name})");
            let stone = Circle::new().set("cx", x).set("cy", y).set("r", 0.475 * CELL).set("fill", fill);
            let stone = stone.set("stroke", BLACK).set("stroke-width", 0.8);
            self.add(if self.diagram.pale.contains(&p) { stone.set("opacity", PALE) } else { stone });
            if self.diagram.last == Some(p) {
                let ring = Circle::new().set("cx", x).set("cy", y).set("r", 0.24 * CELL).set("fill", "none");
                self.add(ring.set("stroke", other).set("stroke-width", 2.5));
            }
        }
    }

    fn marks(&mut self) {
        for (p, mark) in &self.diagram.marks {
            let (x, y) = self.at(*p);
            match mark {
                Mark::Disc { word, paint, is_best } => {
                    let (ring, width) = if *is_best { ("#0b6e2a", 4.0) } else { (INK, 1.0) };
                    let disc =
                        Circle::new().set("cx", x).set("cy", y).set("r", 0.44 * CELL).set("fill", paint.as_str());
                    self.add(disc.set("stroke", ring).set("stroke-width", width));
                    self.centred(word, (x, y), 0.42 * CELL, ink_on(paint));
                }
                Mark::Word(word) => {
                    let under = self.diagram.cells.iter().find(|(q, _)| q == p).map_or(WOOD, |(_, paint)| paint);
                    // The lines stop short of the word.
                    let (width, height) = (0.86 * CELL, 0.46 * CELL);
                    let patch = Rectangle::new().set("x", x - width / 2.0).set("y", y - height / 2.0);
                    self.add(patch.set("width", width).set("height", height).set("fill", under));
                    self.centred(word, (x, y), 0.34 * CELL, ink_on(under));
                }
                Mark::OnStone(word) => {
                    let color = self.diagram.stones.iter().find(|stone| stone.0 == *p).map(|stone| stone.1);
                    let ink = if color == Some(Color::Black) { WHITE } else { BLACK };
                    self.centred(word, (x, y), 0.4 * CELL, ink);
                }
                Mark::Square { owner, share } => {
                    let side = 0.6 * CELL * (*share as f64).sqrt();
                    let fill = if *owner == Color::Black { BLACK } else { WHITE };
                    let square = Rectangle::new().set("x", x - side / 2.0).set("y", y - side / 2.0);
                    let square = square.set("width", side).set("height", side).set("fill", fill);
                    self.add(square.set("stroke", "#8a8a8a").set("stroke-width", 1));
                }
                Mark::Ring => {
                    let ring = Circle::new().set("cx", x).set("cy", y).set("r", 0.36 * CELL).set("fill", "none");
                    self.add(ring.set("stroke", "#1f8a3b").set("stroke-width", 4));
                }
                Mark::Kept => {
                    let dot = Circle::new().set("cx", x).set("cy", y).set("r", 0.27 * CELL).set("fill", "#1f8a3b");
                    self.add(dot.set("stroke", WHITE).set("stroke-width", 1));
                }
                Mark::Dropped => {
                    let arm = 0.2 * CELL;
                    let cross = format!(
                        "M{} {}L{} {}M{} {}L{} {}",
                        x - arm,
                        y - arm,
                        x + arm,
                        y + arm,
                        x - arm,
                        y + arm,
                        x + arm,
                        y - arm
                    );
                    self.add(Path::new().set("d", cross).set("stroke", "#b3202c").set("stroke-width", 4));
                }
            }
        }
    }
}

/// Black on light colours, white on dark ones.
fn ink_on(paint: &str) -> &'static str {
    let channel = |i: usize| paint.get(i..i + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(255);
    if 299 * channel(1) + 587 * channel(3) + 114 * channel(5) < 140_000 { WHITE } else { BLACK }
}
