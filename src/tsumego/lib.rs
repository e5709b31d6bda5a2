//! Problems of life and death: read from files, set on a board where nothing else matters, and proven.
//!
//! ```
//! use moku_tsumego::prover::{Limits, Prover, find};
//! use moku_tsumego::{Problem, set};
//! use std::sync::atomic::AtomicBool;
//!
//! let problems = Problem::read_all(&[set::STANDARD.into()])?;
//! let question = find::question_of(&problems[0])?;
//! let limits = Limits { nodes: 100_000, seconds: None };
//! let verdict = Prover::new(16).solve(&question, limits, None, &AtomicBool::new(false))?;
//! assert!(verdict.status().is_some());
//! println!("{:?} after {} positions", verdict.status(), verdict.nodes);
//! # Ok::<(), moku_tsumego::TsumegoError>(())
//! ```

pub mod conventions;
mod error;
pub mod frame;
pub mod problem;
pub mod prover;
pub mod set;
pub mod turn;

pub use error::TsumegoError;
pub use frame::{Framed, frame};
pub(crate) use moku_core::{base, game, sgf};
pub use problem::{GOAL_NAMES, Goal, Problem, named_stones};
