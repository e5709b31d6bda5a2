//! Sets of problems: solved and tabled, and run as regression tests.

pub mod cli;
pub mod make;
pub mod page;
pub mod prove;
pub mod regress;
pub mod report;
pub mod results;
pub mod solve;
#[cfg(test)]
mod tests;
pub mod tst;
