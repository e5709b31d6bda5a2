//! The laboratory: games between engines and what they show.

pub mod outside;
pub mod stats;
