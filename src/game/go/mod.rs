//! Go: the fast board, the slow oracle beside it, and what the two share.

pub mod board;
pub mod slow;
#[cfg(test)]
mod tests;

pub use board::{Board, Go9, Go14, Go21, Go25};
pub use slow::SlowBoard;
