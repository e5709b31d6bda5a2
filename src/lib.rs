pub mod base;
pub mod game;
pub mod playout;
pub mod pool;
pub mod search;
pub mod session;
