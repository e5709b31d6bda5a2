//! What is known about moves beyond the rules: shapes, features, weights.

pub mod shapes;
