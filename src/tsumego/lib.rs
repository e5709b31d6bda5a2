//! Problems of life and death: read from files, set on a board where nothing else matters, and proven.

pub mod frame;
pub mod problem;
pub mod prover;
pub mod set;
pub mod turn;

pub use frame::{Framed, frame};
pub(crate) use moku_core::{base, game, sgf};
pub use problem::{Goal, Problem};
