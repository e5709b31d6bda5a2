//! The laboratory: games between engines and what they show.

pub mod arena;
pub mod bench;
pub mod matches;
pub mod outside;
pub mod stats;
