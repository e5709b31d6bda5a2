//! Which moku made a result: its version, the commit it was built from, and the signature of its behaviour.

use super::behaviour;
use crate::search::Engine;
use serde::{Deserialize, Serialize};

const UNKNOWN: &str = "unknown";

/// The code behind a result. Results from before commit and behaviour were kept have them unknown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Code {
    #[serde(default = "unknown")]
    pub version: String,
    /// Short hash, with `-dirty` when the sources were changed after it; unknown if it was not built in a checkout.
    #[serde(default = "unknown")]
    pub commit: String,
    /// Builds with the same one search alike, as far as the players of this result are concerned.
    #[serde(default = "unknown")]
    pub behaviour: String,
}

fn unknown() -> String {
    UNKNOWN.to_string()
}

impl Default for Code {
    fn default() -> Code {
        Code { version: unknown(), commit: unknown(), behaviour: unknown() }
    }
}

impl Code {
    /// Of this program.
    pub fn own() -> Code {
        Code {
            version: env!("CARGO_PKG_VERSION").to_string(),
            commit: env!("MOKU_COMMIT").to_string(),
            behaviour: behaviour::signature(),
        }
    }

    /// Of this program as far as these players are concerned.
    pub fn of<'a>(players: impl Iterator<Item = &'a Engine>) -> Code {
        Code { behaviour: behaviour::signature_of(players), ..Code::own() }
    }
}

/// `0.1.0 (commit abc1234, behaviour 91f2)`; what is unknown is left out.
impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let known = [("commit", &self.commit), ("behaviour", &self.behaviour)];
        let known: Vec<String> = known
            .iter()
            .filter(|(_, value)| *value != UNKNOWN)
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        match known.is_empty() {
            true => write!(f, "{}", self.version),
            false => write!(f, "{} ({})", self.version, known.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_knows_its_version_and_says_when_it_knows_no_commit() {
        let own = Code::own();
        assert_eq!(own.version, env!("CARGO_PKG_VERSION"));
        let hash = own.commit.trim_end_matches("-dirty");
        assert!(hash == UNKNOWN || hash.len() >= 7 && hash.bytes().all(|b| b.is_ascii_hexdigit()), "{}", own.commit);
        let code = |commit: &str| Code { version: "1".into(), commit: commit.into(), behaviour: unknown() };
        assert_eq!((code("abc1234").to_string(), code(UNKNOWN).to_string()), ("1 (commit abc1234)".into(), "1".into()));
    }
}
