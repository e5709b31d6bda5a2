//! Learned weights of moves as playouts want them (Go): looked up by a point's neighbourhood, as whole numbers, for both colours at once.

use crate::base::{Color, Size};
use crate::game::go::facts::Neighbourhood;
use crate::knowledge::local::{self, SELF_ATARI, TACTICS, seen_by};
use crate::knowledge::local_weights::{LocalFile, LocalWeights};
use crate::knowledge::patterns::SMALL;
use crate::knowledge::weights::{Files, WeightsError};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The weight of the pattern with the greatest one; those of the others are whole numbers too, so that sums are exact.
const GREATEST: f32 = 60_000.0;
/// The greatest weight of a move, so that no sum is too great.
pub const MOST: u32 = 1 << 25;

fn embedded(text: &str) -> Arc<Gammas> {
    match LocalFile::read(text) {
        Ok(file) => Arc::new(Gammas::new(&file.weights)),
        Err(fault) => unreachable!("the weights of the program: {fault}"), // a test reads them
    }
}

pub struct Gammas {
    /// By neighbourhood: what it is worth to Black in the low half, to White in the high one; 0 for eyes.
    pub patterns: Vec<u32>,
    pub factors: [f32; TACTICS],
    /// How often a self-atari is accepted, by size class: bounds on 32 random bits.
    pub accepts: [u64; 4],
}

impl Gammas {
    /// With the weights that come with the program.
    pub fn embedded(size: Size) -> Arc<Gammas> {
        static EMBEDDED: [LazyLock<Arc<Gammas>>; 2] = [
            LazyLock::new(|| embedded(include_str!("../knowledge/weights/playout9.json"))),
            LazyLock::new(|| embedded(include_str!("../knowledge/weights/playout19.json"))),
        ];
        EMBEDDED[(size.n() > SMALL) as usize].clone()
    }

    /// With those of a file, which is read once.
    pub fn shared(path: &str) -> Result<Arc<Gammas>, WeightsError> {
        static FILES: Files<Gammas> = Files::new();
        FILES.get(path, || Ok(Gammas::new(&LocalFile::load(Path::new(path))?.weights)))
    }

    pub fn new(weights: &LocalWeights) -> Gammas {
        let numbers = local::patterns();
        let most = weights.patterns().iter().fold(f32::NEG_INFINITY, |most, &w| most.max(w));
        let gamma = |code: u16| match numbers.number(code) {
            _ if local::is_eye(code) => 0,
            number => (libm::expf(weights.patterns()[number] - most) * GREATEST).round().max(1.0) as u32,
        };
        Gammas {
            patterns: (0..=u16::MAX)
                .map(|code| gamma(seen_by(code, Color::Black)) | gamma(seen_by(code, Color::White)) << 16)
                .collect(),
            factors: std::array::from_fn(|i| libm::expf(weights.tactics()[i])),
            accepts: std::array::from_fn(|i| super::bound(libm::expf(weights.tactics()[SELF_ATARI + i]).into())),
        }
    }

    /// What a neighbourhood is worth to a colour.
    #[inline(always)]
    pub fn of(&self, code: Neighbourhood, color: Color) -> u32 {
        self.patterns[code as usize] >> (16 * color.index()) & 0xffff
    }
}

impl std::fmt::Debug for Gammas {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Gammas").field("factors", &self.factors).finish_non_exhaustive()
    }
}
