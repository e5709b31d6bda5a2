//! Problems for pages: sets of them, the prover's answers to a person's moves, and new ones made meanwhile.
//!
//! A page says each time which problem it means and what was played so far; nothing has to be remembered between two
//! questions, so that pages do not get into each other's way and a reload loses nothing.

mod make;

pub use make::{Maker, maker};

use super::given;
use super::job::{Clerk, Inbox, Post};
use crate::base::params::clip;
use crate::base::{Color, GameKind, Point, Size};
use crate::picture::{Mark, Picture};
use crate::tsumego::Problem;
use crate::tsumego::prover::lesson::{Lesson, Stand};
use crate::tsumego::prover::solver::sentence;
use crate::tsumego::prover::{Limits, Prover, find};
use crate::tsumego::set::STANDARD;
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Deserialize, Debug)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// What sets there are.
    Sets,
    /// A problem after some moves by turns, the person's first. If the person moved last, moku answers.
    Play { set: String, number: usize, moves: Vec<String> },
    /// All moves that are right now.
    Show { set: String, number: usize, moves: Vec<String> },
    /// Files with problems, names and bytes: a new set with this name, or more of one that was dropped before.
    Drop { name: String, files: Vec<(String, String)>, to: Option<String> },
    /// New problems of a level, from now on.
    Make { level: usize },
}

/// What is thought about a move, and about all of them.
const LIMITS: Limits = Limits { nodes: u64::MAX, seconds: Some(10.0) };
const TABLE_MB: usize = 64;
/// Dropped sets that are kept, and problems in one of them.
const MOST_SETS: usize = 16;
const MOST_PROBLEMS: usize = 5000;
const DROPPED: &str = "dropped-";
/// A line is not longer than this.
const MOST_MOVES: usize = 200;

/// A set of problems with a name that pages know it by.
pub struct Set {
    pub id: String,
    pub name: String,
    pub problems: Vec<Problem>,
}

impl Set {
    fn is_dropped(&self) -> bool {
        self.id.starts_with(DROPPED)
    }

    /// As pages hear of it: with a key for each problem, by which they keep what was solved.
    fn value(&self) -> Value {
        json!({ "id": self.id, "name": self.name, "keys": self.problems.iter().map(key).collect::<Vec<_>>() })
    }
}

