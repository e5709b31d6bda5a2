//! What is refused whatever a search finds: known before it starts, so that it need not be broken off for that.

use super::super::given;
use super::change::{engine_line, kind_of};
use super::command::Command;
use super::{Desk, Phase};
use crate::base::{Point, Size};
use crate::picture::Overlay;
use crate::search::Engine;

/// How things stand while a search runs.
pub struct Standing {
    size: Size,
    phase: Phase,
    at: usize,
    moves: usize,
    has_former: bool,
    /// Points where the side to move may not play, and why.
    barred: Vec<(Point, String)>,
    engine: Engine,
}

impl Standing {
    pub fn of(desk: &Desk) -> Standing {
        let (table, turn) = (desk.session.table(), desk.turn());
        let barred = |p| table.check(turn, p).err().map(|e| (p, desk.refusal(turn, p, e.reason())));
        Standing {
            size: table.size(),
            phase: desk.phase.clone(),
            at: desk.at(),
            moves: desk.line.len(),
            has_former: desk.former.is_some(),
            barred: table.size().points().filter_map(barred).collect(),
            engine: desk.session.engine().clone(),
        }
    }

    /// Why a command cannot be done; `None` if it perhaps can.
    pub fn refuses(&self, command: &Command) -> Option<String> {
        let unless = |is_so: bool, reason: &str| (!is_so).then(|| reason.to_string());
        let is_counting = matches!(self.phase, Phase::Counting { .. });
        match command {
            Command::Play { at } => match self.size.point_from_gtp(at) {
                Some(point) => self.barred.iter().find(|(p, _)| *p == point).map(|(_, reason)| reason.clone()),
                None => Some("that is no point of this board".to_string()),
            },
            Command::Dead { .. } => unless(is_counting, "dead stones are marked when both have passed"),
            Command::Accept => unless(is_counting, "there is nothing to count yet"),
            Command::PlayOn => unless(is_counting, "the game is not being counted"),
            Command::Undo => unless(self.at > 0, "there is no move to take back"),
            Command::Go { at } => unless(*at <= self.moves, &format!("the game has {} moves", self.moves)),
            Command::Return => unless(self.has_former, "there is no other game to return to"),
            Command::Resign => unless(self.phase == Phase::Playing, "the game is over"),
            Command::Overlay { name } if !name.is_empty() => Overlay::from_name(name).err(),
            Command::Load { sgf } => given::game(sgf).err(),
            Command::Engine { line } => Engine::parse_for(self.engine.kind(), line).err().map(|e| e.to_string()),
            Command::Parameter { key, value } => self.engine.with(key, value).err().map(|e| e.to_string()),
            Command::New(wish) => kind_of(wish).and_then(|kind| engine_line(kind, wish)).err(),
            _ => None,
        }
    }
}
