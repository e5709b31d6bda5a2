//! KataGo's analysis protocol: queries and answers as lines of JSON, many positions at once, answers in any order.
//!
//! KaTrain, review scripts and web pages speak only this. A query names a game and some of its turns; each turn becomes a
//! task. Several desks take tasks, the most urgent first, and search them by a session of their own.

mod answer;
mod query;
mod queue;
#[cfg(test)]
mod tests;

use crate::base::GameKind;
use crate::base::lines::read_line;
use crate::session::{Analysis, AnalysisCaps, Options, Outlooks, Progress, Session};
use answer::Answer;
use parking_lot::Mutex;
use query::{Action, Query, Request};
use queue::{Queue, QueuedTurn};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// How a front end wants to be served.
pub struct Analyzer {
    /// Of each desk's session; game, size and komi come with the queries.
    pub options: Options,
    /// Positions looked at at the same time.
    pub desks: usize,
    /// Playouts for a position when a query does not say.
    pub visits: u64,
    /// Answers what was asked before the input ended.
    pub waits: bool,
}

/// How long an answer may look at what moves lead to.
const OUTLOOK_TIME: Duration = Duration::from_millis(30);

/// No query that means anything is longer.
const LONGEST_QUERY: usize = 16 << 20;

/// Where answers go, whole lines only.
struct Output<'a> {
    wire: Mutex<Wire<'a>>,
}

struct Wire<'a> {
    output: &'a mut (dyn Write + Send),
    log: Option<&'a mut (dyn Write + Send)>,
    /// Nobody listens any more.
    failure: Option<std::io::Error>,
}

impl Output<'_> {
    fn say(&self, value: &Value) {
        let mut wire = self.wire.lock();
        let line = format!("{value}\n");
        if wire.failure.is_none() {
            let written = wire.output.write_all(line.as_bytes()).and_then(|()| wire.output.flush());
            wire.failure = written.err();
        }
        wire.note('<', &line);
    }

    fn is_broken(&self) -> bool {
        self.wire.lock().failure.is_some()
    }
}

impl Wire<'_> {
    /// A log is never worth an answer.
    fn note(&mut self, direction: char, line: &str) {
        let Some(log) = &mut self.log else { return };
        if let Err(e) = write!(log, "{direction} {line}").and_then(|()| log.flush()) {
            log::warn!("the log ends here, it cannot be written: {e}");
            self.log = None;
        }
    }
}

