//! Vocabulary shared by every layer: points and sizes, colours, sets of points, random numbers, parameters, intervals,
//! files, lines.

pub mod bits;
pub mod color;
pub mod file;
pub mod kind;
pub mod lines;
pub mod order;
pub mod parallel;
pub mod params;
pub mod point;
pub mod rng;
pub mod stats;

pub use bits::Bits;
pub use color::{Black, Color, White};
pub use kind::GameKind;
pub use point::{Point, Size};
pub use rng::Rng;