/// The same for the same position, today and tomorrow (FNV-1a): a page keeps by it what was solved.
fn key(problem: &Problem) -> String {
    let text = format!("{}{}{}", problem.size, problem.to_play.letter(), stones(problem.size, &problem.stones));
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

/// All sets, those being made included.
pub type Shelf = Arc<Mutex<Vec<Set>>>;

/// The standard shapes, a set for each of their folders, easy ones first.
pub fn shelf() -> Result<Shelf, String> {
    let mut sets: Vec<Set> = Vec::new();
    for problem in Problem::read_all(&[PathBuf::from(STANDARD)])? {
        let folder = problem.path.parent().and_then(Path::file_name);
        let id = folder.map_or_else(|| "standard".to_string(), |name| name.to_string_lossy().into_owned());
        match sets.iter_mut().find(|set| set.id == id) {
            Some(set) => set.problems.push(problem),
            None => sets.push(Set { name: id.replace('-', " "), id, problems: vec![problem] }),
        }
    }
    // What is easy comes first, for somebody who sees them for the first time.
    let level =
        |problem: &Problem| problem.level.as_ref().and_then(|level| level.parse::<usize>().ok()).unwrap_or(usize::MAX);
    sets.iter_mut().for_each(|set| set.problems.sort_by_key(level));
    sets.sort_by_key(|set| set.problems.iter().map(level).min());
    Ok(Arc::new(Mutex::new(sets)))
}

pub struct Desk {
    shelf: Shelf,
    maker: Maker,
    post: Post<Command>,
    prover: Prover,
    /// The last problem, solved.
    lesson: Option<(String, usize, Arc<Lesson>)>,
    dropped: usize,
}

impl Command {
    /// A page waits for the last answer of these only.
    pub fn is_about_moves(&self) -> bool {
        matches!(self, Command::Play { .. } | Command::Show { .. })
    }
}

impl Clerk for Desk {
    type Command = Command;

    fn inbox(&mut self) -> &mut Inbox<Command> {
        &mut self.post.inbox
    }

    fn execute(&mut self, command: Command, stale: &AtomicBool) -> Result<Value, String> {
        match command {
            Command::Sets => Ok(self.sets()),
            Command::Play { set, number, moves } => self.play(&set, number, &moves, stale),
            Command::Show { set, number, moves } => self.show(&set, number, &moves, stale),
            Command::Drop { name, files, to } => self.take(name, &files, to),
            Command::Make { level } => {
                self.maker.want(level)?;
                Ok(self.sets())
            }
        }
    }

    fn recover(&mut self) {
        self.prover = Prover::new(TABLE_MB);
    }
}

impl Desk {
    pub fn new(shelf: Shelf, maker: Maker, post: Post<Command>) -> Desk {
        Desk { shelf, maker, post, prover: Prover::new(TABLE_MB), lesson: None, dropped: 0 }
    }

    fn sets(&self) -> Value {
        let rows = self.shelf.lock();
        json!({ "sets": rows.iter().map(Set::value).collect::<Vec<_>>() })
    }

    fn take(&mut self, name: String, files: &[(String, String)], to: Option<String>) -> Result<Value, String> {
        let (mut problems, mut wrong) = (Vec::new(), Vec::new());
        for (name, letters) in files {
            let read = given::bytes(letters)
                .and_then(|bytes| Problem::read(&bytes, Path::new(name)).map_err(|e| e.to_string()));
            match read {
                Ok(read) if read.is_empty() => wrong.push(format!("{name}: no stones are set up")),
                Ok(read) => problems.extend(read),
                Err(reason) => wrong.push(format!("{name}: {reason}")),
            }
        }
        let mut shelf = self.shelf.lock();
        let known = to.and_then(|id| shelf.iter().position(|set| set.id == id && set.is_dropped()));
        if problems.is_empty() && known.is_none() {
            return Err(wrong.into_iter().next().unwrap_or_else(|| "there is no problem in it".to_string()));
        }
        let at = known.unwrap_or_else(|| {
            if shelf.iter().filter(|set| set.is_dropped()).count() >= MOST_SETS
                && let Some(oldest) = shelf.iter().position(Set::is_dropped)
            {
                shelf.remove(oldest);
            }
            self.dropped += 1;
            shelf.push(Set { id: format!("{DROPPED}{}", self.dropped), name: clip(&name), problems: Vec::new() });
            shelf.len() - 1
        });
        let set = &mut shelf[at];
        set.problems.extend(problems);
        set.problems.truncate(MOST_PROBLEMS);
        Ok(json!({ "set": set.value(), "wrong": wrong }))
    }

    fn problem(&self, set: &str, number: usize) -> Result<(Problem, usize), String> {
        let shelf = self.shelf.lock();
        let found = shelf.iter().find(|known| known.id == set).ok_or("that set is no longer here: drop it again")?;
        let problem = found.problems.get(number).ok_or("there is no such problem in the set")?;
        Ok((problem.clone(), found.problems.len()))
    }

    fn lesson(
        &mut self,
        set: &str,
        number: usize,
        problem: &Problem,
        stale: &AtomicBool,
    ) -> Result<Arc<Lesson>, String> {
        if let Some((of, at, lesson)) = &self.lesson
            && (of, *at) == (&set.to_string(), number)
        {
            return Ok(lesson.clone());
        }
        let lesson = Arc::new(Lesson::new(&find::question_of(problem)?, &mut self.prover, LIMITS, stale)?);
        self.lesson = Some((set.to_string(), number, lesson.clone()));
        Ok(lesson)
    }

    fn play(&mut self, set: &str, number: usize, moves: &[String], stale: &AtomicBool) -> Result<Value, String> {
        let (problem, count) = self.problem(set, number)?;
        let mut moves = points(problem.size, moves)?;
        let lesson = match self.lesson(set, number, &problem, stale) {
            Ok(lesson) => lesson,
            Err(reason) if moves.is_empty() => return Ok(unsolved(&problem, count, &reason)),
            Err(reason) => return Err(reason),
        };
        let mut stand = lesson.stand(&moves, &mut self.prover, LIMITS, stale)?;
        let mut said = Vec::new();
        let is_answer = moves.len() % 2 == 1;
        let mut is_over = stand.next.is_none() && !moves.is_empty();
        if is_answer && let Some(answer) = stand.next {
            let right = stand.is_right;
            said.push(answer_words(problem.size, &stand, answer));
            moves.push(answer);
            stand = lesson.stand(&moves, &mut self.prover, LIMITS, stale)?;
            // An answer changes nothing about what the move before it was worth.
            stand.is_right = right;
            is_over = stand.next.is_none();
        }
        let words = verdict_words(&lesson, &stand, is_over, moves.is_empty());
        said.insert(0, words);
        let last = moves.last().copied().filter(|p| !p.is_pass());
        let picture = Picture::of_stones(GameKind::Go, problem.size, stand.stones.clone(), last);
        let mut value = about(&problem, count);
        value["goal"] = goal_words(&lesson).into();
        value["moves"] = moves.iter().map(|&p| problem.size.point_to_gtp(p)).collect::<Vec<_>>().into();
        value["right"] = json!(if moves.is_empty() { None } else { stand.is_right });
        value["over"] = is_over.into();
        value["words"] = said.join(" ").into();
        value["svg"] = picture.diagram().to_html().into();
        value["stones"] = stones(problem.size, &stand.stones).into();
        Ok(value)
    }

    fn show(&mut self, set: &str, number: usize, moves: &[String], stale: &AtomicBool) -> Result<Value, String> {
        let (problem, _) = self.problem(set, number)?;
        let moves = points(problem.size, moves)?;
        let lesson = self.lesson(set, number, &problem, stale)?;
        let (right, is_whole) = lesson.right_moves(&moves, &mut self.prover, LIMITS, stale)?;
        let mut picture = Picture::blank(problem.size);
        right.iter().for_each(|&p| picture.mark(p, Mark::Kept));
        let names = problem.size.points_to_gtp(right.iter().copied());
        let words = match (right.is_empty(), is_whole) {
            (true, true) => "Nothing helps any more.".to_string(),
            (true, false) => "Nothing was proven in time.".to_string(),
            (false, true) => format!("Right: {names}."),
            (false, false) => format!("Right: {names}, and perhaps others."),
        };
        Ok(json!({ "layers": picture.diagram().overlay_layers(), "words": words }))
    }
}

fn points(size: Size, moves: &[String]) -> Result<Vec<Point>, String> {
    if moves.len() > MOST_MOVES {
        return Err("the line is too long".to_string());
    }
    moves.iter().map(|v| size.point_from_gtp(v).ok_or_else(|| "that is no point of the board".to_string())).collect()
}

fn capital(color: Color) -> &'static str {
    if color == Color::Black { "Black" } else { "White" }
}

