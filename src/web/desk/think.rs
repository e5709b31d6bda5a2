//! The searches on the board: moku's moves, analyses, hints; and the live picture of them.

use super::super::hub::{Hub, Topic};
use super::super::job::{Inbox, TELL_EVERY};
use super::command::Command;
use super::standing::Standing;
use super::{Desk, Phase, tell};
use crate::base::{Color, Size};
use crate::picture::{Overlay, Picture};
use crate::search::Report;
use crate::session::{Analysis, Answer, Progress, Thought};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Time before the first live picture.
const FIRST_AFTER: Duration = Duration::from_millis(40);
/// How long a hint is thought about.
const HINT_TIME: Duration = Duration::from_millis(1500);

/// What came in while a search ran.
#[derive(Clone, Copy, PartialEq)]
enum News {
    None,
    /// The move is wanted now.
    Hurry,
    /// Something else is to be done.
    Stop,
}

/// Sends pictures of a search, ten a second.
struct Teller<'a> {
    hub: &'a Hub,
    size: Size,
    color: Color,
    version: u64,
    began: Instant,
    due: Instant,
    /// What was told last.
    told: u64,
}

impl<'a> Teller<'a> {
    fn new(hub: &'a Hub, size: Size, color: Color, version: u64) -> Teller<'a> {
        let began = Instant::now();
        Teller { hub, size, color, version, began, due: began + FIRST_AFTER, told: 0 }
    }

    fn look(&mut self, progress: &dyn Progress, overlay: Option<Overlay>) {
        if (Instant::now() < self.due && !progress.is_done()) || !self.hub.is_watched() {
            return;
        }
        // From when it was due: what a look comes late does not add up.
        self.due = (self.due + TELL_EVERY).max(Instant::now());
        let report = progress.report();
        let visits = report.visits();
        if visits == self.told && !progress.is_done() {
            return;
        }
        self.told = visits;
        self.hub.tell(Topic::Live, self.value(&report, overlay, progress.is_done()));
    }

    fn value(&self, report: &Report, overlay: Option<Overlay>, is_done: bool) -> Value {
        let mut picture = Picture::blank(self.size);
        let layers =
            overlay.filter(|&overlay| picture.show(overlay, report)).map(|_| picture.diagram().overlay_layers());
        let rate = report.best().filter(|m| m.is_known()).map(|m| tell::for_black(self.color, m.rate));
        json!({
            "version": self.version,
            "playouts": report.visits(),
            "nodes": report.nodes,
            "seconds": self.began.elapsed().as_secs_f64(),
            "rate": rate,
            "rows": tell::rows(self.size, report),
            "layers": layers,
            "done": is_done,
        })
    }
}

impl Desk {
    /// It is moku's turn.
    pub fn answer_with_a_move(&mut self) {
        let color = self.turn();
        let began = Instant::now();
        let mut teller = Teller::new(&self.hub, self.session.size(), color, self.version);
        let standing = Standing::of(self);
        let (inbox, overlay) = (&mut self.inbox, &mut self.overlay);
        let mut news = News::None;
        let mut watch = |progress: &dyn Progress| {
            sift(inbox, &standing, overlay, &mut news, true);
            teller.look(progress, *overlay);
            news == News::None
        };
        let thought = self.session.think(color, None, &mut watch);
        if news == News::Stop {
            return;
        }
        let at = self.at();
        let answer = thought.and_then(|thought| {
            if let Some(rate) = self.session.telling_rate(&thought) {
                self.rates[at] = Some(tell::for_black(color, rate));
            }
            self.session.decide(color, thought, began)
        });
        match answer {
            Ok(Answer::Play(_)) => self.follow(),
            Ok(Answer::Resign) => self.phase = Phase::Over(format!("{}+R", color.opponent().letter())),
            Err(text) => {
                log::error!("{text}");
                self.phase = Phase::Over(format!("{}+F", color.opponent().letter()));
            }
        }
        self.tell();
    }

    /// Looks at the position until something else is to be done.
    pub fn analyse(&mut self) {
        let color = self.turn();
        let at = self.at();
        match self.look(color, Analysis::default()) {
            Ok((thought, is_whole)) => {
                if let Some(best) = thought.report.best().filter(|m| m.is_known()) {
                    self.rates[at] = Some(tell::for_black(color, best.rate));
                }
                self.is_analysed = is_whole;
            }
            Err(text) => {
                log::error!("{text}");
                self.is_analysed = true;
            }
        }
    }

    /// What moku would play here.
    pub fn give_hint(&mut self) -> Result<Value, String> {
        if self.session.table().is_over() {
            return Err("the game is over".to_string());
        }
        let color = self.turn();
        let end = Some(Instant::now() + HINT_TIME);
        let (thought, _) = self.look(color, Analysis { end, leaves_no_trace: true, ..Analysis::default() })?;
        let best = thought.report.best().ok_or("nothing was searched")?;
        self.hint = Some(thought.point);
        let size = self.session.size();
        let line = size.points_to_gtp(best.pv.iter().copied());
        let (point, rate) = (size.point_to_gtp(thought.point), best.rate);
        let at = self.at();
        self.rates[at] = Some(tell::for_black(color, rate));
        Ok(json!({ "at": point, "rate": rate, "line": line }))
    }

    /// What was found, and whether the search came to its own end.
    fn look(&mut self, color: Color, analysis: Analysis) -> Result<(Thought, bool), String> {
        let mut teller = Teller::new(&self.hub, self.session.size(), color, self.version);
        let standing = Standing::of(self);
        let (inbox, overlay, hub) = (&mut self.inbox, &mut self.overlay, &self.hub);
        let mut news = News::None;
        let mut is_whole = true;
        let mut watch = |progress: &dyn Progress| {
            sift(inbox, &standing, overlay, &mut news, false);
            teller.look(progress, *overlay);
            is_whole &= news == News::None && hub.is_watched();
            is_whole
        };
        let thought = self.session.analyze(color, analysis, &mut watch)?;
        Ok((thought, is_whole))
    }
}

/// Looks through what came in: another overlay of the search is shown at once, what cannot be done is refused, the rest
/// waits.
fn sift(
    inbox: &mut Inbox<Command>,
    standing: &Standing,
    overlay: &mut Option<Overlay>,
    news: &mut News,
    is_thinking: bool,
) {
    inbox.sift(|job| match &job.command {
        Command::Now if is_thinking => {
            *news = News::Hurry;
            job.asker.answer(Ok(Value::Null));
            None
        }
        Command::Play { .. } | Command::Pass | Command::Hint if is_thinking => {
            job.asker.answer(Err("it is moku's turn".to_string()));
            None
        }
        Command::Overlay { name } if is_thinking => {
            // What needs the session waits until the move is made; it is shown from then on.
            let result = show(overlay, name);
            job.asker.answer(result.map(|()| Value::Null));
            None
        }
        command => match standing.refuses(command) {
            Some(reason) => {
                job.asker.answer(Err(reason));
                None
            }
            None => {
                if !is_thinking || command.ends_thinking() {
                    *news = News::Stop;
                }
                Some(job)
            }
        },
    });
}

fn show(overlay: &mut Option<Overlay>, name: &str) -> Result<(), String> {
    *overlay = if name.is_empty() { None } else { Some(Overlay::from_name(name)?) };
    Ok(())
}
