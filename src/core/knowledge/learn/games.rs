//! Games to learn from: SGF files, folders of them, and files with one game a line.
//!
//! A line has fields separated by tabs: kind, size, komi, result, rating of Black, rating of White, set-up, who moves first, and
//! the moves as SGF letter pairs (`tt` is a pass). Such a file may be packed by gzip. Lines that begin with `#` are passed over.

use crate::base::rng::mix;
use crate::base::{Color, GameKind, Point, Size};
use crate::game::go::Board;
use crate::sgf::{self, Step};
use flate2::read::MultiGzDecoder;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A game of Go on the size wanted, as a file tells it: nothing has been played yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    pub set_up: Vec<(Point, Color)>,
    pub moves: Vec<(Color, Point)>,
}

/// What was found in files.
#[derive(Default)]
pub struct Games {
    pub games: Vec<Game>,
    /// Games of each kind, by the word of the line format; those of SGF files are `sgf`.
    pub kinds: BTreeMap<String, usize>,
    /// Games of another size or not of Go.
    pub others: usize,
    /// What could not be read, with its place.
    pub complaints: Vec<String>,
}

impl Games {
    /// Reads files and folders, in the order of their names.
    pub fn read(paths: &[PathBuf], size: Size) -> Games {
        let mut games = Games::default();
        for path in paths {
            games.read_path(path, size, true);
        }
        games
    }

    fn read_path(&mut self, path: &Path, size: Size, is_named: bool) {
        if path.is_dir() {
            match std::fs::read_dir(path) {
                Err(e) => self.complaints.push(format!("{}: {e}", path.display())),
                Ok(entries) => {
                    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
                    paths.sort();
                    paths.iter().for_each(|path| self.read_path(path, size, false));
                }
            }
            return;
        }
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let result = if name.ends_with(".sgf") {
            self.read_sgf(path, size)
        } else if is_named || name.ends_with(".tsv") || name.ends_with(".tsv.gz") {
            self.read_lines(path, size)
        } else {
            Ok(())
        };
        if let Err(reason) = result {
            self.complaints.push(reason);
        }
    }

    fn add(&mut self, kind: &str, game: Game) {
        *self.kinds.entry(kind.to_string()).or_default() += 1;
        self.games.push(game);
    }

    fn read_sgf(&mut self, path: &Path, size: Size) -> Result<(), String> {
        let say = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
        let bytes = std::fs::read(path).map_err(|e| say(&e))?;
        let record = sgf::read(&bytes).map_err(|e| say(&e))?;
        if record.kind != GameKind::Go || record.size != size {
            self.others += 1;
            return Ok(());
        }
        let mut game = Game { set_up: Vec::new(), moves: Vec::new() };
        for step in record.steps {
            match step {
                Step::Move(color, p) => game.moves.push((color, p)),
                Step::SetUp { stones, .. } if game.moves.is_empty() => {
                    game.set_up.extend(stones.into_iter().filter_map(|(p, color)| Some((p, color?))));
                }
                // Stones put down in the middle of a game: what was before is a game by itself.
                Step::SetUp { .. } => break,
            }
        }
        self.add("sgf", game);
        Ok(())
    }

    fn read_lines(&mut self, path: &Path, size: Size) -> Result<(), String> {
        let say = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
        let mut file = BufReader::new(File::open(path).map_err(|e| say(&e))?);
        let is_packed = file.fill_buf().map_err(|e| say(&e))?.starts_with(&[0x1f, 0x8b]);
        let reader: Box<dyn Read> = if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
        for (number, line) in BufReader::new(reader).split(b'\n').enumerate() {
            let line = line.map_err(|e| format!("{}, line {}: {e}", path.display(), number + 1))?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match parse_line(line, size) {
                Ok(Some((kind, game))) => self.add(&kind, game),
                Ok(None) => self.others += 1,
                Err(reason) => self.complaints.push(format!("{}, line {}: {reason}", path.display(), number + 1)),
            }
        }
        Ok(())
    }
}

/// The game of a line; none if it is of another size.
fn parse_line(line: &str, size: Size) -> Result<Option<(String, Game)>, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [kind, n, _komi, _result, _black, _white, set_up, first, moves] = fields[..] else {
        return Err(format!("9 fields separated by tabs are expected, not {}", fields.len()));
    };
    let n: usize = n.parse().map_err(|_| format!("the size of a board is expected, not '{n}'"))?;
    if n != size.n() {
        return Ok(None);
    }
    if set_up != "-" && !set_up.is_empty() {
        return Err(format!("a set-up of '-' is expected (none), not '{set_up}'"));
    }
    let mut color = Color::from_gtp(first).ok_or_else(|| format!("B or W is expected to move first, not '{first}'"))?;
    if !moves.len().is_multiple_of(2) || !moves.is_ascii() {
        return Err("moves are pairs of letters".to_string());
    }
    let mut game = Game { set_up: Vec::new(), moves: Vec::with_capacity(moves.len() / 2) };
    for (i, pair) in moves.as_bytes().chunks(2).enumerate() {
        let p = point(pair, size)
            .ok_or_else(|| format!("move {}: '{}' is not on the board", i + 1, String::from_utf8_lossy(pair)))?;
        game.moves.push((color, p));
        color = color.opponent();
    }
    Ok(Some((kind.to_string(), game)))
}

/// The point of two SGF letters; columns from the left, rows from the top.
fn point(pair: &[u8], size: Size) -> Option<Point> {
    if pair == b"tt" && size.n() < 20 {
        return Some(Point::PASS);
    }
    let number = |letter: u8| letter.is_ascii_lowercase().then(|| (letter - b'a') as usize);
    let (x, from_top) = (number(pair[0])?, number(pair[1])?);
    (x < size.n() && from_top < size.n()).then(|| size.point(x, size.n() - 1 - from_top))
}

impl Game {
    /// A number that is the same for the same moves, whatever file they come from.
    pub fn hash(&self) -> u64 {
        let set_up = self.set_up.iter().map(|&(p, color)| (p, color, true));
        let moves = self.moves.iter().map(|&(color, p)| (p, color, false));
        set_up
            .chain(moves)
            .fold(0, |hash, (p, color, is_set_up)| mix(&[hash, p.0 as u64, color.index() as u64, is_set_up as u64]))
    }

    /// Plays the game, showing each position with its last two moves and the move that is played there. Ends before an illegal
    /// move; false if there is one.
    pub fn replay<const W: usize, const P: usize>(
        &self,
        size: Size,
        mut visit: impl FnMut(&Board<W, P>, [Point; 2], Point),
    ) -> bool {
        let mut board = Board::<W, P>::new(size, 0.0);
        if !board.set_stones(self.set_up.iter().copied()) {
            return false;
        }
        let mut last = [Point::PASS; 2];
        for &(color, p) in &self.moves {
            if color != board.to_play() {
                board.set_to_play(color);
                last = [Point::PASS; 2];
            }
            if !p.is_pass() && !board.is_legal(p) {
                return false;
            }
            visit(&board, last, p);
            board.play(p);
            last = [p, last[0]];
        }
        true
    }
}
