//! `moku tsumego`: sets of problems framed, solved by engines, proven, made, and turned into tests.

mod book;
pub mod cli;
mod compare;
pub mod learn;
pub mod make;
pub mod page;
pub mod proof_page;
pub mod prove;
pub mod report;
pub mod results;
pub mod solve;
#[cfg(test)]
mod tests;
pub mod tst;
