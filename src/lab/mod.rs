//! The laboratory: games between engines, experiments, and what they show.

pub mod ablation;
pub mod arena;
pub mod behaviour;
pub mod bench;
pub mod calibration;
pub mod catalogue;
pub mod claims;
pub mod cli;
pub mod code;
pub mod experiment;
pub mod learn;
pub mod machine;
pub mod matches;
pub mod outside;
pub mod pairs;
pub mod plan;
pub mod players;
pub mod report;
pub mod run;
pub mod section;
pub mod sprt;
pub mod stats;
pub mod store;
pub mod trials;
pub mod tsumego;
pub mod tune;
