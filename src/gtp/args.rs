//! Reading the arguments of commands. Errors say what was expected.

use crate::base::{Color, Point, Size};

pub fn syntax<T>(expected: &str) -> Result<T, String> {
    Err(format!("syntax error: expected {expected}"))
}

pub fn one<'a>(args: &'a [String], expected: &str) -> Result<&'a str, String> {
    match args {
        [word, ..] => Ok(word),
        [] => syntax(expected),
    }
}

pub fn color(text: &str) -> Result<Color, String> {
    Color::from_gtp(text).map_or_else(|| syntax("a colour, black or white"), Ok)
}

pub fn vertex(size: Size, text: &str) -> Result<Point, String> {
    let corner = size.point_to_gtp(size.point(size.n() - 1, size.n() - 1));
    let expected = || format!("a vertex from A1 to {corner} (there is no column I) or pass");
    size.point_from_gtp(text).map_or_else(|| syntax(&expected()), Ok)
}

/// Pairs of colour and vertex, passes not allowed unless said.
pub fn pairs(size: Size, args: &[String], may_pass: bool) -> Result<Vec<(Color, Point)>, String> {
    let (pairs, rest) = args.as_chunks::<2>();
    if !rest.is_empty() {
        return syntax("pairs of colour and vertex");
    }
    pairs
        .iter()
        .map(|[c, v]| match (color(c)?, vertex(size, v)?) {
            (_, p) if p.is_pass() && !may_pass => syntax("a vertex, not a pass"),
            pair => Ok(pair),
        })
        .collect()
}

pub fn optional_count(args: &[String]) -> Result<usize, String> {
    match args.first() {
        None => Ok(1),
        Some(text) => text.parse().map_or_else(|_| syntax("a number of moves"), Ok),
    }
}

pub fn number(text: &str, expected: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x: &f64| x.is_finite()).map_or_else(|| syntax(expected), Ok)
}

pub fn numbers<const N: usize>(args: &[String], expected: &str) -> Result<[f64; N], String> {
    let parsed = args.iter().map(|a| number(a, expected)).collect::<Result<Vec<_>, _>>()?;
    match parsed.try_into() {
        Ok(array) => Ok(array),
        Err(_) => syntax(expected),
    }
}

/// A number of stones or periods.
pub fn stones(x: f64) -> Result<u32, String> {
    if x.fract() == 0.0 && (0.0..1e6).contains(&x) { Ok(x as u32) } else { syntax("a whole number of stones") }
}
