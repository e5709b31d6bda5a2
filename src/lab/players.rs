//! Who plays a game: an engine line of moku's own, or an outside program that speaks GTP.

use super::arena::Setting;
use super::outside::{Outside, OutsideError};
use crate::base::{Color, GameKind, Point, Size};
use crate::search::Engine;
use crate::search::params::End;
use crate::session::{Answer, Options, Session, SessionError, TimeControl};
use std::time::Duration;

/// Who plays: `uct playouts=1000`, or `gtp: gnugo --mode gtp`.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerLine {
    Inside(Engine),
    Outside(String),
    /// Made-up trees only: every leaf in turn.
    Uniform,
}

impl PlayerLine {
    pub fn parse(kind: GameKind, text: &str) -> Result<PlayerLine, String> {
        match text.trim().strip_prefix("gtp:") {
            Some(command) if command.trim().is_empty() => Err("a command is expected after gtp:".to_string()),
            Some(command) => Ok(PlayerLine::Outside(command.trim().to_string())),
            None => Ok(Engine::parse_for(kind, text).map(PlayerLine::Inside)?),
        }
    }

    pub fn text(&self) -> String {
        match self {
            PlayerLine::Inside(engine) => engine.to_string(),
            PlayerLine::Outside(command) => format!("gtp: {command}"),
            PlayerLine::Uniform => "uniform".to_string(),
        }
    }

    /// Is it a program of its own?
    pub fn is_outside(&self) -> bool {
        matches!(self, PlayerLine::Outside(_))
    }

    /// The engine, if it is one of moku's own.
    pub fn engine(&self) -> Option<&Engine> {
        match self {
            PlayerLine::Inside(engine) => Some(engine),
            PlayerLine::Outside(_) | PlayerLine::Uniform => None,
        }
    }

    /// Plays on until only own eyes are left, so that the board can be counted as it stands.
    pub(super) fn fills(&self) -> bool {
        matches!(self, PlayerLine::Inside(engine) if engine.params().end == End::Fill)
    }

    pub fn sit_down(&self, setting: &Setting) -> Result<Player, String> {
        match self {
            PlayerLine::Inside(engine) => {
                let options = Options {
                    kind: setting.kind,
                    rule: setting.rule,
                    size: setting.size,
                    komi: setting.komi,
                    threads: 1,
                    ..Options::default()
                };
                Ok(Player::Inside(Box::new(Session::with_engine(options, engine.clone())?)))
            }
            PlayerLine::Outside(command) => {
                let mut engine = Outside::start(command).map_err(|e| e.to_string())?;
                let [patience, to_start] =
                    [PATIENCE, START_PATIENCE].map(|usual| setting.timeout.map_or(usual, Duration::from_secs_f64));
                // Whoever does not even answer this speaks no GTP; whether it knows the command does not matter.
                match engine.send("protocol_version", Some(to_start)) {
                    Err(e) if !e.is_refusal() => Err(e.to_string()),
                    _ => Ok(Player::Outside { engine: Box::new(engine), patience }),
                }
            }
            PlayerLine::Uniform => Err("uniform plays on made-up trees alone".to_string()),
        }
    }
}

pub enum Player {
    Inside(Box<Session>),
    Outside { engine: Box<Outside>, patience: Duration },
}

/// An outside engine that thinks longer than this has hung; so has one that takes this long to load its files.
const PATIENCE: Duration = Duration::from_secs(600);
const START_PATIENCE: Duration = Duration::from_secs(60);

/// Seconds that somebody gives an outside engine.
pub fn timeout(text: &str) -> Result<f64, String> {
    let expected = || "a positive number of seconds, up to 1000000, is expected".to_string();
    text.parse().ok().filter(|&x: &f64| x > 0.0 && x <= 1e6).ok_or_else(expected)
}

/// What went wrong with a player.
pub struct Fault {
    pub(super) text: String,
    /// An outside engine that died or hangs: there is nobody to play with any more.
    pub(super) is_gone: bool,
}

impl From<OutsideError> for Fault {
    fn from(error: OutsideError) -> Fault {
        Fault { is_gone: !error.is_refusal(), text: error.to_string() }
    }
}

impl From<SessionError> for Fault {
    fn from(error: SessionError) -> Fault {
        Fault { text: error.to_string(), is_gone: false }
    }
}

impl From<String> for Fault {
    fn from(text: String) -> Fault {
        Fault { text, is_gone: false }
    }
}

impl Player {
    pub(super) fn new_game(&mut self, setting: &Setting, seed: u64) -> Result<(), Fault> {
        let control = match setting.clock {
            Some(main) => TimeControl::Absolute { main: Duration::from_secs_f64(main) },
            None => TimeControl::None,
        };
        match self {
            Player::Inside(session) => {
                session.set_seed(seed);
                session.set_time_control(control);
                session.clear();
                if setting.handicap > 0 {
                    session.place_handicap(&setting.handicap_points());
                }
            }
            Player::Outside { engine, patience } => {
                let mut send = |command: String| engine.send(&command, Some(*patience));
                send(format!("boardsize {}", setting.size))?;
                send("clear_board".to_string())?;
                send(format!("komi {}", setting.komi))?;
                if let (Some(size), 1..) = (Size::new(setting.size), setting.handicap) {
                    send(format!("set_free_handicap {}", size.points_to_gtp(setting.handicap_points())))?;
                }
                if let Some(main) = setting.clock {
                    send(format!("time_settings {main:.0} 0 0"))?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn play(&mut self, size: Size, color: Color, p: Point) -> Result<(), Fault> {
        match self {
            Player::Inside(session) => session.play(color, p).map_err(|e| e.reason().to_string().into()),
            Player::Outside { engine, patience } => {
                let command = format!("play {} {}", color.letter(), size.point_to_gtp(p));
                engine.send(&command, Some(*patience))?;
                Ok(())
            }
        }
    }

    pub(super) fn genmove(&mut self, size: Size, color: Color, left: Option<Duration>) -> Result<Answer, Fault> {
        match self {
            Player::Inside(session) => Ok(session.genmove(color, None, &mut |_| true)?),
            Player::Outside { engine, patience } => {
                if let Some(left) = left {
                    let command = format!("time_left {} {:.0} 0", color.letter(), left.as_secs_f64().floor());
                    // Not every engine knows it; the clock is kept here in any case.
                    let _ = engine.send(&command, Some(*patience));
                }
                let reply = engine.send(&format!("genmove {}", color.letter()), Some(*patience))?;
                match reply.trim() {
                    word if word.eq_ignore_ascii_case("resign") => Ok(Answer::Resign),
                    word => size.point_from_gtp(word).map(Answer::Play).ok_or(format!("'{word}' is no vertex").into()),
                }
            }
        }
    }

    /// Playouts and nodes of the last move's search.
    pub(super) fn effort(&self) -> (u64, usize) {
        match self {
            Player::Inside(session) => session.last_thought().map_or((0, 0), |t| (t.playouts, t.report.nodes)),
            Player::Outside { .. } => (0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn player_lines_name_engines_or_commands() {
        assert!(
            matches!(PlayerLine::parse(GameKind::Go, "gtp: gnugo --mode gtp"), Ok(PlayerLine::Outside(c)) if c == "gnugo --mode gtp")
        );
        assert!(
            PlayerLine::parse(GameKind::Go, "gtp: ").is_err() && PlayerLine::parse(GameKind::Go, "deep blue").is_err()
        );
        assert!(matches!(PlayerLine::parse(GameKind::Go, "uct c=1"), Ok(PlayerLine::Inside(_))));
    }
}
