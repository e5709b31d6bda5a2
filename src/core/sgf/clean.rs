//! Finds the games in the bytes of a file, or the main line of the first, and writes them anew for the sgf-parse crate.
//!
//! Real files have junk before the game, empty values, old long names, brackets that nobody escaped, and text in
//! encodings that were never declared. sgf-parse refuses the whole file for some of these, and its errors name no
//! place. So this scanner keeps only the properties that `read` uses, one flat line of nodes, in UTF-8. SGF's structure is
//! ASCII: bytes are scanned first and text is decoded after, so that offsets are those of the file.
//!
//! Encodings are found by [`super::charset`]: UTF-8 if the bytes are valid UTF-8, else the reading with more nodes and
//! properties, since a wrong guess swallows brackets and what stands behind them; of equals the one that CA names, or
//! the one whose text looks like text.

use super::SgfError;
use super::charset::{self, Charset};
use log::warn;

/// Nodes as sgf-parse wants them. GM is handed over apart: with it in the text sgf-parse would read the points of
/// Gobang, which are written like those of Go, as mere strings.
///
/// Branches are handed over apart too: the text is one flat line of all nodes, as deep as a file may nest them.
#[derive(Default)]
pub(super) struct Nodes {
    pub text: String,
    pub game: Option<String>,
    /// The node before each node.
    pub parents: Vec<Option<usize>>,
    /// Nodes and properties seen, kept or not.
    parts: usize,
}

/// The main line of a game has no more nodes. What is kept of a node is much larger than its letters.
const MOST_NODES: usize = 100_000;

/// How much of a file is wanted.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    MainLine,
    Everything,
}

pub(super) fn main_line(bytes: &[u8]) -> Result<Nodes, SgfError> {
    let mut games = read(bytes, Extent::MainLine)?;
    games.pop().ok_or(SgfError::NoGame)
}

/// Every game in the file, with all variations.
pub(super) fn games(bytes: &[u8]) -> Result<Vec<Nodes>, SgfError> {
    read(bytes, Extent::Everything)
}

fn read(bytes: &[u8], extent: Extent) -> Result<Vec<Nodes>, SgfError> {
    if let Some(text) = from_utf16(bytes) {
        return Scanner::scan(text.as_bytes(), Charset::UTF_8, extent);
    }
    if std::str::from_utf8(bytes).is_ok() {
        return Scanner::scan(bytes, Charset::UTF_8, extent);
    }
    let rank = |(charset, is_named): (Charset, bool)| {
        let games = Scanner::scan(bytes, charset, extent);
        let (parts, likeness) = match &games {
            Ok(games) => (
                games.iter().map(|game| game.parts).sum::<usize>(),
                charset.likeness(bytes, is_named, games.iter().map(|game| game.text.as_str())),
            ),
            Err(_) => (0, i64::MIN),
        };
        ((parts, likeness), games)
    };
    // Of equals the first: the one that is named.
    let ranked = charset::candidates(bytes).into_iter().rev().map(rank);
    ranked.max_by_key(|(rank, _)| *rank).map_or(Err(SgfError::NoGame), |(_, games)| games)
}

/// UTF-16, known by its byte order mark.
fn from_utf16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    Some(String::from_utf16_lossy(&units))
}

/// How the values of a property are cleaned.
#[derive(Clone, Copy, PartialEq)]
enum Values {
    /// Blanks are dropped, an empty value is a pass.
    Move,
    /// Blanks are dropped, empty values too.
    Word,
    /// Trimmed, empty values dropped, brackets that nobody escaped are tolerated.
    Text,
    /// Counts by being there, whatever its value.
    Flag,
    /// Not used by `read`.
    Dropped,
}

