//! Life-and-death problems.

pub mod prover;
