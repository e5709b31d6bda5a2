//! The protocol of Gomocup and Piskvork: lines such as `START 15`, `TURN 7,7`; the other face of a Gobang session.
//!
//! Coordinates are `x,y` from 0. `INFO` is never answered; anything that is not understood gets `UNKNOWN`, anything that
//! cannot be done `ERROR`. The manager measures time: a move gets its share of what is left, never more than a turn may
//! take, less a reserve for the way there and back.

use crate::base::params::clip;
use crate::base::{Black, Color, GameKind, Point};
use crate::game::gobang::Rule;
use crate::gtp::input::{Signals, TOO_LONG, read_on_thread};
use crate::gtp::reply::Wire;
use crate::session::{Answer, MoveLimits, Options, Session};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the manager has said about time and memory; milliseconds and bytes.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// 0 is at once.
    turn: u64,
    /// None is no limit.
    left: Option<u64>,
    memory: Option<u64>,
}

/// As the protocol has it: half a minute a move unless told otherwise.
const DEFAULT_LIMITS: Limits = Limits { turn: 30_000, left: None, memory: None };
/// Kept back from every turn for reading, writing and a busy machine: this part of it, within these bounds.
const RESERVE_PART: u64 = 8;
const RESERVE: (u64, u64) = (8, 250);
/// What a move gets that is wanted at once: hardly to be noticed, and enough not to play blindly.
const AT_ONCE: u64 = 10;
/// The time left is meant for about this many moves, or what the board still has room for.
const MOVES_TO_COME: u64 = 25;
/// Three stones from the middle that leave neither side much: Black, White, Black.
const SWAP2_OPENING: [(isize, isize); 3] = [(-5, 6), (-4, 5), (5, 5)];
/// What a manager sends for no limit.
const UNLIMITED: i64 = i32::MAX as i64;
/// Memory for everything but the tree, in bytes.
const OTHER_MEMORY: u64 = 30 << 20;

impl Limits {
    /// Milliseconds for a move with this many own moves still possible.
    fn for_move(&self, own_moves_to_come: u64) -> u64 {
        let share = self.left.map_or(u64::MAX, |left| left / own_moves_to_come.clamp(1, MOVES_TO_COME));
        // Early moves may take more than their share: most games end long before the board is full.
        let budget = self.turn.min(share.saturating_mul(2)).min(self.left.unwrap_or(u64::MAX));
        budget.saturating_sub((budget / RESERVE_PART).clamp(RESERVE.0, RESERVE.1)).max(AT_ONCE)
    }
}

pub struct Gomocup {
    session: Session,
    limits: Limits,
    /// The rule of the next game; one in hand keeps its own.
    rule: Result<Rule, String>,
    is_started: bool,
    /// Stones of a position being sent, or the first thing that was wrong with it; and what it is sent for.
    position: Option<Result<Vec<(Point, Side)>, String>>,
    swaps: bool,
    /// What came in while a move is thought about.
    signals: Signals,
    /// The input line being answered.
    line: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Own,
    Opponent,
}

/// Commands of a game.
const NEED_START: [&str; 8] = ["RESTART", "BEGIN", "TURN", "BOARD", "SWAP2BOARD", "TAKEBACK", "PLAY", "SUGGEST"];

/// What a line asks for.
enum Reply {
    Say(String),
    Nothing,
    End,
}

impl Gomocup {
    /// A session of Gobang, whatever game the options name; their rule holds until the manager names one.
    pub fn new(options: Options) -> Result<Gomocup, String> {
        let session = Session::new(Options { kind: GameKind::Gobang, resign: None, ponder: false, ..options })?;
        let rule = Ok(session.rule());
        let signals = Signals::default();
        Ok(Gomocup {
            session,
            limits: DEFAULT_LIMITS,
            rule,
            is_started: false,
            position: None,
            swaps: false,
            signals,
            line: 0,
        })
    }