const PROPERTIES: [(&str, Values); 25] = [
    ("B", Values::Move),
    ("W", Values::Move),
    ("AB", Values::Word),
    ("AW", Values::Word),
    ("AE", Values::Word),
    ("PL", Values::Word),
    ("GM", Values::Word),
    ("SZ", Values::Word),
    ("KM", Values::Word),
    ("HA", Values::Word),
    ("PB", Values::Text),
    ("PW", Values::Text),
    ("RE", Values::Text),
    ("RU", Values::Text),
    ("C", Values::Text),
    ("N", Values::Text),
    ("GN", Values::Text),
    ("GC", Values::Text),
    ("DI", Values::Text),
    ("GB", Values::Flag),
    ("GW", Values::Flag),
    ("TE", Values::Flag),
    ("BM", Values::Flag),
    ("DO", Values::Flag),
    ("WV", Values::Flag),
];

impl Values {
    fn of(name: &str) -> Values {
        PROPERTIES.iter().find(|row| row.0 == name).map_or(Values::Dropped, |row| row.1)
    }

    fn clean(self, value: &str) -> Option<String> {
        let value = match self {
            Values::Move | Values::Word => value.split_whitespace().collect(),
            Values::Flag => "1".to_owned(),
            Values::Text | Values::Dropped => value.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned(),
        };
        (self == Values::Move || !value.is_empty()).then_some(value)
    }
}

impl Nodes {
    fn start_node(&mut self, parent: Option<usize>) {
        self.text.push(';');
        self.parents.push(parent);
        self.parts += 1;
    }

    fn last(&self) -> Option<usize> {
        self.parents.len().checked_sub(1)
    }

    /// Appends a property, unless it is of no use or nothing is left of it.
    fn push(&mut self, name: &str, kind: Values, values: &[String]) {
        if self.parts == 0 {
            self.start_node(None);
        }
        self.parts += 1;
        if kind == Values::Dropped {
            return;
        }
        if name == "GM" {
            self.game = self.game.take().or(values.first().cloned());
        } else if !values.is_empty() {
            self.text.push_str(name);
            for value in values {
                self.text.extend(["[", &super::escape(value), "]"]);
            }
        }
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    charset: Charset,
}

impl Scanner<'_> {
    /// The games wanted, at least one.
    fn scan(bytes: &[u8], charset: Charset, extent: Extent) -> Result<Vec<Nodes>, SgfError> {
        let mut scanner = Scanner { bytes, at: start_of_game(bytes, 0).ok_or(SgfError::NoGame)?, charset };
        let mut games = vec![scanner.game(extent)?];
        while extent == Extent::Everything
            && let Some(start) = start_of_game(bytes, scanner.at)
        {
            scanner.at = start;
            games.push(scanner.game(extent)?);
        }
        Ok(games)
    }

