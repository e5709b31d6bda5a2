//! moku: a Monte-Carlo engine and laboratory for Go and Gobang.
//!
//! The house, from the ground up; each layer imports only those before it:
//! [`base`] ← [`game`] ← [`sgf`] ← [`knowledge`] ← [`playout`] ← [`search`] ← [`pool`] ← [`table`] (the crate
//! `moku-core`) ← [`tsumego`] (`moku-tsumego`) ← [`session`] ← [`picture`] ← [`gtp`] ← [`regress`], with [`gomocup`],
//! [`analysis`], [`review`] and [`web`] beside it, [`jobs`] for long work and [`lab`] a client of them. `tsumego` stands below
//! `session` because the engine `prover` and the command `moku-tsumego` ask it.
//!
//! A search in a few lines:
//!
//! ```
//! use moku::base::Black;
//! use moku::session::{Options, Session};
//!
//! let engine = Some("uct playouts=500".to_string());
//! let mut session = Session::new(Options { size: 9, engine, seed: Some(1), ..Options::default() })?;
//! let thought = session.think(Black, None, &mut |_| true)?;
//! assert_eq!(thought.playouts, 500);
//! println!("{}", session.size().point_to_gtp(thought.point));
//! # Ok::<(), String>(())
//! ```
//!
//! Reading orders: for the rules [`game::Game`], [`game::go`], [`game::gobang`]; for the algorithms [`search::Search`] and one file of
//! `search` per allocation; for a new front end [`session::Session`].

pub use moku_core::{base, game, knowledge, playout, pool, search, sgf, table};
pub use moku_tsumego as tsumego;

pub mod analysis;
pub mod gomocup;
pub mod gtp;
pub mod html;
pub mod jobs;
pub mod lab;
pub mod picture;
pub mod regress;
pub mod review;
pub mod session;
pub mod web;
