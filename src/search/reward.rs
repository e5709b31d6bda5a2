//! What a finished playout is worth to the searching player.

/// The plain step: 1 for a win, 0 for a loss, a half for a draw.
#[inline(always)]
pub fn step(score: f32) -> f32 {
    match score {
        s if s > 0.0 => 1.0,
        s if s < 0.0 => 0.0,
        _ => 0.5,
    }
}