    /// The first `)` of a game ends its main line: what follows are other variations. If only the last one is missing,
    /// the game is taken as it is.
    fn game(&mut self, extent: Extent) -> Result<Nodes, SgfError> {
        let mut nodes = Nodes { text: "(".to_owned(), ..Nodes::default() };
        // Where the variations begin that are open, and the node that the next one follows.
        let (mut open, mut last) = (Vec::new(), None);
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'(') => {
                    open.push(last);
                    self.at += 1;
                }
                Some(b';') => {
                    if extent == Extent::MainLine && nodes.parents.len() >= MOST_NODES {
                        return Err(SgfError::TooLong { offset: self.at, most: MOST_NODES });
                    }
                    nodes.start_node(last);
                    last = nodes.last();
                    self.at += 1;
                }
                Some(b')') => {
                    self.at += 1;
                    last = open.pop().flatten();
                    if open.is_empty() || extent == Extent::MainLine {
                        break;
                    }
                }
                None => {
                    warn!("the game is not closed, expected `)` at the end of the file");
                    break;
                }
                _ => {
                    self.property(&mut nodes)?;
                    last = last.or(nodes.last());
                }
            }
        }
        nodes.text.push(')');
        Ok(nodes)
    }

    fn property(&mut self, line: &mut Nodes) -> Result<(), SgfError> {
        let start = self.at;
        let name = property_name(self.word());
        self.skip_blanks();
        if name.is_empty() || self.peek() != Some(b'[') {
            return Err(self.unexpected(start));
        }
        let kind = Values::of(&name);
        let mut values = Vec::new();
        while self.peek() == Some(b'[') {
            let bytes = self.value(kind)?;
            values.extend(kind.clean(&self.charset.decode(&bytes)));
            self.skip_blanks();
        }
        line.push(&name, kind, &values);
        Ok(())
    }

    /// The bytes between brackets, without escapes and soft line breaks.
    fn value(&mut self, kind: Values) -> Result<Vec<u8>, SgfError> {
        let start = self.at;
        let mut value = Vec::new();
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b']' => {
                    self.at += 1;
                    let is_text = matches!(kind, Values::Text | Values::Dropped);
                    if !(is_text && self.text_goes_on()) {
                        return Ok(value);
                    }
                    value.push(byte);
                }
                b'\\' => {
                    self.at += 1;
                    if !self.skip_line_break() {
                        self.take_letter(&mut value);
                    }
                }
                _ => self.take_letter(&mut value),
            }
        }
        Err(SgfError::Unclosed { offset: start })
    }

    /// Whether the bracket before this place belongs to a text like `a [12k]: b`: nothing that may follow a value comes
    /// next, and another bracket closes before the next node starts.
    fn text_goes_on(&self) -> bool {
        let mut ahead = Scanner { at: self.at, ..*self };
        ahead.skip_blanks();
        if matches!(ahead.peek(), None | Some(b'[' | b']' | b';' | b'(' | b')')) {
            return ahead.peek() == Some(b']');
        }
        let is_word = !ahead.word().is_empty();
        ahead.skip_blanks();
        let is_property = is_word && ahead.peek() == Some(b'[');
        !is_property && self.bytes[self.at..].iter().find(|&b| b";]".contains(b)) == Some(&b']')
    }

    fn take_letter(&mut self, value: &mut Vec<u8>) {
        let is_pair = |pair: &[u8]| self.charset.is_pair(pair[0], pair[1]);
        let length = if self.bytes.get(self.at..self.at + 2).is_some_and(is_pair) { 2 } else { 1 };
        value.extend(self.bytes[self.at..].iter().take(length));
        self.at += length;
    }

    fn skip_line_break(&mut self) -> bool {
        let length = match self.bytes[self.at..] {
            [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
        self.at += length;
        length > 0
    }

    /// The letters, digits and underscores from here on.
    fn word(&mut self) -> &[u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|b| b <= b' ') {
            self.at += 1;
        }
    }

    fn unexpected(&self, offset: usize) -> SgfError {
        let rest = &self.bytes[offset..];
        let line = rest.split(|b| b"\r\n".contains(b)).next().unwrap_or(rest);
        let excerpt: String = self.charset.decode(&line[..line.len().min(40)]).chars().take(20).collect();
        let found = if rest.is_empty() { "the end of the file".to_owned() } else { format!("{excerpt:?}") };
        SgfError::Syntax { offset, expected: "a property, `;`, `(` or `)`", found }
    }
}

/// Where the next `(` is that a node follows. The Nihon Ki-in's files leave out the first `;`, so if there is no `(;`
/// then `(` and a property will do.
fn start_of_game(bytes: &[u8], from: usize) -> Option<usize> {
    let opened = || (from..bytes.len()).filter(|&at| bytes[at] == b'(');
    let behind = |at: usize| {
        let mut scanner = Scanner { bytes, at: at + 1, charset: Charset::UTF_8 };
        scanner.skip_blanks();
        scanner
    };
    let is_property = |mut scanner: Scanner| !scanner.word().is_empty() && scanner.peek() == Some(b'[');
    opened().find(|&at| behind(at).peek() == Some(b';')).or_else(|| opened().find(|&at| is_property(behind(at))))
}

/// Old files write `AddBlack` for AB: small letters do not count, unless there is nothing else.
fn property_name(word: &[u8]) -> String {
    let is_small = word.iter().all(|b| !b.is_ascii_uppercase());
    let letters = word.iter().filter(|b| is_small || !b.is_ascii_lowercase());
    letters.map(|b| b.to_ascii_uppercase() as char).collect()
}
