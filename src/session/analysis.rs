//! Looking at a position without having to move: the thinking of the engine, with other limits and somebody watching.

use super::insight::Sieved;
use super::table::{Request, Thought, Watch};
use super::{Analysis, Session, SessionError};
use crate::base::Color;
use crate::base::rng::mix;
use crate::playout::outlook::Outlook;
use crate::search::candidates::Filter;
use crate::search::{Reward, RewardSurvey};
use std::time::{Duration, Instant};

/// When an analysis ends by itself.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnalysisCaps {
    /// 0: any number.
    pub visits: u64,
    /// 0: any time.
    pub seconds: f64,
}

impl Default for AnalysisCaps {
    /// Whoever leaves a front end open finds a cool machine.
    fn default() -> Self {
        AnalysisCaps { visits: 0, seconds: 600.0 }
    }
}

/// A glance is not longer than this.
const GLANCE: Duration = Duration::from_millis(250);

/// A short look and what it was about.
pub(super) struct Glance {
    about: (u64, usize, Color, String, u32),
    thought: Thought,
}

impl Session {
    pub fn analysis_caps(&self) -> AnalysisCaps {
        self.analysis_caps
    }

    pub fn set_analysis_caps(&mut self, caps: AnalysisCaps) {
        self.analysis_caps = caps;
    }

    /// Searches for a side until the watch, or a cap, says stop. Starts from what was searched before about the position.
    pub fn analyze(&mut self, color: Color, analysis: Analysis, watch: Watch) -> Result<Thought, SessionError> {
        let caps = self.analysis_caps;
        let visits = analysis.visits.or((caps.visits > 0).then_some(caps.visits));
        let cap_end = (caps.seconds > 0.0).then(|| Instant::now() + Duration::from_secs_f64(caps.seconds));
        let analysis = Analysis { visits, end: analysis.end.or(cap_end), ..analysis };
        let request = Request { keep_tree: true, analysis: Some(analysis), ..self.request(color, None) };
        Ok(self.table.search(&mut self.pool, request, watch)?)
    }

    /// What the engine thinks of the position at a glance, for pictures: no longer than a quarter of a second, the same
    /// for every picture of a position, and without a trace in later searches.
    pub fn glance(&mut self, color: Color) -> Result<&Thought, SessionError> {
        let about = (self.table.hash(), self.table.moves().len(), color, self.engine.to_string(), self.komi.to_bits());
        if self.glance.as_ref().is_none_or(|g| g.about != about) {
            let area = self.size().area();
            let each = self.engine.params().each;
            let each = (each > 0).then(|| each.saturating_mul(area as u64));
            let visits = self.engine.playouts(area).or(each);
            let end = Some(Instant::now() + GLANCE);
            let analysis = Analysis { visits, end, leaves_no_trace: true, ..Analysis::default() };
            let thought = self.analyze(color, analysis, &mut |_| true)?;
            self.glance = Some(Glance { about, thought });
        }
        self.glance.as_ref().map(|g| &g.thought).ok_or(SessionError::NoSearch)
    }

    /// By point index: +1 = Black's in all playouts, -1 = White's.
    pub fn ownership(&self) -> Vec<f32> {
        self.table.ownership()
    }

    /// The score to expect if the game is played on, to half a point, Black's side of it.
    pub fn estimate(&self) -> f32 {
        (2.0 * self.table.estimate()).round() / 2.0
    }

    /// The position as it would be counted, for a game that needs no search any more.
    pub fn outlook(&self) -> Outlook {
        Outlook { score: self.judge().score, deviation: 0.0, ownership: self.ownership() }
    }

    /// What a filter makes of a side's candidates: for a position always the same.
    pub fn sieve(&self, side: Color, filter: Filter) -> Sieved {
        self.table.sieve(side, filter, mix(&[self.fixed_seed(), self.table.hash()]))
    }

    /// The reward that the engine in force would have in this position, and what it makes of playouts from here.
    pub fn reward(&self, side: Color) -> (Reward, RewardSurvey) {
        self.table.reward(side, &self.engine, mix(&[self.fixed_seed(), self.table.hash()]))
    }
}
