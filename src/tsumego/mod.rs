//! Problems of life and death: read from files and set on a board where nothing else matters.

pub mod problem;

pub use problem::{Goal, Problem};
