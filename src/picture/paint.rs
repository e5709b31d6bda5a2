//! Colours for numbers, the same in GoGui and in files.

/// `#rrggbb`
pub type Paint = String;

type Rgb = [f64; 3];

const PALE: Rgb = [255.0, 246.0, 214.0];
const RED: Rgb = [196.0, 30.0, 44.0];
/// Strong, since GoGui lets its wood shine through.
const BLUE: Rgb = [0.0, 72.0, 224.0];
const NEUTRAL: Rgb = [246.0, 240.0, 228.0];

fn between(from: Rgb, to: Rgb, x: f64) -> Paint {
    let x = if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 };
    let mix = |i: usize| (from[i] + (to[i] - from[i]) * x).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// From pale (0) to red (1).
pub fn heat(x: f64) -> Paint {
    between(PALE, RED, x)
}

/// From red (-1) over nothing (0) to blue (1).
pub fn balance(x: f64) -> Paint {
    between(NEUTRAL, if x < 0.0 { RED } else { BLUE }, x.abs())
}

/// The square root spreads what a few large values would press together; signs stay.
pub fn spread(x: f64, largest: f64) -> f64 {
    if largest <= 0.0 { 0.0 } else { (x.abs() / largest).sqrt().min(1.0).copysign(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_scales_are_their_colours_and_nothing_falls_outside() {
        assert_eq!((heat(0.0).as_str(), heat(1.0).as_str()), ("#fff6d6", "#c41e2c"));
        assert_eq!((balance(-1.0).as_str(), balance(1.0).as_str()), ("#c41e2c", "#0048e0"));
        assert_eq!(balance(0.0), "#f6f0e4");
        for x in [-5.0, 7.0, f64::NAN, f64::INFINITY] {
            assert_eq!((heat(x).len(), balance(x).len()), (7, 7));
        }
        assert_eq!((spread(4.0, 16.0), spread(-4.0, 16.0), spread(1.0, 0.0)), (0.5, -0.5, 0.0));
    }
}
