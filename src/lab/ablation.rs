//! Ablations: an engine line against itself with each of its parts taken away in turn.

use crate::base::GameKind;
use crate::base::params::Value;
use crate::search::Engine;
use crate::search::params::Params;

/// What no line is better or worse by: budgets, and how it is run.
const NO_PARTS: [&str; 7] = ["playouts", "time", "level", "each", "threads", "tree-mb", "end"];

/// What is taken away, as it stands in the line, and the whole line without it. A part is a parameter that is not as it
/// usually is, or one word of several; what means nothing without it goes with it.
pub fn parts(kind: GameKind, line: &str) -> Result<Vec<(String, String)>, String> {
    let engine = Engine::parse_for(kind, line)?;
    let usual = Params::new(kind).map_err(|e| e.to_string())?;
    let mut parts = Vec::new();
    for (param, value) in engine.rows().filter(|(param, _)| !NO_PARTS.contains(&param.name)) {
        let plain = usual.value(param);
        if value == plain {
            continue;
        }
        let mut take = |part: String, rest: String| -> Result<(), String> {
            parts.push((part, engine.with(param.name, &rest)?.to_string()));
            Ok(())
        };
        match &value {
            Value::Set(words) if words.len() > 1 => {
                for gone in words {
                    let rest: Vec<&str> = words.iter().filter(|word| *word != gone).copied().collect();
                    take(format!("{}={gone}", param.name), rest.join("+"))?;
                }
            }
            _ => take(format!("{}={value}", param.name), plain.to_string())?,
        }
    }
    match parts.is_empty() {
        true => Err(format!("'{line}' has no part that could be taken away: all is as usual")),
        false => Ok(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_taken_away_with_what_hangs_on_it() {
        let parts = parts(GameKind::Go, "uct rule=rave equivalence=500 prior=even+patterns playouts=100").unwrap();
        let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["rule=rave", "equivalence=500", "prior=even", "prior=patterns"]);
        let without = |i: usize| Engine::parse(&parts[i].1).unwrap().essence();
        assert_eq!(without(0), "uct playouts=100 prior=even+patterns");
        assert_eq!(without(1), "uct playouts=100 rule=rave prior=even+patterns");
        assert_eq!(without(3), "uct playouts=100 rule=rave equivalence=500 prior=even");
        assert!(super::parts(GameKind::Go, "uct playouts=5").is_err_and(|e| e.contains("no part")));
        assert!(super::parts(GameKind::Gobang, "gobang playouts=5").is_ok_and(|parts| !parts.is_empty()));
    }
}
