//! Which game is played: the name that commands, files and tables use for it.

use super::params::no_such;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    Go,
    Gobang,
}

impl GameKind {
    pub const ALL: [GameKind; 2] = [GameKind::Go, GameKind::Gobang];

    pub fn name(self) -> &'static str {
        match self {
            GameKind::Go => "go",
            GameKind::Gobang => "gobang",
        }
    }

    /// `go` or `gobang`, in any case.
    /// The game that a word names, or what would be one.
    pub fn parse(word: &str) -> Result<GameKind, String> {
        GameKind::from_name(word).ok_or_else(|| no_such("game", word, &GameKind::ALL.map(GameKind::name)))
    }

    pub fn from_name(name: &str) -> Option<GameKind> {
        GameKind::ALL.into_iter().find(|kind| name.eq_ignore_ascii_case(kind.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_game_and_nothing_else_does() {
        for kind in GameKind::ALL {
            assert_eq!(GameKind::from_name(kind.name()), Some(kind));
            assert_eq!(GameKind::from_name(&kind.name().to_uppercase()), Some(kind));
        }
        for name in ["", "g", "chess", "go "] {
            assert_eq!(GameKind::from_name(name), None, "{name:?}");
        }
    }
}
