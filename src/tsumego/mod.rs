//! Problems of life and death: read from files, set on a board where nothing else matters, and proven.

pub mod frame;
pub mod problem;
pub mod prover;
pub mod set;
pub mod turn;

pub use frame::{Framed, frame};
pub use problem::{Goal, Problem};
