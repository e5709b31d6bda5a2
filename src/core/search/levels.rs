//! Levels: opponents from somebody who has just learned the rules to all that there is, each about as far from the next.
//!
//! A level is effort, never a bad move on purpose. An engine without learned priors makes a playout for every point of the
//! board at level 1 and twice as many with each level. With learned priors (`moku`) that would begin with a good player,
//! since even a search of one playout knows shapes: its first levels do not read, and draw their move by how likely players
//! are to choose it.

use super::params::{Final, Params, PriorName};

/// What a level of an engine with learned priors changes in its line.
enum Level {
    /// The move is drawn by priors alone (`final=draw`).
    Drawn { spread: f64 },
    /// As the line says, with so many playouts for a move on 9x9; other boards have them in proportion to their points.
    Read { playouts: u64 },
}

use Level::{Drawn, Read};

const LEVELS: [Level; 10] = [
    Drawn { spread: 3.0 },
    Drawn { spread: 0.9 },
    Drawn { spread: 0.45 },
    Read { playouts: 16 },
    Read { playouts: 64 },
    Read { playouts: 240 },
    Read { playouts: 900 },
    Read { playouts: 3_300 },
    Read { playouts: 12_000 },
    Read { playouts: 44_000 },
];

fn of(params: &Params) -> Option<&'static Level> {
    let knows = params.prior.contains(&PriorName::Patterns);
    LEVELS.get((params.level as usize).wrapping_sub(1)).filter(|_| knows)
}

/// Playouts for a move on a board of so many points; None: no level is set.
pub fn playouts(params: &Params, area: usize) -> Option<u64> {
    match (of(params), params.level) {
        (_, 0) => None,
        (Some(Drawn { .. }), _) => Some(1),
        (Some(Read { playouts }), _) => Some((playouts * area as u64 / 81).max(1)),
        (None, level) => Some((area as u64) << (level - 1)),
    }
}

/// Changes the parameters to what the level makes of them.
pub fn apply(params: &mut Params) {
    let Some(Drawn { spread }) = of(params) else { return };
    params.prior = vec![PriorName::Patterns];
    (params.choose_by, params.spread) = (Final::Draw, *spread);
}

#[cfg(test)]
mod tests {
    use super::super::Engine;
    use super::*;

    #[test]
    fn each_level_of_moku_tries_at_least_as_hard_as_the_one_below() {
        for area in [4, 81, 361] {
            let engines: Vec<Engine> = (1..=10).map(|l| Engine::parse(&format!("moku level={l}")).unwrap()).collect();
            for pair in engines.windows(2) {
                assert!(pair[0].playouts(area) <= pair[1].playouts(area));
                let [low, high] = [&pair[0], &pair[1]].map(Engine::at_level);
                assert!(high.spread().unwrap_or(0.0) <= low.spread().unwrap_or(0.0));
            }
            let [first, last] = [&engines[0], &engines[9]].map(Engine::at_level);
            assert!(first.spread().is_some() && first.params().prior == [PriorName::Patterns]);
            // The highest level is the line itself with many playouts.
            assert_eq!(last, engines[9]);
        }
    }

    #[test]
    fn lines_without_learned_priors_double_their_playouts() {
        let engine = Engine::parse("uct level=3").unwrap();
        assert_eq!(engine.playouts(81), Some(4 * 81));
        assert_eq!(engine.at_level(), engine);
        assert_eq!(Engine::parse("uct").unwrap().playouts(81), None);
    }
}
