//! Has engines solve problems, several times each and with several budgets, as Honjo and Tsuruoka did (Table 5).
//!
//! A run is one search about one problem. Its seed comes from the position, the engine line and the number of the try, so
//! that a run is the same whatever else is solved beside it, by however many jobs, and whether or not it was resumed.

use super::results::Found;
use crate::base::rng::mix;
use crate::base::{Color, GameKind, Point, Size};
use crate::jobs::{Error, Next, Runner};
use crate::lab::code::Code;
use crate::search::Engine;
use crate::session::{Options, Passing, Session};
use crate::tsumego::{Framed, Problem, frame};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// A problem and the board it is solved on.
pub struct Case {
    pub problem: Problem,
    pub framing: Framing,
}

pub enum Framing {
    Framed(Box<Framed>),
    /// As in the file, with komi 0.
    AsIs,
    /// Not solved, for this reason.
    Skipped(String),
}

impl Case {
    pub fn framed(problem: Problem) -> Case {
        let framed = has_answer(&problem).and_then(|()| Ok(frame(&problem, None)?));
        let framing = framed.map_or_else(Framing::Skipped, |framed| Framing::Framed(Box::new(framed)));
        Case { problem, framing }
    }

    pub fn as_is(problem: Problem) -> Case {
        let framing = has_answer(&problem).map_or_else(Framing::Skipped, |()| Framing::AsIs);
        Case { problem, framing }
    }

    /// The position that is searched; None if it is skipped.
    pub fn position(&self) -> Option<&Problem> {
        match &self.framing {
            Framing::Framed(framed) => Some(&framed.problem),
            Framing::AsIs => Some(&self.problem),
            Framing::Skipped(_) => None,
        }
    }

    /// A move of the searched board in the file's own coordinates, if it has such a point.
    pub fn in_file(&self, p: Point) -> Option<Point> {
        match &self.framing {
            Framing::Framed(framed) => framed.in_file(p),
            _ => Some(p),
        }
    }
}

fn has_answer(problem: &Problem) -> Result<(), String> {
    let is_taken = |p: &Point| problem.stones.iter().any(|stone| stone.0 == *p);
    match &problem.right[..] {
        [] => Err("the file marks no right move".to_string()),
        right if right.iter().all(is_taken) => Err("the file's right move is on a stone".to_string()),
        _ => Ok(()),
    }
}

/// An engine with a budget: a column of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// As it was typed.
    pub engine: String,
    /// Playouts a search, if they were asked for here and not in the engine's line.
    pub playouts: Option<u64>,
    /// The line that is played.
    pub line: String,
    /// The same, read.
    #[serde(skip)]
    pub player: Engine,
}

impl Column {
    /// One column for each engine and budget; a line that has a budget of its own keeps it unless others are asked for.
    pub fn all(engines: &[String], budgets: Option<&[u64]>) -> Result<Vec<Column>, String> {
        let mut columns = Vec::new();
        for engine in engines {
            let parsed = Engine::parse(engine)?;
            let has_own = parsed.params().playouts > 0 || parsed.params().time > 0.0;
            let budgets: Vec<Option<u64>> = match budgets {
                Some(budgets) => budgets.iter().copied().map(Some).collect(),
                None if has_own => vec![None],
                None => DEFAULT_BUDGETS.map(Some).to_vec(),
            };
            for playouts in budgets {
                let words = engine.split_whitespace().filter(|word| !word.starts_with("threads="));
                let words = words.filter(|word| playouts.is_none() || !word.starts_with("playouts="));
                let mut line = words.collect::<Vec<_>>().join(" ");
                line += &playouts.map_or(String::new(), |n| format!(" playouts={n}"));
                line += " threads=1"; // the jobs keep the cores busy, and one thread repeats itself
                let player = Engine::parse(&line)?;
                columns.push(Column { engine: engine.clone(), playouts, line, player });
            }
        }
        Ok(columns)
    }
}

/// The paper's.
pub const DEFAULT_BUDGETS: [u64; 3] = [5_000, 10_000, 50_000];

/// One search about one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What decides the search: two runs with the same key are the same.
    pub key: String,
    pub file: String,
    pub number: usize,
    pub name: String,
    pub engine: String,
    #[serde(rename = "try")]
    pub try_number: usize,
    pub seed: u64,
    /// On the board that was searched, and in the file's coordinates.
    #[serde(rename = "move")]
    pub chosen: String,
    pub in_file: Option<String>,
    pub right: bool,
    pub playouts: u64,
    pub seconds: f64,
    #[serde(flatten)]
    pub code: Code,
}

impl Found for Run {
    const NAME: &'static str = "searches";

    fn key(&self) -> &str {
        &self.key
    }

    fn code(&self) -> &Code {
        &self.code
    }
}

