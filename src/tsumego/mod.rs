//! Problems of life and death: read from files and set on a board where nothing else matters.

pub mod frame;
pub mod problem;
pub mod turn;

pub use frame::{Framed, frame};
pub use problem::{Goal, Problem};
