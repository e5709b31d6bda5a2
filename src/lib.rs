pub mod base;
pub mod game;
