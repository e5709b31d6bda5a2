//! Which game is played.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameKind {
    Go,
    Gobang,
}

impl GameKind {
    pub fn name(self) -> &'static str {
        match self {
            GameKind::Go => "go",
            GameKind::Gobang => "gobang",
        }
    }

    pub fn from_name(name: &str) -> Option<GameKind> {
        [GameKind::Go, GameKind::Gobang].into_iter().find(|k| k.name() == name)
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}