    /// Answers lines until `END` or the end of the input. Lines go to `log` with their direction.
    pub fn run(
        &mut self,
        input: impl BufRead + Send + 'static,
        mut output: impl Write,
        mut log: Option<&mut dyn Write>,
    ) -> std::io::Result<()> {
        let mut wire = Wire { output: &mut output, log: log.as_mut().map(|log| &mut **log as &mut dyn Write) };
        for line in read_on_thread(input, self.signals.clone(), is_end) {
            wire.heard(&line.bytes);
            self.line = line.number;
            let text = String::from_utf8_lossy(&line.bytes);
            if line.is_cut {
                wire.say(&format!("ERROR {TOO_LONG}\r\n"))?;
                continue;
            }
            let reply = catch_unwind(AssertUnwindSafe(|| self.answer(text.trim())))
                .unwrap_or_else(|_| Reply::Say("ERROR internal error".to_string()));
            match reply {
                Reply::Say(text) => wire.say(&format!("{text}\r\n"))?,
                Reply::Nothing => {}
                Reply::End => break,
            }
        }
        Ok(())
    }

    fn answer(&mut self, line: &str) -> Reply {
        let mut words = line.splitn(2, [' ', '\t']);
        let command = words.next().unwrap_or_default().to_ascii_uppercase();
        let rest = words.next().unwrap_or_default().trim();
        if self.position.is_some() {
            if command == "DONE" || !command.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return self.receive(line);
            }
            self.position = None; // whoever says something else has given the position up
        }
        let result = match command.as_str() {
            "" => return Reply::Nothing,
            "END" => return Reply::End,
            "INFO" => {
                self.info(rest);
                return Reply::Nothing;
            }
            "ABOUT" => Ok(about()),
            "START" => self.start(rest),
            "RECTSTART" => Err("only square boards; use START".to_string()),
            _ if !self.is_started && NEED_START.contains(&&*command) => Err("START comes first".to_string()),
            "RESTART" => {
                self.clear();
                Ok("OK".to_string())
            }
            "BEGIN" if !self.session.table().is_empty() => Err("BEGIN is for an empty board".to_string()),
            "BEGIN" => self.think(),
            "TURN" => self.point(rest).and_then(|p| self.put(p)).and_then(|()| self.think()),
            "PLAY" => self.point(rest).and_then(|p| self.put(p).map(|()| self.text(p))),
            "TAKEBACK" => self.point(rest).and_then(|p| self.take_back(p)),
            "SUGGEST" => self.choose().map(|(p, _)| format!("SUGGEST {}", self.text(p))),
            "BOARD" | "SWAP2BOARD" => {
                self.position = Some(Ok(Vec::new()));
                self.swaps = command == "SWAP2BOARD";
                return Reply::Nothing;
            }
            _ => return Reply::Say(format!("UNKNOWN command {}", clip(&command))),
        };
        Reply::Say(result.unwrap_or_else(|e| format!("ERROR {e}")))
    }

    fn start(&mut self, size: &str) -> Result<String, String> {
        let n = size.parse().map_err(|_| "START takes the size of the board, such as START 15".to_string())?;
        self.session.set_size(n)?;
        self.clear();
        self.is_started = true;
        Ok("OK".to_string())
    }

    /// An empty board, by the rule that the manager last named.
    fn clear(&mut self) {
        match self.rule {
            Ok(rule) => self.session.set_rule(rule),
            Err(_) => self.session.clear(),
        }
    }

    /// Takes in what concerns moku; everything else is ignored, as it must be.
    fn info(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        let (Some(key), Some(value)) = (words.next(), words.next().and_then(|v| v.parse::<i64>().ok())) else { return };
        let limit = |v: i64| (v > 0 && v < UNLIMITED).then_some(v as u64);
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.limits.turn = value.max(0) as u64,
            "timeout_match" => self.limits.left = limit(value),
            // Nothing or less left is a hurry, not freedom.
            "time_left" => self.limits.left = (value < UNLIMITED).then_some(value.max(0) as u64),
            "max_memory" => self.limits.memory = limit(value),
            "rule" => {
                self.rule = rule_of(value);
                if self.session.table().is_empty() {
                    self.clear();
                }
            }
            _ => {}
        }
    }

    fn point(&self, text: &str) -> Result<Point, String> {
        let size = self.session.size();
        let numbers: Vec<Option<usize>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
        match numbers[..] {
            [Some(x), Some(y)] if x < size.n() && y < size.n() => Ok(size.point(x, y)),
            _ => Err(format!("expected x,y from 0,0 to {0},{0}, not '{1}'", size.n() - 1, clip(text))),
        }
    }

    fn text(&self, p: Point) -> String {
        let (x, y) = self.session.size().xy(p);
        format!("{x},{y}")
    }

    /// A move of whoever is to play.
    fn put(&mut self, p: Point) -> Result<(), String> {
        let color = self.session.table().to_play();
        self.session.play(color, p).map_err(|e| format!("{} cannot be played: {}", self.text(p), e.reason()))
    }

    fn take_back(&mut self, p: Point) -> Result<String, String> {
        match self.session.table().moves().last() {
            Some(&(_, last)) if last == p => {
                self.session.undo();
                Ok("OK".to_string())
            }
            Some(&(_, last)) => Err(format!("the last move was {}", self.text(last))),
            None => Err("there is no move to take back".to_string()),
        }
    }

    /// A line of a position, up to `DONE`.
    fn receive(&mut self, line: &str) -> Reply {
        if line.is_empty() {
            return Reply::Nothing;
        }
        if line.eq_ignore_ascii_case("done") {
            let stones = self.position.take().unwrap_or(Ok(Vec::new()));
            let result = match self.swaps {
                true => stones.and_then(|stones| self.swap2(&stones)),
                false => stones.and_then(|stones| self.set_up(&stones)).and_then(|()| self.think()),
            };
            return Reply::Say(result.unwrap_or_else(|e| format!("ERROR {e}")));
        }
        if self.swaps {
            // `x,y` alone: whose stone it is follows from the order.
            let point = self.point(line);
            match (point, &mut self.position) {
                (Ok(p), Some(Ok(stones))) => stones.push((p, Side::Opponent)),
                (Err(e), Some(position @ Ok(_))) => *position = Err(e),
                _ => {}
            }
            return Reply::Nothing;
        }
        let parsed = line.rsplit_once(',').ok_or(()).and_then(|(point, who)| {
            let side = match who.trim() {
                "1" => Side::Own,
                "2" => Side::Opponent,
                _ => return Err(()),
            };
            self.point(point).map(|p| (p, side)).map_err(|_| ())
        });
        // The answer, good or bad, comes after DONE: a manager waits for one line only.
        match (parsed, &mut self.position) {
            (Ok(stone), Some(Ok(stones))) => stones.push(stone),
            (Err(()), Some(position @ Ok(_))) => {
                *position = Err(format!("expected x,y,1 or x,y,2 or DONE, not '{}'", clip(line)));
            }
            _ => {}
        }
        Reply::Nothing
    }

    /// A position with moku to move. Who had Black follows from the number of stones. They become moves where they can be
    /// put in turns, in the order given, so that they can be taken back; else they are put there at once.
    fn set_up(&mut self, stones: &[(Point, Side)]) -> Result<(), String> {
        let of = |side| stones.iter().filter(move |(_, s)| *s == side).map(|(p, _)| *p);
        let (mut mine, mut theirs) = (of(Side::Own), of(Side::Opponent));
        let own = if mine.clone().count() == theirs.clone().count() { Black } else { Black.opponent() };
        self.clear();
        while self.session.table().moves().len() < stones.len() {
            let turn = self.session.table().to_play();
            let next = if turn == own { mine.next() } else { theirs.next() };
            if next.is_none_or(|p| self.session.play(turn, p).is_err()) {
                break;
            }
        }
        if self.session.table().moves().len() == stones.len() {
            self.session.set_to_play(own);
            return Ok(());
        }
        // The order is not that of a game: a five may come before the stone that makes it too long.
        self.clear();
        let color = |side| if side == Side::Own { own } else { own.opponent() };
        let colored: Vec<(Point, Color)> = stones.iter().map(|&(p, side)| (p, color(side))).collect();
        let fits = self.session.set_up(&colored, own);
        fits.then_some(()).ok_or_else(|| "no position: two stones on one point, or both sides have five".to_string())
    }

    /// The opening by swapping: three stones; then the other side takes Black, goes on as White, or puts two more and
    /// leaves the choice; then the first side chooses. moku puts down what looks even and takes the better side.
    fn swap2(&mut self, stones: &[(Point, Side)]) -> Result<String, String> {
        self.clear();
        for &(p, _) in stones {
            self.put(p)?;
        }
        let size = self.session.size();
        match stones.len() {
            0 => {
                let middle = size.n() as isize / 2;
                let at = |(dx, dy): (isize, isize)| {
                    let side = |d: isize| (middle + d).clamp(0, size.n() as isize - 1);
                    format!("{},{}", side(dx), side(dy))
                };
                Ok(SWAP2_OPENING.map(at).join(" "))
            }
            3 | 5 => {
                let (p, rate) = self.choose()?;
                Ok(if rate < 0.5 { "SWAP".to_string() } else { self.text(p) })
            }
            n => Err(format!("SWAP2BOARD takes no stones, three or five, not {n}")),
        }
    }

    /// The move that moku would make, and its chance to win with it; nothing is played.
    fn choose(&mut self) -> Result<(Point, f32), String> {
        self.prepare()?;
        let color = self.session.table().to_play();
        let (signals, line) = (self.signals.clone(), self.line);
        let thought = self.session.think(color, None, &mut |_| !signals.is_interrupted(line))?;
        let rate = thought.report.best().map_or(0.5, |best| best.rate);
        if thought.point.is_pass() { Err("no move is left".to_string()) } else { Ok((thought.point, rate)) }
    }

    fn think(&mut self) -> Result<String, String> {
        let color = self.session.table().to_play();
        self.prepare()?;
        let (signals, line) = (self.signals.clone(), self.line);
        match self.session.genmove(color, None, &mut |_| !signals.is_interrupted(line))? {
            Answer::Play(p) if !p.is_pass() => Ok(self.text(p)),
            _ => Err("no move is left".to_string()),
        }
    }

    /// Sets the limits of the next move, if there is one to make.
    fn prepare(&mut self) -> Result<(), String> {
        self.rule.clone()?;
        if self.session.table().is_over() {
            return Err("the game is over".to_string());
        }
        let room = (self.session.size().area() - self.session.table().moves().len()) as u64 / 2;
        let milliseconds = self.limits.for_move(room.max(1));
        let seconds = milliseconds as f64 / 1000.0;
        let tree_megabytes = self.limits.memory.map(tree_megabytes);
        self.session.set_limits(MoveLimits { seconds: Some(seconds), tree_megabytes });
        Ok(())
    }
}

/// Nobody waits for the move being thought about any more.
fn is_end(bytes: &[u8]) -> bool {
    bytes.trim_ascii().eq_ignore_ascii_case(b"END")
}

/// The rule that a manager's number stands for: 1 is exactly five, 2 a game that goes on after it; others moku does not
/// know.
fn rule_of(number: i64) -> Result<Rule, String> {
    match number & !2 {
        0 => Ok(Rule::Freestyle),
        1 => Ok(Rule::Exact),
        _ => Err(format!("moku plays by rule 0 (five or more) and 1 (exactly five), not by rule {number}")),
    }
}

fn tree_megabytes(bytes: u64) -> u64 {
    // The tree of the move before is there while the next one is made from it.
    ((bytes.saturating_sub(OTHER_MEMORY) / 2) >> 20).max(1)
}

fn about() -> String {
    concat!("name=\"moku\", version=\"", env!("CARGO_PKG_VERSION"), "\", author=\"the moku team\", country=\"-\"")
        .to_string()
}
