//! `moku tune`: several parameters of an engine line found at once by games.
//!
//! A description (`description`) says which parameters, in which ranges and on which engine line. SPSA (`spsa`) says which two
//! lines to try next and where their result leads. Games are kept as they end (`store`), so that the way can be followed
//! again from them at any time (`state`); `run` plays those that are missing, and `report` tells the way.

pub mod cli;
mod description;
mod report;
mod run;
mod spsa;
mod state;
mod store;