/// Problems, engines, and how often each solves each.
pub struct Solving {
    pub cases: Vec<Case>,
    pub columns: Vec<Column>,
    pub tries: usize,
    pub seed: u64,
    pub jobs: usize,
}

/// Which run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    pub case: usize,
    pub column: usize,
    pub try_number: usize,
}

impl Solving {
    /// Every run, by tries first: stopped early, all problems have had their turn.
    pub fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for try_number in 0..self.tries {
            for (case, _) in self.cases.iter().enumerate().filter(|(_, case)| case.position().is_some()) {
                slots.extend((0..self.columns.len()).map(|column| Slot { case, column, try_number }));
            }
        }
        slots
    }

    /// The seed of a run, and with it its key.
    fn seed_of(&self, slot: Slot) -> u64 {
        let Some(position) = self.cases[slot.case].position() else { return 0 };
        let mut parts =
            vec![self.seed, slot.try_number as u64, position.size.n() as u64, position.to_play.index() as u64];
        parts.extend(position.stones.iter().map(|(p, color)| (2 * p.index() + color.index()) as u64));
        parts.extend(self.columns[slot.column].line.bytes().map(u64::from));
        mix(&parts)
    }

    pub fn key_of(&self, slot: Slot) -> String {
        format!("{:016x}", self.seed_of(slot))
    }

    /// Does the runs that `done` does not have, telling each as it ends. When `stop` is set, searches in hand are dropped.
    pub fn run(
        &self,
        done: &HashMap<String, Run>,
        stop: &AtomicBool,
        mut told: impl FnMut(&Run) -> Result<(), Error>,
    ) -> Result<HashMap<Slot, Run>, Error> {
        let (mut runs, mut open) = (HashMap::new(), Vec::new());
        for slot in self.slots() {
            match done.get(&self.key_of(slot)) {
                Some(run) => drop(runs.insert(slot, self.reused(slot, run))),
                None => open.push(slot),
            }
        }
        // A search that was cut short is no result.
        let search = |_: &mut (), &slot: &Slot| self.search(slot, stop).map(|run| (!stop.load(SeqCst)).then_some(run));
        Runner { threads: self.jobs, stop, time: None }.run(
            &open,
            || (),
            search,
            |&slot, run| {
                told(&run)?;
                runs.insert(slot, run);
                Ok(Next::Go)
            },
        )?;
        Ok(runs)
    }

    /// A search made before, judged anew: two problems may share a position, and answers may have been corrected since.
    fn reused(&self, slot: Slot, run: &Run) -> Run {
        let case = &self.cases[slot.case];
        let (problem, position) = (&case.problem, case.position().unwrap_or(&case.problem));
        let point = position.size.point_from_gtp(&run.chosen);
        Run {
            file: problem.path.display().to_string(),
            number: problem.number,
            name: problem.name.clone(),
            in_file: point.and_then(|p| case.in_file(p)).map(|p| problem.size.point_to_gtp(p)),
            right: point.is_some_and(|p| position.right.contains(&p)),
            ..run.clone()
        }
    }

    fn search(&self, slot: Slot, stop: &AtomicBool) -> Result<Run, String> {
        let case = &self.cases[slot.case];
        let problem = &case.problem;
        let named = |text: String| format!("{}: {text}", problem.name);
        let position = case.position().ok_or_else(|| named("is not to be solved".to_string()))?;
        let Column { line, player, .. } = &self.columns[slot.column];
        let seed = self.seed_of(slot);
        let mut session = session_on(position.size, &position.stones, position.to_play, player, seed).map_err(named)?;
        let thought = session
            .think(position.to_play, Some(Passing::Fill), &mut |_| !stop.load(SeqCst))
            .map_err(|text| format!("{}: {text}", problem.name))?;
        let in_file = case.in_file(thought.point).map(|p| problem.size.point_to_gtp(p));
        Ok(Run {
            key: self.key_of(slot),
            file: problem.path.display().to_string(),
            number: problem.number,
            name: problem.name.clone(),
            engine: line.clone(),
            try_number: slot.try_number + 1,
            seed,
            chosen: position.size.point_to_gtp(thought.point),
            in_file,
            right: position.right.contains(&thought.point),
            playouts: thought.playouts,
            seconds: thought.elapsed.as_secs_f64(),
            code: Code::own(),
        })
    }
}

/// A session about a position, komi 0.
pub fn session_on(
    size: Size,
    stones: &[(Point, Color)],
    to_play: Color,
    engine: &Engine,
    seed: u64,
) -> Result<Session, String> {
    let options = Options {
        kind: GameKind::Go,
        size: size.n(),
        komi: 0.0,
        threads: 1,
        seed: Some(seed),
        resign: None,
        ..Options::default()
    };
    let mut session = Session::with_engine(options, engine.clone())?;
    match session.set_up(stones, to_play) {
        true => Ok(session),
        false => Err("a chain of the problem has no liberty".to_string()),
    }
}
