//! The hot layers of moku: the board, the playouts and the searches, for those who want just them.
//!
//! From the ground up; each layer imports only those before it:
//! [`base`] ← [`game`] ← [`sgf`] ← [`knowledge`] ← [`playout`] ← [`search`] ← [`pool`] ← [`table`].
//!
//! ```
//! use moku_core::base::{Rng, Size};
//! use moku_core::game::{Game, go::Go9};
//! use moku_core::playout;
//!
//! let size = Size::new(9).ok_or("9 is a size")?;
//! let mut board = Go9::new(size, 7.5);
//! let moves = playout::light::play_out(&mut board, &mut Rng::new(1));
//! println!("a random game of {moves} moves, Black by {}", Game::score(&board));
//! # Ok::<(), &str>(())
//! ```

pub mod base;
pub mod game;
pub mod knowledge;
pub mod playout;
pub mod pool;
pub mod search;
pub mod sgf;
pub mod table;