fn about(problem: &Problem, count: usize) -> Value {
    json!({
        "key": key(problem),
        "name": problem.name,
        "level": problem.level,
        "count": count,
        "size": problem.size.n(),
        "turn": problem.to_play.letter().to_string(),
        "comment": problem.comment,
    })
}

/// A problem that the prover cannot answer is shown all the same.
fn unsolved(problem: &Problem, count: usize, reason: &str) -> Value {
    let mut value = about(problem, count);
    let picture = Picture::of_stones(GameKind::Go, problem.size, problem.stones.clone(), None);
    value["goal"] = format!("{} to play.", capital(problem.to_play)).into();
    value["words"] = format!("moku cannot judge this one: {reason}.").into();
    value["svg"] = picture.diagram().to_html().into();
    value["stones"] = stones(problem.size, &problem.stones).into();
    value["moves"] = json!([]);
    value["over"] = true.into();
    value
}

fn goal_words(lesson: &Lesson) -> String {
    let question = lesson.question();
    let does = if question.to_play == question.attacker { "kill" } else { "live" };
    let how = if lesson.is_clean() { "" } else { " in a ko" };
    format!("{} to play and {does}{how}.", capital(question.to_play))
}

fn answer_words(size: Size, stand: &Stand, answer: Point) -> String {
    let side = capital(stand.to_play);
    match answer {
        p if p.is_pass() => format!("{side} has nothing left to try and passes."),
        p if stand.retakes => {
            format!("{side} plays a ko threat, has it answered, and retakes at {}.", size.point_to_gtp(p))
        }
        p => format!("{side} answers at {}.", size.point_to_gtp(p)),
    }
}

/// The status in words.
fn verdict_words(lesson: &Lesson, stand: &Stand, is_over: bool, is_start: bool) -> String {
    if is_start {
        return goal_words(lesson);
    }
    let status = stand.status.map(|status| {
        let mut words = sentence(status, lesson.question().attacker);
        if let Some(first) = words.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        words
    });
    match (stand.is_right, is_over) {
        (Some(true), true) => format!("Solved. {}.", status.unwrap_or_default()),
        (Some(true), false) => "Right so far.".to_string(),
        (Some(false), _) => format!("Wrong. {}.", status.unwrap_or_else(|| "That does not work".to_string())),
        (None, _) => "moku could not prove this line in time.".to_string(),
    }
}

/// Row by row from the top: `b`, `w` or a dot.
fn stones(size: Size, stones: &[(Point, Color)]) -> String {
    let letter = |p: Point| {
        let stone = stones.iter().find(|(q, _)| *q == p);
        stone.map_or('.', |(_, color)| color.letter().to_ascii_lowercase())
    };
    size.rows_from_top().flat_map(|y| (0..size.n()).map(move |x| size.point(x, y))).map(letter).collect()
}
