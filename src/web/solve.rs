//! Problems for pages: sets of them, the prover's answers to a person's moves, and new ones made meanwhile.
//!
//! A page says each time which problem it means and what was played so far; nothing has to be remembered between two
//! questions, so that pages do not get into each other's way and a reload loses nothing.

mod make;

pub use make::{Maker, maker};

use super::dropped;
use super::job::{Inbox, Job};
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
use std::time::Duration;

#[derive(Deserialize, Debug)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// What sets there are.
    Sets,
    /// A problem after some moves by turns, the person's first. If the person moved last, moku answers.
    Play { set: String, number: usize, moves: Vec<String> },
    /// All moves that are right now.
    Show { set: String, number: usize, moves: Vec<String> },
    /// Files with problems: names and bytes.
    Drop { files: Vec<(String, String)> },
    /// New problems of a level, from now on.
    Make { level: usize },
}

/// What is thought about a move, and about all of them.
const LIMITS: Limits = Limits { nodes: u64::MAX, seconds: Some(10.0) };
const TABLE_MB: usize = 64;
/// Dropped sets that are kept, and problems in one of them.
const MOST_SETS: usize = 16;
const MOST_PROBLEMS: usize = 5000;
/// A line is not longer than this.
const MOST_MOVES: usize = 200;
const LONG: Duration = Duration::from_secs(3600);

/// A set of problems with a name that pages know it by.
pub struct Set {
    pub id: String,
    pub name: String,
    pub problems: Vec<Problem>,
}

/// All sets, those being made included.
pub type Shelf = Arc<Mutex<Vec<Set>>>;

/// The standard shapes, a set for each of their folders.
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
    Ok(Arc::new(Mutex::new(sets)))
}

pub struct Desk {
    shelf: Shelf,
    maker: Maker,
    inbox: Inbox<Command>,
    prover: Prover,
    /// The last problem, solved.
    lesson: Option<(String, usize, Arc<Lesson>)>,
    dropped: usize,
}

impl Desk {
    pub fn new(shelf: Shelf, maker: Maker, inbox: Inbox<Command>) -> Desk {
        Desk { shelf, maker, inbox, prover: Prover::new(TABLE_MB), lesson: None, dropped: 0 }
    }

    pub fn run(mut self) {
        while let Ok(job) = self.inbox.wait(LONG) {
            let Some(Job { command, asker }) = job else { continue };
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.execute(command)));
            match done {
                Ok(result) => asker.answer(result),
                Err(_) => {
                    log::error!("the prover's thread failed");
                    self.prover = Prover::new(TABLE_MB);
                    drop(asker);
                }
            }
        }
    }

    fn execute(&mut self, command: Command) -> Result<Value, String> {
        match command {
            Command::Sets => Ok(self.sets()),
            Command::Play { set, number, moves } => self.play(&set, number, &moves),
            Command::Show { set, number, moves } => self.show(&set, number, &moves),
            Command::Drop { files } => self.take(&files),
            Command::Make { level } => {
                self.maker.want(level)?;
                Ok(self.sets())
            }
        }
    }

    fn sets(&self) -> Value {
        let rows = self.shelf.lock();
        let rows = rows.iter().map(|set| json!({ "id": set.id, "name": set.name, "problems": set.problems.len() }));
        json!({ "sets": rows.collect::<Vec<_>>() })
    }

    fn take(&mut self, files: &[(String, String)]) -> Result<Value, String> {
        let (mut problems, mut wrong) = (Vec::new(), Vec::new());
        for (name, letters) in files {
            let read = dropped::bytes(letters)
                .and_then(|bytes| Problem::read(&bytes, Path::new(name)).map_err(|e| e.to_string()));
            match read {
                Ok(read) if read.is_empty() => wrong.push(format!("{name}: no stones are set up")),
                Ok(read) => problems.extend(read),
                Err(reason) => wrong.push(format!("{name}: {reason}")),
            }
        }
        if problems.is_empty() {
            return Err(wrong.into_iter().next().unwrap_or_else(|| "there is no problem in it".to_string()));
        }
        problems.truncate(MOST_PROBLEMS);
        self.dropped += 1;
        let id = format!("dropped-{}", self.dropped);
        let name = match files {
            [(name, _)] => name.clone(),
            _ => format!("{} files", files.len()),
        };
        let mut shelf = self.shelf.lock();
        let own = shelf.iter().filter(|set| set.id.starts_with("dropped-")).count();
        if own >= MOST_SETS
            && let Some(oldest) = shelf.iter().position(|set| set.id.starts_with("dropped-"))
        {
            shelf.remove(oldest);
        }
        shelf.push(Set { id: id.clone(), name, problems });
        drop(shelf);
        let mut value = self.sets();
        value["set"] = id.into();
        value["wrong"] = wrong.into();
        Ok(value)
    }

    fn problem(&self, set: &str, number: usize) -> Result<(Problem, usize), String> {
        let shelf = self.shelf.lock();
        let found = shelf.iter().find(|known| known.id == set).ok_or("that set is no longer here: drop it again")?;
        let problem = found.problems.get(number).ok_or("there is no such problem in the set")?;
        Ok((problem.clone(), found.problems.len()))
    }

    fn lesson(&mut self, set: &str, number: usize, problem: &Problem) -> Result<Arc<Lesson>, String> {
        if let Some((of, at, lesson)) = &self.lesson
            && (of, *at) == (&set.to_string(), number)
        {
            return Ok(lesson.clone());
        }
        let lesson =
            Arc::new(Lesson::new(&find::question_of(problem)?, &mut self.prover, LIMITS, &AtomicBool::new(false))?);
        self.lesson = Some((set.to_string(), number, lesson.clone()));
        Ok(lesson)
    }

    fn play(&mut self, set: &str, number: usize, moves: &[String]) -> Result<Value, String> {
        let (problem, count) = self.problem(set, number)?;
        let mut moves = points(problem.size, moves)?;
        let lesson = match self.lesson(set, number, &problem) {
            Ok(lesson) => lesson,
            Err(reason) if moves.is_empty() => return Ok(unsolved(&problem, count, &reason)),
            Err(reason) => return Err(reason),
        };
        let mut stand = lesson.stand(&moves, &mut self.prover, LIMITS, &AtomicBool::new(false))?;
        let mut said = Vec::new();
        let is_answer = moves.len() % 2 == 1;
        let mut is_over = stand.next.is_none() && !moves.is_empty();
        if is_answer && let Some(answer) = stand.next {
            let right = stand.is_right;
            said.push(answer_words(problem.size, &stand, answer));
            moves.push(answer);
            stand = lesson.stand(&moves, &mut self.prover, LIMITS, &AtomicBool::new(false))?;
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

    fn show(&mut self, set: &str, number: usize, moves: &[String]) -> Result<Value, String> {
        let (problem, _) = self.problem(set, number)?;
        let moves = points(problem.size, moves)?;
        let lesson = self.lesson(set, number, &problem)?;
        let stop = AtomicBool::new(false);
        let (right, is_whole) = lesson.right_moves(&moves, &mut self.prover, LIMITS, &stop)?;
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
    let does = match (question.to_play == question.attacker, lesson.is_clean()) {
        (true, true) => "kill",
        (false, true) => "live",
        (_, false) => "get a ko",
    };
    format!("{} to play and {does}.", capital(question.to_play))
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