impl Analyzer {
    /// Answers queries until the input ends and everything asked is answered.
    pub fn run<'a>(
        &self,
        mut input: impl BufRead,
        output: &'a mut (dyn Write + Send),
        log: Option<&'a mut (dyn Write + Send)>,
    ) -> Result<(), String> {
        let options = Options {
            kind: GameKind::Go,
            ponder: false,
            resign: None,
            analysis_caps: AnalysisCaps { visits: 0, seconds: 0.0 },
            ..self.options.clone()
        };
        // Checks the engine line before anybody waits for an answer, and then the games of queries.
        let mut referee = Session::new(options.clone())?;
        let output = Output { wire: Mutex::new(Wire { output, log, failure: None }) };
        let queue = Queue::default();
        std::thread::scope(|scope| {
            for _ in 0..self.desks.max(1) {
                let (queue, output, options) = (&queue, &output, &options);
                scope.spawn(move || self.serve(options, queue, output));
            }
            while let Ok(Some(line)) = read_line(&mut input, LONGEST_QUERY) {
                if output.is_broken() {
                    break;
                }
                if line.is_cut {
                    let megabytes = LONGEST_QUERY >> 20;
                    output.say(&json!({ "error": format!("the query is longer than {megabytes} MB") }));
                    continue;
                }
                let text = String::from_utf8_lossy(&line.bytes);
                if !text.trim().is_empty() {
                    output.wire.lock().note('>', &format!("{}\n", text.trim()));
                    self.hear(text.trim(), &mut referee, &queue, &output);
                }
            }
            if !self.waits || output.is_broken() {
                queue.terminate(None, None);
            }
            queue.close();
        });
        match output.wire.into_inner().failure {
            Some(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot answer: {e}")),
            _ => Ok(()),
        }
    }

    /// Takes a line: a query into the queue, an action at once.
    fn hear(&self, line: &str, referee: &mut Session, queue: &Queue, output: &Output) {
        match Request::parse(line, referee) {
            Err(complaint) => output.say(&complaint.to_json("error")),
            Ok(Request::Query(query, warnings)) => {
                warnings.iter().for_each(|warning| output.say(&warning.to_json("warning")));
                queue.add(&Arc::new(*query));
            }
            Ok(Request::Action(action, mut echo)) => {
                match action {
                    Action::QueryVersion => {
                        echo["version"] = env!("CARGO_PKG_VERSION").into();
                        echo["git_hash"] = "<omitted>".into();
                    }
                    // There is no network, and nothing is kept from one query to the next.
                    Action::QueryModels => echo["models"] = json!([]),
                    Action::ClearCache => {}
                    Action::Terminate { id, turns } => {
                        output.say(&echo);
                        for task in queue.terminate(id.as_deref(), turns.as_deref()) {
                            output.say(&answer::no_results(&task));
                        }
                        return;
                    }
                }
                output.say(&echo);
            }
        }
    }

    /// One desk: the next task until there will be none.
    fn serve(&self, options: &Options, queue: &Queue, output: &Output) {
        let mut session = None;
        while let Some(task) = queue.next() {
            let done = catch_unwind(AssertUnwindSafe(|| {
                let session = match &mut session {
                    Some(session) => session,
                    none => none.insert(Session::new(options.clone())?),
                };
                self.look(&task, session, output)
            }));
            let failure = match done {
                Ok(Ok(())) => None,
                Ok(Err(text)) => Some(text),
                Err(_) => {
                    session = None; // whatever state it is in
                    Some("internal error".to_string())
                }
            };
            if let Some(text) = failure {
                output.say(&json!({ "id": task.query.id, "turnNumber": task.turn, "error": text }));
            }
            queue.done(&task);
        }
    }

    /// Searches a position and answers, bit by bit if that is asked for.
    fn look(&self, task: &QueuedTurn, session: &mut Session, output: &Output) -> Result<(), String> {
        let query = &*task.query;
        let color = query.to_play(task.turn);
        session.set_rules(query.rules);
        session.load(&query.record(task.turn))?;
        // Whoever asks about a finished game wants to know what could still be played.
        session.set_to_play(color.opponent());
        session.set_to_play(color);
        let began = Instant::now();
        let (avoid, allow) = query.restrictions(color);
        let analysis = Analysis {
            visits: Some(query.max_visits.unwrap_or(self.visits)),
            end: query.max_seconds.map(|s| began + Duration::from_secs_f64(s)),
            avoid,
            allow,
            leaves_no_trace: true,
        };
        let view = answer::View::of(session, query, color, task.turn);
        let mut due = query.first_report.map(|after| began + after);
        let mut outlooks = Outlooks::default();
        let mut last = None;
        session.analyze(color, analysis, &mut |progress: &dyn Progress| {
            let is_stopped = task.stop.load(SeqCst) || output.is_broken();
            let is_due = due.is_some_and(|due| Instant::now() >= due);
            if progress.is_done() || is_due && !is_stopped {
                let report = progress.report();
                let moves: Vec<_> = report.moves.iter().filter(|m| m.is_known()).collect();
                if progress.is_done() || !moves.is_empty() {
                    outlooks.look(progress, &moves, query.size.area(), OUTLOOK_TIME);
                    let answer = Answer { view: &view, report: &report, moves: &moves, outlooks: &outlooks };
                    match progress.is_done() {
                        true => last = Some(answer.to_json(false)),
                        false => output.say(&answer.to_json(true)),
                    }
                }
                due = query.report_every.map(|every| Instant::now() + every);
            }
            !is_stopped
        })?;
        let last = last.unwrap_or_else(|| {
            // There is no move to look at: the position as it would be counted.
            let report = crate::search::Report { moves: Vec::new(), nodes: 0 };
            let outlooks = Outlooks::known(session.outlook());
            Answer { view: &view, report: &report, moves: &[], outlooks: &outlooks }.to_json(false)
        });
        output.say(&last);
        Ok(())
    }
}

impl Query {
    /// The moves that the first move may not be, and the only ones it may be.
    fn restrictions(&self, color: crate::base::Color) -> (Vec<crate::base::Point>, Option<Vec<crate::base::Point>>) {
        let of = |list: &[query::Restriction]| -> Vec<crate::base::Point> {
            list.iter().filter(|r| r.color == color).flat_map(|r| r.points.iter().copied()).collect()
        };
        let allow = self.allow.iter().any(|r| r.color == color).then(|| of(&self.allow));
        (of(&self.avoid), allow)
    }
}
