//! What is known beyond the rules; [`gobang`] reads rows of five, the rest is about Go: shapes, features of moves, weights, and how they are learned from games.
//!
//! For a search: [`Patterns`]. The features: [`features`] is the table of questions, [`tactics`] answers them on a [`survey`] of the
//! position, [`nested`] names what stands around a move, [`slow`] says the same plainly. The weights: [`weights`] is the file,
//! [`learn`] makes it.

pub mod dictionary;
pub mod features;
pub mod gobang;
pub mod grid;
pub mod ladder;
pub mod learn;
pub mod local;
pub mod local_weights;
pub mod model;
pub mod nested;
pub mod patterns;
pub mod shapes;
pub mod slow;
#[cfg(test)]
mod slow_local;
pub mod survey;
pub mod tactics;
pub mod weights;

#[cfg(test)]
mod tests;

pub use patterns::Patterns;
pub use weights::WeightsError;
