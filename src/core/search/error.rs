//! What can be wrong with an engine line, said with what would be right.

use super::presets::preset_names;
use crate::base::params::{BadValue, clip};
use thiserror::Error;

#[derive(Clone, PartialEq, Debug, Error)]
pub enum EngineError {
    #[error("an engine line starts with a name: {}", preset_names())]
    Empty,

    #[error("no engine '{}'{meant}: {}", clip(name), preset_names())]
    NoPreset { name: String, meant: String },

    #[error("preset {0} names no allocation")]
    NoAllocation(&'static str),

    #[error("'{}' is not key=value; keys: {keys}", clip(word))]
    NotAPair { word: String, keys: String },

    #[error("no parameter '{}'{meant}: {keys}", clip(name))]
    NoParameter { name: String, meant: String, keys: String },

    #[error(transparent)]
    Value(#[from] BadValue),

    #[error("{0}")]
    Weights(String),

    #[error("level says how many playouts are made: leave out {0}")]
    TwoBudgets(&'static str),

    #[error("{name} means something only with {other} {values}; {allocation} takes: {keys}")]
    Meaningless { name: &'static str, other: &'static str, values: String, allocation: &'static str, keys: String },

    /// The engine, or a value of it, is for other allocations or the other game.
    #[error("{what} works with {these}, not with {present}: {why}")]
    WorksNotWith { what: String, these: String, present: String, why: &'static str },
}

/// Commands answer with text.
impl From<EngineError> for String {
    fn from(error: EngineError) -> String {
        error.to_string()
    }
}
