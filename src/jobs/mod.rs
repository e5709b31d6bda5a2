//! Long work: many jobs on several threads, results kept in a file as they come, and what a terminal shows meanwhile.
//!
//! Matches, experiments and sets of problems all run here, so all of them can be stopped with Ctrl-C and go on later.

pub mod console;
mod error;
mod runner;
pub mod store;

pub use error::Error;
pub use runner::{Next, Runner};
